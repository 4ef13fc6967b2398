"""Where a node listens and searches, in words."""

from __future__ import annotations

from p2p304.app.network_phrases import listening, searching
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
