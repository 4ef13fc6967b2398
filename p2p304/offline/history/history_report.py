"""`p2p304 history` and `p2p304 stats` as lines or data.

Responsible for their words. Summaries are summaries.py's, figures stats.py's; what mistakes cost is
teacher/figures.py's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from p2p304.offline.archives.executors import each_file
from p2p304.offline.archives.program import program_digest
from p2p304.offline.history.stats import Count, Stats, tally
from p2p304.offline.history.summaries import GameSummary, game_summaries
from p2p304.offline.teacher.figures import (
    JUDGES,
    Figures,
    figures_of,
    mark_of,
    remember,
    remembered,
)
from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.terminal.bar_chart import AmountBar, ChartBar, amount_lines, bars, output_frame
from p2p304.wire.names import shown

Out = Callable[[str], None]
EVENINGS = 20
"""The teacher judges so many tables at most, the last ones: each takes some seconds."""
_CAPS = {
    "correct": say("correct"),
    "late": say("late"),
    "early": say("early"),
    "failed": say("failed"),
    "missed": say("missed"),
}
"""Verdicts on Caps, by their names in data."""


def key_of_reader(store: DataFolder, translate: Translate = untranslated) -> bytes | None:
    """Return the key of the player whose history this is; None if there is none yet, or if it
    cannot be used, as in another user's folder: that is said, and the history names everybody."""
    try:
        return store.own_key()
    except DataFolderError as error:
        told = PhraseRenderer(LETTERS, translate).text(error.phrase)
        sys.stderr.write(shown(told) + "\n")
        return None


def verified(
    store: DataFolder, own: bytes | None, translate: Translate = untranslated
) -> list[GameSummary]:
    """Summarise every table kept for the player with the key ``own``, the oldest first, and say
    which file is being verified."""
    renderer = PhraseRenderer(LETTERS, translate)

    def report_verifying(name: str) -> None:
        if sys.stderr.isatty():  # the first time takes a while
            sys.stderr.write(renderer.text(say("Verifying {file} ...", file=name)) + "\n")

    return game_summaries(store, report_verifying, own)


def history(store: DataFolder, as_json: bool, out: Out, translate: Translate = untranslated) -> int:
    """Print every table kept, the oldest first; returns 1 if one of them is not sound."""
    own = key_of_reader(store, translate)
    kept = verified(store, own, translate)
    if as_json:
        out(json.dumps([_data(game) for game in kept], ensure_ascii=False))
    else:
        for game in kept:
            for line in _game_lines(game, (own or b"").hex(), translate):
                out(shown(line))
        if not kept:
            told = say("You have not played yet. Start with p2p304 play.")
            out(PhraseRenderer(LETTERS, translate).text(told))
    return 1 if any(game.fault for game in kept) else 0


def stats(
    store: DataFolder,
    as_json: bool,
    out: Out,
    translate: Translate = untranslated,
    teaches: bool = False,
) -> int:
    """Print the figures over all sound tables of this player; with ``teaches`` also what the
    player's mistakes cost in each of the last ones."""
    own = store.own_key() or b""
    games = verified(store, own, translate)
    total, renderer = tally(games, own.hex()), PhraseRenderer(LETTERS, translate)
    judged = list[tuple[GameSummary, Figures]]()
    if teaches:
        sound = [game for game in games if game.fault is None and own.hex() in game.keys]
        judged = _judged([game for game in sound if game.hands][-EVENINGS:], store, own, renderer)
    if as_json:
        data = asdict(total)
        del data["bands"]
        if teaches:
            data["teacher"] = [_teacher_data(game, figures) for game, figures in judged]
        out(json.dumps(data, ensure_ascii=False))
        return 0
    for line in [*_figures(total, renderer), *_teacher_lines(judged, renderer)]:
        out(line)
    return 0


def _judged(
    games: Sequence[GameSummary], store: DataFolder, own: bytes, renderer: PhraseRenderer
) -> list[tuple[GameSummary, Figures]]:
    """Return these tables with what the teacher finds; each is judged once, on all cores."""
    home = store.home
    paths = {game.file: home / "games" / game.file for game in games}
    known, program = remembered(home), program_digest(*JUDGES)
    fresh = {
        file: known[file]
        for file, path in paths.items()
        if file in known and known[file].mark == mark_of(path, own, program)
    }
    due = [path for file, path in paths.items() if file not in fresh]

    def note(path: Path, figures: Figures) -> None:
        fresh[figures.file] = figures
        remember(home, known | fresh)  # at once: what was judged is kept if this is interrupted
        tell_progress()

    def tell_progress() -> None:
        if sys.stderr.isatty():
            told = say("The teacher has judged {n} of {all} tables.", n=len(fresh), all=len(games))
            sys.stderr.write(renderer.text(told) + "\n")

    if due:
        tell_progress()
    for _ in each_file(partial(figures_of, home=home, own=own, program=program), due, note):
        pass
    return [(game, fresh[game.file]) for game in games]


