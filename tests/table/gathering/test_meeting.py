"""One node's part in gathering, step by step: what it repeats, whom it dials, when it goes on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.absence import LeaverCause
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.gathering.admission import REFUSED
from p2p304.table.gathering.consent import MOST_EARLY
from p2p304.table.gathering.exchange.begin_record import JOURNAL, read_begin
from p2p304.table.gathering.exchange.messages import (
    Full,
    Guest,
    Join,
    ListHoldings,
    Locked,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.meeting import REPEAT, Meeting
from p2p304.table.gathering.seat_requests import LOOKS_ALIKE
from p2p304.table.gathering.waiting import TO_AGREE
from p2p304.table.player.keyring import SECRETS, Secrets
from p2p304.table.state import gathering_events
from p2p304.table.state.gathering_events import WaitReason
from p2p304.table.transition.successor import Ending
from p2p304.wire.effects import Send
from tests.support.table.gathering_bus import CHOSEN, NICKS
from tests.support.table.meetings import Hall


def gathered(count: int = 4) -> Hall:
    hall = Hall(count)
    hall.begin(count - 1)
    return hall


def without_signatures(hall: Hall) -> Hall:
    """Nobody hears from anybody what it holds: the list is complete, and nothing follows."""
    hall.drops = lambda source, target, message: isinstance(message, ListHoldings)
    hall.begin()
    return hall


def members(hall: Hall, number: int) -> tuple[bytes, ...]:
    return hall.meetings[number].members


def test_four_agree_at_once_where_nothing_is_lost() -> None:
    hall = gathered()
    assert len(hall.tables()) == 1 and None not in hall.tables()
    for number, meeting in enumerate(hall.meetings):
        assert meeting.agreement is not None and meeting.next_timeout() is None
        assert [one.name for one in hall.written[number]] == [SECRETS, JOURNAL]
        assert meeting.signed == meeting.terms


def test_the_founder_has_no_address_on_its_list_because_every_guest_came_to_it() -> None:
    here = gathered(2).meetings[0].list
    assert here is not None
    assert [(guest.host == "", guest.port == 0) for guest in here.guests] == [
        (True, True),
        (False, False),
    ]


def test_nothing_is_said_or_heard_of_the_list_after_the_agreement() -> None:
    hall = gathered()
    sent, here = len(hall.sent), hall.meetings[1].list
    hall.run(3)
    assert len(hall.sent) == sent and here is not None
    key = hall.meetings[0].key
    other = replace(here, number=here.number + 1, name="Sunday").signed(key)
    for message in (other, Full("Go away.")):
        hall.meetings[1].receive(hall.keys[0], lobby_bytes(message), hall.now)
    assert hall.meetings[1].list == here
    assert not hall.heard(1, gathering_events.TurnedAway) and not hall.meetings[1].events()
    with pytest.raises(LookupError):
        hall.meetings[0].go_on_without(hall.keys[1], 100.0)


def test_a_member_without_all_signatures_gets_them_from_one_that_has_agreed() -> None:
    hall = Hall(4)
    hall.drops = lambda source, target, message: (
        target == 3 and isinstance(message, ListHoldings) and any(message.assents)
    )
    hall.begin()
    assert hall.meetings[3].agreement is None and hall.meetings[1].agreement is not None
    hall.drops = lambda source, target, message: False
    hall.run(1)
    assert len(hall.tables()) == 1 and None not in hall.tables()
    sent = len(hall.sent)
    whole = next(m for s, _, m in reversed(hall.sent) if s == 1 and isinstance(m, ListHoldings))
    assert all(whole.assents)
    hall.meetings[2].receive(hall.keys[1], lobby_bytes(whole), hall.now)
    hall.deliver()
    assert len(hall.sent) == sent  # nothing is missing there


def test_messages_are_repeated_each_second() -> None:
    hall = without_signatures(Hall(4))
    meeting = hall.meetings[1]
    at = meeting.next_timeout()
    assert at is not None
    meeting.effects()
    meeting.handle_timer(at - 0.1)
    assert meeting.effects() == [] and meeting.next_timeout() == at
    meeting.handle_timer(at)
    assert meeting.effects() and meeting.next_timeout() == at + REPEAT


def test_a_visitor_asks_until_it_is_on_the_list() -> None:
    hall = Hall(2)
    hall.drops = lambda source, target, message: isinstance(message, Join)
    hall.begin(1)
    hall.run(2)
    assert [m for s, _, m in hall.sent if s == 1] == [Join("Bandu")] * 3
    hall.drops = lambda source, target, message: False
    hall.run(3)
    assert [m for s, _, m in hall.sent if s == 1] == [Join("Bandu")] * 4
    assert members(hall, 0) == members(hall, 1) == tuple(hall.keys)


def test_a_link_makes_a_visitor_ask_at_once() -> None:
    hall = Hall(2)
    hall.meetings[0].found("Friday", hall.rules, 1)
    hall.meetings[1].join(hall.keys[0], 0.0)
    hall.deliver()
    assert hall.sent == []
    hall.now = 0.5
    hall.link(0, 1)
    assert hall.meetings[1].next_timeout() == 0.5


def test_a_complete_list_is_repeated_by_members_to_those_that_lack_a_link() -> None:
    """The founder repeats it to all; a member does not send it to those who have shown it."""
    hall = without_signatures(Hall(4))
    hall.sent.clear()
    hall.run(1)
    lists = {(s, t) for s, t, m in hall.sent if isinstance(m, Seated)}
    assert {(0, 1), (0, 2), (0, 3), (1, 2), (3, 1)} <= lists


def test_guests_dial_those_before_them_and_after_a_while_all() -> None:
    hall = Hall(4)
    hall.dials = False
    hall.begin()
    assert set(hall.dialled) == {(2, 1), (3, 1), (3, 2)}
    hall.run(int(TO_AGREE) + 1)
    assert set(hall.dialled) == {(a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b}


BESIDE = "127.0.0.1"


@pytest.mark.parametrize("founder", ["192.0.2.7", "fe80::7%eth0", BESIDE])
def test_a_guest_on_the_founders_loopback_is_dialled_at_the_founders_address(founder: str) -> None:
    """As a bot is that sat there before the last player came."""
    hall = Hall(4)
    hall.dials = False
    hall.hosts = {(0, 1): BESIDE, (1, 0): BESIDE, (3, 0): founder}
    hall.begin()
    assert hall.dialled_at == {(3, 1): founder, (3, 2): "host2", (2, 1): "host0"}


def test_a_member_dials_also_where_nothing_arrives() -> None:
    hall = Hall(4)
    hall.dials = False
    hall.begin()
    hall.drops = lambda source, target, message: True
    hall.dialled.clear()
    hall.run(int(TO_AGREE) + 1)
    assert {(1, 2), (1, 3), (2, 3)} <= set(hall.dialled)


def test_nobody_pledges_before_all_are_linked() -> None:
    hall = Hall(4)
    hall.dials = False
    hall.begin()
    hall.run(1)
    consents = [meeting.consent.current for meeting in hall.meetings]
    assert all(here is not None for here in consents)
    pledged = [hall.keys[n] in here.pledges for n, here in enumerate(consents) if here is not None]
    assert pledged == [True, False, False, False]  # the founder has links to all
    hall.link(1, 2)
    hall.link(1, 3)
    hall.link(2, 3)
    hall.run(1)
    assert None not in hall.tables()


def test_addresses_of_the_other_guests_are_told_where_they_are_known() -> None:
    hall = Hall(3)
    assert list(hall.meetings[0].addresses()) == []
    hall.begin(2)
    assert list(hall.meetings[1].addresses()) == [(hall.keys[2], "host2", 1002)]
    expected = [(hall.keys[n], f"host{n}", 1000 + n) for n in (1, 2)]
    assert list(hall.meetings[0].addresses()) == expected


def test_the_secrets_are_those_of_the_pledge_and_are_given_away_once() -> None:
    hall = gathered()
    meeting, rng = hall.meetings[0], hall.meetings[0].rng
    assert meeting.terms is not None
    table = meeting.terms.table
    secrets = meeting.take_secrets(table)
    written = next(one.data for one in hall.written[0] if one.name == SECRETS)
    assert secrets.record() == written
    assert meeting.rng is not rng and meeting.take_secrets(table).record() != written


def test_a_nonce_of_a_table_that_has_begun_is_never_pledged_again() -> None:
    """SPEC.md, "Gathering": who knows it before pledging could aim at a spoken code. The same list
    comes back after the table has begun."""
    hall = gathered()
    meeting = hall.meetings[0]
    assert meeting.terms is not None and meeting.list is not None
    first = meeting._seed
    assert meeting._seed == first
    meeting.take_secrets(meeting.terms.table)
    again = meeting._seed
    assert again != first and Secrets(again).nonce != Secrets(first).nonce


# Leaving, and waiting for somebody


def test_a_guest_whose_link_is_lost_gives_its_seat_back() -> None:
    hall = Hall(4)
    hall.begin(2)
    hall.unlink(0, 1)
    assert members(hall, 0) == members(hall, 2) == (hall.keys[0], hall.keys[2])


def test_a_lost_link_between_guests_changes_no_list() -> None:
    hall = Hall(4)
    hall.dials = False
    hall.begin(2)
    hall.link(1, 2)
    hall.unlink(1, 2)
    assert members(hall, 0) == members(hall, 1) == tuple(hall.keys[:3])
    assert not hall.heard(1, gathering_events.TurnedAway)


@pytest.mark.parametrize("said", [True, False])
def test_a_guest_leaves_where_the_founder_has_left_an_incomplete_list(said: bool) -> None:
    """A founder whose link is lost has left only if it has said so."""
    hall = Hall(4)
    hall.begin(2)
    hall.meetings[1].link_down(hall.keys[0], hall.now, said)
    hall.unlink(0, 1)
    (told,) = hall.heard(1, gathering_events.TurnedAway)
    assert ("has left" in str(told)) == said and hall.meetings[1].next_timeout() is None
    hall = without_signatures(Hall(4))
    hall.unlink(0, 1)
    assert not hall.heard(1, gathering_events.TurnedAway)


def test_a_list_that_all_have_pledged_keeps_a_guest_whose_link_is_lost() -> None:
    """Where this node has signed, the table may have begun at another node."""
    hall = Hall(4)
    hall.drops = lambda source, target, message: (
        isinstance(message, ListHoldings) and any(message.assents)
    )
    hall.begin()
    assert hall.meetings[0].signed is not None and hall.meetings[0].agreement is None
    hall.unlink(0, 3)
    assert members(hall, 0) == tuple(hall.keys)


def test_the_founder_goes_on_without_one_guest_after_each_long_wait() -> None:
    hall = without_signatures(Hall(4))
    founder, second, third = hall.meetings[0], hall.keys[1], hall.keys[2]
    hall.run(int(TO_AGREE) - 1)
    with pytest.raises(LookupError):
        founder.go_on_without(second, hall.now)
    hall.run(1)
    for wrong in (hall.keys[0], bytes(32)):
        with pytest.raises(LookupError):
            founder.go_on_without(wrong, hall.now)
    with pytest.raises(LookupError):
        hall.meetings[1].go_on_without(third, hall.now)
    founder.go_on_without(second, hall.now)
    hall.deliver()
    assert members(hall, 0) == (hall.keys[0], *hall.keys[2:])
    assert "without you" in str(hall.heard(1, gathering_events.TurnedAway))
    with pytest.raises(LookupError):
        founder.go_on_without(third, hall.now)


def test_a_wait_is_told_for_a_founder_that_does_not_answer() -> None:
    hall = Hall(2)
    hall.drops = lambda source, target, message: True
    hall.begin(1)
    hall.run(int(TO_AGREE) + 1)
    (told,) = hall.heard(1, gathering_events.Gathering)
    assert isinstance(told, gathering_events.Gathering) and not told.is_mine
    assert [(wait.key, wait.reason) for wait in told.waits] == [
        (hall.keys[0], WaitReason.NO_ANSWER)
    ]
    assert hall.heard(0, gathering_events.Gathering) == []


def test_an_incomplete_list_waits_for_nobody_in_particular() -> None:
    hall = Hall(3)
    hall.begin(2)
    hall.run(40)
    assert not any(hall.heard(number, gathering_events.Gathering) for number in range(3))


def test_a_complete_list_tells_its_founder_and_its_guests_for_whom_it_waits() -> None:
    hall = without_signatures(Hall(4))
    hall.run(int(TO_AGREE))
    for number in range(4):
        (told,) = hall.heard(number, gathering_events.Gathering)
        assert isinstance(told, gathering_events.Gathering) and told.is_mine == (number == 0)
        reasons = {wait.key: wait.reason for wait in told.waits}
        others = set(hall.keys) - {hall.keys[number]}
        assert reasons == dict.fromkeys(others, WaitReason.NOT_PLEDGED)


def test_a_new_list_begins_the_wait_of_its_founder_and_its_guests_anew() -> None:
    hall = Hall(4)
    hall.drops = lambda source, target, message: isinstance(message, ListHoldings)
    hall.begin(2)
    hall.run(int(TO_AGREE))
    hall.come(3)
    hall.run(int(TO_AGREE) - 1)
    assert not any(hall.heard(number, gathering_events.Gathering) for number in range(4))
    hall.run(1)
    for number in range(4):
        (told,) = hall.heard(number, gathering_events.Gathering)
        assert isinstance(told, gathering_events.Gathering) and told.seconds == TO_AGREE


def test_a_founder_that_was_restarted_is_shown_which_list_is_signed() -> None:
    """A member shows what it holds of a list unknown to the founder, and gets the founder's."""
    hall = Hall(3)
    hall.begin(2)
    hall.sent.clear()
    unknown = ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 4, ())
    hall.meetings[0].receive(hall.keys[1], lobby_bytes(unknown), hall.now)
    hall.meetings[2].receive(hall.keys[1], lobby_bytes(unknown), hall.now)
    hall.deliver()
    assert [(s, t) for s, t, m in hall.sent if m == hall.meetings[0].list] == [(0, 1)]


