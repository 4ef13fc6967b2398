"""Figures over many games: bids made and failed, Caps, partners.

Responsible for the counting, for the player with one key. Games that are not sound, and void hands,
count for nothing. Pure; summaries are history.py's, output is history_report.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p304.offline.history import GameSummary, HandNote
from p2p304.rules.core.actions import PCC

BANDS = (
    (160, "under 200"),
    (200, "200 to 240"),
    (250, "250 and more"),
    (PCC, "Partner Close Caps"),
)
"""Pairs of the least bid of a band and the band's name."""


@dataclass(slots=True)
class Count:
    """Hands won and lost, and the tokens that they brought."""

    won: int = 0
    lost: int = 0
    tokens: int = 0

    @property
    def all(self) -> int:
        return self.won + self.lost

    def note(self, won: bool, tokens: int) -> None:
        self.won, self.lost = self.won + won, self.lost + (not won)
        self.tokens += tokens


@dataclass(slots=True)
class Stats:
    """``own`` are bids of this player by band, ``partner`` those of the partner, ``against`` those
    of the others; ``partners`` counts every hand by the partner's nickname."""

    evenings: int = 0
    hands: int = 0
    void: int = 0
    own: dict[str, Count] = field(default_factory=dict)
    partner: Count = field(default_factory=Count)
    against: Count = field(default_factory=Count)
    partners: dict[str, Count] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)


def tally(games: Sequence[GameSummary], key: str) -> Stats:
    """Count the figures of the player with this key (hex)."""
    total = Stats()
    for game in games:
        if game.fault is None and key in game.keys and game.hands:
            total.evenings += 1
            for note in game.hands:
                _note(total, game, game.keys.index(key), note)
    return total


def _note(total: Stats, game: GameSummary, seat: int, note: HandNote) -> None:
    total.hands += 1
    if note.made is None or note.maker is None or len(note.tokens) != 2:
        total.void += 1
        return
    us = seat % 2
    ours, gain = note.maker % 2 == us, note.tokens[us]
    won = note.made is ours
    mate = game.nicks[(seat + 2) % len(game.nicks)]
    total.partners.setdefault(mate, Count()).note(won, gain)
    if note.maker == seat:
        total.own.setdefault(band(note.bid), Count()).note(won, gain)
    elif ours:
        total.partner.note(won, gain)
    else:
        total.against.note(won, gain)
    if note.caps is not None:
        total.caps[note.caps] = total.caps.get(note.caps, 0) + 1


def band(bid: int) -> str:
    """Return the band under which bids of this amount are counted."""
    return [name for least, name in BANDS if bid >= least or least == BANDS[0][0]][-1]
