"""The full screen in real terminals: four programs under tmux at one table, until a hand is
over; garbage, resizing and a closed terminal meanwhile."""

from __future__ import annotations

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from p2p304.offline.audit import audit
from tests.support.paths import ROOT

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
PATIENCE = 180.0
"""Seconds after which something that happens soon counts as not happening: only a test that
fails waits so long, however busy the machine is."""
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
GARBAGE = (
    "Up",
    "Down",
    "F7",
    "Escape",
    "zz~!",
    "ශ්‍රී",
    "\x01",
    "99",
    "Tab",
    "BSpace",
    "PPage",
    "?",
    "C-l",
)
NO_PAUSES = b"[pause]\ncard = 0\ntrick = 0\n"


class Terminals:
    """A tmux server of its own, with one program in each session."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tmux = [
            "tmux",
            "-u",
            "-L",
            f"p2p304-{os.getpid()}-{folder.name[-12:]}",
            "-f",
            os.devnull,
        ]

    def run(self, *words: str) -> str:
        done = subprocess.run(
            [*self._tmux, *words], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        return done.stdout

    def start(
        self,
        name: str,
        *words: str,
        size: tuple[int, int] = (80, 24),
        settings: bytes = NO_PAUSES,
        environment: str = "LC_ALL=C.UTF-8",
        nick: bool = True,
    ) -> None:
        """A program that leaves its exit status in ``NAME.status``."""
        home = self.folder / name
        home.mkdir(mode=0o700)
        (home / "screen.toml").write_bytes(settings)
        command = " ".join(
            [
                "exec 2>",
                str(self.folder / f"{name}.err"),
                ";",
                environment,
                sys.executable,
                "-m",
                "p2p304",
                *words,
                *(("--nick", name) if nick else ()),
                "--home",
                str(home),
                ";",
                "echo",
                "$?",
                ">",
                str(self.folder / f"{name}.status"),
                ";",
                "sleep",
                "30",
            ]
        )
        self.run(
            "new-session",
            "-d",
            "-s",
            name,
            "-x",
            str(size[0]),
            "-y",
            str(size[1]),
            "-c",
            str(ROOT),
            command,
        )

    def text(self, name: str) -> str:
        return self.run("capture-pane", "-p", "-t", name)

    def type(self, name: str, *keys: str) -> None:
        self.run("send-keys", "-t", name, *keys)

    def resize(self, name: str, width: int, height: int) -> None:
        self.run("resize-window", "-t", name, "-x", str(width), "-y", str(height))

    def until(self, name: str, word: str, seconds: float = PATIENCE) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.text(name)
            if re.search(word, text):
                return text
            time.sleep(0.1)
        raise AssertionError(
            f"{word!r} never showed at {name}:\n{self.text(name)}{self.errors(name)}"
        )

    def errors(self, name: str) -> str:
        path = self.folder / f"{name}.err"
        return path.read_text() if path.exists() else ""

    def status(self, name: str, seconds: float = PATIENCE) -> int:
        path, end = self.folder / f"{name}.status", time.monotonic() + seconds
        while time.monotonic() < end and not (path.exists() and path.read_text().strip()):
            time.sleep(0.1)
        return int(path.read_text())

    def close(self) -> None:
        self.run("kill-server")


@pytest.fixture
def terminals(tmp_path: Path) -> Iterator[Terminals]:
    opened = Terminals(tmp_path)
    try:
        yield opened
    finally:
        opened.close()


def free_port(host: str) -> int:
    with socket.socket() as taken:
        taken.bind((host, 0))
        return int(taken.getsockname()[1])


def answer(terminals: Terminals, name: str, text: str) -> None:
    """What a player types who looks at the screen: the first card that stands out, 160 once."""
    if "are you sure?" in text:
        terminals.type(name, "n")
    if "on 4 cards" in text:
        terminals.type(name, *(("160",) if "No bid yet" in text else ("pass",)), "Enter")
    elif "on 8 cards" in text or "can only pass" in text:
        terminals.type(name, "pass", "Enter")
    elif "open or closed" in text:
        terminals.type(name, "closed", "Enter")
    elif "choose your indicator" in text:
        terminals.type(name, "1", "Enter")
    elif found := re.search(r"▸([1-8])", text):
        terminals.type(name, found[1], "Enter")
    elif re.search(r"[1-8] down", text):
        terminals.type(name, "cut", "Enter")


def until_asked(terminals: Terminals, name: str) -> str:
    """The screen at this player's turn; a hand that bots reject before it is dealt again."""
    your_turn = "Your turn[:,]"  # with a comma where a partner has asked
    while not re.search(
        your_turn, text := terminals.until(name, f"{your_turn}|to deal hand|The hand is over")
    ):
        terminals.type(name, "Enter")
        time.sleep(0.3)
    return text


