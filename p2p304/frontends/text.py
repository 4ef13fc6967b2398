"""A player in text mode: at a terminal without the full screen, or at a pipe.

Responsible for passing typed lines to a session and events to the screen. What is shown, and how
lines are read, is ui/text/screen.py's.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack
from dataclasses import replace

from p2p304.app.config import NewTable, NodeConfig, ResumeTarget, Target
from p2p304.app.joining import print_line
from p2p304.app.network_phrases import found_table, kept_transcript, left_table, searching
from p2p304.app.session import Session
from p2p304.app.state_dump import answer_signal
from p2p304.app.visitors import visitor_word, visitor_words
from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.seated_player import SeatedPlayer
from p2p304.net.errors import NetError
from p2p304.net.mdns.discovery import Discovery, Found
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.rules.play.view import View
from p2p304.rules.variants.house_rules import HouseRules
from p2p304.rules.variants.options import OptionsError
from p2p304.storage.data_folder import DataFolder, name_from_login
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.gathering.list_acceptance import is_about_passphrase
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common.wording import ASK_NAME, NO_NAME
from p2p304.ui.narration.intents import AddBot, Decide, Do, GoOnWithout, Quit, TableIntent
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import Show, TextScreen
from p2p304.wire.names import is_name

Tell = Callable[[Phrase], None]
HURRY = 10
"""Seconds left of a turn when a player in text mode is reminded."""


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
        cut: str = "ask",
    ) -> None:
        """``stack`` ends the invited bots when it closes; ``cut`` is the setting of that name."""
        self.session, self.screen, self._print = session, screen, out
        self.seated, self._cut = SeatedPlayer(session, stack), cut
        self.turned_away: Phrase | None = None

    def on_event(self, event: Event) -> None:
        if isinstance(event, events.CutOffered) and self.seated.has_cut(self._cut):
            return
        for line in self.screen.show(event):
            self._print(line)
        match event:
            case events.TurnedAway(sentence=sentence):
                self.turned_away = sentence
            case events.YourTurn(view=view):
                self._remind(view)
            case events.Members():
                self.seated.seat_request.heard(event)
            case events.Parted() if self.session.node.may_continue:
                self._tell(_EMPTY_SEAT)
            case events.JoinRequest():
                told = self.seated.introduce(event)
                if told is not None:
                    word = visitor_word(self.session.node.meeting.admission, event.key)
                    self._tell(told)
                    self._tell(say("Type 'accept {word}' or 'refuse {word}'.", word=word))

    def _tell(self, phrase: Phrase) -> None:
        self._print(self.screen.teller.text(phrase))

    def _remind(self, view: View) -> None:
        """Print one line before the turn's clock runs out, if the table has one."""
        timer, asked = view.hand.options.timer, self.screen.model.hand
        if not isinstance(timer, int) or timer <= HURRY:
            return

        def soon() -> None:
            if self.screen.model.hand is asked and self.screen.model.is_my_turn:
                self._tell(say("{n} seconds are left of your turn.", n=HURRY))

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

    def on_line(self, line: str) -> bool:
        """Do what a typed line says; returns False when the player leaves."""
        intent = self._about_gathering(line) or self.screen.typed(line)
        match intent:
            case Quit():
                return False
            case Show(lines=lines):
                for text in lines:
                    self._print(text)
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
    """Take a seat at a table, or resume one, and play until it is over or the player leaves."""
    store.lock()
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with ExitStack() as stack:
        stack.callback(store.close)
        lines = _typed_on_terminal() if terminal else _typed_into_pipe()
        out = _say_above_prompt if terminal else print_line
        appearance = read_appearance(store.home)
        translate = appearance.translate
        if terminal and nick is None and store.last_nick is None:
            nick = await _ask_name(lines, lambda told: out(Narrator(None, translate).text(told)))
        name = store.nick(nick)
        screen = TextScreen(name, translate)

        def tell(phrase: Phrase) -> None:
            out(screen.teller.text(phrase))

        target = target or await _offer_return(store, lines, tell)
        seated: list[Person] = []
        while True:
            memory = target.table.memory if isinstance(target, ResumeTarget) else None
            session = Session(
                store,
                name,
                config,
                lambda event: seated[-1].on_event(event),
                patient=True,
                memory=memory,
            )
            for event in session.past:
                screen.show(event)
            answer_signal(session)
            player = Person(session, screen, out, stack, appearance.controls.cut)
            seated.append(player)
            session.reports.show = tell
            target = target or await _ask_for_table(config, lines, tell)
            if target is None:
                return 0
            try:
                await player.seated.sit_down(target)
            except NetError as error:
                if not terminal:
                    raise
                tell(error.phrase)
                await session.close()
                target = None
                continue
            if isinstance(target, ResumeTarget):
                told = left_table(target.table, session.key.public)
                tell(say("You are back at {table}.", table=told))
            for phrase in session.describe():
                tell(phrase)
            await _play_at(session, player, lines)
            if player.turned_away is None or not terminal:
                break
            screen = TextScreen(name, translate)
            target, config = await _try_again(session, player.turned_away, config, lines, tell)
        if session.transcript is not None:
            for phrase in kept_transcript(session.transcript):
                tell(phrase)
    return 0


