"""How well a trump maker's cards fit its bid.

Responsible for the weight of a world, softly and with a floor: a player may bid otherwise than this
program. What cannot be is worlds.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import exp

from p2p304.bots import bidding
from p2p304.rules.caps.bitboard import SUIT_CARDS, card_of, each
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Suit
from p2p304.rules.state.hand import Hand

WIDTH = 40.0
"""So much less value, in hundredths of a trick (bidding.py), makes a bid or a suit a third as
likely."""
FLOOR = 0.03
FORCED_FLOOR = 0.3
"""The same where the bid may have been one that had to be made."""
HIGHER = 0.3
"""How likely the indicator is not the lowest of its suit."""
Fit = Callable[[int, int, int], float]


def first_cards(hand: Hand) -> int:
    """How many cards the trump maker held when it chose trumps."""
    said = [one for one in hand.history if isinstance(one, acts.LayTrump)]
    late = len(said) > 1 or (hand.auction.full and not hand.auction.second)
    return hand.options.hand_size if late else hand.options.batches[0]


def fit_to(hand: Hand) -> Fit:
    """Return a function of the cards that the trump maker held, the number of the trump suit, and
    the indicator: how likely that player was to bid so and lay it, up to a factor."""
    bid = hand.bid * 304 // hand.options.pack.total
    need = next((least for least, most in reversed(bidding.LADDER) if bid <= most), 960)
    forced = hand.bid == hand.options.bid_min and (
        hand.options.all_pass == "dealer_forced" or hand.options.bid_first == "must"
    )
    floor = FORCED_FLOOR if forced else FLOOR

    def fit(cards: int, trump: int, indicator: int) -> float:
        worth = values(cards)
        value = worth[trump]
        likely = exp((value - max(worth)) / WIDTH)
        if value < need:
            likely *= exp((value - need) / WIDTH)
        if indicator > cards & SUIT_CARDS[trump] & -(cards & SUIT_CARDS[trump]):
            likely *= HIGHER
        return likely if likely > floor else floor

    return fit


@lru_cache(maxsize=40_000)
def values(cards: int) -> tuple[float, ...]:
    """The value of these cards with each suit as trumps, scaled to four cards."""
    held = [card_of(one) for one in each(cards)]
    scale = bidding.FOUR / len(held)
    return tuple(bidding.worth(held, suit) * scale for suit in Suit)
