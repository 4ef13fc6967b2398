"""The end of a table whose players end it without an absent player, or that a proven fault ends.

Responsible for the state after the last entry of such a table, by its rules (option ``away``;
SPEC.md, "Leaving for good"), and after a conviction (``cheat.pays``), which follows only from the
log and the convicted player, so that players and auditors find the same. Who signed what is
table/absence/absence_voter.py's; whether it is complete is table/absence/certificate.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import say
from p2p304.rules.play.settlement import Charge, broken_off_result
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.absence import REPLACE
from p2p304.table.absence.certificate import check_may_part
from p2p304.table.state import events
from p2p304.table.state.events import HandOver, PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition.absent_seat import begin, can_be_played_out
from p2p304.table.transition.actions import Step, after_hand, open_seat


def ended_without(state: TableState, absent: int) -> Step:
    """Return the table after this state without the player ``absent``, with its events.

    A table that this state's entry has ended stays as it is. Raises Refused E03 if the table's
    rules are to wait, or if a hand is played out already: there is one absent seat at most.
    """
    check_may_part(state.terms.rules, state.absent_hand is not None)
    away = state.terms.rules.away
    nick = state.terms.players[absent].nick
    if state.is_over:
        return state, (events.Parted(nick, away, state.match),)
    if can_be_played_out(state):
        seat = state.seat_of(absent)
        return begin(state, absent), (events.PlayingOut(nick, seat, open_seat(state, seat)),)
    happened: tuple[PublicEvent, ...] = ()
    if state.hand is not None and state.open_deal.has_begun:
        state, happened = after_hand(state, _result(state, state.hand, absent, nick))
    after = replace(state, deal=None, hand=None, claims=(), is_over=True)
    goes_on = away == REPLACE and not after.is_played_to_its_end
    happened = (*happened, events.Parted(nick, away, after.match, goes_on))
    if after.match.is_over:
        happened = (*happened, events.TableOver(after.match, after.match.winner))
    return after, happened


def _result(state: TableState, hand: Hand, absent: int, nick: str) -> Result:
    """Return the result of a hand that is broken off (``leave.lost``): the absent player's side
    loses it."""
    charge = Charge(
        say("All others continue without {nick}: the hand counts as won by {winners}.", nick=nick),
        say(
            "All others continue without {nick}: the hand is void, and paid as won by {winners}.",
            nick=nick,
        ),
    )
    return broken_off_result(hand, state.seat_of(absent), charge)


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
