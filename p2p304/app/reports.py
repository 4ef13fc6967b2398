"""What a session reports to its player beside the game: troubles with the network, the rules.

Responsible for how often one thing is told. Which sentences there are is left to those who report.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.node.notices import Notices


class Reports:
    """The reports of one session; ``show`` is the screen's."""

    def __init__(self) -> None:
        self.show: Callable[[Phrase], None] = lambda phrase: None
        self._told: set[Phrase] = set()
        self._notices = Notices()

    def tell(self, phrase: Phrase) -> None:
        self.show(phrase)

    def tell_once(self, phrase: Phrase) -> None:
        """Tell something only the first time."""
        if phrase not in self._told:
            self._told.add(phrase)
            self.show(phrase)

    def tell_of_network(self, phrase: Phrase) -> None:
        """Tell a trouble that peers can cause as often as they like. A repeated sentence is left
        out: an absent player is dialled every second."""
        if self._notices.is_remembered(phrase):
            return
        now = time.monotonic()
        if self._notices.take(phrase, now):
            self.show(phrase)
        times = self._notices.take_omitted(now)
        if times:
            self.show(say("{n} more messages about connections are hidden.", n=times))
