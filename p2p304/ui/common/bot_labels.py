"""How bots are told from people wherever players are named.

Responsible for the label behind a bot's name and the sentence that says whose bots sit here.
"""

from __future__ import annotations

from collections.abc import Sequence

LABEL = "[bot]"


def labelled(nicks: Sequence[str], owners: Sequence[str | None]) -> tuple[str, ...]:
    """Nicknames, those of bots with `LABEL` (``owners`` as in `events.Seated.owners`). Where
    nobody is a person there is nothing to tell apart."""
    if None not in owners:
        return tuple(nicks)
    pairs = zip(nicks, owners, strict=True)
    return tuple(nick if owner is None else f"{nick} {LABEL}" for nick, owner in pairs)


def bots_of(nicks: Sequence[str], owners: Sequence[str | None]) -> list[tuple[str, list[str]]]:
    """Each owner at the table (empty: nobody here) with the names of its bots; none where nobody
    is a person."""
    found: dict[str, list[str]] = {}
    if None in owners:
        for nick, owner in zip(nicks, owners, strict=True):
            if owner is not None:
                found.setdefault(owner, []).append(nick)
    return list(found.items())
