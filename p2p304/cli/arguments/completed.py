"""What the shell may put in place of the beginning of a word: games, options, tables, files.

Responsible for the words of each kind of value. Which parameter takes which is cli/options.py's,
cli/tables.py's and cli/files.py's; which parameter a word belongs to is cli/completion.py's.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

SEARCH_TIME: Final = 0.6
"""Seconds for which tables are looked for while somebody waits for the shell."""


def completed_setting(incomplete: str) -> list[str]:
    """Complete ``--set``: first the option's name, then its value."""
    from p2p304.rules.variants.options import PLAYABLE

    name, equals, text = incomplete.partition("=")
    if not equals:
        return [f"{known}=" for known in PLAYABLE if known.startswith(name)]
    values = map(str, PLAYABLE.get(name, ()))
    return [f"{name}={value}" for value in values if value.startswith(text)]


def completed_rules(incomplete: str) -> list[str]:
    from p2p304.rules.variants.house_rules import SUFFIX
    from p2p304.rules.variants.presets import PRESETS

    names = [name for name in PRESETS if name.startswith(incomplete)]
    return names + [path for path in files(incomplete, SUFFIX) if path.endswith(SUFFIX)]


def completed_lesson(incomplete: str) -> list[str]:
    from p2p304.learn.lessons import LESSONS

    return [lesson.name for lesson in LESSONS if lesson.name.startswith(incomplete)]


def completed_away(incomplete: str) -> list[str]:
    from p2p304.rules.variants.absence import WAYS

    return [way for way in WAYS if way.startswith(incomplete)]


def completed_spectators(incomplete: str) -> list[str]:
    from p2p304.table.agreement.limits import WATCH

    return [when for when in WATCH if when.startswith(incomplete)]


def completed_table(incomplete: str) -> list[str]:
    """Complete the name of a table that gathers on the network; none where it cannot be used."""
    from p2p304.app.joining import find_names
    from p2p304.net.errors import NetError

    try:
        names = find_names(SEARCH_TIME)
    except NetError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def completed_unfinished(incomplete: str) -> list[str]:
    """Complete the first digits of a table that can be resumed."""
    from p2p304.storage.data_folder import DataFolder
    from p2p304.storage.files import DataFolderError
    from p2p304.storage.unfinished import unfinished_tables

    try:
        tables = [one.table[:16] for one in unfinished_tables(DataFolder(None))]
    except DataFolderError:
        return []
    return [table for table in tables if table.startswith(incomplete)]


def completed_transcript(incomplete: str) -> list[str]:
    return files(incomplete, ".304")


def completed_verifiable(incomplete: str) -> list[str]:
    return files(incomplete, ".304", ".evidence")


def files(incomplete: str, *suffixes: str) -> list[str]:
    """Return the folders, each with a slash, and the files with one of these suffixes (none: every
    file) that a path may be the beginning of."""
    folder, beginning = os.path.split(incomplete)
    try:
        entries = sorted(Path(folder or ".").expanduser().iterdir())
    except (OSError, RuntimeError):  # expanduser() knows no such user
        return []
    return [
        os.path.join(folder, entry.name) + ("/" if entry.is_dir() else "")
        for entry in entries
        if entry.name.startswith(beginning)
        and (not entry.name.startswith(".") or beginning)
        and (entry.is_dir() or not suffixes or entry.name.endswith(suffixes))
    ]
