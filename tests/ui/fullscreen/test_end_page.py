"""The end of a table: what is shown, and what can be done next."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.app.config import NodeConfig
from p2p304.frontends import lobby
from p2p304.frontends.lobby import NextTable, form_of, next_table
from p2p304.net.errors import NetError
from p2p304.rules.core.phrases import say
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events, gathering_events
from p2p304.ui.common.settings import Pace
from p2p304.ui.fullscreen.input.keys import click, press
from p2p304.ui.fullscreen.lobby.intents import JoinAddress, OpenTable
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import Again, Quit, Rematch, ToLobby
from p2p304.ui.narration.model import Model, Room
from p2p304.ui.narration.reducer import Gathers, reduce
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare


def over(founder: bool) -> TablePage:
    """A page on which a hand and then the table has ended."""
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    page.tell(Gathers(Room("Friday", "pagat", (), founder)), 0.0)
    for number, change in enumerate(scenes.evening(14, 3, scenes.club())):
        if isinstance(change, events.NextHand):
            break
        page.tell(change, number * 0.04)
    assert page.model.match is not None
    page.tell(events.TableOver(page.model.match, None), 9.0)
    return page


def pane(page: TablePage) -> Pane | None:
    return page.ui.pane


def test_the_result_is_read_first_and_then_the_end_with_what_comes_next() -> None:
    page = over(founder=True)
    assert pane(page) is Pane.RESULT
    page.press("enter", 9.0)
    assert pane(page) is Pane.END
    compare("pane-end", Emulated(80, 24).show(page, dict(FOUR.styles)))
    assert page.press("enter", 9.0) == (Again(Rematch.SAME_SEATS),)
    foot = page.picture(80, 24, 9.0).text
    assert "Choose with Up/Down or a number, then press Enter." in foot
    assert page.press("2", 9.0) == ()  # as at the table, Enter does it
    assert page.press("enter", 9.0) == (Again(Rematch.NEW_DRAW),)
    page.press("1", 9.0)
    page.press("up", 9.0)
    assert page.press("enter", 9.0) == (Quit(),)
    page.press("escape", 9.0)
    assert pane(page) is None and page.press("enter", 9.0) == ()
    assert pane(page) is Pane.END


def test_a_guest_joins_again_and_a_click_chooses() -> None:
    page = over(founder=False)
    assert press(page.model, Ui(pane=Pane.END, at=1), "enter")[1] == (ToLobby(),)
    assert click(page.model, Ui(pane=Pane.END), 0)[1] == (Again(Rematch.SAME_SEATS),)


def session(founder: bool) -> Any:
    guests = [SimpleNamespace(key=key, bot=None, nick="Asha") for key in (b"a", b"b")]
    guests.append(SimpleNamespace(key=b"c", bot=SimpleNamespace(owner=b"a"), nick="Kamala"))
    rules = replace(preset("bank"), seating="random")
    here = SimpleNamespace(guests=guests, name="Friday", rules=rules, hands=3, watch="trick")
    meeting = SimpleNamespace(
        list=here,
        is_founder=founder,
        admission=SimpleNamespace(passphrase="tea", asks_founder=True),
        visitor=SimpleNamespace(passphrase="tea"),
    )
    # In the agreement's order; b sits first, then the bot.
    state = SimpleNamespace(terms=SimpleNamespace(keys=(b"a", b"b", b"c")), seating=(1, 2, 0))
    links = {b"a": ("192.0.2.7", 40304)}
    return SimpleNamespace(
        node=SimpleNamespace(meeting=meeting, table=SimpleNamespace(state=state)),
        config=NodeConfig(),
        mesh=SimpleNamespace(port=40304, links=links),
        address_of=links.get,
        key=SimpleNamespace(public=b"a"),
        joined=None,
    )


def test_the_player_who_opened_the_table_opens_it_again_where_the_others_find_it() -> None:
    found = next_table(session(founder=True), Rematch.SAME_SEATS, 2, "strong", 0.5)
    rules = replace(preset("bank"), seating="chosen")
    wanted = OpenTable("Friday", rules, 3, 1, "tea", True, "trick", "strong", (("Kamala", 1),))
    config = NodeConfig(port=40304, seat="3", keeps_seat=True, bots_pace=0.5)
    assert found == NextTable("Friday", wanted, config)
    drawn = next_table(session(founder=True), Rematch.NEW_DRAW, 2, "club", None)
    assert drawn is not None and isinstance(drawn.wanted, OpenTable)
    assert drawn.wanted.rules.seating == "random" and drawn.config.seat == ""
    assert drawn.wanted.bot_seats == ()
    asked = next_table(session(founder=True), Rematch.OTHER_RULES, 2, "club", None)
    assert asked is not None and asked.asks_rules and isinstance(asked.wanted, OpenTable)
    assert form_of(wanted).rules == rules


def test_a_guest_joins_where_the_table_was() -> None:
    found = next_table(session(founder=False), Rematch.SAME_SEATS, 0, "club", None)
    assert found is not None and found.wanted == JoinAddress("192.0.2.7", 40304, "tea")
    gone = session(founder=False)
    gone.mesh.links.clear()
    assert next_table(gone, Rematch.SAME_SEATS, 0, "club", None) is None


def test_joining_leaving_and_coming_back_are_told() -> None:
    model = Model(me="Asha")
    for nicks in (("Asha",), ("Asha", "Bandu"), ("Asha",)):
        model = reduce(model, gathering_events.Members(nicks, 4), 0.0)
    told = [str(line.phrase) for line in model.log]
    assert "Bandu has joined." in told and "Bandu is no longer at the table." in told
    model = reduce(model, events.PlayerLeft("Bandu"), 0.0)
    model = reduce(model, events.PlayerBack("Bandu"), 0.0)
    assert [str(line.phrase) for line in model.log][-2:] == [
        "The connection to Bandu is lost. The seat is kept.",
        "Bandu is back.",
    ]
    model = reduce(model, events.PlayerLeft("Bandu", said=True), 0.0)
    assert model.log[-1].phrase.text.startswith("{nick} has left the table.")


def test_a_guest_who_waits_reads_for_whom_and_can_go_to_the_lobby() -> None:
    page = LobbyPage("Bandu", FOUR)
    page.begun((), 0.0)
    page.awaiting_rematch("Asha", 10.0)
    shown = page.picture(80, 24, 33.0).text
    assert "Waiting for Asha to open the table again: 23 s." in shown
    assert "No tables found" not in shown and "Esc lobby" in shown
    page.paste("192.0.2.7:40304", 34.0)
    assert page.picture(80, 24, 33.0).text == shown
    assert page.press("o", 34.0) == () and page.press("escape", 34.0) == (ToLobby(),)
    assert page.next_timeout(34.0) == 35.0
    page.failed(say("{nick} has left.", nick="Asha"))
    shown = page.picture(80, 24, 99.0).text
    assert "Asha has left." in shown and "Waiting for" not in shown and "Open a table" in shown


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        (ConnectionRefusedError(), "Asha's program is closed."),
        (TimeoutError(), "Asha's computer cannot be reached."),
        (ConnectionResetError(), "Asha has not opened the table again."),
        (None, "Asha has not opened the table again."),
    ],
)
def test_a_guest_who_waits_in_vain_is_told_so(
    cause: OSError | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program that still runs at the address keeps the wait going, and so does a network that is
    lost: it may come back."""
    tries = []

    async def sit_down(session: Any, wanted: Any) -> None:
        tries.append(wanted)
        raise NetError(say("Cannot reach {address}.", address="x")) from cause

    async def sleep(seconds: float) -> None:
        clock[0] += seconds

    async def wait() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock[0])
        await lobby.sit_down_again(session(founder=False), table)

    clock = [5.0]
    found = next_table(session(founder=False), Rematch.SAME_SEATS, 0, "club", None)
    assert found is not None and found.host == "Asha"
    table = found
    monkeypatch.setattr(lobby, "sit_down", sit_down)
    monkeypatch.setattr(lobby, "asyncio", SimpleNamespace(**{**vars(asyncio), "sleep": sleep}))
    with pytest.raises(NetError, match=told):
        asyncio.run(wait())
    assert len(tries) == 1 + (lobby.HOST_GONE if "closed" in told else lobby.REMATCH_TIME)


def test_the_end_says_who_waits_for_another_table() -> None:
    page = over(founder=True)
    page.press("enter", 9.0)
    page.tell(events.WantsAgain("Bandu"), 9.0)
    assert "Bandu wants to play again, and waits for you." in page.picture(80, 24, 9.0).text
    page.tell(events.WantsAgain("Chitra"), 9.0)
    told = "These players want to play again, and wait for you: Bandu, Chitra."
    assert told in page.picture(80, 24, 9.0).text
    named = replace(page.model, nicks=("Asha", "Kamala [bot]"), wants_again=())
    assert reduce(named, events.WantsAgain("Kamala"), 9.0).wants_again == ("Kamala [bot]",)


def test_the_result_of_a_hand_lost_by_a_parting_does_not_cover_those_who_gather() -> None:
    page = over(founder=False)
    assert pane(page) is Pane.RESULT and page.model.match is not None
    page.tell(events.Parted("Asha", "replace", page.model.match, goes_on=True), 9.0)
    assert pane(page) is None
