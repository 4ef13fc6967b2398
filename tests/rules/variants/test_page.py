"""The rules as a page: every option has its sentence, every preset its page."""

from __future__ import annotations

import pytest

from p2p304.rules.variants.descriptions import OURS, SENTENCES
from p2p304.rules.variants.options import PLAYABLE
from p2p304.rules.variants.page import diff, listing, page
from p2p304.rules.variants.presets import PRESETS, preset


def test_every_value_of_every_option_has_a_sentence() -> None:
    for name, values in PLAYABLE.items():
        if name != "tokens":
            assert set(SENTENCES[name]) == set(values), name


@pytest.mark.parametrize("name", PRESETS)
def test_a_page_tells_its_own_game_in_whole_sentences(name: str) -> None:
    lines = page(preset(name))
    assert lines[0] == f"304, {name}" and len(lines) > 20
    assert all(line.startswith("* ") and line.endswith(".") for line in lines[2:])
    assert "{" not in "".join(lines)


def test_pages_differ_where_options_do() -> None:
    assert diff(preset("pagat"), preset("pagat")) == []
    told = diff(preset("pagat"), preset("bank"))
    assert told[0] == "match" and len(told) == 3
    apart = diff(preset("pagat"), preset("online-2"))
    assert any("does not apply." in line for line in apart)


def test_figures_follow_the_pack() -> None:
    assert "The least bid is 460 (ours)." in "\n".join(page(preset("tamil-904")))
    assert "590" in "\n".join(page(preset("tamil-904")))
    assert "to 300 at most" in "\n".join(page(preset("pagat")))


def test_what_no_text_says_is_marked() -> None:
    assert any(OURS in line for line in page(preset("maharashtra")))


def test_the_listing_names_every_preset_once() -> None:
    assert [line.split()[0] for line in listing()] == list(PRESETS)
