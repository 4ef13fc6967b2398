"""The table's public state: everything that follows from the log alone.

Responsible for the values that step.py turns into their successors. They contain no secret and
nothing of the network: player, spectator and auditor hold the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.crypto.group import Element
from p2p304.rules.play.review import Offence
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.absence import PLAY_OUT
from p2p304.table.agreement.terms import Terms
from p2p304.table.state.deal import Deal


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A finished hand: its number, its dealer, its last public state and its result."""

    number: int
    dealer: int
    hand: Hand
    result: Result
    offences: tuple[Offence, ...]


@dataclass(frozen=True, slots=True)
class AbsentHand:
    """The hand is played out without ``player``. ``parts`` are what the seats present have given,
    in turn, of the elements that are being opened in that player's place."""

    player: int
    parts: tuple[tuple[Element, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """The whole public state.

    ``seating``      by seat, the index of its player in the agreement; empty before the draw
    ``hand, deal``   None between hands and before the first
    ``claims``       player and word of each claim on the receipts for the last entry; the first of
                     them has the floor
    ``last_record``  the last finished hand; earlier ones have left memory
    ``hands_played`` how many hands count; a void hand does not (``hands.played``)
    ``boxes``        the keys to which shares are sealed, by player
    ``absent_hand``  the seat that is played out, or None
    """

    terms: Terms
    table: bytes
    match: Match
    nonces: tuple[bytes, ...] = ()
    seating: tuple[int, ...] = ()
    dealer: int = 0
    number: int = 0
    deal: Deal | None = None
    hand: Hand | None = None
    last_record: HandRecord | None = None
    hands_played: int = 0
    is_over: bool = False
    claims: tuple[tuple[int, str], ...] = ()
    boxes: tuple[Element, ...] = ()
    absent_hand: AbsentHand | None = None

    @property
    def plays_out(self) -> bool:
        """Whether the rules play a hand out without an absent player; then every key is shared."""
        return self.terms.rules.away == PLAY_OUT

    @property
    def share_count(self) -> int:
        """How many seats get a share of each key."""
        return self.seats - 1 if self.plays_out else 0

    @property
    def absent_seat(self) -> int | None:
        """The seat that is played out, or None."""
        return None if self.absent_hand is None else self.seat_of(self.absent_hand.player)

    @property
    def seats(self) -> int:
        return len(self.terms.players)

    @property
    def claim(self) -> tuple[int, str] | None:
        """The player and the claim that has the floor, or None."""
        return self.claims[0] if self.claims else None

    @property
    def is_played_to_its_end(self) -> bool:
        """Whether the match is won, or all agreed hands are played (where hands were agreed)."""
        return self.match.is_over or 0 < self.terms.hands <= self.hands_played

    def seat_of(self, player: int) -> int:
        """Return a player's seat; before the draw, players sit in the agreement's order."""
        return self.seating.index(player) if self.seating else player

    def player_on(self, seat: int) -> int:
        """Return the player (an index of the agreement) on a seat."""
        return self.seating[seat] if self.seating else seat

    def partners_of(self, player: int) -> tuple[int, ...]:
        """Return the other players who share this player's account; none before seats are drawn."""
        if not self.seating:
            return ()
        account, mine = self.terms.rules.account, self.seat_of(player)
        return tuple(
            other
            for seat, other in enumerate(self.seating)
            if seat != mine and account(seat) == account(mine)
        )

    def nick_on(self, seat: int) -> str:
        """Return the nickname of the player on a seat."""
        return self.terms.players[self.player_on(seat)].nick

    @property
    def open_deal(self) -> Deal:
        """The deal in progress; LookupError where there is none."""
        if self.deal is None:
            raise LookupError("no hand is being dealt or played")
        return self.deal

    @property
    def open_hand(self) -> Hand:
        """The hand in progress; LookupError where there is none."""
        if self.hand is None:
            raise LookupError("no hand is being dealt or played")
        return self.hand

    @property
    def cutter(self) -> int:
        """The seat that may cut the pack: the player to the dealer's left (``cut.left``). That is
        the seat before the dealer in counter-clockwise play, and the one after it in clockwise."""
        deal = self.open_deal
        step = 1 if self.terms.rules.direction == "cw" else -1
        return (deal.dealer + step) % deal.seats

    def with_deal(self, deal: Deal) -> TableState:
        return replace(self, deal=deal)


def first_state(terms: Terms) -> TableState:
    """Return the state after the agreement, before the draw."""
    begins = Match.start(terms.rules) if terms.after is None else terms.after.match(terms.rules)
    return TableState(terms=terms, table=terms.table, match=begins)
