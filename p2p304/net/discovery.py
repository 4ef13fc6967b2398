"""Finding tables by mDNS: announcing one's own, listing the others'.

Owns the service records (SPEC.md, "Discovery") and what is done to text that comes from
strangers. Nothing found here is trusted: it is an address to try and words to show.
"""

from __future__ import annotations

import asyncio
import socket
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import ifaddr
from zeroconf import DNSQuestionType, InterfaceChoice, IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p304.crypto.rng import Rng
from p2p304.net import limits
from p2p304.net.mesh import NetError

SERVICE = "_p2p304._tcp.local."
VERSION = "1"
_LONGEST = 64
_RESOLVE_MS = 3000


@dataclass(frozen=True, slots=True)
class Announcement:
    """What a table says of itself: all of it is shown to strangers."""

    nick: str
    table: str
    rules: str
    free: int
    seats: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Found:
    """A table found: the announcement as cleaned text, and an address to try."""

    name: str
    announcement: Announcement
    version: str
    host: str
    port: int


def fingerprint(key: bytes) -> str:
    """An identity key's first 16 hex digits, in groups of four."""
    digits = key.hex()[:16]
    return " ".join(digits[i : i + 4] for i in range(0, 16, 4))


def clean(text: str) -> str:
    """Text from a stranger, fit to be shown: no control, format or bidi characters, short."""
    kept = (c for c in text if unicodedata.category(c)[0] not in "CZ" or c == " ")
    return "".join(kept).strip()[:_LONGEST]


def own_addresses() -> list[str]:
    """This machine's IPv4 addresses, loopback last."""
    found = [str(ip.ip) for adapter in ifaddr.get_adapters() for ip in adapter.ips if ip.is_IPv4]
    return sorted(set(found), key=lambda a: (a.startswith("127."), a))


class Discovery:
    """mDNS on the chosen interfaces (addresses; None: all). Use from one asyncio loop."""

    def __init__(self, interfaces: Sequence[str] | None = None) -> None:
        self.interfaces = list(interfaces) if interfaces else None
        self.found: dict[str, Found] = {}
        self.on_change: Callable[[], None] = lambda: None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._info: AsyncServiceInfo | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None

    def describe(self) -> str:
        """One sentence on where this node listens and announces."""
        where = ", ".join(self.interfaces or own_addresses()) or "no address"
        return f"Looking by mDNS (UDP port 5353) on {where}."

    async def start(self) -> None:
        """Open the sockets; raises NetError with one sentence if there is no network."""
        choice = self.interfaces or InterfaceChoice.All
        try:
            self._zeroconf = AsyncZeroconf(interfaces=choice, ip_version=IPVersion.V4Only)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except OSError as error:
            where = ", ".join(self.interfaces or ["any interface"])
            raise NetError(f"Cannot look for tables on {where}: {error.strerror}.") from error

    async def announce(self, what: Announcement, port: int) -> None:
        """Show this table to the network, or its new state. Its name is fresh every time."""
        zeroconf = self._opened()
        if self._info is None:
            tag = Rng.system().bytes(6).hex()
            self._info = self._service(what, port, f"{what.fingerprint[:4]}-{tag}")
            await zeroconf.async_register_service(self._info, cooperating_responders=True)
            return
        name = self._info.name.removesuffix("." + SERVICE)
        self._info = self._service(what, port, name)
        await zeroconf.async_update_service(self._info)

    async def withdraw(self) -> None:
        """Say goodbye: the table is full, or closed."""
        if self._info is not None and self._zeroconf is not None:
            info, self._info = self._info, None
            await self._zeroconf.async_unregister_service(info)

    def look(self) -> None:
        """Begin to look for tables, asking again every few seconds, until `close`."""
        if self._looking is None:
            self._looking = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        """Goodbye, and every socket closed."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        if self._browser is not None:
            await self._browser.async_cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.withdraw()
        if self._zeroconf is not None:
            await self._zeroconf.async_close()
            self._zeroconf = None

    # Inside

    async def _keep_looking(self) -> None:
        """A fresh browser asks at once; an old one hardly ever asks again."""
        zeroconf = self._opened()
        while True:
            fresh = AsyncServiceBrowser(
                zeroconf.zeroconf, SERVICE, handlers=[self._changed],
                question_type=DNSQuestionType.QM,
            )  # fmt: skip
            old, self._browser = self._browser, fresh
            if old is not None:
                await old.async_cancel()
            await asyncio.sleep(limits.ASK_AGAIN)
            if self.interfaces is None:
                await self._follow_interfaces(zeroconf)

    async def _follow_interfaces(self, zeroconf: AsyncZeroconf) -> None:
        update = getattr(zeroconf, "async_update_interfaces", None)
        if update is not None:
            await update(InterfaceChoice.All)

    def _changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            if self.found.pop(name, None) is not None:
                self.on_change()
            return
        if name not in self.found and len(self.found) >= limits.TABLES:
            return
        task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(SERVICE, name)
        if not await info.async_request(zeroconf, _RESOLVE_MS, DNSQuestionType.QM):
            return
        found = read_record(name, info.properties, info.parsed_addresses(), info.port)
        if found is not None and self.found.get(name) != found:
            self.found[name] = found
            self.on_change()

    def _service(self, what: Announcement, port: int, name: str) -> AsyncServiceInfo:
        addresses = self.interfaces or own_addresses()
        outside = [a for a in addresses if not a.startswith("127.")] or addresses
        return AsyncServiceInfo(
            SERVICE,
            f"{name}.{SERVICE}",
            addresses=[socket.inet_aton(address) for address in outside],
            port=port,
            properties={
                "v": VERSION, "nick": what.nick, "table": what.table, "rules": what.rules,
                "free": str(what.free), "seats": str(what.seats), "fp": what.fingerprint,
            },
            server=f"p2p304-{name}.local.",
        )  # fmt: skip

    def _opened(self) -> AsyncZeroconf:
        if self._zeroconf is None:
            raise NetError("The network is not open: start looking first.")
        return self._zeroconf


def read_record(
    name: str,
    properties: dict[bytes, bytes | None],
    addresses: Sequence[str],
    port: int | None,
) -> Found | None:
    """A record from a stranger, cleaned; None if it does not describe a table."""
    texts = {
        key.decode("utf-8", "replace"): clean((value or b"")[:255].decode("utf-8", "replace"))
        for key, value in properties.items()
    }
    if not addresses or not port or not {"v", "nick", "table", "free", "seats"} <= set(texts):
        return None
    if not texts["free"].isdecimal() or not texts["seats"].isdecimal() or not texts["table"]:
        return None
    announcement = Announcement(
        texts["nick"], texts["table"], texts.get("rules", ""), int(texts["free"][:2]),
        int(texts["seats"][:2]), texts.get("fp", ""),
    )  # fmt: skip
    return Found(name, announcement, texts["v"], addresses[0], port)
