"""Players who hold another list than the founder's present one: nobody waits for ever, and a locked
table shows its list to nobody who has not proven the passphrase."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.table.agreement.terms import assent
from p2p304.table.gathering.admission import ASKED_ANEW, BARRED, FULL
from p2p304.table.gathering.exchange.begin_record import JOURNAL, read_begin
from p2p304.table.gathering.exchange.messages import (
    Full,
    ListHoldings,
    LobbyMessage,
    Locked,
    Seated,
    lobby_bytes,
)
from p2p304.table.gathering.list_acceptance import TURNED_AWAY, is_about_passphrase
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.gathering.waiting import TO_AGREE
from p2p304.table.player.keyring import Secrets
from p2p304.table.state import gathering_events
from tests.support.table.gathering_bus import NICKS
from tests.support.table.meetings import Hall

WORD = "jak fruit"
OF_NO_LIST = ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 4, ())


def locked(count: int = 4) -> Hall:
    hall = Hall(count)
    for meeting in hall.meetings:
        meeting.admission.passphrase = meeting.visitor.passphrase = WORD
    return hall


def signs(source: int, target: int, message: LobbyMessage) -> bool:
    return isinstance(message, ListHoldings) and any(message.assents)


def signs_but_the_fourth(source: int, target: int, message: LobbyMessage) -> bool:
    return source != 3 and signs(source, target, message)


def signed_by_the_founder(hall: Hall) -> Hall:
    """All have signed, and nobody has all signatures. From now on lost links stay lost."""
    hall.drops = signs
    hall.begin()
    hall.run(6)
    hall.dials = False
    assert hall.meetings[0].consent.has_signed and hall.tables() == {None}
    return hall


def completing(hall: Hall) -> bytes:
    """What the fourth player holds of the first list, and everybody's signature but the
    founder's."""
    held = hall.meetings[3].consent.message(hall.keys)
    assert held is not None and held.table
    assents = [assent(meeting.key, held.table) for meeting in hall.meetings[1:4]]
    return lobby_bytes(replace(held, assents=(None, *assents)))


def heard_by(hall: Hall, number: int) -> list[LobbyMessage]:
    return [message for source, target, message in hall.sent if (source, target) == (0, number)]


def left(hall: Hall, number: int) -> list[str]:
    return [str(event) for event in hall.heard(number, gathering_events.TurnedAway)]


def test_a_guest_that_begins_anew_is_asked_before_it_is_sent_the_list() -> None:
    """It would leave a table whose list comes before the question for the passphrase."""
    hall = signed_by_the_founder(locked())
    for other in (0, 2, 3):
        hall.unlink(other, 1)
    hall.sent.clear()
    key = hall.meetings[1].key
    hall.meetings[1] = Meeting(key, NICKS[1], Rng.from_seed(bytes(32)), hall.now)
    hall.meetings[1].visitor.passphrase = WORD
    hall.link(0, 1)
    hall.meetings[1].guests.founder = hall.keys[0]  # its join is under way
    hall.meetings[0].handle_timer(hall.now)
    hall.deliver()
    assert not [message for message in heard_by(hall, 1) if isinstance(message, Seated)]
    hall.meetings[1].join(hall.keys[0], hall.now)
    hall.run(3)
    words = [type(m) for m in heard_by(hall, 1) if isinstance(m, Locked | Seated)]
    assert words[0] is Locked and Seated in words
    assert not left(hall, 1) and hall.meetings[1].list == hall.meetings[0].list


def test_a_guest_that_kept_the_list_is_sent_later_ones_without_a_proof() -> None:
    """It asks for no seat, so nobody asks it for the passphrase."""
    hall = signed_by_the_founder(locked())
    hall.unlink(0, 1)
    hall.run(int(TO_AGREE) + 1)
    hall.drops = lambda source, target, message: source != 1 and signs(source, target, message)
    hall.link(0, 1)
    hall.run(1)
    hall.meetings[0].go_on_without(hall.keys[3], hall.now)
    hall.run(1)
    assert not left(hall, 1) and hall.meetings[1].list == hall.meetings[0].list
    assert hall.meetings[1].members == tuple(hall.keys[:3])


