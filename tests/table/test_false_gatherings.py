"""Who gathers falsely is refused by number, and an honest founder or visitor goes on."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import count

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.exchange.messages import (
    OPENING,
    Full,
    Guest,
    Join,
    Key,
    LobbyMessage,
    Locked,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.exchange.passphrase import Exchange, WrongPassphrase
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state import gathering_events
from p2p304.wire.effects import Send
from tests.support.hostile.false_gatherings import (
    FALSE,
    FALSE_GATHERINGS,
    HONEST,
    PASSPHRASE,
    FalseGathering,
    found_by_member,
    founder,
    reader_of,
    visitor,
)


@pytest.mark.parametrize("attack", FALSE_GATHERINGS, ids=lambda each: each.__name__)
def test_it_is_refused_by_its_check_and_names_nobody(attack: type[FalseGathering]) -> None:
    with pytest.raises(Refused) as refused:
        reader_of(attack.to)(attack().payload())
    assert (refused.value.finding.check, refused.value.finding.player) == (attack.check, None)


def test_two_faults_of_one_message_are_both_told() -> None:
    twice = [attack for attack in FALSE_GATHERINGS if attack.then is not None]
    assert twice
    for attack in twice:
        found = found_by_member(attack().payload())
        assert [finding.check for finding in found] == [attack.check, attack.then]


def sent(meeting: Meeting) -> list[LobbyMessage]:
    return [parse_lobby(e.payload) for e in meeting.effects() if isinstance(e, Send)]


def told(meeting: Meeting) -> list[str]:
    return [str(e.sentence) for e in meeting.events() if isinstance(e, gathering_events.TurnedAway)]


def guesses() -> Iterator[Exchange]:
    """A false founder's runs, each with another passphrase."""
    rng = Rng.from_seed(bytes([9]) * 32)
    for number in count():
        yield Exchange(f"{number:04d}", FALSE.public, HONEST.public, True, rng.bytes)


def take(meeting: Meeting, message: LobbyMessage) -> list[LobbyMessage]:
    """What the meeting answers; it may refuse."""
    with contextlib.suppress(Refused):
        meeting.receive(FALSE.public, lobby_bytes(message), 0.0)
    return sent(meeting)


def answers(meeting: Meeting, messages: list[LobbyMessage]) -> list[Key]:
    return [key for each in messages for key in take(meeting, each) if isinstance(key, Key)]


def test_a_visitor_answers_one_run_and_is_then_turned_away_with_one_sentence() -> None:
    guest, runs = visitor(), guesses()
    locked: list[LobbyMessage] = [Locked(next(runs).message) for _ in range(20)]
    assert len(answers(guest, locked)) == 1
    (sentence,) = told(guest)
    assert "passphrase twice" in sentence and guest.next_timeout() is None


def test_the_same_question_gets_the_same_answer_so_that_loss_costs_nothing() -> None:
    guest, locked = visitor(), Locked(next(guesses()).message)
    keys = answers(guest, [locked] * 5)
    assert len(keys) == 5 and len(set(keys)) == 1 and not told(guest)


@pytest.mark.parametrize(
    "between",
    [
        Full("full"),
        Locked(b"A" + bytes(32)),
        Seated(bytes(OPENING), "x", preset("pagat"), 1, (Guest(FALSE.public, "Eve", "", 0),)),
    ],
    ids=lambda each: type(each).__name__,
)
def test_no_message_in_between_gives_a_second_run(between: LobbyMessage) -> None:
    """Neither a refusal, nor garbage, nor a list makes the visitor answer another run."""
    guest, runs = visitor(), guesses()
    first, second = Locked(next(runs).message), Locked(next(runs).message)
    assert len(answers(guest, [first, between, second])) == 1
    after_garbage = visitor()
    assert len(answers(after_garbage, [between, first, second])) <= 1


def test_a_link_that_breaks_gives_no_second_run() -> None:
    guest, runs = visitor(), guesses()
    assert answers(guest, [Locked(next(runs).message)])
    guest.link_down(FALSE.public, 1.0)
    guest.link_up(FALSE.public, "Eve", "127.0.0.1", 1, 2.0)
    guest.handle_timer(3.0)
    assert not answers(guest, [Locked(next(runs).message)])


def test_after_an_exchange_that_is_none_the_visitor_is_turned_away() -> None:
    guest = visitor()
    assert not take(guest, Locked(b"A" + (2).to_bytes(32, "little")))[1:]
    assert "did not check your passphrase" in told(guest)[0]


def test_a_founder_asks_with_the_same_message_while_a_run_is_on() -> None:
    door = founder().admission
    one, two = (door.answer_visitor(FALSE.public, "Eve", "10.0.0.9", now) for now in (1.0, 2.0))
    assert one == two and isinstance(one, Locked)


def test_whatever_points_are_sent_the_exchange_refuses_by_number() -> None:
    rng, outcomes = Rng.from_seed(bytes(32)), set()
    for number in range(120):
        run = Exchange("x", FALSE.public, HONEST.public, True, rng.bytes)
        try:
            run.finish(b"B" + (number.to_bytes(32, "little") if number % 3 else rng.bytes(32)))
            run.verify(bytes(32))
        except Refused as refused:
            outcomes.add(refused.finding.check)
        except WrongPassphrase:
            outcomes.add("wrong")
    assert outcomes == {"W10", "wrong"}


def test_a_full_list_without_the_visitor_turns_it_away() -> None:
    keys = [FALSE, *(SigningKey.from_seed(bytes([n]) * 32) for n in (5, 6, 7))]
    people = tuple(Guest(key.public, f"G{n}", "", 0) for n, key in enumerate(keys))
    guest = visitor(None)
    take(guest, Seated(bytes(OPENING), "Friday", preset("pagat"), 1, people).signed(FALSE))
    guest.handle_timer(9.0)
    assert guest.list is None and guest.signed is None
    assert told(guest) == ["This table is full. Choose another one."]


def test_keys_that_are_none_are_no_guests() -> None:
    people = (Guest(FALSE.public, "Eve", "", 0), Guest(bytes([1]) + bytes(31), "x", "", 0))
    with pytest.raises(Refused, match="W06"):
        parse_lobby(lobby_bytes(Seated(bytes(OPENING), "x", preset("pagat"), 1, people)))


def test_the_passphrase_is_not_in_what_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        reader_of("visitor")(lobby_bytes(Locked(b"A" + bytes(32))))
    assert PASSPHRASE not in repr(refused.value)


def test_nobody_learns_a_name_at_a_locked_table_by_asking_under_it() -> None:
    """The founder's own name is taken; whoever does not know the passphrase is not told so."""
    meeting = Meeting(HONEST, "Asha", Rng.from_seed(bytes(32)), 0.0)
    meeting.admission.passphrase = PASSPHRASE
    meeting.found("Friday", preset("pagat"), 1)
    for number, nick in enumerate(("Asha", "Bandu"), 50):
        key = SigningKey.from_seed(bytes([number]) * 32).public
        meeting.link_up(key, nick, f"10.0.0.{number}", 1, number)
        meeting.receive(key, lobby_bytes(Join(nick)), number)
        (answer,) = sent(meeting)
        assert isinstance(answer, Locked), nick
