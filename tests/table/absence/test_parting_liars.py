"""A liar among those who stay, and one who is gone and lies: no old word freezes the table, no two
honest players end it differently, and whoever says two things to two players is convicted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.absence_vote import MAX_ROUND, PART, READY, STAY, PartingPlace, parse_word
from p2p304.log.entry import sign_receipt
from p2p304.log.faults import Refused
from p2p304.log.transcript import transcript
from p2p304.offline.audit import audit
from p2p304.rules.variants.absence import LONG
from p2p304.table.absence.vote_record import MAX_HEARD
from p2p304.table.node.player_absence import REPEAT, PlayerAbsence
from p2p304.table.state import events
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.hostile.false_words import RULES, word
from tests.support.table import simnet

FIRST, SECOND, LIAR, ABSENT = 0, 1, 2, 3
"""Two honest players, one who lies, and one who is gone for a while."""
HONEST = (FIRST, SECOND, ABSENT)


class Four:
    """Four tables with their partings; words travel at once, but for what the liar says."""

    def __init__(self, place: int = 38) -> None:
        self.net = fork(_played_to(place))
        self.leaving = [PlayerAbsence(table) for table in self.net.tables]
        self.disks: list[list[bytes]] = [[] for _ in self.leaving]
        chain = self.net.tables[0].chain
        self.place = PartingPlace(chain.table, place, chain.head, ABSENT)
        self.absent = self.net.tables[ABSENT].me.key.public

    def words(self, number: int) -> list[bytes]:
        """What this player says now; what it writes down is on its disk."""
        effects = self.leaving[number].effects()
        self.disks[number] += [
            e.data for e in effects if isinstance(e, Persist) and e.name == "parting"
        ]
        return [e.payload for e in effects if isinstance(e, Send) and e.kind is FrameKind.PART]

    def settle(self, among: tuple[int, ...] = HONEST) -> None:
        """All that these have to say to each other arrives."""
        for _ in range(4):
            for number in among:
                for payload in self.words(number):
                    for other in among:
                        if other != number:
                            self.tell(other, payload)
                self.leaving[number].on_table_advanced(self.net.now)

    def tell(self, number: int, payload: bytes) -> str | None:
        try:
            self.leaving[number].receive(payload, self.net.now)
        except Refused as refused:
            return refused.finding.check
        self.leaving[number].on_table_advanced(self.net.now)
        return None

    def lie(self, *steps: str, to: tuple[int, ...] = HONEST, round_: int = 0) -> list[str | None]:
        sent = [word(self.net, step, self.place, LIAR, round_) for step in steps]
        return [self.tell(number, each.encode()) for each in sent for number in to]

    def wish(self, *players: int) -> None:
        for number in (FIRST, SECOND, LIAR):
            self.net.tables[number].link_down(self.absent, self.net.now)
        self.net.now += LONG + 1
        for number in players:
            self.leaving[number].propose_parting(self.net.now)
        self.settle((FIRST, SECOND))

    def comes_back(self) -> None:
        for number in (FIRST, SECOND, LIAR):
            self.links(number)
        self.settle()

    def links(self, number: int) -> None:
        """This player has a link with the absent one again."""
        self.net.tables[number].waits.presence.on_link_up(self.absent)
        self.leaving[number].on_link_up()

    def play(self, places: int = 4) -> int:
        """How many places more are settled, if everybody plays on for a while."""
        before = self.net.tables[FIRST].chain.next_seq
        self.net.run(
            seconds=60,
            until=lambda: all(t.chain.next_seq >= before + places for t in self.net.tables),
        )
        for leaving in self.leaving:
            leaving.on_table_advanced(self.net.now)
        return min(t.chain.next_seq for t in self.net.tables) - before

    def stopped(self) -> list[tuple[str, int | None]]:
        found = [self.net.tables[n].stopped for n in HONEST]
        return [(each.finding.check, each.finding.player) for each in found if each is not None]


def _played_to(place: int) -> simnet.Net:
    net = simnet.make_closed(3, 1, RULES)
    net.come_to(place)
    for table in net.tables:
        table.replica.blocked_from = None
    return net


def test_who_is_ready_signs_nothing_until_the_others_have_answered() -> None:
    four = Four()
    four.wish(FIRST, SECOND)
    four.comes_back()
    assert four.leaving[FIRST].is_held and four.leaving[SECOND].is_held
    assert four.play() == 0


def test_an_answer_lets_everybody_go_and_the_stale_ready_is_worth_nothing() -> None:
    """The one whose word was missing says *stay*; much later it shows a part with all three."""
    four = Four()
    four.wish(FIRST, SECOND)
    four.comes_back()
    four.lie(STAY)
    four.settle()
    assert not any(leaving.is_held for leaving in four.leaving)
    assert any(isinstance(e, events.PartingRefused) for e in four.leaving[FIRST].events())
    assert four.play(12) >= 12
    assert set(four.lie(READY)) == {"E04"}
    assert not four.stopped() and four.play() > 0
    four.lie(PART)
    assert four.stopped() == [("E06", LIAR)] * 3
    assert not any(leaving.is_bound for leaving in four.leaving)


def test_a_word_that_is_a_little_late_is_no_fault() -> None:
    """An honest *stay* may still be on its way when its place is settled."""
    four = Four()
    assert four.play(4) >= 4
    assert four.lie(STAY, to=(FIRST,)) == four.lie(READY, to=(SECOND,)) == [None]
    assert not four.stopped()


def test_stay_to_one_and_ready_to_another_convicts() -> None:
    """One goes on, the other is bound: as soon as they compare, both know who lied."""
    four = Four()
    four.wish(FIRST, SECOND)
    four.comes_back()
    four.lie(STAY, to=(FIRST,))
    four.lie(READY, to=(SECOND,))
    assert four.leaving[SECOND].is_bound and not four.leaving[FIRST].is_held
    four.settle()
    assert ("E07", LIAR) in four.stopped()
    assert not four.net.tables[FIRST].replica.is_parted


def test_a_stay_that_turns_up_after_the_end_still_convicts() -> None:
    four = Four()
    four.wish(FIRST, SECOND)
    four.lie(PART, to=(FIRST, SECOND))
    assert four.leaving[SECOND].is_bound and not four.stopped()
    four.lie(STAY, to=(SECOND,))
    assert four.stopped() == [("E07", LIAR)]


def test_receipts_to_some_and_a_part_to_another_end_in_one_way() -> None:
    """The liar receipts what the others play and shows its part to one who has not seen that:
    nobody has gone on, since all who were ready wait for its word; so all part together, and its
    own receipt convicts it where it is known."""
    four = Four()
    four.wish(FIRST, SECOND)
    four.comes_back()
    four.lie(PART, to=(SECOND,))
    four.settle((FIRST, SECOND))
    assert four.leaving[FIRST].is_bound and four.leaving[SECOND].is_bound
    assert four.net.tables[FIRST].replica.is_ended and four.net.tables[SECOND].replica.is_ended
    four.comes_back()
    ends = {audit(transcript(t.chain, 38)).without for t in four.net.tables if t.replica.is_parted}
    assert [four.net.tables[n].replica.is_ended for n in HONEST] == [True] * 3
    assert ends == {simnet.NICKS[ABSENT]}


def test_an_absent_liar_cannot_stop_the_others_with_its_own_word() -> None:
    """*Stay* from the very player who is gone ends no wait; it only shows that it is there."""
    four = Four()
    four.wish(FIRST, SECOND)
    payload = word(four.net, STAY, four.place, ABSENT).encode()
    for number in (FIRST, SECOND):
        assert four.tell(number, payload) is None
        assert four.leaving[number].is_held
    four.lie(READY, to=(FIRST, SECOND))
    assert four.leaving[FIRST].is_bound and four.leaving[SECOND].is_bound


def test_one_who_is_not_linked_with_the_absent_one_hears_of_it_through_others() -> None:
    four = Four()
    four.wish(FIRST)
    four.links(FIRST)
    four.net.tables[SECOND].link_down(four.absent, four.net.now)
    for payload in four.words(FIRST):
        four.tell(ABSENT, payload)
    assert four.leaving[FIRST].is_held
    for payload in four.words(ABSENT):
        four.tell(FIRST, payload)
    four.settle((FIRST, SECOND))
    assert not four.leaving[FIRST].is_held


def test_a_word_that_is_on_disk_holds_after_a_restart() -> None:
    four = Four()
    four.wish(FIRST, SECOND)
    again = PlayerAbsence(four.net.tables[FIRST])
    again.restore(four.disks[FIRST])
    again.on_table_advanced(four.net.now)
    assert again.is_held and four.net.tables[FIRST].replica.blocked_from == 38
    four.leaving[FIRST] = again
    four.lie(STAY)
    four.settle()
    assert not again.is_held


def test_who_said_stay_is_not_ready_in_that_round_after_a_restart() -> None:
    """It begins another round instead, and nobody can show that it said both in one."""
    four = Four()
    four.net.tables[FIRST].link_down(four.absent, four.net.now)
    four.net.now += LONG + 1
    four.leaving[FIRST].propose_parting(four.net.now)
    for payload in four.words(FIRST):
        four.tell(SECOND, payload)
    (stay,) = [parse_word(raw) for raw in four.words(SECOND)]
    assert (stay.step, stay.round) == (STAY, 0)
    again = PlayerAbsence(four.net.tables[SECOND])
    again.restore(four.disks[SECOND])
    four.leaving[SECOND] = again
    four.net.tables[SECOND].link_down(four.absent, four.net.now)
    four.net.now += LONG + 1
    again.propose_parting(four.net.now)
    (ready,) = [parse_word(raw) for raw in four.words(SECOND) if parse_word(raw).step == READY]
    assert ready.round == 1


def test_full_receipts_outrank_a_certificate() -> None:
    """All others collude: they have settled a place with the one whom they now part from. Its log
    stands, and every one of them is convicted."""
    four = Four()
    assert four.play(6) >= 6
    at = [word(four.net, PART, four.place, n).encode() for n in (FIRST, SECOND, LIAR)]
    head = four.net.tables[ABSENT].chain.head
    assert four.tell(ABSENT, at[0]) is None
    table = four.net.tables[ABSENT]
    assert table.stopped is not None and table.stopped.finding.check == "E06"
    for payload in at[1:]:
        four.tell(ABSENT, payload)
    assert not table.replica.is_parted and table.chain.head == head


@pytest.mark.parametrize("check", ["E06", "E07"])
def test_many_words_do_not_hide_a_part(check: str) -> None:
    """The liar shows its part to two players who do not reach each other for a moment, then says so
    much that its part is the oldest of its words. What it signs later still convicts it."""
    four = Four()
    four.wish(FIRST, SECOND)
    four.comes_back()
    part = word(four.net, PART, four.place, LIAR).encode()
    elsewhere = [replace(four.place, head=bytes([n]) * 32) for n in range(MAX_HEARD)]
    for number in (FIRST, SECOND):
        four.tell(number, part)
        assert four.leaving[number].is_bound
        four.words(number)  # they reach nobody
        for place in elsewhere:
            assert four.tell(number, word(four.net, READY, place, LIAR).encode()) is None
    if check == "E07":
        four.lie(STAY, to=(FIRST,))
    else:
        chain, key = four.net.tables[FIRST].chain, four.net.tables[LIAR].me.key
        receipt = sign_receipt(key, chain.table, four.place.seq, bytes(32), LIAR, None)
        four.leaving[FIRST].compare_with_part(FrameKind.RECEIPT, receipt.encode())
    for number in (FIRST, SECOND):
        four.leaving[number].on_link_up()
    four.settle()
    assert (check, LIAR) in four.stopped()
    assert all(four.net.tables[number].replica.is_ended for number in (FIRST, SECOND))


def test_the_words_of_a_liar_are_not_passed_on_without_end() -> None:
    """An absent one's *stay* is shown to the others. One who says more of them than are kept must
    not make honest players send them to each other again and again."""
    four = Four()
    here = four.place
    for end in range(100):
        at = PartingPlace(here.table, here.seq, bytes([end]) * 32, LIAR)
        for number in HONEST:
            assert (
                four.tell(number, word(four.net, STAY, at, LIAR, end % MAX_ROUND).encode()) is None
            )
    assert [four.words(number) for number in HONEST] == [[], [], []]


def test_a_liar_makes_the_others_write_and_keep_little() -> None:
    """Ready in every round, to part from every player in turn: each word is answered once, and
    forgotten once its place is settled."""
    four = Four()
    for _ in range(2):
        written = len(four.disks[FIRST])
        head = four.net.tables[FIRST].chain
        for absent in HONEST:
            four.place = PartingPlace(head.table, head.next_seq, head.head, absent)
            for round_ in range(MAX_ROUND):
                four.lie(READY, round_=round_)
        four.settle()
        assert len(four.disks[FIRST]) - written == len(HONEST) * MAX_ROUND
        assert sum(map(len, four.disks[FIRST][written:])) < 10_000
        assert four.play(2) >= 2
        record = four.leaving[FIRST].voter.record
        assert not record.own() and not any(map(record.of, range(4)))
    assert four.lie(READY, round_=MAX_ROUND) == ["W07"] * 3


def test_one_who_asks_on_and_on_is_told_again_once_in_a_while() -> None:
    """Otherwise a liar could make honest players send so much that they cut each other off."""
    four = Four()
    four.lie(READY)
    four.settle()
    for _ in range(2):
        four.leaving[FIRST].handle_timer(four.net.now)
        four.words(FIRST)
        for _ in range(200):
            four.lie(READY, to=(FIRST,))
        said = [parse_word(raw) for raw in four.words(FIRST)]
        assert sorted(one.author for one in said if one.step == STAY) == list(HONEST)
        assert four.leaving[FIRST].next_timeout() <= four.net.now + REPEAT
        four.net.now += REPEAT


def test_an_absent_ones_stay_is_shown_once_to_those_who_are_ready() -> None:
    four = Four()
    four.wish(FIRST, SECOND)
    own = word(four.net, STAY, four.place, ABSENT).encode()
    for _ in range(3):
        four.tell(FIRST, own)
    shown = [parse_word(raw) for raw in four.words(FIRST)]
    assert [one.step for one in shown if one.author == ABSENT] == [STAY]
