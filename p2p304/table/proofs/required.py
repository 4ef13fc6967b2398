"""The proofs about hidden cards that an entry must carry, and the check that judges each.

Responsible for when a statement of hidden_cards.py must be proved (SPEC.md, "What is proved when").
This follows from public facts and the entry alone, so that the prover (entry_writer.py) and the
verifier (checks.py, called by step.py) come to the same list. Where a card that everybody knows
already breaks the rule, the required proof is *broken*: no proof can satisfy it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from p2p304.crypto.group import Element
from p2p304.crypto.statements import Hidden, Statement
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.tricks import has_exhausted_trumps
from p2p304.table.proofs import hidden_cards
from p2p304.table.proofs.hidden_cards import Cards
from p2p304.table.state.deal import SeatSlots
from p2p304.table.state.table import TableState
from p2p304.wire.bodies import INDICATOR


class ProofKind(Enum):
    """A kind of proof: its label in the proof's context, its check, and the sentence of a
    refusal."""

    FOLLOW = (b"follow", "P09", "the proof is missing that the player cannot follow suit")
    DOWN = (b"down", "P10", "the proof is missing that the card played face down is not a trump")
    LEAD = (b"lead", "P11", "the proof is missing that the first card led is not a trump")
    EXHAUSTED = (
        b"exhausted",
        "P12",
        "the proof is missing that the player holds no trumps that must be led",
    )
    STUCK = (
        b"stuck",
        "P13",
        "the proof is missing that the player holds a card that is not a trump",
    )
    CUT = (b"cut", "P18", "the proof is missing that the player holds no trump to cut with")
    SPOILT = (b"spoilt", "P19", "the proof is missing that the player was dealt no trump")
    NO_TRUMPS = (
        b"no trumps",
        "P14",
        "the proof is missing that none of the face-down cards is a trump",
    )

    def __init__(self, label: bytes, check: str, sentence: str) -> None:
        self.label, self.check, self.sentence = label, check, sentence


@dataclass(frozen=True, slots=True)
class RequiredProof:
    """A proof that an entry must carry: its kind, its statement, and whether a public card breaks
    it.

    A statement of None needs no proof: public cards show that it is true (or broken).
    """

    kind: ProofKind
    statement: Statement | None
    broken: bool = False


RequiredProofs = tuple[RequiredProof, ...]


@dataclass(frozen=True, slots=True)
class _Seat:
    """One seat's public position before its entry."""

    state: TableState
    seat: int

    @property
    def cards(self) -> Cards:
        return Cards(self.state.open_deal, self.state.open_hand)

    @property
    def held(self) -> SeatSlots:
        return self.state.open_deal.holdings[self.seat]

    @property
    def hand(self) -> tuple[Hidden, ...]:
        return hidden_cards.locked(self.held.hand)

    @property
    def indicator(self) -> Hidden | None:
        """The indicator while it lies face down on the table, or None."""
        lies = self.state.open_hand.maker == self.seat and self.state.open_hand.indicator_down
        hidden = hidden_cards.locked((self.held.indicator,)) if lies else ()
        return hidden[0] if hidden else None

    def shows(self, suit: Suit) -> bool:
        """Return whether a public card of the hand is of this suit."""
        return any(slot and slot.card and slot.card.suit is suit for slot in self.held.hand)


def for_play(state: TableState, seat: int, slot: int, card: Card | None) -> RequiredProofs:
    """Return the proofs for a card from place ``slot``, face up as ``card`` or face down (None)."""
    at, trick = _Seat(state, seat), state.open_hand.trick
    if trick is None or trick.led is None:
        own = () if card is None or slot == INDICATOR else tuple(_leading(at, card))
        return tuple(own)
    if card is not None and card.suit is trick.led:
        return ()
    return tuple(_not_following(at, slot, card, trick.led))


def _not_following(at: _Seat, slot: int, card: Card | None, led: Suit) -> Iterator[RequiredProof]:
    """Yield the proofs for a card that does not follow suit.

    The hand has none of the suit led. A card laid face down from the hand is no trump. An indicator
    that cuts is not of the suit led.
    """
    cuts = slot == INDICATOR and card is None and at.indicator is not None
    hidden = (*at.hand, *((at.indicator,) if cuts and at.indicator else ()))
    yield RequiredProof(
        ProofKind.FOLLOW, hidden_cards.cannot_follow(at.cards, hidden, led), at.shows(led)
    )
    trump, asks = at.state.open_hand.trump, at.state.open_hand.asker == at.seat
    if asks and trump is not None and card is not None and card.suit is not trump:
        row = hidden_cards.cannot_follow(at.cards, at.hand, trump)
        yield RequiredProof(ProofKind.CUT, row, at.shows(trump))
    if card is None and slot != INDICATOR and at.indicator is not None:
        laid = hidden_cards.locked((at.held.slot(slot),))
        yield RequiredProof(ProofKind.DOWN, hidden_cards.no_trumps(at.cards, at.indicator, laid))


