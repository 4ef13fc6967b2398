"""Figures over many games: bids made and failed, Caps, partners.

Responsible for the counting, for the player with one key, in every game: with lasting partners,
with one who is called for a hand, or alone. Games that are not sound, and void hands, count for
nothing. Pure; summaries are summaries.py's, output is history_report.py's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2p304.offline.history.summaries import GameSummary, HandNote
from p2p304.rules.core.notation import NAMED_BIDS, amount_text
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.state.auction import ALL_POINTS

Band = tuple[int, int, Phrase]
"""From where bids are special in its game, its least bid, and its name: bands sort by these, the
name in English."""


@dataclass(slots=True)
class Count:
    """Hands won and lost, and what they brought: tokens, or points in the hands ``for_points``."""

    won: int = 0
    lost: int = 0
    tokens: int = 0
    points: int = 0
    for_points: int = 0

    @property
    def all(self) -> int:
        return self.won + self.lost

    def note(self, won: bool, gain: int, is_points: bool) -> None:
        self.won, self.lost = self.won + won, self.lost + (not won)
        if is_points:
            self.points, self.for_points = self.points + gain, self.for_points + 1
        else:
            self.tokens += gain


@dataclass(slots=True)
class Stats:
    """``own`` are bids of this player by band, ``partner`` those of a partner, ``against`` those
    of the others; ``partners`` counts every hand with a partner by the partner's nickname, ``caps``
    what this player has called, or not called in time.
    ``bands`` are the names of the bands in no language."""

    tables: int = 0
    hands: int = 0
    void: int = 0
    own: dict[str, Count] = field(default_factory=dict)
    partner: Count = field(default_factory=Count)
    against: Count = field(default_factory=Count)
    partners: dict[str, Count] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)
    bands: dict[str, Phrase] = field(default_factory=dict)


def tally(games: Sequence[GameSummary], key: str) -> Stats:
    """Count the figures of the player with this key (hex)."""
    total, bands = Stats(), dict[Band, Count]()
    for game in games:
        if game.fault is None and key in game.keys and game.hands:
            total.tables += 1
            for note in game.hands:
                _note(total, bands, game, game.keys.index(key), note)
    in_order = sorted(bands, key=lambda each: (each[0], each[1], str(each[2])))
    total.own = {str(each[2]): bands[each] for each in in_order}
    total.bands = {str(each[2]): each[2] for each in in_order}
    return total


def _note(
    total: Stats, bands: dict[Band, Count], game: GameSummary, seat: int, note: HandNote
) -> None:
    total.hands += 1
    if not note.counts:
        total.void += 1
    if note.made is None or note.maker is None:
        return
    ours, gain = seat in note.makers, note.tokens[game.sides[seat]]
    counts = [total.partners.setdefault(mate, Count()) for mate in _mates(game, seat, note)]
    if note.maker == seat:
        counts.append(bands.setdefault(band(game, note.bid), Count()))
    else:
        counts.append(total.partner if ours else total.against)
    for count in counts:
        count.note(note.made is ours, gain, game.is_points)
    if note.caps is not None and note.caller == seat:
        total.caps[note.caps] = total.caps.get(note.caps, 0) + 1


def _mates(game: GameSummary, seat: int, note: HandNote) -> list[str]:
    """Return the partners' nicknames: those of the same side, else the one who was called, or who
    called. Players who only defend together for one hand are no partners."""
    same = [n for n, side in enumerate(game.sides) if side == game.sides[seat]]
    called = list(note.makers) if seat in note.makers else []
    return [game.nicks[n] for n in (same if len(same) > 1 else called) if n != seat]


def band(game: GameSummary, bid: int) -> Band:
    """Return the band under which bids of this amount are counted in this game: as they pay."""
    if bid in NAMED_BIDS:
        return bid, bid, NAMED_BIDS[bid]
    special, second = (amount_text(each, game.tenths) for each in (game.special, game.second))
    if bid < game.special:
        return game.special, 0, say("under {n}", n=special)
    if game.is_points:
        more = say("{n} and more", n=special)
        name = say("{n}", n="304") if bid == ALL_POINTS else more
        return game.special, ALL_POINTS if bid == ALL_POINTS else game.special, name
    if bid >= game.second:
        return game.special, game.second, say("{n} and more", n=second)
    return game.special, game.special, say("{low} to under {high}", low=special, high=second)
