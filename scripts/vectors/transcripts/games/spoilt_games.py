"""Games for protocol/transcripts in which trumps are called spoilt: with a card face down in the
trick that is on, and with a player who then leaves.

Responsible for these games; the others are sound_games.py's.
"""

from __future__ import annotations

from functools import partial

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, Suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View
from p2p304.table.state.table import TableState
from scripts.vectors.transcripts.games.game_builders import LED, Game
from tests.support.cheats.games import (
    NOBODY_PASSES,
    SIX_TRUMPS,
    WHOLE_SUIT,
    Wish,
    dealt,
    declaring,
    leading,
    passive,
    trump_maker,
    wishing,
)
from tests.support.table import simnet, stacked
from tests.support.table.leaving_games import Moment, left_then


def called(cards: str, order: str, how: type[Action], lay: str, after: int) -> simnet.Net:
    """A trump maker's opponent calls spoilt trumps when so many cards are played."""
    game = partial(trump_maker, cards, order, how, lay, away="playout")
    return declaring(game, after)


def counting(leaves: int, turn: int) -> Moment:
    """The player on this seat from the trump maker's leaves when the seat ``turn`` from it is to
    count."""

    def moment(state: TableState) -> int | None:
        hand = state.hand
        if hand is None or hand.maker is None or hand.phase is not Phase.COUNT:
            return None
        is_due = hand.turn == (hand.maker + turn) % state.seats
        return state.player_on((hand.maker + leaves) % state.seats) if is_due else None

    return moment


def exchange(hands: list[list[Card]], giver: int, taker: int, given: Suit, taken: Suit) -> None:
    """All of the giver's cards of one suit against as many of the taker's of another."""
    out = [each for each in hands[giver] if each.suit is given]
    back = [each for each in hands[taker] if each.suit is taken]
    for one, other in zip(out, back, strict=False):
        hands[giver][hands[giver].index(one)] = other
        hands[taker][hands[taker].index(other)] = one


def playing(wanted: Card) -> Wish:
    def wish(action: Action) -> float:
        plays = isinstance(action, acts.Play) and action.card is wanted
        return 5.0 if plays else passive(action)

    return wish


def trump_down() -> simnet.Net:
    """An opponent has laid a trump face down in the first trick when another calls."""
    cards, first = dealt(SIX_TRUMPS)
    hands = [list(each) for each in cards]
    exchange(hands, (first + 1) % 4, (first + 3) % 4, Suit.HEARTS, Suit.DIAMONDS)
    net = stacked.make(hands, options=stacked.rules())
    net.choosers = [wishing(passive)] * 4
    order = [card(name) for name in LED.split()]
    net.choosers[first] = wishing(leading(order, acts.Closed, card("8S")))
    net.choosers[(first + 1) % 4] = wishing(playing(card("QS")))
    return declaring(lambda: net, 2)


def indicator_down() -> simnet.Net:
    """The trump maker has cut the first trick with the indicator when the next player calls."""
    cards, first = dealt(SIX_TRUMPS)
    hands = [list(each) for each in cards]
    maker, third, fourth = ((first + step) % 4 for step in (1, 2, 3))
    hands[first], hands[maker] = hands[maker], hands[first]
    exchange(hands, maker, first, Suit.HEARTS, Suit.CLUBS)
    exchange(hands, third, fourth, Suit.SPADES, Suit.DIAMONDS)
    net = stacked.make(hands, options=stacked.rules(away="playout"))
    lead = next(each for each in hands[first] if each.suit is Suit.HEARTS)
    indicator = card("9S")

    def third_calls(view: View) -> Action:
        on = view.hand.trick if view.hand.phase is Phase.PLAY else None
        if on is not None and len(on.plays) == 2:
            return acts.Spoilt(view.seat)
        return wishing(passive)(view)

    net.choosers = [wishing(passive)] * 4
    net.choosers[first] = wishing(playing(lead))
    net.choosers[maker] = wishing(leading([indicator], acts.Closed, indicator))
    net.choosers[third] = third_calls
    return net


