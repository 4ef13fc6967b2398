"""One prover and one verifier for the language of statements.

The proof is Schnorr's and Chaum and Pedersen's for relations, Cramer, Damgard and Schoenmakers'
(Crypto 1994) for AnyOf, made non-interactive by Fiat and Shamir. Owns the proof; knows nothing
of cards. SPEC.md, "Statements".

A proof is scalars of 32 bytes: the challenge, then in the statement's order, depth first: for an
`AnyOf` the challenges of all branches but the last, then the branches; for `Relations` one
response for each name, in order of first appearance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p304.crypto.fiat_shamir import Transcript
from p2p304.crypto.group import (
    IDENTITY,
    Element,
    GroupError,
    Q,
    add,
    combine,
    decode_scalar,
    encode_scalar,
)
from p2p304.crypto.language import (
    All,
    AnyOf,
    Branch,
    Each,
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

__all__ = [
    "All",
    "AnyOf",
    "Branch",
    "Each",
    "NotAStatement",
    "NotAWitness",
    "Relation",
    "Relations",
    "Scalars",
    "Statement",
    "Witness",
    "encode_statement",
    "prove",
    "prove_unchecked",
    "relations",
    "scalar_count",
    "verify",
]


def _begin(statement: Statement, context: bytes) -> Transcript:
    transcript = Transcript(b"statement")
    transcript.absorb_context(context)
    transcript.absorb(b"statement", encode_statement(statement))
    return transcript


class _Products:
    """Sums of products in which the same scalar times the same element is computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Element], Element] = {}

    def sum(self, terms: Sequence[tuple[int, Element]]) -> Element:
        total = IDENTITY
        for x, A in terms:
            product = self._known.get((x, A))
            if product is None:
                product = self._known[x, A] = combine((x,), (A,))
            total = product if total == IDENTITY else add(total, product)
        return total


# The prover ---------------------------------------------------------------------------------


def prove(statement: Statement, witness: Witness, context: bytes, rng: Rng) -> bytes:
    """The proof of a statement by its witness. The nonces are drawn for this statement.

    Raises NotAStatement, NotAWitness (every relation is checked first) or ValueError for a
    context above 128 bytes.
    """
    transcript = _begin(statement, context)
    _check_witness(statement, witness, _Products())
    return _proved(statement, witness, transcript, rng)


def prove_unchecked(statement: Statement, witness: Witness, context: bytes, rng: Rng) -> bytes:
    """The same for a caller who has just computed the relations and knows that they hold.

    A witness that does not fit gives a proof that `verify` refuses, and tells nobody anything;
    one of another shape raises NotAWitness.
    """
    return _proved(statement, witness, _begin(statement, context), rng)


def _proved(statement: Statement, witness: Witness, transcript: Transcript, rng: Rng) -> bytes:
    history = transcript.fork()
    history.absorb(b"witness", _fingerprint(witness))
    prover = _Prover(rng.child(b"statement", history.digest(b"nonces")))
    commitments: list[Element] = []
    opening = prover.commit(statement, witness, commitments)
    transcript.absorb_elements(b"commitments", commitments)
    c = transcript.challenge(b"c")
    return b"".join(map(encode_scalar, (c, *prover.respond(opening, c))))


def _check_witness(statement: Statement, witness: Witness, products: _Products) -> None:
    match statement, witness:
        case Relations(), Scalars(values):
            if set(values) != set(statement.names()):
                raise NotAWitness("the witness names other scalars than the statement")
            for row in statement.rows:
                terms = [(values[name] % Q, A) for name, A in row.terms]
                if products.sum(terms) != row.image:
                    raise NotAWitness("a relation does not hold for this witness")
        case All(parts), Each(witnesses) if len(parts) == len(witnesses):
            for part, own in zip(parts, witnesses, strict=True):
                _check_witness(part, own, products)
        case AnyOf(branches), Branch(index, own) if 0 <= index < len(branches):
            _check_witness(branches[index], own, products)
        case _:
            raise NotAWitness("the witness has another shape than the statement")


def _fingerprint(witness: Witness) -> bytes:
    """A hash that differs whenever the witness does; it goes into the nonces and nowhere else."""
    match witness:
        case Scalars(values):
            parts = [encode_scalar(values[name] % Q) for name in sorted(values)]
        case Each(witnesses):
            parts = [_fingerprint(own) for own in witnesses]
        case Branch(index, own):
            parts = [index.to_bytes(2, "big"), _fingerprint(own)]
    return hashlib.sha512(b"".join(parts)).digest()


@dataclass(frozen=True, slots=True, repr=False)
class _Open:
    """Relations with a witness: nonces that await the challenge."""

    nonces: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class _OpenAll:
    parts: tuple[_Opening, ...]


@dataclass(frozen=True, slots=True, repr=False)
class _OpenAnyOf:
    """A branch with a witness among simulated ones (challenge and finished scalars)."""

    index: int
    true: _Opening
    simulated: tuple[tuple[int, tuple[int, ...]], ...]


_Opening: TypeAlias = _Open | _OpenAll | _OpenAnyOf


