"""Pages line by line: what is left out because another option rules it out, and what differs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.variants.page import diff, listing, page
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")
SECOND_ROUND = {"bid8.start", "bid8.min"}


ASKED = {"open_trump", "reveal", "open_after_250", "exhausted"}


@pytest.mark.parametrize(
    ("name", "silent"),
    [
        ("pagat", set()),
        ("bank", set()),
        ("tamil-304", SECOND_ROUND | {"bid8", "wrong_caps", "external_caps", "spoilt.until"}),
        ("maharashtra", SECOND_ROUND | {"bid8", "wrong_caps", "external_caps", "spoilt.until"}),
        ("online-4", SECOND_ROUND | ASKED | {"bid8", "wrong_caps", "external_caps"}),
    ],
)
def test_options_that_another_rules_out_say_nothing(name: str, silent: set[str]) -> None:
    """All of these say something in the game ``pagat``."""
    lines = diff(PAGAT, preset(name))
    not_said = {
        lines[at - 2].rpartition("(")[2].removesuffix(")")
        for at, line in enumerate(lines)
        if line == f"  {name}: does not apply."
    }
    assert silent <= not_said
    known = SECOND_ROUND | ASKED | {"bid8", "wrong_caps", "external_caps"}
    assert not_said & known == silent & known


def test_games_with_other_tokens_differ_in_them() -> None:
    fewer = replace(PAGAT, tokens=5, preset="five tokens")
    told = diff(PAGAT, fewer)
    assert told[0] == "tokens or points to win (tokens)"
    assert len(told) == 3
    assert told[1].startswith("  pagat: ")
    assert told[2].startswith("  five tokens: ")
    assert "11" in told[1]
    assert "5" in told[2]


def test_the_listing_says_how_each_preset_differs() -> None:
    lines = {name: str(told) for name, _, told in listing()}
    assert "bank" in lines["bank"] and "fives" in lines["fives"]


def test_a_page_has_one_line_for_each_option_that_says_something() -> None:
    told = {
        name: [
            str(one) for each in page(preset(name)) if not each.is_list for one in each.sentences
        ]
        for name in ("pagat", "online-4")
    }
    assert len(set(told["pagat"])) == len(told["pagat"])
    assert len(told["pagat"]) > len(told["online-4"])


@pytest.mark.parametrize("name", ["six-24", "eight-32"])
def test_no_page_tells_what_follows_if_all_pass_where_the_first_must_bid(name: str) -> None:
    told = [str(one) for each in page(preset(name)) if not each.is_list for one in each.sentences]
    assert "The first player must bid." in told
    assert not [sentence for sentence in told if sentence.startswith("If all")]
