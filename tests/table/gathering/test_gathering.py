"""Gathering without I/O: four nodes find to one agreement, whatever is lost on the way."""

from __future__ import annotations

import pytest

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.exchange.notes import Note, note_bytes
from p2p304.table.gathering import meeting
from p2p304.table.gathering.exchange.messages import Guest, Join, Seated, lobby_bytes, parse_lobby
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.state import events, gathering_events
from p2p304.wire.framing import FrameKind
from tests.support.table.gathering_bus import CHOSEN, NICKS, Bus, turned_away


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_four_nodes_come_to_one_agreement(loss: float) -> None:
    bus = Bus(4, loss)
    bus.gather(seconds=200)
    tables = {node.table.terms.table for node in bus.nodes if node.table}
    assert len(tables) == 1 and all(node.table for node in bus.nodes)


def test_a_session_without_an_end_is_not_opened() -> None:
    node = Bus(1).nodes[0]
    session = preset("pagat").override({"match": "session"})
    with pytest.raises(Refused, match="fixed number of hands") as refused:
        node.meeting.found("Evening", session, 0)
    assert refused.value.finding.check == "A02" and node.meeting.list is None
    node.meeting.found("Evening", session, 12)


@pytest.mark.parametrize("seating", ["random", "chosen"])
def test_nobody_takes_a_false_founders_list_of_a_session_without_an_end(
    seating: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All would sign it, and no program would take the agreement: a table that never begins."""
    monkeypatch.setattr(meeting, "check_length", lambda rules, hands: None)
    bus = Bus(4)
    session = preset("pagat").override({"match": "session", "seating": seating})
    bus.nodes[0].meeting.found("Evening", session, 0)
    for guest in (1, 2, 3):
        bus.link(guest, 0)
        bus.nodes[guest].meeting.join(bus.nodes[0].key.public, bus.now)
    bus.until(lambda: all(node.meeting.agreement for node in bus.nodes), 20)
    assert {guest for guest, reason in bus.hung if "malformed" in reason} == {1, 2, 3}
    assert not any(node.meeting.list or node.meeting.agreement for node in bus.nodes[1:])


def test_a_fifth_is_turned_away_with_a_sentence() -> None:
    bus = Bus(5)
    bus.gather()
    bus.link(4, 0)
    bus.nodes[4].meeting.join(bus.nodes[0].key.public, bus.now)
    bus.until(lambda: any(isinstance(e, gathering_events.TurnedAway) for e in bus.told[4]), 5)
    assert any(isinstance(e, gathering_events.TurnedAway) for e in bus.told[4])


def test_who_leaves_before_the_agreement_gives_the_seat_back() -> None:
    bus = Bus(4)
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    bus.nodes[1].meeting.join(bus.nodes[0].key.public, 0.0)
    bus.step()
    bus.nodes[0].link_down(bus.nodes[1].key.public, bus.now)
    bus.step()
    members = [e for e in bus.told[0] if isinstance(e, gathering_events.Members)]
    assert members[-1].nicks == ("Asha",)


def test_a_founder_who_leaves_is_said() -> None:
    bus = Bus(2)
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    bus.nodes[1].meeting.join(bus.nodes[0].key.public, 0.0)
    bus.step()
    bus.nodes[1].link_down(bus.nodes[0].key.public, bus.now)
    bus.step()
    assert any(isinstance(e, gathering_events.TurnedAway) for e in bus.told[1])


def test_malformed_words_cut_the_link_and_change_nothing() -> None:
    bus = Bus(2)
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    for raw in (b"", b"\xc1", b"\x80", lobby_bytes(Join("x"))[:-1]):
        bus.nodes[0].receive(bus.nodes[1].key.public, FrameKind.LOBBY, raw, 0.0)
        with pytest.raises(Refused):
            parse_lobby(raw)
    bus.step()
    assert len(bus.hung) == 4
    assert bus.nodes[0].meeting.list is not None
    assert len(bus.nodes[0].meeting.list.guests) == 1


# The passphrase


class Apart(Bus):
    """Guests cannot link with one another, so nobody signs."""

    def link(self, one: int, two: int) -> None:
        if 0 in (one, two):
            super().link(one, two)


def locked(bus: Bus, *passphrases: str | None) -> None:
    """Node 0 opens; the others come with what they were told, or nothing."""
    for node, passphrase in zip(bus.nodes, passphrases, strict=False):
        node.meeting.admission.passphrase = node.meeting.visitor.passphrase = passphrase


def test_a_passphrase_lets_in_who_knows_it_however_it_is_spelt() -> None:
    bus = Bus(4, loss=0.1)
    locked(bus, "Jak fruit ", "jak  FRUIT", "jak fruit", "Ｊak fruit")
    bus.gather(seconds=200)
    assert all(node.table for node in bus.nodes)


@pytest.mark.parametrize(
    ("passphrase", "why"), [("mango", "Wrong passphrase"), (None, "needs a passphrase")]
)
def test_who_does_not_know_the_passphrase_is_turned_away(passphrase: str | None, why: str) -> None:
    bus = Bus(2)
    locked(bus, "jak fruit", passphrase)
    bus.gather(1, 10)
    assert why in turned_away(bus, 1)[0]
    assert bus.nodes[0].meeting.members == (bus.nodes[0].key.public,)


def test_a_table_that_does_not_know_the_passphrase_is_not_believed() -> None:
    bus = Bus(2)
    locked(bus, None, "jak fruit")
    bus.gather(1, 10)
    assert "another table with the same name" in turned_away(bus, 1)[0]
    assert bus.nodes[1].meeting.list is None


@pytest.mark.parametrize("said", [True, False])
def test_whoever_leaves_a_locked_table_can_come_back(said: bool) -> None:
    """Its program begins anew, so it has no proof yet that the table knows the passphrase."""
    bus = Bus(2)
    locked(bus, "jak fruit", "jak fruit")
    bus.gather(1, 10)
    host, guest = bus.nodes
    assert list(host.meeting.members) == [host.key.public, guest.key.public]
    host.meeting.link_down(guest.key.public, bus.now, said)
    assert list(host.meeting.members) == [host.key.public]
    bus.links.clear()
    bus.nodes[1] = Node(guest.key, guest.meeting.nick, Rng.from_seed(bytes(32)), bus.now)
    bus.nodes[1].meeting.visitor.passphrase = "jak fruit"
    bus.link(1, 0)
    bus.nodes[1].meeting.join(host.key.public, bus.now)
    for _ in range(10):
        bus.step()
    assert not turned_away(bus, 1)
    assert list(host.meeting.members) == [host.key.public, guest.key.public]


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize(("kind", "people"), [(Bus, 2), (Bus, 4), (Apart, 4)])
def test_a_program_that_is_started_anew_proves_the_passphrase_anew(
    kind: type[Bus], people: int, said: bool
) -> None:
    """Whether it waited for the founder's word, was about to begin, or waited for links."""
    bus = kind(people)
    locked(bus, *("jak fruit",) * people)
    host, *guests = bus.nodes
    host.meeting.admission.asks_founder = people == 2
    host.meeting.found("Friday", preset("pagat"), 1)
    for number, node in enumerate(guests, start=1):
        bus.link(number, 0)
        node.meeting.join(host.key.public, bus.now)
        for _ in range(5):
            bus.step()
    guest, door = guests[0], host.meeting.admission
    assert door.is_unlocked_for(guest.key.public) and not turned_away(bus, 1)
    assert (guest.key.public in host.meeting.members) == (people == 4)
    host.meeting.link_down(guest.key.public, bus.now, said)
    bus.links.discard(frozenset((0, 1)))
    bus.nodes[1] = Node(guest.key, guest.meeting.nick, Rng.from_seed(bytes(32)), bus.now)
    bus.nodes[1].meeting.visitor.passphrase = "jak fruit"
    bus.link(1, 0)
    bus.nodes[1].meeting.join(host.key.public, bus.now)
    for _ in range(10):
        bus.step()
    assert not turned_away(bus, 1) and door.is_unlocked_for(guest.key.public)


def test_a_visitor_that_has_proven_the_passphrase_leaves_with_its_link() -> None:
    """The founder forgets the proof with the link, and a visitor answers no second question."""
    bus = Bus(2)
    locked(bus, "jak fruit", "jak fruit")
    bus.nodes[0].meeting.admission.asks_founder = True
    bus.gather(1, 5)
    visitor = bus.nodes[1].meeting
    assert visitor.list is None and visitor.visitor.has_answered
    bus.nodes[1].link_down(bus.nodes[0].key.public, bus.now)
    bus.step()
    assert "connection to the player who opened this table is lost" in turned_away(bus, 1)[0]


def test_a_visitor_that_was_asked_for_no_passphrase_yet_waits_for_a_new_link() -> None:
    bus = Bus(2)
    locked(bus, "jak fruit", "jak fruit")
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    bus.nodes[1].meeting.join(bus.nodes[0].key.public, bus.now)
    bus.nodes[1].link_down(bus.nodes[0].key.public, bus.now)
    bus.step()
    assert not turned_away(bus, 1)


def test_a_guest_of_a_locked_table_that_is_opened_anew_joins_again_itself() -> None:
    """Its list was complete, so it has not left when the founder's program ended."""
    bus = Apart(4)
    locked(bus, *("jak fruit",) * 4)
    host, *guests = bus.nodes
    host.meeting.found("Friday", preset("pagat"), 1)
    for number, node in enumerate(guests, start=1):
        bus.link(number, 0)
        node.meeting.join(host.key.public, bus.now)
        for _ in range(5):
            bus.step()
    guest = guests[0].meeting
    assert guest.list is not None and guest.list.is_complete and not guest.consent.has_signed
    guests[0].link_down(host.key.public, bus.now)
    bus.links.clear()
    bus.nodes[0] = Node(host.key, host.meeting.nick, Rng.from_seed(bytes(31) + b"n"), bus.now)
    locked(bus, "jak fruit")
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    for _ in range(10):
        bus.step()
    (told,) = turned_away(bus, 1)
    assert "asks for the passphrase again" in told and "Join again" in told


def test_guessing_is_slow() -> None:
    door = Bus(1).nodes[0].meeting.admission
    door.passphrase = "jak fruit"
    runs = [
        door.answer_visitor(bytes([n]) * 32, "Eve", f"10.0.0.{n}", n * 0.01) for n in range(100)
    ]
    assert sum(run is not None for run in runs) <= 3


def test_the_founder_is_asked_and_its_word_counts() -> None:
    bus = Bus(3)
    bus.nodes[0].meeting.admission.asks_founder = True
    bus.gather(2, 3)
    knocks = [e for e in bus.told[0] if isinstance(e, gathering_events.JoinRequest)]
    assert [knock.nick for knock in knocks] == ["Bandu", "Chitra"]
    bus.nodes[0].meeting.decide(knocks[0].key, True)
    bus.nodes[0].meeting.decide(knocks[1].key, False)
    bus.until(lambda: bool(turned_away(bus, 2)), 5)
    assert "did not let you in" in turned_away(bus, 2)[0]
    assert bus.nodes[0].meeting.members == (bus.nodes[0].key.public, knocks[0].key)


# Seats that are chosen


def chosen_table(bus: Bus, wishes: dict[int, int], rules: Options = CHOSEN) -> None:
    """Node 0 opens; the others come one after another with their wishes."""
    for number, seat in wishes.items():
        bus.nodes[number].meeting.guests.requested_seat = seat
    bus.nodes[0].meeting.found("Friday", rules, 1)
    for number in range(1, len(bus.nodes)):
        bus.link(number, 0)
        bus.nodes[number].meeting.join(bus.nodes[0].key.public, bus.now)
        bus.step()


def seats_at_the_end(bus: Bus) -> list[str]:
    """Who sits on seats 0 to 3, as all nodes say."""
    bus.until(lambda: all(node.table for node in bus.nodes), 100)
    found = {tuple(p.nick for p in node.table.terms.players) for node in bus.nodes if node.table}
    assert len(found) == 1 and all(node.table for node in bus.nodes)
    return list(found.pop())


def refused_seats(bus: Bus, number: int) -> list[gathering_events.NoSeat]:
    return [e for e in bus.told[number] if isinstance(e, gathering_events.NoSeat)]


@pytest.mark.parametrize("loss", [0.0, 0.3])
def test_seats_are_given_as_they_are_wished_for(loss: float) -> None:
    bus = Bus(4, loss)
    chosen_table(bus, {0: 2, 1: 0, 3: 3})
    assert seats_at_the_end(bus) == ["Bandu", "Chitra", "Asha", "Dilan"]
    assert not any(refused_seats(bus, number) for number in range(4))


def test_a_journal_brings_a_player_back_to_the_seat_that_was_chosen() -> None:
    bus = Bus(4)
    chosen_table(bus, {0: 2, 1: 0, 3: 3})
    seats_at_the_end(bus)
    for number, node in enumerate(bus.nodes):
        memory = read_journal(bus.journals[number])
        back, _ = Node.resume(node.key, memory, bus.secrets[number], bus.now)
        assert back.meeting.nick == NICKS[number]
        assert node.table is not None and memory.begin.terms == node.table.terms
        assert back.table is not None and back.table.seat == node.table.seat
        member = next(key for key in back.nicks() if key != back.key.public)
        back.receive(member, FrameKind.NOTE, note_bytes(Note(True, ())), bus.now)
        told = [event for event in back.events() if isinstance(event, events.CodeConfirmed)]
        assert told == [events.CodeConfirmed(back.nicks()[member], may_be_known=True)]


def test_a_seat_that_is_taken_is_told_and_another_one_given() -> None:
    bus = Bus(4)
    chosen_table(bus, {1: 2, 2: 2})
    assert seats_at_the_end(bus) == ["Asha", "Chitra", "Bandu", "Dilan"]
    assert refused_seats(bus, 2) == [gathering_events.NoSeat(2, 4, True)]


def test_players_move_to_free_seats_while_they_gather() -> None:
    bus = Bus(3)
    chosen_table(bus, {})
    bus.nodes[1].meeting.choose(3, bus.now)
    bus.step()
    bus.nodes[0].meeting.choose(1, bus.now)
    bus.step()
    assert [e for e in bus.told[2] if isinstance(e, gathering_events.Members)][
        -1
    ] == gathering_events.Members(("Asha", "Chitra", "Bandu"), 4, (1, 2, 3), (None, None, None), 0)
    bus.nodes[2].meeting.choose(3, bus.now)
    bus.step()
    assert refused_seats(bus, 2) == [gathering_events.NoSeat(3, 4, True)]
    with pytest.raises(LookupError):
        bus.nodes[2].meeting.choose(4, bus.now)


def test_where_has_drawn_seats_there_is_nothing_to_choose() -> None:
    bus = Bus(3)
    chosen_table(bus, {1: 2}, preset("pagat"))
    assert refused_seats(bus, 1) == [gathering_events.NoSeat(2, 4, False)]
    assert [e.at for e in bus.told[1] if isinstance(e, gathering_events.Members)][-1] == ()


def test_a_list_with_wrong_seats_is_malformed() -> None:
    def seated(rules: Options, *seats: int | None) -> bytes:
        keys = [SigningKey.from_seed(bytes([n + 1]) * 32).public for n in range(len(seats))]
        people = tuple(Guest(key, "x", "", 0, seat) for key, seat in zip(keys, seats, strict=True))
        return lobby_bytes(Seated(bytes(16), "Friday", rules, 0, people))

    for good in (seated(CHOSEN, 3, 0), seated(preset("pagat"), None, None)):
        assert lobby_bytes(parse_lobby(good)) == good
    drawn = preset("pagat")
    bad = [seated(CHOSEN, 1, 1), seated(CHOSEN, 1, None), seated(CHOSEN, 4), seated(drawn, 1)]
    bad += [lobby_bytes(Join("x", seat)) for seat in (-1, 8, True)]
    for raw in bad:
        with pytest.raises(Refused, match="malformed"):
            parse_lobby(raw)


@pytest.mark.parametrize("finished", [False, True])
def test_a_finished_table_seats_nobody_who_comes_to_play_again(
    finished: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old list would look like a seat at a table that is never opened."""
    bus = Bus(4)
    bus.gather()
    assert all(node.table is not None for node in bus.nodes)
    monkeypatch.setattr(TableMachine, "is_finished", property(lambda _: finished))
    bus.links = {link for link in bus.links if 3 not in link}
    for node in bus.nodes[:3]:
        node.link_down(bus.nodes[3].key.public, bus.now)
    bus.nodes[3] = Node(bus.nodes[3].key, NICKS[3], Rng.from_seed(bytes(32)), bus.now)
    bus.link(3, 0)
    bus.nodes[3].meeting.join(bus.nodes[0].key.public, bus.now)
    bus.step()
    assert (bus.nodes[3].meeting.list is None) == finished
