"""Hands of which every card is known, as a table's states: what leaving costs at each moment, and
how the hand could have gone on.

A hand goes on as its players choose: at random, or so that one side takes what it can and the
others throw away what they have. Claims are made when they are due, at other times, or never.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from p2p304.rules.caps import CapsError, find_order, knowledge
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play.claims import CAPS, SPOILT, may_make
from p2p304.rules.play.default_choice import default_choice
from p2p304.rules.play.engine import apply
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Player, Terms
from p2p304.table.state.deal import Deal, SeatSlots
from p2p304.table.state.table import TableState, first_state


@dataclass(frozen=True)
class Style:
    """How a hand goes on. ``strong`` plays its strongest cards and the others their weakest (None:
    all at random); of ``claims`` due so many are made, and so many false ones are."""

    strong: int | None = None
    claims: float = 0.0
    false: float = 0.0
    bids: float = 1.0


@dataclass(frozen=True)
class Done:
    """What a player did after ``at`` actions; ``false``: a claim that was not true, of a player who
    was free not to make it."""

    action: Action
    at: int
    false: bool = False


@dataclass(frozen=True)
class Course:
    """How a hand really goes: its referee, and what was done so far; once it is over, all of it."""

    referee: Referee
    done: list[Done]


@dataclass(frozen=True)
class Moment:
    """A hand between two of its public actions, and the referee who knows what comes next."""

    hand: Hand
    referee: Referee
    course: Course

    @property
    def at(self) -> int:
        return len(self.hand.history)


def dealt(options: Options, chance: random.Random, noise: float | None) -> Referee:
    """A referee with the pack dealt out; the less ``noise``, the more of the strong cards one side
    has."""
    cards = list(options.pack.cards)
    chance.shuffle(cards)
    if noise is not None and options.stock == "none":
        strength = options.pack.strength
        cards.sort(key=lambda card: -strength[card] + chance.gauss(0, noise))
        half = len(cards) // 2
        strong, weak = cards[:half], cards[half:]
        chance.shuffle(strong)
        chance.shuffle(weak)
        sides = [strong, weak] if chance.random() < 0.5 else [weak, strong]
        cards = [
            card
            for seat in range(options.seats)
            for card in sides[seat % 2][seat // 2 * options.hand_size :][: options.hand_size]
        ]
    size = options.hand_size
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(options.seats)]
    dealer = chance.randrange(options.seats)
    return Referee(options, dealer, hands, cards[options.seats * size :])


def play_on(
    referee: Referee, chance: random.Random, style: Style, empty: int | None = None
) -> Iterator[Done]:
    """Play the hand to its end, in place; yields after every action. The seat ``empty`` acts by
    itself (`default_choice`)."""
    while referee.hand.result is None:
        at, seat = len(referee.hand.history), referee.hand.turn
        done = _claim(referee, chance, style, at)
        if done is None and seat is not None and seat == empty:
            done = Done(default_choice(referee.view(seat)), at)
        elif done is None:
            done = Done(_choice(referee, chance, style), at)
        referee.act(done.action)
        yield done


def _choice(referee: Referee, chance: random.Random, style: Style) -> Action:
    legal: Sequence[Action] = referee.legal()
    if style.strong is not None and chance.random() < 0.9:
        legal = _sorted_out(referee, legal, style.strong) or legal
    weights = [_weight(action, legal, style) for action in legal]
    return chance.choices(legal, weights)[0]


def _sorted_out(referee: Referee, legal: Sequence[Action], strong: int) -> Sequence[Action]:
    """What is left of these where one account bids, lays its longest suit and plays its strongest
    cards, and the others pass and play their weakest."""
    hand = referee.hand
    seat, strength = hand.turn or 0, hand.options.pack.strength
    mine = hand.options.account(seat) == strong
    plays = [a for a in legal if isinstance(a, Play) and a.card is not None]
    if plays:
        ranked = sorted(plays, key=lambda play: strength[play.card])  # type: ignore[index]
        return ranked[-1:] if mine else ranked[:1]
    suits = [card.suit for card in referee.held[seat]]
    laid = [a for a in legal if isinstance(a, acts.LayTrump) and a.card is not None]
    if laid:
        return [max(laid, key=lambda a: suits.count(a.card.suit))]  # type: ignore[union-attr]
    first = mine and not hand.auction.high and hand.phase is Phase.BID4
    return [a for a in legal if isinstance(a, acts.Bid if first else acts.Pass)]


def _weight(action: Action, legal: Sequence[Action], style: Style) -> float:
    match action:
        case acts.Bid(amount=amount):
            least = min(one.amount for one in legal if isinstance(one, acts.Bid))
            return style.bids if amount == least else style.bids / 40
        case acts.Redeal():
            return 0.05
    return 1.0


# Claims


def _claim(referee: Referee, chance: random.Random, style: Style, at: int) -> Done | None:
    hand = referee.hand
    if hand.phase is not Phase.PLAY or not style.claims + style.false:
        return None
    false, true = chance.random() < style.false, chance.random() < style.claims
    for seat in chance.sample(range(hand.options.seats), hand.options.seats):
        spoilt = is_spoilt(referee)
        if may_make(hand, seat, SPOILT) and (true if spoilt else false):
            return Done(acts.Spoilt(seat), at, not spoilt)
        if may_make(hand, seat, CAPS) and ((true and hand.trick is None) or false):
            order = due_order(referee, seat)
            if order is not None and true:
                return Done(caps(referee, seat, order), at)
            if order is None and false:
                held = tuple(sorted(_cards(referee, seat), key=str))
                return Done(caps(referee, seat, held), at, True)
    return None


def is_spoilt(referee: Referee) -> bool:
    """Whether the trump maker's opponents were dealt no trump."""
    hand = referee.hand
    trump = hand.trump or (None if referee.indicator is None else referee.indicator.suit)
    others = [seat for seat in range(hand.options.seats) if seat not in hand.makers]
    return not any(card.suit is trump for seat in others for card in referee.dealt[seat])


