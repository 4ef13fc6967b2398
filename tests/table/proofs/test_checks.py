"""Every check alone, from a liar's side: what a body may say instead of the truth, one part at a
time. The proofs that are given are as good as a liar can make them: it knows all secrets here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import pytest

from p2p304.crypto.dleq import prove_dleq
from p2p304.crypto.group import Element, G, Q, add, base, mul, sub
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import prove_shuffle
from p2p304.crypto.statements import NoneAmong, Scalars, prove, prove_by_keys
from p2p304.log.faults import Refused
from p2p304.rules.core.cards import Card
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import pledge_of
from p2p304.table.proofs import checks, statements
from p2p304.table.proofs.hidden_cards import locked
from p2p304.table.proofs.required import ProofKind, RequiredProof
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import deal as dealing
from p2p304.table.state.deal import SeatSlots, Slot
from p2p304.table.state.key_shares import share
from p2p304.wire.bodies import INDICATOR, Shuffle
from tests.support.false_proofs import prove_unchecked

RNG = Rng.from_seed(bytes(31) + b"\x09")
AT = Binding(bytes(32), 1, 9, b"\x01" * 32, 2)
DEAL = dealing.begin(bytes(32), 1, 0, preset("pagat"))
CARDS = DEAL.pack.cards
ONE, TWO, THREE = (Element(base(x)) for x in (3, 5, 7))
"""Keys; their secrets are 3, 5 and 7."""


@contextmanager
def refused(check: str) -> Iterator[None]:
    with pytest.raises(Refused) as caught:
        yield
    assert caught.value.finding.check == check


def inverse(x: int) -> int:
    return pow(x, -1, Q)


def slot(card: Card, secret: int = 3, known: bool = False) -> Slot:
    lock = mul(inverse(secret), DEAL.element(card))
    return Slot(base(secret), lock, card if known else None)


def knows(secret: int, what: bytes, at: Binding = AT) -> bytes:
    return prove(statements.knowledge(base(secret)), Scalars({"x": secret}), at.context(what), RNG)


@pytest.mark.parametrize(
    "other",
    [
        replace(AT, table=b"\x01" * 32),
        replace(AT, number=2),
        replace(AT, seq=10),
        replace(AT, prev=bytes(32)),
        replace(AT, seat=3),
    ],
)
def test_no_proof_can_be_moved_to_another_place(other: Binding) -> None:
    checks.check_key_is_known(ONE, knows(3, b"key"), AT)
    with refused("D02"):
        checks.check_key_is_known(ONE, knows(3, b"key"), other)
    with refused("D02"):
        checks.check_key_is_known(ONE, knows(3, b"box"), AT)
    assert len(AT.context(b"")) == len(b"p2p304/1  ") + 32


def test_a_nonce_opens_the_pledge_of_its_own_player_only() -> None:
    key, nonce = bytes(32), b"\x02" * 32
    checks.check_pledge_is_opened(key, nonce, pledge_of(key, nonce))
    for lie in ((key, bytes(32)), (b"\x01" * 32, nonce)):
        with refused("A04"):
            checks.check_pledge_is_opened(*lie, pledge_of(key, nonce))


def test_a_key_is_fresh_that_nobody_published_and_that_locks() -> None:
    deal = DEAL.publishing(ONE, None)
    checks.check_key_is_fresh(TWO, deal)
    for stale in (ONE, G):
        with refused("D03"):
            checks.check_key_is_fresh(stale, deal)


def test_a_deck_has_every_card_once() -> None:
    deck = DEAL.deck
    checks.check_deck_is_whole(deck, DEAL)
    for lie in (deck[:-1], (*deck, ONE), (*deck[:-1], deck[0])):
        with refused("D04"):
            checks.check_deck_is_whole(lie, DEAL)


@pytest.mark.parametrize("old", [0, 5])
def test_a_shuffle_locks_the_same_cards_or_exchanges_the_lock(old: int) -> None:
    """A seat that has locked the deck before takes that lock off with the new one."""
    keys: tuple[Element | None, ...] = (None, None, base(old) if old else None, None)
    deal = replace(DEAL, keys=keys)
    order = [*range(1, len(DEAL.deck)), 0]
    x = 3 * inverse(old or 1) % Q

    def proved(key: int, x: int) -> tuple[Element, tuple[Element, ...], bytes]:
        places = {target: place for place, target in enumerate(order)}
        deck = tuple(mul(inverse(x), DEAL.deck[places[n]]) for n in range(len(order)))
        statement = statements.shuffling(deal, 2, base(key), deck)
        return base(key), deck, prove_shuffle(statement, x, order, AT.context(b"shuffle"), RNG)

    key, deck, proof = proved(3, x)
    checks.check_deck_is_shuffled(deal, 2, key, deck, proof, AT)
    with refused("D05"):
        checks.check_deck_is_shuffled(deal, 2, TWO, deck, proof, AT)
    with refused("D05"):
        checks.check_deck_is_shuffled(deal, 2, *proved(3, 7), AT)
    with refused("D05"):
        checks.check_deck_is_shuffled(deal, 2, key, (*deck[:-1], TWO), proof, AT)


def test_a_box_key_is_given_exactly_where_hands_are_played_out() -> None:
    proof = knows(3, b"box")
    assert checks.check_box_key(ONE, proof, True, AT) == ONE
    assert checks.check_box_key(None, None, False, AT) is None
    lies = [(ONE, proof, False), (None, None, True), (ONE, None, True), (None, proof, True)]
    lies += [(ONE, None, False), (None, proof, False)]
    for box, given, plays_out in lies:
        with refused("D12"):
            checks.check_box_key(box, given, plays_out, AT)
    with refused("D15"):
        checks.check_box_key(TWO, proof, True, AT)


def shared(key: int = 3, secret: int = 11) -> Shuffle:
    """A key with shares for three others, sealed under an ephemeral key."""
    boxes = [base(n) for n in (13, 17, 19)]
    raw = share(base(key), key, secret, boxes, RNG)
    sealed_by = knows(secret, b"ephemeral")
    return Shuffle(base(key), b"", (), b"", raw, base(secret), sealed_by)


def test_a_key_is_shared_among_all_others_exactly_where_hands_are_played_out() -> None:
    honest = shared()
    none = replace(honest, shares=(), ephemeral=None, ephemeral_knows=None)
    whole = checks.check_key_is_shared(ONE, 2, honest, 3, AT)
    assert whole is not None and (whole.key, whole.seat) == (ONE, 2) and len(whole.shares) == 3
    assert checks.check_key_is_shared(ONE, 2, none, 0, AT) is None
    lies = [
        (replace(honest, shares=honest.shares[:2]), 3),
        (replace(honest, ephemeral=None), 3),
        (replace(honest, ephemeral_knows=None), 3),
        (replace(none, ephemeral=honest.ephemeral), 0),
        (replace(none, ephemeral_knows=honest.ephemeral_knows), 0),
        (replace(honest, shares=(honest.shares[0][:32] + b"\xff" * 32, *honest.shares[1:])), 3),
        (replace(honest, shares=shared(5).shares), 3),
        (none, 3),
        (honest, 0),
    ]
    for lie, seats in lies:
        with refused("D12"):
            checks.check_key_is_shared(ONE, 2, lie, seats, AT)
    with refused("D15"):
        stolen = replace(honest, ephemeral_knows=shared(3, 23).ephemeral_knows)
        checks.check_key_is_shared(ONE, 2, stolen, 3, AT)


def test_a_cut_is_in_the_deck() -> None:
    last = len(DEAL.deck) - 1
    for at in (0, last):
        checks.check_cut_is_in_the_deck(at, DEAL)
    for lie in (-1, last + 1):
        with refused("D06"):
            checks.check_cut_is_in_the_deck(lie, DEAL)


def dleq(a: int, b: int, Cs: Sequence[Element], Ds: Sequence[Element], what: bytes) -> bytes:
    """A proof, true or not, that what takes a*G to b*G takes every C to its D."""
    x = b * inverse(a) % Q
    return prove_dleq(x, base(a), base(b), Cs, Ds, AT.context(what), RNG)


def test_every_card_of_others_is_unlocked_with_the_published_key() -> None:
    batch = tuple(DEAL.element(card) for card in CARDS[:4])
    deal = replace(DEAL, batch=batch, batch_to=(0, 1, 2, 3), keys=(None, None, ONE, None))
    others = [batch[n] for n in (0, 1, 3)]

    def unlock(secret: int, cards: Sequence[Element] = others) -> tuple[tuple[Element, ...], bytes]:
        outputs = tuple(mul(secret, card) for card in cards)
        return outputs, dleq(1, secret, cards, outputs, b"unlock")

    checks.check_batch_is_unlocked(deal, 2, *unlock(3), AT)
    outputs, proof = unlock(3)
    lies = [unlock(5), unlock(3, others[:2]), unlock(3, batch), unlock(3, others[::-1])]
    for lie in (*lies, ((*outputs[:2], ONE), proof)):
        with refused("D07"):
            checks.check_batch_is_unlocked(deal, 2, *lie, AT)


def relocked(hidden: Sequence[Slot], key: int) -> tuple[tuple[Element, ...], bytes]:
    """Hidden cards under a fresh key, the last one first, with the proof."""
    order = [*range(1, len(hidden)), 0]
    w = 3 * inverse(key) % Q
    cards = tuple(mul(w, hidden[n].locked) for n in order)
    statement = statements.reordering(tuple(hidden), base(key), cards)
    return cards, prove_shuffle(statement, w, order, AT.context(b"relock"), RNG)


def test_a_hand_is_reordered_with_all_its_hidden_cards_and_no_other() -> None:
    hidden = [slot(card) for card in CARDS[:3]]
    held = SeatSlots(hand=(hidden[0], None, slot(CARDS[9], known=True), *hidden[1:]))
    cards, proof = relocked(hidden, 5)
    checks.check_hand_is_reordered(held, TWO, cards, proof, AT)
    lies = [
        (THREE, cards, proof),
        (TWO, *relocked(hidden[:2], 5)),
        (TWO, *relocked([*hidden[:2], slot(CARDS[8])], 5)),
        (TWO, (*cards[:2], cards[0]), proof),
        (TWO, (*cards, cards[0]), proof),
    ]
    for key, lie, given in lies:
        with refused("D08"):
            checks.check_hand_is_reordered(held, key, lie, given, AT)


def test_a_hand_of_one_hidden_card_has_no_order_to_change() -> None:
    held = SeatSlots(hand=(slot(CARDS[0]), slot(CARDS[1], known=True)))
    none = SeatSlots(hand=(None, slot(CARDS[1], known=True)))
    for holding in (held, none):
        with refused("D08"):
            lie = (slot(CARDS[0], 5).locked,)
            checks.check_hand_is_reordered(holding, TWO, lie, bytes(512), AT)


def test_cards_drawn_join_the_hand_as_they_are() -> None:
    drawn = [slot(card, 5) for card in CARDS[2:4]]
    held = SeatSlots(hand=(slot(CARDS[0]), slot(CARDS[1]), *drawn))
    locks = [each.locked for each in drawn]
    under = tuple(slot(card).locked for card in CARDS[2:4])
    proof = dleq(3, 5, locks, under, b"join")
    checks.check_drawn_cards_join(held, under, proof, AT)
    assert [s and s.key for s in held.joined(under).hand] == [ONE] * 4
    exchanged = (under[0], slot(CARDS[9]).locked)
    lies: list[tuple[tuple[Element, ...], bytes | None]] = [
        ((), None),
        (under, None),
        (under[:1], dleq(3, 5, locks[:1], under[:1], b"join")),
        (exchanged, dleq(3, 5, locks, exchanged, b"join")),
    ]
    for cards, given in lies:
        with refused("D10"):
            checks.check_drawn_cards_join(held, cards, given, AT)
    mixed = replace(held, hand=(*held.hand[:3], slot(CARDS[3], 7)))
    with refused("D10"):
        checks.check_drawn_cards_join(mixed, under, proof, AT)


def test_nothing_joins_a_hand_to_which_nothing_was_drawn() -> None:
    held = SeatSlots(hand=(slot(CARDS[0]), slot(CARDS[1])))
    checks.check_drawn_cards_join(held, (), None, AT)
    proof = dleq(3, 5, [ONE], [ONE], b"join")
    for cards, given in (((), proof), ((ONE,), None), ((ONE,), proof)):
        with refused("D10"):
            checks.check_drawn_cards_join(held, cards, given, AT)


def test_the_indicator_stays_the_same_card() -> None:
    lying = slot(CARDS[0])
    held, none = SeatSlots(indicator=lying), SeatSlots()
    again, other = slot(CARDS[0], 5).locked, slot(CARDS[1], 5).locked
    proof = dleq(5, 3, [lying.locked], [again], b"keep")
    checks.check_indicator_is_kept(held, TWO, again, proof, AT)
    checks.check_indicator_is_kept(none, TWO, None, None, AT)
    lies: list[tuple[SeatSlots, Element | None, bytes | None]] = [
        (held, None, None),
        (held, again, None),
        (held, None, proof),
        (held, other, dleq(5, 3, [lying.locked], [other], b"keep")),
        (none, again, proof),
        (none, None, proof),
        (none, again, None),
    ]
    for holding, locked_again, given in lies:
        with refused("D09"):
            checks.check_indicator_is_kept(holding, TWO, locked_again, given, AT)


def test_an_absent_players_cards_are_opened_with_the_share() -> None:
    due = tuple(DEAL.element(card) for card in CARDS[:3])

    def given(secret: int, cards: Sequence[Element] = due) -> tuple[tuple[Element, ...], bytes]:
        parts = tuple(mul(secret, card) for card in cards)
        return parts, dleq(1, secret, cards, parts, b"stand in")

    checks.check_stand_in(due, ONE, *given(3), AT)
    for lie in (given(5), given(3, due[:2]), given(3, due[::-1]), ((), b"")):
        with refused("D14"):
            checks.check_stand_in(due, ONE, *lie, AT)


def test_a_box_convicts_the_author_who_sealed_it() -> None:
    checks.check_share_is_sealed(True, 3)
    with pytest.raises(Refused) as caught:
        checks.check_share_is_sealed(False, 3)
    assert (caught.value.finding.check, caught.value.finding.player) == ("D13", 3)


def test_a_place_has_a_card_or_none() -> None:
    held = SeatSlots(hand=(slot(CARDS[0]), None, slot(CARDS[2])))
    assert checks.require_slot(held, 2) is held.hand[2]
    lying = replace(held, indicator=slot(CARDS[5]))
    assert checks.require_slot(lying, INDICATOR) is lying.indicator
    for number in (1, 3, -2, INDICATOR):
        with refused("P01"):
            checks.require_slot(held, number)


def test_cards_laid_away_are_two_of_the_hand() -> None:
    held = SeatSlots(hand=(slot(CARDS[0]), slot(CARDS[1])), indicator=slot(CARDS[5]))
    one, lying = held.slot(0), held.indicator
    assert one is not None and lying is not None
    checks.check_is_of_the_hand(one, held, (0, 1))
    for each, places in ((one, (0, 0)), (lying, (0, INDICATOR))):
        with refused("P17"):
            checks.check_is_of_the_hand(each, held, places)


def test_slots_hold_the_cards_that_they_are_said_to_hold() -> None:
    slots = tuple(slot(card) for card in CARDS[:2])
    context = AT.context(b"play")

    def shown(*cards: Card) -> tuple[tuple[Card, ...], bytes]:
        opened = [DEAL.element(card) for card in cards]
        locks = [each.locked for each in slots[: len(cards)]]
        return cards, dleq(1, 3, locks, opened, b"play")

    checks.check_slots_hold(DEAL, slots, *shown(*CARDS[:2]), context)
    lies = [shown(CARDS[1], CARDS[0]), shown(CARDS[0]), shown(CARDS[0], CARDS[9])]
    for cards, proof in lies:
        with refused("P02"):
            checks.check_slots_hold(DEAL, slots, cards, proof, context)
    with refused("P02"):
        checks.check_slots_hold(DEAL, (), (), bytes(64), context)


def test_the_card_shown_to_the_trump_maker_is_the_one_that_was_played() -> None:
    laid = slot(CARDS[0])

    def shown(card: Card, secret: int) -> tuple[Element, Element, bytes]:
        e1, e2 = base(29), add(DEAL.element(card), mul(29, base(secret)))
        statement, witness = statements.inspection(laid, TWO, e1, e2), Scalars({"k": 29, "u": 3})
        return e1, e2, prove_unchecked(statement, witness, AT.context(b"inspect"), RNG)

    checks.check_card_is_shown(laid, TWO, *shown(CARDS[0], 5), AT)
    for lie in (shown(CARDS[1], 5), shown(CARDS[0], 7)):
        with refused("P03"):
            checks.check_card_is_shown(laid, TWO, *lie, AT)
    with refused("P03"):
        checks.check_card_is_shown(laid, None, *shown(CARDS[0], 5), AT)


@pytest.mark.parametrize(("check", "what"), [("P04", b"announce"), ("P16", b"viewed")])
def test_inspected_cards_are_turned_up_all_and_as_they_were_shown(check: str, what: bytes) -> None:
    judge = checks.check_inspected_cards if check == "P04" else checks.check_viewed_cards
    deal = replace(DEAL, inspection=TWO)
    seen = tuple(
        (base(n), add(DEAL.element(c), mul(n, TWO))) for n, c in ((29, CARDS[0]), (31, CARDS[1]))
    )

    def said(*cards: Card) -> tuple[tuple[Card, ...], bytes]:
        masks = [sub(e2, DEAL.element(card)) for (_, e2), card in zip(seen, cards, strict=False)]
        return cards, dleq(1, 5, [e1 for e1, _ in seen[: len(cards)]], masks, what)

    honest = said(*CARDS[:2])
    judge(deal, seen, *honest, AT)
    judge(deal, (), (), None, AT)
    lies: list[tuple[tuple[Card, ...], bytes | None]] = [
        said(CARDS[1], CARDS[0]),
        said(CARDS[0]),
        (CARDS[:2], None),
        ((), honest[1]),
        (CARDS[:3], honest[1]),
    ]
    for cards, proof in lies:
        with refused(check):
            judge(deal, seen, cards, proof, AT)
    with refused(check):
        judge(DEAL, seen, *honest, AT)
    with refused(check):  # an E2 that is the card itself hides nothing, and shows nothing
        judge(deal, ((ONE, Element(DEAL.element(CARDS[0]))),), CARDS[:1], honest[1], AT)


def test_a_trump_maker_that_does_not_cut_may_keep_inspected_cards_down_but_a_caller_may_not() -> (
    None
):
    seen = ((ONE, TWO),)
    checks.check_inspected_cards(DEAL, seen, (), None, AT)
    with refused("P16"):
        checks.check_viewed_cards(DEAL, seen, (), None, AT)


def test_an_announcement_fits_the_cards_turned_up() -> None:
    trump = CARDS[0]
    same = next(c for c in CARDS if c.suit is trump.suit and c is not trump)
    plain = next(c for c in CARDS if c.suit is not trump.suit)
    fits = [
        (True, False, (plain, same), trump),
        (True, True, (), trump),
        (True, True, (plain,), trump),
        (False, False, (), trump),
        (False, False, (), None),
    ]
    for said in fits:
        checks.check_announcement_fits(*said)
    lies = [
        (True, False, (plain,), trump),
        (True, False, (), trump),
        (True, True, (same,), None),
        (True, False, (same,), None),
        (False, True, (), trump),
        (False, False, (same,), trump),
        (False, True, (), None),
        (False, False, (plain,), None),
    ]
    for cut, played, shown, indicator in lies:
        with refused("P05"):
            checks.check_announcement_fits(cut, played, shown, indicator)


def test_a_card_is_turned_up_with_its_proof_and_from_a_place_that_has_one() -> None:
    lying = slot(CARDS[0])
    checks.check_turned_up_or_not("J", b"x", lying)
    for place in (None, lying):
        checks.check_turned_up_or_not(None, None, place)
    for name, proof, place in (("J", None, lying), (None, b"x", lying), ("J", b"x", None)):
        with refused("P05"):
            checks.check_turned_up_or_not(name, proof, place)


def test_an_opening_names_every_card_with_a_proof_for_every_key() -> None:
    slots = (slot(CARDS[0]), slot(CARDS[1], 5), slot(CARDS[2], known=True))
    checks.check_opening_is_whole(slots, 2, CARDS[:3], 2)
    lies = [(CARDS[:2], 2), (CARDS[:4], 2), (CARDS[:3], 1), (CARDS[:3], 3)]
    for cards, given in (*lies, ((*CARDS[:2], CARDS[3]), 2)):
        with refused("P07"):
            checks.check_opening_is_whole(slots, 2, cards, given)


def test_a_call_of_caps_opens_every_card_once() -> None:
    checks.check_call_opens_all((0, 2, 5), (5, 0, 2), 3, 1, 1)
    lies: list[tuple[tuple[int, ...], int, int]] = [
        ((0, 2), 3, 1),
        ((0, 2, 2), 3, 1),
        ((0, 2, 5, 5), 3, 1),
        ((0, 2, 5), 2, 1),
        ((0, 2, 5), 4, 1),
        ((0, 2, 5), 3, 0),
        ((0, 2, 5), 3, 2),
    ]
    for given, named, down in lies:
        with refused("P15"):
            checks.check_call_opens_all((0, 2, 5), given, named, 1, down)


@pytest.mark.parametrize("kind", ProofKind)
def test_a_required_proof_is_given_and_of_its_own_kind(kind: ProofKind) -> None:
    hidden = locked([slot(CARDS[0])])
    holds = NoneAmong(hidden, (DEAL.element(CARDS[1]),))
    proof = prove_by_keys(holds, {ONE: 3}, AT.context(kind.label), RNG)
    due = (RequiredProof(kind, holds), RequiredProof(kind, None))
    checks.check_required_proofs(due, (proof,), AT)
    few_or_many: tuple[tuple[bytes, ...], ...] = ((), (proof, proof))
    for given in few_or_many:
        with refused("P08"):
            checks.check_required_proofs(due, given, AT)
    other = next(each for each in ProofKind if each is not kind)
    moved = prove_by_keys(holds, {ONE: 3}, AT.context(other.label), RNG)
    with refused(kind.check):
        checks.check_required_proofs(due, (moved,), AT)
    with refused(kind.check):
        checks.check_required_proofs((RequiredProof(kind, holds, broken=True),), (proof,), AT)
    with refused(kind.check):
        checks.check_required_proofs((RequiredProof(kind, None, broken=True),), (), AT)


def test_every_kind_of_proof_has_its_own_check_and_label() -> None:
    assert {kind.name: (kind.check, kind.label) for kind in ProofKind} == {
        "FOLLOW": ("P09", b"follow"),
        "DOWN": ("P10", b"down"),
        "LEAD": ("P11", b"lead"),
        "EXHAUSTED": ("P12", b"exhausted"),
        "STUCK": ("P13", b"stuck"),
        "CUT": ("P18", b"cut"),
        "SPOILT": ("P19", b"spoilt"),
        "NO_TRUMPS": ("P14", b"no trumps"),
    }


def test_a_card_is_named_as_it_is_written() -> None:
    assert checks.require_cards(tuple(card.name for card in CARDS), DEAL) == CARDS
    for name in ("", "2S", CARDS[0].name.lower() + " "):
        with refused("P06"):
            checks.require_card(name, DEAL)


def test_an_element_is_canonical_and_not_the_identity() -> None:
    assert checks.parse_elements((ONE, TWO)) == (ONE, TWO)
    for lie in (bytes(32), b"\xff" * 32, ONE[:31]):
        with refused("D01"):
            checks.parse_elements((TWO, lie))
