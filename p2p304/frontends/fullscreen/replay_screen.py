"""`p2p304 replay` on the full screen: a transcript, verified entry by entry as it is shown.

Responsible for passing the replay's entries to the page, and for running its searches in a thread.
The verdict on an entry is the audit's (offline/audit.py).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from p2p304.frontends.appearance import Appearance, read_appearance
from p2p304.frontends.hints import hint_or_fault
from p2p304.log.faults import Refused
from p2p304.offline.teacher.mistakes import judged
from p2p304.offline.teacher.own_views import ByClock, OwnView, kept_at_table
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file
from p2p304.table.state.table import TableState
from p2p304.table.transition.replay import Replay
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.fullscreen.lobby.intents import Wanted
from p2p304.ui.fullscreen.moments import Entry
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.fullscreen.replay_search import Found, Run, at_once
from p2p304.ui.narration.intents import Quit
from p2p304.ui.terminal.application import Terminal


def no_view(state: TableState, place: int) -> None:
    """No view is kept."""


def no_clock(state: TableState, place: int) -> bool:
    """Nothing is kept of the clock."""
    return False


def entries(
    data: bytes, own_view: OwnView = no_view, by_clock: ByClock = no_clock
) -> Iterator[Entry | Phrase]:
    """Yield a transcript's entries with the time that each took; a false one ends them with a
    sentence. ``own_view`` says what the player at this screen knew after one, ``by_clock`` whether
    the clock made one. Raises Unreadable if the bytes are no transcript."""
    begun = time.perf_counter()
    try:
        for replayed in Replay(data):
            seconds = time.perf_counter() - begun
            yield Entry(
                replayed.seq,
                replayed.kind,
                replayed.author,
                replayed.events,
                seconds,
                own_view(replayed.state, replayed.seq),
                by_clock(replayed.state, replayed.seq),
            )
            begun = time.perf_counter()
    except Refused as refused:
        why = refused.finding.sentence
        yield say("The transcript is not sound from here on: {why}.", why=why)


class SearchThread:
    """A page's `Run`: searches in a thread, so that keys are read, and then calls ``refresh``."""

    def __init__(self, refresh: Callable[[], None]) -> None:
        self._refresh = refresh
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, work: Callable[[], Found], done: Callable[[Found], None]) -> None:
        async def search() -> None:
            done(await asyncio.to_thread(work))
            self._refresh()

        task = asyncio.get_running_loop().create_task(search())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def replay_page(
    path: Path,
    appearance: Appearance,
    own: bytes | None,
    own_view: OwnView = no_view,
    by_clock: ByClock = no_clock,
    run: Run = at_once,
    from_list: bool = False,
) -> ReplayPage:
    """Return the page of a transcript, seen from the seat of the player with the key ``own`` if
    that player sat there; ``run`` runs its searches, and ``from_list`` says whether it was opened
    from a list of tables. Raises DataFolderError or Unreadable."""
    return ReplayPage(
        entries(read_file(path), own_view, by_clock),
        appearance.look,
        appearance.translate,
        appearance.controls,
        hint_or_fault,
        own,
        judged,
        run,
        from_list,
    )


async def show(path: Path, hand: int | None, home: Path | None) -> int:
    """Step through a game, with what is kept of it in this data folder; returns 0, or 2 if there is
    no such hand."""
    appearance, search = read_appearance(home), SearchThread(lambda: terminal.refresh())
    own: bytes | None = None
    kept: tuple[OwnView, ByClock] = no_view, no_clock
    with contextlib.suppress(DataFolderError):  # a replay needs no data folder
        store = DataFolder(home)
        own = store.own_key()
        kept = kept if own is None else kept_at_table(store, own)
    page = replay_page(path, appearance, own, *kept, search)
    if hand is not None and not page.go_to_hand(hand):
        sys.stderr.write(f"This transcript has no hand {hand}.\n")
        return 2

    def carry_out(wanted: Wanted) -> None:
        if isinstance(wanted, Quit):
            terminal.leave()

    terminal: Terminal[Wanted] = full_screen(page, carry_out, appearance.look, appearance.translate)
    await terminal.run()
    return 0
