"""What a spectator in text mode has verified is saved as it comes, however the watching ends."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from p2p304.frontends.text import spectator
from p2p304.log.transcript import MAGIC, read_blocks
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.wire.framing import FrameKind
from tests.support.paths import TRANSCRIPTS

GOOD = (TRANSCRIPTS / "good.304").read_bytes()
HEAD = int.from_bytes(GOOD[len(MAGIC) : len(MAGIC) + 4], "big")


def test_a_spectator_who_is_interrupted_has_saved_what_was_verified() -> None:
    machine, file, at = SpectatorMachine(), BytesIO(), len(MAGIC)
    driver: Any = SimpleNamespace(failed=SimpleNamespace(done=lambda: False))

    async def main() -> None:
        nonlocal at
        machine.link_up(b"asha", "x", "h", 1, 0.0)
        watching = asyncio.create_task(spectator._until_over(machine, driver, file))
        for _ in range(5):
            end = at + 4 + int.from_bytes(GOOD[at : at + 4], "big")
            machine.receive(b"asha", FrameKind.BLOCK, GOOD[at:end], 0.0)
            at = end
        await asyncio.sleep(0.01)
        assert sum(1 for _ in read_blocks(file.getvalue())) == 4, "while it waits"
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(main())
    assert file.getvalue() == GOOD[:at] and sum(1 for _ in read_blocks(GOOD[:at])) == 5


def test_what_the_file_held_before_is_kept_until_something_is_verified(tmp_path: Path) -> None:
    driver: Any = SimpleNamespace(failed=SimpleNamespace(done=lambda: False))
    kept, first = tmp_path / "friday.304", GOOD[: len(MAGIC) + 4 + HEAD]
    kept.write_bytes(b"an evening")

    async def watch(machine: SpectatorMachine) -> None:
        with kept.open("ab") as file:
            watching = asyncio.create_task(spectator._until_over(machine, driver, file))
            await asyncio.sleep(0.01)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)

    asyncio.run(watch(SpectatorMachine()))
    assert kept.read_bytes() == b"an evening"
    shown = SpectatorMachine()
    shown.receive(b"asha", FrameKind.BLOCK, first[len(MAGIC) :], 0.0)
    asyncio.run(watch(shown))
    assert kept.read_bytes() == first
