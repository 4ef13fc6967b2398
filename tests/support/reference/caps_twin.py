"""Caps straight from its definition, for small endings: every world, every line, by the engine.

Every placing of the unseen cards is enumerated, the whole public history is replayed in it with
the engine's own checks, and all legal plays are tried. Nothing here is shared with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View, announcement, check_own
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase

Known = Mapping[tuple[int, Seat], Card]
Order = tuple[Card, ...]


def orders(
    hand: Hand, seat: Seat, cards: frozenset[Card], known: Known, indicator: Card | None
) -> set[Order]:
    """Every order with which ``seat`` could call (arguments as for `knowledge`)."""
    if not cards and indicator is None:
        return set()
    if any(t.winner is not None and side(t.winner) != side(seat) for t in hand.tricks):
        return set()
    found: set[Order] | None = None
    for world in worlds(hand, seat, cards, known, indicator):
        winning = surviving(world, seat)
        found = winning if found is None else found & winning
        if not found:
            return set()
    if found is None:
        raise LookupError("the true world at least is one")
    return found


def surviving(world: Referee, seat: Seat) -> set[Order]:
    """Orders of the seat's cards that lose no trick in this world, whatever the others play."""
    hand = world.hand
    if any(t.winner is not None and side(t.winner) != side(seat) for t in hand.tricks):
        return set()
    if hand.turn is None:
        return {()}
    found: set[Order] | None = None
    for action in world.legal():
        after = world.copied()
        after.act(action)
        tails = surviving(after, seat)
        if hand.turn == seat:
            card = getattr(action, "card", None)
            tails = {(card, *tail) for tail in tails} if isinstance(card, Card) else set()
            found = tails | (found or set())
            continue
        found = tails if found is None else found & tails
        if not found:
            return set()
    if found is None:
        raise LookupError("somebody can always play")
    return found


def worlds(
    hand: Hand, seat: Seat, cards: frozenset[Card], known: Known, indicator: Card | None
) -> Iterator[Referee]:
    """Every placing of the unseen cards in which the history was legal and truthful."""
    replay = _Replay(hand)
    lying = {indicator} if indicator is not None else set()
    seen = {play.card for trick in hand.tricks for play in trick.plays if play.card}
    theirs = hand.indicator is not None and seat != hand.maker and hand.indicator not in seen
    shown = {hand.indicator} if theirs else set()
    places: list[tuple[object, int]] = []
    for other in range(hand.options.seats):
        if other != seat:
            places.append((other, hand.cards_left(other) - (theirs and other == hand.maker)))
    for number, trick in enumerate(hand.tricks):
        for play in trick.plays:
            if play.card is None and (number, play.seat) not in known:
                places.append(((number, play.seat), 1))
    if hand.indicator_down and seat != hand.maker:
        places.append(("indicator", 1))
    taken = seen | set(known.values()) | cards | lying | shown
    pool = [card for card in hand.options.pack.cards if card not in taken]
    for placing in _placings(pool, places):
        held = {s: set(placing.get(s, ())) for s in range(hand.options.seats)}
        held[seat] = set(cards) - lying
        if shown and hand.maker is not None:
            held[hand.maker] |= {c for c in shown if c}
        true = dict(known) | {at: two[0] for at, two in placing.items() if isinstance(at, tuple)}
        hidden = placing.get("indicator", (indicator,))[0]
        world = replay.world(held, true, hidden)
        if world is not None:
            yield world


def _placings(
    pool: Sequence[Card], places: Sequence[tuple[object, int]]
) -> Iterator[dict[object, tuple[Card, ...]]]:
    if not places:
        if pool:
            raise LookupError("every unseen card has a place")
        yield {}
        return
    (name, size), rest = places[0], places[1:]
    for chosen in combinations(pool, size):
        left = [card for card in pool if card not in chosen]
        for placing in _placings(left, rest):
            yield {name: chosen, **placing}


class _Replay:
    """The public history, to be checked again in each world."""

    def __init__(self, hand: Hand) -> None:
        self.hand = hand
        self.before: list[Hand] = []
        now = Hand.start(hand.options, hand.dealer)
        for action in hand.history:
            self.before.append(now)
            now = apply(now, action)

    def world(
        self, held: dict[Seat, set[Card]], true: dict[tuple[int, Seat], Card], lies: Card | None
    ) -> Referee | None:
        """The table at the present moment in this world; None if the history breaks a rule."""
        indicator = lies or self.hand.indicator or self._played_indicator(true)
        hands = {seat: set(cards) for seat, cards in held.items()}
        for number, trick in enumerate(self.hand.tricks):
            for play in trick.plays:
                card = play.card or true[number, play.seat]
                true[number, play.seat] = card
                hands[play.seat].add(card)
        for now, action in zip(self.before, self.hand.history, strict=True):
            if now.phase is Phase.DECLARE and now.maker is not None and indicator is not None:
                hands[now.maker].discard(indicator)
            try:
                self._check(now, action, hands, true, indicator)
            except RuleBroken:
                return None
            self._after(now, action, hands, true, indicator)
        return self._table(hands, true, indicator)

    def _played_indicator(self, true: Known) -> Card | None:
        plays = ((n, p) for n, t in enumerate(self.hand.tricks) for p in t.plays)
        return next((true[n, p.seat] for n, p in plays if p.indicator), None)

    def _check(
        self,
        now: Hand,
        action: acts.Action,
        hands: dict[Seat, set[Card]],
        true: Known,
        indicator: Card | None,
    ) -> None:
        seat = action.seat
        lies = indicator if now.indicator_down and seat == now.maker else None
        view = View(seat, now, frozenset(hands[seat]), lies)
        if isinstance(action, Play):
            number = len(now.tricks) - (now.trick is not None)
            check_own(view, Play(seat, true[number, seat], action.down, action.indicator))
        elif isinstance(action, acts.Closed | acts.Open):
            check_own(view, action)
        elif isinstance(action, acts.Announce) and indicator is not None:
            number = len(now.tricks) - 1
            others = {s: true[number, s] for s in now.to_inspect}
            own = now.tricks[-1].by(seat)
            laid = true[number, seat] if own is not None and own.down else None
            if announcement(now, indicator, others, laid) != action:
                raise RuleBroken("announce.false", verbatim("another announcement was due"), seat)

    def _after(
        self,
        now: Hand,
        action: acts.Action,
        hands: dict[Seat, set[Card]],
        true: Known,
        indicator: Card | None,
    ) -> None:
        if isinstance(action, Play) and not action.indicator:
            number = len(now.tricks) - (now.trick is not None)
            hands[action.seat].remove(true[number, action.seat])
        shows = isinstance(action, acts.Open) or (
            isinstance(action, acts.Announce) and action.indicator is not None
        )
        if shows and now.indicator_down and indicator is not None:
            hands[action.seat].add(indicator)

    def _table(
        self, hands: dict[Seat, set[Card]], true: dict[tuple[int, Seat], Card], lies: Card | None
    ) -> Referee:
        table = Referee(self.hand.options, self.hand.dealer, [()] * self.hand.options.seats)
        table.hand = self.hand.copied()
        table.held = [set(hands[s]) for s in sorted(hands)]
        table.hidden = true
        table.indicator = lies if self.hand.indicator is None else None
        table.settle()
        return table
