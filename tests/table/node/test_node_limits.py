"""The limits and times of a node are those that SPEC.md states ("Limits")."""

from __future__ import annotations

from p2p304.table.exchange import lookahead
from p2p304.table.machine import log_memory
from p2p304.table.node import (
    debts,
    link_watch,
    notices,
    player_absence,
    spectator_machine,
    spectators,
)
from p2p304.table.player import pending_claim


def test_what_a_player_is_told_is_bounded() -> None:
    assert (notices.MOST, notices.EVERY, notices.AGAIN, notices.REMEMBERED) == (8, 15, 60, 256)
    assert notices.PROPOSAL_INTERVAL == 2


def test_links_and_early_messages_are_bounded() -> None:
    assert (link_watch.IDLE, lookahead.MAX_EARLY, pending_claim.THINKING) == (15, 16, 2)


def test_what_stays_in_memory_of_the_log_is_bounded() -> None:
    assert log_memory.KEPT == 64


def test_absences_are_voted_on_in_their_time() -> None:
    assert (debts.ANSWER_TIME, player_absence.REPEAT) == (5, 2)


def test_spectators_are_bounded() -> None:
    assert (spectators.MOST, spectators.BATCH) == (50, 16)
    assert (spectator_machine.ASK_EVERY, spectator_machine.QUIET) == (1, 30)
