"""Leaving for good: all but one end the table together, or nobody does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from crashes import Memo, World
from simnet import make

from p2p304.log.faults import Refused
from p2p304.table import events
from p2p304.table.leaving import PATIENCE
from p2p304.table.parting import Parting, Where, parse_word, read_certificate, say
from p2p304.wire.canonical import decode
from p2p304.wire.effects import Persist, Send


@pytest.fixture(scope="module")
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


class Three:
    """Three players present and one absent, and words on their way in any order."""

    def __init__(self, seed: int) -> None:
        net = make(1)
        self.terms, self.rng = net.tables[0].terms, random.Random(seed)
        self.keys = [table.me.key for table in net.tables]
        self.sides = [Parting(self.keys[n], self.terms) for n in range(3)]
        self.disks: list[list[bytes]] = [[], [], []]
        self.flying: list[tuple[int, bytes]] = []
        self.where = Where(self.terms.table, 9, bytes(32), 3)

    def drain(self, number: int) -> None:
        for effect in self.sides[number].effects():
            if isinstance(effect, Persist):
                self.disks[number].append(effect.data)
            elif isinstance(effect, Send):
                self.flying += [(n, effect.payload) for n in range(3) if n != number]

    def chaos(self, steps: int) -> None:
        """Words lost, late and out of order; nodes stopped and started; players who wish, and
        whose wish ends because the absent one came back to them."""
        for _ in range(steps):
            number = self.rng.randrange(3)
            match self.rng.choice(("hear", "hear", "wish", "wish", "move on", "stop")):
                case "hear" if self.flying:
                    target, payload = self.flying.pop(self.rng.randrange(len(self.flying)))
                    if self.rng.random() < 0.8:
                        self.sides[target].receive(payload)
                        self.drain(target)
                case "wish":
                    self.sides[number].wish(self.where)
                case "move on":
                    self.sides[number].moved_on(10)
                case "stop":
                    self.sides[number] = Parting(self.keys[number], self.terms)
                    self.sides[number].restore(self.disks[number])
            self.drain(number)

    def settle(self) -> None:
        for _ in range(4):
            for number in range(3):
                self.sides[number].repeat()
                self.drain(number)
            while self.flying:
                target, payload = self.flying.pop(0)
                self.sides[target].receive(payload)
                self.drain(target)


@pytest.mark.parametrize("seed", range(40))
def test_either_all_are_bound_in_the_end_or_none(seed: int) -> None:
    three = Three(seed)
    three.chaos(30)
    bound = any(side.bound for side in three.sides)
    three.settle()
    certificates = {side.certificate.encode() for side in three.sides if side.certificate}
    if bound or certificates:
        assert all(side.bound for side in three.sides) and len(certificates) == 1
        assert read_certificate(certificates.pop(), three.terms) == three.where


def test_a_certificate_without_somebody_proves_nothing() -> None:
    three = Three(0)
    for side in three.sides:
        side.wish(three.where)
    for number in range(3):
        three.drain(number)
    three.settle()
    certificate = three.sides[0].certificate
    assert certificate is not None
    whole = decode(certificate.encode())
    assert isinstance(whole, list)
    ready = say(three.keys[0], "ready", three.where, 0)
    false = say(three.keys[3], "part", three.where, 0)
    for words in (certificate.words[:2], (ready, *certificate.words[1:]),
                  (false, *certificate.words[1:])):  # fmt: skip
        with pytest.raises(Refused):
            read_certificate(type(certificate)(tuple(words)).encode(), three.terms)


def test_a_word_is_one_canonical_value() -> None:
    three = Three(0)
    raw = say(three.keys[0], "ready", three.where, 0).encode()
    assert parse_word(raw).encode() == raw
    with pytest.raises(Refused, match="W07"):
        parse_word(raw + b"\0")


def parting_world(gone_for: float) -> World:
    """A hand in the middle of which one player goes and does not come back."""
    world = World()
    world.run(0.1)
    world.leave(2)
    world.run(gone_for)
    return world


def test_nobody_can_be_left_behind_at_once(memo: Memo) -> None:
    world = parting_world(PATIENCE / 2)
    node = world.nodes[0]
    assert node is not None
    with pytest.raises(LookupError):
        node.part(world.now)


def test_a_table_ends_when_all_who_are_there_agree(memo: Memo) -> None:
    world = parting_world(PATIENCE + 5)
    for number in (0, 1, 3):
        node = world.nodes[number]
        assert node is not None and not node.parted
        node.part(world.now)
        world.drain(number)
        world.run(3)
    for number in (0, 1, 3):
        node, told = world.nodes[number], world.told[number]
        assert node is not None and node.parted
        assert [e.absent for e in told if isinstance(e, events.Parted)] == ["Chitra"]
        assert not [e for e in told if isinstance(e, events.Fault)]
    assert all(len(kept) == 1 for kept in world.signed.values())
