"""The passphrase exchange: each side proves that it knows the same passphrase.

Responsible for the exchange (SPEC.md, "Passphrase"): SPAKE2 (the protocol of RFC 9382 as package
``spake2`` implements it, over the group of Ed25519), bound to both identity keys, with a proof in
each direction. A run lets the other side try one passphrase; how often runs may begin is
table/gathering/admission.py's. Loading the package takes long, so the first run loads it. No
exception that the package raises about the other side's bytes leaves this file.
"""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Callable
from typing import Any

from p2p304.crypto.signing import is_public_key
from p2p304.log.faults import Refused
from p2p304.table.agreement.terms import digest

EXCHANGE = 33
PROOF = 32
MOST = 128
"""Characters of a passphrase."""


class WrongPassphrase(Exception):
    """The other side does not know the passphrase, or is not the expected player."""


class Exchange:
    """One side of one run between this founder and this visitor, given by their identity keys."""

    def __init__(
        self,
        passphrase: str,
        founder: bytes,
        visitor: bytes,
        is_founder: bool,
        entropy: Callable[[int], bytes],
    ) -> None:
        from spake2 import SPAKE2_A, SPAKE2_B

        side = SPAKE2_A if is_founder else SPAKE2_B
        self._is_founder = is_founder
        self._spake: Any = side(
            _normalized(passphrase),
            idA=b"founder " + founder,
            idB=b"visitor " + visitor,
            entropy_f=entropy,
        )
        self.message: bytes = self._spake.start()
        self._key = b""

    def finish(self, message: bytes) -> None:
        """Take the other side's message: one letter for the side and 32 bytes, a canonical point of
        the prime-order group.

        Raises Refused W10 for anything else. To be called once per run."""
        key = self._shared_key(message) if is_public_key(message[1:]) else None
        if key is None:
            raise Refused("W10", "this is not a message of the passphrase exchange")
        self._key = key

    def _shared_key(self, message: bytes) -> bytes | None:
        """Return the shared key, or None if the package refuses the message. It does so by
        exceptions of many kinds, some of them undocumented: no point, not in the group, the own
        message, the own side."""
        try:
            return bytes(self._spake.finish(message))
        except Exception:  # noqa: BLE001 - whatever it raises, these bytes are refused
            return None

    @property
    def proof(self) -> bytes:
        """The proof that this side has computed the same key."""
        return self._proof(self._is_founder)

    def verify(self, proof: bytes) -> None:
        """Check the other side's proof; raises WrongPassphrase if it has computed another key."""
        if not self._key or not hmac.compare_digest(proof, self._proof(not self._is_founder)):
            raise WrongPassphrase("the passphrase is wrong")

    def _proof(self, of_founder: bool) -> bytes:
        return digest(b"p2p304 passphrase", self._key, b"founder" if of_founder else b"visitor")


def _normalized(passphrase: str) -> bytes:
    """Normalize a passphrase: width, case and spacing do not count."""
    text = unicodedata.normalize("NFKC", passphrase[:MOST]).casefold()
    return " ".join(text.split()).encode()
