"""One machine at a table: what it takes and what not, when it wakes, how it comes back and ends."""

from __future__ import annotations

import copy
import math

import pytest

from p2p304.log.entry import parse_receipt, sign_receipt
from p2p304.log.evidence import of_split
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, transcript
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import card
from p2p304.rules.play import claims
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.absence import LONG, OVERDUE
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.journal_records import PlaceRecord
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.gathering.exchange.begin_record import TRANSCRIPT
from p2p304.table.machine import table_machine
from p2p304.table.machine.presence import NOTICE_TIMES
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.machine.table_waits import TableWaits
from p2p304.table.player.kept_cards import KEPT_CARDS
from p2p304.table.player.keyring import SECRETS, Member
from p2p304.table.state import events
from p2p304.table.state.table import TableState
from p2p304.table.transition.step import read_body
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Persist
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.paused import acted, heard, paused, plain_choice, sent, written


def others(net: simnet.Net, table: TableMachine) -> list[TableMachine]:
    return [one for one in net.tables if one is not table]


@pytest.mark.parametrize("kind", [FrameKind.LOBBY, FrameKind.PART, FrameKind.WATCH])
def test_other_kinds_of_messages_are_not_the_tables(kind: FrameKind) -> None:
    net, table = paused()
    table.effects()
    table.events()
    table.receive(others(net, table)[0].me.key.public, kind, b"\xc1", net.now)
    assert table.effects() == [] and table.events() == []


def test_a_stopped_table_takes_nothing_and_wakes_never() -> None:
    net, table = paused()
    other = others(net, table)[0]
    raw = acted(table, net.now)
    other.effects()
    other._fault_handler.stopped = Refused("D17", "stopped")
    other.effects()
    other.receive(table.me.key.public, FrameKind.ENTRY, raw, net.now)
    other.handle_timer(net.now + 100)
    assert other.next_timeout() is None and other.effects() == []
    other.prove(of_split(b"", b""))  # nothing more is proven
    other.give_up(net.now)
    assert table.next_timeout() is not None


def test_a_proven_fault_erases_the_secrets_on_disk() -> None:
    _, table = paused()
    assert written(table, SECRETS) == []
    table._fault_handler.stopped = Refused("D17", "stopped")
    assert written(table, SECRETS) == [b""]
    assert written(table, SECRETS) == []


def test_secrets_stay_on_disk_while_a_hand_goes_on() -> None:
    net, table = paused()
    raw = acted(table, net.now)
    for other in others(net, table):
        other.receive(table.me.key.public, FrameKind.ENTRY, raw, net.now)
        (receipt,) = sent(other, FrameKind.RECEIPT)
        table.receive(other.me.key.public, FrameKind.RECEIPT, receipt, net.now)
    assert table.chain.is_settled and written(table, SECRETS) == []


def test_a_refused_message_is_told_and_changes_nothing() -> None:
    net, table = paused()
    other = others(net, table)[0]
    table.events()
    seq = table.chain.next_seq
    table.receive(other.me.key.public, FrameKind.ENTRY, b"\xc1", net.now)
    (fault,) = heard(table, events.Fault)
    assert isinstance(fault, events.Fault) and fault.finding.check == "W01"
    assert table.chain.next_seq == seq and table.stopped is None


def test_the_founder_writes_the_agreement_and_waits_after_a_restart() -> None:
    net = simnet.make(1)
    assert [table.chain.next_seq for table in net.tables] == [1, 0, 0, 0]
    again = simnet.make(1).tables[0]
    terms, me = again.terms, again.me
    fresh = TableMachine(terms, Member(me.key, 0, me.secrets), 0.0)
    assert written(fresh, TRANSCRIPT) == [MAGIC]
    with pytest.raises(LookupError, match="not begun"):
        _ = fresh.view
    fresh.waits.recover()
    agreement = agreed(again)
    fresh.open(agreement, 0.0)
    assert fresh.chain.next_seq == 0
    empty = sync_bytes(fresh.chain)
    for number in (1, 2):
        fresh.receive(terms.keys[number], FrameKind.SYNC, empty, 1.0)
    assert fresh.chain.next_seq == 0
    fresh.receive(terms.keys[3], FrameKind.SYNC, empty, 2.0)
    assert fresh.chain.next_seq == 1 and fresh.waits.recovery is None and fresh.waits.since == 2.0


def agreed(table: TableMachine) -> Agreement:
    agreement = read_body(table.chain.entries[0].entry)
    assert isinstance(agreement, Agreement)
    return agreement


