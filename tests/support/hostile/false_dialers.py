"""The catalogue of dialers who are not whom they say: each dials Bandu, an honest listener, in a
real handshake and is refused by its check."""

from __future__ import annotations

from typing import ClassVar

from p2p304.crypto.signing import SigningKey
from p2p304.net.links.handshake import Handshake, HandshakeRefused, Role
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


class FalseDialer:
    """Dials Bandu, whose own certificate is CERT; ``check`` refuses it."""

    check: ClassVar[str]
    admits: ClassVar[bool] = True
    """Whether Bandu admits everybody."""

    def hello(self, greets: bytes) -> bytes:
        raise NotImplementedError


def bandu(admits: bool) -> Handshake:
    return listener(admits=lambda key: admits)


def heard(hello: bytes, admits: bool) -> tuple[str | None, bytes | None]:
    """What Bandu says to a hello: the check that refuses it, and his answer."""
    try:
        step = bandu(admits).receive(hello)
    except HandshakeRefused as refused:
        return refused.check, None
    return None if step.refusal is None else step.refusal.check, step.answer


def hello_of(key: SigningKey, greets: bytes) -> bytes:
    """A true hello of this key's owner, with Asha's name and nonce."""
    return answer(Handshake(key, "Asha", 4304, Role.DIALER, CERT, NONCE), greets)


class DialsWithoutAKey(FalseDialer):
    """A hello whose key is the identity of the group."""

    check = "N01"

    def hello(self, greets: bytes) -> bytes:
        return changed(answer(dialer(), greets), key=(1).to_bytes(32, "little"))


class EchoesTheGreeting(FalseDialer):
    """Sends Bandu's greeting back."""

    check = "N02"

    def hello(self, greets: bytes) -> bytes:
        return greets


class RepeatsBandusNonce(FalseDialer):
    """Bandu's own nonce, in a hello to another greeting: the nonce counts before the proof."""

    check = "N03"

    def hello(self, greets: bytes) -> bytes:
        other = changed(greets, nonce=b"o" * 32)
        return answer(dialer(nonce=b"l" * 32), other)


class IsBanduHimself(FalseDialer):
    """Bandu's identity on a second machine, with a true proof: he answers before he refuses."""

    check = "N03"

    def hello(self, greets: bytes) -> bytes:
        return hello_of(BANDU, greets)


class ShowsBanduHisOwnKey(FalseDialer):
    """Shows Bandu's key without a proof: Bandu looks at the proof first."""

    check = "N05"

    def hello(self, greets: bytes) -> bytes:
        return changed(hello_of(MALLORY, greets), key=BANDU.public)


class DialsInAshasName(FalseDialer):
    """Shows Asha's key, and signs with its own."""

    check = "N05"

    def hello(self, greets: bytes) -> bytes:
        return changed(hello_of(MALLORY, greets), key=ASHA.public)


class PassesOnAshasHello(FalseDialer):
    """Asha dialled Mallory, whose certificate is another one; he passes her hello on to Bandu."""

    check = "N05"

    def hello(self, greets: bytes) -> bytes:
        return answer(dialer(OTHER_CERT), greets)


class RepeatsAnEarlierHello(FalseDialer):
    """Asha's true hello to another greeting of Bandu's."""

    check = "N05"

    def hello(self, greets: bytes) -> bytes:
        return answer(dialer(), changed(greeting(listener()), nonce=b"e" * 32))


class SignsHalf(FalseDialer):
    """A signature of 32 bytes."""

    check = "N05"

    def hello(self, greets: bytes) -> bytes:
        return changed(answer(dialer(), greets), sig=bytes(32))


class SpeaksAnotherVersion(FalseDialer):
    """Version 2, and a field that version 1 does not have."""

    check = "N06"

    def hello(self, greets: bytes) -> bytes:
        return changed(answer(dialer(), greets), v=2, language="ta")


class ComesAsAStranger(FalseDialer):
    """Asha herself, at a table that she is no member of: Bandu does not say who he is."""

    check, admits = "N09", False

    def hello(self, greets: bytes) -> bytes:
        return answer(dialer(), greets)


class IsBanduAsAStranger(FalseDialer):
    """Bandu's identity on a second machine, where he admits nobody: he gives himself no answer."""

    check, admits = "N09", False

    def hello(self, greets: bytes) -> bytes:
        return hello_of(BANDU, greets)


FALSE_DIALERS: list[type[FalseDialer]] = FalseDialer.__subclasses__()
