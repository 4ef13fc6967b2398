"""The public state of the deal: a locked deck, then slots that only their holders can read.

Responsible for positions, batches, slots and what each seat still hides. Verification is
checks.py's, secret keys are keyring.py's.

A *slot* is a card commitment ``(U, C)``: ``C`` is the card locked under the key whose public part
is ``U`` (SPEC.md, "Cards, locks, slots"). A slot whose card is public also names the card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

from p2p304.crypto.group import Element, HashedElement, hash_to_element
from p2p304.rules.core.cards import Card, Pack
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import digest
from p2p304.table.state.key_shares import Shared
from p2p304.wire.bodies import INDICATOR


@dataclass(frozen=True, slots=True)
class Slot:
    """A card commitment: lock key U, locked element C, and the card once it is public."""

    key: Element
    locked: Element
    card: Card | None = None


Reader = Callable[[Slot], Card | None]
"""Returns the card of a slot, or None if the slot cannot be read."""


@dataclass(frozen=True, slots=True)
class SeatSlots:
    """One seat's slots.

    ``hand`` keeps the place of every card; a place whose card has left is None. ``down`` are the
    slots that the seat played face down and that were not turned up, in order of play. ``relocks``
    counts the seat's re-orderings.
    """

    hand: tuple[Slot | None, ...] = ()
    indicator: Slot | None = None
    down: tuple[Slot, ...] = ()
    relocks: int = 0

    @property
    def hidden(self) -> tuple[Slot, ...]:
        """The hand's slots that only this seat can read, in order of their places."""
        return tuple(slot for slot in self.hand if slot is not None and slot.card is None)

    @property
    def unjoined(self) -> tuple[Slot, ...]:
        """Hidden cards that were drawn and are not under the hand's key yet."""
        return tuple(slot for slot in self.hidden if slot.key != self.hidden[0].key)

    def joined(self, under: tuple[Element, ...]) -> SeatSlots:
        """Return these slots with the unjoined cards under the hand's key, as ``under`` in order of
        their places."""
        fresh = dict(zip(self.unjoined, under, strict=True))
        key = self.hidden[0].key if self.hidden else None
        return replace(
            self,
            hand=tuple(
                Slot(key, fresh[slot]) if slot in fresh and key is not None else slot
                for slot in self.hand
            ),
        )

    def slot(self, number: int) -> Slot | None:
        """Return the slot at this place (-1: the indicator), or None."""
        if number == INDICATOR:
            return self.indicator
        return self.hand[number] if 0 <= number < len(self.hand) else None

    def place_of(self, card: Card, read: Reader) -> int:
        """Return the place of a card in the hand, read with ``read``; LookupError if it is not
        there."""
        for number, slot in enumerate(self.hand):
            if slot is not None and read(slot) is card:
                return number
        raise LookupError(f"{card.name} is not in the hand")

    def without(self, number: int) -> SeatSlots:
        """Return these slots after the card at this place has left."""
        if number == INDICATOR:
            return replace(self, indicator=None)
        return replace(self, hand=(*self.hand[:number], None, *self.hand[number + 1 :]))

    def laid_down(self, number: int) -> SeatSlots:
        """Return these slots after the card at this place was played face down."""
        slot = self.slot(number)
        down = self.down if slot is None else (*self.down, slot)
        return replace(self.without(number), down=down)


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand's deal at a table, in progress or done. Seats are in order of play, sizes in cards.

    ``gathered``   the pack lies as the last tricks fell: first every seat locks it, then every seat
                   exchanges its lock for another and shuffles minimally
    ``shuffled``   how many of these entries there were
    ``batch``      the cards that are being unlocked; ``batch_to`` the seats that receive them
    ``unlocked``   how many of `unlockers` have unlocked the batch
    ``drawn``      rounds of drawing from the stock, which is what is left of ``deck``
    ``aside``      cards that the trump maker has laid away
    ``inspected``  cards shown to the trump maker in this trick: seat, E1, E2
    ``viewed``     cards shown in earlier tricks that stayed face down: trick (from 0), seat, E1, E2
    ``published``  all keys of this hand so far
    ``shared``     the keys of this hand with their shares, where hands are played out
    """

    table: bytes
    number: int
    dealer: int
    pack: Pack
    batches: tuple[int, ...]
    deck: tuple[Element, ...]
    keys: tuple[Element | None, ...]
    holdings: tuple[SeatSlots, ...]
    shuffled: int = 0
    cut: int | None = None
    dealt: int = 0
    batch: tuple[Element, ...] = ()
    batch_to: tuple[int, ...] = ()
    unlocked: int = 0
    drawn: int = 0
    gathered: bool = False
    aside: tuple[Slot, ...] = ()
    to_relock: tuple[int, ...] = ()
    inspection: Element | None = None
    inspected: tuple[tuple[int, Element, Element], ...] = ()
    viewed: tuple[tuple[int, int, Element, Element], ...] = ()
    published: tuple[Element, ...] = ()
    shared: tuple[Shared, ...] = ()

    @property
    def seats(self) -> int:
        return len(self.keys)

    @property
    def elements(self) -> tuple[HashedElement, ...]:
        """The element M_c of every card of the pack, in printed order."""
        return card_elements(self.table, self.number, self.pack)

    def element(self, card: Card) -> HashedElement:
        return self.elements[self.pack.cards.index(card)]

    @property
    def cards_by_element(self) -> dict[Element, Card]:
        return _cards_by_element(self.table, self.number, self.pack)

    @property
    def in_turn(self) -> tuple[int, ...]:
        """The seats from the dealer's right to the dealer: the order in which cards are dealt."""
        return tuple((self.dealer + 1 + step) % self.seats for step in range(self.seats))

    @property
    def rounds(self) -> int:
        """How often every seat shuffles.

        A gathered pack has a public order and is shuffled little. With one round alone, an unlocked
        card would show its place in the middle of the shuffles (SPEC.md, ``shuffle.minimal``).
        """
        return 2 if self.gathered else 1

    @property
    def is_shuffled(self) -> bool:
        """Whether every seat has shuffled in every round."""
        return self.shuffled == self.rounds * self.seats

    @property
    def has_begun(self) -> bool:
        """Whether a seat has unlocked cards. Before that nobody can know a card of this deal, and
        no player has given up anything by leaving (SPEC.md, "What leaving gains")."""
        return self.unlocked > 0 or self.dealt > 0

    @property
    def unlockers(self) -> tuple[int, ...]:
        """The seats that unlock cards of this batch for others, in turn."""
        return _unlockers(self.in_turn, self.batch_to)

    def foreign(self, seat: int) -> tuple[int, ...]:
        """Return the places of this batch whose cards go to other seats than ``seat``."""
        return _foreign(self.batch_to, seat)

    def with_holding(self, seat: int, holding: SeatSlots) -> Deal:
        holdings = (*self.holdings[:seat], holding, *self.holdings[seat + 1 :])
        return replace(self, holdings=holdings)

    def shared_key(self, key: Element, seat: int) -> Shared:
        """Return a key that this seat published in this hand, with its shares; LookupError if it
        has none."""
        found = next((one for one in self.shared if (one.key, one.seat) == (key, seat)), None)
        if found is None:
            raise LookupError("this key was not shared")
        return found

    def publishing(self, key: Element, shared: Shared | None) -> Deal:
        """Return the deal with one more published key, and its shares if it has any."""
        kept = self.shared if shared is None else (*self.shared, shared)
        return replace(self, published=(*self.published, key), shared=kept)

    def to_show(self, hand: Hand) -> tuple[int, ...]:
        """Return the seats whose face-down card the trump maker has not been shown yet."""
        shown = {seat for seat, _, _ in self.inspected}
        return tuple(seat for seat in hand.to_inspect if seat not in shown)

    def key(self, seat: int) -> Element:
        """Return the seat's unlock key; LookupError before the seat has shuffled."""
        key = self.keys[seat]
        if key is None:
            raise LookupError("this seat has not shuffled yet")
        return key


