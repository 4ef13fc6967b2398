"""The language of statements: what is true is accepted, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.crypto import group as g
from p2p304.crypto.engines import reference
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    NoneAmong,
    NotAStatement,
    NotAWitness,
    Relation,
    Relations,
    Scalars,
    Statement,
    Witness,
    encode_statement,
    prove,
    relations,
    scalar_count,
    verify,
)
from tests.support.false_proofs import prove_unchecked

RNG = Rng.from_seed(bytes(32))
CONTEXT = b"table, hand and seat"
MS = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(8))
U_KEY = RNG.child(b"u").scalar()
U = g.base(U_KEY)
C = g.mul(pow(U_KEY, -1, g.Q), MS[5])
OWN = Scalars({"u": U_KEY})
KEY = relations((U, [("u", g.G)]))


def is_card(M: g.Element) -> Relations:
    return relations((U, [("u", g.G)]), (M, [("u", C)]))


SUIT = AnyOf(tuple(map(is_card, MS)))


# True statements, at random -----------------------------------------------------------------


@st.composite
def true_relations(draw: st.DrawFn) -> tuple[Statement, Witness]:
    names = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True))
    values = {name: draw(st.integers(0, 3) | st.integers(0, g.Q - 1)) for name in names}
    rows = []
    for _ in range(draw(st.integers(1, 2))):
        terms = draw(
            st.lists(st.tuples(st.sampled_from(names), st.sampled_from(MS)), min_size=1, max_size=3)
        )
        xs, As = [values[name] for name, _ in terms], [A for _, A in terms]
        rows.append(Relation(g.combine(xs, As), tuple(terms)))
    statement = Relations(tuple(rows))
    return statement, Scalars({name: values[name] for name in statement.names()})


def composed(
    inner: st.SearchStrategy[tuple[Statement, Witness]],
) -> st.SearchStrategy[tuple[Statement, Witness]]:
    several = st.lists(inner, min_size=1, max_size=3)

    def every(pairs: list[tuple[Statement, Witness]]) -> tuple[Statement, Witness]:
        statements, witnesses = zip(*pairs, strict=True)
        return All(statements), Each(witnesses)

    @st.composite
    def one(draw: st.DrawFn) -> tuple[Statement, Witness]:
        pairs = draw(several)
        index = draw(st.integers(0, len(pairs) - 1))
        branches = tuple(
            statement if i == index or draw(st.booleans()) else spoilt(statement)
            for i, (statement, _) in enumerate(pairs)
        )
        return AnyOf(branches), Branch(index, pairs[index][1])

    return several.map(every) | one()


def spoilt(statement: Statement) -> Statement:
    """The statement with every image moved: false, unless by the wildest chance."""
    match statement:
        case NoneAmong():
            raise ValueError("it has no image to move")
        case Relations(rows):
            return Relations(tuple(replace(row, image=g.add(row.image, U)) for row in rows))
        case All(parts):
            return All(tuple(map(spoilt, parts)))
        case AnyOf(branches):
            return AnyOf(tuple(map(spoilt, branches)))


@settings(deadline=None, max_examples=40)
@given(st.recursive(true_relations(), composed, max_leaves=5))
def test_true_statements_are_proved(pair: tuple[Statement, Witness]) -> None:
    statement, witness = pair
    proof = prove(statement, witness, CONTEXT, RNG)
    assert len(proof) == 32 * scalar_count(statement)
    assert verify(statement, proof, CONTEXT)
    assert not verify(statement, proof, b"elsewhere")
    assert not verify(spoilt(statement), proof, CONTEXT)
    with pytest.raises(NotAWitness):
        prove(spoilt(statement), witness, CONTEXT, RNG)


def test_both_engines_prove_the_same() -> None:
    proof = prove(SUIT, Branch(5, OWN), CONTEXT, RNG)
    with g.using(reference):
        assert prove(SUIT, Branch(5, OWN), CONTEXT, RNG) == proof
        assert verify(SUIT, proof, CONTEXT)


# False ones ---------------------------------------------------------------------------------


def test_a_false_witness_is_not_even_tried() -> None:
    for witness in (
        Scalars({"u": U_KEY + 1}),
        Scalars({"v": U_KEY}),
        Scalars({}),
        Scalars({"u": U_KEY, "v": 1}),
        Each((OWN,)),
        Branch(0, OWN),
    ):
        with pytest.raises(NotAWitness):
            prove(KEY, witness, CONTEXT, RNG)
    for wrong in (Branch(4, OWN), Branch(8, OWN), Branch(-1, OWN), OWN):
        with pytest.raises(NotAWitness):
            prove(SUIT, wrong, CONTEXT, RNG)


def test_no_branch_holds_and_no_proof_is_found() -> None:
    """The prover's algorithm on a choice with no true branch."""
    absent = AnyOf(tuple(map(is_card, MS[:4])))
    for index in range(4):
        assert not verify(
            absent, prove_unchecked(absent, Branch(index, OWN), CONTEXT, RNG), CONTEXT
        )
    present = AnyOf(tuple(map(is_card, MS[4:])))
    assert verify(present, prove_unchecked(present, Branch(1, OWN), CONTEXT, RNG), CONTEXT)


