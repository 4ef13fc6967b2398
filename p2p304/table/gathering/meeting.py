"""Gathering without I/O: from a founder and visitors to an agreement that all of them have signed.

Responsible for which node sends what until the agreement, and when (SPEC.md, "Gathering"). The list
is guest_list.py's, the founder's answers are seat_requests.py's, what a member accepts is
list_acceptance.py's, the steps from a complete list to an agreement are consent.py's, and the
reasons for a wait are waiting.py's. There is no host: the founder only keeps the list. Every member
links with every other member, pledges a nonce and signs the terms. Each message is repeated until
it has had its effect, so loss costs only time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from p2p304.crypto.rng import SEED_BYTES, Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say, verbatim
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Terms, check_length
from p2p304.table.evidence.left_draws import check_draw
from p2p304.table.gathering.admission import FounderAdmission, VisitorAdmission
from p2p304.table.gathering.consent import Consent
from p2p304.table.gathering.exchange.begin_record import BeginRecord
from p2p304.table.gathering.exchange.messages import (
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
from p2p304.table.gathering.guest_list import GuestList
from p2p304.table.gathering.list_acceptance import ListAcceptance
from p2p304.table.gathering.seat_requests import SeatRequests
from p2p304.table.gathering.waiting import ReportClock, waiting_players
from p2p304.table.player.keyring import Secrets
from p2p304.table.state.events import Event
from p2p304.table.state.gathering_events import GatherWait, WaitReason
from p2p304.table.transition.successor import Ending, check_continues
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Outbox, WithOutbox

REPEAT = 1.0
"""Seconds after which a message without effect is sent again."""
SIGNED_ENOUGH = say(
    "The player who opened this table changed its players too often. Choose another table."
)


class Meeting(WithOutbox[Event]):
    """One node's part in gathering. Drain `effects` and `events`; `agreement` ends it."""

    def __init__(self, key: SigningKey, nick: str, rng: Rng, now: float) -> None:
        self.key, self.nick, self.rng = key, nick, rng
        self.agreement: Agreement | None = None
        self.terms: Terms | None = None
        self._out = Outbox[Event]()
        self.consent = Consent(key, self._out)
        self.admission = FounderAdmission(key.public, rng.child(b"door"))
        self.visitor = VisitorAdmission(key.public, rng.child(b"visitor"))
        self.guests = GuestList(key, nick, self.consent, self._out)
        self._requests = SeatRequests(self.guests, self.admission, self._out)
        self.guests.may_read = self._requests.may_read
        self._acceptance = ListAcceptance(self.guests, self.visitor)
        self.early_leavers: Mapping[bytes, str | None] = {}
        """Players with whom this node agrees to no draw of seats (left_draws.py)."""
        self.is_resumed = False
        """Whether this node was started again after it had signed, before entry 0 of the table."""
        self._seeds: dict[bytes, bytes] = {}
        self._last_sent: ListHoldings | None = None
        self._clock = ReportClock(now)
        self._awaited: Seated | None = None
        """The complete list since which this founder waits for its guests."""
        self._next_repeat = now

    def resume(self, begin: BeginRecord, agreement: Agreement | None, secrets: Secrets) -> None:
        """Continue where a journal ends: this node has signed, and perhaps all have."""
        self.guests.resume(begin, self.rng.child(b"opening").bytes(OPENING))
        self.consent.resume(begin, agreement)
        if agreement is None:
            self._seeds[begin.list.digest], self.is_resumed = secrets.seed, True
        else:
            self.agreement, self.terms = agreement, begin.terms

    # In

    def found(self, name: str, rules: Options, hands: int) -> None:
        """Open a table whose list this node keeps; raises Refused A02 if it could never end."""
        check_length(rules, hands)
        self.guests.found(self.rng.child(b"opening").bytes(OPENING), name, rules, hands)

    def join(self, founder: bytes, now: float) -> None:
        """Ask the linked founder for a seat."""
        self.guests.founder = founder
        self._next_repeat = now
        self._clock.begin(now)
        self.handle_timer(now)

    def successor(self, table: bytes, now: float) -> Meeting:
        """Return the next meeting of this player, who goes on after ``table`` with the same links
        and the same wishes about visitors."""
        after = Meeting(self.key, self.nick, self.rng.child(b"goes on", table), now)
        here, before = after.admission, self.admission
        here.passphrase, here.asks_founder = before.passphrase, before.asks_founder
        here.is_known, after.guests.bot = before.is_known, self.guests.bot
        for peer, (host, port) in self.guests.linked.items():
            after.link_up(peer, self.guests.handshake_names[peer], host, port, now)
        return after

    def continue_table(self, previous: Ending, now: float) -> None:
        """Gather for the table that continues an ended one. All players keep their seats. The first
        player who stays keeps the list; the others join it, and anybody may take the empty seat."""
        self.guests.previous, self.guests.watch = previous, previous.watch
        self.guests.requested_seat = previous.seat_of(self.key.public)
        if self.key.public == previous.stay[0]:
            self.found(previous.name, previous.rules, previous.hands)
        else:
            self.join(previous.stay[0], now)

    def choose(self, seat: int, now: float) -> None:
        """Request a seat (`gathering_events.NoSeat` if the player cannot have it).

        Raises LookupError if the table has no such seat, or if its list is complete."""
        current = self.list
        may_choose = current is not None and not current.is_complete and not current.after
        if current is None or not may_choose or not 0 <= seat < current.rules.seats:
            raise LookupError("you can't choose this seat now")
        self.guests.requested_seat = seat
        if self.is_founder:
            self._requests.move(self.key.public, seat)
        self.guests.close_seat_request()
        self._next_repeat = now
        self.handle_timer(now)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        """Take a new link. ``nick`` is the name in the peer's handshake."""
        self.guests.link_up(peer, nick, host, port)
        self._next_repeat = now
        if self.agreement is not None and peer in self.members:
            self._send_holdings(peer)  # it may gather still, without a signature that came here

    def link_down(self, peer: bytes, now: float, said: bool = False) -> None:
        """Record a lost link, and whether the player had ``said`` that it leaves."""
        self._requests.on_link_down(peer, now)
        self._acceptance.on_link_down(peer, said)
        self.guests.link_down(peer, said)

    @property
    def parts(self) -> tuple[object, ...]:
        """The objects that a message may change here, for the error boundary."""
        return (
            self,
            self._out,
            self.admission,
            self.visitor,
            self._clock,
            self.guests,
            *self._requests.parts,
            *self._acceptance.parts,
            *self.consent.parts,
        )

    def receive(self, peer: bytes, payload: bytes, now: float) -> None:
        """Take one message; raises Refused W06 for malformed bytes."""
        message = parse_lobby(payload)
        match message:
            case Join() if self.is_founder:
                self._requests.on_join(peer, message, now)
            case Key() if self.is_founder:
                self._requests.on_key(peer, message)
            case Locked() | Unlocked():
                self._acceptance.on_passphrase(peer, message)
            case Seated() if not self._is_over:
                if self._acceptance.on_list(peer, message, now):
                    self._clock.begin(now)
            case Full(why=why) if not self._is_over:
                self._acceptance.on_full(peer, why)
            case ListHoldings():
                self._take_holdings(peer, message, now)
        self._advance(now)

    def _take_holdings(self, peer: bytes, held: ListHoldings, now: float) -> None:
        """Take what a player holds of a list, and answer if the player lacks something."""
        had_begun = self.agreement is not None
        is_known = self.consent.take(peer, held)
        self._advance(now)  # with this the table may begin, under a former list too
        has_begun = self.agreement is not None
        lacks_some = not has_begun or not all(held.assents)
        if self.is_founder and lacks_some:
            self._requests.on_holdings(peer, is_known, has_begun, now)
        if had_begun and lacks_some and (peer in self.members or not self.is_founder):
            self._send_holdings(peer)

    def handle_timer(self, now: float) -> None:
        """Repeat every message that has not had its effect."""
        if now < self._next_repeat or self._is_over:
            return
        self._next_repeat = now + REPEAT
        current = self.list
        self._begin_wait(now)
        notice = self._clock.take_notice(now, self._waits(), self.is_founder)
        if notice is not None:
            self._out.emit(notice)
        if current is None or self.key.public not in self.members:
            self.guests.send_join()
            return
        if self.guests.requested_seat is not None:
            self.guests.send_join()
        if self.is_founder:
            self.guests.send_list()
        self._advance(now)
        if current.is_complete:
            self._send_holdings(None)
            holding = self.consent.current
            if not self.is_founder:
                self.guests.send_list(() if holding is None else holding.lacks)

    def next_timeout(self) -> float | None:
        return None if self._is_over else self._next_repeat

    @property
    def _is_over(self) -> bool:
        return self.agreement is not None or self.guests.is_turned_away

    # Out

    @property
    def list(self) -> Seated | None:
        """The current list."""
        return self.guests.current

    @property
    def founder(self) -> bytes | None:
        return self.guests.founder

    @property
    def is_founder(self) -> bool:
        return self.guests.is_founder

    @property
    def signed(self) -> Terms | None:
        """The last terms that this node signed. Its journal begins with them."""
        return self.consent.signed

    @property
    def members(self) -> tuple[bytes, ...]:
        """The identity keys on the list."""
        return self.guests.members

    def addresses(self) -> Iterator[tuple[bytes, str, int]]:
        """The addresses at which the other guests say that they listen."""
        for guest in () if self.list is None else self.list.guests:
            if guest.host and guest.key != self.key.public:
                yield guest.key, guest.host, guest.port

    def take_secrets(self, table: bytes) -> Secrets:
        """Return the secrets of the agreed table and forget them here. Only the table has them
        afterwards, so what it erases is gone."""
        secrets = Secrets(self._seed, table)
        self._seeds.clear()
        self.rng = self.rng.child(b"after", table)
        return secrets

    @property
    def _seed(self) -> bytes:
        """The seed of the secrets of the table that this list would become."""
        digest = self.list.digest if self.list is not None else b""
        if digest not in self._seeds:
            self._seeds[digest] = self.rng.child(b"table", digest).bytes(SEED_BYTES)
        return self._seeds[digest]

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """Record the founder's decision about a visitor who asked for a seat
        (`gathering_events.JoinRequest`)."""
        self._requests.decide(visitor, welcome)

    # Towards the agreement

    def _advance(self, now: float) -> None:
        if self._is_over:
            return
        if self.list is not None and self.list.is_complete:
            self._pledge_and_sign(self.list, now)
        agreement = self.consent.agreement()  # of a former list too, while the new one gathers
        if agreement is not None and self.consent.agreed is not None:
            self.guests.keep(self.consent.agreed.list)
            self.agreement, self.terms = agreement, self.consent.signed
        if self.list is None or not self.list.is_complete:
            return
        if self.consent.message(self.guests.linked) != self._last_sent:
            self._send_holdings(None)
        if not self._is_over:
            self._requests.restart_list(self.consent.current)

    def _pledge_and_sign(self, current: Seated, now: float) -> None:
        """Dial the guests of a complete list; when all are linked, pledge, and sign what follows
        from everybody's pledges."""
        self._begin_wait(now)
        linked = self.guests.linked
        others = [key for key in self.members if key != self.key.public]
        earlier = self.members.index(self.key.public)
        for guest in current.guests[: len(current.guests) if self._clock.is_long(now) else earlier]:
            if guest.key in others and guest.key not in linked and guest.host:
                self.guests.dial(guest)
        if all(key in linked for key in others) and self.guests.has_true_names(current):
            self.consent.pledge(lambda: Secrets(self._seed).nonce)
            self._sign()

    def _begin_wait(self, now: float) -> None:
        """Begin the founder's wait anew where the list has become complete, or another one."""
        is_waiting = self.is_founder and self.list is not None and self.list.is_complete
        if is_waiting and self.list is not self._awaited:
            self._awaited = self.list
            self._clock.begin(now)

    def _sign(self) -> None:
        terms = self.consent.terms_to_sign()
        if terms is None:
            return
        if self.consent.has_signed_enough and not self.is_founder:
            self.guests.turn_away(SIGNED_ENOUGH)
            return
        if self.guests.previous is not None or self.early_leavers:
            try:
                check_draw(terms, self.early_leavers)
                if self.guests.previous is not None:
                    check_continues(self.guests.previous, terms)
            except Refused as refused:
                sentence = refused.finding.sentence
                self.guests.turn_away(verbatim(f"{sentence[:1].upper()}{sentence[1:]}."))
                return
        self.consent.sign(self._seed)

    def _send_holdings(self, peer: bytes | None) -> None:
        """Send what this member holds to one guest, or to all."""
        if peer is None:
            self._last_sent = self.consent.message(self.guests.linked)
        for key in self.members if peer is None else (peer,):
            held = self.consent.message(self.guests.linked, key)
            if key != self.key.public and held is not None:
                self.guests.send(key, held)

    # Reasons for a wait

    def _waits(self) -> tuple[GatherWait, ...]:
        current, holding, founder = self.list, self.consent.current, self.founder
        if current is None and founder is not None:
            return (GatherWait("", founder, WaitReason.NO_ANSWER),)
        if current is None or holding is None or not current.is_complete:
            return ()
        others = [key for key in self.members if self.consent.has_shown_unknown_list(key)]
        return waiting_players(holding, self.key.public, self.guests.linked, others)

    def go_on_without(self, guest: bytes, now: float) -> None:
        """Remove a guest for which the table has waited for long. Its key is not admitted again at
        once.

        Raises NotNow if the guest may not be removed."""
        has_stayed = self.guests.previous is not None and guest in self.guests.previous.stay
        is_awaited = self._clock.is_long(now) and any(one.key == guest for one in self._waits())
        may_remove = self.is_founder and guest != self.key.public
        if self.list is None or not may_remove or self._is_over or has_stayed or not is_awaited:
            raise NotNow(
                say(
                    "You can't continue without that player. Only the player who opened the table "
                    "can, and only without a player who is late."
                )
            )
        self._clock.begin(now)
        self._requests.remove_guest(guest, now)
