"""Where a node listens and searches, in words."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from p2p304.app.network_phrases import (
    found_table,
    kept_transcript,
    left_table,
    listening,
    searching,
)
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Discovery, Found
from p2p304.net.mdns.txt_record import Announcement
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.unfinished import Unfinished
from p2p304.table.agreement.bot_mark import BotMark
from p2p304.table.gathering.exchange.messages import Guest
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.narration.phrase_renderer import PhraseRenderer


def test_it_says_where_it_listens() -> None:
    key = SigningKey.generate(Rng.system())
    told = listening(Mesh(key, "Asha", "127.0.0.1", 4304))
    assert str(told) == "Listening on 127.0.0.1, TCP port 4304."
    assert "every address" in str(listening(Mesh(key, "Asha", "0.0.0.0", 4304)))


def test_it_says_where_it_searches() -> None:
    told = str(searching(Discovery(["127.0.3.1"])))
    assert told == "Searching for tables on 127.0.3.1 (mDNS, UDP port 5353)."


@pytest.mark.parametrize("is_locked", [True, False])
def test_the_list_in_text_mode_says_that_a_table_is_locked(is_locked: bool) -> None:
    table = Announcement("Asha", "Friday", "pagat", 3, 4, "mark", locked=is_locked)
    told = str(found_table(Found("x", table, "1", "192.0.2.7", 40304)))
    assert ("locked" in told) is is_locked and "3 of 4 seats free" in told


def test_a_table_to_resume_names_bots_with_their_label() -> None:
    asha, ravi, kamala = b"a" * 32, b"r" * 32, b"k" * 32
    guests = [
        Guest(asha, "Asha", "", 0),
        Guest(ravi, "Ravi", "192.0.2.8", 40304),
        Guest(kamala, "Kamala", "192.0.2.7", 40305, None, BotMark(asha, b"s" * 64)),
    ]
    begun = SimpleNamespace(list=SimpleNamespace(name="Sunday", guests=guests))
    left = cast(Unfinished, SimpleNamespace(begin=begun, table="0123"))
    assert str(left_table(left, asha)) == "Sunday with Ravi, Kamala [bot] (0123)"


@pytest.mark.skipif(sys.platform == "win32", reason="commands are quoted as a shell reads them")
def test_it_says_what_can_be_done_with_a_transcript(tmp_path: Path) -> None:
    path = Path("/home/A B/it's.304")
    where, *commands = map(str, kept_transcript(path, DataFolder(tmp_path)))
    assert where == f"Transcript: {path}"
    typed = [shlex.split(line.split(": ", 1)[1]) for line in commands]
    assert typed == [["p2p304", word, str(path)] for word in ("audit", "report", "replay")]


def test_names_that_the_program_says_too_are_told_as_they_are() -> None:
    table = Announcement("Hands", "Clubs", "pagat", 3, 4, "mark")
    told = found_table(Found("name", table, "1", "127.0.0.1", 4304))
    renderer = PhraseRenderer(Look(), translation("ta"))
    assert "Hands" in renderer.text(told) and "Clubs" in renderer.text(told)
