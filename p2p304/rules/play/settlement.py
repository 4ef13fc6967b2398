"""The result of a played hand: the bid made or failed, Caps and spoilt trumps judged, and paid.

Responsible for every sentence of a result and for the side that wins by it. The amounts are left to
state/scoring.py; whether Caps was due or could be called, to caps_judgement.py; which cards are
opened first, to counting.py. It changes no hand.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.caps.knowledge import CapsError
from p2p304.rules.core import actions as acts
from p2p304.rules.core.notation import amount_text, points_text
from p2p304.rules.core.phrases import Phrase, Seats, say
from p2p304.rules.core.seats import Seat, Side, names
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play.caps_judgement import Claim, Ruled, Verdict, missed_before, ruling
from p2p304.rules.play.counting import hands_as_dealt, indicator_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import CapsRuling, Result, payment, void_result, won_and_lost

VIOLATION = 2
"""Tokens that a violation costs beyond the winnings (``violation.pay``)."""
WRONG_CAPS = 2
FAILED_CAPS = 5
EXTERNAL_CAPS = 8


@dataclass(frozen=True, slots=True)
class Charge:
    """Why a side pays as for a violation, in a sentence where the hand counts (``paid``) and one
    where it is void besides; in each the ``winners`` are still to be filled in."""

    paid: Phrase
    void: Phrase


def result_of(hand: Hand) -> Result:
    """What a hand that was played, and counted, is worth."""
    if isinstance(hand.ending, acts.Spoilt):
        return _spoilt_result(hand, hand.ending.seat)
    if hand.options.spoilt == "auto" and _is_spoilt(hand):
        return _spoilt_void(hand)
    return _with_caps(hand, _bid_result(hand))


def makers_and_others(hand: Hand) -> tuple[list[Side], list[Side]]:
    """The accounts of the trump maker's side, and all others."""
    mine = sorted({hand.options.account(seat) for seat in hand.makers})
    return mine, [a for a in range(hand.options.accounts) if a not in mine]


def _bid_result(hand: Hand) -> Result:
    """What the bid alone, or double, is worth."""
    makers, others = makers_and_others(hand)
    points = _points(hand)
    if hand.doubled is not None:
        return _double_result(hand, hand.options.account(hand.doubled), points)
    made, how = _made(hand, makers, points)
    won, lost = won_and_lost(hand.options, hand.bid)
    reason = how.filled(side=hand.options.together(makers))
    tokens = payment(hand.options, makers if made else others, won if made else lost)
    return Result(False, tokens, reason, hand.first, points, made)


def _points(hand: Hand) -> tuple[int, ...]:
    """Card points by account; a call of Caps that ended the hand takes every card."""
    if hand.ending is None:
        return hand.points
    return _all_to(hand, [hand.options.account(hand.ending.seat)])


def _made(hand: Hand, makers: list[Side], points: tuple[int, ...]) -> tuple[bool, Phrase]:
    """Whether the bid succeeded, and a sentence on what was bid and reached by the ``side``."""
    if hand.bids_all_tricks:
        wins = (hand.options.account(t.winner) for t in hand.tricks if t.winner is not None)
        made, bid = all(account in makers for account in wins), _NAMED[amount_text(hand.bid)]
        return made, say("{side} made {bid}." if made else "{side} failed {bid}.", bid=bid)
    tenths = hand.options.tenths
    extra = _extra(hand, makers)
    reached = sum(points[account] for account in makers)
    made = reached + extra >= hand.bid
    how = say(
        "{side} made {bid} with {points} points."
        if made
        else "{side} failed {bid} with {points} points."
    )
    if extra:
        how = say(
            "{side} made {bid} with {points} points and {extra} for marriages and the last trick."
            if made
            else "{side} failed {bid} with {points} points and {extra} for marriages and the last "
            "trick."
        )
    how = how.filled(bid=amount_text(hand.bid, tenths), points=points_text(reached, tenths))
    shown = "+" * (extra > 0) + points_text(extra, tenths)
    return made, how.filled(extra=shown) if extra else how


_NAMED = {"pcc": "Partner Close Caps", "halfcourt": "half court", "fullcourt": "full court"}


def _extra(hand: Hand, makers: list[Side]) -> int:
    """``marriage.points``, ``last.trick``: what helps or hinders the trump maker's side."""
    extra = 0
    for seat, suit in hand.marriages:
        worth = 40 if suit is hand.trump else 20
        extra += worth if hand.options.account(seat) in makers else -worth
    # A claim that ended the hand took the tricks that were not played, the last among them.
    last = hand.tricks[-1].winner if hand.ending is None else hand.ending.seat
    if last is not None and hand.options.account(last) in makers:
        extra += hand.options.last_trick
    return extra


