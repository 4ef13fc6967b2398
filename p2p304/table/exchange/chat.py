"""Talk among the players, between hands only (SPEC.md, "Talk").

Owns the form of a remark, and how many are taken from one player. Talk is no part of the log:
nothing follows from it, nobody signs it, and no transcript holds it.
"""

from __future__ import annotations

from collections import deque

from p2p304.log.faults import Refused
from p2p304.wire.names import shown

LONGEST = 200
"""Characters of one remark."""
MOST, WITHIN = 8, 10.0
"""So many remarks of one player are taken within so many seconds; more are dropped."""


def talk_bytes(text: str) -> bytes:
    """A remark as it travels: UTF-8 of at most LONGEST characters that every screen can show,
    with single spaces (longer gaps would push words to where a screen begins its own lines);
    ValueError for none."""
    clean = " ".join(shown(text).split())[:LONGEST].strip()
    if not clean:
        raise ValueError("there is nothing in it that can be shown")
    return clean.encode()


def parse_talk(raw: bytes) -> str:
    """The remark; raises Refused W09 for bytes that `talk_bytes` would not write."""
    try:
        text = raw.decode()
        whole = talk_bytes(text) == raw
    except ValueError:
        whole, text = False, ""
    if not whole:
        raise Refused("W09", "this remark is malformed")
    return text


class ChatLimit:
    """What was heard lately, so that nobody can flood the others' screens."""

    def __init__(self) -> None:
        self._heard: dict[bytes, deque[float]] = {}

    def takes(self, peer: bytes, now: float) -> bool:
        """Whether one remark more of this player is taken at ``now`` (seconds)."""
        times = self._heard.setdefault(peer, deque(maxlen=MOST))
        if len(times) == MOST and now - times[0] < WITHIN:
            return False
        times.append(now)
        return True
