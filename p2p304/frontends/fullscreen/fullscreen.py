"""The full screen: one session after the other, and the screens between them.

Responsible for what follows when a player leaves the screens of a session (player_screen.py): the
lobby again, another table, the lessons, or the end of the program.
"""

from __future__ import annotations

import contextlib
import os
import sys
from contextlib import ExitStack

from p2p304.app import joining
from p2p304.app.config import NodeConfig, ResumeTarget, Target
from p2p304.app.joining import print_line
from p2p304.app.network_phrases import kept_transcript
from p2p304.frontends import lobby
from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.fullscreen.player_screen import Player, run_session
from p2p304.frontends.lobby import NextTable
from p2p304.learn.lesson import Lesson
from p2p304.net.errors import NetError
from p2p304.rules.core.phrases import Phrase
from p2p304.storage.data_folder import DataFolder, name_from_login
from p2p304.storage.lessons_done import lessons_done, note_lesson
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.fullscreen.lobby.intents import GoOn, Learn, Rename, ShowHistory, Wanted, Watch
from p2p304.ui.fullscreen.lobby.name_page import NamePage
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.terminal.application import Terminal
from p2p304.ui.terminal.frame import fits
from p2p304.ui.text.narrator import Narrator


def is_usable() -> bool:
    """Whether this terminal can show the full screen: a real terminal, and large enough."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    with contextlib.suppress(OSError):
        size = os.get_terminal_size(sys.stdout.fileno())
        return fits(size.columns, size.lines)
    return False


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
                await run_session(player, target)
                await player.seated.bots.play_on(lambda phrase: _print(store, phrase))
            target, back = None, ToLobby()
            match player.next:
                case GoOn():
                    target = ResumeTarget(joining.find_resumable(store, None))
                case Rename(name=name):
                    store.nick(name)
                case Watch(host=host, port=port):
                    after = await _watch(host, port, store)
                    if isinstance(after, Quit):
                        return 0
                    back = after
                case ShowHistory():
                    if await _look_back(store):
                        return 0
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


async def _look_back(store: DataFolder) -> bool:
    """Show the tables that were played until the player leaves the list; returns whether the
    player leaves the program."""
    from p2p304.frontends.fullscreen import history_screen
    from p2p304.offline.history.history_report import verified

    own = store.identity().public
    return await history_screen.look_back(verified(store, own), store, own, from_lobby=True)


async def learn_first(store: DataFolder, first: Lesson | None) -> int:
    """Show the lessons, and then the lobby, unless the learner leaves the program."""
    return 0 if await learn(store, first) else await play(store, None, NodeConfig(port=None), None)


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


async def _watch(host: str, port: int, store: DataFolder) -> Quit | ToLobby:
    """Watch until the spectator leaves; returns where to, with a sentence if watching was not
    possible."""
    from p2p304.frontends.fullscreen import spectator_screen

    look = read_appearance(store.home)
    try:
        shown = await spectator_screen.look_on(host, port, look, store.nick(None))
    except NetError as error:
        return ToLobby(error.phrase)
    return Quit() if shown.has_quit else ToLobby()


async def _ask_name(store: DataFolder) -> str | None:
    """Ask for the player's name at the first start; None if the player leaves instead."""
    appearance = read_appearance(store.home)
    answers: list[str] = []

    def carry_out(wanted: Wanted) -> None:
        if isinstance(wanted, Rename):
            answers.append(wanted.name)
        terminal.leave()

    page = NamePage(name_from_login(), appearance.look, appearance.translate)
    terminal: Terminal[Wanted] = full_screen(page, carry_out, appearance.look, appearance.translate)
    await terminal.run()
    return answers[0] if answers else None


def _print(store: DataFolder, phrase: Phrase) -> None:
    with contextlib.suppress(OSError):  # the terminal may be closed
        print_line(Narrator(None, read_appearance(store.home).translate).text(phrase))


def _print_transcript(player: Player) -> None:
    """Say where the transcript is, on the terminal after the full screen is closed."""
    path = player.session.transcript
    if path is None or not path.exists():
        return
    teller = Narrator(None, read_appearance(player.store.home).translate)
    with contextlib.suppress(OSError):  # the terminal may be closed
        for phrase in kept_transcript(path, player.store):
            sys.stdout.write(f"{teller.text(phrase)}\n")
        sys.stdout.flush()
