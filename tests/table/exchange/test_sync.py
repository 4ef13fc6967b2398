"""Catching up: who is asked when, what a peer is given, and how much of it, whatever it asks."""

from __future__ import annotations

import itertools
from functools import cache

import pytest

from p2p304.log.entry import parse_entry, parse_receipt, sign_entry
from p2p304.log.faults import Refused
from p2p304.table.exchange import sync
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.exchange.recovery import Recovery
from p2p304.table.exchange.sync import CatchUp, Have, parse_have, sync_bytes
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.transition.replica import Replica
from p2p304.wire.canonical import Value, encode
from p2p304.wire.effects import Outbox, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

LAST = 7


@cache
def table() -> TableMachine:
    net = simnet.make(1)
    net.come_to(LAST)
    return net.tables[0]


def made() -> tuple[CatchUp, Outbox[object]]:
    replica = table().replica
    out: Outbox[object] = Outbox()
    keys = replica.terms.keys
    return CatchUp(keys[0], replica, LookaheadBuffer(keys), out), out


PEER = 1


def given(have: Have, catch_up: CatchUp, out: Outbox[object], now: float) -> list[str]:
    """What a peer gets that says this, as ``e5`` for an entry and ``r5`` for a receipt."""
    peer = table().terms.keys[PEER]
    catch_up.receive(peer, have, now)
    found = []
    for effect in out.effects():
        assert isinstance(effect, Send) and effect.peer == peer
        match effect.kind:
            case FrameKind.ENTRY:
                found.append(f"e{parse_entry(effect.payload).entry.seq}")
            case FrameKind.RECEIPT:
                found.append(f"r{parse_receipt(effect.payload).seq}")
            case _:
                found.append(effect.kind.name)
    return found


def test_what_is_here_is_said_and_read_strictly() -> None:
    chain = table().chain
    have = parse_have(sync_bytes(chain))
    assert have.next_seq == chain.next_seq == LAST
    assert list(have.receipts) == sorted(r.author for r in chain.receipts_at(LAST - 1))
    good: dict[str, Value] = {"have": 3, "receipts": [0, 1]}
    assert parse_have(encode(good)) == Have(3, (0, 1))
    lies: list[dict[str, Value]] = [
        {**good, "have": -1},
        {**good, "receipts": list(range(9))},
        {"have": 3},
    ]
    for lie in lies:
        with pytest.raises(Refused, match="W05"):
            parse_have(encode(lie))


def test_a_peer_gets_all_that_it_lacks_the_oldest_first() -> None:
    catch_up, out = made()
    full = [f"{what}{n}" for n in range(LAST) for what in ("e", "r", "r", "r")]
    assert given(Have(0, ()), catch_up, out, 0.0) == full
    assert given(Have(LAST - 1, ()), catch_up, out, 10.0) == [f"r{LAST - 2}"] * 3 + full[-4:]
    author = table().chain.entries[LAST - 1].entry.author
    known = tuple(n for n in range(4) if n != author)
    assert given(Have(LAST, known), catch_up, out, 20.0) == []
    assert given(Have(LAST, known[:1]), catch_up, out, 30.0) == [f"r{LAST - 1}"] * 2


def test_a_peer_has_finished_when_it_has_all_of_a_table_that_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    author = table().chain.entries[LAST - 1].entry.author
    known = tuple(n for n in range(4) if n != author)
    for over, have, finished in (
        (True, Have(LAST, known), True),
        (True, Have(LAST, known[:2] * 2), False),
        (True, Have(LAST - 1, known), False),
        (True, Have(LAST + 1, known), False),
        (False, Have(LAST, known), False),
    ):
        monkeypatch.setattr(Replica, "is_over", over)
        catch_up, out = made()
        given(have, catch_up, out, 0.0)
        assert catch_up.finished_peers == ({table().terms.keys[PEER]} if finished else set())


