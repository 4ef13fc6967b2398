"""The price of a proven fault: the hand is paid for as a violation, and the table is over.

Responsible for the state after a conviction (SPEC.md, `cheat.pays`). It follows only from the log
and from the convicted player, so players and auditors find the same. Which player is convicted, and
of what, is share_complaint.py's and checks.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import say
from p2p304.rules.play.settlement import Charge, broken_off_result
from p2p304.table.state.events import HandOver
from p2p304.table.state.table import TableState
from p2p304.table.transition.actions import after_hand


def settle_conviction(state: TableState, player: int) -> tuple[TableState, HandOver] | None:
    """Return the table after ``player`` was convicted in this state, and the result of the hand.

    None if nothing is being dealt or played: before the draw is complete, and once the table is
    over."""
    hand = state.hand
    if hand is None or state.is_over or hand.result is not None:
        return None
    nick = state.terms.players[player].nick
    charge = Charge(
        say("{nick} is proven at fault: the hand counts as won by {winners}.", nick=nick),
        say(
            "{nick} is proven at fault: the hand is void, and paid as won by {winners}.", nick=nick
        ),
    )
    result = broken_off_result(hand, state.seat_of(player), charge)
    after, _ = after_hand(state, result)
    after = replace(
        after, dealer=state.dealer, deal=None, hand=None, claims=(), is_over=True, absent_hand=None
    )
    return after, HandOver(state.number, result, after.match)