def play_until_over(terminals: Terminals, names: tuple[str, ...], disturb: bool) -> None:
    rng, end = random.Random(7), time.monotonic() + 2 * PATIENCE
    while time.monotonic() < end:
        texts = {name: terminals.text(name) for name in names}
        if all("The hand is over" in text or "Hand 1 is over" in text for text in texts.values()):
            return
        for name, text in texts.items():
            assert "Traceback" not in text, text
            if "Your turn" in text:
                answer(terminals, name, text)
            elif re.search(r"▸[1-8]|You must follow suit", text):
                # On a slow machine an answer is typed twice, and the second one is kept for the
                # next turn. Where that card may not be played, the reason stands in place of
                # "Your turn" until a key is pressed: whatever rule it names, the cards that may be
                # played are marked.
                terminals.type(name, "Escape")
        if disturb and rng.random() < 0.4:
            terminals.type(names[0], rng.choice(GARBAGE))
            terminals.type(names[0], "Escape", "Escape")
            terminals.resize(names[1], rng.randrange(1, 120), rng.randrange(1, 50))
            time.sleep(0.05)
            terminals.resize(names[1], 80, 24)
        time.sleep(0.15)
    raise AssertionError("\n".join(terminals.text(name) for name in names))


def test_four_screens_at_one_table_play_a_hand_through_garbage_and_resizing(
    terminals: Terminals,
) -> None:
    port = free_port("127.0.0.31")
    terminals.start(
        NICKS[0],
        "play",
        "--open",
        "Four",
        "--hands",
        "1",
        "--bind",
        "127.0.0.31",
        "--port",
        str(port),
    )
    terminals.until(NICKS[0], "Others see this table")
    for number, nick in enumerate(NICKS[1:], 32):
        terminals.start(
            nick, "play", "--table", f"127.0.0.31:{port}", "--bind", f"127.0.0.{number}"
        )
    codes = {
        re.search(r"code (\w{3}-\w{3})", terminals.until(nick, r"code \w{3}-\w{3}"))
        for nick in NICKS
    }
    assert len({found[1] for found in codes if found}) == 1
    play_until_over(terminals, NICKS, disturb=True)
    for nick in NICKS:
        terminals.type(nick, "Escape")
        terminals.type(nick, "C-c")
        terminals.type(nick, "y")
    assert {terminals.status(nick) for nick in NICKS} == {0}
    assert "".join(terminals.errors(nick) for nick in NICKS) == ""
    for nick in NICKS:
        terminals.until(nick, "in a browser: p2p304 report /")
    files = [next(terminals.folder.glob(f"{nick}/games/*.304")) for nick in NICKS]
    assert len({file.read_bytes() for file in files}) == 1
    assert audit(files[0].read_bytes()).sound


def test_the_lobby_finds_a_table_and_a_closed_terminal_leaves_no_trace(
    terminals: Terminals,
) -> None:
    table = f"Table {os.getpid()}"  # not that of another run
    terminals.start("Host", "play", "--open", f"'{table}'", "--bind", "127.0.0.41")
    terminals.start("Guest", "play", "--bind", "127.0.0.42")
    text = terminals.until("Guest", f"{table} +Host")
    assert "3 of 4 free" in text and "Listening on 127.0.0.42" in text
    row = re.search(rf"(\d)  {table}", text)
    assert row is not None
    terminals.type("Guest", row[1], "Enter")
    terminals.until("Guest", "2 of 4 have joined")
    text = terminals.until("Guest", "leaves for good")
    assert re.search(r"127\.0\.0\.41:\d+ +\w{5}-\w{5}", text)
    terminals.run("kill-session", "-t", "Guest")
    terminals.until("Host", "1 of 4 have joined")
    assert "Traceback" not in terminals.errors("Guest")


