"""A person at the full screen: lobby and table joined with a session.

Responsible for carrying out what the player wants. How things look and which key means what is
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

from p2p304.app import joining
from p2p304.app.config import NewTable, NodeConfig, ResumeTarget
from p2p304.app.session import Session
from p2p304.crypto.rng import Rng
from p2p304.frontends import lobby
from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.bot_guests import BotGuests
from p2p304.frontends.seat_request import SeatRequest
from p2p304.log.faults import Refused
from p2p304.net.links.mesh import NetError
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import unfinished
from p2p304.table.agreement.terms import plain_name
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.fullscreen.input.typed_line import broken_rule
from p2p304.ui.fullscreen.lobby.intents import GoOn, Join, JoinAddress, OpenTable, Wanted, Watch
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.model.intents import (
    AddBot,
    AskHint,
    Decide,
    Do,
    GoOnWithout,
    Part,
    Quit,
    Ready,
    Sit,
    Talk,
)
from p2p304.ui.fullscreen.model.model import Model, WaitingVisitor
from p2p304.ui.fullscreen.model.reducer import Change, Decided, Gathers, Knocked, Note
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.terminal.application import Terminal, depth_for
from p2p304.ui.terminal.frame import fits


def hesitation() -> float:
    """Seconds before a queued card is played, drawn anew each time."""
    return 0.3 + Rng.system().below(1200) / 1000


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

    def __init__(
        self,
        store: DataFolder,
        nick: str,
        place: NodeConfig,
        stack: ExitStack,
        back: ResumeTarget | None,
    ) -> None:
        wear = read_appearance(store.home)
        look, translate = wear.look, wear.translate
        self.store = store
        self.hall = LobbyPage(nick, look, translate)
        self.desk = TablePage(
            Model(me=nick, claims=True), look, translate, wear.taste, wear.pace, hesitation
        )
        self.terminal = Terminal(self.hall, self.carry_out, look.styles, depth_for(os.environ))
        self.trouble = wear.trouble
        memory = back.table.memory if back is not None else None
        self.session = Session(store, nick, place, self.on_event, patient=True, memory=memory)
        self.session.trouble = lambda sentence: self.tell(Note(sentence))
        self.wish = SeatRequest(self.session, place.seat)
        self.company = BotGuests(self.session, store, stack)
        self.going_back = False
        self.watching: tuple[str, int] | None = None
        self._working: set[asyncio.Task[None]] = set()

    # From the table

    def on_event(self, event: Event) -> None:
        if isinstance(event, events.Members):
            self.tell(Gathers(lobby.room(self.session)))
            self.wish.heard(event)
        if isinstance(event, events.JoinRequest):
            self._knocked(event)
            return
        self.tell(event)

    def _knocked(self, knock: events.JoinRequest) -> None:
        """Bots that were invited come in; about everybody else the player is asked."""
        if self.company.knows(knock.key):
            asyncio.get_running_loop().call_soon(self.session.decide, knock.key, True)
        else:
            self.tell(Knocked(WaitingVisitor(knock.key, self.session.introduce(knock))))

    def remember(self) -> None:
        """What had happened at the table before this node came back to it, all at once."""
        for event in self.session.past:
            self.desk.recall(event, self.terminal.now)

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
            case Decide(key=key, welcome=welcome):
                self.session.decide(key, welcome)
                self.tell(Decided(key))
            case Part():
                self._part()
            case GoOnWithout(key=key):
                self._go_on_without(key)
            case Sit(seat=seat):
                self._sit(seat)
            case Talk(text=text):
                self._say(text)
            case AskHint():
                self.desk.hint(self._advice())
            case AddBot():
                self.company.invite(1)
            case Quit():
                self.terminal.leave()
            case Watch(host=host, port=port):
                self.watching = (host, port)
                self.terminal.leave()
            case GoOn():
                self.going_back = True
                self.terminal.leave()
            case Join() | JoinAddress() | OpenTable():
                self._start(self._sit_down(wanted))

    def _act(self, wanted: Do) -> None:
        before = self.desk.chosen(wanted, self.terminal.now)
        try:
            self.session.act(wanted.action)
        except RuleBroken as broken:
            self.desk.refused(before, broken_rule(broken))
        except LookupError:
            self.desk.refused(before, say("The table does not wait for this now."))
        self.terminal.refresh()

    def _go_on_without(self, key: bytes) -> None:
        try:
            self.session.go_on_without(key)
        except LookupError:
            self.desk.note(say("The table does not wait for this player any more."))

    def _part(self) -> None:
        try:
            self.session.part()
        except LookupError as error:
            self.desk.note(say("That is not possible now: {why}.", why=str(error)))

    def _sit(self, seat: int) -> None:
        if self.wish.ask(seat) is not None:
            self.desk.note(say("This seat cannot be chosen any more."))

    def _say(self, text: str) -> None:
        try:
            self.session.say(text)
        except (LookupError, ValueError):
            self.desk.note(say("Talk is for between hands."))

    def _advice(self) -> Phrase:
        from p2p304.frontends.hints import hint

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
        for item in unfinished(self.store)[:1]:
            self.hall.can_go_on(item.describe(session.key.public))
        session.discovery.on_change = self._found
        with contextlib.suppress(NetError):  # said already: mDNS is not there
            session.discovery.look()
        self.terminal.refresh()

    def _found(self) -> None:
        discovery = self.session.discovery
        self.hall.found(lobby.offers(discovery, self.store), lobby.about(discovery))
        self.terminal.refresh()

    async def _sit_down(self, wanted: Join | JoinAddress | OpenTable) -> None:
        try:
            await lobby.sit_down(self.session, wanted)
        except NetError as error:
            self.hall.failed(say("{sentence}", sentence=str(error)))
        except Refused as refused:
            self.hall.failed(say("{sentence}", sentence=refused.finding.sentence))
        else:
            self.terminal.turn_to(self.desk)
            if isinstance(wanted, OpenTable):
                self.company.invite(wanted.bots)
        self.terminal.refresh()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)


async def person(
    store: DataFolder,
    nick: str | None,
    place: NodeConfig,
    table: str | None,
    opening: NewTable | None,
    back: ResumeTarget | None = None,
) -> int:
    """Sit down on the full screen: at the table named, at the one to come back to, else in the
    lobby."""
    store.lock()
    name = plain_name(store.nick(nick))
    with ExitStack() as kept:
        kept.callback(store.close)
        with ExitStack() as stack:
            player = Player(store, name, place, stack, back)
            await _evening(player, table, opening, back)
        if player.going_back:
            with ExitStack() as stack:
                back = ResumeTarget(joining.the_unfinished(store, None))
                player = Player(store, name, place, stack, back)
                await _evening(player, None, None, back)
        if player.watching is not None:
            from p2p304.frontends import spectator_screen

            return await spectator_screen.show(*player.watching, read_appearance(store.home))
    _goodbye(player.session)
    return 0


async def _evening(
    player: Player, table: str | None, opening: NewTable | None, back: ResumeTarget | None
) -> None:
    """From sitting down, or the lobby, to leaving."""
    for sentence in player.trouble:
        player.desk.tell(Note(sentence), 0.0)
        player.hall.failed(say("{sentence}", sentence=sentence))
    if table is None and opening is None and back is None:
        await _both(player, player.look_for_tables())
        return
    player.remember()
    await joining.take_seat(player.session, table, opening, back)
    player.terminal.turn_to(player.desk)
    player.tell(Note(player.session.describe(), plain=True))
    if opening is not None:
        player.company.invite(opening.bots)
    if back is not None:
        player.company.wake(back.table.table)
    await _both(player)


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
    _leave_with_the_terminal(player)
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


def _leave_with_the_terminal(player: Player) -> None:
    """A window that is closed ends the session in order: files shut, goodbyes said."""
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError, AttributeError):
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, player.terminal.leave)