def _teacher_data(game: GameSummary, figures: Figures) -> dict[str, Any]:
    data = {"when": game.when, **asdict(figures), "regret": round(figures.regret, 2)}
    del data["mark"], data["hundredths"]
    return data


def _teacher_lines(
    judged: Sequence[tuple[GameSummary, Figures]], renderer: PhraseRenderer
) -> list[str]:
    """Draw what a hand's mistakes cost on average, an evening a line."""
    if not judged:
        return []
    text = renderer.text
    rows = []
    for game, figures in judged:
        cost = f"{figures.regret:.2f}"
        told = say("points {n}", n=cost) if game.is_points else say("tokens {n}", n=cost)
        found = say("mistakes {n}, hands {hands}", n=figures.mistakes, hands=figures.hands)
        rows.append(AmountBar(game.when, figures.regret, f"{text(told)}, {text(found)}"))
    frame = output_frame()
    head = say("What your mistakes cost in a hand, on average (the teacher judges):")
    lines = ["", text(head), *amount_lines(rows, frame)]
    unjudged = sum(figures.unjudged for _, figures in judged)
    if unjudged:
        told = say(
            "{n} of your moves could not be judged: not all your cards are known.", n=unjudged
        )
        lines.append(text(told))
    return lines


def _data(game: GameSummary) -> dict[str, Any]:
    """Return a summary as data, with its sentences in English alone."""
    data = asdict(game)
    del data["account"]
    for note in data["hands"]:
        del note["said"]
        note["sentences"] = note.pop("told")
    return data


def _game_lines(game: GameSummary, own: str, translate: Translate) -> list[str]:
    renderer = PhraseRenderer(LETTERS, translate, game.nicks, seat=game.seat_of(own))

    def told(phrases: Iterable[Phrase]) -> str:
        return " ".join(map(renderer.text, phrases))

    names = ", ".join(
        renderer.text(say("you")) if key == own else nick
        for nick, key in zip(game.nicks, game.keys, strict=False)
    )
    count = sum(note.counts for note in game.hands)
    head = say(
        "{when}  {table}, {rules}: {names}; {hands}, {state}.",
        when=game.when,
        table=game.table or "-",
        rules=game.rules or "-",
        names=names or "-",
        hands=say("1 hand") if count == 1 else say("{n} hands", n=count),
        state=_state(game),
    )
    account = f" {told(game.account)}" if game.account else ""
    first = f"{renderer.text(head)}{account}  ({game.file})"
    lines, number = [first], 1
    for note in game.hands:  # a hand that does not count has the number of the one dealt instead
        lines.append(f"    {number}. {told(note.said)}")
        number += note.counts
    return lines


def _state(game: GameSummary) -> Phrase:
    if game.unread:
        return say("cannot be read: {why}", why=game.fault or "")
    if game.fault:
        return say("NOT SOUND: {why}", why=game.fault)
    if game.without:
        return say("ended without {who}", who=game.without)
    if game.over:
        return say("over")
    if game.unfinished:
        return say("not over yet")
    return say("stopped: a fault is proven") if game.stopped else say("given up")


def _figures(total: Stats, renderer: PhraseRenderer) -> list[str]:
    text = renderer.text
    if not total.hands:
        return [text(say("You have not played a hand yet."))]
    frame = output_frame()
    of = text(say("{won} of {all}"))
    head = say(
        "Tables: {tables}. Hands: {hands} (and {void} dealt again).",
        tables=total.tables,
        hands=total.hands - total.void,
        void=total.void,
    )
    lines = [text(head), ""]
    own = [_bar(text(total.bands[name]), count, text) for name, count in total.own.items()]
    lines += (
        [text(say("Your bids (made of all):")), *bars(own, frame, of=of)]
        if own
        else [text(say("You have not made a bid yet."))]
    )
    others = [
        _bar(text(name), count, text)
        for name, count in (
            (say("partner's bids"), total.partner),
            (say("against bids"), total.against),
        )
        if count.all
    ]
    if others:
        lines += ["", text(say("Other hands (won of all):")), *bars(others, frame, of=of)]
    if total.caps:
        verdicts = ", ".join(
            f"{text(_CAPS[name]) if name in _CAPS else name} {count}"
            for name, count in sorted(total.caps.items())
        )
        lines += ["", text(say("Caps: {verdicts}", verdicts=verdicts))]
    mates = sorted(total.partners.items(), key=lambda pair: (-pair[1].all, pair[0]))
    if mates:
        listed = [_bar(name, count, text) for name, count in mates[:12]]
        told = text(say("With each partner (hands won of all):"))
        lines += ["", told, *bars(listed, frame, of=of)]
    return lines


def _bar(name: str, count: Count, text: Callable[[Phrase], str]) -> ChartBar:
    gains = []
    if count.all > count.for_points:
        gains.append(text(say("tokens {n}", n=f"{count.tokens:+d}")))
    if count.for_points:
        gains.append(text(say("points {n}", n=f"{count.points:+d}")))
    return ChartBar(name, count.won, count.lost, ", ".join(gains))
