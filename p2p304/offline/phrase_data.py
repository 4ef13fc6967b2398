"""Phrases as JSON, so that a remembered account can be told in another language.

Responsible for this form, both ways. What a phrase is, is rules/core/phrases.py's.
"""

from __future__ import annotations

from typing import Any

from p2p304.rules.core.cards import CARDS, Card, Suit
from p2p304.rules.core.phrases import Arg, Phrase, Place, Seats, Who
from p2p304.wire.forms import Form, Malformed


def _to_data(arg: Arg) -> Any:
    """Return a phrase, or what stands in one of its gaps, as JSON."""
    match arg:
        case Phrase(text=text, args=args):
            return {"say": text, "with": [[name, _to_data(each)] for name, each in args]}
        case Card(name=name):
            return {"card": name}
        case Suit(value=letter):
            return {"suit": letter}
        case Who(seat=seat):
            return {"who": seat}
        case Place(seat=seat):
            return {"place": seat}
        case Seats():
            return {"seats": [list(arg.seats), arg.name, arg.is_side, arg.label]}
        case tuple():
            return [_to_data(each) for each in arg]
    return arg


def _phrase_from(data: Any) -> Phrase:
    try:
        found = _arg_from(data)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        raise Malformed("no phrase") from error
    if not isinstance(found, Phrase):
        raise Malformed("no phrase")
    return found


def _arg_from(data: Any) -> Any:
    match data:
        case str() | int():
            return data
        case list():
            return tuple(map(_arg_from, data))
        case {"say": str(text), "with": list(args)}:
            return Phrase(text, tuple((str(name), _arg_from(each)) for name, each in args))
        case {"card": name}:
            return CARDS[name]
        case {"suit": letter}:
            return Suit(letter)
        case {"who": int(seat)}:
            return Who(seat)
        case {"place": int(seat)}:
            return Place(seat)
        case {"seats": [list(seats), str(name), bool(is_side), bool(label)]}:
            return Seats(tuple(map(int, seats)), name, is_side, label)
    raise TypeError("this stands in no phrase")


PHRASE: Form[Phrase] = Form(_phrase_from, {}, _to_data)
"""A phrase; anything else is refused with Malformed."""
