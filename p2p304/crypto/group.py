"""The group ristretto255: elements, scalars, and hashing into both.

An element is its canonical 32 bytes (RFC 9496). A scalar is an integer modulo the order Q, encoded
as 32 bytes little-endian. Inside this package capitals are elements and lower-case names scalars,
as in the papers. Responsible for strict decoding and for the rule that the identity is never a
result by accident (SPEC.md, "Group and encodings"). The arithmetic is that of an
engine: engines/sodium.py (libsodium) or engines/reference.py (plain Python).

The environment variable P2P304_ENGINE (`rbcl`, `system` or `reference`) selects the engine. Without
it the first that can be loaded is used: libsodium of the package rbcl or of the system, or else
plain Python.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import lru_cache
from types import SimpleNamespace
from typing import Any, Final, NewType, Protocol, cast

from p2p304.crypto.engines import reference
from p2p304.crypto.engines.errors import (
    GroupError,
    IdentityResult,
    NoEngine,
    NotAnElement,
    NotAScalar,
)

__all__ = [
    "IDENTITY",
    "Counts",
    "Element",
    "G",
    "GroupError",
    "HashedElement",
    "IdentityResult",
    "NotAScalar",
    "NotAnElement",
    "Q",
    "add",
    "base",
    "combine",
    "counting",
    "decode_element",
    "decode_element_or_identity",
    "decode_scalar",
    "encode_scalar",
    "engine_name",
    "expand_message",
    "hash_to_element",
    "hash_to_scalar",
    "is_slow",
    "mul",
    "sub",
]

Element = NewType("Element", bytes)
HashedElement = NewType("HashedElement", Element)
"""A result of `hash_to_element`. Nobody knows a linear relation among such elements. Sums and
multiples are plain elements, so that a type checker tells the two apart."""

Q: Final = reference.Q
IDENTITY: Final = Element(bytes(32))
G: Final = Element(
    bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
)


ENGINES: Final = ("rbcl", "system", "reference")
"""The first of them that can be loaded does the arithmetic."""


class Engine(Protocol):
    """The functions of an engine. Scalars are reduced already; a result may be the identity."""

    @property
    def NAME(self) -> str: ...
    def multiply(self, x: int, element: bytes) -> bytes: ...
    def multiply_base(self, x: int) -> bytes: ...
    def add(self, left: bytes, right: bytes) -> bytes: ...
    def subtract(self, left: bytes, right: bytes) -> bytes: ...
    def from_uniform(self, uniform: bytes) -> bytes: ...
    def is_element(self, encoded: bytes) -> bool: ...


def _choose_engine(requested: str | None) -> Engine:
    if requested not in (None, "", *ENGINES):
        raise NoEngine(f"P2P304_ENGINE must be rbcl, system or reference, not {requested!a}.")
    for name in [requested] if requested else ENGINES:
        if name == "reference":
            break
        from p2p304.crypto.engines import sodium

        load = sodium.rbcl_engine if name == "rbcl" else sodium.system_engine
        try:
            return load()
        except (ImportError, OSError) as error:
            if requested:
                raise NoEngine(
                    f"P2P304_ENGINE is {name}, but that cannot be loaded ({error}). Install it, "
                    "or unset P2P304_ENGINE."
                ) from error
    return reference


_engine: Engine = _choose_engine(os.environ.get("P2P304_ENGINE"))


def engine_name() -> str:
    """Return the engine's name and version, for people to read."""
    return _engine.NAME


SLOW: Final = (
    "Plain Python does the arithmetic, some forty times slower than libsodium: deals and audits "
    "take long. Install libsodium: apt install libsodium23 (Debian, Ubuntu), brew install "
    "libsodium (macOS) or pkg install libsodium (Termux)."
)
"""What a person is told where it is so."""


def is_slow() -> bool:
    """Return whether plain Python does the arithmetic, some forty times slower than libsodium."""
    return _engine is reference


def mul(x: int, A: Element) -> Element:
    """Return x*A; raises IdentityResult if that is the identity, NotAnElement if A is none."""
    product = _engine.multiply_base(x % Q) if A == G else _engine.multiply(x % Q, A)
    if product == IDENTITY:
        raise IdentityResult("a multiplication gave the identity")
    return Element(product)


def base(x: int) -> Element:
    """Return x*G, about three times as fast as another multiplication; raises IdentityResult for
    0."""
    return mul(x, G)


def add(A: Element, B: Element) -> Element:
    """Return A + B, which may be the identity."""
    return Element(_engine.add(A, B))


def sub(A: Element, B: Element) -> Element:
    """Return A - B, which may be the identity."""
    return Element(_engine.subtract(A, B))