def begin(
    table: bytes, number: int, dealer: int, rules: Options, order: tuple[Card, ...] = ()
) -> Deal:
    """Return a deal before the first shuffle: the pack, unlocked, in its printed order or in
    ``order``, as it was gathered."""
    pack, seats = rules.pack, rules.seats
    deck = card_elements(table, number, pack)
    if order:
        deck = tuple(deck[pack.cards.index(card)] for card in order)
    nobody: tuple[Element | None, ...] = (None,) * seats
    holdings = (SeatSlots(),) * seats
    return Deal(
        table, number, dealer, pack, rules.batches, deck, nobody, holdings, gathered=bool(order)
    )


def gathered(hand: Hand) -> tuple[Card, ...]:
    """Return the gathered pack (``shuffle.minimal``), or nothing if some card is not public.

    The cards lie as the tricks fell; on them lie the cards that a claim left unplayed, seat by seat
    from the dealer's right.
    """
    cards = [play.card for _, play in hand.numbered_plays if play.card is not None]
    order = (*range(hand.first, hand.options.seats), *range(hand.first))
    left = [card for seat in order for card in hand.opened.get(seat, ())]
    whole = (*cards, *left)
    pack = hand.options.pack.cards
    return whole if len(whole) == len(pack) and set(whole) == set(pack) else ()


