"""The public API has the names that are promised, and the examples need nothing else."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from p2p304 import api
from tests.support.paths import PACKAGE, ROOT, TRANSCRIPTS

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
PROMISED = """
    PRESETS Action Audited Bot Card ClubBot Finding Hand Options OptionsError Outcome Phase
    RandomBot Record RecordError Referee Refused Replay Replayed Report Result ResultsFile
    RuleBroken Suit UnknownCard Unreadable Verdict View WorkLost action_text actions audit audit_all
    card check judge legal parse_action play_hand preset read_record score series settle shuffled
"""
"""A name that goes from here is a new minor version, and a line in CHANGELOG.md."""


def run(*words: str | Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert not done.stderr, done.stderr.decode()
    return done.returncode, done.stdout.decode()


def test_the_public_names_are_the_promised_ones() -> None:
    assert set(api.__all__) == set(PROMISED.split())
    assert len(api.__all__) == len(set(api.__all__))


def test_the_api_defines_nothing_itself() -> None:
    tree = ast.parse((PACKAGE / "api.py").read_text(encoding="utf-8"))
    kinds = (ast.Expr, ast.ImportFrom, ast.Assign)
    assert all(isinstance(node, kinds) for node in tree.body)


@pytest.mark.parametrize("name", api.__all__)
def test_the_api_document_names_everything(name: str) -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert re.search(rf"`(?:\w+\.)?{name}\b", text)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_uses_the_public_api_alone(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not [name for name in names if name.startswith("p2p304") and name != "p2p304.api"]


@pytest.mark.parametrize(
    ("file", "status", "said"),
    [
        (TRANSCRIPTS / "good.304", 0, "SOUND to its end"),
        (TRANSCRIPTS / "P09.304", 1, "P09"),
        (ROOT / "README.md", 2, "not a readable transcript"),
        (ROOT / "none.304", 2, "not a readable transcript"),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_the_example_audits_a_transcript(file: Path, status: int, said: str) -> None:
    ended, out = run("examples/audit_a_transcript.py", file)
    assert ended == status and said in out


def test_the_example_bot_plays_a_hand_to_its_end() -> None:
    status, out = run("examples/write_a_bot.py", "4")
    plays = re.findall(r"^[SENW] ~?[J9ATKQ87][SHDC]$", out, re.MULTILINE)
    assert status == 0 and len(plays) == 32
    assert "The hand is over: " in out and "Against the club player: " in out
