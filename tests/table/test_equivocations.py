"""Whoever says one thing to one player and another to the next is found out by all, however it
splits the table, as long as the honest can reach each other; and nobody honest is named."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable
from functools import cache

import pytest

from p2p304.crypto.engines import reference
from p2p304.crypto.signing import SigningKey, verify
from p2p304.log.entry import Receipt, Unverified, parse_entry, sign_entry, sign_receipt
from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.rules.play.view import legal
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.wire.bodies import body_value
from p2p304.wire.canonical import decode, encode
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.table import simnet

LIAR = 1
Said = Receipt | Unverified
Pair = tuple[Said, Said]
SPLITS = [split for split in itertools.product((0, 1, None), repeat=3) if {0, 1} <= set(split)]
"""What each of the three others is told: the one thing, the other, or nothing."""


@cache
def before_an_entry() -> simnet.Net:
    """A table in the bidding where the liar has the floor, and all have seen the last entry."""
    net = simnet.make_closed(3)
    while True:
        seq = net.tables[0].chain.next_seq + 1
        net.come_to(seq)
        state = net.tables[0].state
        due = net.tables[0].replica.due
        dealt = state is not None and state.deal is not None and state.deal.dealt
        if due is not None and due.player == LIAR and dealt and not due.by_itself:
            return opened(net)


@cache
def before_a_receipt() -> simnet.Net:
    """A table in play after another's entry, for which nobody has the liar's receipt."""
    net = simnet.make_closed(3)
    while True:
        net.come_to(net.tables[0].chain.next_seq + 1)
        table = net.tables[0]
        hand = None if table.state is None else table.state.hand
        if hand is None or len(hand.tricks) < 2 or hand.trick is None or not hand.trick:
            continue
        if table.chain.entries[-1].entry.author == LIAR or table.replica.due is None:
            continue
        for each in net.tables:
            each.chain._receipts[-1].pop(LIAR)
        return opened(net)


def opened(net: simnet.Net) -> simnet.Net:
    for table in net.tables:
        table.replica.blocked_from = None
        table.effects()
        table.events()
    net.queue.clear()
    return net


def two_entries(net: simnet.Net) -> tuple[Unverified, Unverified]:
    """Two moves that the rules allow."""
    table = net.tables[LIAR]
    due = table.replica.due
    assert due is not None
    bodies = [table.turns.writer(due).chosen(action) for action in legal(table.view)[:2]]
    chain = table.chain
    one, two = (
        sign_entry(
            table.me.key, chain.table, chain.next_seq, chain.head, LIAR, body.KIND, body_value(body)
        )
        for body in bodies
    )
    return one, two


def signed_anew(net: simnet.Net) -> Pair:
    """One move, signed with two nonces: everything but the signature is the same."""
    one, _ = two_entries(net)
    value = decode(one.raw)
    assert isinstance(value, dict)
    message = b"p2p304 entry\x00" + encode(one.entry.unsigned())
    sig = sign_with_nonce(net.tables[LIAR].me.key, message, 12345)
    return one, parse_entry(encode({**value, "sig": sig}))


def sign_with_nonce(key: SigningKey, message: bytes, r: int) -> bytes:
    """Ed25519 (RFC 8032, section 5.1.6) with a nonce of one's own choice."""
    half = hashlib.sha512(key._key.private_bytes_raw()).digest()[:32]
    a = int.from_bytes(half, "little") & ((1 << 254) - 8) | (1 << 254)
    y0 = 4 * pow(5, -1, reference.P) % reference.P
    _, x0 = reference.sqrt_ratio(y0 * y0 - 1, reference.D * y0 * y0 + 1)
    X, Y, Z, _ = reference._product(r, (x0, y0, 1, x0 * y0 % reference.P))
    x, y = (v * pow(Z, -1, reference.P) % reference.P for v in (X, Y))
    R = (y | (x & 1) << 255).to_bytes(32, "little")
    k = int.from_bytes(hashlib.sha512(R + key.public + message).digest(), "little")
    sig = R + ((r + k * a) % reference.Q).to_bytes(32, "little")
    assert verify(key.public, message, sig)
    return sig


def receipt(net: simnet.Net, head: bytes | None, claim: str | None) -> Receipt:
    table = net.tables[LIAR]
    last = table.chain.entries[-1]
    return sign_receipt(
        table.me.key, table.chain.table, last.entry.seq, head or last.link, LIAR, claim
    )


def two_heads(net: simnet.Net) -> Pair:
    """A receipt for the entry that is there, and one for an entry that nobody has."""
    return receipt(net, None, None), receipt(net, bytes(32), None)


def two_claims(net: simnet.Net) -> Pair:
    """A claim to one, none to the other."""
    return receipt(net, None, None), receipt(net, None, "spoilt")


def two_other_heads(net: simnet.Net) -> Pair:
    """Receipts for two entries that nobody has."""
    return receipt(net, bytes(31) + b"1", None), receipt(net, bytes(31) + b"2", None)


KINDS: dict[str, tuple[Callable[[], simnet.Net], Callable[[simnet.Net], Pair], str]] = {
    "entries": (before_an_entry, two_entries, "L11"),
    "signatures": (before_an_entry, signed_anew, "L11"),
    "heads": (before_a_receipt, two_heads, "L10"),
    "other heads": (before_a_receipt, two_other_heads, "L10"),
    "claims": (before_a_receipt, two_claims, "L10"),
}


