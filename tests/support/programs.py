"""The program in processes of its own, forked from one that has loaded it already.

Loading takes longer than much of the play. What is started here is otherwise as a program that a
shell starts: it has its own process, words and output, computes everything itself, and ends by
itself, by a signal or with its status. What loads the program anew is tests/processes/
test_processes.py's to try.
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from p2p304.cli.main import main
from tests.support.paths import ROOT

PATIENCE = 180.0
"""Seconds after which a program counts as one that never ends, however busy the machine is."""

_FORKSERVER = multiprocessing.get_context("forkserver")
_FORKSERVER.set_forkserver_preload(
    [
        "p2p304.frontends.bot",
        "p2p304.frontends.text.spectator",
        "p2p304.frontends.text.player",
        "p2p304.offline.fairness_report",
        "p2p304.offline.report",
        "p2p304.offline.verifier_page",
        "tests.support.cheats.cheating_node",
        "tests.support.programs",
    ]
)


def _nothing() -> None:
    """Do nothing before the program starts."""


def run_here(*words: str) -> tuple[int, str, str]:
    """The status of the program, what it said and its errors, without a process of its own."""
    data, out, said = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["p2p304", *words])
        patch.setattr(sys, "stdin", data)
        status = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            try:
                main()
            except SystemExit as ended:
                status = int(ended.code or 0)
    texts = []
    for stream in (out, said):
        stream.seek(0)
        texts.append(stream.read())
    return status, texts[0], texts[1]


class Program:
    """``p2p304`` with these words; what it says is added to the file ``log``. ``before`` runs in
    the process first."""

    def __init__(
        self, words: Sequence[str], log: Path, before: Callable[[], object] = _nothing
    ) -> None:
        self._process = _FORKSERVER.Process(target=_run, args=(tuple(words), log, before))
        self._process.start()

    def wait(self, timeout: float) -> int:
        """The status when it has ended; minus the number of the signal that ended it."""
        self._process.join(timeout)
        assert self._process.exitcode is not None, "it is still running"
        return self._process.exitcode

    def send_signal(self, number: signal.Signals) -> None:
        if self._process.exitcode is None and self._process.pid is not None:
            os.kill(self._process.pid, number)

    def kill(self) -> None:
        """End it with no warning, if it still runs."""
        self.send_signal(signal.SIGKILL)
        self.wait(20)


def run(words: Sequence[str], log: Path, home: Path | None = None) -> tuple[int, str]:
    """The status of a program that ends by itself, and all that it said."""
    program = Program(words, log, partial(_set_home, home))
    try:
        return program.wait(PATIENCE), log.read_text(encoding="utf-8", errors="replace")
    finally:
        program.kill()


def told_apart(
    words: Sequence[str], folder: Path = ROOT, env: Mapping[str, str | None] | None = None
) -> tuple[int, str, str]:
    """As run, in a folder and with these words of the environment (None: without the word); what
    the program said comes apart from its errors."""
    with tempfile.TemporaryDirectory() as logs:
        out, said = Path(logs, "out"), Path(logs, "said")
        program = Program(words, out, partial(_move, folder, {**(env or {})}, said))
        try:
            status = program.wait(PATIENCE)
        finally:
            program.kill()
        return (
            status,
            out.read_bytes().decode(errors="replace"),
            said.read_bytes().decode(errors="replace"),
        )


def _move(folder: Path, env: Mapping[str, str | None], said: Path) -> None:
    os.chdir(folder)
    for word, value in env.items():
        os.environ.pop(word, None)
        if value is not None:
            os.environ[word] = value
    _lead(2, said)


def _set_home(home: Path | None) -> None:
    if home is not None:
        os.environ["P2P304_HOME"] = str(home)


def _run(words: tuple[str, ...], log: Path, before: Callable[[], object]) -> None:
    os.chdir(ROOT)
    _lead(1, log)
    _lead(2, log)
    before()
    sys.argv = ["p2p304", *words]
    main()


def _lead(stream: int, log: Path) -> None:
    """What is written to this stream from now on is added to a file."""
    with log.open("ab") as file:
        os.dup2(file.fileno(), stream)
