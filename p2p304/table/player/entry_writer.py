"""The entries that a seat writes, with their proofs.

Responsible for making every body from a seat's secrets. The secrets are keyring.py's, decisions are
table/machine/own_turns.py's, and every written entry passes the same checks as a peer's, which are
step.py's.
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.group import Element, G, Q, add, base, mul, sub
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import prove_shuffle
from p2p304.crypto.statements import Scalars, prove, prove_by_keys
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.cards import card as card_named
from p2p304.rules.play.counting import may_have_none
from p2p304.table.player.keyring import Secrets
from p2p304.table.player.own_cards import decrypt_cards, viewed_cards
from p2p304.table.proofs import openings, required, statements
from p2p304.table.proofs.required import RequiredProofs
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import SeatSlots, Slot
from p2p304.table.state.key_shares import others, own_share, share
from p2p304.table.state.table import TableState
from p2p304.table.transition import absent_seat
from p2p304.wire import bodies
from p2p304.wire.bodies import INDICATOR


class EntryWriter:
    """Writes the bodies of one seat's entries at one place of the log."""

    def __init__(self, state: TableState, seat: int, secrets: Secrets, at: Binding) -> None:
        self.state, self.seat, self.secrets, self.at = state, seat, secrets, at

    # What a program does by itself

    def by_itself(self, kind: str) -> bodies.Body:
        """Return the body of an entry that needs no choice by the player."""
        writers: dict[str, Callable[[], bodies.Body]] = {
            "draw": self.draw,
            "shuffle": self.shuffle,
            "cut": self.cut,
            "unlock": self.unlock,
            "relock": self.relock,
            "inspect": self.inspect,
            "announce": self.announce,
            "count": self.count,
            "open": self._open,
            "stand_in": self.stand_in,
        }
        return writers[kind]()

    def draw(self) -> bodies.Draw:
        if not self.state.plays_out:
            return bodies.Draw(self.secrets.nonce, None, None)
        e = self.secrets.box_key
        box = base(e)
        return bodies.Draw(self.secrets.nonce, box, self._knows(box, e, b"box"))

    def shuffle(self) -> bodies.Shuffle:
        deal = self.state.open_deal
        number, size = deal.number, len(deal.deck)
        u, old, order = self.secrets.deck_key(number), 1, self.secrets.order(number, 0, size)
        if deal.gathered and deal.shuffled < deal.seats:
            u, order = self.secrets.first_lock(number), tuple(range(size))
        elif deal.gathered:
            old, order = self.secrets.first_lock(number), self.secrets.overhand(number, size)
        key = base(u)
        x, w = u * pow(old, -1, Q) % Q, old * pow(u, -1, Q) % Q
        locked = [mul(w, card) for card in deal.deck]
        # X is the new deck; Y_i = x·X_order(i) says where card i of the old deck went.
        deck: list[Element] = [G] * len(locked)
        for place, target in enumerate(order):
            deck[target] = locked[place]
        statement = statements.shuffling(deal, self.seat, key, tuple(deck))
        proof = prove_shuffle(statement, x, order, *self._place(b"shuffle"))
        return bodies.Shuffle(key, self._knows(key, u), tuple(deck), proof, *self._shares(key, u))

    def cut(self) -> bodies.Cut:
        """Cut the pack by chance; every place is equally likely, also the one that leaves it."""
        deal = self.state.open_deal
        rng = self.secrets.hand(deal.number).child(b"cut")
        return bodies.Cut(rng.below(len(deal.deck)))

    def unlock(self) -> bodies.Unlock:
        deal = self.state.open_deal
        u = self.secrets.deck_key(deal.number)
        inputs = [deal.batch[place] for place in deal.foreign(self.seat)]
        outputs = [mul(u, card) for card in inputs]
        context, rng = self._place(b"unlock")
        proof = prove_dleq(u, G, deal.key(self.seat), inputs, outputs, context, rng)
        return bodies.Unlock(tuple(outputs), proof)

    def relock(self) -> bodies.Relock:
        deal = self.state.open_deal
        joined, joined_proof = self._join()
        held = self.held.joined(joined)
        number, count = deal.number, len(held.hidden)
        old = self.secrets.key_of(held.hidden[0], number, held.relocks)
        v = self.secrets.hand_key(number, held.relocks + 1)
        w = old * pow(v, -1, Q) % Q
        key = base(v)
        order = self.secrets.order(number, held.relocks + 1, count)
        cards = tuple(mul(w, held.hidden[place].locked) for place in order)
        statement = statements.reordering(held.hidden, key, cards)
        proof = prove_shuffle(statement, w, order, *self._place(b"relock"))
        again, kept = self._keep(held, v, key)
        shares = self._shares(key, v)
        return bodies.Relock(joined, joined_proof, key, cards, proof, again, kept, *shares)

    def _join(self) -> tuple[tuple[Element, ...], bytes | None]:
        """Bring cards drawn since the last re-ordering under the hand's key; return them with the
        proof."""
        held, number = self.held, self.state.open_deal.number
        unjoined = held.unjoined
        if not unjoined:
            return (), None
        hand = self.secrets.key_of(held.hidden[0], number, held.relocks)
        drawn = self.secrets.key_of(unjoined[0], number, held.relocks)
        w = drawn * pow(hand, -1, Q) % Q
        locked = [slot.locked for slot in unjoined]
        under = [mul(w, card) for card in locked]
        keys = (held.hidden[0].key, unjoined[0].key)
        return tuple(under), prove_dleq(w, *keys, locked, under, *self._place(b"join"))

    def _keep(self, held: SeatSlots, v: int, key: Element) -> tuple[Element | None, bytes | None]:
        """Re-lock the indicator in its place under ``key`` = v*G; return it with the proof, or None
        twice."""
        if held.indicator is None:
            return None, None
        old = self.secrets.key_of(held.indicator, self.state.open_deal.number, held.relocks)
        w = old * pow(v, -1, Q) % Q
        again = mul(w, held.indicator.locked)
        pair = ([held.indicator.locked], [again])
        return again, prove_dleq(w, key, held.indicator.key, *pair, *self._place(b"keep"))

    def inspect(self) -> bodies.Inspect:
        deal, held = self.state.open_deal, self.held
        slot = held.down[-1]
        u = self.secrets.key_of(slot, deal.number, held.relocks)
        to = deal.inspection or G
        k = self.secrets.fresh(self.at, b"inspection nonce").scalar()
        e1, e2 = base(k), add(mul(u, slot.locked), mul(k, to))
        statement = statements.inspection(slot, to, e1, e2)
        proof = prove(statement, Scalars({"k": k, "u": u}), *self._place(b"inspect"))
        return bodies.Inspect(e1, e2, proof)

    def announce(self) -> bodies.Announce:
        deal = self.state.open_deal
        action = openings.announcement_of(self.state, self.seat, self._inspected(), self._read)
        shown = dict(action.revealed)
        names = tuple(shown[seat].name for seat, _, _ in deal.inspected if seat in shown)
        seen = [(e1, e2, shown[seat]) for seat, e1, e2 in deal.inspected if seat in shown]
        shown_proof = self._show(seen, b"announce") if names else None
        lying, laid = openings.own_cards_to_announce(self.state, self.seat)
        own, own_proof = self._turned_up(laid, shown.get(self.seat), b"own")
        indicator, indicator_proof = self._turned_up(lying, action.indicator, b"indicator")
        cut = int(bool(shown) or self.state.open_hand.tricks[-1].has_indicator)
        proofs = required.for_announcement(self.state, self.seat, bool(cut), action.indicator)
        return bodies.Announce(
            cut,
            names,
            shown_proof,
            own,
            own_proof,
            indicator,
            indicator_proof,
            self._prove_required(proofs),
        )

    def _turned_up(
        self, slot: Slot | None, card: Card | None, what: bytes
    ) -> tuple[str | None, bytes | None]:
        if slot is None or card is None:
            return None, None
        return card.name, self._turn_up((slot,), (card,), what)

    def count(self) -> bodies.Count:
        if may_have_none(self.state.open_hand, self.seat) and self._was_dealt_none():
            return bodies.Count(
                (), (), self._prove_required(required.for_count(self.state, self.seat))
            )
        slots = openings.slots_to_count(self.state, self.seat)
        cards = tuple(self._read(slot) for slot in slots)
        given = self._lay_open(slots, cards, openings.COUNT)
        return bodies.Count(tuple(card.name for card in cards), given, ())

    def stand_in(self) -> bodies.StandIn:
        """Return this seat's part of what is opened in place of the absent player."""
        opening = absent_seat.opening(self.state)
        shared = absent_seat.shares(self.state, opening)
        s = own_share(shared, self.seat, self.secrets.box_key)
        if s is None:
            raise LookupError("this share was false, and its author convicted")
        parts = tuple(mul(s, locked) for locked in opening.locked)
        point = shared.of(self.seat).point
        context, rng = self._place(b"stand in")
        return bodies.StandIn(parts, prove_dleq(s, G, point, opening.locked, parts, context, rng))

    def _shares(
        self, key: Element, x: int
    ) -> tuple[tuple[bytes, ...], Element | None, bytes | None]:
        """Return the shares of a published key x*G, the ephemeral key under which they are sealed,
        and the proof of knowing its secret; nothing where hands are not played out."""
        state = self.state
        if not state.plays_out:
            return (), None, None
        receivers = [state.boxes[state.player_on(seat)] for seat in others(self.seat, state.seats)]
        rng = self.secrets.shares_of(state.number, key)
        r = rng.child(b"ephemeral key").scalar()
        ephemeral = base(r)
        shares = share(key, x, r, receivers, rng)
        return shares, ephemeral, self._knows(ephemeral, r, b"ephemeral")

    def _was_dealt_none(self) -> bool:
        """Return whether no card dealt to this seat is a trump."""
        hand, held = self.state.open_hand, self.held
        own = [self._read(slot) for slot in (*held.hand, *held.down) if slot is not None]
        own += [p.card for _, p in hand.numbered_plays if p.seat == self.seat and p.card]
        return all(card.suit is not hand.trump for card in own)

    def _lay_open(
        self, slots: tuple[Slot, ...], cards: tuple[Card, ...], label: bytes
    ) -> tuple[bytes, ...]:
        return tuple(
            self._turn_up(
                tuple(slots[p] for p in places), tuple(cards[p] for p in places), label % number
            )
            for number, places in enumerate(openings.groups_by_key(slots))
        )

    def caps(self, order: tuple[Card, ...]) -> bodies.Caps:
        """Return a call of Caps with this order of all remaining cards."""
        held = self.held
        slot_at = {
            p: slot for p in openings.places_to_call(held) if (slot := held.slot(p)) is not None
        }
        places = {self._read(slot): p for p, slot in slot_at.items()}
        given = tuple(places[card] for card in order)
        slots = tuple(slot_at[p] for p in given)
        down = tuple(self._read(slot) for slot in held.down)
        seen = openings.viewed_by(self.state, self.seat)
        cards = viewed_cards(self.state, self.seat, self.secrets)
        shown = [(e1, e2, card) for (*_, e1, e2), card in zip(seen, cards, strict=True)]
        seen_proof = self._show(shown, openings.VIEWED) if seen else None
        proofs = self._lay_open((*held.down, *slots), (*down, *order), openings.CAPS)
        stated, laid, viewed = (tuple(c.name for c in some) for some in (order, down, cards))
        return bodies.Caps(stated, given, laid, viewed, proofs, seen_proof)

    # What a player chooses

    def chosen(self, action: acts.Action) -> bodies.Body:
        """Return the body of an action that the player chose; LookupError if the seat does not hold
        its card."""
        match action:
            case acts.Redeal():
                slots = self.held.hidden
                cards = tuple(self._read(slot) for slot in slots)
                proof = self._turn_up(slots, cards, b"redeal")
                return bodies.Redeal(tuple(card.name for card in cards), proof)
            case acts.LayTrump(card=Card() as card):
                return bodies.Indicator(self._number(card))
            case acts.Open():
                return self._open()
            case acts.Closed():
                x = self.secrets.inspection_key(self.state.number)
                proofs = required.for_closed(self.state, self.seat)
                key = base(x)
                return bodies.Closed(
                    key, self._knows(key, x), self._prove_required(proofs), *self._shares(key, x)
                )
            case acts.Play(card=Card() as card):
                return self._play(action, card)
            case acts.Exchange(cards=(Card() as one, Card() as two)):
                return bodies.Exchange((self._number(one), self._number(two)))
            case acts.Reveal():
                return bodies.Ask(self._prove_required(required.for_asking(self.state, self.seat)))
            case acts.Marriage(suit=suit):
                return self._marriage(suit)
            case acts.Caps(order=order):
                return self.caps(order)
            case acts.Spoilt():
                return bodies.Spoilt()
            case _:
                return bodies.Say(notation.word(action))

    def _marriage(self, suit: Suit) -> bodies.Marriage:
        cards = tuple(card_named(rank + suit.value) for rank in openings.MARRIED)
        places = tuple(self._number(one) for one in cards)
        slots = tuple(slot for p in places if (slot := self.held.slot(p)) is not None)
        return bodies.Marriage(suit.value, places, self._lay_open(slots, cards, openings.MARRIAGE))

    def _play(self, action: acts.Play, card: Card) -> bodies.Body:
        number = INDICATOR if action.indicator else self._number(card)
        proofs = required.for_play(self.state, self.seat, number, None if action.down else card)
        if action.down:
            return bodies.Down(number, self._prove_required(proofs))
        slot = self.held.slot(number)
        if slot is None:
            raise LookupError("the indicator does not lie on the table")
        proof = self._turn_up((slot,), (card,), b"play")
        return bodies.Play(number, card.name, proof, self._prove_required(proofs))

    def _open(self) -> bodies.Open:
        slot = self.held.indicator
        if slot is None:
            raise LookupError("the indicator does not lie on the table")
        card = self._read(slot)
        return bodies.Open(card.name, self._turn_up((slot,), (card,), b"open"))

    # What several of these entries need

    @property
    def held(self) -> SeatSlots:
        return self.state.open_deal.holdings[self.seat]

    def _read(self, slot: Slot) -> Card:
        return self.secrets.read(self.state.open_deal, self.held, slot)

    def _number(self, card: Card) -> int:
        return self.held.place_of(card, self._read)

    def _place(self, what: bytes) -> tuple[bytes, Rng]:
        return self.at.context(what), self.secrets.fresh(self.at, what)

    def _knows(self, key: Element, x: int, what: bytes = b"key") -> bytes:
        return prove(statements.knowledge(key), Scalars({"x": x}), *self._place(what))

    def _prove_required(self, proofs: RequiredProofs) -> tuple[bytes, ...]:
        """Return the proofs that an entry must carry; NotAWitness if a statement is false."""
        secrets = self.secrets.by_key(self.state.number, self.held.relocks)
        return tuple(
            prove_by_keys(proof.statement, secrets, *self._place(proof.kind.label))
            for proof in proofs
            if proof.statement is not None
        )

    def _turn_up(self, slots: tuple[Slot, ...], cards: tuple[Card, ...], what: bytes) -> bytes:
        deal = self.state.open_deal
        u = self.secrets.key_of(slots[0], deal.number, self.held.relocks)
        opened = [deal.element(card) for card in cards]
        locked = [slot.locked for slot in slots]
        return prove_dleq(u, G, slots[0].key, locked, opened, *self._place(what))

    def _inspected(self) -> dict[int, Card]:
        """Return the cards that the others have shown to this trump maker, by seat."""
        shown = self.state.open_deal.inspected
        pairs = tuple((e1, e2) for _, e1, e2 in shown)
        cards = decrypt_cards(self.state, self.secrets, pairs)
        return {seat: card for (seat, _, _), card in zip(shown, cards, strict=True)}

    def _show(self, seen: list[tuple[Element, Element, Card]], label: bytes) -> bytes:
        """Prove that ciphertexts to the inspection key hold these cards."""
        deal = self.state.open_deal
        x = self.secrets.inspection_key(deal.number)
        masks = [sub(e2, deal.element(card)) for _, e2, card in seen]
        firsts = [e1 for e1, _, _ in seen]
        inspection = deal.inspection or G
        return prove_dleq(x, G, inspection, firsts, masks, *self._place(label))
