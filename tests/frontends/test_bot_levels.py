"""How well a bot plays: every level names a player, and a bot that is woken keeps its own."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.learner import LearnerBot
from p2p304.bots.search.levels import LEVELS
from p2p304.bots.search.strong import StrongBot
from p2p304.frontends import bot
from p2p304.frontends.bot_guests import LEVEL, BotGuests


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
def test_a_bot_that_is_woken_plays_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: bytes | None, level: str
) -> None:
    started: list[list[str]] = []
    home = tmp_path / "bots" / "Nila"
    home.mkdir(parents=True)
    if kept is not None:
        (home / LEVEL).write_bytes(kept)
    monkeypatch.setattr(BotGuests, "_has_table", staticmethod(lambda home, table: True))
    monkeypatch.setattr(BotGuests, "_start", lambda self, words, home: started.append(words))
    config = SimpleNamespace(bots_play="club")
    session = SimpleNamespace(store=SimpleNamespace(home=tmp_path), config=config)
    with ExitStack() as stack:
        guests = BotGuests(session, stack)  # type: ignore[arg-type]
        guests.wake("abc")
    assert started == [["--resume", "--level", level]]
