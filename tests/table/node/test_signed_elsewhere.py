"""One identity on two machines: the running one is told when it sees what the other has signed."""

from __future__ import annotations

import copy

import pytest

from p2p304.rules.play.view import legal
from p2p304.rules.state.hand import Phase
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player.pending_claim import PendingClaim
from p2p304.table.state import events
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.leaving_games import first_moment, in_phase, whole


def waiting_for_a_bid() -> tuple[simnet.Net, TableMachine]:
    """A table at which somebody is to bid, and the machine of that player."""
    _, place, seed = first_moment(in_phase(Phase.BID4))
    net = whole(seed)
    net.come_to(place + 1)
    for table in net.tables:
        table.replica.blocked_from = None
    due = net.tables[0].replica.due
    assert due is not None
    return net, net.tables[due.player]


def written_elsewhere(table: TableMachine, now: float) -> bytes:
    """The entry that the same player makes on another machine with the same files."""
    twin = copy.deepcopy(table)
    twin.effects()
    twin.act(legal(twin.view)[0], now)
    (entry,) = {
        e.payload for e in twin.effects() if isinstance(e, Send) and e.kind is FrameKind.ENTRY
    }
    return entry


@pytest.mark.parametrize("started_again", [False, True])
def test_a_running_node_tells_its_player_once(started_again: bool) -> None:
    """After a start it is what a lost journal makes, and is not told."""
    net, table = waiting_for_a_bid()
    entry = written_elsewhere(table, net.now)
    table.events()
    if started_again:
        table.waits.recover()
    peer = next(key for key in net.keys if key != table.me.key.public)
    place = table.chain.next_seq
    for _ in range(2):
        table.receive(peer, FrameKind.ENTRY, entry, net.now)
    assert table.chain.next_seq == place + 1
    told = [e for e in table.events() if isinstance(e, events.SignedElsewhere)]
    assert len(told) == (0 if started_again else 1)


@pytest.mark.parametrize("started_again", [False, True])
def test_an_own_receipt_from_another_machine_is_told_like_an_entry(
    started_again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that still holds its receipt back is sent the one that its identity gave elsewhere."""
    net, author = waiting_for_a_bid()
    entry = written_elsewhere(author, net.now)
    table = next(t for t in net.tables if t is not author)
    twin = copy.deepcopy(table)
    twin.effects()
    twin.receive(author.me.key.public, FrameKind.ENTRY, entry, net.now)
    (receipt,) = {
        e.payload for e in twin.effects() if isinstance(e, Send) and e.kind is FrameKind.RECEIPT
    }
    monkeypatch.setattr(PendingClaim, "hold_receipt", lambda *_: True)
    if started_again:
        table.waits.recover()
    table.receive(author.me.key.public, FrameKind.ENTRY, entry, net.now)
    table.events()
    place = table.chain.next_seq - 1
    assert table.chain.receipt_of(place, table.me.player) is None
    for _ in range(2):
        table.receive(author.me.key.public, FrameKind.RECEIPT, receipt, net.now)
    assert table.chain.receipt_of(place, table.me.player) is not None
    told = [e for e in table.events() if isinstance(e, events.SignedElsewhere)]
    assert len(told) == (0 if started_again else 1)


def test_nobody_is_told_of_what_it_wrote_itself() -> None:
    net = simnet.make_closed(2)
    net.run(seconds=60)
    assert net.finished
    assert not [e for told in net.told for e in told if isinstance(e, events.SignedElsewhere)]
