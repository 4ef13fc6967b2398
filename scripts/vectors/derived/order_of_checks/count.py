"""Counts and calls of Caps with two faults."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.order_of_checks.changed_entry import (
    NO_CARD,
    NO_PLACE,
    NO_PROOF,
    Case,
    body,
    changed,
    first,
)
from scripts.vectors.derived.row import Row

DENIED = 126
"""The count of spoilt-indicator-kept.304 of a player that has played a trump face up."""
TRUE_ROW = 38
"""The count of spoilt-trump-down.304 of a player that proves that it was dealt no trump."""


def count() -> Iterator[Row]:
    yield from _counts()
    yield from _denials()
    yield from _calls()


def _counts() -> Iterator[Row]:
    cases: list[Case] = [
        (
            "P06",
            "no card of the pack, no proof, and a row",
            {"cards": [NO_CARD], "proofs": [], "owed": [NO_PROOF]},
        ),
        ("P07", "no proof, and a row", {"proofs": [], "owed": [NO_PROOF]}),
        ("P02", "a bent proof, and a row", {"proofs": [NO_PROOF], "owed": [NO_PROOF]}),
        ("P08", "a row that is not due", {"owed": [NO_PROOF]}),
    ]
    yield from changed("closed", first("closed", "count"), cases)


def _denials() -> Iterator[Row]:
    """Opponents who open no card after a call of spoilt trumps: a broken row comes before the
    number of rows."""
    cases: list[Case] = [
        ("P19", "a trump was played before all, and no row", {"cards": [], "proofs": []}),
        (
            "P19",
            "a trump was played before all, and a row",
            {"cards": [], "proofs": [], "owed": [NO_PROOF]},
        ),
    ]
    yield from changed("spoilt-indicator-kept", DENIED, cases)
    yield from changed("spoilt-trump-down", TRUE_ROW, [("P08", "no row", {"owed": []})])


def _calls() -> Iterator[Row]:
    at = first("caps-late", "caps")
    true = body("caps-late", at)
    order, slots, seen = ([*true[name][1:]] for name in ("order", "slots", "seen"))
    unseen = [NO_CARD, *seen]
    cases: list[Case] = [
        (
            "P06",
            "no card of the pack in the order, and a place too few",
            {"order": [NO_CARD, *order], "slots": slots},
        ),
        (
            "P06",
            "no card of the pack face down, and a place too few",
            {"down": [NO_CARD], "slots": slots},
        ),
        (
            "P15",
            "a place that has no card, and no proof",
            {"slots": [NO_PLACE, *slots], "proofs": []},
        ),
        ("P07", "no proof, and no card of the pack seen", {"proofs": [], "seen": unseen}),
        (
            "P02",
            "a bent proof, and no card of the pack seen",
            {"proofs": [NO_PROOF], "seen": unseen},
        ),
        ("P06", "no card of the pack seen, without a proof", {"seen": unseen, "seen_proof": None}),
    ]
    yield from changed("caps-late", at, cases)
