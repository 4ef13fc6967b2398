"""The own cards of a player, hand by hand, as they are kept for that player's history.

Responsible for the lines of ``games/ID.cards`` (SPEC.md, "Own cards that are kept") and for reading
them. The keys that opened the cards are erased with their hand (secrets_lifetime.py); these lines
hold no key. They never leave the data folder, and nothing that is signed depends on them.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from p2p304.log.faults import Refused
from p2p304.rules.core.cards import CARDS, Card
from p2p304.rules.play.view import View
from p2p304.table.player.keyring import Member
from p2p304.table.player.own_cards import own_view
from p2p304.table.state.table import TableState
from p2p304.table.transition.replica import Replica
from p2p304.wire.effects import Outbox
from p2p304.wire.forms import Form, many, maybe, number, of, one_of, optional, record

KEPT_CARDS: Final = "cards"
"""The name under which a line is persisted; it is appended to the lines before."""


def _card() -> Form[Card]:
    names = one_of(*CARDS)
    return Form(lambda value: CARDS[names.read(value)], names.schema, lambda card: card.name)


@dataclass(frozen=True, slots=True)
class KnownCard:
    """A face-down card that the player knows: its trick (from 0), its seat, the card."""

    trick: int = of(number())
    seat: int = of(number())
    card: Card = of(_card())


@dataclass(frozen=True, slots=True)
class KeptCards:
    """What the player held after the entry at ``place``, in hand number ``hand``: see `View`.
    ``clock``: that entry was made for the player, whose time was up."""

    hand: int = of(number())
    place: int = of(number())
    seat: int = of(number())
    cards: tuple[Card, ...] = of(many(_card()))
    indicator: Card | None = of(maybe(_card()))
    known: tuple[KnownCard, ...] = of(many(record(KnownCard)))
    clock: bool = optional(one_of(True), False)


KEPT_FORM: Final = record(KeptCards)


def view_kept(kept: Sequence[KeptCards], state: TableState, key: bytes, place: int) -> View | None:
    """Return what the player with this key knew after the entry at ``place``, by the lines of this
    hand; None if none tells, or if it names a card of another pack. Of lines for the same or an
    earlier place the last one counts: where players have parted, entries were dropped, and their
    places came again."""
    latest = next((one for one in reversed(kept) if one.place <= place), None)
    if latest is None or state.hand is None or key not in state.terms.keys:
        return None
    if latest.seat != state.seat_of(state.terms.keys.index(key)):
        return None
    own = {*latest.cards, *(one.card for one in latest.known)}
    if latest.indicator is not None:
        own.add(latest.indicator)
    if not own <= set(state.hand.options.pack.cards):
        return None
    known = tuple((one.trick, one.seat, one.card) for one in latest.known)
    return View(latest.seat, state.hand, frozenset(latest.cards), latest.indicator, known)


class CardsKeeper:
    """Keeps a line whenever the player's cards have changed, or the clock has chosen for it. Call
    `update` after every entry."""

    def __init__(self, me: Member, replica: Replica, out: Outbox[Any]) -> None:
        self._me, self._replica, self._out = me, replica, out
        self._place = -1
        self._last: KeptCards | None = None
        self.clock_at: int | None = None
        """The place of the last entry that was made for the player, whose time was up."""

    def update(self) -> None:
        """Keep the cards after the last entry, if they are others than before."""
        place, state = self._replica.chain.next_seq - 1, self._replica.state
        if place == self._place or state is None:
            return
        self._place, secrets = place, self._me.secrets
        is_dealt = state.hand is not None and state.deal is not None and state.deal.dealt > 0
        if not is_dealt or secrets.is_erased or secrets.number != state.number:
            return
        with contextlib.suppress(Refused):  # the table's own checks say what is wrong
            self._keep(own_view(state, state.seat_of(self._me.player), secrets), state.number)

    def _keep(self, view: View, number: int) -> None:
        cards = tuple(sorted(view.cards, key=lambda card: card.name))
        known = tuple(KnownCard(*one) for one in view.known)
        kept = KeptCards(number, self._place, view.seat, cards, view.indicator, known)
        by_clock = self._place == self.clock_at
        if by_clock or self._last is None or replace(self._last, place=self._place) != kept:
            self._last, kept = kept, replace(kept, clock=by_clock)
            self._out.persist(KEPT_CARDS, f"{json.dumps(KEPT_FORM.write(kept))}\n".encode())
