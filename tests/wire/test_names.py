"""Names: what can be shown is taken as it is spelt, what cannot is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.names import is_name, shown

SRI = "\u0dc1\u0dca\u200d\u0dbb\u0dd3"
"""The word Sri in Sinhala: its conjunct is spelt with a zero-width joiner."""


@pytest.mark.parametrize(
    "name", ["Asha", "අශා", "ஆஷா", "a b", "x" * 32, "Ann-Marie O'Neil", SRI, "\U0001f0a1"]
)
def test_names_that_can_be_shown(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize(
    "name",
    ["", " ", "a\n", "\u200b", "a\u2066b", "a\u202eb", "a ", " a", "x" * 33, "\ud800", "a\u200db",
     "\u200d", "a\u00a0b", "a\u2028b", "\x1b[2J", "\ue000", "\x7f", "\ufeffa", "a\u00adb"],
)  # fmt: skip
def test_names_that_cannot(name: str) -> None:
    assert not is_name(name)


def test_a_joiner_without_a_virama_before_it_is_left_out() -> None:
    assert shown(SRI) == SRI
    assert shown("a\u200db") == "ab"


@given(st.text())
def test_what_is_shown_can_be_shown(text: str) -> None:
    assert shown(shown(text)) == shown(text)
    assert all(ord(char) > 127 or char.isprintable() for char in shown(text))
