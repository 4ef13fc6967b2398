"""Where a node listens and searches, in words."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from p2p304.app.network_phrases import kept_transcript, listening, searching
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Discovery


def test_it_says_where_it_listens() -> None:
    key = SigningKey.generate(Rng.system())
    told = listening(Mesh(key, "Asha", "127.0.0.1", 4304))
    assert str(told) == "Listening on 127.0.0.1, TCP port 4304."
    assert "every address" in str(listening(Mesh(key, "Asha", "0.0.0.0", 4304)))


def test_it_says_where_it_searches() -> None:
    told = str(searching(Discovery(["127.0.3.1"])))
    assert told == "Searching for tables on 127.0.3.1 (mDNS, UDP port 5353)."


@pytest.mark.skipif(sys.platform == "win32", reason="commands are quoted as a shell reads them")
def test_it_says_what_can_be_done_with_a_transcript() -> None:
    path = Path("/home/A B/it's.304")
    where, *commands = map(str, kept_transcript(path))
    assert where == f"Transcript: {path}"
    typed = [shlex.split(line.split(": ", 1)[1]) for line in commands]
    assert typed == [["p2p304", word, str(path)] for word in ("audit", "report", "replay")]
