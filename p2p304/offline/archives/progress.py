"""How far the work on many files has come, and how long it will still take.

Responsible for the sentence, which goes by bytes: files differ much in size. Where it is shown is
the command's (cli/start.py).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

SHOWN_EVERY: Final = 0.2
FIRST_GUESS: Final = 2.0
"""Seconds after which the time left is told: earlier it would be a wild guess."""


def duration(seconds: float) -> str:
    """Return a time as a person says it, rounded up."""
    minutes = -(-int(seconds) // 60)
    if seconds < 90:
        return f"{int(seconds) + 1} s"
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


class Progress:
    """Tells ``show`` about work on so many files of so many bytes together; ``told`` says what is
    done with them. An empty line means that nothing is to be shown any more."""

    def __init__(
        self,
        show: Callable[[str], None],
        files: int,
        total: int,
        told: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._show, self._files, self._total, self._clock = show, files, total, clock
        self._begun = clock()
        self._shown = self._begun - SHOWN_EVERY
        self._read = self._finished = self._known = self._done = 0
        self._told = told

    def read(self, count: int) -> None:
        """Note that so many more bytes were read."""
        self.has_read(self._read + count)

    def has_read(self, total: int) -> None:
        """Note that so many bytes were read in all, and show it if it is time."""
        self._read = total
        if self._clock() - self._shown >= SHOWN_EVERY:
            self.show()

    def finish(self, size: int, told: str = "", is_known: bool = False) -> None:
        """Note that a file of this size is finished, ``is_known``: without work."""
        self._done += 1
        self._told = told or self._told
        if is_known:
            self._known += size
        else:
            self._finished += size
        if self._done == self._files:
            self.show()
        else:
            self.has_read(self._read)

    def show(self) -> None:
        """Show how far the work has come."""
        self._shown = self._clock()
        self._show(self.sentence)

    def end(self) -> None:
        """Show nothing any more."""
        self._show("")

    @property
    def sentence(self) -> str:
        """How many files of how many, and what was done with them; the share in bytes, and the time
        that the rest will take if it goes on like this. What was known cost no time."""
        told = f"{self._done} of {self._files} transcripts {self._told}"
        # What another computer reads is known when it is done.
        worked, work = max(self._read, self._finished), self._total - self._known
        if work <= 0:
            return told
        share = min(1.0, worked / work)
        told += f", {int(100 * share)} %"
        spent = self._clock() - self._begun
        if share == 0 or share == 1 or spent < FIRST_GUESS:
            return told
        return f"{told}, about {duration(spent * (1 - share) / share)} left"
