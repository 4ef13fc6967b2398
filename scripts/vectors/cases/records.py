"""Cases: records that cannot be read, and actions that cannot be done at all."""

from __future__ import annotations

from scripts.vectors.cases.case import Case, allows, forbids, passes, record, refused
from scripts.vectors.cases.deals import EVEN, SPADES, bid, to_play

GOOD = record(SPADES, "E 160")
_HANDS = GOOD["hands"]
_SOUTH = _HANDS["S"]
CASES: list[Case] = [
    allows("record.json", "a record is one JSON object", SPADES, "E 160", to_act=["N"]),
    refused("record.json", "not JSON", line="E 160"),
    refused("record.json", "an array, not an object", line="[1, 2]"),
    refused("record.json", "deeply nested", line="[" * 5_000),
    allows("record.size", "a whole hand is short", SPADES, passes("ENWS"), status="void"),
    refused("record.size", "more than 65,536 characters", line='{"dealer": "S"}' + " " * 65_536),
    allows("record.fields", "rules and pile may be missing", SPADES, "", phase="bid4"),
    refused("record.fields", "an unknown field", record={**GOOD, "score": 1}),
    refused("record.fields", "no dealer", record={k: GOOD[k] for k in ("hands", "actions")}),
    refused("record.fields", "a name twice", line='{"dealer": "S", "dealer": "E"}'),
    allows("record.rules", "a preset's name", SPADES, "E 160", rules="wikipedia"),
    allows(
        "record.rules",
        "a preset with an option",
        SPADES,
        "E 160",
        rules={"preset": "bank", "pcc": "off"},
    ),
    refused("record.rules", "no such preset", record={**GOOD, "rules": "whist"}),
    refused("record.rules", "no such value", record={**GOOD, "rules": {"pcc": "maybe"}}),
    refused(
        "record.rules", "options that do not go together", record={**GOOD, "rules": {"seats": 6}}
    ),
    allows("record.dealer", "a seat of this game", SPADES, "", to_act=["E"]),
    refused("record.dealer", "a seat of another game", record={**GOOD, "dealer": "1"}),
    allows("record.seats", "a hand for each seat", SPADES, "", to_act=["E"]),
    refused(
        "record.seats", "a hand is missing", record={**GOOD, "hands": {k: _HANDS[k] for k in "SEN"}}
    ),
    refused(
        "record.seats",
        "six hands at a table of four",
        record={**GOOD, "hands": dict.fromkeys("123456", _SOUTH)},
    ),
    allows(
        "record.cards",
        "10 is read as T",
        {**SPADES, "hands": {**_HANDS, "S": ["10H" if c == "TH" else c for c in _SOUTH]}},
        "E 160",
    ),
    refused(
        "record.cards",
        "a card twice",
        record={**GOOD, "hands": {**_HANDS, "S": ["JS", *_SOUTH[1:]]}},
    ),
    refused("record.cards", "seven cards", record={**GOOD, "hands": {**_HANDS, "S": _SOUTH[1:]}}),
    refused(
        "record.cards",
        "a card of another pack",
        record={**GOOD, "hands": {**_HANDS, "S": ["6S", *_SOUTH[1:]]}},
    ),
    refused(
        "record.cards", "no card", record={**GOOD, "hands": {**_HANDS, "S": ["1S", *_SOUTH[1:]]}}
    ),
    refused("record.cards", "a pile where nothing is left over", record={**GOOD, "pile": ["6S"]}),
    allows("record.actions", "none yet", SPADES, "", status="in_progress"),
    refused("record.actions", "one text, not a list", record={**GOOD, "actions": "E 160"}),
    refused("record.actions", "a number in the list", record={**GOOD, "actions": [160]}),
    refused("record.actions", "more than 512", record={**GOOD, "actions": ["E pass"] * 513}),
    allows("action.form", "a seat, a space, a word", SPADES, "E pass"),
    forbids("action.form", "no such seat", SPADES, "X pass"),
    forbids("action.form", "no such word", SPADES, "E raise"),
    forbids("action.form", "no such card", SPADES, "E trump 1S"),
    forbids("action.form", "a bid has one written form", SPADES, "E 0160"),
    forbids("action.form", "a bid is a whole number", SPADES, "E 160.5"),
    allows("turn", "the seat after the dealer speaks first", SPADES, "E pass", to_act=["N"]),
    forbids("turn", "the dealer's partner does not", SPADES, "N pass", to_act=["E"]),
    allows(
        "phase",
        "the choice comes after the second round",
        SPADES,
        to_play("JS", "closed"),
        phase="play",
    ),
    forbids("phase", "a choice before any bid", SPADES, "E closed", phase="bid4"),
    forbids(
        "phase", "a card before the choice", SPADES, f"{bid()}, E trump JS, E 9S", phase="bid8"
    ),
    allows(
        "hand.over",
        "the last pass ends the hand",
        EVEN,
        passes("ENWS"),
        status="void",
        phase="over",
    ),
    forbids("hand.over", "nothing is said after it", EVEN, passes("ENWSE"), phase="over"),
    forbids("hand.over", "nor claimed", EVEN, f"{passes('ENWS')}, E caps JS", phase="over"),
]
