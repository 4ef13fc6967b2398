"""Tricks as the table sees them, and which play wins them.

Responsible for the public facts of a trick. A card that lies face down and was not turned up is
None. When a trick is complete is left to play/effects.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card, Pack, Suit
from p2p304.rules.core.seats import Seat


class Trick(NamedTuple):
    """``plays`` in order, the leader's first; ``winner`` once it is complete. The first
    ``dead_plays`` plays were made before trumps were asked for in this trick, and cut nothing."""

    leader: Seat
    plays: tuple[Play, ...]
    winner: Seat | None = None
    dead_plays: int = 0

    @property
    def led(self) -> Suit | None:
        """The suit led; a lead always lies face up."""
        card = self.plays[0].card if self.plays else None
        return None if card is None else card.suit

    @property
    def has_indicator(self) -> bool:
        """Whether the trump maker has played its indicator to this trick."""
        return any(play.indicator for play in self.plays)

    def by(self, seat: Seat) -> Play | None:
        return next((play for play in self.plays if play.seat == seat), None)

    def has_followed(self, seat: Seat) -> bool:
        """Whether ``seat`` visibly followed the suit led."""
        play = self.by(seat)
        return play is not None and play.card is not None and play.card.suit is self.led


def with_cards(plays: tuple[Play, ...], cards: Mapping[Seat, Card]) -> tuple[Play, ...]:
    """Plays to a trick, with face-down cards made known by seat."""
    return tuple(
        replace(p, card=cards[p.seat]) if p.seat in cards and p.card is None else p for p in plays
    )


def winner(plays: tuple[Play, ...], dead_plays: int, trump: Suit | None, pack: Pack) -> Seat:
    """The highest trump that cuts, else the highest card of the suit led; of a whole trick."""
    best, suit, value, strength = plays[0].seat, None, -1, pack.strength
    for number, play in enumerate(plays):
        card = play.card
        if card is None:
            continue
        if card.suit is suit:
            if strength[card] > value:
                best, value = play.seat, strength[card]
        elif suit is None or (card.suit is trump and number >= dead_plays):
            best, suit, value = play.seat, card.suit, strength[card]
    return best


def has_exhausted_trumps(tricks: tuple[Trick, ...], maker: Seat, trump: Suit) -> bool:
    """``exhausted.when``: the trump maker led a trump to which nobody else followed suit."""
    return any(
        trick.leader == maker
        and trick.winner is not None
        and trick.led is trump
        and not any(trick.has_followed(play.seat) for play in trick.plays[1:])
        for trick in tricks
    )
