"""The table of bids: whole, the same for suits that change places, and sensible."""

from __future__ import annotations

import random
from itertools import permutations

from p2p304.bots.bidding_table import BIDS, FILE, RECORD, chances
from p2p304.rules.core.cards import PACKS, Card, Suit, card
from scripts.assets.bidding_table import kinds

PACK = PACKS[32]


def held(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def test_it_has_every_kind_of_four_cards() -> None:
    keys = [tuple(row[:4]) for row in rows()]
    assert keys == list(kinds()) and len(set(keys)) == 2262


def rows() -> list[bytes]:
    data = FILE.read_bytes()
    return [data[at : at + RECORD] for at in range(0, len(data), RECORD)]


def test_a_higher_bid_is_never_likelier() -> None:
    for row in rows():
        percent = list(row[5:])
        assert len(percent) == len(BIDS)
        assert percent == sorted(percent, reverse=True) and percent[0] <= 100


def test_suits_that_change_places_change_nothing_else() -> None:
    chance = random.Random(4)
    for _ in range(30):
        cards = chance.sample(PACK.cards, 4)
        usual = chances(cards)
        assert usual is not None
        for order in permutations(Suit):
            moved = dict(zip(Suit, order, strict=True))
            turned = [PACK.named[one.rank + moved[one.suit].value] for one in cards]
            found = chances(turned)
            assert found is not None and found.percent == usual.percent
            mine = {one.rank for one in cards if one.suit is usual.trump}
            assert {one.rank for one in turned if one.suit is found.trump} == mine


def test_better_cards_promise_more() -> None:
    best, fair, worst = (
        chances(held(names)) for names in ("JS 9S AS TS", "JS 9S AH 8D", "TS KH QD 8C")
    )
    assert best is not None and fair is not None and worst is not None
    assert best.trump is Suit.SPADES
    assert best.of(160) > 0.8 > fair.of(160) > 0.6 > 0.5 > worst.of(160)
    assert best.of(165) == best.of(170) and best.of(304) == best.percent[-1] / 100


def test_other_cards_are_not_in_it() -> None:
    assert chances(held("JS 9S AS")) is None
    assert chances(held("JS 9S AS 2S")) is None
    assert chances(held("JS 9S AS TS KS QS 8S 7S")) is None
