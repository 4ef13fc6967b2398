"""Entries of draw and deal with two faults."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.vectors.derived.order_of_checks.changed_entry import (
    IDENTITY,
    NO_CARD,
    NO_PROOF,
    NO_SCALAR,
    Case,
    G,
    body,
    changed,
    first,
)
from scripts.vectors.derived.row import Row
from scripts.vectors.transcripts.signed_blocks import flipped

MAKERS_RELOCK = 25
"""The place of good.304 at which the trump maker, whose indicator lies, re-orders its hand."""


def deal() -> Iterator[Row]:
    yield from _draws()
    yield from _shuffles()
    yield from _shares()
    yield from _relocks()
    yield from _bids()


def _draws() -> Iterator[Row]:
    no_key: Case = (
        "A04",
        "another nonce, and a box that is not due",
        {"nonce": bytes(32), "box": G, "box_knows": NO_PROOF},
    )
    yield from changed("good", 1, [no_key])
    unproved: Case = ("D12", "the identity as box, without its proof", {"box_knows": None})
    bent: Case = ("D01", "the identity as box, and a false proof", {"box_knows": NO_PROOF})
    for check, comment, change in (unproved, bent):
        yield from changed("outbid", 1, [(check, comment, {"box": IDENTITY, **change})])


def _shuffles() -> Iterator[Row]:
    at = first("outbid", "shuffle")
    true = body("outbid", at)
    deck, bent, knows = true["deck"], flipped(true["proof"]), flipped(true["knows"])
    with_identity, doubled = [IDENTITY, *deck[1:]], [*deck[1:], deck[1]]
    cases: list[Case] = [
        (
            "D01",
            "the generator as key, and the identity in the deck",
            {"key": G, "deck": with_identity},
        ),
        ("D03", "the generator as key, and a bent proof of knowing it", {"key": G, "knows": knows}),
        ("D02", "a bent proof of the key, and a card twice", {"knows": knows, "deck": doubled}),
        ("D05", "a bent proof of the shuffle, and no shares", {"proof": bent, "shares": []}),
    ]
    yield from changed("outbid", at, cases)


def _shares() -> Iterator[Row]:
    """The checks ``keys`` of a shared key."""
    at = first("outbid", "closed")
    one, two, three = body("outbid", at)["shares"]
    no_scalar, no_point = one[:32] + NO_SCALAR, bytes(64)
    cases: list[Case] = [
        (
            "D12",
            "a share too few, and the identity as ephemeral key",
            {"shares": [one, two], "ephemeral": IDENTITY},
        ),
        (
            "D12",
            "no ephemeral key, and the identity as point of a share",
            {"ephemeral": None, "shares": [no_point, two, three]},
        ),
        (
            "D01",
            "the identity as ephemeral key, without its proof",
            {"ephemeral": IDENTITY, "ephemeral_knows": None},
        ),
        (
            "D01",
            "the identity as ephemeral key, and a box that is no scalar",
            {"ephemeral": IDENTITY, "shares": [no_scalar, two, three]},
        ),
        (
            "D12",
            "a box that is no scalar, and the identity as point of the next share",
            {"shares": [no_scalar, no_point, three]},
        ),
        (
            "D01",
            "the identity as point of a share, and the next box is no scalar",
            {"shares": [no_point, two[:32] + NO_SCALAR, three]},
        ),
        (
            "D01",
            "the identity as point of the last share, without the ephemeral key's proof",
            {"shares": [one, two, no_point], "ephemeral_knows": None},
        ),
        (
            "D12",
            "shares that do not sum to the key, and a bent proof of the ephemeral key",
            {"shares": [two, two, three], "ephemeral_knows": NO_PROOF},
        ),
        ("D12", "no proof of the ephemeral key", {"ephemeral_knows": None}),
        (
            "D15",
            "a bent proof of the ephemeral key, and a row that is not due",
            {"ephemeral_knows": NO_PROOF, "owed": [NO_PROOF]},
        ),
    ]
    yield from changed("outbid", at, cases)


def _relocks() -> Iterator[Row]:
    at = MAKERS_RELOCK
    true = body("good", at)
    cards, bent, kept = true["cards"], flipped(true["proof"]), flipped(true["kept"])
    cases: list[Case] = [
        ("D01", "the identity joined, without a proof", {"joined": [IDENTITY]}),
        (
            "D10",
            "a proof of drawn cards that are none, and the identity as key",
            {"joined_proof": NO_PROOF, "key": IDENTITY},
        ),
        (
            "D01",
            "the generator as key, and the identity among the cards",
            {"key": G, "cards": [IDENTITY, *cards[1:]]},
        ),
        (
            "D01",
            "the generator as key, and the identity as indicator",
            {"key": G, "indicator": IDENTITY},
        ),
        ("D03", "the generator as key, and a bent proof of the hand", {"key": G, "proof": bent}),
        ("D08", "bent proofs of the hand and of the indicator", {"proof": bent, "kept": kept}),
        ("D08", "a card too few, and no indicator", {"cards": cards[1:], "indicator": None}),
        (
            "D09",
            "a bent proof of the indicator, and an ephemeral key that is not due",
            {"kept": kept, "ephemeral": G},
        ),
    ]
    yield from changed("good", at, cases)


def _bids() -> Iterator[Row]:
    said: Case = ("G01", "too low, and not in canonical form", {"word": "0150"})
    yield from changed("good", first("good", "say"), [said])
    at = first("rejected", "redeal")
    *others, last = body("rejected", at)["cards"]
    cases: list[Case] = [
        ("P06", "no card of the pack, and a card too few", {"cards": [NO_CARD, *others[1:]]}),
        (
            "P02",
            "a card too few, with too many points to reject",
            {"cards": ["JS", others[1], last]},
        ),
    ]
    yield from changed("rejected", at, cases)
