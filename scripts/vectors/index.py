"""The files of a folder in protocol/, and index.json, which says what is to come of each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from p2p304.offline.audit import audit, judge

INDEX = "index.json"
Vector = tuple[bytes, str, str | None, str]
"""Bytes, verdict, check, comment."""
Row = dict[str, Any]


def write(folder: Path, files: dict[str, Vector]) -> None:
    """Write the files and the index, and remove all others."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in {path.name for path in folder.iterdir()} - {*files, INDEX}:
        (folder / stale).unlink()
    for name, (data, *_) in files.items():
        (folder / name).write_bytes(data)
    write_rows(folder, [row(name, vector) for name, vector in files.items()])


def row(name: str, vector: Vector) -> Row:
    """Return a file's row: how many hands a sound transcript holds, and the tokens of every side or
    player after it; of a false one the place of the fault, the player against whom it is proven,
    and with G01 the rule; of evidence that convicts the player, and the tokens once the fault is
    paid (null if nothing is)."""
    data, verdict, check, comment = vector
    told: Row = {"file": name, "expect": verdict, "check": check, "comment": comment}
    if verdict == "proven":
        proof = judge(data)
        paid = None if proof.settled is None else list(proof.settled.match.tokens)
        return {**told, "player": proof.finding.player, "tokens": paid}
    if verdict not in ("sound", "not sound"):
        return told
    report = audit(data)
    if verdict == "sound":
        return {**told, "hands": len(report.hands), "tokens": list(report.tokens)}
    fault = report.fault
    player = None if fault is None else fault.player
    is_rule = fault is not None and fault.check == "G01"
    rule = fault.sentence.partition(":")[0] if fault is not None and is_rule else None
    return {**told, "place": report.at, "player": player, "rule": rule}


def write_rows(folder: Path, rows: list[Row]) -> None:
    (folder / INDEX).write_text(json.dumps(rows, indent=1) + "\n")


def read_rows(folder: Path) -> list[Row]:
    rows: list[Row] = json.loads((folder / INDEX).read_text())
    return rows
