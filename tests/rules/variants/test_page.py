"""The rules as a page: every option has its sentence, every preset its page."""

from __future__ import annotations

import re

import pytest

from p2p304.rules.variants.descriptions import OURS, SENTENCES
from p2p304.rules.variants.options import PLAYABLE, Options
from p2p304.rules.variants.page import diff, listing, nearest, page, said
from p2p304.rules.variants.presets import GAMES, PRESETS, preset


def test_every_value_of_every_option_has_a_sentence() -> None:
    for name, values in PLAYABLE.items():
        if name != "tokens":
            assert set(SENTENCES[name]) == set(values), name


TITLES = ["Aim", "Cards and points", "Deal", "Bidding", "Trumps", "Play"]


def lines_of(name: str) -> list[str]:
    """The page's sentences, without what differs from another game."""
    return [str(one) for each in page(preset(name)) if not each.is_list for one in each.sentences]


@pytest.mark.parametrize("name", PRESETS)
def test_a_page_reads_from_the_aim_to_the_differences(name: str) -> None:
    sections = page(preset(name))
    titles = [str(each.title) for each in sections]
    assert titles[: len(TITLES)] == TITLES
    assert ("Caps" in titles) is (preset(name).caps != "off")
    assert titles.index("Scoring") > titles.index("Play")
    assert [each.is_list for each in sections].count(True) == (name != "pagat")
    assert sections[-1].is_list is (name != "pagat")
    assert set(GAMES) == set(PRESETS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_page_tells_its_own_game_in_whole_sentences(name: str) -> None:
    lines = lines_of(name)
    assert len(lines) > 20 and len(set(lines)) == len(lines)
    assert all((line.endswith(".") and line[0].isupper()) or line[0].isdigit() for line in lines)
    text = "".join(lines)
    assert "{" not in text and not re.search(r"\w=\w", text)
    options = preset(name)
    assert f"A hand has {options.tricks} tricks" in text
    assert (f"{options.tokens} tokens" in text) is (options.match in ("across", "bank"))


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "pagat"])
def test_what_differs_is_told_from_the_game_most_like_it(name: str) -> None:
    options, section = preset(name), page(preset(name))[-1]
    base = nearest(options)
    assert base is not None and str(section.title) == f"What differs from {base.preset}"
    told = " ".join(map(str, section.sentences))
    here, there = options.to_data(), base.to_data()
    changed = {key for key in here if key != "preset" and here[key] != there[key]}
    named = set(re.findall(r"\(([\w.]+)=[\w+-]+\)", told))
    assert named <= changed
    ruled_out = {key for key in changed - named if said_of(options, key) or said_of(base, key)}
    assert not ruled_out


def said_of(options: Options, key: str) -> bool:
    """Whether an option says something in this game."""
    return any(
        str(said(options, key, options.to_data()[key])) == str(sentence)
        for each in page(options)
        for sentence in each.sentences
    )


def test_each_game_is_told_from_the_nearest() -> None:
    told = {name: nearest(preset(name)) for name in PRESETS}
    bases = {name: None if base is None else base.preset for name, base in told.items()}
    assert bases["pagat"] is None and bases["bank"] == "pagat"
    assert bases["eight-32"] == "six-24" and bases["doso-viso"] == "maharashtra"
    assert bases["tamil-504"] == "tamil-304" and bases["tamil-904"] in ("tamil-304", "tamil-504")
    assert bases["online-3"] == "online-2"
    changed = preset("pagat").override({"tokens": 7})
    assert str(page(changed)[-1].sentences[0]) == "Each side begins with 7 tokens. (tokens=7)"


def test_pages_differ_where_options_do() -> None:
    assert diff(preset("pagat"), preset("pagat")) == []
    told = diff(preset("pagat"), preset("bank"))
    assert told[0] == "match (match)" and len(told) == 3
    house = preset("pagat").override({"timer": 45})
    assert all(
        "pagat" not in line for line in diff(preset("pagat"), house, names=("usual", "ours"))
    )
    apart = diff(preset("pagat"), preset("online-2"))
    assert any("does not apply." in line for line in apart)


@pytest.mark.parametrize("name", [name for name in PRESETS if name != "pagat"])
def test_nothing_that_is_alike_is_told_as_a_difference(name: str) -> None:
    base = nearest(preset(name))
    assert base is not None
    alike = {str(one) for each in page(base) if not each.is_list for one in each.sentences}
    assert alike.isdisjoint(map(str, page(preset(name))[-1].sentences))
    lines = diff(base, preset(name), names=("one", "other"))
    for label, first, second in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        assert first.removeprefix("  one: ") != second.removeprefix("  other: "), label


def test_figures_follow_the_pack() -> None:
    assert "The least bid is 460 (ours)." in lines_of("tamil-904")
    assert "590" in "\n".join(lines_of("tamil-904"))
    assert "to 300 at most" in "\n".join(lines_of("pagat"))


def test_what_no_text_says_is_marked() -> None:
    assert any(OURS in line for line in lines_of("maharashtra"))


def test_the_listing_names_every_preset_once() -> None:
    assert [name for name, _, _ in listing()] == list(PRESETS)
    assert all(seats == PRESETS[name].seats for name, seats, _ in listing())
    assert all(str(told).count(".") - str(told).count("pagat.com") >= 1 for _, _, told in listing())


@pytest.mark.parametrize("name", PRESETS)
def test_only_what_is_said_before_the_trump_is_told_under_bidding(name: str) -> None:
    (bidding,) = [each for each in page(preset(name)) if str(each.title) == "Bidding"]
    options = preset(name)
    told = set(map(str, bidding.sentences[1:]))
    for key, value in options.to_data().items():
        about = key.startswith("bid") or key in ABOUT_BIDDING
        assert about or str(said(options, key, value)) not in told, key


ABOUT_BIDDING = {
    *("rebid", "over_partner", "ask_partner", "step_over_200", "all_pass"),
    *("half_court", "full_court", "pcc"),
}
