"""304N: a hand record as one line of text, for messages (SPEC.md, "304N").

Responsible for the form of the line, both ways. What a record may hold is record.py's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from p2p304.rules.core.seats import names
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import preset

MARK = "304N "
AROUND = " \r\n"
"""What may stand around a line."""
UNKNOWN = "??"
"""A card that the record leaves open (None in JSON)."""


class NotationError(ValueError):
    """A line that is not 304N, as one sentence."""


def notation(record: Mapping[str, Any]) -> str:
    """Write a record, as `from_hand.record_of` gives it, as one line."""
    rules = record["rules"]
    named = {"preset": rules} if isinstance(rules, str) else dict(rules)
    head = [named.pop("preset"), *(f"{name}={value}" for name, value in named.items())]
    order = list(record["hands"])
    fields = [MARK + " ".join(head), f"dealer {record['dealer']}"]
    fields += [f"{seat} {_joined(cards)}" for seat, cards in record["hands"].items()]
    if record.get("pile"):
        fields.append(f"pile {_joined(record['pile'])}")
    expected, said = _after(order, record["dealer"]), []
    for action in record["actions"]:
        seat, _, words = action.partition(" ")
        said.append(words if seat == expected else action)
        expected = _after(order, seat)
    return "; ".join([*fields, ", ".join(said)] if said else fields)


def parse_notation(line: str) -> dict[str, Any]:
    """Read one line as a record's JSON object; raises NotationError."""
    head, *fields = line.strip(AROUND).split("; ")
    if not head.startswith(MARK):
        raise NotationError(f"304N begins with {MARK.strip()!r}")
    options, rules = _rules(head.removeprefix(MARK).split(" "))
    order = list(names(options.seats))
    if len(fields) <= len(order) or not fields[0].startswith("dealer "):
        raise NotationError("304N names the dealer, and then every hand")
    hands = {}
    for seat, text in zip(order, fields[1 : len(order) + 1], strict=True):
        if not text.startswith(f"{seat} "):
            raise NotationError(f"the hand of {seat} does not stand at its place")
        hands[seat] = _cards(text.removeprefix(f"{seat} "))
    dealer, rest = fields[0].removeprefix("dealer "), fields[len(order) + 1 :]
    record: dict[str, Any] = {"rules": rules, "dealer": dealer, "hands": hands}
    if dealer not in order:
        raise NotationError(f"the dealer is one of {' '.join(order)}")
    if rest and rest[0].startswith("pile "):
        record["pile"] = _cards(rest.pop(0).removeprefix("pile "))
    if len(rest) > 1:
        raise NotationError("after the actions nothing follows")
    expected, actions = _after(order, dealer), []
    for said in rest[0].split(", ") if rest else ():
        seat = said.partition(" ")[0]
        actions.append(said if seat in order and seat != said else f"{expected} {said}")
        expected = _after(order, actions[-1].partition(" ")[0])
    return {**record, "actions": actions}


def _rules(words: Sequence[str]) -> tuple[Options, str | dict[str, Any]]:
    """The game, and how a record names it."""
    name, *changes = words
    changed: dict[str, Any] = {}
    for change in changes:
        option, _, written = change.partition("=")
        value = int(written) if written.isascii() and written.isdigit() else written
        if str(value) != written or option in changed:
            raise NotationError(f"{change[:32]!r} is no option with its value")
        changed[option] = value
    try:
        options = preset(name).override(changed)
    except OptionsError as error:
        raise NotationError(str(error)) from error
    return options, {"preset": name, **changed} if changed else name


def _joined(cards: Sequence[str | None]) -> str:
    return "".join(card or UNKNOWN for card in cards)


def _cards(text: str) -> list[str | None]:
    """Two characters for a card; which cards there are is for the reader of records to judge."""
    if len(text) % 2:
        raise NotationError("a card has two characters")
    parts = [text[place : place + 2] for place in range(0, len(text), 2)]
    return [None if part == UNKNOWN else part for part in parts]


def _after(order: Sequence[str], seat: str) -> str:
    """The seat that follows in order of play; an unknown one is followed by itself."""
    return order[(order.index(seat) + 1) % len(order)] if seat in order else seat
