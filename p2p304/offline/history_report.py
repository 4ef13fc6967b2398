"""`p2p304 history` and `p2p304 stats` as lines or data.

Responsible for their words. Summaries are history.py's, figures stats.py's.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict

from p2p304.offline.history import GameSummary, game_summaries
from p2p304.offline.stats import Count, Stats, tally
from p2p304.storage.data_folder import DataFolder
from p2p304.ui.common.theme import LookSettings, encoding_of, look_for
from p2p304.ui.terminal.bar_chart import ChartBar, bars
from p2p304.wire.names import shown

Say = Callable[[str], None]


def verified(store: DataFolder) -> list[GameSummary]:
    """Summarise every table kept, the oldest first, and say which file is being verified."""
    return game_summaries(store, _report_verifying)


def history(store: DataFolder, as_json: bool, say: Say) -> int:
    """Print every table kept, the oldest first; returns 1 if one of them is not sound."""
    kept = verified(store)
    if as_json:
        say(json.dumps([asdict(game) for game in kept], ensure_ascii=False))
    else:
        own = store.identity().public.hex()
        for game in kept:
            for line in _game_lines(game, own):
                say(shown(line))
        if not kept:
            say("You have not played yet. Start with p2p304 play.")
    return 1 if any(game.fault for game in kept) else 0


def stats(store: DataFolder, as_json: bool, say: Say) -> int:
    """Print the figures over all sound tables of this player."""
    total = tally(verified(store), store.identity().public.hex())
    if as_json:
        say(json.dumps(asdict(total), ensure_ascii=False))
        return 0
    for line in _figures(total):
        say(line)
    return 0


def _report_verifying(name: str) -> None:
    """Say that a transcript is being verified; the first time takes a while."""
    if sys.stderr.isatty():
        sys.stderr.write(f"Verifying {name} ...\n")


def _game_lines(game: GameSummary, own: str) -> list[str]:
    names = ", ".join(
        "you" if key == own else nick for nick, key in zip(game.nicks, game.keys, strict=False)
    )
    played = f"{len(game.hands)} hand" + ("" if len(game.hands) == 1 else "s")
    open_ = "stopped: a fault is proven" if game.stopped else "left"
    state = "over" if game.over else "not over yet" if game.unfinished else open_
    state = f"ended without {game.without}" if game.without else state
    state = f"NOT SOUND: {game.fault}" if game.fault else state
    head = f"{game.when}  {game.table or '-'}, {game.rules or '-'}: {names or '-'}; "
    account = "".join(f" {sentence}" for sentence in (game.standing, game.won) if sentence)
    rest = f"{played}, {state}.{account}  ({game.file})"
    return [head + rest, *(f"    {note.number}. {' '.join(note.told)}" for note in game.hands)]


def _figures(total: Stats) -> list[str]:
    if not total.hands:
        return ["You have not played a hand yet."]
    frame = look_for(LookSettings(), os.environ, encoding_of(os.environ, sys.stdout.encoding)).frame
    lines = [f"{total.evenings} tables, {total.hands} hands ({total.void} without a result).", ""]
    own = [_bar(name, count) for name, count in total.own.items()]
    lines += (
        ["Your bids (made of all):", *bars(own, frame)] if own else ["You have not made a bid yet."]
    )
    others = [
        _bar(name, count)
        for name, count in (("partner's bids", total.partner), ("against bids", total.against))
        if count.all
    ]
    if others:
        lines += ["", "Other hands (won of all):", *bars(others, frame)]
    if total.caps:
        verdicts = ", ".join(f"{name} {count}" for name, count in sorted(total.caps.items()))
        lines += ["", f"Caps: {verdicts}"]
    mates = sorted(total.partners.items(), key=lambda pair: (-pair[1].all, pair[0]))
    if mates:
        shown = [_bar(name, count) for name, count in mates[:12]]
        lines += ["", "With each partner (hands won of all):", *bars(shown, frame)]
    return lines


def _bar(name: str, count: Count) -> ChartBar:
    gains = [f"tokens {count.tokens:+d}"] if count.all > count.for_points else []
    gains += [f"points {count.points:+d}"] if count.for_points else []
    return ChartBar(name, count.won, count.lost, ", ".join(gains))
