"""A whole node without I/O: it gathers players, then plays at their table.

Responsible for the change from the meeting to the table, and for table messages that arrive early;
gathering is meeting.py's and the table is table_machine.py's. The driver in net/ feeds the node;
the user interface calls `act` and `ready` and reads its events.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import parse_entry
from p2p304.log.faults import Refused
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import english, say
from p2p304.rules.play.view import View
from p2p304.table.agreement.terms import Terms, not_agreed
from p2p304.table.exchange.chat import ChatLimit, chat_bytes, parse_chat
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import TableJournal
from p2p304.table.exchange.notes import MemberNotes
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.node.notices import Notices
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectators import Spectators
from p2p304.table.node.table_machine import TableMachine
from p2p304.table.player.keyring import Member, NotSecrets, Secrets
from p2p304.table.player.pending_claim import Search
from p2p304.table.player.preparation import Preparation
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.transition.step import read_body
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Effect
from p2p304.wire.framing import FrameKind
from p2p304.wire.outbox import Outbox

NOT_BEGUN = say("You can't do that now: the table has not begun.")
IDLE = 15.0
"""Seconds after which a link that serves no table is closed."""
NO_PURPOSE = english("you are not allowed to do this here")
PROPOSAL_INTERVAL = 2.0
"""Seconds after which a bot is told of the same proposal to part again."""
MAX_EARLY = 16
"""Table messages kept of each member until this node's own agreement is complete."""
EARLY_KINDS = (
    FrameKind.ENTRY,
    FrameKind.RECEIPT,
    FrameKind.SYNC,
    FrameKind.EVIDENCE,
    FrameKind.NOTE,
)
LEFT = 3.0
"""Seconds without a link after which the others are told that a player is gone."""
THINKING = 2.0
"""Seconds after a trick in which a player whose side has won every trick may call Caps."""


ReadTranscript = Callable[[bytes, int, int], bytes]
"""Returns so many bytes, from an offset on, of the transcript that was persisted of a table."""


