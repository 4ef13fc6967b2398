"""What the rules say no with."""

from __future__ import annotations


class RuleBroken(Exception):
    """An action the rules forbid: the rule's identifier (SPEC.md) and one sentence for players."""

    def __init__(self, rule: str, message: str, seat: int | None = None) -> None:
        super().__init__(f"{rule}: {message}")
        self.rule, self.message, self.seat = rule, message, seat
