"""The page of rules, in every game and language: no English left, lines that fit."""

from __future__ import annotations

import re

import pytest

from p2p304.rules.core.phrases import say
from p2p304.rules.variants.presets import PRESETS
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.common.wording import EXPLAINED, SEATS
from p2p304.ui.guidance.rules_page import games_lines, rules_lines
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Span

TYPED = {"partner", "exchange", "keep", "reveal", "marriage", "double", "halfcourt", "fullcourt"}
TYPED |= {"pcc", "spoilt", "caps", "pagat", "com", "CatsAtCards"}


def texts(lines: list[list[Span]]) -> list[str]:
    return ["".join(text for _, text in line) for line in lines]


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("language", ["en", "si", "ta"])
def test_the_page_is_in_one_language_and_fits(name: str, language: str) -> None:
    renderer = PhraseRenderer(Look(), translation(language))
    lines = texts(rules_lines(PRESETS[name], renderer, 78))
    assert not any("`" in line for line in lines)
    assert lines[0] == f"304: {name}" and all(width_of(line.rstrip()) <= 78 for line in lines)
    if language != "en":
        text = re.sub(r"\([\w.]+=[\w+-]+\)", "", " ".join(lines[1:]))
        left = {word for word in re.findall(r"[A-Za-z]{3,}", text) if word not in TYPED}
        assert {word for word in left if not any(word in known for known in PRESETS)} == set()


@pytest.mark.parametrize("language", ["en", "si", "ta"])
def test_the_list_of_games_names_players_and_one_sentence(language: str) -> None:
    renderer = PhraseRenderer(Look(), translation(language))
    lines = texts(games_lines(renderer, 80))
    heads = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert heads == list(PRESETS)
    assert "=" not in "".join(lines)


@pytest.mark.parametrize("language", ["si", "ta"])
def test_a_direction_that_is_typed_in_english_is_also_named_in_the_language(language: str) -> None:
    text = PhraseRenderer(Look(), translation(language)).text
    told = text(EXPLAINED)
    for place in SEATS:
        assert f"{text(say(place))} '{place.lower()}'" in told
