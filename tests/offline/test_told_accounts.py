"""What `audit` tells of a table is the table's own account: gains, standing and winner, for every
transcript of the protocol that is sound."""

from __future__ import annotations

import re

import pytest

from p2p304.offline.audit import audit
from p2p304.offline.report import audit_files
from p2p304.rules.state.scoring import Match
from p2p304.storage.files import read_file
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay
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
