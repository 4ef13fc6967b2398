"""A node may stop at any write and any send: it comes back, and nobody signs anything twice."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from p2p304.log.chain import LEAST_KEPT
from p2p304.offline.audit import audit
from p2p304.table.machine import log_memory
from tests.support.table.crash_stops import good, points, stop_once
from tests.support.table.crashes import Memo, World
from tests.support.table.crashes_caps import Stacked, called, claims
from tests.support.table.crashes_left import left_world, played_out, stop_once_left

EVERY = 211
"""Of the points of a hand, one in so many here; scripts/dev crash-points tries them all."""
LAST_PART = 0.9
"""From this part of a hand on, the places of the deal have left memory."""


@pytest.fixture(scope="module")
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


def test_an_undisturbed_hand_ends_sound(memo: Memo) -> None:
    world = World()
    report = audit(good(world))
    assert report.sound and report.complete and report.entries >= 60
    assert world.points > 800


def test_a_stop_before_or_after_any_write_or_send_changes_nothing(memo: Memo) -> None:
    world = World()
    undisturbed = good(world)
    for at in points(world, EVERY):
        stop_once(at, undisturbed, world)


@pytest.fixture
def few_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is settled leaves memory at once, as in the real program after some hands."""
    monkeypatch.setattr(log_memory, "KEPT", LEAST_KEPT)


def test_a_stop_with_all_settled_places_out_of_memory_changes_nothing(
    memo: Memo, few_kept: None
) -> None:
    """The node that comes back finds half of a transcript that was never synced, and writes it
    anew; what its peers ask for then it reads there."""
    world = World()
    undisturbed, forgotten = good(world), list[int]()
    for part in (0.3, 0.6, LAST_PART):
        for after in (False, True):
            again = stop_once((int(part * world.points), after), undisturbed, world)
            forgotten += again.forgotten
    assert 0 < forgotten[0] < forgotten[2] < forgotten[4] and forgotten[4] > 50


def test_a_hand_that_is_played_out_after_such_a_stop_ends_the_same(
    memo: Memo, few_kept: None
) -> None:
    """Until all have signed that they part, the past is out of memory; who comes back after that
    reads all places again."""
    world = left_world()
    played_out(world)
    for part in (0.0, LAST_PART):
        (forgotten,) = stop_once_left((int(part * world.points), True)).forgotten
        assert (forgotten > 20) == (part == 0.0)


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
