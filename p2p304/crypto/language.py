"""The language of statements about secret scalars: its forms, its witnesses, its encoding.

A statement is one of

* `Relations`: rows `image = x*A + y*B + ...` over named secret scalars; a name means the same
  scalar in every row of one `Relations`, and nothing outside it;
* `NoneAmong`: no element hidden under a key is among some public elements;
* `All`: every part holds;
* `AnyOf`: at least one branch holds, and the proof does not tell which.

Statements nest. Two parts are tied together by a public element in both. Responsible for the forms
and for the encoding that goes into a transcript (SPEC.md, "Statements"); proving and verifying is
statements.py's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from p2p304.crypto.group import IDENTITY, Element, HashedElement

DEPTH_LIMIT: Final = 8
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Relation:
    """One row: `image` is the sum of scalar times element over `terms`.

    The image may be the identity; the elements of the terms may not.
    """

    image: Element
    terms: tuple[tuple[str, Element], ...]


@dataclass(frozen=True, slots=True)
class Relations:
    """Rows that share their named scalars."""

    rows: tuple[Relation, ...]

    def names(self) -> tuple[str, ...]:
        """Return the scalars' names in order of first appearance."""
        return tuple(dict.fromkeys(name for row in self.rows for name, _ in row.terms))


@dataclass(frozen=True, slots=True)
class Hidden:
    """The element `u*times + plus` for the secret u of `key = u*G`; without `plus`, `u*times`.

    A card locked as C under U is Hidden(U, C). A card encrypted as (E1, E2) to the key P is
    Hidden(P, -E1, E2).
    """

    key: Element
    times: Element
    plus: Element | None = None


@dataclass(frozen=True, slots=True)
class NoneAmong:
    """None of the hidden elements is one of the public `elements`.

    The proof publishes the product of each of them with one secret. It hides the hidden elements
    only if nobody knows a linear relation among hidden and public elements together. Therefore the
    public elements are hashes, never sums, and no hidden or public element may appear twice
    (`encode_statement` raises NotAStatement). SPEC.md, "Logarithms that differ".
    """

    hidden: tuple[Hidden, ...]
    elements: tuple[HashedElement, ...]

    def keys(self) -> tuple[Element, ...]:
        """Return the keys that hide an element, in order of first appearance."""
        return tuple(dict.fromkeys(each.key for each in self.hidden))


@dataclass(frozen=True, slots=True)
class All:
    """Every part holds."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one branch holds."""

    branches: tuple[Statement, ...]

    def over_the_same(self) -> tuple[NoneAmong, ...]:
        """Return the branches if each is a `NoneAmong` over the same elements; else nothing. One
        set of published elements then serves all branches (inequality.py)."""
        found = tuple(each for each in self.branches if isinstance(each, NoneAmong))
        same = len({each.elements for each in found}) == 1 and len(found) > 1
        return found if same and len(found) == len(self.branches) else ()


Statement: TypeAlias = Relations | NoneAmong | All | AnyOf


@dataclass(frozen=True, slots=True, repr=False)
class Scalars:
    """The witness of `Relations`: a value for each name."""

    values: Mapping[str, int]


@dataclass(frozen=True, slots=True, repr=False)
class Keys:
    """The witness of `NoneAmong`: the secret of each key. Further keys may be among them."""

    secrets: Mapping[Element, int]


@dataclass(frozen=True, slots=True, repr=False)
class Each:
    """The witness of `All`: one witness for each part."""

    parts: tuple[Witness, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Branch:
    """The witness of `AnyOf`: the index of a branch, and that branch's witness."""

    index: int
    witness: Witness


Witness: TypeAlias = Scalars | Keys | Each | Branch


class NotAStatement(ValueError):
    """The statement has an empty list, an identity or a repeated element where none may be, or it
    nests too deeply."""


class NotAWitness(ValueError):
    """The witness has another shape than the statement, or a relation does not hold for it."""


def relations(*rows: tuple[Element, Sequence[tuple[str, Element]]]) -> Relations:
    """Make `Relations` from pairs of an image and its terms."""
    return Relations(tuple(Relation(image, tuple(terms)) for image, terms in rows))


# The statement, in bytes --------------------------------------------------------------------


def encode_statement(statement: Statement) -> bytes:
    """Return the one encoding that is hashed; raises NotAStatement for what cannot be proved.

    Numbers are two bytes big-endian. Relations: 01, count of rows, each row as image, count of
    terms, each term as the number of its name in `names()`, then the element. All: 02, count,
    parts. AnyOf: 03, count, branches. NoneAmong: 04, count of hidden, each as key, times and plus
    (the identity for none), count of elements, the elements.
    """
    return _encoded(statement, 0)


def _encoded(statement: Statement, depth: int) -> bytes:
    if depth > DEPTH_LIMIT:
        raise NotAStatement("this statement nests too deeply")
    match statement:
        case Relations(rows):
            number = {name: _two_bytes(i) for i, name in enumerate(statement.names())}
            parts = [b"\x01", _count(rows)]
            for row in rows:
                parts += row.image, _count(row.terms)
                for name, A in row.terms:
                    parts += number[name], _nonidentity(A)
            return b"".join(parts)
        case NoneAmong(hidden, elements):
            parts = [b"\x04", _count(_distinct(hidden))]
            for each in hidden:
                plus = IDENTITY if each.plus is None else _nonidentity(each.plus)
                parts += _nonidentity(each.key), _nonidentity(each.times), plus
            return b"".join((*parts, _count(_distinct(elements)), *map(_nonidentity, elements)))
        case All(members) | AnyOf(members):
            form = b"\x02" if isinstance(statement, All) else b"\x03"
            return form + _count(members) + b"".join(_encoded(each, depth + 1) for each in members)


def _nonidentity(A: Element) -> Element:
    if A == IDENTITY:
        raise NotAStatement("the identity ties no scalar down")
    return A


def _distinct(items: Sequence[T]) -> Sequence[T]:
    if len(set(items)) != len(items):
        raise NotAStatement("an element stands twice in a statement that hides elements")
    return items


def _count(items: Sequence[object]) -> bytes:
    if not 0 < len(items) < 65536:
        raise NotAStatement("a list in a statement has 1 to 65535 members")
    return _two_bytes(len(items))


def _two_bytes(number: int) -> bytes:
    return number.to_bytes(2, "big")
