"""The floors of the package: each part knows only what it may know (ARCHITECTURE.md)."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cache

import pytest

from tests.support.paths import PACKAGE

FLOORS: tuple[tuple[str, ...], ...] = (
    ("crypto/engines",),
    ("crypto", "wire", "rules/core"),
    ("log", "rules/variants", "net"),
    ("rules/state", "net/links"),
    ("rules/caps", "rules/legality", "net/mdns"),
    ("rules/play",),
    ("rules/records", "rules/worlds"),
    ("bots",),
    ("bots/search",),
    ("bots/teacher",),
    ("table/agreement",),
    ("table/state",),
    ("table/proofs",),
    ("table/absence",),
    ("table/transition",),
    ("table/player",),
    ("table/evidence",),
    ("table/gathering/exchange",),
    ("table/gathering",),
    ("table/exchange",),
    ("table/machine",),
    ("table/node",),
    ("storage", "ui/common"),
    ("ui/terminal",),
    ("ui/narration",),
    ("ui/guidance",),
    ("ui/questions",),
    ("ui/text", "ui/fullscreen/model"),
    ("ui/fullscreen/lobby", "ui/fullscreen/input"),
    ("ui/fullscreen/view",),
    ("ui/fullscreen",),
    ("puzzles",),
    ("learn",),
    ("offline/fairness", "offline/archives", "offline/teacher"),
    ("app/process", "app", "offline"),
    ("offline/history",),
    ("frontends",),
    ("frontends/text", "frontends/fullscreen"),
    ("cli/arguments",),
    ("cli",),
    ("",),
)
"""Folders from the ground up; "" is the package's own folder. A file imports from its own folder
and from lower floors."""
MAY: dict[str, tuple[str, ...]] = {
    "rules": ("rules",),
    "crypto": ("crypto",),
    "wire": ("wire",),
    "log": ("log", "crypto", "wire"),
    "table": ("table", "rules", "crypto", "wire", "log"),
    "bots": ("bots", "rules"),
    "net": ("net", "wire", "crypto.signing", "crypto.rng", "rules.core.phrases"),
    "learn": ("learn", "puzzles", "ui", "rules", "table.state.events"),
    "puzzles": ("puzzles", "ui", "rules"),
    "ui": (
        "ui",
        "rules",
        "table.agreement.bot_labels",
        "table.state.events",
        "table.state.gathering_events",
        "wire.names",
    ),
    "storage": (
        "storage",
        "crypto.rng",
        "crypto.signing",
        "log.transcript",
        "rules.core.phrases",
        "table.exchange.journal_records",
        "table.gathering.exchange.begin_record",
        "wire",
    ),
}
"""What each part may import of the package; parts that are not named are bound by FLOORS alone."""
ONLY: dict[str, tuple[str, ...]] = {
    "cryptography": ("crypto/signing.py", "net/links/tls.py"),
    "ctypes": ("crypto/engines/sodium.py",),
    "zeroconf": ("net/mdns/discovery.py",),
    "msgpack": ("wire/canonical.py",),
    "prompt_toolkit": ("frontends/text/", "ui/terminal/"),
    "platformdirs": ("storage/data_folder.py", "storage/usual_home.py"),
    "spake2": ("table/gathering/exchange/passphrase.py",),
    "confusable_homoglyphs": ("wire/names.py",),
    "distributed": ("offline/archives/cluster.py",),
    "scipy": ("offline/fairness/uniformity.py",),
    "asyncio": ("net/", "app/", "frontends/", "ui/terminal/application.py"),
    "socket": ("net/",),
}
"""Who alone may import a library: files, or a folder."""
MOST_FILES = 12
"""Files of a folder, its ``__init__`` not counted: so many can be taken in at a glance."""


@cache
def files() -> Mapping[str, str]:
    """Every file of the package with its text, by its path below the package."""
    return {p.relative_to(PACKAGE).as_posix(): p.read_text() for p in sorted(PACKAGE.rglob("*.py"))}


@cache
def imported(source: str) -> frozenset[str]:
    """Modules that a source imports anywhere, for types alone too; dotted."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def own_imports(source: str) -> set[str]:
    """Files of the package that a source imports."""
    found = set()
    for name in imported(source):
        path = name.removeprefix("p2p304").removeprefix(".").replace(".", "/")
        if name.startswith("p2p304"):
            found |= {f"{path}.py", f"{path}/__init__.py".removeprefix("/")} & files().keys()
    return found


def folder(path: str) -> str:
    return path.rpartition("/")[0]


def floor(path: str) -> int:
    return next(number for number, names in enumerate(FLOORS) if folder(path) in names)


def breaches(path: str, source: str) -> list[str]:
    """What a file of the package imports although its part must not know it."""
    part = path.split("/")[0]
    found = [
        f"{path} imports {other}, which is not on a lower floor"
        for other in own_imports(source)
        if folder(other) != folder(path)
        and not other.endswith("__init__.py")
        and floor(other) >= floor(path)
    ]
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


