"""The state of a node in one line, to find out why a table does not go on.

Responsible for the words of that line and for the signal that asks for it (SIGUSR1, where it
exists). It reveals no secret and changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
from collections.abc import Callable
from typing import Any

from p2p304.app.session import Session
from p2p304.storage.files import DataFolderError, write_whole

STATE_FILE = "state.json"


def state(session: Session) -> dict[str, Any]:
    """Return the place in the log, the player who is due, missing receipts, links and dialled
    addresses."""
    node, mesh = session.node, session.mesh
    table = node.table
    members = {
        guest.key: guest.nick
        for guest in (node.meeting.list.guests if node.meeting.list is not None else ())
    }
    found: dict[str, Any] = {
        "nick": session.nick,
        "members": list(members.values()),
        "finished": node.is_finished,
        "links": {
            members.get(key, key.hex()[:8]): f"{link.host}:{link.port} for {link.age:.0f} s"
            for key, link in mesh.links.items()
        },
        "dials": {
            members.get(key, key.hex()[:8]): [f"{host}:{port}" for host, port in addresses]
            for key, addresses in mesh.dialled.items()
        },
        "mdns": session.discovery.is_open,
    }
    if table is not None:
        due = table.replica.due
        found |= {
            "place": table.chain.next_seq,
            "receipts missing": [table.terms.players[p].nick for p in table.chain.missing()],
            "due": None if due is None else [table.terms.players[due.player].nick, *due.kinds],
            "stopped": None if table.stopped is None else str(table.stopped),
        }
    return found


def answer_signal(session: Session, say: Callable[[str], None] | None = None) -> None:
    """From now on answer SIGUSR1 with the state, as JSON on one line: to ``state.json`` in the data
    folder, and to ``say`` where lines can be printed."""

    def answer() -> None:
        line = json.dumps(state(session))
        if say is not None:
            say(line)
        with contextlib.suppress(DataFolderError):  # a full disk must not stop the node
            write_whole(session.store.home / STATE_FILE, f"{line}\n".encode())

    if hasattr(signal, "SIGUSR1"):
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, answer)