def _double_result(hand: Hand, side: Side, points: tuple[int, ...]) -> Result:
    """``double.pays``: every trick for one token more, or a failed bid and one more."""
    makers, others = makers_and_others(hand)
    won, lost = won_and_lost(hand.options, hand.bid)
    account = hand.options.account
    succeeded = all(account(t.winner) == side for t in hand.tricks if t.winner is not None)
    made = succeeded is (side in makers)
    amount = (won if side in makers and succeeded else lost) + 1
    tokens = payment(hand.options, makers if made else others, amount)
    reason = say(
        "{side} said double and won every trick."
        if succeeded
        else "{side} said double but did not win every trick.",
        side=hand.options.together([side]),
    )
    return Result(False, tokens, reason, hand.first, points, made)


# Caps


def _with_caps(hand: Hand, result: Result) -> Result:
    """The result with what is ruled about Caps."""
    options = hand.options
    if options.caps == "off" or hand.bids_all_tricks:
        return result
    one = _caps_ruling(hand)
    if one is None:
        return result
    side = options.account(one.by)
    who = Seats((one.by,), names(options.seats)[one.by])
    reason = _CAPS[one.verdict].filled(who=who, side=options.together([side]))
    if one.since is not None:
        reason = reason.filled(since=one.since)
    caps = CapsRuling(one.by, one.verdict.value, one.since)
    return replace(result, tokens=_caps_payment(hand, side, one.verdict), reason=reason, caps=caps)


def _caps_ruling(hand: Hand) -> Ruled | None:
    """The verdict on the side that called or missed, one at most (``caps.verdict``); an early call
    needs no knowledge of hidden cards."""
    call = hand.caps
    if call is not None and hand.ending is None:
        mine = hand.options.account(call.seat)
        later = hand.tricks[hand.caps_after :]
        lost = any(t.winner is not None and hand.options.account(t.winner) != mine for t in later)
        verdict = Verdict.FAILED if lost else Verdict.EARLY
        return Ruled(verdict, call.seat, hand.caps_at, None)
    claim = None if call is None else Claim(call.seat, call.order, hand.caps_at)
    try:
        cards, indicator = hands_as_dealt(hand), indicator_of(hand)
        if hand.claims_end is not None:
            return missed_before(hand, cards, hand.claims_end, hand.options.caps, indicator)
        return ruling(hand, cards, claim, hand.options.caps, indicator)
    except CapsError:
        # No legal play explains what happened: that is a violation and paid as one (review.py).
        return None


def _caps_payment(hand: Hand, side: Side, verdict: Verdict) -> tuple[int, ...]:
    makers, _ = makers_and_others(hand)
    won, lost = won_and_lost(hand.options, hand.bid)
    if verdict is Verdict.CORRECT:
        bonus = len(hand.tricks) < hand.tricks_due - 1
        if side in makers:
            return payment(hand.options, [side], won + bonus)
        return payment(hand.options, [side], _external(hand, lost, bonus))
    amount = FAILED_CAPS if verdict is Verdict.FAILED else WRONG_CAPS
    failed_bid = side in makers and not _made(hand, makers, _points(hand))[0]
    if hand.options.wrong_caps == "additive" and failed_bid and verdict is not Verdict.FAILED:
        amount += lost
    return payment(hand.options, [1 - side], amount)


def with_right_caps(hand: Hand, ruling: CapsRuling) -> tuple[int, ...]:
    """What each account would gain had this side called Caps on time where it was due, or had not
    called where it could not."""
    side = hand.options.account(ruling.by)
    if ruling.verdict in (Verdict.LATE.value, Verdict.MISSED.value):
        return _caps_payment(hand, side, Verdict.CORRECT)
    return _bid_result(hand).tokens


def _external(hand: Hand, lost: int, bonus: bool) -> int:
    """``external``: one more than the failed bid if in time, formerly eight, or no more."""
    if hand.options.external_caps == EXTERNAL_CAPS:
        return EXTERNAL_CAPS
    return lost + (bonus and hand.options.external_caps == "plus_one")


_CAPS = {
    Verdict.CORRECT: say("{who} called Caps correctly: {side} wins every trick."),
    Verdict.LATE: say("{who} called Caps too late. It was due: {since}."),
    Verdict.EARLY: say("{who} called Caps too early, though {side} lost no trick."),
    Verdict.FAILED: say("{who} called Caps, but {side} lost a trick."),
    Verdict.MISSED: say("{who} did not call Caps. It was due: {since}."),
}


# Spoilt trumps and violations