class _Prover:
    """The prover's two moves, and the simulation of branches without a witness."""

    def __init__(self, nonces: Rng) -> None:
        self._nonces = nonces
        self._products = _Products()

    def commit(self, statement: Statement, witness: Witness, out: list[Element]) -> _Opening:
        """Appends the commitments in the statement's order; returns what `respond` needs."""
        match statement, witness:
            case Relations(), Scalars(values):
                names = statement.names()
                drawn = {name: self._nonces.scalar() for name in names}
                for row in statement.rows:
                    out.append(self._products.sum([(drawn[name], A) for name, A in row.terms]))
                return _Open(tuple(drawn.values()), tuple(values[name] for name in names))
            case All(parts), Each(witnesses):
                pairs = zip(parts, witnesses, strict=True)
                return _OpenAll(tuple(self.commit(part, own, out) for part, own in pairs))
            case AnyOf(branches), Branch(index, own):
                return self._commit_any(branches, index, own, out)
        raise NotAWitness("the witness has another shape than the statement")

    def _commit_any(
        self, branches: Sequence[Statement], index: int, own: Witness, out: list[Element]
    ) -> _OpenAnyOf:
        simulated = []
        true: _Opening | None = None
        for i, branch in enumerate(branches):
            if i == index:
                true = self.commit(branch, own, out)
            else:
                c = self._nonces.scalar()
                simulated.append((c, tuple(self._simulate(branch, c, out))))
        if true is None:
            raise NotAWitness("the witness names a branch that is not there")
        return _OpenAnyOf(index, true, tuple(simulated))

    def _simulate(self, statement: Statement, c: int, out: list[Element]) -> Iterator[int]:
        """Responses first, commitments from them: an accepting proof of anything, for c known."""
        match statement:
            case Relations():
                drawn = [self._nonces.scalar() for _ in statement.names()]
                out.extend(_implied(statement, c, drawn, self._products))
                yield from drawn
            case All(parts):
                for part in parts:
                    yield from self._simulate(part, c, out)
            case AnyOf(branches):
                shares = [self._nonces.scalar() for _ in branches[1:]]
                yield from shares
                for branch, share in zip(branches, _with_last(shares, c), strict=True):
                    yield from self._simulate(branch, share, out)

    def respond(self, opening: _Opening, c: int) -> Iterator[int]:
        """The proof's scalars after its challenge."""
        match opening:
            case _Open(nonces, values):
                for nonce, value in zip(nonces, values, strict=True):
                    yield (nonce + c * value) % Q
            case _OpenAll(parts):
                for part in parts:
                    yield from self.respond(part, c)
            case _OpenAnyOf(index, true, simulated):
                own = (c - sum(share for share, _ in simulated)) % Q
                branches = [*simulated]
                branches.insert(index, (own, tuple(self.respond(true, own))))
                yield from (share for share, _ in branches[:-1])
                for _, scalars in branches:
                    yield from scalars


# The verifier -------------------------------------------------------------------------------


def verify(statement: Statement, proof: bytes, context: bytes) -> bool:
    """Whether the proof shows the statement in this context. Never raises on hostile bytes."""
    try:
        transcript = _begin(statement, context)
        if len(proof) != 32 * scalar_count(statement):
            return False
        scalars = iter([decode_scalar(proof[at : at + 32]) for at in range(0, len(proof), 32)])
        c = next(scalars)
        commitments = list(_recomputed(statement, c, scalars, _Products()))
    except (GroupError, ValueError):
        return False
    transcript.absorb_elements(b"commitments", commitments)
    return transcript.challenge(b"c") == c


def scalar_count(statement: Statement) -> int:
    """How many scalars a proof of this statement has."""
    return 1 + _scalars_within(statement)


def _scalars_within(statement: Statement) -> int:
    match statement:
        case Relations():
            return len(statement.names())
        case All(parts):
            return sum(map(_scalars_within, parts))
        case AnyOf(branches):
            return len(branches) - 1 + sum(map(_scalars_within, branches))


def _recomputed(
    statement: Statement, c: int, scalars: Iterator[int], products: _Products
) -> Iterator[Element]:
    """The commitments for which these scalars are an accepting answer to c."""
    match statement:
        case Relations():
            responses = [next(scalars) for _ in statement.names()]
            yield from _implied(statement, c, responses, products)
        case All(parts):
            for part in parts:
                yield from _recomputed(part, c, scalars, products)
        case AnyOf(branches):
            shares = [next(scalars) for _ in branches[1:]]
            for branch, share in zip(branches, _with_last(shares, c), strict=True):
                yield from _recomputed(branch, share, scalars, products)


def _with_last(shares: Sequence[int], c: int) -> tuple[int, ...]:
    """All the branches' challenges: they add up to c."""
    return (*shares, (c - sum(shares)) % Q)


def _implied(
    statement: Relations, c: int, responses: Sequence[int], products: _Products
) -> Iterator[Element]:
    """For each row, the sum of response times element, less c times the image."""
    response = dict(zip(statement.names(), responses, strict=True))
    for row in statement.rows:
        terms = [(response[name], A) for name, A in row.terms]
        if row.image != IDENTITY:
            terms.append((-c % Q, row.image))
        yield products.sum(terms)
