"""Sentences with gaps: their English, and what a faulty translation does."""

from __future__ import annotations

import pytest

from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import (
    Arg,
    Phrase,
    Place,
    Who,
    pieces,
    say,
    verbatim,
    within_sentence,
)


@pytest.mark.parametrize(
    ("arg", "english"),
    [
        (160, "160"),
        ("word", "word"),
        (card("JS"), "JS"),
        (Suit.HEARTS, "hearts"),
        (Who(0), "seat 1"),
        (Place(3), "seat 4"),
        ((card("JS"), card("TD")), "JS TD"),
        ((Who(0), Who(2)), "seat 1, seat 3"),
        ((), ""),
        (Phrase("in {n}", (("n", 1),)), "in 1"),
    ],
)
def test_what_stands_in_a_gap(arg: Arg, english: str) -> None:
    assert str(say("{gap}", gap=arg)) == english
    assert str(say("before {gap} after", gap=arg)) == f"before {english} after"


def test_gaps_are_filled_by_name() -> None:
    assert say("no gaps") == Phrase("no gaps")
    made = say("{a} and {b}", b=2, a=1)
    assert (made.args, str(made)) == ((("b", 2), ("a", 1)), "1 and 2")
    assert str(say("{a} and {b}", a=1).filled(b=2)) == "1 and 2"
    assert str(verbatim("{a} as it is")) == "{a} as it is"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{a}{a}", "11"),
        ("{b}", "{b}"),
        ("x {", "x {"),
        ("x {a", "x {a"),
        ("x } {a}", "x } 1"),
        ("{}", "{}"),
        ("", ""),
    ],
)
def test_a_gap_without_an_argument_stays(text: str, shown: str) -> None:
    assert str(Phrase(text, (("a", 1),))) == shown


def test_pieces_are_of_the_translated_text() -> None:
    made = say("{who} bids {bid}", who=Who(1), bid=160)
    assert list(pieces(made, lambda text: "<{bid}> {who}")) == [
        ("<", None),
        ("", 160),
        ("> ", None),
        ("", Who(1)),
    ]


@pytest.mark.parametrize(
    ("text", "within"),
    [
        ("You must follow", "you must follow"),
        ("Caps cannot be called", "Caps cannot be called"),
        ("Partner Close Caps is bid", "Partner Close Caps is bid"),
        ("JS is not yours", "JS is not yours"),
        ("A", "a"),
        ("", ""),
    ],
)
def test_a_sentence_within_another_begins_small(text: str, within: str) -> None:
    assert within_sentence(Phrase(text)) == within
    broken = RuleBroken("rule.name", Phrase(text), 2)
    assert (broken.message, str(broken), broken.seat) == (within, f"rule.name: {within}", 2)
