"""The table's public state: everything that follows from the log alone.

Owns the values that `step` turns into their successors. It knows no secret and no network;
player, spectator and auditor hold the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.crypto.group import Element
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.absence import PLAY_OUT
from p2p304.table.agreement.terms import Terms
from p2p304.table.state.deal import Deal


@dataclass(frozen=True, slots=True)
class HandRecord:
    """A finished hand as the table keeps it: its number, dealer, public end and result."""

    number: int
    dealer: int
    hand: Hand
    result: Result
    offences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AbsentHand:
    """The hand is played out without ``player``; ``parts`` are what the seats present have said,
    in turn, of the elements that are being opened in its place."""

    player: int
    parts: tuple[tuple[Element, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TableState:
    """Everything public. ``seating[seat]`` is an index into the agreement's players; before
    the draw it is empty. ``hand`` and ``deal`` are None between hands and before the first.
    ``claims`` are the claims on the receipts for the last entry, player and word, the one that
    has taken the floor first. ``boxes`` are the keys to which players are sealed their shares, and
    ``absent_hand`` is the seat that is played out, if there is one."""

    terms: Terms
    table: bytes
    match: Match
    nonces: tuple[bytes, ...] = ()
    seating: tuple[int, ...] = ()
    dealer: int = 0
    number: int = 0
    deal: Deal | None = None
    hand: Hand | None = None
    records: tuple[HandRecord, ...] = ()
    over: bool = False
    claims: tuple[tuple[int, str], ...] = ()
    boxes: tuple[Element, ...] = ()
    absent_hand: AbsentHand | None = None

    @property
    def plays_out(self) -> bool:
        """Whether the rules are to play hands out: then every key is shared among the others."""
        return self.terms.rules.away == PLAY_OUT

    @property
    def absent_seat(self) -> int | None:
        """The seat that is played out, or None."""
        return None if self.absent_hand is None else self.seat_of(self.absent_hand.player)

    @property
    def seats(self) -> int:
        return len(self.terms.players)

    @property
    def claim(self) -> tuple[int, str] | None:
        """The player and the claim that has taken the floor, or None."""
        return self.claims[0] if self.claims else None

    @property
    def hands_played(self) -> int:
        """Hands that count; a void one does not (``hands.played``)."""
        return sum(not record.result.void for record in self.records)

    @property
    def is_played_to_its_end(self) -> bool:
        """Whether the match is won, or all hands that were agreed (0: a match) are played."""
        return self.match.is_over or 0 < self.terms.hands <= self.hands_played

    def seat_of(self, player: int) -> int:
        """The seat of a player; before the draw players stand in the agreement's order."""
        return self.seating.index(player) if self.seating else player

    def player_on(self, seat: int) -> int:
        return self.seating[seat] if self.seating else seat

    def partners_of(self, player: int) -> tuple[int, ...]:
        """The other players who win and lose with this one; nobody before seats are drawn."""
        if not self.seating:
            return ()
        account, mine = self.terms.rules.account, self.seat_of(player)
        return tuple(
            other
            for seat, other in enumerate(self.seating)
            if seat != mine and account(seat) == account(mine)
        )

    def nick_on(self, seat: int) -> str:
        return self.terms.players[self.player_on(seat)].nick

    @property
    def open_deal(self) -> Deal:
        """The deal in progress; LookupError where there is none."""
        if self.deal is None:
            raise LookupError("no hand is being dealt or played")
        return self.deal

    @property
    def open_hand(self) -> Hand:
        if self.hand is None:
            raise LookupError("no hand is being dealt or played")
        return self.hand

    def with_deal(self, deal: Deal) -> TableState:
        return replace(self, deal=deal)


def first_state(terms: Terms) -> TableState:
    """The state after the agreement, before the draw."""
    begins = Match.start(terms.rules) if terms.after is None else terms.after.match(terms.rules)
    return TableState(terms=terms, table=terms.table, match=begins)
