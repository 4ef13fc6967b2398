"""A player in text mode: at a terminal without the full screen, or at a pipe.

Responsible for passing typed lines to a session and events to the screen, from one table to the
next. What is shown, and what a line means, is ui/text/screen.py's; what is asked beside a table is
lobby.py's.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from p2p304.app.config import NewTable, NodeConfig, ResumeTarget, Target
from p2p304.app.joining import print_line
from p2p304.app.network_phrases import kept_transcript, left_table
from p2p304.app.process.exit_status import FAILED
from p2p304.app.session import Session
from p2p304.frontends import lobby as tables
from p2p304.frontends.lobby import NextTable
from p2p304.frontends.seated_player import SeatedPlayer
from p2p304.frontends.state_dump import answer_signal
from p2p304.frontends.text.lobby import Chosen, TextLobby
from p2p304.frontends.text.typed_lines import (
    TypedLines,
    ring_terminal,
    say_above_prompt,
    typed_into_pipe,
    typed_on_terminal,
)
from p2p304.frontends.visitors import visitor_word, visitor_words
from p2p304.log.faults import Refused
from p2p304.net.errors import NetError
from p2p304.net.links.connect import where
from p2p304.rules.core.phrases import Phrase, Quoted, say, verbatim
from p2p304.rules.play.view import View
from p2p304.storage.data_folder import DataFolder
from p2p304.table.gathering.list_acceptance import is_about_passphrase
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.common.settings import Controls
from p2p304.ui.common.wording import AWAITS_REMATCH, QUIT_AGAIN
from p2p304.ui.fullscreen.lobby.intents import OpenTable
from p2p304.ui.guidance.choice_phrases import timeout_phrase
from p2p304.ui.narration.intents import (
    AddBot,
    Again,
    AskHint,
    Decide,
    Do,
    GoOnWithout,
    Quit,
    TableIntent,
    ToLobby,
)
from p2p304.ui.narration.reducer import Gathers
from p2p304.ui.text.screen import Show, TextScreen

HURRY = 10
"""Seconds left of a turn when a player in text mode is reminded."""

TIME_TO_CUT = 20
"""Seconds in which the pack can be cut in text mode: the question is read or heard first."""
_EMPTY_SEAT = say(
    "The player who opened the table can type 'bot' to fill the empty seat. Another "
    "person can join as usual."
)


class Person:
    """A player who reads lines and types lines."""

    def __init__(
        self,
        session: Session,
        screen: TextScreen,
        out: Callable[[str], None],
        stack: ExitStack,
        controls: Controls | None = None,
        ring: Callable[[], None] | None = None,
    ) -> None:
        """``stack`` ends the invited bots when it closes; ``controls`` are the player's settings;
        ``ring`` rings a bell, where there is one."""
        self.session, self.screen, self.out = session, screen, out
        self.seated, self._controls = SeatedPlayer(session, stack), controls or Controls()
        self._ring = ring
        self.turned_away: Phrase | None = None
        self.left: Quit | ToLobby | None = None
        """What the player typed to leave the table; None while at it."""

    def on_event(self, event: Event) -> None:
        if isinstance(event, events.CutOffered) and self.seated.has_cut(self._controls.cut):
            return
        if self.seated.may_ignore(event):
            return
        before = self.screen.model
        if isinstance(event, gathering_events.Members):
            self.screen.teller.lines(Gathers(tables.room(self.session)))
        for line in self.screen.show(event):
            self.out(line)
        if before.is_visitor and not self.screen.model.is_visitor:
            for line in self.screen.room_lines():
                self.out(line)
        if self._ring is not None and self.screen.model.rings_after(before, self._controls.bell):
            self._ring()
        match event:
            case gathering_events.TurnedAway(sentence=sentence):
                self.turned_away = sentence
            case events.YourTurn(view=view):
                self._remind(view)
            case gathering_events.Members():
                self.seated.seat_request.heard(event)
            case events.Parted() if self.session.node.may_continue:
                self._tell(_EMPTY_SEAT)
            case gathering_events.JoinRequest():
                told = self.seated.introduce(event)
                if told is not None:
                    word = visitor_word(self.session.node.meeting.admission, event.key)
                    self._tell(told)
                    self._tell(say("Type 'accept {word}' or 'refuse {word}'.", word=word))

    def _tell(self, phrase: Phrase) -> None:
        self.out(self.screen.teller.text(phrase))

    def _remind(self, view: View) -> None:
        """Print one line before the turn's clock runs out, if the table has one."""
        timer, asked = view.hand.options.timer, self.screen.model.turn
        if not isinstance(timer, int) or timer <= HURRY:
            return

        def soon() -> None:
            if self.screen.model.turn == asked and self.screen.model.is_my_turn:
                told = say("{n} seconds are left of your turn. {then}", n=HURRY)
                self._tell(told.filled(then=timeout_phrase(view)))

        asyncio.get_running_loop().call_later(timer - HURRY, soon)

    def _about_gathering(self, line: str) -> TableIntent | None:
        """Return what a line means about the other players of a table that gathers."""
        word, _, name = line.strip().partition(" ")
        meeting, name = self.session.node.meeting, name.strip()
        here = meeting.list
        if here is None or self.session.node.table is not None:
            return None
        visitor = visitor_words(meeting.admission).get(name)
        match word:
            case "accept" | "refuse" if visitor is not None:
                return Decide(visitor, word == "accept")
            case "without":  # nobody's key is refused like that of a player who is not late
                keys = [guest.key for guest in here.guests if guest.nick == name]
                return GoOnWithout(keys[0] if keys else b"")
            case "bot":
                return AddBot()
        return None

    def _ask_hint(self) -> None:
        """Print the hint for this turn, or what would have been better in the hand that is over.
        That takes a second: the node goes on."""
        from p2p304.frontends.hints import LATE, SEARCHED, advice, lessons

        model, loop = self.screen.model, asyncio.get_running_loop()

        def answer() -> tuple[Phrase, ...]:
            return lessons(model) if model.may_be_taught else (advice(model),)

        def tell(phrases: tuple[Phrase, ...]) -> None:
            now = self.screen.model
            if model.may_be_taught or (now.is_my_turn and now.turn == model.turn):
                for phrase in phrases:
                    self._tell(phrase)

        def done(search: asyncio.Future[tuple[Phrase, ...]]) -> None:
            late.cancel()
            tell(search.result())

        late = loop.call_later(LATE, tell, (SEARCHED,))
        loop.run_in_executor(None, answer).add_done_callback(done)

    def on_line(self, line: str) -> bool:
        """Do what a typed line says; returns False when the player leaves."""
        intent = self._about_gathering(line) or self.screen.typed(line)
        match intent:
            case Quit() | ToLobby():
                self.left = intent
                self.seated.bots.stay = isinstance(intent, Quit) and intent.bots_stay
                return False
            case Show(lines=lines):
                for text in lines:
                    self.out(text)
                return True
            case AskHint():
                self._ask_hint()
                return True
            case Do(action=action):
                self.screen.chosen(action)
        refused = self.seated.carry_out(intent)
        if refused is not None:
            if isinstance(intent, Do):
                self.screen.refused()
            self._tell(refused)
        return True