def indicator_kept() -> simnet.Net:
    """A trump maker that has shown its indicator keeps it as its last card, when another player
    calls with no card left; a second hand follows."""
    maker = "JS 9S AS TS KS 8S 7H 7D"
    options = {"exhausted": "off", "shuffle": "minimal", **NOBODY_PASSES}
    cards, first = dealt(maker, options)
    hands = [list(each) for each in cards]
    strong = [card(name) for name in ["QS", "JH", "JD", "JC", "9H", "9D", "9C", "AC"]]
    rest = [c for hand in hands for c in hand if c not in strong and c not in hands[first]]
    hands[(first + 1) % 4] = strong
    hands[(first + 2) % 4], hands[(first + 3) % 4] = rest[0::2], rest[1::2]
    net = stacked.make(hands, options=stacked.rules(**options), played=2)
    net.choosers = [wishing(passive)] * 4
    order = [card(name) for name in ["JS", "9S", "AS", "TS", "KS", "7H", "7D", "8S"]]
    net.choosers[first] = wishing(leading(order, acts.Open, card("8S")))
    thrown = [card(name) for name in ["QS", "AC", "9C", "9D", "9H", "JH", "JD", "JC"]]
    net.choosers[(first + 1) % 4] = wishing(in_order(thrown))
    return declaring(lambda: net, 30)


def in_order(order: list[Card]) -> Wish:
    def wish(action: Action) -> float:
        if isinstance(action, acts.Play) and action.card in order:
            return 9.0 - order.index(action.card)
        return passive(action)

    return wish


TRUE = partial(called, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S", 12)
FALSE = partial(called, SIX_TRUMPS, LED, acts.Closed, "8S", 2)

SPOILT_GAMES: dict[str, tuple[Game, str]] = {
    "spoilt-trump-down": (
        trump_down,
        "spoilt trumps, called wrongly over a trump face down in the first trick: its count turns "
        "it up, so that another opponent's row leaves it out",
    ),
    "spoilt-indicator-down": (
        indicator_down,
        "the same over the indicator, face down in the trick that is on: the trump maker counts it",
    ),
    "spoilt-indicator-kept": (
        indicator_kept,
        "shuffle=minimal: the same over an indicator that was shown, and is the only card left: no "
        "count names it, so that the next pack is not gathered",
    ),
    "absent-spoilt": (
        partial(left_then, TRUE, counting(1, 1)),
        "spoilt trumps, called rightly; an opponent leaves before its count: its hand is opened",
    ),
    "absent-spoilt-proved": (
        partial(left_then, TRUE, counting(1, 3)),
        "the same, but it has proved that it was dealt no trump: its hand is opened all the same",
    ),
    "absent-spoilt-partner": (
        partial(left_then, TRUE, counting(2, 1)),
        "the same, but the trump maker's partner leaves, which counts nothing: its hand is opened",
    ),
    "absent-spoilt-false": (
        partial(left_then, FALSE, counting(1, 1)),
        "spoilt trumps, called wrongly; an opponent with a trump leaves before its count: its hand "
        "is seen from then on, also once it has counted",
    ),
    "absent-spoilt-counted": (
        partial(left_then, FALSE, counting(1, 3)),
        "the same, but it has counted its cards itself: nothing is due of it",
    ),
    "absent-spoilt-maker": (
        partial(left_then, FALSE, counting(0, 0)),
        "the same, but the trump maker leaves before it has opened the indicator",
    ),
    "absent-spoilt-indicator": (
        partial(left_then, FALSE, counting(0, 1)),
        "the same, but the trump maker has opened the indicator itself: its hand alone is due",
    ),
    "absent-spoilt-down": (
        partial(left_then, indicator_down, counting(0, 0)),
        "the same, but the indicator lies face down in the trick that is on",
    ),
}
