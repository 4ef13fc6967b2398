"""Cases: records that cannot be read, and actions that cannot be done at all."""

from __future__ import annotations

import json

from scripts.vectors.rules.cases.case import Case, allows, forbids, passes, reads, record, refused
from scripts.vectors.rules.cases.deals import EVEN, SPADES, bid, to_play
from scripts.vectors.rules.cases.trump import THREE

GOOD = record(SPADES, "E 160")
_HANDS = GOOD["hands"]
_SOUTH = _HANDS["S"]
_CARD = "\U0001f0a1"
_WITH = json.dumps(GOOD).replace("{", "{{").replace("}", "}}")
_WITH = _WITH.replace('"JS"', "{card}").replace('"dealer": "S"', '"dealer": {dealer}')
_LONGEST = 65_536
"""The characters of the longest record."""
_LINE = "304N pagat; dealer S; " + "; ".join(
    f"{seat} {''.join(cards)}" for seat, cards in _HANDS.items()
)


def _tokens(number: str) -> str:
    """A record whose rules say this number of tokens."""
    return json.dumps({**GOOD, "rules": {"tokens": 0}}).replace(
        '"tokens": 0', f'"tokens": {number}'
    )


CASES: list[Case] = [
    allows("record.json", "a record is one JSON object", SPADES, "E 160", to_act=["N"]),
    refused("record.json", "not JSON", line="E 160"),
    refused("record.json", "an empty line", line=" "),
    refused("record.json", "an array, not an object", line="[1, 2]"),
    refused("record.json", "NaN is no JSON", line='{"dealer": NaN}'),
    refused("record.json", "a line end inside a text", line='{"dealer": "\n"}'),
    refused("record.json", "a mark of byte order", line="\ufeff{}"),
    refused("record.json", "deeply nested", line="[" * 5_000),
    allows("record.size", "a whole hand is short", SPADES, passes("ENWS"), status="void"),
    refused("record.size", "more than 65,536 characters", line='{"dealer": "S"}' + " " * 65_536),
    reads(
        "record.size",
        "65,536 characters, one of them beyond 16 bits and some of several bytes",
        json.dumps({**GOOD, "actions": [f"E {_CARD} 304"]}, ensure_ascii=False).ljust(_LONGEST),
        error={"index": 0, "rule": "action.form"},
    ),
    refused("record.size", "one more", line=json.dumps(GOOD).ljust(_LONGEST + 1)),
    reads(
        "record.size",
        "304N with as many characters, line ends around it included",
        f"\r\n{_LINE}; 160".ljust(_LONGEST),
        error=None,
        to_act=["N"],
    ),
    refused("record.size", "304N with one more", line=f"\n{_LINE}; 160".ljust(_LONGEST + 1)),
    refused("record.size", "one more, and it is no record at all", line="x" * (_LONGEST + 1)),
    allows("record.fields", "rules and pile may be missing", SPADES, "", phase="bid4"),
    refused("record.fields", "an unknown field", record={**GOOD, "score": 1}),
    refused("record.fields", "no dealer", record={k: GOOD[k] for k in ("hands", "actions")}),
    refused("record.fields", "a name twice", line='{"dealer": "S", "dealer": "E"}'),
    refused("record.fields", "behind it no JSON", line='{"dealer": "S", "dealer": "E"} x'),
    refused("record.fields", "a name twice, in a list", line='[{"dealer": "S", "dealer": "E"}]'),
    refused("record.json", "an object with a name twice breaks off", line='{"a": 1, "a": 2'),
    allows("record.rules", "a preset's name", SPADES, "E 160", rules="wikipedia"),
    allows(
        "record.rules",
        "a preset with an option",
        SPADES,
        "E 160",
        rules={"preset": "bank", "pcc": "off"},
    ),
    refused("record.rules", "no such preset", record={**GOOD, "rules": "whist"}),
    refused("record.rules", "a number with a point", line=_tokens("11.0")),
    refused("record.rules", "a number with an exponent", line=_tokens("1e1")),
    refused("record.json", "two exponents", line=_tokens("1e5e5")),
    refused("record.rules", "a number of 5,000 digits", line=_tokens("9" * 5_000)),
    refused("record.rules", "no such value", record={**GOOD, "rules": {"pcc": "maybe"}}),
    refused("record.rules", "no such option", record={**GOOD, "rules": {"trumps": "on"}}),
    *(
        refused("record.rules", f"rules that are {kind}", record={**GOOD, "rules": rules})
        for kind, rules in (("null", None), ("a number", 4), ("a list", ["pagat"]))
    ),
    refused("record.rules", "a preset that is null", record={**GOOD, "rules": {"preset": None}}),
    refused("record.rules", "a preset that is a list", record={**GOOD, "rules": {"preset": []}}),
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
    *(
        refused("record.seats", f"hands that are {kind}", record={**GOOD, "hands": hands})
        for kind, hands in (("null", None), ("a list", list(_HANDS.values())), ("text", "SENW"))
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
    reads(
        "record.cards", "an empty pile in 304N", f"{_LINE}; pile ; 160", error=None, to_act=["N"]
    ),
    reads(
        "action.form",
        "304N: at the end of the line the space is gone, and `pile` is an action",
        f"{_LINE}; pile ",
        error={"index": 0, "rule": "action.form"},
    ),
    refused("record.cards", "a pile in 304N where nothing is left over", line=f"{_LINE}; pile 6S"),
    refused(
        "record.cards",
        "no pile where two cards are left over",
        record={**{k: THREE[k] for k in ("dealer", "hands")}, "rules": "online-3", "actions": []},
    ),
    refused("record.cards", "a number with a point", line=_WITH.format(card="1.5", dealer='"S"')),
    refused("record.dealer", "a number with a point", line=_WITH.format(card='"JS"', dealer="1.0")),
    allows("record.actions", "none yet", SPADES, "", status="in_progress"),
    refused("record.actions", "one text, not a list", record={**GOOD, "actions": "E 160"}),
    refused("record.actions", "a number in the list", record={**GOOD, "actions": [160]}),
    refused("record.actions", "more than 512", record={**GOOD, "actions": ["E pass"] * 513}),
    reads(
        "record.actions",
        "512 are read",
        json.dumps({**GOOD, "actions": ["E pass"] * 512}),
        error={"index": 1, "rule": "turn"},
    ),
    refused(
        "record.actions", "more than 512 in 304N", line=f"{_LINE}; {', '.join(['pass'] * 513)}"
    ),
    reads(
        "record.actions",
        "512 in 304N",
        f"{_LINE}; {', '.join(['pass'] * 512)}",
        error={"index": 4, "rule": "hand.over"},
    ),
    allows("action.form", "a seat, a space, a word", SPADES, "E pass"),
    forbids("action.form", "no such seat", SPADES, "X pass"),
    forbids("action.form", "a seat of another game", SPADES, "1 pass"),
    forbids("action.form", "no such word", SPADES, "E raise"),
    forbids(
        "action.form",
        "told with 64 characters, some of them beyond 16 bits",
        SPADES,
        f"E {100 * _CARD}",
        error={"index": 0, "rule": "action.form", "action": f"E {62 * _CARD}"},
    ),
    forbids("action.form", "no such card", SPADES, "E trump 1S"),
    forbids("action.form", "a bid has one written form", SPADES, "E 0160"),
    forbids("action.form", "a bid is a whole number", SPADES, "E 160.5"),
    forbids("action.form", "0 is no bid", SPADES, "E 0"),
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
        "phase",
        "no redeal while cards are played, also where none is played at all",
        SPADES,
        f"{to_play('JS', 'closed')}, E redeal",
        rules={"redeal15": "off"},
    ),
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
