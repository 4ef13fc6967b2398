"""A real node that cheats: p2p304 with one lie of the catalogue put into its pen.

usage: python cheating_node.py CHEAT [words of p2p304 ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "table")]

import test_catalogue  # noqa: E402
from cheating import Chance  # noqa: E402

from p2p304.cli import app  # noqa: E402
from p2p304.log.entry import sign_entry  # noqa: E402
from p2p304.log.faults import Refused  # noqa: E402
from p2p304.table.node.table_machine import Table  # noqa: E402
from p2p304.wire.bodies import Body, body_value  # noqa: E402
from p2p304.wire.framing import FrameKind  # noqa: E402


def with_a_false_pen(name: str) -> None:
    cheat = next(cheat for cheat in test_catalogue.CHEATS if cheat.__name__ == name)()
    honest = Table._write

    def write(self: Table, kind: str, body: Body, now: float) -> None:
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
        self._blame.stopped = Refused("S01", "this node only lies")

    setattr(Table, "_write", write)  # noqa: B010 - a cheat replaces its own pen


if __name__ == "__main__":
    with_a_false_pen(sys.argv[1])
    app(sys.argv[2:])
