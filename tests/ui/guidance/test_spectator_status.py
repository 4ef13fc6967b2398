"""What a spectator's screen says about the turn: only what the spectator can know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p304.table.node.node import Node
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.node.spectators import BATCH, watch_bytes
from p2p304.ui.common.theme import Look
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import reduce
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World

ABSENT, NEXT = 2, 3


@pytest.fixture(autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


def test_a_move_that_an_absent_player_has_not_confirmed_is_not_still_awaited() -> None:
    """The player has moved, and the spectator cannot see that: it gets settled entries alone."""
    world = World(watch="now")
    node = world.nodes[0]
    assert node is not None
    while not is_turn_of(node, NEXT):
        world.run(0.0005)
    world.vanish(ABSENT)
    world.run(3)
    spectator, model = SpectatorMachine(), Model()
    for have in range(0, 100, BATCH):
        node.receive(bytes(32), FrameKind.WATCH, watch_bytes(have), world.now)
        for effect in node.effects():
            if isinstance(effect, Send) and effect.kind is FrameKind.BLOCK:
                spectator.receive(b"", effect.kind, effect.payload, world.now)
    for event in spectator.events():
        model = reduce(model, event, world.now)
    assert node.table is not None and not node.table.chain.is_settled
    assert node.table.chain.entries[-1].entry.author == NEXT
    renderer = PhraseRenderer(Look(), nicks=("A", "B", "C", "D"))
    assert node.table.state is not None
    who = "ABCD"[node.table.state.seat_of(NEXT)]
    assert renderer.text(due(model)) == f"Next: {who}"


def is_turn_of(node: Node, player: int) -> bool:
    table, due = node.table, None if node.table is None else node.table.replica.due
    if table is None or due is None or due.by_itself:
        return False
    return table.chain.is_settled and due.player == player
