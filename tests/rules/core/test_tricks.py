"""Tricks as the table sees them, against a plain reading of the rule who wins."""

from __future__ import annotations

import random

import pytest

from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import PACKS, Card, Suit, card
from p2p304.rules.core.tricks import Trick, has_exhausted_trumps, winner, with_cards

PACK = PACKS[32]


def plays(text: str, leader: int = 0) -> tuple[Play, ...]:
    """Cards from the leader on: ``7C``, ``~`` face down, ``~7C`` turned up, ``!7C`` indicator."""
    made = []
    for number, said in enumerate(text.split()):
        seen = said.strip("~!")
        one = card(seen) if seen else None
        made.append(Play((leader + number) % 4, one, said[0] in "~!", said[0] == "!"))
    return tuple(made)


def best_seat(made: tuple[Play, ...], dead: int, trump: Suit | None) -> int:
    """The highest trump that cuts, else the highest of the suit led."""
    seen: list[tuple[int, Card, int]] = [
        (number, play.card, play.seat) for number, play in enumerate(made) if play.card
    ]
    led = seen[0][1].suit
    cutting = [each for each in seen if each[1].suit is trump and each[0] >= dead]
    following = [each for each in seen if each[1].suit is led]
    highest = max(
        (cutting if led is not trump else []) or following, key=lambda each: PACK.strength[each[1]]
    )
    return highest[2]


@pytest.mark.parametrize("seed", range(6))
def test_the_winner_is_the_one_of_the_rule(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        leader, trump = rng.randrange(4), rng.choice([*Suit, None])
        drawn = rng.sample(PACK.cards, 4)
        hidden = {n for n in (1, 2, 3) if rng.random() < 0.2}
        made = tuple(
            Play((leader + n) % 4, None if n in hidden else c, n in hidden)
            for n, c in enumerate(drawn)
        )
        dead = rng.randrange(5)
        assert winner(made, dead, trump, PACK) == best_seat(made, dead, trump), (made, trump, dead)


def test_plays_before_trumps_were_asked_for_cut_nothing() -> None:
    made = plays("7C JS 9S 8C")
    assert [winner(made, dead, Suit.SPADES, PACK) for dead in range(5)] == [1, 1, 2, 3, 3]


def test_what_a_trick_shows() -> None:
    trick = Trick(2, plays("7C ~ ~JC 8D", 2))
    assert trick.led is Suit.CLUBS
    assert [trick.has_followed(seat) for seat in range(4)] == [True, False, True, False]
    assert trick.by(3) == Play(3, None, True)
    assert not trick.has_indicator
    assert Trick(0, plays("7C !9C")).has_indicator
    empty = Trick(1, ())
    assert (empty.led, empty.by(0), empty.has_followed(0)) == (None, None, False)
    assert not empty.has_indicator


def test_cards_made_known_take_the_places_that_lie_face_down() -> None:
    made = with_cards(plays("7C ~ 8C ~"), {1: card("JS"), 2: card("9D")})
    assert [play.card and play.card.name for play in made] == ["7C", "JS", "8C", None]


@pytest.mark.parametrize(
    ("leader", "cards", "won", "exhausted"),
    [
        (0, "JS 7C 8D 9H", 0, True),
        (0, "JS ~ ~ ~", 0, True),
        (0, "JS 7C 8D 9S", 0, False),
        (0, "JS 7S 8D 9H", 0, False),
        (0, "JC 7D 8D 9H", 0, False),
        (1, "JS 7C 8D 9H", 1, False),
        (0, "JS 7C 8D 9H", None, False),
    ],
)
def test_trumps_are_exhausted_when_nobody_followed_the_makers_lead(
    leader: int, cards: str, won: int | None, exhausted: bool
) -> None:
    trick = Trick(leader, plays(cards, leader), won)
    other = Trick(2, plays("7C 8C 9C JC", 2), 1)
    assert has_exhausted_trumps((other, trick), 0, Suit.SPADES) == exhausted
    assert has_exhausted_trumps((trick, other), 0, Suit.SPADES) == exhausted
    assert not has_exhausted_trumps((), 0, Suit.SPADES)
