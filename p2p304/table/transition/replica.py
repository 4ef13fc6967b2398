"""The course of a table: its log, and the state that follows from it.

Owns the two together, for a player as for an auditor: an entry is verified, then committed; what
became of a parting is read off them and kept nowhere beside them. It signs nothing, holds no
secret and tells nobody.
"""

from __future__ import annotations

from p2p304.log.chain import Chain
from p2p304.log.entry import Receipt, Signed
from p2p304.log.transcript import encode_block
from p2p304.table.agreement.terms import Terms, unfit
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.actions import Step
from p2p304.table.transition.follow_up import without_absent
from p2p304.table.transition.parting import Certificate
from p2p304.table.transition.phases import Duty, duty
from p2p304.table.transition.receipt_claims import check_claim_is_open, with_claims
from p2p304.table.transition.step import agreed, step
from p2p304.table.transition.successor import Ending, ending


class Replica:
    """``state`` is None before entry 0."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.chain = Chain(terms.table, terms.keys)
        self.state: TableState | None = None
        self.blocked_from: int | None = None
        """Nothing is written or receipted here from this place on: all but one are agreed to part
        before it."""
        self._before: TableState | None = None

    def judge(self, signed: Signed) -> Step:
        """What would follow from an entry; nothing is changed. Raises Refused."""
        if self.state is not None:
            return step(self.state, signed.entry)
        state = agreed(signed.entry)
        if state.terms != self.terms:
            raise unfit("this is not the agreement that was made", signed.entry.author)
        return state, ()

    def append(self, signed: Signed, state: TableState) -> None:
        """Commit an entry and the state that was judged to follow from it."""
        self.chain.append(signed)
        self._before, self.state = self.state, state

    def settle(self) -> None:
        """Where everybody has seen the last entry, a claim on the receipts takes the floor."""
        if self.state is not None and self.chain.next_seq and self.chain.is_settled:
            self.state = with_claims(self.state, self.chain.block(self.chain.next_seq - 1))

    def judge_claim(self, receipt: Receipt) -> None:
        """S03: a receipt for the last entry claims nothing that is not open."""
        if receipt.head == self.chain.head:
            check_claim_is_open(self.state, receipt)

    def is_blocked(self, seq: int) -> bool:
        return self.blocked_from is not None and seq >= self.blocked_from

    def apply_certificate(self, certificate: Certificate) -> tuple[PublicEvent, ...] | None:
        """Do without the one that all others have parted from, if this log has come to that place;
        else None. The absent one may have written an entry more, which nobody will receipt; so may
        have who joined the others later."""
        where, chain = certificate.where, self.chain
        ahead = chain.next_seq == where.seq + 1 and not chain.is_settled
        state = self._before if ahead else self.state
        reached = where.seq in (chain.next_seq, chain.next_seq - ahead)
        if state is None or not reached or chain.entries[where.seq - 1].link != where.head:
            return None
        self.state, told = without_absent(state, where.absent)
        self._before = self.blocked_from = None
        chain.continue_without(certificate.without)
        return told

    @property
    def settled_state(self) -> TableState | None:
        """The state after the last entry that everybody has receipted."""
        return self.state if not self.chain.entries or self.chain.is_settled else self._before

    @property
    def due(self) -> Duty | None:
        """Who has the floor; None before entry 0 and when the table is over."""
        return None if self.state is None else duty(self.state)

    @property
    def is_over(self) -> bool:
        """Nothing may follow."""
        return self.state is not None and self.state.over

    @property
    def is_parted(self) -> bool:
        """All but one have parted from that one: the table is ended, or a hand played out."""
        return self.chain.without is not None

    @property
    def is_ended(self) -> bool:
        """The players have ended the table: nothing follows the entry that they parted after."""
        without = self.chain.without
        return self.is_over and without is not None and self.chain.next_seq == without.seq

    @property
    def is_finished(self) -> bool:
        """The table has come to its own end, and every receipt for its last entry is here."""
        return self.is_over and not self.is_ended and self.chain.is_settled

    @property
    def ending(self) -> Ending | None:
        """What a table must agree with that goes on from one that was ended."""
        without = self.chain.without
        if self.state is None or without is None or not self.is_ended:
            return None
        last = encode_block(self.chain.block(without.seq - 1))
        return ending(self.state, without.absent, last)

    @property
    def present(self) -> tuple[bytes, ...]:
        """The players without whom the table cannot go on, by key."""
        without = self.chain.without
        keys = enumerate(self.terms.keys)
        return tuple(key for player, key in keys if without is None or player != without.absent)
