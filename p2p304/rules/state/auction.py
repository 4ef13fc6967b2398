"""The rounds of bidding.

Responsible for how a round goes on: which seat's turn comes, what an answer for a partner uses up,
and when the round ends (SPEC.md, ``bid.skip``, ``bid.circuit``, ``ask.turn``). What may be said is
left to legality/bids.py.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from operator import attrgetter

from p2p304.rules.core.actions import PCC, Ask, Bid, Pass
from p2p304.rules.core.seats import Seat
from p2p304.rules.variants.options import Options

ALL_POINTS = 304


@dataclass(slots=True)
class Auction:
    """A round of bidding: ``second`` for the round that may better an earlier one (``floor``),
    ``full`` when every card is in hand, ``courts`` where nothing but half court may be bid,
    ``spoken`` the seats that have had a turn, ``passes`` those in succession, ``asked_by`` the
    seat whose turn a partner takes. A hand that is copied has one of its own."""

    second: bool
    turn: Seat
    full: bool = False
    floor: int = 0
    courts: bool = False
    high: int = 0
    bidder: Seat | None = None
    spoken: frozenset[Seat] = frozenset()
    passes: int = 0
    turns: int = 0
    asked_by: Seat | None = None
    partner_free: bool = False
    is_over: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether anything was said."""
        return self.turns > 0 or self.asked_by is not None

    def copied(self) -> Auction:
        """The same round, to be changed apart; one that is over changes no more."""
        return self if self.is_over else Auction(*_VALUES(self))


_VALUES = attrgetter(*(one.name for one in fields(Auction)))


def first_round(options: Options, dealer: Seat) -> Auction:
    full, courts = options.deal == "all_first", options.bid4 == "courts"
    return Auction(second=False, turn=(dealer + 1) % options.seats, full=full, courts=courts)


def late_first_round(options: Options, dealer: Seat) -> Auction:
    """The round for numbers, with all cards, where the earlier one was for half court only."""
    return Auction(second=False, turn=(dealer + 1) % options.seats, full=True)


def second_round(options: Options, dealer: Seat, winner: Seat, bid: int) -> Auction:
    start = winner if options.bid8_start == "winner" else (dealer + 1) % options.seats
    return Auction(second=True, turn=start, full=True, floor=bid)


def is_partner_high(options: Options, auction: Auction, seat: Seat) -> bool:
    """The highest bid is by this seat's side; where partners are not known, by itself."""
    bidder = auction.bidder
    return bidder is not None and options.sides[bidder] == options.sides[seat]


def partner_of(options: Options, seat: Seat) -> Seat:
    return (seat + 2) % options.seats


# What is said changes the round; bids.py has allowed it.


def ask_partner(options: Options, auction: Auction, action: Ask) -> None:
    """The partner answers at once, in the asker's turn (``ask.turn``)."""
    seat, partner = action.seat, partner_of(options, action.seat)
    auction.partner_free = seat not in auction.spoken and partner not in auction.spoken
    auction.turn, auction.asked_by = partner, seat


def speak(options: Options, auction: Auction, action: Bid | Pass) -> None:
    """A turn is over: mark who has spoken, end the round or pass the turn on."""
    seat = auction.turn
    if type(action) is Bid:
        auction.high, auction.bidder, auction.passes = action.amount, seat, 0
    else:
        auction.passes += 1
    auction.turns += 1
    if seat not in auction.spoken:
        auction.spoken |= {seat}
    if auction.asked_by is not None:
        # A partner has used up the asker's turn, from which the round goes on.
        seat, auction.asked_by, auction.partner_free = auction.asked_by, None, False
        auction.spoken |= {seat}
    if auction.second or auction.courts or auction.bidder is None:
        ended = auction.turns >= options.seats
    else:
        ended = auction.passes >= options.seats - 1
    following = None if ended or auction.high >= PCC else _following(options, auction, seat)
    if following is None:
        auction.is_over, auction.turn = True, seat
    else:
        auction.turn = following


def _following(options: Options, auction: Auction, seat: Seat) -> Seat | None:
    """The next seat after this that may speak, or None; see ``bid.skip`` and ``rebid``."""
    seats, again, last = options.seats, options.rebid, seat
    anybody = again == 200 or (again == "first200" and auction.high < options.special)
    while True:
        seat = (seat + 1) % seats
        if auction.second or (seat != auction.bidder and (anybody or seat not in auction.spoken)):
            return seat
        if seat == last:
            return None
