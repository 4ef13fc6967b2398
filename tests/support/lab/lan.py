"""A LAN in one machine: hosts are network namespaces, the switch is this process.

Every host has a TAP device as its ``eth0``; frames that it sends are read here and written to the
others, late, twice or never, as a scenario wants. Needs root, ``ip`` and /dev/net/tun, touches no
interface of the machine itself, and cleans up what an earlier run left. Several labs may run on one
machine: names bear the process.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import random
import shutil
import struct
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_TUNSETIFF, _TUNSETCARRIER = 0x400454CA, 0x400454E2
_TAP, _NO_INFO = 0x2, 0x1000
_MULTICAST = 0x01
PREFIX = "lab304-"
NET, NET6 = "10.30.4", "fd30:4:"


def why_not() -> str | None:
    """Why this machine cannot have a lab, or None if it can."""
    if not Path("/dev/net/tun").exists() or shutil.which("ip") is None:
        return "there is no /dev/net/tun, or no ip command"
    if os.geteuid() != 0:
        return "network namespaces need root here"
    tried = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    return None if tried.returncode == 0 else "network namespaces are not allowed here"


def ip(*words: str, host: str | None = None) -> None:
    inside = ["-n", host] if host is not None else []
    done = subprocess.run(["ip", *inside, *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(f"ip {' '.join((*inside, *words))}: {done.stderr.strip()}")


def _clean_up() -> None:
    """Remove the hosts of labs whose process has ended, and of one before in this process."""
    listed = subprocess.run(["ip", "netns"], capture_output=True, text=True, check=False).stdout
    for name in (line.split()[0] for line in listed.splitlines() if line.startswith(PREFIX)):
        pid = name.removeprefix(PREFIX).partition("-")[0]
        if pid == str(os.getpid()) or not Path(f"/proc/{pid}").exists():
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


@dataclass
class Lan:
    """Hosts 1 to ``count``. Delay and jitter in seconds for each way, loss as a probability."""

    count: int
    seed: int = 0
    delay: float = 0.0
    jitter: float = 0.0
    loss: float = 0.0
    no_multicast: bool = False
    blocked: set[tuple[int, int]] = field(default_factory=set)
    frames: int = 0
    dropped: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._taps: dict[int, int] = {}
        self._where: dict[bytes, int] = {}

    def name(self, host: int) -> str:
        return f"{PREFIX}{os.getpid()}-{host}"

    def address(self, host: int) -> str:
        return f"{NET}.{host}"

    # Up and down

    def up(self) -> None:
        self._loop = asyncio.get_running_loop()
        _clean_up()
        for host in range(1, self.count + 1):
            ip("netns", "add", self.name(host))
            ip("link", "set", "lo", "up", host=self.name(host))
            self._add_tap(host)
            self.configure(host, self.address(host))

    def _add_tap(self, host: int) -> None:
        tap = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        device = f"l304t{os.getpid()}-{host}"
        fcntl.ioctl(tap, _TUNSETIFF, struct.pack("16sH22x", device.encode(), _TAP | _NO_INFO))
        ip("link", "set", device, "netns", self.name(host), "name", "eth0")
        self._taps[host] = tap
        self._loop.add_reader(tap, self._received, host)

    def configure(self, host: int, address: str) -> None:
        """Addresses (both versions) and the way for multicast."""
        name, last = self.name(host), address.rpartition(".")[2]
        ip("addr", "flush", "dev", "eth0", host=name)
        ip("addr", "add", f"{address}/24", "brd", "+", "dev", "eth0", host=name)
        ip("link", "set", "eth0", "up", host=name)
        ip("addr", "replace", f"{NET6}:{last}/64", "dev", "eth0", "nodad", host=name)
        ip("route", "replace", "224.0.0.0/4", "dev", "eth0", host=name)

    def crowd(self) -> None:
        """Interfaces in the way: the same bridge everywhere, and a VPN of which nobody is at the
        other end."""
        for host in self._taps:
            name = self.name(host)
            ip("link", "add", "docker0", "type", "bridge", host=name)
            ip("addr", "add", "172.17.0.1/16", "dev", "docker0", host=name)
            ip("link", "set", "docker0", "up", host=name)
            ip("link", "add", "wg0", "type", "veth", "peer", "name", "nowhere", host=name)
            ip("addr", "add", f"10.8.0.{host}/24", "dev", "wg0", host=name)
            for end in ("wg0", "nowhere"):
                ip("link", "set", end, "up", host=name)

    def down(self) -> None:
        for host, tap in self._taps.items():
            self._loop.remove_reader(tap)
            os.close(tap)
            ip("netns", "del", self.name(host))
        self._taps.clear()

    # Faults

    def split(self, one: Iterable[int], other: Iterable[int]) -> None:
        """Frames between the two groups are dropped; both keep their carrier."""
        pairs = {(a, b) for a in one for b in other}
        self.blocked |= pairs | {(b, a) for a, b in pairs}

    def heal(self) -> None:
        self.blocked.clear()

    def unplug(self, host: int) -> None:
        fcntl.ioctl(self._taps[host], _TUNSETCARRIER, struct.pack("i", 0))

    def plug(self, host: int) -> None:
        fcntl.ioctl(self._taps[host], _TUNSETCARRIER, struct.pack("i", 1))

    def interface_down(self, host: int) -> None:
        ip("link", "set", "eth0", "down", host=self.name(host))

    def interface_up(self, host: int, address: str | None = None) -> None:
        """Up again, with the address of before or another one."""
        self.configure(host, address or self.address(host))

    # The switch

    def _received(self, host: int) -> None:
        for _ in range(64):
            try:
                frame = os.read(self._taps[host], 65535)
            except (BlockingIOError, OSError):
                return
            self.frames += 1
            self._where[frame[6:12]] = host
            self._forward(host, frame)

    def _forward(self, source: int, frame: bytes) -> None:
        group = bool(frame[0] & _MULTICAST)
        if group and self.no_multicast and frame[:6] != b"\xff" * 6 and not _is_neighbour(frame):
            self.dropped += 1
            return
        known = None if group else self._where.get(frame[:6])
        for target in [known] if known is not None else list(self._taps):
            lost = (source, target) in self.blocked or self._random.random() < self.loss
            if target == source or lost:
                self.dropped += lost
                continue
            late = self.delay + self.jitter * self._random.random()
            if late:
                self._loop.call_later(late, self._deliver, target, frame)
            else:
                self._deliver(target, frame)

    def _deliver(self, target: int, frame: bytes) -> None:
        try:
            os.write(self._taps[target], frame)
        except (OSError, KeyError):
            self.dropped += 1


def _is_neighbour(frame: bytes) -> bool:
    """IPv6 neighbour discovery needs multicast; what is filtered is other multicast."""
    return frame[12:14] == b"\x86\xdd" and frame[20] == 58
