"""Whole tables for protocol/transcripts: at least one for every option that changes the protocol.

Responsible for which games these are; scripts/vectors/table.py writes them.
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
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from scripts.vectors.transcripts.spoilt_games import SPOILT_GAMES, Game
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
from tests.support.table.leaving_games import (
    MOMENTS,
    RULES,
    left,
    left_then,
    of_maker_again,
    of_second_inspected,
    twice_reordered,
)

AFTER_DOUBLE = 42
"""A place within the trick before which the trump maker has doubled."""
AFTER_CALL = 51
"""A place in the trick after one before which the trump maker has called Caps."""
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


def left_in_bidding(second: bool) -> simnet.Net:
    """The player who has made the first bid of a round leaves before the round is over."""
    rules = preset("pagat").override({"away": "replace", "external_caps": 8})
    whole = twice_reordered(rules)
    whole.run()
    for place, replayed in enumerate(Replay(whole.transcripts[0])):
        hand = replayed.state.hand
        auction = None if hand is None else hand.auction
        if auction is not None and auction.second is second and auction.bidder is not None:
            net = twice_reordered(rules)
            net.part(replayed.state.player_on(auction.bidder), place + 1)
            return net
    raise LookupError("nobody bids in this round")


def left_owing(place: int) -> simnet.Net:
    """An opponent of a trump maker that is to call Caps after the first trick leaves before this
    place."""
    net = trump_maker(SIX_TRUMPS, SIX_LED, acts.Closed, "8S", away="playout")
    net.part(2, place)
    return net


def of_last_to_speak(state: TableState) -> int | None:
    """The dealer leaves when nobody has bid, and it is to speak last."""
    player = MOMENTS["bid"](state)
    is_dealer = state.hand is not None and player == state.player_on(state.hand.dealer)
    return player if is_dealer else None


def all_pass(seed: int) -> simnet.Net:
    """A game of players who pass, where the last to speak must bid."""
    net = simnet.make(seed, rules=RULES.override({"all_pass": "dealer_forced", "redeal15": "off"}))
    net.choosers = [wishing(passive)] * 4
    return net


def of_idle(state: TableState) -> int | None:
    """Whose hand lies idle once Partner Close Caps is bid."""
    hand = state.hand
    if hand is None or hand.maker is None or hand.bid != PCC:
        return None
    return state.player_on((hand.maker + 2) % 4)


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


def called_early_and_left(away: str, who: int) -> simnet.Net:
    """A trump maker that has inspected a card of player 2's calls Caps at once, and this player
    leaves after a trick more. With ``replace`` what the call named of that card is not played or
    counted."""
    net = closed("pagat", 1, away=away)

    def choosing(choose: simnet.Chooser) -> simnet.Chooser:
        def chosen(view: View) -> Action:
            hand = view.hand
            if hand.phase is Phase.PLAY and hand.caps is None and view.known:
                order = {*view.cards, *filter(None, [view.indicator])}
                return acts.Caps(view.seat, tuple(by_suit(order, hand.options.pack)))
            return choose(view)

        return chosen

    net.choosers = [choosing(choose) for choose in net.choosers]
    net.part(who, AFTER_CALL)
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
    "tenths": (partial(closed, "tenths", 1), "the game of tenths, closed: a side has won a game"),
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
    **SPOILT_GAMES,
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
    "absent-caps-owed": (
        partial(left_owing, 38),
        "played out: the trump maker was due to call Caps, its time was over at the parting: 2",
    ),
    "absent-caps-in-time": (
        partial(left_owing, 36),
        "played out: the trump maker could still have called Caps in time, and pays nothing for it",
    ),
    "absent-outbid": (
        partial(left_then, partial(twice_reordered, seed=5), MOMENTS["indicator"]),
        "played out: an absent player lays a card that all have seen, and is outbid",
    ),
    "absent-first": (
        partial(left_then, partial(closed, "six-24", 10, away="playout"), MOMENTS["bid"]),
        "played out: the absent player must bid first, and bids 200; of three tens in three suits "
        "it lays the first in the pack as indicator",
    ),
    "absent-forced": (
        partial(left_then, partial(all_pass, 2), of_last_to_speak),
        "played out: the absent player must bid last, and bids 160; its indicator is of its only "
        "suit of two cards",
    ),
    "absent-idle": (
        partial(
            left_then, partial(wanting, partial(simnet.make, 1, rules=RULES), bids(PCC)), of_idle
        ),
        "played out: the absent player's hand lies idle, and stays closed",
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
    "caps-early-left": (
        partial(called_early_and_left, "replace", 2),
        "an early call of Caps by the trump maker, which names a card that it inspected; then a "
        "player leaves",
    ),
    "absent-caps-seen": (
        partial(called_early_and_left, "playout", 2),
        "the same, played out: the card that the call has named is opened at its owner's count, in "
        "the owner's place",
    ),
    "absent-caps-other": (
        partial(called_early_and_left, "playout", 3),
        "the same, but another player leaves: the owner proves the card when it counts",
    ),
    "absent-caps-caller": (
        partial(called_early_and_left, "playout", 1),
        "the same, but the caller leaves: its seat plays the stated order; no card of it is due",
    ),
    "short-tokens": (
        partial(wanting, partial(closed, "maharashtra", 7, tokens=5), bids(160)),
        "a player who stands alone owes two to each of three, and has five: 1 for each in "
        "proportion, and the other 2 for the first",
    ),
    "bid-left": (
        partial(left_in_bidding, second=False),
        "external_caps=8: the player who has bid highest so far leaves, 8 and 2 more",
    ),
    "outbid-left": (
        partial(left_in_bidding, second=True),
        "the same in the second round: the new bid and its bidder count, not the old ones",
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