@pytest.mark.parametrize("path", files())
def test_a_file_imports_only_what_its_part_may_know(path: str) -> None:
    assert breaches(path, files()[path]) == []


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("rules/state/hand.py", "from p2p304.table.state.events import Acted"),
        ("rules/state/hand.py", "from p2p304.rules.play.claims import CAPS"),
        ("rules/state/hand.py", "import asyncio"),
        ("bots/club.py", "from p2p304.table.player.keyring import Secrets"),
        ("ui/text/screen.py", "from p2p304.table.machine.table_machine import Table"),
        ("ui/common/theme.py", "from p2p304.ui.fullscreen.model.ui_state import Ui"),
        ("ui/narration/model.py", "from p2p304.ui.fullscreen.view import render"),
        ("ui/text/screen.py", "from p2p304.ui.fullscreen.model.ui_state import Ui"),
        ("crypto/group.py", "from p2p304.wire.canonical import encode"),
        ("net/links/mesh.py", "from p2p304.crypto.group import mul"),
        ("net/links/mesh.py", "from p2p304.net.mdns.discovery import Discovery"),
        ("table/transition/step.py", "import socket"),
        ("table/transition/step.py", "from p2p304.table.player.keyring import Secrets"),
        ("table/gathering/meeting.py", "from p2p304.table.node.node import Node"),
        ("storage/journal.py", "from p2p304.app.session import Session"),
        ("offline/audit.py", "from p2p304.app.session import Session"),
        ("wire/bodies.py", "from p2p304 import rules\nfrom p2p304.rules.core import cards"),
        ("app/session.py", "from p2p304.cli import main"),
    ],
)
def test_a_planted_breach_is_found(path: str, line: str) -> None:
    assert breaches(path, line)


def circle(graph: Mapping[str, set[str]]) -> list[str]:
    """Files that import each other in a circle, or nothing."""
    left = dict(graph)
    while True:
        used = {other for others in left.values() for other in others}
        inside = {p: others & left.keys() for p, others in left.items() if p in used}
        inside = {path: others for path, others in inside.items() if others}
        if len(inside) == len(left):
            return sorted(left)
        left = inside


def test_no_files_import_each_other_in_a_circle() -> None:
    graph = {path: own_imports(source) - {path} for path, source in files().items()}
    assert circle(graph) == []
    upwards = graph | {"wire/canonical.py": {"wire/framing.py"}}
    upwards["wire/framing.py"] = {*upwards["wire/framing.py"], "wire/canonical.py"}
    assert {"wire/canonical.py", "wire/framing.py"} <= set(circle(upwards))


def test_the_rules_hide_no_import_from_the_interpreter_or_inside_a_function() -> None:
    for path, source in files().items():
        tree = ast.parse(source)
        every = [n for n in ast.walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        if path.startswith("rules/"):
            assert [n for n in every if n not in tree.body] == [], path


def test_every_folder_has_one_purpose_and_few_files() -> None:
    folders = {folder(path) for path in files()}
    assert folders == {name for names in FLOORS for name in names} | {"rules", "table", "ui"}
    for name in folders:
        inside = [path for path in files() if folder(path) == name]
        purpose = ast.get_docstring(ast.parse(files()[f"{name}/__init__.py".removeprefix("/")]))
        assert purpose and "\n" not in purpose, name
        assert len(inside) - 1 <= MOST_FILES, name
    loose = {path for path in files() if not folder(path)}
    assert loose == {"__init__.py", "__main__.py", "api.py"}


def test_checks_do_not_vanish_under_optimisation() -> None:
    for path, source in files().items():
        assert not [n for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Assert)], path


def test_every_file_says_what_it_owns() -> None:
    for path, source in files().items():
        assert ast.get_docstring(ast.parse(source)), path


UNEQUAL = {
    "offline/contradiction.py": "two transcripts of one table, as far as both go",
    "offline/history/history_report.py": "nicknames and keys of a file that can be thrown away",
    "table/proofs/checks.py": "the lengths are compared beside it (P07)",
    "table/transition/step.py": "an announcement may turn up none of the inspected cards (P04)",
    "ui/terminal/prompt_toolkit_control.py": "the rows of a screen that has changed its size",
    "ui/common/wording.py": "no seats stand beside the nicknames where seats are drawn",
}
"""Where two sequences of different lengths may be walked together, and why."""


def test_lengths_are_compared_wherever_sequences_are() -> None:
    found = set()
    for path, source in files().items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "zip":
                strict = [word.value for word in node.keywords if word.arg == "strict"]
                if not [each for each in strict if isinstance(each, ast.Constant) and each.value]:
                    found.add(path)
    assert found == set(UNEQUAL)