def due_order(referee: Referee, seat: int) -> tuple[Card, ...] | None:
    """The order with which this seat can call Caps now, or None."""
    hand = referee.hand
    if not may_make(hand, seat, CAPS) or not has_won_all(hand, seat):
        return None
    called = caps(referee, seat, ())
    known = {(number, at): card for number, at, card in called.known}
    cards = frozenset(_cards(referee, seat))
    try:
        return find_order(knowledge(hand, seat, cards, known, called.indicator))
    except CapsError:
        return None


def _cards(referee: Referee, seat: int) -> set[Card]:
    view = referee.view(seat)
    return {*view.cards, *(() if view.indicator is None else (view.indicator,))}


def caps(referee: Referee, seat: int, order: tuple[Card, ...]) -> acts.Caps:
    called = referee.completed(acts.Caps(seat, order, (), None))
    if not isinstance(called, acts.Caps):
        raise LookupError("a call of Caps was completed to something else")
    return called


# A whole hand, moment by moment


def moments(referee: Referee, chance: random.Random, style: Style) -> Iterator[Moment]:
    """Play a hand and stop between all its public actions: what follows of itself (cards shown to
    the trump maker, the announcement, the count) too."""
    course = Course(referee, [])
    yield Moment(referee.hand, referee.copied(), course)
    before = referee.hand
    for done in play_on(referee, chance, style):
        course.done.append(done)
        known, hand = referee.copied(), before
        for action in referee.hand.history[len(before.history) :]:
            hand = apply(hand, acts.public(action))
            if hand.result is None:
                yield Moment(hand, known, course)
        before = referee.hand


def finished(referee: Referee) -> Result:
    """How a hand has ended."""
    result = referee.hand.result
    if result is None:
        raise LookupError("the hand is not over")
    return result


# The table around it


def table(options: Options, hand: Hand, hands: int = 0, tokens: Sequence[int] = ()) -> TableState:
    """The state of a table at which this hand is on and cards of it are dealt."""
    count = options.seats
    players = tuple(Player(bytes([n]) * 32, f"Player {n}", bytes(32)) for n in range(count))
    state = first_state(Terms("table", options, hands, players))
    match = replace(state.match, tokens=tuple(tokens)) if tokens else state.match
    deal = Deal(
        state.table,
        1,
        hand.dealer,
        options.pack,
        options.batches,
        (),
        (None,) * count,
        (SeatSlots(),) * count,
        shuffled=count,
        dealt=1,
    )
    return replace(
        state,
        match=match,
        seating=tuple(range(count)),
        dealer=hand.dealer,
        number=1,
        deal=deal,
        hand=hand,
    )