class Node:
    """One player's node. If ``patient``, the next cards wait until the player is `ready`, and the
    player may cut the pack. With ``read``, settled places leave memory and are read again when
    needed; without it, a node keeps them."""

    def __init__(
        self,
        key: SigningKey,
        nick: str,
        rng: Rng,
        now: float,
        patient: bool = False,
        read: ReadTranscript | None = None,
    ) -> None:
        self.key = key
        self.table: TableMachine | None = None
        self.meeting = Meeting(key, nick, rng, now)
        self._patient, self._read = patient, read
        self._hint: Callable[[View], Action] | None = None
        self._absence_or_none: PlayerAbsence | None = None
        self._spectators: Spectators | None = None
        self._lost: dict[bytes, float] = {}
        """When the links of players of this table were lost."""
        self._told_until = now
        """The time up to which the player was told of lost links."""
        self._early_messages: list[tuple[bytes, FrameKind, bytes]] = []
        self._out = Outbox[Event]()
        self._notes = MemberNotes(self._out)
        self._member_notices, self._stranger_notices, self._now = Notices(), Notices(), now
        self._idle_since: dict[bytes, float] = {}
        self._chat_limit = ChatLimit()
        self._ended_tables: list[PlayerAbsence] = []
        """Tables of this node that were ended and continued without a player."""

    @classmethod
    def resume(
        cls,
        key: SigningKey,
        journal: TableJournal,
        secrets: bytes | None,
        now: float,
        patient: bool = False,
        parting: Sequence[bytes] = (),
        read: ReadTranscript | None = None,
    ) -> tuple[Node, tuple[PublicEvent, ...]]:
        """Resume a node from its journal; return it with what had happened until then.

        ``secrets`` is the record of the secrets (`Secrets.record`), None if it is gone. Raises
        Refused if the journal is not sound, and ValueError if it is another player's or the secrets
        do not fit it."""
        begin = journal.begin
        table = begin.terms.table
        kept = Secrets.erased(table) if secrets is None else Secrets.parse(secrets, table)
        nick = begin.terms.players[begin.terms.keys.index(key.public)].nick
        node = cls(key, nick, Rng.system(), now, patient, read)
        if not journal.past:
            if kept.is_erased or kept.number:
                raise NotSecrets("the secret keys that it needs are deleted")
            node.meeting.resume(begin, None, kept)
            return node, ()
        agreement = read_body(parse_entry(journal.past[0].entry).entry)
        if not isinstance(agreement, Agreement):
            raise not_agreed("a table begins with its agreement")
        node.meeting.resume(begin, agreement, kept)
        node.table = node._make_table(begin.terms, now, kept)
        node._absence.restore(parting)
        happened = node.table.restore(journal.past, now, node._absence.voter.certificate)
        node._absence.on_table_advanced(now)
        return node, happened

    # What a player does

    def act(self, action: Action, now: float) -> None:
        """Apply the player's choice; raises RuleBroken or NotNow as `TableMachine.act`
        does."""
        self._table_to_act().act(action, now)

    def cut(self, at: int | None, now: float) -> None:
        """Cut the pack; raises NotNow as `TableMachine.cut` does."""
        self._table_to_act().cut(at, now)

    def _table_to_act(self) -> TableMachine:
        """Return the table, if this player may act there now; raises NotNow."""
        if self.table is None:
            raise NotNow(NOT_BEGUN)
        if self._absence.is_bound:
            raise NotNow(say("You can't do that now: the table is ending."))
        if self._absence.is_held:
            raise NotNow(
                say("You have agreed to continue without a player. The others must answer first.")
            )
        return self.table

    def play_hints(self, hint: Callable[[View], Action]) -> None:
        """Let this choose for the player whenever the time of a turn is up."""
        self._hint = hint
        if self.table is not None:
            self.table.turns.hint = hint

    def ready(self, now: float) -> None:
        if self.table is not None and not self._absence.is_bound:
            self.table.ready(now)

    def chat(self, text: str) -> None:
        """Send a chat message to all at the table. Raises NotNow while a hand is being played, and
        for text that cannot be shown."""
        if not self.may_chat:
            raise NotNow(say("You can chat only between hands."))
        try:
            raw = chat_bytes(text)
        except ValueError as error:
            raise NotNow(say("This message has no visible characters.")) from error
        for key in self._others:
            self._out.send_to(key, FrameKind.TALK, raw)
        self._out.emit(events.ChatMessage(self.meeting.nick, raw.decode()))

    def confirm_code(self) -> None:
        """Tell the others that this player has confirmed the spoken code."""
        self._notes.confirm_code(self.meeting.nick, self._others)

    @property
    def _others(self) -> list[bytes]:
        """Return the keys of the other players at this table."""
        return [key for key in self._nicks() if key != self.key.public]

    @property
    def may_chat(self) -> bool:
        """Whether a player may chat: not all have asked for the next deal yet, or the rules allow
        chat at any time. All have asked once all have signed the cut."""
        table = self.table
        state = None if table is None else table.state
        if table is None or state is None or state.terms.rules.chat == "open":
            return True
        if state.deal is None:
            return state.hand is None
        return not state.deal.has_begun and not (
            state.deal.cut is not None and table.chain.is_settled
        )

    def _hears_chat_of(self, author: bytes) -> bool:
        """Whether a chat message of this player is shown. It may have been sent before the last
        signature under the cut arrived there, and so comes a little late; but nothing is shown of a
        player for whom all others have unlocked, because that player can see cards."""
        table = self.table
        if self.may_chat or table is None or table.state is None or table.state.deal is None:
            return self.may_chat
        deal = table.state.deal
        seat = table.replica.seat_of(table.terms.keys.index(author))
        return not deal.dealt and set(deal.unlockers[deal.unlocked :]) - {seat} != set()

    @property
    def table_id(self) -> bytes | None:
        """The table that this node has signed. It names the journal."""
        signed = self.meeting.signed
        return None if signed is None else signed.table

    def may_identify_to(self, dialer: bytes) -> bool:
        """Whether this node tells a peer that dialled who it is. It tells everybody while it
        gathers and where spectators are admitted, otherwise only the players of its tables."""
        if self.table is None or self.table.terms.watch:
            return True
        earlier = [ended.table.terms.keys for ended in self._ended_tables]
        return any(dialer in keys for keys in (self.table.terms.keys, *earlier))

    @property
    def is_finished(self) -> bool:
        return self.table is not None and self.table.is_finished

    # The machine that the driver feeds

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        self._now, meeting = now, self.meeting
        ended = self._ended_without(peer) if kind is FrameKind.SYNC else None
        handle = partial(self._handle, peer, kind, payload)
        if kind is FrameKind.LOBBY:
            handle(meeting.parts, lambda: meeting.receive(peer, payload, now))
            self._begin_table(now)
        elif kind is FrameKind.TALK:
            nick = self._nicks().get(peer)
            hears = nick is not None and self._hears_chat_of(peer)
            if nick is not None and hears and self._chat_limit.take(peer, now):
                handle((), lambda: self._out.emit(events.ChatMessage(nick, parse_chat(payload))))
        elif ended is not None:
            ended.table.receive(peer, kind, payload, now)
        elif self.table is None:
            # Another member may be at the table earlier, if it has all signatures already. Each
            # member has its own room, so none displaces the messages of another.
            kept = sum(sender == peer for sender, _, _ in self._early_messages)
            if kind in EARLY_KINDS and peer in meeting.members and kept < MAX_EARLY:
                self._early_messages.append((peer, kind, payload))
        elif kind is FrameKind.WATCH:
            spectators = self._spectators
            if spectators is not None and peer not in self._nicks():
                spectators.update()
                watched = spectators.is_watching(peer)
                handle(spectators.parts, lambda: spectators.receive(peer, payload))
                if spectators.is_watching(peer) and not watched:
                    name = meeting.guests.handshake_names.get(peer, "")
                    self._out.emit(events.SpectatorCame(name))
                    self._notes.add_spectator(name, self._others)
        elif kind is FrameKind.NOTE:
            notes, author = self._notes, self._nicks().get(peer)
            if author is not None:
                handle((notes,), lambda: notes.receive(peer, author, payload))
        elif kind is FrameKind.PART:
            absence = self._absence
            handle(absence.parts, lambda: absence.receive(payload, now))
            absence.on_table_advanced(now)
        elif peer in self.table.terms.keys:
            absence = self._absence
            handle(absence.parts, lambda: absence.compare_with_part(kind, payload))
            self.table.receive(peer, kind, payload, now)
            absence.on_table_advanced(now)

    def propose_parting(self, now: float) -> None:
        """Propose to end the table without the absent player; raises LookupError if no player has
        been absent for long enough."""
        self._absence.propose_parting(now)

    def give_up(self, now: float) -> None:
        """Record that this player leaves, whether or not the table is over."""
        if self.table is not None:
            self.table.give_up(now)

    @property
    def may_continue(self) -> bool:
        """Whether the table was ended without another player, and its rules give the seat to
        someone else."""
        left = None if self.table is None else self.table.replica.ending
        return left is not None and self.key.public in left.stay

    def continue_table(self, now: float) -> None:
        """Gather for the table that continues the ended one."""
        table, old = self.table, self.meeting
        if table is None or table.replica.ending is None or not self.may_continue:
            raise LookupError("there is no ended table to continue")
        self._out.pass_on([*self._absence.effects(), *table.effects()])
        self._ended_tables.append(self._absence)
        rng = old.rng.child(b"goes on", table.chain.table)
        self.meeting = meeting = Meeting(self.key, old.nick, rng, now)
        here, before = meeting.admission, old.admission
        here.passphrase, here.asks_founder = before.passphrase, before.asks_founder
        here.is_known, meeting.guests.bot = before.is_known, old.guests.bot
        self.table = self._absence_or_none = self._spectators = None
        self._notes = MemberNotes(self._out)
        self._lost.clear()
        for peer, (host, port) in old.guests.linked.items():
            meeting.link_up(peer, old.guests.handshake_names[peer], host, port, now)
        meeting.continue_table(table.replica.ending, now)

    def _ended_without(self, peer: bytes) -> PlayerAbsence | None:
        """Return the absence handling of the table that was ended without this peer, if the peer is
        no member of the present one."""
        gone = () if peer in self._nicks() else reversed(self._ended_tables)
        return next((one for one in gone if peer in one.table.terms.keys), None)

    def _handle(
        self,
        peer: bytes,
        kind: FrameKind,
        payload: bytes,
        parts: Iterable[object],
        handler: Callable[[], None],
    ) -> None:
        """Handle a message that is not the table machine's. A refused one cuts the link."""
        try:
            handle_message(kind, payload, self._out, parts, handler)
        except Refused as refused:
            unforeseen = refused.finding.check == "W12"
            if self.table is not None and peer in self.table.terms.keys:
                self.table.refuse(refused, peer)
                return
            if unforeseen or kind in (FrameKind.LOBBY, FrameKind.TALK):
                self._out.emit(events.Fault(refused.finding, None, None, peer))
            if not unforeseen:
                self._out.hang_up(peer, refused.finding.sentence)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        self._idle_since[peer] = now
        self.meeting.link_up(peer, nick, host, port, now)
        for ended in self._ended_tables:
            ended.on_link_up()
        if self.table is not None and peer in self.table.terms.keys:
            self.table.link_up(peer, now)
            self._absence.on_link_up()
            self._notes.on_link_up(peer)
            lost = self._lost.pop(peer, None)
            if lost is not None and now - lost >= LEFT:
                self._out.emit(events.PlayerBack(self._nicks()[peer]))
        self.handle_timer(now)

    def link_down(self, peer: bytes, now: float) -> None:
        self._idle_since.pop(peer, None)
        self.meeting.link_down(peer, now)
        if self.table is not None:
            self.table.link_down(peer, now)
            if peer in self.table.terms.keys and not self.table.is_finished:
                self._lost[peer] = now
        if self._spectators is not None:
            self._spectators.on_link_down(peer)

    def handle_timer(self, now: float) -> None:
        self._now = now
        for peer, since in list(self._idle_since.items()):
            if self._has_purpose(peer):
                self._idle_since[peer] = now
            elif now - since >= IDLE:  # so that other peers find a place
                del self._idle_since[peer]
                self._out.hang_up(peer, NO_PURPOSE)
        self.meeting.handle_timer(now)
        self._begin_table(now)
        if self.table is not None:
            self._absence.handle_timer(now)
            self.table.handle_timer(now)
            for peer, lost in self._lost.items():
                if self._told_until < lost + LEFT <= now and peer in self._nicks():
                    self._out.emit(events.PlayerLeft(self._nicks()[peer]))
            self._told_until = now

    def _has_purpose(self, peer: bytes) -> bool:
        """Whether this link serves a table: it is a member's, the founder's, a waiting visitor's, a
        spectator's, or that of a player of a table that was ended."""
        meeting = self.meeting
        if peer in self._nicks() or peer == meeting.founder or meeting.admission.is_waiting(peer):
            return True
        watches = self._spectators is not None and self._spectators.is_watching(peer)
        return watches or self._ended_without(peer) is not None

    @property
    def search(self) -> Search | None:
        """A search for a call of Caps that is to run elsewhere, or None. `take_search_result` takes
        its result."""
        if self.table is None:
            return None
        self.table.searched_elsewhere = True
        return self.table.search

    @property
    def preparation(self) -> Preparation | None:
        """The entries that may be prepared while the player thinks, or None."""
        return None if self.table is None else self.table.preparation

    def take_search_result(self, place: int, order: tuple[Card, ...] | None, now: float) -> None:
        if self.table is not None:
            self.table.take_search_result(place, order, now)

    def next_timeout(self) -> float | None:
        if self.table is None:
            return self.meeting.next_timeout()
        at, absence = self.table.next_timeout(), self._absence.next_timeout()
        waits = [lost + LEFT for lost in self._lost.values() if lost + LEFT > self._told_until]
        times = [time for time in (at, absence, *waits) if time is not None and time < math.inf]
        return min(times, default=at)

    def effects(self) -> list[Effect]:
        drained = [*self._out.effects(), *self.meeting.effects()]
        for ended in self._ended_tables:
            drained += [*ended.effects(), *ended.table.effects()]
        if self.table is not None:
            drained += [*self._absence.effects(), *self.table.effects()]
        if self._spectators is not None:
            self._spectators.update()
            drained += self._spectators.effects()
        return drained

    def events(self) -> list[Event]:
        drained = [*self._out.events(), *self.meeting.events()]
        if self.table is not None:
            drained += [*self.table.events(), *self._absence.events()]
        shown = [event for event in drained if self._is_to_emit(event)]
        notices = (self._member_notices, self._stranger_notices)
        times = sum(limited.take_omitted(self._now) for limited in notices)
        return [*shown, events.LeftOut(times)] if times else shown

    def _is_to_emit(self, event: Event) -> bool:
        """Whether an event is to be emitted. Events caused by a peer's messages are emitted once. A
        bot acts on a proposal to part, so it gets that event again at intervals."""
        match event:
            case events.Fault(finding=finding, nick=None, peer=peer) if peer in self._nicks():
                return self._member_notices.take((peer, finding.check), self._now)
            case events.Fault(finding=finding, nick=None, peer=peer):
                return self._stranger_notices.take((peer, finding), self._now)
            case events.PartingProposed() | events.PartingRefused():
                again = float("inf") if self._patient else PROPOSAL_INTERVAL
                return self._member_notices.take(event, self._now, again)
        return True

    def _nicks(self) -> dict[bytes, str]:
        """Return the nicknames of all at this table by key, this node's own player included."""
        here = self.meeting.list
        guests = {} if here is None else {guest.key: guest.nick for guest in here.guests}
        players = () if self.table is None else self.table.terms.players
        return {**guests, **{player.key: player.nick for player in players}}

    def _begin_table(self, now: float) -> None:
        """Begin the table once all have signed; the founder writes its first entry."""
        meeting = self.meeting
        if self.table is not None or meeting.agreement is None or meeting.terms is None:
            return
        self.table = self._make_table(meeting.terms, now, meeting.take_secrets(meeting.terms.table))
        if meeting.is_resumed:
            self.table.waits.recover()
        if self.table.me.player == 0:
            self.table.open(meeting.agreement, now)
        early, self._early_messages = self._early_messages, []
        for peer, kind, payload in early:
            if peer not in meeting.terms.keys:
                continue
            if kind is FrameKind.NOTE:
                self.receive(peer, kind, payload, now)
            else:
                self.table.receive(peer, kind, payload, now)

    def _make_table(self, terms: Terms, now: float, secrets: Secrets) -> TableMachine:
        me, person = Member(self.key, terms.keys.index(self.key.public), secrets), self._patient
        pause = THINKING if person else 0.0
        read = None if self._read is None else partial(self._read, terms.table)
        table = TableMachine(terms, me, now, person, pause, calls=not person, read=read)
        table.turns.hint = self._hint
        self._absence_or_none = PlayerAbsence(table)
        self._spectators = Spectators(table)
        return table

    @property
    def _absence(self) -> PlayerAbsence:
        if self._absence_or_none is None:
            raise NotNow(NOT_BEGUN)
        return self._absence_or_none

    @property
    def has_ended(self) -> bool:
        """Whether all players but one have ended the table."""
        return self.table is not None and self.table.replica.is_ended
