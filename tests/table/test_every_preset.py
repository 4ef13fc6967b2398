"""Every preset as a whole match of bots over the simulated network, audited."""

from __future__ import annotations

import pytest

from p2p304.bots.club import ClubBot
from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.state.events import HandOver
from tests.support.table import simnet


@pytest.mark.parametrize("name", PRESETS)
def test_bots_play_a_whole_match_of_every_preset(name: str) -> None:
    short = {"tokens": 3 if preset(name).match == "points" else 1}
    rules = preset(name).override(short)
    net = simnet.make(3, hands=0, rules=rules, calls=True)
    net.choosers = [ClubBot().choose] * rules.seats
    net.run()
    assert net.finished, [one.stopped for one in net.tables]
    assert len(set(net.transcripts)) == 1
    over = [event for event in net.told[0] if isinstance(event, HandOver)]
    last = over[-1].match
    assert last.is_over and last.winner is not None and not any(e.match.is_over for e in over[:-1])
    report = audit(net.transcripts[0])
    assert report.sound and report.complete, report.fault
