"""The offer to cut the pack on both screens: what it says, and what keys and words mean."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.app.bot_processes import BOT_NICKS
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.commands import Answer
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.guidance.status import due, seconds_left, waiting_phrase
from p2p304.ui.narration.intents import CutPack, Intent, Quit, Ready
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import GotReady, reduce
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes

OFFER = events.CutOffered(32, 6)
TYPED = {
    "": CutPack(0),
    "no": CutPack(0),
    "pass": CutPack(0),
    "1": CutPack(0),
    "cut": CutPack(None),
    "2": CutPack(None),
    "cut 12": CutPack(12),
    "cut 1": CutPack(1),
    "CUT 31": CutPack(31),
}


def offered() -> Model:
    model = Model(me="Asha")
    for change in (scenes.SEATED, events.HandBegan(1, 1), OFFER):
        model = reduce(model, change, 10.0)
    return model


def typed_on_screen(line: str) -> Answer:
    """What follows on the full screen if the line is typed, with Enter."""
    ui, wanted = Ui(), list[Intent]()
    for key in (*line, "enter"):
        ui, more = press(offered(), ui, key)
        wanted += more
    return ui, tuple(wanted)


def text_mode() -> TextScreen:
    screen = TextScreen("Asha")
    for event in (scenes.SEATED, events.HandBegan(1, 1)):
        screen.show(event)
    return screen


def test_text_mode_says_what_can_be_done_and_for_how_long() -> None:
    lines = text_mode().show(OFFER)
    assert lines == [
        "You may cut the pack. Enter leaves it as it is.",
        "You have 6 seconds; then the pack is not cut.",
        "  1) do not cut   2) cut the pack",
        "  (number or word; ? for help)",
    ]


@pytest.mark.parametrize("line", TYPED)
def test_the_words_mean_the_same_on_both_screens(line: str) -> None:
    screen = text_mode()
    screen.show(OFFER)
    assert screen.typed(line) == TYPED[line]
    ui, wanted = typed_on_screen(line)
    assert wanted == (TYPED[line],) and ui.typed == ""


@pytest.mark.parametrize("line", ["cut x", "cut 3 4", "cut -1", "cut 100", "3", "js", "yes"])
def test_other_words_cut_nothing(line: str) -> None:
    screen = text_mode()
    screen.show(OFFER)
    answer = screen.typed(line)
    assert isinstance(answer, Show) and answer.lines == (
        "You may cut the pack. Enter leaves it as it is.",
    )
    ui, wanted = typed_on_screen(line)
    assert wanted == () and ui.note is not None


def test_help_explains_the_cut() -> None:
    screen = text_mode()
    screen.show(OFFER)
    answer = screen.typed("?")
    assert isinstance(answer, Show)
    assert any("cut 12: the top twelve" in line for line in answer.lines)
    assert screen.typed("quit") == Quit()


def test_arrows_the_menu_and_a_click_choose_as_well() -> None:
    model, ui = offered(), Ui()
    ui, _ = press(model, ui, "right")
    assert press(model, ui, "enter")[1] == (CutPack(0),)
    ui, _ = press(model, ui, "right")
    assert press(model, ui, "enter")[1] == (CutPack(None),)
    assert [entry.does for entry in entries(model, Ui())][:2] == [CutPack(0), CutPack(None)]
    page = TablePage(model, Look(), pace=Pace(0, 0))
    hits = page.picture(100, 30, 10.0).hits
    assert len(hits) == 2
    box = hits[1].box
    assert page.click(box.x, box.y, 10.0) == ()
    assert page.click(box.x, box.y, 10.0) == (CutPack(None),)


def test_the_offer_ends_with_the_cut_and_its_clock_is_shown() -> None:
    model = offered()
    assert model.is_asked and not model.is_my_turn and seconds_left(model, 12.5) == 4
    cut = reduce(model, events.WasCut(0, 12), 13.0)
    assert cut.cut_until is None and not cut.is_asked and seconds_left(cut, 13.0) is None
    again = reduce(model, events.HandBegan(2, 0), 13.0)
    assert again.cut_until is None
    rows = TablePage(model, Look()).picture(90, 26, 12.5).rows
    shown = "\n".join("".join(text for _, text in row) for row in rows)
    assert "You may cut the pack." in shown and " 4 s " in shown
    assert "do not cut" in shown and "cut the pack" in shown


def test_nobody_is_offered_a_cut_before_it_is_due() -> None:
    screen = text_mode()
    assert isinstance(screen.typed("cut 12"), Show)
    screen.show(OFFER)
    screen.show(events.WasCut(0, 12))
    assert isinstance(screen.typed("cut 12"), Show) and screen.typed("") != CutPack(0)
    screen.show(events.NextHand(2))
    assert screen.typed("") == Ready()


def looking_at_the_result() -> TablePage:
    """The cut is offered while the result is on the screen and the deal waits for this player."""
    page = TablePage(Model(me="Asha"), Look(), pace=Pace(0, 0))
    for change in (scenes.SEATED, events.HandBegan(2, 1), events.NextHand(2), OFFER):
        page.tell(change, 10.0)
    page.ui = Ui(pane=Pane.RESULT)
    return page


def test_over_a_result_enter_answers_the_offer_and_then_asks_for_the_deal() -> None:
    page = looking_at_the_result()
    assert page.press("enter", 11.0) == (CutPack(0),)
    assert page.ui.pane is Pane.RESULT
    page.tell(events.CutChosen(), 11.0)
    assert page.model.cut_until is None and page.model.deal_next == 2
    assert page.press("enter", 12.0) == (Ready(),)
    page = looking_at_the_result()
    page.ui = Ui()
    assert page.press("enter", 11.0) == (CutPack(0),)


def test_over_a_result_the_pack_can_be_cut_by_word() -> None:
    page, wanted = looking_at_the_result(), list[Intent]()
    for key in (*"cut 12", "enter"):
        wanted += page.press(key, 11.0)
    assert wanted == [CutPack(12)]


def pane(page: TablePage) -> Pane | None:
    return page.ui.pane


@pytest.mark.parametrize("timer", [30, "off"])
def test_the_spoken_code_gives_way_to_an_own_turn_with_a_clock(timer: int | str) -> None:
    options = scenes.PAGAT.override({"timer": timer})
    page = TablePage(Model(me="Asha"), Look(), pace=Pace(0, 0))
    for change in scenes.evening(14, 0, scenes.club(), options):
        page.tell(change, 10.0)
        if isinstance(change, events.YourTurn):
            break
        page.ui = Ui(pane=Pane.CODE)
    assert page.model.is_my_turn and pane(page) is (Pane.CODE if timer == "off" else None)
    page.ui = Ui(pane=Pane.CODE)  # opened again with its key
    page.tell(events.ChatMessage("Bandu", "hello"), 11.0)
    assert pane(page) is Pane.CODE


def test_the_spoken_code_makes_room_while_the_time_to_cut_runs() -> None:
    page = TablePage(Model(me="Asha"), Look(), pace=Pace(0, 0))
    seated = replace(scenes.SEATED, owners=(None,) * 4)
    for change in (seated, events.HandBegan(1, 1)):
        page.tell(change, 10.0)
    assert pane(page) is Pane.CODE
    page.tell(OFFER, 10.0)
    assert pane(page) is None and "You may cut the pack." in page.picture(80, 24, 10.0).text
    assert page.press("enter", 11.0) == (CutPack(0),)
    page.tell(events.CutChosen(), 11.0)
    assert pane(page) is Pane.CODE, "nobody has confirmed it yet"
    page.press("escape", 11.0)
    page.tell(OFFER, 12.0)
    page.tell(events.WasCut(0, 12), 13.0)
    assert pane(page) is None, "the player has closed it"


def test_text_mode_says_again_that_the_deal_waits_once_the_offer_is_answered() -> None:
    screen = text_mode()
    screen.show(events.NextHand(2))
    screen.show(OFFER)
    assert screen.typed("") == CutPack(0)
    assert screen.show(events.CutChosen()) == ["Press Enter to deal hand 2."]
    assert screen.typed("") == Ready()
    assert screen.show(events.CutChosen()) == [], "nobody was asked: a setting has answered"


def test_those_who_have_asked_read_who_has_not() -> None:
    model = Model(me="Asha")
    for change in (scenes.SEATED, events.HandBegan(2, 1), events.NextHand(2)):
        model = reduce(model, change, 10.0)
    for seat in range(4):
        model = reduce(model, events.Shuffled(seat, 32), 10.0)
    model = reduce(model, events.Waiting(("Bandu",), 10.0, 3), 13.0)
    assert waiting_phrase(model, 13.0) is None and due(model).text.startswith("Press Enter")
    told = waiting_phrase(reduce(model, GotReady(), 13.0), 14.0)
    assert told is not None and told.text.startswith("Waiting for {nicks} to ask for the deal")
    dealt = reduce(reduce(model, GotReady(), 13.0), events.Unlocked(1, 12), 14.0)
    dealt = reduce(dealt, events.Waiting(("Bandu",), 14.0, 3), 17.0)
    told = waiting_phrase(dealt, 17.0)
    assert told is not None and told.text == "Waiting for {nicks}: {n} s."


def test_everybody_is_told_where_the_pack_was_cut() -> None:
    screen = text_mode()
    assert screen.show(events.WasCut(0, 12)) == ["Asha (you) cut the pack at 12."]
    assert screen.show(events.WasCut(1, 0)) == ["Bandu (East) did not cut the pack."]


@pytest.mark.parametrize(("seats", "width"), [(4, 80), (6, 80), (8, 80), (8, 120)])
def test_the_spoken_code_covers_no_name_while_the_time_to_cut_runs(seats: int, width: int) -> None:
    nicks = BOT_NICKS[: seats - 2]
    game = next(preset(name) for name in PRESETS if preset(name).seats == seats)
    seated = replace(
        scenes.SEATED,
        nicks=("Asha", "Bandu", *nicks),
        keys=tuple(bytes([n]) for n in range(seats)),
        owners=(None, None, *("Asha" for _ in nicks)),
        match=Match.start(game),
    )
    page = TablePage(Model(me="Asha"), Look(), pace=Pace(0, 0))
    for change in (seated, events.HandBegan(1, 1), OFFER):
        page.tell(change, 10.0)
    shown = page.picture(width, 24, 10.0).text
    table = "\n".join(line.partition("│")[0] for line in shown.split("\n"))
    assert "say it aloud and compare" in table
    assert [nick for nick in seated.nicks if nick not in table] == []
