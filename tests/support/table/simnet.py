"""A simulated network on a virtual clock: table machines in one process, with loss, delay,
reordering, duplication and tampering. Deterministic for a seed."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.transcript import MAGIC
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.certificate import Certificate
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.terms import Player, Terms, assent, pledge_of
from p2p304.table.evidence.evidence_file import NAME as EVIDENCE
from p2p304.table.gathering.exchange.begin_record import TRANSCRIPT
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player.keyring import Member, Secrets
from p2p304.table.state.events import Event, YourTurn
from p2p304.wire.bodies import Agreement
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind

NICKS = ("Asha", "Bandu", "Chitra", "Dilan", "Eshan", "Fathima", "Gayan", "Hema")
Chooser = Callable[[View], Action]


def random_chooser(seed: int) -> Chooser:
    """Random legal play, with bidding that mostly passes."""
    rng = random.Random(seed)

    def choose(view: View) -> Action:
        options = legal(view)
        weights = [0.05 if getattr(a, "amount", 0) >= 200 else 1.0 for a in options]
        return rng.choices(options, weights)[0]

    return choose


def closed_chooser(seed: int) -> Chooser:
    """Random legal play with one low bid and closed trumps, so that much lies face down. Where the
    least bid is 200 or more, it is the low one: players who never bid would deal for ever."""
    rng = random.Random(seed)

    def weight(action: Action, least: int) -> float:
        if isinstance(action, acts.Bid):
            return 1.0 if action.amount < 200 or action.amount == least else 0.0
        return 0.0 if isinstance(action, acts.Ask | acts.Redeal | acts.Open) else 1.0

    def choose(view: View) -> Action:
        options = legal(view)
        weights = [weight(action, view.hand.options.bid_min) for action in options]
        return rng.choices(options, weights if any(weights) else None)[0]

    return choose


@dataclass(slots=True)
class Repeatable(Secrets):
    """Secrets that are the same in every game of one seed."""

    def fresh_bytes(self) -> bytes:
        return b""


@dataclass
class Faults:
    """Probabilities per message, and delay in seconds."""

    loss: float = 0.0
    duplicate: float = 0.0
    delay: float = 0.0
    jitter: float = 0.0
    tamper: Callable[[int, int, FrameKind, bytes], bytes] | None = None


@dataclass
class Net:
    """Tables 0 to n-1, linked all to all; `run` until quiet, over or out of time."""

    tables: list[TableMachine]
    choosers: list[Chooser]
    faults: Faults = field(default_factory=Faults)
    seed: int = 0
    now: float = 0.0
    told: list[list[Event]] = field(default_factory=list)
    transcripts: list[bytes] = field(default_factory=list)
    evidence: list[bytes] = field(default_factory=list)
    sent: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.order = itertools.count()
        self.queue: list[tuple[float, int, int, int, FrameKind, bytes]] = []
        self.told = [[] for _ in self.tables]
        self.transcripts = [b"" for _ in self.tables]
        self.evidence = [b"" for _ in self.tables]
        self.keys = [table.me.key.public for table in self.tables]

    def collect(self, number: int) -> None:
        """Carry out a machine's effects and answer its questions, until it is quiet."""
        table = self.tables[number]
        asked = True
        while asked:
            asked = False
            for effect in table.effects():
                if isinstance(effect, Send):
                    self.send(number, effect)
                elif isinstance(effect, Persist) and effect.name == TRANSCRIPT:
                    before = b"" if effect.data.startswith(MAGIC) else self.transcripts[number]
                    self.transcripts[number] = before + effect.data
                elif isinstance(effect, Persist) and effect.name == EVIDENCE:
                    self.evidence[number] = effect.data
            for event in table.events():
                self.told[number].append(event)
                if isinstance(event, YourTurn):
                    table.act(self.choosers[number](event.view), self.now)
                    asked = True

    def send(self, source: int, effect: Send) -> None:
        for target, key in enumerate(self.keys):
            if target != source and effect.peer in (None, key):
                self._queue(source, target, effect.kind, effect.payload)

    def _queue(self, source: int, target: int, kind: FrameKind, payload: bytes) -> None:
        faults = self.faults
        if faults.tamper is not None:
            payload = faults.tamper(source, target, kind, payload)
        copies = 2 if self.rng.random() < faults.duplicate else 1
        for _ in range(copies):
            if self.rng.random() >= faults.loss:
                at = self.now + faults.delay + self.rng.random() * faults.jitter
                item = (at, next(self.order), source, target, kind, payload)
                heapq.heappush(self.queue, item)
                self.sent += 1

    @property
    def finished(self) -> bool:
        return all(table.is_finished for table in self.tables)

    def come_to(self, seq: int) -> None:
        """Play up to this place, and let everybody see the last entry before it."""
        for table in self.tables:
            table.replica.blocked_from = seq
        self.run(
            until=lambda: all(t.chain.next_seq == seq and t.chain.is_settled for t in self.tables)
        )

    def part(self, absent: int, seq: int) -> None:
        """All but one agree, at this place, to do without that one, who learns of it too."""
        self.come_to(seq)
        self.agree(absent, seq)

    def agree(self, absent: int, seq: int) -> None:
        chain = self.tables[0].chain
        where = PartingPlace(chain.table, seq, chain.entries[seq - 1].link, absent)
        words = tuple(
            say(table.me.key, PART, where, n) for n, table in enumerate(self.tables) if n != absent
        )
        for table in self.tables:
            table.effects()
            table.apply_certificate(Certificate(words), self.now)

    def run(self, seconds: float = 3600.0, until: Callable[[], bool] | None = None) -> None:
        """Deliver and tick until every table is finished (or `until`), or time is over."""
        end = self.now + seconds
        for number in range(len(self.tables)):
            self.collect(number)
        while not (self.finished or (until is not None and until())):
            if not self._is_due():
                wakes = [t for table in self.tables if (t := table.next_timeout()) is not None]
                nexts = [*wakes, self.queue[0][0]] if self.queue else wakes
                if not nexts or min(nexts) > end:
                    return
                self.now = max(self.now, min(nexts))
            if self._is_due():
                _, _, source, target, kind, payload = heapq.heappop(self.queue)
                self.tables[target].receive(self.keys[source], kind, payload, self.now)
                self.collect(target)
            else:
                for number, table in enumerate(self.tables):
                    table.handle_timer(self.now)
                    self.collect(number)
                self._check_timeouts()

    def _is_due(self) -> bool:
        """Whether a message arrives now, so that no table's timeout can come before it."""
        return bool(self.queue) and self.queue[0][0] <= self.now

    def _check_timeouts(self) -> None:
        """A machine whose timeout lies in the past after its tick would be woken for ever."""
        for number, table in enumerate(self.tables):
            at = table.next_timeout()
            if at is not None and at <= self.now:
                raise AssertionError(f"table {number} wants to be woken at {at}, now is {self.now}")


