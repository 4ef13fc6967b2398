"""What `audit` tells of a table is the table's own account: gains, standing and winner, for every
transcript of the protocol that is sound."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from p2p304.offline.audit import HandAudit, Report, audit
from p2p304.offline.report import _data, audit_files
from p2p304.rules.state.scoring import Match
from p2p304.storage.files import read_file
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.wording import hand_name
from tests.support.paths import TRANSCRIPTS


@pytest.mark.parametrize("name", ["good", "ended", "played-out"])
def test_audit_tells_what_the_table_tells(name: str) -> None:
    path = TRANSCRIPTS / f"{name}.304"
    lines: list[str] = []
    assert audit_files([path], False, lines.append) == 0
    match: Match | None = None
    for replayed in Replay(read_file(path)):
        for event in replayed.events:
            if isinstance(event, events.HandOver):
                assert match is not None
                gain = event.match.tokens[0] - match.tokens[0]
                (line,) = [one for one in lines if one.startswith(f"Hand {event.number}: ")]
                found = re.search(r"(\S+) gained (\d+) tokens? from (\S+)\.", line)
                winner = None if gain == 0 else "N-S" if gain > 0 else "E-W"
                assert (found[1] if found else None) == winner
                assert (int(found[2]) if found else 0) == abs(gain)
        match = replayed.state.match
    assert match is not None
    assert any(f"Tokens: N-S {match.tokens[0]}, E-W {match.tokens[1]}." in one for one in lines)
    assert audit(read_file(path)).tokens == match.tokens
    assert not re.search(r"\b(NS|EW)\b", "\n".join(lines))


def test_a_deal_that_does_not_count_keeps_the_number_of_its_hand() -> None:
    deals = [HandAudit(n, Counter(), void=n in (1, 3, 4)) for n in range(1, 7)]
    report = Report(hands=tuple(deals))
    named = [str(hand_name(deal.number, report.void)) for deal in deals]
    assert named == [
        "Hand 1",
        "Hand 1, dealt again (deal 2)",
        "Hand 2 (deal 3)",
        "Hand 2, dealt again (deal 4)",
        "Hand 2, dealt again (deal 5)",
        "Hand 3 (deal 6)",
    ]
    assert [row["hand"] for row in _data(report)["hands"]] == [1, 1, 2, 2, 2, 3]
    assert [row["number"] for row in _data(report)["hands"]] == [1, 2, 3, 4, 5, 6]
