"""Spectators: what a player's node shows them, and when.

Responsible for which spectators watch at this node and how far each of them is (SPEC.md,
"Spectators"); the spectator's side is spectator_machine.py's. Spectators get settled blocks of the
transcript, which are public, and verify them. The table's rules may delay the blocks by a trick or
a hand, alike at every member. Spectators can say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Never

from p2p304.log.entry import PLACE_FORM
from p2p304.log.faults import Refused
from p2p304.log.transcript import encoded_blocks
from p2p304.rules.core.phrases import english
from p2p304.table.machine.table_machine import TableMachine
from p2p304.wire.canonical import FEW_ITEMS, encode
from p2p304.wire.effects import Effect, Outbox, WithOutbox
from p2p304.wire.forms import Malformed, exactly
from p2p304.wire.framing import FrameKind

MOST = 50
"""Spectators at one node."""
NOT_ADMITTED = english("this table admits no spectators")
WAIT_TO_WATCH = english("this table can be watched once all its players have joined")
WATCH_AGAIN = english("the players are at another table now")
BATCH = 16
"""Blocks on their way to a spectator at most. It asks for more when it has some of them."""

_QUESTION = exactly({"have": PLACE_FORM})


def watch_bytes(have: int) -> bytes:
    """Encode a spectator's question: everything from this place on."""
    return encode({"have": have})


def parse_watch(raw: bytes) -> int:
    """Parse a spectator's question strictly; raises Refused W08."""
    try:
        have: int = _QUESTION.decode(raw, FEW_ITEMS)["have"]
    except Malformed as error:
        raise Refused("W08", f"this question of a spectator is malformed: {error}") from error
    return have


class Spectators(WithOutbox[Never]):
    """The spectators of one node. Call `update` after every step of the table; drain `effects`."""

    def __init__(self, table: TableMachine) -> None:
        self._table = table
        self._progress: dict[bytes, _Progress] = {}
        self._out = Outbox[Never]()
        self._shown = 0
        self._block: tuple[int, bytes] = (-1, b"")

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a question may change here, for the error boundary."""
        return (self, self._out, *self._progress.values())

    def receive(self, peer: bytes, payload: bytes) -> None:
        """Take a question to watch, or for more blocks; raises Refused W08."""
        have = parse_watch(payload)
        if not self._table.terms.watch:
            self._out.hang_up(peer, NOT_ADMITTED)
        elif peer not in self._progress and len(self._progress) >= MOST:
            self._out.hang_up(peer, english("this table has no free place for spectators"))
        else:
            progress = self._progress.setdefault(peer, _Progress(have, have))
            # Blocks that it does not have may be on their way. On one link no block is sent twice.
            progress.received = max(progress.received, min(have, progress.sent))
            self._send_blocks(peer)

    def is_watching(self, peer: bytes) -> bool:
        """Whether this peer watches."""
        return peer in self._progress

    def on_link_down(self, peer: bytes) -> None:
        self._progress.pop(peer, None)

    def close(self) -> list[Effect]:
        """Send everybody away who watches still."""
        for peer in self._progress:
            self._out.hang_up(peer, WATCH_AGAIN)
        self._progress.clear()
        return self.effects()

    def update(self) -> None:
        """Determine how much may be shown now, and send it to all spectators."""
        state, chain = self._table.state, self._table.chain
        if state is None or not self._table.terms.watch:
            return
        settled = chain.next_seq if chain.is_settled else chain.next_seq - 1
        delay, begun, past = self._table.terms.watch, self._table.replica.begun, settled
        if delay != "now" and not state.is_over:
            past = min(settled, begun.trick if delay == "trick" else begun.hand)
        self._shown = max(self._shown, past)  # what a parting drops may have begun a trick
        for peer in list(self._progress):
            self._send_blocks(peer)

    def _send_blocks(self, peer: bytes) -> None:
        """Send the next blocks. The block that ends the table also goes to a spectator that has its
        entry."""
        progress, end = self._progress[peer], self._parted_after
        if end is not None and not progress.has_end:
            progress.received, progress.sent = min(progress.received, end), min(progress.sent, end)
            progress.has_end = progress.received + BATCH > end
        while progress.sent < min(self._shown, progress.received + BATCH):
            self._out.send_to(peer, FrameKind.BLOCK, self._encoded(progress.sent))
            progress.sent += 1

    @property
    def _parted_after(self) -> int | None:
        """The place after which all but one have parted, if they have."""
        without = self._table.chain.without
        return None if without is None else without.seq - 1

    def _encoded(self, seq: int) -> bytes:
        """Return the bytes of a block. It is cached, because spectators mostly want the same block
        at the same time."""
        if self._block[0] != seq or seq == self._parted_after:
            self._block = (seq, encoded_blocks(self._table.chain, seq, seq + 1))
        return self._block[1]


@dataclass(slots=True)
class _Progress:
    """A spectator's progress: the blocks before ``received`` have arrived, those before ``sent``
    are on their way. ``has_end`` is set once it was sent the block that ends the table."""

    received: int
    sent: int
    has_end: bool = False
