"""A player's wish to claim: what rides on the next receipt, and the time to think of it.

Owns the wish, the receipt held back after a trick so that a player who may owe a call of Caps
can make it, and the programs that call Caps by themselves. It signs and sends nothing.
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
from p2p304.table.player.keyring import Secrets, own_knowledge, own_view
from p2p304.table.state.table import TableState

SEARCH_AFTER = 0.01
"""Seconds from an entry to the search that it makes due."""
LONGEST_SEARCH = 10.0
"""Seconds for which a receipt waits for a search at most."""


@dataclass(frozen=True, slots=True)
class Search:
    """The question with which order Caps can be called after the entry at ``place``. It can be
    answered anywhere, by `order`; what the player knows stays out of its repr."""

    place: int
    knowledge: Knowledge | None = field(repr=False)

    def order(self) -> tuple[Card, ...] | None:
        """The order of a call that is due, or None. This is the slow part, and changes nothing."""
        try:
            return None if self.knowledge is None else find_order(self.knowledge)
        except CapsError:
            return None


@dataclass(slots=True)
class PendingClaim:
    """``pause``: seconds for which a receipt may be held back; ``calls``: whether the program
    calls Caps by itself as soon as it can, as bots do; ``reminds``: whether it tells its player
    that a call is due. ``searching`` is the place of the entry after which one is looked for."""

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
        """The player wishes to claim this in the hand of this number, and in no other."""
        self._action, self._hand = action, number

    def due_order(self, state: TableState, seat: int, secrets: Secrets) -> tuple[Card, ...] | None:
        """The order with which this seat can call Caps now, or None."""
        hand = state.hand
        if hand is None or not claims.may_be_due(hand, seat):
            return None
        try:
            return find_order(own_knowledge(state, seat, secrets))
        except CapsError:
            return None

    def update(self, state: TableState, seat: int, secrets: Secrets) -> None:
        """A new state: a wish that cannot be granted any more is dropped."""
        hand = state.hand
        called = isinstance(self._action, acts.Caps) and hand is not None and hand.caps is not None
        if hand is None or state.number != self._hand or called:
            self._action = None

    def schedule_search(self, state: TableState, seat: int, place: int, now: float) -> None:
        """After the entry at ``place`` a search is due, if this player could owe a call and a
        program looks for it. It begins a moment later, so that what follows from the entry is
        sent first: how long a search takes tells something of the hand."""
        hand, looks = state.hand, self.reminds or (self.calls and self._action is None)
        due = looks and hand is not None and claims.may_be_due(hand, seat)
        self.searching = place if due else None
        self.search_at = now + SEARCH_AFTER if due else math.inf

    def search(self, state: TableState | None, seat: int, secrets: Secrets) -> Search | None:
        """What is to be searched now, or None."""
        if self.searching is None or state is None or state.hand is None:
            return None
        try:
            return Search(self.searching, own_knowledge(state, seat, secrets))
        except CapsError:
            return Search(self.searching, None)

    def finish_search(self, order: tuple[Card, ...] | None, seat: int, number: int) -> None:
        """The search is over; a program that calls by itself does so."""
        self.searching, self.search_at = None, math.inf
        if order is not None and self.calls and self._action is None:
            self.request(acts.Caps(seat, order), number)

    @property
    def must_wait(self) -> bool:
        """Whether a program that calls by itself does not know yet if it has to."""
        return self.calls and self.searching is not None

    def for_receipt(self, state: TableState | None, seat: int) -> str | None:
        """The claim that a receipt carries now, or None."""
        hand = None if state is None else state.hand
        if self._action is None or hand is None:
            return None
        name = _name(self._action)
        return name if claims.may_make(hand, seat, name) else None

    def take(
        self, state: TableState, seat: int, secrets: Secrets, kinds: tuple[str, ...]
    ) -> Claim | None:
        """The claim to make with the floor, or None. A program that has come back after its claim
        took the floor has forgotten the wish: it calls with an order that it finds."""
        wish, forced = self._action, kinds in ((claims.CAPS,), (claims.SPOILT,))
        if wish is not None and _name(wish) in kinds:
            self._action = None
            return wish
        if kinds == (claims.SPOILT,):
            return acts.Spoilt(seat)
        if not forced:
            return None
        view = own_view(state, seat, secrets)
        return acts.Caps(seat, self.due_order(state, seat, secrets) or _any_order(view))

    def hold_receipt(self, signed: Signed, state: TableState, seat: int, now: float) -> bool:
        """Hold the receipt back: a trick is done, this player's side has won them all, and
        another leads next, so that there would be no time to call Caps."""
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
        return now >= self.hold_until

    def take_held(self) -> Signed | None:
        """The entry whose receipt was held back, once."""
        signed, self._held, self.hold_until = self._held, None, math.inf
        return signed


def _name(claim: Claim) -> str:
    return claims.CAPS if isinstance(claim, acts.Caps) else claims.SPOILT


def _any_order(view: View) -> tuple[Card, ...]:
    cards = view.cards if view.indicator is None else view.cards | {view.indicator}
    return tuple(by_suit(cards, view.hand.options.pack))
