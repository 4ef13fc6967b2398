"""When a bot claims: Caps as soon as it is due, spoilt trumps when they are certain and welcome.

Responsible for the decision in practice games, where nobody else makes it. At a table the program
of each player searches for Caps (table/player/pending_claim.py); a bot asks here for spoilt trumps.
"""

from __future__ import annotations

from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER
from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.caps.solver import find_order
from p2p304.rules.core import actions as acts
from p2p304.rules.core.phase import Phase
from p2p304.rules.play import claims
from p2p304.rules.play.view import View, known_to
from p2p304.rules.records.referee import Referee


def claim_due(referee: Referee) -> acts.Claim | None:
    """Return the claim that some seat makes now, or None."""
    hand = referee.hand
    if hand.phase is not Phase.PLAY or hand.caps is not None:
        return None
    for seat in hand.playing:
        if claims.may_be_due(hand, seat):
            order = caps_order(referee.view(seat))
            if order is not None:
                return order
        if wants_spoilt(referee.view(seat)):
            return acts.Spoilt(seat)
    return None


def caps_order(view: View) -> acts.Caps | None:
    """Return the call of Caps that is due, or None, by the exact search."""
    try:
        order = find_order(known_to(view))
    except CapsError:
        return None
    if order is None:
        return None
    return acts.Caps(
        view.seat, order, tuple(sorted(view.known, key=lambda k: k[:2])), view.indicator
    )


def wants_spoilt(view: View) -> bool:
    """Whether spoilt trumps are certain for this seat, and it gains by them: an opponent of the
    trump maker would nearly always lose such a hand, the trump maker's side win it."""
    hand = view.hand
    opposes = hand.maker is not None and view.seat not in hand.makers
    return opposes and claims.may_make(hand, view.seat, claims.SPOILT) and is_spoilt(view)


def is_spoilt(view: View) -> bool:
    """Whether this seat knows that no opponent of the trump maker was dealt a trump."""
    hand, trump = view.hand, view.trump
    if trump is None or hand.maker is None:
        return False
    try:
        known = known_to(view)
    except CapsError:
        return False
    number = SUIT_NUMBER[trump]
    trumps = SUIT_CARDS[number]
    if any(
        not put.card and not put.barred >> number & 1 and put.seat not in hand.makers
        for put in known.trick
    ):
        return False
    left = known.unseen & trumps
    for seat in hand.playing:
        if seat in hand.makers:
            continue
        if seat == view.seat and known.mine & trumps:
            return False
        if left and known.room[seat] and not known.barred[seat] >> number & 1:
            return False
    own = {(n, s): card for n, s, card in view.known}
    for n, play in hand.numbered_plays:
        card = play.card or own.get((n, play.seat))
        if card is not None and card.suit is trump and play.seat not in hand.makers:
            return False
    return True
