"""The documents name what there is: links, commands, games, settings, functions."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from p2p304.rules.variants.presets import PRESETS
from p2p304.ui.common.key_map import KEYS
from p2p304.ui.common.settings import read_settings
from p2p304.ui.common.theme import STYLES
from scripts.assets import manual
from tests.support.paths import DOCUMENTS, PACKAGE, ROOT

LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
DEFINED = re.compile(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py):([A-Za-z_.]+)`")
"""How a document names what a file defines: `` `table/transition/step.py:step` ``."""


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def anchors(path: Path) -> set[str]:
    """What a link may point to: headings, as they are numbered by none and written by all."""
    lines = path.read_text(encoding="utf-8").splitlines()
    titles = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return {re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles}


def broken(path: Path, text: str) -> list[str]:
    """Links of a document that lead nowhere in the repository."""
    found = []
    for name, anchor in LINK.findall(text):
        if name.startswith(("http:", "https:", "mailto:")):
            continue
        target = (path.parent / name) if name else path
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(f"{name}#{anchor}")
    return found


def defined(source: str) -> set[str]:
    """Functions, classes, their methods and constants of a file, dotted."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            inner = [n.name for n in node.body if isinstance(n, ast.FunctionDef)]
            found |= {node.name, *(f"{node.name}.{name}" for name in inner)}
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def undefined(text: str) -> list[str]:
    """What a document says that a file defines, and it does not."""
    found = []
    for file, name in DEFINED.findall(text):
        path = next((p for p in (ROOT / file, PACKAGE / file) if p.is_file()), None)
        if path is None or name not in defined(path.read_text(encoding="utf-8")):
            found.append(f"{file}:{name}")
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_leads_somewhere(path: Path) -> None:
    assert broken(path, path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_function_named_is_defined(path: Path) -> None:
    assert undefined(path.read_text(encoding="utf-8")) == []


def test_what_leads_nowhere_is_found() -> None:
    text = "[a](docs/none.md) [b](README.md#no-such-heading) [c](README.md) [d](#install)"
    assert broken(ROOT / "README.md", text) == ["docs/none.md#", "README.md#no-such-heading"]
    none = "none" + ".py:play"
    assert undefined(f"`cli/tables.py:play` `cli/tables.py:no_such` `{none}`") == [
        "cli/tables.py:no_such",
        none,
    ]


def test_every_game_is_named_where_playing_is_explained() -> None:
    named = set(re.findall(r"`([a-z0-9-]+)`", read("docs/playing.md")))
    assert set(PRESETS) <= named


def blocks() -> list[str]:
    return re.findall(r"```toml\n(.*?)```", read("docs/settings.md"), re.DOTALL)


def test_the_settings_shown_are_taken_whole() -> None:
    assert len(blocks()) == 2
    for block in blocks():
        assert read_settings(block)[1] == ()


def test_the_example_of_a_style_changes_text_and_cards() -> None:
    styles = read_settings(blocks()[1])[0].look.styles
    assert set(styles) == {"hearts", "face-hearts"}


def table_of(heading: str) -> list[tuple[str, str]]:
    """The first two cells of every row below a heading of docs/settings.md."""
    section = read("docs/settings.md").split(f"## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^\| (`[^|]*) \| ([^|]*) \|", section, re.MULTILINE)


def test_every_style_is_named_once() -> None:
    names = [name for cell, _ in table_of("Styles") for name in re.findall(r"`([a-z-]+)`", cell)]
    assert sorted(names) == sorted(STYLES)


def test_every_key_is_named_with_its_default() -> None:
    rows = {name.strip("`"): key.strip("`") for name, key in table_of("Keys")}
    assert rows == {command.value: key for command, key in KEYS.items()}


def test_every_folder_has_its_line_in_the_picture() -> None:
    text = read("ARCHITECTURE.md").split("## Rooms and floors")[1].split("\n## ")[0]
    files = PACKAGE.rglob("*.py")
    folders = {path.parent.relative_to(PACKAGE).as_posix() for path in files} - {"."}
    drawn = set(re.findall(r"\b[a-z]+\b", text.split("```")[1]))
    listed = set(re.findall(r"^\| `([a-z/]+)/` \|", text, re.MULTILINE))
    assert {name for name in folders if "/" in name} == listed
    assert {name for name in folders if "/" not in name} <= drawn


def test_rules_and_checks_in_the_table_exist() -> None:
    section = read("ARCHITECTURE.md").split("## From a rule")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`[^|]*) \| ([^|]*) \|", section, re.MULTILINE)
    headings = "\n".join(line for line in read("SPEC.md").splitlines() if line.startswith("###"))
    listed = read("protocol/checks.json")
    for rules, checks in rows:
        assert all(f"`{rule}`" in headings for rule in re.findall(r"`([^`]*)`", rules)), rules
        assert all(f'"check": "{one}"' in listed for one in re.findall(r"[A-Z]\d\d", checks))


def test_the_page_of_the_manual_is_up_to_date() -> None:
    assert manual.PAGE.read_text(encoding="utf-8") == manual.page(), "run scripts/dev manual"
