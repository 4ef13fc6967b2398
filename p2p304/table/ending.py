"""What becomes of a table whose players end it without one who is gone.

Owns the state after the last entry of such a table, by its rules (option ``away``; SPEC.md,
"Leaving for good"). Who signed what, and whether it is whole, is parting.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.away import PAY
from p2p304.rules.endings import next_dealer, same_dealer, violation
from p2p304.rules.hand import Hand
from p2p304.rules.scoring import VIOLATION, Result, payment
from p2p304.table import events
from p2p304.table.acting import open_seat
from p2p304.table.events import PublicEvent
from p2p304.table.parting import may_end
from p2p304.table.state import HandRecord, TableState
from p2p304.table.vacant import begin, can_be_played_out


def ended(state: TableState, absent: int) -> tuple[TableState, tuple[PublicEvent, ...]]:
    """The table as it is left after this state without the player ``absent``.

    Raises Refused E03 where the table's rules are to wait, or it is over anyway.
    """
    may_end(state.terms.rules, state.over)
    away = state.terms.rules.away
    nick = state.terms.players[absent].nick
    if can_be_played_out(state):
        seat = state.seat_of(absent)
        return begin(state, absent), (events.PlayingOut(nick, seat, open_seat(state, seat)),)
    told: tuple[PublicEvent, ...] = ()
    if state.hand is not None and state.open_deal.shuffled:
        state, told = _broken_off(state, state.hand, absent, nick)
    after = replace(state, deal=None, hand=None, claims=(), over=True)
    return after, (*told, events.Parted(nick, away, after.match))


def _broken_off(state: TableState, hand: Hand, absent: int, nick: str
                ) -> tuple[TableState, tuple[PublicEvent, ...]]:  # fmt: skip
    """The hand that has been begun is settled: void, or paid for by the absentee's side."""
    result = _result(hand, state.seat_of(absent), nick)
    match = state.match.after(result)
    record = HandRecord(state.number, state.dealer, hand, result, ())
    after = replace(state, match=match, records=(*state.records, record))
    return after, (events.HandOver(state.number, result, match),)


def _result(hand: Hand, seat: int, nick: str) -> Result:
    """``violation.pay`` for whoever is gone; before there is a bid the two tokens alone."""
    why, options = f"{nick} has left for good", hand.options
    if options.away != PAY:
        nobody = (0,) * options.accounts
        return Result(True, nobody, f"{why}: the hand is void.", same_dealer(hand))
    if hand.maker is not None:
        return violation(hand, seat, why)
    others = [account for account in range(options.accounts) if account != options.account(seat)]
    names = "+".join(options.account_names[account] for account in others)
    tokens = payment(options, others, VIOLATION)
    return Result(False, tokens, f"{why}: {names} are paid.", next_dealer(hand))
