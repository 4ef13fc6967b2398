"""A player's pending claim: the claim that the next receipt carries, and the time to make it.

Responsible for the claim that a player asked for, for the receipt that is held back after a trick
so that the player has time to call Caps, and for the search of a program that calls Caps by itself.
Signing and sending receipts is table/exchange/receipts.py's.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from p2p304.log.entry import Signed
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import find_order
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Claim
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.play import claims
from p2p304.rules.play.view import View
from p2p304.table.player.keyring import Secrets
from p2p304.table.player.own_cards import own_knowledge, own_view
from p2p304.table.state.table import TableState

SEARCH_AFTER = 0.01
"""Seconds from an entry to the search that follows it."""
LONGEST_SEARCH = 10.0
"""Seconds for which a receipt waits for a search at most."""


@dataclass(frozen=True, slots=True)
class Search:
    """A search for the order with which Caps can be called after the entry at ``place``.

    `order` can run in any thread or process. What the player knows is left out of the repr.
    """

    place: int
    knowledge: Knowledge | None = field(repr=False)

    def order(self) -> tuple[Card, ...] | None:
        """Return the order of a call that is due, or None. This is slow and changes nothing."""
        try:
            return None if self.knowledge is None else find_order(self.knowledge)
        except CapsError:
            return None


@dataclass(slots=True)
class PendingClaim:
    """A player's pending claim, the held receipt and the search.

    ``pause``      seconds for which a receipt may be held back
    ``calls``      whether the program calls Caps by itself as soon as it can, as bots do
    ``reminds``    whether the program tells its player that a call is due
    ``searching``  the place of the entry after which an order is searched for, or None
    """

    pause: float = 0.0
    calls: bool = False
    reminds: bool = False
    hold_until: float = math.inf
    searching: int | None = None
    search_at: float = math.inf
    _action: Claim | None = None
    _hand: int = 0
    _held: Signed | None = None

    def request(self, action: Claim, number: int) -> None:
        """Note that the player claims this, in the hand of this number alone."""
        self._action, self._hand = action, number

    def due_order(self, state: TableState, seat: int, secrets: Secrets) -> tuple[Card, ...] | None:
        """Return the order with which this seat can call Caps now, or None."""
        hand = state.hand
        if hand is None or not claims.may_be_due(hand, seat):
            return None
        try:
            return find_order(own_knowledge(state, seat, secrets))
        except CapsError:
            return None

    def update(self, state: TableState, seat: int, secrets: Secrets) -> None:
        """Drop the pending claim if it can no longer be made in this new state."""
        hand = state.hand
        called = isinstance(self._action, acts.Caps) and hand is not None and hand.caps is not None
        if hand is None or state.number != self._hand or called:
            self._action = None

    def schedule_search(self, state: TableState, seat: int, place: int, now: float) -> None:
        """Schedule a search after the entry at ``place``, if this player may have to call Caps and
        a program searches for it.

        The search begins a moment later, so that what follows from the entry is sent first: the
        duration of a search reveals something of the hand.
        """
        hand, looks = state.hand, self.reminds or (self.calls and self._action is None)
        due = looks and hand is not None and claims.may_be_due(hand, seat)
        self.searching = place if due else None
        self.search_at = now + SEARCH_AFTER if due else math.inf

    def search(self, state: TableState | None, seat: int, secrets: Secrets) -> Search | None:
        """Return the search that is due, or None."""
        if self.searching is None or state is None or state.hand is None:
            return None
        try:
            return Search(self.searching, own_knowledge(state, seat, secrets))
        except CapsError:
            return Search(self.searching, None)

    def finish_search(self, order: tuple[Card, ...] | None, seat: int, number: int) -> None:
        """Take the result of the search. A program that calls by itself then requests the claim."""
        self.searching, self.search_at = None, math.inf
        if order is not None and self.calls and self._action is None:
            self.request(acts.Caps(seat, order), number)

    @property
    def must_wait(self) -> bool:
        """Whether a program that calls by itself does not yet know whether it must call."""
        return self.calls and self.searching is not None

    def for_receipt(self, state: TableState | None, seat: int) -> str | None:
        """Return the claim that a receipt carries now, or None."""
        hand = None if state is None else state.hand
        if self._action is None or hand is None:
            return None
        name = _name(self._action)
        return name if claims.may_make(hand, seat, name) else None

    def take(
        self, state: TableState, seat: int, secrets: Secrets, kinds: tuple[str, ...]
    ) -> Claim | None:
        """Return the claim to make with the floor, or None.

        A program that was restarted after its claim took the floor has forgotten the claim. It then
        calls Caps with an order that it finds.
        """
        action, forced = self._action, kinds in ((claims.CAPS,), (claims.SPOILT,))
        if action is not None and _name(action) in kinds:
            self._action = None
            return action
        if kinds == (claims.SPOILT,):
            return acts.Spoilt(seat)
        if not forced:
            return None
        view = own_view(state, seat, secrets)
        return acts.Caps(seat, self.due_order(state, seat, secrets) or _any_order(view))

    def hold_receipt(self, signed: Signed, state: TableState, seat: int, now: float) -> bool:
        """Hold the receipt back if its player may need time to call Caps; return whether it is
        held.

        That is so if a trick is complete, this player's side has won all tricks, and another seat
        leads next.
        """
        hand = state.hand
        if self.must_wait:
            self._held, self.hold_until = signed, now + LONGEST_SEARCH
            return True
        if not self.pause or self._action is not None or hand is None or hand.trick is not None:
            return False
        if not hand.tricks or hand.turn == seat or not claims.may_be_due(hand, seat):
            return False
        self._held, self.hold_until = signed, now + self.pause
        return True

    def is_hold_over(self, now: float) -> bool:
        """Return whether the receipt that is held back must be sent now."""
        return now >= self.hold_until

    def take_held(self) -> Signed | None:
        """Return the entry whose receipt was held back, once; else None."""
        signed, self._held, self.hold_until = self._held, None, math.inf
        return signed


def _name(claim: Claim) -> str:
    return claims.CAPS if isinstance(claim, acts.Caps) else claims.SPOILT


def _any_order(view: View) -> tuple[Card, ...]:
    cards = view.cards if view.indicator is None else view.cards | {view.indicator}
    return tuple(by_suit(cards, view.hand.options.pack))
