"""A founder or a guest that changes a gathering's list as fast as it can, or what is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.list_acceptance import EVERY, MOST_AT_ONCE
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.gathering.messages import OPENING, Guest, Join, Seated, lobby_bytes
from p2p304.table.state import events
from p2p304.wire.effects import Dial, HangUp
from tests.support.hostile.false_gatherings import FALSE, HONEST, visitor

EVE, ASHA = Guest(FALSE.public, "Eve", "", 0), Guest(HONEST.public, "Asha", "10.0.0.1", 1)
KEYS = [SigningKey.from_seed(n.to_bytes(32, "big")).public for n in range(100, 200)]


def invented(number: int) -> Seated:
    """A complete list with two new guests, whom the visitor has to dial."""
    two = [Guest(KEYS[number * 2 + n], f"G{number}x{n}", f"10.9.0.{number}", 1) for n in (0, 1)]
    here = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, (EVE, *two, ASHA), number=number)
    return here.signed(FALSE)


def changes(meeting: Meeting) -> int:
    return sum(isinstance(told, events.Members) for told in meeting.events())


def test_a_founder_that_invents_guests_is_dialled_for_on_its_last_list_only() -> None:
    meeting, wanted = visitor(None), set()
    told = 0
    for step in range(40):
        meeting.receive(FALSE.public, lobby_bytes(invented(step)), step * 0.05)
        told += changes(meeting)
        for effect in meeting.effects():
            if isinstance(effect, Dial):
                wanted.add(effect.peer)
            elif isinstance(effect, HangUp):
                wanted.discard(effect.peer)
    assert told == MOST_AT_ONCE and len(wanted) == 2
    meeting.receive(FALSE.public, lobby_bytes(invented(45)), 40 * 0.05 + EVERY)
    assert changes(meeting) == 1  # the last list is repeated, and comes through a little later


def test_a_guest_who_leaves_the_list_and_whose_link_ends_is_not_dialled_again() -> None:
    meeting = visitor(None)
    meeting.receive(FALSE.public, lobby_bytes(invented(0)), 0.0)
    meeting.link_up(KEYS[0], "G0x0", "10.9.0.0", 1, 0.0)
    meeting.receive(FALSE.public, lobby_bytes(invented(1)), 0.0)
    meeting.effects()
    meeting.link_down(KEYS[0], 1.0)
    assert [e.peer for e in meeting.effects() if isinstance(e, HangUp)] == [KEYS[0]]


def test_a_guest_that_changes_seats_all_the_time_is_heard_now_and_then() -> None:
    meeting, told = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0), 0
    meeting.found("Friday", preset("pagat").override({"seating": "chosen"}), 1)
    meeting.link_up(FALSE.public, "Eve", "10.0.0.9", 1, 0.0)
    for step in range(200):
        message = lobby_bytes(Join("Eve", 1 + step % 3))
        meeting.receive(FALSE.public, message, step * 0.05)
        told += changes(meeting)
    assert MOST_AT_ONCE <= told <= MOST_AT_ONCE + 10 / EVERY + 2


@pytest.mark.parametrize(
    "change",
    [
        {"rules": preset("six-24")},
        {"rules": preset("pagat").override({"away": "playout"})},
        {"hands": 9},
        {"watch": "now"},
    ],
)
def test_a_guest_leaves_where_the_game_is_changed_after_it_came(change: dict[str, object]) -> None:
    meeting = visitor(None)
    here = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, (EVE, ASHA))
    meeting.receive(FALSE.public, lobby_bytes(here.signed(FALSE)), 0.0)
    other = replace(here, number=1, **change)  # type: ignore[arg-type]
    for opening in (bytes(OPENING), bytes([1]) * OPENING):
        meeting.receive(FALSE.public, lobby_bytes(replace(other, opening=opening).signed(FALSE)), 0)
    (why,) = [told.sentence for told in meeting.events() if isinstance(told, events.TurnedAway)]
    assert (
        "changed the rules" in why and meeting.list is not None and meeting.list.rules == here.rules
    )
