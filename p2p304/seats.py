"""Who sits on a seat: a person at a terminal or pipe, or a bot in a process of its own.

Owns how a session is opened or joined, and the talk between a player and a session. What is
shown and how typed lines are read is ui/'s; how a bot chooses is bots/'s.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from p2p304.bots.club import ClubBot
from p2p304.bots.player import Bot, RandomBot
from p2p304.crypto.rng import Rng
from p2p304.explaining import on_question
from p2p304.net.discovery import Discovery, Found
from p2p304.net.mesh import NetError
from p2p304.returning import Unfinished, unfinished
from p2p304.rules.errors import RuleBroken
from p2p304.rules.options import Options
from p2p304.rules.presets import preset
from p2p304.rules.view import View
from p2p304.session import Place, Session
from p2p304.store import Store, StoreError
from p2p304.table import events
from p2p304.table.events import Event
from p2p304.table.terms import plain_name
from p2p304.ui.plain import Again, Choose, PlainScreen, Quit, Ready, Say, SayAloud, Sit
from p2p304.ui.tell import Teller
from p2p304.wish import SeatWish

PATIENCE = 15.0
"""Seconds to look for a table that was asked for by name."""
HURRY = 10
"""Seconds left of a turn when a player at plain lines is reminded."""
BOT_NICKS = ("Kamala", "Nimal", "Sunil")
NEXT_BOT = "Ruwan"
"""Who takes the seat of somebody who has left."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A table to be opened: its name, preset, hands (0: a match), seats as chosen, bots, and what
    happens when a player has left for good (``away``; None as the preset says)."""

    name: str | None
    preset: str
    hands: int
    chosen: bool
    bots: int
    away: str | None = None

    @property
    def rules(self) -> Options:
        """Raises OptionsError."""
        options = preset(self.preset)
        if self.away is not None:
            options = options.override({"away": self.away})
        return replace(options, seating="chosen") if self.chosen else options


async def list_tables(interfaces: tuple[str, ...] | None, seconds: float, as_json: bool) -> int:
    """Look for a while and print what was found."""
    discovery = Discovery(interfaces)
    await discovery.start()
    try:
        discovery.look()
        await asyncio.sleep(seconds)
        found = sorted(discovery.found.values(), key=lambda f: f.announcement.table)
    finally:
        await discovery.close()
    if as_json:
        _print(json.dumps([asdict(item) for item in found]))
        return 0
    for item in found:
        _print(_table_line(item))
    if not found:
        _print(f"No tables found. {discovery.describe()}")
        _print("If there should be one: same network? WiFi often filters multicast, firewalls "
               "UDP 5353; an address works always: p2p304 play --table HOST:PORT")  # fmt: skip
    return 0


def _table_line(item: Found) -> str:
    what = item.announcement
    return (f"{what.table}: opened by {what.nick}, {what.rules}, {what.free} of {what.seats} "
            f"seats free, at {item.host}:{item.port}")  # fmt: skip


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


@dataclass(frozen=True, slots=True)
class Return:
    """Coming back to a table: what is left of it, and addresses of players as typed."""

    table: Unfinished
    peers: tuple[str, ...] = ()


def the_unfinished(store: Store, wanted: str | None) -> Unfinished:
    """The table that was begun last, or the one named by its first digits; raises StoreError."""
    for item in unfinished(store):
        if wanted is None or item.table.startswith(wanted):
            return item
    raise StoreError("There is no table to go on with." if wanted is None else
                     f"There is no table {wanted} to go on with.")  # fmt: skip


async def take_seat(
    session: Session, table: str | None, opening: Opening | None, back: Return | None = None
) -> None:
    """Open the table, join the one named (a name, or HOST:PORT), or come back; raises NetError."""
    await session.start()
    if back is not None:
        await _come_back(session, back)
        return
    if opening is not None:
        name = opening.name or f"{session.nick}'s table"
        await session.found(plain_name(name[:32]), opening.rules, opening.hands)
        return
    if table is None:
        raise NetError("Say which table to join with --table, or open one with --open.")
    address = address_of(table)
    if address is not None:
        await session.join_address(*address)
    else:
        found = await session.find(table, PATIENCE)
        await session.join_found(found)


async def _come_back(session: Session, back: Return) -> None:
    await session.resume()
    for typed in back.peers:
        address = address_of(typed)
        if address is None:
            raise NetError(f"{typed} is not an address: write HOST:PORT.")
        await session.reach(*address)


def address_of(typed: str) -> tuple[str, int] | None:
    """HOST:PORT, IPv6 in brackets; None if it is neither."""
    host, _, port = typed.rpartition(":")
    well_formed = host and port.isdecimal() and 0 < int(port) < 65536
    return (host.strip("[]"), int(port)) if well_formed else None


# Bots


async def robot(
    store: Store, nick: str | None, place: Place, table: str | None, opening: Opening | None,
    random_play: bool, tell: bool, times: Path | None, back: bool = False,
) -> int:  # fmt: skip
    """A node that plays by itself until the table is over or ended. Status 1 if it was stopped."""
    store.lock()
    below = Rng.system().below
    bot: Bot = RandomBot(below) if random_play else ClubBot(below)
    teller = Teller(None) if tell else None
    faults: list[events.Fault] = []
    stack, invited = ExitStack(), list[bool]()

    def on_event(event: Event) -> None:
        if teller is not None:
            for line in teller.lines(event):
                _print(line)
        if isinstance(event, events.YourTurn):
            choice = bot.choose(event.view)
            asyncio.get_running_loop().call_soon(session.act, choice)
        elif isinstance(event, events.PartingWished) and session.nick not in event.ready:
            asyncio.get_running_loop().call_soon(_agree, session)
        elif isinstance(event, events.Members) and True not in invited:
            invited.append(invite(session, stack))
        elif isinstance(event, events.Fault):
            faults.append(event)

    returning = Return(the_unfinished(store, None)) if back else None
    memory = returning.table.memory if returning is not None else None
    session = Session(store, nick or store.nick(None), place, on_event, memory=memory)
    if teller is not None:
        on_question(session, asyncio.get_running_loop().add_signal_handler, _print)
        for event in session.past:
            teller.lines(event)
    try:
        await take_seat(session, table, opening, returning)
        await session.run()
    finally:
        stack.close()
        store.close()
    if times is not None:
        times.write_text(json.dumps({
            **asdict(session.times), "transcript": str(session.transcript or ""),
            "finished": session.node.finished,
        }))  # fmt: skip
    return 0 if session.node.finished or session.node.parted else 1


def invite(session: Session, stack: ExitStack) -> bool:
    """A bot for the empty seat of a table that goes on, if this node keeps the list and nobody
    has it yet; ended when ``stack`` closes."""
    meeting = session.node.meeting
    here = meeting.list
    if here is None or here.after is None or not meeting.is_founder or here.complete:
        return False
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p304-bots-")))
    bind = session.place.bind
    address = f"{'127.0.0.1' if bind in ('', '0.0.0.0', '::') else bind}:{session.mesh.port}"
    words = ["--table", address, "--nick", NEXT_BOT]
    run_bot(words, folder / NEXT_BOT, bind, stack, meeting.door.passphrase)
    return True


def _agree(session: Session) -> None:
    """A bot wants what the others want; it is asked again while nobody is gone for long enough."""
    with suppress(LookupError):
        session.part()


def start_bots(
    count: int,
    address: str,
    bind: str,
    folder: Path,
    stack: ExitStack,
    first: int = 0,
    passphrase: str | None = None,
) -> list[subprocess.Popen[bytes]]:
    """Further node processes that join at ``address``; ended when ``stack`` closes. ``first``
    of them are there already."""
    return [
        run_bot(["--table", address, "--nick", nick], folder / nick, bind, stack, passphrase)
        for nick in BOT_NICKS[first : first + count]
    ]


def run_bot(
    words: list[str], home: Path, bind: str, stack: ExitStack, passphrase: str | None = None
) -> subprocess.Popen[bytes]:
    """A bot in a process of its own, with its data in ``home``; ended when ``stack`` closes. A
    passphrase goes through its environment, where other users do not see it."""
    secret = {} if passphrase is None else {"P2P304_PASSPHRASE": passphrase}
    command = [sys.executable, "-m", "p2p304", "bot", *words, "--home", str(home), "--bind", bind]
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, **secret},
    )  # fmt: skip
    stack.callback(_end, process)
    return process


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(2)
    except subprocess.TimeoutExpired:
        process.terminate()
        process.wait(5)


# People


class Person:
    """A player who reads lines and types lines."""

    def __init__(
        self, session: Session, screen: PlainScreen, say: Callable[[str], None], stack: ExitStack
    ) -> None:
        """``stack``: when it closes, a bot that was invited is ended."""
        self.session, self.screen, self._say, self._stack = session, screen, say, stack
        self._wish = SeatWish(session, session.place.seat)

    def on_event(self, event: Event) -> None:
        for line in self.screen.show(event):
            self._say(line)
        if isinstance(event, events.YourTurn):
            self._remind(event.view)
        if isinstance(event, events.Members):
            self._wish.heard(event)
        if isinstance(event, events.Parted) and self.session.node.goes_on:
            self._say(
                "Who opens it can type 'bot' for the empty seat; anybody else comes as always."
            )
        if isinstance(event, events.Knock):
            self._say(self.session.introduce(event))
            self._say(f"Type 'accept {event.nick}' or 'refuse {event.nick}'.")

    def _remind(self, view: View) -> None:
        """Where a turn has a clock: one calm line before it runs out."""
        timer, asked = view.hand.options.timer, self.screen.view
        if not isinstance(timer, int) or timer <= HURRY:
            return

        def soon() -> None:
            if self.screen.view is asked and self.screen.options:
                self._say(f"{HURRY} seconds are left of your turn.")

        asyncio.get_running_loop().call_later(timer - HURRY, soon)

    def _parted(self, line: str) -> bool:
        """The wish to end the table without somebody who does not come back."""
        if line.strip().lower() != "part":
            return False
        try:
            self.session.part()
        except LookupError as error:
            self._say(f"The table cannot be ended: {error}.")
        return True

    def _invited(self, line: str) -> bool:
        """A bot is to take the empty seat of a table that goes on."""
        return line.strip().lower() == "bot" and invite(self.session, self._stack)

    def _decided(self, line: str) -> bool:
        """A founder's word about somebody at the door."""
        word, _, nick = line.strip().partition(" ")
        key = self.session.waiting().get(nick.strip())
        if word not in ("accept", "refuse") or key is None:
            return False
        self.session.decide(key, word == "accept")
        return True

    def on_line(self, line: str) -> bool:
        """Do what a typed line says; False when the player leaves."""
        if self._decided(line) or self._invited(line) or self._parted(line):
            return True
        intent = self.screen.typed(line)
        try:
            match intent:
                case Choose(action=action):
                    self.session.act(action)
                case Ready():
                    self.session.ready()
                case Quit():
                    return False
                case SayAloud(text=text):
                    self._say_aloud(text)
                case Sit(word=seat):
                    self._sit(seat)
                case Say(lines=lines) | Again(lines=lines):
                    for text in lines:
                        self._say(text)
        except RuleBroken as broken:
            self.screen.refused()
            self._say(f"{broken.message[:1].upper()}{broken.message[1:]} ({broken.rule}).")
        except LookupError:
            self._say("It is not your turn yet.")
        return True

    def _sit(self, word: str) -> None:
        why = self._wish.say(word)
        if why is not None:
            self._say(why)

    def _say_aloud(self, text: str) -> None:
        try:
            self.session.say(text)
        except (LookupError, ValueError):
            self._say("Talk is for between hands.")