def test_one_unknown_list_of_each_peer_is_remembered() -> None:
    hall = Hall(2)
    hall.begin(1)
    consent = hall.meetings[0].consent
    for number in range(40):
        unknown = ListHoldings(bytes([number]) * 32, (None,) * 4, b"", (None,) * 4, ())
        assert not consent.take(bytes([number % 20]) * 32, unknown)
    assert len(consent._early) == MOST_EARLY == 16
    assert consent._early[bytes(32)].list == bytes([20]) * 32
    assert consent.has_shown_unknown_list(bytes(32))
    assert not consent.has_shown_unknown_list(bytes([16]) * 32)


# Seats


def test_a_seat_is_chosen_among_those_of_the_table_and_while_it_gathers() -> None:
    hall = Hall(4, CHOSEN)
    with pytest.raises(LookupError):
        hall.meetings[0].choose(0, 0.0)
    hall.begin(2)
    for wrong in (-1, 4):
        with pytest.raises(LookupError):
            hall.meetings[1].choose(wrong, hall.now)
    for seat in (3, 0):
        hall.meetings[0].choose(seat, hall.now)
        hall.deliver()
        assert [guest.seat for guest in hall.meetings[1].list.guests] == [seat, 1, 2]  # type: ignore[union-attr]
    hall.meetings[1].choose(3, hall.now)
    hall.deliver()
    assert hall.meetings[1].guests.requested_seat is None
    hall.drops = lambda source, target, message: isinstance(message, ListHoldings)
    hall.come(3)
    with pytest.raises(LookupError):
        hall.meetings[1].choose(3, hall.now)


