"""Notes of members: told once each, bounded, and nothing is taken back."""

from __future__ import annotations

from p2p304.table.exchange.notes import MOST_NAMED, NOTHING, MemberNotes, Note, note_bytes
from p2p304.table.state.events import CodeConfirmed, Event, SpectatorCame
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import LIMITS, FrameKind

LIAR = b"L" * 32


def test_a_member_is_told_of_once_however_often_it_says_so_and_of_few_spectators() -> None:
    out = Outbox[Event]()
    notes = MemberNotes(out)
    for number in range(100):
        names = (f"Eve {number}", "Eve", "Eve")
        notes.receive(LIAR, "Mallory", note_bytes(Note(number % 2 == 1, names)))
    notes.receive(LIAR, "Mallory", note_bytes(NOTHING))
    told = out.events()
    assert told.count(CodeConfirmed("Mallory")) == 1
    came = [event for event in told if isinstance(event, SpectatorCame)]
    assert len(came) == len(set(came)) == MOST_NAMED
    assert len(notes._heard[LIAR].watched) == MOST_NAMED and notes._heard[LIAR].code


def test_after_a_restart_what_a_member_says_first_is_no_news() -> None:
    """The member tells it with every new link, and this node's player may know it."""
    out = Outbox[Event]()
    notes = MemberNotes(out, is_resumed=True)
    notes.receive(b"A" * 32, "Asha", note_bytes(Note(True, ())))
    notes.receive(b"B" * 32, "Bandu", note_bytes(Note(False, ("Eve",))))
    notes.receive(b"B" * 32, "Bandu", note_bytes(Note(True, ("Eve",))))
    assert out.events() == [
        CodeConfirmed("Asha", may_be_known=True),
        SpectatorCame("Eve", "Bandu"),
        CodeConfirmed("Bandu"),
    ]


def test_a_node_names_as_many_as_a_note_holds_and_the_longest_note_fits_its_frame() -> None:
    out = Outbox[Event]()
    notes = MemberNotes(out)
    for number in range(2 * MOST_NAMED):
        notes.add_spectator("\U00011183" * 29 + f"{number:03}", [LIAR])
    sent = out.effects()
    assert len(sent) == MOST_NAMED
    assert max(len(each.payload) for each in sent) <= LIMITS[FrameKind.NOTE]  # type: ignore[union-attr]
    longest = Note(True, ("\U00011183" * 32,) * MOST_NAMED)
    assert len(note_bytes(longest)) <= LIMITS[FrameKind.NOTE]
