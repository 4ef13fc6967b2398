"""Bots in processes of their own, started by a session and ended with it.

Responsible for starting and ending them, and for marking whose bots they are. Which bots a player
invites is frontends/bot_guests.py's, and how a bot's node runs frontends/bot.py's.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path

from p2p304.app.session import Session
from p2p304.crypto.signing import SigningKey
from p2p304.storage.data_folder import DataFolder
from p2p304.table.agreement.bot_mark import BotMark, bot_mark

_NAMES = "Kamala Nimal Sunil Ruwan Latha Priya Mala Saman Kumari Ajith Selvi Mohan Nirosha Farook"
BOT_NICKS = tuple(_NAMES.split())
"""Names for bots: enough for seven, although some are taken."""
OWNER = "P2P304_BOT_OWNER"
"""In the environment of a bot: its owner's key and mark (`BotMark`), in hexadecimal."""
ANYWHERE = ("", "0.0.0.0", "::")
"""Listening addresses that mean all addresses of this machine."""


def own_address(session: Session) -> str:
    """Return HOST:PORT at which bots on this machine reach the session."""
    bind = session.config.bind
    return f"{'127.0.0.1' if bind in ANYWHERE else bind}:{session.mesh.port}"


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
    with suppress(subprocess.TimeoutExpired):
        process.wait(2)
        return
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
        return
    process.kill()
    process.wait()
