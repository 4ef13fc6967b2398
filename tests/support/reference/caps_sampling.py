"""Random worlds and lines for hands too large for the twin: all by the engine's own checks."""

from __future__ import annotations

import random
from collections.abc import Iterator

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from tests.support.reference import caps_twin
from tests.support.reference.caps_hands import Moment


def sampled_worlds(
    rng: random.Random, moment: Moment, truth: Referee, swaps: int
) -> Iterator[Referee]:
    """A random walk through the worlds of this moment, from the true one: two unseen cards change
    places, and the step is taken back if the history would have broken a rule."""
    replay = caps_twin._Replay(moment.hand)
    places, cards = _unseen(moment, truth)
    held = {seat: set(cards_) for seat, cards_ in enumerate(truth.held)}
    for _ in range(swaps):
        before = list(cards)
        if len(cards) > 1:
            one, two = rng.sample(range(len(cards)), 2)
            cards[one], cards[two] = cards[two], cards[one]
        world = replay.world(*_placed(moment, truth, places, cards, held))
        if world is None:
            cards = before
        else:
            yield world


def _unseen(moment: Moment, truth: Referee) -> tuple[list[object], list[Card]]:
    hand = moment.hand
    found: list[tuple[object, Card]] = []
    for seat, cards in enumerate(truth.held):
        if seat != moment.seat:
            found += [(seat, c) for c in sorted(cards, key=lambda c: c.name)]
    found = [(place, c) for place, c in found if c is not hand.indicator]
    for number, trick in enumerate(hand.tricks):
        for play in trick.plays:
            at = (number, play.seat)
            if play.card is None and at not in moment.known:
                found.append((at, truth.true_cards[at]))
    if hand.indicator_down and moment.seat != hand.maker and truth.indicator is not None:
        found.append(("indicator", truth.indicator))
    return [place for place, _ in found], [c for _, c in found]


def _placed(
    moment: Moment,
    truth: Referee,
    places: list[object],
    cards: list[Card],
    held: dict[Seat, set[Card]],
) -> tuple[dict[Seat, set[Card]], dict[tuple[int, Seat], Card], Card | None]:
    pool = set(cards)
    hands = {seat: {c for c in own if c not in pool} for seat, own in held.items()}
    true, lies = dict(moment.known), moment.indicator
    for place, card in zip(places, cards, strict=True):
        if isinstance(place, int):
            hands[place].add(card)
        elif isinstance(place, tuple):
            true[place] = card
        else:
            lies = card
    return hands, true, lies


def wins(
    rng: random.Random, world: Referee, seat: Seat, order: tuple[Card, ...], hostile: bool
) -> bool:
    """Whether the order wins every trick in one line: of random plays, or of ``hostile`` ones (the
    opponents beat what they can and keep their high cards, the partner stays low)."""
    table, left = world.copied(), list(order)
    while table.hand.turn is not None:
        if _lost(table.hand, seat):
            return False
        turn, options = table.hand.turn, table.legal()
        if turn == seat:
            card = left.pop(0)
            options = tuple(a for a in options if getattr(a, "card", None) is card)
            if not options:
                return False
        action = _hostile(table, turn, seat, options) if hostile else None
        table.act(action if action and turn != seat else rng.choice(options))
    return not _lost(table.hand, seat)


def _lost(hand: Hand, seat: Seat) -> bool:
    return any(t.winner is not None and side(t.winner) != side(seat) for t in hand.tricks)


def _hostile(table: Referee, turn: Seat, seat: Seat, options: tuple[Action, ...]) -> Action | None:
    """The highest trump or card that is ahead for an opponent, else the lowest plain card."""
    indicator = table.hand.indicator or table.indicator
    strength = table.hand.options.pack.strength
    plays = [a for a in options if isinstance(a, acts.Play) and a.card is not None]
    value = {
        a: strength[a.card] + 20 * (a.card.suit is (indicator and indicator.suit))
        for a in plays
        if a.card is not None
    }
    high = max(plays, key=lambda a: value[a], default=None)
    low = min(plays, key=lambda a: value[a], default=None)
    if side(turn) == side(seat) or high is None:
        return low
    laid = [p for t in table.hand.tricks if t.winner is None for p in t.plays]
    led = laid[0].card if laid else None
    trump = indicator.suit if indicator else None
    best = max(
        (
            strength[p.card] + 20 * (p.card.suit is trump)
            for p in laid
            if p.card and led and p.card.suit in (led.suit, trump)
        ),
        default=0,
    )
    beats = high.card is not None and (led is None or high.card.suit in (led.suit, trump))
    return high if beats and value[high] > best else low
