"""What one seat knows at one moment, as far as Caps depends on it.

Responsible for the value that the solver works on. from_hand.py makes it from a hand; the search
in solver.py draws the conclusions.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.seats import Seat


class CapsError(ValueError):
    """A question that has no answer: no such knowledge, no such claim."""


@dataclass(frozen=True, slots=True)
class Put:
    """A card of the present trick: ``card`` is its bit, 0 where this seat does not know it (then
    it is of none of the suits ``barred``); ``indicator`` if it is the indicator, face down."""

    seat: Seat
    card: int
    barred: int = 0
    indicator: bool = False


@dataclass(frozen=True, slots=True)
class Knowledge:
    """``caps.worlds``: the worlds that ``seat`` must reckon with, and the present trick.

    Sets of cards are integers of bitboard.py; sets of suits and of seats have bit n for number n.
    ``mine`` are the seat's remaining cards with its indicator, which is ``lying`` while it lies
    on the table. ``unseen`` are all cards whose place it does not know: ``room[s]`` of them in
    the hand of s and of none of the suits ``barred[s]``; one in each of ``laid``, no trump and
    of none of those suits; one as another seat's indicator where ``hidden_indicator``.
    ``shown`` is an indicator that another trump maker took up. ``trumps`` are the suits that may
    be trumps; where suit t is, ``spent`` tells that the trump maker's hand holds none of t,
    ``exhausted`` that trumps are exhausted (``exhausted.when``; ``exhausts`` whether that is
    played at all), and ``alone`` that its hand holds nothing but t, because it led t first, closed.
    ``first``: the first lead of a closed game is still to come, which may be a trump only from such
    a hand, and only where open trump is not played (``leads_alone``); ``opening``: the present
    trick's end shows the indicator; ``lost``: the side has lost a trick.
    """

    seat: Seat
    seats: int
    ours: int
    maker: Seat
    mine: int
    lying: int
    unseen: int
    room: tuple[int, ...]
    barred: tuple[int, ...]
    laid: tuple[int, ...]
    hidden_indicator: bool
    shown: int
    trumps: int
    spent: int
    exhausted: int
    exhausts: bool
    first: bool
    opening: bool
    lost: bool
    leader: Seat
    trick: tuple[Put, ...]
    alone: int = 0
    leads_alone: bool = False
