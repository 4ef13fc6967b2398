"""The list of a table that gathers, as one node holds it.

Responsible for the current list, the links to its guests, and leaving it (SPEC.md, "Gathering").
What the founder answers to visitors is seat_requests.py's, which list a member accepts is
list_acceptance.py's, and the way from a complete list to an agreement is meeting.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.core.phrases import Phrase, english, say
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.bot_mark import BotMark, bot_owners
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import Guest, Join, LobbyMessage, Seated, lobby_bytes
from p2p304.table.gathering.guest_names import check_bot_marks, check_guest_names
from p2p304.table.gathering.seating import free_seats, guests_with, seat_of
from p2p304.table.state import gathering_events
from p2p304.table.state.events import Event
from p2p304.table.transition.successor import Ending
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import FrameKind

FALSE_LIST = say(
    "You left this table: {reason}. Choose another table, or tell the player who opened it."
)

_LOOPBACK = ("127.0.0.1", "::1")
_OPENER_LEFT = say("The player who opened this table has left. Choose another table.")
_OPENER_LOST = say(
    "The connection to the player who opened this table is lost. Choose another table, or try "
    "again in a moment."
)


class GuestList:
    """The list as one node holds it. `current` is None before there is a list."""

    def __init__(self, key: SigningKey, nick: str, consent: Consent, out: Outbox[Event]) -> None:
        self.key, self.nick = key, nick
        self.current: Seated | None = None
        self.founder: bytes | None = None
        self.linked: dict[bytes, tuple[str, int]] = {}
        """The address at which each linked peer listens."""
        self.handshake_names: dict[bytes, str] = {key.public: nick}
        """The nickname of each key's handshake, this node's own included."""
        self.watch = ""
        """To be set before `found`: whether spectators are admitted (limits.WATCH)."""
        self.bot: BotMark | None = None
        """To be set before `found` or a join: the mark of a bot and its owner, if a bot plays here.
        """
        self.requested_seat: int | None = None
        """The seat that this player has requested, until it has the seat or cannot have it."""
        self.previous: Ending | None = None
        """The ending of the table that this one continues."""
        self.is_turned_away = False
        self.may_read: Callable[[bytes], bool] = lambda guest: True
        """Whether this founder sends a guest the list unasked."""
        self._consent, self._out = consent, out
        self._next_opening: bytes | None = None
        """The opening of the next list, if it is not that of the current one."""
        self._dialled: set[bytes] = set()
        """Guests of lists that this node has tried to dial."""

    @property
    def is_founder(self) -> bool:
        return self.founder == self.key.public

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return () if self.current is None else tuple(guest.key for guest in self.current.guests)

    def resume(self, begin: BeginRecord, opening: bytes) -> None:
        """Continue with the list that this node had signed. A founder may have signed lists since
        that no journal holds, so its next list has another ``opening``."""
        self.current, self.founder = begin.list, begin.list.guests[0].key
        self.bot = next((g.bot for g in begin.list.guests if g.key == self.key.public), None)
        self._next_opening = opening

    def keep(self, table_list: Seated) -> None:
        """Make this the current list."""
        has_changed = self.current is None or table_list.digest != self.current.digest
        self.current = table_list
        self._consent.set_list(table_list)
        if has_changed:
            self._forget_dials()
            guests = table_list.in_seats
            seats = tuple(guest.seat for guest in guests if guest.seat is not None)
            nicks, owners = tuple(guest.nick for guest in guests), bot_owners(guests)
            count, dealer = table_list.rules.seats, table_list.dealer
            self._out.emit(gathering_events.Members(nicks, count, seats, owners, dealer))

    def turn_away(self, reason: Phrase) -> None:
        """Leave this gathering for good and emit the reason once, whatever the founder sends
        afterwards."""
        if not self.is_turned_away:
            self.is_turned_away = True
            self._out.emit(gathering_events.TurnedAway(reason))

    def has_true_names(self, table_list: Seated) -> bool:
        """Whether every guest has the name of its handshake; if not, this player leaves the
        gathering. Checked again when all guests are linked, before anything is signed."""
        try:
            check_guest_names(table_list, self.handshake_names)
            check_bot_marks(table_list, self.key.public, self.bot)
        except Refused as refused:
            self.turn_away(FALSE_LIST.filled(reason=refused.finding.sentence))
            return False
        return True

    # Links

    def send(self, peer: bytes | None, message: LobbyMessage) -> None:
        self._out.send_to(peer, FrameKind.LOBBY, lobby_bytes(message))

    def link_up(self, peer: bytes, nick: str, host: str, port: int) -> None:
        self.linked[peer], self.handshake_names[peer] = (host, port), nick

    def link_down(self, peer: bytes, said: bool) -> None:
        """Free the seat of a guest whose link is lost before this node has signed; leave if it is
        the founder's, and the list incomplete. After signing, the table may have begun at another
        node, so every guest keeps its seat. ``said``: the player has said that it leaves."""
        self.linked.pop(peer, None)
        self.handshake_names.pop(peer, None)
        self._forget_dials()
        if self.current is None or self._consent.has_signed:
            return
        if self.is_founder and peer in self.members:
            self.change(tuple(guest for guest in self.current.guests if guest.key != peer))
        elif peer == self.founder and not self.current.is_complete:
            if self.previous is None:
                self.leave_lost_founder(said)
            else:  # whoever stays has a seat, and asks for it anew
                self.current = None

    def leave_lost_founder(self, said: bool) -> None:
        """Leave because the link to the founder, who may have ``said`` that it leaves, is lost."""
        self.turn_away(_OPENER_LEFT if said else _OPENER_LOST)

    def dial(self, guest: Guest) -> None:
        """Dial a guest of the list that is not linked. A guest that the founder sees on loopback
        runs on the founder's machine, as the founder's bots do."""
        host, founder = guest.host, self.linked.get(self.founder or b"")
        if founder is not None and host in _LOOPBACK and founder[0] not in _LOOPBACK:
            host = founder[0]
        self._dialled.add(guest.key)
        self._out.dial(guest.key, host, guest.port)

    def _forget_dials(self) -> None:
        """Stop dialling keys that are on no current list. Otherwise a founder that invents guests
        could make its visitors dial the whole network."""
        for key in self._dialled - self._consent.guests - set(self.linked):
            self._dialled.discard(key)
            self._out.hang_up(key, english("you are no longer on the list of players"))

    # This player's own seat

    def send_join(self) -> None:
        """Ask the founder for a seat, or for another seat."""
        if self.founder in self.linked:
            self.send(self.founder, Join(self.nick, self.requested_seat, self.bot))

    def close_seat_request(self) -> None:
        """Close the request for a seat if this player has the seat or cannot have it any more."""
        current, seat = self.current, self.requested_seat
        if current is None or seat is None:
            return
        has_seat = seat_of(current, self.key.public) == seat
        if has_seat or current.is_complete or seat not in free_seats(current):
            self.requested_seat = None
            if not has_seat:
                count, are_chosen = current.rules.seats, current.has_chosen_seats
                self._out.emit(gathering_events.NoSeat(seat, count, are_chosen))

    # Changes and copies

    def found(self, opening: bytes, name: str, rules: Options, hands: int) -> None:
        """Begin the list with this node alone on it."""
        me = Guest(self.key.public, self.nick, "", 0, bot=self.bot)
        self.founder = self.key.public
        after = None if self.previous is None else self.previous.after
        empty = Seated(opening, name, rules, hands, (), self.watch, after)
        guests = guests_with(empty, me, self.requested_seat)
        self.keep(replace(empty, guests=guests).signed(self.key))
        self.close_seat_request()

    def change(self, guests: tuple[Guest, ...]) -> None:
        """Sign a list of these guests under the next number and send it to them."""
        if self.current is not None:
            opening, number = self.current.opening, self.current.number + 1
            if self._next_opening is not None:
                opening, number, self._next_opening = self._next_opening, 0, None
            changed = replace(self.current, opening=opening, number=number, guests=guests)
            self.keep(changed.signed(self.key))
            self.send_list()

    def send_list(self, but: Collection[bytes] = ()) -> None:
        """Send the current list to every other guest except these. A founder leaves out those that
        may not read it yet."""
        for key in self.members:
            may_read = not self.is_founder or self.may_read(key)
            if self.current is not None and key in self.linked and key not in but and may_read:
                self.send(key, self.current)
