"""Logarithms that differ: `image = u*base`, and u*C is none of the elements M_1 ... M_n.

The prover publishes B_i = rho*(u*C - M_i) with one secret rho for all, none of them the identity,
and shows with v = rho*u and m = -rho the relations

    0 = v*base + m*image        B_i = v*C + m*M_i

(after Camenisch and Shoup, Crypto 2003, with one blinding factor for the batch). Owns the
differences and their relations; `statements` proves them. Where such a statement stands in a
branch of an `AnyOf`, the pieces serve by themselves: `blinded` for the true branch,
`random_differences` for a simulated one, `as_relations` for both.
SPEC.md, "Logarithms that differ".
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.group import (
    IDENTITY,
    Element,
    GroupError,
    Q,
    add,
    base,
    combine,
    decode_element,
    encode_scalar,
    mul,
)
from p2p304.crypto.language import NotAWitness, Relations, Scalars, relations
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import prove_unchecked, verify

SCALAR_BYTES = 96


@dataclass(frozen=True, slots=True)
class Unequal:
    """There is u with image = u*base, and u*C is none of Ms."""

    base: Element
    image: Element
    C: Element
    Ms: tuple[Element, ...]


def as_relations(statement: Unequal, Bs: tuple[Element, ...]) -> Relations:
    """The relations that, together with every B_i not being the identity, make the statement."""
    return relations(
        (IDENTITY, (("v", statement.base), ("m", statement.image))),
        *((B, (("v", statement.C), ("m", M))) for B, M in zip(Bs, statement.Ms, strict=True)),
    )


def blinded(
    statement: Unequal, u: int, context: bytes, rng: Rng
) -> tuple[tuple[Element, ...], Scalars]:
    """The differences B_i under a rho drawn for this statement, and the relations' witness.

    Raises NotAWitness if image is not u*base or u*C is one of Ms: the statement is false.
    """
    if combine((u,), (statement.base,)) != statement.image:
        raise NotAWitness("the image belongs to another key")
    history = Transcript(b"unequal blinding")
    history.absorb_context(context)
    history.absorb_elements(b"base image C", (statement.base, statement.image, statement.C))
    history.absorb_elements(b"M", statement.Ms)
    history.absorb(b"u", encode_scalar(u % Q))
    rho = rng.child(b"unequal", history.digest(b"rho")).scalar()
    v, m = rho * u % Q, -rho % Q
    opened = mul(v, statement.C)
    Bs = tuple(add(opened, mul(m, M)) for M in statement.Ms)
    if IDENTITY in Bs:
        raise NotAWitness("the logarithms are equal")
    return Bs, Scalars({"v": v, "m": m})


def random_differences(count: int, rng: Rng) -> tuple[Element, ...]:
    """What stands for the B_i of a branch that is only simulated."""
    return tuple(base(rng.scalar()) for _ in range(count))


def prove_unequal(statement: Unequal, u: int, context: bytes, rng: Rng) -> bytes:
    """The proof, 32 bytes for each of Ms and 96 more. Raises NotAWitness if it is not so."""
    Bs, witness = blinded(statement, u, context, rng)
    return b"".join(Bs) + prove_unchecked(as_relations(statement, Bs), witness, context, rng)


def verify_unequal(statement: Unequal, proof: bytes, context: bytes) -> bool:
    """Whether the proof shows the statement in this context. Never raises on hostile bytes."""
    split = 32 * len(statement.Ms)
    if len(proof) != split + SCALAR_BYTES:
        return False
    try:
        Bs = tuple(decode_element(proof[at : at + 32]) for at in range(0, split, 32))
    except GroupError:
        return False
    return verify(as_relations(statement, Bs), proof[split:], context)
