"""Whole tables for protocol/transcripts: at least one for every option that changes the protocol.

Responsible for which games these are; table.py writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from p2p304.bots.club import ClubBot
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC, Action
from p2p304.rules.core.cards import by_suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from tests.support.cheats.games import (
    GAMES,
    SIX_TRUMPS,
    WHOLE_SUIT,
    calling,
    dealt,
    declaring,
    leading,
    passive,
    trump_maker,
    wishing,
)
from tests.support.table import simnet, stacked
from tests.support.table.leaving_games import MOMENTS, left, of_maker_again, of_second_inspected

Game = Callable[[], simnet.Net]
AFTER_DOUBLE = 42
"""A place within the trick before which the trump maker has doubled."""
SIX_LED = "JH JS 9S AS TS KS 9H"


def club(name: str, seed: int) -> simnet.Net:
    """One hand of a preset among club bots."""
    rules = preset(name)
    net = simnet.make(seed, rules=rules)
    net.choosers = [ClubBot().choose] * rules.seats
    return net


def closed(name: str, seed: int, **options: str | int) -> simnet.Net:
    """One hand of a preset whose players bid low and play closed."""
    return simnet.make_closed(seed, rules=preset(name).override(options))


def wanting(game: Game, wanted: Callable[[Action], bool]) -> simnet.Net:
    """A game in which every player does what is wanted wherever it can."""
    net = game()

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            return next(filter(wanted, legal(view)), None) or choose(view)

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    return net


def bids(amount: int) -> Callable[[Action], bool]:
    return lambda action: isinstance(action, acts.Bid) and action.amount == amount


def rejects(action: Action) -> bool:
    return isinstance(action, acts.Redeal)


def doubles(action: Action) -> bool:
    return isinstance(action, acts.Double)


def low_cards() -> simnet.Net:
    """The first to speak has a first batch of five points."""
    hands, _ = dealt("QS KS 8S 7S JS 9S AS TS")
    return stacked.make(hands)


def without_open_trump() -> simnet.Net:
    """A trump maker who leads first with closed trumps, where open trump is not played."""
    options = {"open_trump": "off"}
    hands, first = dealt(SIX_TRUMPS, options)
    net = stacked.make(hands, options=stacked.rules(**options))
    net.choosers = [wishing(passive)] * 4
    order = [card(name) for name in SIX_LED.split()]
    net.choosers[first] = wishing(leading(order, acts.Closed, card("8S")))
    return net


def trump_maker_wins_all(bid: int, who_leaves: int | None = None) -> simnet.Net:
    """The trump maker bids so much, holds all trumps and doubles where it can. With ``who_leaves``
    a player leaves after the double: the one on this seat from the trump maker's."""
    options = {"double": "on", "full_court": "on", "deal": "all_first", "away": "replace"}
    hands, first = dealt(WHOLE_SUIT, options)
    net = stacked.make(hands, options=stacked.rules(**options))
    net.choosers = [wishing(passive)] * 4
    net.choosers[first] = wishing(
        lambda action: 2.0 * (doubles(action) or bids(bid)(action)) + isinstance(action, acts.Open)
    )
    if who_leaves is not None:
        net.part((first + who_leaves) % 4, AFTER_DOUBLE)
    return net


def gathered_after_claim() -> simnet.Net:
    """A call of Caps in time ends the first hand; the second hand's pack is gathered."""
    rules = stacked.rules(shuffle="minimal", all_pass="dealer_forced", redeal15="off", pcc="off")
    hands, first = dealt(SIX_TRUMPS)
    net = stacked.make(hands, options=rules, played=2)
    net.choosers = [wishing(passive)] * 4
    order = [card(name) for name in SIX_LED.split()]
    net.choosers[first] = wishing(leading(order, acts.Closed, card("8S")))
    return net


def called_early(game: Game) -> simnet.Net:
    """A game in which an opponent of the trump maker calls Caps after the first trick."""
    net = game()

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            hand = view.hand
            begun = hand.phase is Phase.PLAY and hand.completed_count >= 1
            if begun and hand.caps is None and view.seat != hand.maker:
                return acts.Caps(view.seat, tuple(by_suit(view.cards, hand.options.pack)))
            return choose(view)

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    return net


def called_last(game: Game) -> simnet.Net:
    """A game in which a player with one card left calls Caps, if its side has won every trick and a
    card of its own lies face down."""
    net = game()

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            hand, side = view.hand, view.hand.options.account(view.seat)
            plays = [trick.by(view.seat) for trick in hand.completed_tricks]
            has_down = any(play is not None and play.card is None for play in plays)
            won = {hand.options.account(trick.winner or 0) for trick in hand.completed_tricks}
            may = hand.phase is Phase.PLAY and view.seat != hand.maker and hand.caps is None
            if may and has_down and won == {side} and len(view.cards) == 1:
                return acts.Caps(view.seat, tuple(view.cards))
            return choose(view)

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    return net


SIX = partial(trump_maker, SIX_TRUMPS, SIX_LED, acts.Closed, "8S")