def test_a_machine_neither_waits_for_its_player_nor_calls_unless_it_is_told_to() -> None:
    table = simnet.make(1).tables[0]
    plain = TableMachine(table.terms, table.me, 0.0)
    assert not plain.turns.is_patient and not plain.searched_elsewhere
    assert (plain._pending_claim.pause, plain._pending_claim.calls) == (0.0, False)
    person = TableMachine(table.terms, table.me, 0.0, patient=True)
    assert person.turns.is_patient and person._pending_claim.pause == 2.0


def test_a_claim_needs_a_hand() -> None:
    table = simnet.make(1).tables[0]
    with pytest.raises(LookupError):
        table.act(acts.Spoilt(0), 0.0)


def test_a_player_who_claims_in_its_turn_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, table = paused()
    table.events()
    monkeypatch.setattr(table_machine, "check_claim", lambda view, claim: None)
    claim = acts.Spoilt(table.seat)
    table.act(claim, 1.0)
    assert table._pending_claim._action is claim
    assert len(heard(table, events.YourTurn)) == 1


def test_what_a_player_has_signed_elsewhere_is_found_among_the_pending_messages() -> None:
    """An entry for the next place, and a receipt for another entry than the one here."""
    net, table = paused()
    raw = acted(table, net.now)
    one, two = others(net, table)[:2]
    one.receive(table.me.key.public, FrameKind.ENTRY, raw, net.now)
    receipt = parse_receipt(sent(one, FrameKind.RECEIPT)[0])
    two.receive(one.me.key.public, FrameKind.RECEIPT, receipt.encode(), net.now)
    assert two.pending_of(one.me.player) == [(FrameKind.RECEIPT, receipt.encode())]
    assert two.pending_of(two.me.player) == []
    two.receive(table.me.key.public, FrameKind.ENTRY, raw, net.now)
    assert two.pending_of(one.me.player) == []
    false = sign_receipt(one.me.key, receipt.table, receipt.seq, bytes(32), one.me.player, None)
    third = next(t for t in others(net, table) if t not in (one, two))
    third.receive(table.me.key.public, FrameKind.ENTRY, raw, net.now)
    third.receive(one.me.key.public, FrameKind.RECEIPT, false.encode(), net.now)
    assert third.pending_of(one.me.player) == [(FrameKind.RECEIPT, false.encode())]


# Time


def test_a_machine_asks_for_what_is_missing_and_tells_whom_it_waits_for() -> None:
    net, author = paused()
    table = others(net, author)[0]
    table.effects()
    table.events()
    since = table.waits.since
    table.handle_timer(since + NOTICE_TIMES[0] - 0.1)
    assert len(sent(table, FrameKind.SYNC)) == 1 and heard(table, events.Waiting) == []
    table.handle_timer(since + NOTICE_TIMES[0])
    nick = table.terms.players[author.me.player].nick
    assert heard(table, events.Waiting) == [events.Waiting((nick,), since, 3)]
    assert table.next_timeout() == pytest.approx(since + NOTICE_TIMES[0] + 0.9)


def test_a_player_on_turn_is_not_told_to_wait_for_itself() -> None:
    _, table = paused()
    table.events()
    table.handle_timer(table.waits.since + 10)
    assert heard(table, events.Waiting) == []


def test_a_lost_link_is_told_with_the_wait_and_a_stranger_is_not_missed() -> None:
    net, author = paused()
    table = others(net, author)[0]
    table.link_down(bytes(32), net.now)
    assert not table.waits.presence.since
    table.link_down(author.me.key.public, net.now)
    table.events()
    table.handle_timer(table.waits.since + NOTICE_TIMES[0])
    (told,) = heard(table, events.Waiting)
    nick = table.terms.players[author.me.player].nick
    assert isinstance(told, events.Waiting) and told.gone == (nick,) and not told.may_part
    table.link_up(author.me.key.public, net.now + 4)
    assert not table.waits.presence.since
    assert len(sent(table, FrameKind.SYNC)) >= 1


@pytest.mark.parametrize("away", ["replace", "wait"])
def test_a_report_says_whether_the_others_may_go_on(away: str) -> None:
    net, author = paused(rules=preset("pagat").override({"away": away}))
    table = others(net, author)[0]
    table.link_down(author.me.key.public, net.now)
    for at, expected in ((LONG - 1, False), (LONG, away != "wait")):
        table.events()
        table.waits.presence.record_notice(float("-inf"))
        table.handle_timer(net.now + at)
        (told,) = heard(table, events.Waiting)
        assert isinstance(told, events.Waiting) and told.may_part == expected
    table.waits.recover()
    table.waits.presence.record_notice(float("-inf"))
    table.handle_timer(net.now + LONG + 1)
    (told,) = heard(table, events.Waiting)
    assert isinstance(told, events.Waiting) and not told.may_part


