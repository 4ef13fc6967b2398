"""After a start: nothing is signed until every other player has said that it has no more.

Owns which of the others have not said so yet (SPEC.md, "Coming back"). A journal may be older than
what its player has signed: it was cut, or put back from a backup. The others hold those signatures,
and nothing is settled without them, so that waiting for them costs nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p304.log.chain import Chain
from p2p304.table.sync import Have


@dataclass(slots=True)
class Recovery:
    """Feed `hear`; ``me`` is this player's number."""

    me: int
    _said: dict[bytes, Have] = field(default_factory=dict)

    def hear(self, peer: bytes, have: Have) -> None:
        """A peer says what it has; its last word counts."""
        self._said[peer] = have

    def awaited(self, others: Sequence[bytes], chain: Chain) -> tuple[bytes, ...]:
        """Those of ``others`` who have not said that they have just the entries of ``chain``, and
        no receipt of this player for the last one that is not here."""
        lacks = bool(chain.entries) and chain.receipt_of(chain.next_seq - 1, self.me) is None
        return tuple(peer for peer in others if not self._has_no_more(peer, chain.next_seq, lacks))

    def _has_no_more(self, peer: bytes, next_seq: int, lacks: bool) -> bool:
        have = self._said.get(peer)
        if have is None or have.next_seq != next_seq:
            return False
        return not (lacks and self.me in have.receipts)
