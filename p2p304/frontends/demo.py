"""The demonstration: real node processes on this machine, from finding a table to the audit.

Responsible for starting and ending the processes, and for comparing their transcripts. They bind to
loopback and use mDNS there only, so nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from p2p304.crypto.rng import Rng
from p2p304.frontends.appearance import read_appearance
from p2p304.net.interfaces import loopback_addresses
from p2p304.offline.archives.progress import FIRST_GUESS, duration
from p2p304.offline.report import SOUND, audit_files
from p2p304.rules.core.phrases import say
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.page import changes
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.wire.names import shown

NICKS = ("Asha", "Bandu", "Chitra", "Dilan", "Eshan", "Fathima", "Gayan", "Hema")
TIMEOUT = 60.0
"""Seconds for each seat without a line of the game: a deal with the engine in plain Python takes
nearly that on a slow machine, and the more players, the longer."""
Say = Callable[[str], None]


async def run(
    hands: int,
    rules: Options,
    as_json: bool,
    keep: Path | None,
    out: Say,
    show_status: Say = lambda told: None,
) -> int:
    """Play ``hands`` (0: a match). Returns 0 only if all transcripts are the same and sound.
    ``show_status`` hears how far the game and then the audit have come, and in the end nothing."""
    nicks = NICKS[: rules.seats]
    folder = keep or Path(tempfile.mkdtemp(prefix="p2p304-demo-"))
    folder.mkdir(parents=True, exist_ok=True)
    narration: list[str] = []
    table = f"demo-{Rng.system().bytes(4).hex()}"  # bots of another demonstration find another one
    nodes = [
        await _start(nick, address, folder, table, hands, rules)
        for nick, address in zip(nicks, loopback_addresses(len(nicks)), strict=True)
    ]
    tell, progress = narration.append if as_json else out, GameProgress(hands)

    loop, patience = asyncio.get_running_loop(), TIMEOUT * rules.seats

    def both(line: str) -> None:
        if not limit.expired():
            limit.reschedule(loop.time() + patience)
        tell(line)
        show_status(progress.after(line))

    limit = asyncio.timeout(patience)
    told = asyncio.create_task(_narrate(nodes[0], both))
    try:
        async with limit:
            failed = await _first_failure(nodes)
            if failed is None:
                await told
    except TimeoutError:
        silent = f"The bots have stopped: they told nothing for {patience:.0f} s."
        return _failed(f"{silent} The logs are in {folder}.", as_json, out)
    finally:
        told.cancel()
        show_status("")
        await _end(nodes)
    if failed is not None:
        nick = nicks[failed]
        why = _last_line(folder / f"{nick}.log") or "It said nothing."
        return _failed(f"{nick} stopped early: {why} The logs are in {folder}.", as_json, out)
    return _conclude(folder, nicks, narration, as_json, out, show_status)


class GameProgress:
    """How far a game of so many ``hands`` (0: a match) has come, by its narration."""

    def __init__(self, hands: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._hands, self._clock = hands, clock
        self._begun, self._number = 0.0, 0

    def after(self, line: str) -> str:
        """Return the sentence after this line. An empty line stands before every hand, in every
        language. How many hands a match has, nobody knows."""
        if not line:
            self._begun = self._begun or self._clock()
            self._number += 1
        if not self._number:
            return ""
        spent, played = self._clock() - self._begun, self._number - 1
        if self._hands < self._number:  # also where hands that are dealt again do not count
            return f"Hand {self._number}, {duration(spent)} so far"
        told = f"Hand {self._number} of {self._hands}"
        if not played or spent < FIRST_GUESS:
            return told
        return f"{told}, about {duration(spent / played * (self._hands - played))} left"


async def _first_failure(nodes: Sequence[asyncio.subprocess.Process]) -> int | None:
    """Wait until all nodes have ended, or one has ended with an error; return which one has."""
    waits = [asyncio.create_task(node.wait()) for node in nodes]
    try:
        for ended in asyncio.as_completed(waits):
            if await ended:
                return next(at for at, node in enumerate(nodes) if node.returncode)
        return None
    finally:
        for wait in waits:
            wait.cancel()


def _last_line(log: Path) -> str:
    """Return the node's own sentence: the last that it wrote."""
    lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    return next((shown(line) for line in reversed(lines) if line.strip()), "")


async def _start(
    nick: str, address: str, folder: Path, table: str, hands: int, rules: Options
) -> asyncio.subprocess.Process:
    home = folder / nick
    home.mkdir(parents=True, exist_ok=True)
    opens = ["--open", table, "--rules", rules.preset, "--hands", str(hands), "--tell"]
    data = rules.to_data()
    opens += [word for name in changes(rules) for word in ("--set", f"{name}={data[name]}")]
    role = opens if nick == NICKS[0] else ["--table", table]
    with (folder / f"{nick}.log").open("wb") as log:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "p2p304",
            "bot",
            "--nick",
            nick,
            "--home",
            str(home),
            "--bind",
            address,
            "--times",
            str(folder / f"{nick}.json"),
            *role,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE if nick == NICKS[0] else log,
            stderr=log,
            # Into a pipe Windows would write another encoding than this process reads.
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )


async def _narrate(process: asyncio.subprocess.Process, out: Say) -> None:
    if process.stdout is None:
        return
    async for line in process.stdout:
        out(line.decode(errors="replace").rstrip("\r\n"))  # Windows ends lines with both


async def _end(processes: list[asyncio.subprocess.Process]) -> None:
    for process in processes:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def _conclude(
    folder: Path,
    nicks: tuple[str, ...],
    narration: list[str],
    as_json: bool,
    out: Say,
    show_status: Say,
) -> int:
    """Compare and audit the players' transcripts, and say how long everything took."""
    times = {nick: json.loads((folder / f"{nick}.json").read_text()) for nick in nicks}
    paths = [Path(times[nick]["transcript"]) for nick in nicks]
    different = list({path.read_bytes(): path for path in reversed(paths)}.values())
    same = len(different) == 1
    verdicts: list[str] = []
    translate = read_appearance(None).translate
    text = PhraseRenderer(LETTERS, translate).text
    if not as_json:
        out("")
        out(text(say("Transcript: {file}", file=str(paths[0]))))
        out(text(say("Auditing ...")))
    status = audit_files(different, as_json, verdicts.append, show_status, translate=translate)
    sound = status == SOUND
    seconds = _seconds(times)
    if as_json:
        audits = [json.loads(line) for line in verdicts]
        out(
            json.dumps(
                {
                    "transcript": str(paths[0]),
                    "same": same,
                    "sound": sound,
                    "seconds": seconds,
                    "audit": audits[0],
                    "narration": narration,
                }
            )
        )
    else:
        for line in verdicts:
            out(line)
        out(
            text(
                say("All transcripts are identical and sound.")
                if same and sound
                else say("The transcripts differ or are not sound.")
            )
        )
        spent = {what: f"{value:.2f}" for what, value in seconds.items()}
        out(text(say("discovery {discovery} s, deal {deal} s, play {play} s", **spent)))
    return 0 if same and sound else 1


def _seconds(times: dict[str, dict[str, Any]]) -> dict[str, float]:
    """Return times of the slowest node: launch to seated, seated to first cards, first cards to
    end."""
    seated = max(t["seated"] for t in times.values())
    dealt = max(t["dealt"] for t in times.values())
    over = max(t["over"] for t in times.values())
    return {"discovery": seated, "deal": dealt - seated, "play": over - dealt}


def _failed(sentence: str, as_json: bool, out: Say) -> int:
    out(json.dumps({"error": sentence}) if as_json else sentence)
    return 1
