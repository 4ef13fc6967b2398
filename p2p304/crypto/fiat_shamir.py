"""One transcript hash from which every challenge is drawn.

Everything is absorbed with what it is (one byte), its label and its length, so no two different
histories give the same bytes; the proof's name and the protocol's version come first. Owns the
hash and its framing; what must be absorbed is the business of each argument.
SPEC.md, "Transcripts and challenges".
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
    """The history of one proof. `label` names the argument."""

    __slots__ = ("_hash",)

    def __init__(self, label: bytes) -> None:
        self._hash = hashlib.sha512()
        self._frame(_START, VERSION, label)

    def _frame(self, kind: bytes, label: bytes, data: bytes) -> None:
        """kind || length of label in 1 byte || label || length of data in 4 bytes || data."""
        head = kind + len(label).to_bytes(1, "big") + label
        self._hash.update(head + len(data).to_bytes(4, "big") + data)

    def absorb(self, label: bytes, data: bytes) -> None:
        """Takes in some bytes whole. A label has up to 255 bytes, data below 2^32."""
        self._frame(_DATA, label, data)

    def absorb_context(self, context: bytes) -> None:
        """Takes in the caller's binding; ValueError above 128 bytes."""
        if len(context) > CONTEXT_LIMIT:
            raise ValueError("a context has at most 128 bytes")
        self._frame(_DATA, b"context", context)

    def absorb_elements(self, label: bytes, elements: Sequence[Element]) -> None:
        """Takes in a list of elements: 32 bytes each, so its length says how many."""
        self._frame(_ELEMENTS, label, b"".join(elements))

    def challenge(self, label: bytes) -> int:
        """A scalar of everything so far: the 64 bytes of SHA-512, little-endian, modulo Q."""
        self._frame(_CHALLENGE, label, b"")
        return int.from_bytes(self._hash.digest(), "little") % Q

    def challenges(self, label: bytes, count: int) -> list[int]:
        """So many independent scalars of everything so far, from 64 bytes each."""
        return [drawn % Q for drawn in self._stretched(label, count, 64)]

    def weights(self, label: bytes, count: int) -> list[int]:
        """So many numbers of 128 bits, none of them 0, to fold equations into one."""
        return [drawn or 1 for drawn in self._stretched(label, count, 16)]

    def _stretched(self, label: bytes, count: int, size: int) -> list[int]:
        """Numbers of `size` bytes, little-endian, from SHAKE-256 of the SHA-512 so far."""
        self._frame(_CHALLENGE, label, count.to_bytes(2, "big"))
        stream = hashlib.shake_256(self._hash.digest()).digest(count * size)
        return [int.from_bytes(stream[i : i + size], "little") for i in range(0, len(stream), size)]

    def digest(self, label: bytes) -> bytes:
        """32 bytes that stand for everything so far."""
        self._frame(_DIGEST, label, b"")
        return self._hash.digest()[:32]

    def fork(self) -> Transcript:
        """An independent transcript with the same history."""
        twin = object.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin
