"""A player at the full screen: connects the lobby page and the table page with a session.

Responsible for carrying out what the player wants. How things look is
ui/fullscreen/view/render.py's, what a key means ui/fullscreen/input/keys.py's; the network is the
session's.
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

from p2p304 import USUAL_PORT
from p2p304.app import joining
from p2p304.app.config import NewTable, NodeConfig, ResumeTarget, Target
from p2p304.app.network_phrases import kept_transcript, left_table
from p2p304.app.session import Session
from p2p304.app.state_dump import answer_signal
from p2p304.crypto.rng import Rng
from p2p304.frontends import lobby
from p2p304.frontends.appearance import change_settings, read_appearance
from p2p304.frontends.lobby import REMATCH_TIME, NextTable
from p2p304.frontends.seated_player import SeatedPlayer
from p2p304.learn.lesson import Lesson
from p2p304.log.faults import Refused
from p2p304.net.errors import NetError
from p2p304.net.interfaces import own_interfaces, way_out
from p2p304.net.sweep import addresses_to_ask, answering
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder, name_from_login
from p2p304.storage.lessons_done import lessons_done, note_lesson
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.gathering.list_acceptance import is_about_passphrase
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.fullscreen.lobby.intents import (
    AskNetwork,
    ChangeSettings,
    GoOn,
    Join,
    JoinAddress,
    Learn,
    OpenTable,
    Rename,
    ShowHistory,
    Wanted,
    Watch,
)
from p2p304.ui.fullscreen.lobby.name_page import NamePage
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import (
    AddBot,
    Again,
    AskHint,
    Chat,
    ConfirmCode,
    CutPack,
    Decide,
    Do,
    GoOnWithout,
    Part,
    Quit,
    Ready,
    Sit,
    ToLobby,
)
from p2p304.ui.narration.model import Model, WaitingVisitor
from p2p304.ui.narration.reducer import Change, Decided, Gathers, Knocked, Note
from p2p304.ui.terminal.application import Terminal, depth_for
from p2p304.ui.terminal.frame import fits
from p2p304.ui.text.narrator import Narrator


def hesitation() -> float:
    """Return the seconds before a queued card is played, drawn anew each time."""
    return 0.3 + Rng.system().below(1200) / 1000


def is_usable() -> bool:
    """Whether this terminal can show the full screen: a real terminal, and large enough."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    with contextlib.suppress(OSError):
        size = os.get_terminal_size(sys.stdout.fileno())
        return fits(size.columns, size.lines)
    return False


