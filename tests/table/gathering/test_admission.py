"""Both sides of admission alone: runs of the passphrase exchange, the founder's word, places."""

from __future__ import annotations

import pytest

from p2p304.crypto.rng import Rng
from p2p304.table.gathering.admission import (
    ASKS_TWICE,
    BARRED,
    MOST_NAMES,
    NEEDS_ONE,
    NOT_THE_TABLE,
    REFUSED,
    REQUEST_TIME,
    REST,
    RUN_INTERVAL,
    RUN_TIME,
    TOO_SLOW,
    WAITING_SHARE,
    WRONG,
    FounderAdmission,
    VisitorAdmission,
)
from p2p304.table.gathering.exchange.messages import Full, Key, LobbyMessage, Locked, Unlocked
from p2p304.table.gathering.exchange.passphrase import WrongPassphrase

FOUNDER, ASHA, BANDU, CHITRA = (bytes([n]) * 32 for n in range(4))
WORD = "jak fruit"


def founder(passphrase: str | None = WORD) -> FounderAdmission:
    admission = FounderAdmission(FOUNDER, Rng.from_seed(bytes(32)))
    admission.passphrase = passphrase
    return admission


def visitor(passphrase: str | None = WORD, own: bytes = ASHA) -> VisitorAdmission:
    admission = VisitorAdmission(own, Rng.from_seed(bytes([7]) * 32))
    admission.passphrase = passphrase
    return admission


def ask(
    admission: FounderAdmission, who: bytes, now: float = 0.0, host: str = ""
) -> LobbyMessage | None:
    return admission.answer_visitor(who, f"visitor {who[0]}", host or f"10.0.0.{who[0]}", now)


def challenge(admission: FounderAdmission, who: bytes, now: float = 0.0, host: str = "") -> Locked:
    told = ask(admission, who, now, host)
    assert isinstance(told, Locked)
    return told


# The passphrase


def test_one_who_knows_the_passphrase_proves_it_and_is_shown_that_the_founder_does() -> None:
    door, guest = founder(), visitor()
    assert (guest.has_answered, guest.is_founder_trusted) == (False, False)
    told = door.try_key(ASHA, guest.answer(FOUNDER, challenge(door, ASHA)))
    assert isinstance(told, Unlocked) and door.proof_for(ASHA) == told
    assert (guest.has_answered, guest.is_founder_trusted) == (True, False)
    guest.check_founder(told)
    assert guest.is_founder_trusted and door.is_unlocked_for(ASHA) and door.may_enter(ASHA)
    assert not door.is_waiting(ASHA)
    assert not door.is_unlocked_for(BANDU) and door.proof_for(BANDU) is None


def test_a_wrong_passphrase_ends_the_run_and_the_next_one_is_open_at_once() -> None:
    door = founder()
    key = visitor("mango").answer(FOUNDER, challenge(door, ASHA))
    assert door.try_key(ASHA, key) == Full(WRONG)
    assert not door.is_unlocked_for(ASHA) and door.try_key(ASHA, key) is None
    challenge(door, ASHA, RUN_INTERVAL)


def test_a_run_counts_for_the_two_whose_it_is() -> None:
    """Also where somebody else hands on what a visitor with the passphrase answers."""
    door = founder()
    told = challenge(door, BANDU)
    assert door.try_key(BANDU, visitor(own=ASHA).answer(FOUNDER, told)) == Full(WRONG)
    told = challenge(door, BANDU, RUN_INTERVAL)
    assert door.try_key(BANDU, visitor(own=BANDU).answer(ASHA, told)) == Full(WRONG)


def test_a_visitor_answers_one_run_and_repeats_its_answer() -> None:
    door, guest = founder(), visitor()
    told = challenge(door, ASHA)
    answer = guest.answer(FOUNDER, told)
    assert guest.answer(FOUNDER, told) == answer
    with pytest.raises(WrongPassphrase, match=ASKS_TWICE):
        guest.answer(FOUNDER, challenge(founder("mango"), ASHA))
    with pytest.raises(WrongPassphrase, match=NEEDS_ONE):
        visitor(None).answer(FOUNDER, told)
    bent = Locked(bytes(len(told.exchange)))
    with pytest.raises(WrongPassphrase, match=NEEDS_ONE):
        visitor(None).answer(FOUNDER, bent)
    with pytest.raises(WrongPassphrase, match=ASKS_TWICE):
        guest.answer(FOUNDER, bent)
    assert visitor(None).is_founder_trusted


