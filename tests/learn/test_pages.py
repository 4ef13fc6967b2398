"""Lessons on both screens: every step can be done, asked for, skipped and undone."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from p2p304.app.config import NodeConfig
from p2p304.frontends.text.lobby import TextLobby
from p2p304.frontends.text.typed_lines import TypedLines
from p2p304.learn import list_page
from p2p304.learn import page as lesson_page
from p2p304.learn.lesson import Lesson
from p2p304.learn.lessons import LESSONS, find_lesson
from p2p304.learn.list_page import Begin, LessonList
from p2p304.learn.page import Done, LessonPage, ToLessons, Wanted
from p2p304.learn.run import LessonRun
from p2p304.learn.screen import Lessons
from p2p304.learn.text import TextLessons
from p2p304.rules.core import notation
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.lessons_done import lessons_done, note_lesson
from p2p304.ui.common.settings import CONTROLS, Pace
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.view.panes import aside
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from tests.support.screen.stored import FOUR

QUICK = Pace(0.0, 0.0)
LANGUAGES = ("en", "si", "ta")
EACH = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)


def page(lesson: Lesson, language: str = "en") -> LessonPage:
    return LessonPage(LessonRun(lesson), "Asha", FOUR, translation(language), CONTROLS, QUICK)


def typed(shown: LessonPage, line: str) -> tuple[Wanted, ...]:
    wanted: tuple[Wanted, ...] = ()
    for key in (*line, "enter"):
        wanted += shown.press(key, 0.0)
    return wanted


def answer(run: LessonRun) -> str:
    """What a learner types at this step."""
    if run.number is not None:
        return str(run.number)
    if run.action is None:
        return ""
    word = notation.word(run.action).lower()
    return "cut" if run.step.do.startswith("~") and "cut with" in str(said(run)) else word


def said(run: LessonRun) -> object:
    return run.answer(run.model("Asha"))


@EACH
def test_every_step_can_be_done_on_the_full_screen(lesson: Lesson) -> None:
    shown = page(lesson)
    for at in range(shown.run.count):
        assert shown.run.at == at
        assert shown.table.is_settled
        text = shown.picture(80, 24, 0.0).text
        assert f"{at + 1}/{shown.run.count}" in text
        shown.press("escape" if shown.table.ui.pane else "left", 0.0)
        shown.table.ui = shown.table.ui.__class__()
        wanted = typed(shown, answer(shown.run))
        if shown.table.ui.asking is not None:
            wanted += shown.press("y", 0.0)
        last = at + 1 == shown.run.count
        assert [type(one) for one in wanted] == ([Done] if last else []), shown.run.text


@EACH
def test_a_wrong_answer_is_answered_and_changes_nothing(lesson: Lesson) -> None:
    shown = page(lesson)
    for at in range(shown.run.count):
        shown = page(lesson)
        shown.table = shown._table_at(at)
        if not (shown.run.step.do or shown.run.step.ask):
            continue
        for line in ("999", "7d", "xyzzy"):
            typed(shown, line)
            assert shown.run.at == at
            assert str(shown.run.wrong) in str(shown.said[0].phrase)
        shown.press("h", 0.0)
        assert "The answer" in str(shown.said[0].phrase)


@EACH
def test_skip_does_every_step_and_back_undoes_it(lesson: Lesson) -> None:
    shown = page(lesson)
    for at in range(shown.run.count - 1):
        text = str(shown.run.text)
        assert shown.press("n", 0.0) == ()
        assert shown.run.at == at + 1
        after = shown.table.model
        shown.press("b", 0.0)
        assert (shown.run.at, str(shown.run.text)) == (at, text)
        shown.press("n", 0.0)
        assert shown.table.model.view == after.view
        shown.table.ui = shown.table.ui.__class__()


def test_a_number_that_is_asked_for_stands_nowhere_on_the_screen() -> None:
    shown = page(LESSONS[0])
    assert "61" not in shown.picture(80, 24, 0.0).text
    typed(shown, "60")
    assert shown.said
    typed(shown, "61")
    assert shown.said == ()
    assert "Your cards: 61." in shown.picture(80, 24, 0.0).text


def test_a_learner_who_leaves_is_not_asked_whether_others_must_wait() -> None:
    shown = page(LESSONS[0])
    assert shown.press("x", 0.0) == (ToLobby(),)
    assert shown.press("c-c", 0.0) == (Quit(),)
    (wanted,) = shown.press("escape", 0.0)
    assert isinstance(wanted, ToLessons)
    shown.press("m", 0.0)
    shown.press("end", 0.0)
    assert shown.press("enter", 0.0) == (Quit(),)


def test_no_card_is_chosen_ahead_of_its_step() -> None:
    shown = LessonPage(LessonRun(LESSONS[0]), "Asha", FOUR, translation("en"), CONTROLS, Pace())
    while shown.run.step.do != "JH":
        shown.press("n", 0.0)
    shown.press(" ", 0.0)
    typed(shown, "jh")
    typed(shown, "9h")  # the others have yet to play
    assert not shown.table.is_settled
    assert shown.table.ui.queued is None
    shown.press(" ", 0.0)
    assert shown.run.step.do == "9H"
    shown.press("n", 0.0)
    shown.press(" ", 0.0)
    assert shown.run.step.ask == "need"
    shown.picture(80, 24, 0.0)
    for _ in range(2):
        shown.click(25, 17, 0.0)  # a card
    assert shown.table.ui.cursor is not None
    assert shown.table.ui.queued is None


def test_no_key_and_no_entry_leads_to_proofs_where_nothing_is_proved() -> None:
    shown = page(LESSONS[0])
    for key in ("m", "?"):
        shown.press(key, 0.0)
        text = shown.picture(100, 60, 0.0).text
        assert "Log of this game" in text
        assert "proofs" not in text
        shown.press("escape", 0.0)


def test_cards_are_shown_one_after_the_other_and_the_text_after_them() -> None:
    shown = LessonPage(LessonRun(LESSONS[0]), "Asha", FOUR, translation("en"), CONTROLS, Pace())
    typed(shown, "61")
    assert not shown.table.is_settled
    assert "A bid is" not in shown.picture(80, 24, 0.0).text
    now = shown.next_timeout(0.0)
    while now is not None and not shown.table.is_settled:
        shown.handle_timer(now)
        now = shown.next_timeout(now)
    assert "A bid is" in shown.picture(80, 24, 9.0).text


def test_a_question_of_the_table_takes_every_key() -> None:
    shown = LessonPage(LessonRun(LESSONS[-1]), "Asha", FOUR, translation("en"), CONTROLS, Pace())
    typed(shown, "9s")
    assert not shown.table.is_settled
    typed(shown, "caps as")
    if shown.table.ui.asking is not None:
        for key in (" ", "n"):
            shown.press(key, 0.0)
    assert shown.table.ui.asking is None
    assert shown.run.at == 1


@pytest.mark.parametrize("key", [" ", "n"])
def test_one_key_shows_the_rest_at_once_and_does_no_step(key: str) -> None:
    shown = LessonPage(LessonRun(LESSONS[0]), "Asha", FOUR, translation("en"), CONTROLS, Pace())
    typed(shown, "61")
    assert "Watch the table" in shown.picture(80, 24, 0.0).text
    shown.press(key, 0.0)
    assert shown.table.is_settled
    assert shown.run.at == 1


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_fits_beside_the_smallest_table(lesson: Lesson, language: str) -> None:
    """With the refusal below it: 19 lines of 25 columns, the table's side at 80x24."""
    shown = page(lesson, language)
    for at in range(shown.run.count):
        shown.table = shown._table_at(at)
        typed(shown, "7d")
        told = aside(
            shown._aside(),
            PhraseRenderer(FOUR, translation(language), shown.table.model.nicks, 4, 0),
            25,
        )
        assert len(told) <= 19, (at, shown.run.text)


