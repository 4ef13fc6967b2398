"""The founder's answers to visitors and guests: who gets which seat, and who leaves the list.

Responsible for joining, moving and removing guests, and for restarting a list (SPEC.md,
"Gathering"). Admission of visitors is admission.py's; signing and sending the list is
guest_list.py's.
"""

from __future__ import annotations

from p2p304.table.gathering.admission import ASKED_ANEW, FULL, REFUSED, TOO_MANY, FounderAdmission
from p2p304.table.gathering.exchange.messages import Full, Guest, Join, Key, LobbyMessage
from p2p304.table.gathering.guest_list import GuestList
from p2p304.table.gathering.guest_names import check_visitor, name_alike
from p2p304.table.gathering.list_acceptance import CHANGES
from p2p304.table.gathering.pledges import ListSignatures
from p2p304.table.gathering.seating import free_seats, guests_after_move, guests_with
from p2p304.table.state import gathering_events
from p2p304.table.state.events import Event
from p2p304.wire.effects import Outbox
from p2p304.wire.rate_limit import RateLimit

LOOKS_ALIKE = (
    "Your name is too similar to {alike}, who sits at this table. Choose another "
    "name with --nick and join again."
)
PUT_OUT = "The table continues without you. You can join again after a minute."
MOST_RESTARTS = 2
"""How often a list is restarted because one member has pledged twice."""


class SeatRequests:
    """The founder's side of one gathering."""

    def __init__(self, guests: GuestList, admission: FounderAdmission, out: Outbox[Event]) -> None:
        self._guests, self._admission, self._out = guests, admission, out
        self._restarts: dict[bytes, int] = {}
        self._move_limits: dict[bytes, RateLimit] = {}

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that handling a message changes."""
        return (self, *self._move_limits.values())

    def on_join(self, peer: bytes, join: Join, now: float) -> None:
        """Answer a visitor or guest that asks for a seat, or whether the founder still knows it."""
        guests, admission = self._guests, self._admission
        current, previous = guests.current, guests.previous
        if current is None or peer not in guests.linked:
            return
        check_visitor(peer, join, guests.handshake_names[peer])
        if admission.is_excluded(peer, now):
            guests.send(peer, Full(PUT_OUT))
            return
        self._answer(peer, admission.proof_for(peer))
        alike = name_alike(current, previous, peer, join.nick)
        if alike is not None and (self._has_stayed(peer) or admission.is_unlocked_for(peer)):
            guests.send(peer, Full(LOOKS_ALIKE.format(alike=alike)))
            return
        host, port = guests.linked[peer]
        is_full = current.is_complete and peer not in guests.members
        if not is_full and not self._has_stayed(peer) and not admission.may_enter(peer):
            was_waiting = peer in admission.waiting
            self._answer(peer, admission.answer_visitor(peer, join.nick, host, now))
            if peer in admission.waiting and not was_waiting:
                self._out.emit(gathering_events.JoinRequest(join.nick, peer))
            return
        if peer in guests.members:
            # At a limited rate, so that a guest that moves to and fro cannot flood the others.
            if (
                previous is not None
                or join.seat is None
                or join.seat not in free_seats(current)
                or not self._move_limits.setdefault(peer, RateLimit(CHANGES, 0.0)).take(1, now)
                or not self.move(peer, join.seat)
            ):
                guests.send(peer, current)
            return
        seat = join.seat if previous is None else previous.seat_of(peer)
        if current.is_complete or (previous is not None and seat not in free_seats(current)):
            guests.send(peer, Full(FULL))
        elif not admission.take_arrival_place(peer, host, now):
            guests.send(peer, Full(TOO_MANY))
        else:
            guest = Guest(peer, join.nick, host, port, bot=join.bot)
            guests.change(guests_with(current, guest, seat))

    def on_holdings(self, peer: bytes, is_known: bool, has_begun: bool, now: float) -> None:
        """Answer what a player holds of a list, if that player lacks the present one. ``is_known``:
        this founder has that list, or has signed it. ``has_begun``: the table has its agreement.

        A player who is off the list gets it if it may come back, so that it asks for a seat."""
        guests, admission = self._guests, self._admission
        current = guests.current
        if current is None or peer not in guests.linked:
            return
        if peer in guests.members:
            admission.note_holder(peer)
            if not is_known and not has_begun:
                guests.send(peer, current)
        elif has_begun or current.is_complete:
            guests.send(peer, Full(FULL))
        elif admission.is_excluded(peer, now):
            guests.send(peer, Full(PUT_OUT))
        elif self._has_stayed(peer) or admission.may_enter(peer):
            guests.send(peer, current)
        else:
            guests.send(peer, Full(PUT_OUT if admission.is_unlocked_for(peer) else ASKED_ANEW))

    def may_read(self, guest: bytes) -> bool:
        """Whether a guest is sent the list unasked."""
        return self._has_stayed(guest) or self._admission.may_read_list(guest)

    def _has_stayed(self, player: bytes) -> bool:
        previous = self._guests.previous
        return previous is not None and player in previous.stay

    def on_key(self, peer: bytes, key: Key) -> None:
        """Check a visitor's try of the passphrase."""
        self._answer(peer, self._admission.try_key(peer, key))

    def _answer(self, peer: bytes, message: LobbyMessage | None) -> None:
        if message is not None:
            self._guests.send(peer, message)

    def on_link_down(self, peer: bytes, now: float) -> None:
        self._admission.on_link_down(peer, now)
        self._move_limits.pop(peer, None)

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """Record the founder's decision about a visitor who asked for a seat
        (`gathering_events.JoinRequest`)."""
        self._admission.decide(visitor, welcome)
        if not welcome:
            self._guests.send(visitor, Full(REFUSED))

    def remove_guest(self, guest: bytes, now: float) -> None:
        """Remove a guest from the list. Its key is not admitted again at once."""
        current = self._guests.current
        if current is not None:
            self._admission.exclude(guest, now)
            self._guests.send(guest, Full(PUT_OUT))
            self._guests.change(tuple(one for one in current.guests if one.key != guest))

    def move(self, guest: bytes, seat: int) -> bool:
        """Move a guest to another seat and send the list to all; False if the seat is not free."""
        current = self._guests.current
        guests = None if current is None else guests_after_move(current, guest, seat)
        if guests is not None:
            self._guests.change(guests)
        return guests is not None

    def restart_list(self, holding: ListSignatures | None) -> None:
        """Restart the list after a member has pledged twice, under a new number and with new
        pledges.

        A member that restarted before it signed has forgotten its pledge. The list is restarted
        MOST_RESTARTS times at most for one member."""
        if not self._guests.is_founder or holding is None:
            return
        for key in holding.contradicted:
            self._restarts[key] = self._restarts.get(key, 0) + 1
        if any(self._restarts[key] <= MOST_RESTARTS for key in holding.contradicted):
            self._guests.change(holding.list.guests)
