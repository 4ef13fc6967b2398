"""The vectors of the run of a passphrase, with every value on the way (SPEC.md, "Passphrase").

No value here is anybody's secret: the scalars are small or drawn from a seed that stands beside
them.
"""

from __future__ import annotations

import hashlib
import unicodedata
from typing import Any

from p2p304.crypto.rng import Rng
from p2p304.table.gathering.exchange.passphrase import MOST, Exchange
from scripts.vectors.crypto.proof_vector import SEED, Vector

LOTUS = "\u0db1\u0dd9\u0dc5\u0dd4\u0db8\u0dca"
"""The flower in Sinhala."""
PEOPLE = (bytes([1]) * 32, bytes([2]) * 32)
"""Identity keys of the founder and the visitor; that they are no points does not matter here."""


def passphrase_vectors() -> list[Vector]:
    """Whole runs between a founder and a visitor."""
    rng = Rng.from_seed(SEED).child(b"passphrase")
    x, y = (rng.child(name).scalar() for name in (b"x", b"y"))
    return [
        _run("the example of SPEC.md", "red lotus", "red lotus", 2, 3),
        _run("drawn scalars", "red lotus", "red lotus", x, y),
        _run("width, case and spaces", "  Red\u3000\uff2cotus ", "red lotus", x, y),
        _run("a sharp s, small and capital", "STRASSE \u1e9e", "stra\u00dfe ss", x, y),
        _run("a sigma at the end of a word", "\u039d\u039f\u03a3", "\u03bd\u03bf\u03c2", x, y),
        _run("an i without a dot is another letter", "kap\u0131", "kapi", x, y),
        _run("a capital i with a dot", "\u0130zmir", "i\u0307zmir", x, y),
        _run("Cherokee folds to capitals", "\uab83\uab83 \u13f8", "\u13b3\u13b3 \u13f0", x, y),
        _run("a next line, and separators", "red\x85\x1clotus\x1d\x1e\x1f", "red lotus", x, y),
        _run("a mark of byte order is no space", "red\ufefflotus", "red lotus", x, y),
        _run("no letters of ASCII", LOTUS, LOTUS, x, y),
        _run("an empty passphrase", "", "", x, y),
        _run("cut after 128 characters", "a" * 200, "a" * 128, x, y),
        _run("another passphrase", "red lotus", "red lotos", x, y),
    ]  # fmt: skip


def _run(name: str, founders: str, visitors: str, x: int, y: int) -> Vector:
    founder, visitor = PEOPLE
    sides = [
        Exchange(text, founder, visitor, is_founder, _entropy(scalar))
        for text, is_founder, scalar in ((founders, True, x), (visitors, False, y))
    ]
    sides[0].finish(sides[1].message)
    sides[1].finish(sides[0].message)
    return {
        "name": name,
        "expect": "ok" if sides[0]._key == sides[1]._key else "refused",
        "founder": {"key": founder.hex(), **_side(sides[0], founders, x)},
        "visitor": {"key": visitor.hex(), **_side(sides[1], visitors, y)},
    }


def _side(side: Exchange, text: str, scalar: int) -> Vector:
    """What one side types, draws, computes and sends."""
    pw = " ".join(unicodedata.normalize("NFKC", text[:MOST]).casefold().split()).encode()
    spake = side._spake
    element = spake.params.group.bytes_to_element(spake.inbound_message)
    K = element.add(spake.my_unblinding().scalarmult(-spake.pw_scalar)).scalarmult(spake.xy_scalar)
    identities = [b"founder " + PEOPLE[0], b"visitor " + PEOPLE[1]]
    hashed = (hashlib.sha256(part).digest() for part in (pw, *identities))
    transcript = b"".join((*hashed, spake.X_msg(), spake.Y_msg(), K.to_bytes()))
    if hashlib.sha256(transcript).digest() != side._key:
        raise ValueError("the key is not the hash of this transcript")
    return {
        "passphrase": text,
        "pw": pw.hex(),
        "w": spake.pw_scalar.to_bytes(32, "little").hex(),
        "scalar": scalar.to_bytes(32, "little").hex(),
        "exchange": side.message.hex(),
        "K": K.to_bytes().hex(),
        "transcript": transcript.hex(),
        "shared_key": side._key.hex(),
        "proof": side.proof.hex(),
    }


def _entropy(scalar: int) -> Any:
    """Bytes that the package reduces to this scalar."""
    return lambda count: scalar.to_bytes(count, "big")
