"""`p2p304 history` and `p2p304 stats` as lines or data.

Responsible for their words. What a transcript says is history.py's, the figures stats.py's.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict

from p2p304.offline.history import GameSummary, evenings
from p2p304.offline.stats import BANDS, Count, Stats, tally
from p2p304.storage.data_folder import DataFolder
from p2p304.ui.common.theme import LookSettings, encoding_of, look_for
from p2p304.ui.terminal.bar_chart import ChartBar, bars
from p2p304.wire.names import shown

Say = Callable[[str], None]


def history(store: DataFolder, as_json: bool, say: Say) -> int:
    """Every table kept, the oldest first; 1 if one of them is not sound."""
    kept = evenings(store, _verifying)
    if as_json:
        say(json.dumps([asdict(evening) for evening in kept], ensure_ascii=False))
    else:
        own = store.identity().public.hex()
        for evening in kept:
            for line in _evening(evening, own):
                say(shown(line))
        if not kept:
            say("No table has been kept yet: play one.")
    return 1 if any(evening.fault for evening in kept) else 0


def stats(store: DataFolder, as_json: bool, say: Say) -> int:
    """The figures over all sound tables of this player."""
    total = tally(evenings(store, _verifying), store.identity().public.hex())
    if as_json:
        say(json.dumps(asdict(total), ensure_ascii=False))
        return 0
    for line in _figures(total):
        say(line)
    return 0


def _verifying(name: str) -> None:
    """A transcript is verified once; many of them take a while."""
    if sys.stderr.isatty():
        sys.stderr.write(f"Verifying {name} ...\n")


def _evening(evening: GameSummary, own: str) -> list[str]:
    names = ", ".join(
        "you" if key == own else nick
        for nick, key in zip(evening.nicks, evening.keys, strict=False)
    )
    played = f"{len(evening.hands)} hand" + ("" if len(evening.hands) == 1 else "s")
    state = f"NOT SOUND: {evening.fault}" if evening.fault else "over" if evening.over else "left"
    state = f"ended without {evening.without}" if evening.without else state
    head = f"{evening.when}  {evening.table or '-'}, {evening.rules or '-'}: {names or '-'}; "
    rest = f"{played}, {_tokens(evening, own)}{state}  ({evening.file})"
    return [head + rest, *(f"    {note.number}. {note.reason}" for note in evening.hands)]


def _tokens(evening: GameSummary, own: str) -> str:
    if len(evening.tokens) != 2:
        return ""
    us = evening.keys.index(own) % 2 if own in evening.keys else None
    if us is None:
        return f"tokens NS {evening.tokens[0]}, EW {evening.tokens[1]}, "
    return f"tokens we {evening.tokens[us]}, they {evening.tokens[1 - us]}, "


def _figures(total: Stats) -> list[str]:
    if not total.hands:
        return ["No hand has been played yet."]
    frame = look_for(LookSettings(), os.environ, encoding_of(os.environ, sys.stdout.encoding)).frame
    lines = [f"{total.evenings} tables, {total.hands} hands ({total.void} without a result).", ""]
    own = [_bar(name, total.own[name]) for _, name in BANDS if name in total.own]
    lines += ["Your bids, made of all:", *bars(own, frame)] if own else ["No bid of yours yet."]
    others = [
        _bar(name, count)
        for name, count in (("partner's bids", total.partner), ("against bids", total.against))
        if count.all
    ]
    if others:
        lines += ["", "Other hands, won of all:", *bars(others, frame)]
    if total.caps:
        told = ", ".join(f"{name} {count}" for name, count in sorted(total.caps.items()))
        lines += ["", f"Caps: {told}"]
    mates = sorted(total.partners.items(), key=lambda pair: (-pair[1].all, pair[0]))
    shown = [_bar(name, count) for name, count in mates[:12]]
    return [*lines, "", "With partners, won of all:", *bars(shown, frame)]


def _bar(name: str, count: Count) -> ChartBar:
    return ChartBar(name, count.won, count.lost, f"tokens {count.tokens:+d}")
