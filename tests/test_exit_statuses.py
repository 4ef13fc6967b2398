"""Every command ends as docs/commands.md says, with a sentence and never with a traceback."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from p2p304.cli import main as cli
from p2p304.cli.commands import COMMANDS
from tests.support import programs
from tests.support.paths import PROTOCOL, ROOT, TRANSCRIPTS

GOOD = TRANSCRIPTS / "good.304"
EVIDENCE = next((PROTOCOL / "evidence").glob("*.evidence"))
RECORD = """{"rules": {"preset": "pagat"}, "dealer": "north", "hands": {}, "actions": []}"""


def table() -> dict[str, tuple[str, str, str]]:
    """The table of docs/commands.md: what 0, 1 and 2 mean for each command."""
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8").split("## Exit statuses")[1]
    rows = re.findall(r"^\| (`[^|]*`) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$", text, re.M)
    return {
        name: (zero.strip(), one.strip(), two.strip())
        for names, zero, one, two in rows
        for name in re.findall(r"`(\w+)`", names)
    }


def run(
    *words: str | Path, env: dict[str, str] | None = None, stdout: int | None = None
) -> tuple[int, str, str]:
    """The program, loaded anew."""
    done = subprocess.run(
        [sys.executable, "-m", "p2p304", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        timeout=60,
        stdout=subprocess.PIPE if stdout is None else stdout,
        stderr=subprocess.PIPE,
        check=False,
        env={**os.environ, **(env or {})},
    )
    said = done.stderr.decode(errors="replace")
    assert "Traceback" not in said and "Exception ignored" not in said, said
    return done.returncode, (done.stdout or b"").decode(errors="replace"), said


def run_forked(*words: str | Path) -> tuple[int, str, str]:
    """As run, in a process that is forked from one that has loaded the program."""
    status, out, said = programs.told_apart([*map(str, words)])
    assert "Traceback" not in said and "Exception ignored" not in said, said
    return status, out, said


def run_here(*words: str | Path) -> tuple[int, str, str]:
    return programs.run_here(*map(str, words))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = tmp_path / "home"
    assert run_forked("id", "--home", made)[0] == 0
    return made


def test_every_command_has_its_row() -> None:
    """The one list is cli/commands.py's; the document says the same."""
    listed = {name: (*each.statuses, "-", "-")[:3] for name, each in COMMANDS.items()}
    assert listed == table()


def no_folder(tmp_path: Path) -> Path:
    """A data folder that cannot be used: there is a file in its place."""
    (tmp_path / "file").write_bytes(b"")
    return tmp_path / "file"


