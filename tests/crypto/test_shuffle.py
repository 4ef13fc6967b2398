"""The shuffle argument: honest shuffles, and everything that is none."""

from __future__ import annotations

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement, proof_bytes, prove_shuffle, verify_shuffle


def test_an_honest_shuffle_is_accepted_in_its_context_only() -> None:
    rng = Rng.from_seed(bytes(32))
    x, pi = rng.scalar(), rng.permutation(8)
    X = tuple(g.hash_to_element(b"test", bytes([i])) for i in range(8))
    statement = ShuffleStatement(g.G, g.base(x), X, tuple(g.mul(x, X[j]) for j in pi))
    proof = prove_shuffle(statement, x, pi, b"here", rng)
    assert len(proof) == proof_bytes(8)
    assert verify_shuffle(statement, proof, b"here")
    assert not verify_shuffle(statement, proof, b"there")
