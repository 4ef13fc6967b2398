"""The vectors of signatures: those on which Ed25519's verifiers are known to disagree."""

from __future__ import annotations

from typing import Any

from p2p304.crypto.signing import SigningKey
from tests.support.edwards import ORDER, P, base_times, hashed, secret_of, shifted

SEED = bytes(range(32))
MESSAGE = b"p2p304 vectors"
NEUTRAL = b"\x01" + bytes(31)


def signature_vectors() -> list[dict[str, Any]]:
    public = SigningKey.from_seed(SEED).public
    signature = SigningKey.from_seed(SEED).sign(MESSAGE)
    large = int.from_bytes(signature[32:], "little") + ORDER
    small = (P + 1).to_bytes(32, "little")
    mixed = shifted(base_times(5), 1)
    key = shifted(public, 1)
    fitting = next(n for n in range(1, 1000) if hashed(base_times(n), key, MESSAGE) % 8 == 0)
    return [
        _vector("as signed", "an honest signature", True, public, signature),
        _vector(
            "S not reduced",
            "S plus the order of the base point",
            False,
            public,
            signature[:32] + large.to_bytes(32, "little"),
        ),
        _vector(
            "R of mixed order",
            "R plus a point of order 8: it fits the equation with the cofactor",
            False,
            public,
            _signed(public, mixed, 5),
        ),
        _vector(
            "R neutral",
            "R is the neutral point, in its canonical encoding",
            True,
            public,
            _signed(public, NEUTRAL, 0),
        ),
        _vector(
            "R neutral, encoded otherwise",
            "the same point with y plus 2^255 - 19",
            False,
            public,
            _signed(public, small, 0),
        ),
        _vector(
            "key of mixed order",
            "the key plus a point of order 8; the signature fits without the cofactor",
            False,
            key,
            _signed(key, base_times(fitting), fitting),
        ),
        _vector(
            "key of small order",
            "the neutral point as a key: the equation holds for every message",
            False,
            NEUTRAL,
            NEUTRAL + bytes(32),
        ),
    ]


def _signed(public: bytes, R: bytes, r: int) -> bytes:
    """R with the S that fits it, as if it were r times the base point."""
    S = (r + hashed(R, public, MESSAGE) * secret_of(SEED)) % ORDER
    return R + S.to_bytes(32, "little")


def _vector(name: str, comment: str, holds: bool, key: bytes, signature: bytes) -> dict[str, Any]:
    return {
        "name": name,
        "comment": comment,
        "expect": "ok" if holds else "refused",
        "key": key.hex(),
        "message": MESSAGE.hex(),
        "signature": signature.hex(),
    }
