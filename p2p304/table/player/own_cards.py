"""The cards that a seat can read with its secrets.

Responsible for a seat's view, for what it knows that matters for Caps, and for the check that it
can read all its cards. The secrets are keyring.py's; what the cards may do is the rules' to say.
"""

from __future__ import annotations

from p2p304.crypto.group import Element, mul, sub
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View, known_to
from p2p304.table.player.keyring import Secrets, named_card
from p2p304.table.proofs import openings
from p2p304.table.state.table import TableState


def check_own_cards(state: TableState, seat: int, secrets: Secrets) -> None:
    """D16: this seat can read every card that it alone can read.

    The proofs rule out anything else. A node that reads before it receipts an entry finds a forged
    proof all the same, and cannot fail later at a card that it cannot name.
    """
    deal, hand = state.deal, state.hand
    if deal is None:
        return
    held = deal.holdings[seat]
    for slot in (*held.hand, *held.down, held.indicator):
        if slot is not None:
            secrets.read(deal, held, slot)
    if deal.inspected and hand is not None and hand.maker == seat:
        decrypt_cards(state, secrets, tuple((e1, e2) for _, e1, e2 in deal.inspected))


def own_view(state: TableState, seat: int, secrets: Secrets) -> View:
    """Return what this seat knows: the public hand, its own cards, and the face-down cards that it
    alone can read."""
    deal, held = state.open_deal, state.open_deal.holdings[seat]
    cards = frozenset(secrets.read(deal, held, slot) for slot in held.hand if slot is not None)
    lying = None if held.indicator is None else secrets.read(deal, held, held.indicator)
    return View(seat, state.open_hand, cards, lying, _known_alone(state, seat, secrets))


def _known_alone(
    state: TableState, seat: int, secrets: Secrets
) -> tuple[tuple[int, int, Card], ...]:
    """Return the face-down cards that this seat knows and the table does not, by trick and seat.
    A claim that has ended the play opens cards whose slots stay: then nothing is left to know."""
    if state.open_hand.ending is not None:
        return ()
    deal, held = state.open_deal, state.open_deal.holdings[seat]
    down = (secrets.read(deal, held, slot) for slot in held.down)
    known = dict(zip(openings.own_down(state, seat), down, strict=True))
    viewed = openings.viewed_by(state, seat)
    for (number, shown, _, _), card in zip(viewed, viewed_cards(state, seat, secrets), strict=True):
        known[number, shown] = card
    return tuple((number, shown, card) for (number, shown), card in sorted(known.items()))


def decrypt_cards(
    state: TableState, secrets: Secrets, pairs: tuple[tuple[Element, Element], ...]
) -> tuple[Card, ...]:
    """Return the cards of ciphertexts (E1, E2) to this seat's inspection key; Refused D16 if one is
    none. Without pairs no secret is needed."""
    if not pairs:
        return ()
    deal = state.open_deal
    x = secrets.inspection_key(deal.number)
    return tuple(named_card(deal, sub(e2, mul(x, e1))) for e1, e2 in pairs)


def viewed_cards(state: TableState, seat: int, secrets: Secrets) -> tuple[Card, ...]:
    """Return the cards that this trump maker inspected and left face down, in order."""
    pairs = tuple((e1, e2) for _, _, e1, e2 in openings.viewed_by(state, seat))
    return decrypt_cards(state, secrets, pairs)


def own_knowledge(state: TableState, seat: int, secrets: Secrets) -> Knowledge:
    """Return what this seat knows that matters for Caps; CapsError if Caps cannot be called."""
    return known_to(own_view(state, seat, secrets))
