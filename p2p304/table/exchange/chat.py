"""Chat among the players (SPEC.md, "Chat").

Responsible for the form of a message, and for the number of messages that are taken from one
player; when a player may chat is table_chat.py's. Chat is no part of the log: nothing follows from
it, no player signs it, and no transcript holds it.
"""

from __future__ import annotations

from collections import deque

from p2p304.log.faults import Refused
from p2p304.wire.names import shown

LONGEST = 200
"""Characters of one message."""
MOST, WITHIN = 8, 10.0
"""At most MOST messages of one player are taken within WITHIN seconds; more are dropped."""


def chat_bytes(text: str) -> bytes:
    """Encode a chat message: UTF-8 of at most LONGEST characters that every screen can show.

    It has single spaces, because longer gaps would push words to the place where a screen begins
    its own lines. Raises ValueError if nothing is left."""
    clean = " ".join(shown(text).split())[:LONGEST].strip()
    if not clean:
        raise ValueError("it contains no visible characters")
    return clean.encode()


def parse_chat(raw: bytes) -> str:
    """Return the message; raises Refused W09 for bytes that `chat_bytes` would not write."""
    try:
        text = raw.decode()
        is_canonical = chat_bytes(text) == raw
    except ValueError:
        is_canonical, text = False, ""
    if not is_canonical:
        raise Refused("W09", "this chat message is malformed")
    return text


class ChatLimit:
    """A rate limit for chat, so that no player can flood the screens of the others."""

    def __init__(self) -> None:
        self._times: dict[bytes, deque[float]] = {}

    def take(self, peer: bytes, now: float) -> bool:
        """Take one more message of this player at ``now`` (seconds); False if it comes too fast."""
        times = self._times.setdefault(peer, deque(maxlen=MOST))
        if len(times) == MOST and now - times[0] < WITHIN:
            return False
        times.append(now)
        return True
