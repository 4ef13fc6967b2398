"""The screen's messages and their catalogues. usage: scripts/dev messages [--check]

Reads every literal in ``say(...)``, ``english(...)`` and ``DataFolderError(...)`` from the sources,
brings ``p2p304/ui/locale/*/*.po`` up to date (new messages untranslated, gone ones dropped) and
compiles them to ``.mo``. ``--check`` changes nothing and fails where something is out of date.
"""

from __future__ import annotations

import argparse
import ast
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from p2p304.puzzles.puzzle import collection
from p2p304.rules.variants.page import sentences
from tests.support.paths import PACKAGE, ROOT

LOCALE = PACKAGE / "ui" / "locale"
FRONTENDS = (
    "appearance.py",
    "bot_guests.py",
    "demo.py",
    "hints.py",
    "lobby.py",
    "seat_request.py",
    "tournament.py",
    "visitors.py",
    "fullscreen/fullscreen.py",
    "fullscreen/history_screen.py",
    "fullscreen/player_screen.py",
    "fullscreen/replay_screen.py",
    "fullscreen/spectator_screen.py",
    "text/lobby.py",
    "text/player.py",
    "text/spectator.py",
)
PARTS = ("rules", "bots", "net", "table", "ui", "learn", "puzzles", "app", "storage")
OFFLINE = (
    "adopt_ending.py",
    "archives/executors.py",
    "archives/results_file.py",
    "audit.py",
    "continuation.py",
    "contradiction.py",
    "history/history_report.py",
    "evidence_report.py",
    "report.py",
    "history/stats.py",
    "teacher/lessons.py",
    "verifier_page.py",
)
SOURCES = (
    *(path for part in PARTS for path in sorted((PACKAGE / part).rglob("*.py"))),
    *(PACKAGE / "frontends" / name for name in FRONTENDS),
    *(PACKAGE / "offline" / name for name in OFFLINE),
    PACKAGE / "cli" / "files.py",
    PACKAGE / "cli" / "start.py",
    PACKAGE / "cli" / "verification.py",
)
FIXED = (
    *("South", "East", "North", "West", "spades", "hearts", "diamonds", "clubs"),
    "this is not a p2p304 transcript",
)
"""Words that are looked up by value: the seats' and the suits'; and why log/ cannot read a file."""
LANGUAGES = {"si": "Sinhala", "ta": "Tamil"}
REMARK = "# Not yet checked by a native speaker."


def messages() -> list[str]:
    """Every message, sorted."""
    reasons = {puzzle.why for puzzle in collection()}
    return sorted({*FIXED, *sentences(), *said_in(SOURCES), *reasons})


def said_in(paths: Iterable[Path]) -> set[str]:
    """The messages of these sources."""
    found = set()
    for path in paths:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _is_say(node.func):
                found |= set(_literals(node.args[0]))
    return found


def _is_say(func: ast.expr) -> bool:
    name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
    return name in ("say", "english", "DataFolderError")


def _literals(node: ast.expr) -> Iterator[str]:
    """The literal, or both of a choice between two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def read_po(path: Path) -> dict[str, str]:
    """Message to translation, of those that have one."""
    found: dict[str, str] = {}
    key, field = "", ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        word, _, rest = line.partition(" ")
        if word == "msgid":
            key, field = ast.literal_eval(rest), "id"
        elif word == "msgstr":
            found[key], field = ast.literal_eval(rest), "str"
        elif line.startswith('"') and field == "str":
            found[key] += ast.literal_eval(line)
    return {key: text for key, text in found.items() if key and text}


def po_text(language: str, known: Mapping[str, str], keys: list[str]) -> str:
    """A catalogue as text, in the messages' order."""
    head = (
        f"# {LANGUAGES[language]} messages of p2p304.\n{REMARK}\n"
        'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        f'"Language: {language}\\n"\n'
    )
    entries = []
    for key in keys:
        remark = f"{REMARK}\n" if key in known else ""
        entries.append(f"{remark}msgid {quoted(key)}\nmsgstr {quoted(known.get(key, ''))}\n")
    return head + "\n" + "\n".join(entries)


def mo_bytes(language: str, known: Mapping[str, str]) -> bytes:
    """The compiled catalogue: GNU gettext's own form, little-endian, sorted, no hash table."""
    head = f"Content-Type: text/plain; charset=UTF-8\nLanguage: {language}\n"
    pairs = sorted({"": head, **known}.items(), key=lambda pair: pair[0].encode())
    count = len(pairs)
    keys = [key.encode() for key, _ in pairs]
    texts = [text.encode() for _, text in pairs]
    at = 28 + 16 * count
    tables, data = b"", b""
    for column in (keys, texts):
        for item in column:
            tables += struct.pack("<II", len(item), at + len(data))
            data += item + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, count, 28, 28 + 8 * count, 0, 0) + tables + data


def outdated(write: bool) -> Iterator[str]:
    """Files that are not as they should be; written if asked for."""
    keys = messages()
    for language in LANGUAGES:
        folder = LOCALE / language / "LC_MESSAGES"
        po, mo = folder / "p2p304.po", folder / "p2p304.mo"
        known = {key: text for key, text in read_po(po).items() if key in keys}
        for path, data in (
            (po, po_text(language, known, keys).encode()),
            (mo, mo_bytes(language, known)),
        ):
            if not path.exists() or path.read_bytes() != data:
                yield str(path.relative_to(ROOT))
                if write:
                    folder.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/dev messages", description=__doc__, add_help=True
    )
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of date")
    check = parser.parse_args().check
    stale = list(outdated(write=not check))
    for path in stale:
        sys.stdout.write(f"{path} {'is out of date' if check else 'written'}\n")
    sys.exit(1 if check and stale else 0)


if __name__ == "__main__":
    main()
