"""The replica of a table: its log, with the state that follows from it.

Responsible for keeping the two together, for a player and for an auditor alike: an entry is
verified, then committed. Whether players have parted is read off them and stored nowhere else. It
signs nothing, holds no secret and sends nothing: that is table/machine/table_machine.py's.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p304.log.chain import Chain
from p2p304.log.entry import Receipt, Signed
from p2p304.table.absence.certificate import Certificate, check_may_part
from p2p304.table.agreement.terms import Terms, unfit
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.actions import Step
from p2p304.table.transition.follow_up import without_absent
from p2p304.table.transition.phases import Duty, duty
from p2p304.table.transition.receipt_claims import check_claim_is_open, with_claims
from p2p304.table.transition.step import agreed, step
from p2p304.table.transition.successor import Ending, ending


class Begun(NamedTuple):
    """The first place of the hand, and of the trick, that is being played. What follows a trick
    belongs to it until the next lead; before its first trick a hand has no later place."""

    hand: int
    trick: int


class Replica:
    """A log and the state after its last entry; ``state`` is None before entry 0."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.chain = Chain(terms.table, terms.keys)
        self.state: TableState | None = None
        self.blocked_from: int | None = None
        """The first place at which nothing may be written or receipted, because all but one player
        agree to part before it; None if all may."""
        self.begun = Begun(0, 0)
        self._before: TableState | None = None
        self._begun_before = self.begun
        self._due: tuple[TableState | None, Duty | None] = (None, None)
        """The floor, with the state for which it was found: it is asked for many times."""

    def judge(self, signed: Signed) -> Step:
        """Return the state and events that would follow from an entry; change nothing. Raises
        Refused."""
        if self.state is not None:
            return step(self.state, signed.entry)
        state = agreed(signed.entry)
        if state.terms != self.terms:
            raise unfit("this is not the agreement that the players made", signed.entry.author)
        return state, ()

    def append(self, signed: Signed, state: TableState) -> None:
        """Commit an entry and the state that was judged to follow from it."""
        self.chain.append(signed)
        self._before, self.state = self.state, state
        self._begun_before, next_seq = self.begun, self.chain.next_seq
        number, tricks = (0, 0) if self._before is None else _hand_and_tricks(self._before)
        if state.number != number:
            self.begun = Begun(next_seq, next_seq)
        elif _hand_and_tricks(state)[1] > tricks:
            self.begun = self.begun._replace(trick=next_seq - 1)

    def settle(self) -> None:
        """Give the floor to a claim on the receipts, once all receipts for the last entry are
        here."""
        if self.state is not None and self.chain.next_seq and self.chain.is_settled:
            self.state = with_claims(self.state, self.chain.block(self.chain.next_seq - 1))

    def judge_claim(self, receipt: Receipt) -> None:
        """S03: the claim of a receipt for the last entry is open."""
        if receipt.head == self.chain.head:
            check_claim_is_open(self.state, receipt)

    def is_blocked(self, seq: int) -> bool:
        """Return whether nothing may be written or receipted at this place."""
        return self.blocked_from is not None and seq >= self.blocked_from

    def apply_certificate(self, certificate: Certificate) -> tuple[PublicEvent, ...] | None:
        """Go on without the absent player, and return the events; None if this log is not at that
        place.

        This log may hold one entry after that place, by the absent player or by a player who agreed
        later. It has no receipts and is dropped. A finished table needs no certificate, and takes
        none. Raises Refused E03 if players have parted already.
        """
        if self.is_finished:
            return None
        check_may_part(self.terms.rules, self.is_parted)
        where, chain = certificate.place, self.chain
        ahead = chain.next_seq == where.seq + 1 and not chain.is_settled
        state = self._before if ahead else self.state
        reached = where.seq in (chain.next_seq, chain.next_seq - ahead)
        if state is None or not reached or chain.entry(where.seq - 1).link != where.head:
            return None
        self.state, happened = without_absent(state, where.absent)
        if ahead:
            self.begun = self._begun_before
        self._before = self.blocked_from = None
        chain.continue_without(certificate.without)
        return happened

    @property
    def settled_state(self) -> TableState | None:
        """The state after the last entry for which all receipts are here."""
        return self.state if not self.chain.next_seq or self.chain.is_settled else self._before

    @property
    def due(self) -> Duty | None:
        """The floor; None before entry 0 and when the table is over."""
        if self.state is not self._due[0]:
            self._due = (self.state, None if self.state is None else duty(self.state))
        return self._due[1]

    @property
    def is_over(self) -> bool:
        """Whether no entry may follow."""
        return self.state is not None and self.state.is_over

    @property
    def is_parted(self) -> bool:
        """Whether all but one player have parted: the table is ended, or a hand is played out."""
        return self.chain.without is not None

    @property
    def is_ended(self) -> bool:
        """Whether the players have ended the table: no entry follows the one after which they
        parted."""
        without = self.chain.without
        return self.is_over and without is not None and self.chain.next_seq == without.seq

    @property
    def is_playing_out(self) -> bool:
        """Whether a hand is played out without an absent player."""
        return self.is_parted and not self.is_ended

    @property
    def is_finished(self) -> bool:
        """Whether the table has come to its own end, and every receipt for its last entry is
        here."""
        return self.is_over and not self.is_ended and self.chain.is_settled

    @property
    def is_complete(self) -> bool:
        """Whether the table is over, and the receipts for its last entry are here, or the parts in
        their place."""
        return self.is_over and self.chain.is_settled

    @property
    def has_kept_draw(self) -> bool:
        """Whether all players have stayed until a hand that counts was played to its end."""
        played = self.state is not None and self.state.hands_played > 0
        return played and not self.is_parted

    def seat_of(self, player: int) -> int:
        """Return a player's seat; -1 before entry 0."""
        return -1 if self.state is None else self.state.seat_of(player)

    def signed_before(self, player: int) -> int:
        """Return the place before which this player has signed an entry or a receipt for every
        place."""
        last = self.chain.next_seq - 1
        if last < 0:
            return 0
        own = self.chain.last.entry.author == player
        return last + 1 if own or self.chain.receipt_of(last, player) is not None else last

    @property
    def ending(self) -> Ending | None:
        """How the table ended, for a table that continues it; None if it cannot be continued."""
        without = self.chain.without
        if self.state is None or without is None or not self.is_ended:
            return None
        return ending(self.state, without.absent, without.table)

    @property
    def present(self) -> tuple[bytes, ...]:
        """The keys of the players without whom the table cannot go on."""
        without = self.chain.without
        keys = enumerate(self.terms.keys)
        return tuple(key for player, key in keys if without is None or player != without.absent)


def _hand_and_tricks(state: TableState) -> tuple[int, int]:
    """Return the number of the hand, and how many tricks of it have begun."""
    return state.number, 0 if state.hand is None else len(state.hand.tricks)
