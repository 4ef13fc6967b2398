"""What an honest seat writes, everybody accepts: with open and with closed trump, and with Caps."""

from __future__ import annotations

import pytest

from p2p304.table.state.events import Fault
from tests.support.cheats.games import GAMES

KINDS = {
    "closed 3": {"down", "inspect", "announce", "closed", "relock", "count"},
    "high bids": {"open", "say", "indicator", "play"},
    "caps": {"caps", "unlock", "shuffle", "cut"},
}
"""Games, and kinds of entry that are written in each."""


@pytest.mark.parametrize("game", KINDS)
def test_no_entry_of_an_honest_seat_is_refused(game: str) -> None:
    net = GAMES[game]()
    net.run()
    assert net.finished and not any(net.evidence)
    assert not [e for told in net.told for e in told if isinstance(e, Fault)]
    logs = [table.chain.entries for table in net.tables]
    assert KINDS[game] <= {one.entry.kind for one in logs[0]}
    assert all([one.raw for one in log] == [one.raw for one in logs[0]] for log in logs)