async def person(
    store: Store, nick: str | None, place: Place, table: str | None, opening: Opening | None,
    back: Return | None = None,
) -> int:  # fmt: skip
    """Sit down at a table, or come back to one, and play until it is over or the player
    leaves."""
    store.lock()
    name = plain_name(store.nick(nick))
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    with ExitStack() as stack:
        stack.callback(store.close)
        lines = _typed_on_terminal() if terminal else _typed_into_pipe()
        say = _say_above_prompt if terminal else _print
        screen = PlainScreen(name)
        if table is None and opening is None and back is None:
            back = await _offer_return(store, lines, say)
        memory = back.table.memory if back is not None else None
        session = Session(
            store, name, place, lambda event: player.on_event(event), patient=True, memory=memory
        )
        for event in session.past:
            screen.show(event)
        player = Person(session, screen, say, stack)
        session.trouble = say
        if table is None and opening is None and back is None:
            table, opening = await _ask_for_table(place, name, lines, say)
            if table is None and opening is None:
                return 0
        await take_seat(session, table, opening, back)
        if back is not None:
            say(f"Back at {back.table.describe(session.key.public)}.")
        say(session.describe())
        if opening is not None and opening.bots:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="p2p304-bots-")))
            bind = "127.0.0.1" if place.bind in ("", "0.0.0.0", "::") else place.bind
            address = f"{bind}:{session.mesh.port}"
            start_bots(opening.bots, address, place.bind, folder, stack)
        typing = asyncio.create_task(_listen(lines, player, session))
        try:
            await session.run()
        finally:
            typing.cancel()
            await asyncio.gather(typing, return_exceptions=True)
        if session.transcript is not None:
            say(f"Transcript: {session.transcript}")
            say(f"Anybody can verify it: p2p304 audit {session.transcript}")
    return 0


