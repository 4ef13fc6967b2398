"""`p2p304 score`: reads hand records from a file or a pipe, and writes results.

Responsible for reading, writing and the exit status; a record's result is rules/records/score.py's.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from p2p304.rules.records.explain import explain
from p2p304.rules.records.record import MAX_RECORD, RecordError, read_record
from p2p304.rules.records.score import score
from p2p304.storage.files import DataFolderError, open_file, why

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
    try:
        if str(file) == "-":
            return _score(sys.stdin.buffer, lines, tell, explained, as_json)
        with open_file(file) as stream:
            return _score(stream, lines, tell, explained, as_json)
    except OSError as error:
        raise DataFolderError(f"{file} cannot be read ({why(error)}).") from error


def _score(
    stream: BinaryIO, lines: bool, tell: Callable[[str], object], explained: bool, as_json: bool
) -> int:
    encoder = json.JSONEncoder(
        ensure_ascii=False, check_circular=False, indent=None if lines else 2
    )
    status = 0
    for raw in _records(stream, lines):
        text = raw.decode("utf-8", errors="replace")
        told: list[str] = []
        if explained:
            # Bytes that are no record have no lines; their result says so.
            with contextlib.suppress(RecordError):
                told += explain(read_record(text))
        result = score(text)
        status |= result["status"] == "illegal"
        if as_json and explained:
            result["explained"] = told
        else:
            for line in told:
                tell(line)
        tell(encoder.encode(result))
    return int(status)


def _records(stream: BinaryIO, lines: bool) -> Iterator[bytes]:
    """Yield the records. A longer line than a record may be is cut, and refused for its length."""
    if not lines:
        yield stream.read(LONGEST)
        return
    while raw := stream.readline(LONGEST):
        end = raw
        while end and not end.endswith(b"\n"):
            end = stream.readline(LONGEST)
        yield raw.removesuffix(b"\n")
