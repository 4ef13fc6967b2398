"""The history: a summary of every transcript kept, verified once and then remembered.

Responsible for the summaries and the file that remembers them (``history.json`` in the data folder,
which may be deleted). Every figure comes from a replay through all checks. A transcript that is not
sound is listed as such and counts for nothing. Figures over many games are stats.py's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from p2p304.log.faults import Refused
from p2p304.log.transcript import SUFFIX, Unreadable
from p2p304.rules.state.hand import Hand
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file, write_whole
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.table.transition.replay import Replay

VERSION = 3


@dataclass(frozen=True, slots=True)
class HandNote:
    """One hand: seats and amounts as numbers, ``made`` None for a void hand, ``tokens`` gained by
    each side, ``caps`` the verdict on Caps (``caps.verdict``), if there was one."""

    number: int
    dealer: int
    maker: int | None
    bid: int
    made: bool | None
    tokens: tuple[int, ...]
    caps: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One table. ``keys`` and ``nicks`` are by seat, ``tokens`` those at its end, ``without`` the
    player without whom the others ended it, ``fault`` why it is not sound (then it ends there)."""

    file: str
    when: str
    table: str = ""
    rules: str = ""
    code: str = ""
    nicks: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    hands: tuple[HandNote, ...] = ()
    tokens: tuple[int, ...] = ()
    over: bool = False
    without: str = ""
    fault: str | None = None


def game_summaries(
    store: DataFolder, on_verifying: Callable[[str], None] = lambda name: None
) -> list[GameSummary]:
    """Summarise every transcript kept, the oldest first; ``on_verifying`` is called with the name
    of each file that is being verified."""
    path = store.home / "history.json"
    known, fresh = _remembered(path), {}
    found = []
    for file in sorted((store.home / "games").glob(f"*{SUFFIX}")):
        stat = file.stat()
        mark = f"{stat.st_size} {stat.st_mtime_ns}"
        entry = known.get(file.name)
        if entry is None or entry.get("mark") != mark:
            on_verifying(file.name)
            when = datetime.fromtimestamp(stat.st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
            entry = {"mark": mark, "evening": asdict(summary(file, when))}
        fresh[file.name] = entry
        found.append(_summary_from_json(entry["evening"]))
    if fresh != known:
        data = {"version": VERSION, "files": fresh}
        write_whole(path, json.dumps(data, ensure_ascii=False).encode())
    return sorted(found, key=lambda game: (game.when, game.file))


def summary(file: Path, when: str) -> GameSummary:
    """Summarise one transcript, replayed through all checks."""
    game = GameSummary(file.name, when)
    hand: Hand | None = None
    dealer = 0
    try:
        for replayed in Replay(read_file(file)):
            terms = replayed.state.terms
            game = replace(game, table=terms.name, rules=terms.rules.preset)
            for event in replayed.events:
                if isinstance(event, events.Acted):
                    hand = event.hand
                if isinstance(event, events.HandBegan):
                    hand, dealer = None, event.dealer
                game = with_event(game, event, hand, dealer)
    except (Refused, Unreadable, DataFolderError) as error:
        why = error.finding.sentence if isinstance(error, Refused) else str(error)
        return replace(game, fault=why)
    return game


def with_event(
    game: GameSummary, event: PublicEvent, hand: Hand | None, dealer: int
) -> GameSummary:
    """Add what an event tells to the summary of its table."""
    match event:
        case events.Seated(nicks=nicks, keys=keys, code=code, match=match):
            named = tuple(key.hex() for key in keys)
            return replace(game, nicks=nicks, keys=named, code=code, tokens=match.tokens)
        case events.HandOver(number=number, result=result, match=match):
            maker, bid = (hand.maker, hand.bid) if hand is not None else (None, 0)
            caps = None if result.caps is None else result.caps.verdict
            bidding, reason = (number, dealer, maker, bid, result.made), str(result.reason)
            note = HandNote(*bidding, tuple(result.tokens), caps, reason)
            return replace(game, hands=(*game.hands, note), tokens=tuple(match.tokens))
        case events.TableOver():
            return replace(game, over=True)
        case events.Parted(absent=absent):
            return replace(game, over=True, without=absent)
    return game


def _remembered(path: Path) -> dict[str, dict[str, Any]]:
    """Read what was verified before; a damaged file is made again."""
    try:
        data = json.loads(read_file(path)) if path.exists() else {}
        files = data["files"] if data.get("version") == VERSION else {}
        for entry in files.values():
            _summary_from_json(entry["evening"])
    except (DataFolderError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return dict(files)


def _summary_from_json(data: dict[str, Any]) -> GameSummary:
    """Convert from JSON; raises TypeError or KeyError for other data."""
    hands = tuple(HandNote(**{**note, "tokens": tuple(note["tokens"])}) for note in data["hands"])
    sequences = {name: tuple(data[name]) for name in ("nicks", "keys", "tokens")}
    return GameSummary(**{**data, **sequences, "hands": hands})