CASES: dict[str, Callable[[Path], tuple[int, list[str | Path]]]] = {
    "learn 0": lambda p: (0, ["learn", "first", "--home", p / "h"]),
    "learn 1": lambda p: (1, ["learn", "--home", no_folder(p)]),
    "learn 2": lambda p: (2, ["learn", "nothing", "--home", p / "h"]),
    "play 1": lambda p: (1, ["play", "--plain", "--table", "127.0.0.1:1", "--home", p / "h"]),
    "play folder": lambda p: (1, ["play", "--plain", "--open", "t", "--home", no_folder(p)]),
    "resume 0": lambda p: (0, ["resume", "--list", "--home", p / "h"]),
    "resume 1": lambda p: (1, ["resume", "--home", p / "h"]),
    "resume 2": lambda p: (2, ["resume", "--ended", write(p / "x", b"no"), "--home", p / "h"]),
    "resume 2, no file": lambda p: (2, ["resume", "--ended", "/dev/zero", "--home", p / "h"]),
    "bot 1": lambda p: (1, ["bot", "--table", "127.0.0.1:1", "--home", p / "h"]),
    "tables 0": lambda p: (0, ["tables", "--seconds", "0.1", "--interface", "127.0.0.1"]),
    "watch 1": lambda p: (1, ["watch", "127.0.0.1:1", "--plain"]),
    "doctor 1": lambda p: (1, ["doctor", "--home", no_folder(p)]),
    "id 1": lambda p: (1, ["id", "--home", no_folder(p)]),
    "id loop": lambda p: (1, ["id", "--home", loop(p / "loop")]),
    "audit 2": lambda p: (2, ["audit", write(p / "x.304", b"no")]),
    "audit none": lambda p: (2, ["audit", p / "none.304"]),
    "audit loop": lambda p: (2, ["audit", loop(p / "loop.304")]),
    "audit fifo": lambda p: (2, ["audit", fifo(p / "pipe.304")]),
    "audit zero": lambda p: (2, ["audit", Path("/dev/zero")]),
    "audit folder of loops": lambda p: (2, ["audit", loop(p / "in" / "loop").parent]),
    "evidence 2": lambda p: (2, ["audit", "--evidence", fifo(p / "pipe")]),
    "report 0": lambda p: (0, ["report", GOOD, "-o", p / "page.html"]),
    "report 1": lambda p: (1, ["report", TRANSCRIPTS / "bid.304", "-o", p / "page.html"]),
    "report 2": lambda p: (2, ["report", write(p / "x.304", b"no"), "-o", p / "page.html"]),
    "report none": lambda p: (2, ["report", p / "none.304", "-o", p / "page.html"]),
    "report page": lambda p: (1, ["report", GOOD, "-o", p / "none" / "page.html"]),
    "audit page": lambda p: (1, ["audit", GOOD, "--html", p / "none" / "page.html"]),
    "verifier 0": lambda p: (0, ["verifier", "--no-open", "-o", p / "page.html"]),
    "verifier 1": lambda p: (1, ["verifier", "-o", p / "none" / "page.html"]),
    "fairness 0": lambda p: (0, ["fairness", GOOD, "--html", p / "page.html"]),
    "fairness 1": lambda p: (1, ["fairness", TRANSCRIPTS / "bid.304"]),
    "fairness 2": lambda p: (2, ["fairness", write(p / "x.304", b"no")]),
    "fairness none": lambda p: (2, ["fairness", p, "--json"]),
    "fairness page": lambda p: (1, ["fairness", GOOD, "--html", p / "none" / "page.html"]),
    "replay 2": lambda p: (2, ["replay", "--plain", write(p / "x.304", b"no")]),
    "replay none": lambda p: (2, ["replay", "--plain", p / "none"]),
    "replay fifo": lambda p: (2, ["replay", "--plain", fifo(p / "pipe")]),
    "history 0": lambda p: (0, ["history", "--home", p / "h"]),
    "history 1": lambda p: (1, ["history", "--home", no_folder(p)]),
    "stats 0": lambda p: (0, ["stats", "--home", p / "h"]),
    "stats 1": lambda p: (1, ["stats", "--home", no_folder(p)]),
    "score 1": lambda p: (1, ["score", write(p / "r", RECORD.encode())]),
    "score surrogate": lambda p: (1, ["score", write(p / "r", b'{"rules": "\\ud800"}')]),
    "score key": lambda p: (1, ["score", write(p / "r", b'{"\\udfff": 1}')]),
    "score long": lambda p: (1, ["score", "--jsonl", write(p / "r", b"[" * 600_000)]),
    "score 2": lambda p: (2, ["score", p / "none"]),
    "score fifo": lambda p: (2, ["score", fifo(p / "pipe")]),
    "score folder": lambda p: (2, ["score", p]),
    "rules 0": lambda p: (0, ["rules", "pagat"]),
    "rules 1": lambda p: (1, ["rules", "nothing"]),
    "demo 1": lambda p: (1, ["demo", "--rules", "nothing"]),
    "tournament 0": lambda p: (0, ["tournament", "random", "random", "--deals", "2"]),
    "tournament 1": lambda p: (1, ["tournament", "nobody", "club"]),
    "tournament rules": lambda p: (1, ["tournament", "club", "club", "--rules", "nothing"]),
    "hands": lambda p: (2, ["bot", "--open", "t", "--hands", "10001", "--home", p / "h"]),
    "away, joined": lambda p: (2, ["play", "--away", "wait", "--table", "t", "--home", p / "h"]),
    "option open, joined": lambda p: (
        2,
        ["play", "--open", "a", "--table", "b", "--home", p / "h"],
    ),
    "option bots, joined": lambda p: (
        2,
        ["play", "--bots", "1", "--table", "b", "--home", p / "h"],
    ),
    "option of a bot, joined": lambda p: (
        2,
        ["bot", "--open", "a", "--table", "b", "--home", p / "h"],
    ),
    "away, no such value": lambda p: (2, ["play", "--away", "pay", "--home", p / "h"]),
    "away of a bot": lambda p: (2, ["bot", "--away", "wait", "--table", "t", "--home", p / "h"]),
    "away opened": lambda p: (2, ["bot", "--open", "t", "--away", "pay", "--home", p / "h"]),
    "option": lambda p: (2, ["id", "--nothing"]),
}