def test_a_request_for_a_seat_is_repeated_until_it_is_answered() -> None:
    hall = Hall(3, CHOSEN)
    hall.begin(2)
    hall.drops = lambda source, target, message: isinstance(message, Join)
    hall.meetings[1].choose(3, hall.now)
    hall.deliver()
    hall.sent.clear()
    hall.run(2)
    assert [m for s, _, m in hall.sent if s == 1] == [Join("Bandu", 3)] * 2
    hall.drops = lambda source, target, message: False
    hall.run(2)
    assert sum(isinstance(m, Join) for _, _, m in hall.sent) == 3
    assert not hall.heard(1, gathering_events.NoSeat)


# Draws and continued tables


def test_seats_are_not_drawn_with_a_player_who_left_a_draw() -> None:
    hall = Hall(4)
    hall.meetings[2].early_leavers = {hall.keys[3]: LeaverCause.LEFT}
    hall.begin()
    assert hall.tables() == {None}
    (told,) = hall.heard(2, gathering_events.TurnedAway)
    assert isinstance(told, gathering_events.TurnedAway)
    assert str(told.sentence).startswith("You can't draw seats with Dilan")
    assert str(told.sentence)[-1] == "."
    assert hall.written[2] == []


def ending(hall: Hall, empty: int) -> Ending:
    rules = replace(preset("pagat").override({"away": "replace"}), seating="chosen")
    zeros = (0,) * rules.accounts
    after = Continuation(bytes(32), bytes(32), 2, zeros, zeros, zeros)
    return Ending("Friday", rules, 3, "now", tuple(hall.keys[:4]), NICKS[:4], empty, after)


