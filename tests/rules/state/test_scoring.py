"""What a hand pays and how a match goes on, as tables of SPEC.md and as sums that must hold."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p304.rules.core.actions import FULL_COURT, PCC
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.state.scoring import Match, Result, payment, void_result, won_and_lost
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset

PAGAT, BANK, TENTHS = preset("pagat"), preset("bank"), preset("tenths")
ONLINE, ONLINE_2 = preset("online-4"), preset("online-2")
SESSION = replace(PAGAT, match="session")
REASON = verbatim("why")


def paying(*tokens: int, points: tuple[int, ...] | None = None) -> Result:
    return Result(False, tokens, REASON, 0, points)


@pytest.mark.parametrize(
    ("name", "bid", "expected"),
    [
        ("pagat", 160, (1, 2)),
        ("pagat", 199, (1, 2)),
        ("pagat", 200, (2, 3)),
        ("pagat", 249, (2, 3)),
        ("pagat", 250, (3, 4)),
        ("pagat", 999, (3, 4)),
        ("pagat", PCC, (4, 5)),
        ("pagat", FULL_COURT, (4, 5)),
        ("tamil-504", 329, (1, 2)),
        ("tamil-504", 330, (2, 3)),
        ("tamil-504", 410, (3, 4)),
        ("tamil-904", 589, (1, 2)),
        ("tamil-904", 590, (2, 3)),
        ("tamil-904", 740, (3, 4)),
        ("online-4", 199, (5, 3)),
        ("online-4", 200, (6, 5)),
        ("online-4", 303, (6, 5)),
        ("online-4", 304, (10, 7)),
    ],
)
def test_bids_pay_by_bands(name: str, bid: int, expected: tuple[int, int]) -> None:
    assert won_and_lost(preset(name), bid) == expected


@pytest.mark.parametrize(
    ("name", "winners", "expected"),
    [
        ("pagat", (0,), (3, -3)),
        ("pagat", (1,), (-3, 3)),
        ("bank", (0,), (0, -3)),
        ("online-4", (0,), (3, 0)),
        ("online-3", (0,), (3, 0, 0)),
        ("online-3", (0, 2), (3, 0, 3)),
        ("maharashtra", (0, 2), (3, -3, 3, -3)),
        ("maharashtra", (1,), (-3, 9, -3, -3)),
        ("maharashtra", (0, 1, 2), (3, 3, 3, -9)),
    ],
)
def test_losers_pay_winners(name: str, winners: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert payment(preset(name), winners, 3) == expected


def test_a_void_hand_pays_nothing() -> None:
    result = void_result(preset("maharashtra"), REASON, 2)
    assert result == Result(True, (0, 0, 0, 0), REASON, 2)
    assert (result.points, result.made, result.caps) == (None, None, None)


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_begins_with_its_tokens(name: str) -> None:
    options = preset(name)
    each = options.tokens if options.match in ("across", "bank") else 0
    match = Match.start(options)
    assert match.tokens == (each,) * options.accounts
    assert match.cards == match.games == (0,) * options.accounts
    assert not match.is_over
    assert match.winner is None


def test_a_side_pays_what_it_has() -> None:
    match = Match(PAGAT, (11, 2), (0, 0), (0, 0))
    assert match.after(paying(1, -1)).tokens == (12, 1)
    short = match.after(paying(3, -3))
    assert (short.tokens, short.is_over, short.winner) == ((13, 0), True, 0)
    assert Match(BANK, (11, 2), (0, 0), (0, 0)).after(paying(0, -3)).tokens == (11, 0)
    owing = Match(PAGAT, (11, -2), (0, 0), (0, 0)).after(paying(3, -3))
    assert owing.tokens == (11, -2) and owing.is_over


def test_what_is_too_little_is_shared_and_the_rest_goes_to_whoever_gains_most() -> None:
    options = preset("maharashtra")
    match = Match(options, (5, 1, 5, 1), (0,) * 4, (0,) * 4)
    assert match.after(paying(3, -3, 3, -3)).tokens == (6, 0, 6, 0)
    lone = Match(options, (5, 2, 5, 5), (0,) * 4, (0,) * 4)
    assert lone.after(paying(3, -3, 3, -3)).tokens == (8, 0, 7, 2)


@pytest.mark.parametrize("seed", range(20))
def test_tokens_are_neither_made_nor_lost_and_never_below_nothing(seed: int) -> None:
    rng, options = random.Random(seed), preset("maharashtra")
    match = Match(options, tuple(rng.randrange(6) for _ in range(4)), (0,) * 4, (0,) * 4)
    winners = tuple(rng.sample(range(4), rng.choice([1, 2, 3])))
    after = match.after(paying(*payment(options, winners, rng.randrange(6))))
    assert sum(after.tokens) == sum(match.tokens)
    assert min(after.tokens) >= 0
    assert all(after.tokens[seat] >= match.tokens[seat] for seat in winners)


@pytest.mark.parametrize(
    ("options", "tokens", "winner"),
    [
        (PAGAT, (1, 21), None),
        (PAGAT, (0, 22), 1),
        (BANK, (0, 1), 1),
        (SESSION, (0, 500), None),
        (ONLINE, (24, 0), None),
        (ONLINE, (25, 24), 0),
        (ONLINE, (3, 26), 1),
    ],
)
def test_when_a_match_is_over_and_which_side_has_won(
    options: Options, tokens: tuple[int, ...], winner: int | None
) -> None:
    match = Match(options, tokens, (0, 0), (0, 0))
    assert (match.is_over, match.winner) == (winner is not None, winner)


def test_points_and_sessions_add_up_without_limit() -> None:
    assert Match(SESSION, (1, 0), (0, 0), (0, 0)).after(paying(-3, 3)).tokens == (-2, 3)
    assert Match(ONLINE, (20, 0), (0, 0), (0, 0)).after(paying(6, 0)).tokens == (26, 0)


@pytest.mark.parametrize(
    ("before", "points", "cards", "games"),
    [
        ((0, 0), (160, 144), (160, 144), (0, 0)),
        ((100, 90), (149, 155), (249, 245), (0, 0)),
        ((100, 90), (150, 154), (0, 0), (1, 0)),
        ((100, 200), (150, 50), (250, 250), (0, 0)),
        ((100, 200), (150, 154), (0, 0), (0, 1)),
    ],
)
def test_a_game_of_tenths_is_won_at_25_by_more_than_the_other(
    before: tuple[int, int], points: tuple[int, int], cards: tuple[int, int], games: tuple[int, int]
) -> None:
    after = Match(TENTHS, (11, 11), before, (0, 0)).after(paying(1, -1, points=points))
    assert (after.cards, after.games) == (cards, games)


def test_games_are_counted_in_tenths_alone_and_where_cards_were_played() -> None:
    held = Match(TENTHS, (11, 11), (5, 6), (1, 2))
    assert held.after(paying(1, -1)).cards == (5, 6)
    assert held.after(paying(1, -1)).games == (1, 2)
    other = Match(PAGAT, (11, 11), (0, 0), (0, 0)).after(paying(1, -1, points=(300, 4)))
    assert (other.cards, other.games) == ((0, 0), (0, 0))
    won = held.after(paying(1, -1, points=(250, 54)))
    assert won.games == (2, 2)