def test_a_guest_who_is_not_let_in_reads_why_and_tries_again(terminals: Terminals) -> None:
    """A table that is named is locked, then the passphrase is wrong, then right; and there is none
    where another one was named."""
    where = "127.0.0.46:40471"
    words = ("--bind", "127.0.0.46", "--port", "40471", "--passphrase", "tea")
    terminals.start("Host", "play", "--open", "'Locked here'", *words)
    terminals.until("Host", "1 of 4 have joined")
    terminals.start("Guest", "play", "--table", where, "--bind", "127.0.0.47")
    # The table has its address for a name until its announcement is heard.
    terminals.until("Guest", "needs a passphrase")
    terminals.type("Guest", "wrong", "Enter")
    told = terminals.until("Guest", "Wrong passphrase")
    assert re.search(rf"({re.escape(where)}|Locked here) needs a passphrase", told)
    terminals.type("Guest", "tea", "Enter")
    terminals.until("Guest", "2 of 4 have joined")
    terminals.start("Late", "play", "--table", "127.0.0.48:1", "--bind", "127.0.0.47")
    told = terminals.until("Late", "Cannot reach 127.0.0.48:1")
    assert "Join by table code or address" in told


def test_a_small_or_dumb_terminal_gets_text_mode(terminals: Terminals) -> None:
    terminals.start("Small", "play", "--open", "S", "--bind", "127.0.0.43", size=(60, 15))
    terminals.until("Small", "At the table")
    terminals.until("Small", "Listening on")
    terminals.type("Small", "quit", "Enter")
    assert terminals.status("Small") == 0


BROKEN = {
    "toml": (b"colours = ", "not valid TOML"),
    "bytes": (b"\xff\xfe", "not UTF-8"),
    "key": (b"[keys]\nhint = 'j'\n", "keys.hint"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_settings_are_told_and_the_lobby_opens(terminals: Terminals, name: str) -> None:
    settings, told = BROKEN[name]
    terminals.start("Ravi", "play", "--bind", "127.0.0.44", settings=settings)
    text = terminals.until("Ravi", told)
    assert "screen.toml" in text and "Open a table" in text
    terminals.type("Ravi", "q")
    assert terminals.status("Ravi") == 0


def test_a_locale_without_utf8_gets_ascii_and_no_colour_none(terminals: Terminals) -> None:
    terminals.start(
        "Ravi",
        "play",
        "--open",
        "T",
        "--bots",
        "3",
        "--bots-pace",
        "0",
        "--bind",
        "127.0.0.45",
        environment="LC_ALL=C NO_COLOR=1",
    )
    text = until_asked(terminals, "Ravi")
    assert text.isascii() and "+---+" in text
    coloured = terminals.run("capture-pane", "-e", "-p", "-t", "Ravi")
    assert not re.search(r"\x1b\[(?:[0-9]+;)*(?:3[0-7]|38|4[0-7]|48)[;m]", coloured)


def test_a_dumb_terminal_gets_text_mode(terminals: Terminals) -> None:
    terminals.start("Ravi", "play", "--open", "T", "--bind", "127.0.0.46", environment="TERM=dumb")
    assert "At the table" in terminals.until("Ravi", "Listening on")


def test_a_terminal_is_given_back_as_it_was(terminals: Terminals) -> None:
    terminals.start("Ravi", "play", "--bind", "127.0.0.47")
    terminals.until("Ravi", "Tables on this network")
    assert (
        terminals.run("display", "-p", "-t", "Ravi", "#{alternate_on}#{mouse_any_flag}") == "11\n"
    )
    terminals.type("Ravi", "C-c")
    terminals.until("Ravi", "Quit p2p304")
    terminals.type("Ravi", "y")
    assert terminals.status("Ravi") == 0
    assert (
        terminals.run("display", "-p", "-t", "Ravi", "#{alternate_on}#{mouse_any_flag}") == "00\n"
    )


def test_a_learner_begins_the_first_hand_and_leaves(terminals: Terminals) -> None:
    terminals.start("Ravi", "learn", nick=False)
    terminals.until("Ravi", "Your first hand")
    terminals.type("Ravi", "Enter")
    terminals.until("Ravi", "Your first hand 1/")
    terminals.type("Ravi", "6", "1", "Enter")  # the points of J 9 A 7
    terminals.until("Ravi", "Your first hand 2/")
    terminals.type("Ravi", "C-c")
    terminals.type("Ravi", "y")
    assert terminals.status("Ravi") == 0
    assert "Traceback" not in terminals.errors("Ravi")
