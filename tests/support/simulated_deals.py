"""Deals of a table without its proofs, honest or not, and finished hands made of them.

Positions, batches and the cut are those of table/state/deal.py, and a finished hand is read as one
from a transcript is. Only the permutations and what was played are made here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from random import Random

from p2p304.crypto.group import Element
from p2p304.offline.fairness.deals import DealtHand, TableDeals, shown_cards
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.tricks import Trick
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.table.state import deal as dealing

Deck = tuple[Element, ...]
Shuffle = Callable[[Random, Deck], Deck]
Stack = Callable[[Random, list[Card], list[int]], None]
"""Changes the order of the cards after the cut; the positions are those of the dealer's cards."""
Hide = Callable[[Random, int, list[list[Card]]], bool]
"""Whether a hand stays unseen: by its dealer, and the cards of each seat in the order dealt."""


def honest(random: Random, deck: Deck) -> Deck:
    return tuple(random.sample(deck, len(deck)))


def identity(random: Random, deck: Deck) -> Deck:
    return deck


def half(random: Random, deck: Deck) -> Deck:
    middle = len(deck) // 2
    return (*random.sample(deck[:middle], middle), *deck[middle:])


def takes_all_jacks(random: Random, cards: list[Card], own: list[int]) -> None:
    jacks = [at for at, card in enumerate(cards) if card.rank == "J" and at not in own]
    for at, to in zip(jacks, [p for p in own if cards[p].rank != "J"], strict=False):
        cards[at], cards[to] = cards[to], cards[at]


def takes_one_jack(random: Random, cards: list[Card], own: list[int]) -> None:
    jacks = [at for at, card in enumerate(cards) if card.rank == "J" and at not in own]
    if jacks:
        at, to = random.choice(jacks), random.choice([p for p in own if cards[p].rank != "J"])
        cards[at], cards[to] = cards[to], cards[at]


def nothing(random: Random, cards: list[Card], own: list[int]) -> None:
    return


def always_seen(random: Random, dealer: int, cards: list[list[Card]]) -> bool:
    return False


def rejects_first_hands(random: Random, dealer: int, cards: list[list[Card]]) -> bool:
    """As with ``redeal15``: the first player rejects a first batch of less than 15 points."""
    points = {"J": 30, "9": 20, "A": 11, "T": 10, "K": 3, "Q": 2}
    first = cards[(dealer + 1) % len(cards)][:4]
    return sum(points.get(card.rank, 0) for card in first) < 15


def hides_dealers_without_jacks(random: Random, dealer: int, cards: list[list[Card]]) -> bool:
    return not any(card.rank == "J" for card in cards[dealer]) and random.random() < 0.7


@cache
def _ways(rules: Options, dealer: int) -> tuple[dealing.Deal, list[int], list[int]]:
    """A deal, the places of its cut deck in the order in which their cards are dealt, and to which
    seats."""
    deal = left = dealing.begin(b"t" * 32, 1, dealer, rules)
    places, to = list[int](), list[int]()
    for _ in rules.batches:
        left = dealing.open_batch(left)
        places += [deal.deck.index(element) for element in left.batch]
        to += left.batch_to
        left = replace(left, batch=(), batch_to=(), dealt=left.dealt + 1)
    return deal, places, to


def dealt(
    rules: Options,
    dealer: int,
    random: Random,
    shuffles: tuple[Shuffle, ...],
    stack: Stack = nothing,
) -> list[list[Card]]:
    """Deal one hand: every seat shuffles in its own way, the pack is cut, batches go out."""
    deal, places, to = _ways(rules, dealer)
    deck = deal.deck
    for seat in range(rules.seats):
        deck = shuffles[(dealer + seat) % rules.seats](random, deck)
    at = random.randrange(len(deck))
    deck = (*deck[at:], *deck[:at])
    order = [deal.cards_by_element[deck[place]] for place in places]
    stack(random, order, [at for at, seat in enumerate(to) if seat == dealer])
    return [
        [card for card, seat in zip(order, to, strict=True) if seat == own]
        for own in range(rules.seats)
    ]


def finished(rules: Options, dealer: int, cards: list[list[Card]]) -> Hand:
    """Return a hand in which every card was played and shown."""
    hand = Hand.start(rules, dealer)
    hand.completed_tricks = tuple(
        Trick(0, tuple(Play(seat, cards[seat][n]) for seat in range(rules.seats)), 0, 0)
        for n in range(rules.tricks)
    )
    return hand


def hands(
    rules: Options,
    count: int,
    seed: int,
    shuffles: tuple[Shuffle, ...] = (honest,) * 8,
    stack: Stack = nothing,
    hide: Hide = always_seen,
) -> Iterator[DealtHand]:
    """Yield hands as they are read from a transcript; the deal goes round."""
    random = Random(seed)
    for number in range(count):
        dealer = number % rules.seats
        cards = dealt(rules, dealer, random, shuffles, stack)
        hidden = hide(random, dealer, cards)
        hand = Hand.start(rules, dealer) if hidden else finished(rules, dealer, cards)
        yield DealtHand(dealer, shown_cards(hand))


def table(rules: Options, found: Iterator[DealtHand] | tuple[DealtHand, ...]) -> TableDeals:
    names = ("Asha", "Bandu", "Chitra", "Dilan", "Eshan", "Fathima", "Gihan", "Hasini")
    nicks = names[: rules.seats]
    keys = tuple(f"{number:02x}" for number in range(rules.seats))
    return TableDeals(
        "t", rules.preset, rules.pack_name, rules.seats, keys, nicks, True, tuple(found)
    )
