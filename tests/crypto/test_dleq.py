"""Equal logarithms: RFC 9497's proofs byte for byte, forgeries, strictness."""

from __future__ import annotations

from typing import Any

import pytest

from p2p304.crypto import group as g
from p2p304.crypto.dleq import _challenge, _prove_with, _weights, prove_dleq, verify_dleq
from p2p304.crypto.rng import Rng

RNG = Rng.from_seed(bytes(32))
CONTEXT = b"table, hand and seat"
K = RNG.scalar()
A, B = g.G, g.base(K)
CS: list[g.Element] = [g.hash_to_element(b"test", bytes([i])) for i in range(4)]
DS = [g.mul(K, C) for C in CS]


def unhex(values: list[str]) -> list[g.Element]:
    return [g.decode_element(bytes.fromhex(value)) for value in values]


@pytest.mark.usefixtures("engine")
def test_rfc9497_proofs(vectors: Any) -> None:
    published = vectors("rfc9497")
    context = bytes.fromhex(published["context"])
    k = g.decode_scalar(bytes.fromhex(published["skSm"]))
    public = g.decode_element(bytes.fromhex(published["pkSm"]))
    assert g.base(k) == public
    for vector in published["vectors"]:
        Cs, Ds = unhex(vector["BlindedElement"]), unhex(vector["EvaluationElement"])
        nonce = g.decode_scalar(bytes.fromhex(vector["ProofRandomScalar"]))
        proof = _prove_with(nonce, k, g.G, public, Cs, Ds, context)
        assert proof.hex() == vector["Proof"]
        assert verify_dleq(g.G, public, Cs, Ds, proof, context)
        assert not verify_dleq(g.G, public, Cs, Ds, proof, context + b"!")


@pytest.mark.parametrize("base", [g.G, g.hash_to_element(b"test", b"base")])
def test_another_base_serves_as_well_and_is_bound(base: g.Element) -> None:
    image = g.mul(K, base)
    proof = prove_dleq(K, base, image, CS, DS, CONTEXT, RNG)
    assert verify_dleq(base, image, CS, DS, proof, CONTEXT)
    # (2A, 2B) has the same logarithm; a challenge that forgot A would accept it.
    assert not verify_dleq(g.mul(2, base), g.mul(2, image), CS, DS, proof, CONTEXT)


def test_a_base_cannot_be_chosen_after_the_challenge() -> None:
    """The forgery against a challenge that does not take in A: solve T_2 = s*A + c*B for A."""
    nonce, t = RNG.child(b"r").scalar(), RNG.child(b"t").scalar()
    weights = _weights(A, B, CS, DS, CONTEXT)
    M = g.combine(weights, CS)
    Z, T_2 = g.mul(K, M), g.base(t)
    c = _challenge(A, B, M, Z, T_2, g.mul(nonce, M), CONTEXT)
    s = (nonce - c * K) % g.Q
    chosen = g.mul(pow(s, -1, g.Q), g.sub(T_2, g.mul(c, B)))
    assert g.mul(K, chosen) != B
    assert g.combine((s, c), (chosen, B)) == T_2
    proof = g.encode_scalar(c) + g.encode_scalar(s)
    assert not verify_dleq(chosen, B, CS, DS, proof, CONTEXT)


def test_every_changed_byte_is_refused() -> None:
    proof = prove_dleq(K, A, B, CS, DS, CONTEXT, RNG)
    for at in range(len(proof)):
        changed = proof[:at] + bytes([proof[at] ^ 1 << at % 8]) + proof[at + 1 :]
        assert not verify_dleq(A, B, CS, DS, changed, CONTEXT)
    for size in (0, 32, 63, 65, 96):
        assert not verify_dleq(A, B, CS, DS, (proof + bytes(32))[:size], CONTEXT)