@pytest.mark.parametrize("shows", [True, False])
def test_a_founder_that_comes_back_sends_its_list_to_a_guest_that_holds_a_later_one(
    shows: bool,
) -> None:
    """No journal of the founder has that later list, and its opening is another one."""
    hall = signed_by_the_founder(locked())
    begin = read_begin(next(one.data for one in hall.written[0] if one.name == JOURNAL))
    before, key = hall.meetings[0], hall.meetings[0].key
    before.guests.resume(begin, b"o" * 16)
    before.guests.change(begin.list.guests)
    hall.run(2)
    assert hall.meetings[1].list == before.list != begin.list
    hall.unlink(0, 1)
    founder = hall.meetings[0] = Meeting(key, NICKS[0], Rng.from_seed(bytes(32)), hall.now)
    secrets = Secrets(bytes(32), begin.terms.table)
    founder.resume(begin, None, secrets)
    founder.admission.passphrase = WORD
    hall.drops = lambda source, target, message: source == 1 and not shows
    hall.link(0, 1)
    hall.run(3)
    assert (hall.meetings[1].list == begin.list) == shows


def test_a_locked_table_shows_its_list_to_nobody_for_false_holdings() -> None:
    hall = locked(3)
    hall.begin(1)
    hall.run(2)
    assert len(hall.meetings[0].members) == 2
    hall.link(0, 2)
    hall.meetings[0].receive(hall.keys[2], lobby_bytes(OF_NO_LIST), hall.now)
    hall.deliver()
    assert heard_by(hall, 2) == [Full(ASKED_ANEW)]
    assert is_about_passphrase(TURNED_AWAY.filled(why=ASKED_ANEW))


def test_a_complete_table_shows_its_list_to_no_stranger() -> None:
    hall = Hall(5)
    hall.drops = lambda source, target, message: isinstance(message, ListHoldings)
    hall.begin()
    hall.link(0, 4)
    hall.meetings[0].receive(hall.keys[4], lobby_bytes(OF_NO_LIST), hall.now)
    hall.deliver()
    assert heard_by(hall, 4) == [Full(FULL)]


@pytest.mark.parametrize(("later", "why"), [(0.0, "continues without you"), (BARRED, "")])
def test_a_guest_that_was_put_out_while_it_had_no_link_is_told(later: float, why: str) -> None:
    """After a minute it may come back: it gets the list, and asks for a seat again."""
    hall = signed_by_the_founder(Hall(4))
    hall.unlink(0, 3)
    hall.run(int(TO_AGREE) + 1)
    hall.meetings[0].go_on_without(hall.keys[3], hall.now)
    hall.deliver()
    hall.now += later
    hall.drops = signs_but_the_fourth
    hall.link(0, 3)
    hall.run(2)
    if why:
        assert why in left(hall, 3)[0]
    else:
        assert not left(hall, 3) and hall.meetings[3].list == hall.meetings[0].list
        assert len(hall.meetings[0].members) == 4


def test_a_newcomer_is_told_when_the_founder_goes_back_to_the_former_list() -> None:
    hall = signed_by_the_founder(Hall(5))
    hall.run(int(TO_AGREE) + 1)
    hall.meetings[0].go_on_without(hall.keys[3], hall.now)
    hall.deliver()
    hall.drops = signs_but_the_fourth
    hall.come(4)
    assert hall.meetings[4].members == (*hall.keys[:3], hall.keys[4])
    hall.meetings[0].receive(hall.keys[3], completing(hall), hall.now)
    assert hall.meetings[0].agreement is not None and hall.keys[4] not in hall.meetings[0].members
    hall.run(2)
    assert "full" in left(hall, 4)[0] and hall.meetings[4].next_timeout() is None


def test_whoever_completes_the_former_list_is_not_sent_the_next_one() -> None:
    hall = signed_by_the_founder(Hall(4))
    hall.unlink(0, 3)
    hall.run(int(TO_AGREE) + 1)
    hall.meetings[0].go_on_without(hall.keys[3], hall.now)
    hall.deliver()
    hall.link(0, 3)
    hall.sent.clear()
    hall.meetings[0].receive(hall.keys[3], completing(hall), hall.now)
    hall.deliver()
    assert hall.meetings[0].agreement is not None
    assert [type(message) for message in heard_by(hall, 3)] == [ListHoldings]
