"""How a cheat is put to the test: games run once, and at the first chance that a cheat gets the
table is forked, the author says its lie, and the honest nodes answer.

A cheat that knows mathematics forges with `forged`: it follows the prover's algorithm on a false
statement and puts in random elements where its own would convict it.
"""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from p2p304.crypto import inequality, statements
from p2p304.crypto.group import Element, G, base, encode_scalar, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.sigma import Prover
from p2p304.crypto.statements import (
    All,
    AnyOf,
    Branch,
    Each,
    NoneAmong,
    NotAWitness,
    Relations,
    Scalars,
    Statement,
    Witness,
)
from p2p304.log.entry import sign_entry
from p2p304.log.faults import Refused
from p2p304.rules.core.cards import Card
from p2p304.rules.state.hand import Hand
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.proofs.required import RequiredProofs
from p2p304.table.state import events
from p2p304.table.state.deal import Deal, SeatSlots
from p2p304.table.state.table import TableState
from p2p304.wire.bodies import Body, body_value
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

Game = Callable[[], simnet.Net]


@dataclass
class Chance:
    """A moment at which somebody is to write an entry: its table, and all that it knows."""

    net: simnet.Net
    number: int

    @property
    def table(self) -> TableMachine:
        return self.net.tables[self.number]

    @property
    def state(self) -> TableState:
        assert self.table.state is not None
        return self.table.state

    @property
    def deal(self) -> Deal:
        return self.state.open_deal

    @property
    def hand(self) -> Hand:
        return self.state.open_hand

    @property
    def seat(self) -> int:
        return self.table.seat

    @property
    def held(self) -> SeatSlots:
        return self.deal.holdings[self.seat]

    @property
    def writer(self) -> EntryWriter:
        due = self.table.replica.due
        assert due is not None
        return self.table.turns.writer(due)

    @property
    def led(self) -> Any:
        return self.hand.trick.led if self.hand.trick else None

    def cards(self) -> dict[int, Card]:
        """The own cards that nobody else sees, by slot."""
        return {
            n: self.writer._read(slot)
            for n, slot in enumerate(self.held.hand)
            if slot is not None and slot.card is None
        }

    def indicator(self) -> Card | None:
        return None if self.held.indicator is None else self.writer._read(self.held.indicator)

    def forged(self, claims: RequiredProofs) -> tuple[bytes, ...]:
        """Proofs of claims whether true or not, as well as a cheat can make them."""
        secrets = self.table.me.secrets.by_key(self.state.number, self.held.relocks)
        return tuple(
            forged(claim.statement, secrets, self.writer.at.context(claim.kind.label))
            for claim in claims
            if claim.statement is not None
        )

    def before(self, kind: str) -> list[dict[str, Any]]:
        """Bodies of the entries of this kind so far, the last first."""
        return [e.entry.body for e in reversed(self.table.chain.entries) if e.entry.kind == kind]


class Cheat:
    """One way to cheat; the docstring says what is tried."""

    kind: ClassVar[str]
    check: ClassVar[str]
    author: ClassVar[int] = 0
    """Who says it: so many players after the one whose turn it is."""

    def lie(self, at: Chance, body: Any) -> Body | None:
        """The false body instead of the honest one, or None if there is no chance here."""
        raise NotImplementedError


def all_cheats(of: type[Cheat] = Cheat) -> list[type[Cheat]]:
    """Every class of the catalogue that says what it tries."""
    found: list[type[Cheat]] = []
    for cheat in of.__subclasses__():
        named = hasattr(cheat, "check") and vars(cheat).get("__doc__")
        found += ([cheat] if named else []) + all_cheats(cheat)
    return found


# Forging ---------------------------------------------------------------------------------------


def forged(statement: Statement, secrets: dict[Element, int], context: bytes) -> bytes:
    """The prover's algorithm without its scruples."""
    rng = Rng.from_seed(bytes(31) + b"\x07").child(context)
    published: list[Element] = []
    witness = _pretended(statement, secrets, rng, published)
    plain = inequality.lower(statement, iter(published))
    prover, commitments = Prover(rng.child(b"nonces")), list[Element]()
    opening = prover.commit(plain, witness, commitments)
    c = statements._challenge(statements._begin(statement, context), published, commitments)
    return b"".join((*published, *map(encode_scalar, (c, *prover.respond(opening, c)))))


def _pretended(
    statement: Statement, secrets: dict[Element, int], rng: Rng, out: list[Element]
) -> Witness:
    match statement:
        case NoneAmong(hidden, elements):
            rho = rng.scalar()
            Qs = [mul(rho, M) for M in elements]
            Ps = [mul(rho, inequality.hidden_element(h, secrets.get(h.key, 1))) for h in hidden]
            out.extend([base(rng.scalar()) if P in Qs else P for P in Ps] + Qs)
            values = {f"v{n}": rho * secrets.get(k, 1) for n, k in enumerate(statement.keys())}
            return Scalars({"rho": rho, **values})
        case All(parts):
            return Each(tuple(_pretended(part, secrets, rng, out) for part in parts))
        case AnyOf() if statement.over_the_same():
            return _pretended_choice(statement.over_the_same(), secrets, rng, out)
        case AnyOf(branches):
            told = [_pretended(branch, secrets, rng, out) for branch in branches]
            best = next((n for n, b in enumerate(branches) if _holds(b, secrets)), 0)
            return Branch(best, told[best])
        case Relations():
            raise TypeError("no claim has bare relations")


