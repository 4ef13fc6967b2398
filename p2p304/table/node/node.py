"""A whole node without I/O: gathers, then sits at the table.

Owns the passage from the meeting to the table, and early messages for it. The driver in net/
feeds it; shells call `act` and `ready` and read its events.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import parse_entry
from p2p304.log.faults import Refused
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Terms, not_agreed
from p2p304.table.exchange.chat import ChatLimit, parse_talk, talk_bytes
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import TableJournal
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.node.absence import Leaving
from p2p304.table.node.notices import Notices
from p2p304.table.node.spectators import Spectators
from p2p304.table.node.table_machine import Member, TableMachine
from p2p304.table.player.keyring import NotSecrets, Secrets
from p2p304.table.player.pending_claim import Search
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.transition.step import read_body
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

IDLE = 15.0
"""Seconds after which a link that serves no table is closed."""
ASKS_NOTHING = "you have asked for nothing here that is open to you"
WISHED_AGAIN = 2.0
"""Seconds after which a bot is told the same wish to part again."""
MAX_EARLY = 16
"""Table messages of each member kept while this node's own agreement is not complete."""
EARLY_KINDS = (FrameKind.ENTRY, FrameKind.RECEIPT, FrameKind.SYNC, FrameKind.EVIDENCE)
THINKING = 2.0
"""Seconds after a trick in which a player whose side has won every trick may call Caps."""


