"""What everybody reads at a table that gathers, and a visitor whom nobody has let in yet."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.app.config import NewTable, NodeConfig
from p2p304.app.joining import take_seat
from p2p304.app.session import Session
from p2p304.frontends import lobby
from p2p304.rules.variants.absence import PLAY_OUT, REPLACE, WAIT
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state.gathering_events import Gathering, GatherWait, Members, WaitReason
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.reducer import Gathers
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen.stored import FOUR

CODE = "192.168.1.7:40304   ABCDE-FGHJK"
LEAVES = {
    REPLACE: "that player's side loses the hand",
    PLAY_OUT: "play the hand to its end",
    WAIT: "the table waits as long as it takes",
}
NO_ANSWER = Gathering((GatherWait("", b"k" * 32, WaitReason.NO_ANSWER),), 5, False)


def words(page: TablePage, width: int, height: int) -> str:
    """Everything on the screen beside the log, in one line."""
    rows = page.picture(width, height, 0.0).text.splitlines()
    return " ".join(" ".join(row.split("│")[0] for row in rows).split())


def room(founder: bool, away: str = REPLACE) -> Gathers:
    return Gathers(Room("Friday", "pagat", (CODE,), founder, away))


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("away", LEAVES)
@pytest.mark.parametrize("founder", [True, False])
def test_everybody_sees_on_the_full_screen_how_others_come_and_what_an_absence_means(
    founder: bool, away: str, size: tuple[int, int]
) -> None:
    page = TablePage(Model(me="Bandu"), FOUR)
    page.tell(room(founder, away), 0.0)
    page.tell(Members(("Asha", "Bandu"), 4), 0.0)
    shown = words(page, *size)
    assert " ".join(CODE.split()) in shown
    assert "If somebody leaves for good" in shown and LEAVES[away] in shown
    page.tell(Members(("Asha", "Bandu", "Cara", "Dilan"), 4), 0.0)
    assert "ABCDE-FGHJK" not in words(page, *size)


@pytest.mark.parametrize("away", LEAVES)
def test_everybody_can_read_the_same_in_text_mode_at_any_time(away: str) -> None:
    screen = TextScreen("Bandu")
    screen.teller.lines(room(False, away))
    screen.show(Members(("Asha", "Bandu"), 4))
    for word in ("table", "code"):
        shown = screen.typed(word)
        assert isinstance(shown, Show) and f"  {CODE}" in shown.lines
        assert LEAVES[away] in shown.lines[-1]
    screen.show(Members(("Asha", "Bandu", "Cara", "Dilan"), 4))
    shown = screen.typed("table")
    assert isinstance(shown, Show) and not any("ABCDE-FGHJK" in line for line in shown.lines)


def session(founder: bool, for_bots: bool = False, linked: tuple[str, int] | None = None) -> Any:
    listed = SimpleNamespace(name="Friday", rules=preset("pagat"))
    meeting = SimpleNamespace(list=listed, is_founder=founder, founder=b"f")
    return SimpleNamespace(
        node=SimpleNamespace(meeting=meeting),
        config=NodeConfig(bind="192.0.2.5"),
        mesh=SimpleNamespace(port=40305),
        address_of=lambda key: linked,
        is_for_bots=for_bots,
    )


@pytest.mark.parametrize(
    ("founder", "linked", "where"),
    [
        (True, None, "192.0.2.5:40305   S222M-27HJK"),
        (False, ("192.0.2.7", 40304), "192.0.2.7:40304   S222Q-X7HJB"),
        (False, ("2001:db8::1", 40304), "[2001:db8::1]:40304"),
    ],
)
def test_a_guest_tells_the_address_of_the_player_who_opened_the_table(
    founder: bool, linked: tuple[str, int] | None, where: str
) -> None:
    (told,) = lobby.room(session(founder, linked=linked)).where
    assert told.split()[0] == where.split()[0] and len(told.split()) == len(where.split())


@pytest.mark.parametrize(
    ("bots", "watch", "for_bots"), [(3, "", True), (2, "", False), (3, "now", False)]
)
def test_a_table_is_for_bots_if_they_fill_it_and_nobody_may_watch(
    tmp_path: Path, bots: int, watch: str, for_bots: bool
) -> None:
    """Also with ``--bind``, where this node listens for others than its bots."""

    async def opened(store: DataFolder) -> bool:
        config = NodeConfig("127.0.0.1", watch=watch)
        session = Session(store, "Asha", config, lambda event: None)
        try:
            await take_seat(session, NewTable("Friday", "pagat", 0, False, bots))
        finally:
            await session.close()
        return session.is_for_bots

    with closing(DataFolder(tmp_path)) as store:
        assert asyncio.run(opened(store)) == for_bots


def test_at_a_table_of_own_bots_nothing_is_told_of_codes_or_of_leaving() -> None:
    gathers = lobby.room(session(True, for_bots=True))
    assert gathers.where == () and gathers.away == ""
    assert lobby.room(session(False)).where == ()  # the link to the founder is lost
    page = TablePage(Model(me="Asha"), FOUR)
    page.tell(Gathers(gathers), 0.0)
    page.tell(Members(("Asha",), 4), 0.0)
    shown = words(page, 80, 24)
    assert "table code" not in shown and "leaves for good" not in shown


def test_a_visitor_reads_that_the_host_must_let_them_in_how_long_and_what_to_do() -> None:
    page = TablePage(Model(me="Bandu"), FOUR)
    for change in (None, NO_ANSWER):
        if change is not None:
            page.tell(change, 5.0)
        shown = words(page, 80, 24)
        assert "The player who opened this table must let you in first." in shown
        assert "Your request stands until you have an answer, or leave." in shown
        assert "To leave, press x." in shown
        assert "Waiting to be let in." in shown
        assert "joined" not in shown and "(free)" not in shown and "drawn" not in shown
    page.tell(room(False), 6.0)
    page.tell(Members(("Asha", "Bandu"), 4), 6.0)
    assert "2 of 4 have joined" in words(page, 80, 24)


def test_a_visitor_in_text_mode_reads_the_same_once() -> None:
    screen = TextScreen("Bandu")
    told = " ".join(screen.show(NO_ANSWER))
    assert "has not let you in yet (5 s)" in told and "must let you in first" in told
    assert "until you have an answer, or leave. To leave, type 'lobby' or 'quit'." in told
    assert len(screen.show(NO_ANSWER)) == 1
    help_ = screen.typed("?")
    assert isinstance(help_, Show) and "Waiting to be let in." in help_.lines
