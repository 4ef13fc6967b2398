"""The catalogue of attacks before there is a table: a stranger at a founder's locked door, and a
false founder to whom a visitor has come. The link is cut, nobody is named, and the gathering goes
on without them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.presets import preset
from p2p304.table.lobby import OPENING, Guest, Join, Key, Locked, Seated, lobby_bytes
from p2p304.table.meeting import Meeting

HONEST, FALSE = (SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2))
PASSPHRASE = "jak fruit"
NO_POINT = (2).to_bytes(32, "little")
MIXED_ORDER = bytes.fromhex("98519eadf35b995233b51b5cd23e9cc5a28b639b5a4af0ec903cb960d81b7819")


class FalseGathering:
    """What is sent ``to`` an honest founder or visitor; ``check`` refuses it."""

    check: ClassVar[str]
    to: ClassVar[str]

    def payload(self) -> bytes:
        raise NotImplementedError


class KeyThatIsNoPoint(FalseGathering):
    """A visitor's side of the exchange whose bytes are on no curve."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"B" + NO_POINT, bytes(32)))


class KeyOfMixedOrder(FalseGathering):
    """A visitor's side of the exchange that is a point, but outside the prime-order group."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"B" + MIXED_ORDER, bytes(32)))


class KeyOfTheFoundersSide(FalseGathering):
    """A visitor that plays the founder's side of the exchange."""

    check, to = "W10", "founder"

    def payload(self) -> bytes:
        return lobby_bytes(Key(b"A" + FALSE.public, bytes(32)))


class LockedThatIsNoPoint(FalseGathering):
    """A founder's side of the exchange whose bytes are on no curve."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + NO_POINT))


class LockedOfSmallOrder(FalseGathering):
    """A founder's side of the exchange that is the identity."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + (1).to_bytes(32, "little")))


class LockedNotReduced(FalseGathering):
    """A founder's side of the exchange in a second encoding."""

    check, to = "W10", "visitor"

    def payload(self) -> bytes:
        return lobby_bytes(Locked(b"A" + b"\xff" * 32))


class ListThatAnotherKeeps(FalseGathering):
    """A list in which the visitor itself stands first, as its keeper."""

    check, to = "W11", "visitor"

    def payload(self) -> bytes:
        people = (Guest(HONEST.public, "Asha", "", 0), Guest(FALSE.public, "Eve", "127.0.0.1", 1))
        return lobby_bytes(Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people))


FALSE_GATHERINGS: list[type[FalseGathering]] = FalseGathering.__subclasses__()


def founder() -> Meeting:
    """Opened a locked table; the false visitor has knocked and was sent its side."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.door.passphrase = PASSPHRASE
    meeting.found("Friday", preset("pagat"), 1)
    meeting.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 0.0)
    meeting.receive(FALSE.public, lobby_bytes(Join("Eve")), 0.0)
    return meeting


def visitor(passphrase: str | None = PASSPHRASE) -> Meeting:
    """Asked the false founder for a seat, knowing the passphrase of a friend's table."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.visitor.passphrase = passphrase
    meeting.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 0.0)
    meeting.join(FALSE.public, 0.0)
    return meeting


def reader_of(to: str) -> Callable[[bytes], None]:
    """Takes a payload as an honest founder, or visitor, does. Only a visitor who was told no
    passphrase believes a list at once."""
    if to == "founder":
        meeting = founder()
        return lambda raw: meeting.receive(FALSE.public, raw, 0.0)

    def read(raw: bytes) -> None:
        locked = b"locked" in raw
        visitor(PASSPHRASE if locked else None).receive(FALSE.public, raw, 0.0)

    return read
