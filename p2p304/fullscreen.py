"""A person at the full screen: a session, a page, and what the player wants, joined.

Owns carrying out intents at the table, and what a hint is. How things look and which key means
what is ui/screen's; who talks to whom on the network is the session's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from contextlib import ExitStack

from p2p304 import seats
from p2p304.hint import hint
from p2p304.rules.errors import RuleBroken
from p2p304.session import Place, Session
from p2p304.store import Store
from p2p304.table.events import Event
from p2p304.table.terms import plain_name
from p2p304.ui.screen.desk import Desk
from p2p304.ui.screen.intents import AskHint, Do, Intent, Quit, Ready
from p2p304.ui.screen.model import Model
from p2p304.ui.screen.phrases import say
from p2p304.ui.screen.reduce import Change, Note
from p2p304.ui.screen.render import fits
from p2p304.ui.screen.spoken import broken_rule
from p2p304.ui.screen.terminal import Terminal, depth_for
from p2p304.ui.theme import Wish, look_for


def usable() -> bool:
    """Whether this terminal can carry the full screen: a real one, and large enough."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    with contextlib.suppress(OSError):
        size = os.get_terminal_size(sys.stdout.fileno())
        return fits(size.columns, size.lines)
    return False


class Player:
    """One player's screen at one session."""

    def __init__(self, store: Store, nick: str, place: Place) -> None:
        look = look_for(Wish(), os.environ, sys.stdout.encoding or "ascii")
        self.desk = Desk(Model(me=nick), look)
        self.terminal = Terminal(self.desk, self.carry_out, look.styles, depth_for(os.environ))
        self.session = Session(store, nick, place, self.on_event, patient=True)
        self.session.trouble = lambda sentence: self.tell(Note(sentence))

    def on_event(self, event: Event) -> None:
        self.tell(event)

    def tell(self, change: Change) -> None:
        self.terminal.carry_out(self.desk.tell(change, self.terminal.now))

    def carry_out(self, intent: Intent) -> None:
        """Do what the player wants; what the table refuses is told in one sentence."""
        match intent:
            case Do():
                # Not at once: the wish may come out of the very event that is being told.
                asyncio.get_running_loop().call_soon(self._act, intent)
            case Ready():
                self.session.ready()
            case AskHint():
                self._hint()
            case Quit():
                self.terminal.leave()

    def _act(self, intent: Do) -> None:
        before = self.desk.chosen(intent, self.terminal.now)
        try:
            self.session.act(intent.action)
        except RuleBroken as broken:
            self.desk.refused(before, broken_rule(broken))
        except LookupError:
            self.desk.refused(before, say("The table does not wait for this now."))
        self.terminal.refresh()

    def _hint(self) -> None:
        view = self.desk.model.view
        try:
            advice = None if view is None else hint(view, self.desk.model)
        except (LookupError, ValueError):
            advice = None
        self.desk.hint(advice or say("The bot knows no advice here."))


async def person(
    store: Store,
    nick: str | None,
    place: Place,
    table: str | None,
    opening: seats.Opening | None,
) -> int:
    """Sit down at a table on the full screen, until it is over or the player leaves."""
    store.lock()
    name = plain_name(store.nick(nick))
    with ExitStack() as stack:
        stack.callback(store.close)
        player = Player(store, name, place)
        session = player.session
        await seats.take_seat(session, table, opening)
        player.tell(Note(session.describe(), plain=True))
        if opening is not None and opening.bots:
            folder = store.home / "bots"  # kept: they are met again as who they are
            bind = "127.0.0.1" if place.bind == "0.0.0.0" else place.bind
            address = f"{bind}:{session.mesh.port}"
            seats.start_bots(opening.bots, address, place.bind, folder, stack)
        await _both(player)
        _goodbye(session)
    return 0


def _goodbye(session: Session) -> None:
    """Where the evening is kept, on the terminal as it was."""
    if session.transcript is None or not session.transcript.exists():
        return
    with contextlib.suppress(OSError):  # a terminal that is gone reads nothing
        sys.stdout.write(f"Transcript: {session.transcript}\n")
        sys.stdout.write(f"Anybody can verify it: p2p304 audit {session.transcript}\n")
        sys.stdout.write(f"Look at it again: p2p304 replay {session.transcript}\n")
        sys.stdout.flush()


async def _both(player: Player) -> None:
    """Screen and session. When the table is over the screen stays for as long as its player
    looks at it; when the player leaves, or the terminal goes away, the session ends."""
    _leave_with_the_terminal(player.session)
    table = asyncio.create_task(player.session.run())
    screen = asyncio.create_task(player.terminal.run())
    try:
        await asyncio.wait((table, screen), return_when=asyncio.FIRST_COMPLETED)
        if table.done() and table.exception() is None:
            await asyncio.wait((screen,))
    finally:
        player.session.leave()
        player.terminal.leave()
        told = await asyncio.gather(table, screen, return_exceptions=True)
    for error in told:
        if isinstance(error, BaseException):
            raise error


def _leave_with_the_terminal(session: Session) -> None:
    """A window that is closed ends the session in order: files shut, goodbyes said."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError, AttributeError):
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, session.leave)
