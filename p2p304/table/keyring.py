"""A seat's secrets, and what it reads with them: its own cards, those shown to it, what it knows.

Owns every secret of a player at a table, all derived from one seed by labels, so that a node
that starts again says exactly the same again. It writes nothing (hands.py); no secret appears in
a repr or an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from p2p304.crypto.group import Element, base, mul, sub
from p2p304.crypto.rng import Rng
from p2p304.rules.caps.adapter import knowledge
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.cards import Card
from p2p304.rules.view import View
from p2p304.table import openings
from p2p304.table.deal import Deal, Holding, Slot, names_of
from p2p304.table.proofs import Binding
from p2p304.table.state import TableState


@dataclass(slots=True)
class Secrets:
    """One player's secrets at one table. ``rng`` is the table's seed; scalars never leave."""

    rng: Rng = field(repr=False)
    _read: dict[Element, Card] = field(default_factory=dict, repr=False)

    @property
    def nonce(self) -> bytes:
        return self.rng.child(b"draw").bytes(32)

    @property
    def box_key(self) -> int:
        """What opens the shares of others' keys that are sealed to this player."""
        return self.rng.child(b"box key").scalar()

    def shares_of(self, number: int, key: Element) -> Rng:
        """Randomness for the shares of an own key."""
        return self._hand(number).child(b"shares", key)

    def deck_key(self, number: int) -> int:
        return self._hand(number).child(b"deck key").scalar()

    def hand_key(self, number: int, relocks: int) -> int:
        """The key of the hand after so many re-orderings; none yet: the unlock key."""
        if relocks == 0:
            return self.deck_key(number)
        return self._hand(number).child(b"hand key", relocks.to_bytes(2, "big")).scalar()

    def inspection_key(self, number: int) -> int:
        return self._hand(number).child(b"inspection key").scalar()

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        labels = (b"order", relocks.to_bytes(2, "big"))
        return self._hand(number).child(*labels).permutation(count)

    def fresh(self, at: Binding, what: bytes) -> Rng:
        """Randomness for the proofs of one entry, bound to its place."""
        return self.rng.child(b"proof", at.context(what))

    def key_of(self, slot: Slot, number: int, relocks: int) -> int:
        """The secret behind a slot's lock, looked for among this hand's keys."""
        for generation in range(relocks, -1, -1):
            secret = self.hand_key(number, generation)
            if base(secret) == slot.key:
                return secret
        raise LookupError("this slot is not locked by one of our keys")

    def by_key(self, number: int, relocks: int) -> dict[Element, int]:
        """This hand's secrets, found by their public keys."""
        keys = [self.hand_key(number, generation) for generation in range(relocks + 1)]
        return {base(secret): secret for secret in (*keys, self.inspection_key(number))}

    def _hand(self, number: int) -> Rng:
        return self.rng.child(b"hand", number.to_bytes(4, "big"))

    def read(self, table: bytes, deal: Deal, held: Holding, slot: Slot) -> Card:
        """The card of an own slot: unlocked privately, remembered by its locked element."""
        if slot.card is not None:
            return slot.card
        if slot.locked not in self._read:
            secret = self.key_of(slot, deal.number, held.relocks)
            self._read[slot.locked] = names_of(table, deal.number, deal.pack)[
                mul(secret, slot.locked)
            ]
        return self._read[slot.locked]


def own_view(state: TableState, seat: int, secrets: Secrets) -> View:
    """What this seat knows: the public hand and its own cards."""
    deal, hand = state.open_deal, state.open_hand
    held = deal.holdings[seat]
    cards = frozenset(
        secrets.read(state.table, deal, held, slot) for slot in held.hand if slot is not None
    )
    indicator = None
    if held.indicator is not None:
        indicator = secrets.read(state.table, deal, held, held.indicator)
    return View(seat=seat, hand=hand, cards=cards, indicator=indicator)


def slot_number(state: TableState, seat: int, secrets: Secrets, card: Card) -> int:
    """Where an own card lies; LookupError if this seat does not hold it."""
    deal = state.open_deal
    held = deal.holdings[seat]
    return held.place_of(card, lambda slot: secrets.read(state.table, deal, held, slot))


def decrypted(state: TableState, secrets: Secrets, pairs: tuple[tuple[Element, Element], ...]
              ) -> tuple[Card, ...]:  # fmt: skip
    """The cards of ciphertexts (E1, E2) to this seat's inspection key."""
    deal = state.open_deal
    x = secrets.inspection_key(deal.number)
    names = names_of(state.table, deal.number, deal.pack)
    return tuple(names[sub(e2, mul(x, e1))] for e1, e2 in pairs)


def viewed_cards(state: TableState, seat: int, secrets: Secrets) -> tuple[Card, ...]:
    """The cards that this trump maker inspected and left face down, in order."""
    pairs = tuple((e1, e2) for _, _, e1, e2 in openings.viewed_by(state, seat))
    return decrypted(state, secrets, pairs)


def own_knowledge(state: TableState, seat: int, secrets: Secrets) -> Knowledge:
    """What this seat knows, as far as Caps depends on it; CapsError where it cannot be called."""
    deal, view = state.open_deal, own_view(state, seat, secrets)
    held = deal.holdings[seat]
    down = (secrets.read(state.table, deal, held, slot) for slot in held.down)
    known = dict(zip(openings.own_down(state, seat), down, strict=True))
    viewed = openings.viewed_by(state, seat)
    for (number, who, _, _), card in zip(viewed, viewed_cards(state, seat, secrets), strict=True):
        known[number, who] = card
    cards = view.cards if view.indicator is None else view.cards | {view.indicator}
    return knowledge(view.hand, seat, cards, known, view.indicator)
