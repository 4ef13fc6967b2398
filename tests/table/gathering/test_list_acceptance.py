"""A founder or a guest that changes a gathering's list as fast as it can, or what is played."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.admission import FULL, NO_EXCHANGE, NOT_THE_TABLE
from p2p304.table.gathering.exchange.messages import (
    OPENING,
    Full,
    Guest,
    Join,
    Key,
    Locked,
    Seated,
    Unlocked,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.exchange.passphrase import Exchange
from p2p304.table.gathering.list_acceptance import CHANGES, TURNED_AWAY
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state import gathering_events
from p2p304.wire.effects import Dial, HangUp, Send
from p2p304.wire.rate_limit import RateLimit
from tests.support.hostile.false_gatherings import FALSE, HONEST, visitor

MOST_AT_ONCE, EVERY = int(CHANGES.most), 1 / CHANGES.rate

EVE, ASHA = Guest(FALSE.public, "Eve", "", 0), Guest(HONEST.public, "Asha", "10.0.0.1", 1)
KEYS = [SigningKey.from_seed(n.to_bytes(32, "big")).public for n in range(100, 200)]


def invented(number: int) -> Seated:
    """A complete list with two new guests, whom the visitor has to dial."""
    two = [Guest(KEYS[number * 2 + n], f"G{number}x{n}", f"10.9.0.{number}", 1) for n in (0, 1)]
    here = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, (EVE, *two, ASHA), number=number)
    return here.signed(FALSE)


def changes(meeting: Meeting) -> int:
    return sum(isinstance(told, gathering_events.Members) for told in meeting.events())


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
    (why,) = [
        str(told.sentence)
        for told in meeting.events()
        if isinstance(told, gathering_events.TurnedAway)
    ]
    assert (
        "changed the rules" in why and meeting.list is not None and meeting.list.rules == here.rules
    )


# Lists from others than the founder, and what comes before the list


HERE = Seated(bytes(OPENING), "Friday", preset("pagat"), 1, (EVE, ASHA)).signed(FALSE)
LATER = replace(HERE, number=1, guests=(EVE, ASHA, Guest(KEYS[0], "Bandu", "h", 1))).signed(FALSE)


def left(meeting: Meeting) -> list[str]:
    turned = [told for told in meeting.events() if isinstance(told, gathering_events.TurnedAway)]
    return [str(told.sentence) for told in turned]


def test_a_guest_may_pass_a_newer_list_of_this_table_on() -> None:
    meeting, other = visitor(None), KEYS[0]
    meeting.receive(other, lobby_bytes(HERE), 0.0)
    assert meeting.members == ()  # the founder must have shown one
    meeting.receive(FALSE.public, lobby_bytes(HERE), 0.0)
    foreign = replace(LATER, opening=bytes([1]) * OPENING).signed(FALSE)
    meeting.receive(other, lobby_bytes(foreign), 0.0)
    assert meeting.list == HERE
    meeting.receive(other, lobby_bytes(LATER), 0.0)
    assert meeting.list == LATER
    for peer in (other, FALSE.public):
        meeting.receive(peer, lobby_bytes(HERE), 0.0)
        assert meeting.list == LATER
    assert left(meeting) == []


def test_new_addresses_in_the_founders_list_are_taken_from_the_founder_alone() -> None:
    meeting = visitor(None)
    meeting.receive(FALSE.public, lobby_bytes(LATER), 0.0)
    moved = replace(LATER, guests=(*LATER.guests[:2], replace(LATER.guests[2], host="new")))
    meeting.receive(KEYS[0], lobby_bytes(moved), 0.0)
    assert meeting.list == LATER
    meeting.receive(FALSE.public, lobby_bytes(moved), 0.0)
    assert meeting.list == moved and moved.digest == LATER.digest


def test_two_lists_of_one_number_are_shown_to_all_who_are_linked() -> None:
    meeting = visitor(None)
    meeting.link_up(KEYS[0], "Bandu", "h", 1, 0.0)
    meeting.receive(FALSE.public, lobby_bytes(LATER), 0.0)
    meeting.effects()
    other = replace(LATER, name="Sunday").signed(FALSE)
    meeting.receive(KEYS[0], lobby_bytes(other), 0.0)
    assert "two different lists" in left(meeting)[0] and meeting.list == LATER
    sent = [(e.peer, e.payload) for e in meeting.effects() if isinstance(e, Send)]
    lists = [lobby_bytes(LATER), lobby_bytes(other)]
    assert sorted(sent) == sorted((peer, raw) for peer in (FALSE.public, KEYS[0]) for raw in lists)


def test_a_complete_list_without_this_player_is_full() -> None:
    meeting = visitor(None)
    people = (EVE, *(Guest(KEYS[n], f"G{n}", "h", 1) for n in range(3)))
    meeting.receive(FALSE.public, lobby_bytes(replace(HERE, guests=people).signed(FALSE)), 0.0)
    assert left(meeting) == [FULL] and meeting.list is None
    meeting = visitor(None)
    meeting.receive(FALSE.public, lobby_bytes(replace(HERE, guests=people[:3]).signed(FALSE)), 0.0)
    assert left(meeting) == [] and meeting.list is not None


def test_only_the_founder_can_say_that_there_is_no_seat() -> None:
    meeting = visitor(None)
    meeting.receive(KEYS[0], lobby_bytes(Full("No.")), 0.0)
    assert left(meeting) == []
    meeting.receive(FALSE.public, lobby_bytes(Full("No.")), 0.0)
    assert left(meeting) == [str(TURNED_AWAY.filled(why="No."))] and meeting.next_timeout() is None
    meeting.receive(FALSE.public, lobby_bytes(Full("No.")), 0.0)
    assert left(meeting) == []


LOCKED = lobby_bytes(Locked(Exchange("mango", FALSE.public, HONEST.public, True, bytes).message))


def test_a_locked_table_is_answered_by_the_visitor_of_its_founder_alone() -> None:
    meeting = visitor("mango")
    meeting.effects()
    meeting.receive(KEYS[0], LOCKED, 0.0)
    assert meeting.effects() == []
    meeting.receive(FALSE.public, LOCKED, 0.0)
    (answer,) = meeting.effects()
    assert isinstance(answer, Send) and isinstance(parse_lobby(answer.payload), Key)
    for raw in (lobby_bytes(HERE), lobby_bytes(Unlocked(bytes(32)))):
        meeting.receive(FALSE.public, raw, 0.0)  # not before the founder has proven that it knows
        assert meeting.list is None
    assert left(meeting) == [NOT_THE_TABLE]


def test_a_list_begins_with_the_founder_that_signs_it() -> None:
    meeting = visitor(None)
    turned = replace(HERE, guests=HERE.guests[::-1]).signed(FALSE)
    with pytest.raises(Refused, match="W11"):
        meeting.receive(FALSE.public, lobby_bytes(turned), 0.0)
    assert meeting.list is None and left(meeting) == []


def test_a_list_of_a_table_that_did_not_ask_for_the_passphrase_is_not_taken() -> None:
    meeting = visitor("mango")
    meeting.receive(FALSE.public, lobby_bytes(HERE), 0.0)
    assert left(meeting) == [NOT_THE_TABLE] and meeting.list is None


def test_a_malformed_exchange_ends_the_visit_with_a_sentence() -> None:
    meeting = visitor("mango")
    with pytest.raises(Refused, match="W10"):
        meeting.receive(FALSE.public, lobby_bytes(Locked(bytes(33))), 0.0)
    assert left(meeting) == [NO_EXCHANGE]
    meeting.receive(FALSE.public, LOCKED, 0.0)
    assert left(meeting) == []


def test_a_guest_is_not_asked_for_a_passphrase_again() -> None:
    meeting = visitor(None)
    meeting.receive(FALSE.public, lobby_bytes(HERE), 0.0)
    meeting.receive(FALSE.public, LOCKED, 0.0)
    assert left(meeting) == [] and meeting.list == HERE


def test_changes_are_taken_at_the_limits_rate() -> None:
    limit = RateLimit(CHANGES, 0.0)
    assert [limit.take(1, 0.0) for _ in range(17)] == [True] * 16 + [False]
    assert (limit.take(1, 1.9), limit.take(1, 2.0), limit.take(1, 2.0)) == (False, True, False)
    assert not limit.take(1, 0.0)  # a clock that goes back gives nothing
    assert [limit.take(1, 1000.0) for _ in range(17)].count(True) == 16
