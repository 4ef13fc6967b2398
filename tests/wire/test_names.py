"""Names: what can be shown is taken as it is spelt, what cannot is not."""

from __future__ import annotations

import hashlib
import json
import re
from importlib.metadata import version
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.names import _prototypes, are_alike, is_name, name_from, shown
from tests.support.paths import PROTOCOL, ROOT

SRI = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
"""The word Sri in Sinhala: its conjunct is spelt with a zero-width joiner."""


STORED = json.loads((PROTOCOL / "names.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", STORED["names"], ids=lambda row: row["comment"])
def test_a_stored_text_is_a_name_or_none(row: dict[str, Any]) -> None:
    assert is_name(row["text"]) == row["name"]


def test_a_surrogate_is_no_name() -> None:
    assert not is_name("\ud800")


BLANK = (
    "034f 115f 1160 17b4 17b5 180b 180f 2065 3164 fe00 fe0f ffa0 fff0 fff8 e0000 e0fff 2800 1d159"
)
"""Where the ranges of characters that are drawn as nothing begin and end: Unicode's
Default_Ignorable_Code_Point outside category Cf, and two blank characters."""
NOT_BLANK = "034e 0350 115e 1161 17b3 180a 1810 3163 3165 fdff fe10 ffa1 2801 1d158 1d15a"
"""Their neighbours."""


@pytest.mark.parametrize("code", BLANK.split())
def test_characters_that_are_drawn_as_nothing_are_left_out(code: str) -> None:
    assert shown(f"A{chr(int(code, 16))}b") == "Ab"


@pytest.mark.parametrize("code", NOT_BLANK.split())
def test_their_neighbours_are_shown(code: str) -> None:
    assert shown(f"A{chr(int(code, 16))}b") == f"A{chr(int(code, 16))}b"


def test_two_marks_on_a_letter_are_shown_and_a_third_is_not() -> None:
    assert shown("a\u0301\u0302\u0303b\u0301\u0302") == "a\u0301\u0302b\u0301\u0302"
    assert shown("a\u20dd\u20dd\u20dd") == "a\u20dd\u20dd"


def test_a_joiner_stands_after_a_virama_alone() -> None:
    assert shown("\u200d") == shown("\u200c") == ""
    assert shown("\u0dca\u200c") == "\u0dca\u200c"
    assert shown("a\u0301\u200d") == "a\u0301"


def test_a_login_too_long_is_cut_to_a_name() -> None:
    assert name_from("x" * 40) == "X" + "x" * 31
    assert name_from("x" * 31 + " y") == "X" + "x" * 30
    assert name_from("  a   b ") == "A b"
    assert name_from("\u0301") == ""


def test_a_joiner_without_a_virama_before_it_is_left_out() -> None:
    assert shown(SRI) == SRI
    assert shown("a\u200db") == "ab"


@given(st.text())
def test_what_is_shown_can_be_shown(text: str) -> None:
    assert shown(shown(text)) == shown(text)
    assert all(ord(char) > 127 or char.isprintable() for char in shown(text))


@pytest.mark.parametrize("row", STORED["alike"], ids=lambda row: row["comment"])
def test_stored_names_are_alike_or_not(row: dict[str, Any]) -> None:
    one, other = row["one"], row["other"]
    assert are_alike(one, other) == are_alike(other, one) == row["alike"]


@given(st.text())
def test_a_name_made_of_any_text_is_one_or_none(text: str) -> None:
    name = name_from(text)
    assert name == "" or is_name(name)


def test_a_login_becomes_a_name() -> None:
    assert name_from("john.doe") == "Johndoe"
    assert name_from("...") == ""


def test_the_table_of_prototypes_is_the_one_that_the_specification_names() -> None:
    """Another release of the package is noticed here: its table would judge other names alike."""
    section = (ROOT / "SPEC.md").read_text(encoding="utf-8").split("\n### Names\n")[1]
    (release,) = re.findall(r"`confusable_homoglyphs` ([\d.]+) holds it", section)
    asked = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"confusable-homoglyphs=={release}",' in asked
    assert version("confusable_homoglyphs") == release
    others = {char: to for char, to in _prototypes().items() if char != to}
    lines = "".join(f"{char}\t{others[char]}\n" for char in sorted(others))
    assert f"these {len(others)} lines" in section
    assert hashlib.sha256(lines.encode()).hexdigest() in section