PROCESSES = (
    *("play 1", "resume 1", "bot 1", "tables 0", "watch 1", "id 1", "id loop", "audit 2"),
    *("audit loop", "audit fifo", "audit zero", "audit folder of loops", "evidence 2"),
    *("resume 2, no file", "replay fifo", "score fifo", "score long", "rules 0", "rules 1"),
    *("away of a bot", "option", "fairness 0", "fairness 2"),
)
"""The cases with a process of their own: one of each status, what could block or fill the memory,
and what uses the network."""


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def loop(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(path)
    return path


def fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


@pytest.mark.parametrize("case", CASES)
def test_a_command_ends_as_its_row_says(case: str, tmp_path: Path) -> None:
    status, words = CASES[case](tmp_path)
    if case in PROCESSES:
        found, told = programs.run([*map(str, words)], tmp_path / "log")
        assert "Traceback" not in told and "Exception ignored" not in told, told
    else:
        found, out, said = run_here(*words)
        told = out + said
    assert found == status, told
    if not case.startswith(("hands", "away", "option")):
        assert table()[str(words[0])][status] != "-"
    if status:
        assert len(told.strip()) > 20


@pytest.mark.parametrize("words", [["bot"], ["play", "--plain"]])
def test_a_name_that_is_none_is_refused_before_a_table_is_looked_for(
    words: list[str], tmp_path: Path
) -> None:
    told = run(*words, "--nick", "", "--table", "127.0.0.1:1", "--home", tmp_path / "h")
    assert told[0] == 1 and "nickname" in told[2], told
    assert run("id", "--home", tmp_path / "h")[0] == 0, "no bad name was stored"


def test_a_sound_transcript_and_one_that_is_not(tmp_path: Path) -> None:
    data = GOOD.read_bytes()
    for words in (["audit"], ["replay", "--plain"]):
        assert run_forked(*words, GOOD)[0] == 0
        spoilt = write(tmp_path / "spoilt.304", data[:-1] + bytes([data[-1] ^ 1]))
        assert run_forked(*words, spoilt)[0] == 1


def test_a_file_name_forges_no_verdict(tmp_path: Path) -> None:
    for name in (
        "\x1b[2K\rSOUND (complete): 9 entries verified..304",
        "x\nSOUND (complete): 9 entries verified..304",
        "\u202e304.DNUOS.304",
        "SOUND (complete): 62 entries verified. x.304",
        "\udcff\udc9b1mSOUND.304",
    ):
        run_one = run_forked if "SOUND (complete): 62" in name else run_here
        out = run_one("audit", write(tmp_path / name, GOOD.read_bytes()[:-1]))[1]
        assert "\x1b" not in out and "\r" not in out and "\u202e" not in out
        assert not re.search(r"^SOUND", out, re.M), out
        (tmp_path / name).unlink()


def test_a_name_in_another_script_is_shown_in_any_locale(home: Path) -> None:
    (home / "nick").write_text("චිත්රා\n", encoding="utf-8")
    env = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    assert run("id", "--home", home, env=env)[0] == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [["rules", "pagat"], ["rules"], ["--version"], ["score"]])
def test_a_full_disk_behind_the_output_is_one_sentence(words: list[str], tmp_path: Path) -> None:
    if words == ["score"]:
        words = ["score", str(write(tmp_path / "r", RECORD.encode()))]
    with open("/dev/full", "wb") as full:
        status, _, said = run(*words, stdout=full.fileno())
    assert status == 1 and "cannot be written" in said


def test_a_nested_history_file_is_made_again(home: Path) -> None:
    (home / "history.json").write_text("[" * 100_000)
    assert run_forked("history", "--home", home)[0] == 0


def test_an_engine_that_is_none_is_one_sentence() -> None:
    for words in (["--version"], ["audit", GOOD], ["bot", "--open", "t"]):
        status, _, said = run(*words, env={"P2P304_ENGINE": "diesel"})
        assert status == 1 and said.startswith("P2P304_ENGINE must be rbcl, system or reference")


def test_the_slow_engine_is_told_once_and_apart() -> None:
    for words in (["audit", GOOD.with_name("none.304")], ["doctor", "--seconds", "0.1"]):
        _, out, said = run(*words, env={"P2P304_ENGINE": "reference"})
        assert (out if words[0] == "doctor" else said).count(
            "Plain Python does the arithmetic"
        ) == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_node_that_is_told_to_end_says_so(number: signal.Signals, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    words = [
        "bot",
        "--open",
        "t",
        "--bind",
        "127.0.0.1",
        "--port",
        str(port),
        "--home",
        str(tmp_path / "h"),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "p2p304", *words], cwd=ROOT, stderr=subprocess.PIPE
    )
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 128 + number and said == (
        "" if number == signal.SIGINT else "Left.\n"
    )


def test_ctrl_c_before_the_program_is_loaded_ends_it_silently() -> None:
    program = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == "p2p304.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
from p2p304.__main__ import main
main()
"""
    words = [sys.executable, "-c", program, "rules"]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


def test_a_fault_of_the_program_is_one_sentence_and_a_report(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fault(words: list[str]) -> None:
        raise KeyError("a secret")

    monkeypatch.setattr(cli, "run", fault)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 70
    said = capsys.readouterr().err
    found = re.search(r"Please send the file (\S+) to the developers", said)
    assert found is not None
    report = Path(found.group(1))
    assert "KeyError" in report.read_text() and "secret" not in report.read_text() + said
    report.unlink()


def test_a_missing_file_of_an_ending_is_told_in_one_sentence(tmp_path: Path) -> None:
    missing = tmp_path / "none.304"
    status, out, said = run_here("resume", "--ended", str(missing), "--home", str(tmp_path / "h"))
    assert (status, out, said) == (2, "", f"The file {missing} does not exist.\n")
