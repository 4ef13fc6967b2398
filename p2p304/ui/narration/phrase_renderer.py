"""Converts phrases to styled text: with a translation, a look, and the names at this table.

Responsible for how cards, suits, seats and numbers are written in running text. It does not decide
what a player may know: it writes what the model holds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.phrases import (
    Arg,
    Phrase,
    Place,
    Quoted,
    Seats,
    Several,
    Who,
    between,
    pieces,
    say,
)
from p2p304.ui.common.bidi import isolated
from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import SEATS
from p2p304.ui.terminal.canvas import LEAST_NAME, Span, wrapped

Translate = Callable[[str], str]


def untranslated(text: str) -> str:
    """Return the English message itself."""
    return text


_ASCII = str.maketrans(
    {
        "·": "-",
        "…": "...",
        "▸": ">",
        "●": "o",
        "○": ".",
        "—": "-",
        "’": "'",
        "×": "x",
        "↓": "v",
        "★": "*",
    }
)


@dataclass(frozen=True, slots=True)
class PhraseRenderer:
    """Renders phrases for one screen; ``nicks`` by seat, of ``seats`` (0: as many as nicks).
    ``seat`` is the player's own; ``with_places``: names are told with their places. A terminal that
    writes ASCII alone is told in English: it has no letters for another language."""

    look: Look
    translate: Translate = untranslated
    nicks: tuple[str, ...] = ()
    seats: int = 0
    seat: int | None = None
    with_places: bool = False

    def spans(self, phrase: Phrase, style: str = "") -> list[Span]:
        """Return a phrase as styled text, with cards and suits in their colours."""
        found: list[Span] = []
        translate = untranslated if self.look.ascii else self.translate
        for text, arg in pieces(phrase, translate):
            if isinstance(arg, Seats):
                found.append((style, self.together(arg, within=bool(found))))
            else:
                found += [(style, self.safe(text))] if arg is None else self._arg(arg, style)
        return found

    def wrapped(self, width: int, *phrases: Phrase, style: str = "") -> list[list[Span]]:
        """Return sentences in lines of ``width`` columns; each begins a line of its own."""
        return [line for phrase in phrases for line in wrapped(self.spans(phrase, style), width)]

    def fitted(self, phrase: Phrase, room: int, style: str = "") -> list[Span]:
        """Return a phrase in ``room`` columns: names in it are cut first, and evenly."""
        spans, longest = self.spans(phrase, style), max(map(width_of, self.nicks), default=0)
        while sum(width_of(text) for _, text in spans) > room and longest > LEAST_NAME:
            longest -= 1
            nicks = tuple(clipped(nick, longest, self.look.frame.dots) for nick in self.nicks)
            spans = replace(self, nicks=nicks).spans(phrase, style)
        return spans

    def text(self, phrase: Phrase) -> str:
        """Return a phrase as plain text."""
        return "".join(text for _, text in self.spans(phrase))

    def width(self, phrase: Phrase) -> int:
        return width_of(self.text(phrase))

    def say(self, message: str) -> str:
        """Translate a fixed message."""
        return self.safe(message if self.look.ascii else self.translate(message))

    def name(self, seat: int) -> str:
        """Return a player's nickname, or the seat if there is none yet."""
        if not 0 <= seat < len(self.nicks):
            return self.place(seat)
        nick = self.safe(self.nicks[seat])
        if not self.with_places:
            return nick
        here = self.text(say("you")) if seat == self.seat else self.placed(seat)
        return f"{nick} ({here})"

    def together(self, seats: Seats, within: bool = False) -> str:
        """Name seats that win and lose together; ``within``: in a sentence that has begun."""
        if not seats.is_side:
            known = all(seat < len(self.nicks) for seat in seats.seats)
            return (
                " + ".join(self.safe(self.nicks[s]) for s in seats.seats) if known else seats.name
            )
        if self.seat is None:
            sides = {"NS": say("N-S"), "EW": say("E-W")}
            named = sides.get(seats.name)
            return "-".join(seats.name) if named is None else self.text(named)
        mine = self.seat in seats.seats
        if seats.label:
            return self.text(say("We") if mine else say("They"))
        if within:
            return self.text(say("our side") if mine else say("their side"))
        return self.text(say("Our side") if mine else say("Their side"))

    def place(self, seat: int) -> str:
        """Return the seat's name: a compass point with four players, else its number."""
        seats = self.seats or len(self.nicks) or 4
        return self.say(SEATS[seat]) if seats == 4 else str(seat + 1)

    def placed(self, seat: int) -> str:
        """Return the seat as it stands by itself: ``South``, or ``seat 5``."""
        place = self.place(seat)
        return self.text(say("seat {n}", n=seat + 1)) if place.isdecimal() else place

    def card(self, card: Card) -> Span:
        return self.look.suit_style(card.suit), self.look.card(card)

    def suit(self, suit: Suit) -> Span:
        """Return a suit in running text: its symbol, or its word if symbols are not drawn."""
        sign = self.look.suit(suit) if self.look.glyphs else self.say(suit.word)
        return self.look.suit_style(suit), sign

    def safe(self, text: str) -> str:
        """Return text that this terminal can write."""
        if not self.look.ascii:
            return isolated(text)
        plain = text.translate(_ASCII)
        return plain.encode("ascii", "replace").decode() if not plain.isascii() else plain

    def _arg(self, arg: Arg, style: str) -> list[Span]:
        match arg:
            case Card():
                return [self.card(arg)]
            case Suit():
                return [self.suit(arg)]
            case Who(seat=seat):
                return [(style, self.name(seat))]
            case Place(seat=seat):
                return [(style, self.place(seat))]
            case Seats():
                return [(style, self.together(arg))]
            case Quoted(text=text):
                return [(style, self.safe(text))]
            case Phrase():
                return self.spans(arg, style)
            case tuple():
                return self._several(arg, style)
            case str():
                return [(style, self.say(arg))]
        return [(style, str(arg))]

    def _several(self, items: Several, style: str) -> list[Span]:
        found: list[Span] = []
        for item in items:
            found += [(style, between(items))] if found else []
            found += self._arg(item, style)
        return found
