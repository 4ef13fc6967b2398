"""Points of Ed25519's curve with a component of small order, signatures made with them, and second
signatures of one message.

Responsible for what no honest signer makes: tests and vectors show what becomes of it.
"""

from __future__ import annotations

import hashlib

from p2p304.crypto.engines import reference
from p2p304.crypto.signing import SigningKey

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
Y8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
TORSION = 8


def edwards(encoded: bytes) -> reference.Point:
    """RFC 8032, section 5.1.3."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    square, x = reference.sqrt_ratio((y * y - 1) % P, (reference.D * y * y + 1) % P)
    assert square
    x = x if x % 2 == sign else -x % P
    return x, y, 1, x * y % P


def encoded(point: reference.Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (y * inverse % P | (x * inverse % P & 1) << 255).to_bytes(32, "little")


def shifted(public: bytes, by: int) -> bytes:
    """A point plus so many times the point of order 8."""
    point = edwards(public)
    for _ in range(by):
        point = reference._sum(point, edwards(Y8.to_bytes(32, "little")))
    return encoded(point)


def hashed(R: bytes, A: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(R + A + message).digest(), "little") % ORDER


def secret_of(seed: bytes) -> int:
    """RFC 8032, section 5.1.5."""
    a = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
    return (a & (2**254 - 8)) | 2**254


def base_times(r: int) -> bytes:
    """r times the base point of RFC 8032, whose y is 4/5."""
    y = 4 * pow(5, -1, P) % P
    return encoded(reference._product(r, edwards(y.to_bytes(32, "little"))))


class SignsAnew(SigningKey):
    """A key whose signatures verify and are not those of RFC 8032, as a liar makes a second one."""

    __slots__ = ()

    @classmethod
    def of(cls, key: SigningKey) -> SignsAnew:
        return cls(key._key)

    def sign(self, message: bytes) -> bytes:
        R = base_times(7)
        response = 7 + hashed(R, self.public, message) * secret_of(self._key.private_bytes_raw())
        return R + (response % ORDER).to_bytes(32, "little")
