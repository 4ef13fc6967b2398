"""A person at the full screen: lobby and table joined with a session.

Owns carrying out what the player wants. How things look and which key means what is
ui/screen's; who talks to whom on the network is the session's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import ExitStack
from typing import Any

from p2p304 import finding, seats
from p2p304.dress import dress
from p2p304.hint import hint
from p2p304.log.faults import Refused
from p2p304.net.mesh import NetError
from p2p304.rules.errors import RuleBroken
from p2p304.session import Place, Session
from p2p304.store import Store
from p2p304.table import events
from p2p304.table.events import Event
from p2p304.table.terms import plain_name
from p2p304.ui.screen.desk import Desk
from p2p304.ui.screen.intents import AddBot, AskHint, Do, Quit, Ready
from p2p304.ui.screen.lobby.intents import Join, JoinAddress, OpenTable
from p2p304.ui.screen.lobby.page import Hall
from p2p304.ui.screen.model import Model
from p2p304.ui.screen.phrases import Phrase, say
from p2p304.ui.screen.reduce import Change, Gathers, Note
from p2p304.ui.screen.render import fits
from p2p304.ui.screen.spoken import broken_rule
from p2p304.ui.screen.terminal import Terminal, Wanted, depth_for


def usable() -> bool:
    """Whether this terminal can carry the full screen: a real one, and large enough."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    with contextlib.suppress(OSError):
        size = os.get_terminal_size(sys.stdout.fileno())
        return fits(size.columns, size.lines)
    return False


class Player:
    """One player's screen at one session; ``bots`` are ended when ``stack`` closes."""

    def __init__(self, store: Store, nick: str, place: Place, stack: ExitStack) -> None:
        wear = dress(store.home)
        look, translate = wear.look, wear.translate
        self.store, self.place, self._stack = store, place, stack
        self.hall = Hall(nick, look, translate)
        self.desk = Desk(Model(me=nick), look, translate, wear.taste, wear.pace)
        self.terminal = Terminal(self.hall, self.carry_out, look.styles, depth_for(os.environ))
        self.trouble = wear.trouble
        self.session = Session(store, nick, place, self.on_event, patient=True)
        self.session.trouble = lambda sentence: self.tell(Note(sentence))
        self._bots = 0
        self._working: set[asyncio.Task[None]] = set()

    # From the table

    def on_event(self, event: Event) -> None:
        if isinstance(event, events.Members):
            self.tell(Gathers(finding.room(self.session)))
        self.tell(event)

    def tell(self, change: Change) -> None:
        self.terminal.carry_out(self.desk.tell(change, self.terminal.now))

    # From the player

    def carry_out(self, wanted: Wanted) -> None:
        """Do what the player wants; what the table refuses is told in one sentence."""
        match wanted:
            case Do():
                # Not at once: the wish may come out of the very event that is being told.
                asyncio.get_running_loop().call_soon(self._act, wanted)
            case Ready():
                self.session.ready()
            case AskHint():
                self.desk.hint(self._advice())
            case AddBot():
                self.add_bots(1)
            case Quit():
                self.terminal.leave()
            case Join() | JoinAddress() | OpenTable():
                self._start(self._sit_down(wanted))

    def add_bots(self, count: int) -> None:
        """Further seats are taken by bots, each a process of its own."""
        bind = self.place.bind
        host = "127.0.0.1" if bind == "0.0.0.0" else bind
        folder = self.store.home / "bots"  # kept: they are met again as who they are
        address = f"{host}:{self.session.mesh.port}"
        first = self._bots
        self._bots += count
        seats.start_bots(count, address, bind, folder, self._stack, first)

    def _act(self, wanted: Do) -> None:
        before = self.desk.chosen(wanted, self.terminal.now)
        try:
            self.session.act(wanted.action)
        except RuleBroken as broken:
            self.desk.refused(before, broken_rule(broken))
        except LookupError:
            self.desk.refused(before, say("The table does not wait for this now."))
        self.terminal.refresh()

    def _advice(self) -> Phrase:
        view = self.desk.model.view
        with contextlib.suppress(LookupError, ValueError):
            if view is not None:
                return hint(view, self.desk.model)
        return say("The bot knows no advice here.")

    # Lobby

    async def look_for_tables(self) -> None:
        """Listen, and search from the beginning; raises NetError if nobody could come here."""
        session = self.session
        await session.start()
        where, _, looking = session.describe().partition(". ")
        self.hall.begun(where, looking, self.terminal.now)
        session.discovery.on_change = self._found
        with contextlib.suppress(NetError):  # said already: mDNS is not there
            session.discovery.look()
        self.terminal.refresh()

    def _found(self) -> None:
        discovery = self.session.discovery
        self.hall.found(finding.offers(discovery, self.store), finding.about(discovery))
        self.terminal.refresh()

    async def _sit_down(self, wanted: Join | JoinAddress | OpenTable) -> None:
        try:
            await finding.sit_down(self.session, wanted)
        except NetError as error:
            self.hall.failed(say("{sentence}", sentence=str(error)))
        except Refused as refused:
            self.hall.failed(say("{sentence}", sentence=refused.finding.sentence))
        else:
            self.terminal.turn_to(self.desk)
            if isinstance(wanted, OpenTable):
                self.add_bots(wanted.bots)
        self.terminal.refresh()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)


async def person(
    store: Store,
    nick: str | None,
    place: Place,
    table: str | None,
    opening: seats.Opening | None,
) -> int:
    """Sit down on the full screen: at the table named, else in the lobby."""
    store.lock()
    name = plain_name(store.nick(nick))
    with ExitStack() as stack:
        stack.callback(store.close)
        player = Player(store, name, place, stack)
        for sentence in player.trouble:
            player.desk.tell(Note(sentence), 0.0)
            player.hall.failed(say("{sentence}", sentence=sentence))
        if table is not None or opening is not None:
            await seats.take_seat(player.session, table, opening)
            player.terminal.turn_to(player.desk)
            player.add_bots(opening.bots if opening is not None else 0)
            await _both(player)
        else:
            await _both(player, player.look_for_tables())
        _goodbye(player.session)
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


async def _both(player: Player, first: Coroutine[Any, Any, None] | None = None) -> None:
    """Screen and session. When the table is over the screen stays for as long as its player
    looks at it; when the player leaves, or the terminal goes away, the session ends."""
    _leave_with_the_terminal(player.session)
    screen = asyncio.create_task(player.terminal.run())
    table = asyncio.create_task(_table(player.session, first))
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


async def _table(session: Session, first: Coroutine[Any, Any, None] | None) -> None:
    if first is not None:
        await first
    await session.run()


def _leave_with_the_terminal(session: Session) -> None:
    """A window that is closed ends the session in order: files shut, goodbyes said."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError, AttributeError):
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, session.leave)
