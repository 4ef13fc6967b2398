"""The lines that a bot in another program reads: version 1 (docs/own-bot.md).

Responsible for the JSON of the hello line and of a view. All that a line says comes from the view,
so it tells what this seat knows and nothing else. The pipe is own_bot.py's.
"""

from __future__ import annotations

import json
from typing import Any, Final

from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.core.notation import play_texts, text
from p2p304.rules.core.seats import names
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.from_hand import action_lines, written_rules
from p2p304.rules.records.score import contract_of
from p2p304.rules.variants.options import Options

VERSION: Final = 1
SECONDS: Final = 4.0
"""How long an answer may take: less than the shortest timer of a table."""
LONGEST: Final = 256
"""Bytes of an answer with the end of its line; every action of a view is far shorter."""


def hello_line(options: Options) -> bytes:
    """The first line, and the first one under other rules."""
    pack = options.pack
    return _line(
        {
            "hello": "p2p304",
            "version": VERSION,
            "rules": written_rules(options),
            "seats": names(options.seats),
            "cards": {one.name: pack.points[one] for one in by_suit(set(pack.cards), pack)},
            "seconds": SECONDS,
            "longest": LONGEST,
        }
    )


def view_line(view: View, number: int) -> bytes:
    """One decision: all that the seat knows, and the answers that it may give."""
    hand, options = view.hand, view.hand.options
    known, texts, tenths = names(options.seats), play_texts(options.seats), options.tenths
    points = [won / 10 if tenths else won for won in hand.points]

    def cards(held: frozenset[Card]) -> list[str]:
        return [one.name for one in by_suit(held, options.pack)]

    return _line(
        {
            "view": number,
            "seat": known[view.seat],
            "dealer": known[hand.dealer],
            "phase": hand.phase.value,
            "cards": cards(view.cards),
            "indicator": view.indicator and view.indicator.name,
            "known": [
                {"trick": trick + 1, "seat": known[seat], "card": card.name}
                for trick, seat, card in view.known
            ],
            "actions": action_lines(hand),
            "contract": contract_of(hand, view.trump),
            "tricks": [
                {
                    "leader": known[trick.leader],
                    "plays": [
                        texts[play.down][play.seat][play.card]
                        if play.card
                        else f"{known[play.seat]} ~?"
                        for play in trick.plays
                    ],
                    "winner": None if trick.winner is None else known[trick.winner],
                }
                for trick in hand.tricks
            ],
            "points": dict(zip(options.account_names, points, strict=True)),
            "legal": [text(action, options.seats, tenths) for action in legal(view)],
        }
    )


def _line(data: dict[str, Any]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode("ascii") + b"\n"
