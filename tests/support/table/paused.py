"""Simulated tables that stop where a player is asked to choose: each is played there once."""

from __future__ import annotations

import copy
from functools import cache

from p2p304.log.faults import Refused
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet


class _Paused(Exception):
    pass


def plain_choice(view: View) -> Action:
    """One low bid, then closed trumps and any card."""
    options = legal(view)
    bids = [a for a in options if isinstance(a, acts.Bid) and view.hand.phase is Phase.BID4]
    shy = [a for a in options if isinstance(a, acts.Pass | acts.Closed)]
    first = not any(isinstance(done, acts.Bid) for done in view.hand.history)
    return (bids if first and bids else shy or options)[0]


@cache
def _played_until(phase: Phase, nth: int, seed: int, rules: Options | None) -> simnet.Net:
    net, found = simnet.make(seed, rules=rules), 0

    def choose(view: View) -> Action:
        nonlocal found
        found += view.hand.phase is phase
        if found == nth:
            raise _Paused
        return plain_choice(view)

    net.choosers = [choose] * len(net.tables)
    try:
        net.run()
    except _Paused:
        net.run(seconds=0)  # the others hear all that has been said
        return net
    raise LookupError("nobody is asked there")


def paused(
    phase: Phase = Phase.BID4, nth: int = 1, seed: int = 1, rules: Options | None = None
) -> tuple[simnet.Net, TableMachine]:
    """A table whose machines are all quiet, and the machine of the player who must choose in this
    phase (the ``nth`` choice in it)."""
    net = copy.deepcopy(_played_until(phase, nth, seed, rules))
    net.choosers = [plain_choice] * len(net.tables)
    due = next(table.replica.due for table in net.tables if table.replica.due is not None)
    return net, net.tables[due.player]


def forbid_writing(table: TableMachine, why: str) -> None:
    """Bring about one of the reasons for which a machine may not write its next entry."""
    match why:
        case "written":
            table.turns.last_written = table.chain.next_seq
        case "blocked":
            table.replica.blocked_from = table.chain.next_seq
        case "recovery":
            table.waits.recover()
        case "stopped":
            table._fault_handler.stopped = Refused("D17", "stopped")
        case "unsettled":
            table.chain._receipts[-1].clear()
        case "left":
            table.give_up(0.0)
        case _:
            raise LookupError(why)


def sent(table: TableMachine, kind: FrameKind) -> list[bytes]:
    """What a machine sends of this kind; each message once."""
    found = [e.payload for e in table.effects() if isinstance(e, Send) and e.kind is kind]
    return list(dict.fromkeys(found))


def acted(table: TableMachine, now: float, action: Action | None = None) -> bytes:
    """The entry with which this machine's player chooses."""
    table.effects()
    table.act(action or plain_choice(table.view), now)
    (entry,) = sent(table, FrameKind.ENTRY)
    return entry


def copied(net: simnet.Net) -> simnet.Net:
    return copy.deepcopy(net)


def heard(table: TableMachine, kind: type[events.Event]) -> list[events.Event]:
    return [event for event in table.events() if isinstance(event, kind)]


def written(table: TableMachine, name: str) -> list[bytes]:
    """What a machine persists under this name."""
    return [e.data for e in table.effects() if isinstance(e, Persist) and e.name == name]
