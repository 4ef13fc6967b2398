"""The absent seat: how a hand is played to its end without a player who is gone.

Responsible for which elements the seats present must open in place of the absent player, and for
what the absent seat then does by itself: it unlocks, shows and counts as its program would have
done, passes, and plays its lowest legal card; all its cards are public (SPEC.md, "Playing out"). It
holds no secret. Shares of keys are key_shares.py's, the vote to play out is
table/absence/absence_voter.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from p2p304.crypto.group import Element, G, add, sub
from p2p304.log.faults import Unexplained
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.default_choice import default_choice
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand, Phase
from p2p304.table.proofs import openings
from p2p304.table.proofs.openings import open_cards
from p2p304.table.state import deal as dealing
from p2p304.table.state import events
from p2p304.table.state.deal import Deal, SeatSlots, Slot
from p2p304.table.state.key_shares import Shared, others, total
from p2p304.table.state.table import AbsentHand, TableState
from p2p304.table.transition.actions import (
    Step,
    act,
    after_announcement,
    after_unlocking,
    open_seat,
)
from p2p304.wire.bodies import INDICATOR


class OpeningReason(Enum):
    """Why elements are opened in place of the absent player."""

    BATCH = "cards dealt to others"
    CARDS = "the absent player's own cards"
    SHOWN = "cards shown to the absent trump maker"


@dataclass(frozen=True, slots=True)
class Opening:
    """Elements to be multiplied by the secret of ``key``; every seat present gives its part."""

    reason: OpeningReason
    key: Element
    locked: tuple[Element, ...]


def present(state: TableState) -> tuple[int, ...]:
    """Return the seats present, in turn from the right of the absent one; none if no seat is
    absent."""
    return () if state.absent_seat is None else others(state.absent_seat, state.seats)


def due(state: TableState) -> Opening | None:
    """Return what the seats present must open before anything else may happen, or None."""
    seat, deal, hand = state.absent_seat, state.deal, state.hand
    if seat is None or deal is None or hand is None:
        return None
    if deal.batch:
        waits = deal.unlockers[deal.unlocked] == seat
        cards = tuple(deal.batch[place] for place in deal.foreign(seat))
        return Opening(OpeningReason.BATCH, deal.key(seat), cards) if waits else None
    slots = _unseen(state, hand, deal)
    if slots:
        under = tuple(slot.locked for slot in slots if slot.key == slots[0].key)
        return Opening(OpeningReason.CARDS, slots[0].key, under)
    shown = tuple(e1 for _, e1, _ in deal.inspected)
    if hand.phase is Phase.ANNOUNCE and hand.maker == seat and shown and not deal.to_show(hand):
        return Opening(OpeningReason.SHOWN, deal.inspection or G, shown)
    return None


def opening(state: TableState) -> Opening:
    """Return what is due; LookupError if nothing is."""
    found = due(state)
    if found is None:
        raise LookupError("no card is due in an absent player's place")
    return found


def shares(state: TableState, opening: Opening) -> Shared:
    """Return the shares of the absent player's key under which these elements are locked."""
    return state.open_deal.shared_key(opening.key, state.absent_seat or 0)


def _unseen(state: TableState, hand: Hand, deal: Deal) -> tuple[Slot, ...]:
    """Return the absent seat's cards that are hidden and that its part of the hand needs.

    These are its hand and its indicator, unless the seat does not play; the card that must be shown
    to the trump maker; what it may have to turn up itself, if it has to announce; and for the count
    also the cards that lie face down.
    """
    seat = state.absent_seat
    if seat is None or seat not in hand.playing:
        return ()
    held = deal.holdings[seat]
    down = held.down[-1:] if deal.to_show(hand)[:1] == (seat,) or _must_turn_up(hand, seat) else ()
    if hand.phase is Phase.COUNT and hand.turn == seat:
        down = openings.slots_to_count(state, seat)
    lying = () if held.indicator is None else (held.indicator,)
    cards = (*(slot for slot in held.hand if slot is not None), *lying, *down)
    return tuple(slot for slot in dict.fromkeys(cards) if slot.card is None)


def _must_turn_up(hand: Hand, seat: int) -> bool:
    """Whether this seat's announcement may have to name the card that it laid face down in this
    trick: the indicator, or with ``reveal=all`` any card."""
    if hand.phase is not Phase.ANNOUNCE or hand.maker != seat:
        return False
    play = hand.tricks[-1].by(seat)
    return play is not None and play.down and (play.indicator or hand.options.reveal == "all")


def after_stand_in(state: TableState, opening: Opening, parts: tuple[Element, ...]) -> Step:
    """Return the state after one seat's verified part. The last part opens the elements."""
    if state.absent_hand is None:
        raise LookupError("no seat is empty")
    given = (*state.absent_hand.parts, parts)
    here = present(state)
    happened = (events.StoodIn(here[len(given) - 1], len(parts)),)
    if len(given) < len(here):
        return replace(state, absent_hand=replace(state.absent_hand, parts=given)), happened
    state = replace(state, absent_hand=replace(state.absent_hand, parts=()))
    whole = tuple(total(column) for column in zip(*given, strict=True))
    after, more = _opened(state, opening, whole)
    return after, (*happened, *more)


