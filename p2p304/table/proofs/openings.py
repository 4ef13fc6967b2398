"""Cards that are opened together: for the count, with a call of Caps, or with an announcement.

Responsible for the list of slots that a seat must open, in order, and for reading them from an
entry. The writer (entry_writer.py) and the verifier (step.py) take the same list from here. Whether
a call was right is rules/play/claims.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from p2p304.crypto.group import Element
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.play.view import announcement
from p2p304.table.proofs import checks
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import Deal, Reader, SeatSlots, Slot
from p2p304.table.state.table import TableState
from p2p304.wire import bodies
from p2p304.wire.bodies import INDICATOR

Opened = tuple[acts.Action, Deal]
COUNT, CAPS, MARRIAGE, VIEWED = b"count%d", b"caps%d", b"marriage%d", b"viewed"
MARRIED = "KQ"
"""The ranks of a marriage, in the order in which an entry names their places."""


def slots_to_count(state: TableState, seat: int) -> tuple[Slot, ...]:
    """Return the slots that this seat opens for the count.

    These are the cards that were never turned up, and after a claim also the hand and an indicator
    that still lies. After spoilt trumps the trump maker opens the indicator.
    """
    held, hand = state.open_deal.holdings[seat], state.open_hand
    if hand.ending is None:
        return held.down
    if isinstance(hand.ending, acts.Spoilt) and seat == hand.maker:
        return (held.down[-1],) if held.indicator is None else (held.indicator,)
    left = tuple(slot for slot in held.hand if slot is not None)
    return (*held.down, *left, *((held.indicator,) if held.indicator else ()))


def own_cards_to_announce(state: TableState, seat: int) -> tuple[Slot | None, Slot | None]:
    """Return the trump maker's own cards that its announcement may turn up: the indicator, and the
    card that it laid face down in this trick, if that is another."""
    held = state.open_deal.holdings[seat]
    play = state.open_hand.tricks[-1].by(seat)
    if play is not None and play.indicator:
        return held.down[-1], None
    return held.indicator, held.down[-1] if play is not None and play.down else None


def announcement_of(
    state: TableState, seat: int, seen: Mapping[int, Card], read: Reader
) -> acts.Announce:
    """Return the announcement that the rules require of a trump maker that has ``seen`` the others'
    cards and reads its own with ``read``."""
    lying, laid = own_cards_to_announce(state, seat)
    indicator = None if lying is None else read(lying)
    if indicator is None:
        raise LookupError("closed trumps have an indicator")
    return announcement(state.open_hand, indicator, seen, None if laid is None else read(laid))


def places_to_call(held: SeatSlots) -> tuple[int, ...]:
    """Return the places whose cards a caller of Caps states: the hand's and a lying indicator's."""
    places = tuple(number for number, slot in enumerate(held.hand) if slot is not None)
    return (*places, *((INDICATOR,) if held.indicator else ()))


def groups_by_key(slots: tuple[Slot, ...]) -> tuple[tuple[int, ...], ...]:
    """Group indices of slots that are proved together: those under one key, in order of appearance.
    Public cards need no proof."""
    groups: dict[Element, list[int]] = {}
    for place, slot in enumerate(slots):
        if slot.card is None:
            groups.setdefault(slot.key, []).append(place)
    return tuple(tuple(places) for places in groups.values())


def _check(
    state: TableState,
    slots: tuple[Slot, ...],
    cards: tuple[Card, ...],
    proofs: tuple[bytes, ...],
    at: Binding,
    label: bytes,
) -> None:
    """P02, P07: every slot holds its card, proved key by key."""
    groups = groups_by_key(slots)
    checks.check_opening_is_whole(slots, len(groups), cards, len(proofs))
    for number, (places, proof) in enumerate(zip(groups, proofs, strict=True)):
        some, shown = tuple(slots[p] for p in places), tuple(cards[p] for p in places)
        context = at.context(label % number)
        checks.check_slots_hold(state.open_deal, some, shown, proof, context)


def read_count(state: TableState, seat: int, body: bodies.Count, at: Binding) -> Opened:
    """Check a count; return its action and the deal after it."""
    deal = state.open_deal
    cards = checks.require_cards(body.cards, deal)
    slots = slots_to_count(state, seat)
    _check(state, slots, cards, body.proofs, at, COUNT)
    held = deal.holdings[seat]
    return acts.Count(seat, cards), deal.with_holding(seat, _counted(held, slots))


def _counted(held: SeatSlots, slots: tuple[Slot, ...]) -> SeatSlots:
    """Return a seat's slots without the hidden ones that it has opened for the count: what was
    public in the hand before stays seen."""
    counted = {slot for slot in slots if slot.card is None}
    return replace(
        held,
        hand=tuple(None if slot in counted else slot for slot in held.hand),
        indicator=None if held.indicator in counted else held.indicator,
        down=(),
    )


def read_caps(state: TableState, seat: int, body: bodies.Caps, at: Binding) -> Opened:
    """Check a call of Caps; return its action and the deal after it. The caller's cards are then
    public."""
    deal, held = state.open_deal, state.open_deal.holdings[seat]
    order = checks.require_cards(body.order, deal)
    down = checks.require_cards(body.down, deal)
    checks.check_call_opens_all(
        places_to_call(held), body.slots, len(order), len(held.down), len(down)
    )
    slots = tuple(checks.require_slot(held, place) for place in body.slots)
    _check(state, (*held.down, *slots), (*down, *order), body.proofs, at, CAPS)
    seen, viewed = viewed_by(state, seat), checks.require_cards(body.seen, deal)
    pairs = tuple((e1, e2) for *_, e1, e2 in seen)
    checks.check_viewed_cards(deal, pairs, viewed, body.seen_proof, at)
    known = dict(zip(own_down(state, seat), down, strict=True))
    known |= {(trick, by): card for (trick, by, _, _), card in zip(seen, viewed, strict=True)}
    stated = tuple(
        (*place, card) for place, card in sorted(known.items(), key=lambda each: each[0])
    )
    cards = dict(zip(body.slots, order, strict=True))
    laid_open = _laid_open(held, cards, down)
    action = acts.Caps(seat, order, stated, cards.get(INDICATOR))
    return action, deal.with_holding(seat, laid_open)


def read_marriage(
    state: TableState, seat: int, body: bodies.Marriage, suit: Suit, at: Binding
) -> Deal:
    """Check a marriage; return the deal after king and queen of a suit were shown. They stay in the
    hand."""
    deal, held = state.open_deal, state.open_deal.holdings[seat]
    slots = tuple(checks.require_slot(held, place) for place in body.slots)
    for slot in slots:
        checks.check_is_of_the_hand(slot, held, body.slots)
    cards = tuple(checks.require_card(rank + suit.value, deal) for rank in MARRIED)
    _check(state, slots, cards, body.proofs, at, MARRIAGE)
    hand = list(held.hand)
    for place, slot, card in zip(body.slots, slots, cards, strict=True):
        hand[place] = replace(slot, card=card)
    return deal.with_holding(seat, replace(held, hand=tuple(hand)))


def own_down(state: TableState, seat: int) -> tuple[tuple[int, int], ...]:
    """Return trick (from 0) and seat of this seat's cards that were never turned up, in order."""
    plays = state.open_hand.numbered_plays
    return tuple((n, seat) for n, p in plays if p.seat == seat and p.card is None)


def viewed_by(state: TableState, seat: int) -> tuple[tuple[int, int, Element, Element], ...]:
    """Return the cards that this seat inspected as trump maker and that stayed face down: trick,
    seat, E1, E2."""
    return state.open_deal.viewed if seat == state.open_hand.maker else ()


def _laid_open(held: SeatSlots, cards: dict[int, Card], down: tuple[Card, ...]) -> SeatSlots:
    hand = tuple(
        None if slot is None else replace(slot, card=cards[number])
        for number, slot in enumerate(held.hand)
    )
    lying = held.indicator and replace(held.indicator, card=cards[INDICATOR])
    laid = tuple(replace(slot, card=card) for slot, card in zip(held.down, down, strict=True))
    return replace(held, hand=hand, indicator=lying, down=laid)


def open_cards(held: SeatSlots) -> tuple[frozenset[Card], Card | None]:
    """Return the public cards of a seat's hand, and its indicator if that is public."""
    cards = frozenset(slot.card for slot in held.hand if slot is not None and slot.card is not None)
    return cards, held.indicator.card if held.indicator else None
