"""What follows from an entry by itself, up to the next entry that a player must write.

Responsible for the end of a hand and of the table, the beginning of the next hand, batches to be
unlocked, and (with absent_seat.py) the absent seat's actions. Reading and verifying entries is
step.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.play.review import review, violation_result
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.table.state import deal as dealing
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import TableState
from p2p304.table.transition import absent_seat
from p2p304.table.transition.actions import Step, after_hand
from p2p304.table.transition.ending import ended_without


def without_absent(state: TableState, absent: int) -> Step:
    """Return the table after all but ``absent`` have parted after this state's last entry: it is
    over, or the hand is played out. Raises Refused E03."""
    return progress(*ended_without(state, absent))


def progress(state: TableState, happened: tuple[PublicEvent, ...]) -> Step:
    """Return the state up to the next entry that a player must write, with all events; some have
    ``happened`` before."""
    state, happened = _come_up(state, happened)
    while (moved := absent_seat.follow(state)) is not None:
        state, happened = _come_up(moved[0], (*happened, *moved[1]))
    return state, happened


def _come_up(state: TableState, happened: tuple[PublicEvent, ...]) -> Step:
    """Settle a finished hand, begin the next one, and open a batch, where each is due."""
    if state.hand is not None and state.hand.result is not None:
        state, more = _settle(state, state.hand, state.hand.result)
        happened = (*happened, *more)
    if state.hand is None and not state.is_over and len(state.nonces) == state.seats:
        state = _begin_hand(state)
        happened = (*happened, events.HandBegan(state.number, state.dealer))
    deal, hand = state.deal, state.hand
    if deal is not None and hand is not None and deal.cut is not None and not deal.batch:
        if deal.dealt < hand.batches:
            state = state.with_deal(dealing.open_batch(deal))
        elif deal.drawn < hand.drawn():  # the trick's winner draws first
            drawing = tuple((hand.leader + n) % state.seats for n in range(state.seats))
            state = state.with_deal(dealing.open_stock(deal, drawing))
    return state, happened


def _begin_hand(state: TableState) -> TableState:
    rules, number = state.terms.rules, state.number + 1
    last = state.last_record if rules.shuffle == "minimal" else None
    order = () if last is None else dealing.gathered(last.hand)
    deal = dealing.begin(state.table, number, state.dealer, rules, order)
    return replace(state, number=number, deal=deal, hand=Hand.start(rules, state.dealer))


def _settle(state: TableState, hand: Hand, result: Result) -> Step:
    """Judge the hidden plays, pay, and close the hand. A violation is paid instead of the
    result."""
    offences = review(hand)
    if offences:
        result = violation_result(hand, offences[0])
    after, happened = after_hand(state, result, offences)
    is_over = after.is_played_to_its_end or state.absent_hand is not None
    after = replace(after, deal=None, hand=None, absent_hand=None, is_over=is_over)
    if state.absent_hand is not None:
        nick = state.terms.players[state.absent_hand.player].nick
        happened = (*happened, events.Parted(nick, state.terms.rules.away, after.match))
    elif is_over:
        happened = (*happened, events.TableOver(after.match, after.match.winner))
    return after, happened
