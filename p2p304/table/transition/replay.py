"""A replay of a transcript, which verifies it entry by entry.

Responsible for the order of verification: the entry, then its receipts or parts, then the state.
The checks themselves are log/chain.py's and step.py's; verdicts are offline/audit.py's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from p2p304.log.chain import Chain, Parts
from p2p304.log.entry import Unverified
from p2p304.log.faults import Refused
from p2p304.log.transcript import RawBlock, Source, read_blocks
from p2p304.table.absence.certificate import check_certificate
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.replica import Replica
from p2p304.table.transition.step import agreed_terms


@dataclass(frozen=True, slots=True)
class Replayed:
    """One verified entry: its place, its author's nickname, its kind, its events, and the state
    after it."""

    seq: int
    author: str
    kind: str
    events: tuple[PublicEvent, ...]
    state: TableState


class Replay:
    """Replays a transcript, its bytes or an open file; iterate to verify it entry by entry.

    Raises Unreadable if it is no transcript, and Refused at the first false entry. Without
    ``keeps_log`` only the last places stay in memory.
    """

    def __init__(self, source: bytes | Source, keeps_log: bool = True) -> None:
        self._source, self._keeps_log = source, keeps_log
        self.replica: Replica | None = None

    @property
    def state(self) -> TableState | None:
        return None if self.replica is None else self.replica.state

    @property
    def chain(self) -> Chain | None:
        return None if self.replica is None else self.replica.chain

    def __iter__(self) -> Iterator[Replayed]:
        for raw in read_blocks(self._source):
            yield self.verify_block(raw)
            if not self._keeps_log and self.chain is not None:
                # A parting may still drop the last place, and it names the one before.
                self.chain.forget(self.chain.next_seq - 2)

    def verify_block(self, raw: RawBlock) -> Replayed:
        """Verify the next block."""
        entry = raw.entry.entry
        replica, state, happened = self.verify_entry(raw.entry)
        if raw.parts is None:
            _check_receipts(replica.chain, raw)
            replica.settle()
        else:
            happened = (*happened, *self.verify_parts(raw.parts))
        state = replica.state or state
        return Replayed(
            entry.seq, state.terms.players[entry.author].nick, entry.kind, happened, state
        )

    def verify_entry(self, raw: Unverified) -> tuple[Replica, TableState, tuple[PublicEvent, ...]]:
        """Verify the next entry, for which no receipt is here yet."""
        replica = self.replica or Replica(agreed_terms(raw.entry))
        signed = replica.chain.authenticate(raw)
        state, happened = replica.judge(signed)
        replica.append(signed, state)
        self.replica = replica
        return replica, state, happened

    def verify_parts(self, parts: Parts) -> tuple[PublicEvent, ...]:
        """Verify that all but one player have parted after the last entry."""
        if self.replica is None:
            raise LookupError("the table has not begun, so nobody can leave it for good")
        chain = self.replica.chain
        certificate = check_certificate(self.replica.terms, chain.next_seq, chain.head, parts)
        return self.replica.apply_certificate(certificate) or ()


def _check_receipts(chain: Chain, raw: RawBlock) -> None:
    """L12: every other player's receipt is there, in the one order in which they are written."""
    for receipt in raw.receipts:
        chain.authenticate_receipt(receipt)
        chain.add_receipt(receipt)
    chain.require_settled()
    order = tuple(r.author for r in chain.block(raw.entry.entry.seq).receipts)
    if order != tuple(r.author for r in raw.receipts):
        raise Refused("L12", "the receipts are out of order")
