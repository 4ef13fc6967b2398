"""What a seat may say and do before the first lead.

Responsible for listing it at once, where bids.py, own_card_checks.py and play/transitions.py judge
one action after the other and say why one is refused; a test holds both to the same. What is legal
in play is left to play/view.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from operator import attrgetter

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC, Action, Bid, Call
from p2p304.rules.core.cards import Card, Pack, by_suit
from p2p304.rules.core.notation import word
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.legality import bids
from p2p304.rules.legality.own_card_checks import Cards, may_reject, must_open
from p2p304.rules.state.hand import Hand


def actions_before_play(
    hand: Hand, seat: Seat, cards: frozenset[Card], indicator: Card | None
) -> tuple[Action, ...]:
    """Every action open to ``seat``, whose turn it is, sorted as text."""
    match hand.phase:
        case Phase.BID4 | Phase.BID8:
            return tuple(_spoken(hand, seat, cards))
        case Phase.TRUMP4 | Phase.TRUMP8:
            return tuple([_lay_trump(seat, card) for card in sorted(cards, key=_NAME)])
        case Phase.PARTNER:
            return _calls(seat, hand.options.pack)
        case Phase.EXCHANGE:
            pairs = combinations(by_suit(cards, hand.options.pack), 2)
            exchanges = [acts.Exchange(seat, pair) for pair in pairs]
            return (*sorted(exchanges, key=word), acts.Keep(seat))
        case Phase.DECLARE:
            return tuple(_declarations(hand, seat, cards, indicator))
    return ()


def _spoken(hand: Hand, seat: Seat, cards: Cards) -> Iterator[Action]:
    """What may be said in a round of bidding: numbers, then words by the alphabet."""
    options, auction = hand.options, hand.auction
    yield from _bids(seat, bids.open_numbers(options, auction, seat))
    if bids.may_ask(options, auction, seat):
        yield acts.Ask(seat)
    named = bids.open_named_bids(options, auction, seat)
    yield from [_bid(seat, amount) for amount in named if amount in (HALF_COURT, FULL_COURT)]
    if bids.forced_bid_rule(options, auction) is None:
        yield acts.Pass(seat)
    if PCC in named:
        yield _bid(seat, PCC)
    may_redeal = hand.phase is Phase.BID4 and options.redeal15 and not auction.has_begun
    if may_redeal and may_reject(hand, cards):
        yield acts.Redeal(seat)


def _declarations(hand: Hand, seat: Seat, cards: Cards, indicator: Card | None) -> Iterator[Action]:
    if not must_open(hand, cards, indicator, seat):
        yield acts.Closed(seat)
    if hand.options.open_trump and indicator is not None:
        yield acts.Open(seat, indicator)


# The same actions are named in every hand: they are made once.


_NAME = attrgetter("name")
_bid = lru_cache(maxsize=64)(Bid)
_lay_trump = lru_cache(maxsize=512)(acts.LayTrump)


@lru_cache(maxsize=512)
def _bids(seat: Seat, numbers: tuple[int, ...]) -> tuple[Bid, ...]:
    return tuple(Bid(seat, number) for number in numbers)


@lru_cache(maxsize=32)
def _calls(seat: Seat, pack: Pack) -> tuple[Call, ...]:
    return tuple(sorted((Call(seat, card) for card in pack.cards), key=word))
