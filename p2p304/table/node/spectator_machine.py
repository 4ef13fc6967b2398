"""The spectator's machine without I/O. It trusts nothing and verifies everything.

Responsible for the spectator's side (SPEC.md, "Spectators"): asking for blocks, and verifying each
of them with the auditor's replay; the player's side is spectators.py's. A spectator has no secrets
and can say nothing.
"""

from __future__ import annotations

from p2p304.log.chain import LEAST_KEPT
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, RawBlock, Unreadable, read_blocks
from p2p304.rules.core.phrases import english
from p2p304.table.exchange.error_boundary import handle_message, where_raised
from p2p304.table.node.spectators import BATCH, watch_bytes
from p2p304.table.state.events import PublicEvent
from p2p304.table.transition.replay import Replay
from p2p304.wire.effects import Outbox, WithOutbox
from p2p304.wire.framing import FrameKind

ASK_EVERY = 1.0
ASK_AFTER = BATCH // 2
"""Blocks after which to ask, so that the next blocks are on their way before the last ones
arrive."""
QUIET = 30.0
"""Seconds after a lost link before a spectator gives up."""


class SpectatorMachine(WithOutbox[PublicEvent]):
    """A machine without I/O: blocks in, verified events out."""

    def __init__(self) -> None:
        self._blocks = [MAGIC]
        self.fault: str | None = None
        self.is_over = False
        self.peer: bytes | None = None
        self._replay = Replay(b"")
        self._have = 0
        self._out = Outbox[PublicEvent]()
        self._next = 0.0

    @property
    def transcript(self) -> bytes:
        """All that was verified and not taken yet."""
        return b"".join(self._blocks)

    def take_transcript(self) -> bytes:
        """Return what was verified since the last call, and keep it no longer. The last block
        stays until the table is over: its end may replace it."""
        end = len(self._blocks) - (not self.is_over)
        taken, self._blocks = b"".join(self._blocks[:end]), self._blocks[end:]
        return taken

    @property
    def has_shown_nothing(self) -> bool:
        """Whether no block has come yet."""
        return self._have == 0

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        if kind is not FrameKind.BLOCK or self.fault is not None or self.is_over:
            return  # after the end the same player may be at another table
        try:
            handle_message(kind, payload, self._out, (self,), lambda: self._take_block(payload))
        except (Refused, Unreadable) as error:
            self.fault = _sentence(error)
            self._out.hang_up(peer, english("the data for spectators is false"))
        if self._have % ASK_AFTER == 0:
            self._ask(now)

    def _take_block(self, payload: bytes) -> None:
        for raw in read_blocks(MAGIC + payload):
            if raw.entry.entry.seq == self._have:
                self._take(self._replay.verify_block(raw).events, payload)
            elif raw.parts is not None and raw.entry.entry.seq == self._have - 1:
                self._take_ending(raw, payload)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        self.peer = peer
        self._ask(now)

    def link_down(self, peer: bytes, now: float) -> None:
        self.peer = None

    def handle_timer(self, now: float) -> None:
        if now >= self._next:
            self._ask(now)

    def next_timeout(self) -> float | None:
        return self._next

    def _take_ending(self, raw: RawBlock, block: bytes) -> None:
        """Take the block with which the players end the table, after an entry that was shown as
        settled."""
        if self.is_over or self._replay.chain is None or raw.parts is None:
            return
        if raw.entry.raw != self._replay.chain.last.raw:
            raise Unreadable("the end of this table does not follow the last entry that was shown")
        happened = self._replay.verify_parts(raw.parts)
        self._blocks.pop()
        self._have -= 1
        self._take(happened, block)

    def _take(self, happened: tuple[PublicEvent, ...], block: bytes) -> None:
        self._have += 1
        if self._replay.chain is not None:
            self._replay.chain.forget(self._replay.chain.next_seq - LEAST_KEPT)
        self._blocks.append(block)
        self._out.emit(*happened)
        self.is_over = self._replay.state is not None and self._replay.state.is_over
        if self.is_over and self.peer is not None:
            self._out.hang_up(self.peer, english("leaving"))  # and dial it no more

    def _ask(self, now: float) -> None:
        self._next = now + ASK_EVERY
        if self.peer is not None and not self.is_over:
            self._out.send_to(self.peer, FrameKind.WATCH, watch_bytes(self._have))


def _sentence(error: Refused | Unreadable) -> str:
    if isinstance(error, Refused) and error.finding.check == "W12":
        return (
            "You can't watch any longer because of a bug in this program "
            f"({where_raised(error)}). Please send this line to the developers of p2p304."
        )
    if isinstance(error, Refused) and error.finding.check == "L01":
        return "The players are at another table now. Watch again to see it."
    return f"The game that this player shows is false: {error}"
