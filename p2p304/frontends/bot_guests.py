"""Bots that keep a person company: invited to free seats, woken to come back, sent home.

Responsible for their processes and folders. They are kept in the player's data folder, so that they
are met again as who they are, and can come back to a table with the player.
"""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from pathlib import Path

from p2p304.app.bot_processes import BOT_NICKS, run_bot, start_bots
from p2p304.app.session import Session
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import unfinished


class BotGuests:
    """The bots beside one session; all are ended when ``stack`` closes."""

    def __init__(self, session: Session, store: DataFolder, stack: ExitStack) -> None:
        self._session, self._folder, self._stack = session, store.home / "bots", stack
        self._keys: set[bytes] = set()
        self._processes: list[subprocess.Popen[bytes]] = []

    def invite(self, count: int) -> None:
        """Bots for ``count`` seats; there are not more of them than they have names."""
        first = len(self._processes)
        for nick in BOT_NICKS[first : first + count]:
            self._keys.add(DataFolder(self._folder / nick).identity().public)
        started = start_bots(count, self._session, self._folder, self._stack, first)
        self._processes += started
        self._stack.callback(self._send_home)

    def knows(self, key: bytes) -> bool:
        """Whether this key is one of the bots invited: the player need not be asked again."""
        return key in self._keys

    def wake(self, table: str) -> None:
        """Those who sat at this table (its identifier's first digits) come back, too."""
        for home in sorted(self._folder.glob("*")):
            if self._left(home, table):
                bind = self._session.place.bind
                self._processes.append(run_bot(["--resume"], home, bind, self._stack))
        self._stack.callback(self._send_home)

    @staticmethod
    def _left(home: Path, table: str) -> bool:
        left = unfinished(DataFolder(home)) if home.is_dir() else []
        return any(item.table == table for item in left[:1])

    def _send_home(self) -> None:
        """Before the player leaves an unfinished table; after a finished one they go alone."""
        if not self._session.node.finished:
            for process in self._processes:
                process.terminate()