def test_the_list_marks_what_is_done_and_points_at_what_is_not() -> None:
    shown = LessonList(LESSONS, {LESSONS[0].name}, FOUR, translation("en"))
    assert shown.at == (1 if len(LESSONS) > 1 else 0)
    text = shown.picture(80, 24, 0.0).text
    assert "Your first hand  ✓ done" in text
    assert shown.press("1", 0.0) == ()
    assert shown.press("enter", 0.0) == (Begin(LESSONS[0]),)
    assert shown.press("q", 0.0) == (ToLobby(),)
    assert shown.press("c-c", 0.0) == (Quit(),)
    shown.press("home", 0.0)
    assert shown.press("enter", 0.0) == (Begin(LESSONS[0]),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_fits_the_smallest_window(language: str) -> None:
    renderer = PhraseRenderer(FOUR, translation(language))
    for phrase in (*(lesson.about for lesson in LESSONS), list_page.KEYS, lesson_page.KEYS):
        assert renderer.width(phrase) <= 73, phrase


def test_done_lessons_are_remembered_and_a_damaged_file_forgets_them(tmp_path: Path) -> None:
    assert lessons_done(tmp_path) == frozenset()
    note_lesson(tmp_path, "first")
    note_lesson(tmp_path, "caps")
    note_lesson(tmp_path, "first")
    assert lessons_done(tmp_path) == {"first", "caps"}
    for damage in (b"", b"[", b'{"a": 1}', b"[1]", b"\xff"):
        (tmp_path / "lessons.json").write_bytes(damage)
        assert lessons_done(tmp_path) == frozenset()
    note_lesson(tmp_path, "first")
    assert lessons_done(tmp_path) == {"first"}
    (tmp_path / "lessons.json").unlink()
    (tmp_path / "lessons.json").mkdir()
    note_lesson(tmp_path, "first")  # it cannot be written, which must not end the lessons
    assert lessons_done(tmp_path) == frozenset()


def test_after_the_last_lesson_the_list_names_the_lesson_that_enter_begins() -> None:
    screen = Lessons("Asha", FOUR, translation("en"), CONTROLS, QUICK, frozenset(), lambda _: None)
    screen.begin(LESSONS[-1])
    screen.carry_out(Done())
    assert str(screen.list.note) == (
        f"You have done “{LESSONS[-1].title}”. Press Enter for “{LESSONS[0].title}”, "
        "or q for the lobby."
    )
    assert screen.list.press("enter", 0.0) == (Begin(LESSONS[0]),)


def test_the_screen_goes_from_the_list_to_a_lesson_and_back_and_notes_what_is_done() -> None:
    noted: list[str] = []
    done = frozenset(lesson.name for lesson in LESSONS[1:])
    screen = Lessons("Asha", FOUR, translation("en"), CONTROLS, QUICK, done, noted.append)

    def page_after(*wanted: Wanted | list_page.Wanted) -> str:
        for one in wanted:
            screen.carry_out(one)
        return type(screen.terminal.page).__name__

    assert page_after() == "LessonList"
    assert page_after(Begin(LESSONS[0])) == "LessonPage"
    assert (page_after(ToLessons()), noted) == ("LessonList", [])
    assert page_after(Begin(LESSONS[0]), Done()) == "LessonList"
    assert noted == [LESSONS[0].name]
    assert "You have done all lessons" in screen.list.picture(80, 24, 0.0).text
    assert page_after(*screen.list.press("p", 0.0)) == "PuzzlePage"
    assert page_after(Quit()) == "LessonList" and not screen.quits
    screen.carry_out(ToLobby())
    assert not screen.quits
    screen.carry_out(Quit())
    assert screen.quits


# Text mode


def lessons_in_text(language: str = "en") -> tuple[TextLessons, list[str]]:
    done: list[str] = []
    return TextLessons("Asha", translation(language), frozenset(), done.append), done


@EACH
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_can_be_done_in_text_mode(lesson: Lesson, language: str) -> None:
    shown, done = lessons_in_text(language)
    shown.begin(lesson)
    for _ in lesson.places:
        run = shown._run
        assert run is not None
        at = run.at
        if run.step.do or run.step.ask:
            for line in ("999", "7d", "xyzzy", "", "hand", "table", "last", "?", "h"):
                shown.typed(line)
                assert run.at == at
        lines = shown.typed(answer(run))
        if shown._screen.asked_claim is not None:
            assert run.at == at
            shown.typed("n")
            assert run.at == at
            shown.typed(answer(run))
            lines = shown.typed("y")
        assert run.is_last or run.at == at + 1, lines
    assert done == [lesson.name]


@EACH
def test_in_text_mode_one_can_go_back_skip_and_leave(lesson: Lesson) -> None:
    shown, _ = lessons_in_text()
    shown.begin(lesson)
    run = shown._run
    assert run is not None
    shown.typed("skip")
    assert run.at == 1
    shown.typed("back")
    assert run.at == 0
    shown.typed("back")
    assert run.at == 0
    assert "1) Your first hand" in "\n".join(shown.typed("lessons"))
    shown.typed("1")
    assert len(shown.typed("quit")) == 1
    assert shown.is_over


def test_the_list_in_text_mode_leads_to_the_puzzles() -> None:
    shown, _ = lessons_in_text()
    shown.begin()
    told = shown.typed("puzzles")
    assert told[0].startswith(" 1  ") and told[-1].startswith("p2p304 puzzle NUMBER")


def test_a_wrong_word_is_refused_by_the_rules_and_the_lesson_adds_a_sentence() -> None:
    shown, _ = lessons_in_text()
    shown.begin(LESSONS[0])
    run = shown._run
    assert run is not None
    while run.step.do != "7C":
        shown.typed("skip")
    told = " ".join(shown.typed("js"))
    assert "You must follow suit: clubs." in told
    assert str(run.wrong) in told


def test_the_lobby_in_text_mode_leads_to_the_lessons_and_back(tmp_path: Path) -> None:
    async def answered() -> list[str]:
        typed, told = TypedLines(), list[str]()
        for line in ("1", "61", "quit"):
            typed.put(line)
        lobby = TextLobby(DataFolder(tmp_path), NodeConfig(), typed, told.append)
        assert await lobby._answer("learn", []) is None
        return told

    told = "\n".join(asyncio.run(answered()))
    assert "Step 2 of 16." in told
    assert told.endswith("takes you back to them.")


@pytest.mark.parametrize(("word", "at"), [("1", 0), ("first", 0), ("FIRST", 0), ("0", None)])
def test_a_lesson_is_found_by_name_and_number(word: str, at: int | None) -> None:
    assert find_lesson(word) == (None if at is None else LESSONS[at])
