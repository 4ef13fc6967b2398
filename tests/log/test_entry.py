"""Entries and receipts: their bytes, what their signatures cover, and every field at its limits."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.entry import (
    entry_is_signed_by,
    link_of,
    parse_entry,
    parse_receipt,
    receipt_is_signed_by,
)
from p2p304.wire.canonical import Value, decode, encode
from tests.support.short_log import KEYS, PLAYERS, at_the_limits, damaged, entry, grown, receipt
from tests.support.short_log import refused as refused_by

ENTRY_OCTETS = {"table": 32, "prev": 32, "sig": 64}
RECEIPT_OCTETS = {"table": 32, "head": 32, "sig": 64}
NUMBERS = {"seq": 2**32, "author": 8}


def fields(raw: bytes) -> dict[str, Value]:
    value = decode(raw)
    assert isinstance(value, dict)
    return value


ENTRY = fields(entry(1, 3).raw)
RECEIPT = fields(receipt(grown(), 2, "caps").encode())


def test_an_entry_round_trips_and_is_canonical() -> None:
    made = entry()
    assert parse_entry(made.raw) == made
    assert {**parse_entry(encode(ENTRY)).entry.unsigned(), "sig": ENTRY["sig"]} == ENTRY
    assert ENTRY["v"] == 1


def test_an_entry_at_its_limits_is_read() -> None:
    for value in at_the_limits(ENTRY, NUMBERS):
        read = parse_entry(encode(value)).entry
        assert (read.seq, read.author) == (value["seq"], value["author"])
    many: Value = {"many": [None] * 900}
    assert parse_entry(encode({**ENTRY, "body": many})).entry.body == many


@pytest.mark.parametrize("value", damaged(ENTRY, ENTRY_OCTETS, NUMBERS))
def test_a_damaged_entry_is_refused(value: Value) -> None:
    refused_by("W01", lambda: parse_entry(encode(value)))


@pytest.mark.parametrize(
    "change",
    [{"kind": 5}, {"kind": None}, {"body": []}, {"body": None}, {"v": 0}, {"v": 2}, {"v": True}],
)
def test_an_entry_of_another_form_is_refused(change: dict[str, Value]) -> None:
    refused_by("W01", lambda: parse_entry(encode({**ENTRY, **change})))


def test_a_receipt_at_its_limits_is_read() -> None:
    for value in at_the_limits(RECEIPT, NUMBERS):
        read = parse_receipt(encode(value))
        assert fields(read.encode()) == value
    for claim in ("caps", "spoilt", None):
        assert parse_receipt(encode({**RECEIPT, "claim": claim})).claim == claim


@pytest.mark.parametrize("value", damaged(RECEIPT, RECEIPT_OCTETS, NUMBERS))
def test_a_damaged_receipt_is_refused(value: Value) -> None:
    refused_by("W02", lambda: parse_receipt(encode(value)))


@pytest.mark.parametrize("claim", ["", "cap", 1, False, b"caps", []])
def test_a_receipt_with_an_unknown_claim_is_refused(claim: Value) -> None:
    refused_by("W02", lambda: parse_receipt(encode({**RECEIPT, "claim": claim})))


def test_a_receipt_is_a_message_of_few_items() -> None:
    many: Value = {**RECEIPT, **{f"x{n}": None for n in range(100)}}
    error = refused_by("W02", lambda: parse_receipt(encode(many)))
    assert "canonical" in error.finding.sentence


@pytest.mark.parametrize("raw", [b"", b"\xc0", encode({}), encode({"kind": "fork"}), b"\xff" * 9])
def test_malformed_bytes_are_refused_by_number(raw: bytes) -> None:
    refused_by("W01", lambda: parse_entry(raw))
    refused_by("W02", lambda: parse_receipt(raw))


def test_signatures_cover_the_label_and_every_other_field() -> None:
    bare = {name: value for name, value in ENTRY.items() if name != "sig"}
    assert ENTRY["sig"] == KEYS[1].sign(b"p2p304 entry\x00" + encode(bare))
    bare = {name: value for name, value in RECEIPT.items() if name != "sig"}
    assert RECEIPT["sig"] == KEYS[2].sign(b"p2p304 receipt\x00" + encode(bare))


def test_a_signature_holds_for_its_author_and_its_fields_alone() -> None:
    signed = entry(1, 3).entry
    assert entry_is_signed_by(signed, PLAYERS[1])
    assert not entry_is_signed_by(signed, PLAYERS[0])
    assert not entry_is_signed_by(replace(signed, seq=4), PLAYERS[1])
    given = receipt(grown(), 2)
    assert receipt_is_signed_by(given, PLAYERS[2])
    assert not receipt_is_signed_by(given, PLAYERS[1])
    assert not receipt_is_signed_by(replace(given, claim="caps"), PLAYERS[2])


def test_a_link_is_sha_512_256() -> None:
    """The example of FIPS 180-4 that NIST publishes for "abc"."""
    published = "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"
    assert link_of(b"abc").hex() == published
