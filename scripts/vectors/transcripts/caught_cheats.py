"""Transcripts of the cheats of the catalogue: for each check of the one that trips it first.

Responsible for the choice among them, and for making the transcript of a single cheat anew without
playing all the others. The cheats are tests/support/cheats/'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from p2p304.log.entry import link_of, parse_entry, sign_receipt
from p2p304.log.transcript import RawBlock
from p2p304.table.evidence.evidence_file import parse_evidence_file
from scripts.vectors.index import Row, Vector, read_rows, row, write_rows
from tests.support.cheats.catalogue import CHEATS
from tests.support.cheats.games import GAMES
from tests.support.cheats.harness import Cheat, Outcome, outcomes
from tests.support.hostile.damaged_transcripts import raw_block

Caught = dict[str, tuple[Outcome, str]]


def told_by(outcome: Outcome) -> bytes:
    """The transcript as four cheats would write it: the false entry with everybody's receipts."""
    table = outcome.net.tables[outcome.honest[0]]
    case = parse_evidence_file(outcome.net.evidence[outcome.honest[0]])
    entry = parse_entry(case.first)
    keys = [each.me.key for each in outcome.net.tables]
    head, left = link_of(case.first), table.chain.without
    gone = None if left is None else left.absent
    receipts = [
        sign_receipt(keys[player], entry.entry.table, outcome.seq, head, player, None)
        for player in ((outcome.liar + step) % len(keys) for step in range(1, len(keys)))
        if player != gone
    ]
    return case.transcript + raw_block(RawBlock(entry, tuple(receipts)))


def caught(cheats: Iterable[type[Cheat]] = CHEATS) -> Caught:
    """For each check the cheat that trips it first, with what it tries."""
    found: Caught = {}
    for cheat, outcome in outcomes(cheats, GAMES.values()).items():
        shorter = cheat.check in found and outcome.seq >= found[cheat.check][0].seq
        if not shorter:
            found[cheat.check] = (outcome, f"{cheat.__name__}: {cheat.__doc__}")
    return dict(sorted(found.items()))


def vector(check: str, outcome: Outcome, comment: str) -> Vector:
    return told_by(outcome), "not sound", check, comment


def write_cheat(folder: Path, name: str) -> str:
    """Play one cheat, write its transcript and row if it is its check's vector, and return what
    came of it. Raises LookupError for a cheat that is not in the catalogue or gets no chance."""
    cheat = next((each for each in CHEATS if each.__name__ == name), None)
    if cheat is None:
        raise LookupError(f"no cheat {name} in tests/support/cheats/catalogue.py")
    found = caught([cheat])
    if not found:
        raise LookupError(f"{name} gets no chance in any game of tests/support/cheats/games.py")
    ((check, (outcome, comment)),) = found.items()
    rows = read_rows(folder)
    reason = _reason_against(rows, name, check, outcome.seq)
    if reason:
        return f"{name} trips {check} at place {outcome.seq}. Nothing is written: {reason}."
    made = vector(check, outcome, comment)
    (folder / f"{check}.304").write_bytes(made[0])
    names = {each.__name__ for each in CHEATS}
    kept = [each for each in rows if each["file"] != f"{check}.304"]
    of_cheats = [n for n, each in enumerate(kept) if _cheat_of(each) in names]
    at = next((n for n in of_cheats if kept[n]["check"] > check), of_cheats[-1] + 1)
    write_rows(folder, [*kept[:at], row(f"{check}.304", made), *kept[at:]])
    return f"{name} trips {check} at place {outcome.seq}. Its transcript is {check}.304."


def _reason_against(rows: list[Row], name: str, check: str, seq: int) -> str:
    """Return why another file is the check's vector, or nothing."""
    told = [each for each in rows if each["check"] == check]
    own = next((each for each in told if each["file"] == f"{check}.304"), None)
    if own is None:
        return f"{told[0]['file']} shows {check}" if told else ""
    if _cheat_of(own) == name or seq < own["place"]:
        return ""
    return f"{check}.304 is of {_cheat_of(own)}, at place {own['place']}"


def _cheat_of(told: Row) -> str:
    """Return the name with which the comment of a cheat's vector begins."""
    return str(told["comment"]).partition(":")[0]
