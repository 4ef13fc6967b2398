"""Identities over real TLS on loopback: an impostor, a wrong peer, a man in the middle."""

from __future__ import annotations

import asyncio
import ssl
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.net.errors import NetError
from p2p304.net.links import tls
from p2p304.net.links.handshake import Handshake, Role
from p2p304.wire.canonical import decode, encode
from p2p304.wire.framing import Frame, FrameKind, FrameReader, frame
from tests.support.loopback import BRISK, KEYS, node, nodes, run, until
from tests.wire.test_framing import feed

Address = tuple[str, int]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@asynccontextmanager
async def connection(where: tuple[str, int]) -> AsyncIterator[Streams]:
    """A raw TLS connection to a node, without a handshake."""
    reader, writer = await asyncio.open_connection(
        *where, ssl=tls.client_context(), server_hostname="p2p304", ssl_shutdown_timeout=0.2
    )
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        await asyncio.sleep(0.01)


async def frames_of(reader: asyncio.StreamReader, count: int) -> list[Frame]:
    frames: list[Frame] = []
    cutter = FrameReader()
    while len(frames) < count:
        data = await reader.read(65536)
        if not data:
            raise EOFError
        frames += feed(cutter, data)
    return frames


async def rest_of(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except OSError:
        return b""


# Certificates


def test_every_node_has_a_fresh_certificate_and_leaves_no_key_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert tls.credentials().cert != tls.credentials().cert
    assert list(tmp_path.iterdir()) == []


def test_the_key_is_private_and_encrypted_while_it_is_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[int, int, bytes]] = []

    real = ssl.SSLContext.load_cert_chain

    def spy(context: ssl.SSLContext, path: Path, password: bytes) -> None:
        seen.append((path.parent.stat().st_mode, path.stat().st_mode, path.read_bytes()))
        real(context, path, password=password)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", spy)
    tls.credentials()
    folder, file, data = seen[0]
    assert folder & 0o777 == 0o700
    assert file & 0o777 == 0o600
    assert b"BEGIN ENCRYPTED PRIVATE KEY" in data
    assert b"BEGIN PRIVATE KEY" not in data


def test_contexts_take_tls_1_3_only() -> None:
    for context in (tls.credentials().server, tls.client_context()):
        assert context.minimum_version is ssl.TLSVersion.TLSv1_3
        assert context.verify_mode is ssl.CERT_NONE
    assert tls.credentials().server.num_tickets == 0


def test_tls_1_2_is_refused() -> None:
    async def main() -> None:
        async with node(0) as only:
            old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
            old.maximum_version = ssl.TLSVersion.TLSv1_2
            with pytest.raises((ssl.SSLError, OSError)):
                await asyncio.open_connection(*only.at, ssl=old, server_hostname="x")
            await until(lambda: only.troubles)

    run(main())


def test_both_sides_see_the_same_certificate() -> None:
    async def main() -> None:
        async with node(0) as only, connection(only.at) as (_, writer):
            shown = tls.peer_certificate(writer.get_extra_info("ssl_object"))
            assert shown == only.mesh._credentials.cert

    run(main())


# Identities


def test_two_nodes_know_each_other() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            assert await asha.mesh.dial(*bandu.at, expect=bandu.key) == bandu.key
            await until(lambda: bandu.seen.ups)
            assert asha.seen.ups == [bandu.key]
            assert bandu.seen.ups == [asha.key]
            link = bandu.mesh.links[asha.key]
            assert (link.host, link.port, link.peer.nick) == (*asha.at, "Node0")

    run(main())


def test_a_wrong_peer_is_refused() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu):
            with pytest.raises(NetError, match="another player answers"):
                await asha.mesh.dial(*bandu.at, expect=KEYS[5].public)
            assert not asha.seen.ups
            await until(lambda: len(bandu.seen.downs) == len(bandu.seen.ups))

    run(main())


def test_a_node_does_not_link_to_itself() -> None:
    async def main() -> None:
        async with node(0) as only:
            with pytest.raises(NetError, match="our own address"):
                await only.mesh.dial(*only.at)
            assert not only.mesh.links

    run(main())


def test_the_same_identity_on_another_machine_is_refused() -> None:
    async def main() -> None:
        async with node(0, key=KEYS[0]) as one, node(1, key=KEYS[0]) as copy:
            with pytest.raises(NetError, match="our own address"):
                await one.mesh.dial(*copy.at)

    run(main())


def test_an_impostor_is_refused() -> None:
    """Somebody shows another's key, and cannot sign with it; and is told nothing."""

    async def main() -> None:
        async with node(0) as only, connection(only.at) as (reader, writer):
            cert = tls.peer_certificate(writer.get_extra_info("ssl_object"))
            shake = Handshake(KEYS[3], "Liar", 1, Role.DIALER, cert, b"n" * 32)
            greeting = (await frames_of(reader, 1))[0].payload
            fields = decode(shake.receive(greeting).answer or b"")
            if not isinstance(fields, dict):
                raise TypeError
            writer.write(frame(FrameKind.HELLO, encode({**fields, "key": KEYS[4].public})))
            assert await rest_of(reader) == b""
            await until(lambda: only.troubles)
            assert "did not prove its identity" in only.troubles[0]
            assert not only.mesh.links

    run(main())


def test_who_connects_hears_no_name_and_no_key_before_proving_itself() -> None:
    async def main() -> None:
        async with node(0) as only, connection(only.at) as (reader, _):
            (greeting,) = await frames_of(reader, 1)
            fields = decode(greeting.payload)
            assert isinstance(fields, dict) and set(fields) == {"nonce", "role", "v"}

    run(main())


