"""The transcript hash from which every challenge is drawn.

Everything is absorbed with its type (one byte), its label and its length, so that no two different
histories give the same bytes. The protocol's version and the proof's name come first. Responsible
for the hash and its framing (SPEC.md, "Transcripts and challenges"); what a proof absorbs is
shuffle.py's and statements.py's.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from p2p304.crypto.group import Element, Q

VERSION: Final = b"p2p304-v1"
CONTEXT_LIMIT: Final = 128

_START, _DATA, _ELEMENTS, _CHALLENGE, _DIGEST = (bytes([kind]) for kind in range(5))


class Transcript:
    """The history of one proof. `label` names the kind of proof."""

    __slots__ = ("_hash",)

    def __init__(self, label: bytes) -> None:
        self._hash = hashlib.sha512()
        self._frame(_START, VERSION, label)

    def _frame(self, kind: bytes, label: bytes, data: bytes) -> None:
        """Absorb kind || length of label in 1 byte || label || length of data in 4 bytes ||
        data."""
        head = kind + len(label).to_bytes(1, "big") + label
        self._hash.update(head + len(data).to_bytes(4, "big") + data)

    def absorb(self, label: bytes, data: bytes) -> None:
        """Absorb some bytes. A label has up to 255 bytes, data fewer than 2^32."""
        self._frame(_DATA, label, data)

    def absorb_context(self, context: bytes) -> None:
        """Absorb the caller's context; raises ValueError above 128 bytes."""
        if len(context) > CONTEXT_LIMIT:
            raise ValueError("a context has at most 128 bytes")
        self._frame(_DATA, b"context", context)

    def absorb_elements(self, label: bytes, elements: Sequence[Element]) -> None:
        """Absorb a list of elements, 32 bytes each, so that its length tells their number."""
        self._frame(_ELEMENTS, label, b"".join(elements))

    def challenge(self, label: bytes) -> int:
        """Return a scalar from the whole history: the 64 bytes of SHA-512, little-endian, modulo
        Q."""
        self._frame(_CHALLENGE, label, b"")
        return int.from_bytes(self._hash.digest(), "little") % Q

    def challenges(self, label: bytes, count: int) -> list[int]:
        """Return `count` independent scalars from the whole history, each from 64 bytes."""
        return [drawn % Q for drawn in self._stretched(label, count, 64)]

    def weights(self, label: bytes, count: int) -> list[int]:
        """Return `count` numbers of 128 bits, none of them 0, to fold equations into one."""
        return [drawn or 1 for drawn in self._stretched(label, count, 16)]

    def _stretched(self, label: bytes, count: int, size: int) -> list[int]:
        """Return numbers of `size` bytes, little-endian, from SHAKE-256 of the SHA-512 so far."""
        self._frame(_CHALLENGE, label, count.to_bytes(2, "big"))
        stream = hashlib.shake_256(self._hash.digest()).digest(count * size)
        return [int.from_bytes(stream[i : i + size], "little") for i in range(0, len(stream), size)]

    def digest(self, label: bytes) -> bytes:
        """Return 32 bytes that depend on the whole history."""
        self._frame(_DIGEST, label, b"")
        return self._hash.digest()[:32]

    def fork(self) -> Transcript:
        """Return an independent transcript with the same history."""
        twin = object.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin
