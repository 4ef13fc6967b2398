"""The history: a summary of every transcript kept, verified once and then remembered.

Responsible for the summaries and the file that remembers them (``history.json`` in the data folder,
which may be deleted). Every figure comes from a replay through all checks. A transcript that is not
sound is listed as such and counts for nothing. Figures over many games are stats.py's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from p2p304.log.faults import Refused
from p2p304.log.transcript import SUFFIX, Unreadable
from p2p304.rules.state.hand import Hand
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file, write_whole
from p2p304.storage.json_files import dictionary, parse_json
from p2p304.table.agreement.limits import MAX_HANDS
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.table.transition.replay import Replay
from p2p304.wire.forms import Malformed, checked, many, maybe, number, of, one_of, record, string

VERSION = 3
_NUMBER = number()


@dataclass(frozen=True, slots=True)
class HandNote:
    """One hand: seats and amounts as numbers, ``made`` None for a void hand, ``tokens`` gained by
    each side, ``caps`` the verdict on Caps (``caps.verdict``), if there was one."""

    number: int = of(_NUMBER)
    dealer: int = of(_NUMBER)
    maker: int | None = of(maybe(_NUMBER))
    bid: int = of(_NUMBER)
    made: bool | None = of(one_of(True, False, None))
    tokens: tuple[int, ...] = of(many(_NUMBER))
    caps: str | None = of(maybe(string()))
    reason: str = of(string())


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One table. ``keys`` and ``nicks`` are by seat, ``tokens`` those at its end, ``without`` the
    player without whom the others ended it, ``fault`` why it is not sound (then it ends there).
    ``unfinished``: it is being played, or can be resumed; this is never remembered."""

    file: str = of(string())
    when: str = of(string())
    table: str = of(string(), default="")
    rules: str = of(string(), default="")
    code: str = of(string(), default="")
    nicks: tuple[str, ...] = of(many(string()), default=())
    keys: tuple[str, ...] = of(many(string()), default=())
    hands: tuple[HandNote, ...] = of(many(record(HandNote), 0, MAX_HANDS), default=())
    tokens: tuple[int, ...] = of(many(_NUMBER), default=())
    over: bool = of(one_of(True, False), default=False)
    without: str = of(string(), default="")
    fault: str | None = of(maybe(string()), default=None)
    unfinished: bool = of(one_of(False), default=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A summary, and the size and time of change of the file that it was made from."""

    mark: str = of(string())
    evening: GameSummary = of(
        checked(record(GameSummary), lambda game: len(game.nicks) == len(game.keys), "no seats")
    )


@dataclass(frozen=True, slots=True)
class Memory:
    """What ``history.json`` holds, by the names of the transcripts."""

    files: dict[str, Kept] = of(dictionary(string(), record(Kept)))


_MEMORY = record(Memory, version=VERSION)


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
        if entry is None or entry.mark != mark:
            on_verifying(file.name)
            when = datetime.fromtimestamp(stat.st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
            entry = Kept(mark, summary(file, when))
        fresh[file.name] = entry
        found.append(replace(entry.evening, unfinished=_is_unfinished(store, file, entry.evening)))
    if fresh != known:
        data = _MEMORY.write(Memory(fresh))
        write_whole(path, json.dumps(data, ensure_ascii=False).encode())
    return sorted(found, key=lambda game: (game.when, game.file))


def _is_unfinished(store: DataFolder, file: Path, game: GameSummary) -> bool:
    """Return whether a table is not over and has a journal, and nothing stopped it."""
    files = store.game(file.stem)
    is_open = files.part("journal").exists() and not files.part("evidence").exists()
    return is_open and not game.over and game.fault is None


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


def _remembered(path: Path) -> dict[str, Kept]:
    """Read what was verified before; a damaged file is made again."""
    try:
        return parse_json(_MEMORY, read_file(path)).files if path.exists() else {}
    except (DataFolderError, Malformed):
        return {}
