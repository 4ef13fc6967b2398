"""The lessons that this person has done: the bytes of ``lessons.json`` (SPEC.md, "Files").

Responsible for reading and adding names. What a lesson is, learn/ knows.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from p2p304.storage.files import DataFolderError, write_whole
from p2p304.storage.json_files import read_remembered
from p2p304.wire.forms import many, text

MOST_LESSONS, LONGEST_NAME = 100, 32
_NAMES = many(text(1, LONGEST_NAME), 0, MOST_LESSONS)


def lessons_done(home: Path) -> frozenset[str]:
    """Return the names of the lessons that are done; none if the file is damaged, because it only
    says where to go on."""
    names = read_remembered(_NAMES, home / "lessons.json")
    return frozenset(names or ())


def note_lesson(home: Path, name: str) -> None:
    """Remember that a lesson is done. Where it cannot be written, the lessons go on without."""
    names = sorted(lessons_done(home) | {name})
    with suppress(DataFolderError):
        write_whole(home / "lessons.json", json.dumps(names).encode() + b"\n")
