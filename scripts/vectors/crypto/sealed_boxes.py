"""The vectors of sealed boxes, with every value on the way (SPEC.md, "Sealed boxes").

No value here is anybody's secret: the scalars are small or drawn from a seed that stands beside
them.
"""

from __future__ import annotations

from p2p304.crypto import group as g
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import disclose, seal
from scripts.vectors.crypto.proof_vector import SEED, Vector

ABOUT = bytes(range(64))
CONTEXT = b"p2p304 vectors, a box that is opened to all"


def sealed_vectors() -> list[Vector]:
    """Boxes with the scalar that their receiver, or whoever is shown Z, finds in them."""
    rng = Rng.from_seed(SEED).child(b"sealed")
    e, r, other = (rng.child(name).scalar() for name in (b"e", b"r", b"other"))
    made = [
        _box("the example of SPEC.md", 2, 3, 5, ABOUT),
        _box("nothing", e, r, 0, ABOUT),
        _box("the largest scalar", e, r, g.Q - 1, ABOUT),
        _box("about nothing", e, r, 7, b""),
        _box("about other bytes", e, r, 7, ABOUT[::-1]),
        _box("another receiver under the same ephemeral key", other, r, 7, ABOUT),
        _box("another ephemeral key", e, other, 7, ABOUT),
    ]
    good = _box("", e, r, 7, ABOUT)
    box, proof = bytes.fromhex(good["box"]), bytes.fromhex(good["proof"])
    high = (int.from_bytes(box, "little") + g.Q).to_bytes(32, "little")
    wrong_Z = g.mul(other, g.base(r)).hex()
    bent = bytes([box[0] ^ 1]) + box[1:]
    other_x = (7 + g.decode_scalar(bent) - g.decode_scalar(box)) % g.Q
    return [
        *made,
        {
            **good,
            "name": "one bit of the box",
            "comment": "it holds another scalar: the point beside a box says which one is right",
            "box": bent.hex(),
            "scalar": g.encode_scalar(other_x).hex(),
        },
        _refused(good, "the box at or above q", "its scalar in a second encoding", box=high.hex()),
        _refused(good, "a box too short", "31 bytes", box=box[:31].hex()),
        _refused(good, "a box too long", "33 bytes", box=(box + b"\0").hex()),
        _refused(good, "another Z", "the proof is for the receiver's own", Z=wrong_Z),
        _refused(
            good, "a bent proof", "the last byte", proof=(proof[:-1] + bytes([proof[-1] ^ 1])).hex()
        ),
        _refused(good, "another context", "a proof copied to another place", context=b"x".hex()),
        _refused(good, "another receiver", "the key is not the one that Z was made with",
                 receiver=g.base(other).hex()),
    ]  # fmt: skip


def _box(name: str, e: int, r: int, x: int, about: bytes) -> Vector:
    E, R = g.base(e), g.base(r)
    box = seal(x, r, E, about)
    Z, proof = disclose(e, R, CONTEXT, Rng.from_seed(SEED).child(b"disclose", box))
    mask = (x - g.decode_scalar(box)) % g.Q
    return {
        "name": name,
        "comment": "opened by its receiver with e, and by everybody with Z",
        "expect": "ok",
        "e": g.encode_scalar(e).hex(),
        "receiver": E.hex(),
        "r": g.encode_scalar(r).hex(),
        "R": R.hex(),
        "about": about.hex(),
        "Z": Z.hex(),
        "mask": g.encode_scalar(mask).hex(),
        "scalar": g.encode_scalar(x).hex(),
        "point": g.base(x).hex() if x else bytes(32).hex(),
        "box": box.hex(),
        "context": CONTEXT.hex(),
        "proof": proof.hex(),
    }


def _refused(good: Vector, name: str, comment: str, **fields: str) -> Vector:
    """A vector of which a part is false: no box, or a Z that is not shown to be the right one."""
    rest = {key: value for key, value in good.items() if key not in ("e", "r", "mask", "scalar")}
    return {**rest, "name": name, "comment": comment, "expect": "refused", **fields}
