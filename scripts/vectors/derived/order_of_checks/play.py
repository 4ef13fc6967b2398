"""Entries of the play with two faults; counts and calls are count.py's."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.order_of_checks.changed_entry import (
    NO_CARD,
    NO_PLACE,
    NO_PROOF,
    Case,
    G,
    body,
    changed,
    first,
)
from scripts.vectors.derived.recorded import recorded
from scripts.vectors.derived.row import Row

LEAD, ASK = 39, 30
"""A lead of good.304, and of exchange.304."""
TAKEN_UP, TAKEN_UP_AT, LAID_FROM = 58, 8, 2
"""A play of good.304, of the indicator that was taken up; its place in the hand, and the one that
it was laid from."""
NAMED = 72
"""An announcement of absent-caps-other.304 that shows an indicator which a call has named."""


def play() -> Iterator[Row]:
    yield from _trumps()
    yield from _cards()
    yield from _marriages()
    yield from _announcements()


def _trumps() -> Iterator[Row]:
    opened: Case = (
        "P06",
        "no card of the pack, and a bent proof",
        {"card": NO_CARD, "proof": NO_PROOF},
    )
    yield from changed("good", first("good", "open"), [opened])
    cases: list[Case] = [
        ("D03", "the generator as key, and a bent proof of it", {"key": G, "knows": NO_PROOF}),
        (
            "D02",
            "a bent proof of the key, and an ephemeral key that is not due",
            {"knows": NO_PROOF, "ephemeral": G},
        ),
        ("D12", "an ephemeral key that is not due, and no row", {"ephemeral": G, "owed": []}),
    ]
    yield from changed("reveal-all", first("reveal-all", "closed"), cases)


def _cards() -> Iterator[Row]:
    nowhere: Case = (
        "P01",
        "no place, and no card of the pack",
        {"slot": NO_PLACE, "card": NO_CARD},
    )
    yield from changed("good", first("good", "play"), [nowhere])
    ten = _first_ten("good")
    card = body("good", ten)["card"]
    written: Case = ("W04", "a ten written as 10, with a true proof", {"card": "10" + card[1]})
    yield from changed("good", ten, [written])
    down: Case = (
        "G01",
        "leads face down, with a row that is not due",
        {"slot": 3, "owed": [NO_PROOF]},
    )
    yield from changed("good", LEAD, [down], "down")
    asked: Case = ("G01", "at a lead, with a row that is not due", {"owed": [NO_PROOF]})
    yield from changed("exchange", ASK, [asked], "ask")
    cases: list[Case] = [
        ("P17", "the indicator, and then no place", {"slots": [-1, NO_PLACE]}),
        ("P01", "no place, and then the indicator", {"slots": [NO_PLACE, -1]}),
    ]
    yield from changed("exchange", first("exchange", "exchange"), cases)
    left: list[Case] = [
        ("P01", "a card that was taken up, from where it lay as indicator", {"slot": -1}),
        ("P01", "the same, from the place of the hand that it left", {"slot": LAID_FROM}),
        ("P01", "the same, from the place after its own", {"slot": TAKEN_UP_AT + 1}),
    ]
    yield from changed("good", TAKEN_UP, left)


def _first_ten(file: str) -> int:
    """The first place where a ten is played face up."""
    played = recorded(f"transcripts/{file}.304").places("play")
    return next(at for at in played if body(file, at)["card"][0] == "T")


def _marriages() -> Iterator[Row]:
    at = first("full-court", "marriage")
    king, queen = body("full-court", at)["slots"]
    cases: list[Case] = [
        ("G01", "no suit, and no place", {"suit": "X", "slots": [NO_PLACE, NO_PLACE - 1]}),
        ("P01", "no place, twice", {"slots": [NO_PLACE, NO_PLACE]}),
        ("P17", "one card twice, and no proof", {"slots": [king, king], "proofs": []}),
        ("P07", "the queen before the king, and no proof", {"slots": [queen, king], "proofs": []}),
    ]
    yield from changed("full-court", at, cases)


def _announcements() -> Iterator[Row]:
    """With reveal=all, so that the trump maker turns up a card of its own."""
    cases: list[Case] = [
        (
            "P06",
            "no card of the pack shown, without a proof",
            {"shown": [NO_CARD], "shown_proof": None},
        ),
        (
            "P04",
            "a bent proof of the card shown, and none of the indicator",
            {"shown_proof": NO_PROOF, "indicator_proof": None},
        ),
        (
            "P05",
            "no proof of the indicator, which is no card of the pack",
            {"indicator": NO_CARD, "indicator_proof": None},
        ),
        (
            "P06",
            "the indicator no card of the pack, and no proof of the own card",
            {"indicator": NO_CARD, "own_proof": None},
        ),
        (
            "P02",
            "a bent proof of the indicator, and the own card no card of the pack",
            {"indicator_proof": NO_PROOF, "own": NO_CARD},
        ),
        (
            "P02",
            "a bent proof of the indicator, and no trumps although cards are shown",
            {"indicator_proof": NO_PROOF, "cut": 0},
        ),
        (
            "P05",
            "no trumps although cards are shown, and the own card no card of the pack",
            {"cut": 0, "own": NO_CARD},
        ),
        (
            "P06",
            "the own card no card of the pack, with a bent proof",
            {"own": NO_CARD, "own_proof": NO_PROOF},
        ),
        (
            "P02",
            "a bent proof of the own card, and a row that is not due",
            {"own_proof": NO_PROOF, "owed": [NO_PROOF]},
        ),
        (
            "G01",
            "the own card stays down, and a row that is not due",
            {"own": None, "own_proof": None, "owed": [NO_PROOF]},
        ),
    ]
    yield from changed("reveal-all", first("reveal-all", "announce"), cases)
    named: list[Case] = [
        ("P05", "an indicator that a call has named, without its proof", {"indicator_proof": None}),
        ("P02", "the same with a bent proof", {"indicator_proof": NO_PROOF}),
        ("P02", "another card as such an indicator", {"indicator": "TC"}),
    ]
    yield from changed("absent-caps-other", NAMED, named)
