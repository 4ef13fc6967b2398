"""Spectators: what they are shown, and when.

Owns who watches at this node and how far each has seen (SPEC.md, "Spectators"). They get what is
public, settled blocks of the transcript, and verify it themselves; with a delay of a trick or a
hand where the table's rules say so, from every member alike. They can say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Never

from p2p304.log.faults import Refused
from p2p304.log.transcript import encode_block
from p2p304.table.node.table_machine import TableMachine
from p2p304.wire.canonical import FEW_ITEMS, NotCanonical, decode, encode
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

MOST = 50
"""Spectators at one node."""
BATCH = 16
"""Blocks under way to a spectator at most: it asks for more when it has some of them."""


def watch_bytes(have: int) -> bytes:
    """A spectator's question: everything from this place on."""
    return encode({"have": have})


def parse_watch(raw: bytes) -> int:
    """Decode strictly; raises Refused W08."""
    try:
        value = decode(raw, FEW_ITEMS)
    except NotCanonical as error:
        raise Refused("W08", "this question of a spectator is not canonical") from error
    have = value.get("have") if isinstance(value, dict) and set(value) == {"have"} else None
    if isinstance(have, bool) or not isinstance(have, int) or not 0 <= have < 2**32:
        raise Refused("W08", "this question of a spectator is malformed")
    return have


class Spectators:
    """One node's spectators. `look` after every step of the table; drain `effects`."""

    def __init__(self, table: TableMachine) -> None:
        self._table = table
        self._seen: dict[bytes, _Seen] = {}
        self._out = Outbox[Never]()
        self._shown = 0
        self._block: tuple[int, bytes] = (-1, b"")
        self._last = (0, (0, 0))

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a question may change here, for the error boundary."""
        return (self, self._out, *self._seen.values())

    def receive(self, peer: bytes, payload: bytes) -> None:
        """A stranger asks to watch, or for more; raises Refused W08."""
        have = parse_watch(payload)
        if not self._table.terms.watch:
            self._out.hang_up(peer, "this table lets nobody watch")
        elif peer not in self._seen and len(self._seen) >= MOST:
            self._out.hang_up(peer, "there is no more room for spectators here")
        else:
            seen = self._seen.setdefault(peer, _Seen(have, have))
            # What it has not got yet may be under way: on one link nothing is sent twice.
            seen.has = max(seen.has, min(have, seen.sent))
            self._show(peer)

    def has(self, peer: bytes) -> bool:
        """Whether this peer watches."""
        return peer in self._seen

    def left(self, peer: bytes) -> None:
        self._seen.pop(peer, None)

    def look(self) -> None:
        """Find how much may be shown now; show it to everybody."""
        state, chain = self._table.state, self._table.chain
        if state is None or not self._table.terms.watch:
            return
        settled = chain.next_seq if chain.is_settled else chain.next_seq - 1
        tricks = 0 if state.hand is None else len(state.hand.tricks)
        where = (state.number - (state.hand is not None), tricks)
        if self._table.terms.watch == "hand":
            where = (where[0], 0)
        before, was = self._last
        if self._table.terms.watch == "now" or state.over:
            self._shown = settled
        elif where != was:
            # All that was there when the trick (or hand) was still on is past now.
            self._shown = max(self._shown, min(before, settled))
        self._last = (settled, where)
        for peer in list(self._seen):
            self._show(peer)

    def effects(self) -> list[Effect]:
        return self._out.effects()

    def _show(self, peer: bytes) -> None:
        """The next blocks; that with the parts also to whoever saw its entry settled."""
        seen, end = self._seen[peer], self._parted_after
        if end is not None and not seen.ended:
            seen.has, seen.sent = min(seen.has, end), min(seen.sent, end)
            seen.ended = seen.has + BATCH > end
        while seen.sent < min(self._shown, seen.has + BATCH):
            self._out.send_to(peer, FrameKind.BLOCK, self._encoded(seen.sent))
            seen.sent += 1

    @property
    def _parted_after(self) -> int | None:
        """The place after which all but one have parted, if they have."""
        without = self._table.chain.without
        return None if without is None else without.seq - 1

    def _encoded(self, seq: int) -> bytes:
        """The bytes of a block; all spectators mostly want the same one at the same time."""
        if self._block[0] != seq or seq == self._parted_after:
            self._block = (seq, encode_block(self._table.chain.block(seq)))
        return self._block[1]


@dataclass(slots=True)
class _Seen:
    """A spectator: the blocks before ``has`` are there, those before ``sent`` under way;
    ``ended`` once it was sent the block that ends a table."""

    has: int
    sent: int
    ended: bool = False