class Player:
    """One player's screen at one session; its bots are ended when ``stack`` closes."""

    def __init__(
        self,
        store: DataFolder,
        nick: str,
        config: NodeConfig,
        stack: ExitStack,
        target: Target | NextTable | None,
    ) -> None:
        appearance = read_appearance(store.home)
        look, translate = appearance.look, appearance.translate
        self.store = store
        secret = config.passphrase or ""
        self.lobby_page = LobbyPage(nick, look, translate, lobby.form(config), secret)
        self.lobby_page.set_appearance(look, translate, appearance.settings)
        self.table_page = TablePage(
            Model(me=nick, keys=appearance.controls.keys, claims=True),
            look,
            translate,
            appearance.controls,
            appearance.pace,
            hesitation,
        )
        self.terminal = Terminal(
            self.lobby_page, self.carry_out, look.styles, depth_for(os.environ)
        )
        self.trouble = appearance.trouble
        memory = target.table.memory if isinstance(target, ResumeTarget) else None
        self.session = Session(store, nick, config, self.on_event, patient=True, memory=memory)
        self.session.reports.show = lambda phrase: self.tell(Note(phrase))
        self.seated = SeatedPlayer(self.session, stack)
        self.next: GoOn | Watch | Rename | ShowHistory | Learn | ToLobby | NextTable | None = None
        """What follows when this screen is closed; None: the program ends."""
        self._working: set[asyncio.Task[None]] = set()

    # From the table

    def on_event(self, event: Event) -> None:
        cut = self.table_page.controls.cut
        if isinstance(event, events.CutOffered) and self.seated.has_cut(cut):
            return
        if self.seated.may_ignore(event):
            return
        if isinstance(event, events.Members):
            self.tell(Gathers(lobby.room(self.session)))
            self.seated.seat_request.heard(event)
        if isinstance(event, events.TurnedAway):
            retry = self.session.joined if is_about_passphrase(event.sentence) else None
            self.carry_out(ToLobby(event.sentence, retry))
            return
        if isinstance(event, events.JoinRequest):
            told = self.seated.introduce(event)
            if told is not None:
                self.tell(Knocked(WaitingVisitor(event.key, told)))
            return
        self.tell(event)

    def remember(self) -> None:
        """Show, all at once, what happened at the table before this node resumed it."""
        for event in self.session.take_past():
            self.table_page.recall(event, self.terminal.now)

    def tell(self, change: Change) -> None:
        self.terminal.carry_out(self.table_page.tell(change, self.terminal.now))

    # From the player

    def carry_out(self, wanted: Wanted) -> None:
        """Do what the player wants; a refusal of the table is shown in one sentence."""
        match wanted:
            case Do():
                # Not at once: the intent may result from the event that is being handled.
                asyncio.get_running_loop().call_soon(self._act, wanted)
            case AskHint() if self.table_page.model.may_be_taught:
                self._start(self._teach())
            case AskHint():
                from p2p304.frontends.hints import advice

                self.table_page.hint(advice(self.table_page.model))
            case Quit():
                self.terminal.leave()
            case Watch() | GoOn() | Rename() | ShowHistory() | Learn() | ToLobby():
                self.next = wanted
                self.terminal.leave()
            case Again(how=how):
                model, plays = self.table_page.model, self.seated.bots.plays
                self.next = lobby.next_table(self.session, how, model.seat, plays) or ToLobby()
                self.terminal.leave()
            case AskNetwork():
                self._start(self._ask_network())
            case ChangeSettings():
                self._change_settings(wanted)
            case Join() | JoinAddress() | OpenTable():
                self._start(self._sit_down(wanted))
            case (
                Ready()
                | CutPack()
                | Decide()
                | Part()
                | GoOnWithout()
                | Sit()
                | Chat()
                | AddBot()
                | ConfirmCode()
            ):
                refused = self.seated.carry_out(wanted)
                if refused is not None:
                    self.table_page.note(refused)
                if isinstance(wanted, Decide):
                    self.tell(Decided(wanted.key))

    def _change_settings(self, wanted: ChangeSettings) -> None:
        """Write the settings, and draw with them at once."""
        failed = change_settings(self.store.home, wanted.values)
        if failed is not None:
            self.lobby_page.failed(failed)
        if any(place == ("", "language") for place, _ in wanted.values):
            os.environ.pop("P2P304_LANGUAGE", None)  # what was chosen last counts
        now = read_appearance(self.store.home)
        self.lobby_page.set_appearance(now.look, now.translate, now.settings)
        self.table_page.set_appearance(now.look, now.translate, now.controls, now.pace)
        self.terminal.set_styles(now.look.styles)

    def _act(self, wanted: Do) -> None:
        before = self.table_page.chosen(wanted, self.terminal.now)
        refused = self.seated.carry_out(wanted)
        if refused is not None:
            self.table_page.refused(before, refused)
        self.terminal.refresh()

    # Lobby

    async def look_for_tables(self) -> None:
        """Listen, and search from the beginning; raises NetError if this node cannot listen."""
        session = self.session
        await session.start()
        self.lobby_page.begun(session.describe(), self.terminal.now)
        for item in resumable_tables(self.store)[:1]:
            self.lobby_page.can_go_on(left_table(item, session.key.public))
        if not (lessons_done(self.store.home) or self.store.has_played):
            self.lobby_page.propose_lessons()
        session.discovery.on_change = self._found
        with contextlib.suppress(NetError):  # reported already: there is no mDNS
            session.discovery.look()
        self.terminal.refresh()

    def _found(self) -> None:
        discovery = self.session.discovery
        self.lobby_page.found(lobby.offers(discovery, self.store), lobby.about(discovery))
        self.terminal.refresh()

    async def _ask_network(self) -> None:
        config = self.session.config
        only = config.interfaces or ([] if config.bind in ("", "0.0.0.0", "::") else [config.bind])
        try:
            asked = addresses_to_ask(own_interfaces(), only, way_out())
        except OSError:
            self.lobby_page.cannot_ask()
        else:
            self.lobby_page.asked(await answering(asked, USUAL_PORT), USUAL_PORT)
        self.terminal.refresh()

    async def look_and_join(self, table: str | NextTable) -> None:
        """Search for tables, and join or open this one."""
        await self.look_for_tables()
        if isinstance(table, str):
            self.lobby_page.joining(table)
            self._start(self._sit_down(table))
        elif table.asks_rules and isinstance(table.wanted, OpenTable):
            self.lobby_page.ask_rules(lobby.form_of(table.wanted))
        else:
            self.lobby_page.joining(table.name)
            if isinstance(table.wanted, JoinAddress):
                self.lobby_page.awaiting_rematch()
            self._start(self._sit_down(table.wanted, REMATCH_TIME))
        self.terminal.refresh()

    async def _sit_down(
        self, wanted: Join | JoinAddress | OpenTable | str, patience: float = 0.0
    ) -> None:
        """Take a seat; try again for ``patience`` seconds, until the table is open."""
        try:
            if isinstance(wanted, str):
                await joining.join_typed(self.session, wanted)
            else:
                await lobby.sit_down_patiently(self.session, wanted, patience)
        except NetError as error:
            self.lobby_page.failed(error.phrase)
        except Refused as refused:
            self.lobby_page.failed(say("{sentence}", sentence=refused.finding.sentence))
        else:
            self.terminal.turn_to(self.table_page)
            if isinstance(wanted, OpenTable):
                self.seated.bots.plays = wanted.bots_play
                self.seated.bots.invite(wanted.bots, wanted.bot_seats)
        self.terminal.refresh()

    def stop_working(self) -> None:
        """Give up a seat that is being taken."""
        for task in self._working:
            task.cancel()

    async def _teach(self) -> None:
        """Let the teacher judge the hand that is over. That takes a second: the node goes on."""
        from p2p304.frontends.hints import lessons

        model = self.table_page.model
        self.table_page.note(say("The teacher looks at your cards …"))
        self.terminal.refresh()
        told = await asyncio.to_thread(lessons, model)
        self.table_page.teach(model.ended[-1].number, told)
        self.terminal.refresh()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)


