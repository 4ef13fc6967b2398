"""One node: from the meeting to the table, links that serve something, and what it shows."""

from __future__ import annotations

import copy
import math
from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Finding
from p2p304.rules.core import actions as acts
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.chat import MOST, chat_bytes
from p2p304.table.exchange.lookahead import MAX_EARLY
from p2p304.table.exchange.notes import Note, note_bytes, parse_note
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.link_watch import IDLE, LEFT, NO_PURPOSE
from p2p304.table.node.node import Node
from p2p304.table.node.notices import MOST as MOST_NOTICES
from p2p304.table.node.notices import PROPOSAL_INTERVAL
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectators import WATCH_AGAIN, Spectators, watch_bytes
from p2p304.table.node.table_chat import may_chat
from p2p304.table.player.pending_claim import THINKING
from p2p304.table.state import events
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import HangUp, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.gathering_bus import Bus
from tests.support.table.paused import acted, paused, plain_choice
from tests.support.table.simnet import Net

STRANGER = bytes([9]) * 32


def seated(
    phase: Phase = Phase.BID4,
    nth: int = 1,
    rules: Options | None = None,
    patient: bool = False,
    watch: str = "",
) -> tuple[Node, Net]:
    """A node in the middle of a hand, whose player is asked to choose."""
    net, table = paused(phase, nth, rules=rules)
    player = table.terms.players[table.me.player]
    node = Node(table.me.key, player.nick, Rng.from_seed(bytes(32)), net.now, patient)
    if watch:
        object.__setattr__(table.terms, "watch", watch)
    node.table = table
    node._absence_or_none, node._spectators = PlayerAbsence(table), Spectators(table)
    node.effects()
    node.events()
    return node, net


def other(node: Node, step: int = 1) -> bytes:
    """The key of another player at the node's table."""
    assert node.table is not None
    keys = node.table.terms.keys
    return keys[(node.table.me.player + step) % len(keys)]


def alone() -> Node:
    return Node(SigningKey.from_seed(bytes([1]) * 32), "Asha", Rng.from_seed(bytes(32)), 0.0)


def hung(node: Node) -> list[tuple[bytes, str]]:
    return [(e.peer, e.reason) for e in node.effects() if isinstance(e, HangUp)]


def told(node: Node, kind: type[events.Event]) -> list[events.Event]:
    return [event for event in node.events() if isinstance(event, kind)]


# Before there is a table


def test_a_node_without_a_table_has_nothing_to_play() -> None:
    node = alone()
    with pytest.raises(LookupError, match="not begun"):
        node.act(acts.Pass(0), 0.0)
    with pytest.raises(LookupError, match="not begun"):
        node.propose_parting(0.0)
    with pytest.raises(LookupError, match="no ended table"):
        node.continue_table(0.0)
    node.ready(0.0)
    node.give_up(0.0)
    node.link_down(STRANGER, 0.0)
    assert (node.is_finished, node.has_ended, node.may_continue) == (False, False, False)
    assert node.table_id is None and node.next_timeout() == node.meeting.next_timeout()
    assert may_chat(node.table) and not node.may_identify_to(STRANGER)


def test_a_table_begins_with_what_members_sent_early_and_the_founder_writes_first() -> None:
    bus = Bus(4)
    bus.gather()
    node = bus.nodes[0]
    assert node.table is not None and node.table_id == node.table.terms.table
    first = node.table.chain.entries[0]
    assert first.entry.author == 0 and first.entry.kind == "agreement"


def test_members_messages_are_kept_until_the_table_begins_a_few_of_each() -> None:
    bus = Bus(3)
    bus.gather(2, 3)
    node, guest = bus.nodes[0], bus.nodes[1].key.public
    for number in range(MAX_EARLY + 2):
        raw = bytes([number])
        node.receive(guest, FrameKind.ENTRY, raw, 0.0)
        node.receive(STRANGER, FrameKind.ENTRY, raw, 0.0)
        node.receive(guest, FrameKind.WATCH, raw, 0.0)
    assert node._early_messages._kept == [
        (guest, FrameKind.ENTRY, bytes([number])) for number in range(MAX_EARLY)
    ]
    for kind in (FrameKind.RECEIPT, FrameKind.SYNC, FrameKind.EVIDENCE, FrameKind.NOTE):
        node.receive(bus.nodes[2].key.public, kind, b"", 0.0)
    assert len(node._early_messages._kept) == MAX_EARLY + 4 == 20


