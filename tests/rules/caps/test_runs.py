"""The shortcut for runs: never wrong about a first lead, and as sharp as it has been."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from p2p304.rules.caps.bitboard import SUIT_NUMBER, bits, each, suit_of
from p2p304.rules.caps.lines import Worlds, new_trick
from p2p304.rules.caps.runs import Fate, Runs
from p2p304.rules.core.cards import CARDS, Suit
from tests.rules.caps.test_knowledge import known_moments
from tests.rules.caps.test_solver import LYING

NOTHING_LED = (0, 0, 0, 0)


def leads(seeds: range, most: int) -> Iterator[tuple[Runs, Worlds]]:
    """States in which a seat that has lost no trick leads."""
    for _, moment, known in known_moments("pagat", seeds):
        if not known.trick and known.leader == moment.seat and not known.lost:
            runs = Runs(known)
            for worlds in sorted({line.worlds for line in runs.start()})[:most]:
                yield runs, worlds


def test_safe_leads_win_and_beaten_leads_lose_when_they_are_played_out() -> None:
    counted: Counter[Fate] = Counter()
    for runs, worlds in leads(range(40), 6):
        known = runs.known
        if known.mine.bit_count() > 5 or known.seat == known.maker:
            continue
        for card in each(known.mine):
            fate = runs.fate(worlds, card, NOTHING_LED, known.mine == card)
            after = runs.finish([new_trick(worlds)], known.mine, card, True)
            counted[fate] += 1
            if fate is Fate.SAFE and not known.opening:
                assert after is not None
                assert all(state.leader == known.seat for state in after)
            if fate is Fate.BEATEN:
                assert after is None
    assert min(counted[fate] for fate in Fate) > 5, counted


def test_an_opponent_who_is_out_of_a_suit_does_not_beat_a_card_of_it() -> None:
    nine, clubs = CARDS["9C"].bit, 1 << SUIT_NUMBER[Suit.CLUBS]
    known = replace(
        LYING,
        mine=nine,
        lying=0,
        unseen=bits(CARDS[name] for name in ("JC", "8H", "7H")),
        room=(0, 1, 1, 1),
        barred=(0, clubs, 0, 0),
        first=False,
    )
    runs = Runs(known)
    (line,) = runs.start()
    assert [runs._beats(line.worlds, seat, nine, NOTHING_LED) for seat in (1, 3)] == [False, True]


SHARP: dict[str, int] = {
    "exhausted after 0": 28,
    "exhausted after 1": 87,
    "exhausted after 2": 194,
    "nothing, beaten": 1167,
    "nothing, beaten, last": 1167,
    "its suit, beaten": 1151,
    "its suit, beaten, last": 1151,
    "trumps, beaten": 1068,
    "trumps, beaten, last": 1068,
    "all, beaten": 1046,
    "all, beaten, last": 1046,
    "nothing, safe": 198,
    "nothing, safe, last": 196,
    "its suit, safe": 212,
    "its suit, safe, last": 205,
    "trumps, safe": 277,
    "trumps, safe, last": 259,
    "all, safe": 223,
    "all, safe, last": 216,
    "all, open": 100,
    "all, open, last": 107,
    "trumps, open": 24,
    "trumps, open, last": 42,
    "its suit, open": 6,
    "its suit, open, last": 13,
    "nothing, open, last": 6,
    "nothing, open": 4,
}
"""How often the shortcut tells what, by how each suit was led before."""


def test_the_shortcut_tells_as_much_as_ever() -> None:
    """A shortcut that tells less makes no verdict wrong, but slow; one that tells more is wrong."""
    counted: Counter[str] = Counter()
    for runs, worlds in leads(range(200, 230), 12):
        known = runs.known
        for number in range(3):
            counted[f"exhausted after {number}"] += runs.may_all_be_out(worlds, number)
        for card in each(known.mine):
            one = tuple(int(suit == suit_of(card)) for suit in range(4))
            trumps = tuple(2 * (suit == worlds.trump) for suit in range(4))
            for name, led in (
                ("nothing", NOTHING_LED),
                ("its suit", one),
                ("trumps", trumps),
                ("all", (1, 1, 1, 1)),
            ):
                for last in (False, True):
                    fate = runs.fate(worlds, card, led, last)
                    counted[f"{name}, {fate.value}{', last' if last else ''}"] += 1
    assert dict(counted) == SHARP
