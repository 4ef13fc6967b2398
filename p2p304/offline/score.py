"""`p2p304 score`: reads hand records from a file or a pipe, and writes results.

Responsible for reading, writing and the exit status; a record's result is rules/records/score.py's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from p2p304.rules.records.explain import explain
from p2p304.rules.records.record import MAX_RECORD, RecordError, read_record
from p2p304.rules.records.score import score
from p2p304.storage.files import cannot_be_read, open_file, why

LONGEST = 4 * (MAX_RECORD + 1)
"""Bytes after which a record is known to be too long: a character has at most four."""


def score_file(
    file: Path,
    lines: bool,
    tell: Callable[[str], object],
    explained: bool = False,
    as_json: bool = False,
) -> int:
    """Score one record, or with ``lines`` one per line; ``-`` is the standard input. With
    ``explained`` a line for every action comes before each result, or ``as_json`` in it. Returns 0
    if every record was legal, else 1; raises DataFolderError if nothing can be read."""
    encoder = json.JSONEncoder(
        ensure_ascii=False, check_circular=False, indent=None if lines else 2
    )
    status = 0
    for raw in _records(file, lines):
        text = raw.decode("utf-8", errors="surrogateescape")
        told: list[str] = []
        if explained:
            # Bytes that are no record have no lines; their result says so.
            with suppress(RecordError):
                told += explain(read_record(text))
        result = score(text)
        if not lines and _is_of_lines(text, result):
            result["error"]["message"] = "This file has one record per line: add --jsonl."
        status |= result["status"] == "illegal"
        if as_json and explained:
            result["explained"] = told
        else:
            for line in told:
                tell(line)
        tell(encoder.encode(result))
    return int(status)


def _is_of_lines(text: str, result: dict[str, Any]) -> bool:
    """Whether a text that was refused as JSON is one record per line, as `replay --records` writes
    them."""
    first, _, rest = text.partition("\n")
    refused = result["error"] is not None and result["error"]["rule"] == "record.json"
    if not (refused and rest.strip()):
        return False
    first_error = score(first)["error"]
    return first_error is None or first_error["rule"] != "record.json"


def _records(file: Path, lines: bool) -> Iterator[bytes]:
    """Yield the records. A longer line than a record may be is cut, and refused for its length."""
    try:
        with nullcontext(sys.stdin.buffer) if str(file) == "-" else open_file(file) as stream:
            if not lines:
                yield stream.read(LONGEST)
                return
            while raw := stream.readline(LONGEST):
                end = raw
                while end and not end.endswith(b"\n"):
                    end = stream.readline(LONGEST)
                yield raw.removesuffix(b"\n")
    except OSError as error:  # of reading alone: what the caller writes is not raised here
        raise cannot_be_read(file, why(error)) from error
