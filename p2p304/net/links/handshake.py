"""The application handshake: proves which player is at the other end of a TLS connection.

Responsible for its messages and what they prove (SPEC.md, "Handshake"). It knows neither sockets
nor TLS; those are link.py's and tls.py's. The listener greets with a nonce and reveals nothing
about itself. The dialer sends its identity with a proof. Only a listener that admits this dialer
answers with its own identity and proof. A proof is an Ed25519 signature over the label ``p2p304
handshake`` and a canonical map with ``cert``, the SHA-256 of the listener's certificate as each
side sees it, and both nonces. A man in the middle who terminates TLS shows another certificate, so
no signature is valid at both ends. A replay fails because the nonce differs, a reflection because
the role differs.

Refusals: N01 malformed or out of order, N02 reflection, N03 this very node, N04 another player than
expected, N05 the proof does not hold, N06 another version, N07 too slow, N09 the listener admits no
stranger.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from p2p304.crypto.signing import SigningKey, is_public_key, verify
from p2p304.rules.core.phrases import english
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import (
    Form,
    Malformed,
    checked,
    exactly,
    forms_of,
    mapping,
    number,
    octets,
    of,
    one_of,
)
from p2p304.wire.names import NAME_VALUE

VERSION = 1
NONCE = 32
_LABEL = b"p2p304 handshake\x00"


class Role(Enum):
    DIALER = "dialer"
    LISTENER = "listener"


_CLOSED = encode({"role": Role.LISTENER.value, "v": VERSION})
"""The answer of a listener that does not admit the dialer."""


class HandshakeRefused(Exception):
    """The other end is not the expected player; ``check`` is a number of SPEC.md, "Checks"."""

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(f"{check}: {sentence}")
        self.check, self.sentence = check, sentence


def malformed(why: str) -> HandshakeRefused:
    """Return refusal N01: the message is no handshake message, or comes out of order."""
    return HandshakeRefused("N01", why)


def too_slow() -> HandshakeRefused:
    """Return refusal N07: the handshake was not finished in time."""
    return HandshakeRefused("N07", english("it was too slow"))


@dataclass(frozen=True, slots=True)
class Peer:
    """A proven identity: key (32 bytes), nickname, and the port on which the peer listens."""

    key: bytes = of(checked(octets(), is_public_key, "no key"))
    nick: str = of(NAME_VALUE)
    port: int = of(number(0, 65535))


_NONCE: dict[str, Form[Any]] = {"nonce": octets(NONCE, NONCE)}
_INTRODUCTION: dict[str, Form[Any]] = {**forms_of(Peer), "sig": octets()}


@dataclass(frozen=True, slots=True)
class Step:
    """The result of a message: an answer to send, or None; the peer, once it is proven; and a
    refusal that must be sent to the other side before the connection ends."""

    answer: bytes | None = None
    peer: Peer | None = None
    refusal: HandshakeRefused | None = None


class Handshake:
    """One side of a handshake: send `opening` if there is one, then `receive` each message."""

    def __init__(
        self,
        key: SigningKey,
        nick: str,
        port: int,
        role: Role,
        cert: bytes,
        nonce: bytes,
        expect: bytes | None = None,
        admits: Callable[[bytes], bool] = lambda dialer: True,
    ) -> None:
        """``cert``: SHA-256 of the listener's certificate. ``expect``: the key that must answer a
        dialer, or None for any key. ``admits``: whether a listener reveals its identity to the
        dialer with this proven key."""
        self._key, self._nick, self._port, self._role = key, nick, port, role
        self._cert, self._nonce, self._expect, self._admits = cert, nonce, expect, admits
        self._greeting: bytes | None = None
        self._done = False

    def opening(self) -> bytes | None:
        """Return the listener's greeting ``{nonce, role, v}``; a dialer waits for it."""
        if self._role is Role.DIALER:
            return None
        return encode({"nonce": self._nonce, "role": Role.LISTENER.value, "v": VERSION})

    def receive(self, payload: bytes) -> Step:
        """Handle the other side's next message; raises HandshakeRefused."""
        if self._done:
            raise malformed(english("the handshake messages are out of order"))
        if self._role is Role.LISTENER:
            self._done = True
            return self._on_hello(payload)
        if self._greeting is None:
            return self._on_greeting(payload)
        self._done = True
        return self._on_answer(payload, self._greeting)

    def _on_greeting(self, payload: bytes) -> Step:
        self._greeting = _parse(payload, Role.LISTENER, _NONCE)["nonce"]
        if self._greeting == self._nonce:
            raise _this_node()
        message = _said(
            Role.DIALER, self._cert, self._key.public, self._nonce, None, self._greeting
        )
        return Step(self._introduction(Role.DIALER, message, {"nonce": self._nonce}))

    def _on_hello(self, payload: bytes) -> Step:
        fields = _parse(payload, Role.DIALER, {**_NONCE, **_INTRODUCTION})
        nonce, peer = fields["nonce"], _peer(fields)
        if nonce == self._nonce:
            raise _this_node()
        message = _said(Role.DIALER, self._cert, peer.key, nonce, None, self._nonce)
        _check_proof(peer.key, message, fields["sig"])
        if not self._admits(peer.key):
            return Step(
                _CLOSED, refusal=stranger(english("an unknown player asked who plays here"))
            )
        own = self._key.public
        message = _said(Role.LISTENER, self._cert, peer.key, nonce, own, self._nonce)
        answer = self._introduction(Role.LISTENER, message, {})
        if peer.key == own:
            # The dialer holds the same key, so it may be told the reason.
            return Step(answer, refusal=_this_node())
        return Step(answer, peer)

    def _on_answer(self, payload: bytes, greeting: bytes) -> Step:
        if payload == _CLOSED:
            raise stranger(
                english("there is no table at this address, or it admits only its own players")
            )
        fields = _parse(payload, Role.LISTENER, _INTRODUCTION)
        peer = _peer(fields)
        if peer.key == self._key.public:
            raise _this_node()
        if self._expect is not None and peer.key != self._expect:
            raise HandshakeRefused("N04", english("another player answers at this address"))
        own = self._key.public
        message = _said(Role.LISTENER, self._cert, own, self._nonce, peer.key, greeting)
        _check_proof(peer.key, message, fields["sig"])
        return Step(peer=peer)

    def _introduction(self, role: Role, message: bytes, more: dict[str, Value]) -> bytes:
        return encode(
            {
                "key": self._key.public,
                "nick": self._nick,
                "port": self._port,
                "role": role.value,
                "sig": self._key.sign(message),
                "v": VERSION,
                **more,
            }
        )


