"""Six and eight seats in a window of 80x24: nothing needed is hidden, partners are marked."""

from __future__ import annotations

import pytest

from p2p304.rules.core.cards import Card
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.reducer import Gathers
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR

WHERE = ("192.168.100.200:40304   ABCDE-FGHJK", "[2001:db8:1234:5678::1]:40304")
GAMES = ("six-36", "eight-32")


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize("game", GAMES)
def test_while_all_gather_the_address_the_code_and_every_seat_are_seen(
    game: str, chosen: bool
) -> None:
    page = TablePage(Model(me="Asha"), FOUR)
    page.tell(Gathers(Room("Friday", game, WHERE, founder=True)), 0.0)
    nicks = (*scenes.NICKS, *scenes.MORE)
    seats = preset(game).seats
    for count in (1, seats - 1):
        at = tuple(range(count)) if chosen else ()
        page.tell(events.Members(nicks[:count], seats, at), 0.0)
        shown = page.picture(80, 24, 0.0).text
        assert all(where in shown for where in WHERE)
        assert shown.count("(free)") == seats - count
        assert all(nick in shown for nick in nicks[:count])
        assert "Press + to let a bot" in shown and "back to the lobby" in shown


def moments(game: str, seat: int) -> list[TablePage]:
    """The page whenever a trick is complete or nearly so."""
    found, options = [], preset(game)
    page = TablePage(Model(me=(*scenes.NICKS, *scenes.MORE)[seat]), FOUR, pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(14, seat, scenes.club(), options)):
        page.tell(change, number * 0.04)
        trick = page.model.shown_trick
        if trick is not None and len(trick.plays) >= options.seats - 1:
            copied = TablePage(page.model, FOUR)
            found.append(copied)
    return found


@pytest.mark.parametrize("size", [(80, 24), (100, 32)])
@pytest.mark.parametrize("game", GAMES)
def test_every_card_of_a_trick_is_seen(game: str, size: tuple[int, int]) -> None:
    pages = moments(game, 1)
    assert pages
    for page in pages:
        trick = page.model.shown_trick
        assert trick is not None
        table = "\n".join(
            line[: size[0] - 27] for line in page.picture(*size, 0.0).text.split("\n")
        )
        for play in trick.plays:
            if play.card is not None:
                assert face(play.card) in table, (game, play.card)


def face(card: Card) -> str:
    return FOUR.card(card)


@pytest.mark.parametrize(("game", "partners"), [("six-36", 2), ("eight-32", 3), ("pagat", 1)])
def test_partners_are_marked_with_a_sign_and_a_colour(game: str, partners: int) -> None:
    page = moments(game, 1)[0]
    rows = page.picture(120, 40, 0.0).rows[2:]
    marked = [style for row in rows for style, text in row for _ in range(text.count("●"))]
    assert len(marked) == partners and all("good" in style for style in marked)
