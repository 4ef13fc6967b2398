"""Every kind of message in every phase, with every field replaced by every other plausible value.

Owns the phases (a gathering, its locked door, a table from its first entry to after its end, a hand
played out, a spectator), the honest messages of each, and their changes; changed messages are
signed anew where somebody here holds the key. `outcomes` hands each to a node and tells what was
wrong: an exception that escaped, or one that only the error boundary caught."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from p2p304.crypto.group import base
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.absence_vote import PART, READY, STAY, PartingPlace, parse_word, say
from p2p304.log.entry import parse_entry, parse_receipt, sign_entry, sign_receipt
from p2p304.log.evidence import BOX, Evidence, of_fork, of_split
from p2p304.log.transcript import encode_block
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.error_boundary import REPORT, Snapshot
from p2p304.table.exchange.notes import Note, note_bytes
from p2p304.table.gathering.exchange.messages import (
    Full,
    Key,
    Locked,
    Seated,
    Unlocked,
    lobby_bytes,
    parse_lobby,
)
from p2p304.table.node.node import Node
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.node.spectators import Spectators, watch_bytes
from p2p304.wire.canonical import NotCanonical, Value, decode, encode
from p2p304.wire.effects import Persist
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.table import simnet
from tests.support.table.gathering_bus import Bus
from tests.support.table.leaving_games import whole

STRANGER = SigningKey.from_seed(b"E" * 32)
POINT = base(5)
VALUES: tuple[Value, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    3,
    7,
    8,
    40,
    2**32 - 1,
    2**63,
    "",
    "x",
    "9H",
    "pass",
    "caps",
    "x" * 300,
    b"",
    b"\x00",
    bytes(32),
    b"\xff" * 32,
    POINT,
    STRANGER.public,
    bytes(64),
    b"\xff" * 64,
    POINT + POINT + bytes(48),
    bytes(2000),
    [],
    [None],
    [0],
    [[]],
    ["9H"] * 40,
    [POINT],
    [POINT] * 7,
    [POINT] * 36,
    [bytes(64)] * 4,
    {},
    {"x": 0},
)
Message = tuple[FrameKind, bytes]


@dataclass(frozen=True)
class Phase:
    """A machine at one moment: who may send to it, what an honest program would, and the keys
    with which changed messages are signed anew."""

    name: str
    machine: Node | SpectatorMachine
    parts: tuple[object, ...]
    senders: tuple[bytes, ...]
    honest: tuple[Message, ...]
    keys: tuple[SigningKey, ...]
    now: float = 1.0


@dataclass(frozen=True)
class Wrong:
    phase: str
    kind: str
    what: str
    payload: str


def parts_of(node: Node) -> tuple[object, ...]:
    """All that a message can change at a node."""
    found: list[object] = [node, node._out, *node.meeting.parts]
    if (
        node.table is not None
        and node._absence_or_none is not None
        and node._spectators is not None
    ):
        found += [
            *node.table.parts,
            node.table._out,
            *node._absence_or_none.parts,
            *node._spectators.parts,
        ]
    return tuple(found)


# Changes


def changes(value: Value, others: Iterable[Value] = VALUES) -> Iterator[Value]:
    """The value with one field, or one item, replaced, left out, or doubled."""
    yield from others
    if isinstance(value, dict):
        for name in value:
            yield {key: item for key, item in value.items() if key != name}
            for other in changes(value[name], others):
                yield {**value, name: other}
        yield {**value, "more": 0}
    elif isinstance(value, list) and value:
        yield value[1:]
        yield value[::-1]
        yield [*value, value[0]]
        for at in {0, len(value) - 1}:
            for other in changes(value[at], others):
                yield [*value[:at], other, *value[at + 1 :]]
    elif isinstance(value, bytes) and value:
        yield value[:-1]
        yield value + b"\x00"
        yield bytes([value[0] ^ 1]) + value[1:]
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value + 1
        yield value - 1


def changed(
    phase: Phase,
    kind: FrameKind,
    payload: bytes,
    chance: random.Random | None = None,
    most: int = 0,
) -> Iterator[bytes]:
    """The payload itself, and each change (or ``most`` of them), as it is and signed anew."""
    yield payload
    frame = payload[:4] if kind is FrameKind.BLOCK else b""
    try:
        value = decode(payload[len(frame) :])
    except NotCanonical:
        yield from (b"", payload[:-1], payload + b"\x00", bytes(len(payload)))
        return
    many = changes(value) if chance is None else _sample(list(changes(value)), chance, most)
    for other in many:
        try:
            raw = encode(other)
        except NotCanonical:
            continue
        yield len(raw).to_bytes(4, "big") + raw if frame else raw
        again = _signed(phase, kind, raw)
        if again is not None and again != raw:
            yield again


def _sample(values: list[Value], chance: random.Random, most: int) -> list[Value]:
    return chance.sample(values, min(most, len(values)))


def _signed(phase: Phase, kind: FrameKind, raw: bytes) -> bytes | None:
    """The same with true signatures, if it has the form of something that is signed."""
    sign = {
        FrameKind.ENTRY: _entry,
        FrameKind.RECEIPT: _receipt,
        FrameKind.PART: _word,
        FrameKind.LOBBY: _list,
    }.get(kind)
    try:
        return None if sign is None else sign(phase.keys, raw)
    except Exception:  # noqa: BLE001 - what cannot be read is not signed
        return None


def _entry(keys: tuple[SigningKey, ...], raw: bytes) -> bytes:
    e = parse_entry(raw).entry
    key = keys[e.author]
    return sign_entry(key, e.table, e.seq, e.prev, e.author, e.kind, e.body).raw


def _receipt(keys: tuple[SigningKey, ...], raw: bytes) -> bytes:
    r = parse_receipt(raw)
    return sign_receipt(keys[r.author], r.table, r.seq, r.head, r.author, r.claim).encode()


def _word(keys: tuple[SigningKey, ...], raw: bytes) -> bytes:
    w = parse_word(raw)
    return say(keys[w.author], w.step, w.place, w.author, w.round, w.readies).encode()


def _list(keys: tuple[SigningKey, ...], raw: bytes) -> bytes | None:
    message = parse_lobby(raw)
    return lobby_bytes(message.signed(keys[0])) if isinstance(message, Seated) else None


# Phases


def gatherings() -> Iterator[Phase]:
    """A founder and a visitor at every second of a gathering, locked and open."""
    for passphrase in (None, "jak fruit"):
        for step in range(5):
            for number in (0, 1):
                yield _gathering(passphrase, step, number)


def _gathering(passphrase: str | None, steps: int, number: int) -> Phase:
    bus, said = Bus(5), list[Message]()
    carry = bus._send

    def send(source: int, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        if (kind, payload) not in said:
            said.append((kind, payload))
        carry(source, peer, kind, payload)

    bus._send = send  # type: ignore[method-assign]
    for node in bus.nodes:
        node.meeting.admission.passphrase = node.meeting.visitor.passphrase = passphrase
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    for guest in range(1, 4):
        if guest <= steps or guest == 1:
            bus.link(guest, 0)
            bus.nodes[guest].meeting.join(bus.nodes[0].key.public, bus.now)
        if steps:
            bus.step()
    node = bus.nodes[number]
    node.link_up(STRANGER.public, "Eve", "host9", 9, bus.now)
    node.effects()
    node.events()
    made = (Full("full"), Locked(b"A" + POINT), Key(b"B" + POINT, bytes(32)), Unlocked(bytes(32)))
    honest = (*said, *((FrameKind.LOBBY, lobby_bytes(each)) for each in made))
    keys = tuple(each.key for each in bus.nodes)
    senders = (keys[1 - number].public, keys[2].public, STRANGER.public)
    name = f"gathering {steps}, {'locked' if passphrase else 'open'}, player {number}"
    return Phase(name, node, parts_of(node), senders, _each_word(honest), keys, bus.now)


def _each_word(messages: Iterable[Message]) -> tuple[Message, ...]:
    """The longest message of every kind and word: its changes include those of the others."""
    longest: dict[tuple[FrameKind, object], bytes] = {}
    for kind, payload in messages:
        value = decode(payload) if kind is FrameKind.LOBBY else None
        word = (kind, value.get("t") if isinstance(value, dict) else None)
        longest[word] = max(longest.get(word, b""), payload, key=len)
    return tuple((kind, payload) for (kind, _), payload in longest.items())


PLACES = (1, 3, 5, 9, 13, 17, 21, 25, 30, 36, 42, 50, 58, 66)
GAMES: dict[str, Callable[[], simnet.Net]] = {
    "play": lambda: simnet.make_closed(3, rules=preset("pagat").override({"chat": "open"})),
    "played out": lambda: whole(3),
}


def tables(places: Iterable[int] = PLACES) -> Iterator[Phase]:
    """A player's node in the phases of a hand, after its end, and after a parting."""
    for name, make in GAMES.items():
        log = make()
        log.run()
        entries = [signed.raw for signed in log.tables[0].chain.entries]
        net, last = make(), len(entries)
        for place in (*(place for place in places if place < last), last):
            if place < last:
                net.come_to(place)
            else:
                net.tables = fork(log).tables
            for table in net.tables:
                table.replica.blocked_from = None
            yield _table(f"{name}, place {place}", fork(net), entries)
        if name == "played out":
            left = make()
            left.part(2, 30)
            yield _table("parted", fork(left), entries)