def test_what_members_sent_who_have_left_the_list_is_kept_no_longer() -> None:
    """Else each who comes, sends 2.5 MB and leaves would make the node hold that much more."""
    bus = Bus(3)
    bus.gather(2, 3)
    node, gone, stays = bus.nodes[0], bus.nodes[1].key.public, bus.nodes[2].key.public
    node.receive(gone, FrameKind.EVIDENCE, bytes(160 * 1024), 0.0)
    node.receive(stays, FrameKind.ENTRY, b"1", 0.0)
    assert [sender for sender, _, _ in node._early_messages._kept] == [gone, stays]
    node.hear_goodbye(gone, 1.0)
    node.link_down(gone, 1.0)
    node.handle_timer(100.0)
    assert gone not in node.meeting.members
    node.receive(stays, FrameKind.ENTRY, b"2", 100.0)
    assert [payload for _, _, payload in node._early_messages._kept] == [b"1", b"2"]


def test_members_tell_each_other_who_watches_and_that_the_code_is_confirmed() -> None:
    node, _ = seated(watch="now")
    others = {other(node, step) for step in (1, 2, 3)}

    def notes() -> dict[bytes, Note]:
        sent = [e for e in node.effects() if isinstance(e, Send) and e.kind is FrameKind.NOTE]
        return {e.peer: parse_note(e.payload) for e in sent if e.peer is not None}

    for name in ("Eve", "Eve", "bad.name"):
        node.meeting.guests.handshake_names[STRANGER] = name
        node.receive(STRANGER, FrameKind.WATCH, watch_bytes(0), 0.0)
        said = notes()
        assert said == (dict.fromkeys(others, Note(False, ("Eve",))) if name == "Eve" else {}) or (
            node._spectators is not None and node._spectators.is_watching(STRANGER)
        )
        node.link_down(STRANGER, 0.0)
    node.events()
    node.confirm_code()
    assert notes() == dict.fromkeys(others, Note(True, ("Eve",)))
    node.confirm_code()
    assert notes() == {}
    assert node.events() == [events.CodeConfirmed(node.meeting.nick)]
    node.link_up(other(node), "x", "h", 1, 0.0)
    assert notes() == {other(node): Note(True, ("Eve",))}
    node.events()
    node.receive(STRANGER, FrameKind.NOTE, note_bytes(Note(True, ("Mallory",))), 0.0)
    assert node.events() == []
    node.receive(other(node), FrameKind.NOTE, note_bytes(Note(True, ("Mallory",))), 0.0)
    nick = node.nicks()[other(node)]
    told = [events.SpectatorCame("Mallory", nick), events.CodeConfirmed(nick)]
    assert node.events() == told
    node.receive(other(node), FrameKind.NOTE, b"\xff", 0.0)
    (fault,) = [e for e in node.events() if isinstance(e, events.Fault)]
    assert fault.finding.check == "W33"


def test_a_note_that_comes_before_the_table_begins_here_is_told_at_its_beginning() -> None:
    node, _ = seated(nth=2)
    table, member = node.table, other(node)
    assert table is not None and table.me.player != 0
    node.table = None
    node.meeting.terms, node.meeting.agreement = table.terms, object()  # type: ignore[assignment]
    node._make_table = lambda *_: table  # type: ignore[method-assign]
    note = note_bytes(Note(True, ("Eve",)))
    node._early_messages._kept = [(STRANGER, FrameKind.NOTE, note), (member, FrameKind.NOTE, note)]
    node._begin_table(0.0)
    nick = node.nicks()[member]
    assert node.events() == [events.SpectatorCame("Eve", nick), events.CodeConfirmed(nick)]


def test_early_messages_of_members_alone_reach_the_table() -> None:
    node = alone()
    received: list[tuple[bytes, FrameKind, bytes]] = []

    class Table:
        def __init__(self, *args: object, **more: object) -> None:
            self.waits = self
            self.me = self
            self.player = 1

        def recover(self) -> None:
            raise AssertionError("this node was not started again")

        def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
            received.append((peer, kind, payload))

    _, table = paused()
    node.meeting.terms, node.meeting.agreement = table.terms, object()  # type: ignore[assignment]
    node._make_table = Table  # type: ignore[method-assign, assignment]
    member = table.terms.keys[2]
    node._early_messages._kept = [
        (STRANGER, FrameKind.ENTRY, b"no"),
        (member, FrameKind.SYNC, b"yes"),
    ]
    node._begin_table(0.0)
    assert received == [(member, FrameKind.SYNC, b"yes")] and node._early_messages._kept == []
    node._begin_table(0.0)
    assert len(received) == 1


