"""The history as a page: the list, its keys, and what it says of every kind of table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.frontends.fullscreen.history_screen import row
from p2p304.offline.history.summaries import GameSummary, HandNote
from p2p304.ui.fullscreen.history_page import HistoryPage, OpenReplay, Row
from p2p304.ui.narration.intents import Quit
from tests.support.screen.stored import FOUR

HAND = HandNote(1, 0, 1, 160, True, (-1, 1), None, "EW made 160 with 170 points.")
GAME = GameSummary(
    "a.304",
    "2026-11-20 19:04",
    "t",
    "pagat",
    "MDM-3ZU",
    ("Asha", "Bandu", "Chitra", "Dilan"),
    ("aa", "bb", "cc", "dd"),
    (HAND,),
    (10, 12),
    over=True,
    sides=(0, 1, 0, 1),
)
HOME = Path("games")


def page(*games: GameSummary, own: str = "bb") -> HistoryPage:
    return HistoryPage(tuple(row(game, own, HOME) for game in games), FOUR)


def text(shown: HistoryPage) -> str:
    return shown.picture(100, 24, 0.0).text


@pytest.mark.parametrize(
    ("changed", "own", "told"),
    [
        ({}, "bb", "Asha, Bandu, Chitra, Dilan: 1 hand, over. Tokens: We 12, They 10."),
        ({}, "ee", "1 hand, over. Tokens: Asha + Chitra 10, Bandu + Dilan 12."),
        ({"over": False, "hands": (HAND, HAND)}, "aa", "2 hands, not finished. Tokens: We 10"),
        ({"without": "Dilan"}, "aa", "ended without Dilan"),
        ({"tokens": ()}, "aa", "No hand has ended yet."),
        ({"rules": "online-4", "is_points": True}, "aa", "Points in the match: We 10, They 12."),
        (
            {"rules": "maharashtra", "tokens": (11, 10, 12, 11), "sides": (0, 1, 2, 3)},
            "cc",
            "Tokens: Chitra 12, Asha 11, Bandu 10, Dilan 11.",
        ),
        ({"fault": "the signature is false"}, "aa", "Not sound: the signature is false."),
    ],
)
def test_a_line_tells_who_played_and_what_came_of_it(
    changed: dict[str, object], own: str, told: str
) -> None:
    shown = text(page(replace(GAME, **changed), own=own))  # type: ignore[arg-type]
    assert "2026-11-20 19:04  t (" in shown and told in shown


def test_keys_choose_and_open_a_table() -> None:
    shown = page(*(replace(GAME, file=f"{n}.304") for n in range(30)))
    assert shown.press("enter", 0.0) == (OpenReplay(HOME / "0.304"),)
    shown.press("up", 0.0)
    shown.press("down", 0.0)
    assert shown.press("enter", 0.0) == (OpenReplay(HOME / "1.304"),)
    text(shown)
    shown.press("pagedown", 0.0)
    assert shown.at == 10
    shown.press("end", 0.0)
    shown.press("down", 0.0)
    assert shown.at == 29 and "30/30" in text(shown)
    shown.press("home", 0.0)
    assert shown.at == 0
    assert shown.press("q", 0.0) == shown.press("escape", 0.0) == (Quit(),)


def test_a_second_click_opens_the_table() -> None:
    shown = page(*(replace(GAME, file=f"{n}.304") for n in range(4)))
    text(shown)
    assert shown.click(10, 5, 0.0) == () and shown.at == 1
    assert shown.click(10, 4, 0.0) == (OpenReplay(HOME / "1.304"),)
    assert shown.click(10, 20, 0.0) == () and shown.at == 1


def test_an_empty_history_says_how_to_begin() -> None:
    shown = page()
    assert "You have not played yet. p2p304 play begins a game." in text(shown)
    for key in ("enter", "up", "down", "end", "pagedown"):
        assert shown.press(key, 0.0) == ()


def test_a_name_from_a_file_cannot_steer_the_terminal() -> None:
    shown = page(replace(GAME, table="\x1b[31mred", nicks=("\u202ea", "b", "c", "d")))
    assert "\x1b" not in text(shown) and "\u202e" not in text(shown)
    assert isinstance(shown.rows[0], Row)
