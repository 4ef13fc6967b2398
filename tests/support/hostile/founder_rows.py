"""Messages to a founder whose answer depends on its table: who is on its list, whether the table is
locked, and what the sender has done before.

Responsible for these messages and for a founder in such a state; what a visitor does is
visitor_rows.py's.
"""

from __future__ import annotations

from typing import NamedTuple

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.exchange.messages import (
    Full,
    Join,
    Key,
    ListHoldings,
    LobbyMessage,
    Locked,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.exchange.passphrase import Exchange
from p2p304.table.gathering.meeting import Meeting
from p2p304.wire.effects import Send
from tests.support.hostile.false_gatherings import FALSE, HONEST, NO_POINT, PASSPHRASE

_OTHERS = [SigningKey.from_seed(bytes([n]) * 32).public for n in (5, 6, 7)]
_NICKS = ("Chitra", "Dilan", "Ruwan")
_HOLDS = ListHoldings(b"d" * 32, (None,) * 4, b"", (None,) * 4, ())


class FounderState(NamedTuple):
    """How many others are on the list of four seats, whether the table is locked, whether a run of
    the sender's is open or proven, whether the sender is on the list or was put out of it, and the
    name of its handshake."""

    guests: int = 0
    locked: bool = False
    run: bool = False
    proven: bool = False
    listed: bool = False
    put_out: bool = False
    nick: str = "Eve"


class FounderRow(NamedTuple):
    """A message to such a founder, the check that refuses it or None, what it is, and the answer
    (`outcome`)."""

    state: FounderState
    message: LobbyMessage
    check: str | None
    comment: str
    outcome: str

    @property
    def payload(self) -> bytes:
        return lobby_bytes(self.message)


def in_state(state: FounderState) -> Meeting:
    """An honest founder to whom all this has happened."""
    meeting, eve = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0), FALSE.public
    meeting.found("Friday", preset("pagat"), 1)
    for key, nick in list(zip(_OTHERS, _NICKS, strict=True))[: state.guests]:
        meeting.link_up(key, nick, "192.0.2.7", 1, 0.0)
        meeting.receive(key, lobby_bytes(Join(nick)), 0.0)
    meeting.admission.passphrase = PASSPHRASE if state.locked else None
    meeting.link_up(eve, state.nick, "192.0.2.8", 1, 0.0)
    if state.put_out:
        meeting.admission.exclude(eve, 0.0)
    if state.listed and not state.locked:
        meeting.receive(eve, lobby_bytes(Join(state.nick)), 0.0)
    if state.run or state.proven:
        meeting.effects()
        meeting.receive(eve, lobby_bytes(Join(state.nick)), 0.0)
        (locked,) = [word for word in _sent(meeting, eve) if isinstance(word, Locked)]
        if state.proven:
            run = Exchange(
                PASSPHRASE, HONEST.public, eve, False, Rng.from_seed(bytes([9]) * 32).bytes
            )
            run.finish(locked.exchange)
            meeting.receive(eve, lobby_bytes(Key(run.message, run.proof)), 0.0)
    return meeting


def list_of(state: FounderState) -> bytes:
    """The founder's list before the message."""
    here = in_state(state).list
    if here is None:
        raise ValueError("a founder has a list")
    return lobby_bytes(here)


def outcome(state: FounderState, payload: bytes) -> str:
    """What the founder does: it refuses the message, sends `full`, `locked` or its list, takes the
    sender onto the list, or passes the message over."""
    meeting = in_state(state)
    meeting.effects()
    before = meeting.members
    try:
        meeting.receive(FALSE.public, payload, 0.0)
    except Refused:
        return "refused"
    if meeting.members != before:
        return "seated"
    for word in _sent(meeting, FALSE.public):
        if isinstance(word, Full | Locked | Seated):
            return {Full: "full", Locked: "locked", Seated: "list"}[type(word)]
    return "passed over"


def _sent(meeting: Meeting, to: bytes) -> list[LobbyMessage]:
    return [
        parse_lobby(each.payload)
        for each in meeting.effects()
        if isinstance(each, Send) and each.peer == to
    ]


def founder_rows() -> dict[str, FounderRow]:
    eve, no_point = Join("Eve"), Key(b"B" + NO_POINT, bytes(32))
    open_, locked = FounderState(), FounderState(locked=True)
    proven = locked._replace(proven=True)
    rows: dict[str, tuple[FounderState, LobbyMessage, str | None, str, str]] = {
        "JoinsAnOpenTable": (open_, eve, None, "a seat is free", "seated"),
        "JoinsAFullTable": (
            FounderState(guests=3),
            eve,
            None,
            "the list is complete without the sender, who is not shown it",
            "full",
        ),
        "JoinsAFullLockedTable": (
            FounderState(guests=3, locked=True),
            eve,
            None,
            "the same at a locked table: no run begins",
            "full",
        ),
        "JoinsALockedTable": (locked, eve, None, "a run begins", "locked"),
        "JoinsAgainInARun": (
            locked._replace(run=True),
            eve,
            None,
            "the run is open, and repeats its message",
            "locked",
        ),
        "JoinsAfterItsProof": (proven, eve, None, "proven: unlocked, and a seat", "seated"),
        "JoinsUnderANameAlike": (
            open_._replace(nick="ASHA"),
            Join("ASHA"),
            None,
            "the founder's name in capital letters",
            "full",
        ),
        "JoinsALockedTableUnderANameAlike": (
            locked._replace(nick="ASHA"),
            Join("ASHA"),
            None,
            "the same at a locked table: nobody learns who is there before a proof",
            "locked",
        ),
        "JoinsUnderANameAlikeAfterItsProof": (
            proven._replace(nick="ASHA"),
            Join("ASHA"),
            None,
            "the same after the proof",
            "full",
        ),
        "JoinsAsAGuest": (
            FounderState(listed=True),
            eve,
            None,
            "it is on the list already: the list again",
            "list",
        ),
        "JoinsAfterItWasPutOut": (
            FounderState(put_out=True),
            eve,
            None,
            "its key was put out of the list less than 60 s ago",
            "full",
        ),
        "JoinsUnderItsNextName": (
            open_,
            Join("Eva"),
            "W31",
            "its player has changed the name: the link ends, and there is no full",
            "refused",
        ),
        "KeyThatEndsARun": (
            locked._replace(run=True),
            no_point,
            "W10",
            "no point: the link ends, and there is no full",
            "refused",
        ),
        "HoldsOffTheList": (
            open_,
            _HOLDS,
            None,
            "a player off the list holds another one, and may come back: the list",
            "list",
        ),
        "HoldsOffAFullList": (
            FounderState(guests=3),
            _HOLDS,
            None,
            "the same, and the list is complete without the sender",
            "full",
        ),
        "HoldsOffALockedList": (
            locked,
            _HOLDS,
            None,
            "the same at a locked table, and nothing is proven",
            "full",
        ),
        "HoldsOffTheListAfterItWasPutOut": (
            FounderState(put_out=True),
            _HOLDS,
            None,
            "the same, put out of the list less than 60 s ago",
            "full",
        ),
    }
    return {name: FounderRow(*row) for name, row in rows.items()}
