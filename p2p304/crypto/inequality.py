"""Proofs that logarithms differ: how a `NoneAmong` becomes relations.

For hidden elements X_k = u*A_k + B_k (U = u*G) and public M_1 ... M_m the prover draws one secret
rho, publishes P_k = rho*X_k and Q_i = rho*M_i, and shows with v = rho*u the relations

    0 = v*G + rho*(-U)        P_k = v*A_k + rho*B_k        Q_i = rho*M_i

The verifier sees that no P_k is a Q_i (after Camenisch and Shoup, Crypto 2003; one blinding factor
for everything makes n*m inequalities cost n + m elements and not n*m). Hidden elements under
several keys share rho and have a v for each key. Where a choice is between such statements over the
same M_i, one rho serves all branches. The Q_i are then proved once, outside the choice, and each
branch shows Q_1 = rho*M_1 again, which ties it to that rho.

Responsible for that translation, for the blinding, and for finding the branch that holds (SPEC.md,
"Logarithms that differ"). The proof is statements.py's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2p304.crypto.group import IDENTITY, Element, G, Q, add, base, combine, mul, sub
from p2p304.crypto.language import (
    All,
    AnyOf,
    Branch,
    Each,
    Hidden,
    Keys,
    NoneAmong,
    NotAWitness,
    Relations,
    Scalars,
    Statement,
    Witness,
    relations,
)
from p2p304.crypto.rng import Rng


class OneIsAmong(ValueError):
    """The published elements show that a hidden element is one of the public elements."""


# Both sides: published elements, and the relations they must satisfy -------------------------


def published_count(statement: Statement) -> int:
    """Return how many elements a proof publishes: one for each hidden and each public element."""
    match statement:
        case Relations():
            return 0
        case NoneAmong(hidden, elements):
            return len(hidden) + len(elements)
        case AnyOf() if statement.over_the_same():
            same = statement.over_the_same()
            return len(same[0].elements) + sum(len(each.hidden) for each in same)
        case All(members) | AnyOf(members):
            return sum(map(published_count, members))


def lower(statement: Statement, published: Iterator[Element]) -> Statement:
    """Replace every `NoneAmong` by relations over the elements that were published for it.

    Takes `published_count` elements; raises OneIsAmong if a P is also a Q.
    """
    match statement:
        case Relations():
            return statement
        case NoneAmong(hidden, elements):
            Ps, Qs = ([next(published) for _ in items] for items in (hidden, elements))
            if not set(Ps).isdisjoint(Qs):
                raise OneIsAmong("a hidden element is one of those excluded")
            return _as_relations(statement, Ps, Qs)
        case AnyOf() if statement.over_the_same():
            # Q_i = rho*M_i for all i and, for one branch, its keys, its P and Q_1 = rho*M_1.
            same = statement.over_the_same()
            Ms = same[0].elements
            branch_Ps = [[next(published) for _ in each.hidden] for each in same]
            Qs = [next(published) for _ in Ms]
            if not {P for Ps in branch_Ps for P in Ps}.isdisjoint(Qs):
                raise OneIsAmong("a hidden element is one of those excluded")
            tied = (NoneAmong(each.hidden, Ms[:1]) for each in same)
            pairs = zip(tied, branch_Ps, strict=True)
            choice = AnyOf(tuple(_as_relations(each, Ps, Qs[:1]) for each, Ps in pairs))
            rows = ((Q, (("rho", M),)) for Q, M in zip(Qs, Ms, strict=True))
            return All((relations(*rows), choice))
        case All(members) | AnyOf(members):
            return type(statement)(tuple(lower(each, published) for each in members))


def _as_relations(statement: NoneAmong, Ps: list[Element], Qs: list[Element]) -> Relations:
    name = {key: f"v{number}" for number, key in enumerate(statement.keys())}
    negated = {key: sub(IDENTITY, key) for key in name}
    return relations(
        *((IDENTITY, ((v, G), ("rho", negated[key]))) for key, v in name.items()),
        *((P, _terms(each, name[each.key])) for P, each in zip(Ps, statement.hidden, strict=True)),
        *((Q, (("rho", M),)) for Q, M in zip(Qs, statement.elements, strict=True)),
    )


def _terms(hidden: Hidden, v: str) -> tuple[tuple[str, Element], ...]:
    opened = (v, hidden.times)
    return (opened,) if hidden.plus is None else (opened, ("rho", hidden.plus))


# The prover ----------------------------------------------------------------------------------


def find_witness(
    statement: Statement, secrets: Mapping[Element, int], sure: bool = True
) -> Witness:
    """Find the witness of a statement of `NoneAmong`, `All` and `AnyOf` from the keys' secrets.

    `AnyOf` takes its first branch that holds; raises NotAWitness if none does. Outside a choice the
    truth is not tried here, because `blind` refuses a false statement.
    """
    match statement:
        case NoneAmong():
            Xs = (hidden_element(each, secrets[each.key]) for each in statement.hidden)
            if not sure and not set(statement.elements).isdisjoint(Xs):
                raise NotAWitness("a hidden element is one of those excluded")
            return Keys(secrets)
        case All(parts):
            return Each(tuple(find_witness(part, secrets, sure) for part in parts))
        case AnyOf(branches):
            for index, branch in enumerate(branches):
                try:
                    return Branch(index, find_witness(branch, secrets, sure=False))
                except NotAWitness:
                    continue
            raise NotAWitness("no branch of a choice holds")
    raise NotAWitness("relations need their scalars by name")


def hidden_element(hidden: Hidden, u: int, rho: int = 1) -> Element:
    """Return X = u*times + plus; rho*X for u*rho and rho."""
    X = mul(u, hidden.times)
    if hidden.plus is None:
        return X
    return add(X, hidden.plus if rho == 1 else mul(rho, hidden.plus))


def blind(statement: Statement, witness: Witness, rng: Rng, out: list[Element]) -> Witness:
    """Append the elements to be published to `out`; return the witness of the lowered statement.

    Raises NotAWitness for a witness of another shape, a wrong key, or a false statement. In a
    branch of an `AnyOf` without a witness, random elements take the place of the blinded ones.
    """
    match statement, witness:
        case Relations(), _:
            return witness
        case NoneAmong(), Keys(secrets):
            return _blinded(statement, secrets, rng, out)
        case All(parts), Each(witnesses) if len(parts) == len(witnesses):
            pairs = zip(parts, witnesses, strict=True)
            return Each(tuple(blind(part, own, rng, out) for part, own in pairs))
        case AnyOf(branches), Branch(index, Keys(secrets)) if (
            statement.over_the_same() and 0 <= index < len(branches)
        ):
            # The true branch's P, random elements for the other branches, and one set of Q.
            same, mine = statement.over_the_same(), list[Element]()
            scalars = _blinded(same[index], secrets, rng, mine)
            count = len(same[index].hidden)
            for number, each in enumerate(same):
                drawn = (base(rng.scalar()) for _ in each.hidden)
                out.extend(mine[:count] if number == index else drawn)
            out.extend(mine[count:])
            return Each((Scalars({"rho": scalars.values["rho"]}), Branch(index, scalars)))
        case AnyOf(branches), Branch(index, own) if 0 <= index < len(branches):
            inner = own
            for number, branch in enumerate(branches):
                if number == index:
                    inner = blind(branch, own, rng, out)
                else:
                    out.extend(base(rng.scalar()) for _ in range(published_count(branch)))
            return Branch(index, inner)
    raise NotAWitness("the witness has another shape than the statement")


def _blinded(
    statement: NoneAmong, secrets: Mapping[Element, int], rng: Rng, out: list[Element]
) -> Scalars:
    rho = rng.scalar()
    values = {"rho": rho}
    by_key = {}
    for number, key in enumerate(statement.keys()):
        u = secrets.get(key, 0)
        if combine((u,), (G,)) != key:
            raise NotAWitness("the secret belongs to another key")
        by_key[key] = values[f"v{number}"] = rho * u % Q
    Ps = [hidden_element(each, by_key[each.key], rho) for each in statement.hidden]
    Qs = [mul(rho, M) for M in statement.elements]
    if not set(Ps).isdisjoint(Qs):
        raise NotAWitness("a hidden element is one of those excluded")
    out.extend((*Ps, *Qs))
    return Scalars(values)
