"""The numbered checks of an entry's body: one function each, which returns or raises Refused.

Responsible for the checks D (deal), P (play) and A04 (SPEC.md, "Checks"). The log's checks (L) are
chain.py's, the agreement's other checks (A) are terms.py's, and whose turn it is (S) is step.py's.
A check changes nothing and needs no secret: player, spectator and auditor run the same.
"""

from __future__ import annotations

from p2p304.crypto.dleq import verify_dleq
from p2p304.crypto.group import Element, G, GroupError, decode_element, decode_scalar, sub
from p2p304.crypto.shuffle import verify_shuffle
from p2p304.crypto.statements import verify
from p2p304.log.faults import Refused
from p2p304.rules.core.cards import Card
from p2p304.table.agreement.terms import pledge_of
from p2p304.table.proofs import statements
from p2p304.table.proofs.required import RequiredProofs
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import Deal, SeatSlots, Slot
from p2p304.table.state.key_shares import Share, Shared, total
from p2p304.wire.bodies import Sharing


def parse_element(data: bytes) -> Element:
    """D01: the bytes are a canonical element that is not the identity."""
    try:
        return decode_element(data)
    except GroupError as error:
        raise Refused("D01", "an element is not canonical, or is the identity") from error


def parse_elements(items: tuple[bytes, ...]) -> tuple[Element, ...]:
    """D01 for each of several elements."""
    return tuple(parse_element(item) for item in items)


def check_pledge_is_opened(key: bytes, nonce: bytes, pledge: bytes) -> None:
    """A04: the nonce is the one that was pledged in the agreement."""
    if pledge_of(key, nonce) != pledge:
        raise Refused("A04", "this nonce is not the one that the player committed to")


def check_key_is_known(key: Element, knows: bytes, at: Binding) -> None:
    """D02: the author knows the secret of the key that it publishes."""
    if not verify(statements.knowledge(key), knows, at.context(b"key")):
        raise Refused("D02", "the proof of knowing the published key fails")


def check_key_is_fresh(key: Element, deal: Deal) -> None:
    """D03: no seat has published this key in this hand, for any purpose."""
    if key in deal.published or key == G:
        raise Refused("D03", "this key was published before")


def check_deck_is_whole(deck: tuple[Element, ...], deal: Deal) -> None:
    """D04: the deck has as many cards as before, and no two are equal."""
    if len(deck) != len(deal.deck) or len(set(deck)) != len(deck):
        raise Refused("D04", "the shuffled deck lacks a card or has one twice")


def check_deck_is_shuffled(
    deal: Deal, seat: int, key: Element, deck: tuple[Element, ...], proof: bytes, at: Binding
) -> None:
    """D05: the new deck is a permutation of the old one, and this seat has put its lock on every
    card, or exchanged the lock that it put on before."""
    if not verify_shuffle(
        statements.shuffling(deal, seat, key, deck), proof, at.context(b"shuffle")
    ):
        raise Refused(
            "D05", "the proof of the shuffle fails: these are not the same cards in a new order"
        )


def check_box_key(
    box: bytes | None, knows: bytes | None, plays_out: bool, at: Binding
) -> Element | None:
    """D12, D15: a key to which shares are sealed is given if and only if hands are played out, and
    the author knows its secret. Returns the key, or None where hands are not played out."""
    if not plays_out and box is None and knows is None:
        return None
    if not plays_out or box is None or knows is None:
        raise _not_shared(
            "a key for sealed shares is sent exactly if the rules allow a hand to continue "
            "without a player"
        )
    key = parse_element(box)
    check_sealing_key_is_known(key, knows, at, b"box")
    return key


def check_key_is_shared(
    key: Element, seat: int, body: Sharing, seats: int, at: Binding
) -> Shared | None:
    """D12, D15: where hands are played out, a key comes with a share for each of ``seats`` others,
    sealed under an ephemeral key whose secret the author knows. Returns None where they are not
    (``seats`` 0)."""
    shared = check_shares(key, seat, body, seats)
    if shared is None and body.ephemeral_knows is None:
        return None
    if shared is None or body.ephemeral_knows is None:
        raise _not_shared(
            "sealed shares need exactly one proof of knowing the scalar that seals them"
        )
    check_sealing_key_is_known(shared.ephemeral, body.ephemeral_knows, at, b"ephemeral")
    return shared


def check_shares(key: Element, seat: int, body: Sharing, seats: int) -> Shared | None:
    """D12: there is a share for each of ``seats`` others, and their points add up to the key.
    Returns None for no shares where none are due."""
    if len(body.shares) != seats or (body.ephemeral is None) != (not seats):
        raise _not_shared(f"this key must be shared among {seats} other players")
    if body.ephemeral is None:
        return None
    ephemeral = parse_element(body.ephemeral)
    parts = []
    for raw in body.shares:
        point, box = parse_element(raw[:32]), bytes(raw[32:])
        try:
            decode_scalar(box)
        except GroupError as error:
            raise _not_shared("a sealed share is not a scalar") from error
        parts.append(Share(point, box))
    if total([part.point for part in parts]) != key:
        raise _not_shared("the shares of this key do not sum to it")
    return Shared(key, seat, ephemeral, tuple(parts))