@pytest.mark.parametrize("why", ["not begun", "over"])
def test_nobody_goes_on_without_a_player_before_the_first_entry_or_after_the_last(
    why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = preset("pagat").override({"away": "replace"})
    if why == "over":
        net, absent = paused(rules=ending)
        monkeypatch.setattr(TableState, "is_over", True)
        monkeypatch.setattr(TableWaits, "lacking", (absent.me.player,))
    else:
        net = simnet.make(1, rules=ending)
        absent = net.tables[0]
        monkeypatch.setattr(TableWaits, "lacking", (0,))
    table = others(net, absent)[0]
    table.link_down(absent.me.key.public, net.now)
    table.events()
    table.waits.handle_timer(net.now + LONG)
    (told,) = heard(table, events.Waiting)
    assert isinstance(told, events.Waiting) and told.gone and not told.may_part


def test_a_settled_entry_begins_the_wait_anew_and_a_receipt_alone_does_not() -> None:
    net, author = paused()
    raw = acted(author, net.now)
    table, one, two = others(net, author)
    table.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now + 1)
    receipts = []
    for other in (one, two):
        other.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
        receipts.append((other.me.key.public, sent(other, FrameKind.RECEIPT)[0]))
    table.receive(*receipts[0][:1], FrameKind.RECEIPT, receipts[0][1], net.now + 2)
    assert table.waits.since == net.now + 1
    assert table.waits.awaited == (two.me.key.public,)
    table.receive(*receipts[1][:1], FrameKind.RECEIPT, receipts[1][1], net.now + 3)
    assert table.waits.since == net.now + 3 and table.chain.is_settled
    assert table._draw._waited[two.me.key.public] >= 2
    table.receive(*receipts[1][:1], FrameKind.RECEIPT, receipts[1][1], net.now + 4)
    assert table.waits.since == net.now + 3


def test_a_wait_for_one_silent_player_after_a_restart_ends() -> None:
    net, author = paused()
    table, one, two = others(net, author)
    table.waits.recover()
    assert set(table.waits.silent) == {t.me.key.public for t in others(net, table)}
    have = sync_bytes(table.chain)
    for peer in (author, one):
        table.receive(peer.me.key.public, FrameKind.SYNC, have, net.now)
    silent = (two.me.key.public,)
    assert (table.waits.silent, table.waits.awaited) == (silent, silent)
    table.handle_timer(net.now + 1)
    table.handle_timer(net.now + 1 + OVERDUE / 2 - 1)
    assert table.waits.recovery is not None
    table.handle_timer(net.now + 1 + OVERDUE / 2)
    assert table.waits.recovery is None


def searching(monkeypatch: pytest.MonkeyPatch, calls: bool) -> tuple[TableMachine, int]:
    """A machine that has taken a bid and searches for a call of Caps; a bot's receipt waits."""
    monkeypatch.setattr(claims, "may_be_due", lambda hand, seat: True)
    net, author = paused()
    raw = acted(author, net.now)
    table = others(net, author)[0]
    table.searched_elsewhere = True
    table._pending_claim.calls, table._pending_claim.reminds = calls, not calls
    table.effects()
    table.receive(author.me.key.public, FrameKind.ENTRY, raw, net.now)
    table.events()
    assert bool(sent(table, FrameKind.RECEIPT)) != calls
    return table, table.chain.next_seq - 1


