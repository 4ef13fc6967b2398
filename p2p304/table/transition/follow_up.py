"""What follows from an entry by itself, up to the next entry that a player must write.

Responsible for the end of a hand and of the table, the beginning of the next hand, batches to be
unlocked, and (with absent_seat.py) the absent seat's actions. Reading and verifying entries is
step.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import within_sentence
from p2p304.rules.play.review import review, violation_result
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.table.state import deal as dealing
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import HandRecord, TableState
from p2p304.table.transition import absent_seat
from p2p304.table.transition.actions import Step
from p2p304.table.transition.ending import ended_without


def without_absent(state: TableState, absent: int) -> Step:
    """Return the table after all but ``absent`` have parted after this state's last entry: it is
    over, or the hand is played out. Raises Refused E03."""
    after, told = ended_without(state, absent)
    return progress(after, told)


def progress(state: TableState, told: tuple[PublicEvent, ...]) -> Step:
    """Return the state up to the next entry that a player must write; ``told`` are the events so
    far."""
    state, told = _come_up(state, told)
    while (moved := absent_seat.follow(state)) is not None:
        state, told = _come_up(moved[0], (*told, *moved[1]))
    return state, told


def _come_up(state: TableState, told: tuple[PublicEvent, ...]) -> Step:
    """Settle a finished hand, begin the next one, and open a batch, where each is due."""
    if state.hand is not None and state.hand.result is not None:
        state, more = _settle(state, state.hand, state.hand.result)
        told = (*told, *more)
    if state.hand is None and not state.is_over and len(state.nonces) == state.seats:
        state, more = _begin_hand(state)
        told = (*told, *more)
    deal, hand = state.deal, state.hand
    if deal is not None and hand is not None and deal.cut is not None and not deal.batch:
        if deal.dealt < hand.batches:
            state = state.with_deal(dealing.open_batch(deal))
        elif deal.drawn < hand.drawn():
            state = state.with_deal(dealing.open_stock(deal, _drawing(hand)))
    return state, told


def _drawing(hand: Hand) -> tuple[int, ...]:
    """Return the seats in the order in which they draw a card, the trick's winner first."""
    seats = hand.options.seats
    return tuple((hand.leader + step) % seats for step in range(seats))


def _begin_hand(state: TableState) -> Step:
    rules, number = state.terms.rules, state.number + 1
    gathering = rules.shuffle == "minimal" and bool(state.records)
    order = dealing.gathered(state.records[-1].hand) if gathering else ()
    deal = dealing.begin(state.table, number, state.dealer, rules, order)
    hand = Hand.start(rules, state.dealer)
    after = replace(state, number=number, deal=deal, hand=hand)
    return after, (events.HandBegan(number, state.dealer),)


def _settle(state: TableState, hand: Hand, result: Result) -> Step:
    """Judge the hidden plays, pay, and close the hand. A violation is paid instead of the
    result."""
    offences = review(hand)
    if offences:
        result = violation_result(hand, offences[0])
    match = state.match.after(result)
    sentences = tuple(
        f"{state.nick_on(o.seat)}: {within_sentence(o.phrase)} ({o.rule})" for o in offences
    )
    record = HandRecord(state.number, state.dealer, hand, result, sentences)
    records = (*state.records, record)
    after = replace(
        state,
        match=match,
        dealer=result.next_dealer,
        deal=None,
        hand=None,
        records=records,
        absent_hand=None,
    )
    over = after.is_played_to_its_end or state.absent_hand is not None
    after = replace(after, is_over=over)
    told: tuple[PublicEvent, ...] = (events.HandOver(state.number, result, match, sentences),)
    if state.absent_hand is not None:
        nick = state.terms.players[state.absent_hand.player].nick
        told = (*told, events.Parted(nick, state.terms.rules.away, match))
    elif over:
        told = (*told, events.TableOver(match, match.winner))
    return after, told