SOUND_GAMES: dict[str, tuple[Game, str]] = {
    "closed": (GAMES["closed 3"], "closed trumps: cards are inspected and announced"),
    "exhausted": (SIX, "the trump maker leads first, closed, and has exhausted trumps"),
    "no-open-trump": (without_open_trump, "open_trump=off: a first lead proved in two ways"),
    "reveal-all": (
        partial(closed, "catsatcards", 29, external_caps="plus_one"),
        "reveal=all: a cut turns up all cards",
    ),
    "outbid": (GAMES["twice"], "a superseded indicator; shared keys, and nobody leaves"),
    "shown-early": (
        GAMES["high bids"],
        "a bid over 250, closed: the indicator is shown after trick 1",
    ),
    "drawn-seats": (partial(closed, "pagat", 4, seating="draw"), "seating=draw"),
    "rejected": (partial(wanting, low_cards, rejects), "a rejected batch, and the next deal"),
    "pcc": (partial(wanting, partial(simnet.make, 1), bids(PCC)), "Partner Close Caps"),
    "half-court": (
        partial(wanting, partial(closed, "half-court", 1), bids(HALF_COURT)),
        "half court: one batch",
    ),
    "full-court": (
        partial(wanting, partial(club, "maharashtra", 10), bids(FULL_COURT)),
        "maharashtra: full court with a called partner, and a marriage",
    ),
    "called-partner": (partial(club, "maharashtra", 4), "maharashtra: a called partner, closed"),
    "double": (partial(wanting, partial(club, "tamil-304", 1), doubles), "all cards first; double"),
    "double-left": (
        partial(trump_maker_wins_all, 160, 2),
        "the trump maker has doubled, and its partner leaves: what the bid loses, 1 and 2 more",
    ),
    "double-left-by-other": (
        partial(trump_maker_wins_all, 160, 1),
        "the trump maker has doubled, and an opponent leaves: what the bid wins, 1 and 2 more",
    ),
    "court-open": (
        partial(trump_maker_wins_all, FULL_COURT),
        "a full court with double=on, where nobody may double",
    ),
    "six-24": (partial(club, "six-24", 1), "six players"),
    "gathered": (GAMES["gathering 1"], "shuffle=minimal: the second hand's pack is gathered"),
    "gathered-after-claim": (
        partial(calling, gathered_after_claim, 3),
        "shuffle=minimal: the first hand ends by a call of Caps, and the pack is gathered after it",
    ),
    "stock": (partial(club, "online-2", 4), "two players who draw cards; trumps are asked for"),
    "exchange": (partial(club, "online-3", 2), "three players; two cards are exchanged"),
    "online-4": (partial(club, "online-4", 1), "four players; trumps are asked for"),
    "caps-in-time": (partial(calling, SIX, 0), "a call of Caps on a receipt, in time"),
    "caps-late": (partial(calling, SIX, 3), "a call of Caps on a receipt, late"),
    "caps-early": (partial(called_early, GAMES["closed 5"]), "an early call, and a trick lost"),
    "spoilt": (GAMES["spoilt"], "spoilt trumps, called rightly on a receipt; the next deal"),
    "spoilt-false": (GAMES["spoilt, false"], "spoilt trumps, called wrongly on a receipt"),
    "spoilt-late": (
        partial(declaring, partial(trump_maker, WHOLE_SUIT, WHOLE_SUIT, acts.Open, "7S"), 30),
        "spoilt trumps, called when the caller has no card left to open",
    ),
    "absent-unlocker": (partial(left, MOMENTS["unlock"]), "played out from the deal on"),
    "absent-inspected": (
        partial(left, MOMENTS["inspect"]),
        "played out: the trump maker is shown an absent player's card",
    ),
    "absent-second-inspected": (
        partial(left, of_second_inspected),
        "played out: another player shows a card before the absent one",
    ),
    "absent-shown-again": (
        partial(left, of_maker_again),
        "played out: an absent trump maker that was shown cards in two tricks",
    ),
    "absent-counting": (partial(left, MOMENTS["count"]), "played out: only the count is left"),
    "caps-face-down": (
        partial(called_last, partial(closed, "six-24", 39)),
        "a call of Caps ends the hand; the caller has a card face down, and counts nothing",
    ),
    "caps-early-down": (
        partial(called_early, partial(closed, "pagat", 14)),
        "an early call of Caps; the caller plays cards face down, and counts them without proofs",
    ),
    "short-tokens": (
        partial(closed, "maharashtra", 3, tokens=1),
        "four accounts: a player who stands alone cannot pay all",
    ),
}


def sound_transcripts() -> dict[str, tuple[bytes, str, str | None, str]]:
    """File name to bytes, verdict, check and comment."""
    made: dict[str, tuple[bytes, str, str | None, str]] = {}
    for name, (game, comment) in SOUND_GAMES.items():
        net = game()
        net.run()
        whole = net.transcripts[0] or net.transcripts[1]
        made[f"{name}.304"] = (whole, "sound", None, comment)
    return made