@pytest.mark.parametrize("patient", [False, True])
def test_persons_have_time_to_think_and_bots_call_by_themselves(patient: bool) -> None:
    _, table = paused()
    node = Node(table.me.key, "Asha", Rng.from_seed(bytes(32)), 0.0, patient)
    made = node._make_table(table.terms, 0.0, table.me.secrets)
    assert made.me.player == table.me.player and made.turns.is_patient == patient
    assert made._pending_claim.pause == (THINKING if patient else 0.0) and THINKING == 2.0
    assert made._pending_claim.calls == (not patient)
    assert node._absence.table is made and node._spectators is not None


def test_who_watches_the_table_before_still_is_sent_away_when_the_next_one_begins() -> None:
    node, _ = seated(watch="now")
    before, table = node._spectators, node.table
    assert before is not None and table is not None
    node.receive(STRANGER, FrameKind.WATCH, watch_bytes(0), 0.0)
    node.effects()
    node._make_table(table.terms, 0.0, table.me.secrets)
    assert hung(node) == [(STRANGER, WATCH_AGAIN)] and not before.is_watching(STRANGER)
    assert node._spectators is not before


# Chat


def test_one_may_chat_between_hands_and_everywhere_where_the_rules_allow() -> None:
    node, _ = seated()
    assert not may_chat(node.table)
    with pytest.raises(LookupError, match="between hands"):
        node.chat("Well bid!")
    node.receive(other(node), FrameKind.TALK, chat_bytes("Well bid!"), 0.0)
    assert node.effects() == [] and node.events() == []
    node, _ = seated(rules=preset("pagat").override({"chat": "open"}))
    node.chat(" Well  bid! ")
    assert node.table is not None
    sent = {(e.peer, e.kind, e.payload) for e in node.effects() if isinstance(e, Send)}
    assert sent == {(other(node, step), FrameKind.TALK, b"Well bid!") for step in (1, 2, 3)}
    nick = node.meeting.nick
    assert told(node, events.ChatMessage) == [events.ChatMessage(nick, "Well bid!")]


def test_one_may_chat_where_no_hand_is_dealt_or_played() -> None:
    node, _ = seated()
    assert node.table is not None and node.table.state is not None
    playing = node.table.state
    deal = playing.open_deal
    shuffled = replace(deal, dealt=0, cut=None)
    for dealt, hand, may in (
        (None, None, True),
        (playing.deal, None, False),
        (shuffled, None, True),
        (replace(shuffled, cut=3), None, False),  # all have signed the cut
        (None, playing.hand, False),
    ):
        node.table.replica.state = replace(playing, deal=dealt, hand=hand)
        assert may_chat(node.table) == may


def test_chat_is_heard_from_those_at_the_table_in_measure() -> None:
    bus = Bus(2)
    bus.gather(1, 2)
    node, guest = bus.nodes[0], bus.nodes[1].key.public
    node.events()
    node.receive(STRANGER, FrameKind.TALK, chat_bytes("hello"), 1.0)
    assert node.events() == []
    for _ in range(MOST + 3):
        node.receive(guest, FrameKind.TALK, chat_bytes("hello"), 1.0)
    assert told(node, events.ChatMessage) == [events.ChatMessage("Bandu", "hello")] * MOST
    assert hung(node) == []


def test_malformed_chat_cuts_the_link_of_a_guest() -> None:
    bus = Bus(2)
    bus.gather(1, 2)
    node, guest = bus.nodes[0], bus.nodes[1].key.public
    node.receive(guest, FrameKind.TALK, b"\xff", 1.0)
    (fault,) = told(node, events.Fault)
    assert isinstance(fault, events.Fault)
    assert (fault.finding.check, fault.peer) == ("W09", guest)
    assert hung(node) == [(guest, fault.finding.sentence)]


# At a table


def test_a_choice_is_made_unless_the_table_is_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    node, _ = seated()
    assert node.table is not None
    action = plain_choice(node.table.view)
    with monkeypatch.context() as patch:
        patch.setattr(PlayerAbsence, "is_held", True)
        with pytest.raises(LookupError, match="must answer first"):
            node.act(action, 1.0)
        patch.setattr(PlayerAbsence, "is_bound", True)
        with pytest.raises(LookupError, match="is ending"):
            node.act(action, 1.0)
    seq = node.table.chain.next_seq
    node.act(action, 1.0)
    assert node.table.chain.next_seq == seq + 1


