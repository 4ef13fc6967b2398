"""A hand played to its end without a player who is gone: sound, and the same for all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import simnet
from crashes import Memo
from leaving_games import MOMENTS, left

from p2p304.audit import audit
from p2p304.table import events


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


def told(net: simnet.Net, number: int, kind: type) -> list[events.Event]:
    return [event for event in net.told[number] if isinstance(event, kind)]


@pytest.mark.parametrize("moment", MOMENTS, ids=lambda name: name)
def test_a_hand_is_played_to_its_end_whenever_somebody_leaves(moment: str) -> None:
    net = left(MOMENTS[moment])
    parting = net.tables[0].chain.left
    assert parting is not None
    absent = parting.absent
    net.run(600)
    assert net.finished and len(set(net.transcripts)) == 1
    assert not [e for all_told in net.told for e in all_told if isinstance(e, events.Fault)]
    report = audit(net.transcripts[0])
    assert report.sound and report.complete and report.parts == 3
    assert report.without == simnet.NICKS[absent]
    state = net.tables[absent].state
    assert state is not None and state.over and state.records[-1].result.tokens is not None
    for number in range(4):
        (parted,) = told(net, number, events.Parted)
        assert isinstance(parted, events.Parted) and parted.away == "playout"
