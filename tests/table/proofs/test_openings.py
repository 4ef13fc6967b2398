"""Openings of recorded tables, with one part replaced by what a liar would say. What is opened
becomes public as it was opened, and all of it is due."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Suit
from p2p304.table.proofs import openings
from p2p304.table.proofs.openings import Opened
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import SeatSlots, Slot
from p2p304.table.state.table import TableState
from p2p304.table.transition.phases import duty
from p2p304.table.transition.replay import Replay
from p2p304.wire import bodies
from p2p304.wire.bodies import INDICATOR, parse_body
from tests.support.paths import TRANSCRIPTS


@dataclass(frozen=True)
class Moment:
    """A state, and the entry that was written in it."""

    state: TableState
    seat: int
    body: Any
    at: Binding

    @property
    def held(self) -> SeatSlots:
        return self.state.open_deal.holdings[self.seat]


def moment(name: str, kind: str) -> Moment:
    """The first entry of this kind at a recorded table."""
    data = (TRANSCRIPTS / name).read_bytes()
    replay = Replay(data)
    for raw in read_blocks(data):
        entry, state = raw.entry.entry, replay.state
        if entry.kind == kind and state is not None:
            due = duty(state)
            assert due is not None
            at = Binding(state.table, state.number, entry.seq, entry.prev, due.seat)
            return Moment(state, due.seat, parse_body(kind, entry.body), at)
        replay.verify_block(raw)
    raise LookupError(f"no {kind} in {name}")


def opened(at: Moment, **lies: Any) -> Opened:
    """What follows from the entry with some fields replaced."""
    body = replace(at.body, **lies)
    if isinstance(body, bodies.Caps):
        return openings.read_caps(at.state, at.seat, body, at.at)
    return openings.read_count(at.state, at.seat, body, at.at)


def without_hidden(held: SeatSlots) -> SeatSlots:
    """What stays of a seat's slots once every card of them is counted: those seen before."""

    def seen(slot: Slot | None) -> Slot | None:
        return slot if slot is not None and slot.card is not None else None

    hand, indicator = tuple(map(seen, held.hand)), seen(held.indicator)
    return replace(held, hand=hand, indicator=indicator, down=())


def refused(at: Moment, check: str, **lies: Any) -> None:
    with pytest.raises(Refused) as caught:
        opened(at, **lies)
    assert caught.value.finding.check == check, lies


@pytest.mark.parametrize("name", ["closed.304", "caps-in-time.304", "caps-late.304"])
def test_a_count_opens_every_card_that_is_due_as_it_is(name: str) -> None:
    at = moment(name, "count")
    cards, proofs = at.body.cards, at.body.proofs
    action, deal = opened(at)
    assert isinstance(action, acts.Count)
    assert action.seat == at.seat and tuple(card.name for card in action.cards) == cards
    assert deal.holdings[at.seat] == without_hidden(at.held)
    other = next(c.name for c in at.state.open_deal.pack.cards if c.name not in cards)
    refused(at, "P02", cards=(*cards[:-1], other))
    refused(at, "P02", proofs=(bytes(64), *proofs[1:]))
    refused(at, "P07", cards=cards[:-1])
    refused(at, "P07", cards=(*cards, other))
    refused(at, "P07", proofs=())
    refused(at, "P07", proofs=(*proofs, proofs[0]))
    refused(at, "P06", cards=(*cards[:-1], "XX"))
    moved = replace(at, at=replace(at.at, seq=at.at.seq + 1))
    refused(moved, "P02")