def combine(xs: Sequence[int], As: Sequence[Element]) -> Element:
    """Return the sum of x_i*A_i. The identity may be the result or among the elements."""
    total: bytes = IDENTITY
    multiply, multiply_base, plus = _engine.multiply, _engine.multiply_base, _engine.add
    for x, A in zip(xs, As, strict=True):
        product = multiply_base(x % Q) if A == G else multiply(x % Q, A)
        total = product if total == IDENTITY else plus(total, product)
    return Element(total)


def expand_message(dst: bytes, message: bytes, length: int = 64) -> bytes:
    """Return uniform bytes: expand_message_xmd with SHA-512 (RFC 9380, section 5.3.1).

    `dst` has 1 to 255 bytes, `length` is up to 16,320; raises ValueError otherwise.
    """
    if not 0 < len(dst) < 256 or not 0 < length <= 255 * 64:
        raise ValueError("a domain separation tag has 1 to 255 bytes")
    dst_prime = dst + bytes([len(dst)])
    head = bytes(128) + message + length.to_bytes(2, "big") + b"\x00" + dst_prime
    b_0 = hashlib.sha512(head).digest()
    uniform = block = hashlib.sha512(b_0 + b"\x01" + dst_prime).digest()
    for i in range(2, -(-length // 64) + 1):
        mixed = bytes(x ^ y for x, y in zip(b_0, block, strict=True))
        block = hashlib.sha512(mixed + bytes([i]) + dst_prime).digest()
        uniform += block
    return uniform[:length]


def hash_to_element(dst: bytes, message: bytes) -> HashedElement:
    """Hash to an element (HashToGroup of RFC 9497, section 4.1). Nobody knows a relation between it
    and other elements."""
    A = HashedElement(Element(_engine.from_uniform(expand_message(dst, message))))
    if A == IDENTITY:
        raise IdentityResult("a hash gave the identity")
    return A


def hash_to_scalar(dst: bytes, message: bytes) -> int:
    """Hash to a scalar (HashToScalar of RFC 9497, section 4.1): 64 bytes little-endian modulo Q."""
    return int.from_bytes(expand_message(dst, message), "little") % Q


def decode_element_or_identity(encoded: bytes) -> Element:
    """Decode 32 canonical bytes to an element; raises NotAnElement for everything else."""
    if not _engine.is_element(encoded):
        raise NotAnElement("not the canonical encoding of an element")
    return Element(bytes(encoded))


def decode_element(encoded: bytes) -> Element:
    """Decode 32 canonical bytes to an element that is not the identity; raises NotAnElement
    otherwise."""
    if encoded == IDENTITY:
        raise NotAnElement("the identity is no key, card or commitment")
    return decode_element_or_identity(encoded)


def encode_scalar(x: int) -> bytes:
    """Encode 0 <= x < Q as 32 bytes little-endian; raises NotAScalar otherwise."""
    if not 0 <= x < Q:
        raise NotAScalar("a scalar is below the group's order")
    return x.to_bytes(32, "little")


def decode_scalar(encoded: bytes) -> int:
    """Decode 32 bytes little-endian to a scalar below Q; raises NotAScalar otherwise."""
    if len(encoded) != 32:
        raise NotAScalar("a scalar is 32 bytes")
    x = int.from_bytes(encoded, "little")
    if x >= Q:
        raise NotAScalar("a scalar is below the group's order")
    return x


@lru_cache(maxsize=8)
def generators(label: bytes, count: int) -> tuple[Element, ...]:
    """Return H_1 ... H_count, commitment generators that no player can influence.

    H_i is the hash to an element with tag "p2p304-v1-generator" of the label's length in one byte,
    the label, and i in two bytes big-endian.
    """
    prefix = bytes([len(label)]) + label
    return tuple(
        hash_to_element(b"p2p304-v1-generator", prefix + i.to_bytes(2, "big"))
        for i in range(1, count + 1)
    )


@dataclass(slots=True)
class Counts:
    """How often each operation ran, for benchmarks."""

    multiply: int = 0
    multiply_base: int = 0
    add: int = 0
    from_uniform: int = 0
    is_element: int = 0


@contextmanager
def using(engine: Engine) -> Iterator[None]:
    """Use another engine inside the block, in the whole process; for tests and benchmarks."""
    global _engine
    before, _engine = _engine, engine
    try:
        yield
    finally:
        _engine = before


@contextmanager
def counting() -> Iterator[Counts]:
    """Count the operations inside the block; costs nothing outside it."""
    names = [*(one.name for one in fields(Counts)), "subtract", "NAME"]
    counts, engine = Counts(), SimpleNamespace(**{name: getattr(_engine, name) for name in names})

    def count(name: str, counter: str) -> None:
        function = getattr(engine, name)

        def counted(*args: Any) -> Any:
            setattr(counts, counter, getattr(counts, counter) + 1)
            return function(*args)

        setattr(engine, name, counted)

    for one in fields(Counts):
        count(one.name, one.name)
    count("subtract", "add")
    with using(cast(Engine, engine)):
        yield counts
