"""The handshake without sockets: what is proven, and every way in which it must not be."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.signing import SigningKey
from p2p304.net.handshake import Handshake, HandshakeRefused, Peer, Role
from p2p304.wire.canonical import decode, encode

ASHA, BANDU, MALLORY = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2, 3))
CERT = hashlib.sha256(b"the certificate of Bandu").digest()
OTHER_CERT = hashlib.sha256(b"the certificate of Mallory").digest()


def dialer(expect: bytes | None = None, cert: bytes = CERT, nonce: bytes = b"d" * 32) -> Handshake:
    return Handshake(ASHA, "Asha", 4304, Role.DIALER, cert, nonce, expect)


def listener(key: SigningKey = BANDU, cert: bytes = CERT, nonce: bytes = b"l" * 32) -> Handshake:
    return Handshake(key, "Bandu", 5304, Role.LISTENER, cert, nonce)


def run(one: Handshake, other: Handshake) -> tuple[Peer, Peer]:
    to_other, to_one = one.on_hello(other.hello()), other.on_hello(one.hello())
    return one.on_proof(to_one), other.on_proof(to_other)


def hello(**changes: Any) -> bytes:
    fields = decode(listener().hello())
    if not isinstance(fields, dict):
        raise TypeError
    return encode({**fields, **changes})


def refused(check: str) -> Any:
    return pytest.raises(HandshakeRefused, match=f"^{check}: ")


def test_both_learn_who_the_other_is() -> None:
    at_dialer, at_listener = run(dialer(), listener())
    assert at_dialer == Peer(BANDU.public, "Bandu", 5304)
    assert at_listener == Peer(ASHA.public, "Asha", 4304)


def test_the_expected_player_is_taken() -> None:
    assert run(dialer(expect=BANDU.public), listener())[0].key == BANDU.public


def test_what_is_signed_byte_by_byte() -> None:
    one, other = dialer(), listener()
    proof = decode(other.on_hello(one.hello()))
    message = b"p2p304 handshake\0" + encode(
        {"cert": CERT, "dialer": ASHA.public, "dialer_nonce": b"d" * 32, "listener": BANDU.public,
         "listener_nonce": b"l" * 32, "role": "listener"}
    )  # fmt: skip
    assert proof == {"sig": BANDU.sign(message)}


def test_a_hello_fits_its_frame() -> None:
    long = Handshake(ASHA, "\U0001f0a1" * 32, 65535, Role.DIALER, CERT, b"n" * 32)
    assert len(long.hello()) <= 1024


def test_another_player_than_expected_is_refused() -> None:
    with refused("N04"):
        dialer(expect=MALLORY.public).on_hello(listener().hello())


def test_an_impostor_cannot_sign() -> None:
    """Mallory shows Bandu's key and signs with her own."""
    one = dialer(expect=BANDU.public)
    fields = decode(listener(MALLORY).hello())
    if not isinstance(fields, dict):
        raise TypeError
    one.on_hello(encode({**fields, "key": BANDU.public}))
    liar = listener(MALLORY)
    with refused("N05"):
        one.on_proof(liar.on_hello(one.hello()))


def test_a_man_in_the_middle_shows_another_certificate() -> None:
    """Every message is relayed unchanged; the two ends see different certificates."""
    one, other = dialer(cert=OTHER_CERT), listener(cert=CERT)
    to_other, to_one = one.on_hello(other.hello()), other.on_hello(one.hello())
    with refused("N05"):
        one.on_proof(to_one)
    with refused("N05"):
        other.on_proof(to_other)


def test_a_proof_of_another_connection_is_refused() -> None:
    """The same two nodes, the same certificate, other nonces: nothing can be replayed."""
    old_proof = listener().on_hello(dialer(nonce=b"o" * 32).hello())
    fresh = dialer()
    fresh.on_hello(listener().hello())
    with refused("N05"):
        fresh.on_proof(old_proof)


def test_own_messages_sent_back_are_refused() -> None:
    one = dialer()
    with refused("N02"):
        one.on_hello(one.hello())


def test_an_own_proof_sent_back_is_refused() -> None:
    one = dialer()
    own = one.on_hello(listener().hello())
    with refused("N05"):
        one.on_proof(own)


@pytest.mark.parametrize("changes", [{"key": ASHA.public}, {"nonce": b"d" * 32}])
def test_this_very_node_is_refused(changes: dict[str, Any]) -> None:
    with refused("N03"):
        dialer().on_hello(hello(**changes))


@pytest.mark.parametrize("version", [0, 2, True, "1", None, -1, b"1"])
def test_another_version_is_refused(version: Any) -> None:
    with refused("N06"):
        dialer().on_hello(hello(v=version))


@pytest.mark.parametrize(
    "changes",
    [{"key": b"short"}, {"key": bytes(32)}, {"key": "x" * 32}, {"nonce": b"n" * 31},
     {"nonce": None}, {"nick": ""}, {"nick": "x" * 33}, {"nick": "a\x1b[2J"}, {"nick": "a\u202eb"},
     {"nick": " a"}, {"nick": b"a"}, {"port": 65536}, {"port": -1}, {"port": True}, {"port": "1"},
     {"role": "both"}, {"role": 1}, {"role": ["listener"]}, {"more": 1}],
)  # fmt: skip
def test_a_malformed_hello_is_refused(changes: dict[str, Any]) -> None:
    with refused("N01"):
        dialer().on_hello(hello(**changes))


@pytest.mark.parametrize("proof", [{}, {"sig": 1}, {"sig": b"", "x": 1}, {"gis": b"1"}, [], 1])
def test_a_malformed_proof_is_refused(proof: Any) -> None:
    one = dialer()
    one.on_hello(listener().hello())
    with refused("N01"):
        one.on_proof(encode(proof))


def test_order_is_kept() -> None:
    with refused("N01"):
        dialer().on_proof(encode({"sig": bytes(64)}))
    one = dialer()
    one.on_hello(listener().hello())
    with refused("N01"):
        one.on_hello(listener(nonce=b"2" * 32).hello())


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_number(data: bytes) -> None:
    one = dialer()
    with refused("N0[16]"):
        one.on_hello(data)
    one.on_hello(listener().hello())
    with refused("N0[15]"):
        one.on_proof(data)


@given(st.data())
def test_no_byte_of_the_messages_can_change(data: st.DataObject) -> None:
    """Whatever is altered on the way, at most one harmless thing changes: what is not signed."""
    one, other = dialer(), listener()
    genuine = other.hello()
    at = data.draw(st.integers(0, len(genuine) - 1))
    bad = bytearray(genuine)
    bad[at] ^= data.draw(st.integers(1, 255))
    try:
        one.on_hello(bytes(bad))
        peer = one.on_proof(other.on_hello(dialer().hello()))
    except HandshakeRefused:
        return
    assert peer.key == BANDU.public


def test_a_key_is_never_shown() -> None:
    assert "<SigningKey for" in repr(ASHA)
    assert "sig" not in repr(dialer())
