"""The exception with which the rules refuse an action.

Responsible for the refusal as a value. Which rules there are is left to the modules that raise
it.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, within_sentence


class RuleBroken(Exception):
    """An action the rules forbid: the rule's identifier (SPEC.md) and one sentence for players."""

    def __init__(self, rule: str, phrase: Phrase, seat: int | None = None) -> None:
        super().__init__(rule, phrase, seat)
        self.rule, self.phrase, self.seat = rule, phrase, seat

    @property
    def message(self) -> str:
        """The sentence in English, as it stands after the rule's name."""
        return within_sentence(self.phrase)

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"
