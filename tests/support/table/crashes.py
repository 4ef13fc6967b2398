"""Whole nodes on a virtual clock that can be stopped at any write or send and started again from
what was on disk. Deterministic; what is pure and slow is computed once for all runs (`Memo`)."""

from __future__ import annotations

import heapq
import itertools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pytest

from p2p304.crypto import signing
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log import entry as log_entry
from p2p304.log.entry import parse_entry, parse_receipt
from p2p304.log.transcript import MAGIC
from p2p304.rules.play.view import legal
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import PARTING
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.gathering.exchange.begin_record import JOURNAL, TRANSCRIPT
from p2p304.table.node.node import Node
from p2p304.table.player import entry_writer
from p2p304.table.player.kept_cards import KEPT_CARDS
from p2p304.table.player.keyring import SECRETS, Secrets
from p2p304.table.state import events
from p2p304.table.transition import replica
from p2p304.table.transition import step as stepping
from p2p304.wire.effects import Dial, Effect, Persist, Send
from p2p304.wire.framing import FrameKind

NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
DELAY = 0.001
DOWN = 0.2
"""Seconds for which a stopped node stays away."""


class Memo:
    """Pure functions of the log, computed once: a head names the whole history before it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        step, verify = stepping.step, signing.verify
        # A node that starts again draws other fresh bytes; here the hand must be the same.
        patch.setattr(Secrets, "fresh_bytes", lambda secrets: b"")
        by_itself, chosen = entry_writer.EntryWriter.by_itself, entry_writer.EntryWriter.chosen
        self._known: dict[Any, Any] = {}
        patch.setattr(
            replica,
            "step",
            lambda state, entry: self._once(
                ("step", entry.prev, entry.sig), lambda: step(state, entry)
            ),
        )
        patch.setattr(
            log_entry,
            "verify",
            lambda key, message, sig: self._once(
                ("verify", key, message, sig), lambda: verify(key, message, sig)
            ),
        )
        patch.setattr(
            entry_writer.EntryWriter,
            "by_itself",
            lambda writer, kind: self._once(
                ("itself", writer.at, kind), lambda: by_itself(writer, kind)
            ),
        )
        patch.setattr(
            entry_writer.EntryWriter,
            "chosen",
            lambda writer, action: self._once(
                ("chosen", writer.at, action), lambda: chosen(writer, action)
            ),
        )

    def _once(self, key: Any, compute: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = compute()
        return self._known[key]


class Stopped(Exception):
    """The node under test is stopped here."""


@dataclass
class Disk:
    """What a stop leaves: records, and transcripts of which the last was never synced."""

    records: dict[bytes, list[bytes]] = field(default_factory=dict)
    parting: dict[bytes, list[bytes]] = field(default_factory=dict)
    secrets: dict[bytes, bytes] = field(default_factory=dict)
    transcripts: dict[bytes, bytes] = field(default_factory=dict)
    cards: bytes = b""

    def latest(self) -> list[bytes]:
        return next(reversed(self.records.values()), [])

    @property
    def transcript(self) -> bytes:
        return next(reversed(self.transcripts.values()), b"")

    def read(self, table: bytes, offset: int, size: int) -> bytes:
        """Bytes of a transcript, as the data folder gives them to a node."""
        return self.transcripts.get(table, b"")[offset : offset + size]

    def tear(self) -> None:
        """Lose half of what was never synced."""
        for table in [*self.transcripts][-1:]:
            self.transcripts[table] = self.transcript[: len(self.transcript) // 2]


@dataclass
class World:
    """Four nodes. ``stop_at``: (number of the write or send, whether just after it)."""

    stop_at: tuple[int, bool] | None = None
    rules: Options = field(default_factory=lambda: preset("pagat"))
    hands: int = 1
    seed: int = 3
    watch: str = ""
    patient: bool = False
    """As for persons: receipts are held back while they may think of Caps."""
    mood: Callable[[int], int] = lambda starts: 0
    """How a player's controls depends on how often its node was started."""

    def __post_init__(self) -> None:
        self.now, self.points, self._order = 0.0, 0, itertools.count()
        self.queue: list[tuple[float, int, Callable[[], None]]] = []
        self.identities = [SigningKey.from_seed(bytes([self.seed, n]) * 16) for n in range(4)]
        self.index = {key.public: n for n, key in enumerate(self.identities)}
        self.disks = [Disk() for _ in NICKS]
        self.starts, self.wakes = [0] * 4, [math.inf] * 4
        self.nodes: list[Node | None] = [None] * 4
        self.links: set[frozenset[int]] = set()
        self.told: list[list[events.Event]] = [[] for _ in NICKS]
        self.signed: dict[tuple[object, ...], set[bytes]] = {}
        self.noted: set[bytes] = set()
        self.where: list[tuple[int, str]] = []
        self.forgotten: list[int] = []
        """How many places each node that was started again had out of memory then."""
        for number in range(4):
            self.start(number)

    # Stopping and starting

    def start(self, number: int) -> None:
        self.starts[number] += 1
        self.wakes[number] = math.inf
        key, records = self.identities[number], self.disks[number].latest()
        if records:
            latest = next(reversed(self.disks[number].records))
            parting = self.disks[number].parting.get(latest, [])
            own = self.disks[number].secrets.get(latest)
            journal, read = read_journal(records), self.disks[number].read
            node, _ = Node.resume(key, journal, own, self.now, self.patient, parting, read)
            self.forgotten.append(0 if node.table is None else node.table.chain.first_kept)
        else:
            seed = Rng.from_seed(bytes([self.seed, number, self.starts[number]]).ljust(32, b"\0"))
            read = self.disks[number].read
            node = Node(key, NICKS[number], seed, self.now, self.patient, read)
        self.nodes[number] = node
        node.meeting.guests.watch = self.watch
        if not records and number == 0:
            node.meeting.found("Friday", self.rules, self.hands)
        elif not records:
            node.meeting.join(self.identities[0].public, self.now)
        for other in range(4):
            there = other != number and self.nodes[other] is not None
            if there and (records or 0 in (number, other)):
                self.link(number, other)
        self.drain(number)

    def stop(self, number: int) -> None:
        """Gone for a while."""
        self.leave(number)
        self.at(DOWN, partial(self.start, number))

    def leave(self, number: int) -> None:
        """Gone for good."""
        self.nodes[number] = None
        self.disks[number].tear()
        key = self.identities[number].public
        for link in [link for link in self.links if number in link]:
            self.links.discard(link)
            (other,) = link - {number}
            self.at(DELAY, partial(self._down, other, key))

    def newcomer(self, number: int, founder: bytes, back: bool = False) -> None:
        """Somebody else, or the same player ``back``, comes to the network and asks this founder
        for a seat."""
        nick, fresh = "Esha", SigningKey.from_seed(bytes([self.seed, 9, number] + 29 * [7]))
        if back:
            nick, fresh = NICKS[number], self.identities[number]
        self.identities[number] = key = fresh
        self.index[key.public] = number
        self.disks[number] = disk = Disk()
        seed = Rng.from_seed(bytes([self.seed, 9]).ljust(32, b"\0"))
        self.nodes[number] = node = Node(key, nick, seed, self.now, read=disk.read)
        self.starts[number] += 1
        self.wakes[number] = math.inf
        node.meeting.join(founder, self.now)
        for other in range(4):
            self.link(number, other)
        self.drain(number)

    def vanish(self, number: int) -> None:
        """Gone for good, with all that was on its way from it."""
        key = self.identities[number].public
        self.queue = [item for item in self.queue if key not in getattr(item[2], "args", ())]
        heapq.heapify(self.queue)
        self.leave(number)

    def link(self, one: int, two: int) -> None:
        if frozenset({one, two}) in self.links or one == two or self.nodes[two] is None:
            return
        self.links.add(frozenset({one, two}))
        for a, b in ((one, two), (two, one)):
            self.at(DELAY, partial(self._up, a, b))

    def _up(self, number: int, other: int) -> None:
        peer, there = self.identities[other].public, self.nodes[other]
        if there is not None:
            nick, host = there.meeting.nick, f"host{other}"
            self._with(number, lambda n: n.link_up(peer, nick, host, 1000 + other, self.now))

    def _down(self, number: int, key: bytes) -> None:
        self._with(number, lambda n: n.link_down(key, self.now))

    # Running

    def at(self, after: float, what: Callable[[], None]) -> None:
        heapq.heappush(self.queue, (self.now + after, next(self._order), what))

    def run(self, seconds: float = 60.0) -> None:
        end = self.now + seconds
        while self.queue and not self.finished:
            if self.queue[0][0] > end:
                self.now = end
                return
            self.now, _, what = heapq.heappop(self.queue)
            what()

    @property
    def finished(self) -> bool:
        return all(node is not None and node.is_finished for node in self.nodes)

    def _with(self, number: int, what: Callable[[Node], None]) -> None:
        node = self.nodes[number]
        if node is not None:
            what(node)
            self.drain(number)

    def drain(self, number: int) -> None:
        node = self.nodes[number]
        try:
            while node is not None:
                effects, told = node.effects(), node.events()
                if not effects and not told:
                    break
                for effect in effects:
                    self.carry_out(number, node, effect)
                for event in told:
                    self.told[number].append(event)
                    if isinstance(event, events.YourTurn):
                        self._choose(number, node, event)
                    if isinstance(event, events.CutOffered):
                        node.cut(None, self.now)
        except Stopped:
            self.stop(number)
            return
        if node is not None and node.may_continue:
            node.continue_table(self.now)
            self.drain(number)
            return
        if node is not None and (wake := node.next_timeout()) is not None:
            self._plan(number, node, wake)

    def _plan(self, number: int, node: Node, wake: float) -> None:
        """Wake a node then; if it is woken before that, it is asked again."""
        after = max(DELAY, wake - self.now)
        if self.now + after < self.wakes[number]:
            self.wakes[number] = self.now + after
            self.at(after, partial(self._tick, number, node))

    def _tick(self, number: int, node: Node) -> None:
        if self.nodes[number] is not node:
            return
        self.wakes[number] = math.inf
        wake = node.next_timeout()
        if wake is not None and wake > self.now + 1e-9:
            self._plan(number, node, wake)
        elif wake is not None:
            self._with(number, lambda n: n.handle_timer(self.now))
            again = node.next_timeout()
            if self.nodes[number] is node and again is not None and again <= self.now:
                raise AssertionError(f"node {number} wants to be woken at {again}, at {self.now}")

    def _choose(self, number: int, node: Node, event: events.YourTurn) -> None:
        assert node.table is not None
        controls = (number, node.table.chain.next_seq, self.mood(self.starts[number]))
        options = legal(event.view)
        weights = [0.05 if getattr(a, "amount", 0) >= 200 else 1.0 for a in options]
        node.act(random.Random(str(controls)).choices(options, weights)[0], self.now)

    # Effects

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        counts = isinstance(effect, Send) or (
            isinstance(effect, Persist) and effect.name in (JOURNAL, SECRETS)
        )
        counts = counts and (bool(self.disks[number].records) or isinstance(effect, Persist))
        self._point(number, effect, counts, after=False)
        match effect:
            case Persist(name=name, data=data) if name == JOURNAL:
                assert node.table_id is not None
                self.disks[number].records.setdefault(node.table_id, []).append(data)
            case Persist(name=name, data=data) if name == SECRETS:
                assert node.table_id is not None
                self.disks[number].secrets.pop(node.table_id, None)
                if data:
                    self.disks[number].secrets[node.table_id] = data
            case Persist(name=name, data=data) if name == PARTING:
                assert node.table_id is not None
                self.disks[number].parting.setdefault(node.table_id, []).append(data)
            case Persist(name=name, data=data) if name == KEPT_CARDS:
                self.disks[number].cards += data
            case Persist(name=name, data=data) if name == TRANSCRIPT:
                assert node.table_id is not None
                kept = self.disks[number].transcripts
                old = b"" if data.startswith(MAGIC) else kept[node.table_id]
                kept[node.table_id] = old + data
            case Dial(peer=peer):
                self.link(number, self.index[peer])
            case Send():
                self._send(number, effect)
        self._point(number, effect, counts, after=True)
        self.points += counts

    def _point(self, number: int, effect: Effect, counts: bool, after: bool) -> None:
        if counts and not after:
            what = effect.kind.name if isinstance(effect, Send) else "PERSIST"
            self.where.append((number, what))
        if counts and self.stop_at == (self.points, after):
            self.stop_at = None
            raise Stopped

    def _send(self, source: int, effect: Send) -> None:
        self._note(effect)
        key = self.identities[source].public
        for target in range(4):
            wanted = effect.peer in (None, self.identities[target].public)
            if target != source and wanted and frozenset({source, target}) in self.links:
                born = self.starts[target]
                self.at(DELAY, partial(self._arrive, target, born, key, effect))

    def _arrive(self, target: int, born: int, key: bytes, effect: Send) -> None:
        if self.starts[target] == born:
            self._with(target, lambda n: n.receive(key, effect.kind, effect.payload, self.now))

    def _note(self, effect: Send) -> None:
        """Everything signed that ever left: one entry for a place, one receipt."""
        if effect.payload in self.noted:  # each is sent to all others
            return
        self.noted.add(effect.payload)
        if effect.kind is FrameKind.ENTRY:
            e = parse_entry(effect.payload).entry
            self.signed.setdefault(("entry", e.table, e.seq), set()).add(effect.payload)
        elif effect.kind is FrameKind.RECEIPT:
            r = parse_receipt(effect.payload)
            self.signed.setdefault(("receipt", r.table, r.seq, r.author), set()).add(effect.payload)
