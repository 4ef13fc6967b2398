"""One player's session: connects the parts of a node and runs them.

Responsible for the order of starting, seating, playing and leaving. The data folder, the mesh,
discovery, the node and the player (a bot or a person) are connected here only, and know nothing of
each other. What is announced is announcer.py's, what is noted about players player_notes.py's, what
runs in threads background_work.py's, and what is left of a finished table held_port.py's.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from p2p304.app.announcer import Announcer
from p2p304.app.background_work import BackgroundWork
from p2p304.app.config import NodeConfig
from p2p304.app.held_port import HeldPort
from p2p304.app.network_phrases import listening, rules_of, searching
from p2p304.app.player_notes import MemberAddresses, PlayerNotes
from p2p304.app.reports import Reports
from p2p304.app.session_times import Times
from p2p304.bots.teacher.evaluation import hint_action
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.net.errors import NetError, Reason
from p2p304.net.links.driver import Driver
from p2p304.net.links.link import LEAVING, is_goodbye
from p2p304.net.links.mesh import Mesh
from p2p304.net.mdns.discovery import Announcement, Found
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.options import Options
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.storage.game_files import Game
from p2p304.storage.unfinished import erase_idle_secrets, forget, never_begun
from p2p304.table.agreement.bot_mark import bot_keys
from p2p304.table.exchange.error_boundary import REPORT
from p2p304.table.exchange.journal_records import TableJournal
from p2p304.table.node.node import Node, ReadTranscript
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event, PublicEvent

VANISHED = 20.0
"""Seconds without the player who opened the table after which a guest gives the table up, if the
table has not begun."""
LINGER = 30.0
"""Seconds that a finished node stays at most, so that the last receipts reach everybody, also a
player who is cut off for a moment: no other node could give them."""
STARTING = 30.0
"""Seconds in which this player's own bots start. That one cannot be reached is not told until
then."""
HURRY = 5.0
"""As `LINGER`, if the player has left."""
_NEEDED = say("Waiting a few seconds: another player's program still needs the end of the game.")


class Session:
    """A running node. Call `start`, then `found` or `join_address`; events go to ``on_event``;
    `run` waits for the end and closes everything."""

    def __init__(
        self,
        store: DataFolder,
        nick: str,
        config: NodeConfig,
        on_event: Callable[[Event], None],
        patient: bool = False,
        memory: TableJournal | None = None,
    ) -> None:
        """``memory``: the journal of a table to resume; `take_past` then returns its events."""
        self.store, self.times = store, Times()
        self.key = store.identity()
        self._loop = asyncio.get_running_loop()
        self._begun = self._loop.time()
        self._past: tuple[PublicEvent, ...] = ()
        if memory is None:
            now, read = self._loop.time(), _reader(store)
            self.node = Node(self.key, nick, Rng.system(), now, patient, read)
        else:
            self.node, self._past = _resumed(store, self.key, memory, self._loop.time(), patient)
        if self._is_of_own_bots:
            config = config.for_bots_alone()
        self.config, self.discovery = config, config.discovery
        self.node.play_hints(hint_action)
        meeting = self.node.meeting
        meeting.admission.passphrase = config.passphrase
        if memory is None:  # the members of a list ask each other for none
            meeting.visitor.passphrase = config.passphrase
        meeting.admission.asks_founder, meeting.guests.watch = config.asks, config.watch
        self._met = {row.key for row in store.players().rows}
        meeting.admission.is_known = self._met.__contains__
        meeting.early_leavers = store.early_leavers()
        self.nick = meeting.nick
        self.mesh = Mesh(self.key, self.nick, config.bind, 0)
        self.mesh.admits = self.node.may_identify_to
        self.mesh.is_starting = self._is_starting
        self.reports = Reports()
        self._on_event = on_event
        self._over = asyncio.Event()
        self._left = False
        self.held_port = HeldPort(self.node, self.mesh, on_event)
        """To be released after `leave`."""
        self._former: Game | None = None
        """The ended table that this one continues; its secrets are kept until this one has
        begun."""
        self.announcer = Announcer(self.node, self.mesh, self.discovery)
        self._addresses = MemberAddresses(
            self.node, self.mesh, self.announcer.rendezvous, self.game
        )
        self._notes = PlayerNotes(store, self.node, self.mesh, self.reports.tell)
        self.driver = Driver[Event](self.node, self.mesh, self._persist, self._event)
        self.driver.on_links = self._links_changed
        self.background = BackgroundWork(self.node, self.driver, prepares=patient)
        self.driver.on_quiet = self.background.on_quiet
        self.joined: tuple[str, int] | None = None
        """The address at which this node has asked for a seat last."""
        self.is_for_bots = False
        """Whether bots fill the table that this node has opened, and nobody may watch."""

    def take_past(self) -> tuple[PublicEvent, ...]:
        """Return what had happened before the table was resumed; once, because it can be long."""
        past, self._past = self._past, ()
        return past

    @property
    def game(self) -> Game | None:
        table = self.node.table_id
        return None if table is None else self.store.game(table.hex())

    @property
    def transcript(self) -> Path | None:
        return None if self.game is None else self.game.transcript

    async def start(self, tells: bool = True) -> None:
        """Listen and open mDNS. Without mDNS the node still works, because an address can be typed;
        that is told, unless what follows tells it (not ``tells``)."""
        self.mesh.trouble = self.discovery.trouble = self.reports.tell_of_network
        self.mesh.known = self._met.__contains__
        self.mesh.nick_of = lambda key: self.node.nicks().get(key, "")
        self.driver.on_lost = self._lost
        # The last port is where the others look for this node.
        await self.mesh.start_at(self.config.ports(self._addresses.own_port))
        try:
            await self.announcer.start()
        except NetError as error:
            if tells:
                self.reports.tell(error.phrase)

    async def resume(self) -> None:
        """Resume the table of the journal: dial every member at the last known address."""
        self._addresses.dial_all()
        self._links_changed()
        self.driver.flush()

    async def reach(self, host: str, port: int) -> None:
        """Dial a player of this table at an address that a person typed."""
        peer = await self.mesh.dial(host, port)
        self.mesh.want(peer, host, port)

    def describe(self) -> tuple[Phrase, ...]:
        """Describe where this node listens, and where it looks for tables, a sentence each."""
        where = listening(self.mesh)
        return (where, searching(self.discovery)) if self.announcer.is_on else (where,)

    async def found(self, name: str, rules: Options, hands: int, bots: int = 0) -> None:
        """Open a table and announce it; ``bots``: how many the player lets in at once."""
        self.times.note("found")
        is_full = bots == rules.seats - 1
        self.is_for_bots = is_full and not self.node.meeting.guests.watch
        self.node.meeting.found(name, rules, hands)
        self.driver.flush()

    async def join_address(self, host: str, port: int) -> None:
        """Ask for a seat at an address; raises NetError."""
        founder = await self.mesh.dial(host, port)
        self.mesh.want(founder, host, port)
        self.joined = host, port
        self.times.note("found")
        self.node.meeting.join(founder, self.driver.now)
        self.driver.flush()

    async def join_found(self, found: Found) -> None:
        """Ask for a seat at a table found, at the first of its addresses that answers."""
        hosts = list(dict.fromkeys((found.host, *found.addresses)))
        for host in hosts[:-1]:
            try:
                return await self.join_address(host, found.port)
            except NetError as error:
                self.reports.tell_once(error.phrase)
        return await self.join_address(hosts[-1], found.port)

    def act(self, action: Action) -> None:
        """Play the player's choice; raises RuleBroken or LookupError."""
        self.node.act(action, self.driver.now)
        self.driver.flush()

    def choose(self, seat: int) -> None:
        """Ask for a seat (from 0) while the table gathers; raises LookupError."""
        self.node.meeting.choose(seat, self.driver.now)
        self.driver.flush()

    def leave(self) -> None:
        """End the session from this side."""
        self._left = True
        self._over.set()

    async def run(self) -> None:
        """Run until the table is over or this player leaves; raises the error that stopped the
        node."""
        over = asyncio.ensure_future(self._over.wait())
        ends: set[asyncio.Future[Any]] = {over, self.driver.failed}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self.driver.failed.done():
                self.driver.failed.result()
            if self.node.is_finished or self.node.has_ended:
                await self._linger()
        finally:
            over.cancel()
            await self.close()
        if self.background.prepares and self.node.meeting.is_founder and not self._left:
            await self.held_port.hold()

    def address_of(self, player: bytes) -> tuple[str, int] | None:
        """Return the last address of a player of this table, if it is known."""
        return self._addresses.last_of(player)

    async def _linger(self) -> None:
        """Wait until nobody needs this node's receipts; then erase the table's secrets. Raises the
        error that stopped the node meanwhile."""
        table, begun = self.node.table, time.monotonic()
        while table is not None and not table.has_everybody_finished:
            if self.driver.failed.done():
                self.driver.failed.result()
            waited = time.monotonic() - begun
            if waited > (HURRY if self._left or self.node.has_ended else LINGER):
                break
            if waited > HURRY / 2 and not self.node.has_ended:
                self.reports.tell_once(_NEEDED)
            await asyncio.sleep(0.02)
        over = self.node.has_ended or (table is not None and table.has_everybody_finished)
        if over and self.game is not None:
            forget([self.game])

    async def close(self) -> None:
        self._notes.note_missing()
        self.node.give_up(self.driver.now)
        for event in self.node.events():
            if isinstance(event, events.DrawLeft):
                self._notes.note_leavers(event)
        await self.background.close()
        await self.announcer.close()
        self.driver.close()
        try:
            await self.discovery.close()
        finally:
            await self.mesh.close()  # it says goodbye, whatever becomes of mDNS

    def _lost(self, peer: bytes, reason: Reason) -> None:
        """Note a goodbye, and tell a visitor why the player who opened the table has closed the
        connection."""
        said = is_goodbye(reason)
        if said:
            self.node.hear_goodbye(peer, self.driver.now)
            if self.node.is_finished:
                self.mesh.hang(peer, LEAVING)  # whoever lacks the end of the table dials
        if peer == self.node.meeting.founder and self.node.table is None and not self._left:
            self.reports.tell_of_network(
                say("The player who opened this table cannot be reached: {why}.", why=reason)
            )
            self._loop.call_later(VANISHED, self._give_up_vanished, peer, said)

    def _give_up_vanished(self, founder: bytes, said: bool) -> None:
        """Leave a table that gathers, if the player who opened it has stayed away, and has ``said``
        that it leaves or not. A complete list may have become a table elsewhere: such a table is
        waited for."""
        here = self.node.meeting.list
        is_back, is_complete = founder in self.mesh.links, here is not None and here.is_complete
        if is_back or is_complete or self.node.table is not None or self._over.is_set():
            return
        gone = say(
            "This table is gone: the player who opened it could not be reached for {n} s.",
            n=round(VANISHED),
        )
        if said:
            gone = say("This table is gone: the player who opened it has left.")
        self._event(gathering_events.TurnedAway(gone))

    @property
    def _own_bots(self) -> frozenset[bytes]:
        table = self.node.table
        return frozenset() if table is None else bot_keys(self.key.public, table.terms.players)

    def _is_starting(self, player: bytes) -> bool:
        """Whether this is an own bot, whose program starts with this one and may not listen yet."""
        return self._loop.time() < self._begun + STARTING and player in self._own_bots

    @property
    def _is_of_own_bots(self) -> bool:
        """Whether all others of the table that is resumed are own bots, and nobody may watch."""
        table, here = self.node.table, {self.key.public, *self._own_bots}
        return table is not None and not table.terms.watch and here == {*table.terms.keys}

    def _persist(self, name: str, data: bytes) -> None:
        if name == REPORT:
            self.store.keep_report(data)
        elif self.game is not None:
            self.game.persist(name, data)

    def _event(self, event: Event) -> None:
        match event:
            case gathering_events.Members(nicks=nicks, seats=seats):
                meeting, here = self.node.meeting, self.node.meeting.list
                if (shown := self.announcer.update(seats - len(nicks), seats)) is not None:
                    self.background.start(self._show(shown))
                if here is not None and not meeting.is_founder:
                    # It will sign these rules; an address or a name says little of them.
                    for phrase in rules_of(here):
                        self.reports.tell_once(phrase)
            case events.Seated():
                self.times.note("seated")
                self._notes.note_players(event)
                self._links_changed()
                forget(never_begun(self.store, self.game))
                erase_idle_secrets(self.store, self.game)
                forget([self._former] if self._former is not None else [])
            case events.Dealt():
                self.times.note("dealt")
            case events.TableOver():
                self.times.note("over")
                if not self.node.has_ended:
                    self.store.forget_unfinished(self.node.table_id or b"")
            case events.Parted(absent=absent) | events.PlayingOut(absent=absent):
                self._notes.note_unfinished(absent)
            case events.HandOver() if (
                self.node.table is not None and self.node.table.replica.has_kept_draw
            ):
                self.store.forget_leavers(self.node.table.terms.table)
            case events.DrawLeft():
                self._notes.note_leavers(event)
                return
        self._on_event(event)
        stopped = self.node.table is not None and self.node.table.stopped is not None
        is_last = isinstance(event, gathering_events.TurnedAway | events.Closed)
        goes_on = self.node.may_continue  # its events come one by one, the lost hand's first
        if isinstance(event, events.Parted) and goes_on:
            # After everything about the ended table is written.
            self._loop.call_soon(self._go_on)
        elif is_last or stopped or (self.node.has_ended and not goes_on):
            self._over.set()

    def _go_on(self) -> None:
        """Gather again at the table that continues the ended one."""
        self._former = self.game
        self.node.continue_table(self.driver.now)
        self.driver.flush()

    def _links_changed(self) -> None:
        self._addresses.update(self.game)

    async def _show(self, what: Announcement) -> None:
        try:
            await self.announcer.show(what, is_continued=self._former is not None)
        except NetError as error:
            self.reports.tell(error.phrase)


def _resumed(
    store: DataFolder, key: SigningKey, memory: TableJournal, now: float, patient: bool
) -> tuple[Node, tuple[PublicEvent, ...]]:
    try:
        game = store.game(memory.begin.terms.table.hex())
        parting, read = game.said_of_parting(), _reader(store)
        return Node.resume(key, memory, game.secrets(), now, patient, parting, read)
    except (Refused, ValueError) as error:
        raise DataFolderError(
            "The saved state of this table is damaged ({why}). Give the table up with  "
            "p2p304 resume --forget",
            why=str(error),
        ) from error


def _reader(store: DataFolder) -> ReadTranscript:
    return lambda table, offset, size: store.game(table.hex()).read_transcript(offset, size)