@pytest.mark.parametrize("empty", [0, 2])
def test_those_who_stay_keep_their_seats_and_the_first_of_them_the_list(empty: int) -> None:
    hall = Hall(5)
    stay = [number for number in range(4) if number != empty]
    for one in stay:
        for other in stay:
            if one != other:
                hall.link(one, other)
    for number in stay:
        hall.meetings[number].continue_table(ending(hall, empty), 0.0)
    hall.deliver()
    hall.run(1)
    founder = hall.meetings[stay[0]]
    here = founder.list
    assert founder.is_founder and here is not None
    assert {hall.keys.index(guest.key): guest.seat for guest in here.guests} == {n: n for n in stay}
    assert (here.hands, here.watch, here.dealer) == (3, "now", 2)
    with pytest.raises(LookupError):
        founder.choose(empty, 0.0)
    wish = lobby_bytes(Join(NICKS[stay[1]], empty))
    founder.receive(hall.keys[stay[1]], wish, hall.now)
    assert founder.list == here
    with pytest.raises(LookupError):
        founder.go_on_without(hall.keys[stay[1]], 100.0)
    hall.link(4, stay[0])
    hall.meetings[4].join(hall.keys[stay[0]], hall.now)
    hall.deliver()
    hall.run(1)
    assert {m.terms for m in hall.meetings} - {None} == {founder.terms}
    assert founder.terms is not None and founder.terms.keys[empty] == hall.keys[4]


