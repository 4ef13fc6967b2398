"""The rounds of bidding.

Owns who may say what: amounts, steps, speaking again, bidding over one's partner, asking, the
forced dealer, and when a round ends (SPEC.md, ``bid.*``, ``bid8.*``, ``ask.*``, ``pcc.*``). It
never sees a card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.actions import PCC, Ask, Bid, Pass
from p2p304.rules.errors import RuleBroken
from p2p304.rules.options import Options
from p2p304.rules.seats import Seat, side

HIGHEST_NUMBER = 300
ALL_POINTS = 304
SPECIAL = 200
SECOND_ROUND = 250


@dataclass(frozen=True, slots=True)
class Auction:
    """A round of bidding: ``second`` for the round that may better an earlier one (``floor``),
    ``full`` when every card is in hand, ``spoken`` the seats that have had a turn, ``passes``
    those in succession, ``asked_by`` the seat whose turn a partner takes."""

    second: bool
    turn: Seat
    full: bool = False
    high: int = 0
    bidder: Seat | None = None
    spoken: frozenset[Seat] = frozenset()
    passes: int = 0
    turns: int = 0
    asked_by: Seat | None = None
    partner_free: bool = False
    over: bool = False
    floor: int = 0


def first_round(options: Options, dealer: Seat) -> Auction:
    full = options.deal == "all_first"
    return Auction(second=False, turn=(dealer + 1) % options.seats, full=full)


def second_round(options: Options, dealer: Seat, winner: Seat, bid: int) -> Auction:
    start = winner if options.bid8_start == "winner" else (dealer + 1) % options.seats
    return Auction(second=True, turn=start, full=True, floor=bid)


def _partner_high(auction: Auction, seat: Seat) -> bool:
    return auction.bidder is not None and side(auction.bidder) == side(seat)


def least_bid(options: Options, auction: Auction, seat: Seat) -> int | None:
    """The lowest number ``seat`` may bid now, or None if it may not bid at all."""
    if auction.second:
        least = None if _partner_high(auction, seat) else _least_second(options, auction)
    elif auction.bidder == seat or _forbidden(options, auction, seat) is not None:
        least = None
    else:
        least = max(options.bid_min, _above(options, auction.high))
        if _needs_special(options, auction, seat) is not None:
            least = max(least, SPECIAL)
    if least is None or least <= HIGHEST_NUMBER:
        return least
    return ALL_POINTS if options.bid304 == "on" and auction.high < ALL_POINTS else None


def _least_second(options: Options, auction: Auction) -> int:
    """``bid8.min``: at least 250 (or over it), above the old bid (or equal to it)."""
    least = max(SECOND_ROUND, _above(options, max(auction.floor, auction.high)))
    if options.bid8_min == "over250":
        return max(least, _above(options, SECOND_ROUND))
    if options.bid8_min == "equal_ok" and auction.high == 0:
        return max(SECOND_ROUND, auction.floor)
    return least


def amounts(options: Options, auction: Auction, seat: Seat) -> tuple[int, ...]:
    """Every amount that ``seat`` may bid now, PCC last."""
    least = least_bid(options, auction, seat)
    numbers: list[int] = []
    if least is not None:
        numbers = [n for n in range(least, HIGHEST_NUMBER + 1, 5) if _is_step(options, n)]
        if options.bid304 == "on":
            numbers.append(ALL_POINTS)
    return (*numbers, PCC) if may_bid_pcc(options, auction, seat) else tuple(numbers)


def may_bid_pcc(options: Options, auction: Auction, seat: Seat) -> bool:
    allowed = auction.full and options.pcc == "on"
    return allowed and not _partner_high(auction, seat) and auction.high != PCC


def must_bid(options: Options, auction: Auction) -> bool:
    """``bid.forced``: everybody else has passed, and the last to speak, the dealer, may not."""
    if options.all_pass != "dealer_forced" or auction.second or auction.bidder is not None:
        return False
    last = len(auction.spoken) == options.seats - 1 and auction.turn not in auction.spoken
    return auction.turns == options.seats - 1 or (options.rebid == "once" and last)


def may_ask(options: Options, auction: Auction, seat: Seat) -> bool:
    """Whether asking one's partner is open to ``seat`` at all (``ask.*``)."""
    if auction.full or options.ask_partner == "off" or auction.asked_by is not None:
        return False
    partner = _partner(options, seat)
    spoke = options.rebid == "once" and partner in auction.spoken
    return auction.bidder != partner and not spoke and not must_bid(options, auction)


def _partner(options: Options, seat: Seat) -> Seat:
    return (seat + 2) % options.seats


def bid(options: Options, auction: Auction, action: Bid) -> Auction:
    """The auction after a bid; raises RuleBroken."""
    _check_bid(options, auction, action)
    after = replace(auction, high=action.amount, bidder=action.seat, passes=0)
    return _spoke(options, after)


def passed(options: Options, auction: Auction, action: Pass) -> Auction:
    if must_bid(options, auction):
        why = f"all others have passed: the dealer must bid at least {options.bid_min}"
        raise RuleBroken("bid.forced", why, action.seat)
    return _spoke(options, replace(auction, passes=auction.passes + 1))