@pytest.mark.parametrize("name", ["caps-in-time.304", "caps-early.304", "caps-late.304"])
def test_a_call_of_caps_opens_all_cards_of_the_caller_as_they_are(name: str) -> None:
    at = moment(name, "caps")
    body, held = at.body, at.held
    action, deal = opened(at)
    assert isinstance(action, acts.Caps)
    assert tuple(card.name for card in action.order) == body.order
    lying = dict(zip(body.slots, action.order, strict=True)).get(INDICATOR)
    assert action.indicator is lying and (lying is None) == (held.indicator is None)
    own = [(n, c) for n, by, c in action.known if by == at.seat]
    assert tuple(card.name for _, card in own) == body.down
    others = sorted(c.name for _, by, c in action.known if by != at.seat)
    assert others == sorted(body.seen)
    assert list(action.known) == sorted(action.known, key=lambda each: each[:2])
    after = deal.holdings[at.seat]
    by_place = dict(zip(body.slots, body.order, strict=True))
    for place, slot in enumerate(after.hand):
        assert (slot.card.name if slot and slot.card else None) == by_place.get(place)
    assert tuple(slot.card.name for slot in after.down if slot.card) == body.down
    assert openings.open_cards(after) == (
        frozenset(c for c in action.order if c is not lying),
        lying,
    )
    order, slots = body.order, body.slots
    refused(at, "P02", order=(order[1], order[0], *order[2:]))
    refused(at, "P15", order=order[:-1], slots=slots[:-1])
    refused(at, "P15", slots=(slots[1], *slots[1:]))
    refused(at, "P15", down=(*body.down, order[0]))
    refused(at, "P07", proofs=())
    refused(at, "P02", proofs=(bytes(64), *body.proofs[1:]))
    refused(at, "P16", seen=(*body.seen, order[0]))
    if body.down:
        refused(at, "P15", down=())
        refused(at, "P02", down=(order[0],))
    if body.seen:
        refused(at, "P16", seen=(), seen_proof=None)
        refused(at, "P16", seen=(body.seen[1], body.seen[0], *body.seen[2:]))


def test_a_marriage_shows_king_and_queen_of_one_suit_that_stay_in_the_hand() -> None:
    at = moment("full-court.304", "marriage")
    suit = Suit(at.body.suit)
    one, other = at.body.slots

    def married(suit: Suit, **lies: Any) -> SeatSlots:
        body = replace(at.body, **lies)
        deal = openings.read_marriage(at.state, at.seat, body, suit, at.at)
        return deal.holdings[at.seat]

    after = married(suit)
    names = {n: s.card.name for n, s in enumerate(after.hand) if s is not None and s.card}
    assert names.items() >= {one: f"K{suit.value}", other: f"Q{suit.value}"}.items()
    hand = list(after.hand)
    hand[one], hand[other] = at.held.hand[one], at.held.hand[other]
    assert replace(after, hand=tuple(hand)) == at.held
    for each in set(Suit) - {suit}:
        with pytest.raises(Refused, match="P02"):
            married(each)
    lies = [("P02", (other, one)), ("P17", (one, one)), ("P01", (one, len(at.held.hand)))]
    for check, slots in lies:
        with pytest.raises(Refused, match=check):
            married(suit, slots=slots)


def test_only_hidden_cards_need_a_proof_one_for_each_key() -> None:
    at = moment("caps-in-time.304", "caps")
    deal = at.state.open_deal
    cards = deal.pack.cards
    a, b = (deal.element(card) for card in cards[:2])
    slots = (Slot(a, b), Slot(b, a), Slot(a, a, cards[0]), Slot(a, a))
    assert openings.groups_by_key(slots) == ((0, 3), (1,))
    held = SeatSlots(hand=(slots[0], None, slots[1]), indicator=slots[2])
    assert openings.places_to_call(held) == (0, 2, INDICATOR)
    assert openings.places_to_call(replace(held, indicator=None)) == (0, 2)
    assert openings.open_cards(held) == (frozenset(), cards[0])


def test_only_a_trump_maker_that_knows_its_indicator_announces() -> None:
    at = moment("closed.304", "announce")
    with pytest.raises(LookupError, match="indicator"):
        openings.announcement_of(at.state, at.seat, {}, lambda slot: None)


def test_what_is_due_for_the_count_depends_on_what_ended_the_hand() -> None:
    at = moment("caps-in-time.304", "caps")
    deal, maker = at.state.open_deal, at.state.open_hand.maker
    assert maker is not None
    cards = [Slot(deal.element(c), deal.element(c)) for c in deal.pack.cards[:4]]
    held = SeatSlots(hand=(cards[0], None), indicator=cards[1], down=(cards[2], cards[3]))

    def due(ending: acts.Claim | None, seat: int, held: SeatSlots) -> tuple[Slot, ...]:
        hand = at.state.open_hand.copied()
        hand.ending = ending
        laid = deal.with_holding(seat, held)
        return openings.slots_to_count(replace(at.state, deal=laid, hand=hand), seat)

    other = (maker + 1) % deal.seats
    caps, spoilt = acts.Caps(maker, (), ()), acts.Spoilt(maker)
    down, played = (cards[2], cards[3]), replace(held, indicator=None)
    assert due(None, maker, held) == down
    assert due(caps, maker, held) == (*down, cards[0], cards[1])
    assert due(caps, other, played) == (*down, cards[0])
    assert due(spoilt, maker, held) == (cards[1],)
    assert due(spoilt, maker, played) == (cards[3],)
    assert due(spoilt, other, played) == (*down, cards[0])
