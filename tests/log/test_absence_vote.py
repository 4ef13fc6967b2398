"""Words of parting: their bytes, what they sign, and which two of them one player cannot honestly
sign."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from p2p304.log.absence_vote import (
    AbsenceWord,
    PartingPlace,
    broken_part,
    contradict,
    contradicts_log,
    parse_word,
    say,
    two_words,
)
from p2p304.log.entry import sign_entry, sign_receipt
from p2p304.wire.canonical import Value, encode
from tests.support.short_log import KEYS, PLAYERS, TABLE, at_the_limits, damaged, refused

HERE = PartingPlace(TABLE, 5, b"h" * 32, 2)
OCTETS = {"table": 32, "head": 32, "sig": 64}
NUMBERS = {"seq": 2**32, "absent": 8, "author": 8, "round": 16}


def word(step: str, where: PartingPlace = HERE, author: int = 1, round_: int = 3) -> AbsenceWord:
    readies = (b"r" * 64,) * 3 if step == "part" else ()
    return say(KEYS[author], step, where, author, round_, readies)


def fields(made: AbsenceWord) -> dict[str, Value]:
    return {
        **made.place.to_value(),
        "author": made.author,
        "readies": list(made.readies),
        "round": made.round,
        "sig": made.sig,
        "t": made.step,
    }


@pytest.mark.parametrize("step", ["ready", "stay", "part"])
def test_a_word_round_trips_and_signs_what_it_says(step: str) -> None:
    made = word(step)
    assert made.encode() == encode(fields(made))
    assert parse_word(made.encode()) == made
    assert made.is_signed_by(PLAYERS[1])
    assert not made.is_signed_by(PLAYERS[0])
    assert not replace(made, place=replace(HERE, seq=6)).is_signed_by(PLAYERS[1])
    signed: dict[str, Value] = {"absent": 2, "head": b"h" * 32, "seq": 5, "table": TABLE}
    if step != "part":
        signed["round"] = 3
    label = f"p2p304 {step}\x00".encode()
    assert made.sig == KEYS[1].sign(label + encode(signed))
    # All parts for a place sign the same bytes, in whatever round; other words do not.
    assert replace(made, round=4).is_signed_by(PLAYERS[1]) == (step == "part")


def test_a_word_of_the_first_round_is_the_usual_one() -> None:
    made = say(KEYS[1], "ready", HERE, 1)
    assert made.round == 0
    assert AbsenceWord("ready", HERE, 1, made.sig) == made


@pytest.mark.parametrize("step", ["ready", "part"])
def test_a_word_at_its_limits_is_read(step: str) -> None:
    good = fields(word(step))
    for value in at_the_limits(good, NUMBERS):
        assert fields(parse_word(encode(value))) == value


@pytest.mark.parametrize("value", damaged(fields(word("stay")), OCTETS, NUMBERS))
def test_a_damaged_word_is_refused(value: Value) -> None:
    refused("W07", lambda: parse_word(encode(value)))


@pytest.mark.parametrize("raw", [b"", b"\xc0", b"\xff", encode([]), encode({}), encode({"t": 1})])
def test_malformed_bytes_are_refused(raw: bytes) -> None:
    refused("W07", lambda: parse_word(raw))


@pytest.mark.parametrize("step", ["", "leave", 1, None, [], b"ready"])
def test_a_word_of_no_known_step_is_refused(step: Value) -> None:
    refused("W07", lambda: parse_word(encode({**fields(word("ready")), "t": step})))


def test_a_part_carries_one_to_seven_readies_and_no_other_word_any() -> None:
    part = fields(word("part"))
    for count in (1, 7):
        many: Value = [b"r" * 64] * count
        assert len(parse_word(encode({**part, "readies": many})).readies) == count
    sizes: tuple[Value, ...] = ([], [b"r" * 64] * 8, None, [b"r" * 63], [b"r" * 65], ["r"], {})
    for readies in sizes:
        refused("W07", lambda r=readies: parse_word(encode({**part, "readies": r})))  # type: ignore[misc]
    for step in ("ready", "stay"):
        signed: Value = [b"r" * 64]
        changed = encode({**fields(word(step)), "readies": signed})
        refused("W07", lambda c=changed: parse_word(c))  # type: ignore[misc]


@pytest.mark.parametrize("absent", range(4))
def test_the_readies_of_a_part_are_the_other_players_in_order(absent: int) -> None:
    where = replace(HERE, absent=absent)
    others = [n for n in range(4) if n != absent]
    readies = tuple(say(KEYS[n], "ready", where, n, 3) for n in others)
    part = say(KEYS[others[0]], "part", where, others[0], 3, tuple(each.sig for each in readies))
    assert part.ready_words == readies
    assert all(each.is_signed_by(PLAYERS[each.author]) for each in part.ready_words)


WORDS = [
    say(KEYS[author], step, where, author, round_)
    for step, where, author, round_ in product(
        ("ready", "stay", "part"),
        (
            HERE,
            replace(HERE, seq=6),
            replace(HERE, absent=3),
            replace(HERE, head=b"i" * 32),
            replace(HERE, table=b"u" * 32),
        ),
        (0, 1),
        (3, 4),
    )
]


def exclude(one: AbsenceWord, other: AbsenceWord) -> bool:
    """What SPEC.md, "Leaving for good", says, in other words."""
    if one.author != other.author or one.place.table != other.place.table:
        return False
    steps = sorted((one.step, other.step))
    if steps == ["part", "part"]:
        return one.place.to_value() != other.place.to_value()
    return steps == ["ready", "stay"] and one.place == other.place and one.round == other.round


def test_words_contradict_each_other_as_specified() -> None:
    verdicts = [contradict(one, other) for one, other in product(WORDS, WORDS)]
    assert verdicts == [exclude(one, other) for one, other in product(WORDS, WORDS)]
    assert True in verdicts


def test_a_part_contradicts_what_its_author_signed_there_or_later() -> None:
    for made, seq, author, table in product(WORDS[::3], (4, 5, 6), (0, 1), (TABLE, b"u" * 32)):
        same = author == made.author and table == made.place.table
        expected = same and made.step == "part" and seq >= made.place.seq
        signed = sign_entry(KEYS[author], table, seq, bytes(32), author, "say", {}).entry
        seen = sign_receipt(KEYS[author], table, seq, bytes(32), author, None)
        assert contradicts_log(made, signed) == expected
        assert contradicts_log(made, seen) == expected


def test_findings_name_the_author_and_both_places() -> None:
    part, later = word("part"), word("part", replace(HERE, seq=6))
    finding = broken_part(part, 7)
    assert (finding.check, finding.player) == ("E06", 1)
    assert "5" in finding.sentence
    assert "7" in finding.sentence
    finding = two_words(part, later)
    assert (finding.check, finding.player) == ("E07", 1)
    assert "part for place 5 and part for place 6" in finding.sentence
