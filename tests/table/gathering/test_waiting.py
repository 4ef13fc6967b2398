"""Why a table that gathers waits: each reason, and when it is told."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.gathering.waiting import ReportClock, waiting_players
from p2p304.table.state.gathering_events import GatherWait, WaitReason
from tests.support.table.gathering_bus import NICKS
from tests.table.gathering.test_pledges import KEYS, ME, held, holding, pledge

ALL = {key.public for key in KEYS}
THIRD = KEYS[2].public


def reasons(
    here: ListSignatures, linked: set[bytes] | None = None, others: tuple[bytes, ...] = ()
) -> dict[str, WaitReason]:
    found = waiting_players(here, ME, ALL if linked is None else linked, others)
    assert all(wait.key == KEYS[NICKS.index(wait.nick)].public for wait in found)
    return {wait.nick: wait.reason for wait in found}


def complete(*signers: int) -> ListSignatures:
    here = holding(0, 1, 2, 3)
    here.assents = {KEYS[n].public: bytes(64) for n in signers}
    return here


def test_members_without_a_pledge_are_awaited_and_this_one_never() -> None:
    assert reasons(holding(1)) == dict.fromkeys(("Chitra", "Dilan"), WaitReason.NOT_PLEDGED)


def test_members_without_a_signature_are_awaited_once_all_have_pledged() -> None:
    assert reasons(complete(0, 1)) == dict.fromkeys(("Chitra", "Dilan"), WaitReason.NOT_SIGNED)
    assert reasons(complete(1, 2, 3)) == {}


def test_a_signature_for_an_incomplete_list_does_not_count() -> None:
    here = holding(0, 1)
    here.assents = {THIRD: bytes(64)}
    assert reasons(here)["Chitra"] is WaitReason.NOT_PLEDGED


def test_a_lost_link_comes_before_what_is_missing_and_not_after_a_signature() -> None:
    linked = ALL - {THIRD}
    assert reasons(holding(0, 1), linked)["Chitra"] is WaitReason.NOT_LINKED
    assert reasons(holding(0, 2), linked)["Chitra"] is WaitReason.NOT_LINKED
    assert "Chitra" not in reasons(complete(2), linked)


def test_of_a_link_that_is_missing_both_ends_are_told() -> None:
    """Either of them may refuse it."""
    here = holding(0, 1, 3)
    here.take(THIRD, held(lacks=(3,)))
    found = waiting_players(here, ME, ALL, ())
    assert [(wait.nick, wait.reason, wait.whom) for wait in found] == [
        ("Chitra", WaitReason.LACKS, ("Dilan",)),
        ("Dilan", WaitReason.LACKS, ("Chitra",)),
    ]


def test_a_false_member_and_one_with_another_list_are_named_so() -> None:
    here = holding(0, 1)
    here.false = {THIRD}
    assert reasons(here)["Chitra"] is WaitReason.FALSE
    assert reasons(holding(0, 1), others=(THIRD,))["Chitra"] is WaitReason.OTHER_LIST


def test_two_pledges_are_told_first_and_in_other_words_to_their_author() -> None:
    here = complete(0, 1, 2, 3)
    here.contradicted = dict.fromkeys((ME, THIRD), pledge(1))
    assert reasons(here, set()) == {
        "Asha": WaitReason.OWN_PLEDGES,
        "Chitra": WaitReason.TWO_PLEDGES,
    }


def test_a_member_that_lacks_links_is_told_with_those_to_whom_it_has_none() -> None:
    here = holding(0, 1)
    here.take(THIRD, held(lacks=(1, 3)))
    wait = GatherWait("Chitra", THIRD, WaitReason.LACKS, ("Bandu", "Dilan"))
    assert wait in waiting_players(here, ME, ALL, ())


# When it is told

FIRST, SECOND = ((GatherWait(nick, ME, WaitReason.NOT_SIGNED),) for nick in ("A", "B"))


def told(found: Sequence[tuple[float, tuple[GatherWait, ...]]]) -> list[tuple[float, int]]:
    """When these reasons, found at these times, are told, and how old the wait is then."""
    clock, moments = ReportClock(100.0), []
    for now, waits in found:
        notice = clock.take_notice(now, waits, True)
        if notice is not None:
            assert notice.waits == waits and notice.is_mine
            moments.append((now, notice.seconds))
    return moments


def test_reasons_are_told_after_five_seconds_and_again_every_thirty() -> None:
    every_second = [(100.0 + second, FIRST) for second in range(100)]
    assert told(every_second) == [(105.0, 5), (135.0, 35), (165.0, 65), (195.0, 95)]


def test_other_reasons_are_told_five_seconds_after_the_last_at_the_earliest() -> None:
    assert told([(105.0, FIRST), (106.0, SECOND), (109.9, SECOND), (110.0, SECOND)]) == [
        (105.0, 5),
        (110.0, 10),
    ]
    assert told([(105.0, FIRST), (120.0, SECOND), (149.0, SECOND), (150.0, SECOND)]) == [
        (105.0, 5),
        (120.0, 20),
        (150.0, 50),
    ]


def test_nothing_is_told_where_nothing_is_awaited() -> None:
    assert told([(100.0 + second, ()) for second in range(40)]) == []
    assert told([(104.9, FIRST), (120.0, ()), (121.0, FIRST)]) == [(121.0, 21)]


@pytest.mark.parametrize("begun", [102.0, 200.0])
def test_progress_begins_the_wait_anew(begun: float) -> None:
    clock = ReportClock(100.0)
    clock.take_notice(begun - 1, FIRST, False)
    clock.begin(begun)
    assert not clock.is_long(begun + 4.9) and clock.is_long(begun + 5)
    assert clock.take_notice(begun + 4.9, FIRST, False) is None
    notice = clock.take_notice(begun + 5, FIRST, False)
    assert notice is not None and (notice.seconds, notice.is_mine) == (5, False)
