"""Sentences that are not yet in any language: a template and what stands in its gaps.

Responsible for the value and its English. What words, card signs and colours it becomes on a screen
is left to ui/narration/phrase_renderer.py. Every template is written as a literal inside
``say(...)``, so that the catalogues can be checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from p2p304.rules.core.cards import Card, Suit


@dataclass(frozen=True, slots=True)
class Who:
    """A seat as a name: nickname and place."""

    seat: int


@dataclass(frozen=True, slots=True)
class Place:
    """A seat as a place at the table: a point of the compass, or its number."""

    seat: int


@dataclass(frozen=True, slots=True)
class Seats:
    """Seats that win and lose together. ``name`` is how a record names them (``NS``, ``2+3``),
    ``is_side`` whether they are partners for the whole match. A ``label`` stands beside a figure,
    and not in a sentence."""

    seats: tuple[int, ...]
    name: str
    is_side: bool = False
    label: bool = False


@dataclass(frozen=True, slots=True)
class Quoted:
    """What a person wrote, or has to type: a name, a message, a word. No screen translates it."""

    text: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """A template (English, the message identifier) and its arguments in a fixed order."""

    text: str
    args: tuple[tuple[str, Arg], ...] = ()

    def filled(self, **args: Arg) -> Phrase:
        """The same sentence with further gaps filled."""
        return Phrase(self.text, (*self.args, *args.items()))

    def __str__(self) -> str:
        """The sentence in English."""
        found = pieces(self, lambda text: text)
        return "".join(text if arg is None else _english(arg) for text, arg in found)


Several = tuple[Card, ...] | tuple[Who, ...] | tuple[Phrase, ...]
Arg = str | int | Card | Suit | Who | Place | Seats | Quoted | Phrase | Several
Piece = tuple[str, Arg | None]
"""A stretch of text, or (with "") an argument in its place."""
Translate = Callable[[str], str]


def say(text: str, **args: Arg) -> Phrase:
    """A sentence with its gaps filled; ``text`` is a literal, for the catalogues."""
    return Phrase(text, tuple(args.items())) if args else _without_gaps(text)


_without_gaps = lru_cache(maxsize=1024)(Phrase)
"""Kept, because bots and screens let the rules refuse thousands of actions."""


def english(text: str) -> str:
    """A text that stays English between programs; a screen that has it in the gap of a sentence
    translates it there. ``text`` is a literal, for the catalogues."""
    return text


def verbatim(text: str) -> Phrase:
    """A sentence that exists in English alone: hardly any player meets it, or the operating system
    gave a part of it."""
    return Phrase("{sentence}", (("sentence", text),))


def pieces(phrase: Phrase, translate: Translate) -> Iterator[Piece]:
    """The translated template cut at its gaps; a gap without an argument stays as text, so
    that a faulty translation can never stop the game."""
    rest, args = translate(phrase.text), dict(phrase.args)
    while rest:
        before, brace, after = rest.partition("{")
        if before:
            yield before, None
        if not brace:
            return
        name, closed, rest = after.partition("}")
        if closed and name in args:
            yield "", args[name]
        else:
            yield "{" + name + closed, None


def between(several: Several) -> str:
    """What stands between several things: a space between cards, else a comma."""
    return " " if all(isinstance(one, Card) for one in several) else ", "


def _english(arg: Arg) -> str:
    match arg:
        case Card(name=name) | Seats(name=name):
            return name
        case Suit():
            return arg.word
        case Quoted(text=text):
            return text
        case Who(seat=seat) | Place(seat=seat):
            return f"seat {seat + 1}"
        case tuple():
            return between(arg).join(map(_english, arg))
    return str(arg)


_NAMES = ("Caps ", "Partner Close Caps ")
"""What begins with a capital letter anywhere, beside cards (``JS``)."""


def within_sentence(phrase: Phrase) -> str:
    """The English as part of a longer sentence: its first letter is small, but in names."""
    text = str(phrase)
    named = text.startswith(_NAMES) or text[1:2].isupper()
    return text if named else text[:1].lower() + text[1:]
