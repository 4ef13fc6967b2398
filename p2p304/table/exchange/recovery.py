"""After a start: nothing is signed until every other player has said that it has no more.

Owns which of the others have not said so yet (SPEC.md, "Coming back"). A journal may be older than
what its player has signed: it was cut, or put back from a backup. The others hold those signatures.
Nothing is settled without them, so that waiting for them costs nothing, but for one thing: a single
liar could keep this node waiting, and let the others believe that it is the one who is late. So the
wait for one player alone ends after a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p304.log.chain import Chain
from p2p304.table.exchange.sync import Have


@dataclass(slots=True)
class Recovery:
    """Feed `hear`; ``me`` is this player's number."""

    me: int
    _said: dict[bytes, Have] = field(default_factory=dict)
    _alone: tuple[bytes, int, float] | None = None
    """The only player who is awaited, at which place, and since when."""
    _in_vain: bytes | None = None
    """The player for whom this node does not wait any more."""

    def hear(self, peer: bytes, have: Have) -> None:
        """A peer says what it has; its last word counts."""
        self._said[peer] = have

    def awaited(self, others: Sequence[bytes], chain: Chain) -> tuple[bytes, ...]:
        """Those of ``others`` who have not said that they have just the entries of ``chain``, and
        no receipt of this player for the last one that is not here."""
        lacks = bool(chain.entries) and chain.receipt_of(chain.next_seq - 1, self.me) is None
        return tuple(
            peer
            for peer in others
            if peer != self._in_vain and not self._has_no_more(peer, chain.next_seq, lacks)
        )

    def gives_up(self, awaited: Sequence[bytes], seq: int, now: float, patience: float) -> bool:
        """Whether one player alone has been awaited at this place for so many seconds: it is not
        waited for any more."""
        if len(awaited) != 1 or self._in_vain is not None:
            self._alone = None
            return False
        if self._alone is None or self._alone[:2] != (awaited[0], seq):
            self._alone = (awaited[0], seq, now)
        if now < self._alone[2] + patience:
            return False
        self._in_vain = awaited[0]
        return True

    def _has_no_more(self, peer: bytes, next_seq: int, lacks: bool) -> bool:
        have = self._said.get(peer)
        if have is None or have.next_seq != next_seq:
            return False
        return not (lacks and self.me in have.receipts)
