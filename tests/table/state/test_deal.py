"""Which card goes to which seat, and which places of a hand are hidden, step by step of a deal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.crypto.group import Element, base, hash_to_element, mul
from p2p304.rules.core.actions import Caps, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.tricks import Trick
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import digest
from p2p304.table.state import deal as dealing
from p2p304.table.state.deal import Deal, SeatSlots, Slot
from p2p304.table.state.key_shares import Share, Shared
from p2p304.wire.bodies import INDICATOR

PAGAT = preset("pagat")
CARDS = PAGAT.pack.cards
KEYS: tuple[Element | None, ...] = tuple(base(seat + 2) for seat in range(4))
FRESH = base(99)


def begun(dealer: int = 1) -> Deal:
    """The pack after every seat has shuffled and the deck was cut."""
    deal = dealing.begin(bytes(32), 1, dealer, PAGAT)
    return replace(deal, keys=KEYS, shuffled=4, cut=0)


def slot(deal: Deal, n: int, known: bool = False, key: Element = FRESH) -> Slot:
    return Slot(key, deal.element(CARDS[n]), CARDS[n] if known else None)


def test_every_hand_of_every_table_has_elements_of_its_own() -> None:
    one = dealing.begin(bytes(32), 1, 0, PAGAT)
    others = [dealing.begin(bytes(32), 2, 0, PAGAT), dealing.begin(b"\x01" * 32, 1, 0, PAGAT)]
    assert len(set(one.deck)) == len(CARDS)
    assert not any(set(one.deck) & set(other.deck) for other in others)
    assert one.deck == one.elements
    for card in CARDS:
        assert one.cards_by_element[one.element(card)] is card
    assert one.holdings[0].relocks == one.dealt == one.drawn == one.shuffled == one.unlocked == 0
    assert one.cut is None and not (one.batch or one.aside or one.to_relock or one.published)
    assert one.keys == (None,) * 4 and one.holdings == (SeatSlots(),) * 4 and one.seats == 4
    assert not one.gathered and one.batches == PAGAT.batches


@pytest.mark.parametrize("number", [1, 258])
def test_a_card_is_hashed_with_its_table_and_the_four_bytes_of_its_hand(number: int) -> None:
    table = b"\x05" * 32
    deal = dealing.begin(table, number, 0, PAGAT)
    place = digest(b"p2p304 cards", table, bytes((0, 0, *divmod(number, 256))))
    for card in CARDS:
        assert deal.element(card) == hash_to_element(b"p2p304/1 card", place + card.name.encode())


def test_a_gathered_pack_keeps_its_order_and_is_shuffled_in_two_rounds() -> None:
    order = (*CARDS[5:], *CARDS[:5])
    deal = dealing.begin(bytes(32), 1, 0, PAGAT, order)
    assert deal.deck == tuple(deal.element(card) for card in order)
    assert deal.gathered and deal.rounds == 2
    assert [replace(deal, shuffled=n).is_shuffled for n in (0, 4, 7, 8)] == [False] * 3 + [True]
    plain = dealing.begin(bytes(32), 1, 0, PAGAT)
    assert plain.rounds == 1
    assert [replace(plain, shuffled=n).is_shuffled for n in (0, 3, 4)] == [False, False, True]


@pytest.mark.parametrize(("dealer", "seats"), [(0, (1, 2, 3, 0)), (2, (3, 0, 1, 2))])
def test_cards_are_dealt_from_the_dealers_right_to_the_dealer(
    dealer: int, seats: tuple[int, ...]
) -> None:
    deal = begun(dealer)
    assert deal.in_turn == seats
    size = deal.batches[0]
    opened = dealing.open_batch(replace(deal, unlocked=3))
    assert opened.batch_to == tuple(seat for seat in seats for _ in range(size))
    assert opened.batch == deal.deck[: 4 * size] and opened.deck == deal.deck[4 * size :]
    assert opened.unlocked == 0 and opened.unlockers == seats and opened.drawn == 0
    assert opened.foreign(seats[0]) == tuple(range(size, 4 * size))
    assert opened.foreign(seats[3]) == tuple(range(3 * size))


def test_cards_are_drawn_from_the_stock_by_the_seats_named_and_unlocked_by_the_others() -> None:
    deal = dealing.open_stock(begun(), (2, 2))
    assert (deal.batch, deal.batch_to, deal.drawn) == (begun().deck[:2], (2, 2), 1)
    assert deal.deck == begun().deck[2:] and deal.unlockers == (3, 0, 1)
    assert dealing.open_stock(deal, (0, 1)).drawn == 2


def test_each_seat_gets_its_own_cards_under_its_own_key() -> None:
    opened = dealing.open_batch(begun())
    done = dealing.close_batch(replace(opened, unlocked=4))
    size = done.batches[0]
    for turn, seat in enumerate(done.in_turn):
        hand = done.holdings[seat].hand
        assert [s and s.locked for s in hand] == list(opened.batch[turn * size :][:size])
        assert {s and s.key for s in hand} == {KEYS[seat]}
        assert all(s and s.card is None for s in hand)
    assert (done.batch, done.batch_to, done.unlocked, done.dealt) == ((), (), 0, 1)
    assert done.to_relock == ()
    last = dealing.close_batch(dealing.open_batch(done))
    assert last.dealt == 2 == len(last.batches)
    assert last.to_relock == last.in_turn, "hidden cards met hidden cards"


def test_who_holds_no_hidden_card_need_not_reorder_the_hand() -> None:
    deal = begun()
    shown = SeatSlots(hand=(slot(deal, 0, known=True), None), relocks=2)
    hidden = SeatSlots(hand=(slot(deal, 1), slot(deal, 2, known=True)))
    deal = deal.with_holding(0, shown).with_holding(3, hidden)
    done = dealing.close_batch(dealing.open_stock(deal, (0, 3)))
    assert done.to_relock == (3,) and done.dealt == 1
    more = replace(deal, dealt=len(deal.batches))
    assert dealing.close_batch(dealing.open_stock(more, (0, 3))).dealt == more.dealt
    assert done.holdings[0].hand == (shown.hand[0], Slot(KEYS[0] or FRESH, deal.deck[0]))
    assert done.holdings[0].relocks == 2
    assert done.holdings[1:3] == deal.holdings[1:3]


def test_a_reordered_hand_has_its_hidden_cards_first_and_its_indicator_apart() -> None:
    deal = replace(begun(), to_relock=(2, 3))
    known = slot(deal, 1, known=True)
    held = SeatSlots(
        hand=(slot(deal, 0), None, known, slot(deal, 2)),
        indicator=slot(deal, 3),
        down=(slot(deal, 4),),
        relocks=1,
    )
    deal = deal.with_holding(2, held)
    key, cards, again = base(50), (base(51), base(52)), base(53)
    after = dealing.after_relock(deal, 2, key, cards, again)
    expected = SeatSlots(
        hand=(Slot(key, cards[0]), Slot(key, cards[1]), known),
        indicator=Slot(key, again),
        down=held.down,
        relocks=2,
    )
    assert after.holdings[2] == expected and after.to_relock == (3,)
    public = deal.with_holding(2, replace(held, indicator=slot(deal, 3, known=True)))
    kept = dealing.after_relock(public, 2, key, cards, None)
    assert kept.holdings[2].indicator == slot(deal, 3, known=True)


def test_a_place_of_a_hand_stays_when_its_card_has_left() -> None:
    deal = begun()
    cards = tuple(slot(deal, n) for n in range(3))
    held = SeatSlots(hand=cards, indicator=slot(deal, 5))
    assert held.hidden == cards and held.unjoined == ()
    assert [held.slot(n) for n in (INDICATOR, 0, 2, 3, -2)] == [
        held.indicator, cards[0], cards[2], None, None
    ]  # fmt: skip
    without = held.without(1)
    assert without.hand == (cards[0], None, cards[2]) and without.slot(1) is None
    assert held.without(INDICATOR) == replace(held, indicator=None)
    assert held.laid_down(2) == replace(held.without(2), down=(cards[2],))
    assert held.laid_down(INDICATOR).down == (held.indicator,)
    twice = held.laid_down(2).laid_down(0)
    assert twice.down == (cards[2], cards[0])
    assert without.laid_down(1).down == ()


def test_a_card_is_found_at_its_place_by_those_who_can_read_it() -> None:
    deal = begun()
    held = SeatSlots(hand=(None, slot(deal, 0, known=True), slot(deal, 1)))

    def read(slot: Slot) -> Card | None:
        return slot.card

    assert held.place_of(CARDS[0], read) == 1
    for card in CARDS[1:3]:
        with pytest.raises(LookupError):
            held.place_of(card, read)


def test_drawn_cards_are_brought_under_the_hands_key_in_the_order_of_their_places() -> None:
    deal, other = begun(), base(77)
    drawn = (slot(deal, 2, key=other), slot(deal, 3, key=other))
    hand = (slot(deal, 0), slot(deal, 1, known=True, key=other), *drawn)
    held = SeatSlots(hand=hand)
    assert held.unjoined == drawn
    under = (base(51), base(52))
    joined = held.joined(under)
    assert joined.hand == (*hand[:2], Slot(FRESH, under[0]), Slot(FRESH, under[1]))
    assert joined.unjoined == ()
    empty = SeatSlots(hand=(slot(deal, 1, known=True),))
    assert empty.joined(()) == empty and empty.unjoined == ()


def test_cards_laid_aside_leave_the_hand_in_the_order_given() -> None:
    deal = begun()
    cards = tuple(slot(deal, n) for n in range(3))
    deal = replace(deal.with_holding(1, SeatSlots(hand=cards)), aside=(slot(deal, 9),))
    after = dealing.with_cards_aside(deal, 1, (2, 0))
    assert after.aside == (slot(deal, 9), cards[2], cards[0])
    assert after.holdings[1].hand == (None, cards[1], None)


def test_an_indicator_taken_up_is_public_or_makes_the_seat_reorder_its_hand() -> None:
    deal = begun()
    held = SeatSlots(hand=(slot(deal, 0),), indicator=slot(deal, 3))
    deal = replace(deal.with_holding(1, held), to_relock=(2,))
    hidden = dealing.with_indicator_taken_up(deal, 1, None)
    assert hidden.holdings[1] == SeatSlots(hand=(slot(deal, 0), slot(deal, 3)))
    assert hidden.to_relock == (2, 1)
    shown = dealing.with_indicator_taken_up(deal, 1, CARDS[3])
    assert shown.holdings[1] == SeatSlots(hand=(slot(deal, 0), slot(deal, 3, known=True)))
    assert shown.to_relock == (2,)
    assert dealing.with_indicator_taken_up(deal, 0, None) is deal


def test_a_published_key_stays_published_with_its_shares() -> None:
    one, two = base(7), base(8)
    shares = Shared(one, 2, base(9), (Share(base(3), bytes(32)),))
    deal = begun().publishing(one, shares).publishing(two, None)
    assert deal.published == (one, two) and deal.shared == (shares,)
    assert deal.shared_key(one, 2) is shares
    for key, seat in ((one, 1), (two, 2)):
        with pytest.raises(LookupError):
            deal.shared_key(key, seat)
    assert begun().key(3) == KEYS[3]
    with pytest.raises(LookupError):
        dealing.begin(bytes(32), 1, 0, PAGAT).key(3)


def test_face_down_cards_are_shown_once_each() -> None:
    deal, hand = begun(), Hand.start(PAGAT, 0).copied()
    plays = (Play(1, CARDS[0]), Play(2, None, True), Play(3, None, True), Play(0, CARDS[1]))
    hand.phase, hand.maker, hand.completed_tricks = Phase.ANNOUNCE, 0, (Trick(1, plays),)
    assert hand.to_inspect == (2, 3) and deal.to_show(hand) == (2, 3)
    deal = replace(deal, inspected=((2, FRESH, mul(2, FRESH)),))
    assert deal.to_show(hand) == (3,)


def test_a_pack_is_gathered_as_the_tricks_fell_if_every_card_is_public() -> None:
    hand = Hand.start(PAGAT, 1).copied()
    tricks = []
    for n in range(0, len(CARDS), 4):
        plays = tuple(Play((n + s) % 4, CARDS[n + s]) for s in range(4))
        tricks.append(Trick(plays[0].seat, plays, plays[0].seat))
    hand.completed_tricks = tuple(tricks)
    assert dealing.gathered(hand) == CARDS
    hand.completed_tricks = tuple(tricks[:-1])
    assert dealing.gathered(hand) == ()
    left = {seat: (CARDS[28 + seat],) for seat in range(4)}
    hand.opened, hand.ending = left, Caps(0, (), ())
    first = hand.first
    expected = tuple(CARDS[28 + (first + n) % 4] for n in range(4))
    assert dealing.gathered(hand) == (*CARDS[:28], *expected)
    hand.opened = dict.fromkeys(range(4), (CARDS[28],))
    assert dealing.gathered(hand) == (), "a card that is there twice"
