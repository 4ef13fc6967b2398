"""The deal as public facts: a locked deck, then slots that only their holders can read.

Owns positions, batches, slots and what each seat still hides. It verifies nothing (checks.py)
and knows no secret key (keyring.py).

A *slot* is a card commitment ``(U, C)``: ``C`` is the card locked under the key behind ``U``
(SPEC.md, "Cards, locks, slots"). A card whose slot was opened carries its name.
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
    """A card on the table's books: lock key U, locked element C, and the card once public."""

    key: Element
    locked: Element
    card: Card | None = None


Reader = Callable[[Slot], Card | None]
"""Who can read a slot says which card it holds, if any."""


@dataclass(frozen=True, slots=True)
class SeatSlots:
    """One seat's slots. Places in ``hand`` stay while cards leave (None); ``down`` are the
    slots it played face down that were not turned up, in order of play."""

    hand: tuple[Slot | None, ...] = ()
    indicator: Slot | None = None
    down: tuple[Slot, ...] = ()
    relocks: int = 0

    @property
    def hidden(self) -> tuple[Slot, ...]:
        """The hand's slots that nobody else can read, in place order."""
        return tuple(slot for slot in self.hand if slot is not None and slot.card is None)

    @property
    def unjoined(self) -> tuple[Slot, ...]:
        """Hidden cards that are not under the hand's key yet, because they were drawn."""
        return tuple(slot for slot in self.hidden if slot.key != self.hidden[0].key)

    def joined(self, under: tuple[Element, ...]) -> SeatSlots:
        """The unjoined under the hand's key, as ``under`` in place order."""
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
        if number == INDICATOR:
            return self.indicator
        return self.hand[number] if 0 <= number < len(self.hand) else None

    def place_of(self, card: Card, read: Reader) -> int:
        """Where a card lies for whoever can read the slots; LookupError if it is not there."""
        for number, slot in enumerate(self.hand):
            if slot is not None and read(slot) is card:
                return number
        raise LookupError(f"{card.name} is not in the hand")

    def without(self, number: int) -> SeatSlots:
        if number == INDICATOR:
            return replace(self, indicator=None)
        return replace(self, hand=(*self.hand[:number], None, *self.hand[number + 1 :]))

    def laid_down(self, number: int) -> SeatSlots:
        """After the card at this place was played face down."""
        slot = self.slot(number)
        down = self.down if slot is None else (*self.down, slot)
        return replace(self.without(number), down=down)


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand's deal in progress or done; seats are in order of play, sizes in cards.

    ``gathered``: the pack lies as the last tricks fell. Every seat locks it, and then every seat
    exchanges its lock for another and shuffles minimally. ``shuffled`` counts these entries.
    ``batch`` are cards being unlocked, ``batch_to`` the seats that they go to, ``unlocked`` how
    many of `unlockers` have done it. ``drawn`` counts the rounds of drawing from the stock,
    which is what is left of ``deck``; ``aside`` are the cards that the trump maker laid away.
    ``inspected`` are the cards shown to the trump maker in this trick (seat, E1, E2), ``viewed``
    those of earlier tricks that stayed face down (trick from 0, seat, E1, E2). ``published`` are
    all keys of this hand so far, ``shared`` those that are shared among the others, where hands
    are played out.
    """

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
    def in_turn(self) -> tuple[int, ...]:
        """Seats from the dealer's right round to the dealer, as a dealer deals."""
        return tuple((self.dealer + 1 + step) % self.seats for step in range(self.seats))

    @property
    def rounds(self) -> int:
        """How often every seat shuffles. A gathered pack has a public order and is shuffled little.
        In one round a card would show, when it is unlocked, where it lay in the midst of the
        shuffles (SPEC.md, ``shuffle.minimal``)."""
        return 2 if self.gathered else 1

    @property
    def is_shuffled(self) -> bool:
        """Whether every seat has shuffled as often as it has to."""
        return self.shuffled == self.rounds * self.seats

    @property
    def unlockers(self) -> tuple[int, ...]:
        """Seats that have to unlock cards of the present batch for others, in turn."""
        return tuple(seat for seat in self.in_turn if self.foreign(seat))

    def foreign(self, seat: int) -> tuple[int, ...]:
        """The places of the present batch that ``seat`` unlocks for others."""
        return tuple(p for p, to in enumerate(self.batch_to) if to != seat)

    def with_holding(self, seat: int, holding: SeatSlots) -> Deal:
        holdings = (*self.holdings[:seat], holding, *self.holdings[seat + 1 :])
        return replace(self, holdings=holdings)

    def shared_key(self, key: Element, seat: int) -> Shared:
        """A key that this seat published in this hand, with its shares; LookupError where there
        are none."""
        found = next((one for one in self.shared if (one.key, one.seat) == (key, seat)), None)
        if found is None:
            raise LookupError("this key was not shared")
        return found

    def publishing(self, key: Element, shared: Shared | None) -> Deal:
        """The deal with one key more, and its shares if there are any."""
        kept = self.shared if shared is None else (*self.shared, shared)
        return replace(self, published=(*self.published, key), shared=kept)

    def to_show(self, hand: Hand) -> tuple[int, ...]:
        """Seats whose face-down card the trump maker of this hand has not been shown yet."""
        shown = {seat for seat, _, _ in self.inspected}
        return tuple(seat for seat in hand.to_inspect if seat not in shown)

    def key(self, seat: int) -> Element:
        """The seat's unlock key; it exists once the seat has shuffled."""
        key = self.keys[seat]
        if key is None:
            raise LookupError("this seat has not shuffled yet")
        return key


