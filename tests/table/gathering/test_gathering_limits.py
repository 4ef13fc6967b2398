"""The limits of a gathering are those that SPEC.md states ("Gathering players")."""

from __future__ import annotations

from p2p304.table.gathering import admission, consent, list_acceptance, meeting, waiting


def test_runs_and_visitors_are_bounded() -> None:
    assert (admission.MOST_RUNS, admission.RUN_SHARE, admission.RUN_TIME) == (16, 2, 10)
    assert (admission.RUN_INTERVAL, admission.REQUEST_TIME) == (0.5, 2.5)
    assert (admission.MOST_WAITING, admission.WAITING_SHARE) == (16, 4)
    assert (admission.MOST_ARRIVALS, admission.ARRIVAL_SHARE, admission.REST) == (64, 8, 60)
    assert (admission.RESERVED, admission.BARRED) == (4, 60)


def test_lists_are_bounded() -> None:
    assert (consent.MOST_SIGNED, consent.MOST_EARLY) == (8, 16)
    assert (list_acceptance.CHANGES.most, 1 / list_acceptance.CHANGES.rate) == (16, 2)


def test_messages_and_reports_are_repeated_in_their_time() -> None:
    assert (meeting.REPEAT, waiting.TO_AGREE, waiting.AGAIN) == (1, 5, 30)
