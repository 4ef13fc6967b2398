"""What one's mistakes cost in each evening, judged once and then remembered.

Responsible for the figures of one table and the file that remembers them (``teacher.json`` in the
data folder, which may be deleted). The moves are judged by mistakes.py.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path

from p2p304.log.transcript import Unreadable
from p2p304.offline.teacher.mistakes import JudgedHand, judged_hands
from p2p304.offline.teacher.own_views import kept_view
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError, read_file, write_whole
from p2p304.storage.json_files import dictionary, read_remembered
from p2p304.ui.common.wording import hand_number
from p2p304.wire.forms import number, of, record, string

VERSION = 1
NAME = "teacher.json"
JUDGES = ("bots", "rules", "table", "offline/teacher", "ui/fullscreen/model")
"""The folders of the program on which a judgement depends."""
_COUNT = number(0, 2**53)


@dataclass(frozen=True, slots=True)
class Figures:
    """The table of ``file``, by `mark_of`: how many of this player's moves were judged and in how
    many hands, how many could not be, and how many were mistakes, which cost so
    many ``hundredths`` of a token together."""

    file: str = of(string())
    mark: str = of(string())
    hands: int = of(_COUNT)
    judged: int = of(_COUNT)
    unjudged: int = of(_COUNT)
    mistakes: int = of(_COUNT)
    hundredths: int = of(_COUNT)

    @property
    def regret(self) -> float:
        """What the mistakes of a hand cost on average, in tokens."""
        return self.hundredths / 100 / max(1, self.hands)


@dataclass(frozen=True, slots=True)
class Memory:
    """What ``teacher.json`` holds, by the names of the transcripts."""

    files: dict[str, Figures] = of(dictionary(string(), record(Figures)))


_MEMORY = record(Memory, version=VERSION)


def mark_of(path: Path, own: bytes, program: str) -> str:
    """Return what changes when a transcript does, or its player, or the program that judges (a
    digest)."""
    stat = path.stat()
    return f"{stat.st_size} {stat.st_mtime_ns} {own.hex()} {program}"


def figures_of(path: Path, home: Path, own: bytes, program: str) -> Figures:
    """Judge the moves of the player with the key ``own`` in one transcript."""
    mark, hands = mark_of(path, own, program), list[JudgedHand]()
    game = DataFolder(home).game(path.stem)
    with contextlib.suppress(DataFolderError, Unreadable):  # `p2p304 history` says so
        hands += judged_hands(read_file(path), own, kept_view(game, own))
    mistakes = [mistake for hand in hands for mistake in hand.mistakes]
    void = [hand.deal for hand in hands if hand.void]
    return Figures(
        path.name,
        mark,
        len({hand_number(hand.deal, void) for hand in hands if hand.judged}),
        sum(hand.judged for hand in hands),
        sum(hand.unjudged.total() for hand in hands),
        len(mistakes),
        sum(round(100 * mistake.regret) for mistake in mistakes),
    )


def remembered(home: Path) -> dict[str, Figures]:
    """Read what was judged before; a damaged file is made again."""
    memory = read_remembered(_MEMORY, home / NAME)
    return {} if memory is None else memory.files


def remember(home: Path, files: dict[str, Figures]) -> None:
    """Keep what was judged. In a folder that cannot be written it is judged again next time."""
    with contextlib.suppress(DataFolderError):
        write_whole(home / NAME, json.dumps(_MEMORY.write(Memory(files))).encode())
