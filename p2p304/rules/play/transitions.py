"""The order of a hand: which actions a phase takes, and what follows from them.

Responsible for the way from the first bid to the first lead. The play itself is left to effects.py,
claims to claims.py, the count to counting.py. A `Check` refuses and changes nothing; a `Commit`
changes the hand it is given and refuses nothing. What a hand that has come to its end is worth is
left to settlement.py; engine.py brings the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import HALF_COURT, PCC, Action
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import points_text
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import following
from p2p304.rules.legality import bids, public_checks
from p2p304.rules.play import claims, counting, effects
from p2p304.rules.state import auction as bidding
from p2p304.rules.state.hand import Hand

Check = Callable[[Hand, Any], None]
Commit = Callable[[Hand, Any], None]


def check(hand: Hand, action: Action) -> Commit:
    """Raise RuleBroken where public facts forbid an action; else what it does to the hand."""
    kind = type(action)
    step = _BY_PHASE[hand.phase].get(kind)
    if step is not None and action.seat == hand.turn:
        step[0](hand, action)
        return step[1]
    if kind in claims.CHECKS:
        claims.CHECKS[kind](hand, action)
        return claims.COMMITS[kind]
    if hand.phase is Phase.OVER:
        raise RuleBroken("hand.over", say("The hand is over"), action.seat)
    if action.seat != hand.turn:
        raise RuleBroken("turn", say("It is another player's turn"), action.seat)
    raise RuleBroken("phase", _INSTEAD[hand.phase], action.seat)


def commit_of(hand: Hand, action: Action) -> Commit:
    """What an action that `check` allows does to the hand."""
    step = _BY_PHASE[hand.phase].get(type(action))
    return claims.COMMITS[type(action)] if step is None else step[1]


def advance(hand: Hand, action: Action) -> None:
    """Change this hand by an action that `check` allows; what follows at its end is not settled."""
    seen = acts.public(action)
    commit_of(hand, seen)(hand, seen)
    hand.history.append(seen)


def _allow(hand: Hand, action: Action) -> None:
    """Public facts forbid nothing here."""


# Bidding


def _speak(hand: Hand, action: acts.Bid | acts.Pass) -> None:
    auction = hand.auction
    bidding.speak(hand.options, auction, action)
    hand.turn = auction.turn
    if auction.is_over:
        _end_round(hand)


def _ask(hand: Hand, action: acts.Ask) -> None:
    bidding.ask_partner(hand.options, hand.auction, action)
    hand.turn = hand.auction.turn


def _end_round(hand: Hand) -> None:
    auction, bidder, seats = hand.auction, hand.auction.bidder, hand.options.seats
    if bidder is not None:
        if auction.second:
            hand.taken_back, hand.indicator_down = hand.maker, False
        hand.maker, hand.bid, hand.turn = bidder, auction.high, bidder
        hand.phase = Phase.TRUMP8 if auction.full else Phase.TRUMP4
        if hand.bid in (PCC, HALF_COURT) and hand.options.partner == "across":
            # ``pcc.all``: a player who bids to win alone plays without partners.
            out = [seat for seat in hand.makers if seat != bidder]
            hand.playing = tuple(seat for seat in range(seats) if seat not in out)
            hand.next_seat = following(hand.playing, seats)
    elif auction.second:
        _prepare(hand)
    elif auction.courts:
        hand.auction = bidding.late_first_round(hand.options, hand.dealer)
        hand.phase, hand.turn = Phase.BID8, hand.auction.turn
    else:
        counting.void_hand(
            hand, say("All passed: nobody scores, and the next player deals."), hand.first
        )


def _check_redeal(hand: Hand, action: acts.Redeal) -> None:
    options = hand.options
    if not options.redeal15:
        raise RuleBroken("redeal.off", say("This table does not allow a redeal"), action.seat)
    if action.seat != hand.first or hand.auction.has_begun:
        why = say("Only the first player to bid can reject their cards, and only before bidding")
        raise RuleBroken("redeal.once", why, action.seat)
    if action.cards is not None:
        points = sum(options.pack.points[card] for card in action.cards)
        if len(action.cards) != options.batches[0] or points >= 15:
            limit = points_text(15, options.tenths)
            why = say("You can reject only cards worth less than {points} points", points=limit)
            raise RuleBroken("redeal.fifteen", why, action.seat)


def _redeal(hand: Hand, action: acts.Redeal) -> None:
    reason = say(
        "The first cards were worth less than {points} points. The same player deals again.",
        points=points_text(15, hand.options.tenths),
    )
    counting.void_hand(hand, reason, hand.dealer)


# From the trump to the first lead


def _lay_trump(hand: Hand, action: acts.LayTrump) -> None:
    hand.indicator_down = True
    options = hand.options
    if hand.phase is Phase.TRUMP4 and options.bid8 and hand.bid != HALF_COURT:
        hand.auction = bidding.second_round(options, hand.dealer, action.seat, hand.bid)
        hand.phase, hand.turn = Phase.BID8, hand.auction.turn
    else:
        _prepare(hand)


def _prepare(hand: Hand) -> None:
    """The indicator lies: what the trump maker has still to say before the first lead."""
    hand.turn = hand.maker
    if hand.options.partner == "called" and hand.called is None:
        hand.phase = Phase.PARTNER
    elif hand.options.stock == "exchange" and hand.phase is not Phase.EXCHANGE:
        hand.phase = Phase.EXCHANGE
    elif hand.options.hidden == "ask_reveal":
        _begin(hand, closed=True)
    else:
        hand.phase = Phase.DECLARE


def _check_call(hand: Hand, action: acts.Call) -> None:
    if action.card not in hand.options.pack.strength:
        why = say("{card} is not in this game's pack", card=action.card)
        raise RuleBroken("call.card", why, action.seat)


def _call_partner(hand: Hand, action: acts.Call) -> None:
    hand.called = action.card
    _prepare(hand)


def _check_exchange(hand: Hand, action: acts.Exchange) -> None:
    if action.cards is not None and len(set(action.cards)) != hand.options.stock_size:
        why = say("Exchange {n} cards, or keep your hand", n=hand.options.stock_size)
        raise RuleBroken("exchange.two", why, action.seat)


def _check_open(hand: Hand, action: acts.Open) -> None:
    if not hand.options.open_trump:
        raise RuleBroken("open.off", say("This table plays without open trump"), action.seat)
    if action.card is None:
        raise RuleBroken("open.shown", say("To play open trump, show your indicator"), action.seat)


def _open(hand: Hand, action: acts.Open) -> None:
    _begin(hand, closed=False)
    if action.card is not None:
        effects.show_indicator(hand, action.card)


def _begin(hand: Hand, closed: bool) -> None:
    hand.closed, hand.phase, hand.turn = closed, Phase.PLAY, hand.first_leader


_SPEAKING: Mapping[type, tuple[Check, Commit]] = {
    acts.Bid: (lambda h, said: bids.check_bid(h.options, h.auction, said), _speak),
    acts.Pass: (lambda h, said: bids.check_pass(h.options, h.auction, said.seat), _speak),
    acts.Ask: (lambda h, said: bids.check_ask(h.options, h.auction, said.seat), _ask),
}
_INSTEAD: Mapping[Phase, Phrase] = {
    Phase.BID4: say("You can't do that now: bid or pass"),
    Phase.TRUMP4: say("You can't do that now: choose your trump card"),
    Phase.BID8: say("You can't do that now: bid or pass"),
    Phase.TRUMP8: say("You can't do that now: choose your trump card"),
    Phase.PARTNER: say("You can't do that now: call a card for your partner"),
    Phase.EXCHANGE: say("You can't do that now: exchange cards or keep your hand"),
    Phase.DECLARE: say("You can't do that now: choose open or closed trump"),
    Phase.PLAY: say("You can't do that now: play a card"),
    Phase.SHOW: say("You can't do that now: show your indicator"),
    Phase.ANNOUNCE: say("You can't do that now: announce whether there was a cut"),
    Phase.COUNT: say("You can't do that now: the hand is being reviewed"),
}
"""The answer to an action that does not belong to the phase."""
_BY_PHASE: Mapping[Phase, Mapping[type, tuple[Check, Commit]]] = {
    Phase.BID4: {**_SPEAKING, acts.Redeal: (_check_redeal, _redeal)},
    Phase.TRUMP4: {acts.LayTrump: (_allow, _lay_trump)},
    Phase.BID8: _SPEAKING,
    Phase.TRUMP8: {acts.LayTrump: (_allow, _lay_trump)},
    Phase.PARTNER: {acts.Call: (_check_call, _call_partner)},
    Phase.EXCHANGE: {
        acts.Exchange: (_check_exchange, lambda hand, _: _prepare(hand)),
        acts.Keep: (_allow, lambda hand, _: _prepare(hand)),
    },
    Phase.DECLARE: {
        acts.Open: (_check_open, _open),
        acts.Closed: (_allow, lambda hand, _: _begin(hand, closed=True)),
    },
    Phase.PLAY: {
        acts.Play: (public_checks.check_play, effects.play_card),
        acts.Reveal: (public_checks.check_reveal, effects.ask_for_trumps),
        acts.Double: (public_checks.check_double, effects.double),
        acts.Marriage: (public_checks.check_marriage, effects.show_marriage),
    },
    Phase.SHOW: {acts.Show: (_allow, effects.show_on_demand)},
    Phase.ANNOUNCE: {acts.Announce: (public_checks.check_announce, effects.announce)},
    Phase.OVER: {},
    Phase.COUNT: {acts.Count: (counting.check_count, counting.open_cards)},
}