def test_a_name_means_one_scalar_in_all_rows() -> None:
    """u*G and (u+1)*M have no common u, though each row alone has one."""
    torn = relations((U, [("u", g.G)]), (g.mul(U_KEY + 1, MS[0]), [("u", MS[0])]))
    for value in (U_KEY, U_KEY + 1):
        proof = prove_unchecked(torn, Scalars({"u": value}), CONTEXT, RNG)
        assert not verify(torn, proof, CONTEXT)
    loose = relations((U, [("u", g.G)]), (g.mul(U_KEY + 1, MS[0]), [("v", MS[0])]))
    apart = prove_unchecked(loose, Scalars({"u": U_KEY, "v": U_KEY + 1}), CONTEXT, RNG)
    assert verify(loose, apart, CONTEXT)


def test_all_simulated_branches_are_refused() -> None:
    """With every branch simulated, the challenges add up to the hash only by chance."""
    proof = prove(SUIT, Branch(5, OWN), CONTEXT, RNG)
    scalars = [g.decode_scalar(proof[at : at + 32]) for at in range(0, len(proof), 32)]
    scalars[1], scalars[2] = scalars[1] + 1, scalars[2] - 1
    moved = b"".join(g.encode_scalar(x % g.Q) for x in scalars)
    assert verify(SUIT, proof, CONTEXT)
    assert not verify(SUIT, moved, CONTEXT)


def changed_elements(statement: Statement) -> Iterator[Statement]:
    """The statement with one image or one element moved, in every place."""
    match statement:
        case Relations(rows):
            for i, row in enumerate(rows):
                moved = [replace(row, image=g.add(row.image, MS[7]))]
                for j, (name, A) in enumerate(row.terms):
                    term = (name, g.add(A, MS[7]))
                    moved.append(replace(row, terms=(*row.terms[:j], term, *row.terms[j + 1 :])))
                yield from (Relations((*rows[:i], new, *rows[i + 1 :])) for new in moved)
        case All(members) | AnyOf(members):
            for i, member in enumerate(members):
                for new in changed_elements(member):
                    yield type(statement)((*members[:i], new, *members[i + 1 :]))


def test_a_proof_serves_its_statement_only() -> None:
    nested = All((KEY, AnyOf((is_card(MS[0]), All((KEY, is_card(MS[5])))))))
    witness = Each((OWN, Branch(1, Each((OWN, OWN)))))
    proof = prove(nested, witness, CONTEXT, RNG)
    assert verify(nested, proof, CONTEXT)
    others = [*changed_elements(nested)]
    assert len(others) == 2 + 4 + 2 + 4
    assert not any(verify(other, proof, CONTEXT) for other in others)


def test_the_form_of_a_statement_is_bound() -> None:
    """The same rows in another form need another proof of the same length."""
    rows = (Relations((row,)) for row in is_card(MS[5]).rows)
    first, second = rows
    forms: list[Statement] = [
        All((first, second)),
        All((second, first)),
        All((All((first,)), second)),
        All((All((first, second)),)),
    ]
    proofs = [prove_any_form(form) for form in forms]
    for i, form in enumerate(forms):
        assert [verify(form, proof, CONTEXT) for proof in proofs] == [
            i == j for j in range(len(forms))
        ]


