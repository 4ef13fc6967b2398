"""The exceptions with which the rules, and the table, refuse what a player wants.

Responsible for the refusals as values. Which rules there are is left to the modules that raise
them.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, within_sentence


class RuleBroken(Exception):
    """An action the rules forbid: the rule's identifier (SPEC.md) and one sentence for players."""

    def __init__(self, rule: str, phrase: Phrase, seat: int | None = None) -> None:
        self.rule, self.phrase, self.seat = rule, phrase, seat

    @property
    def message(self) -> str:
        """The sentence in English, as it stands after the rule's name."""
        return within_sentence(self.phrase)

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


class NotNow(LookupError):
    """A wish that no rule forbids, but that the table cannot take now; one sentence for players."""

    def __init__(self, phrase: Phrase) -> None:
        self.phrase = phrase
