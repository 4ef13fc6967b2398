"""The state transition: verify one entry, then return the next state.

Responsible for what each kind of entry does to the public state. A refusal changes nothing, because
the state is a value. Single checks are checks.py's, the order of phases is phases.py's, and the
game is rules/play/engine.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from p2p304.log.entry import Entry
from p2p304.log.faults import Refused
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.legality.own_card_checks import check as check_own
from p2p304.rules.legality.public_checks import check_play
from p2p304.rules.play.counting import may_have_none
from p2p304.rules.state.hand import Phase
from p2p304.table.agreement.bot_mark import bot_owners
from p2p304.table.agreement.terms import (
    Terms,
    check_agreement,
    drawn_cards,
    not_agreed,
    seating_and_dealer,
    spoken_code,
)
from p2p304.table.proofs import checks, openings, required
from p2p304.table.proofs.statements import Binding
from p2p304.table.state import deal as dealing
from p2p304.table.state import events
from p2p304.table.state.deal import Slot
from p2p304.table.state.table import TableState, first_state
from p2p304.table.transition import absent_seat
from p2p304.table.transition.actions import Step, act, after_announcement, after_unlocking
from p2p304.table.transition.follow_up import progress
from p2p304.table.transition.phases import duty
from p2p304.table.transition.receipt_claims import may_have_missed_claims
from p2p304.wire import bodies
from p2p304.wire.bodies import INDICATOR, Body, parse_body
from p2p304.wire.forms import Malformed


def agreed_terms(entry: Entry) -> Terms:
    """Return the terms of an entry 0; raises Refused (W04, A01 to A03, A08)."""
    body = read_body(entry)
    if not isinstance(body, bodies.Agreement) or entry.seq != 0 or entry.author != 0:
        raise not_agreed("a table begins with its agreement")
    return check_agreement(body)


def agreed(entry: Entry) -> TableState:
    """Return the state after entry 0; raises Refused."""
    return first_state(agreed_terms(entry))


def read_body(entry: Entry) -> Body:
    """W04: the body has the form of its kind."""
    try:
        return parse_body(entry.kind, entry.body)
    except Malformed as error:
        raise Refused("W04", f"this entry's body is malformed: {error}") from error


def step(state: TableState, entry: Entry) -> Step:
    """Check an authenticated entry; return the next state with its public events.

    Raises Refused, proven against the author, who signed a false entry after a head that everybody
    has receipted. S04 alone proves nothing: the author has the floor if one of the claims here did
    not reach it.
    """
    due = duty(state)
    is_out_of_turn = due is not None and due.player != entry.author
    if is_out_of_turn and may_have_missed_claims(state, entry.author):
        raise Refused("S04", "it is the turn of another player who has made a claim")
    try:
        body = read_body(entry)
        if due is None:
            raise Refused("S01", "the table is over, and no entry may follow")
        if due.player != entry.author:
            raise Refused("S01", "this entry is out of turn: another player must act first")
        if entry.kind not in due.kinds:
            raise Refused("S02", f"{entry.kind} is not allowed now, only {', '.join(due.kinds)}")
        at = Binding(state.table, state.number, entry.seq, entry.prev, due.seat)
        after, happened = HANDLERS[type(body)](state, due.seat, body, at)
        return progress(replace(after, claims=()), happened)
    except RuleBroken as broken:
        raise Refused("G01", f"{broken.rule}: {broken.message}", entry.author) from broken
    except Refused as refused:
        raise refused.against(entry.author) from refused


def _draw(state: TableState, seat: int, body: bodies.Draw, at: Binding) -> Step:
    player = state.terms.players[seat]
    checks.check_pledge_is_opened(player.key, body.nonce, player.pledge)
    box = checks.check_box_key(body.box, body.box_knows, state.plays_out, at)
    nonces = (*state.nonces, body.nonce)
    boxes = state.boxes if box is None else (*state.boxes, box)
    after = replace(state, nonces=nonces, boxes=boxes)
    if len(nonces) < state.seats:
        return after, ()
    seating, dealer = seating_and_dealer(state.terms, nonces)
    after = replace(after, seating=seating, dealer=dealer)
    seated = [state.terms.players[player] for player in seating]
    code = spoken_code(state.terms, nonces)
    nicks, keys = tuple(p.nick for p in seated), tuple(p.key for p in seated)
    drawn, owners = state.terms.rules.has_drawn_seats, bot_owners(seated)
    by_player = drawn_cards(state.terms, nonces)
    cards = tuple(by_player[player] for player in seating) if by_player else ()
    return after, (events.Seated(nicks, keys, dealer, code, state.match, drawn, owners, cards),)


def _shuffle(state: TableState, seat: int, body: bodies.Shuffle, at: Binding) -> Step:
    deal = state.open_deal
    key, deck = checks.parse_element(body.key), checks.parse_elements(body.deck)
    checks.check_key_is_fresh(key, deal)
    checks.check_key_is_known(key, body.knows, at)
    checks.check_deck_is_whole(deck, deal)
    checks.check_deck_is_shuffled(deal, seat, key, deck, body.proof, at)
    shared = checks.check_key_is_shared(key, seat, body, state.share_count, at)
    keys = (*deal.keys[:seat], key, *deal.keys[seat + 1 :])
    after = replace(deal, keys=keys, deck=deck, shuffled=deal.shuffled + 1)
    after = after.publishing(key, shared)
    first_of_two = after.shuffled <= after.seats * (after.rounds - 1)
    return state.with_deal(after), () if first_of_two else (events.Shuffled(seat, len(deck)),)


def _cut(state: TableState, seat: int, body: bodies.Cut, at: Binding) -> Step:
    deal = state.open_deal
    checks.check_cut_is_in_the_deck(body.at, deal)
    deck = (*deal.deck[body.at :], *deal.deck[: body.at])
    return state.with_deal(replace(deal, deck=deck, cut=body.at)), (events.WasCut(seat, body.at),)


def _unlock(state: TableState, seat: int, body: bodies.Unlock, at: Binding) -> Step:
    deal = state.open_deal
    outputs = checks.parse_elements(body.cards)
    checks.check_batch_is_unlocked(deal, seat, outputs, body.proof, at)
    return after_unlocking(state, seat, outputs)


def _relock(state: TableState, seat: int, body: bodies.Relock, at: Binding) -> Step:
    deal = state.open_deal
    held = deal.holdings[seat]
    joined = checks.parse_elements(body.joined)
    checks.check_drawn_cards_join(held, joined, body.joined_proof, at)
    held = held.joined(joined)
    key, cards = checks.parse_element(body.key), checks.parse_elements(body.cards)
    again = None if body.indicator is None else checks.parse_element(body.indicator)
    checks.check_key_is_fresh(key, deal)
    checks.check_hand_is_reordered(held, key, cards, body.proof, at)
    checks.check_indicator_is_kept(held, key, again, body.kept, at)
    shared = checks.check_key_is_shared(key, seat, body, state.share_count, at)
    after = dealing.after_relock(deal.with_holding(seat, held), seat, key, cards, again)
    return state.with_deal(after.publishing(key, shared)), (events.Relocked(seat, len(cards)),)


def _say(state: TableState, seat: int, body: bodies.Say, at: Binding) -> Step:
    action = notation.parse_open_action(seat, body.word)
    if notation.word(action) != body.word:
        form = verbatim(f"{body.word[:16]!r} is not in its canonical form")
        raise RuleBroken("action.form", form, seat)
    return act(state, action)


def _redeal(state: TableState, seat: int, body: bodies.Redeal, at: Binding) -> Step:
    deal = state.open_deal
    cards = checks.require_cards(body.cards, deal)
    slots = deal.holdings[seat].hidden
    checks.check_slots_hold(deal, slots, cards, body.proof, at.context(b"redeal"))
    return act(state, acts.Redeal(seat, cards))


def _indicator(state: TableState, seat: int, body: bodies.Indicator, at: Binding) -> Step:
    deal = state.open_deal
    held = deal.holdings[seat]
    slot = checks.require_slot(held, body.slot)
    after = replace(held.without(body.slot), indicator=slot)
    return act(state, acts.LayTrump(seat, None), deal.with_holding(seat, after))


def _open(state: TableState, seat: int, body: bodies.Open, at: Binding) -> Step:
    deal = state.open_deal
    slot = checks.require_slot(deal.holdings[seat], INDICATOR)
    card = checks.require_card(body.card, deal)
    checks.check_slots_hold(deal, (slot,), (card,), body.proof, at.context(b"open"))
    asked = state.open_hand.phase is Phase.SHOW
    action = acts.Show(seat, card) if asked else acts.Open(seat, card)
    return act(state, action, dealing.with_indicator_taken_up(deal, seat, card))


def _closed(state: TableState, seat: int, body: bodies.Closed, at: Binding) -> Step:
    deal = state.open_deal
    key = checks.parse_element(body.key)
    checks.check_key_is_fresh(key, deal)
    checks.check_key_is_known(key, body.knows, at)
    shared = checks.check_key_is_shared(key, seat, body, state.share_count, at)
    closed = replace(deal, inspection=key).publishing(key, shared)
    after = act(state, acts.Closed(seat), closed)
    checks.check_required_proofs(required.for_closed(state, seat), body.owed, at)
    return after


def _play(state: TableState, seat: int, body: bodies.Play, at: Binding) -> Step:
    deal = state.open_deal
    held = deal.holdings[seat]
    slot = checks.require_slot(held, body.slot)
    card = checks.require_card(body.card, deal)
    checks.check_slots_hold(deal, (slot,), (card,), body.proof, at.context(b"play"))
    action = acts.Play(seat, card, down=False, indicator=body.slot == INDICATOR)
    _check_announced_order(state, seat, slot, False, action.indicator)
    after = act(state, action, deal.with_holding(seat, held.without(body.slot)))
    checks.check_required_proofs(required.for_play(state, seat, body.slot, card), body.owed, at)
    return after


def _down(state: TableState, seat: int, body: bodies.Down, at: Binding) -> Step:
    deal = state.open_deal
    held = deal.holdings[seat]
    slot = checks.require_slot(held, body.slot)
    action = acts.Play(seat, None, down=True, indicator=body.slot == INDICATOR)
    _check_announced_order(state, seat, slot, True, action.indicator)
    after = act(state, action, deal.with_holding(seat, held.laid_down(body.slot)))
    checks.check_required_proofs(required.for_play(state, seat, body.slot, None), body.owed, at)
    return after


def _inspect(state: TableState, seat: int, body: bodies.Inspect, at: Binding) -> Step:
    deal = state.open_deal
    e1, e2 = checks.parse_element(body.e1), checks.parse_element(body.e2)
    slot = deal.holdings[seat].down[-1]
    checks.check_card_is_shown(slot, deal.inspection, e1, e2, body.proof, at)
    after = replace(deal, inspected=(*deal.inspected, (seat, e1, e2)))
    return state.with_deal(after), (events.Inspected(seat),)


def _announce(state: TableState, seat: int, body: bodies.Announce, at: Binding) -> Step:
    deal = state.open_deal
    seen = tuple((e1, e2) for _, e1, e2 in deal.inspected)
    shown = checks.require_cards(body.shown, deal)
    checks.check_inspected_cards(deal, seen, shown, body.shown_proof, at)
    lying, laid = openings.own_cards_to_announce(state, seat)
    indicator = _turned_up(state, lying, body.indicator, body.indicator_proof, at, b"indicator")
    played = state.open_hand.tricks[-1].has_indicator
    checks.check_announcement_fits(bool(body.cut), played, shown, indicator)
    revealed = [(by, card) for (by, _, _), card in zip(deal.inspected, shown, strict=False)]
    own = _turned_up(state, laid, body.own, body.own_proof, at, b"own")
    if own is not None:
        revealed.append((seat, own))
    done = after_announcement(state, acts.Announce(seat, tuple(revealed), indicator))
    due = required.for_announcement(state, seat, bool(body.cut), indicator)
    checks.check_required_proofs(due, body.owed, at)
    return done


def _turned_up(
    state: TableState,
    slot: Slot | None,
    name: str | None,
    proof: bytes | None,
    at: Binding,
    what: bytes,
) -> Any:
    """Return the checked card of a slot that an announcement turns up, or None."""
    checks.check_turned_up_or_not(name, proof, slot)
    if name is None or proof is None or slot is None:
        return None
    card = checks.require_card(name, state.open_deal)
    checks.check_slots_hold(state.open_deal, (slot,), (card,), proof, at.context(what))
    return card


def _count(state: TableState, seat: int, body: bodies.Count, at: Binding) -> Step:
    if not (body.cards or body.proofs) and may_have_none(state.open_hand, seat):
        counted, _ = act(state, acts.Count(seat, ()))
        checks.check_required_proofs(required.for_count(state, seat), body.owed, at)
    else:
        action, deal = openings.read_count(state, seat, body, at)
        counted, _ = act(state, action, deal)
        checks.check_required_proofs((), body.owed, at)
    return counted, (events.Counted(seat, len(body.cards)),)


def _ask(state: TableState, seat: int, body: bodies.Ask, at: Binding) -> Step:
    after = act(state, acts.Reveal(seat))
    checks.check_required_proofs(required.for_asking(state, seat), body.owed, at)
    return after


def _marriage(state: TableState, seat: int, body: bodies.Marriage, at: Binding) -> Step:
    suit = next((one for one in Suit if one.value == body.suit), None)
    if suit is None:
        raise RuleBroken("action.form", verbatim(f"{body.suit!r} is not a suit"), seat)
    deal = openings.read_marriage(state, seat, body, suit, at)
    return act(state, acts.Marriage(seat, suit), deal)


def _exchange(state: TableState, seat: int, body: bodies.Exchange, at: Binding) -> Step:
    held = state.open_deal.holdings[seat]
    for place in body.slots:
        checks.check_is_of_the_hand(checks.require_slot(held, place), held, body.slots)
    deal = dealing.with_cards_aside(state.open_deal, seat, body.slots)
    return act(state, acts.Exchange(seat, None), dealing.open_stock(deal, (seat, seat)))


def _stand_in(state: TableState, seat: int, body: bodies.StandIn, at: Binding) -> Step:
    opening = absent_seat.opening(state)
    point = absent_seat.shares(state, opening).of(seat).point
    parts = checks.parse_elements(body.parts)
    checks.check_stand_in(opening.locked, point, parts, body.proof, at)
    return absent_seat.after_stand_in(state, opening, parts)


def _check_announced_order(
    state: TableState, seat: int, slot: Slot, down: bool, indicator: bool
) -> None:
    """G01: after a call of Caps, the caller plays as it announced; its cards are public. What all
    can see comes first, as in every order of rules."""
    call = state.open_hand.caps
    if call is not None and call.seat == seat:
        cards, lying = openings.open_cards(state.open_deal.holdings[seat])
        action = acts.Play(seat, slot.card, down, indicator)
        check_play(state.open_hand, action)
        check_own(state.open_hand, cards, lying, action)


Handler = Callable[[TableState, int, Any, Binding], Step]
HANDLERS: dict[type[Body], Handler] = {
    bodies.Draw: _draw,
    bodies.Shuffle: _shuffle,
    bodies.Cut: _cut,
    bodies.Unlock: _unlock,
    bodies.Relock: _relock,
    bodies.Say: _say,
    bodies.Redeal: _redeal,
    bodies.Indicator: _indicator,
    bodies.Open: _open,
    bodies.Closed: _closed,
    bodies.Play: _play,
    bodies.Down: _down,
    bodies.Inspect: _inspect,
    bodies.Announce: _announce,
    bodies.Count: _count,
    bodies.Caps: lambda state, *given: act(state, *openings.read_caps(state, *given)),
    bodies.Ask: _ask,
    bodies.Marriage: _marriage,
    bodies.Exchange: _exchange,
    bodies.Spoilt: lambda state, seat, body, at: act(state, acts.Spoilt(seat)),
    bodies.StandIn: _stand_in,
}
