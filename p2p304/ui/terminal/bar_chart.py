"""Small charts made of characters.

Responsible for turning counts into bars of equal scale, and for counts beside their bands. It knows
nothing of the game.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.ui.common.text_width import clipped, width_of
from p2p304.ui.common.theme import Frame, LookSettings, encoding_of, look_for

WIDTH = 78
"""Columns of a line at most."""


def output_frame() -> Frame:
    """Return the characters with which charts are drawn on standard output."""
    return look_for(LookSettings(), os.environ, encoding_of(os.environ, sys.stdout.encoding)).frame


@dataclass(frozen=True, slots=True)
class ChartBar:
    """A row: won above lost, and a word after them."""

    label: str
    won: int
    lost: int
    after: str = ""


def bars(rows: Sequence[ChartBar], frame: Frame, of: str = "{won} of {all}") -> list[str]:
    """Draw rows as lines: label, a bar of won (full) and lost (light), the counts, which are
    written as ``of`` says."""
    if not rows:
        return []
    room = min(24, max(width_of(row.label) for row in rows))
    most = max(1, *(row.won + row.lost for row in rows))
    scale = min(30, WIDTH - room - 30)
    return [_line(row, frame, room, most, scale, of) for row in rows]


def _line(row: ChartBar, frame: Frame, room: int, most: int, scale: int, of: str) -> str:
    whole = _part(row.won + row.lost, most, scale)
    won = min(whole, _part(row.won, most, scale))
    light = frame.back if frame.back != frame.bar else frame.empty
    bar = frame.bar * won + light * (whole - won)
    label = clipped(row.label, room, frame.dots)
    label += " " * (room - width_of(label))
    share = round(100 * row.won / max(1, row.won + row.lost))
    after = f"  {row.after}" if row.after else ""
    counts = of.replace("{won}", f"{row.won:>3}").replace("{all}", f"{row.won + row.lost:<3}")
    return f"{label}  {bar.ljust(scale)} {counts} {share:>3} %{after}"


def _part(count: int, most: int, scale: int) -> int:
    """Return the columns for a count; a count above 0 takes at least one."""
    return max(1, round(scale * count / most)) if count else 0


@dataclass(frozen=True, slots=True)
class AmountBar:
    """A row: an amount of 0 or more, and words after it."""

    label: str
    amount: float
    after: str


def amount_lines(rows: Sequence[AmountBar], frame: Frame) -> list[str]:
    """Draw rows as lines: label, a bar, and the words; the largest amount fills the scale."""
    room = max((width_of(row.label) for row in rows), default=0)
    most = max((row.amount for row in rows), default=0.0) or 1.0
    return [
        f"{row.label}{' ' * (room - width_of(row.label))}  "
        f"{(frame.bar * round(24 * row.amount / most)).ljust(24)} {row.after}"
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class BandRow:
    """A row: a count, and the band in which it should lie (None: there is no band)."""

    label: str
    count: int
    band: tuple[int, int] | None = None

    @property
    def is_outside(self) -> bool:
        return self.band is not None and not self.band[0] <= self.count <= self.band[1]


def band_lines(rows: Sequence[BandRow], frame: Frame) -> list[str]:
    """Draw rows as lines of one scale: label, the band as a line with the count on it, figures."""
    ends = [end for row in rows for end in (row.count, *(row.band or ()))]
    if not ends:
        return []
    low, room = min(ends), min(24, max(width_of(row.label) for row in rows))
    most, scale = max(1, max(ends) - low), min(36, WIDTH - room - 34)
    return [_band_line(row, frame, room, (low, most, scale)) for row in rows]


def _band_line(row: BandRow, frame: Frame, room: int, where: tuple[int, int, int]) -> str:
    low, most, scale = where
    columns = [" "] * scale

    def column(value: int) -> int:
        return (value - low) * (scale - 1) // most

    if row.band is not None:
        first, last = map(column, row.band)
        columns[first : last + 1] = frame.across * (last + 1 - first)
    columns[column(row.count)] = frame.full
    label = clipped(row.label, room, frame.dots)
    label += " " * (room - width_of(label))
    band = "" if row.band is None else f"  ({row.band[0]} to {row.band[1]})"
    outside = "  OUTSIDE" if row.is_outside else ""
    return f"{label}  {''.join(columns)} {row.count:>5}{band}{outside}".rstrip()
