"""A node may stop at any write and any send: it comes back, and nobody signs anything twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from crashes import Memo, World
from crashes_caps import Stacked, called, claims

from p2p304.offline.audit import audit
from p2p304.table.state.events import Fault

EVERY = 211
"""Of the points of a hand, one in so many here; scripts/crash-points tries them all."""


@pytest.fixture(scope="module")
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


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


def test_an_undisturbed_hand_ends_sound(memo: Memo) -> None:
    world = World()
    report = audit(good(world))
    assert report.sound and report.complete and report.entries >= 60
    assert world.points > 800


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


def test_a_stop_before_or_after_any_write_or_send_changes_nothing(memo: Memo) -> None:
    world = World()
    undisturbed = good(world)
    for at in points(world, EVERY):
        stop_once(at, undisturbed, world)


def test_who_stops_at_the_receipt_with_a_call_of_caps_is_bound_by_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The journal says it before the others hear it; who has come back would not call."""
    stacked = Stacked(monkeypatch)
    Memo(monkeypatch)
    world = called(stacked)
    undisturbed = good(world)
    assert claims(world) == ["caps"]
    assert world.where[world.claimed_at][1] == "PERSIST"
    for at in (world.claimed_at, world.claimed_at + 1):
        again = stop_once((at, True), undisturbed, world)
        assert claims(again) == ["caps"]


@pytest.mark.parametrize("seed", range(4))
def test_all_four_stop_at_once_and_come_back_from_their_journals(memo: Memo, seed: int) -> None:
    world = World()
    cut = random.Random(seed).uniform(0.01, 0.25)
    world.run(cut)
    for number in range(4):
        world.stop(number)
    transcript = good(world)
    assert audit(transcript).sound and world.starts == [2, 2, 2, 2]


@pytest.mark.parametrize("seed", range(3))
def test_many_stops_and_a_player_who_changes_mind_after_each(memo: Memo, seed: int) -> None:
    rng = random.Random(seed)
    world = World(mood=lambda starts: starts)
    for _ in range(12):
        world.run(rng.uniform(0.0, 0.3))
        number = rng.randrange(4)
        if world.nodes[number] is not None and world.disks[number].records:
            world.stop(number)
    assert audit(good(world)).sound
