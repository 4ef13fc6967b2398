"""Whole screens through a terminal emulator, compared with stored text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p304.rules.core.actions import Caps
from p2p304.rules.state.hand import Phase
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look, LookSettings, look_for
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.ui_state import held
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import Do
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import Change
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, LOOKS, PLAIN, TWO, compare

SEED, SEAT = 14, 3
SIZES = ((80, 24), (100, 40), (200, 60))
When = Callable[[Change, Model], bool]
MOMENTS: dict[str, When] = {
    "bid": lambda c, m: m.is_my_turn and m.hand is not None and m.hand.phase is Phase.BID4,
    "play": lambda c, m: (
        isinstance(c, events.YourTurn) and len(m.done_tricks) == 3 and m.hand is not None
    ),
    "over": lambda c, m: isinstance(c, events.NextHand),
}


def page_at(moment: str, look: Look, seat: int = SEAT) -> TablePage:
    """A page on which everything up to a moment has happened, without pauses."""
    page = TablePage(Model(me=scenes.NICKS[seat]), look, pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(SEED, seat, scenes.club())):
        page.tell(change, number * 0.04)
        if MOMENTS[moment](change, page.model):
            return page
    raise LookupError(moment)


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_the_table_is_shown_as_stored(moment: str, look: str, size: tuple[int, int]) -> None:
    emulated = Emulated(*size)
    shown = emulated.show(page_at(moment, LOOKS[look]), dict(LOOKS[look].styles))
    colours = "" if look == "ascii" else emulated.suits
    compare(f"{moment}-{look}-{size[0]}x{size[1]}", shown + colours)


@pytest.mark.parametrize(
    ("pane", "key"), [("help", "?"), ("menu", "m"), ("last", "l"), ("proofs", "b"), ("log", "g")]
)
def test_panes_are_shown_as_stored(pane: str, key: str) -> None:
    shown = Emulated(80, 24).show(page_at("play", FOUR), dict(FOUR.styles), key)
    compare(f"pane-{pane}", shown)


def test_a_click_points_and_a_second_one_plays() -> None:
    page = page_at("play", FOUR)
    press, release = "\x1b[<0;15;18M", "\x1b[<0;15;18m"
    emulated = Emulated(80, 24)
    emulated.show(page, dict(FOUR.styles), press + release)
    first = page.ui.cursor
    assert first == 0 and emulated.wanted == []
    emulated.show(page, dict(FOUR.styles), press + release)
    assert emulated.wanted == [Do(page.model.options[0])]


def test_a_click_on_a_card_while_bids_are_made_chooses_none() -> None:
    """A card stands where the bid with the same number has its place among the choices."""
    page = page_at("bid", FOUR)
    for x in range(50):
        for y in range(14, 20):
            assert page.click(x, y, 0.0) == () and page.ui.cursor is None
    hits = page.picture(80, 24, 0.0).hits
    assert len(hits) > 3 and all(hit.box.y == 20 for hit in hits)  # the row of choices


def test_pasted_junk_through_a_terminal_stands_on_the_line() -> None:
    page = page_at("play", FOUR)
    junk = "\x1b[200~\x07rm -rf /\x1b[2J\r\nmore\x1b[201~"
    shown = Emulated(80, 24).show(page, dict(FOUR.styles), junk)
    assert "> rm -rf /[2J" in shown and "> more" not in shown


def test_legal_cards_stand_in_four_colours_or_two() -> None:
    names = ("spades", "hearts", "diamonds", "clubs")
    assert len({FOUR.styles[f"face-{name}"] for name in names}) == 4
    assert len({TWO.styles[f"face-{name}"] for name in names}) == 2


def test_without_colour_nothing_is_coloured() -> None:
    look = look_for(LookSettings(), {"NO_COLOR": "1"}, "utf-8")
    emulated = Emulated(80, 24)
    emulated.show(page_at("play", look), dict(look.styles))
    cells = [cell for row in emulated.screen.buffer.values() for cell in row.values()]
    assert {cell.fg for cell in cells} == {"default"} and {cell.bg for cell in cells} == {"default"}
    assert any(cell.reverse for cell in cells) and any(cell.bold for cell in cells)


def test_plain_ascii_is_plain_ascii() -> None:
    for moment in MOMENTS:
        assert Emulated(80, 24).show(page_at(moment, PLAIN), dict(PLAIN.styles)).isascii()


def test_a_terminal_without_the_letters_of_a_language_is_told_in_english() -> None:
    look = look_for(LookSettings(), {"TERM": "linux"}, "utf-8")
    for language in ("ta", "si"):
        page = page_at("play", look)
        page.translate = translation(language)
        shown = page.picture(80, 25, 9.0).text
        assert "Your turn: lead a card." in shown and "??" not in shown


def test_caps_is_called_by_hand_from_the_menu_over_the_order_to_the_last_question() -> None:
    page = page_at("play", FOUR)
    page.model = replace(page.model, claims=True)
    before = page.model
    at = next(n for n, entry in enumerate(entries(before, page.ui)) if entry.does is Command.CAPS)
    lay_out = "m" + "\x1b[B" * at + "\r" + " \x1b[C\x1b[C \x1b[D"
    emulated = Emulated(80, 24)
    compare("pane-caps", emulated.show(page, dict(FOUR.styles), lay_out))
    order = held(before)
    moved = (order[1], order[2], order[0], *order[3:])
    emulated = Emulated(80, 24)
    asked = emulated.show(page, dict(FOUR.styles), "\r")
    assert "Call Caps with" in asked and emulated.wanted == []
    emulated.show(page, dict(FOUR.styles), "y")
    assert emulated.wanted == [Do(Caps(SEAT, moved))]
