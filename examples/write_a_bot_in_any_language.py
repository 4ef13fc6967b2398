"""A bot that p2p304 talks to in lines. It imports nothing of p2p304: any language can do this.

usage: p2p304 bot --table Friday --brain "pipe:python3 examples/write_a_bot_in_any_language.py"

It passes where it may, and plays the card with the fewest points. docs/own-bot.md describes the
lines.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def choice(view: dict[str, Any], points: dict[str, int]) -> str:
    """Return one of the legal actions: the lowest card, else to pass, else the first."""
    legal: list[str] = view["legal"]
    cards = {action: action.split()[-1].lstrip("~") for action in legal}
    if view["phase"] == "play" and any(card in points for card in cards.values()):
        plays = [action for action in legal if cards[action] in points]
        return min(plays, key=lambda action: points[cards[action]])
    passes = [action for action in legal if action.endswith(" pass")]
    return (passes or legal)[0]


points: dict[str, int] = {}
for line in sys.stdin:
    message = json.loads(line)
    if "hello" in message:
        if message["version"] != 1:
            sys.exit("This bot reads version 1.")
        points = message["cards"]
    else:
        print(message["view"], choice(message, points), flush=True)
