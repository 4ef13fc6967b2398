"""Gathering without I/O: from a founder and visitors to an agreement that all have signed.

Owns who sends what until then (SPEC.md, "Gathering"). There is no host: the founder only keeps
the list; every member links with every other, pledges a nonce and signs the terms. Every
message is repeated until it has had its effect, so that loss costs time and nothing else. How
a complete list becomes an agreement is consent.py's, for whom one waits waits.py's.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.rng import SEED_BYTES, Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.options import Options
from p2p304.table import events
from p2p304.table.bot_mark import BotMark, bot_owners
from p2p304.table.choosing import free_seats, moved, seat_of, welcomed
from p2p304.table.comeback import Begin
from p2p304.table.consent import Consent
from p2p304.table.continuing import Ending, check_continues
from p2p304.table.door import NO_EXCHANGE, NOT_THE_TABLE, REFUSED, TOO_MANY, Door, Visitor
from p2p304.table.events import Event, GatherWait, Why
from p2p304.table.guest_names import check_bot_marks, check_guest_names, name_alike
from p2p304.table.keyring import Secrets
from p2p304.table.left_draws import check_draw
from p2p304.table.lobby import (
    OPENING,
    Full,
    Guest,
    Held,
    Join,
    Key,
    LobbyMessage,
    Locked,
    Seated,
    Unlocked,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.passphrase import WrongPassphrase
from p2p304.table.terms import Terms, check_length
from p2p304.table.waits import WaitClock, waits
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

FULL = "This table is full: look for another one."
TURNED_AWAY = "The player who opened this table turned you away:"
FALSE_LIST = "You have left this table: {why}. Look for another one, or ask who opened it."
LOOKS_ALIKE = (
    "Your name looks like that of {alike}, who sits at this table: choose another name "
    "(--nick) and come again."
)
REPEAT = 1.0
"""Seconds after which a message that has had no effect yet is sent again."""
MOST_ANEW = 2
"""How often a list is begun anew because one member has pledged twice."""
FORGOTTEN = 1 << 16
"""A founder that comes back by its journal may have numbered so many lists since."""
PUT_OUT = "The table goes on without you, and lets you in again after a minute."
TWO_LISTS = (
    "{founder}, who opened this table, has signed two different lists of its players: that is "
    "cheating, or one identity that is used on two machines. Look for another table."
)
SIGNED_ENOUGH = (
    "The player who opened this table has changed its players again and again after you had "
    "signed: look for another table."
)


class Meeting:
    """One node's part in gathering. Drain `effects` and `events`; `agreement` ends it."""

    def __init__(self, key: SigningKey, nick: str, rng: Rng, now: float) -> None:
        self.key, self.nick, self.rng = key, nick, rng
        self.list: Seated | None = None
        self.founder: bytes | None = None
        self.agreement: Agreement | None = None
        self.terms: Terms | None = None
        self._linked: dict[bytes, tuple[str, int]] = {}
        self._given: dict[bytes, str] = {key.public: nick}
        """The nickname that each key gave in its handshake, this node's own too."""
        self._out = Outbox[Event]()
        self.consent = Consent(key, self._out)
        self._shown: Held | None = None
        self._clock = WaitClock(now)
        self._long = False
        self._next = now
        self._turned_away = False
        self.watch = ""
        """Before `found`: whether spectators are let in (terms.WATCH)."""
        self.bot: BotMark | None = None
        """Before `found` or `join`: that a program plays here, and whose."""
        self.wish: int | None = None
        """The seat that this player would like, until it is had or cannot be."""
        self._seeds: dict[bytes, bytes] = {}
        self.door = Door(key.public, rng.child(b"door"))
        self.visitor = Visitor(key.public, rng.child(b"visitor"))
        self.early_leavers: frozenset[bytes] = frozenset()
        """Players with whom this node agrees to no draw of seats (left_draws.py)."""
        self.before: Ending | None = None
        """How the table ended that this one goes on from."""
        self._next_number = 0
        self._anew: dict[bytes, int] = {}

    def resume(self, begin: Begin, agreement: Agreement | None, secrets: Secrets) -> None:
        """Go on where a journal breaks off: signed, and perhaps agreed by all."""
        here = begin.list
        self.list, self.founder = here, here.guests[0].key
        self.bot = next((g.bot for g in here.guests if g.key == self.key.public), None)
        self._next_number = here.number + FORGOTTEN
        if agreement is None:
            self._seeds[here.digest] = secrets.seed
        self.consent.resume(begin)
        if agreement is not None:
            self.agreement, self.terms = agreement, begin.terms

    # In

    def found(self, name: str, rules: Options, hands: int) -> None:
        """Open a table: this node keeps the list. Raises Refused A02 if it could never end."""
        check_length(rules, hands)
        opening = self.rng.child(b"opening").bytes(OPENING)
        me = Guest(self.key.public, self.nick, "", 0, bot=self.bot)
        self.founder = self.key.public
        after = None if self.before is None else self.before.after
        here = Seated(opening, name, rules, hands, (), self.watch, after)
        self._keep(replace(here, guests=welcomed(here, me, self.wish)).signed(self.key))
        self._settle_wish()

    def join(self, founder: bytes, now: float) -> None:
        """Ask the linked founder for a seat."""
        self.founder = founder
        self._next = now
        self._clock.begin(now)
        self.tick(now)

    def go_on_from(self, before: Ending, now: float) -> None:
        """Gather anew after an ended table: everybody on the seat of before; the first of those
        who stay keeps the list, the others come by themselves, anybody takes the empty seat."""
        self.before, self.watch = before, before.watch
        self.wish = before.seat_of(self.key.public)
        if self.key.public == before.stay[0]:
            self.found(before.name, before.rules, before.hands)
        else:
            self.join(before.stay[0], now)

    def choose(self, seat: int, now: float) -> None:
        """Wish for a seat (`events.NoSeat` if it cannot be had); raises LookupError where there
        is none of that number, or all have sat down."""
        here = self.list
        if here is None or here.complete or here.after or not 0 <= seat < here.rules.seats:
            raise LookupError("this seat cannot be chosen now")
        self.wish = seat
        if self.is_founder:
            self._move(self.key.public, seat)
        self._settle_wish()
        self._next = now
        self.tick(now)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        """``nick``: as the peer's handshake says."""
        self._linked[peer], self._given[peer] = (host, port), nick
        self._next = now

    def link_down(self, peer: bytes, now: float) -> None:
        """A visitor who is gone before this node has signed gives the seat back. Afterwards the
        table may have begun elsewhere: everybody is waited for."""
        self._linked.pop(peer, None)
        self._given.pop(peer, None)
        self.door.left(peer, now)
        here = self.list
        if here is None or self.consent.has_signed:
            return
        if self.is_founder and any(g.key == peer for g in here.guests):
            self._change(tuple(g for g in here.guests if g.key != peer))
        elif peer == self.founder and not here.complete:
            self._turn_away("The player who opened this table has left: look for another one.")

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a message may change here, for the error boundary."""
        return (self, self._out, self.door, self.visitor, self._clock, *self.consent.parts)

    def receive(self, peer: bytes, payload: bytes, now: float) -> None:
        """Take one message; raises Refused W06 for malformed bytes."""
        message = parse_lobby(payload)
        match message:
            case Join() if self.is_founder:
                self._on_join(peer, message, now)
            case Key() if self.is_founder:
                self._answer(peer, self.door.try_key(peer, message))
            case Locked() | Unlocked() if self._is_asked_by(peer):
                self._at_the_door(peer, message)
            case Seated() if not self._is_over:
                self._on_list(peer, message, now)
            case Full(why=why) if peer == self.founder and not self._is_over:
                self._turn_away(f"{TURNED_AWAY} {why}")
            case Held():
                self._on_held(peer, message)
        self._go_on()

    def tick(self, now: float) -> None:
        """Say again whatever has not had its effect."""
        if now < self._next or self._is_over:
            return
        self._next = now + REPEAT
        here = self.list
        self._say_waits(now)
        if here is None or not any(g.key == self.key.public for g in here.guests):
            if self.founder in self._linked:
                self._send(self.founder, Join(self.nick, self.wish, self.bot))
            return
        if self.wish is not None and self.founder in self._linked:
            self._send(self.founder, Join(self.nick, self.wish, self.bot))
        if self.is_founder:
            self._tell_members()
        self._go_on()
        if here.complete:
            self._show(None)
            self._pass_on_list(here)

    def wake_at(self) -> float | None:
        return None if self._is_over else self._next

    @property
    def _is_over(self) -> bool:
        return self.agreement is not None or self._turned_away

    # Out

    def effects(self) -> list[Effect]:
        return self._out.effects()

    def events(self) -> list[Event]:
        return self._out.events()

    @property
    def is_founder(self) -> bool:
        return self.founder == self.key.public

    @property
    def signed(self) -> Terms | None:
        """The last terms that this node signed: its journal begins with them."""
        return self.consent.signed

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return () if self.list is None else tuple(guest.key for guest in self.list.guests)

    def addresses(self) -> list[tuple[bytes, str, int]]:
        """Where the others on the list said that they listen."""
        guests = () if self.list is None else self.list.guests
        return [(g.key, g.host, g.port) for g in guests if g.host and g.key != self.key.public]

    def hand_over(self, table: bytes) -> Secrets:
        """The secrets of the table that has been agreed on. From here on the table alone has
        them, so that what it erases is gone."""
        secrets = Secrets(self._seed, table)
        self._seeds.clear()
        self.rng = self.rng.child(b"after", table)
        return secrets

    @property
    def _seed(self) -> bytes:
        """What the secrets of the table that this list would become derive from."""
        here = self.list.digest if self.list is not None else b""
        if here not in self._seeds:
            self._seeds[here] = self.rng.child(b"table", here).bytes(SEED_BYTES)
        return self._seeds[here]

    # The founder's list

    def _on_join(self, peer: bytes, join: Join, now: float) -> None:
        here, nick = self.list, join.nick
        if here is None or peer not in self._linked:
            return
        if nick != self._given[peer]:
            raise Refused("W31", f"who joins as {nick} is {self._given[peer]}")
        if self.door.is_barred(peer, now):
            self._send(peer, Full(PUT_OUT))
            return
        self._answer(peer, self.door.proof_for(peer))
        alike = name_alike(here, peer, nick)
        if alike is not None:
            self._send(peer, Full(LOOKS_ALIKE.format(alike=alike)))
            return
        stays = self.before is not None and peer in self.before.stay
        if not here.complete and not stays and not self.door.may_enter(peer):
            waits = peer in self.door.waiting
            self._answer(peer, self.door.knock(peer, nick, self._linked[peer][0], now))
            if peer in self.door.waiting and not waits:
                self._out.tell(events.Knock(nick, peer))
            return
        if any(guest.key == peer for guest in here.guests):
            if self.before or join.seat is None or not self._move(peer, join.seat):
                self._send(peer, here)
            return
        seat = join.seat if self.before is None else self.before.seat_of(peer)
        if here.complete or (self.before is not None and seat not in free_seats(here)):
            self._send(peer, Full(FULL))
        else:
            host, port = self._linked[peer]
            if not self.door.may_come(peer, host, now):
                self._send(peer, Full(TOO_MANY))
                return
            self._change(welcomed(here, Guest(peer, nick, host, port, bot=join.bot), seat))

    def _move(self, guest: bytes, seat: int) -> bool:
        """A guest to another seat, if it is free; everybody is told."""
        guests = moved(self.list, guest, seat) if self.list is not None else None
        if guests is not None:
            self._change(guests)
        return guests is not None

    def _settle_wish(self) -> None:
        """A wish ends when this player has the seat, or cannot have it any more."""
        here, wish = self.list, self.wish
        if here is None or wish is None:
            return
        had = seat_of(here, self.key.public) == wish
        if not had and not here.complete and wish in free_seats(here):
            return
        self.wish = None
        if not had:
            self._out.tell(events.NoSeat(wish, here.rules.seats, here.chosen))

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """The founder's word about a visitor who asked for a seat (`events.Knock`)."""
        self.door.decide(visitor, welcome)
        if not welcome:
            self._send(visitor, Full(REFUSED))

    def _answer(self, peer: bytes, message: LobbyMessage | None) -> None:
        if message is not None:
            self._send(peer, message)

    def _is_asked_by(self, peer: bytes) -> bool:
        return peer == self.founder and self.list is None and not self._turned_away

    def _at_the_door(self, founder: bytes, message: Locked | Unlocked) -> None:
        try:
            if isinstance(message, Unlocked):
                self.visitor.believe(message)
            else:
                self._send(founder, self.visitor.answer(founder, message))
        except WrongPassphrase as wrong:
            self._turn_away(str(wrong))
        except Refused:
            self._turn_away(NO_EXCHANGE)
            raise

    def _change(self, guests: tuple[Guest, ...]) -> None:
        if self.list is not None:
            number = max(self.list.number + 1, self._next_number)
            self._keep(replace(self.list, guests=guests, number=number).signed(self.key))
            self._tell_members()

    def _keep(self, here: Seated) -> None:
        """This is the list of now."""
        changed = self.list is None or here.digest != self.list.digest
        self.list = here
        self.consent.turn_to(here)
        if changed:
            self._tell()

    def _tell_members(self) -> None:
        if self.list is not None:
            for guest in self.list.guests:
                if guest.key in self._linked:
                    self._send(guest.key, self.list)

    def _on_list(self, peer: bytes, message: Seated, now: float) -> None:
        """A list by its founder, from whomever: of two the one with the higher number counts."""
        here = self.list
        if peer == self.founder:
            if not self.visitor.may_believe:
                if not self.visitor.is_asked:
                    self._turn_away(NOT_THE_TABLE)
                return
        elif here is None or message.opening != here.opening or message.digest == here.digest:
            return
        if self.founder is None or message.guests[0].key != self.founder:
            raise Refused("W11", "this list of a table does not begin with who keeps it")
        if not message.is_signed_by(self.founder):
            raise Refused("W21", "this list is not signed by the player who opened the table")
        if here is not None and message.opening == here.opening:
            if message.number == here.number and message.digest != here.digest:
                self._two_lists(here, message)
            if message.number < here.number:
                return
        if message.complete and not any(g.key == self.key.public for g in message.guests):
            self._turn_away(FULL)
        if self._is_over or not self._names_are_true(message):
            return
        if here is None or message.digest != here.digest:
            self._clock.begin(now)
        self._keep(message)
        self._settle_wish()

    def _two_lists(self, one: Seated, other: Seated) -> None:
        """The founder has signed two different lists under one number. Both are shown to every
        guest of either, so that whoever holds one of them finds the same."""
        for guest in {guest.key for guest in (*one.guests, *other.guests)} & set(self._linked):
            self._send(guest, one)
            self._send(guest, other)
        self._turn_away(TWO_LISTS.format(founder=one.guests[0].nick))

    def _pass_on_list(self, here: Seated) -> None:
        """Show the list to every guest that has not shown that it holds the same."""
        shown = self.consent.now.lacks if self.consent.now is not None else {}
        for key in self.members:
            if key in self._linked and key not in shown and not self.is_founder:
                self._send(key, here)

    def _names_are_true(self, here: Seated) -> bool:
        """Whether everybody on the list has the name of their handshake; else this player leaves
        the gathering. Asked for again once everybody is linked, before anything is signed."""
        try:
            check_guest_names(here, self._given)
            check_bot_marks(here, self.key.public, self.bot)
        except Refused as refused:
            self._turn_away(FALSE_LIST.format(why=refused.finding.sentence))
            return False
        return True

    def _tell(self) -> None:
        if self.list is not None:
            here = self.list
            nicks = tuple(guest.nick for guest in here.in_seats)
            at = tuple(guest.seat for guest in here.in_seats if guest.seat is not None)
            owners = bot_owners(here.in_seats)
            self._out.tell(events.Members(nicks, here.rules.seats, at, owners))

    def _turn_away(self, why: str) -> None:
        """Told once: whatever the founder says afterwards, this gathering is over for us."""
        if not self._turned_away:
            self._turned_away = True
            self._out.tell(events.TurnedAway(why))

    # Towards the agreement

    def _go_on(self) -> None:
        here = self.list
        if here is None or not here.complete or self.agreement or self._turned_away:
            return
        others = [key for key in self.members if key != self.key.public]
        earlier = self.members.index(self.key.public)
        for guest in here.guests[: len(here.guests) if self._long else earlier]:
            if guest.key in others and guest.key not in self._linked and guest.host:
                self._out.dial(guest.key, guest.host, guest.port)
        linked = all(key in self._linked for key in others)
        if linked and self._names_are_true(here):
            self.consent.pledge(lambda: Secrets(self._seed).nonce)
            self._sign()
        self._agree()
        if self.consent.message(self._linked) != self._shown:
            self._show(None)
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Whoever was restarted before it signed has forgotten its pledge: under a new number of
        the list everybody pledges anew. Not again and again for the same one."""
        holding = self.consent.now
        if not self.is_founder or self._is_over or holding is None:
            return
        for key in holding.contradicted:
            self._anew[key] = self._anew.get(key, 0) + 1
        if any(self._anew[key] <= MOST_ANEW for key in holding.contradicted):
            self._change(holding.list.guests)

    def _sign(self) -> None:
        terms = self.consent.may_sign()
        if terms is None:
            return
        if self.consent.has_signed_enough and not self.is_founder:
            self._turn_away(SIGNED_ENOUGH)
            return
        if self.before is not None or self.early_leavers:
            try:
                check_draw(terms, self.early_leavers)
                if self.before is not None:
                    check_continues(self.before, terms)
            except Refused as refused:
                self._turn_away(
                    f"{refused.finding.sentence[:1].upper()}{refused.finding.sentence[1:]}."
                )
                return
        self.consent.sign(self._seed)

    def _agree(self) -> None:
        agreement = self.consent.agreement()
        if agreement is not None and self.consent.agreed is not None:
            self._keep(self.consent.agreed.list)
            self.agreement, self.terms = agreement, self.consent.signed

    def _on_held(self, peer: bytes, held: Held) -> None:
        known = self.consent.take(peer, held)
        if self.agreement is not None and not all(held.assents):
            self._show(peer)
        elif not known and self.is_founder and self.list is not None:
            # Signed with this founder before it stopped, and lost everything.
            self._send(peer, self.list)

    def _show(self, peer: bytes | None) -> None:
        """What this member holds, for one guest or for all."""
        held = self.consent.message(self._linked)
        if held is None:
            return
        self._shown = held if peer is None else self._shown
        for key in self.members if peer is None else (peer,):
            if key != self.key.public:
                self._send(key, held)

    # For whom one waits

    def _say_waits(self, now: float) -> None:
        """After a few seconds everybody reads for whom the table waits, and why."""
        self._long = self._clock.is_long(now)
        told = self._clock.tell(now, self._waits(), self.is_founder)
        if told is not None:
            self._out.tell(told)

    def _waits(self) -> tuple[GatherWait, ...]:
        here, holding, founder = self.list, self.consent.now, self.founder
        if here is None and founder is not None:
            return (GatherWait("", founder, Why.NO_ANSWER),)
        if here is None or holding is None or not here.complete:
            return ()
        others = [key for key in self.members if self.consent.shows_another(key)]
        return waits(holding, self.key.public, self._linked, others)

    def go_on_without(self, guest: bytes, now: float) -> None:
        """The founder puts somebody out of the list for whom the table has waited long; the key
        is not let in again at once. Raises LookupError where that cannot be."""
        stays = self.before is not None and guest in self.before.stay
        waited = self._clock.is_long(now) and any(one.key == guest for one in self._waits())
        mine = self.is_founder and guest != self.key.public
        if self.list is None or not mine or self._is_over or stays or not waited:
            raise LookupError("the table does not wait for this player, or cannot do without")
        self.door.bar(guest, now)
        self._send(guest, Full(PUT_OUT))
        self._clock.begin(now)
        self._change(tuple(one for one in self.list.guests if one.key != guest))

    def _send(self, peer: bytes | None, message: LobbyMessage) -> None:
        self._out.send_to(peer, FrameKind.LOBBY, lobby_bytes(message))
