"""Evidence files: a proven fault together with the log that proves it.

Responsible for the bytes of an evidence file (SPEC.md, "Evidence files"). It judges nothing:
judging a false entry by replaying the log is audit.py's, and judging contradicting signatures is
log/evidence.py's.

The file is the 8 bytes ``p2p304e`` 01, then the canonical map ``{first, kind, second}`` after its
length in 4 bytes big-endian, then a transcript. The values of ``kind`` are:

* ``false``: ``first`` is the refused entry, ``second`` is empty; the transcript ends before it.
* ``claim``: ``first`` is the receipt with a claim that is not open, ``second`` the entry that it
  answers; the transcript ends before that entry.
* ``fork``, ``split``, ``part``: two entries, receipts or messages of parting that contradict each
  other.
* ``box``: an entry with a false box, and what opens it.

With the latter four the transcript holds all places that were settled when the table stopped. It
provides the keys that the evidence needs, and the hand that is paid for.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.log.chain import Chain
from p2p304.log.entry import Receipt
from p2p304.log.evidence import BOX, FORK, PART, SPLIT, Evidence, no_evidence
from p2p304.log.transcript import transcript
from p2p304.wire.canonical import encode
from p2p304.wire.forms import Malformed, exactly, octets, one_of

MAGIC = b"p2p304e\x01"
FALSE = "false"
CLAIM = "claim"
NAME = "evidence"
"""The name under which a node persists its one evidence file."""

_HEAD = exactly(
    {"first": octets(), "kind": one_of(FALSE, CLAIM, FORK, SPLIT, PART, BOX), "second": octets()}
)


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """A fault and the transcript that proves it, as their bytes."""

    kind: str
    first: bytes
    second: bytes
    transcript: bytes

    def encode(self) -> bytes:
        head = encode({"first": self.first, "kind": self.kind, "second": self.second})
        return MAGIC + len(head).to_bytes(4, "big") + head + self.transcript


def of_false_entry(chain: Chain, raw: bytes) -> EvidenceFile:
    """Make the file for a refused entry, after everything that was accepted before it."""
    return EvidenceFile(FALSE, raw, b"", transcript(chain, chain.next_seq))


def of_false_claim(chain: Chain, receipt: Receipt) -> EvidenceFile:
    """Make the file for a receipt with a claim that is not open."""
    answered = chain.entry(receipt.seq)
    return EvidenceFile(CLAIM, receipt.encode(), answered.raw, transcript(chain, receipt.seq))


def of_contradiction(chain: Chain, evidence: Evidence) -> EvidenceFile:
    """Make the file for two signatures that contradict each other, or for a false box.

    The transcript holds everything settled: it names the keys, and shows what the hand costs in
    which the fault was proven."""
    whole = transcript(chain, chain.settled_count)
    return EvidenceFile(evidence.kind, evidence.first, evidence.second, whole)


def parse_evidence_file(data: bytes) -> EvidenceFile:
    """Parse an evidence file strictly; raises Refused W03."""
    at = len(MAGIC) + 4
    size = int.from_bytes(data[len(MAGIC) : at], "big")
    if not data.startswith(MAGIC):
        raise no_evidence("this is not a p2p304 evidence file")
    try:
        head = _HEAD.decode(data[at : at + size])
    except Malformed as error:
        raise no_evidence(f"the head of this evidence file is malformed: {error}") from error
    if head["kind"] == FALSE and head["second"]:
        raise no_evidence("this evidence has a second message where none is due")
    return EvidenceFile(**head, transcript=data[at + size :])
