"""What may be said in a round of bidding.

Responsible for the amounts, steps, speaking again, bidding over one's partner, asking, the named
bids, and for the player who must bid (SPEC.md, ``bid.*``, ``bid8.*``, ``ask.*``, ``pcc.bid``). It
tells twice what is open to a seat: a check refuses one bid with a sentence; `open_numbers` and
`open_named_bids` find all at once. It never sees a card. How a round goes on is left to
state/auction.py.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC, Bid
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import amount_text
from p2p304.rules.core.phrases import say
from p2p304.rules.core.seats import Seat
from p2p304.rules.state.auction import ALL_POINTS, Auction, is_partner_high, partner_of
from p2p304.rules.variants.options import Options


def _least_second(options: Options, auction: Auction) -> int:
    """``bid8.min``: at least 250 (or over it), above the old bid (or equal to it)."""
    least = max(options.second, _above(options, max(auction.floor, auction.high)))
    if options.bid8_min == "over250":
        least = max(least, _above(options, options.second))
    elif options.bid8_min == "equal_ok" and auction.high == 0:
        least = max(options.second, auction.floor)
    if options.bid304 and least > options.highest and max(auction.high, auction.floor) < ALL_POINTS:
        return ALL_POINTS  # it comes next after the highest number
    return least


def amounts(options: Options) -> tuple[int, ...]:
    """Every amount that may be bid at some time, the named bids last. `check_bid` says when."""
    named = {PCC: options.pcc, HALF_COURT: options.half_court, FULL_COURT: options.full_court}
    return (*_numbers(options), *(amount for amount, is_played in named.items() if is_played))


def _numbers(options: Options) -> tuple[int, ...]:
    """Every number that may be bid at some time, rising."""
    steps = options.bid_min, options.special, options.step_over_200
    return _rising(*steps, options.highest, options.bid304)


@lru_cache(maxsize=64)
def _rising(least: int, special: int, over: int, highest: int, is_304_bid: bool) -> tuple[int, ...]:
    fives = range(least, highest + 1, 5)
    numbers = (n for n in fives if n % (over if n >= special else 10) == 0)
    return (*numbers, ALL_POINTS) if is_304_bid else tuple(numbers)


def open_numbers(options: Options, auction: Auction, seat: Seat) -> tuple[int, ...]:
    """Every number that `check_bid` allows ``seat`` now, rising."""
    least, numbers = _least_number(options, auction, seat), _numbers(options)
    return () if least is None else numbers[bisect_left(numbers, least) :]


def _least_number(options: Options, auction: Auction, seat: Seat) -> int | None:
    """No number below this is open to ``seat`` now; None if no number is."""
    if auction.courts:
        return None
    if auction.second:
        is_closed = is_partner_high(options, auction, seat)
        return None if is_closed else _least_second(options, auction)
    if _closed_by(options, auction, seat) is not None:
        return None
    least = max(options.bid_min, auction.high + 1)
    if least < options.special and _special_by(options, auction, seat) is not None:
        return options.special
    return least


def open_named_bids(options: Options, auction: Auction, seat: Seat) -> list[int]:
    """Every named bid that `check_bid` allows ``seat`` now."""
    full = auction.full
    played = {PCC: options.pcc and full, HALF_COURT: options.half_court and not full}
    played[FULL_COURT] = options.full_court and full
    return [
        amount
        for amount, is_played in played.items()
        if is_played and _named_forbidden(options, auction, seat, amount) is None
    ]


def forced_bid_rule(options: Options, auction: Auction) -> str | None:
    """The rule by which whose turn it is may not pass: ``bid.first`` for the first to speak,
    ``bid.forced`` for the dealer when everybody else has passed; or None."""
    if auction.second or auction.courts or auction.bidder is not None:
        return None
    if options.bid_first == "must" and auction.turns == 0:
        return "bid.first"
    if options.all_pass != "dealer_forced":
        return None
    last = len(auction.spoken) == options.seats - 1 and auction.turn not in auction.spoken
    forced = auction.turns == options.seats - 1 or (options.rebid == "once" and last)
    return "bid.forced" if forced else None


def may_ask(options: Options, auction: Auction, seat: Seat) -> bool:
    """Whether asking one's partner is open to ``seat`` at all (``ask.*``)."""
    if auction.full or not options.ask_partner or auction.asked_by is not None:
        return False
    partner = partner_of(options, seat)
    spoke = options.rebid == "once" and partner in auction.spoken
    high = auction.bidder == partner or auction.courts
    return not high and not spoke and forced_bid_rule(options, auction) is None


# Raising RuleBroken where this may not be said now.


def check_pass(options: Options, auction: Auction, seat: Seat) -> None:
    """Once there is a bid anybody may pass."""
    rule = forced_bid_rule(options, auction)
    if rule is None:
        return
    least = _said(options, options.bid_min)
    if rule == "bid.first":
        why = say("The first player can't pass: bid {bid} or more", bid=least)
        raise RuleBroken(rule, why, seat)
    why = say("All others passed: as dealer you must bid at least {bid}", bid=least)
    raise RuleBroken(rule, why, seat)


