"""The two rounds of bidding.

Owns who may say what: amounts, steps, speaking again, bidding over one's partner, asking, and
when a round ends (SPEC.md, ``bid.*``, ``ask.*``, ``pcc.*``). It never sees a card.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.actions import PCC, Ask, Bid, Pass
from p2p304.rules.errors import RuleBroken
from p2p304.rules.options import Options
from p2p304.rules.seats import Seat, side

HIGHEST_NUMBER = 300
SPECIAL = 200
SECOND_ROUND = 250
_PARTNER = 2


@dataclass(frozen=True, slots=True)
class Auction:
    """A round of bidding: ``floor`` is the bid to beat, ``spoken`` the seats that have had a
    turn, ``passes`` those in succession, ``asked_by`` the seat whose turn a partner takes."""

    second: bool
    turn: Seat
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
    return Auction(second=False, turn=(dealer + 1) % options.seats)


def second_round(options: Options, dealer: Seat, winner: Seat, bid: int) -> Auction:
    start = winner if options.bid8_start == "winner" else (dealer + 1) % options.seats
    return Auction(second=True, turn=start, floor=bid)


def least_bid(options: Options, auction: Auction, seat: Seat) -> int | None:
    """The lowest number ``seat`` may bid now, or None if it may not bid at all."""
    if auction.second:
        if auction.bidder is not None and side(auction.bidder) == side(seat):
            return None
        least = max(SECOND_ROUND, _above(options, max(auction.floor, auction.high)))
    else:
        if auction.bidder == seat:
            return None
        least = max(options.bid_min, _above(options, auction.high))
        if _bound_to_special(auction, seat):
            least = max(least, SPECIAL)
    return least if least <= HIGHEST_NUMBER else None


def amounts(options: Options, auction: Auction, seat: Seat) -> tuple[int, ...]:
    """Every amount that ``seat`` may bid now, PCC last."""
    least = least_bid(options, auction, seat)
    numbers: list[int] = []
    if least is not None:
        numbers = [n for n in range(least, HIGHEST_NUMBER + 1, 5) if _is_step(options, n)]
    return (*numbers, PCC) if may_bid_pcc(options, auction, seat) else tuple(numbers)


def may_bid_pcc(options: Options, auction: Auction, seat: Seat) -> bool:
    partner_high = auction.bidder is not None and side(auction.bidder) == side(seat)
    return auction.second and options.pcc == "on" and not partner_high


def may_ask(options: Options, auction: Auction, seat: Seat) -> bool:
    """Whether asking one's partner is open to ``seat`` at all (``ask.*``)."""
    if auction.second or options.ask_partner == "off" or auction.asked_by is not None:
        return False
    return auction.bidder != (seat + _PARTNER) % options.seats


def bid(options: Options, auction: Auction, action: Bid) -> Auction:
    """The auction after a bid; raises RuleBroken."""
    _check_bid(options, auction, action)
    after = replace(auction, high=action.amount, bidder=action.seat, passes=0)
    if action.amount == PCC:
        return replace(_spoke(options, after), over=True)
    return _spoke(options, after)


def passed(options: Options, auction: Auction, action: Pass) -> Auction:
    return _spoke(options, replace(auction, passes=auction.passes + 1))


def asked(options: Options, auction: Auction, action: Ask) -> Auction:
    """The partner answers at once, in the asker's turn (``ask.turn``)."""
    if auction.second:
        raise RuleBroken("ask.four", "a partner can be asked only with four cards", action.seat)
    if not may_ask(options, auction, action.seat):
        raise RuleBroken("ask.turn", "your partner cannot be asked now", action.seat)
    partner = (action.seat + _PARTNER) % options.seats
    fresh = not auction.spoken & {action.seat, partner}
    return replace(auction, turn=partner, asked_by=action.seat, partner_free=fresh)


def _check_bid(options: Options, auction: Auction, action: Bid) -> None:
    seat, amount = action.seat, action.amount
    partner_high = auction.bidder is not None and side(auction.bidder) == side(seat)
    if auction.second and partner_high:
        raise RuleBroken("bid8.partner", "your partner has bid: you must pass", seat)
    if amount == PCC:
        if not may_bid_pcc(options, auction, seat):
            raise RuleBroken("pcc.bid", "Partner Close Caps is bid with eight cards only", seat)
        return
    if not _is_step(options, amount) or amount <= 0:
        raise RuleBroken("bid.step", f"{amount} is not a bid: bids go up by ten", seat)
    if amount > HIGHEST_NUMBER:
        raise RuleBroken("bid.max", f"the highest number one may bid is {HIGHEST_NUMBER}", seat)
    if auction.second:
        least = max(SECOND_ROUND, _above(options, max(auction.floor, auction.high)))
        if amount < least:
            raise RuleBroken("bid8.min", f"with eight cards the least bid is now {least}", seat)
        return
    if amount < options.bid_min:
        raise RuleBroken("bid.min", f"the least bid is {options.bid_min}", seat)
    if amount <= auction.high:
        raise RuleBroken("bid.higher", f"a bid must be higher than {auction.high}", seat)
    if amount < SPECIAL and _bound_to_special(auction, seat):
        _say_why_special(auction, seat)


def _bound_to_special(auction: Auction, seat: Seat) -> bool:
    if auction.bidder is not None and side(auction.bidder) == side(seat):
        return True
    if auction.asked_by is not None:
        return not auction.partner_free
    return seat in auction.spoken


def _say_why_special(auction: Auction, seat: Seat) -> None:
    if auction.bidder is not None and side(auction.bidder) == side(seat):
        raise RuleBroken("bid.partner", "over your partner's bid you need 200 or more", seat)
    raise RuleBroken("bid.rebid", "you have spoken: a further bid must be 200 or more", seat)


def _spoke(options: Options, auction: Auction) -> Auction:
    """A turn is over: mark who has spoken, end the round or pass the turn on."""
    holder = auction.turn if auction.asked_by is None else auction.asked_by
    spoken = auction.spoken | {auction.turn, holder}
    after = replace(
        auction, spoken=spoken, asked_by=None, partner_free=False, turns=auction.turns + 1
    )
    return replace(after, turn=_next(options, after, holder), over=_ended(options, after))


def _next(options: Options, auction: Auction, holder: Seat) -> Seat:
    """The next seat; who holds the highest bid is passed over (``bid.skip``)."""
    turn = (holder + 1) % options.seats
    if not auction.second and turn == auction.bidder:
        turn = (turn + 1) % options.seats
    return turn


def _ended(options: Options, auction: Auction) -> bool:
    if auction.over or auction.high == PCC:
        return True
    if auction.second or auction.bidder is None:
        return auction.turns >= options.seats
    return auction.passes >= options.seats - 1


def _above(options: Options, amount: int) -> int:
    if amount == 0:
        return 0
    step = options.step_over_200 if amount >= SPECIAL else options.bid_step
    return amount + step


def _is_step(options: Options, amount: int) -> bool:
    step = options.step_over_200 if amount >= SPECIAL else options.bid_step
    return amount % step == 0