def _is_spoilt(hand: Hand) -> bool:
    """``spoilt.what``: no opponent of the trump maker held a trump."""
    cards = hands_as_dealt(hand)
    others = [seat for seat in range(hand.options.seats) if seat not in hand.makers]
    return not any(card.suit is hand.trump for seat in others for card in cards[seat])


def _spoilt_void(hand: Hand) -> Result:
    reason = say("Spoilt trumps: the opponents held no trump. The same player deals again.")
    return void_result(hand.options, reason, hand.dealer)


def _spoilt_result(hand: Hand, caller: Seat) -> Result:
    """A call of spoilt trumps judged, all cards being open."""
    if _is_spoilt(hand):
        return _spoilt_void(hand)
    name = hand.options.together([hand.options.account(caller)])
    charge = Charge(
        say("{side} called spoilt trumps wrongly: the hand counts as won by {winners}.", side=name),
        say(
            "{side} called spoilt trumps wrongly: the hand is void, and paid as won by {winners}.",
            side=name,
        ),
    )
    return violation(hand, caller, charge)


def violation(hand: Hand, seat: Seat, charge: Charge) -> Result:
    """``violation.pay``: the other side gets what it would have won, plus 2. Where the options
    say that the hand is void (``violation.void``) it is paid for all the same. Where there are no
    lasting partners the offender pays everybody, and nobody else pays."""
    makers, others = makers_and_others(hand)
    offends = hand.options.account(seat) in makers
    winners = others if offends else makers
    if hand.options.partner != "across":
        winners = _all_but(hand, seat)
    tokens = payment(hand.options, winners, _at_stake(hand, seat) + VIOLATION)
    if hand.options.violation == "void":
        reason = charge.void.filled(winners=hand.options.together(winners))
        return Result(False, tokens, reason, hand.dealer)
    reason = charge.paid.filled(winners=hand.options.together(winners))
    points = _forfeited(hand, winners) or (hand.points if hand.tricks else None)
    return Result(False, tokens, reason, hand.first, points, not offends)


def _forfeited(hand: Hand, winners: list[Side]) -> tuple[int, ...] | None:
    """``violation.worst``: with ``tenths`` all card points of the pack, also before there is a bid:
    otherwise one could put off a game that the others are about to win. Without lasting partners
    each of the others counts them."""
    counts = hand.options.tenths and hand.options.violation != "void"
    return _all_to(hand, winners) if counts else None


def _all_but(hand: Hand, seat: Seat) -> list[Side]:
    return [a for a in range(hand.options.accounts) if a != hand.options.account(seat)]


def _all_to(hand: Hand, sides: list[Side]) -> tuple[int, ...]:
    """Every card point of the pack for each of these sides."""
    total = hand.options.pack.total
    return tuple(total if a in sides else 0 for a in range(hand.options.accounts))


def _at_stake(hand: Hand, seat: Seat) -> int:
    """``violation.worst``: what the side of ``seat`` may still have to pay in this hand, so that
    no violation is ever cheaper than losing."""
    options, account = hand.options, hand.options.account
    makers, others = makers_and_others(hand)
    offends = account(seat) in makers
    won, lost = won_and_lost(options, hand.bid)
    amount = lost if offends else won
    if hand.doubled is not None:
        doubled = account(hand.doubled) == account(seat)
        amount = (lost if offends or doubled else won) + 1
    called = hand.caps is not None and account(hand.caps.seat) == account(seat)
    if called:
        amount = max(amount, FAILED_CAPS)
    is_bound = hand.caps is not None and not isinstance(hand.ending, acts.Caps)
    may_lose = offends and not called and not is_bound and not hand.bids_all_tricks
    against = next(one for one in range(options.seats) if account(one) in others)
    if may_lose and options.caps != "off" and has_won_all(hand, against):
        amount = max(amount, _external(hand, lost, False))
    return amount


def broken_off_result(hand: Hand, seat: Seat, charge: Charge) -> Result:
    """``violation.pay`` at any time of a hand: while the bidding is on the highest bid so far
    stands for the bid; before there is one, two tokens, or what the least bid wins, if more."""
    auction = hand.auction
    if auction.bidder is not None:  # also in a second round, and where it has equalled the old bid
        hand = hand.copied()
        hand.maker, hand.bid = auction.bidder, auction.high
    if hand.maker is not None:
        return violation(hand, seat, charge)
    others = _all_but(hand, seat)
    least = won_and_lost(hand.options, hand.options.bid_min)[0]
    tokens = payment(hand.options, others, max(VIOLATION, least))
    is_void = hand.options.violation == "void"
    reason = (charge.void if is_void else charge.paid).filled(winners=hand.options.together(others))
    dealer = hand.dealer if is_void else hand.first
    return Result(False, tokens, reason, dealer, _forfeited(hand, others))