def test_a_node_that_is_bound_deals_no_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    node, _ = seated()
    assert node.table is not None and node.table.state is not None
    node.table.turns.ready_for = 0
    with monkeypatch.context() as patch:
        patch.setattr(PlayerAbsence, "is_bound", True)
        node.ready(1.0)
    assert node.table.turns.ready_for == 0
    node.ready(1.0)
    assert node.table.turns.ready_for == node.table.state.number


def test_messages_of_players_alone_reach_the_table() -> None:
    node, net = seated()
    assert node.table is not None
    third = next(t for t in net.tables if t is not node.table)
    raw = acted(copy.deepcopy(node.table), net.now)
    view = Node(third.me.key, "x", Rng.from_seed(bytes(32)), net.now)
    view.table, view._absence_or_none = third, PlayerAbsence(third)
    seq = third.chain.next_seq
    view.receive(STRANGER, FrameKind.ENTRY, raw, net.now)
    assert third.chain.next_seq == seq
    view.receive(node.key.public, FrameKind.ENTRY, raw, net.now)
    assert third.chain.next_seq == seq + 1


def test_a_malformed_word_of_a_player_is_counted_and_of_a_stranger_cuts_the_link() -> None:
    node, _ = seated()
    peer = other(node)
    node.link_up(STRANGER, "Eve", "h", 1, 0.0)
    node.receive(peer, FrameKind.PART, b"\xc1", 0.0)
    (fault,) = told(node, events.Fault)
    assert isinstance(fault, events.Fault) and fault.finding.check[0] == "W"
    node.effects()
    node.receive(STRANGER, FrameKind.PART, b"\xc1", 0.0)
    assert [who for who, _ in hung(node)] == [STRANGER] and told(node, events.Fault) == []
    node.receive(STRANGER, FrameKind.LOBBY, b"\xc1", 0.0)
    assert [who for who, _ in hung(node)] == [STRANGER] and len(told(node, events.Fault)) == 1


def test_a_fault_of_this_program_cuts_no_link() -> None:
    node = alone()

    def fails(*args: object) -> None:
        raise ZeroDivisionError

    node.meeting.receive = fails  # type: ignore[method-assign, assignment]
    node.receive(STRANGER, FrameKind.LOBBY, b"", 0.0)
    (fault,) = told(node, events.Fault)
    assert isinstance(fault, events.Fault) and fault.finding.check == "W12"
    assert hung(node) == []


def test_a_node_wakes_for_its_table_or_for_an_absence() -> None:
    node, _ = seated()
    assert node.table is not None
    at = node.table.next_timeout()
    assert at is not None and node.next_timeout() == at
    node._absence.next_timeout = lambda: at - 1  # type: ignore[method-assign]
    assert node.next_timeout() == at - 1
    node._absence.next_timeout = lambda: at + 1  # type: ignore[method-assign]
    assert node.next_timeout() == at
    node.table.next_timeout = lambda: None  # type: ignore[method-assign]
    assert node.next_timeout() == at + 1
    node._absence.next_timeout = lambda: math.inf  # type: ignore[method-assign]
    assert node.next_timeout() is None


# Links


def test_a_player_whose_link_is_lost_is_missed_and_one_that_is_back_is_told_all() -> None:
    node, net = seated()
    assert node.table is not None
    peer = other(node)
    node.link_down(peer, net.now)
    assert set(node.table.waits.presence.since) == {peer}
    node.effects()
    node.link_up(peer, "x", "host", 7, net.now)
    assert not node.table.waits.presence.since
    have = sync_bytes(node.table.chain)
    assert [e for e in node.effects() if isinstance(e, Send) and e.payload == have]
    node.link_up(STRANGER, "Eve", "host", 8, net.now)
    assert not [e for e in node.effects() if isinstance(e, Send) and e.kind is FrameKind.SYNC]


def test_a_visitor_asks_its_founder_as_soon_as_they_are_linked() -> None:
    node = alone()
    node.meeting.join(STRANGER, 0.0)
    assert node.effects() == []
    node.link_up(STRANGER, "Eve", "host", 8, 0.5)
    assert [e.kind for e in node.effects() if isinstance(e, Send)] == [FrameKind.LOBBY]


