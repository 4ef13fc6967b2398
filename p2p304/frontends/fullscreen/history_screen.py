"""`p2p304 history` on the full screen: the tables that were played; each opens as a replay.

Responsible for the lines of the list, and for passing from it to a replay and back. Summaries are
offline/history/summaries.py's.
"""

from __future__ import annotations

from pathlib import Path

from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.fullscreen.replay_screen import SearchThread, no_view, replay_page
from p2p304.log.transcript import Unreadable
from p2p304.offline.history.summaries import GameSummary
from p2p304.offline.teacher.own_views import kept_clock, kept_view
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.ui.fullscreen import history_page
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.fullscreen.history_page import HistoryPage, OpenReplay, Row
from p2p304.ui.fullscreen.lobby.intents import Wanted
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.narration.intents import Quit
from p2p304.ui.terminal.application import Terminal


def row(game: GameSummary, own: str, folder: Path) -> Row:
    """Describe one table, for the player with the key ``own`` (hex)."""
    head = say(
        "{when}  {table} ({rules})",
        when=game.when,
        table=game.table or game.file,
        rules=game.rules or "-",
    )
    if game.fault is not None:
        detail = say("Not sound: {why}.", why=game.fault)
        if game.unread:
            detail = say("cannot be read: {why}", why=game.fault)
        return Row(folder / game.file, head, detail, sound=False)
    detail = say(
        "{who}: {hands}, {state}. {tokens}",
        who=", ".join(game.nicks),
        hands=_hands(sum(note.counts for note in game.hands)),
        state=_state(game),
        tokens=_tokens(game, own),
    )
    return Row(folder / game.file, head, detail)


def _hands(count: int) -> Phrase:
    return say("1 hand") if count == 1 else say("{n} hands", n=count)


def _state(game: GameSummary) -> Phrase:
    if game.without:
        return say("ended without {who}", who=game.without)
    if game.stopped:
        return say("stopped: a fault is proven")
    return say("over") if game.over else say("not finished")


def _tokens(game: GameSummary, own: str) -> Phrase:
    """What each side or seat had at the end, the player's own first."""
    if not game.tokens:
        return say("No hand has ended yet.")
    mine = game.sides[game.keys.index(own)] if own in game.keys else None
    order = sorted(range(len(game.tokens)), key=lambda account: account != mine)
    each = tuple(_account(game, account, mine) for account in order)
    if game.is_points:
        return say("Points in the match: {each}.", each=each)
    return say("Tokens: {each}.", each=each)


def _account(game: GameSummary, account: int, mine: int | None) -> Phrase:
    has = game.tokens[account]
    nicks = [nick for nick, side in zip(game.nicks, game.sides, strict=True) if side == account]
    if len(nicks) > 1 and mine is not None:
        return say("We {n}", n=has) if account == mine else say("They {n}", n=has)
    return say("{who} {n}", who=" + ".join(nicks), n=has)


async def show(games: list[GameSummary], store: DataFolder, own: bytes | None) -> int:
    """Show the list until the player leaves it; returns 0."""
    await look_back(games, store, own)
    return 0


async def look_back(
    games: list[GameSummary], store: DataFolder, own: bytes | None, from_lobby: bool = False
) -> bool:
    """Show the list to the player with the key ``own``, the last table first, until the player
    leaves; returns whether the player leaves the program."""
    appearance = read_appearance(store.home)
    rows = tuple(row(game, (own or b"").hex(), store.home / "games") for game in reversed(games))
    page = HistoryPage(rows, appearance.look, appearance.translate, from_lobby)

    def carry_out(wanted: history_page.Wanted | Wanted) -> None:
        if isinstance(wanted, OpenReplay):
            try:
                game = store.game(wanted.path.stem)
                seen = no_view if own is None else kept_view(game, own)
                by_clock = kept_clock(game)
                shown = replay_page(wanted.path, appearance, own, seen, by_clock, search, True)
                terminal.turn_to(shown)
            except DataFolderError as error:
                page.note = error.phrase
            except Unreadable as error:
                page.note = say("This file is not a readable transcript: {why}.", why=str(error))
        elif isinstance(wanted, Quit) and isinstance(terminal.page, ReplayPage):
            terminal.turn_to(page)
        elif isinstance(wanted, Quit):
            terminal.leave()

    terminal: Terminal[history_page.Wanted | Wanted] = full_screen(
        page, carry_out, appearance.look, appearance.translate
    )
    search = SearchThread(terminal.refresh)
    await terminal.run()
    return terminal.has_quit
