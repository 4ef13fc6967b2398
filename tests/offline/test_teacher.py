"""The teacher on files: what it finds in a transcript, on a page, and over evenings."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import p2p304
from p2p304.bots.teacher import evaluation as teacher
from p2p304.bots.teacher.evaluation import Evaluation
from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.history import history_report
from p2p304.offline.history.summaries import game_summaries
from p2p304.offline.teacher import figures, mistakes
from p2p304.offline.teacher.lessons import lessons_of
from p2p304.offline.teacher.mistakes import judged_hands
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state.events import HandOver, Seated
from p2p304.table.transition.replay import Replay
from p2p304.ui.fullscreen.model.judgement import Unjudged
from tests.support.paths import TRANSCRIPTS

CLOSED = (TRANSCRIPTS / "closed.304").read_bytes()


class Found:
    """What the teacher is asked, and a mistake at each of a seat's cards."""

    def __init__(self, seat: int) -> None:
        self.seat, self.views = seat, list[View]()

    def __call__(
        self, view: View, taken: Action, shown: Collection[tuple[Seat, Suit]] = ()
    ) -> Evaluation | None:
        if view.hand.phase is not Phase.PLAY:
            return None
        self.views.append(view)
        found = teacher.evaluate(view, taken, 2)
        if found is None or view.seat != self.seat:
            return None
        first = found.ranked[-1]
        taken_at = found.choices.index(first)
        worst = tuple(
            teacher.Choice(one.action, one.made, (-2 if one is first else 1,) * 2)
            for one in found.choices
        )
        return Evaluation(found.seat, found.bid, 2, found.defends, worst, taken_at, found.without)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Found:
    asked = Found(2)
    monkeypatch.setattr(mistakes, "evaluate", asked)
    return asked


def test_every_card_that_can_be_judged_is_judged_and_the_others_are_counted(found: Found) -> None:
    numbers: list[int] = []
    (hand,) = judged_hands(CLOSED, on_hand=numbers.append)
    assert numbers == [hand.deal] == [1]
    cards = Counter({(1, Unjudged.CARDS): 10})  # two calls before the first lead among them
    cards.update({(seat, Unjudged.FIRST): 1 + (seat < 2) for seat in range(4)})
    assert len(found.views) == 24
    assert hand.unjudged == cards and hand.judged == 24 + 3
    assert hand.mistakes and {one.seat for one in hand.mistakes} == {2}
    assert all(one.regret == 3.0 for one in hand.mistakes)
    lessons = lessons_of(CLOSED)
    assert lessons is not None
    ((name, told),) = lessons.hands
    assert name == "Hand 1" and told[-2:] == (
        "10 moves of Asha could not be judged: not all cards held then are known.",
        "Bids of Bandu, Asha, Chitra, Dilan with the first cards could not be judged: nobody else "
        "saw which cards came first.",
    )
    assert len(told) == len(hand.mistakes) + 2
    wanted = r"Trick 1: Chitra played \S+: .* of 100 deals\. Better: .* It costs 3\.0 tokens\."
    assert re.fullmatch(wanted, told[0])