def test_a_stranger_at_a_running_table_is_told_nobodys_name() -> None:
    async def main() -> None:
        async with nodes(3) as (asha, bandu, eve):
            asha.mesh.admits = lambda key: key == bandu.key
            asha.mesh.admit((bandu.key,))
            with pytest.raises(NetError, match="only its own players"):
                await eve.mesh.dial(*asha.at)
            await until(lambda: asha.troubles)
            assert "an unknown player" in asha.troubles[0]
            assert await bandu.mesh.dial(*asha.at) == asha.key
            assert not eve.seen.ups

    run(main())


def test_tls_names_no_server() -> None:
    """No SNI: what a dialer sends before encryption says nothing."""

    async def main() -> None:
        heard = asyncio.get_running_loop().create_future()

        async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.set_result(await reader.read(4096))
            writer.close()

        server = await asyncio.start_server(listen, "127.0.0.1", 0)
        async with server, node(0) as only:
            host, port = server.sockets[0].getsockname()
            with pytest.raises(NetError):
                await only.mesh.dial(host, port)
            hello = await heard
            assert hello[:1] == b"\x16" and b"p2p304" not in hello

    run(main())


def test_reflection_is_refused() -> None:
    """Somebody sends a node's own messages back to it."""

    async def main() -> None:
        async with node(0) as only, connection(only.at) as (reader, writer):
            writer.write(frame(FrameKind.HELLO, (await frames_of(reader, 1))[0].payload))
            await until(lambda: only.troubles)
            assert "our own messages" in only.troubles[0]

    run(main())


@asynccontextmanager
async def man_in_the_middle(
    target: tuple[str, int],
) -> AsyncIterator[tuple[tuple[str, int], list[bytes]]]:
    """A proxy that ends TLS on both sides, with a certificate of its own, and reads along."""
    overheard: list[bytes] = []
    tasks: set[asyncio.Task[None]] = set()

    async def pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while data := await reader.read(65536):
                overheard.append(data)
                writer.write(data)
        except OSError:
            pass
        finally:
            writer.transport.abort()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with connection(target) as (there, back):
            await asyncio.gather(pour(reader, back), pour(there, writer))

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(serve(reader, writer))
        tasks.add(task)

    server = await asyncio.start_server(accept, "127.0.0.9", 0, ssl=tls.credentials().server)
    try:
        yield server.sockets[0].getsockname(), overheard
    finally:
        server.close()
        await server.wait_closed()
        await asyncio.gather(*tasks)
        await asyncio.sleep(0.01)


def test_a_man_in_the_middle_is_refused_by_both_sides() -> None:
    async def main() -> None:
        async with nodes(2) as (asha, bandu), man_in_the_middle(bandu.at) as (proxy, overheard):
            with pytest.raises(NetError, match=r"did not prove its identity|closed during"):
                await asha.mesh.dial(*proxy, expect=bandu.key)
            await until(lambda: bandu.troubles)
            assert "did not prove" in bandu.troubles[0] or "closed during" in bandu.troubles[0]
            assert overheard, "the proxy did relay"
            assert not asha.seen.ups and not bandu.seen.ups

    run(main())


# What strangers send


@pytest.mark.parametrize(
    "data",
    [
        frame(FrameKind.ENTRY, b"x"),
        frame(FrameKind.PING, b""),
        b"GET / HTTP/1.1\r\n\r\n",
        b"\0\0\0\0",
        b"\xff" * 64,
        frame(FrameKind.HELLO, b"x"),
        frame(FrameKind.HELLO, b""),
        (508).to_bytes(4, "big") + b"\x01\x00\x01\xf9",
    ],
)
def test_what_is_no_handshake_ends_it(data: bytes) -> None:
    async def main() -> None:
        async with node(0) as only, connection(only.at) as (reader, writer):
            writer.write(data)
            await rest_of(reader)
            await until(lambda: only.troubles)
            assert "refused" in only.troubles[0]
            assert not only.mesh.links

    run(main())


def test_another_version_is_told_by_its_name() -> None:
    async def main() -> None:
        async with node(0) as only, connection(only.at) as (reader, writer):
            writer.write(frame(FrameKind.HELLO, encode({"v": 99, "something": "new"})))
            await rest_of(reader)
            await until(lambda: only.troubles)
            assert "another version" in only.troubles[0]

    run(main())


def test_who_speaks_no_tls_is_refused() -> None:
    async def main() -> None:
        async with node(0) as only:
            reader, writer = await asyncio.open_connection(*only.at)
            writer.write(b"hello?\r\n" * 10)
            await rest_of(reader)
            writer.close()
            await until(lambda: only.troubles)

    run(main())


def test_a_port_where_nobody_speaks_tls_is_refused() -> None:
    async def main() -> None:
        def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"220 mail.example ESMTP\r\n")
            writer.close()

        server = await asyncio.start_server(babble, "127.0.0.9", 0)
        async with node(0) as only:
            with pytest.raises(NetError, match=r"Cannot reach 127\.0\.0\.9"):
                await only.mesh.dial(*server.sockets[0].getsockname())
        server.close()
        await server.wait_closed()

    run(main())


def test_a_listener_that_never_answers_is_given_up() -> None:
    async def main() -> None:
        held: list[asyncio.StreamWriter] = []
        server = await asyncio.start_server(lambda r, w: held.append(w), "127.0.0.9", 0)
        async with node(0, limits=replace(BRISK, dial=0.2)) as only:
            with pytest.raises(NetError, match="does not answer"):
                await only.mesh.dial(*server.sockets[0].getsockname())
        for writer in held:
            writer.close()
        server.close()
        await server.wait_closed()

    run(main())
