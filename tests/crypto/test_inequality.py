"""Hidden elements that are none of some: alone, under several keys, encrypted, and in choices."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.crypto import group as g
from p2p304.crypto import inequality
from p2p304.crypto.engines import reference
from p2p304.crypto.rng import Rng
from p2p304.crypto.sigma import scalars_within
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    Hidden,
    Keys,
    NoneAmong,
    NotAStatement,
    NotAWitness,
    Scalars,
    Statement,
    encode_statement,
    proof_bytes,
    prove,
    prove_by_keys,
    relations,
    verify,
)
from tests.support.reference.naive_inequality import locked, prove_naively, verify_naively

RNG = Rng.from_seed(bytes(32))
CONTEXT = b"table, hand and seat"
PACK = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(12))
SUITS = (PACK[:4], PACK[4:8], PACK[8:])
U1, U2, X = (RNG.child(label).scalar() for label in (b"one", b"two", b"x"))
KEYS = {g.base(u): u for u in (U1, U2, X)}


def card(number: int, u: int = U1) -> Hidden:
    return locked(u, PACK[number], g.base(u))


def encrypted(number: int) -> Hidden:
    """A card to the key X: E1 = k*G, E2 = M + k*X; it is E2 - x*E1."""
    k = RNG.child(b"k", bytes([number])).scalar()
    E1, E2 = g.base(k), g.add(PACK[number], g.mul(k, g.base(X)))
    return Hidden(g.base(X), g.sub(g.IDENTITY, E1), E2)


def holds(statement: Statement, context: bytes = CONTEXT) -> bool:
    """Whether it can be proved, with the length that its public form says."""
    proof = prove_by_keys(statement, KEYS, CONTEXT, RNG)
    assert len(proof) == proof_bytes(statement)
    return verify(statement, proof, context)


@pytest.mark.usefixtures("engine")
def test_seven_cards_of_which_none_is_of_the_suit() -> None:
    statement = NoneAmong(tuple(map(card, range(4, 11))), SUITS[0])
    assert holds(statement)
    assert not holds(statement, b"elsewhere")
    assert proof_bytes(statement) == 32 * (7 + 4) + 32 * 3


@pytest.mark.parametrize("which", range(4))
def test_one_card_of_the_suit_and_there_is_no_proof(which: int) -> None:
    honest = NoneAmong((card(5), card(6)), SUITS[0])
    false = NoneAmong((card(5), card(which)), SUITS[0])
    with pytest.raises(NotAWitness):
        prove_by_keys(false, KEYS, CONTEXT, RNG)
    assert not verify(false, prove_by_keys(honest, KEYS, CONTEXT, RNG), CONTEXT)


def test_two_keys_and_ciphertexts_in_one_statement() -> None:
    mixed = (card(4), card(5, U2), encrypted(6), encrypted(9))
    assert holds(NoneAmong(mixed, SUITS[0]))
    for bad in (card(0), card(1, U2), encrypted(2)):
        with pytest.raises(NotAWitness):
            prove_by_keys(NoneAmong((*mixed, bad), SUITS[0]), KEYS, CONTEXT, RNG)
    assert (
        inequality.hidden_element(encrypted(9), X)
        == PACK[9]
        == inequality.hidden_element(card(9), U1)
    )


@settings(deadline=None, max_examples=25)
@given(st.lists(st.integers(0, 11), min_size=1, max_size=4, unique=True), st.integers(0, 2))
def test_the_naive_twin_says_the_same(numbers: list[int], suit: int) -> None:
    """True and false statements at random: a 1-of-n choice for each card judges alike."""
    statement = NoneAmong(tuple(map(card, numbers)), SUITS[suit])
    true = all(number // 4 != suit for number in numbers)
    try:
        naive = prove_naively(statement, PACK, U1, CONTEXT, RNG)
        assert verify_naively(statement, PACK, naive, CONTEXT) and true
    except NotAWitness:
        assert not true
    try:
        assert holds(statement) and true
    except NotAWitness:
        assert not true


def same_suit(first: Hidden, second: Hidden) -> All:
    """Its negation, rather: for every suit, one of the two is not of it."""
    return All(tuple(AnyOf((NoneAmong((first,), s), NoneAmong((second,), s))) for s in SUITS))


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 11), st.integers(0, 11))
def test_two_hidden_cards_of_different_suits(one: int, other: int) -> None:
    statement = same_suit(card(one), card(other, U2))
    if one // 4 == other // 4:
        with pytest.raises(NotAWitness):
            prove_by_keys(statement, KEYS, CONTEXT, RNG)
    else:
        assert holds(statement)


def test_the_reference_engine_proves_byte_for_byte_the_same() -> None:
    statement = same_suit(card(1), encrypted(8))
    proof = prove_by_keys(statement, KEYS, CONTEXT, RNG)
    with g.using(reference):
        assert prove_by_keys(statement, KEYS, CONTEXT, RNG) == proof
        assert verify(statement, proof, CONTEXT)


def test_the_branch_that_holds_does_not_show() -> None:
    """Both ways to prove a choice have one length, and its elements do not repeat."""
    statement = AnyOf((NoneAmong((card(5),), SUITS[0]), NoneAmong((card(6),), SUITS[0])))
    proofs = [
        prove(statement, Branch(at, Keys(KEYS)), CONTEXT, RNG.child(bytes([at]))) for at in (0, 1)
    ]
    assert len(proofs[0]) == len(proofs[1]) == proof_bytes(statement)
    assert all(verify(statement, proof, CONTEXT) for proof in proofs)
    elements = [p[at : at + 32] for p in proofs for at in range(0, 32 * 6, 32)]
    assert len(set(elements)) == len(elements)


# A prover who cheats -----------------------------------------------------------------------


def forged(statement: NoneAmong, published: list[g.Element], values: dict[str, int]) -> bytes:
    """The relations proved for other published elements than honest ones, nothing checked."""
    from p2p304.crypto import statements
    from p2p304.crypto.sigma import Prover

    plain = inequality._as_relations(
        statement, published[: len(statement.hidden)], published[len(statement.hidden) :]
    )
    prover, commitments = Prover(RNG.child(b"forger")), list[g.Element]()
    opening = prover.commit(plain, Scalars(values), commitments)
    transcript = statements._begin(statement, CONTEXT)
    c = statements._challenge(transcript, published, commitments)
    scalars = map(g.encode_scalar, (c, *prover.respond(opening, c)))
    return b"".join((*published, *scalars))


def test_a_choice_over_the_same_elements_publishes_them_once() -> None:
    one, two = NoneAmong((card(5), encrypted(6)), SUITS[0]), NoneAmong((card(0),), SUITS[0])
    statement, apart = AnyOf((one, two)), AnyOf((one, NoneAmong((card(0),), SUITS[0][::-1])))
    assert inequality.published_count(statement) == 3 + 4
    assert inequality.published_count(apart) == 3 + 8
    assert holds(statement) and holds(apart) and holds(AnyOf((two, one)))
    assert holds(AnyOf((one, one))) and holds(AnyOf((one,)))
    with pytest.raises(NotAWitness):
        prove_by_keys(AnyOf((two, two)), KEYS, CONTEXT, RNG)
    for wrong in (Branch(1, Keys(KEYS)), Branch(2, Keys(KEYS)), Branch(0, Each(()))):
        with pytest.raises(NotAWitness):
            prove(statement, wrong, CONTEXT, RNG)


def forged_choice(rho: int, own: int, P: g.Element) -> bytes:
    """The choice between card 0 and card 0 (both of the suit) proved with ``rho`` for the suit and
    ``own`` for the card; the second branch is simulated as always."""
    from p2p304.crypto import statements
    from p2p304.crypto.sigma import Prover

    statement = AnyOf((FALSE, FALSE))
    published = [P, g.base(RNG.scalar()), *(g.mul(rho, M) for M in SUITS[0])]
    witness = Branch(0, Scalars({"rho": own, "v0": own * U1 % g.Q}))
    plain = inequality.lower(statement, iter(published))
    prover, commitments = Prover(RNG.child(b"forger")), list[g.Element]()
    opening = prover.commit(plain, Each((Scalars({"rho": rho}), witness)), commitments)
    transcript = statements._begin(statement, CONTEXT)
    c = statements._challenge(transcript, published, commitments)
    scalars = map(g.encode_scalar, (c, *prover.respond(opening, c)))
    return b"".join((*published, *scalars))


def test_a_branch_cannot_have_another_rho_than_the_choice() -> None:
    """With a rho of its own the card would not show among the blinded elements."""
    rho, own = RNG.child(b"rho").scalar(), RNG.child(b"own").scalar()
    proof = forged_choice(rho, own, g.mul(own, PACK[0]))
    assert not verify(AnyOf((FALSE, FALSE)), proof, CONTEXT)
    other = forged_choice(rho, rho, g.mul(rho, g.G))
    assert not verify(AnyOf((FALSE, FALSE)), other, CONTEXT)


FALSE = NoneAmong((card(0),), SUITS[0])


def test_forgeries_fail_each_at_its_own_lock() -> None:
    rho = RNG.child(b"rho").scalar()
    Qs = [g.mul(rho, M) for M in SUITS[0]]
    P = g.mul(rho, PACK[0])
    honest = {"rho": rho, "v0": rho * U1 % g.Q}
    # All relations hold, but the published elements show that the card is among them.
    assert not verify(FALSE, forged(FALSE, [P, *Qs], honest), CONTEXT)
    # With rho = 0 everything is the identity, and all relations hold.
    nothing = forged(FALSE, [g.IDENTITY] * 5, {"rho": 0, "v0": 0})
    assert not verify(FALSE, nothing, CONTEXT)
    # Another element in the place of the one that is equal: its relation does not hold.
    assert not verify(FALSE, forged(FALSE, [g.mul(2, P), *Qs], honest), CONTEXT)
    # Another rho for the card than for the suit: the key's relation does not hold.
    twice = {"rho": rho, "v0": 2 * rho * U1 % g.Q}
    assert not verify(FALSE, forged(FALSE, [g.mul(2, P), *Qs], twice), CONTEXT)
    true = NoneAmong((card(5),), SUITS[0])
    P = g.mul(rho, PACK[5])
    assert verify(true, forged(true, [P, *Qs], honest), CONTEXT)


def test_every_change_of_a_proof_is_refused() -> None:
    statement = All((NoneAmong((card(5), encrypted(6)), SUITS[0]), same_suit(card(4), card(9))))
    proof = prove_by_keys(statement, KEYS, CONTEXT, RNG)
    assert verify(statement, proof, CONTEXT)
    for at in range(0, len(proof), 32):
        part = proof[at : at + 32]
        for other in (bytes([part[0] ^ 2]) + part[1:], g.mul(3, g.G), bytes(32)):
            assert not verify(statement, proof[:at] + other + proof[at + 32 :], CONTEXT)
    for size in (0, 32, len(proof) - 32, len(proof) - 1):
        assert not verify(statement, proof[:size], CONTEXT)
    swapped = proof[32:64] + proof[:32] + proof[64:]
    assert not verify(statement, swapped, CONTEXT)


def test_a_proof_serves_its_statement_only() -> None:
    one, other = card(5), card(6)
    statement = NoneAmong((one, other), SUITS[0])
    proof = prove_by_keys(statement, KEYS, CONTEXT, RNG)
    for changed in (
        NoneAmong((other, one), SUITS[0]),
        NoneAmong((one, card(7)), SUITS[0]),
        NoneAmong((one, Hidden(g.base(U2), other.times)), SUITS[0]),
        NoneAmong((one, Hidden(other.key, other.times, PACK[0])), SUITS[0]),
        NoneAmong((one, other), SUITS[0][::-1]),
        NoneAmong((one, other), (*SUITS[0][:3], PACK[9])),
        NoneAmong((one,), (PACK[11], *SUITS[0])),
    ):
        assert not verify(changed, proof, CONTEXT)


def test_wrong_keys_and_shapes_are_no_witness() -> None:
    statement = NoneAmong((card(5),), SUITS[0])
    for witness in (Keys({}), Keys({g.base(U1): U1 + 1}), Scalars({"u": U1}), Each(())):
        with pytest.raises(NotAWitness):
            prove(statement, witness, CONTEXT, RNG)
    with pytest.raises(NotAWitness):
        prove_by_keys(relations((g.base(U1), [("u", g.G)])), KEYS, CONTEXT, RNG)


def test_the_encoding_and_what_is_no_statement() -> None:
    hidden = (card(5), encrypted(6))
    statement = NoneAmong(hidden, SUITS[0])
    expected = b"\x04\x00\x02" + hidden[0].key + hidden[0].times + bytes(32)
    expected += hidden[1].key + hidden[1].times + (hidden[1].plus or b"")
    assert encode_statement(statement) == expected + b"\x00\x04" + b"".join(SUITS[0])
    assert scalars_within(statement) == 3
    for bad in (
        NoneAmong((), SUITS[0]),
        NoneAmong(hidden, ()),
        NoneAmong(hidden, (g.HashedElement(g.IDENTITY),)),
        NoneAmong((Hidden(g.IDENTITY, PACK[0]),), SUITS[0]),
        NoneAmong((Hidden(g.base(U1), g.IDENTITY),), SUITS[0]),
        NoneAmong((Hidden(g.base(U1), PACK[0], g.IDENTITY),), SUITS[0]),
        NoneAmong((hidden[0], hidden[0]), SUITS[0]),
        NoneAmong(hidden, (*SUITS[0], SUITS[0][0])),
    ):
        with pytest.raises(NotAStatement):
            prove_by_keys(bad, KEYS, CONTEXT, RNG)
        assert not verify(bad, prove_by_keys(statement, KEYS, CONTEXT, RNG), CONTEXT)


def test_blinding_does_not_repeat_between_contexts() -> None:
    statement = NoneAmong((card(5),), SUITS[0])
    first = prove_by_keys(statement, KEYS, CONTEXT, RNG)
    assert prove_by_keys(statement, KEYS, b"other", RNG)[:32] != first[:32]
    assert prove_by_keys(statement, KEYS, CONTEXT, RNG) == first