def test_a_guest_who_stays_needs_no_word_of_the_founder() -> None:
    hall = Hall(5)
    hall.link(0, 1)
    hall.link(0, 4)
    hall.meetings[0].admission.asks_founder = True
    for number in (0, 1):
        hall.meetings[number].continue_table(ending(hall, 3), 0.0)
    hall.meetings[4].join(hall.keys[0], 0.0)
    hall.deliver()
    assert members(hall, 0) == tuple(hall.keys[:2])
    assert [e.key for e in hall.told[0] if isinstance(e, gathering_events.JoinRequest)] == [
        hall.keys[4]
    ]
    hall.meetings[0].decide(hall.keys[4], False)
    hall.deliver()
    assert (0, 4, Full(REFUSED)) in hall.sent


def test_a_newcomer_cannot_take_the_name_of_a_player_who_stays_and_has_not_asked() -> None:
    hall = Hall(5)
    hall.meetings[0].continue_table(ending(hall, 3), 0.0)
    for number, nick in ((4, "b\u0430ndu"), (3, "Dilan")):
        hall.link(0, number)
        hall.meetings[0].link_up(hall.keys[number], nick, "h", 1, 0.0)
        hall.meetings[0].receive(hall.keys[number], lobby_bytes(Join(nick)), 0.0)
    hall.deliver()
    told = {to: message for source, to, message in hall.sent if source == 0}
    assert told[4] == Full(LOOKS_ALIKE.format(alike="Bandu"))
    assert set(members(hall, 0)) == {hall.keys[0], hall.keys[3]}


