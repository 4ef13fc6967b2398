"""Changes any single field of the entries of a recorded match, mechanically.

A change under the old signature shows what a forger can do, one signed anew by the entry's author
what a cheat can do. Knows nothing of what fields mean, but for the free choices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from p2p304.crypto.group import Element, G, GroupError, add, decode_element
from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain
from p2p304.log.entry import Entry, parse_entry, sign_entry
from p2p304.log.faults import Refused
from p2p304.log.transcript import read_blocks
from p2p304.table.state.table import TableState
from p2p304.table.transition.step import agreed, step
from p2p304.wire.canonical import Value, encode
from tests.support.table import simnet

FREE = {("cut", "at"), ("say", "word"), ("indicator", "slot"), ("down", "slot")}
"""Fields in which an author may write something else: that is another move, not a lie. (The slot
of a card laid face down is free as far as the proofs that it owes hold for the other card too.)"""

KINDS = {
    "draw",
    "shuffle",
    "cut",
    "unlock",
    "say",
    "indicator",
    "relock",
    "closed",
    "play",
    "down",
    "inspect",
    "announce",
    "count",
    "agreement",
}
"""The kinds of entry that a whole hand with closed trumps can have."""

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Place:
    """An entry of the match with the state and the log that stood before it."""

    before: TableState | None
    chain: Chain
    entry: Entry


@dataclass(frozen=True)
class Change:
    """One field changed: where, and the body or the envelope with the change."""

    path: Path
    entry: Entry

    @property
    def field(self) -> tuple[str, str]:
        return self.entry.kind, str(self.path[1] if len(self.path) > 1 else self.path[0])


@cache
def match() -> tuple[simnet.Net, int]:
    """The first hand in which entries of every kind are made, and its seed."""
    for seed in range(1, 20):
        net = simnet.make_closed(seed)
        net.run()
        if {entry.entry.kind for entry in net.tables[0].chain.entries} >= KINDS:
            return net, seed
    raise LookupError("no hand has entries of every kind")


def places(transcript: bytes) -> Iterator[Place]:
    """Every place in turn; a place's log is good until the next is asked for."""
    state: TableState | None = None
    chain: Chain | None = None
    for raw in read_blocks(transcript):
        entry = raw.entry.entry
        after = agreed(entry) if state is None else step(state, entry)[0]
        chain = chain or Chain(after.table, after.terms.keys)
        yield Place(state, chain, entry)
        state = after
        chain.append(chain.authenticate(raw.entry))
        for receipt in raw.receipts:
            chain.add_receipt(receipt)


# Changes --------------------------------------------------------------------------------------


def changed(value: Value, every: int = 1) -> Iterator[tuple[Path, Value]]:
    """The value with one thing changed; of long byte strings one piece of 32 in ``every``."""
    match value:
        case None:
            yield (), bytes(64)
        case bool() | int():
            yield from (((), value + 1), ((), value - 1))
        case str():
            yield (), {"JS": "9S"}.get(value, "JS" if len(value) == 2 else value + "0")
        case bytes():
            yield from (((), other) for other in changed_bytes(value, every))
        case list():
            yield from changed_list(value, every)
        case dict():
            for name, part in value.items():
                for path, new in changed(part, every):
                    yield (name, *path), {**value, name: new}


def changed_bytes(value: bytes, every: int) -> Iterator[bytes]:
    count = -(-len(value) // 32)
    for piece in sorted({*range(0, count, every), count - 1} - {-1}):
        at = 32 * piece
        yield value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]
        try:
            other = add(decode_element(value[at : at + 32]), G)
        except GroupError:
            continue
        yield value[:at] + Element(other) + value[at + 32 :]
    yield value[:-1]


def changed_list(value: list[Value], every: int) -> Iterator[tuple[Path, Value]]:
    step_by = every if len(value) > 8 else 1
    for number in range(0, len(value), step_by):
        for path, new in changed(value[number], every):
            yield (number, *path), [*value[:number], new, *value[number + 1 :]]
    yield ("longer",), [*value, value[0] if value else bytes(96)]
    if value:
        yield ("shorter",), value[:-1]
    if len(value) > 1 and value[0] != value[1]:
        yield ("exchanged",), [value[1], value[0], *value[2:]]


def changes(entry: Entry, every: int = 1) -> Iterator[Change]:
    """Every field of the body, then of the envelope."""
    for path, body in changed(entry.body, every):
        if isinstance(body, dict):
            yield Change(("body", *path), replace(entry, body=body))
    yield Change(("seq",), replace(entry, seq=entry.seq + 1))
    yield Change(("prev",), replace(entry, prev=bytes(31) + b"\x01"))
    yield Change(("table",), replace(entry, table=bytes(32)))
    yield Change(("author",), replace(entry, author=(entry.author + 1) % 4))
    yield Change(("kind",), replace(entry, kind="draw" if entry.kind != "draw" else "cut"))


# Verdicts --------------------------------------------------------------------------------------


def told_anew(place: Place, change: Change, keys: list[SigningKey]) -> str | None:
    """The check that refuses the change, signed anew by its author; None if it is accepted."""
    entry = change.entry
    if entry.author >= len(keys):
        return "L02"
    anew = sign_entry(
        keys[entry.author], entry.table, entry.seq, entry.prev, entry.author, entry.kind, entry.body
    )
    return verdict(place, anew.raw)


def forged(place: Place, change: Change) -> str | None:
    """The check that refuses the change under the old signature."""
    entry = change.entry
    return verdict(place, encode({**entry.unsigned(), "sig": entry.sig}))


def verdict(place: Place, raw: bytes) -> str | None:
    """What a node at this place says to these bytes."""
    try:
        signed = place.chain.authenticate(parse_entry(raw))
        if place.before is None:
            agreed(signed.entry)
        else:
            step(place.before, signed.entry)
    except Refused as caught:
        return caught.finding.check
    return None
