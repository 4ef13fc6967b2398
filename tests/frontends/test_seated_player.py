"""What a player wants, carried out alike for every screen; bots with names that nobody has."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.app.bot_processes import BOT_NICKS
from p2p304.app.config import NewTable, NodeConfig
from p2p304.bots.club import ClubBot
from p2p304.frontends import bot, bot_guests, seated_player
from p2p304.frontends.bot_guests import PACE
from p2p304.frontends.seated_player import SeatedPlayer
from p2p304.frontends.text.player import Person, _play_at, _unless_typed
from p2p304.frontends.text.typed_lines import TypedLines
from p2p304.rules.core.actions import Pass
from p2p304.rules.core.errors import NotNow, RuleBroken
from p2p304.rules.core.phrases import say
from p2p304.rules.variants.absence import BOT_PARTNER
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.table.state.events import NextHand, PartingProposed, PlayerBack, PlayerLeft, YourTurn
from p2p304.table.state.gathering_events import NoSeat
from p2p304.ui.common.settings import Controls
from p2p304.ui.common.wording import CANNOT_SIT, QUIT_AGAIN
from p2p304.ui.narration.intents import (
    AddBot,
    Chat,
    CutPack,
    Decide,
    Do,
    GoOnWithout,
    Part,
    Quit,
    Ready,
    Sit,
    TableIntent,
    ToLobby,
)
from p2p304.ui.text.screen import TextScreen
from p2p304.wire.names import is_name
from tests.support.screen import scenes

KEY = bytes(32)
WISHES: dict[str, TableIntent] = {
    "act": Do(Pass(0)),
    "ready": Ready(),
    "cut": CutPack(12),
    "decide": Decide(KEY, welcome=True),
    "propose_parting": Part(),
    "go_on_without": GoOnWithout(KEY),
    "chat": Chat("hello"),
    "choose": Sit(2),
}
LATER = say("You can chat only between hands.")


def seated(
    home: Path, answer: Exception | None, *nicks: str, opened: bool = True, plays: str = "club"
) -> tuple[SeatedPlayer, list[str]]:
    """A player at a session that notes what it is asked for, and answers with this error."""
    asked: list[str] = []

    def note(name: str) -> Any:
        def take(*args: object) -> None:
            asked.append(name)
            if answer is not None:
                raise answer

        return take

    guests = [SimpleNamespace(nick=nick, key=KEY) for nick in nicks]
    meeting = SimpleNamespace(
        guests=SimpleNamespace(requested_seat=None),
        list=SimpleNamespace(guests=guests, rules=preset("eight-32"), is_complete=len(nicks) == 8),
        admission=SimpleNamespace(passphrase=None, waiting={}),
        is_founder=opened,
        **{name: note(name) for name in ("decide", "go_on_without")},
    )
    wishes = {name: note(name) for name in WISHES}
    session: Any = SimpleNamespace(
        node=SimpleNamespace(meeting=meeting, table=None, **wishes),
        driver=SimpleNamespace(now=0.0, flush=lambda: None),
        config=SimpleNamespace(seat="", bind="127.0.0.1", bots_play=plays, bots_pace=0.0),
        mesh=SimpleNamespace(port=1),
        store=DataFolder(home),
        key=None,
        choose=wishes["choose"],
    )
    return SeatedPlayer(session, ExitStack()), asked


@pytest.mark.parametrize("name", WISHES)
def test_a_wish_goes_to_the_session_and_its_refusal_comes_back(name: str, tmp_path: Path) -> None:
    player, asked = seated(tmp_path, None)
    assert player.carry_out(WISHES[name]) is None and asked == [name]
    player, asked = seated(tmp_path, NotNow(LATER))
    assert player.carry_out(WISHES[name]) == (CANNOT_SIT if name == "choose" else LATER)


@pytest.mark.parametrize(
    ("setting", "cut"), [("ask", None), ("always", CutPack(None)), ("never", CutPack(0))]
)
def test_the_settings_answer_the_offer_to_cut(
    setting: str, cut: CutPack | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[TableIntent] = []

    async def offer() -> bool:
        player, _ = seated(tmp_path, None)
        monkeypatch.setattr(player, "carry_out", done.append)
        answered = player.has_cut(setting)
        assert done == []  # not while the event is handled
        await asyncio.sleep(0)
        return answered

    assert asyncio.run(offer()) == (cut is not None)
    assert done == ([] if cut is None else [cut])


def test_a_broken_rule_is_told_with_its_sentence(tmp_path: Path) -> None:
    player, _ = seated(tmp_path, RuleBroken("follow.suit", say("You must follow suit"), 0))
    assert "must follow suit" in str(player.carry_out(WISHES["act"]))


@pytest.mark.parametrize("guest", [BOT_NICKS[0].upper(), f"{BOT_NICKS[0]} Perera"])
def test_an_invited_bot_gets_a_name_that_nobody_at_the_table_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, guest: str
) -> None:
    started = start(monkeypatch)
    player, _ = seated(tmp_path, None, "Asha", guest)
    for _ in range(2):
        assert player.carry_out(AddBot()) is None
    assert [nick for nick, _ in started] == list(BOT_NICKS[1:3])


def test_bots_come_also_where_guests_have_a_word_of_every_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start(monkeypatch)
    player, _ = seated(tmp_path, None, "Asha", " ".join(BOT_NICKS[:7]), " ".join(BOT_NICKS[7:]))
    assert player.carry_out(AddBot()) is None
    assert [nick for nick, _ in started] == [BOT_NICKS[0]]


def start(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The names and levels of the bots that are started from now on; none of them ends."""
    started: list[tuple[str, str]] = []

    def run(words: list[str], *rest: object) -> object:
        started.append((words[words.index("--nick") + 1], words[words.index("--level") + 1]))
        return SimpleNamespace(poll=lambda: None, terminate=lambda: None)

    monkeypatch.setattr(bot_guests, "run_bot", run)
    return started


