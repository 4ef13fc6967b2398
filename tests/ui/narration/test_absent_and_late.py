"""One player is gone and another one is late: every sentence says whom it means."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from p2p304.rules.variants.absence import PLAY_OUT, REPLACE, WAIT
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.guidance.status import waiting_phrase
from p2p304.ui.narration import parting_courses
from p2p304.ui.narration.absence_phrases import offer, question, what_follows
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.parting_courses import Course
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.questions import leaving
from p2p304.ui.text.narrator import Narrator
from tests.support.screen import scenes
from tests.support.screen.stored import PLAIN

GAMES = {3: "online-3", 4: "pagat", 6: "six-36", 8: "eight-32"}
COURSES = {
    name: value for name, value in vars(parting_courses).items() if isinstance(value, Course)
}
OFFERS = {
    REPLACE: "To give the seat of Chitra to a bot",
    PLAY_OUT: "To play this hand out without Chitra",
}
VAGUE = re.compile(r"\b(they|them|their|theirs|those)\b", re.IGNORECASE)
text = PhraseRenderer(PLAIN).text


@cache
def in_play(seats: int, away: str) -> Model | None:
    """Asha's table with a trick on it; None where the game does not allow this ``away``."""
    options = preset(GAMES[seats])
    if away not in leaving.possible(options):
        return None
    changes = scenes.models(14, 0, scenes.club(), options.override({"away": away}))
    return next(model for _, model in changes if model.done_tricks and not model.is_my_turn)


@pytest.mark.parametrize("away", [REPLACE, PLAY_OUT])
@pytest.mark.parametrize("seats", GAMES)
def test_it_is_said_without_whom_the_others_can_go_on(seats: int, away: str) -> None:
    """Chitra is gone, and Bandu, who is connected, does not play."""
    model = in_play(seats, away)
    if model is None:
        assert (seats, away) == (3, PLAY_OUT)
        return
    model = reduce(model, events.PlayerLeft("Chitra"), 1000.0)
    model = reduce(model, events.MayPart("Chitra", 1000.0), 1060.0)
    model = reduce(model, events.Overdue("Bandu", "entry", 300, mine=False, may=True), 1400.0)
    late, way = (text(line.phrase) for line in model.log[-2:])
    assert late == "Everybody has waited 300 s for Bandu's move."
    assert way.startswith(OFFERS[away]) and "Bandu" not in way
    told = waiting_phrase(model, 1410.0)
    assert told is not None
    assert text(told).startswith(f"Chitra has not been connected for 410 s. {OFFERS[away]}")
    follows = what_follows(model)
    assert follows is not None
    for phrase in (offer(model), question(model), follows):
        assert "Chitra" in text(phrase) and "Bandu" not in text(phrase)


@pytest.mark.parametrize("seats", GAMES)
def test_where_the_table_waits_nothing_is_offered(seats: int) -> None:
    model = in_play(seats, WAIT)
    assert model is not None
    model = reduce(model, events.PlayerLeft("Chitra"), 1000.0)
    after = reduce(model, events.Overdue("Bandu", "entry", 300, mine=False, may=False), 1400.0)
    assert [text(line.phrase) for line in after.log[len(model.log) :]] == [
        "Everybody has waited 300 s for Bandu's move."
    ]


def test_a_late_player_reads_that_the_others_may_go_on_only_if_nobody_else_is_missing() -> None:
    late = events.Overdue("Asha", "entry", 300, mine=True, may=True)
    model = in_play(4, REPLACE)
    assert model is not None
    assert "continue without you" in text(reduce(model, late, 1400.0).log[-1].phrase)
    model = reduce(model, events.PlayerLeft("Chitra"), 1000.0)
    told = text(reduce(model, late, 1400.0).log[-1].phrase)
    assert told == "Everybody has waited 300 s for your move."


@pytest.mark.parametrize("name", COURSES)
def test_no_sentence_about_an_absent_player_leaves_open_whom_it_means(name: str) -> None:
    course = COURSES[name]
    said = (course.wished, course.offer, course.question, course.follows, course.going_on)
    for phrase in said:
        assert phrase is None or VAGUE.search(phrase.text) is None
    assert "{absent}" in course.going_on.text and "{absent}" in course.offer.text


@pytest.mark.parametrize("away", leaving.ANSWERS)
def test_no_answer_of_the_form_leaves_open_whom_it_means(away: str) -> None:
    assert VAGUE.search(leaving.ANSWERS[away][1].text) is None


def test_text_mode_names_the_absent_player_too() -> None:
    model = in_play(4, REPLACE)
    assert model is not None
    teller = Narrator("Asha")
    teller.model = replace(model, typed=True)
    teller.lines(events.PlayerLeft("Chitra"))
    teller.lines(events.MayPart("Chitra", 0.0))
    late = teller.lines(events.Overdue("Bandu", "entry", 300, mine=False, may=True))
    assert late[1].strip() == (
        "To give the seat of Chitra to a bot or another player, type 'part'."
    )
