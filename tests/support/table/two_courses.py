"""Two sound transcripts of one table that contradict each other: its players sign two games, or two
ends of one."""

from __future__ import annotations

from pathlib import Path

from p2p304.log.absence_vote import PART, PartingPlace, say
from p2p304.log.transcript import encode_block, encode_last, transcript
from p2p304.rules.variants.presets import preset
from tests.support.table import simnet

ENTRIES = 45
ENDS = preset("pagat").override({"away": "replace"})


def two_courses(folder: Path) -> list[Path]:
    """Write both into the folder, as a.304 and b.304."""
    paths = [folder / "a.304", folder / "b.304"]
    for number, path in enumerate(paths):
        path.write_bytes(course(number))
    return paths


def two_ends(folder: Path) -> list[Path]:
    """Write a table with a hand left that was ended at place 20 without Chitra, and without
    Dilan."""
    paths = [folder / "a.304", folder / "b.304"]
    for absent, path in enumerate(paths, start=2):
        net = simnet.make(1, 2, ENDS)
        net.part(absent, 20)
        path.write_bytes(transcript(net.tables[0].chain, 20))
    return paths


def parted_at_the_end(net: simnet.Net, absent: int) -> bytes:
    """Return the file of a table that is over, in which all others part from ``absent`` after its
    last entry."""
    chain, keys = net.tables[0].chain, [table.me.key for table in net.tables]
    place = PartingPlace(chain.table, chain.next_seq, chain.head, absent)
    parts = [(n, say(key, PART, place, n).sig) for n, key in enumerate(keys) if n != absent]
    last = len(encode_block(chain.block(chain.next_seq - 1)))
    return transcript(chain, chain.next_seq)[:-last] + encode_last(chain.last.raw, tuple(parts))


def course(seed: int) -> bytes:
    """Return a table that is the same with every seed up to the first bid."""
    net = simnet.make(1)
    net.choosers = [simnet.closed_chooser(10 * seed + n) for n in range(len(net.tables))]
    net.run(seconds=60, until=lambda: net.tables[0].chain.next_seq > ENTRIES)
    return net.transcripts[0]
