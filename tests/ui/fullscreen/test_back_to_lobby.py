"""Ways back from a table to the lobby, and what the lobby then says and asks."""

from __future__ import annotations

import asyncio
import inspect
import re
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.app import session
from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.frontends.text.spectator import watch
from p2p304.net.errors import Reason
from p2p304.net.links.link import LEAVING
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.exchange.notes import MOST_NAMED
from p2p304.table.gathering.admission import FULL, NEEDS_ONE, WRONG
from p2p304.table.gathering.list_acceptance import TURNED_AWAY, is_about_passphrase
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.ui.common.settings import Pace
from p2p304.ui.fullscreen.input.keys import press, update_after
from p2p304.ui.fullscreen.input.typed_line import out_of_turn
from p2p304.ui.fullscreen.lobby.intents import JoinAddress
from p2p304.ui.fullscreen.lobby.model import Mode
from p2p304.ui.fullscreen.lobby.offer import Offer
from p2p304.ui.fullscreen.lobby.page import LobbyPage
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import RESULT_PAUSE, TablePage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import MOST_SPECTATORS, reduce
from p2p304.ui.questions.end_choices import choices
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR


def test_a_locked_table_that_was_named_asks_for_its_passphrase_and_is_joined_with_it() -> None:
    page = LobbyPage("Bandu", FOUR)
    page.failed(verbatim(NEEDS_ONE))
    page.ask_passphrase(("192.0.2.7", 40304))
    page.found(())  # what is found meanwhile changes nothing
    shown = page.picture(80, 24, 0.0).text
    assert "192.0.2.7:40304 needs a passphrase" in shown and "Ask its players" in shown
    wanted = [w for key in (*"tea", "enter") for w in page.press(key, 0.0)]
    assert wanted == [JoinAddress("192.0.2.7", 40304, "tea")]
    page = LobbyPage("Bandu", FOUR)
    page.ask_passphrase(("192.0.2.7", 40304))
    page.press("escape", 0.0)
    assert page.lobby.mode is Mode.LIST and page.lobby.retry is None


def test_a_table_that_was_found_keeps_its_name_after_a_wrong_passphrase() -> None:
    page = LobbyPage("Bandu", FOUR)
    page.ask_passphrase(("192.0.2.7", 40304))
    page.found((Offer("a", "Friday", "Asha", "pagat", 3, 4, "192.0.2.7:40304", locked=True),))
    assert "Friday needs a passphrase" in page.picture(80, 24, 0.0).text


@pytest.mark.parametrize(
    ("reason", "again"),
    [
        (verbatim(NEEDS_ONE), True),
        (TURNED_AWAY.filled(why=WRONG), True),
        (TURNED_AWAY.filled(why=FULL), False),
        (verbatim(FULL), False),
    ],
)
def test_another_passphrase_is_asked_for_only_where_it_helps(reason: Phrase, again: bool) -> None:
    assert is_about_passphrase(reason) is again


def test_one_key_leads_from_a_table_to_the_lobby_and_asks_while_others_depend_on_it() -> None:
    assert press(Model(me="Asha"), Ui(), "x")[1] == (ToLobby(),)
    assert press(Model(me="Asha", stage=Stage.OVER), Ui(), "x")[1] == (ToLobby(),)
    assert press(Model(watches=True, stage=Stage.PLAYING), Ui(), "x")[1] == (ToLobby(),)
    assert press(Model(), Ui(), "x")[1] == ()  # a replay has no lobby
    alone = Model(watches=True, has_lobby=False, stage=Stage.OVER)  # `p2p304 watch`
    assert press(alone, Ui(), "x")[1] == ()
    assert [choice.does for choice in choices(alone)] == [Quit()]
    ui, wanted = press(Model(me="Asha", stage=Stage.PLAYING), Ui(), "x")
    assert wanted == () and press(Model(me="Asha"), ui, "y")[1] == (ToLobby(),)


def test_a_spectator_reads_that_it_is_one_and_a_player_who_watches() -> None:
    watches = Model(watches=True)
    assert "You are watching" in due(watches).text
    assert "You are watching" in out_of_turn(watches).text
    shown = render(watches, Ui(), PhraseRenderer(FOUR), 80, 24, 0.0).text
    assert "Nothing can be shown yet" in shown
    assert not re.search("joined|free|drawn", shown), "of players it does not know anything"
    model = Model(me="Asha")
    for _ in range(3):
        model = reduce(model, events.SpectatorCame("Eve"), 0.0)
    assert [str(line.phrase) for line in model.log] == ["A spectator is watching: Eve."]
    model = reduce(model, events.SpectatorCame("Eve", "Bandu"), 0.0)
    assert str(model.log[-1].phrase) == "A spectator is watching through Bandu: Eve."
    nameless = inspect.signature(watch).parameters["nick"].default
    unnamed = reduce(model, events.SpectatorCame(nameless), 0.0)
    assert str(unnamed.log[-1].phrase) == "A spectator is watching."
    unnamed = reduce(model, events.SpectatorCame(nameless, "Bandu"), 0.0)
    assert str(unnamed.log[-1].phrase) == "A spectator is watching through Bandu."
    for number in range(2 * MOST_SPECTATORS):
        model = reduce(model, events.SpectatorCame(f"Eve {number}"), 0.0)
    assert len(model.log) == MOST_SPECTATORS + 1, "and one through Bandu"


