"""Evidence: two signatures of one player that no honest player makes both.

Responsible for forks (two entries of one author for one place), split receipts (two receipts of one
player for one place) and broken words of an absence vote (log/absence_vote.py). Evidence convinces
everybody who has the players' keys; it needs no transcript. Faults against the game are
offline/audit.py's, which replays the transcript. False sealed boxes are
table/evidence/share_complaint.py's.

Its bytes are the canonical ``{kind: "fork" | "split" | "part" | "box", first: bytes, second:
bytes}``: the two entries, receipts or words in ascending order of their bytes; or a *part*, then
the entry or receipt for its place or a later one; or the entry with a false box, then what opens
the box.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.log.absence_vote import (
    AbsenceWord,
    broken_part,
    contradict,
    contradicts_log,
    parse_word,
    two_words,
)
from p2p304.log.entry import (
    Entry,
    Receipt,
    entry_is_signed_by,
    parse_entry,
    parse_receipt,
    receipt_is_signed_by,
)
from p2p304.log.faults import Finding, Refused
from p2p304.wire.canonical import FEW_ITEMS
from p2p304.wire.forms import Malformed, anything, checked, octets, of, one_of, record

Keys = tuple[bytes, ...]
FORK = "fork"
SPLIT = "split"
PART = "part"
BOX = "box"
MALICE_OR_COPIES = " (the player cheats, uses one identity on two computers, or restored a backup)"
"""What may have happened: two signatures prove that both were made, but not why."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Two contradicting signed values, as their bytes, in ascending order; or an entry with a false
    box, and its receiver's complaint."""

    kind: str = of(one_of(FORK, SPLIT, PART, BOX))
    first: bytes = of(octets())
    second: bytes = of(octets())

    def encode(self) -> bytes:
        return _EVIDENCE.encode(self)


_EVIDENCE = checked(
    record(Evidence),
    lambda evidence: evidence.kind in (PART, BOX) or evidence.first < evidence.second,
    "its two halves are not in order",
)


def of_fork(one: bytes, other: bytes) -> Evidence:
    """Return the evidence of two entries of one author for one place."""
    return Evidence(FORK, *sorted((one, other)))


def of_split(one: bytes, other: bytes) -> Evidence:
    """Return the evidence of two receipts of one player for one place."""
    return Evidence(SPLIT, *sorted((one, other)))


def of_two_words(one: bytes, other: bytes) -> Evidence:
    """Return the evidence of two words of absence votes that contradict each other."""
    return Evidence(PART, *sorted((one, other)))


def of_broken_part(part: bytes, signed: bytes) -> Evidence:
    """Return the evidence of a *part* and its author's entry or receipt for that place or a later
    one."""
    return Evidence(PART, part, signed)


def no_evidence(why: str) -> Refused:
    """W03: the bytes are evidence by their form, on the wire or in a file."""
    return Refused("W03", why)


def proves_nothing(why: str) -> Refused:
    """E01: well-formed evidence proves a player guilty."""
    return Refused("E01", why)


def split(receipt: Receipt) -> Finding:
    """L10: the author signed two receipts for one place, with different heads or claims."""
    said = f"signed two different receipts for place {receipt.seq}{MALICE_OR_COPIES}"
    return Finding("L10", said, receipt.author)


def parse_evidence(raw: bytes) -> Evidence:
    """Read evidence strictly; raises Refused W03."""
    try:
        return _EVIDENCE.decode(raw, FEW_ITEMS)
    except Malformed as error:
        raise no_evidence(f"these bytes are not evidence: {error}") from error


def judge(evidence: Evidence, tables: Keys, players: Keys) -> Finding:
    """Return the finding against the player whom a contradiction proves guilty; raises Refused E01
    if it proves nothing. ``tables`` are all identifiers of the table so far, ``players`` the
    keys."""
    if evidence.kind == FORK:
        return _judge_fork(evidence, tables, players)
    if evidence.kind == PART:
        return _judge_part(evidence, tables, players)
    return _judge_split(evidence, tables, players)


def _judge_fork(evidence: Evidence, tables: Keys, players: Keys) -> Finding:
    one, other = parse_entry(evidence.first).entry, parse_entry(evidence.second).entry
    same = (one.table, one.seq, one.author) == (other.table, other.seq, other.author)
    if one.table not in tables or not same or one.author >= len(players):
        raise proves_nothing("these two entries do not contradict each other")
    if evidence.first == evidence.second:  # a file's halves need no order
        raise proves_nothing("these two entries are the same")
    if not all(entry_is_signed_by(entry, players[one.author]) for entry in (one, other)):
        raise proves_nothing("their author did not sign both of these entries")
    said = f"signed two entries for place {one.seq}{MALICE_OR_COPIES}"
    return Finding("L11", said, one.author)


def _judge_split(evidence: Evidence, tables: Keys, players: Keys) -> Finding:
    one, other = parse_receipt(evidence.first), parse_receipt(evidence.second)
    same = (one.table, one.seq, one.author) == (other.table, other.seq, other.author)
    if one.table not in tables or not same or one.author >= len(players):
        raise proves_nothing("these two receipts do not contradict each other")
    if (one.head, one.claim) == (other.head, other.claim):
        raise proves_nothing("these two receipts say the same")
    if not all(receipt_is_signed_by(receipt, players[one.author]) for receipt in (one, other)):
        raise proves_nothing("their author did not sign both of these receipts")
    return split(one)


def _judge_part(evidence: Evidence, tables: Keys, players: Keys) -> Finding:
    word, other = parse_word(evidence.first), _parse_second(evidence.second)
    if word.place.table not in tables or word.author >= len(players):
        raise proves_nothing("this vote belongs to another table")
    key = players[word.author]
    if isinstance(other, AbsenceWord):
        if evidence.first >= evidence.second:
            raise no_evidence("the two parts of this evidence are out of order")
        holds, finding = contradict(word, other), two_words(word, other)
    else:
        holds, finding = contradicts_log(word, other), broken_part(word, other.seq)
    if not holds:
        raise proves_nothing("this vote contradicts nothing")
    if not word.is_signed_by(key) or not _is_signed(other, key):
        raise proves_nothing("their author did not sign both of these")
    return finding


def _parse_second(raw: bytes) -> AbsenceWord | Receipt | Entry:
    """Read what contradicts a word: another word, a receipt or an entry. Its fields tell which it
    is."""
    try:
        value = anything().decode(raw)
    except Malformed as error:
        raise no_evidence(f"the second half of this evidence is {error}") from error
    names = value if isinstance(value, dict) else {}
    if "t" in names:
        return parse_word(raw)
    return parse_receipt(raw) if "claim" in names else parse_entry(raw).entry


def _is_signed(signed: AbsenceWord | Receipt | Entry, key: bytes) -> bool:
    if isinstance(signed, AbsenceWord):
        return signed.is_signed_by(key)
    if isinstance(signed, Receipt):
        return receipt_is_signed_by(signed, key)
    return entry_is_signed_by(signed, key)
