"""What a seat can read: at every moment of a hand, however it ends."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from p2p304.rules.core.phase import Phase
from p2p304.rules.play.claims import known_places
from p2p304.table.machine.table_machine import TableMachine
from scripts.vectors.transcripts.games.sound_games import SOUND_GAMES


@pytest.mark.parametrize("name", ["closed", "spoilt-false", "caps-face-down"])
def test_a_view_can_be_had_at_every_moment(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call of Caps opens face-down cards whose slots stay; no view may fail over them."""
    seen, private = set(), 0
    advance: Callable[[TableMachine, float], None] = TableMachine._advance

    def watched(self: TableMachine, now: float) -> None:
        nonlocal private
        advance(self, now)
        state = self.state
        if state is not None and state.hand is not None and state.deal is not None:
            view = self.view
            seen.add(view.hand.phase)
            private += len(view.known)
            if view.hand.phase is Phase.PLAY and view.hand.ending is None:
                places = {(number, seat) for number, seat, _ in view.known}
                assert places == known_places(view.hand, view.seat)

    monkeypatch.setattr(TableMachine, "_advance", watched)
    net = SOUND_GAMES[name][0]()
    net.run()
    assert {Phase.PLAY, Phase.COUNT} <= seen
    assert private > 0 or name == "spoilt-false"