def check_sealing_key_is_known(key: Element, knows: bytes, at: Binding, what: bytes) -> None:
    """D15: the author knows the secret of a key to which shares are sealed (``box``) or under which
    they are sealed (``ephemeral``). So it is not another player's key, nor made from one."""
    if not verify(statements.knowledge(key), knows, at.context(what)):
        raise Refused("D15", "the proof of knowing the secret of a key for sealed shares fails")


def _not_shared(sentence: str) -> Refused:
    """D12: keys are shared as the table's rules require."""
    return Refused("D12", sentence)


def check_share_is_sealed(holds: bool, author: int) -> None:
    """D13: a box holds the scalar of its point. Only its receiver can show that it does not."""
    if not holds:
        raise Refused("D13", "the share sealed to a player is not the one published", author)


def check_stand_in(
    due: tuple[Element, ...], point: Element, parts: tuple[Element, ...], proof: bytes, at: Binding
) -> None:
    """D14: every element that is due was multiplied by this seat's share of the absent player's
    key."""
    if not verify_dleq(G, point, due, parts, proof, at.context(b"stand in")):
        raise Refused("D14", "the elements given for the absent player do not belong to the share")


def check_cut_is_in_the_deck(at: int, deal: Deal) -> None:
    """D06: the cut names a position of the deck."""
    if not 0 <= at < len(deal.deck):
        raise Refused("D06", "the cut is outside the deck")


def check_batch_is_unlocked(
    deal: Deal, seat: int, outputs: tuple[Element, ...], proof: bytes, at: Binding
) -> None:
    """D07: every card of the batch that goes to others is unlocked with this seat's key."""
    inputs = [deal.batch[place] for place in deal.foreign(seat)]
    if not verify_dleq(G, deal.key(seat), inputs, outputs, proof, at.context(b"unlock")):
        raise Refused("D07", "the batch was not unlocked whole, and with the published key")


def check_hand_is_reordered(
    held: SeatSlots, key: Element, cards: tuple[Element, ...], proof: bytes, at: Binding
) -> None:
    """D08: the hand holds the same hidden cards under the fresh key, in another order."""
    hidden = held.hidden
    if len(cards) != len(hidden) or len(set(cards)) != len(cards):
        raise Refused("D08", "the re-ordered hand lacks a card or has one twice")
    statement = statements.reordering(hidden, key, cards)
    if not verify_shuffle(statement, proof, at.context(b"relock")):
        raise Refused("D08", "the proof of the re-ordered hand fails: these are not the same cards")


def check_drawn_cards_join(
    held: SeatSlots, under: tuple[Element, ...], proof: bytes | None, at: Binding
) -> None:
    """D10: every card drawn since the last re-ordering is brought under the hand's key."""
    unjoined = held.unjoined
    if not unjoined and not under and proof is None:
        return
    if not unjoined or proof is None:
        raise Refused("D10", "not every card drawn was locked with the hand's key")
    hand, drawn = held.hidden[0].key, unjoined[0].key
    locked = [slot.locked for slot in unjoined]
    same = all(slot.key == drawn for slot in unjoined)
    if not same or not verify_dleq(hand, drawn, locked, list(under), proof, at.context(b"join")):
        raise Refused("D10", "a card drawn was exchanged when it joined the hand")


def check_indicator_is_kept(
    held: SeatSlots, key: Element, again: Element | None, proof: bytes | None, at: Binding
) -> None:
    """D09: the indicator on the table is the same card, re-locked in its place."""
    old = held.indicator
    if old is None and again is None and proof is None:
        return
    if old is None or again is None or proof is None:
        raise Refused("D09", "the indicator is not re-locked with the hand")
    if not verify_dleq(key, old.key, [old.locked], [again], proof, at.context(b"keep")):
        raise Refused("D09", "the indicator was exchanged while re-locking")


def require_slot(held: SeatSlots, number: int) -> Slot:
    """P01: this seat has a card at this place. Returns its slot."""
    slot = held.slot(number)
    if slot is None:
        raise Refused("P01", "no card is in that place")
    return slot


def check_is_of_the_hand(slot: Slot, held: SeatSlots, places: tuple[int, ...]) -> None:
    """P17: cards that are laid away or married are two different cards of the hand, not the
    indicator."""
    if slot is held.indicator or len(set(places)) != len(places):
        raise Refused("P17", "these are not two different cards of the hand")


def check_slots_hold(
    deal: Deal, slots: tuple[Slot, ...], cards: tuple[Card, ...], proof: bytes, context: bytes
) -> None:
    """P02: the slots, all under one key, hold exactly these cards."""
    if len(slots) != len(cards) or not slots:
        raise Refused("P02", "the number of cards turned up is wrong")
    opened = [deal.element(card) for card in cards]
    locked = [slot.locked for slot in slots]
    if not verify_dleq(G, slots[0].key, locked, opened, proof, context):
        raise Refused("P02", "the card turned up is not the one that was played")