def check_ask(options: Options, auction: Auction, seat: Seat) -> None:
    never = say("You can't ask your partner at this table")
    if auction.full:
        only_four = say("You can ask your partner only in the first round of bids")
        raise RuleBroken("ask.four", only_four if options.ask_partner else never, seat)
    if not options.ask_partner:
        raise RuleBroken("ask.turn", never, seat)
    if not may_ask(options, auction, seat):
        raise RuleBroken("ask.turn", say("You can't ask your partner now"), seat)


def check_bid(options: Options, auction: Auction, action: Bid) -> None:
    seat, amount = action.seat, action.amount
    if amount == PCC or amount in _COURTS:
        broken = _named_forbidden(options, auction, seat, amount)
        if broken is not None:
            raise broken
        return
    if auction.courts:
        raise RuleBroken("bid.court", say("You can bid only half court on the first cards"), seat)
    if auction.second and is_partner_high(options, auction, seat):
        raise RuleBroken("bid8.partner", say("Your partner has bid: you must pass"), seat)
    if not options.bid304 or amount != ALL_POINTS:
        if amount % _step(options, amount) or amount <= 0:
            step = _said(options, _step(options, amount))
            why = say(
                "{bid} is not a bid: bids go up by {step}", bid=_said(options, amount), step=step
            )
            raise RuleBroken("bid.step", why, seat)
        if amount > options.highest:
            highest = _said(options, options.highest)
            why = say("The highest number that you can bid is {bid}", bid=highest)
            raise RuleBroken("bid.max", why, seat)
    if auction.second:
        least = _least_second(options, auction)
        if amount < least:
            why = say("In the second round you must bid at least {bid}", bid=_said(options, least))
            raise RuleBroken("bid8.min", why, seat)
        return
    if amount < options.bid_min:
        lowest = _said(options, options.bid_min)
        raise RuleBroken("bid.min", say("The lowest bid is {bid}", bid=lowest), seat)
    if amount <= auction.high:
        why = say("A bid must be higher than {bid}", bid=_said(options, auction.high))
        raise RuleBroken("bid.higher", why, seat)
    rule = _closed_by(options, auction, seat)
    if rule is not None:
        raise _closed(options, rule, seat)
    rule = _special_by(options, auction, seat) if amount < options.special else None
    if rule is not None:
        raise _too_low(options, rule, seat)


_COURTS = {HALF_COURT: ("half court", "the first cards"), FULL_COURT: ("full court", "all cards")}


def _named_forbidden(
    options: Options, auction: Auction, seat: Seat, amount: int
) -> RuleBroken | None:
    """Why a named bid is not open to ``seat`` now, or None."""
    if amount == PCC:
        if not options.pcc:
            why = say("This table plays without Partner Close Caps")
            return RuleBroken("pcc.bid", why, seat)
        if not auction.full:
            why = say("You can bid Partner Close Caps only when all cards are dealt")
            return RuleBroken("pcc.bid", why, seat)
        if is_partner_high(options, auction, seat):
            rule = "bid8.partner" if auction.second else "bid.partner"
            return RuleBroken(rule, say("Your partner has bid: you must pass"), seat)
        return None
    name, when = _COURTS[amount]
    played = options.half_court if amount == HALF_COURT else options.full_court
    if not played:
        return RuleBroken("bid.court", say("This table plays without {bid}", bid=name), seat)
    if auction.full is (amount == HALF_COURT) or auction.second:
        why = say("You can bid {bid} only on {when}", bid=name, when=when)
        return RuleBroken("bid.court", why, seat)
    return None


def _closed_by(options: Options, auction: Auction, seat: Seat) -> str | None:
    """The rule by which ``seat`` may bid no number at all in a first round, or None."""
    is_special, over = auction.high >= options.special, options.over_partner
    closed = over == "never" or (over == "first200" and is_special)
    if closed and is_partner_high(options, auction, seat):
        return "bid.partner"
    if is_special and options.rebid == "first200" and _has_spoken(auction, seat):
        return "bid.rebid"
    return None


def _closed(options: Options, rule: str, seat: Seat) -> RuleBroken:
    if rule == "bid.partner":
        return RuleBroken(rule, say("Your partner's bid is the highest: pass"), seat)
    why = say(
        "You have already had a turn, and the bid has reached {bid}: you can only pass",
        bid=_said(options, options.special),
    )
    return RuleBroken(rule, why, seat)


def _special_by(options: Options, auction: Auction, seat: Seat) -> str | None:
    """The rule by which ``seat`` must bid 200 or more in a first round, or None."""
    if is_partner_high(options, auction, seat):
        return "bid.partner"
    if options.rebid != "once" and _has_spoken(auction, seat):
        return "bid.rebid"
    return None


def _too_low(options: Options, rule: str, seat: Seat) -> RuleBroken:
    special = _said(options, options.special)
    if rule == "bid.partner":
        why = say("To bid higher than your partner, bid at least {bid}", bid=special)
    else:
        why = say("You have already had a turn: bid at least {bid} now", bid=special)
    return RuleBroken(rule, why, seat)


def _has_spoken(auction: Auction, seat: Seat) -> bool:
    """Whether this turn is a further one; an answer for a partner is so if either had spoken."""
    return not auction.partner_free if auction.asked_by is not None else seat in auction.spoken


def _said(options: Options, amount: int) -> str:
    return amount_text(amount, options.tenths)


def _above(options: Options, amount: int) -> int:
    return amount + _step(options, amount) if amount else 0


def _step(options: Options, amount: int) -> int:
    return options.step_over_200 if amount >= options.special else 10