def _pretended_choice(
    branches: tuple[NoneAmong, ...], secrets: dict[Element, int], rng: Rng, out: list[Element]
) -> Witness:
    rho = rng.scalar()
    Qs = [mul(rho, M) for M in branches[0].elements]
    for branch in branches:
        Ps = [mul(rho, inequality.hidden_element(h, secrets.get(h.key, 1))) for h in branch.hidden]
        out.extend(base(rng.scalar()) if P in Qs else P for P in Ps)
    out.extend(Qs)
    best = next((n for n, b in enumerate(branches) if _holds(b, secrets)), 0)
    values = {f"v{n}": rho * secrets.get(k, 1) for n, k in enumerate(branches[best].keys())}
    return Each((Scalars({"rho": rho}), Branch(best, Scalars({"rho": rho, **values}))))


def _holds(statement: Statement, secrets: dict[Element, int]) -> bool:
    try:
        return inequality.find_witness(statement, secrets, sure=False) is not None
    except NotAWitness:
        return False


def corrupt(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def other(data: bytes) -> Element:
    """Another element than this one."""
    return mul(2, Element(data))


def swapped(items: Sequence[Any], one: int = 0, two: int = 1) -> tuple[Any, ...]:
    moved = list(items)
    moved[one], moved[two] = moved[two], moved[one]
    return tuple(moved)


def another(name: str) -> str:
    return "JS" if name != "JS" else "9S"


# Games, forks, outcomes ------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What came of a cheat: the place of the lie, the liar, the network after it."""

    net: simnet.Net
    liar: int
    seq: int

    @property
    def honest(self) -> list[int]:
        return [n for n in range(len(self.net.tables)) if n != self.liar]

    def faults(self, number: int) -> list[events.Fault]:
        return [e for e in self.net.told[number] if isinstance(e, events.Fault)]


def fork(net: simnet.Net) -> simnet.Net:
    """The whole world once more; values that never change are shared."""
    memo: dict[int, Any] = {}
    for table, told in zip(net.tables, net.told, strict=True):
        for value in (
            table.me,
            table.me.key,
            table.terms,
            table.state,
            *table.chain.entries,
            *(one for at in range(table.chain.next_seq) for one in table.chain.receipts_at(at)),
            *told,
        ):
            memo[id(value)] = value
    twin = copy.deepcopy(net, memo)
    for table in twin.tables:
        vars(table).pop("_write", None)
        vars(table._receipts).pop("make", None)
    return twin


def tell(net: simnet.Net, number: int, body: Body) -> Outcome:
    """Fork, let the table sign this body and do nothing else, and see what the others say."""
    twin = fork(net)
    liar = twin.tables[number]
    seq = liar.chain.next_seq
    entry = sign_entry(
        liar.me.key,
        liar.chain.table_at(seq),
        seq,
        liar.chain.head,
        liar.me.player,
        body.KIND,
        body_value(body),
    )
    liar._fault_handler.stopped = Refused("S01", "this node only lies")
    liar.events()
    twin.collect(number)
    # Before all that is on its way, after which the rightful author would write an entry itself.
    later, twin.order = twin.order, itertools.count(-len(twin.tables))
    for target in range(len(twin.tables)):
        if target != number:
            twin._queue(number, target, FrameKind.ENTRY, entry.raw)
    twin.order = later
    twin.run(seconds=20, until=lambda: all(t.stopped is not None for t in twin.tables))
    return Outcome(twin, number, seq)


def outcomes(cheats: Iterable[type[Cheat]], games: Iterable[Game]) -> dict[type[Cheat], Outcome]:
    """Every cheat at its first chance in the first game that gives it one."""
    left = {cheat: cheat() for cheat in cheats}
    done: dict[type[Cheat], Outcome] = {}
    for game in games:
        if left:
            _watch(game(), left, done)
    return done


def _watch(
    net: simnet.Net, left: dict[type[Cheat], Cheat], done: dict[type[Cheat], Outcome]
) -> None:
    def watching(number: int, table: TableMachine) -> None:
        honest = table._write

        def write(kind: str, body: Body, now: float) -> None:
            for cheat in [c for c, own in left.items() if own.kind == kind]:
                lie = left[cheat].lie(Chance(net, number), body)
                if lie is not None:
                    done[cheat] = tell(net, (number + cheat.author) % len(net.tables), lie)
                    del left[cheat]
            honest(kind, body, now)

        setattr(table, "_write", write)  # noqa: B010 - looks over the author's shoulder

    for number, table in enumerate(net.tables):
        watching(number, table)
    net.run(seconds=600, until=lambda: not left)


__all__ = ["Chance", "Cheat", "G", "Outcome", "all_cheats", "forged", "fork", "outcomes", "tell"]