async def play(
    store: DataFolder, nick: str | None, config: NodeConfig, target: Target | None
) -> int:
    """Play at this table, or at one that the player chooses, and on a terminal at further ones,
    until the player leaves."""
    store.lock()
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)  # until there is a node to tell of
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with ExitStack() as kept:
        kept.callback(store.close)
        lines = typed_on_terminal(kept) if terminal else typed_into_pipe()
        lobby = TextLobby(store, config, lines, say_above_prompt if terminal else print_line)
        lines.on_interrupt = lambda: lobby.tell(QUIT_AGAIN)
        if terminal and nick is None and store.last_nick is None:
            nick = await lobby.ask_name()
        lobby.name = store.nick(nick)
        chosen: Chosen | None = target or await lobby.offer_return()
        while True:
            chosen = chosen or await lobby.choose()
            if chosen is None:
                return 0
            with ExitStack() as stack:
                follows = await _at_table(lobby, chosen, stack, terminal)
            chosen = None
            match follows:
                case NextTable() | str():  # a name: the same table, with its passphrase
                    chosen = follows
                case Quit() | None as end:
                    return FAILED if end is None else 0


async def _at_table(
    lobby: TextLobby, chosen: Chosen, stack: ExitStack, terminal: bool
) -> NextTable | str | ToLobby | Quit | None:
    """Sit down at a table and play; returns what follows, None where nobody can be asked after the
    player was not let in. Raises NetError where nobody can be asked and no table is reached."""
    config = chosen.config if isinstance(chosen, NextTable) else lobby.config
    config = tables.config_for(config, chosen)
    players: list[Person] = []
    session = Session(
        lobby.store,
        lobby.name,
        config,
        lambda event: players[0].on_event(event),
        patient=True,
        memory=chosen.table.memory if isinstance(chosen, ResumeTarget) else None,
    )
    session.node.give_time_to_cut(lobby.appearance.pace.cut_time(TIME_TO_CUT))
    confirms = lobby.appearance.controls.confirm != "never"
    screen = TextScreen(lobby.name, lobby.appearance.translate, confirms)
    for event in session.take_past():
        screen.show(event)
    answer_signal(session)
    ring = ring_terminal if terminal else None
    player = Person(session, screen, lobby.out, stack, lobby.appearance.controls, ring)
    players.append(player)
    session.reports.show = lobby.tell
    try:
        if isinstance(chosen, NextTable):
            instead = await _sit_down_again(player, chosen, lobby)
            if instead is not None:
                await session.close()
                return instead
        else:
            await player.seated.sit_down(chosen)
    except (NetError, Refused) as error:
        await session.close()
        if not terminal:
            raise
        lobby.tell(error.phrase if isinstance(error, NetError) else verbatim(str(error)))
        return ToLobby()
    if isinstance(chosen, ResumeTarget):
        told = left_table(chosen.table, session.key.public)
        lobby.tell(say("You are back at {table}.", table=told))
    if not (isinstance(chosen, NewTable) and chosen.bots == chosen.rules.seats - 1):
        for phrase in session.describe():
            lobby.tell(phrase)
    await _play_at(session, player, lobby.lines)
    if player.turned_away is not None:
        return await _try_again(session, player.turned_away, lobby) if terminal else None
    try:
        play_on = player.seated.bots.play_on(lobby.tell)
        left: ToLobby | Quit | None = None
        if terminal:
            left = await _unless_typed(play_on, lobby.lines)
        else:
            await play_on
        if session.transcript is not None:
            for phrase in kept_transcript(session.transcript, lobby.store):
                lobby.tell(phrase)
        return left or await _what_next(player, lobby, terminal)
    finally:
        session.leave()
        await session.held_port.release()


