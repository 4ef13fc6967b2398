"""Who keeps the others waiting, and for how long: the clock of debts alone, with a plain table."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p304.log.absence_vote import Ballot, PartingPlace
from p2p304.rules.variants.absence import LONG, OVERDUE
from p2p304.table.absence.vote_record import LogPosition
from p2p304.table.machine.presence import Presence
from p2p304.table.node.debts import ANSWER_TIME, Debt, Debts

HERE = LogPosition(9, bytes(32), bytes(32), 9, 9)
KEYS = tuple(bytes([n]) * 32 for n in range(4))
PLACE = PartingPlace(bytes(32), 9, bytes(32), 2)


class Table:
    """What debts ask a table and its vote; nothing else happens here."""

    def __init__(self, timer: str | int = "off") -> None:
        self.presence, self.asked = Presence(), list[Any]()
        self.table = SimpleNamespace(
            terms=SimpleNamespace(rules=SimpleNamespace(timer=timer), keys=KEYS),
            me=SimpleNamespace(key=SimpleNamespace(public=KEYS[0])),
            replica=SimpleNamespace(is_complete=False, is_playing_out=False),
            chain=SimpleNamespace(is_settled=True, next_seq=9),
            waits=SimpleNamespace(lacking=(1,), presence=self.presence),
            stopped=None,
            state=None,
        )
        record = SimpleNamespace(unanswered_rounds=lambda position: self.asked)
        voter = SimpleNamespace(record=record)
        self.debts = Debts(cast(Any, self.table), cast(Any, voter))

    def at(self, now: float) -> Debt | None:
        return self.debts.overdue(HERE, now)

    def ask(self, absent: int, ready: set[int], silent: set[int], round_: int = 0) -> None:
        where = PartingPlace(bytes(32), 9, bytes(32), absent)
        self.asked.append((Ballot(where, round_), frozenset(ready), frozenset(silent)))


@pytest.mark.parametrize(("settled", "missing"), [(True, "entry"), (False, "receipt")])
def test_one_who_alone_is_late_is_overdue_after_the_tables_patience(
    settled: bool, missing: str
) -> None:
    table = Table()
    table.table.chain.is_settled = settled
    assert table.at(10.0) is None and table.at(10.0 + OVERDUE - 1) is None
    assert table.debts.next_timeout() == 10.0 + OVERDUE
    assert table.at(10.0 + OVERDUE) == Debt(1, missing, 9)


@pytest.mark.parametrize(
    ("number", "is_shuffled", "cut", "has_begun", "what"),
    [
        (2, True, None, False, "deal"),
        (2, True, 0, False, "entry"),
        (2, False, None, False, "entry"),
        (2, True, 0, True, "entry"),
        (1, True, None, False, "entry"),
    ],
)
def test_a_pack_that_waits_for_a_player_to_ask_is_owed_by_name(
    number: int, is_shuffled: bool, cut: int | None, has_begun: bool, what: str
) -> None:
    table = Table()
    deal = SimpleNamespace(is_shuffled=is_shuffled, cut=cut, has_begun=has_begun)
    table.table.state = SimpleNamespace(number=number, deal=deal)
    assert table.at(0.0) is None and table.at(float(OVERDUE)) == Debt(1, what, 9)


def test_a_table_with_a_clock_is_less_patient() -> None:
    table = Table(30)
    assert table.at(0.0) is None and table.at(119.0) is None and table.at(120.0) is not None


def test_two_who_are_late_owe_nothing_yet() -> None:
    table = Table()
    table.table.waits.lacking = (1, 2)
    assert table.at(0.0) is None and table.at(1000.0) is None
    assert table.debts.next_timeout() == math.inf


@pytest.mark.parametrize("change", ["place", "player", "kind", "nobody", "over", "stopped"])
def test_another_debt_begins_anew(change: str) -> None:
    table = Table()
    table.at(0.0)
    match change:
        case "place":
            table.table.chain.next_seq = 10
        case "player":
            table.table.waits.lacking = (3,)
        case "kind":
            table.table.chain.is_settled = False
        case "nobody":
            table.table.waits.lacking = ()
        case "over":
            table.table.replica.is_complete = True
        case "stopped":
            table.table.stopped = "a fault"
    assert table.at(OVERDUE) is None
    begins = change in ("place", "player", "kind")
    assert (table.at(2 * OVERDUE) is not None) == begins
    assert table.debts.next_timeout() == (2 * OVERDUE if begins else math.inf)


def test_a_debt_is_reported_once_and_not_while_a_hand_is_played_out() -> None:
    table = Table()
    table.at(0.0)
    assert table.debts.take_unreported(HERE, OVERDUE - 1) is None
    table.table.replica.is_playing_out = True
    assert table.debts.take_unreported(HERE, OVERDUE) is None
    assert table.debts.next_timeout() == math.inf
    table.table.replica.is_playing_out = False
    assert table.debts.next_timeout() == OVERDUE
    assert table.debts.take_unreported(HERE, OVERDUE) == Debt(1, "entry", 9)
    assert table.debts.take_unreported(HERE, OVERDUE + 1) is None
    assert table.debts.next_timeout() == math.inf
    table.table.chain.next_seq = 10
    table.at(OVERDUE + 2)
    assert table.debts.take_unreported(HERE, 2 * OVERDUE + 2) == Debt(1, "entry", 10)


def test_a_player_who_comes_back_is_reported_anew_after_a_while_and_only_once() -> None:
    table = Table()
    table.at(0.0)
    assert table.debts.take_unreported(HERE, OVERDUE) is not None
    back = OVERDUE + 20.0
    table.debts.note_back(2, back)
    assert table.debts.take_unreported(HERE, back) is None
    table.debts.note_back(1, back)
    assert table.debts.take_unreported(HERE, back + LONG - 1) is None
    assert table.debts.next_timeout() == back + LONG
    assert table.at(back) is not None, "the debt itself runs on"
    assert table.debts.take_unreported(HERE, back + LONG) == Debt(1, "entry", 9)
    table.debts.note_back(1, back + LONG + 5)
    assert table.debts.take_unreported(HERE, back + LONG + 5) == Debt(1, "entry", 9)


def test_a_player_who_comes_back_while_others_owe_something_first_is_reported_anew() -> None:
    """The offer is taken away when the player is back, so nobody would be told again."""
    table = Table()
    table.at(0.0)
    assert table.debts.take_unreported(HERE, OVERDUE) is not None
    table.ask(absent=2, ready={0}, silent={3})
    assert table.at(OVERDUE + 1) == Debt(1, "entry", 9)
    assert table.at(OVERDUE + 1 + ANSWER_TIME) is None, "an answer is owed, too"
    table.debts.note_back(1, OVERDUE + 20.0)
    table.asked.clear()
    assert table.at(2 * OVERDUE) is None and table.debts.next_timeout() == 3 * OVERDUE
    assert table.debts.take_unreported(HERE, 3 * OVERDUE) == Debt(1, "entry", 9)


# Votes


def test_those_who_are_ready_and_the_one_who_is_back_owe_nothing_until_all_have_answered() -> None:
    table = Table()
    table.table.waits.lacking = (2,)
    table.ask(2, {0, 1}, {3})
    assert table.at(0.0) is None and table.debts.next_timeout() == ANSWER_TIME
    assert table.at(ANSWER_TIME - 1) is None
    table.at(ANSWER_TIME)  # from now on the answer is owed
    assert table.debts.next_timeout() == ANSWER_TIME + OVERDUE
    assert table.at(ANSWER_TIME + OVERDUE) == Debt(3, "word", 9)


def test_a_player_who_is_ready_owes_no_entry() -> None:
    table = Table()
    table.table.waits.lacking = (1, 3)
    table.ask(2, {1}, {3})
    table.at(0.0)
    table.at(ANSWER_TIME)
    assert table.at(ANSWER_TIME + OVERDUE) == Debt(3, "word", 9)


def test_an_answer_about_one_who_is_gone_is_not_owed() -> None:
    table = Table()
    table.presence.on_link_down(KEYS[2], 0.0)
    table.table.waits.lacking = (3,)
    table.ask(2, {0, 1}, {3})
    table.at(0.0)
    table.at(ANSWER_TIME)
    assert table.at(OVERDUE) == Debt(3, "entry", 9)


def test_a_player_who_is_ready_owes_nothing_while_the_other_is_gone_and_then_the_rest() -> None:
    """It may sign nothing before the others have answered. Its time stands still, and does not
    begin anew: two friends could otherwise hold up a table for ever."""
    table = Table()
    table.at(0.0)
    assert table.at(100.0) is None
    table.presence.on_link_down(KEYS[2], 100.0)
    table.ask(2, {1}, {0, 3})
    table.at(110.0)
    assert table.debts.excused == {1}
    assert table.at(110.0 + 10 * OVERDUE) is None and table.debts.next_timeout() == math.inf
    table.presence.on_link_up(KEYS[2])
    table.asked.clear()
    back = 110.0 + 11 * OVERDUE
    assert table.at(back) is None and not table.debts.excused
    assert table.at(back + OVERDUE - 111) is None
    assert table.at(back + OVERDUE - 110) == Debt(1, "entry", 9)


def test_an_answer_is_owed_from_its_own_question_on() -> None:
    table = Table()
    table.table.waits.lacking = ()
    table.ask(2, {0, 1}, {3})
    table.at(0.0)
    table.asked.clear()
    table.at(1.0)
    table.ask(2, {0, 1}, {3}, round_=1)
    table.at(2.0)
    table.at(2.0 + ANSWER_TIME - 0.1)
    assert table.debts.next_timeout() == 2.0 + ANSWER_TIME
    table.at(2.0 + ANSWER_TIME)
    assert table.debts.next_timeout() == 2.0 + ANSWER_TIME + OVERDUE


# Who is here


def test_a_player_is_here_who_is_linked_or_says_so_and_is_not_late() -> None:
    table = Table()
    assert all(table.debts.is_present(player) for player in range(4))
    for key in KEYS:
        table.presence.on_link_down(key, 0.0)
    assert [table.debts.is_present(player) for player in range(4)] == [True, False, False, False]
    assert table.debts.is_present(2, says_so=True)


def test_a_player_who_is_late_for_half_of_the_patience_is_not_here() -> None:
    table = Table()
    table.at(0.0)
    table.at(OVERDUE / 2 - 1)
    assert table.debts.is_present(1) and table.debts.is_present(3)
    table.at(OVERDUE / 2)
    assert not table.debts.is_present(1) and not table.debts.is_present(1, says_so=True)
    assert table.debts.is_present(3) and table.debts.is_present(0)
    table.table.waits.lacking = (0,)
    table.at(OVERDUE)
    table.at(2 * OVERDUE)
    assert table.debts.is_present(0)  # this node's own player
