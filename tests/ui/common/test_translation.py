"""The catalogues: up to date, with every gap in its place, and screens in each language whose
columns are right."""

from __future__ import annotations

import ast
import gettext
import re

import pytest

from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.text_width import spreads, width_of
from p2p304.ui.common.translation import FOLDER, translation
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Canvas
from p2p304.ui.terminal.frame import Screenful
from scripts.assets import messages
from tests.support.paths import PACKAGE
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare

LANGUAGES = ("si", "ta")
RULES = tuple((PACKAGE / "rules").rglob("*.py"))
SCRIPTS = {"si": ("\u0d80", "\u0dff"), "ta": ("\u0b80", "\u0bff")}


def test_the_catalogues_are_up_to_date() -> None:
    assert list(messages.outdated(write=False)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_has_the_gaps_of_its_message(language: str) -> None:
    known = messages.read_po(FOLDER / language / "LC_MESSAGES" / "p2p304.po")
    for message, text in known.items():
        gaps = sorted(re.findall(r"\{\w+\}", message))
        assert sorted(re.findall(r"\{\w+\}", text)) == gaps, message


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_string_lacks_a_translation(language: str) -> None:
    known = messages.read_po(FOLDER / language / "LC_MESSAGES" / "p2p304.po")
    words = [text for text in messages.messages() if re.search(r"[A-Za-z]", without_gaps(text))]
    assert len(words) > 400
    assert [text for text in words if text not in known] == []
    first, last = SCRIPTS[language]
    told = [text for text in words if not any(first <= char <= last for char in known[text])]
    assert set(told) <= {"PCC", "N-S", "E-W", "{who} {bid} in {suit}"}


def test_no_error_of_a_file_is_put_together_before_it_is_translated() -> None:
    """Its sentence is a literal or a constant; what changes fills its gaps. Those of a cluster are
    for people who run one."""
    built = [
        f"{path.relative_to(PACKAGE)}:{call.lineno}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "DataFolderError"
        if call.args and not isinstance(call.args[0], ast.Constant | ast.Name | ast.IfExp)
    ]
    assert [one for one in built if not one.startswith("offline/archives/cluster.py")] == []


def without_gaps(text: str) -> str:
    return re.sub(r"\{\w+\}", "", text)


@pytest.mark.parametrize(
    ("language", "english", "word", "others"),
    [
        ("ta", r"\btrumps?\b", "துரும்ப", "துருப்பு|ட்ரம்ப்"),
        ("ta", r"\bshuffle[ds]?\b", "கலை", "குலுக்"),
        ("si", r"\btrumps?\b", "තුරුම්පු", "ට්‍රම්ප්"),
        ("si", r"\bshuffle[ds]?\b", "කලවම", r"\bඅනා"),
        ("si", r"\bsuits?\b", "ජාති", "වර්ග"),
        ("ta", "Partner Close Caps", "க்ளோஸ் கேப்ஸ்", "குளோஸ்"),
        ("ta", r"\bCaps\b", "கேப்ஸ்", r"\bCaps\b"),
        ("si", r"\bCaps\b", "කැප්ස්", r"\bCaps\b"),
    ],
)
def test_a_term_of_the_game_has_one_word(
    language: str, english: str, word: str, others: str
) -> None:
    known = messages.read_po(FOLDER / language / "LC_MESSAGES" / "p2p304.po")
    told = {text for message, text in known.items() if re.search(english, message)}
    assert sum(word in text for text in told) > 4
    assert [text for text in told if re.search(others, text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_has_a_slash_for_a_word(language: str) -> None:
    """A screen reader speaks the sign."""
    known = messages.read_po(FOLDER / language / "LC_MESSAGES" / "p2p304.po")
    spoken = {message: text for message, text in known.items() if "   " not in message}
    added = [text for message, text in spoken.items() if text.count("/") > message.count("/")]
    assert [text for text in added if "←/→" not in text] == []  # the arrow keys of a replay


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_checked_by_a_native_speaker_says_so(language: str) -> None:
    text = (FOLDER / language / "LC_MESSAGES" / "p2p304.po").read_text(encoding="utf-8")
    entries = text.split("\n\n")[1:]
    for entry in entries:
        if not entry.rstrip().endswith('msgstr ""'):
            assert entry.lstrip("\n").startswith("# "), entry


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_gettexts_own(language: str) -> None:
    with (FOLDER / language / "LC_MESSAGES" / "p2p304.mo").open("rb") as file:
        catalogue = gettext.GNUTranslations(file)
    known = messages.read_po(FOLDER / language / "LC_MESSAGES" / "p2p304.po")
    assert all(catalogue.gettext(message) == text for message, text in known.items())
    assert translation(language)("no such message") == "no such message"
    assert translation(language)("") == ""


def desk(language: str) -> TablePage:
    page = TablePage(Model(me="Dilan"), FOUR, translation(language), pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(14, 3, scenes.club())):
        page.tell(change, number * 0.04)
        if isinstance(change, events.YourTurn) and len(page.model.done_tricks) == 3:
            break
    return page


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (100, 40), (200, 60)])
def test_every_row_is_as_wide_as_the_window(language: str, size: tuple[int, int]) -> None:
    page = desk(language)
    for key in ("", "?", "m", "l", "b", "w", "g"):
        if key:
            page.press("escape", 9.0)
            page.press(key, 9.0)
        for row in page.picture(*size, 9.0).rows:
            assert sum(width_of(text) for _, text in row) == size[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_and_the_lobby_are_shown_as_stored(language: str) -> None:
    shown = Emulated(80, 24).show(desk(language), dict(FOUR.styles))
    first, last = SCRIPTS[language]
    assert sum(first <= char <= last for char in shown) > 100
    compare(f"table-{language}", shown)
    hall = LobbyPage("Ravi", FOUR, translation(language))
    compare(f"lobby-{language}", Emulated(80, 24).show(hall, dict(FOUR.styles)))


@pytest.mark.parametrize("beside", [False, True], ids=["marks on", "marks beside"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_stays_behind_whatever_room_a_terminal_gives_to_vowel_signs(
    language: str, beside: bool
) -> None:
    fresh, later = Emulated(80, 24, beside=beside), Emulated(80, 24, beside=beside)
    first = fresh.show(desk(language), dict(FOUR.styles))
    typed = "?\x1b[B\x1b[Bglm\x1b[B\x1b[Bm9\x7f"
    assert later.show(desk(language), dict(FOUR.styles), typed) == first


class Changing:
    """A page that shows the next of its rows at every key."""

    asks_to_quit = False

    def __init__(self, *rows: str) -> None:
        self._rows, self._at = rows, 0

    def picture(self, width: int, height: int, now: float) -> Screenful:
        text = self._rows[min(self._at, len(self._rows) - 1)]
        canvas = Canvas(width, height)
        canvas.put(0, 0, text)
        return Screenful(canvas.rows())

    def press(self, key: str, now: float) -> tuple[Quit, ...]:
        self._at += 1
        return ()

    def paste(self, text: str, now: float) -> tuple[Quit, ...]:
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Quit, ...]:
        return ()

    def handle_timer(self, now: float) -> tuple[Quit, ...]:
        return ()

    def next_timeout(self, now: float) -> float | None:
        return None


def test_a_joined_letter_is_written_as_what_terminals_differ_over() -> None:
    """Some terminals draw the letter after a joiner in the cell before it."""
    assert spreads("පත්\u200dරය") and spreads("ලො") and not spreads("පට්ට") and not spreads("Ravi")


@pytest.mark.parametrize("beside", [False, True], ids=["marks on", "marks beside"])
def test_a_vowel_sign_leaves_nothing_where_a_space_comes(beside: bool) -> None:
    """Each change of a row is seen, also one after which the row has the style it had before."""
    rows = ("aලොb", "xලොb", "x   b", "aලොb", "a   b", "නො", "n ො", "   ")
    for count in range(1, len(rows)):
        emulated = Emulated(20, 2, beside=beside)
        shown = emulated.show(Changing(*rows), {}, "k" * count)
        fresh = Emulated(20, 2, beside=beside).show(Changing(rows[count]), {})
        assert shown == fresh, rows[: count + 1]


@pytest.mark.parametrize("beside", [False, True], ids=["marks on", "marks beside"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_vertical_frames_stand_in_one_column_whatever_the_script(
    language: str, beside: bool
) -> None:
    emulated = Emulated(80, 24, beside=beside)
    emulated.show(desk(language), dict(FOUR.styles))
    at = {
        x for y in range(2, 20) for x in range(48, 80) if emulated.screen.buffer[y][x].data == "│"
    }
    assert 53 in at
    assert all(emulated.screen.buffer[y][53].data == "│" for y in range(2, 20))


@pytest.mark.parametrize("language", ("en", *LANGUAGES))
def test_the_longest_sentence_of_the_rules_is_read_whole_at_eighty_columns(language: str) -> None:
    page, translate = desk(language), translation(language)
    refusals = [text for text in sorted(messages.said_in(RULES)) if not text.endswith(".")]
    assert len(refusals) >= 70
    turn = PhraseRenderer(FOUR, translate, page.model.nicks).text(due(page.model))
    for text in refusals:
        told = say("{why}.", why=Phrase(text))
        page.note(told)
        rows = page.picture(80, 24, 9.0).text.splitlines()[-3:]
        whole = PhraseRenderer(FOUR, translate).text(told)
        read = " ".join(" ".join(rows).split())
        assert " ".join(whole.split()) in read and read.startswith(" ".join(turn.split()))
