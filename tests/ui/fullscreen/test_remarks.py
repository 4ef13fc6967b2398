"""Chat between hands on the full screen: when it is open, and the remarks of a number."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.core.phrases import say
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.remarks import REMARKS
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.input.menu import may_chat, possible
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import Chat
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import TextScreen
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR

WAITS = Model(me="Asha", stage=Stage.DEALING, nicks=("Asha", "Bandu"), number=2, deal_next=2)


@pytest.mark.parametrize("width", [60, 80, 100])
def test_what_is_due_stands_once(width: int) -> None:
    ui, _ = press(WAITS, Ui(typed="pass"), "enter")
    assert ui.note == due(WAITS)
    for note in (ui.note, None, say("Another sentence.")):
        drawn = render(WAITS, Ui(note=note), PhraseRenderer(Look()), width, 24, 0.0).rows
        text = "\n".join("".join(part for _, part in row) for row in drawn)
        assert text.count("Press Enter to deal hand 2.") == 1, text


def test_while_the_next_deal_waits_for_this_player_chat_is_open() -> None:
    assert may_chat(WAITS)
    ui, wanted = press(WAITS, Ui(), "/")
    assert ui.typed == "/" and ui.note is None and wanted == ()


@pytest.mark.parametrize("chat", ["open", "between"])
def test_during_a_hand_chat_is_open_where_the_rules_say_always(chat: str) -> None:
    hand = Hand.start(preset("pagat").override({"chat": chat}), 0)
    during = Model(me="Asha", stage=Stage.PLAYING, nicks=("Asha", "Bandu"), number=2, hand=hand)
    ui, _ = press(during, Ui(), "/")
    sent = press(during, replace(ui, typed="/good"), "enter")[1]
    assert sent == ((Chat("good"),) if chat == "open" else ())
    assert may_chat(during) == (Command.CHAT in possible(during, Ui())) == (chat == "open")


def test_nobody_can_chat_at_a_table_that_is_over() -> None:
    """The links are closed: nothing that is typed would be read."""
    over = Model(me="Asha", stage=Stage.OVER, nicks=("Asha", "Bandu"))
    assert Command.CHAT not in possible(over, Ui())
    for ui in (press(over, Ui(), "/")[0], press(over, Ui(typed="/2"), "enter")[0]):
        assert ui.note is not None and "The table is over" in ui.note.text
    assert press(over, Ui(typed="/2"), "enter")[1] == ()


def test_a_number_after_the_slash_is_a_remark_that_enter_sends() -> None:
    ui, _ = press(WAITS, Ui(), "/")
    ui, wanted = press(WAITS, ui, "2")
    assert wanted == () and ui.typed == "/2"
    ui, wanted = press(WAITS, ui, "enter")
    assert wanted == (Chat("Sorry."),) and ui.typed == ""
    assert press(WAITS, Ui(typed="/12"), "enter")[1] == (Chat("12"),)
    ui, _ = press(WAITS, Ui(typed="/a"), "2")
    assert ui.typed == "/a2"
    shown = Emulated(80, 24).show(TablePage(WAITS, FOUR), dict(FOUR.styles), "/")
    assert all(remark.text in shown for remark in REMARKS.values())


def test_a_message_is_seen_also_under_a_pane_and_in_one_line() -> None:
    page = TablePage(WAITS, FOUR)
    page.press("e", 0.0)
    page.tell(events.ChatMessage("Bandu", "x" * 200), 0.0)
    rows = page.picture(80, 24, 0.0).text.splitlines()
    assert sum("xxxx" in row for row in rows[-3:]) == 1 and "Bandu: x" in rows[-2]


def test_a_remark_is_read_in_ones_own_language() -> None:
    told = Narrator("Asha", lambda text: text.upper()).lines(events.ChatMessage("Bandu", "Sorry."))
    assert told == ["BANDU SAYS: SORRY."] or told[0].endswith("SORRY.")
    told = Narrator("Asha", lambda text: text.upper()).lines(events.ChatMessage("Bandu", "sorry"))
    assert told[0].endswith("sorry")
    for typed in ("say 1", "/1", "/ 1"):
        assert TextScreen("Asha").typed(typed) == Chat("Well played!")


def test_a_message_does_not_hide_that_all_wait_for_the_deal() -> None:
    page = TablePage(replace(WAITS, deal_next=None), FOUR)
    page.tell(events.ChatMessage("Bandu", "good game"), 0.0)
    page.tell(events.NextHand(2), 0.0)
    page.tell(events.ChatMessage("Bandu", "ready?"), 0.0)
    rows = page.picture(80, 24, 0.0).text.splitlines()[-3:]
    assert "Press Enter to deal hand 2." in rows[0] and "Bandu: ready?" in rows[1]
