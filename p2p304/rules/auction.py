"""The rounds of bidding.

Owns how a round goes on: whose turn comes, what an answer for a partner uses up, and when the
round ends (SPEC.md, ``bid.skip``, ``bid.circuit``, ``ask.turn``). What may be said is bids.py's
business.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p304.rules.actions import PCC, Ask, Bid, Pass
from p2p304.rules.options import Options
from p2p304.rules.seats import Seat

ALL_POINTS = 304


class Auction(NamedTuple):
    """A round of bidding: ``second`` for the round that may better an earlier one (``floor``),
    ``full`` when every card is in hand, ``courts`` where nothing but half court may be bid,
    ``spoken`` the seats that have had a turn, ``passes`` those in succession, ``asked_by`` the
    seat whose turn a partner takes."""

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
    courts: bool = False


def first_round(options: Options, dealer: Seat) -> Auction:
    full, courts = options.deal == "all_first", options.bid4 == "courts"
    return Auction(second=False, turn=(dealer + 1) % options.seats, full=full, courts=courts)


def late_first_round(options: Options, dealer: Seat) -> Auction:
    """The round for numbers, with all cards, where the earlier one was for half court only."""
    return Auction(second=False, turn=(dealer + 1) % options.seats, full=True)


def second_round(options: Options, dealer: Seat, winner: Seat, bid: int) -> Auction:
    start = winner if options.bid8_start == "winner" else (dealer + 1) % options.seats
    return Auction(second=True, turn=start, full=True, floor=bid)


def partner_high(options: Options, auction: Auction, seat: Seat) -> bool:
    """The highest bid is by this seat's side; where partners are not known, by itself."""
    bidder = auction.bidder
    return bidder is not None and options.account(bidder) == options.account(seat)


def partner_of(options: Options, seat: Seat) -> Seat:
    return (seat + 2) % options.seats


def said(options: Options, auction: Auction, action: Bid | Pass | Ask) -> Auction:
    """The auction after something that bids.py allows."""
    match action:
        case Bid(seat=seat, amount=amount):
            return _spoke(options, auction, amount, seat, passes=0)
        case Ask():
            return _asked(options, auction, action.seat)
    return _spoke(options, auction, auction.high, auction.bidder, auction.passes + 1)


def _asked(options: Options, auction: Auction, seat: Seat) -> Auction:
    """The partner answers at once, in the asker's turn (``ask.turn``)."""
    partner = partner_of(options, seat)
    fresh = not auction.spoken & {seat, partner}
    return auction._replace(turn=partner, asked_by=seat, partner_free=fresh)


def _spoke(
    options: Options, auction: Auction, high: int, bidder: Seat | None, passes: int
) -> Auction:
    """A turn is over: mark who has spoken, end the round or pass the turn on."""
    holder = auction.turn if auction.asked_by is None else auction.asked_by
    spoken = auction.spoken | {auction.turn, holder}
    turn = None
    if not _ended(options, auction, high, bidder, passes):
        turn = _next(options, auction, holder, high, bidder, spoken)
    # Made at once, as turns are many: replacing single fields takes several times as long.
    return Auction(
        auction.second, holder if turn is None else turn, auction.full, high, bidder, spoken,
        passes, auction.turns + 1, over=turn is None, floor=auction.floor, courts=auction.courts,
    )  # fmt: skip


def _next(
    options: Options, auction: Auction, holder: Seat, high: int, bidder: Seat | None,
    spoken: frozenset[Seat],
) -> Seat | None:  # fmt: skip
    """The next seat that may speak, or None; see ``bid.skip`` and ``rebid``."""
    seats, again = options.seats, options.rebid
    if auction.second:
        return (holder + 1) % seats
    anybody = again == 200 or (again == "first200" and high < options.special)
    for step in range(1, seats + 1):
        seat = (holder + step) % seats
        if seat != bidder and (anybody or seat not in spoken):
            return seat
    return None


def _ended(options: Options, auction: Auction, high: int, bidder: Seat | None, passes: int) -> bool:
    if high >= PCC:
        return True
    if auction.second or auction.courts or bidder is None:
        return auction.turns + 1 >= options.seats
    return passes >= options.seats - 1