def begin(
    table: bytes, number: int, dealer: int, rules: Options, order: tuple[Card, ...] = ()
) -> Deal:
    """A deal before the first shuffle: the pack in its printed order, unlocked, or in the given
    order, in which it was gathered."""
    pack, seats = rules.pack, rules.seats
    deck = card_elements(table, number, pack)
    if order:
        deck = tuple(deck[pack.cards.index(card)] for card in order)
    nobody: tuple[Element | None, ...] = (None,) * seats
    holdings = (SeatSlots(),) * seats
    return Deal(number, dealer, pack, rules.batches, deck, nobody, holdings, gathered=bool(order))


def gathered(hand: Hand) -> tuple[Card, ...]:
    """``shuffle.minimal``: the pack as the tricks fell, and on it the cards that a claim left
    unplayed, seat by seat from the dealer's right; nothing if not every card is known to all."""
    cards = [play.card for trick in hand.tricks for play in trick.plays if play.card is not None]
    order = (*range(hand.first, hand.options.seats), *range(hand.first))
    left = [card for seat in order for card in hand.opened.get(seat, ())]
    whole = (*cards, *left)
    pack = hand.options.pack.cards
    return whole if len(whole) == len(pack) and set(whole) == set(pack) else ()


@lru_cache(maxsize=64)
def card_elements(table: bytes, number: int, pack: Pack) -> tuple[HashedElement, ...]:
    """M_c for every card of the pack in printed order, for hand ``number`` of the table."""
    place = digest(b"p2p304 cards", table, number.to_bytes(4, "big"))
    return tuple(
        hash_to_element(b"p2p304/1 card", place + card.name.encode()) for card in pack.cards
    )


@lru_cache(maxsize=64)
def names_of(table: bytes, number: int, pack: Pack) -> dict[Element, Card]:
    """The way back from M_c to the card."""
    return dict(zip(card_elements(table, number, pack), pack.cards, strict=True))


def element_of(table: bytes, deal: Deal, card: Card) -> Element:
    return card_elements(table, deal.number, deal.pack)[deal.pack.cards.index(card)]


def open_batch(deal: Deal) -> Deal:
    """Take the next batch off the cut deck, ready for unlocking: to every seat in turn its cards
    at once, as a dealer deals."""
    size = deal.batches[deal.dealt]
    return _opened(deal, tuple(seat for seat in deal.in_turn for _ in range(size)))


def open_stock(deal: Deal, seats: tuple[int, ...]) -> Deal:
    """Take cards off the stock, one for each of ``seats`` in this order."""
    return replace(_opened(deal, seats), drawn=deal.drawn + 1)


def _opened(deal: Deal, to: tuple[int, ...]) -> Deal:
    size = len(to)
    return replace(deal, batch=deal.deck[:size], batch_to=to, deck=deal.deck[size:], unlocked=0)


def close_batch(deal: Deal) -> Deal:
    """Hand the unlocked batch out; a seat that already held hidden cards owes a re-ordering."""
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
    """After a re-ordering: the hidden cards under the fresh key in their new order, then the
    cards that everybody knows, then the indicator in its own place."""
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
    """Cards leave the hand, face down, and lie aside to the end."""
    held, aside = deal.holdings[seat], deal.aside
    for place in places:
        slot = held.slot(place)
        aside = aside if slot is None else (*aside, slot)
        held = held.without(place)
    return replace(deal.with_holding(seat, held), aside=aside)


def with_indicator_taken_up(deal: Deal, seat: int, card: Card | None) -> Deal:
    """The indicator joins the hand: seen (``card``), or unseen, and then re-ordering is due."""
    held = deal.holdings[seat]
    if held.indicator is None:
        return deal
    joined = replace(held.indicator, card=card or held.indicator.card)
    after = deal.with_holding(seat, replace(held, hand=(*held.hand, joined), indicator=None))
    return after if card is not None else replace(after, to_relock=(*after.to_relock, seat))
