"""For whom a table that gathers waits: a sentence on both screens, and what can be done."""

from __future__ import annotations

import pytest

from p2p304.rules.core.phrases import Quoted
from p2p304.table.state.gathering_events import Gathering, GatherWait, Members, WaitReason
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.narration.intents import GoOnWithout
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.text.screen import TextScreen

KEY = b"k" * 32


def told(why: WaitReason, is_mine: bool) -> Gathering:
    return Gathering((GatherWait("Dilan", KEY, why, ("Chitra",)),), 7, is_mine)


@pytest.mark.parametrize("why", list(WaitReason), ids=lambda why: why.name)
@pytest.mark.parametrize("is_mine", [False, True])
def test_every_reason_is_one_sentence_on_both_screens(why: WaitReason, is_mine: bool) -> None:
    event = told(why, is_mine)
    lines = TextScreen("Asha").show(event)
    model = reduce(Model(me="Asha"), event, 0.0)
    without = is_mine and why is not WaitReason.OWN_PLEDGES
    if why is WaitReason.NO_ANSWER:
        del lines[-3:]  # what a visitor can do meanwhile
    assert len(lines) == len(model.log) == (2 if without else 1)
    assert any("'without'" in line for line in lines) == without
    if why not in (WaitReason.NO_ANSWER, WaitReason.OWN_PLEDGES):
        assert "Dilan" in lines[0] and ("nick", Quoted("Dilan")) in model.log[0].phrase.args
    if why is WaitReason.LACKS:
        assert "Chitra" in lines[0]


def test_the_founder_can_go_on_without_somebody_until_the_list_changes() -> None:
    room = Room("Friday", "pagat", (), True)
    model = reduce(Model(me="Asha", room=room), told(WaitReason.NOT_SIGNED, True), 0.0)
    assert GoOnWithout(KEY) in [entry.does for entry in entries(model, Ui())]
    after = reduce(model, Members(("Asha",), 4), 1.0)
    assert GoOnWithout(KEY) not in [entry.does for entry in entries(after, Ui())]
