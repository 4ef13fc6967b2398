"""Messages of a gathering to a visitor whose answer depends on what came before: whether it was
told a passphrase, which `locked` it has answered, and whether the founder has proven that it knows
the passphrase too.

Responsible for these messages and for a visitor in such a state; other messages are
gathering_rows.py's and false_gatherings.py's.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.table.gathering.exchange.messages import Key, Locked, Unlocked, lobby_bytes, parse_lobby
from p2p304.table.gathering.exchange.passphrase import Exchange
from p2p304.table.gathering.meeting import Meeting
from p2p304.wire.effects import Send
from tests.support.hostile.false_gatherings import (
    FALSE,
    HONEST,
    NO_POINT,
    PASSPHRASE,
    ListThatAnotherKeeps,
    ListThatIsNotSigned,
)

ANOTHER = SigningKey.from_seed(bytes([5]) * 32)


class VisitorState(NamedTuple):
    """Whether the visitor was told a passphrase, the exchange of the `locked` that it has answered,
    whether the founder's proof has come, and whom it has asked for a seat."""

    passphrase: bool = False
    answered: bytes | None = None
    proven: bool = False
    founder: bytes = FALSE.public


class VisitorRow(NamedTuple):
    """A message of Eve's to such a visitor, the check that refuses it or None, and what it is."""

    state: VisitorState
    payload: bytes
    check: str | None
    comment: str


def run() -> Exchange:
    """Eve's side of an exchange: she knows the passphrase."""
    rng = Rng.from_seed(bytes([9]) * 32)
    return Exchange(PASSPHRASE, FALSE.public, HONEST.public, True, rng.bytes)


def usual(payload: bytes) -> VisitorState:
    """The state in which a visitor gets a message that needs no other: it was told a passphrase
    where the message is `locked` or `unlocked`."""
    return VisitorState(passphrase=b"locked" in payload)


def in_state(state: VisitorState) -> Meeting:
    """An honest visitor to whom all this has happened."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.visitor.passphrase = PASSPHRASE if state.passphrase else None
    meeting.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 0.0)
    meeting.join(state.founder, 0.0)
    if state.answered is not None:
        here = run()
        meeting.receive(FALSE.public, lobby_bytes(Locked(state.answered)), 0.0)
        sent = [parse_lobby(each.payload) for each in meeting.effects() if isinstance(each, Send)]
        (key,) = [each for each in sent if isinstance(each, Key)]
        here.finish(key.exchange)
        if state.proven:
            meeting.receive(FALSE.public, lobby_bytes(Unlocked(here.proof)), 0.0)
    return meeting


def visitor_rows() -> dict[str, VisitorRow]:
    good = run().message
    no_point = lobby_bytes(Locked(b"A" + NO_POINT))
    asked, answered = VisitorState(passphrase=True), VisitorState(passphrase=True, answered=good)
    not_signed, others = ListThatIsNotSigned().payload(), ListThatAnotherKeeps().payload()
    return {
        "LockedForNoPassphrase": VisitorRow(
            VisitorState(),
            no_point,
            None,
            "the visitor was told no passphrase: it leaves, and does not look at the exchange",
        ),
        "LockedAnew": VisitorRow(
            answered,
            no_point,
            None,
            "another locked than the one that the visitor has answered: it leaves likewise",
        ),
        "LockedAgain": VisitorRow(
            answered, lobby_bytes(Locked(good)), None, "the same locked again: the same answer"
        ),
        "LockedByAnother": VisitorRow(
            asked._replace(founder=ANOTHER.public),
            no_point,
            None,
            "locked by a player whom the visitor has not asked: passed over",
        ),
        "ListBeforeAnyProof": VisitorRow(
            asked, not_signed, None, "told a passphrase, and not asked for it: the visitor leaves"
        ),
        "ListByAnotherBeforeAnyProof": VisitorRow(
            asked._replace(founder=ANOTHER.public),
            not_signed,
            None,
            "the same by a player whom the visitor has not asked: passed over",
        ),
        "UnlockedUnasked": VisitorRow(
            asked,
            lobby_bytes(Unlocked(bytes(32))),
            None,
            "a proof before the visitor has answered a locked: it leaves, as after a false one",
        ),
        "ListBeforeTheProof": VisitorRow(
            answered, others, None, "a list before the founder's proof: passed over"
        ),
        "ListAfterTheProof": VisitorRow(
            answered._replace(proven=True), not_signed, "W21", "a list after the founder's proof"
        ),
    }
