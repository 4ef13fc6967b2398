"""How a case is written: a deal, what was said, and what the rules make of it.

Owns the short forms. It knows no rule: what is expected is thought out case by case, from the
texts and SPEC.md, never taken from the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Case = dict[str, Any]
Deal = Mapping[str, Any]

SEATS = {2: "12", 3: "123", 4: "SENW", 6: "123456", 8: "12345678"}


def deal(dealer: str, *hands: str, pile: str = "") -> Deal:
    """Every seat's cards in order of play, from South or seat 1 on, as words."""
    dealt = {seat: cards.split() for seat, cards in zip(SEATS[len(hands)], hands, strict=True)}
    found: dict[str, Any] = {"dealer": dealer, "hands": dealt}
    return {**found, "pile": pile.split()} if pile else found


def record(dealt: Deal, said: str, rules: Any = None) -> dict[str, Any]:
    """A hand record; ``said`` are its actions, parted by commas or lines."""
    actions = [one.strip() for one in said.replace("\n", ",").split(",") if one.strip()]
    chosen = {} if rules is None else {"rules": rules}
    return {**chosen, **dealt, "actions": actions}


def _case(rule: str, kind: str, note: str, found: dict[str, Any], expect: dict[str, Any]) -> Case:
    return {"rule": rule, "case": kind, "note": note, "record": found, "expect": expect}


def allows(rule: str, note: str, dealt: Deal, said: str, rules: Any = None, **expect: Any) -> Case:
    """The last action is allowed, or judged so; ``expect`` is a part of the result."""
    return _case(rule, "allows", note, record(dealt, said, rules), {"error": None, **expect})


def forbids(rule: str, note: str, dealt: Deal, said: str, rules: Any = None, **expect: Any) -> Case:
    """The last action is refused by the rule."""
    found = record(dealt, said, rules)
    error = {"index": len(found["actions"]) - 1, "rule": rule}
    return _case(rule, "forbids", note, found, {"status": "illegal", "error": error, **expect})


def judges(rule: str, note: str, dealt: Deal, said: str, rules: Any = None, **expect: Any) -> Case:
    """The rule refuses nothing here: it decides what the hand is worth."""
    return _case(rule, "judges", note, record(dealt, said, rules), {"error": None, **expect})


def example(rule: str, note: str, dealt: Deal, said: str, rules: Any = None, **expect: Any) -> Case:
    """A worked example of a rule text."""
    return _case(rule, "example", note, record(dealt, said, rules), expect)


def refused(rule: str, note: str, **given: Any) -> Case:
    """A record that cannot be read: ``line`` as text, or ``record`` as JSON."""
    expect = {"status": "illegal", "error": {"index": None, "action": None, "rule": rule}}
    return {"rule": rule, "case": "forbids", "note": note, **given, "expect": expect}


def reads(rule: str, note: str, line: str, **expect: Any) -> Case:
    """A record as text that can be read; ``expect`` is a part of the result."""
    return {"rule": rule, "case": "judges", "note": note, "line": line, "expect": expect}


def plays(tricks: str, seats: str = "SENW") -> str:
    """Tricks parted by slashes, each its leader and the cards in order of play (`~` is kept):
    `E JS TS KS AS / E 9S 8S` is `E JS, N TS, W KS, S AS, E 9S, N 8S`."""
    said = []
    for trick in tricks.split("/"):
        leader, *cards = trick.split()
        first = seats.index(leader)
        for place, card in enumerate(cards):
            said.append(f"{seats[(first + place) % len(seats)]} {card}")
    return ", ".join(said)


def passes(seats: str) -> str:
    return ", ".join(f"{seat} pass" for seat in seats)
