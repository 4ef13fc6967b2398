"""Ed25519: RFC 8032's vectors, and the keys that prove nothing."""

from __future__ import annotations

from typing import Any

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey, is_public_key, may_be_public_key, verify
from tests.support.edwards import ORDER, TORSION, P, base_times, hashed, secret_of, shifted


def test_rfc8032(vectors: Any) -> None:
    for vector in vectors("rfc8032")["vectors"]:
        key = SigningKey.from_seed(bytes.fromhex(vector["secret"]))
        message = bytes.fromhex(vector["message"])
        assert key.public.hex() == vector["public"]
        assert key.sign(message).hex() == vector["signature"]
        assert verify(key.public, message, key.sign(message))


def test_a_signature_on_which_verifiers_disagree_gets_its_verdict(vectors: Any) -> None:
    found = vectors("signatures")["vectors"]
    assert {vector["expect"] for vector in found} == {"ok", "refused"}
    for vector in found:
        key, message, signature = (
            bytes.fromhex(vector[field]) for field in ("key", "message", "signature")
        )
        assert verify(key, message, signature) == (vector["expect"] == "ok"), vector["name"]


def test_any_change_is_refused() -> None:
    key = SigningKey.generate(Rng.from_seed(bytes(32)))
    signature = key.sign(b"message")
    assert verify(key.public, b"message", signature)
    assert not verify(key.public, b"massage", signature)
    assert not verify(SigningKey.from_seed(bytes(32)).public, b"message", signature)
    for at in range(64):
        changed = signature[:at] + bytes([signature[at] ^ 1]) + signature[at + 1 :]
        assert not verify(key.public, b"message", changed)
    for size in (0, 63, 65):
        assert not verify(key.public, b"message", (signature + b"\x00")[:size])


def test_a_signature_has_one_form() -> None:
    key = SigningKey.from_seed(bytes(32))
    signature = key.sign(b"m")
    s = int.from_bytes(signature[32:], "little") + ORDER
    assert not verify(key.public, b"m", signature[:32] + s.to_bytes(32, "little"))


@pytest.mark.parametrize("sign", [0, 1 << 255])
def test_keys_of_small_order_are_no_keys(sign: int) -> None:
    y8 = int("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", 16)
    y8 = int.from_bytes(y8.to_bytes(32, "big"), "little")
    for y in (0, 1, P - 1, y8, P - y8, P, P + 1):
        public = (y | sign).to_bytes(32, "little")
        assert not is_public_key(public)
        # The identity point with s = 0: an unguarded verifier takes this for any message.
        assert not verify(public, b"anything", b"\x01" + bytes(63))


def test_keys_of_mixed_order_are_no_keys() -> None:
    seed = b"\x07" * 32
    public = SigningKey.from_seed(seed).public
    assert shifted(public, 0) == shifted(public, TORSION) == public
    assert is_public_key(public)
    for by in range(1, TORSION):
        mixed = shifted(public, by)
        assert mixed != public and not is_public_key(mixed)
        for n in range(16):  # one in eight of these fits the equation without the cofactor
            message = bytes([n])
            R = base_times(n + 1)
            s = (n + 1 + hashed(R, mixed, message) * secret_of(seed)) % ORDER
            assert not verify(mixed, message, R + s.to_bytes(32, "little"))


def test_a_signature_whose_first_half_has_mixed_order_is_refused() -> None:
    """A verifier with the cofactor takes these for a key without fault; the equation of SPEC.md,
    "Signatures", takes none."""
    seed = b"\x08" * 32
    public = SigningKey.from_seed(seed).public
    for by in range(TORSION):
        R = shifted(base_times(5), by)
        s = (5 + hashed(R, public, b"m") * secret_of(seed)) % ORDER
        assert verify(public, b"m", R + s.to_bytes(32, "little")) == (by == 0)


def test_bytes_that_are_no_point_are_no_key() -> None:
    refused = [n for n in range(2, 40) if not is_public_key(n.to_bytes(32, "little"))]
    assert refused and not is_public_key((2**255 - 19 + 3).to_bytes(32, "little"))


def test_a_key_has_32_bytes_and_does_not_show_itself() -> None:
    key = SigningKey.from_seed(b"\x07" * 32)
    assert key.public.hex() in repr(key)
    assert "0707" not in repr(key)
    for size in (0, 31, 33):
        assert not is_public_key(bytes(size))
        with pytest.raises(ValueError, match="32"):
            SigningKey.from_seed(bytes(size))


def test_what_can_be_told_of_a_key_without_arithmetic() -> None:
    y8 = int("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", 16)
    y8 = int.from_bytes(y8.to_bytes(32, "big"), "little")
    for sign in (0, 1 << 255):
        for y in (0, 1, y8, P - y8, P - 1, P, P + 1, 2**255 - 1):
            assert not may_be_public_key((y | sign).to_bytes(32, "little"))
        for y in (2, y8 - 1, y8 + 1, P - 2):
            assert may_be_public_key((y | sign).to_bytes(32, "little"))
    public = SigningKey.from_seed(b"\x07" * 32).public
    for false in (b"", public[:31], public + b"\x00"):
        assert not may_be_public_key(false)
    assert may_be_public_key(public)
