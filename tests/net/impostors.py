"""The catalogue of those who are not whom they say: each meets an honest dialer in a real handshake
and is refused by its check before anything else is heard."""

from __future__ import annotations

import hashlib
from typing import Any, ClassVar

from p2p304.crypto.signing import SigningKey
from p2p304.net.handshake import Handshake, Peer, Role
from p2p304.wire.canonical import decode, encode

ASHA, BANDU, MALLORY = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2, 3))
CERT = hashlib.sha256(b"the certificate of Bandu").digest()
OTHER_CERT = hashlib.sha256(b"the certificate of Mallory").digest()
NONCE = b"d" * 32


def dialer(cert: bytes = CERT, nonce: bytes = NONCE) -> Handshake:
    """Asha, who wants Bandu and nobody else."""
    return Handshake(ASHA, "Asha", 4304, Role.DIALER, cert, nonce, BANDU.public)


def listener(key: SigningKey = BANDU, cert: bytes = CERT) -> Handshake:
    return Handshake(key, "Bandu", 5304, Role.LISTENER, cert, b"l" * 32)


def meet(asha: Handshake, hello: bytes, proof: bytes | None) -> Peer | None:
    """Asha hears a hello, and a proof if there is one."""
    asha.on_hello(hello)
    return None if proof is None else asha.on_proof(proof)


class Impostor:
    """What comes to Asha instead of Bandu; ``check`` refuses it. No proof: it comes to none."""

    check: ClassVar[str]
    cert: ClassVar[bytes] = CERT
    """The certificate that Asha's TLS shows."""

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        """Its hello and its proof, after Asha's."""
        raise NotImplementedError


def hello(**changes: Any) -> bytes:
    """Bandu's hello with other fields."""
    fields = decode(listener().hello())
    assert isinstance(fields, dict)
    return encode({**fields, **changes})


class Garbles(Impostor):
    """Bytes that are no hello."""

    check = "N01"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return b"GET / HTTP/1.1", None


class TakesANameThatMovesTheCursor(Impostor):
    """A nickname that no screen can show."""

    check = "N01"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return hello(nick="a\x1b[2J"), None


class HasAKeyOfSmallOrder(Impostor):
    """A key under which one signature fits any message."""

    check = "N01"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return hello(key=bytes(32)), None


class ProvesWithAPieceOfPaper(Impostor):
    """A proof that is no signature."""

    check = "N01"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return listener().hello(), encode({"paper": b"I am Bandu"})


class Mirrors(Impostor):
    """Sends back what it hears."""

    check = "N02"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return asha.hello(), None


class IsAshaHerself(Impostor):
    """The same identity on a second machine."""

    check = "N03"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return hello(key=ASHA.public), None


class RepeatsTheNonce(Impostor):
    """Asha's own nonce."""

    check = "N03"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return hello(nonce=NONCE), None


class AnswersAtBandusAddress(Impostor):
    """An honest player, but another one than was dialled."""

    check = "N04"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return listener(MALLORY).hello(), None


class ShowsBandusKey(Impostor):
    """Shows Bandu's key, and signs with its own."""

    check = "N05"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return listener().hello(), listener(MALLORY).on_hello(asha.hello())


class StandsBetween(Impostor):
    """Ends TLS on both sides, and passes everything on unchanged."""

    check, cert = "N05", OTHER_CERT

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        bandu = listener()
        return bandu.hello(), bandu.on_hello(asha.hello())


class PlaysARecording(Impostor):
    """Bandu's true proof of an earlier connection."""

    check = "N05"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return listener().hello(), listener().on_hello(dialer(nonce=b"o" * 32).hello())


class ReflectsTheProof(Impostor):
    """Asha's own proof, made for the same two players and nonces."""

    check = "N05"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return listener().hello(), dialer().on_hello(listener().hello())


class SpeaksTheNextVersion(Impostor):
    """Version 2."""

    check = "N06"

    def says(self, asha: Handshake) -> tuple[bytes, bytes | None]:
        return hello(v=2), None


class SaysNothing:
    """Connects and waits (tests/net/test_impostors.py, over TCP): no bytes, so no vector."""

    check = "N07"


IMPOSTORS: list[type[Impostor]] = Impostor.__subclasses__()
