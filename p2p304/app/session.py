"""One player's evening: the parts of a node put together and run.

Responsible for the order of starting, seating, playing and leaving. The parts know nothing of each
other: store, mesh, discovery, node and whoever plays (a bot or a person) meet here only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p304.app.config import NodeConfig
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.net.links.driver import Driver
from p2p304.net.links.mesh import Mesh, NetError
from p2p304.net.mdns.discovery import Announcement, Found, fingerprint
from p2p304.net.mdns.rendezvous import Rendezvous, meeting_place
from p2p304.net.mdns.txt_record import key_mark
from p2p304.rules.core.actions import Action
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.page import summary
from p2p304.storage.data_folder import DataFolder, DataFolderError, Game
from p2p304.storage.unfinished import (
    AddressBook,
    book,
    erase_idle_secrets,
    forget,
    keep_book,
    never_begun,
)
from p2p304.table.exchange.error_boundary import REPORT
from p2p304.table.exchange.journal_records import TableJournal
from p2p304.table.node.node import Node
from p2p304.table.node.notices import Notices
from p2p304.table.player.pending_claim import Search
from p2p304.table.state import events
from p2p304.table.state.events import Event, PublicEvent
from p2p304.wire.names import are_alike

LINGER = 30.0
"""Seconds a finished node stays at most, so that the last receipts reach everybody, one who is
cut off for a moment too: nobody else could give them."""
HURRY = 5.0
"""The same where the player has left."""
WATCHED = {"now": "they see all at once", "trick": "after each trick", "hand": "after each hand"}


@dataclass(slots=True)
class Times:
    """Seconds since the start: a table found, all seated, first cards seen, the end."""

    begun: float = field(default_factory=time.monotonic)
    found: float | None = None
    seated: float | None = None
    dealt: float | None = None
    over: float | None = None

    def note(self, what: str) -> None:
        if getattr(self, what) is None:
            setattr(self, what, time.monotonic() - self.begun)


class Session:
    """A running node. `start`, then `found` or `join`; events go to ``on_event``; `run` waits
    for the end and closes everything."""

    def __init__(
        self,
        store: DataFolder,
        nick: str,
        place: NodeConfig,
        on_event: Callable[[Event], None],
        patient: bool = False,
        memory: TableJournal | None = None,
    ) -> None:
        """``memory``: go on where this journal breaks off; ``past`` is what it tells."""
        self.store, self.times = store, Times()
        self.key = store.identity()
        self.place = place
        self.discovery = place.discovery
        self._loop = asyncio.get_running_loop()
        self.past: tuple[PublicEvent, ...] = ()
        if memory is None:
            self.node = Node(self.key, nick, Rng.system(), self._loop.time(), patient)
        else:
            self.node, self.past = _resumed(store, self.key, memory, self._loop.time(), patient)
        meeting = self.node.meeting
        meeting.admission.passphrase = meeting.visitor.passphrase = place.passphrase
        meeting.admission.asks_founder, meeting.guests.watch = place.asks, place.watch
        self._met = {bytes.fromhex(row.key) for row in store.players().rows}
        meeting.admission.is_known = self._met.__contains__
        meeting.early_leavers = store.early_leavers()
        self.nick = meeting.nick
        self._book = book(self.game) if self.game is not None else AddressBook()
        self.mesh = Mesh(self.key, self.nick, place.bind, place.port or self._book.port)
        self.mesh.admits = self.node.admits
        self.trouble: Callable[[str], None] = lambda sentence: None
        self._on_event = on_event
        self._over = asyncio.Event()
        self._announced: Announcement | None = None
        self._announces = False
        self._left = False
        self._former: Game | None = None
        """The table that was ended and goes on; its secrets are kept until the next has begun."""
        self._told: set[str] = set()
        self._notices = Notices()
        self._background: set[asyncio.Task[None]] = set()
        self._rendezvous = Rendezvous(self.discovery, self.mesh, self._seek, self.mesh.limits)
        self.driver = Driver[Event](self.node, self.mesh, self._persist, self._event)
        self.driver.on_links = self._links_changed
        self.driver.on_quiet = self._search
        self._searched: tuple[bytes | None, int] | None = None

    def _search(self) -> None:
        """Search in a worker thread for a call of Caps that may be due: all that was to be sent is
        sent by now, and the links go on."""
        wanted = self.node.search
        if wanted is None or self._searched == (self.node.table_id, wanted.place):
            return
        self._searched = self.node.table_id, wanted.place
        task = self._loop.create_task(self._found(wanted))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _found(self, wanted: Search) -> None:
        order = await asyncio.to_thread(wanted.order)
        self._searched = None
        self.node.take_search_result(wanted.place, order, self.driver.now)
        self.driver.flush()

    @property
    def game(self) -> Game | None:
        table = self.node.table_id
        return None if table is None else self.store.game(table.hex())

    @property
    def transcript(self) -> Path | None:
        return None if self.game is None else self.game.transcript

    async def start(self) -> None:
        """Listen and open mDNS. Without mDNS the node goes on: an address can be typed."""
        self.mesh.trouble = self.discovery.trouble = self._of_network
        self.mesh.known = self._met.__contains__
        self.driver.on_lost = self._lost
        await self._listen()
        try:
            await self.discovery.start()
        except NetError as error:
            self.trouble(f"{error} Tables are not found by themselves; type HOST:PORT instead.")
            return
        self._announces = True

    async def _listen(self) -> None:
        """On the port of last time, where the others look for this node, if it is free."""
        try:
            await self.mesh.start()
        except NetError:
            if self.place.port or not self.mesh.port:
                raise
            self.mesh.port = 0
            await self.mesh.start()

    async def resume(self) -> None:
        """Go on at the table of the journal: reach for everybody where they were last."""
        for key, addresses in self._book.peers.items():
            for host, port in reversed(addresses):
                self.mesh.want(key, host, port)
        for key, host, port in self.node.meeting.addresses():
            self.mesh.want(key, host, port)
        self._links_changed()
        self.driver.flush()

    async def reach(self, host: str, port: int) -> None:
        """Reach for a player of this table at an address that a person typed."""
        peer = await self.mesh.dial(host, port)
        self.mesh.want(peer, host, port)

    def describe(self) -> str:
        """One sentence on where this node listens, and one on where it looks."""
        where = self.mesh.describe()
        return f"{where} {self.discovery.describe()}" if self._announces else where

    def waiting(self) -> dict[str, bytes]:
        """Who waits for the founder's word: what the founder types for each, and the key."""
        return {self.visitor_word(key): key for key in self.node.meeting.admission.waiting}

    def visitor_word(self, visitor: bytes) -> str:
        """The nickname of somebody who waits; where another one who waits, or has waited, has a
        name like it, with as many digits of the fingerprint as tell them apart."""
        admission = self.node.meeting.admission
        nick, digits = admission.waiting[visitor], _digits(visitor)
        alike = [
            _digits(key)
            for key, other in admission.recent_names.items()
            if key != visitor and are_alike(nick, other)
        ]
        if not alike:
            return nick
        enough = next((n for n in (4, 8) if digits[:n] not in {d[:n] for d in alike}), len(digits))
        return f"{nick} {digits[:enough]}"

    def decide(self, visitor: bytes, welcome: bool) -> None:
        """The founder's word."""
        self.node.meeting.decide(visitor, welcome)
        self.driver.flush()

    async def found(self, name: str, rules: Options, hands: int) -> None:
        """Open a table and announce it."""
        self.times.note("found")
        self.node.found(name, rules, hands)
        self.driver.flush()

    async def join_address(self, host: str, port: int) -> None:
        """Ask for a seat at an address; raises NetError."""
        founder = await self.mesh.dial(host, port)
        self.mesh.want(founder, host, port)
        self.times.note("found")
        self.node.join(founder, self.driver.now)
        self.driver.flush()

    async def join_found(self, found: Found) -> None:
        """Ask for a seat at a table found, at the first of its addresses that answers."""
        hosts = list(dict.fromkeys((found.host, *found.addresses)))
        for host in hosts[:-1]:
            try:
                return await self.join_address(host, found.port)
            except NetError as error:
                self._once(str(error))
        return await self.join_address(hosts[-1], found.port)

    async def find(self, name: str, patience: float) -> Found:
        """Wait until a table of this name with a free seat is found; raises NetError."""
        self.discovery.look()
        end = time.monotonic() + patience
        while time.monotonic() < end:
            for found in self.discovery.found.values():
                if found.announcement.table == name and found.announcement.free > 0:
                    return found
            await asyncio.sleep(0.02)
        raise NetError(f"No table named {name!r} with a free seat was found in {patience:.0f} s.")

    def act(self, action: Action) -> None:
        """The player's choice; raises RuleBroken or LookupError."""
        self.node.act(action, self.driver.now)
        self.driver.flush()

    def choose(self, seat: int) -> None:
        """Ask for a seat (from 0) while the table gathers; raises LookupError."""
        self.node.meeting.choose(seat, self.driver.now)
        self.driver.flush()

    def go_on_without(self, guest: bytes) -> None:
        """Put somebody out of the list for whom the table has waited; raises LookupError."""
        self.node.meeting.go_on_without(guest, self.driver.now)
        self.driver.flush()

    def say(self, text: str) -> None:
        """A remark to the others; raises LookupError while a hand is on, ValueError for nothing."""
        self.node.say(text)
        self.driver.flush()

    def part(self) -> None:
        """Be ready to end the table without the one who is gone; raises LookupError."""
        self.node.part(self.driver.now)
        self.driver.flush()

    def ready(self) -> None:
        self.node.ready(self.driver.now)
        self.driver.flush()

    def leave(self) -> None:
        """End the session from this side."""
        self._left = True
        self._over.set()

    async def run(self) -> None:
        """Until the table is over, or this player leaves; raises what stopped the node."""
        over = asyncio.ensure_future(self._over.wait())
        ends: set[asyncio.Future[Any]] = {over, self.driver.failed}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            if self.driver.failed.done():
                self.driver.failed.result()
            if self.node.finished or self.node.parted:
                await self._linger()
        finally:
            over.cancel()
            await self.close()

    async def _linger(self) -> None:
        """Until nobody needs this node's receipts; then the table's secrets are erased."""
        table, begun = self.node.table, time.monotonic()
        while table is not None and not table.everybody_finished:
            waited = time.monotonic() - begun
            if waited > (HURRY if self._left or self.node.parted else LINGER):
                break
            if waited > HURRY / 2 and not self.node.parted:
                self._once("Staying a little: somebody has not seen the end of the table yet.")
            await asyncio.sleep(0.02)
        over = self.node.parted or (table is not None and table.everybody_finished)
        if over and self.game is not None:
            forget([self.game])

    async def close(self) -> None:
        self._note_missing()
        self.node.give_up(self.driver.now)
        for event in self.node.events():
            if isinstance(event, events.DrawLeft):
                self._note_leavers(event)
        for task in list(self._background):
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self._rendezvous.close()
        self.driver.close()
        await self.discovery.close()
        await self.mesh.close()

    # Inside

    def _once(self, sentence: str) -> None:
        """A trouble that comes again and again is told once."""
        if sentence not in self._told:
            self._told.add(sentence)
            self.trouble(sentence)

    def _of_network(self, sentence: str) -> None:
        """A trouble that peers can bring about as often as they like. The same again is no news:
        a player who is gone is dialled every second."""
        if self._notices.has_told(sentence):
            return
        now = self._loop.time()
        if self._notices.takes(sentence, now):
            self.trouble(sentence)
        times = self._notices.left_out(now)
        if times:
            self.trouble(f"{times} more notices about connections are not shown.")

    def _lost(self, peer: bytes, reason: str) -> None:
        """A visitor reads why the player who opened the table has closed the connection."""
        meeting = self.node.meeting
        if peer == meeting.founder and self.node.table is None and not self._left:
            self._of_network(f"The player who opened this table cannot be reached: {reason}.")

    def _persist(self, name: str, data: bytes) -> None:
        if name == REPORT:
            self.store.keep_report(data)
        elif self.game is not None:
            self.game.persist(name, data)

    def _event(self, event: Event) -> None:
        match event:
            case events.Members(nicks=nicks, seats=seats):
                self._announce(seats - len(nicks), seats)
                self._tell_game()
            case events.Seated():
                self.times.note("seated")
                self._meet(event)
                self._links_changed()
                forget(never_begun(self.store, self.game))
                erase_idle_secrets(self.store, self.game)
                forget([self._former] if self._former is not None else [])
            case events.Dealt():
                self.times.note("dealt")
            case events.TableOver():
                self.times.note("over")
                if not self.node.parted:
                    self.store.forget_unfinished(self.node.table_id or b"")
            case events.Parted(absent=absent) | events.PlayingOut(absent=absent):
                self._note_unfinished(absent)
            case events.HandOver() if self.node.table is not None and self.node.table.draw_is_kept:
                self.store.forget_leavers(self.node.table.terms.table)
            case events.DrawLeft():
                self._note_leavers(event)
                return
        self._on_event(event)
        stopped = self.node.table is not None and self.node.table.stopped is not None
        if isinstance(event, events.Parted) and self.node.goes_on:
            # Once everything about the ended table is written down.
            self._loop.call_soon(self._go_on)
        elif isinstance(event, events.TurnedAway | events.Closed) or self.node.parted or stopped:
            self._over.set()

    def _tell_game(self) -> None:
        """A guest reads what it will sign; an address or a name says little of it."""
        here = self.node.meeting.list
        if here is None or self.node.meeting.is_founder:
            return
        hands = f"hands to play: {here.hands}" if here.hands else "a match"
        watch = f" Spectators are let in ({WATCHED[here.watch]})." if here.watch else ""
        self._once(
            f"The rules of this table: {summary(here.rules)}; {hands}.{watch} In words: p2p304 "
            f"rules {here.rules.preset}."
        )

    def _go_on(self) -> None:
        """Gather anew at the table that goes on from the one which was ended."""
        self._former = self.game
        self.node.go_on(self.driver.now)
        self.driver.flush()

    def _links_changed(self) -> None:
        """Note where the members of the table are; look for those who are missing."""
        table, game = self.node.table_id, self.game
        if table is None or game is None or self.node.finished:
            return
        members = [key for key in self.node.meeting.members if key != self.key.public]
        self.mesh.admit(members)
        links = {key: link for key, link in self.mesh.links.items() if key in members}
        changed = [self._book.note(key, link.host, link.port) for key, link in links.items()]
        if any(changed) or self._book.port != self.mesh.port:
            self._book.port = self.mesh.port
            keep_book(game, self._book)
        for key, link in links.items():
            # Whoever dialled: after a loss both sides look for each other.
            self.mesh.want(key, link.host, link.port)
        self._rendezvous.missing([key for key in members if key not in links])

    def _meet(self, seated: events.Seated) -> None:
        """Remember everybody; a known nickname with another key is told loudly."""
        for nick, key in zip(seated.nicks, seated.keys, strict=True):
            if key == self.key.public:
                continue
            met = self.store.meet(nick, key)
            if met.unfinished:
                self.trouble(f"{nick} has left {_tables(met.unfinished)} unfinished before.")
            if met.stranger:
                self.trouble(
                    f"STRANGER: {nick} is not the {nick} you have met before (another key, "
                    f"{fingerprint(key)}): ask who it is."
                )

    def _note_unfinished(self, absent: str) -> None:
        """Remember, by key, who left this table unfinished."""
        table = self.node.table
        if table is not None:
            gone = [player.key for player in table.terms.players if player.nick == absent]
            self.store.note_unfinished(gone, table.terms.table)

    def _note_missing(self) -> None:
        """This player gives an unfinished table up: who alone is missing then has left it."""
        table = self.node.table
        begun = table is not None and table.state is not None and table.state.number > 0
        if table is None or not begun or self.node.finished or self.node.parted:
            return
        here = {self.key.public, *self.mesh.links}
        missing = [key for key in table.terms.keys if key not in here]
        if len(missing) == 1:  # more: this node may have lost the network itself
            self.store.note_unfinished(missing, table.terms.table)

    def _note_leavers(self, left: events.DrawLeft) -> None:
        """Remember for the evening who left before the first hand was over, and say so. A bot
        that somebody brought leaves this to its owner."""
        bot = self.node.meeting.guests.bot
        if bot is not None and bot.owner != self.key.public:
            return
        for nick, key in zip(left.nicks, left.keys, strict=True):
            self.store.note_leaver(key, self.node.table_id or b"")
            self.trouble(
                f"{nick} holds up the first hand of this table. This is noted: unless the hand is "
                f"played to its end, seats are not drawn again with {nick} this evening, but "
                "chosen."
            )

    def _seek(self) -> Announcement:
        """What this node says of itself while it misses members of its table."""
        table = self.node.table_id or b""
        return Announcement(self.nick, "-", "-", 0, 0, self._mark(), seeks=meeting_place(table))

    def _mark(self) -> str:
        return key_mark(self.key.public, Rng.system().bytes(4))

    def introduce(self, knock: events.JoinRequest) -> str:
        """One sentence on somebody who asks for a seat."""
        met = self.store.look(knock.nick, knock.key)
        who = (
            "STRANGER under a name you know, with another key"
            if met.stranger
            else ("you have met" if met.known else "new to you")
        )
        left = f"; has left {_tables(met.unfinished)} unfinished" if met.unfinished else ""
        return f"{knock.nick} asks for a seat ({who}; {fingerprint(knock.key)}{left})."

    def _announce(self, free: int, seats: int) -> None:
        """The founder keeps its record true: free seats, and gone when there is none."""
        meeting = self.node.meeting
        if not self._announces or not meeting.is_founder or meeting.list is None:
            return
        rules = meeting.list.rules.preset
        self._announced = Announcement(
            self.nick,
            meeting.list.name,
            rules,
            free,
            seats,
            self._mark(),
            locked=meeting.admission.passphrase is not None,
        )
        task = self._loop.create_task(self._show(self._announced))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _show(self, what: Announcement) -> None:
        try:
            if self._former is not None:
                await self._open_again()
            if what.free == 0:
                await self.discovery.withdraw()
            elif what is self._announced:
                await self.discovery.announce(what, self.mesh.port)
        except NetError as error:
            self.trouble(str(error))

    async def _open_again(self) -> None:
        """A game in play needs no mDNS; whoever is to take a seat does."""
        await self._rendezvous.rest()
        if not self.discovery.is_open:
            await self.discovery.start()


def _digits(key: bytes) -> str:
    return fingerprint(key).replace(" ", "")


def _tables(count: int) -> str:
    return "a table" if count == 1 else f"{count} tables"


def _resumed(
    store: DataFolder, key: SigningKey, memory: TableJournal, now: float, patient: bool
) -> tuple[Node, tuple[PublicEvent, ...]]:
    try:
        game = store.game(memory.begin.terms.table.hex())
        return Node.resume(key, memory, game.secrets(), now, patient, game.said_of_parting())
    except (Refused, ValueError) as error:
        raise DataFolderError(
            f"The journal of this table is not sound ({error}): give the table up with  "
            "p2p304 resume --forget, or move the journal away."
        ) from error