def test_bots_take_every_empty_seat_and_no_more_and_each_has_its_own_name_and_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start(monkeypatch)
    player, _ = seated(tmp_path, None, "Asha", plays="master")
    assert player.bots.invite(20) is None
    assert len(started) == len({nick for nick, _ in started}) == 7
    assert [level for _, level in started[:3]] == ["master"] * 3
    homes = [tmp_path / "bots" / nick for nick, _ in started]
    assert {(home / PACE).read_text() for home in homes} == {"0.0"}, "so that it is kept"
    assert player.carry_out(AddBot()) == say("A bot is on its way to every free seat.")


def test_bots_ask_for_the_seats_that_bots_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, str | None] = {}

    def run(words: list[str], *rest: object) -> object:
        seat = words[words.index("--seat") + 1] if "--seat" in words else None
        asked[words[words.index("--nick") + 1]] = seat
        return SimpleNamespace(poll=lambda: None, terminate=lambda: None)

    monkeypatch.setattr(bot_guests, "run_bot", run)
    player, _ = seated(tmp_path, None, "Asha")
    last, first, guest, *_ = reversed(BOT_NICKS)
    assert player.bots.invite(3, ((last, 1), (first, 3))) is None
    usual = next(nick for nick in asked if nick not in (first, last))
    assert asked == {last: "2", first: "4", usual: None}
    asked.clear()
    player, _ = seated(tmp_path / "b", None, "Asha", guest)
    assert player.bots.invite(2, ((guest, 1), (first, 3))) is None
    assert asked.pop(first) == "4" and list(asked.values()) == ["2"] and guest not in asked


def test_a_player_reads_why_no_bot_can_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = start(monkeypatch)
    player, _ = seated(tmp_path, None, "Asha", "Bandu", opened=False)
    assert "opened this table" in str(player.carry_out(AddBot()))
    player, _ = seated(tmp_path, None, *"abcdefgh")
    assert "All seats are taken" in str(player.carry_out(AddBot()))
    player.session.node.table = object()  # type: ignore[assignment]
    assert "before the cards are dealt" in str(player.carry_out(AddBot()))
    assert started == []


def test_text_mode_reads_wishes_about_others_while_a_table_gathers(tmp_path: Path) -> None:
    """A player who may not go on without somebody is told why, whoever is named."""
    player, asked = seated(tmp_path, NotNow(LATER), "Asha")
    told: list[str] = []
    person = Person(player.session, TextScreen("Bandu"), told.append, ExitStack())
    for line in ("without Asha", "without Nobody"):
        assert person.on_line(line)
    assert asked == ["go_on_without"] * 2 and told == [str(LATER)] * 2
    player.session.node.meeting.is_founder = False  # type: ignore[misc]
    assert person.on_line("bot") and "opened this table" in told[-1]


