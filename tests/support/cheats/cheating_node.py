"""A real node that cheats: p2p304 with one lie of the catalogue put into its pen.

usage: python -m tests.support.cheats.cheating_node CHEAT [words of p2p304 ...]
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

from p2p304.cli.main import run
from p2p304.log.entry import sign_entry
from p2p304.log.faults import Refused
from p2p304.table.machine.table_machine import TableMachine
from p2p304.wire.bodies import Body, body_value
from p2p304.wire.framing import FrameKind
from tests.support.cheats import catalogue
from tests.support.cheats.harness import Chance


def with_a_false_pen(name: str) -> None:
    cheat = next(cheat for cheat in catalogue.CHEATS if cheat.__name__ == name)()
    honest = TableMachine._write

    def write(self: TableMachine, kind: str, body: Body, now: float) -> None:
        world: Any = SimpleNamespace(tables=[self])
        lie = cheat.lie(Chance(world, 0), body) if kind == cheat.kind else None
        if lie is None:
            honest(self, kind, body, now)
            return
        entry = sign_entry(
            self.me.key,
            self.chain.table,
            self.chain.next_seq,
            self.chain.head,
            self.me.player,
            lie.KIND,
            body_value(lie),
        )
        self._out.send(FrameKind.ENTRY, entry.raw)
        self._fault_handler.stopped = Refused("S01", "this node only lies")

    setattr(TableMachine, "_write", write)  # noqa: B010 - a cheat replaces its own pen


if __name__ == "__main__":
    with_a_false_pen(sys.argv[1])
    run(sys.argv[2:])