def test_a_link_that_comes_or_goes_is_known_to_the_meeting() -> None:
    node = alone()
    node.link_up(STRANGER, "Eve", "host", 8, 3.0)
    assert node.meeting.guests.linked == {STRANGER: ("host", 8)}
    node.link_down(STRANGER, 4.0)
    assert node.meeting.guests.linked == {}
    node.handle_timer(100.0)
    assert hung(node) == []


def test_links_without_a_purpose_are_closed_after_a_while_and_counted_anew() -> None:
    node, _ = seated(watch="now")
    purposes = {"player": other(node), "spectator": bytes([7]) * 32, "founder": bytes([6]) * 32}
    node.meeting.guests.founder = purposes["founder"]
    for peer in (*purposes.values(), STRANGER):
        node.link_up(peer, "x", "h", 1, 0.0)
    node.receive(purposes["spectator"], FrameKind.WATCH, watch_bytes(0), 0.0)
    node.handle_timer(IDLE - 0.1)
    assert hung(node) == []
    node.handle_timer(IDLE)
    assert hung(node) == [(STRANGER, NO_PURPOSE)]
    node.handle_timer(IDLE * 2)
    assert hung(node) == []
    node.meeting.guests.founder = None
    node.handle_timer(IDLE * 3 - 0.1)
    assert hung(node) == []
    node.handle_timer(IDLE * 3)
    assert hung(node) == [(purposes["founder"], NO_PURPOSE)]


def test_a_spectator_that_leaves_is_forgotten() -> None:
    node, _ = seated(watch="now")
    spectators = node._spectators
    assert spectators is not None
    node.receive(STRANGER, FrameKind.WATCH, watch_bytes(0), 0.0)
    assert spectators.is_watching(STRANGER)
    assert {e.kind for e in node.effects() if isinstance(e, Send)} == {FrameKind.BLOCK}
    node.link_down(STRANGER, 0.0)
    assert not spectators.is_watching(STRANGER)
    node.receive(other(node), FrameKind.WATCH, watch_bytes(0), 0.0)
    assert not spectators.is_watching(other(node))


def test_players_of_its_tables_alone_learn_who_a_node_is() -> None:
    node, _ = seated()
    assert node.may_identify_to(other(node)) and not node.may_identify_to(STRANGER)
    node._ended.add(node._absence)
    node.table = seated()[0].table
    assert node.may_identify_to(other(node)) and not node.may_identify_to(STRANGER)
    node, _ = seated(watch="now")
    assert node.may_identify_to(STRANGER)


# What is shown


def test_faults_of_members_and_of_strangers_have_limits_of_their_own() -> None:
    """Strangers with ever new identities and sentences do not silence what members send."""
    node, _ = seated()
    peer = other(node)

    def fault(check: str, who: bytes, sentence: str = "no") -> events.Fault:
        return events.Fault(Finding(check, sentence), None, None, who)

    node._out.emit(*(fault("W01", bytes([n]) * 32, str(n)) for n in range(60, 80)))
    shown = node.events()
    assert len(shown) == MOST_NOTICES + 1 and shown[-1] == events.LeftOut(20 - MOST_NOTICES)
    node._out.emit(fault("W01", peer, "a"), fault("W01", peer, "b"), fault("W02", peer))
    assert [e.finding.check for e in node.events() if isinstance(e, events.Fault)] == ["W01", "W02"]
    node, _ = seated()
    node._out.emit(*(fault("W01", bytes([n]) * 32) for n in range(60, 63)))
    assert len(told(node, events.Fault)) == 3
    convicted = events.Fault(Finding("D17", "no", 1), "Bandu", 5, peer)
    node._out.emit(*[convicted] * 20)
    assert len(told(node, events.Fault)) == 20


@pytest.mark.parametrize("patient", [False, True])
def test_a_proposal_is_told_again_to_bots_alone(patient: bool) -> None:
    node, _ = seated(patient=patient)
    proposal = events.PartingProposed("Dilan", ("Asha",), 3)
    count = 0
    for now in (0.0, 0.5, PROPOSAL_INTERVAL, PROPOSAL_INTERVAL + 0.5):
        node.handle_timer(now)
        node._out.emit(proposal, events.PartingRefused("Asha", "Dilan"))
        count += len([e for e in node.events() if not isinstance(e, events.LeftOut)])
    assert count == (2 if patient else 4)


def test_events_and_effects_of_all_parts_are_drained() -> None:
    node, _ = seated()
    assert node.table is not None
    event = events.SignedElsewhere()
    node._out.emit(event)
    node.meeting._out.emit(event)
    node.table._out.emit(event)
    node._absence._out.emit(event)
    assert node.events() == [event] * 4 and node.events() == []
    node._ended.add(node._absence)
    for out in (node._out, node.meeting._out, node.table._out, node._absence._out):
        out.hang_up(STRANGER, "x")
    assert len(hung(node)) == 4