def test_text_mode_rings_at_the_same_moments_as_the_full_screen_and_goes_to_the_lobby(
    tmp_path: Path,
) -> None:
    player, _ = seated(tmp_path, None, "Asha")
    rung: list[int] = []
    for bell, times in (("off", 0), ("turn", 2)):
        screen = TextScreen("Dilan")
        controls = Controls(bell=bell)
        person = Person(
            player.session, screen, lambda line: None, ExitStack(), controls, lambda: rung.append(1)
        )
        asks = [e for e in scenes.evening(14, 1, scenes.club()) if isinstance(e, YourTurn)]
        person.on_event(asks[0])
        person.on_event(NextHand(2))
        assert len(rung) == times
    assert not person.on_line("lobby") and person.left == ToLobby()


def test_a_kept_seat_that_is_not_to_be_had_is_no_answer_to_the_player(tmp_path: Path) -> None:
    player, _ = seated(tmp_path, None, "Asha")
    drawn, taken = (NoSeat(2, chosen=chosen, seats=4) for chosen in (False, True))
    for config, ignored in ((NodeConfig(seat="3", keeps_seat=True), True), (NodeConfig(), False)):
        player.session.config = config
        assert player.may_ignore(drawn) is ignored and not player.may_ignore(taken)


def test_text_mode_prints_a_hint_and_sends_nothing(tmp_path: Path) -> None:
    player, asked = seated(tmp_path, None, "Asha")
    told: list[str] = []
    person = Person(player.session, TextScreen("Dilan"), told.append, ExitStack())
    person.on_event(
        next(e for e in scenes.evening(14, 1, scenes.club()) if isinstance(e, YourTurn))
    )
    person.screen.teller.model = replace(person.screen.model, has_people=False)
    shown = len(told)

    async def ask() -> None:
        assert person.on_line("hint")
        while len(told) == shown:
            await asyncio.sleep(0.001)

    asyncio.run(asyncio.wait_for(ask(), 30))
    assert told[-1].startswith("Hint: ") and asked == []


def test_ctrl_c_at_a_table_says_what_leaving_means_and_how_to_quit(tmp_path: Path) -> None:
    player, _ = seated(tmp_path, None, "Asha")
    told: list[str] = []
    person = Person(player.session, TextScreen("Asha"), told.append, ExitStack())
    person.screen.show(replace(scenes.GOES_ON, owners=(None, None, "Asha", "Asha")))
    lines = TypedLines()
    lines.on_interrupt = lambda: told.append(str(QUIT_AGAIN))

    async def run() -> None:
        lines.on_interrupt()

    async def story() -> None:
        await _play_at(SimpleNamespace(run=run, leave=lambda: None), person, lines)  # type: ignore[arg-type]
        lines.on_interrupt()

    asyncio.run(story())
    assert "bots leave too" in told[0] and "'quit bots'" in told[1]
    assert told[2:] == [str(QUIT_AGAIN)] * 2, "after the table nothing more is to be said"


