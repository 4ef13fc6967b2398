"""Tricks as the table sees them, and who wins them.

Owns the public facts of a trick. A card that lies face down and was not turned up is None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from p2p304.rules.actions import Play
from p2p304.rules.cards import Card, Pack, Suit
from p2p304.rules.seats import Seat


@dataclass(frozen=True, slots=True)
class Trick:
    """``plays`` in order, the leader's first; ``winner`` once it is settled."""

    leader: Seat
    plays: tuple[Play, ...] = ()
    winner: Seat | None = None

    @property
    def led(self) -> Suit | None:
        """The suit led; a lead always lies face up."""
        card = self.plays[0].card if self.plays else None
        return None if card is None else card.suit

    def by(self, seat: Seat) -> Play | None:
        return next((play for play in self.plays if play.seat == seat), None)

    def followed(self, seat: Seat) -> bool:
        """Whether ``seat`` visibly followed the suit led."""
        play = self.by(seat)
        return play is not None and play.card is not None and play.card.suit is self.led

    def with_cards(self, cards: Mapping[Seat, Card]) -> Trick:
        """The trick with face-down cards made known."""
        plays = tuple(
            replace(p, card=cards[p.seat]) if p.seat in cards and p.card is None else p
            for p in self.plays
        )
        return replace(self, plays=plays)


def winner(trick: Trick, trump: Suit | None, pack: Pack) -> Seat:
    """The highest trump turned up, else the highest card of the suit led."""
    known = [(p.seat, p.card) for p in trick.plays if p.card is not None]
    trumps = [(seat, card) for seat, card in known if card.suit is trump]
    best = trumps or [(seat, card) for seat, card in known if card.suit is trick.led]
    return max(best, key=lambda one: pack.strength[one[1]])[0]


def exhausted(tricks: tuple[Trick, ...], maker: Seat, trump: Suit) -> bool:
    """``exhausted.when``: the trump maker led a trump to which nobody else followed suit."""
    return any(
        trick.winner is not None
        and trick.leader == maker
        and trick.led is trump
        and not any(trick.followed(play.seat) for play in trick.plays[1:])
        for trick in tricks
    )
