"""The history: a summary of every transcript kept, verified once and then remembered.

Responsible for the summaries and the file that remembers them (``history.json`` in the data folder,
which may be deleted). Every figure comes from a replay through all checks. A transcript that is not
sound is listed as such and counts for nothing. Figures over many games are stats.py's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from p2p304.log.faults import Refused
from p2p304.log.transcript import SUFFIX, Unreadable
from p2p304.offline.archives.file_reader import FileReader
from p2p304.offline.phrase_data import PHRASE
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, write_whole
from p2p304.storage.json_files import dictionary, read_remembered
from p2p304.table.agreement.limits import MAX_HANDS
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.narration.accounts import ended_match, gained, games, is_points, standing
from p2p304.ui.narration.model import Ended
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.wire.forms import checked, many, maybe, number, of, one_of, record, string

VERSION = 6
_NUMBER = number()
_SAID = many(PHRASE)


@dataclass(frozen=True, slots=True)
class HandNote:
    """One hand: seats and amounts as numbers, ``made`` None for a void hand, ``tokens`` gained by
    each account (`Options.account`), ``caps`` the verdict on Caps (``caps.verdict``), if there was
    one, on the player at ``caller``, ``makers`` the seats of the trump maker's side. ``told`` is
    what the table told of its end, as this player reads it in English, ``said`` the same in no
    language."""

    number: int = of(_NUMBER)
    dealer: int = of(_NUMBER)
    maker: int | None = of(maybe(_NUMBER))
    bid: int = of(_NUMBER)
    made: bool | None = of(one_of(True, False, None))
    tokens: tuple[int, ...] = of(many(_NUMBER))
    caps: str | None = of(maybe(string()))
    reason: str = of(string())
    makers: tuple[int, ...] = of(many(_NUMBER), default=())
    told: tuple[str, ...] = of(many(string()), default=())
    said: tuple[Phrase, ...] = of(_SAID, default=())
    caller: int | None = of(maybe(_NUMBER), default=None)

    @property
    def counts(self) -> bool:
        """Whether it counts as a hand; otherwise it was dealt again."""
        return self.made is not None or any(self.tokens)


@dataclass(frozen=True, slots=True)
class GameSummary:
    """One table. ``keys``, ``nicks`` and ``sides`` are by seat, ``tokens`` those at its end (points
    where ``is_points``), ``without`` the player without whom the others ended it, ``fault`` why it
    is not sound (then it ends there), or, if ``unread``, why it could not be read. From ``special``
    and ``second`` on bids pay more; ``standing`` and ``won`` are sentences: what each has, and who
    has won, in English; ``account`` is the same in no language. ``unfinished``: it is being played,
    or can be resumed; ``stopped``: a proven fault has stopped it. None of the three is ever
    remembered."""

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
    stopped: bool = of(one_of(False), default=False)
    unread: bool = of(one_of(False), default=False)
    sides: tuple[int, ...] = of(many(_NUMBER), default=())
    is_points: bool = of(one_of(True, False), default=False)
    tenths: bool = of(one_of(True, False), default=False)
    special: int = of(_NUMBER, default=200)
    second: int = of(_NUMBER, default=250)
    standing: str = of(string(), default="")
    won: str = of(string(), default="")
    account: tuple[Phrase, ...] = of(_SAID, default=())

    def seat_of(self, key: str) -> int | None:
        """Return the seat of the player with this key (hex); None for somebody who did not play."""
        return self.keys.index(key) if key in self.keys else None


def _has_seats(game: GameSummary) -> bool:
    """Whether everything that is by seat or account is there for all of them."""
    seats, accounts = len(game.keys), len(set(game.sides))
    if not seats == len(game.nicks) == len(game.sides) or set(game.sides) != {*range(accounts)}:
        return False
    known = all(0 <= seat < seats for note in game.hands for seat in note.makers)
    return known and all(len(note.tokens) == accounts for note in game.hands)


@dataclass(frozen=True, slots=True)
class Kept:
    """A summary, and for which player it was made, of a file of which size and time of change."""

    mark: str = of(string())
    evening: GameSummary = of(checked(record(GameSummary), _has_seats, "no seats"))


@dataclass(frozen=True, slots=True)
class Memory:
    """What ``history.json`` holds, by the names of the transcripts."""

    files: dict[str, Kept] = of(dictionary(string(), record(Kept)))


_MEMORY = record(Memory, version=VERSION)


def game_summaries(
    store: DataFolder,
    on_verifying: Callable[[str], None] = lambda name: None,
    own_key: bytes | None = None,
) -> list[GameSummary]:
    """Summarise every transcript kept, the oldest first, as the player with the key ``own_key``
    reads them (None: somebody who played none). ``on_verifying`` is called with the name of each
    file that is being verified. In a folder that cannot be written nothing is remembered."""
    path, own = store.home / "history.json", (own_key or b"").hex()
    memory, fresh = read_remembered(_MEMORY, path), {}  # a damaged file is made again
    known = {} if memory is None else memory.files
    found = []
    for file in sorted((store.home / "games").glob(f"*{SUFFIX}")):
        stat = file.stat()
        mark = f"{stat.st_size} {stat.st_mtime_ns} {own}"
        entry = known.get(file.name)
        if entry is None or entry.mark != mark:
            on_verifying(file.name)
            when = datetime.fromtimestamp(stat.st_mtime, UTC).strftime("%Y-%m-%d %H:%M")
            entry = Kept(mark, summary(file, when, own))
        if not entry.evening.unread:
            fresh[file.name] = entry
        found.append(_with_files(store, file, entry.evening))
    if fresh != known:
        data = _MEMORY.write(Memory(fresh))
        with suppress(DataFolderError):  # the next history verifies the same again
            write_whole(path, json.dumps(data, ensure_ascii=False).encode())
    return sorted(found, key=lambda game: (game.when, game.file))


def _with_files(store: DataFolder, file: Path, game: GameSummary) -> GameSummary:
    """Return the summary with what other files of the table say: whether a proven fault has stopped
    it, or whether it can be resumed."""
    files = store.game(file.stem)
    if game.over or game.fault is not None:
        return game
    stopped = files.part("evidence").exists()
    return replace(game, stopped=stopped, unfinished=not stopped and files.part("journal").exists())


def summary(file: Path, when: str, own: str = "") -> GameSummary:
    """Summarise one transcript, replayed through all checks, for the player with the key ``own``
    (hex), or for somebody who did not play."""
    game = GameSummary(file.name, when)
    hand: Hand | None = None
    match: Match | None = None
    dealer = 0
    try:
        with FileReader(file) as reader:
            for replayed in Replay(reader, keeps_log=False):
                terms = replayed.state.terms
                game = replace(game, table=terms.name, rules=terms.rules.preset)
                for event in replayed.events:
                    if isinstance(event, events.Acted):
                        hand = event.hand
                    if isinstance(event, events.HandBegan):
                        hand, dealer = None, event.dealer
                    game = with_event(game, event, hand, dealer, match, own)
                    if isinstance(event, events.Seated | events.HandOver):
                        match = event.match
    except Refused as error:
        return replace(game, fault=error.finding.sentence)
    except (Unreadable, DataFolderError) as error:
        return replace(game, fault=str(error), unread=True)
    return game


def with_event(
    game: GameSummary,
    event: PublicEvent,
    hand: Hand | None,
    dealer: int,
    before: Match | None = None,
    own: str = "",
) -> GameSummary:
    """Add what an event tells to the summary of its table. ``before`` is the match before it."""
    match event:
        case events.Seated(nicks=nicks, keys=keys, code=code, match=match):
            rules = match.options
            seated = replace(
                game,
                nicks=nicks,
                keys=tuple(key.hex() for key in keys),
                code=code,
                sides=rules.sides,
                is_points=is_points(match),
                tenths=rules.tenths,
                special=rules.special,
                second=rules.second,
            )
            return _standing(seated, match, own)
        case events.HandOver(match=match):
            note = _hand_note(game, event, hand, dealer, before or match, own)
            return _standing(replace(game, hands=(*game.hands, note)), match, own)
        case events.TableOver(match=match, winner=winner):
            won = ended_match(match, winner)
            over = _standing(replace(game, over=True, won=_text(game, own, won)), match, own)
            return replace(over, account=(*over.account, won))
        case events.Parted(absent=absent, match=match):
            return _standing(replace(game, over=True, without=absent), match, own)
    return game


def _hand_note(
    game: GameSummary,
    event: events.HandOver,
    hand: Hand | None,
    dealer: int,
    before: Match,
    own: str,
) -> HandNote:
    result = event.result
    maker, bid = (hand.maker, hand.bid) if hand is not None else (None, 0)
    ended = Ended(event.number, hand, result, event.match, before=before)
    told = (result.reason, *gained(ended))
    gains = [now - was for now, was in zip(event.match.tokens, before.tokens, strict=True)]
    return HandNote(
        event.number,
        dealer,
        maker,
        bid,
        result.made,
        tuple(gains),
        None if result.caps is None else result.caps.verdict,
        str(result.reason),
        () if hand is None else hand.makers,
        tuple(_text(game, own, phrase) for phrase in told),
        told,
        None if result.caps is None else result.caps.by,
    )


def _standing(game: GameSummary, match: Match, own: str) -> GameSummary:
    """Note what each has, in figures and in a sentence."""
    seat = game.seat_of(own)
    told = (standing(match, seat), *games(match, seat))
    text = " ".join(_text(game, own, each) for each in told)
    return replace(game, tokens=tuple(match.tokens), standing=text, account=told)


def _text(game: GameSummary, own: str, phrase: Phrase) -> str:
    """Return a sentence of the table as the player with this key reads it."""
    return PhraseRenderer(LETTERS, nicks=game.nicks, seat=game.seat_of(own)).text(phrase)
