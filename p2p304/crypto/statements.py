"""One prover and one verifier for the language of statements.

The proof is a sigma protocol (sigma.py) over relations, made non-interactive by Fiat and Shamir. A
`NoneAmong` is first turned into relations about elements that the proof publishes (inequality.py).
Responsible for the proof's bytes and its transcript (SPEC.md, "Statements"); the statements are
language.py's.

A proof is the published elements, 32 bytes each: for every `NoneAmong` in the statement's order
those of its hidden elements, then those of its public elements. Scalars of 32 bytes follow: the
challenge, then in the same order, depth first, for an `AnyOf` the challenges of all branches but
the last, then the branches; for relations one response for each name, in order of first appearance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2p304.crypto import inequality
from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.group import Element, GroupError, decode_element, decode_scalar, encode_scalar
from p2p304.crypto.language import (
    All,
    AnyOf,
    Branch,
    Each,
    Hidden,
    Keys,
    NoneAmong,
    NotAStatement,
    NotAWitness,
    Relation,
    Relations,
    Scalars,
    Statement,
    Witness,
    encode_statement,
    relations,
)
from p2p304.crypto.rng import Rng
from p2p304.crypto.sigma import Products, Prover, check_witness, fingerprint, recompute_commitments
from p2p304.crypto.sigma import scalars_within as _scalars_within

__all__ = [
    "All",
    "AnyOf",
    "Branch",
    "Each",
    "Hidden",
    "Keys",
    "NoneAmong",
    "NotAStatement",
    "NotAWitness",
    "Relation",
    "Relations",
    "Scalars",
    "Statement",
    "Witness",
    "encode_statement",
    "proof_bytes",
    "prove",
    "prove_by_keys",
    "relations",
    "scalar_count",
    "verify",
]


def _begin(statement: Statement, context: bytes) -> Transcript:
    transcript = Transcript(b"statement")
    transcript.absorb_context(context)
    transcript.absorb(b"statement", encode_statement(statement))
    return transcript


def prove(statement: Statement, witness: Witness, context: bytes, rng: Rng) -> bytes:
    """Prove a statement by its witness. Blinding and nonces depend on the statement.

    Raises NotAStatement, NotAWitness (every relation is checked first) or, for a context above 128
    bytes, ValueError.
    """
    return _prove(statement, witness, _begin(statement, context), rng, checked=True)


def prove_by_keys(
    statement: Statement, secrets: Mapping[Element, int], context: bytes, rng: Rng
) -> bytes:
    """Prove a statement of `NoneAmong`, `All` and `AnyOf` with the secret of each key.

    Raises NotAWitness if the statement is false.
    """
    transcript = _begin(statement, context)
    witness = inequality.find_witness(statement, secrets)
    return _prove(statement, witness, transcript, rng, checked=False)


def _prove(
    statement: Statement, witness: Witness, transcript: Transcript, rng: Rng, checked: bool
) -> bytes:
    history = transcript.fork()
    history.absorb(b"witness", fingerprint(witness))
    drawn = rng.child(b"statement", history.digest(b"nonces"))
    published: list[Element] = []
    inner = inequality.blind(statement, witness, drawn.child(b"blinding"), published)
    plain = inequality.lower(statement, iter(published))
    if checked:
        check_witness(plain, inner, Products())
    prover, commitments = Prover(drawn), list[Element]()
    opening = prover.commit(plain, inner, commitments)
    c = _challenge(transcript, published, commitments)
    scalars = map(encode_scalar, (c, *prover.respond(opening, c)))
    return b"".join((*published, *scalars))


def _challenge(
    transcript: Transcript, published: Sequence[Element], commitments: Sequence[Element]
) -> int:
    if published:
        transcript.absorb_elements(b"published", published)
    transcript.absorb_elements(b"commitments", commitments)
    return transcript.challenge(b"c")


def verify(statement: Statement, proof: bytes, context: bytes) -> bool:
    """Return whether the proof shows the statement in this context. Never raises on hostile
    bytes."""
    try:
        transcript = _begin(statement, context)
        if len(proof) != proof_bytes(statement):
            return False
        split = 32 * inequality.published_count(statement)
        published = [decode_element(proof[at : at + 32]) for at in range(0, split, 32)]
        scalars = iter([decode_scalar(proof[at : at + 32]) for at in range(split, len(proof), 32)])
        plain = inequality.lower(statement, iter(published))
        c = next(scalars)
        commitments = list(recompute_commitments(plain, c, scalars, Products()))
    except (GroupError, ValueError):
        return False
    return _challenge(transcript, published, commitments) == c


def scalar_count(statement: Statement) -> int:
    """Return how many scalars a proof of this statement has."""
    return 1 + _scalars_within(statement)


def proof_bytes(statement: Statement) -> int:
    """Return the length in bytes of a proof of this statement; it depends on nothing secret."""
    return 32 * (inequality.published_count(statement) + scalar_count(statement))
