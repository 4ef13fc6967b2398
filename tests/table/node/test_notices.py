"""Screens are not flooded: what is told of peers is told once, counted, and bounded; links that
serve nothing are closed."""

from __future__ import annotations

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.presets import preset
from p2p304.table.node.link_watch import IDLE
from p2p304.table.node.node import Node
from p2p304.table.node.notices import AGAIN, EVERY, MOST, PROPOSAL_INTERVAL, REMEMBERED, Notices
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.state import events
from p2p304.wire.effects import HangUp
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.gathering_bus import Bus


def stranger(number: int) -> bytes:
    return SigningKey.from_seed(number.to_bytes(32, "big")).public


def founder() -> Node:
    key = SigningKey.from_seed(bytes([1]) * 32)
    node = Node(key, "Asha", Rng.from_seed(bytes(32)), 0.0)
    node.meeting.found("Friday", preset("pagat"), 1)
    return node


def test_a_thing_is_told_once_and_the_rest_is_counted() -> None:
    notices = Notices()
    assert [notices.take("one", 0.0) for _ in range(1000)].count(True) == 1
    assert notices.take_omitted(1.0) == 999 and notices.take_omitted(2.0) == 0
    assert not notices.take("one", 5.0) and notices.take_omitted(1.0 + AGAIN) == 1


def test_many_different_things_are_told_within_a_budget() -> None:
    notices = Notices()
    told = [notices.take(n, n / 100) for n in range(2000)]
    assert told.count(True) <= MOST + 20 / EVERY
    assert notices.take("later", 20 + EVERY)
    assert len(notices._remembered) <= 256


def test_a_few_notices_are_shown_at_once_and_then_one_after_each_interval() -> None:
    notices = Notices()
    assert [notices.take(n, 0.0) for n in range(MOST + 1)] == [True] * MOST + [False]
    assert (notices.take("a", EVERY - 0.1), notices.take("b", EVERY)) == (False, True)
    assert (notices.take("c", EVERY), notices.take("d", 2 * EVERY)) == (False, True)
    full = [notices.take(("later", n), 1000 * EVERY) for n in range(MOST + 1)]
    assert full == [True] * MOST + [False]
    assert notices.take_omitted(1000 * EVERY) == 4


def test_a_notice_is_shown_again_after_its_time_where_it_has_one() -> None:
    notices = Notices()
    assert notices.take("x", 0.0) and not notices.take("x", 9.9, 10.0)
    assert notices.take("x", 10.0, 10.0) and not notices.take("x", 19.0, 10.0)
    assert not notices.take("x", 10.0**6)
    assert notices.take_omitted(0.0) == 3


def test_the_oldest_of_many_notices_is_forgotten_first() -> None:
    notices = Notices()
    for number in range(REMEMBERED):
        assert notices.take(number, number * EVERY)
    assert notices.take(0, REMEMBERED * EVERY, 1.0)  # shown again, and so the newest
    assert notices.take("one more", (REMEMBERED + 1) * EVERY)
    assert notices.is_remembered(0) and not notices.is_remembered(1) and notices.is_remembered(2)
    assert REMEMBERED == 256


def test_the_number_of_omitted_notices_is_told_once_a_minute() -> None:
    notices = Notices()
    assert notices.take_omitted(0.0) == 0
    notices.take("x", 5.0)
    notices.take("x", 5.0)
    assert notices.take_omitted(5.0) == 1
    notices.take("x", 6.0)
    assert notices.take_omitted(5.0 + AGAIN - 0.1) == 0 and notices.take_omitted(5.0 + AGAIN) == 1


def test_garbage_of_strangers_is_told_a_few_times_whoever_sends_it() -> None:
    """Each with a new identity, and with other bytes."""
    node, told = founder(), []
    for number in range(400):
        now = number / 20
        node.link_up(stranger(number + 9), f"Eve {number}", "10.0.0.66", 1, now)
        for size in range(5):
            raw = bytes([number % 256]) * (size + 1)
            node.receive(stranger(number + 9), FrameKind.LOBBY, raw, now)
            node.receive(stranger(number + 9), FrameKind.TALK, raw, now)
        node.link_down(stranger(number + 9), now)
        told += node.events()
    lines = [e for e in told if isinstance(e, events.Fault | events.LeftOut)]
    assert 1 <= len(lines) <= MOST + 20 / EVERY + 1
    assert sum(e.times for e in lines if isinstance(e, events.LeftOut)) > 0


def wishing(patient: bool) -> tuple[Node, simnet.Net]:
    """A node in the middle of a hand at a table that can be ended without somebody."""
    rules = preset("pagat").override({"away": "replace"})
    net = simnet.make(3, rules=rules)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    node = Node(net.tables[0].me.key, "Asha", Rng.from_seed(bytes(32)), net.now, patient)
    node.table = net.tables[0]
    node._absence_or_none = PlayerAbsence(node.table)
    return node, net


def wishes(patient: bool, seconds: float) -> list[events.PartingProposed | events.LeftOut]:
    """What is told while a member says all the time that it is ready to part."""
    node, net = wishing(patient)
    told: list[events.PartingProposed | events.LeftOut] = []
    leaving = node._absence_or_none
    assert leaving is not None
    leaving.voter.ready_without = lambda absent: (1,)  # type: ignore[method-assign]
    for number in range(int(seconds * 50)):
        node.handle_timer(net.now + number / 50)
        leaving._emit_proposal(3)
        told += [e for e in node.events() if isinstance(e, events.PartingProposed | events.LeftOut)]
    return told


def test_a_word_of_parting_is_told_once_however_often_it_is_said() -> None:
    (told,) = wishes(True, 20.0)
    assert isinstance(told, events.PartingProposed)  # honest repetitions are not counted


def test_a_bot_hears_it_again_now_and_then() -> None:
    assert 2 <= len(wishes(False, 20.0)) <= 20 / PROPOSAL_INTERVAL


def hung_up(node: Node) -> list[bytes]:
    return [e.peer for e in node.effects() if isinstance(e, HangUp)]


def test_a_link_that_asks_for_nothing_is_closed_after_a_while() -> None:
    node = founder()
    node.link_up(stranger(9), "Eve", "10.0.0.66", 1, 0.0)
    node.handle_timer(IDLE - 1)
    assert hung_up(node) == []
    node.handle_timer(IDLE)
    assert hung_up(node) == [stranger(9)]


def test_links_that_serve_a_table_stay() -> None:
    bus = Bus(4)
    bus.nodes[0].meeting.admission.asks_founder = True
    bus.gather(2, int(IDLE) + 5)
    assert bus.nodes[0].meeting.admission.waiting and not bus.hung
    bus = Bus(3)
    bus.gather(2, int(IDLE) + 5)
    assert not bus.hung
