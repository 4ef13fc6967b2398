"""Announces this node's table by mDNS, and lists the tables of others.

Responsible for the sockets of mDNS and their upkeep (SPEC.md, "Discovery"); the contents of records
are txt_record.py's. Nothing found here is trusted: it is an address to try and words to show.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from zeroconf import (
    DNSQuestionType,
    InterfaceChoice,
    IPVersion,
    NotRunningException,
    ServiceStateChange,
    Zeroconf,
)
from zeroconf import Error as ZeroconfError
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p304.crypto.rng import Rng
from p2p304.net.errors import NetError
from p2p304.net.interfaces import outside_addresses, own_addresses, own_interfaces
from p2p304.net.limits import LIMITS, Limits
from p2p304.net.links.connect import why
from p2p304.net.mdns.txt_record import (
    Announcement,
    Found,
    clean,
    fingerprint,
    nearest_first,
    read_record,
    to_txt,
)
from p2p304.rules.core.phrases import Phrase, english, say

__all__ = ["Announcement", "Discovery", "Found", "clean", "fingerprint", "own_addresses"]

SERVICE = "_p2p304._tcp.local."
_RESOLVE_MS = 3000
FAILURES = (OSError, RuntimeError, ZeroconfError)
"""Exceptions of mDNS on a network that is absent or goes away."""


def _versions() -> IPVersion:
    """Return the IP versions to use. IPv6 only if it leads anywhere: mDNS over IPv6 does not work
    on loopback alone."""
    outside = any(one.version == 6 and not one.is_loopback for one in own_interfaces())
    return IPVersion.All if outside else IPVersion.V4Only


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is announced now, under which name, and its record."""

    what: Announcement
    port: int
    name: str
    info: AsyncServiceInfo


