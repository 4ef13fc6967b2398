"""Ed25519 signatures (RFC 8032), by the package `cryptography`.

Responsible for the form of keys and signatures (32 and 64 bytes), the equation that judges a
signature, and the refusal of public keys that are not of prime order. Under a key of small order
one signature fits any message. Under a key of mixed order the two equations that RFC 8032 allows
give different answers, so that one verifier could see a fault as proven and another not (SPEC.md,
"Signatures"). The arithmetic of the check of keys is crypto/engines/reference.py's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2p304.crypto.engines.reference import is_edwards_point_of_prime_order
from p2p304.crypto.rng import Rng

_REMEMBERED: Final = 1024
_P: Final = 2**255 - 19
# y-coordinates of the eight points whose order divides the cofactor.
_Y8: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_SMALL_ORDER: Final = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})


class SigningKey:
    """A private key. Make one with `from_seed` or `generate`."""

    __slots__ = ("_key", "public")

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public: Final[bytes] = key.public_key().public_bytes_raw()

    def __repr__(self) -> str:
        return f"<SigningKey for {self.public.hex()}>"

    @classmethod
    def from_seed(cls, seed: bytes) -> SigningKey:
        """Return the key of 32 secret bytes (RFC 8032, section 5.1.5); raises ValueError
        otherwise."""
        return cls(Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def generate(cls, rng: Rng) -> SigningKey:
        """Return a fresh key from the next 32 bytes of a stream."""
        return cls.from_seed(rng.bytes(32))

    def sign(self, message: bytes) -> bytes:
        """Return the signature of a message, 64 bytes, always the same for the same message."""
        return self._key.sign(message)


def may_be_public_key(public: bytes) -> bool:
    """Return whether these are 32 canonical bytes and not a point of small order. This needs no
    arithmetic. A signature must never be accepted because of this check alone."""
    if len(public) != 32:
        return False
    y = int.from_bytes(public, "little") & (2**255 - 1)
    return y < _P and y not in _SMALL_ORDER


@lru_cache(maxsize=_REMEMBERED)
def is_public_key(public: bytes) -> bool:
    """Return whether these are the 32 bytes of a point of prime order, in their one encoding.

    This takes some milliseconds for a key that is not cached, in plain Python: the same check in
    libsodium 1.0.18 accepts keys with a component of order 2.
    """
    return is_edwards_point_of_prime_order(public)


@lru_cache(maxsize=_REMEMBERED)
def _verifier(public: bytes) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(public)


def verify(public: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether `signature` is `public`'s on `message`; False for malformed input too.

    The signature is R || S, with S below the group's order. OpenSSL computes S*B - k*A for k =
    SHA-512(R || A || message) and compares its encoding with the bytes of R, without the cofactor.
    """
    if not is_public_key(public) or len(signature) != 64:
        return False
    try:
        _verifier(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True
