"""Equal logarithms: RFC 9497's proofs byte for byte, forgeries, strictness."""

from __future__ import annotations

from typing import Any

import pytest

from p2p304.crypto import dleq
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
    """A single pair is the RFC's, byte for byte; a batch is too, but for what its weights know."""
    published = vectors("rfc9497")
    context = bytes.fromhex(published["context"])
    k = g.decode_scalar(bytes.fromhex(published["skSm"]))
    public = g.decode_element(bytes.fromhex(published["pkSm"]))
    assert g.base(k) == public
    assert {len(unhex(v["BlindedElement"])) for v in published["vectors"]} == {1, 2}
    for vector in published["vectors"]:
        Cs, Ds = unhex(vector["BlindedElement"]), unhex(vector["EvaluationElement"])
        nonce = g.decode_scalar(bytes.fromhex(vector["ProofRandomScalar"]))
        proof = _prove_with(nonce, k, g.G, public, Cs, Ds, context)
        assert (proof.hex() == vector["Proof"]) == (len(Cs) == 1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(dleq, "_whole_batch", lambda Cs, Ds: b"")
            assert _prove_with(nonce, k, g.G, public, Cs, Ds, context).hex() == vector["Proof"]
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


def test_every_weight_depends_on_every_pair() -> None:
    """Weights that know their own pair alone let a prover choose the pairs one by one so that
    the errors cancel (a k-sum problem)."""
    honest = _weights(A, B, CS, DS, CONTEXT)
    for at in range(len(CS)):
        for Cs, Ds in ((changed(CS, at), DS), (CS, changed(DS, at)), (CS, shifted(DS))):
            weights = _weights(A, B, Cs, Ds, CONTEXT)
            assert not set(weights) & set(honest)


def changed(elements: list[g.Element], at: int) -> list[g.Element]:
    return [*elements[:at], g.add(elements[at], g.G), *elements[at + 1 :]]


def shifted(elements: list[g.Element]) -> list[g.Element]:
    return [*elements[1:], elements[0]]


def test_errors_that_cancel_under_known_weights_are_refused() -> None:
    """Weights that were fixed before the D_i: of the honest batch, of each pair by itself, of the
    first half. Two errors are enough where they stay the same."""
    halves = [*_weights(A, B, CS[:2], DS[:2], CONTEXT), *_weights(A, B, CS[2:], DS[2:], CONTEXT)]
    alone = [w for C, D in zip(CS, DS, strict=True) for w in _weights(A, B, [C], [D], CONTEXT)]
    for d in (_weights(A, B, CS, DS, CONTEXT), halves, alone):
        errors = (d[1], -d[0], d[3], -d[2])
        false = [g.add(D, g.base(e)) for D, e in zip(DS, errors, strict=True)]
        assert g.combine(d, false) == g.combine(d, DS)
        proof = prove_dleq(K, A, B, CS, false, CONTEXT, RNG)
        assert not verify_dleq(A, B, CS, false, proof, CONTEXT)


class SmallGroup:
    """The integers modulo a small prime under addition, as an engine: discrete logarithms are
    known, and so is what a k-sum attack costs in a group of 2^252, scaled down."""

    NAME = "small"

    def multiply(self, x: int, element: bytes) -> bytes:
        return self._encoded(x * int.from_bytes(element, "little"))

    def multiply_base(self, x: int) -> bytes:
        return self.multiply(x, g.G)

    def add(self, left: bytes, right: bytes) -> bytes:
        return self._encoded(int.from_bytes(left, "little") + int.from_bytes(right, "little"))

    def subtract(self, left: bytes, right: bytes) -> bytes:
        return self._encoded(int.from_bytes(left, "little") - int.from_bytes(right, "little"))

    def from_uniform(self, uniform: bytes) -> bytes:
        return self._encoded(int.from_bytes(uniform, "little"))

    def is_element(self, encoded: bytes) -> bool:
        return len(encoded) == 32

    def _encoded(self, number: int) -> bytes:
        return (number % g.Q).to_bytes(32, "little")


SMALL_PRIME = 1_048_583


def test_false_pairs_found_one_by_one_pass_weights_of_one_pair_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a group of 2^20 elements 2^11 hashes find two false pairs whose errors cancel, if each
    weight knows its own pair only; with weights of the whole batch the same pairs are refused."""
    monkeypatch.setattr(g, "Q", SMALL_PRIME)
    monkeypatch.setattr(dleq, "Q", SMALL_PRIME)
    with g.using(SmallGroup()), monkeypatch.context() as old:
        k = 123_457
        B, Cs = g.base(k), [g.base(77), g.base(1_009)]
        old.setattr(dleq, "_whole_batch", lambda Cs, Ds: b"")
        found = cancelling_pairs(k, B, Cs)
        proof = prove_dleq(k, g.G, B, Cs, found, CONTEXT, RNG)
        assert all(g.mul(k, C) != D for C, D in zip(Cs, found, strict=True))
        assert verify_dleq(g.G, B, Cs, found, proof, CONTEXT)
        old.undo()
        proof = prove_dleq(k, g.G, B, Cs, found, CONTEXT, RNG)
        assert not verify_dleq(g.G, B, Cs, found, proof, CONTEXT)


def cancelling_pairs(k: int, B: g.Element, Cs: list[g.Element]) -> list[g.Element]:
    """Both D_i false, and d_1*error_1 + d_2*error_2 = 0: a birthday search over two lists."""
    true = [g.mul(k, C) for C in Cs]
    kept: dict[int, g.Element] = {}
    for error in range(1, 4096):
        D = g.add(true[0], g.base(error))
        first = _weights(g.G, B, Cs, [D, true[1]], CONTEXT)[0]
        kept[first * error % g.Q] = D
        D = g.add(true[1], g.base(error))
        second = _weights(g.G, B, Cs, [true[0], D], CONTEXT)[1]
        match = kept.get(-second * error % g.Q)
        if match is not None:
            return [match, D]
    raise AssertionError("the search found nothing")


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
