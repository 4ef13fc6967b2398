"""The list of a table that gathers: its founder changes it, the others believe it.

Owns who is on the list and on which seat, who comes onto it and leaves it, and which list a
member believes (SPEC.md, "Gathering"). When a message is said again, and how a complete list
becomes an agreement, is meeting.py's; who may enter at all is admission.py's.
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
from p2p304.table.gathering.list_changes import Pace, is_same_game
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
from p2p304.table.gathering.seating import free_seats, moved, seat_of, welcomed
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.table.transition.successor import Ending
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

FULL = "This table is full: look for another one."
TURNED_AWAY = "The player who opened this table turned you away:"
FALSE_LIST = "You have left this table: {why}. Look for another one, or ask who opened it."
LOOKS_ALIKE = (
    "Your name looks like that of {alike}, who sits at this table: choose another name "
    "(--nick) and come again."
)
MOST_ANEW = 2
"""How often a list is begun anew because one member has pledged twice."""
FORGOTTEN = 1 << 16
"""A founder that comes back by its journal may have numbered so many lists since."""
PUT_OUT = "The table goes on without you, and lets you in again after a minute."
TWO_LISTS = (
    "{founder}, who opened this table, has signed two different lists of its players: that is "
    "cheating, or one identity that is used on two machines. Look for another table."
)
OTHER_GAME = (
    "You have left this table: the player who opened it has changed its rules, the number of hands "
    "or who may watch after you had come. Join again if you want to play so."
)


class GuestList:
    """The list as one node holds it: `now`, or None before there is one."""

    def __init__(
        self,
        key: SigningKey,
        nick: str,
        door: FounderAdmission,
        visitor: VisitorAdmission,
        consent: Consent,
        out: Outbox[Event],
    ) -> None:
        self.key, self.nick = key, nick
        self.now: Seated | None = None
        self.founder: bytes | None = None
        self.linked: dict[bytes, tuple[str, int]] = {}
        """Where each linked peer listens."""
        self.watch = ""
        """Before `found`: whether spectators are let in (terms.WATCH)."""
        self.bot: BotMark | None = None
        """Before `found` or a join: that a program plays here, and whose."""
        self.wish: int | None = None
        """The seat that this player would like, until it is had or cannot be."""
        self.before: Ending | None = None
        """How the table ended that this one goes on from."""
        self.is_turned_away = False
        self._given: dict[bytes, str] = {key.public: nick}
        """The nickname that each key gave in its handshake, this node's own too."""
        self._door, self._visitor, self._consent, self._out = door, visitor, consent, out
        self._next_number = 0
        self._anew: dict[bytes, int] = {}
        self._lists = Pace()
        self._moves: dict[bytes, Pace] = {}
        self._dialled: set[bytes] = set()
        """Guests of lists whom this node has been told to dial."""

    @property
    def is_founder(self) -> bool:
        return self.founder == self.key.public

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return () if self.now is None else tuple(guest.key for guest in self.now.guests)

    @property
    def parts(self) -> tuple[object, ...]:
        """What handling a message changes."""
        return (self, self._lists, *self._moves.values())

    def resume(self, begin: BeginRecord) -> None:
        """Go on with the list that this node had signed."""
        here = begin.list
        self.now, self.founder = here, here.guests[0].key
        self.bot = next((g.bot for g in here.guests if g.key == self.key.public), None)
        self._next_number = here.number + FORGOTTEN

    def keep(self, here: Seated) -> None:
        """This is the list of now."""
        changed = self.now is None or here.digest != self.now.digest
        self.now = here
        self._consent.turn_to(here)
        if changed:
            self._forget_dials()
            self._tell()

    def settle_wish(self) -> None:
        """A wish ends when this player has the seat, or cannot have it any more."""
        here, wish = self.now, self.wish
        if here is None or wish is None:
            return
        had = seat_of(here, self.key.public) == wish
        if not had and not here.complete and wish in free_seats(here):
            return
        self.wish = None
        if not had:
            self._out.emit(events.NoSeat(wish, here.rules.seats, here.chosen))

    def turn_away(self, why: str) -> None:
        """Told once: whatever the founder says afterwards, this gathering is over for us."""
        if not self.is_turned_away:
            self.is_turned_away = True
            self._out.emit(events.TurnedAway(why))

    def send(self, peer: bytes | None, message: LobbyMessage) -> None:
        self._out.send_to(peer, FrameKind.LOBBY, lobby_bytes(message))

    # Links

    def link_up(self, peer: bytes, nick: str, host: str, port: int) -> None:
        self.linked[peer], self._given[peer] = (host, port), nick

    def link_down(self, peer: bytes, now: float) -> None:
        """A visitor who is gone before this node has signed gives the seat back. Afterwards the
        table may have begun elsewhere: everybody is waited for."""
        self.linked.pop(peer, None)
        self._given.pop(peer, None)
        self._door.left(peer, now)
        self._moves.pop(peer, None)
        self._forget_dials()
        here = self.now
        if here is None or self._consent.has_signed:
            return
        if self.is_founder and any(g.key == peer for g in here.guests):
            self.change(tuple(g for g in here.guests if g.key != peer))
        elif peer == self.founder and not here.complete:
            self.turn_away("The player who opened this table has left: look for another one.")

    def dial(self, guest: Guest) -> None:
        """Reach for a guest of the list who is not linked."""
        self._dialled.add(guest.key)
        self._out.dial(guest.key, guest.host, guest.port)

    def _forget_dials(self) -> None:
        """Whoever is on no list of now is not dialled any more, or a founder that invents guests
        could make its visitors dial the whole network."""
        for key in self._dialled - self._consent.guests - set(self.linked):
            self._dialled.discard(key)
            self._out.hang_up(key, "not on the list any more")

    # The founder's side

    def found(self, opening: bytes, name: str, rules: Options, hands: int) -> None:
        """Begin the list, with this node alone on it."""
        me = Guest(self.key.public, self.nick, "", 0, bot=self.bot)
        self.founder = self.key.public
        after = None if self.before is None else self.before.after
        here = Seated(opening, name, rules, hands, (), self.watch, after)
        self.keep(replace(here, guests=welcomed(here, me, self.wish)).signed(self.key))
        self.settle_wish()

    def on_join(self, peer: bytes, join: Join, now: float) -> None:
        """Somebody asks for a seat, for another one, or whether this founder still knows it."""
        here, nick = self.now, join.nick
        if here is None or peer not in self.linked:
            return
        check_visitor(peer, join, self._given[peer])
        if self._door.is_barred(peer, now):
            self.send(peer, Full(PUT_OUT))
            return
        self._answer(peer, self._door.proof_for(peer))
        alike = name_alike(here, peer, nick)
        if alike is not None and self._door.is_unlocked_for(peer):
            self.send(peer, Full(LOOKS_ALIKE.format(alike=alike)))
            return
        stays = self.before is not None and peer in self.before.stay
        if not here.complete and not stays and not self._door.may_enter(peer):
            waits = peer in self._door.waiting
            self._answer(peer, self._door.knock(peer, nick, self.linked[peer][0], now))
            if peer in self._door.waiting and not waits:
                self._out.emit(events.JoinRequest(nick, peer))
            return
        if any(guest.key == peer for guest in here.guests):
            if self.before or join.seat is None or not self._may_move(peer, join.seat, now):
                self.send(peer, here)
            return
        seat = join.seat if self.before is None else self.before.seat_of(peer)
        if here.complete or (self.before is not None and seat not in free_seats(here)):
            self.send(peer, Full(FULL))
        else:
            host, port = self.linked[peer]
            if not self._door.may_come(peer, host, now):
                self.send(peer, Full(TOO_MANY))
                return
            self.change(welcomed(here, Guest(peer, nick, host, port, bot=join.bot), seat))

    def on_key(self, peer: bytes, key: Key) -> None:
        """A visitor's try of the passphrase."""
        self._answer(peer, self._door.try_key(peer, key))

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """The founder's word about a visitor who asked for a seat (`events.Knock`)."""
        self._door.decide(visitor, welcome)
        if not welcome:
            self.send(visitor, Full(REFUSED))

    def put_out(self, guest: bytes, now: float) -> None:
        """Do without a guest, whose key is not let in again at once."""
        if self.now is not None:
            self._door.bar(guest, now)
            self.send(guest, Full(PUT_OUT))
            self.change(tuple(one for one in self.now.guests if one.key != guest))

    def move(self, guest: bytes, seat: int) -> bool:
        """A guest to another seat, if it is free; everybody is told."""
        guests = moved(self.now, guest, seat) if self.now is not None else None
        if guests is not None:
            self.change(guests)
        return guests is not None

    def _may_move(self, guest: bytes, seat: int, now: float) -> bool:
        """The same for a guest that asks, who may not flood the others by it."""
        if self.now is None or seat not in free_seats(self.now):
            return False
        return self._moves.setdefault(guest, Pace()).takes(now) and self.move(guest, seat)

    def begin_anew(self) -> None:
        """Whoever was restarted before it signed has forgotten its pledge: under a new number of
        the list everybody pledges anew. Not again and again for the same one."""
        holding = self._consent.now
        if not self.is_founder or holding is None:
            return
        for key in holding.contradicted:
            self._anew[key] = self._anew.get(key, 0) + 1
        if any(self._anew[key] <= MOST_ANEW for key in holding.contradicted):
            self.change(holding.list.guests)

    def change(self, guests: tuple[Guest, ...]) -> None:
        """Sign a list of these guests under the next number, and tell them."""
        if self.now is not None:
            number = max(self.now.number + 1, self._next_number)
            self.keep(replace(self.now, guests=guests, number=number).signed(self.key))
            self.tell_members()

    def tell_members(self) -> None:
        if self.now is not None:
            for guest in self.now.guests:
                if guest.key in self.linked:
                    self.send(guest.key, self.now)

    def _answer(self, peer: bytes, message: LobbyMessage | None) -> None:
        if message is not None:
            self.send(peer, message)

    # A member's side

    def ask(self) -> None:
        """Ask the founder for a seat, or for another one."""
        if self.founder in self.linked:
            self.send(self.founder, Join(self.nick, self.wish, self.bot))

    def on_passphrase(self, peer: bytes, message: Locked | Unlocked) -> None:
        """The founder asks for the passphrase, or has proven that it knows it."""
        if peer != self.founder or self.now is not None or self.is_turned_away:
            return
        try:
            if isinstance(message, Unlocked):
                self._visitor.believe(message)
            else:
                self.send(peer, self._visitor.answer(peer, message))
        except WrongPassphrase as wrong:
            self.turn_away(str(wrong))
        except Refused:
            self.turn_away(NO_EXCHANGE)
            raise

    def on_full(self, peer: bytes, why: str) -> None:
        """The founder has no seat for this player."""
        if peer == self.founder:
            self.turn_away(f"{TURNED_AWAY} {why}")

    def on_list(self, peer: bytes, message: Seated, now: float) -> bool:
        """A list by its founder, from whomever: of two the one with the higher number counts.
        Tells whether this node believes another list than before."""
        here = self.now
        if peer == self.founder:
            if not self._visitor.may_believe:
                if not self._visitor.is_asked:
                    self.turn_away(NOT_THE_TABLE)
                return False
        elif here is None or message.opening != here.opening or message.digest == here.digest:
            return False
        if self.founder is None or message.guests[0].key != self.founder:
            raise Refused("W11", "this list of a table does not begin with who keeps it")
        if not message.is_signed_by(self.founder):
            raise Refused("W21", "this list is not signed by the player who opened the table")
        if here is not None and message.opening == here.opening:
            if message.number == here.number and message.digest != here.digest:
                self._two_lists(here, message)
            if message.number < here.number:
                return False
        if message.complete and not any(g.key == self.key.public for g in message.guests):
            self.turn_away(FULL)
        if here is not None and not is_same_game(here, message):
            self.turn_away(OTHER_GAME)
        if self.is_turned_away or not self.names_are_true(message):
            return False
        if (here is None or message.digest != here.digest) and not self._lists.takes(now):
            return False
        self.keep(message)
        self.settle_wish()
        return here is None or message.digest != here.digest

    def _two_lists(self, one: Seated, other: Seated) -> None:
        """The founder has signed two different lists under one number. Both are shown to every
        guest of either, so that whoever holds one of them finds the same."""
        for guest in {guest.key for guest in (*one.guests, *other.guests)} & set(self.linked):
            self.send(guest, one)
            self.send(guest, other)
        self.turn_away(TWO_LISTS.format(founder=one.guests[0].nick))

    def names_are_true(self, here: Seated) -> bool:
        """Whether everybody on the list has the name of their handshake; else this player leaves
        the gathering. Asked for again once everybody is linked, before anything is signed."""
        try:
            check_guest_names(here, self._given)
            check_bot_marks(here, self.key.public, self.bot)
        except Refused as refused:
            self.turn_away(FALSE_LIST.format(why=refused.finding.sentence))
            return False
        return True

    def pass_on(self, shown: Collection[bytes]) -> None:
        """Show the list to every guest but those who have ``shown`` that they hold the same."""
        if self.now is None or self.is_founder:
            return
        for key in self.members:
            if key in self.linked and key not in shown:
                self.send(key, self.now)

    def _tell(self) -> None:
        if self.now is not None:
            here = self.now
            nicks = tuple(guest.nick for guest in here.in_seats)
            at = tuple(guest.seat for guest in here.in_seats if guest.seat is not None)
            owners = bot_owners(here.in_seats)
            self._out.emit(events.Members(nicks, here.rules.seats, at, owners, here.dealer))