def _leading(at: _Seat, card: Card) -> Iterator[RequiredProof]:
    """Yield the proofs for a trump maker's lead.

    The first lead is no trump, and exhausted trumps are led. Where trumps are asked for
    (``hidden=ask_reveal``), every lead is free.
    """
    hand = at.state.open_hand
    if hand.maker != at.seat or hand.options.hidden != "face_down":
        return
    if not hand.tricks and hand.closed and at.indicator is not None:
        yield RequiredProof(ProofKind.LEAD, _first_lead(at, at.indicator, card.suit))
    if not hand.options.exhausted or hand.bids_all_tricks:
        return
    drawn = [suit for suit in at.cards.suits if has_exhausted_trumps(hand.tricks, at.seat, suit)]
    if hand.trump in drawn and hand.trump is not None and card.suit is not hand.trump:
        left = hidden_cards.cannot_follow(at.cards, at.hand, hand.trump)
        yield RequiredProof(ProofKind.EXHAUSTED, left, at.shows(hand.trump))
    elif hand.trump is None and at.indicator is not None:
        others = [suit for suit in drawn if suit is not card.suit]
        if others:
            row = hidden_cards.holds_none_back(at.cards, at.indicator, at.hand, others)
            yield RequiredProof(ProofKind.EXHAUSTED, row)


def _first_lead(at: _Seat, indicator: Hidden, led: Suit) -> Statement | None:
    """State that the first card led is no trump. Where open trump is not played, a hand of trumps
    alone may lead one."""
    plain = hidden_cards.leads_no_trump(at.cards, indicator, led)
    if at.state.open_hand.options.open_trump:
        return plain
    return hidden_cards.either(plain, hidden_cards.leads_trumps_only(at.cards, at.hand, led))


def for_asking(state: TableState, seat: int) -> RequiredProofs:
    """Return the proof for asking for trumps: the hand has none of the suit led."""
    at, trick = _Seat(state, seat), state.open_hand.trick
    if trick is None or trick.led is None:
        return ()
    row = hidden_cards.cannot_follow(at.cards, at.hand, trick.led)
    return (RequiredProof(ProofKind.FOLLOW, row, at.shows(trick.led)),)


def for_closed(state: TableState, seat: int) -> RequiredProofs:
    """Return the proof for choosing closed trump: the player who leads first holds more than
    trumps."""
    at, hand = _Seat(state, seat), state.open_hand
    if hand.leader != seat or not hand.options.open_trump or at.indicator is None:
        return ()
    row = hidden_cards.not_only_trumps(at.cards, at.indicator, at.hand)
    return (RequiredProof(ProofKind.STUCK, row),)


def for_count(state: TableState, seat: int) -> RequiredProofs:
    """Return the proof of an opponent who counts no card after a call of spoilt trumps: it was
    dealt no trump."""
    at, trump = _Seat(state, seat), state.open_hand.trump
    if trump is None:
        return ()
    own = [slot for slot in (*at.held.hand, *at.held.down) if slot is not None]
    played = [p.card for _, p in state.open_hand.numbered_plays if p.seat == seat]
    seen = [slot.card for slot in own] + played
    broken = any(card is not None and card.suit is trump for card in seen)
    row = hidden_cards.was_dealt_none(at.cards, hidden_cards.locked(own), trump)
    return (RequiredProof(ProofKind.SPOILT, row, broken),)


def for_announcement(state: TableState, seat: int, cut: bool, shown: Card | None) -> RequiredProofs:
    """Return the proof for a trump maker's announcement; ``shown`` is the indicator if it is turned
    up."""
    at, deal = _Seat(state, seat), state.open_deal
    lying = at.held.indicator
    if cut or not deal.inspected or deal.inspection is None or lying is None:
        return ()
    key: Element = deal.inspection
    known = shown or lying.card
    seen = tuple(hidden_cards.encrypted(key, e1, e2) for _, e1, e2 in deal.inspected)
    if known is not None:
        row = hidden_cards.cannot_follow(at.cards, seen, known.suit)
    elif at.indicator is not None:
        row = hidden_cards.no_trumps(at.cards, at.indicator, seen)
    else:
        return ()
    return (RequiredProof(ProofKind.NO_TRUMPS, row),)
