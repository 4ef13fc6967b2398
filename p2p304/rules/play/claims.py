"""Claims: Caps and spoilt trumps, which a player may call out of turn.

Responsible for which seat may claim when, and for what a call of Caps binds its caller to. Which
cards a claim makes players open is left to counting.py, what it is worth to settlement.py, and
whether Caps could be called to caps/solver.py. It sees nothing but what the table sees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.caps.solver import could_call
from p2p304.rules.core import actions as acts
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play import counting
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options


def may_claim(hand: Hand) -> tuple[Seat, ...]:
    """Seats for which some claim is open now; none where nobody has anything to do any more."""
    if hand.turn is None:
        return ()
    seats = range(hand.options.seats)
    return tuple(s for s in seats if any(may_make(hand, s, claim) for claim in _FORBIDDEN))


CAPS, SPOILT = "caps", "spoilt"
"""What a claim is called."""


def may_make(hand: Hand, seat: Seat, claim: str) -> bool:
    """Whether this claim is open to this seat now."""
    return _forbidden(hand, seat, claim) is None


def check_open(hand: Hand, action: acts.Claim) -> None:
    """Raise RuleBroken where this claim is not open to its seat now."""
    name = CAPS if isinstance(action, acts.Caps) else SPOILT
    broken = _forbidden(hand, action.seat, name)
    if broken is not None:
        raise broken


def may_be_due(hand: Hand, seat: Seat) -> bool:
    """Whether a call of Caps could be due for this seat: its side has won every trick."""
    return may_make(hand, seat, CAPS) and has_won_all(hand, seat)


def _forbidden(hand: Hand, seat: Seat, claim: str) -> RuleBroken | None:
    """Why this claim is not open to this seat now, or None."""
    return _claim_forbidden(hand, seat, claim) or _FORBIDDEN[claim](hand, seat)


def _claim_forbidden(hand: Hand, seat: Seat, claim: str) -> RuleBroken | None:
    """``claims.from``: during play, by those who play."""
    if hand.phase is Phase.OVER:
        return RuleBroken("hand.over", say("The hand is over"), seat)
    if hand.phase is not Phase.PLAY:
        if not _is_played(hand.options, claim):
            return RuleBroken("claims.from", _NOT_PLAYED[claim], seat)
        why = say("You can call Caps or spoilt trumps only while cards are played")
        return RuleBroken("claims.from", why, seat)
    if seat not in hand.playing:
        return RuleBroken(
            "claims.from", say("Your partner plays alone: you can't call anything"), seat
        )
    if hand.claims_end is not None:
        why = say(
            "Nobody can call Caps or spoilt trumps in a hand that is played out without a player"
        )
        return RuleBroken("playout.claims", why, seat)
    return None


_NOT_PLAYED: Mapping[str, Phrase] = {
    CAPS: say("This table plays without Caps"),
    SPOILT: say("This table plays without a call of spoilt trumps"),
}


def _is_played(options: Options, claim: str) -> bool:
    """Whether players make this claim in a game with these options."""
    return options.caps != "off" if claim == CAPS else options.spoilt not in ("off", "auto")


def _caps_forbidden(hand: Hand, seat: Seat) -> RuleBroken | None:
    if not _is_played(hand.options, CAPS):
        return RuleBroken("caps.off", _NOT_PLAYED[CAPS], seat)
    if hand.bids_all_tricks:
        why = say("You can't call Caps in a contract to win every trick")
        return RuleBroken("claims.from", why, seat)
    if not hand.owes_caps(seat):
        why = say("Only the trump maker's side can call Caps at this table")
        return RuleBroken("external", why, seat)
    if hand.caps is not None:
        return RuleBroken("caps.side", say("Caps was already called in this hand"), seat)
    if hand.cards_left(seat) == 0 and not hand.has_lying_indicator(seat):
        return RuleBroken("caps.empty", say("You have no card left to call Caps with"), seat)
    return None


def _spoilt_forbidden(hand: Hand, seat: Seat) -> RuleBroken | None:
    if not _is_played(hand.options, SPOILT):
        return RuleBroken("spoilt.off", _NOT_PLAYED[SPOILT], seat)
    if hand.options.spoilt == "opponents" and seat in hand.makers:
        return RuleBroken(
            "spoilt.who", say("Only the trump maker's opponents can call spoilt trumps"), seat
        )
    last = hand.trick is not None and hand.completed_count == hand.tricks_due - 1
    if hand.options.spoilt_until == "trick8" and last:
        return RuleBroken("spoilt.until", say("It is too late: the last trick has begun"), seat)
    return None


_FORBIDDEN = {CAPS: _caps_forbidden, SPOILT: _spoilt_forbidden}


# Caps


def _check_caps(hand: Hand, action: acts.Caps) -> None:
    check_open(hand, action)
    cards, lies = set(action.order), hand.has_lying_indicator(action.seat)
    left = hand.cards_left(action.seat) + lies
    whole = len(action.order) == len(cards) == left and cards <= hand.options.pack.strength.keys()
    if not whole or any(card.bit & hand.face_up_bits for card in cards):
        why = say("A call of Caps must name all the caller's remaining cards in order")
        raise RuleBroken("caps.order", why, action.seat)
    if action.indicator not in cards if lies else action.indicator is not None:
        why = say("The order must include the caller's indicator if it lies on the table")
        raise RuleBroken("caps.order", why, action.seat)
    if {(n, s) for n, s, _ in action.known} != known_places(hand, action.seat):
        why = say("A call of Caps must include all face-down cards that the caller knows")
        raise RuleBroken("caps.known", why, action.seat)


def known_places(hand: Hand, seat: Seat) -> set[tuple[int, Seat]]:
    """Tricks (from 0) and seats of the face-down cards that this seat knows and the table
    does not: its own, and as trump maker those inspected in settled tricks."""
    return {
        (number, play.seat)
        for number, trick in enumerate(hand.tricks)
        for play in trick.plays
        if play.card is None
        and (play.seat == seat or (seat == hand.maker and trick.winner is not None))
    }


def _call_caps(hand: Hand, action: acts.Caps) -> None:
    """A call that could be made ends the hand; any other binds its caller."""
    hand.caps, hand.caps_after, hand.caps_at = action, hand.completed_count, len(hand.history)
    known = {(number, seat): card for number, seat, card in action.known}
    try:
        knows = knowledge(hand, action.seat, frozenset(action.order), known, action.indicator)
        ends = could_call(knows, action.order)
    except CapsError:
        # Where no legal play explains what happened, nothing is certain to win.
        ends = False
    if ends:
        hand.ending = action
        hand.opened = {action.seat: action.order}
        for number, seat, card in action.known:
            if seat == action.seat:
                counting.uncover(hand, number, seat, card)
        counting.continue_count(hand)


# Spoilt trumps


def _call_spoilt(hand: Hand, action: acts.Spoilt) -> None:
    hand.ending = action
    counting.continue_count(hand)


Check = Callable[[Hand, Any], None]
CHECKS: Mapping[type, Check] = {acts.Caps: _check_caps, acts.Spoilt: check_open}
COMMITS: Mapping[type, Check] = {acts.Caps: _call_caps, acts.Spoilt: _call_spoilt}
