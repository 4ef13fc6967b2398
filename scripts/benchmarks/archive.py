"""Audits of archives: memory and time. usage: scripts/dev bench-archive [--hands N] [--tables N]

A match of N hands is audited, and one of a single hand, for their memory. Then N tables of four
hands are audited by one process, by two, and, as root, by a Dask cluster: a scheduler and two
workers on three hosts of a LAN in this machine, whose workers cannot see the files.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from p2p304.rules.variants.presets import preset
from tests.support.lab.lan import Lan, why_not
from tests.support.paths import ROOT
from tests.support.table import simnet

HANDS = 4
SCHEDULER = 8786


def write_table(path: Path, hands: int, seed: int) -> None:
    """Let four players by chance play so many hands, also when one of them has nothing left."""
    net = simnet.make(seed, hands, preset("pagat").override({"match": "session"}))
    net.run()
    path.write_bytes(net.transcripts[0])


def peak(path: Path) -> float:
    """The greatest resident memory of an audit of a file, in MiB."""
    audited = [sys.executable, "-m", "p2p304", "audit", str(path)]
    program = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, "
        "stdout=subprocess.DEVNULL); "
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    told = subprocess.run([sys.executable, "-c", program, *audited], stdout=-1, check=True)
    return int(told.stdout) / 1024


def timed(words: list[str], before: tuple[str, ...] = ()) -> tuple[float, float]:
    """Seconds of an audit, on the clock and of CPU time of its processes."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [*before, sys.executable, "-m", "p2p304", "audit", *words]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
    seconds = time.perf_counter() - begun
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = now.ru_utime + now.ru_stime - spent.ru_utime - spent.ru_stime
    return seconds, cpu


async def on_two_hosts(folder: Path) -> float:
    """Seconds of an audit by a worker on each of two hosts of a LAN."""
    lan = Lan(3)
    lan.up()
    address = f"tcp://{lan.address(1)}:{SCHEDULER}"
    dask = [sys.executable, "-m", "dask"]
    running: list[asyncio.subprocess.Process] = []

    def inside(host: int) -> list[str]:
        return ["ip", "netns", "exec", lan.name(host)]

    async def start(host: int, *words: str) -> None:
        hidden = f'mount -t tmpfs none {folder}; exec "$@"'
        alone = ["unshare", "-m", "sh", "-c", hidden, "-"]
        running.append(
            await asyncio.create_subprocess_exec(
                *inside(host), *alone, *dask, *words, stderr=asyncio.subprocess.DEVNULL, cwd="/"
            )
        )

    try:
        here = ("--host", lan.address(1), "--port", str(SCHEDULER), "--no-dashboard")
        await start(1, "scheduler", *here)
        for host in (2, 3):
            alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
            await start(host, "worker", address, *alone, "--host", lan.address(host))
        ready = f"from distributed import Client; Client('{address}', timeout=90)"
        ready += ".wait_for_workers(2, 90)"
        command = [*inside(1), sys.executable, "-c", ready]
        await asyncio.to_thread(subprocess.run, command, check=True, stderr=-3)
        words = [str(folder), "--scheduler", address]
        return (await asyncio.to_thread(timed, words, tuple(inside(1))))[0]
    finally:
        for process in running:
            process.terminate()
        await asyncio.gather(*(process.wait() for process in running))
        lan.down()


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=int, default=30, help="hands of the long match")
    parser.add_argument("--tables", type=int, default=8, help="tables of the archive")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="p2p304-bench-") as made:
        long, short = Path(made) / "long.304", Path(made) / "short.304"
        write_table(long, chosen.hands, 7)
        write_table(short, 1, 7)
        for path in (short, long):
            say(f"{path.stat().st_size / 1e6:.2f} MB: {peak(path):.1f} MiB at most")
        folder = Path(made) / "archive"
        folder.mkdir()
        for number in range(chosen.tables):
            write_table(folder / f"{number}.304", HANDS, number + 1)
        hands = chosen.tables * HANDS
        for jobs in (1, 2):
            seconds, cpu = timed([str(folder), "--jobs", str(jobs)])
            told = f"{seconds:.1f} s, {cpu:.1f} s of CPU time"
            say(f"{hands} hands, {jobs} of {os.cpu_count()} cores: {told}")
        reason = why_not()
        if reason is not None:
            say(f"No lab on this machine: {reason}.")
            return
        say(f"{hands} hands, two workers on two hosts: {asyncio.run(on_two_hosts(folder)):.1f} s")


if __name__ == "__main__":
    main()
