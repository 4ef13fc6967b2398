"""Which orders win every remaining trick in every world.

Responsible for the search over orders. It carries all the worlds that the beginning of an order may
lead to, joins those that nothing tells apart, and drops the beginning as soon as one of them loses.
While the caller leads and nobody can overtake, runs.py answers without a look at the tricks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from p2p304.rules.caps.bitboard import SUIT_CARDS, card_of, each, suit_of
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.lines import MINE, Line, Worlds, new_trick
from p2p304.rules.caps.runs import Fate, Runs
from p2p304.rules.core.cards import Card

_Found = TypeVar("_Found", set[Worlds], list[Line])
Pick = Callable[[int, int], list[int]]
"""Of the cards left, those worth trying next, given the unseen cards."""


def could_call(known: Knowledge, order: Sequence[Card]) -> bool:
    """Whether exactly this order of all remaining cards wins every remaining trick for the side
    in every world (``caps.worlds``)."""
    wanted = [card.bit for card in order]
    if sorted(wanted, reverse=True) != each(known.mine):
        return False
    place = {known.mine & ~sum(wanted[:n]): one for n, one in enumerate(wanted)}
    return _Search(known, lambda rest, unseen: [place[rest]]).order() is not None


def find_order(known: Knowledge) -> tuple[Card, ...] | None:
    """Some order for which `could_call` holds; None if there is none."""
    search = _Search(known)
    found = search.order()
    return None if found is None else tuple(card_of(one) for one in found)


@dataclass(frozen=True, slots=True)
class _Run:
    """How a run goes on from ``states``: the cards ``led`` so far."""

    states: tuple[Worlds, ...]
    first: bool
    led: tuple[int, ...] = ()
    counts: tuple[int, ...] = (0,) * len(SUIT_CARDS)

    def after(self, card: int) -> _Run:
        """The run with one card more."""
        suit = suit_of(card)
        counts = (*self.counts[:suit], self.counts[suit] + 1, *self.counts[suit + 1 :])
        return _Run(self.states, self.first, (*self.led, card), counts)


class _Search(Runs):
    def __init__(self, known: Knowledge, pick: Pick | None = None) -> None:
        super().__init__(known)
        self.pick = pick or self._worth_trying

    def order(self) -> tuple[int, ...] | None:
        """An order as bits, None if there is none."""
        known = self.known
        if known.lost or not known.mine:
            return None
        if not known.trick:
            states = {line.worlds for line in self.start()}
            return self._solve(_some(states), known.mine, first=True)
        if any(put.seat == self.seat for put in known.trick):
            after = self.finish(self.start(), known.mine, 0, first=True)
            return None if after is None else self._solve(_some(after), known.mine)
        unseen = known.unseen | known.shown
        for put in known.trick:
            unseen |= put.card
        lines = _some(list(self.start()))
        return self._each(self.pick(known.mine, unseen), known.mine, lines, first=True)

    def _each(
        self, cards: Iterable[int], rest: int, lines: list[Line], first: bool = False
    ) -> tuple[int, ...] | None:
        """Try each card as the next of the order, through the present trick."""
        for card in cards:
            states = self.finish(lines, rest, card, first)
            if states is not None:
                tail = self._solve(states, rest & ~card)
                if tail is not None:
                    return card, *tail
        return None

    def _solve(self, states: set[Worlds], rest: int, first: bool = False) -> tuple[int, ...] | None:
        """An order of ``rest`` that wins from all these states at the start of a trick."""
        if not rest:
            return ()
        if all(worlds.leader == self.seat for worlds in states):
            return self._run(_Run(tuple(states), first), rest, set())
        cards = self.pick(rest, _unseen(states))
        return self._each(cards, rest, [new_trick(worlds) for worlds in states], first)

    def _run(self, run: _Run, rest: int, failed: set[int]) -> tuple[int, ...] | None:
        """The same where the caller leads. In a safe run it does not matter in which order
        the cards were led: the same hands may be left (``failed`` remembers by cards left)."""
        if not rest:
            return ()
        if rest in failed:
            return None
        doubtful = []
        for card in self.pick(rest, _unseen(run.states)):
            fate = self._joint(run, rest, card)
            if fate is Fate.SAFE:
                tail = self._run(run.after(card), rest & ~card, failed)
                if tail is not None:
                    return card, *tail
            elif fate is Fate.OPEN:
                doubtful.append(card)
        for card in doubtful:
            tail = self._look(run, rest, card)
            if tail is not None:
                return card, *tail
        failed.add(rest)
        return None

    def is_hopeless(self, worlds: Worlds, rest: int) -> bool:
        """Whether, the caller leading, every run ends with a card that is beaten."""
        is_leader = worlds.leader == self.seat
        return is_leader and not self._promises(_Run((worlds,), False), rest, set())

    def _promises(self, run: _Run, rest: int, failed: set[int]) -> bool:
        """Whether a run can end well or come to a card of unclear fate."""
        if not rest:
            return True
        if rest in failed:
            return False
        for card in self.pick(rest, _unseen(run.states)):
            fate = self._joint(run, rest, card)
            if fate is Fate.OPEN:
                return True
            if fate is Fate.SAFE and self._promises(run.after(card), rest & ~card, failed):
                return True
        failed.add(rest)
        return False

    def _joint(self, run: _Run, rest: int, card: int) -> Fate:
        """The fate of ``card`` over all the states."""
        if self.seat == self.maker and not self._may_lead(run, rest, card):
            return Fate.BEATEN
        out = Fate.OPEN if run.first and self.known.opening else Fate.SAFE
        for worlds in run.states:
            fate = self.fate(worlds, card, run.counts, rest == card)
            if fate is Fate.BEATEN:
                return fate
            if fate is Fate.OPEN:
                out = fate
        return out

    def _may_lead(self, run: _Run, rest: int, card: int) -> bool:
        """Whether the trump maker may lead this card in every world."""
        for worlds in run.states:
            lying = self.known.lying if worlds.indicator == MINE else 0
            hand = rest & ~lying
            trumps = SUIT_CARDS[worlds.trump]
            if card == lying and hand:
                return False
            is_first = run.first and not run.led and self.known.first
            if is_first and card & trumps and not (self.known.leads_alone and not hand & ~trumps):
                return False
            if card & trumps or not hand & trumps or not self.known.exhausts:
                continue
            leads = run.counts[worlds.trump]
            if worlds.spent or (leads and self.may_all_be_out(worlds, leads - 1)):
                return False
        return True

    def _look(self, run: _Run, rest: int, card: int) -> tuple[int, ...] | None:
        """Play the run and this card out, trick by trick."""
        states: set[Worlds] | None = set(run.states)
        held = rest | sum(run.led)
        for place, one in enumerate((*run.led, card)):
            lines = [new_trick(worlds) for worlds in states or ()]
            states = self.finish(lines, held, one, run.first and not place)
            if states is None:
                return None
            held &= ~one
        return self._solve(states or set(), held)

    def _worth_trying(self, rest: int, unseen: int) -> list[int]:
        """One of each group of own neighbours, the highest; likely trumps first."""
        out = []
        for cards in SUIT_CARDS:
            for above, one in pairwise([0, *each(rest & cards)]):
                between = unseen & (above - one)
                if not above or between or self.known.lying in (one, above):
                    out.append(one)
        return sorted(out, key=lambda one: not self.known.trumps >> suit_of(one) & 1)


def _some(found: _Found) -> _Found:
    if not found:
        raise CapsError("no placing of the unseen cards agrees with the history")
    return found


def _unseen(states: Iterable[Worlds]) -> int:
    unseen = 0
    for worlds in states:
        unseen |= worlds.pool | worlds.shown
    return unseen
