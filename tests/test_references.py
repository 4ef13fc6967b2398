"""Files, sections of SPEC.md and documents that sources and texts refer to exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import DOCUMENTS, PACKAGE, ROOT

SOURCES = sorted(
    path
    for folder in ("p2p304", "scripts", "tests", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__)
)
SECTION = re.compile(r'SPEC\.md(?:\'s)?,\s+(?:"([^"]+)"|``([^`]+)``)')
FILE = re.compile(r"(?<![\w.<*/-])((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)\b")
DOCUMENT = re.compile(r"\bDECISIONS\b")
IDENTIFIER = re.compile(r"`([a-z0-9]+\.[a-z0-9_.]+)`")
TOOL = re.compile(r"scripts/dev ([a-z-]+)")
TOOLS = set(
    re.findall(r"^([a-z-]+) +\w+[./]", (ROOT / "scripts" / "dev").read_text(), re.MULTILINE)
)


def headings() -> set[str]:
    """Headings of SPEC.md, and the identifiers of rules that stand in them."""
    lines = (ROOT / "SPEC.md").read_text().split("\n")
    titles = [line.lstrip("#").strip() for line in lines if line.startswith("#")]
    runs = re.findall(r"^(?:\* )?\*([^*]+)\.\*", "\n".join(lines), re.MULTILINE)
    plain = {re.sub(r"^\d+\. ", "", title) for title in titles}
    whole = {title.replace("`", "") for title in plain} | set(runs)
    short = {re.split(r" \(|, ", title)[0] for title in whole}
    rules = {name for title in titles for name in IDENTIFIER.findall(title)}
    return whole | short | rules | {name.split(".")[0] + ".*" for name in rules}


def prose(text: str) -> str:
    """Line breaks within docstrings and comments do not count."""
    return re.sub(r"\s*\n\s*(?:#+:?\s)?\s*", " ", text)


def missing(text: str, path: Path, sections: set[str], files: set[str]) -> list[str]:
    """What a source or text refers to in vain."""
    flat = prose(text)
    found = [
        f"SPEC.md has no section {name}"
        for pair in SECTION.findall(flat)
        for name in pair
        if name and name not in sections
    ]
    for name in FILE.findall(text):
        near = path.parent / name
        if not near.is_file() and not any(one.endswith("/" + name) for one in files):
            found.append(f"there is no file {name}")
    found += [f"scripts/dev has no {name}" for name in TOOL.findall(flat) if name not in TOOLS]
    if DOCUMENT.search(text):
        found.append("DECISIONS is no document of this repository")
    return found


@pytest.fixture(scope="module")
def known() -> tuple[set[str], set[str]]:
    files = {"/" + str(path.relative_to(ROOT)) for path in SOURCES}
    return headings(), files


@pytest.mark.parametrize("path", [*SOURCES, *DOCUMENTS], ids=lambda p: str(p.relative_to(ROOT)))
def test_everything_referred_to_exists(path: Path, known: tuple[set[str], set[str]]) -> None:
    assert missing(path.read_text(), path, *known) == []


@pytest.mark.parametrize(
    "text",
    [
        '(SPEC.md, "No such\nsection")',
        "owns nothing; no_such_file.py does",
        "(DECISIONS 34)",
        "see scripts/dev nothing",
    ],
)
def test_a_reference_in_vain_is_found(text: str, known: tuple[set[str], set[str]]) -> None:
    assert len(missing(text, PACKAGE / "x.py", *known)) == 1
