"""Play with every card known: to the end by rules of thumb, and solved."""

from __future__ import annotations

from p2p304.bots.search.endgame import Solver
from p2p304.bots.search.playout import finish, quick_card
from p2p304.rules.caps.bitboard import each
from p2p304.rules.worlds.world_play import WorldPlay
from tests.support.reference.true_worlds import in_play, table_of


def test_rules_of_thumb_play_to_the_end_and_lose_no_point() -> None:
    for seed in range(30):
        referee = in_play("pagat", seed)
        if referee is not None:
            table = table_of(referee)
            reached = finish(table)
            assert 0 <= reached <= 304 and sum(table.won) == 304 and not any(table.hands)


def exhaustive(table: WorldPlay) -> int:
    """The twin of the solver: every play, no bounds."""
    seat = (table.leader + len(table.plays)) % table.seats
    able = each(table.legal(seat))
    if not able:
        return table.won[0]
    found = []
    for one in able:
        after = table.copied()
        after.play(seat, one)
        found.append(exhaustive(after))
    return max(found) if (seat - table.maker) % 2 == 0 else min(found)


def test_the_end_is_solved_as_by_trying_everything() -> None:
    tried = 0
    for seed in range(25):
        referee = in_play("pagat", seed)
        if referee is None:
            continue
        table = table_of(referee)
        while max(hand.bit_count() for hand in table.hands) > 3:
            seat = (table.leader + len(table.plays)) % table.seats
            table.play(seat, quick_card(table, seat, table.legal(seat)))
        best, solver, tried = exhaustive(table), Solver(table.points), tried + 1
        for wanted in (best - 40, best - 1, best):
            assert solver.reaches(table.copied(), wanted)
        for wanted in (best + 1, best + 15, 304):
            assert solver.reaches(table.copied(), wanted) is (wanted <= best)
    assert tried >= 10
