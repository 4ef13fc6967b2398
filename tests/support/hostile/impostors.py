"""The catalogue of those who are not whom they say: each meets an honest dialer in a real handshake
and is refused by its check before anything else is heard."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar

from p2p304.crypto.signing import SigningKey
from p2p304.net.links.handshake import Handshake, HandshakeRefused, Peer, Role
from p2p304.wire.canonical import decode, encode

ASHA, BANDU, MALLORY = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2, 3))
CERT = hashlib.sha256(b"the certificate of Bandu").digest()
OTHER_CERT = hashlib.sha256(b"the certificate of Mallory").digest()
NONCE = b"d" * 32


def dialer(cert: bytes = CERT, nonce: bytes = NONCE) -> Handshake:
    """Asha, who wants Bandu and nobody else."""
    return Handshake(ASHA, "Asha", 4304, Role.DIALER, cert, nonce, BANDU.public)


def listener(
    key: SigningKey = BANDU, cert: bytes = CERT, admits: Callable[[bytes], bool] = lambda k: True
) -> Handshake:
    return Handshake(key, "Bandu", 5304, Role.LISTENER, cert, b"l" * 32, admits=admits)


def greeting(bandu: Handshake) -> bytes:
    opening = bandu.opening()
    assert opening is not None
    return opening


def answer(shake: Handshake, payload: bytes) -> bytes:
    told = shake.receive(payload).answer
    assert told is not None
    return told


def changed(message: bytes, **changes: Any) -> bytes:
    """A message with other fields."""
    fields = decode(message)
    assert isinstance(fields, dict)
    return encode({**fields, **changes})


class Impostor:
    """Comes to Asha, who dialled, instead of Bandu; ``check`` refuses it."""

    check: ClassVar[str]
    cert: ClassVar[bytes] = CERT
    """The certificate that Asha's TLS shows."""

    def greets(self) -> bytes:
        return greeting(listener())

    def answers(self, hello: bytes) -> bytes | None:
        """To Asha's hello; None where it does not come to that."""
        return answer(listener(), hello)


def told(kind: type[Impostor]) -> tuple[bytes, bytes | None]:
    """What an impostor says to Asha: its greeting, its answer."""
    impostor = kind()
    greets = impostor.greets()
    hello = hello_to(greets, kind.cert)
    return greets, None if hello is None else impostor.answers(hello)


def hello_to(greets: bytes, cert: bytes) -> bytes | None:
    """What Asha says to a greeting; None if she refuses it."""
    try:
        return answer(dialer(cert), greets)
    except HandshakeRefused:
        return None


def meet(asha: Handshake, greets: bytes, answers: bytes | None) -> Peer | None:
    """Asha hears a greeting, and an answer if there is one."""
    asha.receive(greets)
    return None if answers is None else asha.receive(answers).peer


class Garbles(Impostor):
    """Bytes that are no greeting."""

    check = "N01"

    def greets(self) -> bytes:
        return b"GET / HTTP/1.1"


class TakesANameThatMovesTheCursor(Impostor):
    """A nickname that no screen can show."""

    check = "N01"

    def answers(self, hello: bytes) -> bytes | None:
        return changed(answer(listener(), hello), nick="a\x1b[2J")


class HasAKeyOfSmallOrder(Impostor):
    """A key under which one signature fits any message."""

    check = "N01"

    def answers(self, hello: bytes) -> bytes | None:
        return changed(answer(listener(), hello), key=bytes(32))


class HasAKeyOfMixedOrder(Impostor):
    """Bandu's key with a component of order 2: two correct verifiers would disagree about what it
    signs."""

    check = "N01"

    def answers(self, hello: bytes) -> bytes | None:
        y = int.from_bytes(BANDU.public, "little")
        mixed = (2**255 - 19 - (y & (2**255 - 1))) | ((y >> 255 ^ 1) << 255)
        return changed(answer(listener(), hello), key=mixed.to_bytes(32, "little"))


class ProvesWithAPieceOfPaper(Impostor):
    """A proof that is no signature."""

    check = "N01"

    def answers(self, hello: bytes) -> bytes | None:
        return changed(answer(listener(), hello), sig="I am Bandu")


class Mirrors(Impostor):
    """Sends Asha's hello back."""

    check = "N02"

    def answers(self, hello: bytes) -> bytes | None:
        return hello


class IsAshaHerself(Impostor):
    """The same identity on a second machine."""

    check = "N03"

    def answers(self, hello: bytes) -> bytes | None:
        return changed(answer(listener(), hello), key=ASHA.public)


class RepeatsTheNonce(Impostor):
    """Asha's own nonce."""

    check = "N03"

    def greets(self) -> bytes:
        return changed(greeting(listener()), nonce=NONCE)


class AnswersAtBandusAddress(Impostor):
    """An honest player, but another one than was dialled."""

    check = "N04"

    def answers(self, hello: bytes) -> bytes | None:
        return answer(listener(MALLORY), hello)


class ShowsBandusKey(Impostor):
    """Shows Bandu's key, and signs with its own."""

    check = "N05"

    def answers(self, hello: bytes) -> bytes | None:
        return changed(answer(listener(MALLORY), hello), key=BANDU.public)


class StandsBetween(Impostor):
    """Ends TLS on both sides; Bandu would refuse Asha's hello, so it answers with Bandu's proof
    for its own connection."""

    check, cert = "N05", OTHER_CERT

    def answers(self, hello: bytes) -> bytes | None:
        mallory = Handshake(MALLORY, "Mallory", 1, Role.DIALER, CERT, NONCE)
        return answer(listener(), answer(mallory, greeting(listener())))


class PlaysARecording(Impostor):
    """Bandu's true proof of an earlier connection."""

    check = "N05"

    def answers(self, hello: bytes) -> bytes | None:
        earlier = dialer(nonce=b"o" * 32)
        return answer(listener(), answer(earlier, greeting(listener())))


class ReflectsTheProof(Impostor):
    """Asha's own signature, under Bandu's name."""

    check = "N05"

    def answers(self, hello: bytes) -> bytes | None:
        fields = decode(hello)
        assert isinstance(fields, dict)
        return changed(answer(listener(), hello), sig=fields["sig"])


class SpeaksTheNextVersion(Impostor):
    """Version 2."""

    check = "N06"

    def greets(self) -> bytes:
        return changed(greeting(listener()), v=2)


class SaysNothing:
    """Connects and waits (tests/net/links/test_impostors.py, over TCP): no bytes, so no vector."""

    check = "N07"


class AdmitsNoStranger(Impostor):
    """Bandu himself, at a table that Asha is no member of: he does not say who he is."""

    check = "N09"

    def answers(self, hello: bytes) -> bytes | None:
        return answer(listener(admits=lambda key: False), hello)


IMPOSTORS: list[type[Impostor]] = Impostor.__subclasses__()
