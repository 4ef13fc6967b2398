"""Proofs of equal discrete logarithms, batched: RFC 9497, section 2.2, with other weights.

The statement is B = k*A and D_i = k*C_i for one k that only the prover knows (Chaum and Pedersen
1992; the batch is folded with hashed weights). Responsible for the composites, the challenge and
the 64-byte proof: the challenge c, then the response s, each a scalar. The group is group.py's.

`context` is the RFC's contextString, of at most 128 bytes. The RFC has one base, the generator, and
does not hash it. If A is another element, it is put, with its length, before everything else into
the two hashes that cover the statement.

The RFC computes the weight of each pair from that pair alone. A prover who may choose the D_i can
then find false ones whose weighted errors cancel (Wagner 2002). Here the seed of the weights covers
the whole batch if it has two pairs or more. A single pair is proved as in the RFC. SPEC.md, "Equal
logarithms".
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

from p2p304.crypto.fiat_shamir import CONTEXT_LIMIT, Transcript
from p2p304.crypto.group import (
    IDENTITY,
    Element,
    G,
    GroupError,
    Q,
    combine,
    decode_scalar,
    encode_scalar,
    hash_to_scalar,
    mul,
)
from p2p304.crypto.rng import Rng

PROOF_BYTES: Final = 64
BATCH_LIMIT: Final = 65535


def prove_dleq(
    k: int,
    A: Element,
    B: Element,
    Cs: Sequence[Element],
    Ds: Sequence[Element],
    context: bytes,
    rng: Rng,
) -> bytes:
    """Prove B = k*A and D_i = k*C_i for every i; return 64 bytes. The nonce depends on the
    statement.

    Raises ValueError for an empty or uneven batch, an identity or a long context. The statement
    itself is not checked: `verify_dleq` refuses a proof of a false one.
    """
    _check_shape(A, B, Cs, Ds, context)
    history = Transcript(b"dleq nonce")
    history.absorb_context(context)
    for label, elements in ((b"A B", [A, B]), (b"C", Cs), (b"D", Ds)):
        history.absorb_elements(label, elements)
    history.absorb(b"k", encode_scalar(k % Q))
    nonce = rng.child(b"dleq", history.digest(b"nonce")).scalar()
    return _prove_with(nonce, k, A, B, Cs, Ds, context)


def verify_dleq(
    A: Element,
    B: Element,
    Cs: Sequence[Element],
    Ds: Sequence[Element],
    proof: bytes,
    context: bytes,
) -> bool:
    """Return whether the proof shows B = k*A and D_i = k*C_i for one k. Never raises on hostile
    bytes."""
    if len(proof) != PROOF_BYTES:
        return False
    try:
        _check_shape(A, B, Cs, Ds, context)
        c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
        weights = _weights(A, B, Cs, Ds, context)
        M, Z = combine(weights, Cs), combine(weights, Ds)
        T_2, T_3 = combine((s, c), (A, B)), combine((s, c), (M, Z))
    except (GroupError, ValueError):
        return False
    return c == _challenge(A, B, M, Z, T_2, T_3, context)


def _prove_with(
    nonce: int,
    k: int,
    A: Element,
    B: Element,
    Cs: Sequence[Element],
    Ds: Sequence[Element],
    context: bytes,
) -> bytes:
    """Return the proof with the given nonce: GenerateProof of RFC 9497, section 2.2.1."""
    M = combine(_weights(A, B, Cs, Ds, context), Cs)
    Z = mul(k, M)
    c = _challenge(A, B, M, Z, mul(nonce, A), mul(nonce, M), context)
    return encode_scalar(c) + encode_scalar((nonce - c * k) % Q)


def _check_shape(
    A: Element, B: Element, Cs: Sequence[Element], Ds: Sequence[Element], context: bytes
) -> None:
    if not 0 < len(Cs) == len(Ds) <= BATCH_LIMIT:
        raise ValueError("a batch pairs one to 65535 elements")
    if IDENTITY in (A, B) or IDENTITY in Cs or IDENTITY in Ds:
        raise ValueError("the identity has no place in this statement")
    if len(context) > CONTEXT_LIMIT:
        raise ValueError("a context has at most 128 bytes")


def _sized(data: bytes) -> bytes:
    return len(data).to_bytes(2, "big") + data


def _base_prefix(A: Element) -> bytes:
    return b"" if A == G else _sized(A)


def _whole_batch(Cs: Sequence[Element], Ds: Sequence[Element]) -> bytes:
    """Return all pairs, each element with its length, for the seed; nothing for a single pair,
    which needs no weight."""
    if len(Cs) == 1:
        return b""
    return b"".join(_sized(C) + _sized(D) for C, D in zip(Cs, Ds, strict=True))


def _weights(
    A: Element, B: Element, Cs: Sequence[Element], Ds: Sequence[Element], context: bytes
) -> list[int]:
    """Return the d_i of ComputeComposites (RFC 9497, section 2.2.1), from a seed that covers all
    pairs."""
    seed_input = _base_prefix(A) + _sized(B) + _whole_batch(Cs, Ds) + _sized(b"Seed-" + context)
    seed = _sized(hashlib.sha512(seed_input).digest())
    tag = b"HashToScalar-" + context
    return [
        hash_to_scalar(tag, seed + i.to_bytes(2, "big") + _sized(C) + _sized(D) + b"Composite")
        for i, (C, D) in enumerate(zip(Cs, Ds, strict=True))
    ]


def _challenge(
    A: Element, B: Element, M: Element, Z: Element, T_2: Element, T_3: Element, context: bytes
) -> int:
    elements = b"".join(_sized(element) for element in (B, M, Z, T_2, T_3))
    return hash_to_scalar(b"HashToScalar-" + context, _base_prefix(A) + elements + b"Challenge")