def test_a_receipt_that_waits_for_a_search_is_given_with_its_result(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, place = searching(monkeypatch, True)
    for wrong in (place - 1, place + 1):
        table.take_search_result(wrong, None, 1.0)
        assert sent(table, FrameKind.RECEIPT) == []
    table.take_search_result(place, None, 1.0)
    (receipt,) = sent(table, FrameKind.RECEIPT)
    assert parse_receipt(receipt).seq == place and heard(table, events.CapsDue) == []


def test_a_receipt_does_not_wait_for_a_search_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _ = searching(monkeypatch, True)
    until = table._pending_claim.hold_until
    table.handle_timer(until - 0.1)
    assert sent(table, FrameKind.RECEIPT) == []
    table.handle_timer(until)
    assert len(sent(table, FrameKind.RECEIPT)) == 1


def test_a_machine_searches_by_itself_where_nobody_else_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for elsewhere in (True, False):
        table, _ = searching(monkeypatch, True)
        table.searched_elsewhere = elsewhere
        at = table._pending_claim.search_at
        assert table.next_timeout() == at
        table.handle_timer(at)
        assert bool(sent(table, FrameKind.RECEIPT)) != elsewhere
        assert table._pending_claim.search_at == math.inf


def test_a_player_who_is_helped_is_told_of_a_call_that_is_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = (card("JS"),)
    for found, told in ((None, []), (order, [events.CapsDue(order)])):
        table, place = searching(monkeypatch, False)
        table.take_search_result(place, found, 1.0)
        assert heard(table, events.CapsDue) == told
    table, place = searching(monkeypatch, True)
    table._pending_claim.reminds = True
    table.take_search_result(place, order, 1.0)
    assert heard(table, events.CapsDue) == []


# Coming back, and the end


def records(table: TableMachine) -> list[PlaceRecord]:
    chain = table.chain
    found = []
    for seq, signed in enumerate(chain.entries):
        own = chain.receipt_of(seq, table.me.player)
        before = chain.block(seq - 1).receipts if seq else ()
        found.append(PlaceRecord(signed.raw, None if own is None else own.encode(), before))
    return found


def test_a_machine_comes_back_from_its_journal_and_signs_after_all_have_answered() -> None:
    net, table = paused()
    back = TableMachine(table.terms, copy.deepcopy(table.me), 0.0)
    back.effects()
    happened = back.restore(records(table), 50.0)
    last = table.chain.next_seq - 1
    assert back.chain.head == table.chain.head
    assert back.view == table.view
    told = [e for e in net.told[table.me.player] if not isinstance(e, PRIVATE)]
    assert list(happened) == told
    assert written_all(back) == {TRANSCRIPT: [transcript(table.chain, last)]}
    assert heard(back, events.HandSeen) == [events.HandSeen(table.view)]
    keys = {one.me.key.public for one in others(net, table)}
    assert back.waits.presence.since == dict.fromkeys(keys, 50.0) and back.waits.since == 50.0
    have = sync_bytes(table.chain)
    for key in keys:
        assert back.turns.due is None
        back.receive(key, FrameKind.SYNC, have, 51.0)
    for receipt in table.chain.receipts_at(last):
        back.receive(table.terms.keys[receipt.author], FrameKind.RECEIPT, receipt.encode(), 51.0)
    assert back.turns.due == table.replica.due and heard(back, events.YourTurn)
    assert acted(back, 52.0) == acted(table, 52.0)


def test_an_entry_that_is_not_settled_is_not_in_the_transcript_and_its_receipt_is_owed() -> None:
    net, author = paused()
    raw = acted(author, net.now)
    table = others(net, author)[0]
    before = table.chain.next_seq
    past = [*records(table), PlaceRecord(raw, None, table.chain.block(before - 1).receipts)]
    back = TableMachine(table.terms, copy.deepcopy(table.me), 0.0)
    back.effects()
    back.restore(past, 50.0)
    assert back.chain.next_seq == before + 1
    assert written_all(back) == {TRANSCRIPT: [transcript(table.chain, before)]}
    for one in others(net, table):
        back.receive(one.me.key.public, FrameKind.SYNC, sync_bytes(back.chain), 51.0)
    (payload,) = sent(back, FrameKind.RECEIPT)
    assert parse_receipt(payload).seq == before


PRIVATE = events.HandSeen | events.YourTurn | events.Waiting


def written_all(table: TableMachine) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for effect in table.effects():
        if isinstance(effect, Persist) and effect.name != KEPT_CARDS:
            found.setdefault(effect.name, []).append(effect.data)
    return found


def test_the_last_hand_is_played_to_the_end_by_all() -> None:
    net, table = paused(Phase.PLAY, 29)
    assert not table.is_finished and not table.has_everybody_finished
    table.act(plain_choice(table.view), net.now)
    net.run()
    assert net.finished and table.next_timeout() is None
    have = sync_bytes(net.tables[0].chain)
    for one in net.tables:
        for peer in others(net, one):
            one.receive(peer.me.key.public, FrameKind.SYNC, have, net.now)
        assert one.has_everybody_finished
        assert net.transcripts[one.me.player] == net.transcripts[0]
        assert net.transcripts[0] == transcript(one.chain, one.chain.next_seq)
    one = net.tables[0]
    one._catch_up.finished_peers.discard(net.tables[1].me.key.public)
    assert not one.has_everybody_finished
    one.effects()
    one.handle_timer(net.now + 100)
    assert sent(one, FrameKind.SYNC) == []