class Node:
    """One player's node. ``patient``: a new deal waits until the player is `ready`."""

    def __init__(
        self, key: SigningKey, nick: str, rng: Rng, now: float, patient: bool = False
    ) -> None:
        self.key = key
        self.table: TableMachine | None = None
        self.meeting = Meeting(key, nick, rng, now)
        self._patient = patient
        self._leaving: Leaving | None = None
        self._gallery: Spectators | None = None
        self._early: list[tuple[bytes, FrameKind, bytes]] = []
        self._out = Outbox[Event]()
        self._of_members, self._of_strangers, self._now = Notices(), Notices(), now
        self._idle: dict[bytes, float] = {}
        self._ear = ChatLimit()
        self._links: dict[bytes, tuple[str, str, int]] = {}
        self._resumed = False
        """Whether this node was started for a table that it had signed for, before its entry 0."""
        self._ended: list[Leaving] = []
        """Tables of this node that were ended and went on without somebody."""

    @classmethod
    def resume(
        cls,
        key: SigningKey,
        memory: TableJournal,
        secrets: bytes | None,
        now: float,
        patient: bool = False,
        parting: Sequence[bytes] = (),
    ) -> tuple[Node, tuple[PublicEvent, ...]]:
        """A node that goes on where its journal breaks off, and what had happened until then.

        ``secrets`` is the record of them (`Secrets.record`), None if it is gone. Raises Refused
        if the journal is not sound, ValueError if it is another player's, or its secrets are not
        those that it needs.
        """
        begin = memory.begin
        table = begin.terms.table
        kept = Secrets.erased(table) if secrets is None else Secrets.parse(secrets, table)
        nick = begin.terms.players[begin.terms.keys.index(key.public)].nick
        node = cls(key, nick, Rng.system(), now, patient)
        if not memory.past:
            if kept.is_erased or kept.number:
                raise NotSecrets("the secrets that it needs are gone")
            node.meeting.resume(begin, None, kept)
            node._resumed = True
            return node, ()
        agreement = read_body(parse_entry(memory.past[0].entry).entry)
        if not isinstance(agreement, Agreement):
            raise not_agreed("a table begins with its agreement")
        node.meeting.resume(begin, agreement, kept)
        node.table = node._seat(begin.terms, now, kept)
        node._leave.restore(parting, now)
        told = node.table.restore(memory.past, now, node._leave.parting.certificate)
        node._leave.moved_on(now)
        return node, told

    # What a player does

    def found(self, name: str, rules: Options, hands: int) -> None:
        """Open a table of this name; ``hands`` 0 plays a match."""
        self.meeting.found(name, rules, hands)

    def join(self, founder: bytes, now: float) -> None:
        """Ask the founder, who must be linked, for a seat."""
        self.meeting.join(founder, now)

    def act(self, action: Action, now: float) -> None:
        """Choose at the table; raises RuleBroken or LookupError as `TableMachine.act`."""
        if self.table is None:
            raise LookupError("the table has not begun")
        if self._leave.bound:
            raise LookupError("the table is being ended")
        if self._leave.held:
            raise LookupError("you are ready to go on without a player: the others must answer")
        self.table.act(action, now)

    def ready(self, now: float) -> None:
        if self.table is not None and not self._leave.bound:
            self.table.ready(now)

    def say(self, text: str) -> None:
        """Say something to all at the table; LookupError while a hand is on, ValueError for
        text that cannot be shown."""
        if not self.may_talk:
            raise LookupError("talk is for between hands")
        raw = talk_bytes(text)
        for key in self._nicks():
            if key != self.key.public:
                self._out.send_to(key, FrameKind.TALK, raw)
        self._out.emit(events.Said(self.meeting.nick, raw.decode()))

    @property
    def may_talk(self) -> bool:
        """No hand is being dealt or played here, or the rules let players talk at any time."""
        state = None if self.table is None else self.table.state
        if state is not None and state.terms.rules.chat == "open":
            return True
        return state is None or (state.deal is None and state.hand is None)

    @property
    def table_id(self) -> bytes | None:
        """The table that this node has signed for, which names its journal."""
        signed = self.meeting.signed
        return None if signed is None else signed.table

    def admits(self, dialer: bytes) -> bool:
        """Whether this node says who it is to somebody who dialled: to all while it gathers or
        where spectators are let in, else to players of its tables only."""
        if self.table is None or self.table.terms.watch:
            return True
        earlier = [gone.table.terms.keys for gone in self._ended]
        return any(dialer in keys for keys in (self.table.terms.keys, *earlier))

    @property
    def finished(self) -> bool:
        return self.table is not None and self.table.finished

    # The machine that the driver feeds

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        self._now = now
        if kind is FrameKind.LOBBY:
            self._on_lobby(peer, payload, now)
        elif kind is FrameKind.TALK:
            self._on_talk(peer, payload, now)
        elif kind is FrameKind.SYNC and (gone := self._ended_without(peer)) is not None:
            gone.table.receive(peer, kind, payload, now)
        elif self.table is None:
            self._keep_early(peer, kind, payload)
        elif kind is FrameKind.PART:
            self._on_part(peer, payload, now)
        elif kind is FrameKind.WATCH:
            self._on_watch(peer, payload)
        elif peer in self.table.terms.keys:
            leave = self._leave
            self._handle(peer, kind, payload, leave.parts, lambda: leave.hear(kind, payload))
            self.table.receive(peer, kind, payload, now)
            leave.moved_on(now)

    def _keep_early(self, peer: bytes, kind: FrameKind, payload: bytes) -> None:
        """A member that has everybody's assent already may be at the table. Each has room of its
        own, so that nobody displaces what another has sent."""
        kept = sum(sender == peer for sender, _, _ in self._early)
        if kind in EARLY_KINDS and peer in self.meeting.members and kept < MAX_EARLY:
            self._early.append((peer, kind, payload))

    def part(self, now: float) -> None:
        """This player is ready to end the table without the one who is gone; LookupError if
        nobody has been gone for long enough."""
        self._leave.wish(now)

    def give_up(self, now: float) -> None:
        """This player leaves, whether or not the table is over."""
        if self.table is not None:
            self.table.give_up(now)

    @property
    def goes_on(self) -> bool:
        """The table was ended without somebody else, and its rules give the seat away."""
        left = None if self.table is None else self.table.replica.ending
        return left is not None and self.key.public in left.stay

    def go_on(self, now: float) -> None:
        """Gather for the table that goes on from the one that was ended."""
        table, old = self.table, self.meeting
        if table is None or table.replica.ending is None or not self.goes_on:
            raise LookupError("no table was ended that goes on")
        self._out.pass_on([*self._leave.effects(), *table.effects()])
        self._ended.append(self._leave)
        rng = old.rng.child(b"goes on", table.chain.table)
        self.meeting = meeting = Meeting(self.key, old.nick, rng, now)
        meeting.admission.passphrase, meeting.admission.asks_founder = (
            old.admission.passphrase,
            old.admission.asks_founder,
        )
        meeting.guests.bot = old.guests.bot
        meeting.admission.is_known = old.admission.is_known
        self.table = self._leaving = self._gallery = None
        for peer, (nick, host, port) in self._links.items():
            meeting.link_up(peer, nick, host, port, now)
        meeting.continue_table(table.replica.ending, now)

    def _ended_without(self, peer: bytes) -> Leaving | None:
        """The table that was ended without this peer, who is no member of the one since."""
        if peer in self._nicks():
            return None
        gone = [one for one in self._ended if peer in one.table.terms.keys]
        return gone[-1] if gone else None

    def _on_watch(self, peer: bytes, payload: bytes) -> None:
        gallery = self._gallery
        if gallery is not None and peer not in self._nicks():
            gallery.look()
            self._handle(
                peer,
                FrameKind.WATCH,
                payload,
                gallery.parts,
                lambda: gallery.receive(peer, payload),
            )

    def _on_part(self, peer: bytes, payload: bytes, now: float) -> None:
        leave = self._leave
        self._handle(
            peer, FrameKind.PART, payload, leave.parts, lambda: leave.receive(payload, now)
        )
        leave.moved_on(now)

    def _handle(
        self,
        peer: bytes,
        kind: FrameKind,
        payload: bytes,
        parts: Iterable[object],
        handler: Callable[[], None],
    ) -> None:
        """Handle a message that the table itself does not; what is refused cuts the link."""
        try:
            handle_message(kind, payload, self._out, parts, handler)
        except Refused as refused:
            self._refuse(peer, kind, refused)

    def _refuse(self, peer: bytes, kind: FrameKind, refused: Refused) -> None:
        if self.table is not None and peer in self.table.terms.keys:
            self.table.refuse(refused, peer)
            return
        unforeseen = refused.finding.check == "W12"
        if unforeseen or kind in (FrameKind.LOBBY, FrameKind.TALK):
            self._out.emit(events.Fault(refused.finding, None, None, peer))
        if not unforeseen:
            self._out.hang_up(peer, refused.finding.sentence)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        self._links[peer] = (nick, host, port)
        self._idle[peer] = now
        self.meeting.link_up(peer, nick, host, port, now)
        for ended in self._ended:
            ended.back(peer)
        if self.table is not None and peer in self.table.terms.keys:
            self.table.link_up(peer, now)
            self._leave.back(peer)
        self.handle_timer(now)

    def link_down(self, peer: bytes, now: float) -> None:
        self._links.pop(peer, None)
        self._idle.pop(peer, None)
        self.meeting.link_down(peer, now)
        if self.table is not None:
            self.table.link_down(peer, now)
            self._leave.gone(peer, now)
        if self._gallery is not None:
            self._gallery.left(peer)

    def handle_timer(self, now: float) -> None:
        self._now = now
        self._close_idle(now)
        self.meeting.handle_timer(now)
        self._sit_down(now)
        if self.table is not None:
            self._leave.handle_timer(now)
            self.table.handle_timer(now)

    def _close_idle(self, now: float) -> None:
        """A link that serves nothing is closed after a while, so that others find a place."""
        for peer, since in list(self._idle.items()):
            if self._has_purpose(peer):
                self._idle[peer] = now
            elif now - since >= IDLE:
                del self._idle[peer]
                self._out.hang_up(peer, ASKS_NOTHING)

    def _has_purpose(self, peer: bytes) -> bool:
        """Whether this link serves a table: a member's, the founder's, a visitor's who waits, a
        spectator's, or one of whoever was at a table that was ended."""
        meeting = self.meeting
        if peer in self._nicks() or peer == meeting.founder or meeting.admission.is_waiting(peer):
            return True
        watches = self._gallery is not None and self._gallery.has(peer)
        return watches or self._ended_without(peer) is not None

    @property
    def search(self) -> Search | None:
        """A search for a call of Caps that is to run elsewhere, or None; `take_search_result`
        takes what came of it."""
        if self.table is None:
            return None
        self.table.searched_elsewhere = True
        return self.table.search

    def take_search_result(self, place: int, order: tuple[Card, ...] | None, now: float) -> None:
        if self.table is not None:
            self.table.take_search_result(place, order, now)

    def next_timeout(self) -> float | None:
        if self.table is None:
            return self.meeting.next_timeout()
        at, leave = self.table.next_timeout(), self._leave.next_timeout()
        return at if leave == math.inf else leave if at is None else min(at, leave)

    def effects(self) -> list[Effect]:
        drained = [*self._out.effects(), *self.meeting.effects()]
        for gone in self._ended:
            drained += [*gone.effects(), *gone.table.effects()]
        if self.table is not None:
            drained += [*self._leave.effects(), *self.table.effects()]
        if self._gallery is not None:
            self._gallery.look()
            drained += self._gallery.effects()
        return drained

    def events(self) -> list[Event]:
        drained = [*self._out.events(), *self.meeting.events()]
        if self.table is not None:
            drained += [*self.table.events(), *self._leave.events()]
        told = [event for event in drained if self._is_new(event)]
        times = self._of_members.left_out(self._now) + self._of_strangers.left_out(self._now)
        return [*told, events.LeftOut(times)] if times else told

    def _is_new(self, event: Event) -> bool:
        """What a peer's messages bring about is told once. A bot acts on the wish to part, so it
        hears it again now and then."""
        match event:
            case events.Fault(finding=finding, nick=None, peer=peer) if peer in self._nicks():
                return self._of_members.takes((peer, finding.check), self._now)
            case events.Fault(finding=finding, nick=None, peer=peer):
                return self._of_strangers.takes((peer, finding.check, finding.sentence), self._now)
            case events.PartingWished() | events.PartingRefused():
                again = float("inf") if self._patient else WISHED_AGAIN
                return self._of_members.takes(event, self._now, again)
        return True

    def _nicks(self) -> dict[bytes, str]:
        """Everybody at this table by key, this node's own player too."""
        here = self.meeting.list
        guests = {} if here is None else {guest.key: guest.nick for guest in here.guests}
        players = () if self.table is None else self.table.terms.players
        return {**guests, **{player.key: player.nick for player in players}}

    def _on_talk(self, peer: bytes, payload: bytes, now: float) -> None:
        """Heard between hands only; what comes meanwhile is dropped."""
        nick = self._nicks().get(peer)
        if nick is None or not self.may_talk or not self._ear.take(peer, now):
            return
        self._handle(
            peer,
            FrameKind.TALK,
            payload,
            (),
            lambda: self._out.emit(events.Said(nick, parse_talk(payload))),
        )

    def _on_lobby(self, peer: bytes, payload: bytes, now: float) -> None:
        meeting = self.meeting
        self._handle(
            peer,
            FrameKind.LOBBY,
            payload,
            meeting.parts,
            lambda: meeting.receive(peer, payload, now),
        )
        self._sit_down(now)

    def _sit_down(self, now: float) -> None:
        """Everybody has signed: the table begins; the founder writes its first entry."""
        meeting = self.meeting
        if self.table is not None or meeting.agreement is None or meeting.terms is None:
            return
        self.table = self._seat(meeting.terms, now, meeting.take_secrets(meeting.terms.table))
        if self._resumed:
            self.table.recover()
            self._resumed = False
        if self.table.me.player == 0:
            self.table.open(meeting.agreement, now)
        for peer, kind, payload in self._early:
            if peer in meeting.terms.keys:
                self.table.receive(peer, kind, payload, now)
        self._early = []

    def _seat(self, terms: Terms, now: float, secrets: Secrets) -> TableMachine:
        player = terms.keys.index(self.key.public)
        me = Member(self.key, player, secrets)
        person = self._patient
        pause = THINKING if person else 0.0
        table = TableMachine(terms, me, now, patient=person, pause=pause, calls=not person)
        self._leaving = Leaving(table)
        self._gallery = Spectators(table)
        return table

    @property
    def _leave(self) -> Leaving:
        if self._leaving is None:
            raise LookupError("the table has not begun")
        return self._leaving

    @property
    def parted(self) -> bool:
        """All but one have ended the table."""
        return self.table is not None and self.table.replica.is_ended
