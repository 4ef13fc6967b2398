"""Bots that a player invites: started for free seats, resumed with the table, ended with it.

Responsible for their processes and folders. The folders are in the player's data folder, so that
the bots keep their identities and can resume a table with the player. How a process is started is
app/bot_processes.py's.
"""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from p2p304.app.bot_processes import BOT_NICKS, own_address, run_bot
from p2p304.app.config import BOTS_PACE, SLOWEST_PACE
from p2p304.app.session import Session
from p2p304.bots.search.levels import LEVELS, USUAL
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import read_file, write_whole
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.agreement.bot_labels import LABEL
from p2p304.wire.names import are_alike

LEVEL = "level"
"""The file in a bot's folder that says how well it plays."""
PACE = "pace"
"""The file in a bot's folder that says how many seconds its choices take at least."""


class BotGuests:
    """The bots of one session; all are ended when ``stack`` closes."""

    def __init__(self, session: Session, stack: ExitStack) -> None:
        self._session, self._stack = session, stack
        self._folder = session.store.home / "bots"
        self._keys: set[bytes] = set()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        """The bots' programs by their names."""
        self.stay = False
        """Whether the bots play on once the player has left an unfinished table."""
        self.plays = session.config.bots_play
        """How well the bots play that are invited from now on (`NodeConfig`)."""
        self.pace = session.config.bots_pace
        """As in `NodeConfig`; once a table is resumed, the pace of the bots that sat there."""

    def invite(self, count: int, seats: Sequence[tuple[str, int]] = ()) -> Phrase | None:
        """Start bots for ``count`` seats, with names that nobody at the table has; returns a
        sentence if none can come. ``seats``: names that bots had, and the seats that they ask for;
        where such a name is taken, a bot with another one asks for the seat."""
        node = self._session.node
        here = node.meeting.list
        if node.table is not None or here is None:
            return say("Bots can take seats only before the cards are dealt.")
        if not node.meeting.is_founder:
            return say("Only the player who opened this table can let bots in.")
        if here.is_complete:
            return say("All seats are taken.")
        guests = [guest.nick for guest in here.guests]
        running = (nick for nick, process in self._processes.items() if process.poll() is None)
        coming = [nick for nick in running if nick not in guests]
        free = here.rules.seats - len(guests) - len(coming)
        if free <= 0:
            return say("A bot is on its way to every free seat.")
        had = dict(seats)
        names = sorted(self._free_names(guests), key=lambda nick: nick not in had)
        nicks = names[: min(count, free)]
        others = iter([seat for nick, seat in seats if nick not in nicks])
        for nick in nicks:
            self._invite(nick, had[nick] if nick in had else next(others, None))
        return None

    def _invite(self, nick: str, seat: int | None) -> None:
        home = self._folder / nick
        self._keys.add(DataFolder(home).identity().public)
        write_whole(home / LEVEL, self.plays.encode())
        write_whole(home / PACE, str(self._seconds).encode())
        words = ["--table", own_address(self._session), "--nick", nick, "--level", self.plays]
        words += [] if seat is None else ["--seat", str(seat + 1)]
        self._start(words, home)

    def _free_names(self, guests: list[str]) -> list[str]:
        """Return the names that nobody has; last those that are a word of a guest's name."""
        taken = [*self._processes, *guests]
        free = [nick for nick in BOT_NICKS if not any(are_alike(nick, other) for other in taken)]
        words = [word for nick in guests for word in nick.split()]
        return sorted(free, key=lambda nick: any(are_alike(nick, word) for word in words))

    def knows(self, key: bytes) -> bool:
        """Whether this key belongs to an invited bot, so that the player need not be asked."""
        return key in self._keys

    def wake(self, table: str) -> None:
        """Start the bots that sat at this table (its identifier's first digits). Bots that are
        invited later play as well as they, and as fast."""
        for home in sorted(self._folder.glob("*")):
            if self._has_table(home, table):
                kept = _kept(home / LEVEL)
                self.plays = kept if kept in LEVELS else USUAL
                self.pace = _kept_pace(home) if self.pace is None else self.pace
                self._start(["--resume", "--level", self.plays], home)

    def _start(self, words: list[str], home: Path) -> None:
        session = self._session
        passphrase = session.node.meeting.admission.passphrase
        words = [*words, "--pace", str(self._seconds)]
        process = run_bot(words, home, session.config.bind, self._stack, passphrase, session.key)
        self._processes[home.name] = process
        self._stack.callback(self._end_unfinished)  # it runs before the stack waits for this bot

    @property
    def _seconds(self) -> float:
        """The pace of the bots that are started now."""
        return BOTS_PACE if self.pace is None else self.pace

    async def play_on(self, tell: Callable[[Phrase], None]) -> None:
        """Wait until the bots have ended by themselves, if they stay; they are ended if this is
        cancelled."""
        running = [nick for nick, bot in self._processes.items() if bot.poll() is None]
        if not (self.stay and running) or self._session.node.is_finished:
            return
        told = say(
            "Your bots play on for the others: {nicks}. Ctrl-C ends them; the table then waits "
            "until you resume it."
        )
        tell(told.filled(nicks=", ".join(f"{nick} {LABEL}" for nick in running)))
        while any(bot.poll() is None for bot in self._processes.values()):
            await asyncio.sleep(0.5)
        tell(say("Your bots have ended."))

    @staticmethod
    def _has_table(home: Path, table: str) -> bool:
        left = resumable_tables(DataFolder(home)) if home.is_dir() else []
        return any(item.table == table for item in left[:1])

    def _end_unfinished(self) -> None:
        """End the bots before the player leaves an unfinished table; after a finished one they end
        alone."""
        if not self._session.node.is_finished:
            for process in self._processes.values():
                process.terminate()


def _kept(path: Path) -> str:
    """Return what a file in a bot's folder says; empty if there is none."""
    return read_file(path).decode(errors="replace") if path.exists() else ""


def _kept_pace(home: Path) -> float:
    """Return the pace that a bot had; the usual one if its file is missing or damaged."""
    try:
        seconds = float(_kept(home / PACE))
    except ValueError:
        return BOTS_PACE
    return seconds if 0 <= seconds <= SLOWEST_PACE else BOTS_PACE
