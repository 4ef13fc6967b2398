"""The application handshake: who is at the other end of a TLS connection.

Owns its messages and what they prove (SPEC.md, "Handshake"); knows neither sockets nor TLS.
Each side sends a hello ``{key, nick, nonce, port, role, v}`` and, when the other's is there, a
proof ``{sig}``: its Ed25519 signature over the label ``p2p304 handshake`` and the canonical
``{cert, dialer, dialer_nonce, listener, listener_nonce, role}``, ``cert`` being the SHA-256 of
the listener's certificate as each side sees it. A terminating man in the middle shows another
certificate, so neither signature fits; a replay meets another nonce; a reflection, another role.

Refusals: N01 malformed or out of order, N02 reflection, N03 this very node, N04 another player
than expected, N05 the proof does not hold, N06 another version, N07 too slow.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from p2p304.crypto.signing import SigningKey, is_public_key, verify
from p2p304.wire.canonical import NotCanonical, Value, decode, encode
from p2p304.wire.names import is_name

VERSION = 1
NONCE = 32
_LABEL = b"p2p304 handshake\x00"


class Role(Enum):
    DIALER = "dialer"
    LISTENER = "listener"

    @property
    def other(self) -> Role:
        return Role.LISTENER if self is Role.DIALER else Role.DIALER


class HandshakeRefused(Exception):
    """The other end is not whom it must be; ``check`` is a number of SPEC.md, "Checks"."""

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(f"{check}: {sentence}")
        self.check, self.sentence = check, sentence


def malformed(why: str) -> HandshakeRefused:
    """N01: no handshake, or not in its order."""
    return HandshakeRefused("N01", why)


def too_slow() -> HandshakeRefused:
    """N07: not done in time."""
    return HandshakeRefused("N07", "it was too slow")


@dataclass(frozen=True, slots=True)
class Peer:
    """A proven identity: key (32 bytes), the nickname it uses, the port where it listens."""

    key: bytes
    nick: str
    port: int


@dataclass(frozen=True, slots=True)
class Hello:
    key: bytes
    nick: str
    nonce: bytes
    port: int
    role: Role


class Handshake:
    """One side of a handshake: send `hello`, answer `on_hello`, finish with `on_proof`."""

    def __init__(
        self, key: SigningKey, nick: str, port: int, role: Role, cert: bytes, nonce: bytes,
        expect: bytes | None = None,
    ) -> None:  # fmt: skip
        """``cert``: SHA-256 of the listener's certificate; ``expect``: the key that must
        answer, or None for anybody's."""
        self._key, self._cert, self._expect = key, cert, expect
        self._mine = Hello(key.public, nick, nonce, port, role)
        self._theirs: Hello | None = None

    def hello(self) -> bytes:
        mine = self._mine
        return encode({
            "key": mine.key, "nick": mine.nick, "nonce": mine.nonce, "port": mine.port,
            "role": mine.role.value, "v": VERSION,
        })  # fmt: skip

    def on_hello(self, payload: bytes) -> bytes:
        """Take the other's hello, return this side's proof; raises HandshakeRefused."""
        if self._theirs is not None:
            raise malformed("the handshake is out of order")
        theirs = _parse_hello(payload)
        if theirs.role is not self._mine.role.other:
            raise HandshakeRefused("N02", "the other end plays our own role: a reflection")
        if theirs.key == self._mine.key or theirs.nonce == self._mine.nonce:
            raise HandshakeRefused("N03", "the other end is this very node")
        if self._expect is not None and theirs.key != self._expect:
            raise HandshakeRefused("N04", "another player answers at this address")
        self._theirs = theirs
        return encode({"sig": self._key.sign(self._message(self._mine.role))})

    def on_proof(self, payload: bytes) -> Peer:
        """Take the other's proof; returns who it is or raises HandshakeRefused."""
        theirs = self._theirs
        fields = _map(payload)
        signature = fields.get("sig")
        if theirs is None or set(fields) != {"sig"} or not isinstance(signature, bytes):
            raise malformed("the handshake is malformed")
        if not verify(theirs.key, self._message(theirs.role), signature):
            raise HandshakeRefused("N05", "the other end cannot prove its identity here")
        return Peer(theirs.key, theirs.nick, theirs.port)

    def _message(self, role: Role) -> bytes:
        if self._theirs is None:
            raise malformed("the handshake is out of order")
        pair = {self._mine.role: self._mine, self._theirs.role: self._theirs}
        dialer, listener = pair[Role.DIALER], pair[Role.LISTENER]
        fields: dict[str, Value] = {
            "cert": self._cert, "dialer": dialer.key, "dialer_nonce": dialer.nonce,
            "listener": listener.key, "listener_nonce": listener.nonce, "role": role.value,
        }  # fmt: skip
        return _LABEL + encode(fields)


def _map(payload: bytes) -> dict[str, Any]:
    try:
        value = decode(payload)
    except NotCanonical as error:
        raise malformed("the handshake is malformed") from error
    if not isinstance(value, dict):
        raise malformed("the handshake is malformed")
    return value


def _parse_hello(payload: bytes) -> Hello:
    fields = _map(payload)
    version = fields.get("v")
    if isinstance(version, bool) or version != VERSION:
        raise HandshakeRefused("N06", "the other end speaks another version of the protocol")
    if set(fields) != {"key", "nick", "nonce", "port", "role", "v"}:
        raise malformed("the handshake is malformed")
    key, nick, nonce = fields["key"], fields["nick"], fields["nonce"]
    port, role = fields["port"], fields["role"]
    if not isinstance(key, bytes) or not is_public_key(key):
        raise malformed("the other end's key is none")
    if not isinstance(nonce, bytes) or len(nonce) != NONCE:
        raise malformed("the handshake is malformed")
    if not isinstance(nick, str) or not is_name(nick):
        raise malformed("the other end's nickname cannot be shown")
    if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < 65536:
        raise malformed("the other end's port is none")
    if role not in (Role.DIALER.value, Role.LISTENER.value):
        raise malformed("the handshake is malformed")
    return Hello(key, nick, nonce, port, Role(role))
