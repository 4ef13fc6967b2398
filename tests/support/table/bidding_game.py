"""A table in the bidding: the moment at which nuisances are tried."""

from __future__ import annotations

from functools import cache

from tests.support.cheats.receipts import deliver_all
from tests.support.table import simnet


@cache
def game() -> simnet.Net:
    """A table in the bidding, all receipts there, the player whose turn it is still thinking."""
    net = simnet.make_closed(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    deliver_all(net)
    return net
