"""Two sound transcripts of one table that contradict each other: its players sign two games, or two
ends of one."""

from __future__ import annotations

from pathlib import Path

from p2p304.log.transcript import transcript
from p2p304.rules.variants.presets import preset
from tests.support.table import simnet

ENTRIES = 45


def two_courses(folder: Path) -> list[Path]:
    """Write both into the folder, as a.304 and b.304."""
    paths = [folder / "a.304", folder / "b.304"]
    for number, path in enumerate(paths):
        path.write_bytes(_course(number))
    return paths


def two_ends(folder: Path) -> list[Path]:
    """Write a table that was ended at place 20 without Chitra, and without Dilan."""
    paths = [folder / "a.304", folder / "b.304"]
    for absent, path in enumerate(paths, start=2):
        net = simnet.make(1, rules=preset("pagat").override({"away": "replace"}))
        net.part(absent, 20)
        path.write_bytes(transcript(net.tables[0].chain, 20))
    return paths


def _course(seed: int) -> bytes:
    net = simnet.make(1)
    net.choosers = [simnet.closed_chooser(10 * seed + n) for n in range(len(net.tables))]
    net.run(seconds=60, until=lambda: net.tables[0].chain.next_seq > ENTRIES)
    return net.transcripts[0]
