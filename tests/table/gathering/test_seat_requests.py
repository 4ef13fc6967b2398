"""What a founder answers: to visitors, to guests who ask again or move, and after two pledges."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.faults import Refused
from p2p304.table.gathering.admission import ARRIVAL_SHARE, FULL, TOO_MANY
from p2p304.table.gathering.exchange.begin_record import JOURNAL, read_begin
from p2p304.table.gathering.exchange.messages import (
    Full,
    Guest,
    Join,
    ListHoldings,
    LobbyMessage,
    Pledge,
    Seated,
    lobby_bytes,
)
from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.gathering.seat_requests import LOOKS_ALIKE, MOST_RESTARTS, PUT_OUT
from p2p304.table.gathering.seating import free_seats, guests_after_move, guests_with, seat_of
from p2p304.table.state import gathering_events
from tests.support.table.gathering_bus import CHOSEN, NICKS
from tests.support.table.meetings import Hall
from tests.table.gathering.exchange.test_messages import LIST, chosen


def asks(hall: Hall, number: int, join: Join | None = None) -> list[LobbyMessage]:
    """What the founder answers to this one, who asks for a seat."""
    if frozenset({0, number}) not in hall.links:
        hall.link(0, number)
    hall.deliver()
    hall.sent.clear()
    message = join or Join(NICKS[number])
    hall.meetings[0].receive(hall.keys[number], lobby_bytes(message), hall.now)
    hall.deliver()
    return [m for s, t, m in hall.sent if s == 0 and t == number]


def opened(count: int = 5) -> Hall:
    hall = Hall(count, CHOSEN)
    hall.drops = lambda source, target, message: isinstance(message, ListHoldings)
    hall.begin(0)
    return hall


def seats(hall: Hall) -> dict[str, int | None]:
    here = hall.meetings[0].list
    assert here is not None
    return {guest.nick: guest.seat for guest in here.guests}


def test_a_peer_without_a_link_is_not_answered() -> None:
    hall = opened()
    hall.meetings[0].receive(hall.keys[1], lobby_bytes(Join("Bandu")), 0.0)
    hall.deliver()
    assert hall.sent == [] and seats(hall) == {"Asha": 0}


def test_a_visitor_gets_the_seat_that_it_asks_for_or_the_first_free_one() -> None:
    hall = opened()
    (told,) = asks(hall, 1, Join("Bandu", 3))
    assert isinstance(told, Seated) and told.number == 1
    asks(hall, 2, Join("Chitra", 3))
    assert seats(hall) == {"Asha": 0, "Bandu": 3, "Chitra": 1}
    assert hall.meetings[0].list.guests[1] == Guest(hall.keys[1], "Bandu", "host1", 1001, 3)  # type: ignore[union-attr]


def test_a_guest_that_asks_again_is_shown_the_list_or_moved() -> None:
    hall = opened()
    asks(hall, 1)
    for join in (Join("Bandu"), Join("Bandu", 0), Join("Bandu", 1)):
        assert asks(hall, 1, join) == [hall.meetings[0].list]
        assert seats(hall) == {"Asha": 0, "Bandu": 1}
    number = hall.meetings[0].list.number  # type: ignore[union-attr]
    (told,) = asks(hall, 1, Join("Bandu", 3))
    assert seats(hall) == {"Asha": 0, "Bandu": 3}
    assert isinstance(told, Seated) and told.number == number + 1


def test_a_table_that_is_full_has_no_seat_and_its_guests_do_not_move() -> None:
    hall = opened()
    for number in (1, 2, 3):
        asks(hall, number)
    before = seats(hall)
    assert asks(hall, 4) == [Full(FULL)]
    asks(hall, 1, Join("Bandu", 2))
    assert seats(hall) == before


def test_a_full_table_that_asks_its_founder_asks_nothing_more() -> None:
    hall = opened()
    for number in (1, 2, 3):
        asks(hall, number)
    hall.meetings[0].admission.asks_founder = True
    assert asks(hall, 4) == [Full(FULL)]
    assert not hall.heard(0, gathering_events.JoinRequest)


def test_the_founder_is_asked_once_about_a_visitor() -> None:
    hall = opened()
    hall.meetings[0].admission.asks_founder = True
    assert asks(hall, 1) == asks(hall, 1) == []
    assert hall.heard(0, gathering_events.JoinRequest) == [
        gathering_events.JoinRequest("Bandu", hall.keys[1])
    ]
    hall.meetings[0].decide(hall.keys[1], True)
    hall.deliver()
    assert hall.sent == [] and seats(hall) == {"Asha": 0}
    asks(hall, 1)
    assert "Bandu" in seats(hall)


def test_a_name_that_looks_alike_is_told_so_unless_the_table_is_locked() -> None:
    hall = opened()
    asks(hall, 1)
    hall.link(0, 2)
    hall.meetings[0].link_up(hall.keys[2], "B\u0430ndu", "h", 1, 0.0)
    join = Join("B\u0430ndu")
    assert asks(hall, 2, join) == [Full(LOOKS_ALIKE.format(alike="Bandu"))]
    hall.meetings[0].admission.passphrase = "jak"
    (told,) = asks(hall, 2, join)
    assert not isinstance(told, Full)
    assert "B\u0430ndu" not in seats(hall)


def test_another_name_than_the_handshakes_is_refused() -> None:
    hall = opened()
    hall.link(0, 1)
    with pytest.raises(Refused, match="W31"):
        asks(hall, 1, Join("Dilan"))


def test_a_visitor_that_comes_and_goes_is_told_to_wait() -> None:
    hall = opened()
    for _ in range(ARRIVAL_SHARE):
        assert isinstance(asks(hall, 1)[0], Seated)
        hall.meetings[0].link_down(hall.keys[1], hall.now)
        hall.links.clear()
    assert asks(hall, 1) == [Full(TOO_MANY)]


def test_a_removed_guest_is_told_so_each_time_it_asks() -> None:
    hall = opened()
    asks(hall, 1)
    hall.meetings[0]._requests.remove_guest(hall.keys[1], hall.now)
    hall.deliver()
    assert (0, 1, Full(PUT_OUT)) in hall.sent and seats(hall) == {"Asha": 0}
    assert asks(hall, 1) == [Full(PUT_OUT)]


def test_a_guest_whose_link_was_lost_moves_again_at_once() -> None:
    hall = opened()
    asks(hall, 1)
    for step in range(40):
        asks(hall, 1, Join("Bandu", 2 + step % 2))
    assert len(hall.meetings[0].parts) == len(opened().meetings[0].parts) + 1
    number = hall.meetings[0].list.number  # type: ignore[union-attr]
    assert number == 17
    hall.meetings[0].link_down(hall.keys[1], hall.now)
    hall.links.clear()
    asks(hall, 1)
    asks(hall, 1, Join("Bandu", 3))
    assert hall.meetings[0].list.number == number + 3  # type: ignore[union-attr]


def test_a_list_is_restarted_a_few_times_for_one_member() -> None:
    hall = opened()
    for number in (1, 2, 3):
        hall.come(number)
    requests, meeting = hall.meetings[0]._requests, hall.meetings[0]
    assert meeting.list is not None
    first = meeting.list.number
    requests.restart_list(None)
    requests.restart_list(meeting.consent.current)
    assert meeting.list.number == first
    for times in range(1, MOST_RESTARTS + 3):
        holding = ListSignatures(meeting.list, hall.keys[0])
        second = Pledge.make(hall.meetings[1].key, meeting.list.digest, bytes(32))
        holding.contradicted = {hall.keys[1]: second}
        requests.restart_list(holding)
        assert meeting.list.number == first + min(times, MOST_RESTARTS)
    holding.contradicted = dict.fromkeys(hall.keys[1:3], second)
    requests.restart_list(holding)
    assert meeting.list.number == first + MOST_RESTARTS + 1
    hall.deliver()
    guest = hall.meetings[1]
    guest._requests.restart_list(holding)
    assert guest.list is not None and guest.list.number == first + MOST_RESTARTS + 1


def test_a_founder_that_comes_back_changes_its_list_under_another_opening() -> None:
    hall = Hall(4)
    hall.begin()
    begin = read_begin(next(one.data for one in hall.written[0] if one.name == JOURNAL))
    guests = Hall(1).meetings[0].guests
    guests.resume(begin, bytes(16))
    assert guests.is_founder and guests.members == tuple(hall.keys)
    assert guests.current == begin.list and begin.list.opening != bytes(16)
    for number in (0, 1):
        guests.change(begin.list.guests)
        assert (guests.current.opening, guests.current.number) == (bytes(16), number)


# Seats


def test_free_seats_are_those_that_nobody_has_and_none_where_seats_are_drawn() -> None:
    assert free_seats(chosen(2, 0)) == (1, 3) and free_seats(LIST) == ()
    assert seat_of(chosen(2, 0), chosen(2).guests[0].key) == 2 and seat_of(LIST, bytes(32)) is None


def test_a_guest_more_and_a_guest_on_another_seat() -> None:
    here, more = chosen(2, 0), Guest(bytes(32), "X", "", 0)
    for requested, seat in ((3, 3), (2, 1), (None, 1)):
        assert guests_with(here, more, requested) == (*here.guests, replace(more, seat=seat))
    assert guests_with(LIST, more, 1) == (*LIST.guests, more)
    key = here.guests[0].key
    moved = guests_after_move(here, key, 3)
    assert moved == (replace(here.guests[0], seat=3), here.guests[1])
    assert guests_after_move(here, key, 0) is None
    assert guests_after_move(chosen(0, 1, 2, 3), key, 3) is None
