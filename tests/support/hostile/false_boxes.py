"""Boxes that hold another share than the one published: only their receiver can see it."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.group import Element, Q, encode_scalar
from p2p304.crypto.sealing import seal
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.proofs.checks import check_shares, parse_element
from p2p304.table.state.key_shares import own_share
from p2p304.wire.bodies import Body, Shuffle
from tests.support.cheats.harness import Outcome, tell
from tests.support.table import simnet
from tests.support.table.leaving_games import whole


class FalseBox:
    """One way to seal something else; the docstring says which."""

    check = "D13"

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        raise NotImplementedError


class AnotherScalar(FalseBox):
    """The box holds the share plus one."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal((s + 1) % Q, r, to, about)


class Nothing(FalseBox):
    """The box holds zero, which is nobody's share."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal(0, r, to, about)


class Rubbish(FalseBox):
    """The box is any scalar."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return encode_scalar(7)


class AboutSomethingElse(FalseBox):
    """The right share, sealed for another key: a box moved from elsewhere."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal(s, r, to, bytes(64))


class AboutInAnotherOrder(FalseBox):
    """The right share, sealed about its point and then the key."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal(s, r, to, about[32:] + about[:32])


class SealedToAnother(FalseBox):
    """The right share, sealed to a key of which nobody has the secret."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal(s, r, Element(about[:32]), about)


class UnderAnotherEphemeralKey(FalseBox):
    """The right share, sealed under another ephemeral key than the one in the entry."""

    def box(self, s: int, r: int, to: Element, about: bytes) -> bytes:
        return seal(s, r + 1, to, about)


FALSE_BOXES: list[type[FalseBox]] = FalseBox.__subclasses__()


def sharing() -> tuple[simnet.Net, int, Body]:
    """A table at its first shuffle, who is to shuffle, and what an honest node would write."""
    net = whole(3)
    net.come_to(5)
    (author,) = [
        n
        for n, table in enumerate(net.tables)
        if table.replica.due and table.replica.due.player == table.me.player
    ]
    table = net.tables[author]
    assert table.replica.due is not None
    return net, author, table.turns.writer(table.replica.due).by_itself("shuffle")


def with_false_box(kind: type[FalseBox]) -> tuple[Outcome, int]:
    """The first receiver's box is false; with that receiver's seat."""
    net, author, honest = sharing()
    table = net.tables[author]
    assert isinstance(honest, Shuffle) and table.state is not None
    first, *rest = honest.shares
    seat = (table.seat + 1) % 4
    to = table.state.boxes[table.state.player_on(seat)]
    receiver = net.tables[table.state.player_on(seat)]
    s = _scalar(receiver, honest, table.seat)
    rng = table.me.secrets.shares_of(table.state.number, parse_element(honest.key))
    r = rng.child(b"ephemeral key").scalar()
    box = kind().box(s, r, to, honest.key + first[:32])
    lie = replace(honest, shares=(first[:32] + box, *rest))
    for other in net.tables:
        other.replica.blocked_from = None
    return tell(net, author, lie), seat


def _scalar(receiver: TableMachine, body: Shuffle, author: int) -> int:
    """What the receiver reads in the honest box."""
    shared = check_shares(parse_element(body.key), author, body, 3)
    assert shared is not None
    s = own_share(shared, receiver.seat, receiver.me.secrets.box_key)
    assert s is not None
    return s
