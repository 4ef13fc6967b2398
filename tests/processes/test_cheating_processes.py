"""A dozen cheats among real processes: three honest nodes find a fourth that lies once, keep the
same evidence, and that convinces `p2p304 audit --evidence`."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from p2p304.offline.audit import audit
from tests.support.cheats import catalogue
from tests.support.cheats.cheating_node import with_a_false_pen
from tests.support.programs import Program

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


@contextmanager
def table(folder: Path, cheat: str) -> Iterator[list[Path]]:
    """Three bots and a cheat at one table; the folders of the honest ones."""
    programs = []
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
            pen = (partial(with_a_false_pen, cheat),) if number == 3 else ()
            programs.append(Program(words, folder / f"{number}.log", *pen))
        yield [folder / str(number) / "games" for number in range(3)]
    finally:
        for program in programs:
            program.send_signal(signal.SIGTERM)
        for program in programs:
            program.wait(20)


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
    told = tmp_path / "verdict.json"
    judged = Program(["audit", "--json", "--evidence", str(files[0])], told)
    assert judged.wait(PATIENCE) == 0
    verdict = json.loads(told.read_text())
    assert verdict["proven"]
    assert (verdict["player"], verdict["check"]) == ("Player 3", check)
    for path in files:
        report = audit(path.with_suffix(".304").read_bytes())
        assert report.sound and report.entries == verdict["entry"]