def test_a_peer_that_has_more_is_asked_but_not_in_a_storm() -> None:
    catch_up, out = made()
    more = Have(LAST + 1, ())
    assert given(more, catch_up, out, 0.0) == ["SYNC"]
    assert given(more, catch_up, out, sync.ANSWER_EVERY / 2) == []
    assert given(more, catch_up, out, sync.ANSWER_EVERY) == ["SYNC"]
    assert given(Have(LAST + 900, ()), catch_up, out, 10.0) == ["SYNC"]


def test_the_same_question_is_answered_once_in_a_while() -> None:
    catch_up, out = made()
    assert given(Have(LAST - 1, ()), catch_up, out, 0.0)
    assert not given(Have(LAST - 1, ()), catch_up, out, sync.ANSWER_EVERY / 2)
    assert given(Have(LAST - 2, ()), catch_up, out, sync.ANSWER_EVERY / 2)
    assert given(Have(LAST - 2, ()), catch_up, out, 1.5 * sync.ANSWER_EVERY)
    catch_up, out = made()
    assert given(Have(LAST - 1, ()), catch_up, out, 0.0)
    assert given(Have(LAST - 1, ()), catch_up, out, sync.ANSWER_EVERY)


def test_one_answer_holds_so_many_entries_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "BATCH", 2)
    catch_up, out = made()
    assert [f for f in given(Have(1, ()), catch_up, out, 0.0) if f[0] == "e"] == ["e1", "e2"]