def test_a_founder_that_proves_nothing_is_not_the_one() -> None:
    guest = visitor()
    with pytest.raises(WrongPassphrase, match=NOT_THE_TABLE):
        guest.check_founder(Unlocked(bytes(32)))
    guest.answer(FOUNDER, challenge(founder(), ASHA))
    with pytest.raises(WrongPassphrase, match=NOT_THE_TABLE):
        guest.check_founder(Unlocked(bytes(32)))
    assert not guest.is_founder_trusted


def test_an_open_run_repeats_its_message_until_its_time_is_up() -> None:
    door = founder()
    told = challenge(door, ASHA)
    assert ask(door, ASHA, 1.0) == ask(door, ASHA, RUN_TIME - 0.1) == told
    assert door.is_waiting(ASHA)
    assert ask(door, ASHA, RUN_TIME) == Full(TOO_SLOW)
    assert challenge(door, ASHA, RUN_TIME + 1) != told


def test_runs_begin_at_an_interval_and_the_first_who_asked_is_first() -> None:
    door = founder()
    challenge(door, ASHA)
    assert ask(door, BANDU, 0.1) is None and door.is_waiting(BANDU)
    assert ask(door, BANDU, RUN_INTERVAL - 0.1) is None
    challenge(door, BANDU, RUN_INTERVAL)
    assert ask(door, CHITRA, RUN_INTERVAL + 0.1) is None


def test_the_address_whose_run_is_the_longest_ago_is_next() -> None:
    door = founder()
    challenge(door, ASHA, 0.0, "10.0.0.1")
    challenge(door, BANDU, 1.0, "10.0.0.2")
    first, second = bytes([8]) * 32, bytes([9]) * 32
    assert ask(door, second, 1.1, "10.0.0.2") is None
    assert ask(door, first, 1.2, "10.0.0.1") is None
    assert ask(door, second, 2.0, "10.0.0.2") is None
    challenge(door, first, 2.0, "10.0.0.1")
    challenge(door, second, 2.5, "10.0.0.2")


def test_a_player_whom_the_founder_has_met_is_before_all_others() -> None:
    door = founder()
    door.is_known = {BANDU}.__contains__
    challenge(door, CHITRA, 0.0)
    assert ask(door, BANDU, 0.1) is None
    assert ask(door, ASHA, 0.5) is None
    challenge(door, BANDU, 0.5)


def test_a_request_for_a_run_counts_for_a_short_time() -> None:
    """Somebody who asked once, and no more, holds nobody up."""
    door = founder()
    door.is_known = {BANDU}.__contains__
    challenge(door, CHITRA, 0.0)
    assert ask(door, BANDU, 0.1) is None
    assert ask(door, ASHA, 0.1 + REQUEST_TIME - 0.1) is None
    challenge(door, ASHA, 0.1 + REQUEST_TIME)


def test_one_address_has_two_open_runs_and_gets_the_place_of_one_that_is_over() -> None:
    door, host = founder(), "10.0.0.66"
    runs = [bytes([n]) * 32 for n in range(10, 14)]
    challenge(door, runs[0], 0.0, host)
    challenge(door, runs[1], 1.0, host)
    assert ask(door, runs[2], 2.0, host) is None and not door.is_waiting(runs[2])
    door.try_key(runs[0], visitor("mango", runs[0]).answer(FOUNDER, challenge(door, runs[0], 2.0)))
    challenge(door, runs[2], 3.0, host)
    assert ask(door, runs[3], 4.0, host) is None
    door.on_link_down(runs[1], 4.0)
    challenge(door, runs[3], 5.0, host)
    late = bytes([14]) * 32
    challenge(door, late, 3.0 + RUN_TIME, host)


def test_a_visitor_whose_link_is_lost_is_forgotten() -> None:
    door = founder()
    told = challenge(door, ASHA)
    assert ask(door, BANDU, 0.1) is None
    for gone in (ASHA, BANDU):
        door.on_link_down(gone, 1.0)
        assert not door.is_waiting(gone)
    assert challenge(door, ASHA, 2.0) != told
    ask(door, BANDU, 2.0 + RUN_TIME)  # the run of the first one is over
    door.on_link_down(ASHA, 3.0 + RUN_TIME)
    challenge(door, ASHA, 4.0 + RUN_TIME)


