"""What a proven fault costs: the hand is paid for as a violation, and the table is over.

Owns the state after a conviction (SPEC.md, `cheat.pays`). It follows from the log and from who is
convicted, and from nothing else, so that players and auditors find the same. Who is convicted, and
of what, share_complaint.py and the checks say.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import say
from p2p304.rules.play.settlement import Charge, broken_off_result
from p2p304.table.state.events import HandOver
from p2p304.table.state.table import HandRecord, TableState


def convicted(state: TableState, player: int) -> tuple[TableState, HandOver] | None:
    """The table after ``player`` was convicted in this state, and how the hand was settled.

    None where nothing is being dealt or played: before the draw is complete, and once the table
    is over.
    """
    hand = state.hand
    if hand is None or state.over or hand.result is not None:
        return None
    nick = state.terms.players[player].nick
    charge = Charge(
        say("{nick} is proven at fault: {winners} are paid.", nick=nick),
        say("{nick} is proven at fault: the hand is void, and {winners} are paid.", nick=nick),
    )
    result = broken_off_result(hand, state.seat_of(player), charge)
    match = state.match.after(result)
    record = HandRecord(state.number, state.dealer, hand, result, ())
    after = replace(
        state,
        match=match,
        records=(*state.records, record),
        deal=None,
        hand=None,
        claims=(),
        over=True,
        absent_hand=None,
    )
    return after, HandOver(state.number, result, match)
