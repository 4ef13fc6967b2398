"""A gathering with a liar: whoever shows different things to different members is found in one
exchange among the honest, whoever holds the gathering up is named, and the founder goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import product

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import assent
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.gathering.admission import BARRED
from p2p304.table.gathering.consent import MOST_EARLY, MOST_SIGNED
from p2p304.table.gathering.exchange.messages import (
    Join,
    ListHoldings,
    LobbyMessage,
    Pledge,
    Seated,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.gathering.waiting import TO_AGREE
from p2p304.table.node.node import Node
from p2p304.table.state import events, gathering_events
from p2p304.table.state.gathering_events import WaitReason
from p2p304.wire.framing import FrameKind
from tests.support.table.gathering_bus import CHOSEN, NICKS, Bus, turned_away
from tests.table.test_equivocations import sign_with_nonce

parse_once = lru_cache(1 << 14)(parse_lobby)
Tamper = Callable[[int, int, LobbyMessage], LobbyMessage | None]


class LyingBus(Bus):
    """Every message of the gathering passes ``tamper(source, target, message)``."""

    tamper: Tamper = staticmethod(lambda source, target, message: message)

    def _send(self, source: int, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        message = parse_once(payload) if kind is FrameKind.LOBBY else None
        for target in range(len(self.nodes)):
            if message is not None and (peer is None or self.index[peer] == target):
                told = self.tamper(source, target, message)
                if told is not None:
                    raw = payload if told is message else lobby_bytes(told)
                    super()._send(source, self.nodes[target].key.public, kind, raw)
            elif peer is None or self.index[peer] == target:
                super()._send(source, self.nodes[target].key.public, kind, payload)

    def key(self, number: int) -> bytes:
        return self.nodes[number].key.public

    def restart(self, number: int) -> None:
        """This node forgets everything, and comes back before anybody has missed it."""
        key = self.nodes[number].key
        again = Node(key, NICKS[number], Rng.from_seed(bytes([99]) * 32), self.now)
        self.nodes[number] = again
        for link in [link for link in self.links if number in link]:
            self.links.discard(link)
            self.link(*sorted(link))
        again.meeting.join(self.key(0), self.now)

    def gathered(self) -> list[bytes]:
        """The tables that have begun."""
        return [node.table.terms.table for node in self.nodes if node.table]

    def waits(self, number: int) -> dict[str, gathering_events.GatherWait]:
        """For whom this node was last told to wait."""
        told = [e for e in self.told[number] if isinstance(e, gathering_events.Gathering)]
        return {wait.nick: wait for wait in told[-1].waits} if told else {}


class CrossingBus(LyingBus):
    """Whatever is said in a moment has left before anything of it arrives."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._flying: list[tuple[int, bytes | None, FrameKind, bytes]] = []

    def _deliver(self) -> bool:
        arriving, self._flying = self._flying, []
        for each in arriving:
            super()._send(*each)
        return bool(arriving)

    def _send(self, source: int, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        self._flying.append((source, peer, kind, payload))


def begin(bus: LyingBus, guests: int = 3) -> None:
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    for guest in range(1, guests + 1):
        bus.link(guest, 0)
        bus.nodes[guest].meeting.join(bus.key(0), bus.now)


def with_own(held: ListHoldings, place: int, pledge: Pledge | None) -> ListHoldings:
    """The same message with another pledge of the sender's; then nothing follows from it."""
    pledges = (*held.pledges[:place], pledge, *held.pledges[place + 1 :])
    return replace(held, pledges=pledges, table=b"", assents=(None,) * len(pledges))


# Different pledges

SHOWN = ("one", "two", "none")


@pytest.mark.parametrize("liar", [0, 3])
@pytest.mark.parametrize("split", list(product(SHOWN, repeat=3)), ids=lambda split: "-".join(split))
def test_every_split_of_pledges_is_found_in_one_exchange(liar: int, split: tuple[str, ...]) -> None:
    bus = LyingBus(4)
    honest = [number for number in range(4) if number != liar]
    shows = dict(zip(honest, split, strict=True))

    def pledge(word: str) -> bytes:
        return (word.encode() * 32)[:32]

    def cut(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source != liar or not isinstance(message, ListHoldings):
            return message
        word = shows.get(target, "none")
        shown = (
            None if word == "none" else Pledge.make(bus.nodes[liar].key, message.list, pledge(word))
        )
        return with_own(message, liar, shown)

    bus.tamper = cut
    begin(bus)
    bus.step()
    bus.step()
    both = {"one", "two"} <= set(split)
    for number in honest:
        found = [e.finding for e in bus.told[number] if isinstance(e, events.Fault)]
        assert {f.check for f in found} == ({"W22"} if both else set())
        assert all(f.sentence.startswith(NICKS[liar]) for f in found)
        holding = bus.nodes[number].meeting.consent.current
        assert holding is not None
        shown = {pledge(word) for word in set(split) - {"none"}}
        held = {p.pledge for key, p in holding.pledges.items() if key == bus.key(liar)}
        assert both or held == shown
    if both:
        bus.until(lambda: False, int(TO_AGREE) + 3)
        assert not bus.gathered()
        for number in honest:
            assert bus.waits(number)[NICKS[liar]].reason is WaitReason.TWO_PLEDGES


@pytest.mark.parametrize("only", [0, 1])
def test_a_second_pledge_that_one_member_alone_is_shown_is_passed_on(only: int) -> None:
    """Else the others would wait for that member, who signs nothing any more."""
    bus, shows_two, is_late = LyingBus(4), False, True

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if not isinstance(message, ListHoldings) or source in (0, 1):
            return message
        if source == 2:  # its pledge comes last, so nobody has signed before
            return None if is_late else message
        pledge = bytes([shows_two and target == only]) * 32
        return with_own(message, 3, Pledge.make(bus.nodes[3].key, message.list, pledge))

    bus.tamper = tamper
    begin(bus)
    bus.step()
    bus.step()
    shows_two = True
    bus.until(lambda: False, 3)
    is_late = False
    bus.until(lambda: False, int(TO_AGREE) + 3)
    for number in range(3):
        found = [e.finding for e in bus.told[number] if isinstance(e, events.Fault)]
        assert {f.check for f in found} == {"W22"}
        assert all(f.sentence.startswith(NICKS[3]) for f in found)
        assert bus.waits(number)[NICKS[3]].reason is WaitReason.TWO_PLEDGES


def test_two_pledges_start_no_exchange_without_end() -> None:
    """Each member shows the pledge that the other does not show: who answered that at once would
    be answered at once, too."""
    bus, sent = CrossingBus(4), list[int]()

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if not isinstance(message, ListHoldings):
            return message
        sent.append(source)
        if source == 2:
            return None  # so nobody has signed
        if source == 3:
            pledge = bytes([int(bus.now) % 2]) * 32
            return with_own(message, 3, Pledge.make(bus.nodes[3].key, message.list, pledge))
        return message

    bus.tamper = tamper
    begin(bus)
    for _ in range(12):
        sent.clear()
        bus.until(lambda: False, 1)
        assert len(sent) <= 100, "a few changes of the list, and what is repeated each second"
    holding = bus.nodes[0].meeting.consent.current
    assert holding is not None and holding.is_contradicted


def test_an_honest_member_cannot_be_made_to_look_like_a_liar() -> None:
    """A second pledge in another's name needs that one's signature."""
    bus = LyingBus(4)

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source == 3 and isinstance(message, ListHoldings) and message.pledges[1]:
            forged = Pledge.make(bus.nodes[3].key, message.list, bytes(32))
            return with_own(message, 1, forged)
        return message

    bus.tamper = tamper
    begin(bus)
    bus.until(lambda: False, 8)
    for number in range(3):
        consent = bus.nodes[number].meeting.consent
        holding = consent.agreed or consent.current
        assert holding is not None and not holding.contradicted
        assert holding.false == {bus.key(3)}


def test_whoever_was_restarted_after_its_pledge_pledges_anew() -> None:
    """It has forgotten what it pledged, and nothing that it signed is contradicted."""
    bus = LyingBus(4)

    def drop(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        return (
            replace(message, assents=(None,) * 4) if isinstance(message, ListHoldings) else message
        )

    bus.tamper = drop
    begin(bus)
    bus.until(lambda: bus.nodes[0].meeting.signed is not None, 5)
    bus.tamper = lambda source, target, message: message
    bus.restart(3)
    bus.until(lambda: len(bus.gathered()) == 4, 10)
    assert len(bus.gathered()) == 4 and len(set(bus.gathered())) == 1


# Different lists


@pytest.mark.parametrize("split", list(product("XY", repeat=3)), ids="".join)
@pytest.mark.parametrize("change", ["name", "order"])
def test_every_split_of_lists_is_found_and_the_founder_named(
    split: tuple[str, ...], change: str
) -> None:
    bus = LyingBus(4)
    shows = dict(zip((1, 2, 3), split, strict=True))

    def other(here: Seated) -> Seated:
        if change == "name":
            return replace(here, name="Sunday").signed(bus.nodes[0].key)
        first, *rest = here.guests
        return replace(here, guests=(first, *reversed(rest))).signed(bus.nodes[0].key)

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if isinstance(message, Seated) and message.is_complete and source == 0:
            return other(message) if shows[target] == "Y" else message
        return message

    bus.tamper = tamper
    begin(bus)
    bus.until(lambda: bool(bus.gathered()), int(TO_AGREE) + 3)
    assert not bus.gathered() or set(split) == {"X"}
    if len(set(split)) == 2:
        for number in (1, 2, 3):
            (why,) = turned_away(bus, number)
            assert "Asha, who opened it, signed two different lists" in why


def test_of_lists_with_different_numbers_all_keep_the_newest() -> None:
    """A founder keeps a change of the list from one member: the others pass it on."""
    bus = LyingBus(4)

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source == 0 and target != 1 and isinstance(message, Seated) and message.is_complete:
            return replace(message, name="Later", number=message.number + 1).signed(
                bus.nodes[0].key
            )
        return message

    bus.tamper = tamper
    begin(bus)
    bus.until(lambda: False, 4)
    for number in (1, 2, 3):
        here = bus.nodes[number].meeting.list
        assert here is not None and here.name == "Later"


def test_a_list_that_the_founder_has_not_signed_is_refused() -> None:
    bus = LyingBus(4)
    bus.tamper = lambda source, target, message: (
        replace(message, name="Mine") if isinstance(message, Seated) and source == 0 else message
    )
    begin(bus)
    with pytest.raises(AssertionError):
        bus.until(lambda: False, 2)
        assert bus.nodes[1].meeting.list is not None
    assert any("not signed by the player who opened" in why for _, why in bus.hung)


# Different signatures

SIGNED = [
    split for split in product(("true", "again", "none"), repeat=3) if split[1] <= split[2]
] + [("true", "false", "again"), ("false", "none", "false"), ("none", "false", "true")]
"""What the founder, and two guests who are alike, are shown."""


@pytest.mark.parametrize("split", SIGNED, ids="-".join)
def test_every_split_of_signatures_begins_one_table_or_none(split: tuple[str, ...]) -> None:
    """Two signatures under one identifier are one consent; a false one is its sender's fault."""
    bus = LyingBus(4)
    shows = dict(zip((0, 1, 2), split, strict=True))

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source != 3 or not isinstance(message, ListHoldings) or not message.table:
            return message
        key, signed = bus.nodes[3].key, b"p2p304 assent\x00" + message.table
        word = shows[target]
        shown = {
            "true": message.assents[3],
            "again": sign_with_nonce(key, signed, 12345),
            "false": assent(key, bytes(32)),
            "none": None,
        }[word]
        return replace(message, assents=(*message.assents[:3], shown))

    bus.tamper = tamper
    begin(bus)
    consents = bool({"true", "again"} & set(split))
    bus.until(lambda: len(bus.gathered()) == 4, 4 if consents else int(TO_AGREE) + 3)
    tables = [bus.nodes[n].table for n in (0, 1, 2)]
    assert all((table is not None) == consents for table in tables)
    assert len(set(bus.gathered())) <= 1
    for number, word in shows.items():
        faults = {e.finding.check for e in bus.told[number] if isinstance(e, events.Fault)}
        assert faults <= {"W20"} and (consents or (faults == {"W20"}) == (word == "false"))


# Those who hold the gathering up


def silent(liar: int, until: str) -> Tamper:
    """A member whose messages lack its pledge, or its signature."""

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source != liar or not isinstance(message, ListHoldings):
            return message
        if until == "pledge":
            return with_own(message, liar, None)
        assents = (*message.assents[:liar], None, *message.assents[liar + 1 :])
        return replace(message, assents=assents)

    return tamper


@pytest.mark.parametrize(
    ("until", "why"), [("pledge", WaitReason.NOT_PLEDGED), ("sign", WaitReason.NOT_SIGNED)]
)
def test_a_member_that_holds_back_is_named_to_all(until: str, why: WaitReason) -> None:
    bus = LyingBus(4)
    bus.tamper = silent(2, until)
    begin(bus)
    bus.until(lambda: False, int(TO_AGREE) + 3)
    for number in (0, 1, 3):
        assert {nick: wait.reason for nick, wait in bus.waits(number).items()} == {NICKS[2]: why}
        assert not bus.nodes[number].table


def test_a_false_signature_is_refused_and_its_sender_named() -> None:
    bus = LyingBus(4)

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source == 2 and isinstance(message, ListHoldings) and message.table:
            false = assent(bus.nodes[2].key, bytes(32))
            return replace(message, assents=(*message.assents[:2], false, message.assents[3]))
        return message

    bus.tamper = tamper
    begin(bus)
    bus.until(lambda: False, int(TO_AGREE) + 3)
    for number in (0, 1, 3):
        assert bus.waits(number)[NICKS[2]].reason is WaitReason.FALSE
        faults = [e.finding.check for e in bus.told[number] if isinstance(e, events.Fault)]
        assert set(faults) == {"W20"}


def test_what_one_member_alone_was_shown_is_passed_on() -> None:
    """Neither a pledge nor a signature can be kept from some of the others."""
    bus = LyingBus(4)
    bus.tamper = lambda source, target, message: (
        None if source == 3 and target != 1 and isinstance(message, ListHoldings) else message
    )
    begin(bus)
    bus.until(lambda: len(bus.gathered()) == 4, 6)
    assert len(bus.gathered()) == 4 and len(set(bus.gathered())) == 1


def test_a_link_that_cannot_be_made_is_told_to_all_by_both_names() -> None:
    bus = LyingBus(4)
    made = bus.link

    def link(one: int, two: int) -> None:
        if {one, two} != {1, 2}:
            made(one, two)

    bus.link = link  # type: ignore[method-assign]
    begin(bus)
    bus.until(lambda: False, int(TO_AGREE) + 3)
    told = bus.waits(0)
    assert told[NICKS[1]].reason is WaitReason.LACKS and told[NICKS[1]].whom == (NICKS[2],)
    assert told[NICKS[2]].reason is WaitReason.LACKS and told[NICKS[2]].whom == (NICKS[1],)
    assert bus.waits(1)[NICKS[2]].reason is WaitReason.NOT_LINKED


def test_a_founder_that_does_not_answer_is_told() -> None:
    bus = LyingBus(2)
    bus.tamper = lambda source, target, message: None if source == 0 else message
    begin(bus, 1)
    bus.until(lambda: False, int(TO_AGREE) + 2)
    (wait,) = [e for e in bus.told[1] if isinstance(e, gathering_events.Gathering)][-1].waits
    assert wait.reason is WaitReason.NO_ANSWER


def test_an_honest_gathering_tells_nothing_of_waiting() -> None:
    bus = LyingBus(4, loss=0.1)
    begin(bus)
    bus.until(lambda: len(bus.gathered()) == 4, 60)
    assert len(bus.gathered()) == 4
    assert not [e for told in bus.told for e in told if isinstance(e, events.Fault)]


@pytest.mark.parametrize("until", ["pledge", "sign"])
def test_the_founder_goes_on_without_the_one_who_holds_back(until: str) -> None:
    bus = LyingBus(5)
    bus.tamper = silent(2, until)
    begin(bus)
    founder = bus.nodes[0].meeting
    bus.until(lambda: len(founder.members) == 4, 3)
    with pytest.raises(LookupError):
        founder.go_on_without(bus.key(2), bus.now)
    bus.until(lambda: False, int(TO_AGREE) + 2)
    with pytest.raises(LookupError):
        founder.go_on_without(bus.key(1), bus.now)
    founder.go_on_without(bus.key(2), bus.now)
    bus.step()
    if until == "pledge":  # else it has everybody's signature, and is not gathering any more
        assert "continues without you" in turned_away(bus, 2)[0]
    bus.nodes[0].receive(bus.key(2), FrameKind.LOBBY, lobby_bytes(Join("Chitra")), bus.now)
    assert bus.key(2) not in founder.members
    bus.link(4, 0)
    bus.nodes[4].meeting.join(bus.key(0), bus.now)
    bus.until(lambda: all(bus.nodes[number].table for number in (0, 1, 3, 4)), 20)
    began = [bus.nodes[number].table for number in (0, 1, 3, 4)]
    assert len({table.terms.table for table in began if table}) == 1 and all(began)
    assert not founder.admission.is_excluded(bus.key(2), bus.now + BARRED)


def test_a_founder_that_comes_back_again_and_again_never_signs_two_lists_for_one_place() -> None:
    """Lists that it signed after its journal was begun are forgotten, at every start."""
    bus = LyingBus(5)
    bus.tamper = silent(2, "sign")
    begin(bus)
    bus.until(lambda: False, int(TO_AGREE) + 3)
    journal, secrets = list(bus.journals[0]), bus.secrets[0]
    bus.nodes[0].meeting.go_on_without(bus.key(2), bus.now)
    lists = [bus.nodes[0].meeting.list]
    for absent in (2, 1, 3):
        back, _ = Node.resume(bus.nodes[0].key, read_journal(journal), secrets, bus.now)
        back.meeting.handle_timer(bus.now)
        back.meeting.handle_timer(bus.now + TO_AGREE + 1)
        back.meeting.go_on_without(bus.key(absent), bus.now + TO_AGREE + 1)
        lists.append(back.meeting.list)
    places = [(one.opening, one.number) for one in lists if one is not None]
    assert len({*places}) == len(lists) == 4


@pytest.mark.parametrize("restarts", [False, True])
def test_a_member_whose_table_has_begun_shows_the_agreement_on_every_new_link(
    restarts: bool,
) -> None:
    """Its last signature came to that member alone, and the others have moved on to a list that is
    incomplete, about which nobody says what it holds."""
    bus, is_away = LyingBus(4), True

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        if source == 3 and isinstance(message, ListHoldings) and target != 2:
            return replace(message, assents=(None,) * 4)
        if source == 2 and isinstance(message, ListHoldings) and is_away:
            return replace(message, assents=(*message.assents[:3], None))
        return message

    bus.tamper = tamper
    begin(bus)
    bus.until(lambda: bus.nodes[2].table is not None, 10)
    bus.until(lambda: False, int(TO_AGREE) + 2)
    bus.nodes[0].meeting.go_on_without(bus.key(3), bus.now)
    bus.step()
    assert [node.table is not None for node in bus.nodes[:3]] == [False, False, True]
    assert bus.nodes[0].meeting.list is not None and not bus.nodes[0].meeting.list.is_complete
    node = bus.nodes[2]
    if restarts:
        journal = read_journal(bus.journals[2])
        bus.nodes[2], _ = Node.resume(node.key, journal, bus.secrets[2], bus.now)
    is_away = False
    for number in (0, 1):
        bus.links.discard(frozenset({2, number}))
        bus.nodes[number].link_down(bus.key(2), bus.now)
        if not restarts:
            node.link_down(bus.key(number), bus.now)
        bus.link(2, number)
    bus.until(lambda: all(node.table for node in bus.nodes[:3]), 5)
    assert all(node.table for node in bus.nodes[:3]) and len({*bus.gathered()}) == 1


# What is kept, and how often one signs


def test_the_first_pledge_counts_and_nobody_signs_twice_for_a_list() -> None:
    bus = LyingBus(4)
    bus.tamper = silent(3, "sign")
    begin(bus)
    bus.until(lambda: bus.nodes[0].meeting.signed is not None, 5)
    here = bus.nodes[0].meeting.list
    assert here is not None
    for number in range(50):
        pledge = Pledge.make(bus.nodes[3].key, here.digest, bytes([number]) * 32)
        held = ListHoldings(here.digest, (None, None, None, pledge), b"", (None,) * 4, ())
        bus.nodes[0].receive(bus.key(3), FrameKind.LOBBY, lobby_bytes(held), bus.now)
    bus.step()
    assert len(bus.journals[0]) == 1


def test_a_founder_cannot_make_a_member_sign_without_end() -> None:
    """Its list changes after all have pledged, again and again."""
    bus = LyingBus(4)

    def tamper(source: int, target: int, message: LobbyMessage) -> LobbyMessage | None:
        return (
            replace(message, assents=(None,) * 4) if isinstance(message, ListHoldings) else message
        )

    bus.tamper = tamper
    begin(bus)
    founder = bus.nodes[0].meeting
    for _ in range(3 * MOST_SIGNED):
        bus.step()
        if founder.list is not None and founder.list.is_complete:
            founder.guests.change(founder.list.guests)
    assert len(bus.journals[1]) == MOST_SIGNED
    assert "too often" in turned_away(bus, 1)[0]


def test_what_is_kept_of_lists_that_never_were_is_bounded() -> None:
    bus = LyingBus(2)
    begin(bus, 1)
    bus.step()
    consent = bus.nodes[1].meeting.consent
    for number in range(200):
        held = ListHoldings(number.to_bytes(32, "big"), (None,) * 4, b"", (None,) * 4, ())
        bus.nodes[1].receive(bytes([number]) * 32, FrameKind.LOBBY, lobby_bytes(held), bus.now)
    assert len(consent._early) <= MOST_EARLY


@pytest.mark.parametrize(
    "held",
    [
        ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 3, ()),
        ListHoldings(bytes(32), (None,) * 9, b"", (None,) * 9, ()),
        ListHoldings(bytes(32), (None,) * 4, b"", (bytes(64), None, None, None), ()),
        ListHoldings(bytes(32), (None,) * 4, bytes(32), (None,) * 4, ()),
        ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 4, (4,)),
        ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 4, (1, 0)),
        ListHoldings(bytes(32), (None,) * 4, b"", (None,) * 4, (1, 1)),
        ListHoldings(bytes(31), (None,) * 4, b"", (None,) * 4, ()),
    ],
)
def test_what_nobody_can_hold_is_malformed(held: ListHoldings) -> None:
    with pytest.raises(Refused, match="W06"):
        parse_lobby(lobby_bytes(held))


def test_chosen_seats_gather_as_well_with_somebody_held_back() -> None:
    bus = LyingBus(4)
    bus.tamper = silent(3, "pledge")
    bus.nodes[0].meeting.found("Friday", CHOSEN, 1)
    for guest in (1, 2, 3):
        bus.link(guest, 0)
        bus.nodes[guest].meeting.join(bus.key(0), bus.now)
    bus.until(lambda: False, int(TO_AGREE) + 4)
    assert bus.waits(0)[NICKS[3]].reason is WaitReason.NOT_PLEDGED