def _opened(state: TableState, opening: Opening, whole: tuple[Element, ...]) -> Step:
    """Return the state after the elements are open: ``whole`` are they times the absent player's
    secret."""
    seat, deal = state.absent_seat or 0, state.open_deal
    if opening.reason is OpeningReason.BATCH:
        return after_unlocking(state, seat, whole)
    names = deal.cards_by_element
    if opening.reason is OpeningReason.SHOWN:
        seen = {
            by: _named(names, sub(e2, mask))
            for (by, _, e2), mask in zip(deal.inspected, whole, strict=True)
        }
        return _announce(state, seen)
    cards = {
        locked: _named(names, card) for locked, card in zip(opening.locked, whole, strict=True)
    }
    known = _known(deal.holdings[seat], opening.key, cards)
    after = state.with_deal(deal.with_holding(seat, known))
    return after, (events.LaidOpen(seat, tuple(cards.values()), open_seat(after, seat)),)


def _named(names: Mapping[Element, Card], opened: Element) -> Card:
    """D17: the seats present have opened a card of the pack."""
    card = names.get(opened)
    if card is None:
        raise Unexplained("D17", "the element opened for the absent player is not a card")
    return card


def _known(held: SeatSlots, key: Element, cards: Mapping[Element, Card]) -> SeatSlots:
    """Return these slots with the given cards, all locked under ``key``, made public."""

    def seen(slot: Slot) -> Slot:
        card = cards.get(slot.locked) if slot.key == key else None
        return slot if card is None else replace(slot, card=card)

    return replace(
        held,
        hand=tuple(None if slot is None else seen(slot) for slot in held.hand),
        indicator=held.indicator and seen(held.indicator),
        down=tuple(seen(slot) for slot in held.down),
    )


def begin(state: TableState, player: int) -> TableState:
    """Return the state from which the hand is played without this player. Claims end here."""
    hand = state.open_hand
    if hand.ending is None:
        hand = hand.copied()
        hand.claims_end = len(hand.history)
    return replace(state, hand=hand, claims=(), absent_hand=AbsentHand(player))


def can_be_played_out(state: TableState) -> bool:
    """Return whether the rules play hands out, and a hand has begun. Every seat has shuffled then,
    and so shared its key."""
    deal = state.deal
    return state.plays_out and deal is not None and deal.has_begun


# What the absent seat does by itself


def follow(state: TableState) -> Step | None:
    """Return the next step of the absent seat, which needs no entry, or None if others must act
    first."""
    seat, deal, hand = state.absent_seat, state.deal, state.hand
    if seat is None or deal is None or hand is None:
        return None
    if seat in deal.to_relock:
        left = tuple(one for one in deal.to_relock if one != seat)
        return state.with_deal(replace(deal, to_relock=left)), ()
    if deal.batch or deal.to_relock or due(state) is not None:
        return None
    if hand.phase is Phase.ANNOUNCE:
        return _at_announcement(state, seat)
    return _in_turn(state, seat) if hand.turn == seat else None


def _at_announcement(state: TableState, seat: int) -> Step | None:
    """Show the absent seat's card to the trump maker, or announce for an absent trump maker.

    The card is public already: E1 = G, E2 = M + P. An absent trump maker to whom nothing was shown
    announces what its own cards tell.
    """
    deal, hand = state.open_deal, state.open_hand
    waiting = deal.to_show(hand)
    if waiting and waiting[0] == seat:
        card = deal.holdings[seat].down[-1].card
        if card is None:
            return None
        pair = (G, add(deal.element(card), deal.inspection or G))
        shown = replace(deal, inspected=(*deal.inspected, (seat, *pair)))
        return state.with_deal(shown), (events.Inspected(seat),)
    return _announce(state, {}) if hand.maker == seat and not waiting else None


def _announce(state: TableState, seen: Mapping[int, Card]) -> Step:
    return after_announcement(
        state, openings.announcement_of(state, state.absent_seat or 0, seen, _seen_by_all)
    )


def _seen_by_all(slot: Slot) -> Card | None:
    return slot.card


def _in_turn(state: TableState, seat: int) -> Step:
    hand, held = state.open_hand, state.open_deal.holdings[seat]
    if hand.phase is Phase.COUNT:
        cards = [slot.card for slot in openings.slots_to_count(state, seat)]
        action = acts.Count(seat, tuple(card for card in cards if card is not None))
        after = state.open_deal.with_holding(seat, replace(held, down=()))
        counted, _ = act(state, action, after)
        return counted, (events.Counted(seat, len(cards)),)
    cards_now, lying = open_cards(held)
    view = View(seat, hand, cards_now, lying)
    return _do(state, seat, default_choice(view))


def _do(state: TableState, seat: int, action: Action) -> Step:
    """Apply an action of the absent seat, whose slots are public."""
    deal = state.open_deal
    held = deal.holdings[seat]
    match action:
        case acts.LayTrump(card=Card() as card):
            place = held.place_of(card, _seen_by_all)
            laid = replace(held.without(place), indicator=held.slot(place))
            return act(state, acts.public(action), deal.with_holding(seat, laid))
        case acts.Open(card=card):
            return act(state, action, dealing.with_indicator_taken_up(deal, seat, card))
        case Play(card=Card() as card, indicator=indicator):
            place = INDICATOR if indicator else held.place_of(card, _seen_by_all)
            left = held.laid_down(place) if action.down else held.without(place)
            return act(state, acts.public(action), deal.with_holding(seat, left))
        case _:
            return act(state, action)
