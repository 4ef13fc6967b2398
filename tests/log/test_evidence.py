"""Evidence: what two signatures of one player prove, and that nothing else proves anything."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.log.absence_vote import PartingPlace, say
from p2p304.log.entry import NO_LINK, Receipt, parse_entry, sign_entry, sign_receipt
from p2p304.log.evidence import (
    BOX,
    Evidence,
    judge,
    of_broken_part,
    of_fork,
    of_split,
    of_two_words,
    parse_evidence,
)
from p2p304.log.faults import Finding, Refused, Unexplained
from p2p304.wire.canonical import Value, encode
from tests.support.short_log import KEYS, PLAYERS, TABLE, entry, grown, receipt, refused

OTHER = b"u" * 32
WHERE = PartingPlace(TABLE, 5, b"h" * 32, 2)
READIES = (b"r" * 64,) * 3


def found(evidence: Evidence, tables: tuple[bytes, ...] = (TABLE,)) -> Finding:
    """What comes of evidence that has travelled as bytes."""
    return judge(parse_evidence(evidence.encode()), tables, PLAYERS)


def proves_nothing(evidence: Evidence) -> None:
    refused("E01", lambda: found(evidence))


def seen(
    author: int = 2,
    *,
    key: int | None = None,
    seq: int = 0,
    head: bytes = b"x" * 32,
    table: bytes = TABLE,
    claim: str | None = None,
) -> Receipt:
    return sign_receipt(KEYS[author if key is None else key], table, seq, head, author, claim)


def test_a_fork_convicts_its_author_and_nobody_else() -> None:
    one, two = entry(word="a"), entry(word="b")
    finding = found(of_fork(two.raw, one.raw))
    assert (finding.check, finding.player) == ("L11", 0)
    assert finding.sentence.startswith("signed two entries for place 0 (")
    assert found(of_fork(one.raw, two.raw), (OTHER, TABLE)) == finding
    for innocent in (entry(1), entry(0, 1)):
        proves_nothing(of_fork(one.raw, innocent.raw))


def test_a_fork_of_another_table_proves_nothing() -> None:
    pair = [sign_entry(KEYS[0], OTHER, 0, NO_LINK, 0, "say", {"word": w}).raw for w in "ab"]
    proves_nothing(of_fork(*pair))
    assert found(of_fork(*pair), (TABLE, OTHER)).check == "L11"
    proves_nothing(of_fork(entry().raw, pair[0]))
    refused("E01", lambda: found(of_fork(entry().raw, pair[0]), (TABLE, OTHER)))


def test_a_fork_by_a_player_who_does_not_sit_here_proves_nothing() -> None:
    proves_nothing(of_fork(entry(4, word="a").raw, entry(4, word="b").raw))
    assert found(of_fork(entry(3, word="a").raw, entry(3, word="b").raw)).player == 3


@pytest.mark.parametrize("forged", [0, 1])
def test_a_forged_fork_convicts_nobody(forged: int) -> None:
    pair = [entry(word="a").raw, entry(word="b").raw]
    unsigned = parse_entry(pair[forged]).entry.unsigned()
    pair[forged] = encode({**unsigned, "sig": bytes(64)})
    proves_nothing(of_fork(*pair))


def test_an_entry_twice_proves_nothing() -> None:
    """In an evidence file the halves need no order, so that one entry could stand in both."""
    one = entry(word="a")
    twice = Evidence("fork", one.raw, one.raw)
    refused("E01", lambda: judge(twice, (TABLE,), PLAYERS))


def test_two_receipts_for_one_place_convict() -> None:
    chain = grown()
    finding = found(of_split(receipt(chain, 2).encode(), seen().encode()))
    assert (finding.check, finding.player) == ("L10", 2)
    assert finding.sentence.startswith("signed two different receipts for place 0 (")
    claimed = of_split(receipt(chain, 2).encode(), receipt(chain, 2, "caps").encode())
    assert found(claimed) == finding
    assert found(of_split(seen(3).encode(), seen(3, claim="caps").encode())).player == 3


@pytest.mark.parametrize(
    "innocent",
    [seen(1), seen(seq=1), seen(table=OTHER), seen(4), replace(seen(head=bytes(32)), author=1)],
)
def test_receipts_that_do_not_exclude_each_other_prove_nothing(innocent: Receipt) -> None:
    proves_nothing(of_split(seen().encode(), innocent.encode()))
    refused("E01", lambda: found(of_split(seen().encode(), innocent.encode()), (TABLE, OTHER)))


def test_receipts_of_nobody_here_or_of_another_table_prove_nothing() -> None:
    proves_nothing(of_split(seen(4).encode(), seen(4, claim="caps").encode()))
    elsewhere = of_split(seen(table=OTHER).encode(), seen(table=OTHER, claim="caps").encode())
    proves_nothing(elsewhere)
    assert found(elsewhere, (TABLE, OTHER)).check == "L10"


def test_a_receipt_twice_proves_nothing() -> None:
    refused("E01", lambda: judge(Evidence("split", *[seen().encode()] * 2), (TABLE,), PLAYERS))


def test_forged_receipts_convict_nobody() -> None:
    for forged in (seen(key=1), seen(key=1, claim="caps")):
        proves_nothing(of_split(seen(head=bytes(32)).encode(), forged.encode()))


def test_two_words_that_exclude_each_other_convict() -> None:
    ready, stay = say(KEYS[1], "ready", WHERE, 1), say(KEYS[1], "stay", WHERE, 1)
    finding = found(of_two_words(stay.encode(), ready.encode()))
    assert (finding.check, finding.player) == ("E07", 1)
    later = say(KEYS[1], "stay", WHERE, 1, 1)
    proves_nothing(of_two_words(ready.encode(), later.encode()))
    for forged in (say(KEYS[0], "stay", WHERE, 1), say(KEYS[1], "stay", WHERE, 0)):
        proves_nothing(of_two_words(ready.encode(), forged.encode()))
    forged = say(KEYS[0], "ready", WHERE, 1)
    proves_nothing(of_two_words(forged.encode(), stay.encode()))


def test_words_stand_in_order_and_never_twice() -> None:
    first, second = sorted(
        (say(KEYS[1], "ready", WHERE, 1).encode(), say(KEYS[1], "stay", WHERE, 1).encode())
    )
    for pair in ((second, first), (first, first)):
        refused("W03", lambda pair=pair: found(Evidence("part", *pair)))  # type: ignore[misc]


def test_a_part_and_what_its_author_signed_later_convict() -> None:
    part = say(KEYS[1], "part", WHERE, 1, 0, READIES).encode()
    later = sign_entry(KEYS[1], TABLE, 5, NO_LINK, 1, "say", {}).raw
    finding = found(of_broken_part(part, later))
    assert (finding.check, finding.player) == ("E06", 1)
    assert finding == found(of_broken_part(part, seen(1, seq=5).encode()))
    assert found(of_broken_part(part, seen(1, seq=6).encode())).check == "E06"
    proves_nothing(of_broken_part(part, seen(1, seq=4).encode()))
    proves_nothing(of_broken_part(part, seen(1, seq=5, key=0).encode()))
    forged = sign_entry(KEYS[0], TABLE, 5, NO_LINK, 1, "say", {}).raw
    proves_nothing(of_broken_part(part, forged))
    proves_nothing(of_broken_part(say(KEYS[0], "part", WHERE, 1, 0, READIES).encode(), later))


def test_a_word_of_another_table_or_of_nobody_here_proves_nothing() -> None:
    where = replace(WHERE, table=OTHER)
    pair = of_two_words(
        say(KEYS[1], "ready", where, 1).encode(), say(KEYS[1], "stay", where, 1).encode()
    )
    proves_nothing(pair)
    assert found(pair, (TABLE, OTHER)).check == "E07"
    proves_nothing(
        of_two_words(
            say(KEYS[4], "ready", WHERE, 4).encode(), say(KEYS[4], "stay", WHERE, 4).encode()
        )
    )
    last = of_two_words(
        say(KEYS[3], "ready", WHERE, 3).encode(), say(KEYS[3], "stay", WHERE, 3).encode()
    )
    assert found(last).player == 3


@pytest.mark.parametrize(
    ("second", "check"),
    [
        (b"", "W03"),
        (b"\xc1", "W03"),
        (encode([]), "W01"),
        (encode({}), "W01"),
        (encode({"claim": None}), "W02"),
        (encode({"t": "ready"}), "W07"),
    ],
)
def test_a_malformed_second_half_is_refused_by_number(second: bytes, check: str) -> None:
    part = say(KEYS[1], "part", WHERE, 1, 0, READIES).encode()
    refused(check, lambda: found(of_broken_part(part, second)))


def test_kinds_are_four_and_their_halves_bytes_in_order() -> None:
    for kind in ("fork", "split", "part", "box"):
        assert parse_evidence(encode({"kind": kind, "first": b"a", "second": b"b"})) == Evidence(
            kind, b"a", b"b"
        )
    assert BOX == "box"
    assert of_fork(b"b", b"a") == Evidence("fork", b"a", b"b")
    assert of_split(b"b", b"a") == Evidence("split", b"a", b"b")
    assert of_two_words(b"b", b"a") == Evidence("part", b"a", b"b")
    assert of_broken_part(b"b", b"a") == Evidence("part", b"b", b"a")


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"kind": "fork"},
        {"kind": "fork", "first": b"a", "second": b"b", "third": b"c"},
        {"kind": "other", "first": b"a", "second": b"b"},
        {"kind": None, "first": b"a", "second": b"b"},
        {"kind": [], "first": b"a", "second": b"b"},
        {"kind": "box", "first": "a", "second": b"b"},
        {"kind": "box", "first": b"a", "second": None},
        {"kind": "fork", "first": b"b", "second": b"a"},
        {"kind": "fork", "first": b"a", "second": b"a"},
        {"kind": "split", "first": b"b", "second": b"a"},
        {"kind": "split", "first": b"a", "second": b"a"},
    ],
)
def test_malformed_evidence_is_refused(value: Value) -> None:
    refused("W03", lambda: parse_evidence(encode(value)))


@pytest.mark.parametrize("raw", [b"", b"\xc1", b"\xff\xff", encode({"kind": "box"})[:-1]])
def test_evidence_that_is_not_canonical_is_refused(raw: bytes) -> None:
    refused("W03", lambda: parse_evidence(raw))


def test_a_refusal_is_turned_against_a_player_unless_nobody_can_be_told() -> None:
    finding = Finding("P01", "why", 3)
    assert Refused.of(finding).finding == finding
    assert Refused("P01", "why").finding.player is None
    assert Refused("P01", "why").against(3).finding == finding
    unexplained = Unexplained("P01", "why")
    assert unexplained.against(3) is unexplained
