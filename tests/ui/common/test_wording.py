"""Words for seats: what they mean, in text mode and in the waiting room."""

from __future__ import annotations

import pytest

from p2p304.table.state.gathering_events import Members, NoSeat
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.wording import seat_meant
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration import intents
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.reducer import Gathers
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, PLAIN, compare

GATHERED = Members(("Asha", "Bandu"), 4, (1, 2), dealer=0)


@pytest.mark.parametrize(
    ("word", "seat"),
    [
        ("1", 0),
        ("4", 3),
        ("North", 2),
        ("e", 1),
        ("asha", 3),
        ("BANDU", 0),
        ("5", None),
        ("0", None),
        ("", None),
        ("Eve", None),
        ("-1", None),
        ("٣", None),
    ],
)
def test_a_seat_is_a_number_a_place_or_a_partners_name(word: str, seat: int | None) -> None:
    assert seat_meant(word, GATHERED) == seat


def test_partners_sit_at_every_second_place_and_only_where_there_are_any() -> None:
    assert seat_meant("Asha", Members(("Asha", "Eve"), 6, (1, 3))) == 5
    assert seat_meant("Asha", Members(("Asha",), 3, (0,))) is None


def test_text_mode_says_who_sits_where_and_takes_a_wish() -> None:
    screen = TextScreen("Asha")
    line, *hints = screen.show(GATHERED)
    assert "Asha (East), Bandu (North)" in line and "'seat'" in hints[-1]
    assert screen.typed("seat south") == intents.Sit(0)
    assert screen.typed("seat Bandu") == intents.Sit(0)
    assert isinstance(screen.typed("seat nowhere"), Show)
    assert screen.show(NoSeat(2, 4, True)) == ["Seat North is taken. You have another seat."]
    assert "this table draws the seats" in screen.show(NoSeat(2, 4, False))[0]
    assert not any("'seat'" in line for line in screen.show(Members(("Asha", "Bandu"), 4)))


def test_everybody_reads_which_seat_deals_first_while_seats_are_chosen() -> None:
    screen = TextScreen("Asha")
    assert "South deals first." in screen.show(GATHERED)
    full = Members(("A", "B", "C", "D", "E", "F"), 6, tuple(range(6)), dealer=4)
    assert "5 deals first." in screen.show(full)
    assert not any("deals" in line for line in screen.show(Members(("Asha", "Bandu"), 4)))
    assert "South deals first." in waiting(1, 2).picture(80, 24, 1.0).text


def waiting(*at: int) -> TablePage:
    page = TablePage(Model(me="Bandu"), FOUR if at else PLAIN, pace=Pace(0, 0))
    page.tell(Gathers(Room("Friday", "pagat", (), founder=False)), 0.0)
    page.tell(Members(("Asha", "Bandu"), 4, at, dealer=0 if at else None), 0.0)
    return page


def test_a_free_seat_is_chosen_with_arrows_number_place_name_menu_or_mouse() -> None:
    def typed(text: str) -> tuple[intents.Intent, ...]:
        wanted: tuple[intents.Intent, ...] = ()
        page = waiting(1, 2)
        for key in text.split():
            wanted = page.press(key, 1.0)
        return wanted

    assert typed("right right enter") == (intents.Sit(3),)
    assert typed("4 enter") == (intents.Sit(3),)
    assert typed("w e s t enter") == (intents.Sit(3),)
    assert typed("m down enter") == (intents.Sit(3),)
    assert typed("2 enter") == ()
    page = waiting(1, 2)
    text = page.picture(80, 24, 1.0).text.splitlines()
    y = next(n for n, line in enumerate(text) if "seat West, with Asha" in line)
    x = text[y].index("seat West")
    assert page.click(x, y, 1.0) == () and page.click(x, y, 1.0) == (intents.Sit(3),)


def test_what_cannot_be_chosen_is_told_in_words() -> None:
    page = waiting(1, 2)
    for key in ("2", "enter"):
        page.press(key, 1.0)
    assert "There is no such free seat" in page.picture(80, 24, 1.0).text
    page.tell(NoSeat(3, 4, True), 2.0)
    assert "Seat West is taken." in page.picture(80, 24, 2.0).text


def test_the_waiting_room_shows_seats_or_that_they_are_drawn() -> None:
    compare("gather-seats", Emulated(80, 24).show(waiting(1, 2), dict(FOUR.styles)))
    drawn = waiting()
    assert "The seats are drawn when everybody has" in drawn.picture(80, 24, 1.0).text
    for key in ("s", "e", "a", "t", "enter"):
        drawn.press(key, 1.0)
    assert "this table draws" in drawn.picture(80, 24, 1.0).text
