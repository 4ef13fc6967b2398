"""A row of protocol/several/index.json: the files in the order in which they are given, the status,
the links and the contradictions, each with the file that it is told of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Found = dict[str, Any]


def row(files: str, comment: str, status: int, *told: Found) -> Found:
    links = [one for one in told if "link" in one]
    found = [one for one in told if "other" in one]
    names = [f"{name}.304" for name in files.split()]
    return {
        "files": names,
        "comment": comment,
        "status": status,
        "continues": links,
        "contradicts": found,
    }


def link(file: str, link: str) -> Found:
    return {"file": f"{file}.304", "link": link}


def differs(
    file: str,
    other: str,
    place: int,
    fork: int | None = None,
    split: Sequence[int] = (),
    parted: Sequence[int] = (),
    played_on: Sequence[int] = (),
) -> Found:
    return {
        "file": f"{file}.304",
        "other": f"{other}.304",
        "place": place,
        "fork": fork,
        "split": list(split),
        "parted": list(parted),
        "played_on": list(played_on),
    }
