"""Ed25519: RFC 8032's vectors, and the keys that prove nothing."""

from __future__ import annotations

from typing import Any

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey, is_public_key, verify

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493


def test_rfc8032(vectors: Any) -> None:
    for vector in vectors("rfc8032")["vectors"]:
        key = SigningKey.from_seed(bytes.fromhex(vector["secret"]))
        message = bytes.fromhex(vector["message"])
        assert key.public.hex() == vector["public"]
        assert key.sign(message).hex() == vector["signature"]
        assert verify(key.public, message, key.sign(message))


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


def test_a_key_has_32_bytes_and_does_not_show_itself() -> None:
    key = SigningKey.from_seed(b"\x07" * 32)
    assert key.public.hex() in repr(key)
    assert "0707" not in repr(key)
    for size in (0, 31, 33):
        assert not is_public_key(bytes(size))
        with pytest.raises(ValueError, match="32"):
            SigningKey.from_seed(bytes(size))
