"""Games in which the cheats of the catalogue get their chances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from p2p304.bots.club import ClubBot
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card, card
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from tests.support.table import simnet, stacked
from tests.support.table.leaving_games import LEAVING

Wish = Callable[[Action], float]


def wishing(wish: Wish) -> simnet.Chooser:
    """The legal action that is wished for most; of equals the first as text."""

    def choose(view: View) -> Action:
        return max(legal(view), key=wish)

    return choose


def passive(action: Action) -> float:
    """Passes, and plays what it must."""
    return 1.0 if isinstance(action, acts.Pass) else 0.0


def leading(order: Sequence[Card], how: type[Action], lay: Card) -> Wish:
    """Bids 160, lays this indicator, declares so, and plays its cards in this order."""

    def wish(action: Action) -> float:
        match action:
            case acts.Bid(amount=160) | acts.Pass():
                return 2.0 if isinstance(action, acts.Bid) else 1.0
            case acts.LayTrump(card=c):
                return 1.0 if c is lay else 0.0
            case Play(card=c) if c in order:
                return float(len(order) - order.index(c))
        return 0.5 if isinstance(action, how) else 0.0

    return wish


def dealt(maker: str, options: dict[str, str] | None = None) -> tuple[stacked.Hands, int]:
    """Hands in which the seat to the dealer's right holds these cards; spades go round from its
    right, whatever is left after them."""
    chosen = stacked.rules(**(options or {}))
    own = [card(name) for name in maker.split()]
    rest = [c for c in chosen.pack.cards if c not in own]
    first = (stacked.dealer_of(1, chosen) + 1) % 4
    hands: list[list[Card]] = [[], [], [], []]
    hands[first] = own
    for number, each in enumerate(rest):
        hands[(first + 1 + number % 3) % 4].append(each)
    return hands, first


def trump_maker(cards: str, order: str, how: type[Action], lay: str, **options: str) -> simnet.Net:
    """One hand of a trump maker who leads first, against three who pass."""
    hands, first = dealt(cards, options)
    net = stacked.make(hands, options=stacked.rules(**options))
    net.choosers = [wishing(passive)] * 4
    wanted = [card(name) for name in order.split()]
    net.choosers[first] = wishing(leading(wanted, how, card(lay)))
    return net


def calling(game: Callable[[], simnet.Net], after: int) -> simnet.Net:
    """A game whose players call Caps once so many tricks are settled and they can."""
    net = game()

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            for table in net.tables:
                table._pending_claim.calls = view.hand.completed_count >= after
            return choose(view)

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    return net


def declaring(game: Callable[[], simnet.Net], after: int) -> simnet.Net:
    """A game in which the player after the trump maker declares trumps spoilt, when so many cards
    are played: rightly or not."""
    net = game()

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            hand = view.hand
            if isinstance(choice := choose(view), Play) and hand.maker is not None:
                caller = net.tables[(hand.maker + 1) % 4]
                played = sum(len(trick.plays) for trick in hand.tricks)
                if played == after and caller.state is not None and view.seat != caller.seat:
                    caller._pending_claim.request(acts.Spoilt(caller.seat))
            return choice

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    return net


def bots(name: str, seed: int) -> simnet.Net:
    """Two hands of a preset among club bots."""
    rules = GATHERING if name == "gathering" else preset(name)
    net = simnet.make(seed, hands=2, rules=rules)
    net.choosers = [ClubBot().choose] * rules.seats
    return net


NOBODY_PASSES = {"all_pass": "dealer_forced", "redeal15": "off", "pcc": "off", "caps": "off"}
GATHERING = preset("pagat").override({"shuffle": "minimal", **NOBODY_PASSES})
VARIANTS = ("gathering", "online-2", "online-3", "online-4", "maharashtra")
WHOLE_SUIT = "JS 9S AS TS KS QS 8S 7S"
SIX_TRUMPS = "JS 9S AS TS KS 8S JH 9H"

FURTHER: dict[str, Callable[[], simnet.Net]] = {
    "open": partial(simnet.make, 3),
    **{
        f"{name} {seed}": partial(bots, name, seed)
        for name, seed in (("online-3", 1), ("online-4", 1), ("maharashtra", 1), ("maharashtra", 5))
    },
    **{f"closed {seed}": partial(simnet.make_closed, seed) for seed in (7, 8, 9, 10, 11, 12)},
}
"""Played only for a cheat that finds no chance in the games before them."""

GAMES: dict[str, Callable[[], simnet.Net]] = {
    **{f"closed {seed}": partial(simnet.make_closed, seed) for seed in (3, 6, 5, 2)},
    "high bids": partial(simnet.make, 1),
    "only trumps": partial(trump_maker, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S"),
    "exhausted, closed": partial(
        trump_maker, SIX_TRUMPS, "JH JS 9S AS TS KS 9H", acts.Closed, "8S"
    ),
    "exhausted, open": partial(trump_maker, SIX_TRUMPS, "JS 9S AS TS KS JH 9H", acts.Open, "8S"),
    "caps": partial(
        calling, partial(trump_maker, SIX_TRUMPS, "JH JS 9S AS TS KS 9H", acts.Closed, "8S"), 3
    ),
    "caps, trumps alone": partial(
        calling, partial(trump_maker, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S"), 4
    ),
    "spoilt": partial(declaring, partial(trump_maker, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S"), 12),
    "spoilt, seen": partial(
        declaring, partial(trump_maker, SIX_TRUMPS, "JS 9S AS TS KS JH 9H", acts.Open, "8S"), 6
    ),
    "spoilt, false": partial(
        declaring, partial(trump_maker, SIX_TRUMPS, "JH JS 9S AS TS KS 9H", acts.Closed, "8S"), 2
    ),
    **{
        f"{name} {seed}": partial(bots, name, seed)
        for name, seed in (("gathering", 1), ("online-2", 1), ("online-3", 2), ("maharashtra", 4))
    },
    **LEAVING,
    **FURTHER,
}
"""By name, in the order in which cheats try them."""
