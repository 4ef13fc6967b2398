"""A protocol that leaks must fail the game that defines hiding (SPEC.md, "Hiding, as a game").

First a pack of four is dealt: one place to the coalition, three to an honest seat. A protocol is
what it lets everybody see of a deal. All orders and exchanges are counted out. Then the end of the
argument is held at a table: what is left to see of locked cards is the same for both deals."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import prod

import pytest

from p2p304.crypto.group import Element, Q, mul
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, legal
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.keyring import Secrets
from p2p304.table.state.table import TableState
from p2p304.wire.bodies import Cut
from tests.support.cheats.games import GAMES
from tests.support.table import simnet

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


# The same at a table: what a deal shows is where a card lies under the same locks again


@dataclass(frozen=True, slots=True)
class Given:
    """The orders that seats follow in hand ``number``: at the last shuffle, and at the
    re-ordering."""

    number: int
    shuffles: Mapping[int, Deal]
    reorderings: Mapping[int, Deal]


def chooser(net: simnet.Net, number: int, before: simnet.Chooser) -> simnet.Chooser:
    """In hand ``number`` passes, or bids least where it must; what it lays is chosen by place."""

    def choose(view: View) -> acts.Action:
        state, options = net.tables[0].state, legal(view)
        if state is None or state.number != number:
            return before(view)
        for wanted in (acts.Pass, acts.Bid):
            if found := [each for each in options if isinstance(each, wanted)]:
                return found[0]
        return options[0]

    return choose


def follow(patch: pytest.MonkeyPatch, net: simnet.Net, given: Given) -> None:
    """The players follow the given orders, do not cut, and lay the indicator from the first
    place."""
    order, overhand, cut, place = (
        Secrets.order,
        Secrets.overhand,
        EntryWriter.cut,
        EntryWriter._number,
    )

    def given_order(secrets: Secrets, number: int, relocks: int, count: int) -> Deal:
        if number != given.number:
            return order(secrets, number, relocks, count)
        seat = next(table.seat for table in net.tables if table.me.secrets is secrets)
        orders = given.reorderings if relocks else given.shuffles
        return tuple(place for place in orders[seat or 0] if place < count)

    def given_overhand(secrets: Secrets, number: int, count: int) -> Deal:
        again = number == given.number
        return given_order(secrets, number, 0, count) if again else overhand(secrets, number, count)

    def no_cut(writer: EntryWriter) -> Cut:
        return Cut(0) if writer.state.number == given.number else cut(writer)

    def first_place(writer: EntryWriter, card: Card) -> int:
        return 0 if writer.state.number == given.number else place(writer, card)

    patch.setattr(Secrets, "order", given_order)
    patch.setattr(Secrets, "overhand", given_overhand)
    patch.setattr(EntryWriter, "cut", no_cut)
    patch.setattr(EntryWriter, "_number", first_place)


Lock = tuple[str, int]
Label = tuple[Card, frozenset[Lock]]


def labels(net: simnet.Net, state: TableState) -> dict[Element, Label]:
    """Every card under every set of locks that can occur in this hand."""
    deal, number = state.open_deal, state.number
    secret: dict[Lock, int] = {}
    for table in net.tables:
        seat, own = table.seat or 0, table.me.secrets
        secret["first", seat] = own.first_lock(number)
        secret["deck", seat] = own.deck_key(number)
        secret["hand", seat] = own.hand_key(number, 1)
    either = [[None, ("first", seat), ("deck", seat)] for seat in range(deal.seats)]
    chosen = [frozenset(lock for lock in some if lock) for some in itertools.product(*either)]
    chosen += [frozenset({("hand", seat)}) for seat in range(deal.seats)]
    cards = zip(deal.pack.cards, deal.elements, strict=True)
    return {
        mul(pow(prod(secret[lock] for lock in locks), -1, Q), M): (card, locks)
        for card, M in cards
        for locks in chosen
    }


def seen_by(observers: frozenset[int], given: Given) -> list[object]:
    """What observers (seats) see of every locked card that is published until all are dealt and
    re-ordered: its name, if no lock but theirs is left; else when they met it first. (Their own
    locks they can take off.)"""
    net = GAMES["gathering 1"]()
    net.choosers = [chooser(net, given.number, each) for each in net.choosers]

    def there() -> bool:
        state = net.tables[0].state
        deal = None if state is None or state.number != given.number else state.deal
        return deal is not None and deal.dealt == len(deal.batches) and not deal.to_relock

    with pytest.MonkeyPatch.context() as patch:
        follow(patch, net, given)
        net.run(until=there)
    state = net.tables[0].state
    assert state is not None
    label = labels(net, state)
    first: dict[Label, int] = {}
    told: list[object] = []
    for element in published(net, given.number):
        card, locks = label[element]
        left = frozenset(lock for lock in locks if lock[1] not in observers)
        told.append(first.setdefault((card, left), len(told)) if left else card)
    return told


def published(net: simnet.Net, number: int) -> Iterator[Element]:
    """Locked cards in the order in which this hand's entries show them."""
    entries = [signed.entry for signed in net.tables[0].chain.entries]
    dealt = [n for n, e in enumerate(entries) if e.kind == "cut"][number - 1]
    begin = dealt - sum(
        1
        for _ in itertools.takewhile(
            lambda entry: entry.kind == "shuffle", reversed(entries[:dealt])
        )
    )
    for entry in entries[begin:]:
        for name in ("deck", "cards", "joined", "indicator"):
            value = entry.body.get(name)
            if entry.kind in ("shuffle", "unlock", "relock") and value is not None:
                for element in value if isinstance(value, list) else [value]:
                    assert isinstance(element, bytes)
                    yield Element(element)