@lru_cache(maxsize=64)
def _unlockers(in_turn: tuple[int, ...], batch_to: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in in_turn if _foreign(batch_to, seat))


@lru_cache(maxsize=64)
def _foreign(batch_to: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(place for place, to in enumerate(batch_to) if to != seat)


@lru_cache(maxsize=64)
def card_elements(table: bytes, number: int, pack: Pack) -> tuple[HashedElement, ...]:
    """Return M_c for every card of the pack, in printed order, for hand ``number`` of the table."""
    place = digest(b"p2p304 cards", table, number.to_bytes(4, "big"))
    return tuple(
        hash_to_element(b"p2p304/1 card", place + card.name.encode()) for card in pack.cards
    )


@lru_cache(maxsize=64)
def _cards_by_element(table: bytes, number: int, pack: Pack) -> dict[Element, Card]:
    return dict(zip(card_elements(table, number, pack), pack.cards, strict=True))


def open_batch(deal: Deal) -> Deal:
    """Take the next batch off the cut deck to be unlocked: every seat's cards together, seats in
    turn."""
    size = deal.batches[deal.dealt]
    return _opened(deal, tuple(seat for seat in deal.in_turn for _ in range(size)))


def open_stock(deal: Deal, seats: tuple[int, ...]) -> Deal:
    """Take cards off the stock to be unlocked, one for each of ``seats`` in this order."""
    return replace(_opened(deal, seats), drawn=deal.drawn + 1)


def _opened(deal: Deal, to: tuple[int, ...]) -> Deal:
    size = len(to)
    return replace(deal, batch=deal.deck[:size], batch_to=to, deck=deal.deck[size:], unlocked=0)


def close_batch(deal: Deal) -> Deal:
    """Give out the unlocked batch. A seat that already held hidden cards must then re-order its
    hand."""
    after, owing = deal, []
    for seat in dict.fromkeys(deal.batch_to):
        fresh = (card for card, to in zip(deal.batch, deal.batch_to, strict=True) if to == seat)
        slots = tuple(Slot(deal.key(seat), locked) for locked in fresh)
        kept = _kept(deal.holdings[seat])
        after = after.with_holding(seat, replace(deal.holdings[seat], hand=(*kept, *slots)))
        owing += [seat] if any(slot.card is None for slot in kept) else []
    dealt = min(deal.dealt + 1, len(deal.batches))
    return replace(after, batch=(), batch_to=(), unlocked=0, to_relock=tuple(owing), dealt=dealt)


def _kept(held: SeatSlots) -> tuple[Slot, ...]:
    return tuple(slot for slot in held.hand if slot is not None)


def after_relock(
    deal: Deal, seat: int, key: Element, cards: tuple[Element, ...], indicator: Element | None
) -> Deal:
    """Return the deal after a re-ordering: first the hidden cards under the fresh key in their new
    order, then the public cards; the indicator keeps its own place."""
    held = deal.holdings[seat]
    known = tuple(slot for slot in _kept(held) if slot.card is not None)
    holding = SeatSlots(
        hand=(*(Slot(key, locked) for locked in cards), *known),
        indicator=Slot(key, indicator) if indicator is not None else held.indicator,
        down=held.down,
        relocks=held.relocks + 1,
    )
    left = tuple(s for s in deal.to_relock if s != seat)
    return replace(deal.with_holding(seat, holding), to_relock=left)


def with_cards_aside(deal: Deal, seat: int, places: tuple[int, ...]) -> Deal:
    """Return the deal after cards left the hand face down, to lie aside until the end."""
    held, aside = deal.holdings[seat], deal.aside
    for place in places:
        slot = held.slot(place)
        aside = aside if slot is None else (*aside, slot)
        held = held.without(place)
    return replace(deal.with_holding(seat, held), aside=aside)


def with_indicator_taken_up(deal: Deal, seat: int, card: Card | None) -> Deal:
    """Return the deal after the indicator joined the hand: public (``card``), or hidden (None), so
    that the seat must re-order its hand."""
    held = deal.holdings[seat]
    if held.indicator is None:
        return deal
    joined = replace(held.indicator, card=card or held.indicator.card)
    after = deal.with_holding(seat, replace(held, hand=(*held.hand, joined), indicator=None))
    return after if card is not None else replace(after, to_relock=(*after.to_relock, seat))
