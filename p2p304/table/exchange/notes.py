"""Notes of members to each other: who watches through them, and whether their player has confirmed
the spoken code (SPEC.md, "Notes").

Responsible for the form of a note, and for what this node has said and heard in notes. A note is a
courtesy and no promise: no player signs it, nothing at the table follows from it, and its author
may write anything. Who watches is table/node/spectators.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.log.faults import Refused
from p2p304.table.state.events import CodeConfirmed, Event, SpectatorCame
from p2p304.wire.canonical import FEW_ITEMS
from p2p304.wire.effects import Outbox
from p2p304.wire.forms import Malformed, many, of, one_of, record
from p2p304.wire.framing import FrameKind
from p2p304.wire.names import NAME_VALUE, is_name

MOST_NAMED = 16
"""Spectators that one member names in all; the table says nothing of more."""


@dataclass(frozen=True, slots=True)
class Note:
    """All that a member has to say by now: whether its player has confirmed the spoken code, and
    the names of those who have watched through it, in order of coming."""

    code: bool = of(one_of(False, True))
    watched: tuple[str, ...] = of(many(NAME_VALUE, 0, MOST_NAMED))


NOTHING = Note(False, ())
_NOTE = record(Note)


def note_bytes(note: Note) -> bytes:
    return _NOTE.encode(note)


def parse_note(raw: bytes) -> Note:
    """Parse a note strictly; raises Refused W33."""
    try:
        return _NOTE.decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise Refused("W33", f"this note is malformed: {error}") from error


class MemberNotes:
    """The notes of one node at its table; ``out`` takes what is sent and told. No note is on disk:
    what a node that ``is_resumed`` hears first of a member, its player may have been told."""

    def __init__(self, out: Outbox[Event], is_resumed: bool = False) -> None:
        self._out, self._is_resumed = out, is_resumed
        self._own = NOTHING
        self._heard: dict[bytes, Note] = {}

    def receive(self, peer: bytes, nick: str, payload: bytes) -> None:
        """Take the note of a member; tell each thing once. Raises Refused W33."""
        note, before = parse_note(payload), self._heard.get(peer, NOTHING)
        may_be_known = self._is_resumed and peer not in self._heard
        new = [name for name in dict.fromkeys(note.watched) if name not in before.watched]
        new = new[: MOST_NAMED - len(before.watched)]
        for name in new:
            self._out.emit(SpectatorCame(name, nick))
        if note.code and not before.code:
            self._out.emit(CodeConfirmed(nick, may_be_known))
        self._heard[peer] = Note(note.code or before.code, (*before.watched, *new))

    def add_spectator(self, name: str, others: list[bytes]) -> None:
        """Tell of a spectator at this node; the others once."""
        self._out.emit(SpectatorCame(name))
        named = self._own.watched
        if is_name(name) and name not in named and len(named) < MOST_NAMED:
            self._say(replace(self._own, watched=(*named, name)), others)

    def confirm_code(self, nick: str, others: list[bytes]) -> None:
        """Tell the others, once, that this node's player has confirmed the spoken code."""
        if not self._own.code:
            self._out.emit(CodeConfirmed(nick))
            self._say(replace(self._own, code=True), others)

    def on_link_up(self, peer: bytes) -> None:
        """Tell a member what it may have missed."""
        if self._own != NOTHING:
            self._out.send_to(peer, FrameKind.NOTE, note_bytes(self._own))

    def _say(self, note: Note, others: list[bytes]) -> None:
        self._own = note
        for peer in others:
            self._out.send_to(peer, FrameKind.NOTE, note_bytes(note))
