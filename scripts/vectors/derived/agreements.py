"""Agreements with two faults: the players are checked one after the other (SPEC.md, "The agreement,
entry 0")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2p304.crypto.signing import SigningKey
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, bot_mark
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import Row

NO_NAME = "two  spaces"


def agreements() -> Iterator[Row]:
    table = recorded("transcripts/good.304")
    terms: Any = table.blocks[0].entry.entry.body["terms"]
    one, two, *others = terms["players"]
    # A mark for player 0's key, which is false for every other player.
    mark = BOT_MARK_FORM.write(bot_mark(SigningKey.from_seed(bytes(32)), one["key"]))
    another, unnamed = {"bot": mark}, {"nick": NO_NAME}
    cases: list[tuple[str, str, dict[str, Any]]] = [
        (
            "A01",
            "a nick that is no name, and the next player's mark is of another key",
            {"players": [one | unnamed, two | another, *others]},
        ),
        (
            "A08",
            "a mark of another key, and the next player's nick is no name",
            {"players": [one, two | another, others[0] | unnamed, others[1]]},
        ),
        (
            "A08",
            "a mark of another key, and the same player's nick is no name",
            {"players": [one, two | another | unnamed, *others]},
        ),
        (
            "A08",
            "a mark of another key, and the table's name is no name",
            {"players": [one, two | another, *others], "name": NO_NAME},
        ),
        (
            "A01",
            "a `watch` that does not exist, and a mark of another key",
            {"players": [one, two | another, *others], "watch": "later"},
        ),
        (
            "A01",
            "the table's name is no name, and a key stands twice",
            {"players": [one, two, others[0], two], "name": NO_NAME},
        ),
        (
            "A02",
            "a key stands twice, and the assents are to other terms",
            {"players": [one, two, others[0], two]},
        ),
    ]
    count = [0, 0]
    after = {"table": bytes(32), "end": bytes(32), "dealer": 0, "tokens": [11, 11]}
    chosen = {"rules": {**terms["rules"], "seating": "chosen"}}
    for name, cards, games in (("card points", [5, 0], count), ("games won", count, [1, 0])):
        said_to_be = {"after": {**after, "cards": cards, "games": games}}
        comment = f"it goes on from a table with {name}, and does not count by tenths"
        cases.append(("A01", comment, {**chosen, **said_to_be}))
    for check, comment, change in cases:
        said = table.entry(0, {"terms": {**terms, **change}})
        yield Row.of_entry(table, said, check, f"agreement: {comment}")