async def _play_at(session: Session, player: Person, lines: AsyncIterator[str]) -> None:
    typing = asyncio.create_task(_listen(lines, player, session))
    try:
        await session.run()
    finally:
        typing.cancel()
        await asyncio.gather(typing, return_exceptions=True)


async def _try_again(
    session: Session, reason: Phrase, config: NodeConfig, lines: AsyncIterator[str], tell: Tell
) -> tuple[str | None, NodeConfig]:
    """Ask for the passphrase of a locked table; returns the table to join, or None to ask for
    one, and the configuration with the passphrase."""
    if session.joined is None or not is_about_passphrase(reason):
        return None, replace(config, passphrase=None)
    tell(say("Type the passphrase, or press Enter to choose another table."))
    typed = (await anext(lines, "")).strip()
    host, port = session.joined
    where = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    return (where if typed else None), replace(config, passphrase=typed or None)


async def _listen(lines: AsyncIterator[str], player: Person, session: Session) -> None:
    async for line in lines:
        if not player.on_line(line):
            break
    session.leave()


async def _ask_name(lines: AsyncIterator[str], tell: Tell) -> str | None:
    """Ask for the player's name at the first start; Enter takes the name of the login."""
    suggested = name_from_login()
    tell(ASK_NAME)
    if suggested:
        tell(say("Press Enter to be called {nick}.", nick=suggested))
    async for line in lines:
        name = " ".join(line.split()) or suggested
        if is_name(name):
            return name
        tell(NO_NAME)
    return suggested or None


async def _offer_return(
    store: DataFolder, lines: AsyncIterator[str], tell: Tell
) -> ResumeTarget | None:
    """Ask whether to resume a table that is not over."""
    left = resumable_tables(store)
    if not left:
        return None
    own = store.identity().public
    told = left_table(left[0], own)
    tell(say("You have an unfinished table: {table}.", table=told))
    tell(say("Press Enter to resume it, or type 'new' for another table."))
    answer = (await anext(lines, "new")).strip().lower()
    return ResumeTarget(left[0]) if answer in ("", "resume", "r", "y", "yes") else None


async def _ask_for_table(
    config: NodeConfig, lines: AsyncIterator[str], tell: Tell
) -> str | NewTable | None:
    """List the tables found and ask which to join, or open one."""
    discovery = config.discovery
    await discovery.start()
    try:
        discovery.look()
        tell(say("Searching for tables ..."))
        await asyncio.sleep(2.0)
        while True:
            found = [f for f in discovery.found.values() if f.announcement.free > 0]
            _offer(found, discovery, tell)
            line = await anext(lines, None)
            choice = (line or "q").strip()
            if choice in ("q", "quit"):
                return None
            if choice in ("o", "open") or choice.startswith("open "):
                opened = _opened(config.opening, choice[4:].split(), tell)
                if opened is not None:
                    return opened
            if choice.isdecimal() and 1 <= int(choice) <= len(found):
                item = found[int(choice) - 1]
                return f"{item.host}:{item.port}"
            if ":" in choice:
                return choice
    finally:
        await discovery.close()


def _opened(new: NewTable, words: list[str], tell: Tell) -> NewTable | None:
    """Return the table to open as ``open NAME option=value ...`` says, or tell what is wrong."""
    settings = [word for word in words if "=" in word]
    name = " ".join(word for word in words if "=" not in word) or None
    try:
        changed = HouseRules(new.preset, new.changed).with_settings(settings).changed
        opened = replace(new, name=name, changed=changed)
        opened.rules  # noqa: B018  now, and not when others join
    except OptionsError as error:
        tell(verbatim(str(error)))
        return None
    return opened


def _offer(found: list[Found], discovery: Discovery, tell: Tell) -> None:
    for number, item in enumerate(found, 1):
        tell(say("{n}) {table}", n=number, table=found_table(item)))
    if not found:
        tell(say("No tables found yet. {where}", where=searching(discovery)))
    tell(
        say(
            "Type a number to join, 'open' (or 'open NAME timer=45') for a new table, HOST:PORT "
            "for an address, Enter to look again, 'quit' to leave."
        )
    )


def _say_above_prompt(line: str) -> None:
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText

    print_formatted_text(FormattedText([("", line)]))


async def _typed_on_terminal() -> AsyncIterator[str]:
    """Yield lines typed with editing and history; output meanwhile stands above the prompt."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.patch_stdout import patch_stdout

    prompt: PromptSession[str] = PromptSession()
    with patch_stdout():
        while True:
            try:
                yield await prompt.prompt_async("> ")
            except (EOFError, KeyboardInterrupt):
                return


async def _typed_into_pipe() -> AsyncIterator[str]:
    """Yield lines from a pipe or file. A daemon thread reads them, because neither can always be
    polled; it does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> None:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        except RuntimeError:
            return  # the loop is closed, because the player has left

    def read() -> None:
        for line in sys.stdin:
            put(line)
        put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line
