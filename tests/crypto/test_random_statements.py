"""Statements of the whole language at random, true and false: what is true is proved, what is
false is refused by the prover, and a prover without scruples finds no proof of it either.

P2P304_EXAMPLES says how many (default 40); figures of a run at scale stand in SPEC.md.
"""

from __future__ import annotations

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.crypto import group as g
from p2p304.crypto import inequality, statements
from p2p304.crypto.rng import Rng
from p2p304.crypto.sigma import Prover
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    NoneAmong,
    NotAWitness,
    Relations,
    Scalars,
    Statement,
    Witness,
    proof_bytes,
    prove_by_keys,
    verify,
)
from tests.support.reference.naive_inequality import locked

EXAMPLES = int(os.environ.get("P2P304_EXAMPLES", "40"))
RNG = Rng.from_seed(bytes(31) + b"\x01")
PACK = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(8))
SECRETS = {g.base(u): u for u in (RNG.child(b"one").scalar(), RNG.child(b"two").scalar())}
KEYS = tuple(SECRETS.items())

cards = st.integers(0, 7)
leaves = st.builds(
    lambda held, out: NoneAmong(
        tuple(locked(KEYS[key][1], PACK[card], KEYS[key][0]) for card, key in held),
        tuple(PACK[card] for card in sorted(out)),
    ),
    st.lists(
        st.tuples(cards, st.integers(0, 1)), min_size=1, max_size=3, unique_by=lambda one: one[0]
    ),
    st.sets(cards, min_size=1, max_size=4),
)
trees: st.SearchStrategy[Statement] = st.recursive(
    leaves,
    lambda inner: st.builds(
        lambda form, parts: form(tuple(parts)),
        st.sampled_from([All, AnyOf]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=5,
)


def is_true(statement: Statement) -> bool:
    match statement:
        case NoneAmong(hidden, elements):
            return not {inequality.hidden_element(h, SECRETS[h.key]) for h in hidden} & set(
                elements
            )
        case All(parts):
            return all(map(is_true, parts))
        case AnyOf(branches):
            return any(map(is_true, branches))
    raise TypeError("no other forms are drawn here")


@settings(deadline=None, max_examples=EXAMPLES)
@given(trees)
def test_what_is_true_is_proved_and_nothing_else(statement: Statement) -> None:
    if is_true(statement):
        proof = prove_by_keys(statement, SECRETS, b"context", RNG)
        assert len(proof) == proof_bytes(statement)
        assert verify(statement, proof, b"context")
        assert not verify(statement, proof, b"elsewhere")
        return
    try:
        prove_by_keys(statement, SECRETS, b"context", RNG)
        raise AssertionError("a false statement was proved")
    except NotAWitness:
        pass
    assert not verify(statement, forged(statement), b"context")


def forged(statement: Statement) -> bytes:
    """The prover's algorithm on what is false: random elements where its own would show it."""
    published: list[g.Element] = []
    witness = pretended(statement, published)
    prover, commitments = Prover(RNG.child(b"nonces")), list[g.Element]()
    opening = prover.commit(inequality.lower(statement, iter(published)), witness, commitments)
    transcript = statements._begin(statement, b"context")
    c = statements._challenge(transcript, published, commitments)
    scalars = map(g.encode_scalar, (c, *prover.respond(opening, c)))
    return b"".join((*published, *scalars))


def pretended(statement: Statement, out: list[g.Element]) -> Witness:
    match statement:
        case NoneAmong(hidden, elements):
            rho = RNG.scalar()
            Qs = [g.mul(rho, M) for M in elements]
            Ps = [g.mul(rho, inequality.hidden_element(h, SECRETS[h.key])) for h in hidden]
            out.extend([g.base(RNG.scalar()) if P in Qs else P for P in Ps] + Qs)
            values = {f"v{n}": rho * SECRETS[k] for n, k in enumerate(statement.keys())}
            return Scalars({"rho": rho, **values})
        case All(parts):
            return Each(tuple(pretended(part, out) for part in parts))
        case AnyOf() if statement.over_the_same():
            return pretended_choice(statement.over_the_same(), out)
        case AnyOf(branches):
            told = [pretended(branch, out) for branch in branches]
            best = next((n for n, branch in enumerate(branches) if is_true(branch)), 0)
            return Branch(best, told[best])
        case Relations():
            raise TypeError("no relations are drawn here")


def pretended_choice(branches: tuple[NoneAmong, ...], out: list[g.Element]) -> Witness:
    """One rho for all, and random elements in place of those that would show."""
    rho = RNG.scalar()
    Qs = [g.mul(rho, M) for M in branches[0].elements]
    for branch in branches:
        Ps = [g.mul(rho, inequality.hidden_element(h, SECRETS[h.key])) for h in branch.hidden]
        out.extend(g.base(RNG.scalar()) if P in Qs else P for P in Ps)
    out.extend(Qs)
    best = next((n for n, branch in enumerate(branches) if is_true(branch)), 0)
    values = {f"v{n}": rho * SECRETS[k] for n, k in enumerate(branches[best].keys())}
    return Each((Scalars({"rho": rho}), Branch(best, Scalars({"rho": rho, **values}))))