def test_who_stays_under_a_newcomers_name_is_told_so_at_a_locked_table_too() -> None:
    hall = Hall(5)
    founder = hall.meetings[0]
    founder.continue_table(ending(hall, 3), 0.0)
    founder.admission.passphrase = "jak"
    assert founder.list is not None
    newcomer = Guest(hall.keys[4], "Eshan", "h", 1, 3)
    founder.guests.change((*founder.list.guests, newcomer))
    hall.link(0, 1)
    founder.link_up(hall.keys[1], "eshan", "h", 1, 0.0)
    founder.receive(hall.keys[1], lobby_bytes(Join("eshan")), 0.0)
    hall.deliver()
    assert (0, 1, Full(LOOKS_ALIKE.format(alike="Eshan"))) in hall.sent
    assert hall.keys[1] not in members(hall, 0)


def test_who_stays_passes_over_the_list_and_the_question_of_the_ended_table() -> None:
    """Its founder answers with them where it has not heard of the end yet."""
    hall = Hall(4)
    hall.begin()
    old, stays = hall.meetings[0].list, Hall(4).meetings[1]
    assert old is not None
    stays.link_up(hall.keys[0], NICKS[0], "h", 1, 0.0)
    stays.continue_table(ending(hall, 3), 0.0)
    for message in (old, Locked(bytes(33))):
        stays.receive(hall.keys[0], lobby_bytes(message), 0.0)
        assert (stays.list, stays.guests.is_turned_away) == (None, False)
    here = ending(hall, 3)
    new = replace(old, rules=here.rules, hands=here.hands, watch=here.watch, after=here.after)
    seats = tuple(replace(guest, seat=n) for n, guest in enumerate(old.guests[:3]))
    stays.receive(
        hall.keys[0],
        lobby_bytes(replace(new, guests=seats).signed(SigningKey.from_seed(bytes([1]) * 32))),
        0.0,
    )
    assert [one.after for one in (stays.list,) if one is not None] == [here.after]


def test_who_stays_asks_anew_where_the_link_to_the_keeper_was_lost() -> None:
    hall = Hall(4)
    for number in (0, 1):
        hall.meetings[number].continue_table(ending(hall, 3), 0.0)
    hall.link(0, 1)
    hall.run(2)
    assert members(hall, 0) == members(hall, 1) == tuple(hall.keys[:2])
    hall.unlink(0, 1)
    assert members(hall, 0) == (hall.keys[0],)
    assert not hall.heard(1, gathering_events.TurnedAway)
    hall.link(0, 1)
    hall.run(2)
    assert members(hall, 0) == members(hall, 1) == tuple(hall.keys[:2])


def test_a_member_that_comes_back_to_its_table_shows_the_agreement_on_a_new_link() -> None:
    hall = Hall(4)
    hall.begin()
    hall.run(6)
    member, agreement = hall.meetings[1], hall.meetings[1].agreement
    begin = read_begin(next(one.data for one in hall.written[1] if one.name == JOURNAL))
    assert agreement is not None
    back = Meeting(member.key, NICKS[1], Rng.from_seed(bytes(32)), hall.now)
    back.resume(begin, agreement, Secrets(bytes(32), begin.terms.table))
    back.effects()
    back.link_up(hall.keys[2], NICKS[2], "h", 1, hall.now)
    back.link_up(bytes(32), "Eve", "h", 1, hall.now)
    (sent,) = [effect for effect in back.effects() if isinstance(effect, Send)]
    held = parse_lobby(sent.payload)
    assert sent.peer == hall.keys[2] and isinstance(held, ListHoldings)
    assert held.table == begin.terms.table and all(held.assents)


def test_a_fresh_meeting_has_nothing() -> None:
    hall = Hall(1)
    meeting = hall.meetings[0]
    assert (meeting.list, meeting.founder, meeting.signed) == (None, None, None)
    assert meeting.members == () and not meeting.is_founder and meeting.next_timeout() == 0.0
    assert isinstance(meeting.rng, Rng)
