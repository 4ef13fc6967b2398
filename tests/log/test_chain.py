"""The chain: what may be appended, who must have seen it, and what proves a fork."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain, claims_on
from p2p304.log.entry import (
    NO_LINK,
    Receipt,
    Unverified,
    parse_entry,
    parse_receipt,
    sign_entry,
    sign_receipt,
)
from p2p304.log.evidence import Evidence, judge, of_fork, of_split, parse_evidence
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, Unreadable, encode_block, read_blocks
from p2p304.wire.canonical import encode

KEYS = [SigningKey.from_seed(bytes([n]) * 32) for n in range(1, 5)]
PLAYERS = tuple(key.public for key in KEYS)
TABLE = b"t" * 32


def entry(author: int = 0, seq: int = 0, prev: bytes = NO_LINK, word: str = "a") -> Unverified:
    return sign_entry(KEYS[author], TABLE, seq, prev, author, "say", {"word": word})


def receipt(chain: Chain, author: int, claim: str | None = None) -> Receipt:
    return sign_receipt(KEYS[author], TABLE, chain.next_seq - 1, chain.head, author, claim)


def grown(claims: dict[int, str] | None = None) -> Chain:
    chain = Chain(TABLE, PLAYERS)
    chain.append(chain.authenticate(entry()))
    for author in (1, 2, 3):
        given = receipt(chain, author, (claims or {}).get(author))
        chain.authenticate_receipt(given)
        chain.add_receipt(given)
    return chain


def refused(check: str, act: Callable[[], object]) -> Refused:
    with pytest.raises(Refused) as caught:
        act()
    assert caught.value.finding.check == check
    return caught.value


def test_an_entry_round_trips_and_is_canonical() -> None:
    made = entry()
    assert parse_entry(made.raw) == made


def test_entries_in_place_are_accepted_once_all_have_receipted() -> None:
    chain = grown()
    assert chain.settled
    after = chain.authenticate(entry(1, 1, chain.head))
    chain.append(after)
    assert chain.missing() == (2, 3, 0)
    refused("L06", lambda: chain.append(after))


FALSE: dict[str, Callable[[Chain], Unverified]] = {
    "L02": lambda c: Unverified(replace(entry().entry, author=7, seq=1), b""),
    "L03": lambda c: Unverified(replace(entry(1, 1, c.head).entry, kind="cut"), b""),
    "L04": lambda c: entry(1, 2, c.head),
    "L05": lambda c: entry(1, 1, bytes(32)),
}


@pytest.mark.parametrize("check", FALSE)
def test_a_false_entry_is_refused_and_nobody_is_blamed(check: str) -> None:
    chain = grown()
    error = refused(check, lambda: chain.authenticate(FALSE[check](chain)))
    assert error.finding.player is None
    assert chain.next_seq == 1


def test_an_entry_of_another_table_is_refused() -> None:
    strange = sign_entry(KEYS[0], b"u" * 32, 0, NO_LINK, 0, "say", {})
    refused("L01", lambda: Chain(TABLE, PLAYERS).authenticate(strange))


def test_false_receipts_are_refused() -> None:
    chain = grown()
    good = receipt(chain, 1)
    refused("L07", lambda: chain.authenticate_receipt(replace(good, author=2)))
    refused("L01", lambda: chain.authenticate_receipt(replace(good, table=bytes(32))))
    refused(
        "L04",
        lambda: chain.authenticate_receipt(sign_receipt(KEYS[1], TABLE, 5, chain.head, 1, None)),
    )
    refused("L09", lambda: chain.authenticate_receipt(receipt(chain, 0)))
    blind = sign_receipt(KEYS[1], TABLE, 0, bytes(32), 1, None)
    refused("L08", lambda: chain.add_receipt(blind))
    refused("L10", lambda: chain.add_receipt(receipt(chain, 1, "caps")))


def test_the_first_claim_by_seats_takes_the_floor() -> None:
    block = grown({1: "caps", 3: "spoilt"}).block(0)
    assert claims_on(block, (3, 2, 1)) == ((3, "spoilt"), (1, "caps"))
    assert claims_on(grown().block(0), (1, 2, 3)) == ()


def test_a_fork_convicts_its_author_and_nobody_else() -> None:
    one, two = entry(word="a"), entry(word="b")
    evidence = parse_evidence(of_fork(two.raw, one.raw).encode())
    finding = judge(evidence, (TABLE,), PLAYERS)
    assert (finding.check, finding.player) == ("L11", 0)
    innocent = (of_fork(one.raw, entry(1).raw), of_fork(one.raw, entry(0, 1).raw))
    for pair in innocent:
        refused("E01", lambda pair=pair: judge(pair, (TABLE,), PLAYERS))  # type: ignore[misc]


def test_a_forged_fork_convicts_nobody() -> None:
    one, two = entry(word="a"), entry(word="b")
    forged = parse_entry(encode({**two.entry.unsigned(), "sig": bytes(64)}))
    refused("E01", lambda: judge(of_fork(one.raw, forged.raw), (TABLE,), PLAYERS))


def test_two_receipts_for_one_place_convict() -> None:
    chain = grown()
    here, there = receipt(chain, 2), sign_receipt(KEYS[2], TABLE, 0, bytes(32), 2, None)
    finding = judge(of_split(here.encode(), there.encode()), (TABLE,), PLAYERS)
    assert (finding.check, finding.player) == ("L10", 2)
    same = Evidence("split", here.encode(), here.encode())
    refused("E01", lambda: judge(same, (TABLE,), PLAYERS))


@pytest.mark.parametrize("raw", [b"", b"\xc0", encode({}), encode({"kind": "fork"})])
def test_malformed_bytes_are_refused_by_number(raw: bytes) -> None:
    refused("W01", lambda: parse_entry(raw))
    refused("W02", lambda: parse_receipt(raw))
    refused("W03", lambda: parse_evidence(raw))


def test_fields_out_of_range_are_refused() -> None:
    fields = {**entry().entry.unsigned(), "sig": bytes(64)}
    for change in ({"seq": -1}, {"author": 99}, {"prev": b""}, {"kind": 5}, {"v": 2}, {"x": 1}):
        raw = encode({**fields, **change})
        refused("W01", lambda raw=raw: parse_entry(raw))  # type: ignore[misc]


def test_blocks_round_trip_through_a_file() -> None:
    chain = grown()
    data = MAGIC + encode_block(chain.block(0))
    (block,) = read_blocks(data)
    assert block.entry.raw == chain.entries[0].raw
    assert block.receipts == chain.block(0).receipts
    for bad in (b"", data[1:], data[:-1], data + b"\x00", MAGIC + b"\xff\xff\xff\xff"):
        with pytest.raises(Unreadable):
            list(read_blocks(bad + b"" if bad else b"x"))
