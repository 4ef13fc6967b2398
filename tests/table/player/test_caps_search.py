"""A search for a call of Caps: after what follows from an entry is sent, and anywhere else; and no
machine that waits for somebody silent asks to be woken in the past."""

from __future__ import annotations

import pytest

from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.variants.presets import preset
from p2p304.table.player import pending_claim as calling_module
from p2p304.table.player.pending_claim import Search
from p2p304.table.state.events import HandOver
from p2p304.wire.framing import FrameKind
from tests.support.cheats.games import GAMES
from tests.support.table import simnet


def test_nothing_is_searched_before_what_follows_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    net = GAMES["caps"]()
    waiting: list[int] = []
    plain = Search.order

    def order(search: Search) -> object:
        waiting.append(sum(len(table._out._effects) for table in net.tables))
        return plain(search)

    monkeypatch.setattr(Search, "order", order)
    net.run()
    assert waiting and not any(waiting)
    (over,) = [event for event in net.told[0] if isinstance(event, HandOver)]
    assert over.result.caps is not None


def test_a_program_that_calls_waits_for_a_search_that_runs_elsewhere() -> None:
    net = GAMES["caps"]()
    for table in net.tables:
        table.searched_elsewhere = True

    def someone_searches() -> bool:
        return any(table.search is not None for table in net.tables)

    answered = 0
    for _ in range(400):
        net.run(seconds=5, until=someone_searches)
        if net.finished:
            break
        for number, table in enumerate(net.tables):
            wanted = table.search
            if wanted is not None:
                table.take_search_result(wanted.place, wanted.order(), net.now)
                answered += 1
                net.collect(number)
    assert net.finished and answered
    (over,) = [event for event in net.told[0] if isinstance(event, HandOver)]
    assert over.result.caps is not None


def test_a_result_for_another_place_counts_for_nothing() -> None:
    net = GAMES["caps"]()
    for table in net.tables:
        table.searched_elsewhere = True
    net.run(seconds=5, until=lambda: any(table.search is not None for table in net.tables))
    table = next(table for table in net.tables if table.search is not None)
    wanted = table.search
    assert wanted is not None
    table.take_search_result(wanted.place + 1, (), net.now)
    assert table.search is not None and table.search.place == wanted.place


def test_a_search_tells_nothing_of_the_hand_in_its_repr() -> None:
    assert repr(Search(3, None)) == "Search(place=3)"


def test_where_no_play_explains_what_happened_there_is_no_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(knowledge: object) -> None:
        raise CapsError("no world")

    monkeypatch.setattr(calling_module, "find_order", none)
    net = GAMES["caps"]()
    net.run(seconds=5, until=lambda: any(table.search is not None for table in net.tables))
    wanted = next(table.search for table in net.tables if table.search is not None)
    assert wanted.order() is None


@pytest.mark.parametrize("timer", ["off", 30])
def test_waiting_for_hours_for_somebody_silent_wakes_nobody_in_the_past(timer: str | int) -> None:
    net = simnet.make(3, 1, preset("pagat").override({"timer": timer}))
    net.run(until=lambda: net.tables[0].chain.next_seq > 12)
    send = net._queue

    def without(source: int, target: int, kind: FrameKind, payload: bytes) -> None:
        if source != 3:
            send(source, target, kind, payload)

    net._queue = without  # type: ignore[method-assign]
    before = net.sent
    net.run(seconds=21_600)
    assert net.now >= 21_500
    assert net.sent - before < 4 * 3 * 21_600 / 10