def test_a_note_that_comes_before_the_seats_are_drawn_is_not_forgotten() -> None:
    """So it is after a restart: notes come with the link, and the entries after them."""
    nicks = ("Asha", "Bandu", "Chitra", "Dilan")
    seated = events.Seated(nicks, (b"",) * 4, 0, "ABC-DEF", Match.start(preset("pagat")), True)
    model = reduce(Model(me="Asha"), events.CodeConfirmed("Bandu"), 0.0)
    assert reduce(model, seated, 0.0).unconfirmed == ("Chitra", "Dilan")


def test_false_notes_of_others_hide_no_spectator_of_ones_own_node() -> None:
    model = Model(me="Asha")
    for liar in ("Bandu", "Chamari", "Dilan", "Eranga", "Farah"):
        for number in range(MOST_NAMED):
            model = reduce(model, events.SpectatorCame(f"Eve {number}", liar), 0.0)
    assert len(model.spectators) == 5 * MOST_NAMED > MOST_SPECTATORS
    model = reduce(model, events.SpectatorCame("Eve"), 0.0)
    assert str(model.log[-1].phrase) == "A spectator is watching: Eve."


@pytest.mark.parametrize(
    ("reason", "gone"),
    [
        ("the connection was closed", "could not be reached for 0 s."),
        (say("the other side closed it: {why}", why=LEAVING), "has left."),
    ],
)
def test_a_guest_gives_up_a_table_whose_opener_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reason: Reason, gone: str
) -> None:
    """Only an opener that has said so has left."""
    monkeypatch.setattr(session, "VANISHED", 0.05)
    told: list[Event] = []

    async def run() -> None:
        guest = Session(DataFolder(tmp_path), "Bandu", NodeConfig("127.0.0.1"), told.append)
        founder = bytes(32)
        guest.node.meeting.guests.founder = founder
        guest._lost(founder, reason)
        await asyncio.wait_for(guest._over.wait(), 5)

    asyncio.run(run())
    (away,) = told
    assert isinstance(away, gathering_events.TurnedAway)
    assert str(away.sentence) == f"This table is gone: the player who opened it {gone}"


def test_a_spectator_who_cannot_play_reads_what_goes_on_as_soon_as_it_goes_on() -> None:
    """For a spectator nothing is ever asked that would end the sentence."""
    moments = [model for _, model in scenes.models(3, 0, scenes.club())]
    watched = [replace(model, me=None, watches=True, view=None, options=()) for model in moments]
    playing = [model for model in watched if model.hand is not None]
    refused, _ = press(playing[0], Ui(), "enter")
    assert refused.note is None
    refused, _ = press(playing[0], Ui(typed="60"), "enter")
    assert refused.note == out_of_turn(playing[0])
    same = update_after(refused, playing[0], replace(playing[0], log=()))
    assert same.note == refused.note
    moved = next(model for model in playing if model.hand is not playing[0].hand)
    assert update_after(refused, playing[0], moved).note is None
    gone = replace(playing[0], gone=frozenset({playing[0].nicks[1]}))
    assert update_after(refused, playing[0], gone).note is None


def test_a_spectator_sees_a_result_for_a_while_and_then_the_next_hand() -> None:
    """Nobody asks a spectator whether to deal, and no key need be pressed to see the table."""
    page = TablePage(Model(watches=True), FOUR, pace=Pace(0, 0))
    for change in scenes.evening(3, 0, scenes.club()):
        if not isinstance(change, events.HandSeen | events.YourTurn | events.NextHand):
            page.tell(change, 10.0)
    page.show_rest(10.0)

    def seen() -> tuple[Pane | None, int]:
        return page.ui.pane, page.model.number

    assert seen() == (Pane.RESULT, 1)
    page.tell(events.HandBegan(2, 1), 11.0)
    page.tell(events.Dealt(1, 4, Hand.start(scenes.PAGAT, 1)), 11.0)
    assert seen() == (Pane.RESULT, 1)
    page.handle_timer(10.0 + RESULT_PAUSE)
    assert seen() == (None, 2)
    page.ui = Ui(pane=Pane.RESULT)  # opened by hand, it stays
    page.tell(events.Dealt(2, 4, Hand.start(scenes.PAGAT, 1)), 30.0)
    assert seen() == (Pane.RESULT, 2)
