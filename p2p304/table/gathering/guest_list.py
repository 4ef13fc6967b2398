"""The list of a table that gathers: its founder changes it, and the other members accept it.

Responsible for the guests on the list and their seats, for arrivals and departures, and for which
list a member accepts (SPEC.md, "Gathering"). Repeating messages, and the way from a complete list
to an agreement, is meeting.py's; admission of visitors is admission.py's.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.bot_mark import BotMark, bot_owners
from p2p304.table.gathering.admission import (
    NO_EXCHANGE,
    NOT_THE_TABLE,
    REFUSED,
    TOO_MANY,
    FounderAdmission,
    VisitorAdmission,
)
from p2p304.table.gathering.begin_record import BeginRecord
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.guest_names import (
    check_bot_marks,
    check_guest_names,
    check_visitor,
    name_alike,
)
from p2p304.table.gathering.list_changes import ChangeLimit, is_same_game
from p2p304.table.gathering.messages import (
    Full,
    Guest,
    Join,
    Key,
    LobbyMessage,
    Locked,
    Seated,
    Unlocked,
    lobby_bytes,
)
from p2p304.table.gathering.passphrase import WrongPassphrase
from p2p304.table.gathering.seating import free_seats, guests_after_move, guests_with, seat_of
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.successor import Ending
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

FULL = "This table is full. Choose another one."
TURNED_AWAY = "The player who opened this table did not let you in."
FALSE_LIST = "You left this table: {why}. Choose another table, or tell the player who opened it."
LOOKS_ALIKE = (
    "Your name is too similar to {alike}, who sits at this table. Choose another "
    "name with --nick and join again."
)
MOST_RESTARTS = 2
"""How often a list is restarted because one member has pledged twice."""
NUMBERS_SKIPPED = 1 << 16
"""How many numbers a founder skips when it resumes from its journal: it may have signed so many
lists since."""
PUT_OUT = "The table continues without you. You can join again after a minute."
TWO_LISTS = (
    "You left this table: {founder}, who opened it, signed two different lists of "
    "players. {founder} cheats, or uses one identity on two computers. Choose "
    "another table."
)
OTHER_GAME = (
    "You left this table: the player who opened it changed the rules, the number of "
    "hands or the spectators. Join again if you agree to the change."
)


class GuestList:
    """The list as one node holds it. `now` is None before there is a list."""

    def __init__(
        self,
        key: SigningKey,
        nick: str,
        admission: FounderAdmission,
        visitor: VisitorAdmission,
        consent: Consent,
        out: Outbox[Event],
    ) -> None:
        self.key, self.nick = key, nick
        self.now: Seated | None = None
        self.founder: bytes | None = None
        self.linked: dict[bytes, tuple[str, int]] = {}
        """The address at which each linked peer listens."""
        self.watch = ""
        """To be set before `found`: whether spectators are admitted (limits.py, WATCH)."""
        self.bot: BotMark | None = None
        """To be set before `found` or a join: the mark of a bot and its owner, if a bot plays here.
        """
        self.requested_seat: int | None = None
        """The seat that this player has requested, until it has the seat or cannot have it."""
        self.previous: Ending | None = None
        """The ending of the table that this one continues."""
        self.is_turned_away = False
        self._handshake_names: dict[bytes, str] = {key.public: nick}
        """The nickname of each key's handshake, this node's own included."""
        self._admission, self._visitor, self._consent, self._out = admission, visitor, consent, out
        self._next_number = 0
        self._restarts: dict[bytes, int] = {}
        self._list_limit = ChangeLimit()
        self._move_limits: dict[bytes, ChangeLimit] = {}
        self._dialled: set[bytes] = set()
        """Guests of lists that this node has tried to dial."""

    @property
    def is_founder(self) -> bool:
        return self.founder == self.key.public

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return () if self.now is None else tuple(guest.key for guest in self.now.guests)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that handling a message changes."""
        return (self, self._list_limit, *self._move_limits.values())

    def resume(self, begin: BeginRecord) -> None:
        """Continue with the list that this node had signed."""
        here = begin.list
        self.now, self.founder = here, here.guests[0].key
        self.bot = next((g.bot for g in here.guests if g.key == self.key.public), None)
        self._next_number = here.number + NUMBERS_SKIPPED

    def keep(self, here: Seated) -> None:
        """Make this the current list."""
        changed = self.now is None or here.digest != self.now.digest
        self.now = here
        self._consent.set_list(here)
        if changed:
            self._forget_dials()
            self._emit_members()

    def close_seat_request(self) -> None:
        """Close the request for a seat if this player has the seat or cannot have it any more."""
        here, seat = self.now, self.requested_seat
        if here is None or seat is None:
            return
        has_seat = seat_of(here, self.key.public) == seat
        if not has_seat and not here.is_complete and seat in free_seats(here):
            return
        self.requested_seat = None
        if not has_seat:
            self._out.emit(events.NoSeat(seat, here.rules.seats, here.has_chosen_seats))

    def turn_away(self, why: str) -> None:
        """Leave this gathering for good and emit the reason once, whatever the founder sends
        afterwards."""
        if not self.is_turned_away:
            self.is_turned_away = True
            self._out.emit(events.TurnedAway(why))

    def send(self, peer: bytes | None, message: LobbyMessage) -> None:
        self._out.send_to(peer, FrameKind.LOBBY, lobby_bytes(message))

    # Links

    def link_up(self, peer: bytes, nick: str, host: str, port: int) -> None:
        self.linked[peer], self._handshake_names[peer] = (host, port), nick

    def link_down(self, peer: bytes, now: float) -> None:
        """Free the seat of a guest whose link is lost before this node has signed. After signing,
        the table may have begun at another node, so every guest keeps its seat."""
        self.linked.pop(peer, None)
        self._handshake_names.pop(peer, None)
        self._admission.on_link_down(peer, now)
        self._move_limits.pop(peer, None)
        self._forget_dials()
        here = self.now
        if here is None or self._consent.has_signed:
            return
        if self.is_founder and any(g.key == peer for g in here.guests):
            self.change(tuple(g for g in here.guests if g.key != peer))
        elif peer == self.founder and not here.is_complete:
            self.turn_away("The player who opened this table has left. Choose another table.")

    def dial(self, guest: Guest) -> None:
        """Dial a guest of the list that is not linked."""
        self._dialled.add(guest.key)
        self._out.dial(guest.key, guest.host, guest.port)

    def _forget_dials(self) -> None:
        """Stop dialling keys that are on no current list. Otherwise a founder that invents guests
        could make its visitors dial the whole network."""
        for key in self._dialled - self._consent.guests - set(self.linked):
            self._dialled.discard(key)
            self._out.hang_up(key, "you are no longer on the list of players")

    # The founder's side

    def found(self, opening: bytes, name: str, rules: Options, hands: int) -> None:
        """Begin the list with this node alone on it."""
        me = Guest(self.key.public, self.nick, "", 0, bot=self.bot)
        self.founder = self.key.public
        after = None if self.previous is None else self.previous.after
        here = Seated(opening, name, rules, hands, (), self.watch, after)
        self.keep(replace(here, guests=guests_with(here, me, self.requested_seat)).signed(self.key))
        self.close_seat_request()

    def on_join(self, peer: bytes, join: Join, now: float) -> None:
        """Answer a visitor or guest that asks for a seat, or whether the founder still knows it."""
        here, nick = self.now, join.nick
        if here is None or peer not in self.linked:
            return
        check_visitor(peer, join, self._handshake_names[peer])
        if self._admission.is_excluded(peer, now):
            self.send(peer, Full(PUT_OUT))
            return
        self._answer(peer, self._admission.proof_for(peer))
        alike = name_alike(here, peer, nick)
        if alike is not None and self._admission.is_unlocked_for(peer):
            self.send(peer, Full(LOOKS_ALIKE.format(alike=alike)))
            return
        has_stayed = self.previous is not None and peer in self.previous.stay
        if not here.is_complete and not has_stayed and not self._admission.may_enter(peer):
            was_waiting = peer in self._admission.waiting
            self._answer(
                peer, self._admission.answer_visitor(peer, nick, self.linked[peer][0], now)
            )
            if peer in self._admission.waiting and not was_waiting:
                self._out.emit(events.JoinRequest(nick, peer))
            return
        if any(guest.key == peer for guest in here.guests):
            if (
                self.previous
                or join.seat is None
                or not self._move_on_request(peer, join.seat, now)
            ):
                self.send(peer, here)
            return
        seat = join.seat if self.previous is None else self.previous.seat_of(peer)
        if here.is_complete or (self.previous is not None and seat not in free_seats(here)):
            self.send(peer, Full(FULL))
        else:
            host, port = self.linked[peer]
            if not self._admission.take_arrival_place(peer, host, now):
                self.send(peer, Full(TOO_MANY))
                return
            self.change(guests_with(here, Guest(peer, nick, host, port, bot=join.bot), seat))

    def on_key(self, peer: bytes, key: Key) -> None:
        """Check a visitor's try of the passphrase."""
        self._answer(peer, self._admission.try_key(peer, key))

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """Record the founder's decision about a visitor who asked for a seat
        (`events.JoinRequest`)."""
        self._admission.decide(visitor, welcome)
        if not welcome:
            self.send(visitor, Full(REFUSED))

    def remove_guest(self, guest: bytes, now: float) -> None:
        """Remove a guest from the list. Its key is not admitted again at once."""
        if self.now is not None:
            self._admission.exclude(guest, now)
            self.send(guest, Full(PUT_OUT))
            self.change(tuple(one for one in self.now.guests if one.key != guest))

    def move(self, guest: bytes, seat: int) -> bool:
        """Move a guest to another seat and send the list to all; False if the seat is not free."""
        guests = guests_after_move(self.now, guest, seat) if self.now is not None else None
        if guests is not None:
            self.change(guests)
        return guests is not None

    def _move_on_request(self, guest: bytes, seat: int, now: float) -> bool:
        """Move a guest that asks for it, at a limited rate, so that it cannot flood the others."""
        if self.now is None or seat not in free_seats(self.now):
            return False
        return self._move_limits.setdefault(guest, ChangeLimit()).take(now) and self.move(
            guest, seat
        )

    def restart_list(self) -> None:
        """Restart the list after a member has pledged twice, under a new number and with new
        pledges.

        A member that restarted before it signed has forgotten its pledge. The list is restarted
        MOST_RESTARTS times at most for one member."""
        holding = self._consent.now
        if not self.is_founder or holding is None:
            return
        for key in holding.contradicted:
            self._restarts[key] = self._restarts.get(key, 0) + 1
        if any(self._restarts[key] <= MOST_RESTARTS for key in holding.contradicted):
            self.change(holding.list.guests)

    def change(self, guests: tuple[Guest, ...]) -> None:
        """Sign a list of these guests under the next number and send it to them."""
        if self.now is not None:
            number = max(self.now.number + 1, self._next_number)
            self.keep(replace(self.now, guests=guests, number=number).signed(self.key))
            self.send_list()

    def send_list(self) -> None:
        if self.now is not None:
            for guest in self.now.guests:
                if guest.key in self.linked:
                    self.send(guest.key, self.now)

    def _answer(self, peer: bytes, message: LobbyMessage | None) -> None:
        if message is not None:
            self.send(peer, message)

    # A member's side

    def send_join(self) -> None:
        """Ask the founder for a seat, or for another seat."""
        if self.founder in self.linked:
            self.send(self.founder, Join(self.nick, self.requested_seat, self.bot))

    def on_passphrase(self, peer: bytes, message: Locked | Unlocked) -> None:
        """Answer the founder's question for the passphrase, or check its proof that it knows the
        passphrase."""
        if peer != self.founder or self.now is not None or self.is_turned_away:
            return
        try:
            if isinstance(message, Unlocked):
                self._visitor.check_founder(message)
            else:
                self.send(peer, self._visitor.answer(peer, message))
        except WrongPassphrase as wrong:
            self.turn_away(str(wrong))
        except Refused:
            self.turn_away(NO_EXCHANGE)
            raise

    def on_full(self, peer: bytes, why: str) -> None:
        """Leave: the founder has no seat for this player."""
        if peer == self.founder:
            self.turn_away(f"{TURNED_AWAY} {why}")

    def on_list(self, peer: bytes, message: Seated, now: float) -> bool:
        """Take a list that the founder signed, from any peer. Of two lists the one with the higher
        number counts.

        Return whether this node accepts another list than before."""
        here = self.now
        if peer == self.founder:
            if not self._visitor.is_founder_trusted:
                if not self._visitor.has_answered:
                    self.turn_away(NOT_THE_TABLE)
                return False
        elif here is None or message.opening != here.opening or message.digest == here.digest:
            return False
        if self.founder is None or message.guests[0].key != self.founder:
            raise Refused(
                "W11", "this list of players does not begin with the player who opened the table"
            )
        if not message.is_signed_by(self.founder):
            raise Refused(
                "W21", "this list of players is not signed by the player who opened the table"
            )
        if here is not None and message.opening == here.opening:
            if message.number == here.number and message.digest != here.digest:
                self._report_two_lists(here, message)
            if message.number < here.number:
                return False
        if message.is_complete and not any(g.key == self.key.public for g in message.guests):
            self.turn_away(FULL)
        if here is not None and not is_same_game(here, message):
            self.turn_away(OTHER_GAME)
        if self.is_turned_away or not self.has_true_names(message):
            return False
        if (here is None or message.digest != here.digest) and not self._list_limit.take(now):
            return False
        self.keep(message)
        self.close_seat_request()
        return here is None or message.digest != here.digest

    def _report_two_lists(self, one: Seated, other: Seated) -> None:
        """Report that the founder has signed two different lists under one number. Every guest of
        either list gets both, so that a guest with only one of them finds the same fault."""
        for guest in {guest.key for guest in (*one.guests, *other.guests)} & set(self.linked):
            self.send(guest, one)
            self.send(guest, other)
        self.turn_away(TWO_LISTS.format(founder=one.guests[0].nick))

    def has_true_names(self, here: Seated) -> bool:
        """Whether every guest has the name of its handshake; if not, this player leaves the
        gathering. Checked again when all guests are linked, before anything is signed."""
        try:
            check_guest_names(here, self._handshake_names)
            check_bot_marks(here, self.key.public, self.bot)
        except Refused as refused:
            self.turn_away(FALSE_LIST.format(why=refused.finding.sentence))
            return False
        return True

    def pass_on(self, shown: Collection[bytes]) -> None:
        """Send the list to every guest except those that have ``shown`` that they hold it."""
        if self.now is None or self.is_founder:
            return
        for key in self.members:
            if key in self.linked and key not in shown:
                self.send(key, self.now)

    def _emit_members(self) -> None:
        if self.now is not None:
            here = self.now
            nicks = tuple(guest.nick for guest in here.in_seats)
            at = tuple(guest.seat for guest in here.in_seats if guest.seat is not None)
            owners = bot_owners(here.in_seats)
            self._out.emit(events.Members(nicks, here.rules.seats, at, owners, here.dealer))