def _peer(fields: dict[str, Any]) -> Peer:
    return Peer(fields["key"], fields["nick"], fields["port"])


def stranger(sentence: str) -> HandshakeRefused:
    """Return refusal N09: the listener admits members of its table only."""
    return HandshakeRefused("N09", sentence)


def _this_node() -> HandshakeRefused:
    return HandshakeRefused("N03", english("this is our own address"))


def _said(
    role: Role,
    cert: bytes,
    dialer: bytes,
    dialer_nonce: bytes,
    listener: bytes | None,
    listener_nonce: bytes,
) -> bytes:
    """Encode what a side signs. ``listener`` is None in the dialer's, which does not know it
    yet."""
    fields: dict[str, Value] = {
        "cert": cert,
        "dialer": dialer,
        "dialer_nonce": dialer_nonce,
        "listener_nonce": listener_nonce,
        "role": role.value,
    }
    if listener is not None:
        fields["listener"] = listener
    return _LABEL + encode(fields)


def _check_proof(key: bytes, message: bytes, signature: bytes) -> None:
    if not verify(key, message, signature):
        raise HandshakeRefused("N05", english("the other end did not prove its identity"))


def _parse(payload: bytes, role: Role, forms: dict[str, Form[Any]]) -> dict[str, Any]:
    """Parse a message of the side that has this ``role``, with fields of these forms beside
    ``role`` and ``v``."""
    try:
        fields = mapping().decode(payload)
        version, said = fields.get("v"), fields.get("role")
        if isinstance(version, bool) or version != VERSION:
            raise HandshakeRefused(
                "N06", english("the other end speaks another version of the protocol")
            )
        if any(said == each.value for each in Role if each is not role):
            raise HandshakeRefused("N02", english("the other end repeats our own messages"))
        fixed: dict[str, Form[Any]] = {"role": one_of(role.value), "v": one_of(VERSION)}
        return exactly({**fixed, **forms}).read(fields)
    except Malformed as error:
        raise malformed(f"the handshake is malformed: {error}") from error