def told(kind: str, split: tuple[int | None, ...]) -> simnet.Net:
    """The liar says this, each to whom the split says, and then nothing more."""
    game, pair, _ = KINDS[kind]
    said = pair(game())
    net = fork(game())
    net.tables[LIAR]._fault_handler.stopped = Refused("S01", "this node only lies")
    honest = [n for n in range(4) if n != LIAR]
    for target, which in zip(honest, split, strict=True):
        if which is not None:
            tell(net, target, said[which])
    return net


def tell(net: simnet.Net, target: int, said: Said) -> None:
    kind = FrameKind.RECEIPT if isinstance(said, Receipt) else FrameKind.ENTRY
    raw = said.encode() if isinstance(said, Receipt) else said.raw
    net._queue(LIAR, target, kind, raw)


def found_by_all(net: simnet.Net, check: str) -> None:
    honest = [n for n in range(4) if n != LIAR]
    for number in honest:
        named = {
            (f.finding.check, f.finding.player)
            for f in net.told[number]
            if isinstance(f, events.Fault) and f.nick
        }
        assert named == {(check, LIAR)}, number
        verdict = judge(net.evidence[number])
        assert (verdict.finding.check, verdict.finding.player) == (check, LIAR)


def all_stopped(net: simnet.Net) -> bool:
    return all(table.stopped is not None for table in net.tables)


@pytest.mark.parametrize("split", SPLITS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_two_faces_are_found_whatever_the_split(kind: str, split: tuple[int | None, ...]) -> None:
    """Without waiting for the next question of SYNC."""
    net = told(kind, split)
    net.run(seconds=0.4, until=lambda: all_stopped(net))
    found_by_all(net, KINDS[kind][2])


@pytest.mark.parametrize("split", SPLITS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_two_faces_are_found_through_a_third_player(
    kind: str, split: tuple[int | None, ...]
) -> None:
    """The two who were told different things cannot reach each other; the third reaches both."""
    net = told(kind, split)
    honest = [n for n in range(4) if n != LIAR]
    apart = {honest[split.index(0)], honest[split.index(1)]}
    queue = net._queue

    def cut(source: int, target: int, kind: FrameKind, payload: bytes) -> None:
        if {source, target} != apart:
            queue(source, target, kind, payload)

    net._queue = cut  # type: ignore[method-assign]
    net.run(seconds=5, until=lambda: all_stopped(net))
    found_by_all(net, KINDS[kind][2])


@pytest.mark.parametrize("kind", KINDS)
def test_two_faces_are_found_although_the_first_answers_are_lost(kind: str) -> None:
    """All links break just after the lie, and come back."""
    net = told(kind, (0, 1, None))
    net.run(seconds=0.0, until=lambda: net.queue[0][2] != LIAR)
    net.faults.loss = 1.0
    net.queue.clear()
    net.run(seconds=0.4, until=lambda: all_stopped(net))
    assert not all_stopped(net)
    net.faults.loss = 0.0
    for one, two in itertools.permutations((0, 2, 3), 2):
        net.tables[one].link_up(net.keys[two], net.now)
    net.run(seconds=5, until=lambda: all_stopped(net))
    found_by_all(net, KINDS[kind][2])


@pytest.mark.parametrize("kind", KINDS)
def test_who_is_linked_only_later_is_shown_the_proof(kind: str) -> None:
    """Dilan is out of everybody's reach while the others find out."""
    net = told(kind, (0, 1, None))
    queue, late = net._queue, 3

    def cut(source: int, target: int, kind: FrameKind, payload: bytes) -> None:
        if late not in (source, target):
            queue(source, target, kind, payload)

    net._queue = cut  # type: ignore[method-assign]
    net.run(seconds=5, until=lambda: all_stopped(net))
    assert [table.stopped is None for table in net.tables] == [n == late for n in range(4)]
    net._queue = queue  # type: ignore[method-assign]
    net.tables[0].link_up(net.keys[late], net.now)
    net.tables[late].link_up(net.keys[0], net.now)
    net.run(seconds=1, until=lambda: all_stopped(net))
    found_by_all(net, KINDS[kind][2])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_both_faces_shown_to_one_player_before_its_place(kind: str, order: tuple[int, int]) -> None:
    """What comes early is compared too, when its place is reached."""
    game, pair, check = KINDS[kind]
    said = pair(game())
    net = fork(game())
    net.tables[LIAR]._fault_handler.stopped = Refused("S01", "this node only lies")
    victim = net.tables[0]
    # The victim lacks a receipt of its neighbour for the entry before, or that entry.
    behind(net, victim, check)
    for which in order:
        tell(net, 0, said[which])
    net.run(seconds=0.0, until=lambda: all_stopped(net))
    net.run(seconds=5, until=lambda: all_stopped(net))
    found_by_all(net, check)


def behind(net: simnet.Net, victim: TableMachine, check: str) -> None:
    chain = victim.chain
    if check == "L11":
        missing = next(n for n in chain._receipts[-1] if n not in (LIAR, victim.me.player))
        chain._receipts[-1].pop(missing)
        return
    chain._entries.pop()
    chain._receipts.pop()
    victim.replica.state = victim.replica._before
    victim.turns.last_written = chain.next_seq - 1


def test_an_odd_receipt_is_shown_once_and_then_at_the_pace_of_sync() -> None:
    """A peer that repeats it does not make a node send its entry again and again."""
    net = fork(before_a_receipt())
    table = net.tables[0]
    odd = receipt(net, bytes(32), None).encode()
    for _ in range(200):
        table.receive(net.keys[LIAR], FrameKind.RECEIPT, odd, net.now)
    sent = [e for e in table.effects() if getattr(e, "kind", None) is FrameKind.ENTRY]
    assert len(sent) == 3, "one to each"