@cache
def in_turn(number: int) -> tuple[int, ...]:
    """The seats of this hand in the order in which they shuffle."""
    net = GAMES["gathering 1"]()
    net.run(until=lambda: net.tables[0].state is not None and net.tables[0].state.number == number)
    assert net.tables[0].state is not None
    dealer = net.tables[0].state.open_deal.dealer
    return tuple((dealer + step) % 4 for step in range(4))


def given(number: int, seed: int = 1) -> Given:
    chance = random.Random(seed)

    def drawn(count: int) -> dict[int, Deal]:
        return {seat: tuple(chance.sample(range(count), count)) for seat in range(4)}

    return Given(number, drawn(32), drawn(8))


def exchange(left: Given, seat: int, one: int, other: int) -> Given:
    """The same, but this seat puts two cards (places of the pack) each where the other would go."""
    for before in itertools.takewhile(lambda each: each != seat, in_turn(left.number)):
        one, other = (left.shuffles[before][place] for place in (one, other))
    order = list(left.shuffles[seat])
    order[one], order[other] = order[other], order[one]
    return replace(left, shuffles={**left.shuffles, seat: tuple(order)})


def hidden(left: Given, observers: frozenset[int]) -> list[int]:
    """Places of the pack, before anybody shuffles, whose cards go to others than the observers."""
    turn = in_turn(left.number)
    to = [seat for _ in range(2) for seat in (*turn[1:], turn[0]) for _ in range(4)]

    def dealt_to(place: int) -> int:
        for seat in turn:
            place = left.shuffles[seat][place]
        return to[place]

    return [place for place in range(32) if dealt_to(place) not in observers]


@pytest.mark.parametrize(("number", "watching"), [(1, ()), (1, (2,)), (2, (2,))], ids=str)
def test_two_deals_show_the_same(number: int, watching: tuple[int, ...]) -> None:
    """Hand 1 is shuffled thoroughly, hand 2 from a gathered pack; the first honest seat exchanges
    two cards that the observers do not get, and every honest seat re-orders in another way."""
    turn, left = in_turn(number), given(number)
    observers = frozenset(turn[place] for place in watching)
    one, *_, other = hidden(left, observers)
    right = exchange(left, turn[0], one, other)
    mixed = {s: o if s in observers else o[::-1] for s, o in left.reorderings.items()}
    told = seen_by(observers, left)
    assert len(told) == 256 + 128 * (number - 1)
    assert told == seen_by(observers, replace(right, reorderings=mixed))


def test_of_a_gathered_pack_no_honest_shuffle_shows() -> None:
    left, turn = given(2), in_turn(2)
    watcher = frozenset({turn[1]})
    one, two, three, *_ = hidden(left, watcher)
    right = exchange(exchange(left, turn[0], one, two), turn[3], two, three)
    assert seen_by(watcher, left) == seen_by(watcher, right)
    assert seen_by(frozenset(), left) == seen_by(frozenset(), given(2, seed=5))


def test_of_a_thorough_shuffle_later_orders_show_in_part() -> None:
    """Why two orders are given at the first honest shuffle alone: the dealer's cards come back to
    elements of the dealer's deck."""
    left, turn = given(1), in_turn(1)
    cards = hidden(left, frozenset(turn[1:]))
    (other, *_) = hidden(left, frozenset({turn[0]}))
    assert seen_by(frozenset(), left) != seen_by(
        frozenset(), exchange(left, turn[1], cards[0], other)
    )
