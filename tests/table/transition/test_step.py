"""One entry at a time: what the state transition refuses whatever the table plays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.entry import Entry
from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.step import step
from tests.support.paths import TRANSCRIPTS


def before(kind: str) -> tuple[TableState, Entry]:
    """A recorded table before its first entry of a kind, and that entry."""
    data = (TRANSCRIPTS / "good.304").read_bytes()
    replay = Replay(data)
    for block in read_blocks(data):
        if block.entry.entry.kind == kind:
            assert replay.replica is not None and replay.replica.state is not None
            return replay.replica.state, block.entry.entry
        replay.verify_block(block)
    raise AssertionError("there is none")


def test_what_is_said_is_written_in_one_way() -> None:
    state, entry = before("say")
    step(state, entry)
    for word, rule in (("partner TS", "phase"), ("partner 10S", "action.form")):
        with pytest.raises(Refused, match=rule) as refused:
            step(state, replace(entry, body={"word": word}))
        assert (refused.value.finding.check, refused.value.finding.player) == ("G01", entry.author)
