"""The effect of a public action on the hand and on the slots.

Responsible for the part that the handlers of step.py and the absent seat (absent_seat.py) share.
The rules judge the action; the proofs are checks.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.group import Element
from p2p304.rules.core import actions as acts
from p2p304.rules.play import engine
from p2p304.rules.play.review import Offence
from p2p304.rules.state.scoring import Result
from p2p304.table.proofs.openings import open_cards
from p2p304.table.state import deal as dealing
from p2p304.table.state import events
from p2p304.table.state.deal import Deal
from p2p304.table.state.events import PublicEvent
from p2p304.table.state.table import HandRecord, TableState

Step = tuple[TableState, tuple[PublicEvent, ...]]


def act(state: TableState, action: acts.Action, deal: Deal | None = None) -> Step:
    """Apply a public action by the rules. A superseded indicator goes back to its hand."""
    before = state.open_hand
    hand = engine.apply(before, action)
    after = deal or state.open_deal
    if hand.taken_back is not None and before.taken_back is None:
        after = dealing.with_indicator_taken_up(after, hand.taken_back, None)
    done = replace(state, hand=hand, deal=after)
    empty = None if done.absent_seat is None else open_seat(done, done.absent_seat)
    return done, (events.Acted(action, before, hand, empty),)


def open_seat(state: TableState, seat: int) -> events.OpenSeat:
    """Return the public cards of a seat."""
    return events.OpenSeat(*open_cards(state.open_deal.holdings[seat]))


def after_announcement(state: TableState, action: acts.Announce) -> Step:
    """Return the state after the trump maker's announcement. Cards that are turned up leave their
    slots."""
    deal, hand, maker = state.open_deal, state.open_hand, action.seat
    after = deal
    for seat, _ in action.revealed:
        after = _drop_down(after, seat)
    if action.indicator is not None:
        played = hand.tricks[-1].has_indicator
        after = (
            _drop_down(after, maker)
            if played
            else dealing.with_indicator_taken_up(after, maker, action.indicator)
        )
    viewed = deal.viewed
    if not any(seat != maker for seat, _ in action.revealed):  # they stay face down
        viewed += tuple((len(hand.tricks) - 1, *shown) for shown in deal.inspected)
    return act(state, action, replace(after, inspected=(), viewed=viewed))


def after_hand(state: TableState, result: Result, offences: tuple[Offence, ...] = ()) -> Step:
    """Return the state after the hand is settled and paid; the hand itself is still there."""
    record = HandRecord(state.number, state.dealer, state.open_hand, result, offences)
    match = state.match.after(result)
    after = replace(
        state,
        match=match,
        dealer=result.next_dealer,
        last_record=record,
        hands_played=state.hands_played + (not result.void),
    )
    return after, (events.HandOver(state.number, result, match, offences),)


def after_unlocking(state: TableState, seat: int, outputs: tuple[Element, ...]) -> Step:
    """Return the state after the seat took its lock off every card of the batch that goes to
    others. The last seat to unlock gives the batch out."""
    deal = state.open_deal
    batch = list(deal.batch)
    for place, output in zip(deal.foreign(seat), outputs, strict=True):
        batch[place] = output
    after = replace(deal, batch=tuple(batch), unlocked=deal.unlocked + 1)
    happened: tuple[PublicEvent, ...] = (events.Unlocked(seat, len(outputs)),)
    if after.unlocked == len(after.unlockers):
        size = max(after.batch_to.count(to) for to in after.batch_to)
        is_stock = deal.dealt == len(deal.batches)
        after = dealing.close_batch(after)
        batch_number = None if is_stock else after.dealt
        happened = (*happened, events.Dealt(batch_number, size, state.open_hand))
    return state.with_deal(after), happened


def _drop_down(deal: Deal, seat: int) -> Deal:
    held = deal.holdings[seat]
    return deal.with_holding(seat, replace(held, down=held.down[:-1]))
