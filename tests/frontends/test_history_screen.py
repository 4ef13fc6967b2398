"""What `q` does in the history is what the footer says, from the lobby and as a command."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.fullscreen import fullscreen, history_screen
from p2p304.frontends.fullscreen.replay_screen import replay_page
from p2p304.offline.history.history_report import verified
from p2p304.storage.data_folder import DataFolder
from p2p304.ui.fullscreen.history_page import HistoryPage
from tests.support.paths import TRANSCRIPTS


class Stepped:
    """A terminal without a screen: it presses Enter on the first table and keeps the footers."""

    has_quit = False

    def __init__(self, page: Any, carry_out: Callable[[Any], None], *_: object) -> None:
        self.page, self.carry_out, self.footers = page, carry_out, list[str]()

    def turn_to(self, page: Any) -> None:
        self.page = page

    def refresh(self) -> None:
        """Nothing is drawn unasked."""

    async def run(self) -> None:
        for key in ("enter", "q"):
            self.footers.append(self.page.picture(100, 24, 0.0).text.splitlines()[-1].strip())
            for wanted in self.page.press(key, 0.0):
                self.carry_out(wanted)
        assert isinstance(self.page, HistoryPage)


@pytest.fixture
def store(tmp_path: Path) -> DataFolder:
    home = tmp_path / "home"
    (home / "games").mkdir(parents=True)
    shutil.copy(TRANSCRIPTS / "good.304", home / "games" / f"{'ab' * 16}.304")
    return DataFolder(home)


def footers(show: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[Stepped] = []

    def terminal(*args: Any) -> Stepped:
        made.append(Stepped(*args))
        return made[-1]

    monkeypatch.setattr(history_screen, "full_screen", terminal)
    asyncio.run(show())
    return made[0].footers


def test_q_leads_back_in_the_history_from_the_lobby(
    store: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables, replay = footers(lambda: fullscreen._look_back(store), monkeypatch)
    assert tables.endswith("q back") and replay.endswith("q back")


def test_q_quits_the_history_that_is_a_command(
    store: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = store.identity().public
    games = verified(store, own)
    tables, replay = footers(lambda: history_screen.show(games, store, own), monkeypatch)
    assert tables.endswith("q quit") and replay.endswith("q back")


def test_q_quits_a_replay_that_is_a_command(store: DataFolder) -> None:
    page = replay_page(TRANSCRIPTS / "good.304", read_appearance(store.home), None)
    assert page.picture(100, 24, 0.0).text.splitlines()[-1].endswith("q quit")
