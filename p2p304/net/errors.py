"""The error of a network that cannot be used, and the type of a reason for which a link ended.

Responsible for these alone; each part of net/ raises the error with a sentence of its own.
"""

from typing import TypeAlias

from p2p304.rules.core.phrases import Phrase

Reason: TypeAlias = str | Phrase
"""Why a link ended, as a part of a sentence; another program's reason is English."""


class NetError(Exception):
    """The network cannot be used as asked; the phrase is one sentence for a person."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(phrase)
        self.phrase = phrase
