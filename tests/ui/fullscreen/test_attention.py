"""What calls a player: the bell, the window's title, the spoken code where people play."""

from __future__ import annotations

from dataclasses import replace

from p2p304.table.state import events
from p2p304.ui.common.settings import Controls, Pace, read_settings
from p2p304.ui.fullscreen.model.ui_state import Pane
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import ConfirmCode
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.terminal.frame import Ring
from p2p304.ui.text.screen import TextScreen
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare


def rings(bell: str) -> tuple[int, int, int]:
    """How often the bell rings in one hand, and how many turns and tricks there were."""
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0), controls=Controls(bell=bell))
    rung = turns = tricks = 0
    for number, change in enumerate(scenes.evening(14, 3, scenes.club())):
        before = len(page.model.done_tricks)
        rung += page.tell(change, number * 0.04).count(Ring())
        turns += isinstance(change, events.YourTurn | events.NextHand)
        tricks += len(page.model.done_tricks) > before
    return rung, turns, tricks


def test_the_bell_rings_when_it_is_set_and_at_what_it_is_set_to() -> None:
    assert rings("off")[0] == 0
    rung, turns, _ = rings("turn")
    assert rung == turns > 3
    rung, turns, tricks = rings("trick")
    assert turns < rung <= turns + tricks
    settings, trouble = read_settings('bell = "turn"\n[keys]\nhint = "z"\n')
    assert settings.controls.bell == "turn" and trouble == ()


def test_the_title_of_the_window_says_whose_turn_it_is() -> None:
    titles = []
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(14, 3, scenes.club())):
        page.tell(change, number * 0.04)
        titles.append(page.picture(80, 24, 0.0).title)
    assert {"304", "304: your turn", "304: Asha's turn", "304: Bandu's turn"} <= set(titles)
    emulated = Emulated(80, 24)
    emulated.show(page, dict(FOUR.styles))
    assert emulated.screen.title == "304: your turn"  # the next deal waits for this player


def seated(*owners: str | None) -> TablePage:
    page = TablePage(Model(me="Asha"), FOUR, pace=Pace(0, 0))
    page.tell(replace(scenes.SEATED, owners=owners), 0.0)
    page.tell(events.HandBegan(1, 0), 0.0)
    return page


def pane(page: TablePage) -> Pane | None:
    return page.ui.pane


def test_with_people_the_spoken_code_stays_until_the_player_has_seen_it() -> None:
    page = seated(None, None, "Asha", "Asha")
    assert pane(page) is Pane.CODE
    compare("pane-code", Emulated(80, 24).show(page, dict(FOUR.styles)))
    assert page.press("enter", 0.0) == (ConfirmCode(),)
    page.tell(events.CodeConfirmed("Asha"), 0.0)
    assert pane(page) is Pane.CODE and page.model.unconfirmed == ("Bandu",)
    assert "Not yet: Bandu." in page.picture(80, 24, 0.0).text
    page.tell(events.CodeConfirmed("Bandu"), 0.0)
    assert pane(page) is None
    assert "MDM-3ZU" in page.picture(80, 24, 0.0).text.splitlines()[0]


def test_what_others_confirm_closes_no_code_that_this_player_has_not() -> None:
    page = seated(None, None, "Asha", "Asha")
    page.tell(events.CodeConfirmed("Bandu"), 0.0)
    assert pane(page) is Pane.CODE
    page.press("enter", 0.0)
    assert pane(page) is None
    page = seated(None, None, "Asha", "Asha")
    for key, intents in (("enter", (ConfirmCode(),)), ("enter", ())):
        assert page.press(key, 0.0) == intents
        page.tell(events.CodeConfirmed("Asha"), 0.0)
    assert pane(page) is None


def test_text_mode_confirms_the_code_with_a_word() -> None:
    screen = TextScreen("Asha")
    assert screen.typed("same") != ConfirmCode()
    lines = screen.show(replace(scenes.SEATED, owners=(None, None, "Asha", "Asha")))
    assert any("Type 'same'" in line for line in lines)
    assert screen.typed("same") == ConfirmCode()
    assert screen.show(events.CodeConfirmed("Bandu")) == ["  Bandu has confirmed the spoken code."]


def test_with_bots_of_ones_own_nothing_is_said_of_codes() -> None:
    page = seated(None, "Asha", "Asha", "Asha")
    shown = page.picture(80, 24, 0.0).text
    log = " ".join(str(line.phrase) for line in page.model.log)
    assert page.ui.pane is None and not page.model.has_people
    assert "MDM" not in shown + log and "code" not in (shown + log).lower()


def test_a_bot_that_somebody_else_brought_is_company() -> None:
    model = reduce(Model(me="Asha"), replace(scenes.SEATED, owners=(None, "", "", "")), 0.0)
    assert model.has_people
