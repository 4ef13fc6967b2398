"""What a spectator in text mode has verified is saved as it comes, however the watching ends."""

from __future__ import annotations

import asyncio
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.frontends.text import spectator
from p2p304.log.transcript import MAGIC, read_blocks
from p2p304.net.errors import NetError
from p2p304.rules.core.phrases import say
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.transition.replay import Replay
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


class Links:
    """The links of a spectator whose player closes the first one, with a reason."""

    def __init__(self, *_: object) -> None:
        self.failed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.on_lost: Any = None

    async def start(self) -> None: ...

    async def dial(self, host: str, port: int) -> bytes:
        return b"asha"

    def want(self, *_: object) -> None:
        asyncio.get_running_loop().call_soon(lambda: each_driver[-1].on_lost(b"asha", CLOSED))

    async def close(self) -> None: ...


class Driving(Links):
    def __class_getitem__(cls, _: object) -> type[Driving]:
        return cls

    def __init__(self, *_: object) -> None:
        super().__init__()
        each_driver.append(self)

    def close(self) -> None: ...  # type: ignore[override]


CLOSED = say("this table admits no spectators")
each_driver: list[Driving] = []


def test_a_spectator_in_text_mode_is_told_why_it_cannot_watch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spectator, "Mesh", Links)
    monkeypatch.setattr(spectator, "Driver", Driving)
    with pytest.raises(NetError, match=r"cannot watch this table: this table admits no spectators"):
        asyncio.run(asyncio.wait_for(spectator.watch("127.0.0.1:1", None, print), 5))


def test_a_spectator_in_text_mode_who_has_not_seen_the_end_is_told_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spectator, "Mesh", Links)
    monkeypatch.setattr(spectator, "Driver", Driving)
    monkeypatch.setattr(Links, "want", lambda *_: None)
    monkeypatch.setattr(spectator, "QUIET", 0.1)
    with pytest.raises(NetError, match="you have not seen its end"):
        asyncio.run(asyncio.wait_for(spectator.watch("127.0.0.1:1", None, print), 5))


def test_a_spectator_in_text_mode_reads_whose_turn_it_is_once_a_turn() -> None:
    teller, lines = spectator.SpectatorNarrator(), list[str]()
    for replayed in Replay((TRANSCRIPTS / "spoilt.304").read_bytes()):
        for event in replayed.events:
            lines += teller.lines(event)
    said = "Next: {}"
    dealt = lines.index(f"Batch 1 is dealt: 4 cards each.   {said.format('Bandu (East)')}")
    assert lines[dealt + 1] == f"Bandu (East) bids 160.   {said.format('Chitra (North)')}"
    won = lines.index(f"Bandu (East) wins trick 1.   {said.format('Bandu (East)')}")
    assert lines[won + 1] == f"  Bandu (East) leads 9S.   {said.format('Chitra (North)')}"
    assert not any(one.startswith("The next move") for one in lines), "never without a move"
    assert all(one != other for one, other in pairwise(lines) if "next move" in one)
