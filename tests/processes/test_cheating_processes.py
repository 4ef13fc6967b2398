"""A dozen cheats among real processes: three honest nodes find a fourth that lies once, keep the
same evidence, and that convinces `p2p304 audit --evidence`."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from p2p304.cli.main import main
from p2p304.offline.audit import audit
from tests.support.cheats import catalogue
from tests.support.cheats.cheating_node import with_a_false_pen
from tests.support.paths import ROOT

CHEATS = (
    "AnotherNonce",
    "KeyOfNobody",
    "NoLockAtAll",
    "CardTwice",
    "CardReplaced",
    "OrderChangedAfterwards",
    "SwappedBetweenSeats",
    "OneCardStillLocked",
    "HandCardReplaced",
    "BidTooLow",
    "AnotherCardNamed",
    "PlayProofBent",
    "LeadsFaceDown",
)
PATIENCE = 180.0

pytestmark = pytest.mark.processes


PROGRAMS = multiprocessing.get_context("forkserver")
"""Starts processes that have loaded the program already: loading takes longer than the play."""
PROGRAMS.set_forkserver_preload(
    ["p2p304.cli.main", "p2p304.frontends.bot", "tests.support.cheats.cheating_node"]
)


def run_bot(words: list[str], cheat: str | None, log: Path) -> None:
    """Be one process of a table, honest or with a false pen, that writes what it says to a log."""
    with log.open("wb") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    if cheat is not None:
        with_a_false_pen(cheat)
    sys.argv = ["p2p304", *words]
    main()


@contextmanager
def table(folder: Path, cheat: str) -> Iterator[list[Path]]:
    """Three bots and a cheat at one table; the folders of the honest ones."""
    processes = []
    try:
        for number in range(4):
            home = folder / str(number)
            home.mkdir()
            role = ["--table", cheat[:20]]
            if number == 0:
                role = ["--open", cheat[:20], "--hands", "20"]
            words = [
                "bot",
                "--nick",
                f"Player {number}",
                "--home",
                str(home),
                "--bind",
                f"127.0.0.{number + 1}",
                *role,
            ]
            process = PROGRAMS.Process(
                target=run_bot,
                args=(words, cheat if number == 3 else None, folder / f"{number}.log"),
            )
            process.start()
            processes.append(process)
        yield [folder / str(number) / "games" for number in range(3)]
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(20)
            assert process.exitcode is not None
            process.close()


def evidence(games: list[Path]) -> list[Path]:
    """The honest nodes' evidence files, waited for."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = [path for folder in games for path in folder.glob("*.evidence")]
        if len(found) == len(games):
            return found
        time.sleep(0.1)
    raise AssertionError(f"only {len(found)} nodes kept evidence")


@pytest.mark.parametrize("name", CHEATS)
def test_three_processes_convict_the_fourth(name: str, tmp_path: Path) -> None:
    check = next(cheat.check for cheat in catalogue.CHEATS if cheat.__name__ == name)
    with table(tmp_path, name) as games:
        files = evidence(games)
    assert len({path.read_bytes() for path in files}) == 1
    judged = subprocess.run(
        [sys.executable, "-m", "p2p304", "audit", "--json", "--evidence", str(files[0])],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    verdict = json.loads(judged.stdout)
    assert judged.returncode == 0 and verdict["proven"]
    assert (verdict["player"], verdict["check"]) == ("Player 3", check)
    for path in files:
        report = audit(path.with_suffix(".304").read_bytes())
        assert report.sound and report.entries == verdict["entry"]