async def play(
    store: DataFolder, nick: str | None, config: NodeConfig, target: Target | NextTable | None
) -> int:
    """Play on the full screen: at the table named, at the one to resume, or else from the lobby."""
    store.lock()
    with ExitStack() as kept:
        kept.callback(store.close)
        if nick is None and store.last_nick is None and not isinstance(target, ResumeTarget):
            nick = await _ask_name(store)
            if nick is None:
                return 0
        name = store.nick(nick)
        back = ToLobby()
        while True:
            with ExitStack() as stack:
                player = Player(store, name, lobby.config_for(config, target), stack, target)
                _show_why(player.lobby_page, back)
                await _run_session(player, target)
            target, back = None, ToLobby()
            match player.next:
                case GoOn():
                    target = ResumeTarget(joining.find_resumable(store, None))
                case Rename(name=name):
                    store.nick(name)
                case Watch(host=host, port=port):
                    back = ToLobby(await _watch(host, port, store))
                case ShowHistory():
                    await _look_back(store)
                case Learn():
                    if await learn(store):
                        return 0
                case ToLobby():
                    back = player.next
                case NextTable(config=config):
                    target = player.next
                case None:
                    break
    _print_transcript(player)
    return 0


def _show_why(page: LobbyPage, back: ToLobby) -> None:
    """Show on the lobby why the player is there again, and ask for a passphrase that was wanted."""
    if back.note is not None:
        page.failed(back.note)
    if back.retry is not None:
        page.ask_passphrase(back.retry)