def _table(name: str, net: simnet.Net, entries: list[bytes]) -> Phase:
    table = net.tables[0]
    node = Node(table.me.key, "Asha", Rng.from_seed(bytes(32)), 0.0)
    node.table, node._absence_or_none, node._spectators = (
        table,
        PlayerAbsence(table),
        Spectators(table),
    )
    node.effects()
    node.events()
    keys = tuple(each.me.key for each in net.tables)
    senders = (keys[1].public, keys[2].public, STRANGER.public)
    honest = tuple(_said(net, entries))
    return Phase(name, node, parts_of(node), senders, honest, keys, net.now + 1.0)


def _said(net: simnet.Net, entries: list[bytes]) -> Iterator[Message]:
    """An entry of every kind for the next place, by whose turn it is and by another; receipts,
    questions, evidence, words of parting, chat."""
    table, keys = net.tables[0], [each.me.key for each in net.tables]
    chain, due = table.chain, table.replica.due
    seq, name = chain.next_seq, chain.table_at(chain.next_seq)
    author = 1 if due is None else due.player
    kinds = {parse_entry(raw).entry.kind: parse_entry(raw).entry for raw in entries}
    if seq < len(entries):
        kinds[parse_entry(entries[seq]).entry.kind] = parse_entry(entries[seq]).entry
    for e in kinds.values():
        signed = sign_entry(keys[author], name, seq, chain.head, author, e.kind, e.body)
        yield FrameKind.ENTRY, signed.raw
    past, last = chain.entries[0], chain.entries[-1]
    yield FrameKind.ENTRY, last.raw
    for at, link in ((seq - 1, last.link), (seq, bytes(32))):
        for claim in (None, "caps", "spoilt"):
            said = sign_receipt(keys[1], chain.table_at(at), at, link, 1, claim)
            yield FrameKind.RECEIPT, said.encode()
    yield FrameKind.SYNC, encode({"have": max(0, seq - 1), "receipts": [0, 1]})
    other = sign_entry(keys[0], past.entry.table, 0, past.entry.prev, 0, "say", {"word": "pass"})
    one, two = (sign_receipt(keys[2], name, 0, bytes([n]) * 32, 2, None) for n in (1, 2))
    yield FrameKind.EVIDENCE, of_fork(past.raw, other.raw).encode()
    yield FrameKind.EVIDENCE, of_split(one.encode(), two.encode()).encode()
    sharing = [raw for raw in entries if parse_entry(raw).entry.body.get("shares")]
    word = encode({"point": POINT, "proof": bytes(64), "seat": 1})
    yield FrameKind.EVIDENCE, Evidence(BOX, (sharing or entries)[-1], word).encode()
    for step in (READY, STAY, PART):
        where = PartingPlace(chain.table, seq, chain.head, 3)
        yield FrameKind.PART, say(keys[1], step, where, 1).encode()
    yield FrameKind.TALK, b"good luck"
    yield FrameKind.WATCH, watch_bytes(0)
    yield FrameKind.NOTE, note_bytes(Note(True, ("Eve",)))
    yield FrameKind.BLOCK, encode_block(chain.block(0))
    yield FrameKind.LOBBY, lobby_bytes(Full("full"))


