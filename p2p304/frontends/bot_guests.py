"""Bots that a player invites: started for free seats, resumed with the table, ended with it.

Responsible for their processes and folders. The folders are in the player's data folder, so that
the bots keep their identities and can resume a table with the player. How a process is started is
app/bot_processes.py's.
"""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from pathlib import Path

from p2p304.app.bot_processes import BOT_NICKS, own_address, run_bot
from p2p304.app.session import Session
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import resumable_tables


class BotGuests:
    """The bots of one session; all are ended when ``stack`` closes."""

    def __init__(self, session: Session, stack: ExitStack) -> None:
        self._session, self._stack = session, stack
        self._folder = session.store.home / "bots"
        self._nicks: set[str] = set()
        self._keys: set[bytes] = set()
        self._processes: list[subprocess.Popen[bytes]] = []

    def invite(self, count: int) -> None:
        """Start bots for ``count`` seats, with names that nobody at the table has."""
        here = self._session.node.meeting.list
        taken = self._nicks | {guest.nick for guest in (here.guests if here is not None else ())}
        for nick in [nick for nick in BOT_NICKS if nick not in taken][:count]:
            self._nicks.add(nick)
            self._keys.add(DataFolder(self._folder / nick).identity().public)
            words = ["--table", own_address(self._session), "--nick", nick]
            self._start(words, self._folder / nick)
        self._stack.callback(self._end_unfinished)

    def knows(self, key: bytes) -> bool:
        """Whether this key belongs to an invited bot, so that the player need not be asked."""
        return key in self._keys

    def wake(self, table: str) -> None:
        """Start the bots that sat at this table (its identifier's first digits)."""
        for home in sorted(self._folder.glob("*")):
            if self._has_table(home, table):
                self._start(["--resume"], home)
        self._stack.callback(self._end_unfinished)

    def _start(self, words: list[str], home: Path) -> None:
        session = self._session
        passphrase = session.node.meeting.admission.passphrase
        process = run_bot(words, home, session.config.bind, self._stack, passphrase, session.key)
        self._processes.append(process)

    @staticmethod
    def _has_table(home: Path, table: str) -> bool:
        left = resumable_tables(DataFolder(home)) if home.is_dir() else []
        return any(item.table == table for item in left[:1])

    def _end_unfinished(self) -> None:
        """End the bots before the player leaves an unfinished table; after a finished one they end
        alone."""
        if not self._session.node.is_finished:
            for process in self._processes:
                process.terminate()
