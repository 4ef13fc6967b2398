"""The vectors of randomness: streams, children, scalars and permutations."""

from __future__ import annotations

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from scripts.vectors.crypto.proof_vector import SEED, Vector


def rng_vectors() -> list[Vector]:
    """Streams, children, scalars and permutations of one seed."""
    found: list[Vector] = []
    for labels in ((), (b"hand", b"3"), (b"hand3",), (b"", b""), (b"",)):
        rng = Rng.from_seed(SEED)
        rng = rng.child(*labels) if labels else rng
        twin = Rng.from_seed(SEED).child(*labels) if labels else Rng.from_seed(SEED)
        third = Rng.from_seed(SEED).child(*labels) if labels else Rng.from_seed(SEED)
        shared = {"seed": SEED.hex(), "labels": [label.hex() for label in labels]}
        found += [
            {**shared, "draw": "bytes", "count": 80, "result": rng.bytes(80).hex()},
            {**shared, "draw": "scalar", "result": g.encode_scalar(twin.scalar()).hex()},
            {**shared, "draw": "permutation", "count": 32, "result": list(third.permutation(32))},
        ]
    return found
