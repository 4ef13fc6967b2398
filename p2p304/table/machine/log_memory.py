"""How much of a table's log stays in memory.

Responsible for when settled places are forgotten, and for what a restart finds of them in the
transcript. Reading them again is log/transcript.py's; what is compared with the file after a
restart is table/exchange/journal_replay.py's.
"""

from __future__ import annotations

from p2p304.log.chain import Chain
from p2p304.log.transcript import Read, StoredBlocks, encode_block, transcript
from p2p304.table.exchange.journal_replay import RestoredTranscript

KEPT = 64
"""Places of the log that stay in memory: what members and spectators who follow it ask for."""


class LogMemory:
    """``read`` reads what was persisted of this table's transcript; without it, the whole log stays
    in memory."""

    def __init__(self, chain: Chain, read: Read | None) -> None:
        self._chain, self._read, self._drained = chain, read, 0
        self._restored: RestoredTranscript | None = None
        if read is not None:
            chain.store = StoredBlocks(read)

    def forget(self) -> None:
        """Forget old places, whenever effects are drained."""
        if self._read is not None:
            # The places that were settled at the last drain are in the transcript by now.
            self._chain.forget(min(self._drained, self._chain.next_seq - KEPT))
            self._drained = self._chain.settled_count

    def begin_restore(self, reads_all_again: bool) -> None:
        """Begin to take places of a journal; what ``reads_all_again`` needs them kept."""
        if self._read is not None and not reads_all_again:
            self._restored = RestoredTranscript(self._read)

    def on_restored(self, seq: int) -> None:
        if self._restored is not None:
            self._restored.add(encode_block(self._chain.block(seq)))
            self._chain.forget(seq - KEPT)

    def end_restore(self) -> bytes | None:
        """Return the transcript to be written now; None if the file has it."""
        restored, self._restored = self._restored, None
        if restored is None:
            return transcript(self._chain, self._chain.settled_count)
        return restored.missing()
