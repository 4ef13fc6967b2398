"""Hand records: one hand of 304 as data, read strictly (SPEC.md, "Hand records").

Responsible for the JSON form of what was dealt and said: which fields there are, and that every
card lies somewhere and only once. Whether an action is allowed is left to score.py.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from p2p304.rules.core.cards import Card, UnknownCard, card
from p2p304.rules.core.seats import Seat, names
from p2p304.rules.records.short_notation import AROUND, MARK, NotationError, parse_notation
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import preset

MAX_RECORD = 64 * 1024
"""Characters of one record; a whole hand has about 1,200."""
MAX_ACTIONS = 512
_NOT_UTF8 = re.compile("[\ud800-\udfff]")
"""What bytes that are no UTF-8 are read as (``surrogateescape``)."""
FIELDS = {"rules", "dealer", "hands", "pile", "actions"}


class RecordError(ValueError):
    """A record that cannot be read: ``rule`` is a ``record.*`` identifier."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule, self.message = rule, message


@dataclass(frozen=True, slots=True)
class Record:
    """One hand: ``hands[seat]`` are the cards in the order dealt, ``pile`` those left over,
    ``actions`` as written."""

    options: Options
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    pile: tuple[Card, ...]
    actions: tuple[str, ...]


def read_record(line: str) -> Record:
    """Read one record, as JSON or as 304N; raises RecordError."""
    if len(line) > MAX_RECORD:
        raise RecordError("record.size", f"a record has at most {MAX_RECORD} characters")
    if not line.isascii() and _NOT_UTF8.search(line):
        raise RecordError("record.json", "this is not UTF-8: save it in that encoding")
    if not line.strip(AROUND):
        raise RecordError("record.json", "there is no record here, only an empty line")
    try:
        is_short = line.lstrip(AROUND).startswith(MARK)
        value = parse_notation(line) if is_short else _READER.decode(line)
    except RecordError:
        raise
    except NotationError as error:
        raise RecordError("record.json", f"this is not 304N: {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError("record.json", "this is not JSON") from error
    if not isinstance(value, dict):
        raise RecordError("record.json", "a record is a JSON object")
    if not {"dealer", "hands", "actions"} <= value.keys() <= FIELDS:
        why = f"the fields of a record are {', '.join(sorted(FIELDS))}"
        raise RecordError("record.fields", why)
    options = _options(value.get("rules", "pagat"))
    known, dealer, dealt = names(options.seats), value["dealer"], value["hands"]
    if dealer not in known:
        raise RecordError("record.dealer", f"the dealer is one of {' '.join(known)}")
    if not isinstance(dealt, dict) or dealt.keys() != set(known):
        raise RecordError("record.seats", f"there is a hand for each of {' '.join(known)}")
    hands = tuple([_cards(dealt[name], name, options.hand_size, options) for name in known])
    pile = _cards(value.get("pile", []), "the pile", options.stock_size, options)
    cards = list(chain(*hands, pile))
    if len(set(cards)) < len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise RecordError("record.cards", f"{twice.name} stands twice in the record")
    actions = value["actions"]
    if not isinstance(actions, list) or not {str}.issuperset(map(type, actions)):
        raise RecordError("record.actions", "actions are a list of texts")
    if len(actions) > MAX_ACTIONS:
        raise RecordError("record.actions", f"a hand has at most {MAX_ACTIONS} actions")
    return Record(options, known.index(dealer), hands, pile, tuple(actions))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise RecordError("record.fields", "a name stands twice in the same object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"JSON has no {name}")


_READER = json.JSONDecoder(
    object_pairs_hook=_once,
    parse_constant=_no_number,
    # `int` refuses some thousands of digits; no option has a number of twenty.
    parse_int=lambda digits: int(digits[:20]),
)


def _options(value: Any) -> Options:
    """A preset's name, or a preset with options of one's own."""
    try:
        if isinstance(value, str):
            return preset(value)
        if isinstance(value, dict):
            if any(isinstance(choice, (list, dict)) for choice in value.values()):
                raise OptionsError("An option's value is a word or a number.")
            return _overridden(*value, *value.values())
    except OptionsError as error:
        raise RecordError("record.rules", str(error)) from error
    raise RecordError("record.rules", "the rules are a preset's name or an object of options")


@lru_cache(maxsize=64, typed=True)
def _overridden(*given: Any) -> Options:
    """Options from names and then their values: many records of a file have the same."""
    half = len(given) // 2
    more = dict(zip(given[:half], given[half:], strict=True))
    return preset(more.pop("preset", "pagat")).override(more)


def _cards(value: Any, name: str, size: int, options: Options) -> tuple[Card, ...]:
    if not isinstance(value, list) or len(value) != size:
        raise RecordError("record.cards", f"{name} does not hold {size} cards")
    named = options.pack.named
    try:
        return tuple(map(named.__getitem__, value))
    except (KeyError, TypeError):  # another spelling, or no card of this pack
        return tuple(_card(written, options) for written in value)


def _card(written: Any, options: Options) -> Card:
    if written is None:
        why = (
            "a card is left open (null): only a hand whose cards are all known can be scored. To "
            "check such a hand, audit the transcript of its game (p2p304 audit FILE)"
        )
        raise RecordError("record.cards", why)
    if not isinstance(written, str):
        raise RecordError("record.cards", "a card is written as text")
    try:
        found = card(written)
    except UnknownCard as error:
        raise RecordError("record.cards", str(error)) from error
    if found not in options.pack.strength:
        raise RecordError("record.cards", f"{found.name} is not in this game's pack")
    return found
