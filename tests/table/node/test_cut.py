"""The cut: the player to the dealer's left is asked; a bot cuts by chance, and a person who does
not answer has not cut."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.core.errors import NotNow
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.machine.own_turns import CUT_TIME
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state.events import CutOffered, WasCut
from tests.support.table import simnet


def at_the_cut(options: Options | None = None, seed: int = 1) -> tuple[simnet.Net, TableMachine]:
    """A table of persons whose cutter has been asked."""
    net = simnet.make(seed, hands=1, rules=options)
    for table in net.tables:
        table.turns.is_patient = True
    net.run(seconds=60, until=lambda: any(offers(net, n) for n in range(len(net.tables))))
    cutter = next(n for n in range(len(net.tables)) if offers(net, n))
    return net, net.tables[cutter]


def offers(net: simnet.Net, number: int) -> list[CutOffered]:
    return [event for event in net.told[number] if isinstance(event, CutOffered)]


def cuts(net: simnet.Net) -> list[int]:
    """Where the pack was cut, as every player has seen it."""
    net.run(seconds=1, until=lambda: all(WasCut in map(type, told) for told in net.told))
    seen = [[event.at for event in told if isinstance(event, WasCut)] for told in net.told]
    assert all(one == seen[0] for one in seen)
    return seen[0]


def left_of_the_dealer(options: Options, dealer: int) -> int:
    """Who sits at the dealer's left, by places at a round table: seats are told in the order of
    play, and whoever comes next in it sits right of the player before, or left where play runs
    clockwise."""
    clockwise = list(range(options.seats))
    if options.direction == "ccw":
        clockwise.reverse()
    return clockwise[(clockwise.index(dealer) + 1) % options.seats]


@pytest.mark.parametrize("name", PRESETS)
def test_the_player_to_the_dealers_left_is_asked(name: str) -> None:
    net, cutter = at_the_cut(preset(name))
    state = cutter.state
    assert state is not None and cutter.seat == left_of_the_dealer(preset(name), state.dealer)
    assert sum(len(offers(net, n)) for n in range(len(net.tables))) == 1
    cutter.cut(3, net.now)
    assert cuts(net) == [3]


def test_the_seat_that_cuts_goes_round_with_the_deal() -> None:
    for options, cutters in ((preset("online-4"), [1, 2, 3, 0]), (preset("pagat"), [3, 0, 1, 2])):
        _, table = at_the_cut(options)
        state = table.state
        assert state is not None
        deals = [replace(state.open_deal, dealer=dealer) for dealer in range(4)]
        assert [state.with_deal(deal).cutter for deal in deals] == cutters


@pytest.mark.parametrize("at", [0, 1, 12, 31])
def test_the_pack_is_cut_where_the_player_says(at: int) -> None:
    net, cutter = at_the_cut()
    assert cutter.state is not None
    before = cutter.state.open_deal.deck
    cutter.cut(at, net.now)
    deal = cutter.state.open_deal  # the first batch is taken off the top at once
    assert (*deal.batch, *deal.deck) == before[at:] + before[:at]
    assert cuts(net) == [at]


@pytest.mark.parametrize("at", [-1, 32, 40])
def test_nobody_can_cut_off_more_cards_than_there_are(at: int) -> None:
    net, cutter = at_the_cut()
    with pytest.raises(NotNow, match="1 to 31"):
        cutter.cut(at, net.now)
    cutter.cut(31, net.now)
    assert cuts(net) == [31]


def test_chance_may_choose_the_place() -> None:
    net, cutter = at_the_cut()
    due = cutter.turns.due
    assert due is not None
    drawn = cutter.turns.writer(due).cut()
    cutter.cut(None, net.now)
    assert cuts(net) == [drawn.at]


def test_nobody_else_can_cut_and_nobody_twice() -> None:
    net, cutter = at_the_cut()
    for table in net.tables:
        if table is not cutter:
            with pytest.raises(NotNow, match="not your turn"):
                table.cut(3, net.now)
    cutter.cut(3, net.now)
    with pytest.raises(NotNow, match="not your turn"):
        cutter.cut(4, net.now)
    assert cuts(net) == [3]


def test_a_player_who_does_not_answer_has_not_cut() -> None:
    net, cutter = at_the_cut()
    begun = cutter.turns.cut_clock.until - CUT_TIME
    assert begun == pytest.approx(net.now, abs=0.5)
    wake = cutter.next_timeout()
    assert wake is not None and wake <= begun + CUT_TIME
    cutter.handle_timer(begun + CUT_TIME - 0.1)
    assert cutter.turns.due is not None and cutter.turns.due.kinds == ("cut",)
    cutter.handle_timer(begun + CUT_TIME)
    assert cuts(net) == [0]


def test_a_front_end_gives_its_player_more_time() -> None:
    net = simnet.make(1, hands=1)
    for table in net.tables:
        table.turns.is_patient, table.turns.cut_clock.seconds = True, 20
    net.run(seconds=60, until=lambda: any(offers(net, n) for n in range(len(net.tables))))
    (offer,) = [offer for n in range(len(net.tables)) for offer in offers(net, n)]
    cutter = next(table for n, table in enumerate(net.tables) if offers(net, n))
    assert offer.seconds == 20 and cutter.turns.cut_clock.until > net.now + CUT_TIME


def test_a_player_who_has_cut_is_not_cut_for() -> None:
    net, cutter = at_the_cut()
    until = cutter.turns.cut_clock.until
    cutter.cut(5, net.now)
    cutter.handle_timer(until)
    assert cuts(net) == [5]


def test_a_bot_cuts_by_chance_and_is_not_asked() -> None:
    found = set()
    for seed in range(6):
        net = simnet.make(seed, hands=1)
        found |= set(cuts(net))
        assert not any(offers(net, n) for n in range(4))
    assert len(found) > 2 and all(0 <= at < 32 for at in found)