def test_a_hand_that_is_dealt_again_is_one_hand_on_the_page_and_in_the_figures(
    found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (TRANSCRIPTS / "spoilt.304").read_bytes()
    numbers: list[int] = []
    deals = list(judged_hands(data, on_hand=numbers.append))
    assert [(one.deal, one.void) for one in deals] == [(1, True), (2, False)]
    assert numbers == [1, 1]
    lessons = lessons_of(data)
    assert lessons is not None
    assert [name for name, _ in lessons.hands] == ["Hand 1", "Hand 1, dealt again (deal 2)"]
    both = [replace(one, judged=3) for one in deals]
    monkeypatch.setattr(figures, "judged_hands", lambda *given: both)
    kept = figures.figures_of(TRANSCRIPTS / "spoilt.304", tmp_path, b"", "")
    assert (kept.hands, kept.judged) == (1, 6)


def test_the_cards_of_one_player_are_judged_alone(found: Found) -> None:
    keys = game_keys(CLOSED)
    (hand,) = judged_hands(CLOSED, keys[3])
    assert {view.seat for view in found.views} == {3} and not hand.mistakes
    found.views.clear()
    assert not any(one.judged for one in judged_hands(CLOSED, b"x" * 32)) and not found.views


def game_keys(data: bytes) -> tuple[bytes, ...]:
    """The keys by seat."""
    events = (event for one in Replay(data) for event in one.events)
    return next(event.keys for event in events if isinstance(event, Seated))


@pytest.mark.parametrize("name", ["unfinished", "bid"])
def test_the_teacher_is_silent_on_a_hand_that_is_not_over(name: str, found: Found) -> None:
    data = (TRANSCRIPTS / f"{name}.304").read_bytes()
    over = 0
    try:
        for one in Replay(data):
            over += sum(isinstance(event, HandOver) for event in one.events)
    except Refused:
        pass
    assert over == 0 and list(judged_hands(data)) == [] and not found.views
    with pytest.raises(Unreadable):
        list(judged_hands(b"no transcript"))
    assert lessons_of(b"no transcript") is None


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (lambda: ValueError("Sample larger than population or is negative"), Unjudged.CARDS),
        (lambda: LookupError("no deal fits what was seen"), Unjudged.DEALS),
    ],
)
def test_the_teacher_passes_over_what_it_cannot_judge(
    fault: Callable[[], Exception], why: Unjudged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A damaged file of own cards may tell anything: the search then draws from too few cards. And
    some contracts it does not know."""

    def evaluate(view: View, action: Action, **more: object) -> Evaluation | None:
        raise fault()

    monkeypatch.setattr(mistakes, "evaluate", evaluate)
    (hand,) = judged_hands(CLOSED)
    assert hand.judged == 0 and hand.mistakes == () and hand.unjudged[2, why] > 8


def test_evenings_are_judged_once_and_told_as_a_curve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DataFolder(tmp_path / "home")
    shutil.copy(TRANSCRIPTS / "closed.304", store.home / "games" / "closed.304")

    class Own:
        public = game_keys(CLOSED)[2]

    monkeypatch.setattr(store, "own_key", lambda: Own.public)
    asked = Found(2)
    monkeypatch.setattr(mistakes, "evaluate", asked)
    lines: list[str] = []
    for _ in range(2):
        lines.clear()
        history_report.stats(store, False, lines.append, teaches=True)
        assert len(asked.views) == 8  # the second time the figures are remembered
    told = "\n".join(lines)
    assert "What your mistakes cost in a hand" in told
    assert re.search(r"tokens 2[14]\.00, mistakes [78], hands 1", told)
    data: list[str] = []
    history_report.stats(store, True, data.append, teaches=True)
    (evening,) = json.loads(data[0])["teacher"]
    assert (evening["file"], evening["judged"], evening["hands"]) == ("closed.304", 9, 1)
    # A damaged memory is made again, and so is that of a file that has changed.
    (store.home / figures.NAME).write_bytes(b'{"version": 1, "files": {"closed.304": 3}}')
    again = partial(history_report.stats, store, False, lines.append, teaches=True)
    again()
    assert len(asked.views) == 16
    (store.home / "games" / "closed.304").touch()
    game_summaries(store)
    again()
    assert len(asked.views) == 24
    again()
    assert len(asked.views) == 24
    # And so is what another state of the teacher has found.
    monkeypatch.setattr(history_report, "program_digest", lambda *parts: "another program")
    again()
    assert len(asked.views) == 32
    lines.clear()
    history_report.stats(store, False, lines.append)
    assert not any("mistakes" in line for line in lines)


def test_what_the_teacher_found_is_judged_anew_when_anything_that_judges_has_changed() -> None:
    """`teacher.json` tells by which program it was judged: by every file that a judgement needs,
    apart from those that read and verify the bytes, and that say the sentence."""
    needed = set[str]()
    due = ["offline/teacher/mistakes.py"]
    package = Path(p2p304.__file__).parent
    while due:
        name = due.pop()
        if name in needed:
            continue
        needed.add(name)
        tree = ast.parse((package / name).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                modules = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
                paths = [one.removeprefix("p2p304.").replace(".", "/") + ".py" for one in modules]
                due += [path for path in paths if (package / path).exists()]
    outside = {name.split("/")[0] for name in needed if not name.startswith(figures.JUDGES)}
    assert len(needed) > 40 and outside <= {"crypto", "log", "wire", "storage", "ui"}
