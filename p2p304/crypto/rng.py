"""The only source of randomness, for keys, permutations and nonces.

An `Rng` is a stream derived from a seed of 32 secret bytes by SHAKE-256 with the seed in front (a
sponge needs no HMAC: FIPS 202, and KMAC in SP 800-185). `child` derives an independent stream by
labels without changing the parent, as HKDF does, with an unambiguous encoding of the labels. So a
node that restarts from its seed writes exactly the same again. Responsible for streams (SPEC.md,
"Randomness"); which streams a player uses is table/player/keyring.py's.
"""

from __future__ import annotations

import hashlib
import os
from typing import Final

from p2p304.crypto.engines.reference import Q

SEED_BYTES: Final = 32
BLOCK_BYTES: Final = 1024
_CHILD: Final = b"\x01"
_STREAM: Final = b"\x02"


class Rng:
    """A deterministic stream of secret bytes. Make one with `system`, `from_seed` or `child`."""

    __slots__ = ("_block", "_left", "_seed")

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError("a seed is 32 bytes")
        self._seed = bytes(seed)
        self._block = 0
        self._left = b""

    def __repr__(self) -> str:
        return "<Rng>"

    def __reduce__(self) -> str:
        raise TypeError("an Rng is not written anywhere: keep the seed it came from")

    @classmethod
    def system(cls) -> Rng:
        """Return a stream from 32 fresh bytes of the operating system."""
        return cls(os.urandom(SEED_BYTES))

    @classmethod
    def from_seed(cls, seed: bytes) -> Rng:
        """Return the stream of a seed of 32 bytes; raises ValueError for another length."""
        return cls(seed)

    def child(self, *labels: bytes) -> Rng:
        """Return the independent stream of these labels; the parent does not change.

        Its seed is 32 bytes of SHAKE-256(01 || seed || count || each label), the count in one byte
        and every label after its length in four bytes big-endian.
        """
        named = b"".join(len(label).to_bytes(4, "big") + label for label in labels)
        message = _CHILD + self._seed + bytes([len(labels)]) + named
        return Rng(hashlib.shake_256(message).digest(SEED_BYTES))

    def bytes(self, count: int) -> bytes:
        """Return the next `count` bytes of the stream.

        The stream consists of 1,024 bytes each of SHAKE-256(02 || seed || block number in eight
        bytes).
        """
        while len(self._left) < count:
            number = self._block.to_bytes(8, "big")
            self._left += hashlib.shake_256(_STREAM + self._seed + number).digest(BLOCK_BYTES)
            self._block += 1
        drawn, self._left = self._left[:count], self._left[count:]
        return drawn

    def scalar(self) -> int:
        """Return a scalar between 1 and Q-1: 64 bytes modulo Q, within 2^-259 of uniform."""
        while True:
            x = int.from_bytes(self.bytes(64), "little") % Q
            if x:
                return x

    def below(self, limit: int) -> int:
        """Return an exactly uniform number between 0 and limit-1; larger ones are drawn again."""
        if limit < 1:
            raise ValueError("nothing lies below this limit")
        bits = (limit - 1).bit_length()
        while True:
            drawn = int.from_bytes(self.bytes((bits + 7) // 8), "big") & ((1 << bits) - 1)
            if drawn < limit:
                return drawn

    def permutation(self, count: int) -> tuple[int, ...]:
        """Return a uniform permutation of 0 ... count-1 (Fisher and Yates, from the end)."""
        order = list(range(count))
        for last in range(count - 1, 0, -1):
            chosen = self.below(last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)
