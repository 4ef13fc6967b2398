"""Boxes that hold another share than the one published: only their receiver can see it."""

from __future__ import annotations

import simnet
from cheating import Outcome, tell
from leaving_games import whole

from p2p304.crypto.group import Element, Q
from p2p304.crypto.sealing import seal
from p2p304.table.checks import element, key_is_shared
from p2p304.table.machine import Table
from p2p304.table.sharing import own_share
from p2p304.wire.bodies import Body, Shuffle


class FalseBox:
    """One way to seal something else; the docstring says which."""

    check = "D13"

    def box(self, s: int, to: Element, about: bytes, table: Table) -> bytes:
        raise NotImplementedError


class AnotherScalar(FalseBox):
    """The box holds the share plus one."""

    def box(self, s: int, to: Element, about: bytes, table: Table) -> bytes:
        return seal((s + 1) % Q, to, about, table.me.secrets.rng.child(b"cheat"))


class Rubbish(FalseBox):
    """The box holds nothing that can be opened."""

    def box(self, s: int, to: Element, about: bytes, table: Table) -> bytes:
        true = seal(s, to, about, table.me.secrets.rng.child(b"cheat"))
        return true[:40] + bytes(40)


class AboutSomethingElse(FalseBox):
    """The right share, sealed for another key: a box moved from elsewhere."""

    def box(self, s: int, to: Element, about: bytes, table: Table) -> bytes:
        return seal(s, to, b"elsewhere", table.me.secrets.rng.child(b"cheat"))


class SealedToAnother(FalseBox):
    """The right share, sealed to a key of which nobody has the secret."""

    def box(self, s: int, to: Element, about: bytes, table: Table) -> bytes:
        return seal(s, Element(about[:32]), about, table.me.secrets.rng.child(b"cheat"))


FALSE_BOXES: list[type[FalseBox]] = FalseBox.__subclasses__()


def sharing() -> tuple[simnet.Net, int, Body]:
    """A table at its first shuffle, who is to shuffle, and what an honest node would write."""
    net = whole(3)
    net.come_to(5)
    (author,) = [n for n, table in enumerate(net.tables) if table.due
                 and table.due.player == table.me.player]  # fmt: skip
    table = net.tables[author]
    assert table.due is not None
    return net, author, table._writer(table.due).by_itself("shuffle")


def with_false_box(kind: type[FalseBox]) -> tuple[Outcome, int]:
    """The first receiver's box is false; with that receiver's seat."""
    net, author, honest = sharing()
    table = net.tables[author]
    assert isinstance(honest, Shuffle) and table.state is not None
    first, *rest = honest.shares
    seat = (table.seat + 1) % 4
    to = table.state.boxes[table.state.player_on(seat)]
    key, point = honest.key, first[:32]
    receiver = net.tables[table.state.player_on(seat)]
    s = _scalar(receiver, honest, table.seat)
    box = kind().box(s, to, key + point, table)
    lie = Shuffle(honest.key, honest.knows, honest.deck, honest.proof, (point + box, *rest))
    for other in net.tables:
        other.course.last_place = None
    return tell(net, author, lie), seat


def _scalar(receiver: Table, body: Shuffle, author: int) -> int:
    """What the receiver reads in the honest box."""
    shared = key_is_shared(element(body.key), author, body.shares, 3)
    assert shared is not None
    s = own_share(shared, receiver.seat, receiver.me.secrets.box_key)
    assert s is not None
    return s
