"""A player without whom the others went on comes back: to the own seat, and to no better hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p304.log.transcript import read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.core.actions import Pass
from p2p304.rules.core.cards import Card
from p2p304.table.state import events
from tests.support.table.crashes import Memo
from tests.support.table.crashes_left import ABSENT, PRESENT, left_world, play_on, played_out
from tests.table.transition.test_successor import ended


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        yield


def cards_seen(told: list[events.Event]) -> set[Card]:
    """The cards that a player was dealt in the last hand."""
    views = [event.view for event in told if isinstance(event, events.HandSeen)]
    return set(views[-1].cards) | {*filter(None, (views[-1].indicator,))}


def test_with_replace_the_player_gets_the_own_seat_in_the_next_hand_and_pays_for_the_last() -> None:
    world, first, left = ended(0.07)
    account = left.rules.account(left.empty)
    before, key = cards_seen(world.told[ABSENT]), world.identities[ABSENT].public
    world.start(ABSENT)
    world.run(3)
    node = world.nodes[ABSENT]
    assert node is not None and node.has_ended and not node.may_continue
    with pytest.raises(LookupError):
        node.act(Pass(left.empty), world.now)

    world.leave(ABSENT)
    world.run(1)
    world.newcomer(ABSENT, left.stay[0], back=True)
    world.run(120)
    assert world.finished
    (second,) = {disk.transcript for disk in world.disks}
    report, old = audit(second), audit(first)
    assert report.sound and report.complete and report.terms is not None
    assert report.terms.keys.index(key) == left.empty
    began = [event for event in world.told[ABSENT] if isinstance(event, events.Seated)][-1]
    assert began.match.tokens == left.after.tokens == old.tokens
    assert began.match.tokens[account] < left.rules.tokens
    hands = [event for event in world.told[ABSENT] if isinstance(event, events.HandBegan)]
    assert hands[-1].dealer == left.after.dealer == (hands[0].dealer + 1) % 4
    assert cards_seen(world.told[ABSENT]) != before
    known = {block.entry.raw for block in read_blocks(first)}
    assert not known & {block.entry.raw for block in read_blocks(second)}


def test_with_playout_the_player_follows_the_own_hand_and_plays_nothing_of_it() -> None:
    world = left_world()
    dealt = cards_seen(world.told[ABSENT])
    world.run(0.02)
    world.start(ABSENT)
    at = len(world.told[ABSENT])
    play_on(world)
    transcript = played_out(world)
    world.run(5)
    node, told = world.nodes[ABSENT], world.told[ABSENT][at:]
    assert node is not None and node.is_finished and world.disks[ABSENT].transcript == transcript
    assert not [event for event in told if isinstance(event, events.YourTurn)]
    opened = {card for event in told if isinstance(event, events.LaidOpen) for card in event.cards}
    assert opened and opened <= dealt
    report = audit(transcript)
    (place,) = [n for n, block in enumerate(read_blocks(transcript)) if block.parts is not None]
    assert report.without == "Chitra" and len(PRESENT) == report.parts
    later = list(read_blocks(transcript))[place + 1 :]
    assert later and ABSENT not in {block.entry.entry.author for block in later}
    assert ABSENT not in {one.author for block in later for one in block.receipts}