def asked(options: Options, auction: Auction, action: Ask) -> Auction:
    """The partner answers at once, in the asker's turn (``ask.turn``)."""
    if auction.full:
        raise RuleBroken("ask.four", "a partner can be asked only with four cards", action.seat)
    if not may_ask(options, auction, action.seat):
        raise RuleBroken("ask.turn", "your partner cannot be asked now", action.seat)
    partner = _partner(options, action.seat)
    fresh = not auction.spoken & {action.seat, partner}
    return replace(auction, turn=partner, asked_by=action.seat, partner_free=fresh)


def _check_bid(options: Options, auction: Auction, action: Bid) -> None:
    seat, amount = action.seat, action.amount
    if auction.second and _partner_high(auction, seat):
        raise RuleBroken("bid8.partner", "your partner has bid: you must pass", seat)
    if amount == PCC:
        _check_pcc(options, auction, seat)
        return
    _check_number(options, amount, seat)
    if auction.second:
        least = _least_second(options, auction)
        if amount < least:
            raise RuleBroken("bid8.min", f"with eight cards the least bid is now {least}", seat)
        return
    if amount < options.bid_min:
        raise RuleBroken("bid.min", f"the least bid is {options.bid_min}", seat)
    if amount <= auction.high:
        raise RuleBroken("bid.higher", f"a bid must be higher than {auction.high}", seat)
    _check_right(options, auction, seat, amount)


def _check_pcc(options: Options, auction: Auction, seat: Seat) -> None:
    if options.pcc == "off":
        raise RuleBroken("pcc.bid", "Partner Close Caps is not played at this table", seat)
    if not auction.full:
        raise RuleBroken("pcc.bid", "Partner Close Caps is bid with eight cards only", seat)
    if not may_bid_pcc(options, auction, seat):
        raise RuleBroken("bid.partner", "your partner has bid: you must pass", seat)


def _check_number(options: Options, amount: int, seat: Seat) -> None:
    if options.bid304 == "on" and amount == ALL_POINTS:
        return
    if not _is_step(options, amount) or amount <= 0:
        raise RuleBroken("bid.step", f"{amount} is not a bid: bids go up by ten", seat)
    if amount > HIGHEST_NUMBER:
        raise RuleBroken("bid.max", f"the highest number one may bid is {HIGHEST_NUMBER}", seat)


def _check_right(options: Options, auction: Auction, seat: Seat, amount: int) -> None:
    """Over one's partner, and speaking again."""
    broken = _forbidden(options, auction, seat)
    if broken is None and amount < SPECIAL:
        broken = _needs_special(options, auction, seat)
    if broken is not None:
        raise broken


def _forbidden(options: Options, auction: Auction, seat: Seat) -> RuleBroken | None:
    """Why ``seat`` may bid no number at all now, or None."""
    gone = auction.high >= SPECIAL
    over, again = options.over_partner, options.rebid
    if _partner_high(auction, seat) and (over == "never" or (over == "first200" and gone)):
        return RuleBroken("bid.partner", "your partner's bid is the highest: pass", seat)
    if _has_spoken(auction, seat) and again == "first200" and gone:
        why = "you have spoken, and 200 has been bid: you may only pass"
        return RuleBroken("bid.rebid", why, seat)
    return None


def _needs_special(options: Options, auction: Auction, seat: Seat) -> RuleBroken | None:
    """Why ``seat`` must bid 200 or more, or None."""
    if _partner_high(auction, seat):
        return RuleBroken("bid.partner", "over your partner's bid you need 200 or more", seat)
    if _has_spoken(auction, seat) and options.rebid != "once":
        why = "you have spoken: a further bid must be 200 or more"
        return RuleBroken("bid.rebid", why, seat)
    return None


def _has_spoken(auction: Auction, seat: Seat) -> bool:
    """Whether this turn is a further one; an answer for a partner is so if either had spoken."""
    return not auction.partner_free if auction.asked_by is not None else seat in auction.spoken


def _spoke(options: Options, auction: Auction) -> Auction:
    """A turn is over: mark who has spoken, end the round or pass the turn on."""
    holder = auction.turn if auction.asked_by is None else auction.asked_by
    spoken = auction.spoken | {auction.turn, holder}
    after = replace(
        auction, spoken=spoken, asked_by=None, partner_free=False, turns=auction.turns + 1
    )
    turn = _next(options, after, holder)
    over = turn is None or _ended(options, after)
    return replace(after, turn=holder if turn is None else turn, over=over)


def _next(options: Options, auction: Auction, holder: Seat) -> Seat | None:
    """The next seat that may speak, or None; see ``bid.skip`` and ``rebid``."""
    order = [(holder + step) % options.seats for step in range(1, options.seats + 1)]
    if auction.second:
        return order[0]
    return next((seat for seat in order if _may_speak(options, auction, seat)), None)


def _may_speak(options: Options, auction: Auction, seat: Seat) -> bool:
    if seat == auction.bidder:
        return False
    if seat not in auction.spoken or options.rebid == 200:
        return True
    return options.rebid == "first200" and auction.high < SPECIAL


def _ended(options: Options, auction: Auction) -> bool:
    if auction.high == PCC:
        return True
    if auction.second or auction.bidder is None:
        return auction.turns >= options.seats
    return auction.passes >= options.seats - 1


def _above(options: Options, amount: int) -> int:
    return amount + _step(options, amount) if amount else 0


def _step(options: Options, amount: int) -> int:
    return options.step_over_200 if amount >= SPECIAL else 10


def _is_step(options: Options, amount: int) -> bool:
    return amount % _step(options, amount) == 0
