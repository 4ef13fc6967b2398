"""Recovery after a restart: a node signs nothing until every other player has said that it has no
more.

Responsible for which players have not said so yet (SPEC.md, "Coming back"); the messages in which
they say it are sync.py's. A journal may be older than what its player has signed: it was cut, or
restored from a backup. The others hold those signatures. Nothing is settled without them, so
waiting costs nothing, with one exception: a single liar could keep this node waiting and make it
look late to the others. So the wait for one player alone ends after a while.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p304.log.chain import Chain
from p2p304.table.exchange.sync import Have


@dataclass(slots=True)
class Recovery:
    """The recovery of one node. Feed `on_have`; ``me`` is this player's number."""

    me: int
    _last_have: dict[bytes, Have] = field(default_factory=dict)
    _last_awaited: tuple[bytes, int, float] | None = None
    """The only player that is awaited, the place, and the time since when."""
    _abandoned: bytes | None = None
    """The player for which this node does not wait any more."""

    def on_have(self, peer: bytes, have: Have) -> None:
        """Record what a peer says that it has. Its last message counts."""
        self._last_have[peer] = have

    def awaited(self, others: Sequence[bytes], chain: Chain) -> tuple[bytes, ...]:
        """Return those of ``others`` that are still awaited. A player is awaited until it has said
        that it has just the entries of ``chain``, and no receipt of this player for the last entry
        that is missing here."""
        lacks = chain.next_seq > 0 and chain.receipt_of(chain.next_seq - 1, self.me) is None
        done = {
            peer
            for peer, have in self._last_have.items()
            if have.next_seq == chain.next_seq and not (lacks and self.me in have.receipts)
        }
        return tuple(peer for peer in others if peer not in done and peer != self._abandoned)

    def give_up_waiting(
        self, awaited: Sequence[bytes], seq: int, now: float, patience: float
    ) -> bool:
        """Stop waiting for a player that alone has been awaited at this place for ``patience``
        seconds. Return whether that happened now."""
        if len(awaited) != 1 or self._abandoned is not None:
            self._last_awaited = None
            return False
        if self._last_awaited is None or self._last_awaited[:2] != (awaited[0], seq):
            self._last_awaited = (awaited[0], seq, now)
        if now < self._last_awaited[2] + patience:
            return False
        self._abandoned = awaited[0]
        return True
