"""The handshake without sockets: what is proven, and every way in which it must not be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.net.links.handshake import Handshake, HandshakeRefused, Peer, Role
from p2p304.wire.canonical import decode, encode
from p2p304.wire.framing import LIMITS, FrameKind
from tests.support.hostile.impostors import (
    ASHA,
    BANDU,
    CERT,
    MALLORY,
    NONCE,
    OTHER_CERT,
    answer,
    changed,
    dialer,
    greeting,
    listener,
)


def refused(check: str) -> Any:
    return pytest.raises(HandshakeRefused, match=f"^{check}: ")


def hello(**changes: Any) -> bytes:
    """What Asha says to the greeting of Bandu, with other fields."""
    return changed(answer(dialer(), greeting(listener())), **changes)


def answered(**changes: Any) -> bytes:
    """What Bandu says to Asha's hello, with other fields."""
    return changed(answer(listener(), hello()), **changes)


def asked() -> Handshake:
    """Asha, who has heard the greeting and waits for the answer."""
    asha = dialer()
    asha.receive(greeting(listener()))
    return asha


def test_both_learn_who_the_other_is() -> None:
    asha, bandu = dialer(), listener()
    step = bandu.receive(answer(asha, greeting(bandu)))
    assert step.peer == Peer(ASHA.public, "Asha", 4304) and step.answer is not None
    assert asha.receive(step.answer).peer == Peer(BANDU.public, "Bandu", 5304)


def test_anybody_may_answer_where_nobody_is_expected() -> None:
    asha = Handshake(ASHA, "Asha", 4304, Role.DIALER, CERT, NONCE)
    mallory = listener(MALLORY)
    peer = asha.receive(answer(mallory, answer(asha, greeting(mallory)))).peer
    assert peer is not None and peer.key == MALLORY.public


def test_what_is_signed_byte_by_byte() -> None:
    base = {"cert": CERT, "dialer": ASHA.public, "dialer_nonce": NONCE, "listener_nonce": b"l" * 32}
    first, second = decode(hello()), decode(answered())
    assert isinstance(first, dict) and isinstance(second, dict)
    label = b"p2p304 handshake\0"
    assert first["sig"] == ASHA.sign(label + encode({**base, "role": "dialer"}))
    whole = encode({**base, "listener": BANDU.public, "role": "listener"})
    assert second["sig"] == BANDU.sign(label + whole)


def test_a_listener_says_nothing_of_itself_before_the_dialer_has_proven_itself() -> None:
    opening = decode(greeting(listener()))
    assert opening == {"nonce": b"l" * 32, "role": "listener", "v": 1}
    with refused("N05"):
        listener().receive(hello(key=MALLORY.public))


@pytest.mark.parametrize("key", [ASHA, MALLORY])
def test_a_stranger_at_a_closed_table_hears_that_it_is_closed_and_no_more(key: Any) -> None:
    bandu = listener(admits=lambda dialer: dialer == BANDU.public)
    asha = Handshake(key, "Asha", 4304, Role.DIALER, CERT, NONCE)
    step = bandu.receive(answer(asha, greeting(bandu)))
    assert step.peer is None and step.answer is not None and step.refusal is not None
    assert decode(step.answer) == {"role": "listener", "v": 1}
    with refused("N09"):
        asha.receive(step.answer)


def test_a_false_dialer_is_not_asked_about() -> None:
    """Whether somebody is a member is not told to those who cannot prove to be that player."""

    def asks(dialer: bytes) -> bool:
        raise LookupError

    with refused("N05"):
        listener(admits=asks).receive(hello(key=MALLORY.public))


def test_messages_fit_their_frame() -> None:
    long = Handshake(ASHA, "\U0001f0a1" * 32, 65535, Role.DIALER, CERT, b"n" * 32)
    assert len(answer(long, greeting(listener()))) <= LIMITS[FrameKind.HELLO]
    long = Handshake(BANDU, "\U0001f0a1" * 32, 65535, Role.LISTENER, CERT, b"l" * 32)
    assert len(answer(long, hello())) <= LIMITS[FrameKind.HELLO]


