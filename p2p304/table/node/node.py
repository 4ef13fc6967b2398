"""A whole node without I/O: it gathers players, then plays at their table.

Responsible for the change from the meeting to the table, and for table messages that arrive early;
gathering is meeting.py's and the table is table/machine/table_machine.py's. The driver in net/
feeds the node; the user interface calls `act` and `ready` and reads its events.
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
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import say
from p2p304.rules.play.view import View
from p2p304.table.agreement.terms import Terms, not_agreed
from p2p304.table.exchange.error_boundary import handle_message
from p2p304.table.exchange.journal_records import TableJournal
from p2p304.table.exchange.lookahead import EarlyMessages
from p2p304.table.exchange.notes import MemberNotes
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.machine.own_turns import CUT_TIME
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.ended_tables import EndedTables
from p2p304.table.node.link_watch import LinkWatch
from p2p304.table.node.notices import EventNotices
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectators import NOT_ADMITTED, WAIT_TO_WATCH, Spectators
from p2p304.table.node.table_chat import TableChat
from p2p304.table.player.keyring import Member, NotSecrets, Secrets
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.table.transition.step import read_body
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Effect, Outbox
from p2p304.wire.framing import FrameKind

NOT_BEGUN = say("You can't do that now: the table has not begun.")

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
        self._cut_time = CUT_TIME
        self._absence_or_none: PlayerAbsence | None = None
        self._spectators: Spectators | None = None
        self._early_messages = EarlyMessages()
        self._out = Outbox[Event]()
        self._notes = MemberNotes(self._out)
        self._notices, self._now = EventNotices(patient), now
        self._links = LinkWatch(self._out, now)
        self._chat = TableChat(self._out)
        self._ended = EndedTables()

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
        node._notes = MemberNotes(node._out, is_resumed=True)
        if not journal.moves:
            if kept.is_erased or kept.number:
                raise NotSecrets("the secret keys that it needs are deleted")
            node.meeting.resume(begin, None, kept)
            return node, ()
        agreement = read_body(parse_entry(next(journal.places()).entry).entry)
        if not isinstance(agreement, Agreement):
            raise not_agreed("a table begins with its agreement")
        node.meeting.resume(begin, agreement, kept)
        node.table = node._make_table(begin.terms, now, kept)
        node._absence.restore(parting)
        happened = node.table.restore(journal.places(), now, node._absence.voter.certificate)
        node._absence.on_table_advanced(now)
        return node, happened

    # What a player does

    def act(self, action: Action, now: float) -> None:
        """Apply the player's choice; raises RuleBroken or NotNow as `TableMachine.act` does."""
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
            self.table.turns.hint.choose = hint

    def give_time_to_cut(self, seconds: int) -> None:
        """Ask the player for so long where to cut the pack."""
        self._cut_time = seconds
        if self.table is not None:
            self.table.turns.cut_clock.seconds = seconds

    def ready(self, now: float) -> None:
        if self.table is not None and not self._absence.is_bound:
            self.table.ready(now)

    def chat(self, text: str) -> None:
        """Send a chat message to all at the table; raises NotNow."""
        self._chat.send(text, self.meeting.nick, self._others, self.table)

    def confirm_code(self) -> None:
        """Tell the others that this player has confirmed the spoken code."""
        self._notes.confirm_code(self.meeting.nick, self._others)

    @property
    def _others(self) -> list[bytes]:
        return [key for key in self.nicks() if key != self.key.public]

    @property
    def table_id(self) -> bytes | None:
        """The table that this node has signed. It names the journal."""
        signed = self.meeting.signed
        return None if signed is None else signed.table

    def may_identify_to(self, dialer: bytes) -> bool:
        """Whether this node tells a peer that dialled who it is. It tells everybody while it
        gathers and where spectators are admitted, otherwise only the players of its tables. At no
        table it tells nobody: a player who has left for the lobby must not seem to be back."""
        if self.table is None:
            return self.meeting.founder is not None
        if self.table.terms.watch:
            return True
        return dialer in self.table.terms.keys or self._ended.has_player(dialer)

    @property
    def is_finished(self) -> bool:
        return self.table is not None and self.table.is_finished

    # The machine that the driver feeds

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        self._now, meeting = now, self.meeting
        ended = self._ended.without(peer, self.nicks()) if kind is FrameKind.SYNC else None
        handle = partial(self._handle, peer, kind, payload)
        if kind is FrameKind.LOBBY:
            # A player who asks at a finished table for a seat wants to play again, at the next one.
            if not self.is_finished:
                handle(meeting.parts, lambda: meeting.receive(peer, payload, now))
                self._begin_table(now)
        elif kind is FrameKind.TALK:
            chat, nick = self._chat, self.nicks().get(peer)
            if nick is not None:
                handle(chat.parts, lambda: chat.receive(peer, nick, payload, self.table, now))
        elif ended is not None:
            ended.table.receive(peer, kind, payload, now)
        elif kind is FrameKind.WATCH:
            self._on_watch(peer, payload)
        elif self.table is None:
            # Another member may be at the table earlier, if it has all signatures already.
            if peer in meeting.members:
                self._early_messages.keep(peer, kind, payload, meeting.members)
        elif kind is FrameKind.NOTE:
            notes, author = self._notes, self.nicks().get(peer)
            if author is not None:
                handle((notes,), lambda: notes.receive(peer, author, payload))
        elif kind is FrameKind.PART:
            absence = self._absence
            handle(absence.parts, lambda: absence.receive(payload, now))
            absence.on_table_advanced(now)
        elif peer in self.table.terms.keys:
            absence = self._absence
            if absence.has_parts:
                handle(absence.parts, lambda: absence.compare_with_part(kind, payload))
            self.table.receive(peer, kind, payload, now)
            absence.on_table_advanced(now)

    def _on_watch(self, peer: bytes, payload: bytes) -> None:
        """Show a spectator this table or, to one that watched it, the end of an ended one."""
        spectators, meeting = self._spectators, self.meeting
        if peer in self.nicks():
            return
        watched = spectators is not None and spectators.is_watching(peer)
        if spectators is None or (self.table is None and not watched):
            # It would wait for nothing, and not know why.
            listed = meeting.guests.current
            is_closed = listed is not None and not listed.watch
            self._out.hang_up(peer, NOT_ADMITTED if is_closed else WAIT_TO_WATCH)
            return
        spectators.update()
        receive = partial(spectators.receive, peer, payload)
        self._handle(peer, FrameKind.WATCH, payload, spectators.parts, receive)
        if spectators.is_watching(peer) and not watched:
            name = meeting.guests.handshake_names.get(peer, "")
            self._notes.add_spectator(name, self._others)

    def propose_parting(self, now: float) -> None:
        """Propose to end the table without the absent player; raises NotNow if that is not due."""
        self._absence.propose_parting(now)

    def give_up(self, now: float) -> None:
        """Record that this player leaves, whether or not the table is over."""
        if self.table is not None:
            self.table.give_up(now)

    @property
    def may_continue(self) -> bool:
        """Whether the table was ended without a player whose seat someone else may take."""
        left = None if self.table is None else self.table.replica.ending
        return left is not None and self.key.public in left.stay

    def continue_table(self, now: float) -> None:
        """Gather for the table that continues the ended one."""
        table = self.table
        if table is None or table.replica.ending is None or not self.may_continue:
            raise LookupError("there is no ended table to continue")
        self._out.pass_on([*self._absence.effects(), *table.effects()])
        self._ended.add(self._absence)
        self.meeting = self.meeting.successor(table.chain.table, now)
        self.table = self._absence_or_none = None
        self._notes = MemberNotes(self._out)
        self._links.forget_lost()
        self.meeting.continue_table(table.replica.ending, now)

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
        is_back = self._links.on_link_up(peer, self.nicks(), now)
        self.meeting.link_up(peer, nick, host, port, now)
        self._ended.on_link_up()
        if self.table is not None and peer in self.table.terms.keys:
            self.table.link_up(peer, now)
            self._absence.on_link_up()
            if is_back:
                self._absence.on_player_back(self.table.terms.keys.index(peer), now)
            self._notes.on_link_up(peer)
        self.handle_timer(now)

    def hear_goodbye(self, peer: bytes, now: float) -> None:
        """Note that a peer closes its link because its player leaves, which proves nothing."""
        self._links.hear_goodbye(peer, now)

    def link_down(self, peer: bytes, now: float) -> None:
        table = self.table
        plays = table is not None and peer in table.terms.keys and not table.is_finished
        if table is not None and (table.stopped is not None or table.replica.is_ended):
            plays = False  # nobody goes on there, and everybody leaves
        said = self._links.on_link_down(peer, self.nicks()[peer] if plays else None, now)
        self.meeting.link_down(peer, now, said)
        if table is not None:
            table.link_down(peer, now, said)
        if self._spectators is not None:
            self._spectators.on_link_down(peer)

    def handle_timer(self, now: float) -> None:
        self._now = now
        self._links.close_idle(self._has_purpose, now)
        self.meeting.handle_timer(now)
        self._begin_table(now)
        if self.table is not None:
            self._absence.handle_timer(now)
            self.table.handle_timer(now)
            self._links.tell_lost(self.nicks(), now)

    def _has_purpose(self, peer: bytes) -> bool:
        """Whether this link serves a table: it is a member's, the founder's, a waiting visitor's, a
        spectator's, or that of a player of a table that was ended."""
        meeting = self.meeting
        if peer in self.nicks() or peer == meeting.founder or meeting.admission.is_waiting(peer):
            return True
        watches = self._spectators is not None and self._spectators.is_watching(peer)
        return watches or self._ended.without(peer, self.nicks()) is not None

    def next_timeout(self) -> float | None:
        if self.table is None:
            return self.meeting.next_timeout()
        at = self.table.next_timeout()
        times = (at, self._absence.next_timeout(), self._links.next_timeout())
        return min((time for time in times if time is not None and time < math.inf), default=at)

    def effects(self) -> list[Effect]:
        drained = [*self._out.effects(), *self.meeting.effects(), *self._ended.effects()]
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
        return self._notices.limited(drained, self.nicks(), self._now)

    def nicks(self) -> dict[bytes, str]:
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
        for peer, kind, payload in self._early_messages.take():
            if peer in meeting.terms.keys:
                take = self.receive if kind is FrameKind.NOTE else self.table.receive
                take(peer, kind, payload, now)

    def _make_table(self, terms: Terms, now: float, secrets: Secrets) -> TableMachine:
        me, person = Member(self.key, terms.keys.index(self.key.public), secrets), self._patient
        read = None if self._read is None else partial(self._read, terms.table)
        table = TableMachine(terms, me, now, person, calls=not person, read=read)
        table.turns.hint.choose = self._hint
        table.turns.cut_clock.seconds = self._cut_time
        self._absence_or_none = PlayerAbsence(table)
        if self._spectators is not None:
            self._out.pass_on(self._spectators.close())
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