async def _look_back(store: DataFolder) -> None:
    """Show the tables that were played until the player leaves the list."""
    from p2p304.frontends import history_screen
    from p2p304.offline.history_report import verified

    await history_screen.show(verified(store), store)


async def learn_first(store: DataFolder, first: Lesson | None) -> int:
    """Show the lessons, and then the lobby, unless the learner leaves the program."""
    return 0 if await learn(store, first) else await play(store, None, NodeConfig(), None)


async def learn(store: DataFolder, first: Lesson | None = None) -> bool:
    """Show the lessons, or one of them first; returns whether the learner leaves the program."""
    from p2p304.learn.screen import Lessons

    appearance, home = read_appearance(store.home), store.home
    lessons = Lessons(
        store.last_nick or name_from_login() or "Player",
        appearance.look,
        appearance.translate,
        appearance.controls,
        appearance.pace,
        lessons_done(home),
        lambda name: note_lesson(home, name),
    )
    return await lessons.show(first)


async def _watch(host: str, port: int, store: DataFolder) -> Phrase | None:
    """Watch until the spectator leaves; returns a sentence if that was not possible."""
    from p2p304.frontends import spectator_screen

    try:
        await spectator_screen.show(host, port, read_appearance(store.home), store.nick(None))
    except NetError as error:
        return error.phrase
    return None


async def _ask_name(store: DataFolder) -> str | None:
    """Ask for the player's name at the first start; None if the player leaves instead."""
    appearance = read_appearance(store.home)
    answers: list[str] = []

    def carry_out(wanted: Wanted) -> None:
        if isinstance(wanted, Rename):
            answers.append(wanted.name)
        terminal.leave()

    page = NamePage(name_from_login(), appearance.look, appearance.translate)
    terminal: Terminal[Wanted] = Terminal(
        page, carry_out, appearance.look.styles, depth_for(os.environ)
    )
    await terminal.run()
    return answers[0] if answers else None


async def _run_session(player: Player, target: Target | NextTable | None) -> None:
    """Run one session, from taking a seat, or the lobby, to leaving."""
    answer_signal(player.session)
    for phrase in player.trouble:
        player.table_page.tell(Note(phrase), 0.0)
        player.lobby_page.failed(phrase)
    if target is None or isinstance(target, str | NextTable):
        first = player.look_for_tables() if target is None else player.look_and_join(target)
        await _run_screen_and_session(player, first)
        return
    player.remember()
    await player.seated.sit_down(target)
    player.terminal.turn_to(player.table_page)
    if not (isinstance(target, NewTable) and target.bots == target.rules.seats - 1):
        for phrase in player.session.describe():  # where people may come
            player.tell(Note(phrase, plain=True))
    await _run_screen_and_session(player)


def _print_transcript(player: Player) -> None:
    """Say where the transcript is, on the terminal after the full screen is closed."""
    path = player.session.transcript
    if path is None or not path.exists():
        return
    teller = Narrator(None, read_appearance(player.store.home).translate)
    with contextlib.suppress(OSError):  # the terminal may be closed
        for phrase in kept_transcript(path):
            sys.stdout.write(f"{teller.text(phrase)}\n")
        sys.stdout.flush()


async def _run_screen_and_session(
    player: Player, first: Coroutine[Any, Any, None] | None = None
) -> None:
    """Run the screen and the session. When the table is over, the screen stays until the player
    closes it. When the player leaves, or the terminal is closed, the session ends."""
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
        player.stop_working()
        told = await asyncio.gather(table, screen, return_exceptions=True)
    for error in told:
        if isinstance(error, BaseException):
            raise error


async def _table(session: Session, first: Coroutine[Any, Any, None] | None) -> None:
    if first is not None:
        await first
    await session.run()


def _leave_with_the_terminal(player: Player) -> None:
    """End the session in order when the window is closed: close files, say goodbye to peers."""
    loop = asyncio.get_running_loop()
    if sys.platform != "win32":  # asyncio takes no signals there
        for number in (signal.SIGHUP, signal.SIGTERM):
            loop.add_signal_handler(number, player.terminal.leave)
