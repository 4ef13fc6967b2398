"""Tables that end without a player, or after a violation, where programs could differ on what is
paid and who deals next (SPEC.md, "violation.worst", "violation.void")."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import Row

MAKER, PARTNER, OPPONENT = 1, 3, 2
"""Players of trick-waits.304, by their part in the hand."""
WAITS, SHOWN, ANNOUNCED = 36, 37, 38
"""Places of trick-waits.304: its first trick is complete, its card is shown, it has a winner."""


def payments() -> Iterator[Row]:
    for at, absent, comment in (
        (
            WAITS,
            MAKER,
            "the trump maker leaves while the first trick waits for an inspect: 8 and 2",
        ),
        (WAITS, PARTNER, "its partner leaves then: the same"),
        (WAITS, OPPONENT, "an opponent leaves then: what the bid wins, and 2"),
        (SHOWN, MAKER, "the trump maker leaves while it waits for the announcement: 8 and 2"),
        (ANNOUNCED, MAKER, "the trump maker leaves when it has won it: what the bid loses, and 2"),
    ):
        yield _left("trick-waits", at, absent, comment)
    for absent, comment in (
        (1, "the opponent who has doubled leaves: what the bid loses, 1 and 2 more"),
        (3, "the other opponent leaves: the same"),
        (2, "the trump maker leaves, whose opponents have doubled: the same"),
    ):
        at = len(recorded("transcripts/doubled-by-opponents.304").blocks)
        yield _left("doubled-by-opponents", at, absent, comment)
    table = recorded("transcripts/void-violation.304")
    *_, at = table.places("shuffle")
    dealer = table.blocks[at].entry.entry.author
    for author, check, comment in (
        (dealer, "S02", "the dealer of the void hand has the floor"),
        ((dealer + 1) % 4, "S01", "the next player has not"),
    ):
        said = table.entry(at, {"at": 0}, "cut", author)
        yield Row.of_entry(table, said, check, f"violation=void: {comment}")


def _left(file: str, at: int, absent: int, comment: str) -> Row:
    """The table up to this place, where all others part."""
    table = recorded(f"transcripts/{file}.304")
    return Row(table.file, at - 1, table.parted(at, absent), None, comment)
