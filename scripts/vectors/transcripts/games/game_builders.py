"""Tables with stacked packs or with players who want something, as transcripts need them.

Responsible for how such a game comes about; sound_games.py says which games are recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from p2p304.bots.club import ClubBot
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action
from p2p304.rules.core.cards import by_suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from tests.support.cheats.games import (
    SIX_TRUMPS,
    WHOLE_SUIT,
    dealt,
    leading,
    passive,
    trump_maker,
    wishing,
)
from tests.support.table import simnet, stacked
from tests.support.table.leaving_games import MOMENTS, RULES, twice_reordered

AFTER_DOUBLE = 42
"""A place within the trick before which the trump maker has doubled."""
AFTER_CALL = 51
"""A place in the trick after one before which the trump maker has called Caps."""
Game = Callable[[], simnet.Net]
LED = "JH JS 9S AS TS KS 9H"


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
    order = [card(name) for name in LED.split()]
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
    net = trump_maker(SIX_TRUMPS, LED, acts.Closed, "8S", away="playout")
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
    order = [card(name) for name in LED.split()]
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


SIX = partial(trump_maker, SIX_TRUMPS, LED, acts.Closed, "8S")