@pytest.mark.parametrize("language", ["en", "si"])
def test_a_table_without_a_name_is_named_in_the_players_language(
    tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P304_LANGUAGE", language)
    opened: list[NewTable] = []

    async def take_seat(session: object, target: NewTable) -> None:
        opened.append(target)

    monkeypatch.setattr(seated_player, "take_seat", take_seat)
    player, _ = seated(tmp_path, None, "Asha")
    player.session.nick = "Asha"
    asyncio.run(player.sit_down(NewTable(None, "pagat", 0, False, 0)))
    name = {"en": "Asha's table", "si": "Ashaගේ මේසය"}[language]
    assert opened[0].name == name and is_name(name)


@pytest.mark.parametrize(
    ("typed", "follows"),
    [(["x", "lobby"], ToLobby()), ([" Quit "], Quit()), ([None], Quit()), (["x"], None)],
)
def test_a_wait_in_text_mode_ends_with_a_word_or_by_itself(
    typed: list[str | None], follows: object
) -> None:
    async def story() -> tuple[object, str | None]:
        lines, opened = TypedLines(), asyncio.Event()
        for line in typed:
            lines.put(line)
        asyncio.get_running_loop().call_later(0.2, opened.set)
        waited = await _unless_typed(_wait(opened), lines)
        lines.put("the next line is for the table")
        return waited, await lines.next()

    told = None if typed == [None] else "the next line is for the table"
    assert asyncio.run(story()) == (follows, told)


def test_a_line_that_comes_as_a_wait_ends_is_for_what_follows() -> None:
    async def story() -> str | None:
        lines, opened = TypedLines(), asyncio.Event()

        async def wait() -> None:
            await opened.wait()

        waiting = asyncio.ensure_future(_unless_typed(wait(), lines))
        await asyncio.sleep(0.01)
        opened.set()
        lines.put("160")  # in the same round of the loop
        await waiting
        lines.put("later")
        return await lines.next()

    assert asyncio.run(story()) == "160"


async def _wait(opened: asyncio.Event) -> None:
    await opened.wait()


def test_bots_that_stay_are_waited_for_and_ended_with_the_wait(tmp_path: Path) -> None:
    """Without the player's wish nobody waits for them."""
    player, _ = seated(tmp_path, None, "Asha")
    player.session.node.is_finished = False  # type: ignore[misc]
    told: list[str] = []

    class Running:
        def __init__(self, polls: int) -> None:
            self.polls = polls

        def poll(self) -> int | None:
            self.polls -= 1
            return None if self.polls > 0 else 0

    async def wait() -> None:
        for stay in (False, True):
            player.bots.stay = stay
            player.bots._processes = {"Kamala": Running(3)}  # type: ignore[dict-item]
            await player.bots.play_on(lambda phrase: told.append(str(phrase)))

    asyncio.run(asyncio.wait_for(wait(), 10))
    assert told[0].startswith("Your bots play on for the others: Kamala [bot].")
    assert told[1:] == ["Your bots have ended."]

    async def end() -> ToLobby | Quit | None:
        player.bots._processes = {"Kamala": Running(10**6)}  # type: ignore[dict-item]
        lines = TypedLines()
        lines.put("160")
        lines.put(None)  # Ctrl-C ends the lines
        wait = player.bots.play_on(lambda phrase: told.append(str(phrase)))
        return await _unless_typed(wait, lines)

    assert asyncio.run(asyncio.wait_for(end(), 10)) == Quit()
    assert told[2:] == [told[0]]


@pytest.mark.parametrize("said", [True, False])
@pytest.mark.parametrize("owner", ["Asha", "Bandu"])
def test_a_bot_agrees_at_once_where_its_owner_has_said_that_it_leaves(
    said: bool, owner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bots of a player who pulls a cable, and of others, give their partner time."""
    asked: list[float] = []
    monkeypatch.setattr(bot, "is_partner", lambda session, absent: True)
    monkeypatch.setattr(bot, "is_owner", lambda session, absent: owner == absent)

    async def hear() -> None:
        loop = asyncio.get_running_loop()
        player = bot.BotPlayer(ClubBot(), None, ExitStack())
        player._session = SimpleNamespace(nick="Kamala")  # type: ignore[assignment]
        player._loop = SimpleNamespace(  # type: ignore[assignment]
            call_later=lambda after, what, session: asked.append(after),
            create_task=loop.create_task,
        )
        player.on_event(PlayerLeft("Asha", said=said))
        player.on_event(PartingProposed("Asha", ("Chitra",), 3))
        player.on_event(PlayerBack("Asha"))
        player.on_event(PartingProposed("Asha", ("Chitra",), 3))

    asyncio.run(hear())
    assert asked == [0.0 if said and owner == "Asha" else BOT_PARTNER, BOT_PARTNER]


@pytest.mark.parametrize("here", [1, 2, 3, 4])
def test_a_bot_that_keeps_the_list_invites_another_once_all_who_stay_are_there(here: int) -> None:
    """Before that the new bot could have the name of one of them, and would be turned away."""
    table = SimpleNamespace(after=object(), guests=[object()] * here, rules=preset("pagat"))
    meeting = SimpleNamespace(list=table, is_founder=True)
    session: Any = SimpleNamespace(node=SimpleNamespace(meeting=meeting))
    assert bot._keeps_open_seat(session) is (here == 3)
