"""A player's pending claim: the claim that the next receipt carries, and the time to make it.

Responsible for the claim that a player asked for, for the receipt that is held back (after a trick,
so that the player has time to call Caps; for the cut, as own_turns.py says), and for the search of
a program that calls Caps by itself. Signing and sending receipts is table/exchange/receipts.py's.
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
from p2p304.rules.state.hand import Hand
from p2p304.table.player.keyring import Member
from p2p304.table.player.own_cards import own_knowledge, own_view
from p2p304.table.state.table import TableState
from p2p304.table.transition.phases import Duty
from p2p304.table.transition.replica import Replica

SEARCH_AFTER = 0.01
"""Seconds from an entry to the search that follows it."""
THINKING = 2.0
"""Seconds after a trick in which a player whose side has won every trick may call Caps."""
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


class PendingClaim:
    """A player's pending claim, the held receipt and the search.

    ``pause``      seconds for which a receipt may be held back
    ``calls``      whether the program calls Caps by itself as soon as it can, as bots do
    ``searching``  the place of the entry after which an order is searched for, or None
    """

    def __init__(self, me: Member, replica: Replica, pause: float, calls: bool) -> None:
        self.pause, self.calls = pause, calls
        self.reminds = replica.terms.rules.caps == "assist"
        """Whether the program tells its player that a call is due."""
        self.hold_until = self.search_at = math.inf
        self.searching: int | None = None
        self._me, self._replica = me, replica
        self._action: Claim | None = None
        self._hand = 0
        self._held: Signed | None = None

    def request(self, action: Claim) -> None:
        """Note that the player claims this, in the present hand alone."""
        state = self._replica.state
        self._action, self._hand = action, 0 if state is None else state.number

    def on_entry(self, place: int, now: float) -> None:
        """Drop the pending claim if it can no longer be made after the entry at ``place``. Schedule
        a search if this player may have to call Caps and a program searches for it.

        The search begins a moment later, so that what follows from the entry is sent first: the
        duration of a search reveals something of the hand.
        """
        state, hand = self._replica.state, self._hand_in_play
        called = isinstance(self._action, acts.Caps) and hand is not None and hand.caps is not None
        if hand is None or state is None or state.number != self._hand or called:
            self._action = None
        looks = self.reminds or (self.calls and self._action is None)
        due = looks and self._may_be_due(hand)
        self.searching = place if due else None
        self.search_at = now + SEARCH_AFTER if due else math.inf

    @property
    def search(self) -> Search | None:
        """The search that is due, or None."""
        if self.searching is None or self._hand_in_play is None:
            return None
        return Search(self.searching, self._knowledge())

    def finish_search(self, order: tuple[Card, ...] | None) -> None:
        """Take the result of the search. A program that calls by itself then requests the claim."""
        self.searching, self.search_at = None, math.inf
        if order is not None and self.calls and self._action is None:
            self.request(acts.Caps(self._replica.seat_of(self._me.player), order))

    @property
    def must_wait(self) -> bool:
        """Whether a program that calls by itself does not yet know whether it must call."""
        return self.calls and self.searching is not None

    def for_receipt(self) -> str | None:
        """Return the claim that a receipt carries now, or None."""
        hand = self._hand_in_play
        if self._action is None or hand is None:
            return None
        name = _name(self._action)
        return name if claims.may_make(hand, self._replica.seat_of(self._me.player), name) else None

    def take(self, state: TableState, due: Duty) -> Claim | None:
        """Return the claim to make with the floor, or None.

        A program that was restarted after its claim took the floor has forgotten the claim. It then
        calls Caps with an order that it finds.
        """
        action = self._action
        if action is not None and _name(action) in due.kinds:
            self._action = None
            return action
        if due.kinds == (claims.SPOILT,):
            return acts.Spoilt(due.seat)
        if due.kinds != (claims.CAPS,):
            return None
        may = self._may_be_due(state.hand)
        order = Search(0, self._knowledge()).order() if may else None
        if order is None:  # any order
            view = own_view(state, due.seat, self._me.secrets)
            cards = view.cards if view.indicator is None else view.cards | {view.indicator}
            order = tuple(by_suit(cards, view.hand.options.pack))
        return acts.Caps(due.seat, order)

    def hold_receipt(self, signed: Signed, now: float) -> bool:
        """Hold the receipt back if its player may need time to call Caps; return whether it is
        held.

        That is so if a trick is complete, this player's side has won all tricks, and another seat
        leads next.
        """
        hand = self._hand_in_play
        if self.must_wait:
            self._held, self.hold_until = signed, now + LONGEST_SEARCH
            return True
        if not self.pause or self._action is not None or hand is None or hand.trick is not None:
            return False
        leads = hand.turn == self._replica.seat_of(self._me.player)
        if not hand.tricks or leads or not self._may_be_due(hand):
            return False
        self._held, self.hold_until = signed, now + self.pause
        return True

    def hold(self, signed: Signed) -> None:
        """Hold the receipt back until it is taken, however long that is."""
        self._held, self.hold_until = signed, math.inf

    def take_held(self) -> Signed | None:
        """Return the entry whose receipt was held back, once; else None."""
        signed, self._held, self.hold_until = self._held, None, math.inf
        return signed

    @property
    def _hand_in_play(self) -> Hand | None:
        return None if self._replica.state is None else self._replica.state.hand

    def _may_be_due(self, hand: Hand | None) -> bool:
        seat = self._replica.seat_of(self._me.player)
        return hand is not None and claims.may_be_due(hand, seat)

    def _knowledge(self) -> Knowledge | None:
        """Return what this seat knows, or None in a game in which Caps cannot be called."""
        state = self._replica.state
        if state is None:
            return None
        try:
            return own_knowledge(state, state.seat_of(self._me.player), self._me.secrets)
        except CapsError:
            return None


def _name(claim: Claim) -> str:
    return claims.CAPS if isinstance(claim, acts.Caps) else claims.SPOILT
