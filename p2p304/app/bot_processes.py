"""Bots in processes of their own, started by a session and ended with it.

Responsible for starting and ending them, and for marking whose bots they are. How a bot's node runs
is frontends/bot.py's.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from p2p304.app.session import Session
from p2p304.crypto.signing import SigningKey
from p2p304.storage.data_folder import DataFolder
from p2p304.table.agreement.bot_mark import BotMark, bot_mark

BOT_NICKS = ("Kamala", "Nimal", "Sunil")
OWNER = "P2P304_BOT_OWNER"
"""In the environment of a bot: its owner's key and mark (`BotMark`), in hexadecimal."""
NEXT_BOT = "Ruwan"
"""The nickname of the bot that takes the seat of a player who has left."""
ANYWHERE = ("", "0.0.0.0", "::")
"""Listening addresses that mean all addresses of this machine."""


def invite(session: Session, stack: ExitStack) -> bool:
    """Start a bot for the empty seat of a table that goes on, if this node keeps the list and
    nobody has taken the seat yet. The bot is ended when ``stack`` closes."""
    meeting = session.node.meeting
    here = meeting.list
    if here is None or here.after is None or not meeting.is_founder or here.is_complete:
        return False
    folder, words = bots_folder(stack), ["--table", own_address(session), "--nick", NEXT_BOT]
    run_bot(
        words,
        folder / NEXT_BOT,
        session.place.bind,
        stack,
        meeting.admission.passphrase,
        session.key,
    )
    return True


def bots_folder(stack: ExitStack) -> Path:
    """Make a folder for bots that are used only once; it is removed when ``stack`` closes."""
    return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p304-bots-")))


def own_address(session: Session) -> str:
    """Return HOST:PORT at which bots on this machine reach the session."""
    bind = session.place.bind
    return f"{'127.0.0.1' if bind in ANYWHERE else bind}:{session.mesh.port}"


def start_bots(
    count: int, session: Session, folder: Path, stack: ExitStack, first: int = 0
) -> list[subprocess.Popen[bytes]]:
    """Start node processes that join this session's table; they are ended when ``stack`` closes.
    ``first`` of them exist already."""
    words, lock = ["--table", own_address(session)], session.node.meeting.admission.passphrase
    return [
        run_bot(
            [*words, "--nick", nick], folder / nick, session.place.bind, stack, lock, session.key
        )
        for nick in BOT_NICKS[first : first + count]
    ]


def run_bot(
    words: list[str],
    home: Path,
    bind: str,
    stack: ExitStack,
    passphrase: str | None = None,
    owner: SigningKey | None = None,
) -> subprocess.Popen[bytes]:
    """Start a bot in a process of its own, with its data in ``home``; it is ended when ``stack``
    closes. A passphrase is passed through its environment, where other users do not see it, and so
    is the mark of the player who owns the bot."""
    secret = {} if passphrase is None else {"P2P304_PASSPHRASE": passphrase}
    if owner is not None:
        mark = bot_mark(owner, DataFolder(home).identity().public)
        secret[OWNER] = (mark.owner + mark.sig).hex()
    command = [sys.executable, "-m", "p2p304", "bot", *words, "--home", str(home), "--bind", bind]
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **secret},
    )
    stack.callback(_end, process)
    return process


def own_mark(key: SigningKey) -> BotMark:
    """Return the mark of this bot's owner, as `run_bot` passed it, or the bot's own if it has no
    owner."""
    passed = os.environ.get(OWNER, "")
    try:
        whole = bytes.fromhex(passed)
    except ValueError:
        whole = b""
    mark = BotMark(whole[:32], whole[32:])
    return mark if mark.is_signed_for(key.public) else bot_mark(key, key.public)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait(5)
