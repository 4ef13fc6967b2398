"""Changes one value in the text of a settings file, and leaves everything else as it stands.

Responsible for the text: comments and order stay as the player wrote them. What a setting means is
settings.py's.
"""

from __future__ import annotations

import re
import tomllib

Value = str | float
Place = tuple[str, str]
"""The table of a setting (empty: above all tables), and its name."""


def with_setting(text: str, place: Place, value: Value) -> str:
    """Return the file's text with this value; raises ValueError if that cannot be done line by
    line, as in a file that is not valid TOML."""
    table, name = place
    lines = text.splitlines()
    first, end = _table(lines, table)
    written = f"{name} = {_written(value)}"
    at = next((n for n in range(first, end) if _names(lines[n]) == name), None)
    if at is not None:
        lines[at] = written
    else:
        if table and not first:
            lines += [f"[{table}]"]
            end = len(lines)
        while end > first and not lines[end - 1].strip():
            end -= 1
        lines.insert(end, written)
    changed = "\n".join(lines) + "\n"
    data = tomllib.loads(changed)
    found = data.get(table, {}) if table else data
    if not isinstance(found, dict) or found.get(name) != value:
        raise ValueError(name)
    return changed


def _table(lines: list[str], table: str) -> tuple[int, int]:
    """Return the first line of a table and the line after its last; first is 0 without one."""
    heads = [(n, line.strip()) for n, line in enumerate(lines) if line.lstrip().startswith("[")]
    if not table:
        return 0, heads[0][0] if heads else len(lines)
    for number, (at, head) in enumerate(heads):
        if head.partition("#")[0].strip() == f"[{table}]":
            return at + 1, heads[number + 1][0] if number + 1 < len(heads) else len(lines)
    return 0, 0


def _names(line: str) -> str | None:
    found = re.match(r"\s*([A-Za-z0-9_-]+)\s*=", line)
    return found[1] if found else None


def _written(value: Value) -> str:
    if isinstance(value, float):
        return repr(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
