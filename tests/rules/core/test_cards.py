"""Cards and packs: names, order and points as SPEC.md prints them."""

from __future__ import annotations

import copy
import pickle

import pytest

from p2p304.rules.core.cards import CARDS, PACKS, Suit, UnknownCard, by_suit, card

PRINTED: dict[int | str, tuple[str, int]] = {
    24: ("J 30, 9 20, A 11, T 10, K 3, Q 2", 304),
    32: ("J 30, 9 20, A 11, T 10, K 3, Q 2, 8 0, 7 0", 304),
    36: ("J 30, 9 20, A 11, T 10, K 3, Q 2, 8 0, 7 0, 6 0", 304),
    "36-threes": ("3 50, J 30, 9 20, A 11, T 10, K 3, Q 2, 8 0, 7 0", 504),
    40: ("2 100, 3 50, J 30, 9 20, A 11, T 10, K 3, Q 2, 8 0, 7 0", 904),
}
"""Ranks from the highest down with their points, and the points of the whole pack."""


@pytest.mark.parametrize("pack_name", PRINTED)
def test_packs_have_their_ranks_points_and_order(pack_name: int | str) -> None:
    pack, (printed, total) = PACKS[pack_name], PRINTED[pack_name]
    pairs = [pair.split() for pair in printed.split(", ")]
    names = [rank + letter for letter in "SHDC" for rank, _ in pairs]
    assert [c.name for c in pack.cards] == names
    assert pack.total == total == sum(pack.points[c] for c in pack.cards)
    for suit in Suit:
        held = [c for c in pack.cards if c.suit is suit]
        assert [str(pack.points[c]) for c in held] == [points for _, points in pairs]
        strengths = [pack.strength[c] for c in held]
        assert strengths == sorted(set(strengths), reverse=True)
        assert min(strengths) > 0
    assert {name: c.name for name, c in pack.named.items()} == dict(zip(names, names, strict=True))
    assert set(PACKS) == set(PRINTED)


def test_every_card_has_a_bit_of_its_own_from_the_lowest() -> None:
    bits = [c.bit for c in CARDS.values()]
    assert len(set(bits)) == len(bits) == 44
    assert sum(bits) == 2**44 - 1


def test_a_card_is_one_object_however_it_travels() -> None:
    jack = card("JS")
    assert (jack.rank, jack.suit, jack.name, jack.suit.word) == ("J", Suit.SPADES, "JS", "spades")
    for same in (copy.copy(jack), copy.deepcopy(jack), pickle.loads(pickle.dumps(jack))):
        assert same is jack
    assert card("10D") is card("TD")


@pytest.mark.parametrize("name", ["", "J", "JX", "js", "5S", "10", "10X", "110D", "JS "])
def test_what_names_no_card_is_told_so(name: str) -> None:
    with pytest.raises(UnknownCard):
        card(name)


def test_a_hand_is_held_by_suit_the_strongest_first() -> None:
    pack = PACKS[32]
    assert by_suit(set(pack.cards), pack) == list(pack.cards)
    some = {card(name) for name in ("7C", "JC", "9D", "7S", "TS")}
    assert [c.name for c in by_suit(some, pack)] == ["TS", "7S", "9D", "JC", "7C"]
