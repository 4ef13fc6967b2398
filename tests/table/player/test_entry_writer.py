"""What an honest seat writes, everybody accepts: with open and with closed trump, and with Caps."""

from __future__ import annotations

import pytest

from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.presets import preset
from p2p304.table.player.keyring import Secrets
from p2p304.table.state.events import Fault
from tests.support.cheats.games import GAMES
from tests.support.table import simnet
from tests.support.table.paused import paused

KINDS = {
    "closed 3": {"down", "inspect", "announce", "closed", "relock", "count"},
    "only trumps": {"open", "say", "indicator", "play"},
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


def test_every_order_is_drawn_for_its_own_shuffle_or_reordering(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[tuple[int, int, int]] = []
    order = Secrets.order

    def count(secrets: Secrets, number: int, relocks: int, count: int) -> tuple[int, ...]:
        drawn.append((number, relocks, count))
        return order(secrets, number, relocks, count)

    monkeypatch.setattr(Secrets, "order", count)
    net = simnet.make(7)
    net.run(until=lambda: len(drawn) >= 8)
    assert [relocks for _, relocks, _ in drawn] == [0] * 4 + [1] * 4


def test_those_who_stay_open_together_what_the_absent_player_would_have_opened() -> None:
    net, table = paused(Phase.PLAY, rules=preset("pagat").override({"away": "playout"}))
    absent, seq = table.me.player, table.chain.next_seq
    net.agree(absent, seq)
    others = [one for player, one in enumerate(net.tables) if player != absent]
    net.run(until=lambda: all(one.chain.next_seq > seq + 3 for one in others))
    kinds = [signed.entry.kind for signed in others[0].chain.entries[seq:]]
    assert kinds[:3] == ["stand_in"] * 3
    assert not any(isinstance(e, Fault) for told in net.told for e in told)
