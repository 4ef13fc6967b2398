"""How well a bot plays: every level names a player, and a bot that is woken keeps its own."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from p2p304.app.config import BOTS_PACE, NodeConfig
from p2p304.bots.club import ClubBot, LearnerBot
from p2p304.bots.search.bids import bid
from p2p304.bots.search.levels import LEVELS
from p2p304.bots.search.strong import StrongBot
from p2p304.bots.series import shuffled
from p2p304.frontends import bot, bot_guests
from p2p304.frontends.bot_guests import LEVEL, PACE, BotGuests
from p2p304.rules.core.actions import PCC, Action, Bid, Pass
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.ui.fullscreen.lobby.model import ROWS, Form
from p2p304.ui.fullscreen.lobby.view import BID_LIKE_CLUB, explained
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from tests.support.reference.random_hands import dealt
from tests.support.screen.stored import FOUR


def test_every_level_has_its_player() -> None:
    kinds = {level: type(bot._bot(level)) for level in LEVELS}
    strong = {"strong": StrongBot, "master": StrongBot}
    assert kinds == {"learner": LearnerBot, "club": ClubBot, **strong}


@pytest.mark.parametrize(
    ("kept", "level"),
    [
        (b"strong", "strong"),
        (b"learner", "learner"),
        (b"beginner", "club"),
        (b"\xff", "club"),
        (None, "club"),
    ],
)
def test_a_bot_that_is_woken_plays_as_before_and_so_do_those_that_come_after_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes | None, level: str
) -> None:
    started: list[list[str]] = []
    home = tmp_path / "bots" / "Nila"
    home.mkdir(parents=True)
    if kept is not None:
        (home / LEVEL).write_bytes(kept)
    monkeypatch.setattr(BotGuests, "_has_table", staticmethod(lambda home, table: True))
    monkeypatch.setattr(BotGuests, "_start", lambda self, words, home: started.append(words))
    session = SimpleNamespace(
        store=SimpleNamespace(home=tmp_path), config=NodeConfig(bots_play="master")
    )
    with ExitStack() as stack:
        guests = BotGuests(session, stack)  # type: ignore[arg-type]
        guests.wake("abc")
        assert guests.plays == level
    assert started == [["--resume", "--level", level]]


@pytest.mark.parametrize(
    ("said", "kept", "pace"),
    [
        (None, b"0.0", 0.0),
        (None, b"2.5", 2.5),
        (1.0, b"2.5", 1.0),
        (None, b"99", BOTS_PACE),
        (None, b"nan", BOTS_PACE),
        (None, b"\xff", BOTS_PACE),
        (None, None, BOTS_PACE),
    ],
)
def test_a_bot_that_is_woken_keeps_its_pace_unless_the_player_says_otherwise(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: float | None,
    kept: bytes | None,
    pace: float,
) -> None:
    started: list[list[str]] = []
    home = tmp_path / "bots" / "Nila"
    home.mkdir(parents=True)
    if kept is not None:
        (home / PACE).write_bytes(kept)

    def run(words: list[str], *rest: object) -> object:
        started.append(words)
        return SimpleNamespace(poll=lambda: None, terminate=lambda: None)

    monkeypatch.setattr(BotGuests, "_has_table", staticmethod(lambda home, table: True))
    monkeypatch.setattr(bot_guests, "run_bot", run)
    admission = SimpleNamespace(admission=SimpleNamespace(passphrase=None))
    session = SimpleNamespace(
        store=SimpleNamespace(home=tmp_path),
        config=NodeConfig(bots_pace=said),
        node=SimpleNamespace(meeting=admission, is_finished=True),
        key=None,
    )
    with ExitStack() as stack:
        guests = BotGuests(session, stack)  # type: ignore[arg-type]
        guests.wake("abc")
        assert guests.pace == pace
    assert [words[-2:] for words in started] == [["--pace", str(pace)]]


@pytest.mark.parametrize("name", PRESETS)
def test_the_form_tells_the_games_that_a_strong_bot_bids_as_a_club_player(name: str) -> None:
    bids_itself, options = False, preset(name)
    for seed in range(3):
        referee = dealt(options, Random(seed), 0)
        while not any(isinstance(one, Bid) and one.amount < PCC for one in referee.legal()):
            assert referee.hand.turn is not None
            referee.act(Pass(referee.hand.turn))
        view = referee.view(referee.hand.turn or 0)
        free = [*legal(view), Pass(view.seat)]  # also where a bid is forced
        bids_itself |= bid(view, free, Random(seed)) is not None
    assert bids_itself is (name not in BID_LIKE_CLUB)
    for level in LEVELS:
        form = Form("Four", name, bots_play=level, at=ROWS.index("bots_play"))
        told = "".join(text for _, text in explained(form, PhraseRenderer(FOUR)))
        is_told = name in BID_LIKE_CLUB and level in ("strong", "master")
        assert ("In this game strong players and masters bid like club" in told) is is_told


def turns(forced: bool) -> View:
    """A turn of the club player's with one legal action, or with several."""
    for seed in range(9):
        referee = Referee(preset("pagat"), 0, shuffled(preset("pagat"), Random(seed).randrange))
        while referee.hand.turn is not None:
            view = referee.view(referee.hand.turn)
            if (len(legal(view)) == 1) is forced:
                return view
            referee.act(ClubBot().choose(view))
    raise LookupError("no such turn")


@pytest.mark.parametrize(("forced", "pace", "most"), [(False, 8.0, 8.0), (True, 8.0, 2.0)])
def test_a_bot_takes_its_time_and_less_where_it_has_no_choice(
    monkeypatch: pytest.MonkeyPatch, forced: bool, pace: float, most: float
) -> None:
    said: list[Action] = []
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        assert not said
        waited.append(seconds)

    async def think() -> None:
        player = bot.BotPlayer(ClubBot(), None, ExitStack(), pace)
        player._session = SimpleNamespace(act=said.append)  # type: ignore[assignment]
        await player._think(turns(forced))

    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(think())
    assert len(said) == 1 and len(waited) == 1
    assert most - 1.9 < waited[0] <= most
