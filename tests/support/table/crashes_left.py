"""A world in which a player leaves for good and the others play the hand out; any of them may be
stopped at any write or send on the way."""

from __future__ import annotations

from p2p304.offline.audit import audit
from p2p304.rules.variants.absence import LONG
from p2p304.table.machine.table_machine import TableMachine
from tests.support.table.crashes import World
from tests.support.table.leaving_games import RULES

ABSENT, PRESENT = 2, (0, 1, 3)
LEAVES_AT = 0.07
"""Seconds: in the middle of the play."""


def left_world(at: float = LEAVES_AT, stop_at: tuple[int, bool] | None = None) -> World:
    """Somebody leaves, and after a while those who are there are ready to play without them."""
    world = World(rules=RULES)
    world.run(at)
    world.leave(ABSENT)
    world.run(LONG + 5)
    world.where.clear()
    world.points, world.stop_at = 0, stop_at
    for number in PRESENT:
        _part(world, number)
    return world


def _part(world: World, number: int) -> None:
    node = world.nodes[number]
    if node is not None:
        node.propose_parting(world.now)
        world.drain(number)


def tables(world: World) -> list[TableMachine]:
    found = [node.table for n, node in enumerate(world.nodes) if n in PRESENT and node]
    return [table for table in found if table is not None]


def over(world: World) -> bool:
    return len(tables(world)) == 3 and all(table.is_finished for table in tables(world))


def play_on(world: World, seconds: float = 60.0) -> None:
    end = world.now + seconds
    while not over(world) and world.now < end and world.queue:
        world.run(0.01)


def played_out(world: World) -> bytes:
    """The one transcript of a hand that was played out, sound, nothing in it signed twice. Who
    was stopped before its word left wishes again once the absent one has been gone for long."""
    play_on(world)
    if not over(world):
        world.run(LONG)
        for number in PRESENT:
            table = next((t for t in tables(world) if t.me.player == number), None)
            if table is not None and not table.replica.is_parted:
                _part(world, number)
        play_on(world)
    assert over(world)
    (transcript,) = {world.disks[number].transcript for number in PRESENT}
    report = audit(transcript)
    assert report.sound and report.complete and report.without == "Chitra"
    assert all(len(kept) == 1 for kept in world.signed.values())
    return transcript


def stop_once_left(at: tuple[int, bool]) -> World:
    """One stop between the wish to play without somebody and the end of the hand."""
    world = left_world(stop_at=at)
    played_out(world)
    assert sum(world.starts) == 5
    return world
