"""Visitors at a table that gathers: nobody with many identities keeps the others out."""

from __future__ import annotations

import pytest

from p2p304.crypto.rng import Rng
from p2p304.table.gathering.admission import (
    ARRIVAL_SHARE,
    MOST_RUNS,
    MOST_WAITING,
    RESERVED,
    REST,
    RUN_INTERVAL,
    RUN_TIME,
    TOO_SLOW,
    WAITING_SHARE,
    FounderAdmission,
)
from p2p304.table.gathering.exchange.messages import Full, Locked
from p2p304.table.gathering.visitor_places import VisitorPlaces


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


FRIEND = key(10**6)


def locked() -> FounderAdmission:
    door = FounderAdmission(key(0), Rng.from_seed(bytes(32)))
    door.passphrase = "jak fruit"
    return door


def comes_in(
    door: FounderAdmission, asks: dict[bytes, str], friend: str, seconds: float
) -> float | None:
    """After how many seconds the friend is challenged, while all others ask four times a second."""
    for step in range(int(seconds * 4)):
        now = step / 4
        for visitor, host in asks.items():
            door.answer_visitor(visitor, "Eve", host, now)
        if step % 4 == 3 and isinstance(door.answer_visitor(FRIEND, "Asha", friend, now), Locked):
            return now
    return None


@pytest.mark.parametrize("addresses", [1, 4, 7])
def test_silent_strangers_keep_nobody_out(addresses: int) -> None:
    """They never finish a run, ask all the time, and have as many identities as there are links."""
    asks = {key(n): f"10.0.0.{66 + n % addresses}" for n in range(1, 65)}
    found = comes_in(locked(), asks, "10.0.0.7", 60)
    assert found is not None and found <= 3 + RUN_INTERVAL * addresses


def test_one_who_is_known_comes_in_past_strangers_of_every_address() -> None:
    door = locked()
    door.is_known = {FRIEND}.__contains__
    asks = {key(n): f"10.0.0.{n}" for n in range(1, 65)}
    found = comes_in(door, asks, "10.0.0.1", 60)
    assert found is not None and found <= 2


def test_strangers_of_one_ipv6_network_count_as_one_address() -> None:
    asks = {key(n): f"fd00::{n}" for n in range(1, 65)}
    found = comes_in(locked(), asks, "fd00:1::1", 60)
    assert found is not None and found <= 3


def test_new_identities_all_the_time_keep_nobody_out() -> None:
    """Each comes, asks once, and another takes its place: the address has had its turn."""
    door, number = locked(), 0
    for step in range(40):
        now = step / 4
        for _ in range(8):
            number += 1
            door.answer_visitor(key(number), "Eve", "10.0.0.66", now)
            door.on_link_down(key(max(0, number - 4)), now)
        if step % 4 == 3 and isinstance(
            door.answer_visitor(FRIEND, "Asha", "10.0.0.7", now), Locked
        ):
            assert now <= 4
            return
    raise AssertionError("the friend is kept out")


def test_a_run_that_takes_too_long_ends_with_a_sentence() -> None:
    door = locked()
    assert isinstance(door.answer_visitor(FRIEND, "Asha", "10.0.0.7", 0.0), Locked)
    assert isinstance(door.answer_visitor(FRIEND, "Asha", "10.0.0.7", RUN_TIME - 1), Locked)
    assert door.answer_visitor(FRIEND, "Asha", "10.0.0.7", RUN_TIME) == Full(TOO_SLOW)


def test_guessing_stays_slow_with_places_for_all() -> None:
    door = locked()
    runs = [door.answer_visitor(key(n), "Eve", f"10.0.{n}.1", n * 0.01) for n in range(1, 200)]
    assert sum(isinstance(run, Locked) for run in runs) <= 2 / RUN_INTERVAL


def test_an_address_has_only_its_share_of_those_who_wait() -> None:
    door = FounderAdmission(key(0), Rng.from_seed(bytes(32)))
    door.asks_founder = True
    for number in range(1, 50):
        door.answer_visitor(key(number), "Eve", "10.0.0.66", 0.0)
    assert len(door.waiting) == WAITING_SHARE
    for number in range(50, 100):
        door.answer_visitor(key(number), "Eve", f"10.0.1.{number}", 0.0)
    assert len(door.waiting) == MOST_WAITING - RESERVED
    door.is_known = {FRIEND}.__contains__
    door.answer_visitor(FRIEND, "Asha", "10.0.0.66", 0.0)
    assert FRIEND in door.waiting


def test_whoever_comes_and_goes_keeps_the_place_for_a_while() -> None:
    door = FounderAdmission(key(0), Rng.from_seed(bytes(32)))
    door.asks_founder = True
    told = set()
    for number in range(1, 200):
        door.answer_visitor(key(number), "Eve", "10.0.0.66", number * 0.1)
        told |= set(door.waiting)
        door.on_link_down(key(number), number * 0.1)
    assert len(told) == WAITING_SHARE
    assert [door.take_arrival_place(key(n), "10.0.0.66", 0.0) for n in range(9)].count(
        True
    ) == ARRIVAL_SHARE
    door.on_link_down(key(0), 0.0)
    assert not door.take_arrival_place(key(90), "10.0.0.66", REST - 1)
    assert door.take_arrival_place(key(90), "10.0.0.66", REST)


def test_places_are_given_back() -> None:
    places = VisitorPlaces(MOST_RUNS, 1, 0)
    assert places.take(key(1), "10.0.0.1", False, 0.0) and places.take(key(1), "x", False, 0.0)
    places.release(key(1))
    assert places.take(key(2), "10.0.0.1", False, 0.0)
    assert not places.take(key(3), "10.0.0.1", False, 0.0)


def test_strangers_who_came_first_hold_no_more_runs_than_their_share() -> None:
    """For 8 s they are alone; no run of theirs has ended when somebody else comes."""
    door, held = locked(), 0
    for step in range(32):
        for number in range(1, 30):
            told = door.answer_visitor(key(number), "Eve", "10.0.0.66", step / 4)
            held = max(held, len(door._runs)) if isinstance(told, Locked) else held
    assert held == 2
    assert isinstance(door.answer_visitor(FRIEND, "Asha", "10.0.0.7", 8.5), Locked)


@pytest.mark.parametrize("known", [False, True])
def test_one_identity_that_comes_and_goes_takes_no_more_than_its_share(known: bool) -> None:
    """It frees and takes its own place; a player whom the founder has met is bound too, or it
    could fill the places of all others."""
    door, came = FounderAdmission(key(0), Rng.from_seed(bytes(32))), 0
    door.is_known = lambda visitor: known
    for step in range(200):
        came += door.take_arrival_place(key(1), "10.0.0.66", step * 0.25)
        door.on_link_down(key(1), step * 0.25)
    assert came == ARRIVAL_SHARE
    assert door.take_arrival_place(key(2), "10.0.0.7", 50.0)
