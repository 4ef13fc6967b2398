"""Scalars sealed to several receivers, each of whom can show to everybody what its box holds.

Owns the boxes of SPEC.md, "Sealed boxes": hashed ElGamal with one ephemeral key for all receivers
of a message (Kurosawa, PKC 2002; Bellare, Boldyreva and Staddon, PKC 2003). It refuses to know
what the scalars are for. Whoever uses it must prove to know the secrets of the ephemeral key and
of the receivers' keys (table/proofs/checks.py, D15): otherwise the point that opens one box could
open a box of somebody else.

A box is 32 bytes, the scalar x - H(Z) modulo q: Z = r*E = e*R for the ephemeral key R = r*G and
the receiver's key E = e*G; H is RFC 9380's hash to a scalar with tag ``p2p304/1 sealed`` over
Z || E || R || about. Every box holds some scalar; a commitment beside it says which it must be.
"""

from __future__ import annotations

from p2p304.crypto.dleq import prove_dleq, verify_dleq
from p2p304.crypto.group import (
    Element,
    G,
    Q,
    base,
    decode_scalar,
    encode_scalar,
    hash_to_scalar,
    mul,
)
from p2p304.crypto.rng import Rng

BOX = 32
"""Bytes of a box."""
_TAG = b"p2p304/1 sealed"


def seal(x: int, r: int, receiver: Element, about: bytes) -> bytes:
    """The scalar ``x`` for the holder of ``receiver``, under the ephemeral secret ``r``.

    ``about`` has a fixed length for each use; one ``r`` seals one scalar for each pair of
    receiver and ``about``, or the difference of two of them is public.
    """
    R = base(r)
    return encode_scalar((x - _mask(mul(r, receiver), receiver, R, about)) % Q)


def unseal(e: int, R: Element, box: bytes, about: bytes) -> int:
    """The scalar of a box sealed to e*G. Raises GroupError for a box that is no scalar."""
    return unseal_with(mul(e, R), base(e), R, box, about)


def unseal_with(Z: Element, receiver: Element, R: Element, box: bytes, about: bytes) -> int:
    """The same for anybody who was given Z."""
    return (decode_scalar(box) + _mask(Z, receiver, R, about)) % Q


def disclose(e: int, R: Element, context: bytes, rng: Rng) -> tuple[Element, bytes]:
    """Z, which opens to everybody what was sealed to e*G under R, and 64 bytes of proof."""
    Z = mul(e, R)
    return Z, prove_dleq(e, G, base(e), [R], [Z], context, rng)


def is_disclosed(Z: Element, receiver: Element, R: Element, proof: bytes, context: bytes) -> bool:
    """Whether Z is what opens the boxes sealed to ``receiver`` under R."""
    return verify_dleq(G, receiver, [R], [Z], proof, context)


def _mask(Z: Element, receiver: Element, R: Element, about: bytes) -> int:
    return hash_to_scalar(_TAG, Z + receiver + R + about)
