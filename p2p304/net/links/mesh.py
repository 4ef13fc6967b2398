"""The mesh: listens and dials, and keeps one proven link to every peer.

Responsible for which links exist: it accepts, dials, and refuses. Which of two links to one peer
stays is peer_links.py's, pauses between attempts are redialer.py's; frames go to driver.py.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.net.errors import NetError, Reason
from p2p304.net.limits import LIMITS, Limits
from p2p304.net.links import tls
from p2p304.net.links.address_watch import AddressWatch
from p2p304.net.links.connect import (
    Address,
    Connection,
    cannot_listen,
    cannot_reach,
    reach,
    where,
    why,
)
from p2p304.net.links.handshake import NONCE, Handshake, HandshakeRefused, Role, too_slow
from p2p304.net.links.link import LEAVING, Dialled, Link
from p2p304.net.links.peer_links import PeerLinks
from p2p304.net.links.redialer import Redialer
from p2p304.net.links.unproven import UnprovenLinks
from p2p304.rules.core.phrases import Phrase, english, say
from p2p304.wire.framing import Frame, FrameKind
from p2p304.wire.names import NAME_FORM, is_name
from p2p304.wire.rate_limit import network_of

_AWAY = say(
    "p2p304 runs at the address of {nick}, but not at this table. Ask {nick} to resume it or, if "
    "the table is over, for its transcript: p2p304 resume --ended FILE."
)


class Listener(Protocol):
    """The receiver of links and frames."""

    def on_up(self, peer: bytes, nick: str, host: str, port: int) -> None: ...
    def on_down(self, peer: bytes, reason: Reason) -> None: ...
    def on_frame(self, peer: bytes, kind: FrameKind, payload: bytes) -> None: ...


class Mesh:
    """Listens on ``bind:port`` (port 0: any free one) and keeps links by identity key."""

    def __init__(
        self, key: SigningKey, nick: str, bind: str, port: int, limits: Limits = LIMITS
    ) -> None:
        """Raises NetError if no peer would take this nickname."""
        if not is_name(nick):
            raise NetError(
                say("This nickname cannot be used: {form} Choose another one.", form=NAME_FORM)
            )
        self.key, self.nick, self.bind, self.port = key, nick, bind, port
        self.limits = limits
        self._kept = PeerLinks(
            key.public, limits, self._up, self._down, lambda it: self.trouble(it)
        )
        self.listener: Listener | None = None
        self.trouble: Callable[[Phrase], None] = lambda phrase: None
        self.known: Callable[[bytes], bool] = lambda key: False
        """Whether this node's player has met the one with this key."""
        self.admits: Callable[[bytes], bool] = lambda dialer: True
        """Whether this node reveals its identity to a dialer with this proven key."""
        self.nick_of: Callable[[bytes], str] = lambda key: ""
        """The nickname of a peer at this table; "" for any other."""
        self.is_starting: Callable[[bytes], bool] = lambda key: False
        """Whether a peer's program may not listen yet because this node's player starts it."""
        self._credentials = tls.credentials()
        self._client = tls.client_context()
        self._nonces = Rng.system()
        self._strangers = UnprovenLinks(self._greet, limits)
        self._members: frozenset[bytes] = frozenset()
        self._wanted: dict[bytes, Redialer] = {}
        self._shut_out: dict[bytes, float] = {}
        """The time until which no link is accepted from a peer that was refused too often."""
        self._every: set[Link] = set()
        self._moving: AddressWatch | None = None

    async def start(self) -> None:
        """Begin to listen; raises NetError with one sentence if that cannot be done."""
        try:
            self.port = await self._strangers.listen(self.bind, self.port)
        except (OSError, OverflowError, UnicodeError) as error:
            raise NetError(cannot_listen(self.bind, self.port, error)) from error
        self._moving = self._moving or AddressWatch(self.links.values, self.limits)

    async def start_at(self, ports: Iterable[int]) -> None:
        """Begin to listen at the first of these ports that can be had (0: any); raises NetError for
        the last."""
        *others, last = ports
        for self.port in others:
            with contextlib.suppress(NetError):
                await self.start()
                return
        self.port = last
        await self.start()

    async def dial(self, host: str, port: int, expect: bytes | None = None) -> bytes:
        """Connect once; returns the identity key there. Raises NetError."""
        return await self._dial(host, port, expect, self.limits.dial)

    def want(self, peer: bytes, host: str, port: int) -> None:
        """Dial this peer at this address too, until it is linked and again after every loss. If
        there are many addresses, the newest are kept (limits.addresses)."""
        if peer not in self._wanted:
            wanted = Redialer(self.limits, partial(self._dial_any, peer), peer in self.links)
            self._wanted[peer] = wanted
            if peer in self.links:
                wanted.linked(self.links[peer].host, self.links[peer].port)
        self._wanted[peer].add(host, port)

    def admit(self, members: Iterable[bytes]) -> None:
        """Set the members of the table; they may send more than strangers."""
        self._members = frozenset(members)
        for peer, link in self.links.items():
            link.trust(peer in self._members)

    @property
    def links(self) -> dict[bytes, Link]:
        """The link to each peer, by its identity key."""
        return self._kept.by_peer

    @property
    def dialled(self) -> dict[bytes, tuple[Address, ...]]:
        """Return the peers that are dialled after a loss, with their addresses."""
        return {peer: wanted.addresses for peer, wanted in self._wanted.items()}

    def hang(self, peer: bytes, reason: str, pause: float = 0.0) -> None:
        """Close the link with a reason, stop dialling, and refuse a new link from this peer for
        ``pause`` seconds."""
        now = asyncio.get_running_loop().time()
        self._shut_out = {key: until for key, until in self._shut_out.items() if until > now}
        if pause:
            self._shut_out[peer] = now + pause
        wanted = self._wanted.pop(peer, None)
        if wanted is not None:
            wanted.cancel()
        self._kept.close(peer, reason)

    def send(self, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        """Send to one peer, or to all linked peers (None); without a link the frame is dropped."""
        if peer is None:
            for link in list(self.links.values()):
                link.send(kind, payload)
        elif peer in self.links:
            self.links[peer].send(kind, payload)

    async def close(self) -> None:
        """Stop dialling and listening, close every link, and wait until that is done."""
        tasks = [wanted.cancel() for wanted in self._wanted.values()]
        if self._moving is not None:
            tasks.append(self._moving.cancel())
        self._wanted.clear()
        await asyncio.gather(*tasks, self._strangers.close(), return_exceptions=True)
        self.listener = None
        # A dial that has not come past TLS is its caller's: nothing would report its end here, and
        # `proven` keeps no link of it.
        connected = [link for link in self._every if link.is_connected]
        for link in connected:
            link.bye(LEAVING)
        if connected:
            await asyncio.wait([link.lost for link in connected], timeout=self.limits.close)
        for link in connected:
            link.cut(LEAVING)
        if connected:
            await asyncio.wait([link.lost for link in connected])

    # Called by link.py

    def proven(self, link: Link) -> None:
        if self._strangers.is_closed:
            link.bye(LEAVING)  # a caller's dial went on while this mesh was closed
            return
        peer = link.peer.key
        if self._shut_out.get(peer, 0.0) > asyncio.get_running_loop().time():
            link.bye(english("your messages were refused too often: wait a minute"))
            return
        is_new = peer not in self.links and not self._is_welcome(peer)
        if is_new and (why_not := self._no_room(link)):
            link.bye(why_not)
            return
        self._kept.take(link)

    def confirmed(self, link: Link) -> None:
        self._kept.confirm(link)

    def frame(self, link: Link, whole: Frame) -> None:
        if self.listener is not None and self.links.get(link.peer.key) is link:
            self.listener.on_frame(link.peer.key, whole.kind, whole.payload)

    def gone(self, link: Link) -> None:
        self._kept.lose(link)

    # Inside

    def _up(self, link: Link) -> None:
        peer = link.peer.key
        link.trust(peer in self._members)
        if peer in self._wanted:
            self._wanted[peer].linked(link.host, link.port)
        if self.listener is not None:
            self.listener.on_up(peer, link.peer.nick, link.host, link.port)

    def _down(self, link: Link) -> None:
        peer = link.peer.key
        if peer in self._wanted:
            self._wanted[peer].lost()
        if self.listener is not None:
            self.listener.on_down(peer, link.reason)

    def _no_room(self, link: Link) -> str:
        """Return why a stranger is refused, for both sides; empty if it is not."""
        known, address = self.known(link.peer.key), network_of(link.address)
        others = [one for one in self.links.values() if not self._is_welcome(one.peer.key)]
        if len(others) >= self.limits.links + (self.limits.links_kept if known else 0):
            self.trouble(
                say(
                    "All {n} places for connections are used by computers that do not play here. "
                    "New players must wait until some of them leave.",
                    n=len(others),
                )
            )
            return english("too many connections here: try again in a minute")
        same = sum(network_of(one.address) == address for one in others)
        if same >= self.limits.links_per_address and not known:
            self.trouble(
                say(
                    "{n} connections come from {address}. No more are accepted from there.",
                    n=same,
                    address=address,
                )
            )
            return english("too many connections from your address")
        return ""

    def _is_welcome(self, peer: bytes) -> bool:
        return peer in self._wanted or peer in self._members

    async def _greet(self, transport: asyncio.Transport, address: str) -> None:
        """Take an accepted connection through TLS and the handshake, or refuse it."""
        link = self._link(None, None)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self.limits.handshake):
                tunnel = await loop.start_tls(
                    transport,
                    link,
                    self._credentials.server,
                    server_side=True,
                    ssl_shutdown_timeout=self.limits.close,
                )
                if tunnel is None:
                    raise ConnectionAbortedError("closed during the TLS handshake")
                link.connection_made(tunnel)
                await link.proving
        except HandshakeRefused as refused:
            if refused.check != "N09" or self._members:  # else nobody plays here yet
                self.trouble(_refused_from(address, refused))
        except TimeoutError:
            self.trouble(_refused_from(address, too_slow()))
        except OSError as error:
            told = say(
                "A connection from {address} was lost: {why}.", address=address, why=why(error)
            )
            self.trouble(told)
        finally:
            self._settle(link)

    async def _dial(self, host: str, port: int, expect: bytes | None, patience: float) -> bytes:
        try:
            async with asyncio.timeout(patience):
                way = await reach(((host, port),), self._local_address)
                return await self._prove(way, expect)
        except (OSError, OverflowError, UnicodeError) as error:
            raise NetError(cannot_reach(where(host, port), error)) from error

    async def _dial_any(self, peer: bytes, addresses: tuple[Address, ...]) -> None:
        """Try all addresses of a peer once; a failure is reported, not raised."""
        try:
            async with asyncio.timeout(self.limits.redial):
                await self._prove_any(peer, addresses)
        except NetError as error:
            nick, refused = self.nick_of(peer), error.__cause__
            away = nick and isinstance(refused, HandshakeRefused) and refused.check == "N09"
            self.trouble(_AWAY.filled(nick=nick) if away else error.phrase)
        except (OSError, OverflowError, UnicodeError) as error:
            nick, wanted = self.nick_of(peer), self._wanted.get(peer)
            is_known = self.is_starting(peer) or bool(wanted and wanted.has_linked)
            if nick and is_known and isinstance(error, ConnectionRefusedError):
                return  # this player's program has ended, which the lost link tells, or starts
            places = nick or ", ".join(where(*address) for address in addresses)
            self.trouble(cannot_reach(places, error))

    async def _prove_any(self, peer: bytes, addresses: tuple[Address, ...]) -> None:
        """Connect to the first address that answers and is the peer. If another player answers
        there, try the other addresses. Raises what the last attempt raised."""
        left = addresses
        while left:
            way = await reach(left, self._local_address)
            left = tuple(address for address in left if address != (way.host, way.port))
            try:
                await self._prove(way, peer)
                return
            except NetError:
                if not left:
                    raise

    async def _prove(self, way: Connection, expect: bytes | None) -> bytes:
        """Run TLS and the handshake over a connected socket; raises NetError if refused, or
        OSError."""
        link = self._link(Dialled(way.host, way.port), expect)
        try:
            await asyncio.get_running_loop().create_connection(
                lambda: link,
                sock=way.socket,
                ssl=self._client,
                server_hostname="",
                ssl_shutdown_timeout=self.limits.close,
            )
            return (await link.proving).key
        except HandshakeRefused as refused:
            here = where(way.host, way.port)
            told = say("{address} was refused: {why}.", address=here, why=refused.sentence)
            raise NetError(told) from refused
        finally:
            self._settle(link)

    def _link(self, dialled: Dialled | None, expect: bytes | None) -> Link:
        link = Link(self, self.limits, partial(self._handshake, expect), dialled)
        self._every.add(link)
        link.lost.add_done_callback(lambda _: self._every.discard(link))
        return link

    def _settle(self, link: Link) -> None:
        """Clean up after an attempt, whatever its outcome."""
        link.abandon()
        if not link.is_connected:
            self._every.discard(link)

    def _handshake(self, expect: bytes | None, shown: bytes | None) -> Handshake:
        role = Role.LISTENER if shown is None else Role.DIALER
        cert = self._credentials.cert if shown is None else shown
        nonce = self._nonces.bytes(NONCE)
        return Handshake(
            self.key,
            self.nick,
            self.port,
            role,
            cert,
            nonce,
            expect,
            lambda peer: self.admits(peer),
        )

    def _local_address(self, host: str) -> tuple[str, int] | None:
        """Return the address to dial from: on loopback, a node's own, so that peers can tell nodes
        apart."""
        both = self.bind.startswith("127.") and host.startswith("127.")
        return (self.bind, 0) if both else None


def _refused_from(address: str, refused: HandshakeRefused) -> Phrase:
    return say(
        "A connection from {address} was refused: {why}.", address=address, why=refused.sentence
    )
