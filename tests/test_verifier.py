"""The second verifier, in JavaScript, agrees with what protocol/ says of its files, and with the
audit on fresh games and false ones.

A sample, for the sake of time; `scripts/dev verifier` compares all of protocol/, and
`scripts/dev differential` thousands of fresh files.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from scripts.stress.differential import compare, second_verifier
from tests.support.paths import PROTOCOL

VERIFIER = PROTOCOL / "verifier"
EVERY = 10
"""One of so many transcripts is compared."""

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (VERIFIER / "node_modules").is_dir(),
    reason="node or the verifier's packages are missing: run scripts/dev verifier",
)


def rows(folder: str) -> list[dict[str, Any]]:
    index: list[dict[str, Any]] = json.loads((PROTOCOL / folder / "index.json").read_text())
    return index


def sampled() -> list[dict[str, Any]]:
    readable = [row for row in rows("transcripts") if row["expect"] != "unreadable"]
    return readable[::EVERY]


@pytest.fixture(scope="module")
def verdicts() -> dict[str, dict[str, Any]]:
    """What one run of the program says of the sampled transcripts and of all evidence."""
    files = [("transcripts", row["file"]) for row in sampled()]
    files += [("evidence", row["file"]) for row in rows("evidence")]
    done = subprocess.run(
        ["node", VERIFIER / "cli.mjs", *(PROTOCOL.joinpath(*file) for file in files)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.stderr == ""
    told = [json.loads(line) for line in done.stdout.splitlines()]
    told = [line for line in told if "verdict" in line]  # other lines compare two files
    return {"/".join(file): verdict for file, verdict in zip(files, told, strict=True)}


def test_it_judges_transcripts_as_the_index_says(verdicts: dict[str, dict[str, Any]]) -> None:
    sample = sampled()
    assert {row["expect"] for row in sample} == {"sound", "not sound"}
    for row in sample:
        verdict = verdicts["transcripts/" + row["file"]]
        if row["expect"] == "sound":
            assert (verdict["verdict"], verdict["tokens"]) == ("sound", row["tokens"]), row["file"]
        else:
            answer = (verdict["verdict"], verdict["check"], verdict["place"])
            assert answer == (row["expect"], row["check"], row["place"]), row["file"]


def test_it_judges_evidence_as_the_index_says(verdicts: dict[str, dict[str, Any]]) -> None:
    for row in rows("evidence"):
        verdict, proven = verdicts["evidence/" + row["file"]], row["expect"] == "proven"
        assert (verdict["verdict"] == "proven", verdict["check"]) == (proven, row["check"]), row


def test_it_judges_fresh_games_and_their_mutants_as_the_audit_does() -> None:
    with second_verifier() as verifier:
        done = compare(verifier, 80, 20, ("online-3", "half-court"))
    assert done.counted.total() == 80
    assert {"sound", "not sound S02", "not sound G01"} <= set(done.counted)
    assert [(what, first, second) for what, _, first, second in done.differ] == []


@pytest.mark.parametrize(
    ("before", "file", "check"),
    [
        ("ended", "good", None),
        ("ended", "richer", "A05"),
        ("ended-last", "after-last", "A05"),
        ("ended-none", "after-none", "A05"),
        ("ended-won", "after-won", "A05"),
    ],
)
def test_it_tells_beside_the_verdict_how_a_table_goes_on(
    before: str, file: str, check: str | None
) -> None:
    files = [PROTOCOL / "continued" / f"{name}.304" for name in (before, file)]
    done = subprocess.run(
        ["node", VERIFIER / "cli.mjs", *files], capture_output=True, text=True, timeout=60
    )
    later = json.loads(done.stdout.splitlines()[-1])
    told = later["continued"] if check is None else later["continued"]["check"]
    assert (later["verdict"], told) == ("sound", check or "ok")
    assert done.returncode == (0 if check is None else 1)


def test_its_arithmetic_is_exact() -> None:
    done = subprocess.run(
        ["node", "--test", VERIFIER / "crypto" / "test.mjs"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr


def test_it_settles_hand_records_as_the_vectors_say() -> None:
    done = subprocess.run(
        ["node", "--test", VERIFIER / "rules" / "test.mjs"],
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, "PERFT": "0"},
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr


@pytest.mark.parametrize("row", rows("several")[::4], ids=lambda row: row["comment"])
def test_it_tells_how_several_files_fit_as_their_index_says(row: dict[str, Any]) -> None:
    folder = PROTOCOL / "several"
    done = subprocess.run(
        ["node", VERIFIER / "cli.mjs", *row["files"]],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=folder,
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = [one | {"other": one.pop("contradicts")} for one in told if "verdict" not in one]
    assert (done.returncode, found) == (row["status"], row["contradicts"])
    links = [_link(one) for one in told if "continued" in one]
    assert links == row["continues"]


def _link(told: dict[str, Any]) -> dict[str, Any]:
    said = told["continued"]
    link = "broken" if isinstance(said, dict) else "holds" if said == "ok" else "unknown"
    return {"file": told["file"], "link": link}


def test_its_page_counts_cards_as_fairness_does() -> None:
    done = subprocess.run(
        ["node", "--test", VERIFIER / "page" / "fairness.test.mjs"],
        capture_output=True,
        text=True,
        timeout=180,
        env={**os.environ, "PYTHON": sys.executable},
    )
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr
