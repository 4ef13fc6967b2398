"""JSON files of the data folder, read by forms: a person may edit them, and a disk may damage them.

Responsible for JSON, and for the forms of what JSON has no type for. Whatever the bytes are, they
give a value or Malformed. Which fields a file has is said by known_players.py, early_leavers.py,
unfinished.py and offline/history/summaries.py; the forms of other values are wire/forms.py's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from p2p304.storage.files import DataFolderError, read_file
from p2p304.wire.forms import Form, Malformed, string

K = TypeVar("K")
T = TypeVar("T")


class DamagedLine(Malformed):
    """A line of a file is not what it must be; ``number`` counts from 1."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}, is damaged ({why})")
        self.number, self.why = number, why


def parse_json(form: Form[T], data: bytes) -> T:
    """Read JSON of this form; raises Malformed."""
    try:
        value = json.loads(data)
        # An escape can name half a character, which could not be written again.
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError) as error:
        raise Malformed("it is not JSON") from error
    return form.read(value)


def read_remembered(form: Form[T], path: Path) -> T | None:
    """Read a file that holds nothing but what can be found out again; None if there is none, or if
    it is damaged."""
    try:
        return parse_json(form, read_file(path)) if path.exists() else None
    except (DataFolderError, Malformed):
        return None


def parse_lines(form: Form[T], data: bytes) -> list[T]:
    """Read one JSON value of this form per line; raises DamagedLine."""
    rows = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            rows += [parse_json(form, line)] if line.strip() else []
        except Malformed as error:
            raise DamagedLine(number, str(error)) from error
    return rows


def encode_lines(form: Form[T], rows: Iterable[T]) -> bytes:
    lines = (json.dumps(form.write(row), ensure_ascii=False) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode()


def hexadecimal(size: int) -> Form[bytes]:
    """So many bytes, as lower-case digits."""

    def read(value: Any) -> bytes:
        if not isinstance(value, str) or not re.fullmatch(f"[0-9a-f]{{{2 * size}}}", value):
            raise Malformed(f"not {2 * size} hexadecimal digits")
        return bytes.fromhex(value)

    return Form(read, {"type": "string"}, bytes.hex)


def moment() -> Form[datetime]:
    """A time with its distance from UTC (ISO 8601)."""

    def read(value: Any) -> datetime:
        try:
            when = datetime.fromisoformat(string().read(value))
        except ValueError as error:
            raise Malformed("not a time") from error
        if when.tzinfo is None:
            raise Malformed("a time without its distance from UTC")
        return when

    return Form(read, {"type": "string", "format": "date-time"}, datetime.isoformat)


def pair(first: Form[K], second: Form[T]) -> Form[tuple[K, T]]:
    """A list of two."""

    def read(value: Any) -> tuple[K, T]:
        if not isinstance(value, list) or len(value) != 2:
            raise Malformed("not a pair")
        return first.read(value[0]), second.read(value[1])

    schema = {"type": "array", "minItems": 2, "maxItems": 2}
    return Form(read, schema, lambda value: [first.write(value[0]), second.write(value[1])])


def dictionary(keys: Form[K], values: Form[T]) -> Form[dict[K, T]]:
    """Any number of values by their keys."""

    def read(value: Any) -> dict[K, T]:
        if not isinstance(value, dict):
            raise Malformed("not a map")
        return {keys.read(key): values.read(item) for key, item in value.items()}

    def write(value: dict[K, T]) -> dict[Any, Any]:
        return {keys.write(key): values.write(item) for key, item in value.items()}

    return Form(read, {"type": "object", "additionalProperties": values.schema}, write)
