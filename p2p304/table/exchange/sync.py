"""Synchronization: which entries and receipts a peer lacks, and when to ask for one's own.

Responsible for the SYNC message (canonical ``{have: next place, receipts: [players]}``, the
receipts held for the last entry) and for the rate of questions and answers; verifying what arrives
is table/machine/entries.py's. Entries are signed, so any player may pass them on.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from p2p304.log.chain import Chain
from p2p304.log.entry import MAX_PLAYERS, PLACE_FORM, PLAYER_FORM
from p2p304.log.faults import Refused
from p2p304.table.exchange.lookahead import LookaheadBuffer
from p2p304.table.transition.replica import Replica
from p2p304.wire.canonical import FEW_ITEMS
from p2p304.wire.effects import Outbox
from p2p304.wire.forms import Malformed, many, of, record
from p2p304.wire.framing import FrameKind

ASK_EVERY = 1.0
EAGER = 10
MOST_DOUBLINGS = 4
"""After `EAGER` questions without an answer the interval doubles, at most so many times."""
ASK_AFTER = 0.5
ANSWER_EVERY = 0.1
ANSWER_MOST, ANSWER_RATE, ANSWER_COST = 1024.0 * 1024, 256.0 * 1024, 256.0
"""Limits on answers to one peer: bytes at once, bytes per second, and the fixed cost of an answer
in bytes."""
BATCH = 64
"""Entries in one answer. The peer asks again for more."""


@dataclass(frozen=True, slots=True)
class Have:
    """What a peer says that it holds: the next free place, and receipts for the last entry."""

    next_seq: int = of(PLACE_FORM, "have")
    receipts: tuple[int, ...] = of(many(PLAYER_FORM, 0, MAX_PLAYERS))


_HAVE = record(Have)


def sync_bytes(chain: Chain) -> bytes:
    held = sorted(r.author for r in chain.receipts_at(chain.next_seq - 1)) if chain.next_seq else []
    return _HAVE.encode(Have(chain.next_seq, tuple(held)))


def parse_have(raw: bytes) -> Have:
    """Parse a SYNC message strictly; raises Refused W05."""
    try:
        return _HAVE.decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise Refused("W05", f"this sync message is malformed: {error}") from error


class CatchUp:
    """What this node asks its peers and answers them, with a limit on how often it answers each."""

    def __init__(
        self, me: bytes, replica: Replica, lookahead: LookaheadBuffer, out: Outbox[Any]
    ) -> None:
        self._me, self._replica, self._lookahead, self._out = me, replica, lookahead, out
        self._last_asked = self._last_changed = -math.inf
        self._questions = 0
        self._answered: dict[bytes, tuple[float, Have | None]] = {}
        self._allowed: dict[bytes, tuple[float, float]] = {}
        self._asked_back: dict[bytes, float] = {}
        self.finished_peers: set[bytes] = set()
        """Peers that have said that nothing of the finished table is missing there."""

    def next_ask(self, changed: float) -> float:
        """Return the next time to ask. While nothing changes the intervals grow, so waiting for a
        silent player costs little."""
        asks = self._questions if changed == self._last_changed else 0
        doublings = min(max(0, asks - EAGER), MOST_DOUBLINGS)
        return max(changed + ASK_AFTER, self._last_asked + ASK_EVERY * (1 << doublings))

    def ask_if_due(self, now: float, changed: float) -> bool:
        """Ask all others what they have, if it is time; return whether this was so. Nothing has
        changed since ``changed``."""
        if now < self.next_ask(changed):
            return False
        for peer in self._replica.terms.keys:
            if peer != self._me:
                self.send_to(peer)
        self._questions = self._questions + 1 if changed == self._last_changed else 1
        self._last_asked, self._last_changed = now, changed
        return True

    def send_to(self, peer: bytes) -> None:
        """Tell a peer what is here.

        First give it its own messages for a place that is not reached: a peer that was restarted
        may have lost them (SPEC.md, "Coming back")."""
        chain = self._replica.chain
        for kind, raw in self._lookahead.written_by(peer, chain.table_at(chain.next_seq)):
            self._out.send_to(peer, kind, raw)
        self._out.send_to(peer, FrameKind.SYNC, sync_bytes(chain))

    def receive(self, peer: bytes, have: Have, now: float) -> None:
        """Send a peer what it lacks, in order, and ask in turn if it has more."""
        chain = self._replica.chain
        last = chain.next_seq - 1
        whole = last >= 0 and len(set(have.receipts)) == len(chain.witnesses(last))
        if self._replica.is_over and whole and have.next_seq == chain.next_seq:
            self.finished_peers.add(peer)
        for kind, data in self._answer(peer, have, now):
            self._out.send_to(peer, kind, data)
        asked_back = self._asked_back.get(peer, -math.inf)
        if have.next_seq > chain.next_seq and now - asked_back >= ANSWER_EVERY:
            self._asked_back[peer] = now
            self.send_to(peer)

    def _answer(self, peer: bytes, have: Have, now: float) -> list[tuple[FrameKind, bytes]]:
        """Return the frames that a peer lacks, the oldest first; nothing if it was just
        answered."""
        before, answered = self._answered.get(peer, (-math.inf, None))
        if now - before < ANSWER_EVERY and have == answered:
            return []
        self._answered[peer] = (now, have)
        chain = self._replica.chain
        frames = _receipts(chain, have.next_seq - 1, have.receipts)
        for seq in range(have.next_seq, min(chain.next_seq, have.next_seq + BATCH)):
            frames.append((FrameKind.ENTRY, chain.entry(seq).raw))
            frames.extend(_receipts(chain, seq, ()))
        return self._within_allowance(peer, frames, now)

    def _within_allowance(
        self, peer: bytes, frames: list[tuple[FrameKind, bytes]], now: float
    ) -> list[tuple[FrameKind, bytes]]:
        """Return the first frames that fit this peer's allowance, whatever it asks and however
        often. It asks again for the rest."""
        left, since = self._allowed.get(peer, (ANSWER_MOST, now))
        left = min(ANSWER_MOST, left + (now - since) * ANSWER_RATE) - ANSWER_COST
        given = []
        for frame in frames:
            if left < len(frame[1]):
                break
            left -= len(frame[1])
            given.append(frame)
        self._allowed[peer] = (max(left, 0.0), now)
        return given


def _receipts(chain: Chain, seq: int, known: tuple[int, ...]) -> list[tuple[FrameKind, bytes]]:
    held = chain.receipts_at(seq) if 0 <= seq < chain.next_seq else ()
    return [(FrameKind.RECEIPT, r.encode()) for r in held if r.author not in known]
