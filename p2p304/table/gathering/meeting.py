"""Gathering without I/O: from a founder and visitors to an agreement that all have signed.

Owns who sends what until then, and when (SPEC.md, "Gathering"). There is no host: the founder
only keeps the list (guest_list.py); every member links with every other, pledges a nonce and
signs the terms. Every message is repeated until it has had its effect, so that loss costs time
and nothing else. How a complete list becomes an agreement is consent.py's, for whom one waits
waiting.py's.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.crypto.rng import SEED_BYTES, Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Terms, check_length
from p2p304.table.evidence.left_draws import check_draw
from p2p304.table.gathering.admission import FounderAdmission, VisitorAdmission
from p2p304.table.gathering.begin_record import BeginRecord
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.guest_list import GuestList
from p2p304.table.gathering.messages import (
    OPENING,
    Full,
    Join,
    Key,
    ListHoldings,
    Locked,
    Seated,
    Unlocked,
    parse_lobby,
)
from p2p304.table.gathering.waiting import WaitClock, waits
from p2p304.table.player.keyring import Secrets
from p2p304.table.state.events import Event, GatherWait, Why
from p2p304.table.transition.successor import Ending, check_continues
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Effect
from p2p304.wire.outbox import Outbox

REPEAT = 1.0
"""Seconds after which a message that has had no effect yet is sent again."""
SIGNED_ENOUGH = (
    "The player who opened this table has changed its players again and again after you had "
    "signed: look for another table."
)


class Meeting:
    """One node's part in gathering. Drain `effects` and `events`; `agreement` ends it."""

    def __init__(self, key: SigningKey, nick: str, rng: Rng, now: float) -> None:
        self.key, self.nick, self.rng = key, nick, rng
        self.agreement: Agreement | None = None
        self.terms: Terms | None = None
        self._out = Outbox[Event]()
        self.consent = Consent(key, self._out)
        self.door = FounderAdmission(key.public, rng.child(b"door"))
        self.visitor = VisitorAdmission(key.public, rng.child(b"visitor"))
        self.guests = GuestList(key, nick, self.door, self.visitor, self.consent, self._out)
        self.early_leavers: frozenset[bytes] = frozenset()
        """Players with whom this node agrees to no draw of seats (left_draws.py)."""
        self._seeds: dict[bytes, bytes] = {}
        self._shown: ListHoldings | None = None
        self._clock = WaitClock(now)
        self._long = False
        self._next = now

    def resume(self, begin: BeginRecord, agreement: Agreement | None, secrets: Secrets) -> None:
        """Go on where a journal breaks off: signed, and perhaps agreed by all."""
        self.guests.resume(begin)
        if agreement is None:
            self._seeds[begin.list.digest] = secrets.seed
        self.consent.resume(begin)
        if agreement is not None:
            self.agreement, self.terms = agreement, begin.terms

    # In

    def found(self, name: str, rules: Options, hands: int) -> None:
        """Open a table: this node keeps the list. Raises Refused A02 if it could never end."""
        check_length(rules, hands)
        self.guests.found(self.rng.child(b"opening").bytes(OPENING), name, rules, hands)

    def join(self, founder: bytes, now: float) -> None:
        """Ask the linked founder for a seat."""
        self.guests.founder = founder
        self._next = now
        self._clock.begin(now)
        self.handle_timer(now)

    def go_on_from(self, before: Ending, now: float) -> None:
        """Gather anew after an ended table: everybody on the seat of before; the first of those
        who stay keeps the list, the others come by themselves, anybody takes the empty seat."""
        self.guests.before, self.guests.watch = before, before.watch
        self.guests.wish = before.seat_of(self.key.public)
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
        self.guests.wish = seat
        if self.is_founder:
            self.guests.move(self.key.public, seat)
        self.guests.settle_wish()
        self._next = now
        self.handle_timer(now)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        """``nick``: as the peer's handshake says."""
        self.guests.link_up(peer, nick, host, port)
        self._next = now

    def link_down(self, peer: bytes, now: float) -> None:
        self.guests.link_down(peer, now)

    @property
    def parts(self) -> tuple[object, ...]:
        """All that a message may change here, for the error boundary."""
        return (
            self,
            self._out,
            self.door,
            self.visitor,
            self._clock,
            *self.guests.parts,
            *self.consent.parts,
        )

    def receive(self, peer: bytes, payload: bytes, now: float) -> None:
        """Take one message; raises Refused W06 for malformed bytes."""
        message = parse_lobby(payload)
        match message:
            case Join() if self.is_founder:
                self.guests.on_join(peer, message, now)
            case Key() if self.is_founder:
                self.guests.on_key(peer, message)
            case Locked() | Unlocked():
                self.guests.on_passphrase(peer, message)
            case Seated() if not self._is_over:
                if self.guests.on_list(peer, message, now):
                    self._clock.begin(now)
            case Full(why=why) if not self._is_over:
                self.guests.on_full(peer, why)
            case ListHoldings():
                self._on_held(peer, message)
        self._go_on()

    def handle_timer(self, now: float) -> None:
        """Say again whatever has not had its effect."""
        if now < self._next or self._is_over:
            return
        self._next = now + REPEAT
        here = self.list
        self._say_waits(now)
        if here is None or self.key.public not in self.members:
            self.guests.ask()
            return
        if self.guests.wish is not None:
            self.guests.ask()
        if self.is_founder:
            self.guests.tell_members()
        self._go_on()
        if here.complete:
            self._show(None)
            self.guests.pass_on(self.consent.now.lacks if self.consent.now is not None else {})

    def next_timeout(self) -> float | None:
        return None if self._is_over else self._next

    @property
    def _is_over(self) -> bool:
        return self.agreement is not None or self.guests.is_turned_away

    # Out

    def effects(self) -> list[Effect]:
        return self._out.effects()

    def events(self) -> list[Event]:
        return self._out.events()

    @property
    def list(self) -> Seated | None:
        """The list of now."""
        return self.guests.now

    @property
    def founder(self) -> bytes | None:
        return self.guests.founder

    @property
    def is_founder(self) -> bool:
        return self.guests.is_founder

    @property
    def signed(self) -> Terms | None:
        """The last terms that this node signed: its journal begins with them."""
        return self.consent.signed

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return self.guests.members

    def addresses(self) -> Iterator[tuple[bytes, str, int]]:
        """Where the others on the list said that they listen."""
        for guest in () if self.list is None else self.list.guests:
            if guest.host and guest.key != self.key.public:
                yield guest.key, guest.host, guest.port

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

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """The founder's word about a visitor who asked for a seat (`events.Knock`)."""
        self.guests.decide(visitor, welcome)

    # Towards the agreement

    def _go_on(self) -> None:
        here = self.list
        if here is None or not here.complete or self._is_over:
            return
        linked = self.guests.linked
        others = [key for key in self.members if key != self.key.public]
        earlier = self.members.index(self.key.public)
        for guest in here.guests[: len(here.guests) if self._long else earlier]:
            if guest.key in others and guest.key not in linked and guest.host:
                self.guests.dial(guest)
        if all(key in linked for key in others) and self.guests.names_are_true(here):
            self.consent.pledge(lambda: Secrets(self._seed).nonce)
            self._sign()
        self._agree()
        if self.consent.message(self.guests.linked) != self._shown:
            self._show(None)
        if not self._is_over:
            self.guests.begin_anew()

    def _sign(self) -> None:
        terms = self.consent.may_sign()
        if terms is None:
            return
        if self.consent.has_signed_enough and not self.is_founder:
            self.guests.turn_away(SIGNED_ENOUGH)
            return
        if self.guests.before is not None or self.early_leavers:
            try:
                check_draw(terms, self.early_leavers)
                if self.guests.before is not None:
                    check_continues(self.guests.before, terms)
            except Refused as refused:
                self.guests.turn_away(
                    f"{refused.finding.sentence[:1].upper()}{refused.finding.sentence[1:]}."
                )
                return
        self.consent.sign(self._seed)

    def _agree(self) -> None:
        agreement = self.consent.agreement()
        if agreement is not None and self.consent.agreed is not None:
            self.guests.keep(self.consent.agreed.list)
            self.agreement, self.terms = agreement, self.consent.signed

    def _on_held(self, peer: bytes, held: ListHoldings) -> None:
        known = self.consent.take(peer, held)
        if self.agreement is not None and not all(held.assents):
            self._show(peer)
        elif not known and self.is_founder and self.list is not None:
            # Signed with this founder before it stopped, and lost everything.
            self.guests.send(peer, self.list)

    def _show(self, peer: bytes | None) -> None:
        """What this member holds, for one guest or for all."""
        held = self.consent.message(self.guests.linked)
        if held is None:
            return
        self._shown = held if peer is None else self._shown
        for key in self.members if peer is None else (peer,):
            if key != self.key.public:
                self.guests.send(key, held)

    # For whom one waits

    def _say_waits(self, now: float) -> None:
        """After a few seconds everybody reads for whom the table waits, and why."""
        self._long = self._clock.is_long(now)
        told = self._clock.tell(now, self._waits(), self.is_founder)
        if told is not None:
            self._out.emit(told)

    def _waits(self) -> tuple[GatherWait, ...]:
        here, holding, founder = self.list, self.consent.now, self.founder
        if here is None and founder is not None:
            return (GatherWait("", founder, Why.NO_ANSWER),)
        if here is None or holding is None or not here.complete:
            return ()
        others = [key for key in self.members if self.consent.shows_another(key)]
        return waits(holding, self.key.public, self.guests.linked, others)

    def go_on_without(self, guest: bytes, now: float) -> None:
        """The founder puts somebody out of the list for whom the table has waited long; the key
        is not let in again at once. Raises LookupError where that cannot be."""
        stays = self.guests.before is not None and guest in self.guests.before.stay
        waited = self._clock.is_long(now) and any(one.key == guest for one in self._waits())
        mine = self.is_founder and guest != self.key.public
        if self.list is None or not mine or self._is_over or stays or not waited:
            raise LookupError("the table does not wait for this player, or cannot do without")
        self._clock.begin(now)
        self.guests.put_out(guest, now)