def prove_any_form(form: Statement) -> bytes:
    def witness(statement: Statement) -> Witness:
        return Each(tuple(map(witness, statement.parts))) if isinstance(statement, All) else OWN

    return prove(form, witness(form), CONTEXT, RNG)


def test_every_changed_scalar_is_refused() -> None:
    proof = prove(SUIT, Branch(5, OWN), CONTEXT, RNG)
    for at in range(0, len(proof), 32):
        x = int.from_bytes(proof[at : at + 32], "little")
        for other in ((x + 1) % g.Q, (x ^ 2**100) % g.Q, 0, x + g.Q, 2**256 - 1):
            changed = proof[:at] + other.to_bytes(32, "little") + proof[at + 32 :]
            assert not verify(SUIT, changed, CONTEXT)
    for size in (0, 31, 32, len(proof) - 32, len(proof) - 1):
        assert not verify(SUIT, proof[:size], CONTEXT)
    assert not verify(SUIT, proof + bytes(32), CONTEXT)


# Statements that are none -------------------------------------------------------------------


def test_impossible_statements_are_refused() -> None:
    deep: Statement = KEY
    for _ in range(9):
        deep = All((deep,))
    for statement in (
        Relations(()),
        relations((U, [])),
        relations((U, [("u", g.IDENTITY)])),
        All(()),
        AnyOf(()),
        All((KEY, AnyOf(()))),
        deep,
    ):
        with pytest.raises(NotAStatement):
            prove(statement, OWN, CONTEXT, RNG)
        assert not verify(statement, prove(KEY, OWN, CONTEXT, RNG), CONTEXT)


def test_elements_that_are_none_are_refused() -> None:
    proof = prove(KEY, OWN, CONTEXT, RNG)
    bad = g.Element(b"\x01" + bytes(31))
    assert not verify(relations((bad, [("u", g.G)])), proof, CONTEXT)
    assert not verify(relations((U, [("u", bad)])), proof, CONTEXT)
    assert not verify(relations((g.Element(b""), [("u", g.G)])), proof, CONTEXT)


def test_the_encoding_of_a_statement() -> None:
    """SPEC.md's layout, spelt out once by hand."""
    statement = AnyOf((KEY, All((relations((U, [("b", C), ("a", MS[0]), ("b", g.G)])),))))
    expected = b"\x03\x00\x02" + b"\x01\x00\x01" + U + b"\x00\x01" + b"\x00\x00" + g.G
    expected += b"\x02\x00\x01" + b"\x01\x00\x01" + U + b"\x00\x03"
    expected += b"\x00\x00" + C + b"\x00\x01" + MS[0] + b"\x00\x00" + g.G
    assert encode_statement(statement) == expected


def test_names_themselves_do_not_count() -> None:
    proof = prove(KEY, OWN, CONTEXT, RNG)
    assert verify(relations((U, [("other", g.G)])), proof, CONTEXT)


# Secrets stay where they are ----------------------------------------------------------------


def test_a_nonce_serves_one_statement_only() -> None:
    proofs = [
        prove(KEY, OWN, CONTEXT, RNG),
        prove(KEY, OWN, b"other", RNG),
        prove(relations((U, [("u", g.G)]), (U, [("u", g.G)])), OWN, CONTEXT, RNG),
        prove(KEY, OWN, CONTEXT, RNG.child(b"other")),
    ]
    nonces = {(g.decode_scalar(p[32:]) - g.decode_scalar(p[:32]) * U_KEY) % g.Q for p in proofs}
    assert len(nonces) == len(proofs)
    assert prove(KEY, OWN, CONTEXT, RNG) == proofs[0]


def test_witnesses_do_not_show_themselves() -> None:
    for witness in (OWN, Each((OWN,)), Branch(5, OWN)):
        assert str(U_KEY) not in repr(witness)
        assert "5" not in repr(witness).split(" at ")[0]


def test_proofs_of_different_branches_look_alike() -> None:
    """Both cards of two fit: which branch was used cannot be read from length or challenge."""
    either = AnyOf((KEY, relations((MS[0], [("x", MS[0])]))))
    first = prove(either, Branch(0, OWN), CONTEXT, RNG)
    second = prove(either, Branch(1, Scalars({"x": 1})), CONTEXT, RNG)
    assert len(first) == len(second)
    assert verify(either, first, CONTEXT)
    assert verify(either, second, CONTEXT)
