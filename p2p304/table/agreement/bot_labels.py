"""Labels that tell bots from people wherever players are named.

Responsible for the label behind a bot's name and for the sentence that names the owners of bots.
"""

from __future__ import annotations

from collections.abc import Sequence

LABEL = "[bot]"


def labelled(nicks: Sequence[str], owners: Sequence[str | None]) -> tuple[str, ...]:
    """Return the nicknames, those of bots with `LABEL` (``owners`` as in `events.Seated.owners`).
    If all players are bots, no label is needed."""
    if None not in owners:
        return tuple(nicks)
    pairs = zip(nicks, owners, strict=True)
    return tuple(nick if owner is None else f"{nick} {LABEL}" for nick, owner in pairs)


def bots_of(nicks: Sequence[str], owners: Sequence[str | None]) -> list[tuple[str, list[str]]]:
    """Return each owner at the table (empty: an owner elsewhere) with the names of its bots; none
    if all players are bots."""
    found: dict[str, list[str]] = {}
    if None in owners:
        for nick, owner in zip(nicks, owners, strict=True):
            if owner is not None:
                found.setdefault(owner, []).append(nick)
    return list(found.items())