async def _sit_down_again(
    player: Person, chosen: NextTable, lobby: TextLobby
) -> ToLobby | Quit | None:
    """Open, or join, the table that follows one with the same players, unless the player types that
    it goes elsewhere, which is returned. Raises NetError or Refused."""
    session, wanted = player.session, chosen.wanted
    await session.start()
    if chosen.host:
        lobby.tell(AWAITS_REMATCH.filled(nick=Quoted(chosen.host)))
        lobby.tell(say("Type 'lobby' or 'quit' to stop waiting."))
        return await _unless_typed(tables.sit_down_again(session, chosen), lobby.lines)
    await tables.sit_down_again(session, chosen)
    if isinstance(wanted, OpenTable):
        player.seated.bots.plays = wanted.bots_play
        player.seated.bots.invite(wanted.bots, wanted.bot_seats)
    return None


async def _unless_typed(
    wait: Coroutine[Any, Any, None], lines: TypedLines
) -> ToLobby | Quit | None:
    """Wait, unless the player types 'lobby' or 'quit' meanwhile."""
    waiting = asyncio.create_task(wait)
    typed = asyncio.create_task(lines.next())
    try:
        while not waiting.done():
            await asyncio.wait({waiting, typed}, return_when=asyncio.FIRST_COMPLETED)
            if typed.done() and not waiting.done():
                line = typed.result()
                word = "quit" if line is None else line.strip().lower()
                if word in ("lobby", "q", "quit"):
                    return ToLobby() if word == "lobby" else Quit()
                typed = asyncio.create_task(lines.next())
        return waiting.result()
    finally:
        for task in (waiting, typed):
            task.cancel()
        await asyncio.gather(waiting, typed, return_exceptions=True)
        if waiting.done() and not waiting.cancelled() and not typed.cancelled():
            line = typed.result()
            if line is not None:
                lines.put_back(line)  # it came as the wait ended: it is for what follows


async def _play_at(session: Session, player: Person, lines: TypedLines) -> None:
    typing, usual = asyncio.create_task(_listen(lines, player, session)), lines.on_interrupt

    def warn() -> None:
        for line in player.screen.leaving_lines():
            player.out(line)
        usual()

    lines.on_interrupt = warn
    try:
        await session.run()
    finally:
        lines.on_interrupt = usual
        typing.cancel()
        await asyncio.gather(typing, return_exceptions=True)


async def _listen(lines: TypedLines, player: Person, session: Session) -> None:
    while (line := await lines.next()) is not None and player.on_line(line):
        pass
    player.left = player.left or Quit()
    session.leave()


async def _try_again(session: Session, reason: Phrase, lobby: TextLobby) -> str | ToLobby:
    """Ask for the passphrase of a locked table; returns the table to join, or the lobby."""
    secret = await lobby.ask_passphrase() if is_about_passphrase(reason) else None
    lobby.config = replace(lobby.config, passphrase=secret)
    return ToLobby() if session.joined is None or secret is None else where(*session.joined)


async def _what_next(
    player: Person, lobby: TextLobby, terminal: bool
) -> NextTable | ToLobby | Quit:
    """Return what follows a table: what the player has typed, or chooses now."""
    if player.left is not None or not terminal:
        return player.left or Quit()
    model, session = player.screen.model, player.session
    wanted = await lobby.ask_what_next(model)
    if not isinstance(wanted, Again):
        return wanted
    bots = player.seated.bots
    table = tables.next_table(session, wanted.how, model.seat, bots.plays, bots.pace)
    if table is not None and table.asks_rules and isinstance(table.wanted, OpenTable):
        asked = await lobby.ask_rules(table.wanted)
        table = None if asked is None else replace(table, wanted=asked)
    return table or ToLobby()
