"""A locked and rotated deck, without telling how far: one secret cut.

Owns the statement *for some r, Y_(i+r) = u·X_i for every i, and U = u·G* and its folding into a
choice among as many equalities as there are cards (SPEC.md, "The rotation argument"). It does not
know what a card is.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.crypto.group import Element, G, Q, add, combine, hash_to_scalar, mul
from p2p304.crypto.language import AnyOf, Branch, Scalars, relations
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import prove, verify

_POINT = b"p2p304/1 rotation"


def statement(old: Sequence[Element], new: Sequence[Element], key: Element, context: bytes
              ) -> AnyOf:  # fmt: skip
    """Both decks folded at one point z, hashed from all of them: A = sum of z^i·X_i, and B_r =
    sum of z^i·Y_(i+r) for every r, each from the one before by two multiplications. Raises
    ValueError for decks of different or no size."""
    if len(old) != len(new) or not old:
        raise ValueError("a rotation is of one deck")
    z = hash_to_scalar(_POINT, b"".join((context, key, *old, *new)))
    powers = [1]
    for _ in range(len(old)):
        powers.append(powers[-1] * z % Q)
    A, B = combine(powers[:-1], new), combine(powers[:-1], old)
    back, step = pow(z, -1, Q), (powers[-1] - 1) % Q
    sums = [B]
    for Y in old[:-1]:
        B = mul(back, add(B, mul(step, Y)))
        sums.append(B)
    return AnyOf(tuple(relations((key, [("u", G)]), (B, [("u", A)])) for B in sums))


def prove_rotation(
    old: Sequence[Element], new: Sequence[Element], key: Element, u: int, by: int,
    context: bytes, rng: Rng,
) -> bytes:  # fmt: skip
    """The proof that ``new`` is ``old`` locked with ``u`` and turned by ``by`` places: card i of
    the new deck is card i + by of the old."""
    told = statement(old, new, key, context)
    return prove(told, Branch(by, Scalars({"u": u})), context, rng)


def verify_rotation(
    old: Sequence[Element], new: Sequence[Element], key: Element, proof: bytes, context: bytes
) -> bool:
    """Whether the proof shows a locked rotation of the old deck."""
    if len(old) != len(new) or not old:
        return False
    return verify(statement(old, new, key, context), proof, context)