def test_who_asks_on_and_on_gets_no_more_than_its_allowance(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chain = table().chain
    size = len(chain.entries[0].raw)
    monkeypatch.setattr(sync, "ANSWER_MOST", size + sync.ANSWER_COST + 1)
    monkeypatch.setattr(sync, "ANSWER_RATE", 1.0)
    catch_up, out = made()
    assert given(Have(0, ()), catch_up, out, 0.0) == ["e0"]
    assert given(Have(0, ()), catch_up, out, 1.0) == []
    assert given(Have(0, ()), catch_up, out, 2 * (size + sync.ANSWER_COST)) == ["e0"]
    exact, out = made()
    monkeypatch.setattr(sync, "ANSWER_MOST", size + sync.ANSWER_COST)
    assert given(Have(0, ()), exact, out, 5.0) == ["e0"]
    short, out = made()
    monkeypatch.setattr(sync, "ANSWER_MOST", size + sync.ANSWER_COST - 1)
    assert given(Have(0, ()), short, out, 5.0) == []


def test_questions_are_asked_of_all_others_and_grow_rare_where_nothing_changes() -> None:
    catch_up, out = made()
    asked, now, changed = [], 0.0, 0.0
    while now < 300:
        if catch_up.ask_if_due(now, changed):
            asked.append(now)
            peers = [e.peer for e in out.effects() if isinstance(e, Send)]
            assert peers == list(table().terms.keys[1:])
        now += 0.5
    gaps = [after - before for before, after in itertools.pairwise(asked)]
    assert asked[0] == sync.ASK_AFTER
    assert gaps[: sync.EAGER + 5] == [1.0] * sync.EAGER + [2.0, 4.0, 8.0, 16.0, 16.0]
    assert set(gaps[sync.EAGER + 3 :]) == {16.0}
    assert catch_up.next_ask(now) == now + sync.ASK_AFTER, "something has changed"
    assert not catch_up.ask_if_due(now + sync.ASK_AFTER / 2, now)
    assert catch_up.ask_if_due(now + sync.ASK_AFTER, now)
    assert catch_up.next_ask(now) == now + sync.ASK_AFTER + sync.ASK_EVERY


def test_after_a_restart_every_other_player_is_awaited_until_it_has_no_more() -> None:
    chain, keys = table().chain, table().terms.keys
    author = chain.entries[LAST - 1].entry.author
    witness = chain.receipts_at(LAST - 1)[0].author
    others = tuple(key for player, key in enumerate(keys) if player != witness)
    recovery = Recovery(witness)
    assert recovery.awaited(others, chain) == others
    recovery.on_have(others[0], Have(LAST, (0, 1, 2, 3)))
    recovery.on_have(others[1], Have(LAST + 1, ()))
    recovery.on_have(others[2], Have(LAST - 1, ()))
    assert recovery.awaited(others, chain) == others[1:]
    recovery.on_have(others[1], Have(LAST, ()))
    assert recovery.awaited(others, chain) == others[2:]
    lacking = Recovery(author)  # as if it had lost a receipt: none of it is here
    for key in others[:2]:
        lacking.on_have(key, Have(LAST, (author,)))
    lacking.on_have(others[2], Have(LAST, (witness,)))
    assert lacking.awaited(others, chain) == others[:2]


def test_only_one_player_alone_is_not_waited_for_and_only_after_a_while() -> None:
    chain, others = table().chain, table().terms.keys[1:]
    recovery = Recovery(0)
    assert not recovery.give_up_waiting(others[:2], LAST, 0.0, 10.0)
    assert not recovery.give_up_waiting(others[:1], LAST, 1.0, 10.0)
    assert not recovery.give_up_waiting(others[:1], LAST, 10.9, 10.0)
    assert not recovery.give_up_waiting(others[:1], LAST + 1, 11.0, 10.0), "another place"
    assert not recovery.give_up_waiting(others[1:2], LAST + 1, 21.0, 10.0), "another player"
    assert not recovery.give_up_waiting((), LAST + 1, 22.0, 10.0)
    assert not recovery.give_up_waiting(others[1:2], LAST + 1, 31.5, 10.0), "not all the time"
    assert recovery.give_up_waiting(others[1:2], LAST + 1, 41.5, 10.0)
    assert recovery.awaited(others, chain) == (others[0], others[2])
    assert not recovery.give_up_waiting(others[:1], LAST + 1, 50.0, 10.0)
    assert not recovery.give_up_waiting(others[:1], LAST + 1, 99.0, 10.0), "one, and no second"


def test_a_peer_is_first_given_what_it_has_signed_itself_for_a_place_that_is_not_reached() -> None:
    replica, out = table().replica, Outbox[object]()
    keys, chain = replica.terms.keys, table().chain
    ahead = LookaheadBuffer(keys)
    entry = chain.entries[LAST - 1]
    key = next(k for k in simnet.make(1).tables if k.me.player == PEER).me.key
    again = sign_entry(key, chain.table, LAST, chain.head, PEER, entry.entry.kind, {})
    ahead.keep_entry(keys[2], again, LAST)
    CatchUp(keys[0], replica, ahead, out).send_to(keys[PEER])
    sent = [(e.peer, e.kind, e.payload) for e in out.effects() if isinstance(e, Send)]
    peer = keys[PEER]
    assert sent == [(peer, FrameKind.ENTRY, again.raw), (peer, FrameKind.SYNC, sync_bytes(chain))]


def test_the_limits_on_answers_are_as_stated() -> None:
    limits = (sync.ANSWER_MOST, sync.ANSWER_RATE, sync.ANSWER_COST, sync.BATCH)
    assert limits == (1048576, 262144, 256, 64)


def test_the_allowance_grows_from_the_last_answer_on(monkeypatch: pytest.MonkeyPatch) -> None:
    size = len(table().chain.entries[0].raw)
    monkeypatch.setattr(sync, "ANSWER_MOST", size + sync.ANSWER_COST)
    monkeypatch.setattr(sync, "ANSWER_RATE", float(size + sync.ANSWER_COST))
    catch_up, out = made()
    assert given(Have(0, ()), catch_up, out, 100.0) == ["e0"]
    assert given(Have(0, ()), catch_up, out, 100.5) == []
    assert given(Have(0, ()), catch_up, out, 101.5) == ["e0"]