# Tables that were ended without a player


def test_a_player_without_whom_the_table_was_ended_gets_its_file_from_the_ended_table() -> None:
    node, net = seated()
    ended = node._absence
    gone = other(node)
    assert node.table is not None
    node._ended.add(ended)
    node.table = None
    node._absence_or_none = node._spectators = None
    ended.table.effects()
    node.receive(gone, FrameKind.SYNC, sync_bytes(ended.table.chain)[:-1], net.now)
    assert len([e for e in ended.table.events() if isinstance(e, events.Fault)]) == 1
    node.effects()
    node.link_up(gone, "x", "h", 1, net.now)
    node.handle_timer(net.now + 10 * IDLE)
    assert hung(node) == []
    assert node._ended.without(STRANGER, ()) is None and node._ended.without(gone, ()) is ended


def test_giving_up_is_recorded_at_the_table() -> None:
    node, net = seated()
    assert node.table is not None
    node.link_down(other(node), net.now)
    node.give_up(net.now + LONG)
    assert told(node, events.DrawLeft)


def test_a_player_who_is_gone_for_a_while_and_comes_back_is_told_of_once() -> None:
    node, _ = seated()
    assert node.table is not None
    peer = other(node)
    nick = node.nicks()[peer]
    node.events()
    node.link_down(peer, 10.0)
    node.handle_timer(10.0 + LEFT / 2)
    node.link_up(peer, nick, "h", 1, 10.0 + LEFT / 2)
    assert presence(node) == []  # a link that is lost for a moment is nothing to tell
    node.link_down(peer, 20.0)
    timeout = node.next_timeout()
    assert timeout is not None and timeout <= 20.0 + LEFT
    for after in (0.0, 1.0, 2.0):
        node.handle_timer(20.0 + LEFT + after)
    node.link_up(peer, nick, "h", 1, 30.0)
    assert presence(node) == [events.PlayerLeft(nick), events.PlayerBack(nick)]


def test_a_goodbye_is_told_at_once_and_the_player_can_come_back() -> None:
    node, _ = seated()
    peer = other(node)
    nick = node.nicks()[peer]
    node.handle_timer(10.0)
    node.events()
    node.hear_goodbye(peer, 10.0)
    node.link_down(peer, 10.0)
    assert presence(node) == [events.PlayerLeft(nick, said=True)]
    for after in (0.0, LEFT, 2 * LEFT):
        node.handle_timer(10.0 + after)
    assert presence(node) == []
    assert node.table is not None and node.table.waits.presence.is_gone(peer)
    node.link_up(peer, nick, "h", 1, 10.0 + LEFT)
    assert presence(node) == [events.PlayerBack(nick)]


def test_goodbyes_are_told_no_faster_than_links_that_break() -> None:
    node, _ = seated()
    peer = other(node)
    nick = node.nicks()[peer]
    node.events()
    for at in range(10, 20):
        node.link_up(peer, nick, "h", 1, float(at))
        node.hear_goodbye(peer, at + 0.5)
        node.link_down(peer, at + 0.5)
        node.handle_timer(at + 0.6)
    assert presence(node) == []
    node.handle_timer(20.0 + LEFT)
    assert presence(node) == [events.PlayerLeft(nick)]


@pytest.mark.parametrize("end", ["stopped", "is_ended"])
def test_at_a_table_that_has_ended_nobody_is_told_to_leave_a_seat_that_is_kept(
    end: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others leave then, each in its own moment."""
    node, _ = seated()
    peer = other(node)
    node.events()
    place = TableMachine if end == "stopped" else Replica
    monkeypatch.setattr(place, end, property(lambda _: True))
    node.hear_goodbye(peer, 10.0)
    node.link_down(peer, 10.0)
    node.handle_timer(10.0 + LEFT)
    assert presence(node) == []


def test_a_node_at_no_table_tells_nobody_who_it_is() -> None:
    """A player who has left for the lobby does not seem to be back."""
    node = alone()
    assert not node.may_identify_to(STRANGER)
    node.meeting.join(STRANGER, 0.0)
    assert node.may_identify_to(STRANGER)


def presence(node: Node) -> list[events.Event]:
    return [e for e in node.events() if isinstance(e, events.PlayerLeft | events.PlayerBack)]
