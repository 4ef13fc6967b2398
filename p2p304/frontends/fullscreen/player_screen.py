"""One player's screens at one session: the lobby page and the table page on one terminal.

Responsible for carrying out what the player wants. How things look is
ui/fullscreen/view/render.py's, what a key means ui/fullscreen/input/keys.py's; the network is the
session's, and what follows when the screens are closed is fullscreen.py's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Coroutine
from contextlib import ExitStack
from typing import Any

from p2p304 import USUAL_PORT
from p2p304.app import joining
from p2p304.app.config import NewTable, NodeConfig, ResumeTarget, Target
from p2p304.app.network_phrases import left_table
from p2p304.app.process.command_runner import left_by_signal
from p2p304.app.session import Session
from p2p304.crypto.rng import Rng
from p2p304.frontends import lobby
from p2p304.frontends.appearance import change_settings, read_appearance
from p2p304.frontends.lobby import NextTable
from p2p304.frontends.seated_player import SeatedPlayer
from p2p304.frontends.state_dump import answer_signal
from p2p304.log.faults import Refused
from p2p304.net.errors import NetError
from p2p304.net.interfaces import own_interfaces, way_out
from p2p304.net.links.sweep import addresses_to_ask, answering
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.storage.files import why
from p2p304.storage.lessons_done import lessons_done
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.gathering.list_acceptance import is_about_passphrase
from p2p304.table.machine.own_turns import CUT_TIME
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.fullscreen.full_screen import full_screen, quit_question
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
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import Again, AskHint, Decide, Do, Quit, TableIntent, ToLobby
from p2p304.ui.narration.model import Model, WaitingVisitor
from p2p304.ui.narration.reducer import Change, Decided, Gathers, Knocked, Note
from p2p304.ui.terminal.application import Terminal


def hesitation() -> float:
    """Return the seconds before a queued card is played, drawn anew each time."""
    return 0.3 + Rng.system().below(1200) / 1000


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
        self.terminal: Terminal[Wanted] = full_screen(
            self.lobby_page, self.carry_out, look, translate
        )
        self.trouble = appearance.trouble
        memory = target.table.memory if isinstance(target, ResumeTarget) else None
        self.session = Session(store, nick, config, self.on_event, patient=True, memory=memory)
        self.session.node.give_time_to_cut(appearance.pace.cut_time(CUT_TIME))
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
        if isinstance(event, gathering_events.Members):
            self.tell(Gathers(lobby.room(self.session)))
            self.seated.seat_request.heard(event)
        if isinstance(event, gathering_events.TurnedAway):
            retry = self.session.joined if is_about_passphrase(event.sentence) else None
            self.carry_out(ToLobby(event.sentence, retry))
            return
        if isinstance(event, gathering_events.JoinRequest):
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
                self._start(self._advise())
            case Quit(bots_stay=stay):
                self.seated.bots.stay = stay
                self.terminal.leave()
            case Watch() | GoOn() | Rename() | ShowHistory() | Learn() | ToLobby():
                self.next = wanted
                self.terminal.leave()
            case Again(how=how):
                seat, bots = self.table_page.model.seat, self.seated.bots
                again = lobby.next_table(self.session, how, seat, bots.plays, bots.pace)
                self.next = again or ToLobby()
                self.terminal.leave()
            case AskNetwork():
                self._start(self._ask_network())
            case ChangeSettings():
                self._change_settings(wanted)
            case OpenTable() if table := lobby.opened_elsewhere(self.session.config, wanted):
                self.next = table
                self.terminal.leave()
            case Join() | JoinAddress() | OpenTable():
                self._start(self._sit_down(wanted))
            case _ if isinstance(wanted, TableIntent):
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
        self.terminal.question = quit_question(now.look, now.translate)
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
            if table.host:
                self.lobby_page.awaiting_rematch(table.host, self.terminal.now)
            self._start(self._sit_down(table))
        self.terminal.refresh()

    async def _sit_down(self, chosen: Join | JoinAddress | OpenTable | NextTable | str) -> None:
        """Take a seat, at a table that is to be opened again as soon as it is open."""
        wanted = chosen.wanted if isinstance(chosen, NextTable) else chosen
        try:
            if isinstance(wanted, str):
                await joining.join_typed(self.session, wanted)
            elif isinstance(chosen, NextTable):
                await lobby.sit_down_again(self.session, chosen)
            else:
                await lobby.sit_down(self.session, wanted)
        except NetError as error:
            self.lobby_page.failed(error.phrase)
        except Refused as refused:
            self.lobby_page.failed(say("{sentence}", sentence=refused.finding.sentence))
        else:
            self.terminal.turn_to(self.table_page)
            if isinstance(wanted, OpenTable):
                self._invite(wanted)
        self.terminal.refresh()

    def _invite(self, wanted: OpenTable) -> None:
        """Let the bots in that a table was opened with."""
        self.seated.bots.plays = wanted.bots_play
        try:
            refused = self.seated.bots.invite(wanted.bots, wanted.bot_seats)
        except DataFolderError as error:
            refused = say("The bots could not be started. {why}", why=error.phrase)
        except OSError as error:
            refused = say("The bots could not be started: {why}.", why=why(error))
        if refused is not None and wanted.bots:
            self.table_page.note(refused)

    def stop_working(self) -> None:
        """Give up a seat that is being taken."""
        for task in self._working:
            task.cancel()

    async def _advise(self) -> None:
        """Give the hint for this turn. That takes up to a second: the node goes on."""
        from p2p304.frontends.hints import LATE, SEARCHED, advice

        page, asked = self.table_page, self.table_page.model

        def tell(phrase: Phrase) -> None:
            if page.model.is_my_turn and page.model.turn == asked.turn:
                page.hint(phrase)
                self.terminal.refresh()

        search = asyncio.create_task(asyncio.to_thread(advice, asked))
        if not (await asyncio.wait({search}, timeout=LATE))[0]:
            tell(SEARCHED)
        tell(await search)

    async def _teach(self) -> None:
        """Let the teacher judge the hand that is over. That takes a second: the node goes on."""
        from p2p304.frontends.hints import lessons

        model = self.table_page.model
        self.table_page.note(say("The teacher looks at your hand …"))
        self.terminal.refresh()
        told = await asyncio.to_thread(lessons, model)
        self.table_page.teach(model.ended[-1].number, told)
        self.terminal.refresh()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._working.add(task)
        task.add_done_callback(self._working.discard)


async def run_session(player: Player, target: Target | NextTable | None) -> None:
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


async def _run_screen_and_session(
    player: Player, first: Coroutine[Any, Any, None] | None = None
) -> None:
    """Run the screen and the session. When the table is over, the screen stays until the player
    closes it. When the player leaves, or the terminal is closed, the session ends."""
    with left_by_signal(player.terminal.leave):  # as when the window is closed
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
            await player.session.held_port.release()
    for error in told:
        if isinstance(error, BaseException):
            raise error


async def _table(session: Session, first: Coroutine[Any, Any, None] | None) -> None:
    if first is not None:
        await first
    await session.run()
