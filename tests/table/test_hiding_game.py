"""A protocol that leaks must fail the game that defines hiding (SPEC.md, "Hiding, as a game").

A pack of four is dealt: one place to the coalition, three to an honest seat. A protocol is what it
lets everybody see of a deal. All orders and exchanges are counted out."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction

Deal = tuple[int, ...]
"""The card at every place; place 0 is the coalition's."""
Protocol = Callable[[Deal], object]
ORDERS: tuple[Deal, ...] = tuple(itertools.permutations(range(4)))
PAIRS = tuple(itertools.combinations(range(4), 2))


def sealed(deal: Deal) -> object:
    """The coalition sees its own card."""
    return deal[0]


def leaky(deal: Deal) -> object:
    """Everybody sees everything."""
    return deal


def exchanged(deal: Deal, pair: tuple[int, int]) -> Deal:
    one, other = pair
    swap = {one: other, other: one}
    return tuple(swap.get(card, card) for card in deal)


def advantage(lefts: Iterable[Deal], rights: Iterable[Deal], protocol: Protocol) -> Fraction:
    """How much better than by chance b can be guessed at best from what is seen, where the left
    deal and the right one are drawn from these; those that differ in the coalition's card come in
    both and count for nothing."""
    left, right = (Counter(map(protocol, deals)) for deals in (lefts, rights))
    total = left.total() + right.total()
    return Fraction(sum(abs(left[seen] - right[seen]) for seen in left | right), total)


def counted(deals: Iterable[tuple[Deal, Deal]]) -> list[tuple[Deal, Deal]]:
    """Pairs of deals that agree in the coalition's card."""
    return [(one, other) for one, other in deals if one[0] == other[0]]


def test_with_orders_that_are_drawn_even_a_leak_cannot_be_seen() -> None:
    """Why the attacker gives the orders: the left order is uniform, and so is the right one."""
    for pair in PAIRS:
        runs = counted((order, exchanged(order, pair)) for order in ORDERS)
        lefts, rights = zip(*runs, strict=True)
        assert advantage(lefts, rights, leaky) == 0


def test_with_orders_that_are_given_a_leak_always_shows() -> None:
    runs = counted((order, exchanged(order, pair)) for order in ORDERS for pair in PAIRS)
    assert len(runs) == 72
    assert all(advantage([one], [other], leaky) == 1 for one, other in runs)
    assert all(advantage([one], [other], sealed) == 0 for one, other in runs)


def test_one_card_that_leaks_shows_for_some_orders() -> None:
    runs = counted((order, exchanged(order, pair)) for order in ORDERS for pair in PAIRS)
    found = {advantage([one], [other], lambda deal: (deal[0], deal[2])) for one, other in runs}
    assert found == {0, 1}