async def _listen(lines: AsyncIterator[str], player: Person, session: Session) -> None:
    async for line in lines:
        if not player.on_line(line):
            break
    session.leave()


async def _offer_return(
    store: Store, lines: AsyncIterator[str], say: Callable[[str], None]
) -> Return | None:
    """Ask whether to go on with a table that is not over."""
    left = unfinished(store)
    if not left:
        return None
    own = store.identity().public
    say(f"You have left a table that is not over: {left[0].describe(own)}.")
    say("Type 'resume' (or Enter) to go on with it, 'new' for another table.")
    answer = (await anext(lines, "new")).strip().lower()
    return Return(left[0]) if answer in ("", "resume", "r", "y", "yes") else None


async def _ask_for_table(
    place: Place, nick: str, lines: AsyncIterator[str], say: Callable[[str], None]
) -> tuple[str | None, Opening | None]:
    """List the tables found and ask which to join, or open one."""
    discovery = place.discovery
    await discovery.start()
    try:
        discovery.look()
        say("Looking for tables ...")
        await asyncio.sleep(2.0)
        while True:
            found = [f for f in discovery.found.values() if f.announcement.free > 0]
            _offer(found, discovery, say)
            line = await anext(lines, None)
            choice = (line or "q").strip()
            if choice in ("q", "quit"):
                return None, None
            if choice in ("o", "open") or choice.startswith("open "):
                name, chosen = choice[5:].strip() or None, bool(place.seat)
                return None, Opening(name, "pagat", 0, chosen, 0)
            if choice.isdecimal() and 1 <= int(choice) <= len(found):
                item = found[int(choice) - 1]
                return f"{item.host}:{item.port}", None
            if ":" in choice:
                return choice, None
    finally:
        await discovery.close()


def _offer(found: list[Found], discovery: Discovery, say: Callable[[str], None]) -> None:
    for number, item in enumerate(found, 1):
        say(f"{number}) {_table_line(item)}")
    if not found:
        say(f"No tables found yet. {discovery.describe()}")
    say("Type a number to join, 'open' (or 'open NAME') for a new table, HOST:PORT for an "
        "address, Enter to look again, 'quit' to leave.")  # fmt: skip


def _say_above_prompt(line: str) -> None:
    from prompt_toolkit import print_formatted_text
    from prompt_toolkit.formatted_text import FormattedText

    print_formatted_text(FormattedText([("", line)]))


async def _typed_on_terminal() -> AsyncIterator[str]:
    """Lines with editing and history; what is told meanwhile stands above the prompt."""
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
    """Lines from a pipe or file. A daemon thread reads, because neither can always be polled;
    it holds nothing that would keep the program from ending."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[str | None] = asyncio.Queue()

    def put(line: str | None) -> None:
        try:
            loop.call_soon_threadsafe(queue.put_nowait, line)
        except RuntimeError:
            return  # the loop is closed: the player has left

    def read() -> None:
        for line in sys.stdin:
            put(line)
        put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := await queue.get()) is not None:
        yield line
