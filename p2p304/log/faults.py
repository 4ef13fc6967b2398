"""Refusals: what a failed check proves, and about whom.

Owns the one exception by which every check speaks. It refuses to know the checks themselves:
each stands where its facts are (log/, table/) and carries an identifier of SPEC.md, "Checks".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What a refusal says: the check, one sentence, and the player it is proven against.

    ``player`` is an index into the agreement's players, or None: where blame is not proven by
    signed bytes it is not assigned.
    """

    check: str
    sentence: str
    player: int | None = None


class Refused(Exception):
    """A message broke a numbered check; nothing has changed because of it."""

    def __init__(self, check: str, sentence: str, player: int | None = None) -> None:
        super().__init__(f"{check}: {sentence}")
        self.finding = Finding(check, sentence, player)

    @classmethod
    def of(cls, finding: Finding) -> Refused:
        return cls(finding.check, finding.sentence, finding.player)

    def against(self, player: int) -> Refused:
        """The same refusal, proven against ``player`` by an entry that they signed."""
        return Refused(self.finding.check, self.finding.sentence, player)


class Unexplained(Refused):
    """A refusal that convicts nobody: some proof that passed must be false, and nobody can tell
    which. Its entry is refused, and its author may be honest."""

    def against(self, player: int) -> Refused:
        return self
