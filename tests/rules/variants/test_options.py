"""Options: how they are written, which values there are, what follows, and what goes together."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from p2p304.rules.variants.absence import patience
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError, consistent
from p2p304.rules.variants.presets import PRESETS, options_from_data, preset

PAGAT = preset("pagat")

FOLLOWS = {
    "pagat": (8, 8, 0, (4, 4), 200, 250, 300, 2),
    "six-24": (4, 4, 0, (3, 1), 200, 250, 300, 2),
    "eight-32": (4, 4, 0, (3, 1), 200, 250, 300, 2),
    "six-36": (6, 6, 0, (4, 2), 200, 250, 300, 2),
    "maharashtra": (8, 8, 0, (4, 4), 200, 250, 300, 4),
    "tamil-504": (6, 6, 0, (6,), 330, 410, 500, 2),
    "tamil-904": (5, 5, 0, (5,), 590, 740, 900, 2),
    "online-2": (16, 10, 12, (10,), 200, 250, 300, 2),
    "online-3": (10, 10, 2, (10,), 200, 250, 300, 3),
    "online-4": (8, 8, 0, (8,), 200, 250, 300, 2),
}
"""Tricks, cards of a hand, cards left over, batches, the bands of bids, the highest, accounts."""


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_from_a_preset(name: str) -> None:
    o = preset(name)
    bands = (o.special, o.second, o.highest)
    assert (o.tricks, o.hand_size, o.stock_size, o.batches, *bands, o.accounts) == FOLLOWS[name]


@pytest.mark.parametrize(
    ("name", "sides", "called"),
    [
        ("pagat", (0, 1, 0, 1), ("NS", "EW")),
        ("six-36", (0, 1, 0, 1, 0, 1), ("135", "246")),
        ("maharashtra", (0, 1, 2, 3), ("S", "E", "N", "W")),
        ("online-2", (0, 1), ("1", "2")),
        ("online-3", (0, 1, 2), ("1", "2", "3")),
    ],
)
def test_sides_are_two_or_every_seat(
    name: str, sides: tuple[int, ...], called: tuple[str, ...]
) -> None:
    options = preset(name)
    assert (options.sides, options.account_names) == (sides, called)
    assert tuple(options.account(seat) for seat in range(options.seats)) == sides
    assert options.accounts == len(called)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_written_and_read_alike(name: str) -> None:
    options = preset(name)
    data = json.loads(json.dumps(options.to_data()))
    assert options_from_data(data) == options
    assert options.preset == name
    assert all(data[key] in PLAYABLE[key] for key in data if key != "preset")
    assert [data[key] for key in ("bid8", "pcc")] == [
        "on" if on else "off" for on in (options.bid8, options.pcc)
    ]


def test_options_are_read_strictly() -> None:
    data = PAGAT.to_data()
    without = {key: value for key, value in data.items() if key != "chat"}
    for false in (without, {**data, "more": 1}, {}):
        with pytest.raises(OptionsError):
            Options.from_data(false, PAGAT)
    names: tuple[Any, ...] = ("", "none", None, 1, [])
    for name in names:
        with pytest.raises(OptionsError):
            options_from_data({**data, "preset": name})


@pytest.mark.parametrize("name", PLAYABLE)
def test_every_option_takes_its_values_alone(name: str) -> None:
    false: tuple[Any, ...] = ("", "On", None, True, False, 0.5, 1000, -1, [], b"on")
    for value in false:
        with pytest.raises(OptionsError):
            PAGAT.override({name: value})
    with pytest.raises(OptionsError):
        PAGAT.override({name + "x": PLAYABLE[name][0]})


def test_a_value_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(OptionsError, match=r"seats cannot be '5'; it is one of 2, 3, 4, 6, 8\.$"):
        PAGAT.override({"seats": 5})


@pytest.mark.parametrize(("tokens", "there"), [(0, False), (1, True), (100, True), (101, False)])
def test_a_match_has_1_to_100_tokens(tokens: int, there: bool) -> None:
    if there:
        assert PAGAT.override({"tokens": tokens}).tokens == tokens
    else:
        with pytest.raises(OptionsError, match=f"cannot be '{tokens}'; it is one of 1 to 100"):
            PAGAT.override({"tokens": tokens})


def test_switches_are_read_as_booleans_and_numbers_as_numbers() -> None:
    changed = PAGAT.override({"bid8": "off", "half_court": "on", "bid.min": 150, "timer": 30})
    assert changed.bid8 is False
    assert changed.half_court is True
    assert (changed.bid_min, changed.timer) == (150, 30)
    switches = {field.name for field in fields(Options) if field.type == "bool"}
    assert switches == {key for key, values in PLAYABLE.items() if values == ("off", "on")}


TOGETHER: list[tuple[str, dict[str, Any]]] = [
    ("pagat", {"seats": 2}),
    ("pagat", {"seats": 6}),
    ("online-4", {"seats": 3}),
    ("maharashtra", {"seats": 6}),
    ("online-4", {"partner": "none"}),
    ("pagat", {"deal": "4+2"}),
    ("online-2", {"stock": "none"}),
    ("online-3", {"stock": "draw"}),
    ("online-4", {"stock": "draw"}),
    ("pagat", {"stock": "draw"}),
    ("pagat", {"bid_min": 260}),
    ("six-24", {"bid_min": 460}),
    ("maharashtra", {"ask_partner": True}),
    ("maharashtra", {"pcc": True}),
    ("maharashtra", {"caps": "grace"}),
    ("maharashtra", {"spoilt": "anyone"}),
    ("maharashtra", {"double": True}),
    ("online-4", {"caps": "grace"}),
    ("online-4", {"open_trump": True}),
    ("online-4", {"spoilt": "anyone"}),
    ("maharashtra", {"half_court": False}),
    ("tamil-304", {"half_court": True}),
    ("pagat", {"full_court": True}),
    ("half-court", {"full_court": True}),
    ("maharashtra", {"bid4": "numbers"}),
    ("tamil-504", {"bid304": True}),
    ("pagat", {"match": "points"}),
    ("online-4", {"match": "across"}),
    ("online-4", {"match": "bank"}),
    ("online-3", {"shuffle": "minimal"}),
]


@pytest.mark.parametrize(("name", "change"), TOGETHER)
def test_what_does_not_go_together_is_refused(name: str, change: dict[str, Any]) -> None:
    with pytest.raises(OptionsError, match="do not go together"):
        consistent(replace(preset(name), **change))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("pagat", {"bid_min": 200}),
        ("pagat", {"half_court": True}),
        ("tamil-304", {"full_court": True}),
        ("online-4", {"full_court": True}),
        ("pagat", {"bid304": True}),
        ("pagat", {"shuffle": "minimal"}),
        ("online-4", {"match": "session"}),
        ("online-4", {"spoilt": "off"}),
        ("maharashtra", {"spoilt": "auto"}),
        ("pagat", {"double": True}),
    ],
)
def test_what_goes_together_is_taken(name: str, change: dict[str, Any]) -> None:
    options = replace(preset(name), **change)
    assert consistent(options) is options


@pytest.mark.parametrize(("timer", "seconds"), [("off", 300), (30, 120), (210, 300), (211, 300)])
def test_patience_is_five_minutes_or_90_seconds_more_than_a_turn(
    timer: str | int, seconds: float
) -> None:
    assert patience(timer) == seconds


def test_seats_are_drawn_unless_chosen() -> None:
    assert [replace(PAGAT, seating=s).has_drawn_seats for s in ("random", "draw", "chosen")] == [
        True,
        True,
        False,
    ]
