"""Sigma protocols for relations, conjunctions and choices: the moves of prover and verifier.

Schnorr's and Chaum and Pedersen's for `Relations`; Cramer, Damgard and Schoenmakers' (Crypto 1994)
for `AnyOf`. Responsible for commitments, simulation, responses and their recomputation (SPEC.md,
"Statements"). Hashing is statements.py's; a `NoneAmong` arrives here as the relations that
inequality.py makes of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from p2p304.crypto.group import IDENTITY, Element, Q, add, combine, encode_scalar
from p2p304.crypto.language import (
    All,
    AnyOf,
    Branch,
    Each,
    Keys,
    NoneAmong,
    NotAWitness,
    Relations,
    Scalars,
    Statement,
    Witness,
)
from p2p304.crypto.rng import Rng


class Products:
    """Computes sums of products; the same scalar times the same element is computed once."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Element], Element] = {}

    def sum(self, terms: Sequence[tuple[int, Element]]) -> Element:
        """Return the sum of scalar times element over ``terms``."""
        total = IDENTITY
        for x, A in terms:
            product = self._known.get((x, A))
            if product is None:
                product = self._known[x, A] = combine((x,), (A,))
            total = product if total == IDENTITY else add(total, product)
        return total


def check_witness(statement: Statement, witness: Witness, products: Products) -> None:
    """Raise NotAWitness unless the witness has the statement's shape and every relation holds for
    it."""
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
                check_witness(part, own, products)
        case AnyOf(branches), Branch(index, own) if 0 <= index < len(branches):
            check_witness(branches[index], own, products)
        case _:
            raise NotAWitness("the witness has another shape than the statement")


def fingerprint(witness: Witness) -> bytes:
    """Return a hash that differs whenever the witness does; it is used for nonces alone."""
    match witness:
        case Scalars(values):
            parts = [encode_scalar(values[name] % Q) for name in sorted(values)]
        case Each(witnesses):
            parts = [fingerprint(own) for own in witnesses]
        case Keys(secrets):
            parts = [key + encode_scalar(secrets[key] % Q) for key in sorted(secrets)]
        case Branch(index, own):
            parts = [index.to_bytes(2, "big", signed=True), fingerprint(own)]
    return hashlib.sha512(b"".join(parts)).digest()


@dataclass(frozen=True, slots=True, repr=False)
class Open:
    """Relations with a witness: nonces and scalars for the responses."""

    nonces: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class OpenAll:
    """A conjunction: the openings of its parts."""

    parts: tuple[Opening, ...]


@dataclass(frozen=True, slots=True, repr=False)
class OpenAnyOf:
    """A branch with a witness among simulated branches, each with its challenge and responses."""

    index: int
    true: Opening
    simulated: tuple[tuple[int, tuple[int, ...]], ...]


Opening: TypeAlias = Open | OpenAll | OpenAnyOf


class Prover:
    """The prover's two moves, and the simulation of branches without a witness."""

    def __init__(self, nonces: Rng) -> None:
        self._nonces = nonces
        self._products = Products()

    def commit(self, statement: Statement, witness: Witness, out: list[Element]) -> Opening:
        """Append the commitments in the statement's order to `out`; return what `respond` needs."""
        match statement, witness:
            case Relations(), Scalars(values):
                names = statement.names()
                drawn = {name: self._nonces.scalar() for name in names}
                for row in statement.rows:
                    out.append(self._products.sum([(drawn[name], A) for name, A in row.terms]))
                return Open(tuple(drawn.values()), tuple(values[name] for name in names))
            case All(parts), Each(witnesses):
                pairs = zip(parts, witnesses, strict=True)
                return OpenAll(tuple(self.commit(part, own, out) for part, own in pairs))
            case AnyOf(branches), Branch(index, own):
                true: Opening | None = None
                simulated = []
                for i, branch in enumerate(branches):
                    if i == index:
                        true = self.commit(branch, own, out)
                    else:
                        c = self._nonces.scalar()
                        simulated.append((c, tuple(self._simulate(branch, c, out))))
                if true is None:
                    raise NotAWitness("the witness names a branch that is not there")
                return OpenAnyOf(index, true, tuple(simulated))
        raise NotAWitness("the witness has another shape than the statement")

    def _simulate(self, statement: Statement, c: int, out: list[Element]) -> Iterator[int]:
        """Draw the responses and compute commitments from them, which gives an accepting proof for
        a known c."""
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

    def respond(self, opening: Opening, c: int) -> Iterator[int]:
        """Yield the proof's scalars that follow its challenge."""
        match opening:
            case Open(nonces, values):
                for nonce, value in zip(nonces, values, strict=True):
                    yield (nonce + c * value) % Q
            case OpenAll(parts):
                for part in parts:
                    yield from self.respond(part, c)
            case OpenAnyOf(index, true, simulated):
                own = (c - sum(share for share, _ in simulated)) % Q
                branches = [*simulated]
                branches.insert(index, (own, tuple(self.respond(true, own))))
                yield from (share for share, _ in branches[:-1])
                for _, scalars in branches:
                    yield from scalars


def scalars_within(statement: Statement) -> int:
    """Return how many scalars of a proof follow its challenge."""
    match statement:
        case Relations():
            return len(statement.names())
        case NoneAmong():
            return 1 + len(statement.keys())
        case All(parts):
            return sum(map(scalars_within, parts))
        case AnyOf(branches):
            shared = bool(statement.over_the_same())
            return shared + len(branches) - 1 + sum(map(scalars_within, branches))


def recompute_commitments(
    statement: Statement, c: int, scalars: Iterator[int], products: Products
) -> Iterator[Element]:
    """Yield the commitments for which these scalars are an accepting response to c."""
    match statement:
        case Relations():
            responses = [next(scalars) for _ in statement.names()]
            yield from _implied(statement, c, responses, products)
        case All(parts):
            for part in parts:
                yield from recompute_commitments(part, c, scalars, products)
        case AnyOf(branches):
            shares = [next(scalars) for _ in branches[1:]]
            for branch, share in zip(branches, _with_last(shares, c), strict=True):
                yield from recompute_commitments(branch, share, scalars, products)


def _with_last(shares: Sequence[int], c: int) -> tuple[int, ...]:
    """Return the challenges of all branches, which add up to c."""
    return (*shares, (c - sum(shares)) % Q)


def _implied(
    statement: Relations, c: int, responses: Sequence[int], products: Products
) -> Iterator[Element]:
    """Yield for each row the sum of response times element, minus c times the image."""
    response = dict(zip(statement.names(), responses, strict=True))
    for row in statement.rows:
        terms = [(response[name], A) for name, A in row.terms]
        if row.image != IDENTITY:
            terms.append((-c % Q, row.image))
        yield products.sum(terms)
