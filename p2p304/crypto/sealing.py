"""A scalar sealed to one receiver, who can show to everybody that the box holds another.

Owns the box of SPEC.md, "Sealed boxes": an ephemeral key, and the scalar encrypted under what
the receiver and the sender both can compute (ECIES as in RFC 9180, section 4.1, in ristretto255,
without its framing). It refuses to know what the scalar is for.

A box is 80 bytes: R = r*G, then 32 bytes of scalar and 16 of tag under ChaCha20-Poly1305 with
nonce zero and the key HKDF-SHA-256(Z = r*E, info = label || E || R || about), for the receiver's
key E. A key is used once, because R is fresh.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from p2p304.crypto.dleq import prove_dleq, verify_dleq
from p2p304.crypto.group import (
    Element,
    G,
    GroupError,
    base,
    decode_element,
    decode_scalar,
    encode_scalar,
    mul,
)
from p2p304.crypto.rng import Rng

BOX = 80
_LABEL = b"p2p304/1 sealed"
_NONCE = bytes(12)


def seal(x: int, receiver: Element, about: bytes, rng: Rng) -> bytes:
    """The scalar ``x`` for whoever knows the key behind ``receiver``; BOX bytes."""
    r = rng.scalar()
    R = base(r)
    return R + _cipher(mul(r, receiver), receiver, R, about).encrypt(_NONCE, encode_scalar(x), b"")


def shared_point(box: bytes) -> Element:
    """R. Raises GroupError where it is no element, which everybody can see."""
    return decode_element(box[:32])


def unseal(e: int, box: bytes, about: bytes) -> int | None:
    """The scalar of a box sealed to e*G, or None if it holds none."""
    R = shared_point(box)
    return unseal_with(mul(e, R), base(e), box, about)


def unseal_with(Z: Element, receiver: Element, box: bytes, about: bytes) -> int | None:
    """The same for whoever was given Z."""
    cipher = _cipher(Z, receiver, shared_point(box), about)
    try:
        return decode_scalar(cipher.decrypt(_NONCE, box[32:], b""))
    except (InvalidTag, GroupError):
        return None


def disclose(e: int, box: bytes, context: bytes, rng: Rng) -> tuple[Element, bytes]:
    """Z, which opens this one box to everybody, and 64 bytes of proof that it does."""
    R = shared_point(box)
    Z = mul(e, R)
    return Z, prove_dleq(e, G, base(e), [R], [Z], context, rng)


def is_disclosed(Z: Element, receiver: Element, box: bytes, proof: bytes, context: bytes) -> bool:
    """Whether Z is what opens this box sealed to ``receiver``."""
    return verify_dleq(G, receiver, [shared_point(box)], [Z], proof, context)


def _cipher(Z: Element, receiver: Element, R: Element, about: bytes) -> ChaCha20Poly1305:
    info = _LABEL + receiver + R + about
    return ChaCha20Poly1305(HKDF(SHA256(), 32, salt=None, info=info).derive(Z))
