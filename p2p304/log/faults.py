"""Refusals: which check failed, and whom that proves guilty.

Responsible for the one exception that all checks raise. The checks themselves stand where their
facts are (such as log/chain.py's and table/proofs/checks.py's) and carry the identifiers of
SPEC.md, "Checks".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What a refusal says: the check, one sentence, and the player who is proven guilty.

    ``player`` is an index of the agreement's players, or None if signed bytes do not prove who is
    guilty.
    """

    check: str
    sentence: str
    player: int | None = None


class Refused(Exception):
    """A message failed a numbered check. Nothing has changed because of it."""

    def __init__(self, check: str, sentence: str, player: int | None = None) -> None:
        super().__init__(f"{check}: {sentence}")
        self.finding = Finding(check, sentence, player)

    @classmethod
    def of(cls, finding: Finding) -> Refused:
        """Make a refusal of a finding."""
        return cls(finding.check, finding.sentence, finding.player)

    def against(self, player: int) -> Refused:
        """Return the same refusal, proven against ``player`` by an entry that the player signed."""
        return Refused(self.finding.check, self.finding.sentence, player)


class Unexplained(Refused):
    """A refusal that proves nobody guilty. A proof that passed must be false, but nobody can tell
    which. The entry is refused, although its author may be honest."""

    def against(self, player: int) -> Refused:
        return self
