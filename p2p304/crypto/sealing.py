"""Scalars sealed to several receivers. Each receiver can show to everybody what its box holds.

Responsible for the boxes of SPEC.md, "Sealed boxes": hashed ElGamal with one ephemeral key for all
receivers of a message (Kurosawa, PKC 2002; Bellare, Boldyreva and Staddon, PKC 2003). The meaning
of the scalars is table/state/key_shares.py's. Users must prove that the secrets of the ephemeral
key and of the receivers' keys are known (table/proofs/checks.py, D15). Otherwise the point that
opens one box could open another player's box.

A box is 32 bytes, the scalar x - H(Z) modulo q: Z = r*E = e*R for the ephemeral key R = r*G and the
receiver's key E = e*G; H is RFC 9380's hash to a scalar with tag ``p2p304/1 sealed`` over Z || E ||
R || about. Every box holds some scalar; a separate commitment says which scalar it must be.
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
    """Seal the scalar ``x`` to the holder of ``receiver`` under the ephemeral secret ``r``; return
    32 bytes.

    ``about`` has a fixed length for each use. One ``r`` may seal only one scalar for each pair of
    receiver and ``about``; otherwise the difference of two scalars is public.
    """
    R = base(r)
    return encode_scalar((x - _mask(mul(r, receiver), receiver, R, about)) % Q)


def unseal(e: int, R: Element, box: bytes, about: bytes) -> int:
    """Return the scalar of a box sealed to e*G. Raises GroupError for a box that is no scalar."""
    return unseal_with(mul(e, R), base(e), R, box, about)


def unseal_with(Z: Element, receiver: Element, R: Element, box: bytes, about: bytes) -> int:
    """Return the scalar of a box, opened with a disclosed Z. Raises GroupError for a box that is no
    scalar."""
    return (decode_scalar(box) + _mask(Z, receiver, R, about)) % Q


def disclose(e: int, R: Element, context: bytes, rng: Rng) -> tuple[Element, bytes]:
    """Return Z, which lets everybody open what was sealed to e*G under R, and 64 bytes of proof."""
    Z = mul(e, R)
    return Z, prove_dleq(e, G, base(e), [R], [Z], context, rng)


def is_disclosed(Z: Element, receiver: Element, R: Element, proof: bytes, context: bytes) -> bool:
    """Return whether the proof shows that Z opens the boxes sealed to ``receiver`` under R."""
    return verify_dleq(G, receiver, [R], [Z], proof, context)


def _mask(Z: Element, receiver: Element, R: Element, about: bytes) -> int:
    return hash_to_scalar(_TAG, Z + receiver + R + about)
