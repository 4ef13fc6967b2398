"""The import rules of SPEC.md, "Architecture": each part knows only what it may know."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.support.paths import PACKAGE

MAY: dict[str, tuple[str, ...]] = {
    "rules": ("rules",),
    "crypto": ("crypto",),
    "wire": ("wire",),
    "log": ("log", "crypto", "wire"),
    "table": ("table", "rules", "crypto", "wire", "log"),
    "bots": ("bots", "rules"),
    "net": ("net", "wire", "crypto.signing", "crypto.rng"),
    "ui": ("ui", "rules", "table.state.events", "wire.names"),
    "offline/audit.py": ("log", "table", "wire"),
    "storage/data_folder.py": (
        "crypto.rng",
        "crypto.signing",
        "log.transcript",
        "storage.files",
        "storage.journal",
        "storage.known_players",
        "storage.early_leavers",
        "wire.names",
    ),
    "storage/early_leavers.py": (),
    "storage/files.py": (),
    "storage/journal.py": ("storage.files", "wire"),
    "storage/known_players.py": ("storage.files", "wire"),
}
"""What each part may import of the package; parts that are not named may import anything."""
ONLY: dict[str, tuple[str, ...]] = {
    "cryptography": ("crypto/signing.py", "net/links/tls.py"),
    "rbcl": ("crypto/engine_rbcl.py",),
    "zeroconf": ("net/mdns/discovery.py",),
    "msgpack": ("wire/canonical.py",),
    "prompt_toolkit": (
        "frontends/text.py",
        "ui/terminal/prompt_toolkit_control.py",
        "ui/terminal/application.py",
    ),
    "typer": ("cli.py",),
    "platformdirs": ("storage/data_folder.py",),
    "spake2": ("table/gathering/passphrase.py",),
    "confusable_homoglyphs": ("wire/names.py",),
    "asyncio": (
        "net/",
        "app/session.py",
        "app/joining.py",
        "frontends/bot.py",
        "frontends/text.py",
        "frontends/demo.py",
        "cli.py",
        "frontends/fullscreen.py",
        "frontends/spectator_screen.py",
        "ui/terminal/application.py",
        "frontends/spectator.py",
    ),
    "socket": ("net/",),
}
"""Who alone may import a library: files, or a folder."""


def imported(source: str) -> set[str]:
    """Modules that a source imports, dotted."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def breaches(path: str, source: str) -> list[str]:
    """What a file of the package imports although its part must not know it."""
    parts = [part for part in MAY if path == part or path.startswith(part + "/")]
    part = max(parts, key=len, default="")
    found = []
    for name in imported(source):
        own = name.removeprefix("p2p304.")
        if name.startswith("p2p304.") and part in MAY:
            allowed = any(own == may or own.startswith(may + ".") for may in MAY[part])
            package = any(may.startswith(own + ".") for may in MAY[part])
            if not allowed and not package:
                found.append(f"{path} imports {name}")
        library = name.split(".")[0]
        if library in ONLY and not path.startswith(ONLY[library]):
            found.append(f"{path} imports {library}")
    return found


def files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", files(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_a_file_imports_only_what_its_part_may_know(path: Path) -> None:
    assert breaches(path.relative_to(PACKAGE).as_posix(), path.read_text()) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("rules/state/hand.py", "from p2p304.table.state.events import Acted"),
        ("rules/state/hand.py", "import asyncio"),
        ("bots/club.py", "from p2p304.table.player.keyring import Secrets"),
        ("ui/text/screen.py", "from p2p304.table.node.table_machine import Table"),
        ("crypto/group.py", "from p2p304.wire.canonical import encode"),
        ("net/links/mesh.py", "from p2p304.crypto.group import mul"),
        ("table/transition/step.py", "import socket"),
        ("wire/bodies.py", "from p2p304 import rules\nfrom p2p304.rules import cards"),
    ],
)
def test_a_planted_breach_is_found(path: str, line: str) -> None:
    assert breaches(path, line)


def test_checks_do_not_vanish_under_optimisation() -> None:
    for path in files():
        tree = ast.parse(path.read_text())
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.Assert)], path


def test_every_file_says_what_it_owns() -> None:
    for path in files():
        assert ast.get_docstring(ast.parse(path.read_text())), path


UNEQUAL = {
    "offline/history_report.py": "nicknames and keys of a file that can be thrown away",
    "table/proofs/checks.py": "the lengths are compared beside it (P07)",
    "table/transition/step.py": "an announcement may turn up none of the inspected cards (P04)",
    "ui/terminal/prompt_toolkit_control.py": "the rows of a screen that has changed its size",
    "ui/common/seat_names.py": "no seats stand beside the nicknames where seats are drawn",
}
"""Where two sequences of different lengths may be walked together, and why."""


def test_lengths_are_compared_wherever_sequences_are() -> None:
    found = set()
    for path in files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip":
                strict = [word.value for word in node.keywords if word.arg == "strict"]
                if not [each for each in strict if isinstance(each, ast.Constant) and each.value]:
                    found.add(path.relative_to(PACKAGE).as_posix())
    assert found == set(UNEQUAL)
