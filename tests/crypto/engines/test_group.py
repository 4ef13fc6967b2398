"""ristretto255: the RFC's vectors on both engines, the engines against each other, strictness."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.crypto import group as g
from p2p304.crypto.engines import reference, sodium
from p2p304.crypto.engines.errors import NoEngine
from p2p304.crypto.engines.sodium import SodiumEngine
from tests.support.paths import ROOT

SCALARS = st.one_of(st.integers(0, 3), st.integers(g.Q - 3, g.Q - 1), st.integers(0, g.Q - 1))
UNIFORM = st.binary(min_size=64, max_size=64)
EVERY_OPERATION: list[Callable[[g.Element], object]] = [
    lambda A: g.mul(2, A),
    lambda A: g.mul(0, A),
    lambda A: g.add(A, g.G),
    lambda A: g.add(g.G, A),
    lambda A: g.sub(A, g.G),
    lambda A: g.sub(g.G, A),
    lambda A: g.combine((1,), (A,)),
]
ALL_ENGINES = pytest.mark.usefixtures("engine")


def bad_elements() -> list[bytes]:
    sizes = [b"", bytes(31), bytes(33)]
    negative, large = b"\x01" + bytes(31), (2**255 - 18).to_bytes(32, "little")
    # libsodium 1.0.18 takes these for the same elements as without the top bit.
    second = [each[:31] + bytes([each[31] | 0x80]) for each in (g.G, g.base(2), g.IDENTITY)]
    return [*sizes, negative, large, b"\xff" * 32, *second]


# Published vectors --------------------------------------------------------------------------


@ALL_ENGINES
def test_rfc9496_multiples_of_the_generator(vectors: Any) -> None:
    encodings = [bytes.fromhex(each) for each in vectors("rfc9496")["multiples"]]
    walked = g.IDENTITY
    for i, encoding in enumerate(encodings):
        assert g.decode_element_or_identity(encoding) == walked == g.combine((i,), (g.G,))
        # Not the path for the generator: 1/2 times the double.
        assert g.combine((i * pow(2, -1, g.Q),), (g.add(g.G, g.G),)) == walked
        walked = g.add(walked, g.G)


@ALL_ENGINES
def test_rfc9496_invalid_encodings(vectors: Any) -> None:
    for vector in vectors("rfc9496")["invalid"]:
        bad = bytes.fromhex(vector["encoding"])
        with pytest.raises(g.NotAnElement):
            g.decode_element(bad)
        for operation in EVERY_OPERATION:
            with pytest.raises(g.NotAnElement):
                operation(g.Element(bad))


def test_rfc9496_elements_from_uniform_bytes(engine: g.Engine, vectors: Any) -> None:
    for vector in vectors("rfc9496")["uniform"]:
        assert engine.from_uniform(bytes.fromhex(vector["bytes"])).hex() == vector["element"]


def test_rfc9380_expand_message(vectors: Any) -> None:
    published = vectors("rfc9380")
    for vector in published["vectors"]:
        message = vector["message"].encode()
        uniform = g.expand_message(published["dst"].encode(), message, vector["length"])
        assert uniform.hex() == vector["uniform"]


@ALL_ENGINES
def test_rfc9497_hash_to_group(vectors: Any) -> None:
    published = vectors("rfc9497")
    tag = b"HashToGroup-" + bytes.fromhex(published["context"])
    for vector in published["vectors"]:
        hashed = [g.hash_to_element(tag, bytes.fromhex(each)) for each in vector["Input"]]
        blinds = [g.decode_scalar(bytes.fromhex(each)) for each in vector["Blind"]]
        blinded = [g.mul(x, A).hex() for x, A in zip(blinds, hashed, strict=True)]
        assert blinded == vector["BlindedElement"]


# One engine against the other ---------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(x=SCALARS, y=SCALARS, uniform=UNIFORM)
def test_the_engines_agree(fast: g.Engine, x: int, y: int, uniform: bytes) -> None:
    A = reference.from_uniform(uniform)
    assert fast.from_uniform(uniform) == A
    B = reference.multiply_base(y)
    assert fast.multiply_base(y) == B
    assert fast.multiply(x, A) == reference.multiply(x, A)
    assert fast.multiply(x, B) == reference.multiply(x, B)
    assert fast.add(A, B) == reference.add(A, B)
    assert fast.subtract(A, B) == reference.subtract(A, B)


@settings(deadline=None, max_examples=100)
@given(st.binary(min_size=31, max_size=33))
def test_the_engines_decode_the_same_bytes(fast: g.Engine, encoded: bytes) -> None:
    low = bytes([encoded[0] & 0xFE]) + encoded[1:-1] + bytes([encoded[-1] & 0x7F])
    for each in (encoded, low):
        assert fast.is_element(each) == reference.is_element(each)


@ALL_ENGINES
@settings(deadline=None, max_examples=15)
@given(x=SCALARS, y=SCALARS)
def test_the_group_is_a_group(x: int, y: int) -> None:
    A = g.hash_to_element(b"test", b"A")
    left = g.add(g.combine((x,), (A,)), g.combine((y,), (A,)))
    assert left == g.combine((x + y,), (A,)) == g.combine((x, y), (A, A))
    assert g.sub(left, g.combine((y,), (A,))) == g.combine((x,), (A,))
    assert g.combine((x,), (g.combine((y,), (A,)),)) == g.combine((x * y,), (A,))


# Strictness ---------------------------------------------------------------------------------


@ALL_ENGINES
def test_a_multiplication_that_gives_the_identity_is_refused() -> None:
    A = g.hash_to_element(b"test", b"A")
    for x, B in ((0, A), (g.Q, A), (0, g.G), (2 * g.Q, g.G), (5, g.IDENTITY)):
        with pytest.raises(g.IdentityResult):
            g.mul(x, B)
        assert g.combine((x,), (B,)) == g.IDENTITY
    with pytest.raises(g.IdentityResult):
        g.base(0)
    assert g.sub(A, A) == g.IDENTITY == g.combine((1, -1), (A, A)) == g.combine((), ())


@ALL_ENGINES
def test_scalars_are_taken_modulo_the_order() -> None:
    A = g.hash_to_element(b"test", b"A")
    assert g.mul(g.Q + 3, A) == g.mul(3, A)
    assert g.mul(-1, A) == g.sub(g.IDENTITY, A)
    assert g.base(2**256 + 5) == g.base((2**256 + 5) % g.Q)


@ALL_ENGINES
def test_decoding_is_strict() -> None:
    for bad in bad_elements():
        with pytest.raises(g.NotAnElement):
            g.decode_element_or_identity(bad)
        for operation in EVERY_OPERATION:
            with pytest.raises(g.NotAnElement):
                operation(g.Element(bad))
    with pytest.raises(g.NotAnElement):
        g.decode_element(g.IDENTITY)
    assert g.decode_element_or_identity(bytes(32)) == g.IDENTITY


def test_scalars_have_one_encoding() -> None:
    for x in (0, 1, g.Q - 1):
        assert g.decode_scalar(g.encode_scalar(x)) == x
    for x in (-1, g.Q, 2**255):
        with pytest.raises(g.NotAScalar):
            g.encode_scalar(x)
    for bad in (g.Q.to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)):
        with pytest.raises(g.NotAScalar):
            g.decode_scalar(bad)


def test_a_hash_needs_a_tag() -> None:
    for tag in (b"", bytes(256)):
        with pytest.raises(ValueError, match="tag"):
            g.hash_to_scalar(tag, b"")
    assert g.hash_to_scalar(b"a", b"bc") != g.hash_to_scalar(b"ab", b"c")


def test_generators_are_unrelated_to_their_number() -> None:
    H = g.generators(b"shuffle", 64)
    assert len({*H, g.G, g.IDENTITY}) == 66
    assert g.generators(b"shuffle", 8) == H[:8]
    assert not set(H) & set(g.generators(b"other", 64))
    tag = b"p2p304-v1-generator"
    assert H[2] == g.hash_to_element(tag, b"\x07shuffle\x00\x03")


# Around the engines -------------------------------------------------------------------------


def test_operations_are_counted_inside_the_block_only() -> None:
    before = g._engine
    with g.counting() as counts:
        g.combine((2, 3, 4), (g.G, g.base(2), g.base(3)))
        g.sub(g.G, g.G)
        g.decode_element(g.hash_to_element(b"test", b""))
        inside = g.engine_name()
    assert counts == g.Counts(multiply=2, multiply_base=3, add=3, from_uniform=1, is_element=1)
    assert g._engine is before
    assert g.engine_name() == inside


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, **variables, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )


def test_the_environment_chooses_the_engine() -> None:
    code = "from p2p304.crypto import group; print(group.engine_name(), group.base(2).hex())"
    fast = run_python(code, P2P304_ENGINE="rbcl").stdout.split()
    plain = run_python(code, P2P304_ENGINE="reference").stdout.split()
    system = run_python(code, P2P304_ENGINE="system").stdout.split() or ["system", fast[-1]]
    assert (fast[0], plain[0], system[0]) == ("rbcl", "reference", "system")
    assert fast[-1] == plain[-1] == system[-1]
    refused = run_python(code, P2P304_ENGINE="fastest")
    assert refused.returncode != 0
    assert "P2P304_ENGINE" in refused.stderr


HIDE_RBCL = "import sys; sys.modules['rbcl'] = None; from p2p304.crypto import group; "
SAY = "print(group.engine_name(), group.is_slow())"


def test_without_rbcl_the_system_serves_and_then_plain_python(fast: g.Engine) -> None:
    """As a user without the wheel has it, and one without any libsodium."""
    if fast.NAME.startswith("system"):
        assert run_python(HIDE_RBCL + SAY, P2P304_ENGINE="").stdout.startswith("system")
    none = "from p2p304.crypto.engines import sodium as s; s.SYSTEM = {}; s.OTHER_SYSTEM = ()\n"
    code = none + HIDE_RBCL + SAY
    assert run_python(code, P2P304_ENGINE="").stdout == "reference (plain Python) True\n"
    refused = run_python(HIDE_RBCL + SAY, P2P304_ENGINE="rbcl")
    assert "rbcl, but that cannot be loaded (rbcl is not installed)" in refused.stderr


def test_another_library_is_no_engine() -> None:
    """It has no such functions: as a libsodium that is too old, or built without the group."""
    with pytest.raises(ImportError, match="no ristretto255"):
        SodiumEngine(ctypes.CDLL(None), "system")


def test_another_rbcl_keeps_nobody_from_the_next_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Path(tmp_path, "_sodium").with_suffix(".py")
    other.write_text("lib = None\n")
    spec = spec_from_file_location("rbcl._sodium", other)
    monkeypatch.setattr(sodium, "_unpacking_module", lambda: spec)
    with pytest.raises(ImportError, match="another than is known"):
        sodium.rbcl_engine()
    assert not g._choose_engine(None).NAME.startswith("rbcl")


@pytest.mark.skipif(os.name != "posix", reason="a loaded library cannot be unlinked here")
def test_a_folder_that_runs_no_programs_keeps_no_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does it keep the game from its next engine."""

    class NoLibrary:
        @staticmethod
        def LoadLibrary(name: str) -> None:
            assert Path(name).parent == tmp_path and Path(name).stat().st_size > 100_000
            raise OSError(f"{name}: failed to map segment from shared object")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(ctypes, "cdll", NoLibrary)
    with pytest.raises(OSError, match="failed to map"):
        sodium.rbcl_engine()
    assert list(tmp_path.iterdir()) == []
    assert not g._choose_engine(None).NAME.startswith("rbcl")
    with pytest.raises(NoEngine, match="failed to map"):
        g._choose_engine("rbcl")


@pytest.mark.skipif(os.name != "posix", reason="a loaded library cannot be unlinked here")
def test_nothing_is_left_in_the_temporary_folder(tmp_path: Path) -> None:
    (tmp_path / "other.so").touch()
    code = "from p2p304.crypto import group; group.base(2)"
    assert run_python(code, TMPDIR=str(tmp_path), P2P304_ENGINE="rbcl").returncode == 0
    assert [path.name for path in tmp_path.iterdir()] == ["other.so"]
