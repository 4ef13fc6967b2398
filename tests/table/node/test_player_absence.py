"""The absence of a player at one node: what may be proposed, what a vote does to a real table."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.absence_vote import PART, READY, STAY, PartingPlace, say
from p2p304.log.entry import sign_receipt
from p2p304.rules.variants.absence import LONG, OVERDUE, WAIT
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import PARTING
from p2p304.table.agreement.bot_mark import BotMark
from p2p304.table.node.node import Node
from p2p304.table.node.player_absence import REPEAT, PlayerAbsence
from p2p304.table.state import events
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.paused import acted, paused, sent


class Four:
    """Four players at a table, one of whom is to choose and is gone: ``absent``."""

    def __init__(self, away: str = "replace") -> None:
        self.net, table = paused(rules=preset("pagat").override({"away": away}))
        self.absent, self.now = table.me.player, self.net.now
        self.here = [player for player in range(4) if player != self.absent]
        self.nodes = {player: PlayerAbsence(self.net.tables[player]) for player in range(4)}
        self.keys = table.terms.keys
        self.told: dict[int, list[events.Event]] = {player: [] for player in range(4)}
        self.said: list[tuple[int, bytes]] = []
        self.kept: dict[int, list[bytes]] = {player: [] for player in range(4)}
        for one in self.net.tables:
            one.effects()
            one.events()

    def lose(self) -> None:
        for player in self.here:
            self.net.tables[player].link_down(self.keys[self.absent], self.now)

    def propose(self, player: int) -> None:
        self.nodes[player].propose_parting(self.now)
        self.drain()

    def drain(self, deaf: tuple[int, ...] = ()) -> None:
        """Deliver all words of parting among those who are here."""
        moved = True
        while moved:
            moved = False
            for player in self.here:
                absence = self.nodes[player]
                effects = absence.effects()
                self.told[player] += absence.events()
                self.told[player] += self.net.tables[player].events()
                for effect in effects:
                    if isinstance(effect, Persist) and effect.name == PARTING:
                        self.kept[player].append(effect.data)
                    if isinstance(effect, Send) and effect.kind is FrameKind.PART:
                        self.said.append((player, effect.payload))
                        moved = True
                        for other in self.here:
                            if other != player and other not in deaf:
                                self.nodes[other].receive(effect.payload, self.now)
                                self.nodes[other].on_table_advanced(self.now)

    def heard(self, player: int, kind: type[events.Event]) -> list[events.Event]:
        return [event for event in self.told[player] if isinstance(event, kind)]

    def nick(self, player: int) -> str:
        return self.net.tables[0].terms.players[player].nick


def gone(away: str = "replace") -> Four:
    """The same, after an absence that is long enough."""
    four = Four(away)
    four.lose()
    four.now += LONG
    return four


def test_a_player_must_be_absent_alone_and_for_long() -> None:
    four = Four()
    with pytest.raises(LookupError):
        four.propose(four.here[0])
    four.lose()
    four.now += LONG - 0.1
    with pytest.raises(LookupError):
        four.propose(four.here[0])
    assert four.said == []
    four.now += 0.1
    two = copy.deepcopy(four)
    two.net.tables[two.here[0]].link_down(two.keys[two.here[1]], two.now - LONG)
    with pytest.raises(LookupError):
        two.propose(two.here[0])
    four.propose(four.here[0])
    assert four.said


@pytest.mark.parametrize("away", [WAIT, "replace"])
def test_the_rules_may_be_to_wait(away: str) -> None:
    four = gone(away)
    if away == WAIT:
        with pytest.raises(LookupError):
            four.propose(four.here[0])
    else:
        four.propose(four.here[0])
    assert bool(four.said) == (away != WAIT)


def test_after_a_restart_the_others_must_have_reported() -> None:
    four = gone()
    table = four.net.tables[four.here[0]]
    table.waits.recover()
    with pytest.raises(LookupError):
        four.propose(four.here[0])
    table.waits.recovery = None
    four.propose(four.here[0])


def test_all_who_are_here_agree_and_the_table_ends() -> None:
    four = gone()
    one, two, three = four.here
    four.nodes[one].propose_parting(four.now)
    assert four.net.tables[one].replica.blocked_from == four.net.tables[one].chain.next_seq
    four.drain()
    assert four.nodes[one].is_held and not four.nodes[one].is_bound and not four.nodes[two].is_held
    told = events.PartingProposed(four.nick(four.absent), (four.nick(one),), 3)
    assert four.heard(one, events.PartingProposed)[0] == told
    assert four.heard(two, events.PartingProposed)[0] == told
    four.propose(two)
    assert not four.heard(two, events.Parted)
    seq = four.net.tables[one].chain.next_seq
    assert four.net.tables[one].replica.blocked_from == seq
    four.propose(three)
    for player in four.here:
        table = four.net.tables[player]
        assert table.replica.is_ended and four.nodes[player].is_bound
        (parted,) = four.heard(player, events.Parted)
        assert isinstance(parted, events.Parted) and parted.absent == four.nick(four.absent)
        assert four.nodes[player].next_timeout() == math.inf
        assert len(four.kept[player]) == 3  # its ready, its part, and the certificate
        for kind in (FrameKind.ENTRY, FrameKind.RECEIPT, FrameKind.SYNC, FrameKind.EVIDENCE):
            table.receive(four.keys[two], kind, b"\xc1", four.now)
            faults = [event for event in table.events() if isinstance(event, events.Fault)]
            assert bool(faults) == (kind in (FrameKind.SYNC, FrameKind.EVIDENCE))


@pytest.mark.parametrize(("bots", "named"), [("partner", True), ("none", False), ("all", True)])
def test_a_bot_partner_that_alone_has_not_agreed_is_named(bots: str, named: bool) -> None:
    four, mark = gone(), BotMark(bytes(32), bytes(64))
    table = four.net.tables[0]
    assert table.state is not None
    (partner,) = table.state.partners_of(four.absent)
    others = [player for player in four.here if player != partner]
    absence = four.nodes[others[0]]
    for ready in others:
        four.propose(ready)
        now_bots = {"partner": [partner], "none": [], "all": range(4)}[bots]
        shown = copy.deepcopy(absence)
        for player in now_bots:
            object.__setattr__(shown.table.terms.players[player], "bot", mark)
        shown._emit_proposal(four.absent)
        (told,) = shown.events()
        late = named and ready == others[-1]
        assert isinstance(told, events.PartingProposed)
        assert told.bots == ((four.nick(partner),) if late else ())


def test_a_hand_that_is_played_out_goes_on_with_writing() -> None:
    four = gone("playout")
    for player in four.here:
        four.propose(player)
    one = four.nodes[four.here[0]]
    assert one.table.replica.is_playing_out and not one.is_bound and not one.is_held
    with pytest.raises(LookupError):
        four.propose(four.here[0])


def test_a_word_is_said_again_every_two_seconds_until_all_have_agreed() -> None:
    four = gone()
    one = four.nodes[four.here[0]]
    assert one.next_timeout() > four.now + REPEAT
    four.propose(four.here[0])
    assert one.next_timeout() <= four.now + REPEAT
    one.handle_timer(four.now)
    first = len(sent_words(one))
    one.handle_timer(four.now + REPEAT - 0.1)
    assert (first, len(sent_words(one))) == (1, 0)
    assert one.next_timeout() == four.now + REPEAT
    one.handle_timer(four.now + REPEAT)
    assert len(sent_words(one)) == 1
    one.on_link_up()
    assert len(sent_words(one)) == 1


def sent_words(absence: PlayerAbsence) -> list[bytes]:
    found = [e for e in absence.effects() if isinstance(e, Send)]
    return [e.payload for e in found if e.kind is FrameKind.PART]


def test_one_to_whom_the_player_is_linked_says_stay_and_all_go_on() -> None:
    four = gone()
    one, two, _ = four.here
    four.net.tables[two].link_up(four.keys[four.absent], four.now)
    four.propose(one)
    refused = events.PartingRefused(four.nick(two), four.nick(four.absent))
    assert four.heard(one, events.PartingRefused) == [refused]
    assert not four.nodes[one].is_held
    assert four.net.tables[one].replica.blocked_from is None


def logged(order: list[str], name: str, call: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(*args: Any) -> Any:
        order.append(name)
        return call(*args)

    return wrapped


def test_the_last_receipt_that_was_held_back_is_given_before_a_proposal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    four = gone()
    one = four.nodes[four.here[0]]
    order: list[str] = []
    for owner, name in ((one.table, "release"), (one.table, "effects"), (one.voter, "propose")):
        monkeypatch.setattr(owner, name, logged(order, name, getattr(owner, name)))
    four.propose(four.here[0])
    assert order[:3] == ["release", "effects", "propose"]


# Debts


def test_a_player_who_owes_something_for_too_long_is_told_once_and_can_be_parted_from() -> None:
    four = Four()
    for at in (0.0, OVERDUE - 1, OVERDUE, OVERDUE + 1):
        for absence in four.nodes.values():
            absence.handle_timer(four.now + at)
        if at < OVERDUE:
            assert not [e for one in four.nodes.values() for e in one.events()]
    nick = four.nick(four.absent)
    for player, absence in four.nodes.items():
        mine = player == four.absent
        assert absence.events() == [events.Overdue(nick, "entry", 300, mine, True)]
    four.now += OVERDUE + 2
    with pytest.raises(LookupError):
        four.nodes[four.absent].propose_parting(four.now)
    lost = copy.deepcopy(four)
    lost.net.tables[lost.here[0]].link_down(lost.keys[lost.here[1]], lost.now)
    with pytest.raises(LookupError):
        lost.propose(lost.here[0])
    for player in four.here:
        four.propose(player)
    assert four.net.tables[four.here[0]].replica.is_ended


def test_a_debt_is_told_where_the_rules_are_to_wait_and_nothing_is_offered() -> None:
    four = Four(WAIT)
    absence = four.nodes[four.here[0]]
    absence.handle_timer(four.now)
    assert absence.next_timeout() <= four.now + OVERDUE
    absence.handle_timer(four.now + OVERDUE)
    (told,) = absence.events()
    assert isinstance(told, events.Overdue) and not told.may


# Liars


def place(four: Four, back: int = 0) -> PartingPlace:
    chain = four.net.tables[four.here[0]].chain
    seq = chain.next_seq - back
    return PartingPlace(chain.table, seq, chain.entries[seq - 1].link, four.absent)


def liars_part(four: Four, liar: int) -> bytes:
    """A part of this player with all words that it needs."""
    where = place(four)
    readies = tuple(
        say(four.net.tables[player].me.key, READY, where, player).sig for player in four.here
    )
    return say(four.net.tables[liar].me.key, PART, where, liar, 0, readies).encode()


@pytest.mark.parametrize("first", ["part", "receipt"])
def test_a_player_that_signs_on_after_its_part_is_convicted(first: str) -> None:
    four = gone()
    one, liar, _ = four.here
    absence, table = four.nodes[one], four.net.tables[one]
    part, key = liars_part(four, liar), four.net.tables[liar].me.key
    seq = table.chain.next_seq
    receipt = sign_receipt(key, table.chain.table, seq, bytes(32), liar, None).encode()
    if first == "part":
        absence.receive(part, four.now)
        absence.compare_with_part(FrameKind.SYNC, receipt)
        absence.compare_with_part(FrameKind.RECEIPT, b"\xc1")
        false = sign_receipt(table.me.key, table.chain.table, seq, bytes(32), liar, None)
        absence.compare_with_part(FrameKind.RECEIPT, false.encode())
        absence.on_table_advanced(four.now)
        assert table.stopped is None
        absence.compare_with_part(FrameKind.RECEIPT, receipt)
    else:
        table.receive(four.keys[liar], FrameKind.RECEIPT, receipt, four.now)
        absence.receive(part, four.now)
    absence.on_table_advanced(four.now)
    assert table.stopped is not None and table.stopped.finding.player == liar
    assert absence.next_timeout() == math.inf


def test_a_part_for_a_place_that_its_author_has_receipted_convicts_it() -> None:
    four = gone()
    one, liar, _ = four.here
    absence, table = four.nodes[one], four.net.tables[one]
    raw = acted(four.net.tables[four.absent], four.now)
    part = liars_part(four, liar)
    for player in (one, liar):
        four.net.tables[player].receive(four.keys[four.absent], FrameKind.ENTRY, raw, four.now)
    (receipt,) = sent(four.net.tables[liar], FrameKind.RECEIPT)
    table.receive(four.keys[liar], FrameKind.RECEIPT, receipt, four.now)
    absence.receive(part, four.now)
    absence.on_table_advanced(four.now)
    assert table.stopped is not None and table.stopped.finding.player == liar


def test_a_receipt_before_the_place_of_a_part_is_honest() -> None:
    four = gone()
    one, other, _ = four.here
    absence = four.nodes[one]
    absence.receive(liars_part(four, other), four.now)
    chain = absence.table.chain
    receipt = chain.receipt_of(chain.next_seq - 1, other) or chain.receipt_of(
        chain.next_seq - 2, other
    )
    assert receipt is not None
    absence.compare_with_part(FrameKind.RECEIPT, receipt.encode())
    absence.on_table_advanced(four.now)
    assert absence.table.stopped is None


def test_what_this_player_has_signed_elsewhere_ends_its_own_proposal() -> None:
    """A node that came back without the end of its journal learns what it has signed."""
    four = gone()
    one = four.here[0]
    absence, table = four.nodes[one], four.net.tables[one]
    four.propose(one)
    seq, me = table.chain.next_seq, table.me
    absence.compare_with_part(
        FrameKind.RECEIPT, sign_receipt(me.key, bytes(32), seq, bytes(32), me.player, None).encode()
    )
    other = four.net.tables[four.here[1]].me
    absence.compare_with_part(
        FrameKind.RECEIPT,
        sign_receipt(other.key, table.chain.table, seq, bytes(32), me.player, None).encode(),
    )
    assert absence.is_held
    absence.compare_with_part(
        FrameKind.RECEIPT,
        sign_receipt(me.key, table.chain.table, seq, bytes(32), me.player, None).encode(),
    )
    assert not absence.is_held


def test_words_are_kept_over_a_restart() -> None:
    four = gone()
    one = four.here[0]
    four.propose(one)
    again = PlayerAbsence(four.net.tables[one])
    again.restore(four.kept[one])
    assert again.is_held and again.table.replica.blocked_from == again.table.chain.next_seq
    fresh = PlayerAbsence(four.net.tables[one])
    fresh.restore([])
    assert not fresh.is_held and fresh.table.replica.blocked_from is None


def test_a_stay_of_the_absent_player_is_no_refusal_by_another() -> None:
    four = gone()
    one = four.here[0]
    four.propose(one)
    stay = say(four.net.tables[four.absent].me.key, STAY, place(four), four.absent).encode()
    four.nodes[one].receive(stay, four.now)
    refused = [e for e in four.nodes[one].events() if isinstance(e, events.PartingRefused)]
    assert four.nodes[one].is_held and refused == []


def test_a_node_hands_words_on_to_its_absence() -> None:
    four = gone()
    one, two, _ = four.here
    four.nodes[two].propose_parting(four.now)
    (word,) = sent_words(four.nodes[two])
    node = Node(four.net.tables[one].me.key, "x", Rng.from_seed(bytes(32)), four.now)
    node.table, node._absence_or_none = four.net.tables[one], four.nodes[one]
    node.receive(four.keys[two], FrameKind.PART, word, four.now)
    proposed = [e for e in node.events() if isinstance(e, events.PartingProposed)]
    assert [e.ready for e in proposed] == [(four.nick(two),)]
    node.propose_parting(four.now)
    assert node._absence.is_held