def test_scalars_above_the_order_are_refused() -> None:
    proof = prove_dleq(K, A, B, CS, DS, CONTEXT, RNG)
    c, s = (int.from_bytes(half, "little") for half in (proof[:32], proof[32:]))
    for c_, s_ in ((c + g.Q, s), (c, s + g.Q)):
        assert not verify_dleq(
            A, B, CS, DS, c_.to_bytes(32, "little") + s_.to_bytes(32, "little"), CONTEXT
        )


def test_every_changed_element_is_refused() -> None:
    proof = prove_dleq(K, A, B, CS, DS, CONTEXT, RNG)
    assert verify_dleq(A, B, CS, DS, proof, CONTEXT)
    for at in range(len(CS)):
        other = [*CS]
        other[at] = g.add(other[at], g.G)
        assert not verify_dleq(A, B, other, DS, proof, CONTEXT)
        other = [*DS]
        other[at] = g.add(other[at], g.G)
        assert not verify_dleq(A, B, CS, other, proof, CONTEXT)
    assert not verify_dleq(g.base(2), B, CS, DS, proof, CONTEXT)
    assert not verify_dleq(A, g.base(K + 1), CS, DS, proof, CONTEXT)
    assert not verify_dleq(A, B, CS[::-1], DS[::-1], proof, CONTEXT)
    assert not verify_dleq(A, B, CS[:3], DS[:3], proof, CONTEXT)
    assert not verify_dleq(A, B, CS, DS, proof, b"another hand")


def test_a_batch_is_not_true_on_average() -> None:
    """Two wrong members whose errors cancel out, and one wrong member."""
    error = g.base(5)
    cancelling = [g.add(DS[0], error), g.sub(DS[1], error), *DS[2:]]
    for false in (cancelling, [DS[1], DS[0], *DS[2:]], [*DS[:3], g.base(9)]):
        proof = prove_dleq(K, A, B, CS, false, CONTEXT, RNG)
        assert not verify_dleq(A, B, CS, false, proof, CONTEXT)


def test_impossible_statements_are_refused() -> None:
    proof = prove_dleq(K, A, B, CS, DS, CONTEXT, RNG)
    zero = g.IDENTITY
    for statement in (
        (A, B, [], [], CONTEXT),
        (A, B, CS, DS[:3], CONTEXT),
        (A, zero, CS, DS, CONTEXT),
        (zero, B, CS, DS, CONTEXT),
        (A, B, [zero, *CS[1:]], DS, CONTEXT),
        (A, B, CS, [zero, *DS[1:]], CONTEXT),
        (A, B, CS, DS, bytes(129)),
    ):
        with pytest.raises(ValueError, match=r"batch|identity|context"):
            prove_dleq(K, *statement, RNG)
        base, image, Cs, Ds, context = statement
        assert not verify_dleq(base, image, Cs, Ds, proof, context)


def test_elements_that_are_none_are_refused() -> None:
    proof = prove_dleq(K, A, B, CS, DS, CONTEXT, RNG)
    bad = g.Element(b"\x01" + bytes(31))
    assert not verify_dleq(A, B, [bad, *CS[1:]], DS, proof, CONTEXT)
    assert not verify_dleq(bad, B, CS, DS, proof, CONTEXT)


def test_a_nonce_serves_one_statement_only() -> None:
    """Equal nonces would show in s - s' = (c' - c)*k."""
    proofs = [
        prove_dleq(K, A, B, CS, DS, CONTEXT, RNG),
        prove_dleq(K, A, B, CS, DS, b"other", RNG),
        prove_dleq(K, A, B, CS[1:], DS[1:], CONTEXT, RNG),
        prove_dleq(K, A, B, CS, DS, CONTEXT, RNG.child(b"other")),
    ]
    nonces = {(g.decode_scalar(p[32:]) + g.decode_scalar(p[:32]) * K) % g.Q for p in proofs}
    assert len(nonces) == len(proofs)
    assert prove_dleq(K, A, B, CS, DS, CONTEXT, RNG) == proofs[0]
