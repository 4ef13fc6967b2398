"""One stop of a node at a chosen write or send of a whole hand, and how the hand must end."""

from __future__ import annotations

from p2p304.offline.audit import audit
from p2p304.table.state.events import Fault
from tests.support.table.crashes import World


def good(world: World) -> bytes:
    """Everybody finished with one and the same chain, and nothing was signed twice."""
    world.run(20.0)
    assert world.finished, (world.now, world.starts)
    assert all(len(kept) == 1 for kept in world.signed.values())
    faults = [e.finding for told in world.told for e in told if isinstance(e, Fault)]
    # Whoever stops between pledge and signature has forgotten what it pledged: all pledge anew.
    assert {finding.check for finding in faults} <= {"W22"}
    transcripts = {disk.transcript for disk in world.disks}
    assert len(transcripts) == 1
    return transcripts.pop()


def points(world: World, every: int) -> list[tuple[int, bool]]:
    """One in so many of the writes and sends of a whole hand, before and after each."""
    return [(at, after) for at in range(0, world.points, every) for after in (False, True)]


def stop_once(at: tuple[int, bool], undisturbed: bytes, like: World) -> World:
    """A stop within the hand ends with the very same transcript; one before all had signed may
    end with another agreement, but as sound."""
    world = type(like)(stop_at=at, seed=like.seed)
    transcript = good(world)
    assert sum(world.starts) == 5
    assert transcript == undisturbed or audit(transcript).sound
    return world
