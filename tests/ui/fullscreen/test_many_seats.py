"""From two to eight seats in a window of 80x24: nothing needed is hidden, names stay put and whole,
partners are marked."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from p2p304.rules.core.actions import Action, Ask, Pass
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View
from p2p304.rules.variants.absence import WAYS
from p2p304.rules.variants.presets import preset
from p2p304.table.state import gathering_events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance import status
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Gathers, reduce
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR, PLAIN

WHERE = ("192.168.100.200:40304   ABCDE-FGHJK", "[2001:db8:1234:5678::1]:40304")
GAMES = ("six-36", "eight-32")


@pytest.mark.parametrize("chosen", [False, True])
@pytest.mark.parametrize("founder", [False, True])
@pytest.mark.parametrize("away", WAYS)
@pytest.mark.parametrize("game", ["pagat", *GAMES])
def test_while_all_gather_the_address_the_code_and_every_seat_are_seen(
    game: str, away: str, founder: bool, chosen: bool
) -> None:
    page = TablePage(Model(me="Asha"), FOUR)
    page.tell(Gathers(Room("Friday", game, WHERE, founder, away)), 0.0)
    nicks = (*scenes.NICKS, *scenes.MORE)
    seats = preset(game).seats
    for count in (1, seats - 1):
        at = tuple(range(count)) if chosen else ()
        page.tell(gathering_events.Members(nicks[:count], seats, at), 0.0)
        shown = page.picture(80, 24, 0.0).text
        assert all(where in shown for where in WHERE)
        assert shown.count("(free)") == seats - count
        assert all(nick in shown for nick in nicks[:count])
        assert ("Press + to let a bot" in shown) == founder and "back to the lobby" in shown
        assert "If somebody leaves for good" in shown


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
    marked = [style for row in rows for style, text in row for _ in range(text.count("&"))]
    assert len(marked) == partners and all("good" in style for style in marked)


@pytest.mark.parametrize("game", GAMES)
def test_beside_a_large_table_the_last_trick_has_every_card(game: str) -> None:
    page = next(page for page in reversed(moments(game, 1)) if page.model.last_trick is not None)
    rows = page.picture(120, 40, 0.0).text.split("\n")[2:]
    top = next(n for n, row in enumerate(rows) if "The last trick" in row)
    shown = [row[80:] for row in rows[top + 1 : top + 1 + page.model.seats]]
    assert all(any(nick in row for row in shown) for nick in page.model.nicks), shown


ALL = ("pagat", "six-36", "eight-32", "online-2", "online-3")
BOTS = ("Kamala [bot]", "Nimal", "Sunil [bot]", "Kumari", "Perera [bot]", "Ruwan", "Hema [bot]")


@cache
def models(game: str) -> tuple[Model, ...]:
    """A hand of the second player among bots and people with usual names."""
    found, model = [], Model(me="Bandu")
    for number, change in enumerate(scenes.evening(14, 1, scenes.club(), preset(game))):
        model = reduce(model, change, number * 0.04)
        nicks = ("Latha [bot]", *BOTS)[: len(model.nicks)]
        found.append(replace(model, nicks=nicks, me=nicks[1] if len(nicks) > 1 else "Bandu"))
    return tuple(one for one in found if one.hand is not None)


def rows(model: Model, size: tuple[int, int], look: Look = FOUR) -> list[str]:
    """The screen without what is beside the table."""
    renderer = PhraseRenderer(look, nicks=model.nicks, seats=model.seats, seat=model.seat)
    shown = render(model, Ui(), renderer, *size, 3.0).text.split("\n")
    width = size[0] - max(26, min(size[0] // 3, 64)) - 1
    return [shown[1], *(row[:width] for row in shown[2:])]


@pytest.mark.parametrize("size", [(80, 24), (100, 32), (120, 40)])
@pytest.mark.parametrize("game", ALL)
def test_usual_names_are_whole_and_no_mark_and_no_card_moves_them(
    game: str, size: tuple[int, int]
) -> None:
    places: dict[str, set[tuple[int, int]]] = {}
    marked = [replace(models(game)[9], dealer=seat) for seat in range(preset(game).seats)]
    for model in (*models(game)[::3], *marked):
        table = rows(model, size)[1:-4]
        for nick in model.nicks:
            found = {(y, row.index(nick)) for y, row in enumerate(table) if nick in row}
            assert found, "\n".join(table)
            places.setdefault(nick, set()).update(found)
    assert all(len(found) == 1 for found in places.values()), places


@pytest.mark.parametrize("look", [FOUR, PLAIN], ids=["signs", "letters"])
@pytest.mark.parametrize("game", [*ALL, "half-court", "maharashtra"])
def test_the_trumps_stand_in_the_line_of_the_contract_however_long_the_names(
    game: str, look: Look
) -> None:
    seen = 0
    for model in models(game)[::4]:
        if model.hand is None or model.hand.maker is None or not model.done_tricks:
            continue
        for nicks in (model.nicks, tuple(f"{n}{'x' * 20} [bot]" for n in range(model.seats))):
            named = replace(model, nicks=nicks)
            renderer = PhraseRenderer(look, nicks=nicks, seats=model.seats, seat=model.seat)
            told = renderer.text(status.contract(named))
            shown, whole = rows(named, (80, 24), look)[0], told[told.index(" plays ") :]
            assert whole in shown, shown
            points = "".join(text for _, text in status.points(named, renderer))
            screen = render(named, Ui(), renderer, 80, 24, 3.0).text.split("\n")
            aside = " ".join(row[54:].strip() for row in screen[2:6])
            assert points in shown or points in " ".join(aside.split()), (shown, aside)
            seen += 1
    assert seen > 2


def test_the_signs_beside_the_names_are_explained() -> None:
    for game, least in (("pagat", 5), ("six-36", 6), ("online-3", 3)):
        model = models(game)[-1]
        told = [phrase.text for phrase in help_phrases(model)]
        assert ("& marks your partner." in told) == (game == "pagat")
        assert ("& marks your partners." in told) == (game == "six-36")
        assert ("The number beside a name is the seat, in the order of play." in told) == (
            game == "six-36"
        )
        assert sum(
            text.startswith(("Play runs", "(D) marks", "&", "…", "The row", "The number"))
            for text in told
        ) == (least)


def test_a_player_at_the_top_whose_words_do_not_all_fit_shows_the_last_of_them() -> None:
    """A partner who was asked, and passed in both rounds, has passed three times."""

    def choose(view: View, options: tuple[Action, ...]) -> Action:
        asks = [each for each in options if isinstance(each, Ask) and view.seat == 2]
        passes = [each for each in options if isinstance(each, Pass)]
        return (*asks, *passes, *options)[0]

    said = 0
    for _, model in scenes.models(14, 0, choose, preset("eight-32")):
        if model.hand is not None and model.hand.phase.value.startswith("bid"):
            said = sum(isinstance(each, Pass) and each.seat == 4 for each in model.hand.history)
            if said:
                shown = render(model, Ui(), PhraseRenderer(FOUR, nicks=model.nicks), 80, 24, 0.0)
                rows = shown.text.splitlines()
                below = next(n for n, row in enumerate(rows) if "Eshan" in row) + 1
                assert "pass" in rows[below][18:36], said
    assert said == 3
