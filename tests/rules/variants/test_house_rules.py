"""House rules: settings as typed, and the file that keeps them, read strictly."""

from __future__ import annotations

import random

import pytest

from p2p304.rules.variants.house_rules import (
    MOST_BYTES,
    HouseRules,
    house_rules_text,
    read_house_rules,
)
from p2p304.rules.variants.options import PLAYABLE, OptionsError
from p2p304.rules.variants.presets import PRESETS
from tests.support.paths import ROOT


def test_settings_are_typed_as_options_are_written() -> None:
    typed = ("timer=45", "shuffle=minimal", "bid.min=150", "open_trump=off", "tokens=7")
    options = HouseRules("pagat").with_settings(typed).options
    assert (options.timer, options.shuffle, options.bid_min) == (45, "minimal", 150)
    assert options.open_trump is False and options.tokens == 7 and options.preset == "pagat"


@pytest.mark.parametrize("name", PLAYABLE)
def test_every_value_of_every_option_can_be_typed(name: str) -> None:
    for value in PLAYABLE[name]:
        assert HouseRules().with_settings([f"{name}={value}"]).changed == {name: value}


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("timer=4", "timer cannot be '4'; it is one of off, 5 to 600"),
        ("timer=601", "it is one of off, 5 to 600"),
        ("timer=", "it is one of off, 5 to 600"),
        ("tokens=0", "it is one of 1 to 100"),
        ("shuffle=good", "shuffle cannot be 'good'; it is one of thorough, minimal"),
        ("timr=45", "There is no option 'timr'. Did you mean timer?"),
        ("zzz=1", "The options are seats, partner,"),
        ("preset=bank", "There is no option 'preset'."),
        ("timer", "'timer' is no setting: write NAME=VALUE"),
        ("seats=3", "partners need 4, 6 or 8 seats"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name_with_its_values(typed: str, sentence: str) -> None:
    with pytest.raises(OptionsError) as refused:
        assert HouseRules().with_settings([typed]).options
    assert sentence in str(refused.value)


def test_options_are_judged_together_in_whatever_order_they_are_typed() -> None:
    typed = ["seats=6", "deal=3+1", "pack=24"]
    for order in (typed, typed[::-1]):
        assert HouseRules().with_settings(order).options.seats == 6


@pytest.mark.parametrize("name", PRESETS)
def test_a_file_says_the_rules_again(name: str) -> None:
    chance, options = random.Random(name), PRESETS[name]
    for _ in range(40):
        option = chance.choice(list(PLAYABLE))
        try:
            options = options.override({option: chance.choice(PLAYABLE[option])})
        except OptionsError:
            continue
    assert read_house_rules(house_rules_text(options).encode()).options == options
    assert house_rules_text(PRESETS[name]) == f'preset = "{name}"\n'


def test_names_with_a_dot_may_be_written_either_way() -> None:
    quoted = read_house_rules(b'"bid.min" = 150\n"spoilt.until" = "trick8"\n')
    bare = read_house_rules(b'bid.min = 150\nspoilt.until = "trick8"\n')
    assert quoted == bare and quoted.options.bid_min == 150
    assert read_house_rules(b"open_trump = false\npcc = true\n").options.open_trump is False
    assert read_house_rules(b"") == HouseRules("pagat")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"timer = ", "not valid TOML"),
        (b"\xff", "not UTF-8"),
        (b"#" * (MOST_BYTES + 1), "longer than"),
        (b"a" + b".a" * 3000 + b" = 1", ""),
        (b"preset = 3", "the name of a game"),
        (b'preset = "whist"', "no rules named 'whist'"),
        (b'timer = "45"', "timer cannot be '45'"),
        (b"timer = 4", "off, 5 to 600"),
        (b"timer = 45.0", "timer cannot be '45.0'"),
        (b"timer = true", "timer cannot be 'True'"),
        (b"tokens = false", "tokens cannot be 'False'"),
        (b"tokens = true", "tokens cannot be 'True'"),
        (b"seats = [4]", "seats cannot be"),
        (b"colour = 'red'", "no option 'colour'"),
        (b"[bid]\nmin = {}", "bid.min cannot be"),
        (b'"bid.min" = 150\nbid.min = 160', "bid.min is there twice"),
        (b"bid = {}", "no option 'bid'"),
        (b"seats = 3", "partners need"),
    ],
)
def test_a_wrong_file_is_refused_in_one_sentence(text: bytes, sentence: str) -> None:
    with pytest.raises(OptionsError) as refused:
        read_house_rules(text)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)


def test_the_file_that_the_page_shows_can_be_played() -> None:
    page = (ROOT / "docs" / "playing.md").read_text()
    shown = page.split("```toml\n")[1].split("```")[0]
    options = read_house_rules(shown.encode()).options
    assert (options.timer, options.bid_min, options.open_trump) == (45, 150, False)


def test_no_bytes_raise_anything_else() -> None:
    chance = random.Random(5)
    words = (
        b'"bid.min"',
        b"timer",
        b"=",
        b"45",
        b"[",
        b"]",
        b"{",
        b"}",
        b"'x'",
        b"\n",
        b"true",
        b".",
    )
    for _ in range(2000):
        text = b" ".join(chance.choice(words) for _ in range(chance.randrange(12)))
        try:
            read_house_rules(text)
        except OptionsError as refused:
            assert str(refused)
