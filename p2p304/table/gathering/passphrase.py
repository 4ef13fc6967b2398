"""A table's passphrase: who knows it is let in, and nobody can guess it from what travels.

Owns the exchange (SPEC.md, "Passphrase"): SPAKE2 (RFC 9382's protocol as package ``spake2``
does it, over Ed25519's group), bound to both identity keys, with a proof in each direction. Each
run lets somebody try one passphrase; how often runs may begin is admission.py's. It refuses to
know why somebody wants in. The package, which takes long to load, is loaded for the first run,
and nothing that it raises about the other side's bytes leaves this file.
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
    """The other side does not know the passphrase, or is not who it must be."""


class Exchange:
    """One side of one run, between this founder and this visitor (identity keys)."""

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
            _plain(passphrase),
            idA=b"founder " + founder,
            idB=b"visitor " + visitor,
            entropy_f=entropy,
        )
        self.message: bytes = self._spake.start()
        self._key = b""

    def finish(self, message: bytes) -> None:
        """Take the other side's message: a letter for the side, and the 32 bytes of a canonical
        point of the prime-order group. Raises Refused W10 for anything else, once per run."""
        key = self._finished(message) if is_public_key(message[1:]) else None
        if key is None:
            raise Refused("W10", "this is no message of a passphrase exchange")
        self._key = key

    def _finished(self, message: bytes) -> bytes | None:
        """The key, or None where the package refuses: it does so by exceptions of many kinds
        (no point, not in the group, the own message, the own side), some of them undocumented."""
        try:
            return bytes(self._spake.finish(message))
        except Exception:  # noqa: BLE001 - whatever it raises, these bytes are refused
            return None

    @property
    def proof(self) -> bytes:
        """What this side sends to show that it came to the same key."""
        return self._proof(self._is_founder)

    def verify(self, proof: bytes) -> None:
        """Raises WrongPassphrase if the other side came to another key."""
        if not self._key or not hmac.compare_digest(proof, self._proof(not self._is_founder)):
            raise WrongPassphrase("the passphrase does not fit")

    def _proof(self, of_founder: bool) -> bytes:
        return digest(b"p2p304 passphrase", self._key, b"founder" if of_founder else b"visitor")


def _plain(passphrase: str) -> bytes:
    """As people say it: width, case and spaces do not count."""
    text = unicodedata.normalize("NFKC", passphrase[:MOST]).casefold()
    return " ".join(text.split()).encode()