def signing_keys(seed: int, count: int) -> list[SigningKey]:
    root = Rng.from_seed(seed.to_bytes(32, "big"))
    return [SigningKey.generate(root.child(b"identity", bytes([n]))) for n in range(count)]


def make_closed(
    seed: int = 1, hands: int = 1, rules: Options | None = None, watch: str = ""
) -> Net:
    """The same with players who bid low and play closed."""
    net = make(seed, hands, rules, watch=watch)
    net.choosers = [closed_chooser(seed * 10 + n) for n in range(len(net.tables))]
    return net


def make(
    seed: int = 1,
    hands: int = 1,
    rules: Options | None = None,
    faults: Faults | None = None,
    calls: bool = False,
    stored: bool = False,
    watch: str = "",
    after: Continuation | None = None,
) -> Net:
    """A table whose agreement is signed; the first player has not written it yet. ``calls``: every
    player calls Caps as soon as it can. ``stored``: settled places leave memory, and are read from
    `Net.transcripts`. ``after``: what the table continues."""
    options = rules or preset("pagat")
    keys = signing_keys(seed, options.seats)
    root = Rng.from_seed(seed.to_bytes(32, "big"))
    secrets = [
        Repeatable(root.child(b"secrets", bytes([n])).bytes(32), b"test table")
        for n in range(options.seats)
    ]
    players = tuple(
        Player(key.public, NICKS[n], pledge_of(key.public, secrets[n].nonce))
        for n, key in enumerate(keys)
    )
    terms = Terms("test table", options, hands, players, watch, after)
    agreement = Agreement(terms.to_value(), tuple(assent(key, terms.table) for key in keys))
    transcripts = [b"" for _ in keys]
    # A partial, so that a copy of the net reads its own transcripts.
    reads = [partial(_read, transcripts, n) if stored else None for n in range(len(keys))]
    tables = [
        TableMachine(terms, Member(key, n, secrets[n]), 0.0, calls=calls, read=reads[n])
        for n, key in enumerate(keys)
    ]
    net = Net(
        tables, [random_chooser(seed * 10 + n) for n in range(len(keys))], faults or Faults(), seed
    )
    net.transcripts = transcripts
    tables[0].open(agreement, 0.0)
    return net


def _read(transcripts: list[bytes], number: int, offset: int, size: int) -> bytes:
    return transcripts[number][offset : offset + size]


__all__ = ["MAGIC", "Faults", "Net", "make", "random_chooser", "signing_keys"]
