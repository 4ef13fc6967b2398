"""Draws that a player leaves: when a table counts as left before it began, and what follows.

Owns the two rules of SPEC.md, "The draw", about leaving: whom a node notes, and the check that it
agrees to no other draw of seats with that player (A06). Notes are kept by early_leavers.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from p2p304.log.faults import Refused
from p2p304.table.state import TableState
from p2p304.table.terms import Player, Terms


def leavers(
    state: TableState | None, waited_for: Iterable[Player], is_gone: Callable[[bytes], bool]
) -> tuple[Player, ...]:
    """Those of the players waited for who hold up a table whose first hand is not over.

    In the draw programs act by themselves, so that everybody who is waited for counts, connected
    or not. Later only players who are not connected do: others may think. A table that continues
    another draws nothing.
    """
    if state is None or state.terms.after is not None or state.records or state.over:
        return ()
    is_drawn = len(state.nonces) == state.seats
    return tuple(player for player in waited_for if not is_drawn or is_gone(player.key))


def check_draw(terms: Terms, noted: Collection[bytes]) -> None:
    """A06: seats are not drawn with a player who has left a draw or a first hand lately."""
    if terms.after is not None or terms.rules.seating == "chosen":
        return
    for player in terms.players:
        if player.key in noted:
            raise Refused(
                "A06",
                f"{player.nick} lately left a table before its first hand was over, so seats are "
                "not drawn again with this player: open a table where seats are chosen",
            )