def test_many_addresses_are_remembered_and_the_oldest_forgotten() -> None:
    door = founder()
    for number in range(70):
        who = number.to_bytes(32, "big")
        challenge(door, who, float(number), f"10.0.1.{number}")
        door.on_link_down(who, float(number))
    assert list(door._last_run_at) == [f"10.0.1.{number}" for number in range(6, 70)]


# The founder's word


def asking() -> FounderAdmission:
    door = founder(None)
    door.asks_founder = True
    return door


def test_an_open_table_lets_everybody_in() -> None:
    door = founder(None)
    assert door.may_enter(ASHA) and door.is_unlocked_for(ASHA)


def test_a_visitor_waits_for_the_founders_word() -> None:
    door = asking()
    assert not door.may_enter(ASHA) and ask(door, ASHA) is None and ask(door, BANDU) is None
    assert door.waiting == {ASHA: "visitor 1", BANDU: "visitor 2"} and door.is_waiting(ASHA)
    door.decide(ASHA, True)
    door.decide(BANDU, False)
    assert not door.waiting and not door.is_waiting(ASHA)
    assert door.may_enter(ASHA) and not door.may_enter(BANDU)
    assert ask(door, BANDU) == Full(REFUSED)


def test_a_name_that_waits_is_not_changed_by_asking_again() -> None:
    door = asking()
    ask(door, ASHA)
    door.answer_visitor(ASHA, "Esha", "10.0.0.1", 1.0)
    assert door.waiting == {ASHA: "visitor 1"}


def test_names_of_those_who_have_left_are_remembered_for_a_while() -> None:
    door = asking()
    for number in range(MOST_NAMES + 3):
        who = number.to_bytes(32, "big")
        door.answer_visitor(who, f"v{number}", f"10.{number // 200}.1.{number % 200}", 0.0)
        door.decide(who, True)
    assert len(door.recent_names) == MOST_NAMES == 256
    assert next(iter(door.recent_names.values())) == "v3"
    ask(door, ASHA)
    door.on_link_down(ASHA, 0.0)
    assert not door.waiting and door.recent_names[ASHA] == "visitor 1"


@pytest.mark.parametrize("decided", [False, True])
def test_a_place_to_wait_is_free_at_once_after_a_word_and_later_after_leaving(
    decided: bool,
) -> None:
    door, host = asking(), "10.0.0.66"
    crowd = [bytes([n]) * 32 for n in range(10, 10 + WAITING_SHARE)]
    for who in crowd:
        ask(door, who, 0.0, host)
    ask(door, ASHA, 0.0, host)
    assert set(door.waiting) == set(crowd)
    if decided:
        door.decide(crowd[0], False)
    else:
        door.on_link_down(crowd[0], 0.0)
    ask(door, ASHA, REST - 1, host)
    assert (ASHA in door.waiting) == decided
    ask(door, ASHA, REST, host)
    assert ASHA in door.waiting


def test_a_locked_table_asks_for_the_passphrase_before_its_founder() -> None:
    door = asking()
    door.passphrase = WORD
    guest = visitor()
    told = challenge(door, ASHA)
    assert not door.waiting
    door.try_key(ASHA, guest.answer(FOUNDER, told))
    assert door.is_unlocked_for(ASHA) and not door.may_enter(ASHA)
    assert ask(door, ASHA, 1.0) is None and ASHA in door.waiting


def test_a_removed_guest_is_out_for_a_minute_and_then_a_new_visitor() -> None:
    door = founder()
    door.asks_founder = True
    door.try_key(ASHA, visitor().answer(FOUNDER, challenge(door, ASHA)))
    door.decide(ASHA, True)
    assert door.may_enter(ASHA)
    door.exclude(ASHA, 10.0)
    assert not door.is_unlocked_for(ASHA)
    assert door.is_excluded(ASHA, 10.0 + BARRED - 1) and not door.is_excluded(BANDU, 10.0)
    assert not door.is_excluded(ASHA, 10.0 + BARRED)
    door.passphrase = None
    assert not door.may_enter(ASHA)
    door.exclude(BANDU, 20.0)
    assert door.is_excluded(ASHA, 21.0)
    door.exclude(CHITRA, 10.0 + BARRED)
    assert set(door._excluded) == {BANDU, CHITRA}


def test_a_key_without_a_run_is_not_looked_at() -> None:
    assert founder().try_key(ASHA, Key(bytes(33), bytes(32))) is None