def test_a_dialer_behind_another_certificate_is_refused() -> None:
    """A man in the middle passes Asha's hello on: it names the certificate that she saw."""
    asha, bandu = dialer(cert=OTHER_CERT), listener()
    with refused("N05"):
        bandu.receive(answer(asha, greeting(bandu)))


def test_a_hello_of_another_connection_is_refused() -> None:
    other = Handshake(BANDU, "Bandu", 5304, Role.LISTENER, CERT, b"m" * 32)
    with refused("N05"):
        other.receive(hello())


def test_a_nonce_sent_back_is_refused_by_the_listener() -> None:
    with refused("N03"):
        listener().receive(hello(nonce=b"l" * 32))


def test_a_node_that_dials_itself_is_refused_on_both_sides() -> None:
    own, bandu = Handshake(BANDU, "Bandu", 1, Role.DIALER, CERT, NONCE), listener()
    step = bandu.receive(answer(own, greeting(bandu)))
    assert step.peer is None and step.refusal is not None and step.refusal.check == "N03"
    with refused("N03"):
        own.receive(step.answer or b"")


@pytest.mark.parametrize("version", [0, 2, True, "1", None, -1, b"1"])
def test_another_version_is_refused(version: Any) -> None:
    with refused("N06"):
        dialer().receive(changed(greeting(listener()), v=version))
    with refused("N06"):
        listener().receive(hello(v=version))
    with refused("N06"):
        asked().receive(answered(v=version))


BAD: list[dict[str, Any]] = [
    {"key": b"short"},
    {"key": bytes(32)},
    {"key": "x" * 32},
    {"nick": ""},
    {"nick": "x" * 33},
    {"nick": "a\x1b[2J"},
    {"nick": "a\u202eb"},
    {"nick": " a"},
    {"nick": b"a"},
    {"nick": "Asha (East)"},
    {"port": 65536},
    {"port": -1},
    {"port": True},
    {"port": "1"},
    {"role": "both"},
    {"role": 1},
    {"role": ["listener"]},
    {"more": 1},
    {"sig": 1},
]


@pytest.mark.parametrize("changes", [*BAD, {"nonce": b"n" * 31}, {"nonce": None}])
def test_a_malformed_hello_is_refused(changes: dict[str, Any]) -> None:
    with refused("N01"):
        listener().receive(hello(**changes))


@pytest.mark.parametrize("changes", [*BAD, {"nonce": b"n" * 32}])
def test_a_malformed_answer_is_refused(changes: dict[str, Any]) -> None:
    with refused("N01"):
        asked().receive(answered(**changes))


@pytest.mark.parametrize("changes", [{"nonce": b"n" * 31}, {"nonce": None}, {"key": BANDU.public}])
def test_a_malformed_greeting_is_refused(changes: dict[str, Any]) -> None:
    with refused("N01"):
        dialer().receive(changed(greeting(listener()), **changes))


def test_order_is_kept() -> None:
    with refused("N01"):
        dialer().receive(answered())
    with refused("N01"):
        asked().receive(greeting(listener()))
    asha, bandu = asked(), listener()
    bandu.receive(hello())
    with refused("N01"):
        bandu.receive(hello())
    asha.receive(answered())
    with refused("N01"):
        asha.receive(answered())


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_with_a_number(data: bytes) -> None:
    for shake in (dialer(), asked(), listener()):
        with refused("N0[16]"):
            shake.receive(data)


@given(st.data())
def test_no_byte_of_the_messages_can_change(data: st.DataObject) -> None:
    """Whatever is altered on the way, the identities stay those that were proven. Nickname and
    port are not signed: they travel in the stream that is bound by then."""
    for genuine, taker, key in ((hello(), listener(), ASHA), (answered(), asked(), BANDU)):
        at = data.draw(st.integers(0, len(genuine) - 1))
        bad = bytearray(genuine)
        bad[at] ^= data.draw(st.integers(1, 255))
        try:
            peer = taker.receive(bytes(bad)).peer
        except HandshakeRefused:
            continue
        assert peer is not None and peer.key == key.public


def test_a_key_is_never_shown() -> None:
    assert "<SigningKey for" in repr(ASHA)
    assert "sig" not in repr(dialer())