def spectators() -> Iterator[Phase]:
    """A spectator that has seen the beginning of a hand."""
    net = GAMES["play"]()
    net.run()
    chain = net.tables[0].chain
    for seen in (0, 1, 8, 20):
        watcher = SpectatorMachine()
        for seq in range(seen):
            watcher.receive(b"x", FrameKind.BLOCK, encode_block(chain.block(seq)), 1.0)
        blocks = [encode_block(chain.block(seq)) for seq in (seen, seen + 1)]
        honest = tuple((FrameKind.BLOCK, block) for block in blocks)
        keys = tuple(table.me.key for table in net.tables)
        parts = (watcher, watcher._out, watcher._replay)
        yield Phase(f"spectator, place {seen}", watcher, parts, (b"x",), honest, keys)


def phases() -> Iterator[Phase]:
    yield from gatherings()
    yield from tables()
    yield from spectators()


# What becomes of them


def cases(
    phase: Phase, chance: random.Random | None = None, most: int = 0
) -> Iterator[tuple[bytes, FrameKind, bytes]]:
    """Every change of every honest message, from every sender; with ``chance`` only ``most`` of the
    changes of each message, from one sender, after the message itself from all."""
    for kind, payload in phase.honest:
        for raw in changed(phase, kind, payload, chance, most):
            some = chance is not None and raw is not payload
            senders = (chance.choice(phase.senders),) if chance and some else phase.senders
            yield from ((sender, kind, raw) for sender in senders)


def outcome(phase: Phase, sender: bytes, kind: FrameKind, payload: bytes) -> Wrong | None:
    """Hand over one message, and go back to where the machine was."""
    before = Snapshot(phase.parts)
    try:
        phase.machine.receive(sender, kind, payload, phase.now)
        effects = phase.machine.effects()
        phase.machine.events()
        found = [e.data.decode() for e in effects if isinstance(e, Persist) and e.name == REPORT]
    except Exception:  # noqa: BLE001 - that is what is looked for
        found = [traceback.format_exc(limit=-6)]
    finally:
        before.restore()
    return Wrong(phase.name, kind.name, found[0], payload.hex()[:400]) if found else None
