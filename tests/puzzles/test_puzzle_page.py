"""Puzzles on both screens: what is shown, how an answer is given, and what is said of it."""

from __future__ import annotations

import pytest

from p2p304.puzzles.page import PuzzlePage
from p2p304.puzzles.position import model_of, unseen_cards
from p2p304.puzzles.puzzle import ASK_CAPS, NO, Kind, collection
from p2p304.puzzles.text import list_lines, play
from p2p304.ui.common.text_width import width_of
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.phrase_renderer import untranslated
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare

PUZZLES = collection()
CUT = next(n for n, one in enumerate(PUZZLES) if one.answer == "KD")
CAPS = next(n for n, one in enumerate(PUZZLES) if one.answer.startswith("caps"))
NOT_CAPS = next(n for n, one in enumerate(PUZZLES) if one.answer == NO)


def page(at: int) -> PuzzlePage:
    return PuzzlePage(PUZZLES, at, FOUR)


def typed(shown: PuzzlePage, *lines: str) -> None:
    for line in lines:
        for key in (*line, "enter"):
            assert shown.press(key, 0.0) == ()


def text(shown: PuzzlePage) -> str:
    return shown.picture(80, 24, 0.0).text


@pytest.mark.parametrize(("name", "at"), [("cut", CUT), ("caps", CAPS)])
def test_a_puzzle_is_shown_as_stored(name: str, at: int) -> None:
    compare(f"puzzle-{name}", Emulated(80, 24).show(page(at), dict(FOUR.styles)))


@pytest.mark.parametrize("at", range(len(PUZZLES)))
def test_all_hands_are_open_or_none_but_the_own(at: int) -> None:
    puzzle, referee = PUZZLES[at], PUZZLES[at].position()
    model = model_of(puzzle, referee, at + 1, len(PUZZLES))
    others = [one for seat, held in enumerate(referee.held) for one in held if seat != model.seat]
    table = "\n".join(line[:53] for line in text(page(at)).split("\n")[2:-4])
    for card in others:
        assert (FOUR.card(card) in table) is (puzzle.kind is not Kind.CAPS)
    if puzzle.kind is Kind.CAPS:
        assert model.open_hands == () and set(unseen_cards(referee)) == set(others)
    for size in ((80, 24), (100, 40), (60, 20), (20, 8)):
        rows = page(at).picture(*size, 0.0).rows
        assert all(sum(width_of(part) for _, part in row) == size[0] for row in rows)


def test_a_wrong_card_says_what_happens_and_the_right_one_why() -> None:
    shown = page(CUT)
    typed(shown, "9c")
    assert "With 9♣ the bid is made: 168 points." in text(shown) and shown.at not in shown.solved
    typed(shown, "kd")
    assert "Right. Asha wins this trick" in text(shown) and shown.at in shown.solved
    assert "PgDn next" in text(shown).rstrip().split("\n")[-1]
    assert shown.press("enter", 0.0) == () and shown.at == CUT + 1


def test_caps_is_called_with_its_order_or_denied() -> None:
    shown = page(CAPS)
    typed(shown, "no")
    assert "Some order of these cards wins every trick." in text(shown)
    order = PUZZLES[CAPS].answer.removeprefix("caps ").split()
    typed(shown, "caps " + " ".join(reversed(order)).lower())
    shown.press("y", 0.0)
    assert "In this order a trick can be lost." in text(shown)
    typed(shown, PUZZLES[CAPS].answer.lower())
    shown.press("y", 0.0)
    assert "Right. Nobody followed your last trump" in text(shown)
    shown = page(NOT_CAPS)
    typed(shown, "no")
    assert "Right: it is not Caps." in text(shown)


def test_only_a_no_or_all_cards_in_order_answer_a_puzzle_about_caps() -> None:
    shown = page(CAPS)
    first = PUZZLES[CAPS].answer.lower().split()[1]
    typed(shown, first)
    assert "Can you call Caps? Type no, or caps and" in text(shown) and not shown.solved
    typed(shown, f"caps {first}")
    shown.press("y", 0.0)
    assert "Caps names all your" in text(shown) and not shown.solved
    shown = page(NOT_CAPS)
    typed(shown, "n")
    assert "Right: it is not Caps." in text(shown)


def test_keys_turn_the_pages_show_the_answer_and_leave() -> None:
    shown = page(0)
    shown.press("pageup", 0.0)
    assert shown.at == len(PUZZLES) - 1
    shown.press("pagedown", 0.0)
    assert shown.at == 0
    shown.press("i", 0.0)
    assert "The answer: J♥. No trump is left." in text(shown)
    assert shown.press("escape", 0.0) == (Quit(),)
    shown = page(0)
    assert shown.press("c-c", 0.0) == () and shown.press("c-c", 0.0) == (Quit(),)


def test_text_mode_lists_asks_and_judges() -> None:
    told = list_lines(untranslated)
    assert len(told) == len(PUZZLES) + 2 and told[0].startswith(" 1  Which card?")
    said: list[str] = []
    assert play(CUT + 1, ["", "zz", "9c", "kd", "tc"], said.append, untranslated) == 0
    assert said[1] == "You are Dilan (West). Your partner is Bandu."
    assert said[2].startswith("Cut, or throw") and "Dilan: KD 9C 10C" in said
    assert "Cut or throw?" not in said
    assert said[-2] == "With 9C the bid is made: 168 points." and said[-1].startswith("Right.")
    said.clear()
    play(1, [], said.append, untranslated)
    assert "Your turn: lead a card." in said and "Points: We 22, They 123" in said
    assert any(line.startswith("The last trick, in order") for line in said)
    said.clear()
    play(CAPS + 1, ["no", PUZZLES[CAPS].answer.lower()], said.append, untranslated)
    assert said[-2:][0] == "Some order of these cards wins every trick."
    assert said[-1].startswith("Right. Nobody") and not any("Bandu: " in line for line in said)
    said.clear()
    play(NOT_CAPS + 1, ["spoilt", "answer"], said.append, untranslated)
    assert said[-2] == str(ASK_CAPS) and said[-1].startswith("The answer: no.")
    assert (
        play(1, ["quit"], said.append, untranslated) == 0 == play(1, [], said.append, untranslated)
    )


def test_a_puzzle_of_another_game_names_it() -> None:
    (at,) = (n for n, one in enumerate(PUZZLES) if "304N pagat" not in one.hand)
    assert "The game: online-4." in text(page(at)).replace("\n", " ")
    said: list[str] = []
    play(at + 1, [PUZZLES[at].answer.lower()], said.append, untranslated)
    assert said[1].startswith("The game: online-4.") and said[-1].startswith("Right.")