class Discovery:
    """mDNS on the chosen interfaces (addresses; None: all). Use from one asyncio loop.

    ``service`` differs in tests only, so that tests that run at the same time stay apart.
    """

    def __init__(
        self,
        interfaces: Sequence[str] | None = None,
        limits: Limits = LIMITS,
        service: str = SERVICE,
    ) -> None:
        self.service = service
        self.interfaces = list(interfaces) if interfaces else None
        self.limits = limits
        self.found: dict[str, Found] = {}
        self.seekers: dict[str, Found] = {}
        """Records that are no tables: players who miss others (rendezvous.py)."""
        self.on_change: Callable[[], None] = lambda: None
        self.trouble: Callable[[Phrase], None] = lambda phrase: None
        self._zeroconf: AsyncZeroconf | None = None
        self._browser: AsyncServiceBrowser | None = None
        self._shown: _Shown | None = None
        self._looking = False
        self._resolving: dict[str, asyncio.Task[None]] = {}
        self._sending: set[asyncio.Future[object]] = set()
        self._upkeep: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        return self._zeroconf is not None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The addresses on which this node listens and announces."""
        return tuple(self.interfaces or outside_addresses())

    async def start(self) -> None:
        """Open the sockets; raises NetError with one sentence if there is no network."""
        await self._open()
        self._upkeep = asyncio.create_task(self._keep_up())

    async def _open(self) -> None:
        choice = self.interfaces or InterfaceChoice.All
        try:
            _check_can_bind(self.interfaces or [])
            versions = IPVersion.V4Only if self.interfaces else _versions()
            self._zeroconf = AsyncZeroconf(interfaces=choice, ip_version=versions)
            await self._zeroconf.zeroconf.async_wait_for_start()
        except (OSError, RuntimeError, ValueError, ZeroconfError) as error:
            where = ", ".join(self.interfaces or [english("any interface")])
            told = say(
                "Cannot search for tables on {address}: {why}.", address=where, why=_why(error)
            )
            raise NetError(told) from error

    async def announce(self, what: Announcement, port: int) -> None:
        """Announce this table, or its new state. Every new announcement gets a fresh name, so that
        nobody can follow a player by it from one day to the next."""
        zeroconf = self._opened()
        old = self._shown
        name = Rng.system().bytes(8).hex() if old is None else old.name
        info = self._service(what, port, name)
        self._shown = _Shown(what, port, name, info)
        if old is not None:
            self._send(await zeroconf.async_update_service(info))
        else:
            self._send(await zeroconf.async_register_service(info, cooperating_responders=True))

    async def withdraw(self) -> None:
        """Send a goodbye: the table is full, or closed."""
        if self._shown is not None and self._zeroconf is not None:
            info, self._shown = self._shown.info, None
            for sending in list(self._sending):
                sending.cancel()  # no announcement may come after the goodbye
            await (await self._zeroconf.async_unregister_service(info))

    def look(self) -> None:
        """Look for tables, asking again every few seconds, until `close`."""
        if not self._looking:
            self._looking = True
            self._ask(self._opened())

    async def close(self) -> None:
        """Send a goodbye and close every socket; `start` may be called again."""
        if self._upkeep is not None:
            self._upkeep.cancel()
            await asyncio.gather(self._upkeep, return_exceptions=True)
        for task in self._resolving.values():
            task.cancel()
        await asyncio.gather(*self._resolving.values(), return_exceptions=True)
        await self.withdraw()
        await asyncio.gather(*self._sending, return_exceptions=True)
        await self._shut()
        self._looking = False

    async def _shut(self) -> None:
        if self._browser is not None:
            await self._browser.async_cancel()
            self._browser = None
        if self._zeroconf is not None:
            # In a task of its own: where the caller was cancelled, and `_open` before it, zeroconf
            # would cancel the caller once more, and leave its sockets open.
            await asyncio.ensure_future(self._zeroconf.async_close())
            self._zeroconf = None

    # Inside

    async def _keep_up(self) -> None:
        """Follow the interfaces every second. Ask again when they have changed, and every few
        seconds."""
        loop = asyncio.get_running_loop()
        own, asked = own_interfaces(), loop.time() - self.limits.ask_again + self.limits.ask_soon
        while True:
            await asyncio.sleep(self.limits.look_around)
            await self._be_bounded()
            zeroconf, now = self._opened(), own_interfaces()
            changed, own = now != own, now
            if not changed and loop.time() - asked < self.limits.ask_again:
                continue
            asked = loop.time()
            try:
                await self._follow_interfaces(zeroconf)
            except FAILURES as error:
                self.trouble(
                    say(
                        "The network has changed, and searching for tables fails now: {why}.",
                        why=_why(error),
                    )
                )
            if self._looking:
                old = self._browser
                self._ask(zeroconf)
                if old is not None:
                    await old.async_cancel()

    async def _be_bounded(self) -> None:
        """Replace the cache after a flood of names; true records are heard again."""
        if len(self._opened().zeroconf.cache.names()) <= self.limits.names:
            return
        self.trouble(say("Too many tables are announced on this network. Searching again."))
        shown, self._shown = self._shown, None
        await self._shut()
        while not self.is_open:
            try:
                await self._open()
            except NetError as error:  # the network may be gone just now
                await self._shut()
                self.trouble(error.phrase)
                await asyncio.sleep(self.limits.look_around)
        if shown is not None:
            await self.announce(shown.what, shown.port)
        if self._looking:
            self._ask(self._opened())

    def _ask(self, zeroconf: AsyncZeroconf) -> None:
        """Ask with a fresh browser, because an old one hardly ever asks again."""
        self._browser = AsyncServiceBrowser(
            zeroconf.zeroconf,
            self.service,
            handlers=[self._changed],
            question_type=DNSQuestionType.QM,
        )

    async def _follow_interfaces(self, zeroconf: AsyncZeroconf) -> None:
        """Keep sockets on the present interfaces, and the record with the present addresses."""
        if not self.interfaces:
            await zeroconf.async_update_interfaces(ip_version=_versions())
        shown = self._shown
        if shown is None:
            return
        fresh = self._service(shown.what, shown.port, shown.name)
        if sorted(fresh.addresses) != sorted(shown.info.addresses):
            self._shown = replace(shown, info=fresh)
            self._send(await zeroconf.async_update_service(fresh))

    def _changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self._drop(name)
            return
        known = name in self.found or name in self.seekers or name in self._resolving
        kept = len(self.found) + len(self.seekers) + len(self._resolving)
        if not known and kept >= self.limits.tables:
            return
        if name in self._resolving:
            if state_change is ServiceStateChange.Added:
                return  # a fresh browser reports again what is being resolved already
            self._resolving[name].cancel()
        task = asyncio.get_running_loop().create_task(self._resolve(zeroconf, name))
        self._resolving[name] = task
        task.add_done_callback(lambda done: self._resolved(name, done))

    def _resolved(self, name: str, task: asyncio.Task[None]) -> None:
        if self._resolving.get(name) is task:
            del self._resolving[name]

    async def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        info = AsyncServiceInfo(self.service, name)
        try:
            heard = await info.async_request(zeroconf, _RESOLVE_MS, DNSQuestionType.QM)
        except NotRunningException:
            return  # mDNS was closed before the answer came
        if not heard:
            return
        found = read_record(name, info.properties, info.parsed_scoped_addresses(), info.port)
        if found is None:
            self._drop(name)
            return
        found = nearest_first(found, own_interfaces())
        kept, other = self.found, self.seekers
        if found.announcement.seeks:
            kept, other = other, kept
        if other.pop(name, None) is not None or kept.get(name) != found:
            kept[name] = found
            self.on_change()

    def _drop(self, name: str) -> None:
        gone = [kept.pop(name, None) for kept in (self.found, self.seekers)]
        if any(gone):
            self.on_change()

    def _service(self, what: Announcement, port: int, name: str) -> AsyncServiceInfo:
        addresses = self.interfaces or outside_addresses()
        return AsyncServiceInfo(
            self.service,
            f"{name}.{self.service}",
            addresses=[ipaddress.ip_address(address).packed for address in addresses],
            port=port,
            properties=to_txt(what),
            server=f"p2p304-{name}.local.",
        )

    def _send(self, broadcast: Awaitable[object]) -> None:
        """Send in the background. A broadcast takes half a second; `close` waits for it."""
        sending = asyncio.ensure_future(broadcast)
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def _opened(self) -> AsyncZeroconf:
        if self._zeroconf is None:
            raise NetError(say("The network is not open: start the search first."))
        return self._zeroconf


def _check_can_bind(addresses: Sequence[str]) -> None:
    """Raise OSError for an address that is not this machine's. Otherwise zeroconf would open
    sockets and leave them open."""
    for address in addresses:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))


def _why(error: Exception) -> str:
    if isinstance(error, RuntimeError):
        # zeroconf raises it when no interface has an address.
        return english("this computer has no network connection")
    return why(error)