def check_card_is_shown(
    slot: Slot, key: Element | None, e1: Element, e2: Element, proof: bytes, at: Binding
) -> None:
    """P03: the ciphertext to the inspection key holds the card of the slot."""
    if key is None or not verify(
        statements.inspection(slot, key, e1, e2), proof, at.context(b"inspect")
    ):
        raise Refused("P03", "the card shown to the trump maker is not the one played")


def check_inspected_cards(
    deal: Deal,
    seen: tuple[tuple[Element, Element], ...],
    cards: tuple[Card, ...],
    proof: bytes | None,
    at: Binding,
) -> None:
    """P04: the trump maker turns up the cards that were shown to it, and no others."""
    if (proof is None) != (not cards) or (cards and len(cards) != len(seen)):
        raise Refused("P04", "not every inspected card was turned up")
    if proof is not None and not _are_shown(deal, seen, cards, proof, at.context(b"announce")):
        raise Refused("P04", "a card turned up is not the one that was inspected")


def _are_shown(
    deal: Deal,
    seen: tuple[tuple[Element, Element], ...],
    cards: tuple[Card, ...],
    proof: bytes,
    context: bytes,
) -> bool:
    """Return whether ciphertexts to the inspection key hold these cards."""
    if deal.inspection is None:
        return False
    try:
        masks = [sub(e2, deal.element(card)) for (_, e2), card in zip(seen, cards, strict=True)]
    except GroupError:
        return False  # E2 is the card itself: no ciphertext of it under any key
    firsts = [e1 for e1, _ in seen]
    return verify_dleq(G, deal.inspection, firsts, masks, proof, context)


def check_announcement_fits(
    cut: bool, indicator_played: bool, shown: tuple[Card, ...], indicator: Card | None
) -> None:
    """P05: with "trumps" a trump is among the cards turned up; with "no trumps" none is."""
    if indicator is not None and cut:
        check_fits(indicator_played or any(card.suit is indicator.suit for card in shown))
    else:
        check_fits(not (cut or indicator_played or shown))


def check_turned_up_or_not(name: str | None, proof: bytes | None, slot: Slot | None) -> None:
    """P05: a card is turned up with its proof from a place that has a card, or not at all."""
    check_fits((name is None) == (proof is None) and not (name is not None and slot is None))


def check_fits(holds: bool) -> None:
    """P05: the announcement fits the cards that are turned up."""
    if not holds:
        raise Refused("P05", "the announcement contradicts the cards turned up")


def check_opening_is_whole(
    slots: tuple[Slot, ...], groups: int, cards: tuple[Card, ...], proofs_given: int
) -> None:
    """P07: every card that is due is opened, with one proof for each key that locks some of them.
    Cards that are already public are named as they are."""
    known = all(slot.card in (None, card) for slot, card in zip(slots, cards, strict=False))
    if len(cards) != len(slots) or proofs_given != groups or not known:
        raise Refused("P07", "a card that must be opened was not opened with its proof")


def check_call_opens_all(
    places: tuple[int, ...], given: tuple[int, ...], named: int, down: int, down_named: int
) -> None:
    """P15: a call of Caps opens every card of the caller, each once."""
    if sorted(given) != sorted(places) or named != len(places) or down != down_named:
        raise Refused("P15", "the call of Caps does not open all of the caller's cards")


def check_viewed_cards(
    deal: Deal,
    seen: tuple[tuple[Element, Element], ...],
    cards: tuple[Card, ...],
    proof: bytes | None,
    at: Binding,
) -> None:
    """P16: a trump maker that calls Caps opens every card that was shown to it."""
    if len(cards) != len(seen) or (proof is None) != (not seen):
        raise Refused("P16", "the call of Caps does not open the cards that were inspected")
    if proof is not None and not _are_shown(deal, seen, cards, proof, at.context(b"viewed")):
        raise Refused("P16", "a card opened with Caps is not the one that was inspected")


def check_required_proofs(
    required: RequiredProofs, proofs_given: tuple[bytes, ...], at: Binding
) -> None:
    """Check the proofs about hidden cards that an entry must carry.

    P08: there are as many proofs as are required. P09 to P14, P18 and P19: each proof shows the
    statement of its kind, and no public card contradicts it.
    """
    hidden = [each for each in required if each.statement is not None]
    for each in required:
        if each.broken:
            raise Refused(
                each.kind.check, f"{each.kind.sentence}: a card that everybody knows contradicts it"
            )
    if len(proofs_given) != len(hidden):
        raise Refused("P08", f"this entry needs {len(hidden)} proofs")
    for each, proof in zip(hidden, proofs_given, strict=True):
        context = at.context(each.kind.label)
        if each.statement is None or not verify(each.statement, proof, context):
            raise Refused(each.kind.check, each.kind.sentence)


def require_cards(names: tuple[str, ...], deal: Deal) -> tuple[Card, ...]:
    """P06 for each of several names."""
    return tuple(require_card(name, deal) for name in names)


def require_card(name: str, deal: Deal) -> Card:
    """P06: the name is the written form of a card of this pack. Returns the card."""
    for card in deal.pack.cards:
        if card.name == name:
            return card
    raise Refused("P06", "this card is not in this pack")
