"""The driver: effects in order, nothing sent before it is on disk, nothing after a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from p2p304.net.links.driver import Driver
from p2p304.wire.effects import Dial, Effect, HangUp, Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.loopback import KEYS, Node, node, run, until


class Script:
    """A machine that answers what it is told to answer, and writes down what it is fed."""

    def __init__(self) -> None:
        self.fed: list[str] = []
        self.out: list[Effect] = []
        self.told: list[str] = []
        self.wake: float | None = None
        self.on_receive: Callable[[bytes], None] = lambda payload: None

    def receive(self, peer: bytes, kind: FrameKind, payload: bytes, now: float) -> None:
        self.fed.append(f"{kind.name} {payload.decode()}")
        self.on_receive(payload)

    def link_up(self, peer: bytes, nick: str, host: str, port: int, now: float) -> None:
        self.fed.append(f"up {host}")

    def link_down(self, peer: bytes, now: float) -> None:
        self.fed.append("down")

    def handle_timer(self, now: float) -> None:
        self.fed.append("tick")
        self.wake = None

    def next_timeout(self) -> float | None:
        return self.wake

    def effects(self) -> list[Effect]:
        out, self.out = self.out, []
        return out

    def events(self) -> list[str]:
        told, self.told = self.told, []
        return told


class Driven:
    """A node with its driver, and what it persisted and told."""

    def __init__(self, made: Node) -> None:
        self.node, self.machine = made, Script()
        self.disk: list[tuple[str, bytes]] = []
        self.events: list[str] = []
        self.driver = Driver[str](self.machine, made.mesh, self.persist, self.events.append)
        self.persist_fails: Exception | None = None

    def persist(self, name: str, data: bytes) -> None:
        if self.persist_fails is not None:
            raise self.persist_fails
        self.disk.append((name, data))


def driven(number: int) -> AbstractAsyncContextManager[Driven]:
    @asynccontextmanager
    async def made():  # type: ignore[no-untyped-def]
        async with node(number) as inner:
            outer = Driven(inner)
            try:
                yield outer
            finally:
                outer.driver.close()

    return made()


def sync(text: str, peer: bytes | None = None) -> Send:
    return Send(peer, FrameKind.SYNC, text.encode())


async def link(one: Driven, other: Driven) -> None:
    await one.node.mesh.dial(*other.node.at)
    await until(lambda: one.machine.fed and other.machine.fed)


def test_links_frames_and_losses_are_fed() -> None:
    async def main() -> None:
        async with driven(0) as asha:
            async with driven(1) as bandu:
                await link(asha, bandu)
                bandu.machine.out = [sync("one"), sync("two", asha.node.key)]
                bandu.driver.flush()
                await until(lambda: len(asha.machine.fed) == 3)
            await until(lambda: len(asha.machine.fed) == 4)
            assert asha.machine.fed == ["up 127.0.0.2", "SYNC one", "SYNC two", "down"]

    run(main())


def test_what_handling_an_event_adds_is_carried_out_at_once() -> None:
    """Also where the handler feeds the machine itself, and does not call the driver."""

    async def main() -> None:
        async with driven(0) as asha:
            machine = asha.machine

            def answer(event: str) -> None:
                machine.out = [Persist("journal", event.encode())]
                machine.told = ["again"] if event == "asked" else []

            asha.driver._on_event = answer
            machine.told = ["asked"]
            asha.driver.flush()
            assert asha.disk == [("journal", b"asked"), ("journal", b"again")]

    run(main())


def test_effects_happen_in_order() -> None:
    """The peer sees a message only after what stood before it was persisted."""

    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            await link(asha, bandu)
            order: list[str] = []
            send, keep = asha.node.mesh.send, asha.persist

            def sending(peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
                order.append(payload.decode())
                send(peer, kind, payload)

            def persisting(name: str, data: bytes) -> None:
                order.append(name)
                keep(name, data)

            asha.node.mesh.send = sending  # type: ignore[method-assign]
            asha.driver._persist = persisting
            asha.machine.out = [sync("a"), Persist("journal", b"x"), sync("b"), Persist("e", b"y")]
            asha.driver.flush()
            assert order == ["a", "journal", "b", "e"]
            assert asha.disk == [("journal", b"x"), ("e", b"y")]

    run(main())


def test_after_a_failed_persist_nothing_is_sent_any_more() -> None:
    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            await link(asha, bandu)
            asha.persist_fails = OSError(28, "No space left on device")
            asha.machine.out = [sync("before"), Persist("journal", b"x"), sync("after")]
            asha.machine.told = ["never told"]
            asha.driver.flush()
            with pytest.raises(OSError, match="No space left"):
                asha.driver.failed.result()
            asha.persist_fails = None
            asha.machine.out = [sync("later")]
            asha.machine.wake = 0.0
            asha.driver.flush()
            bandu.machine.out = [sync("are you there")]
            bandu.driver.flush()
            await asyncio.sleep(0.1)
            assert bandu.machine.fed[1:] == ["SYNC before"]
            assert asha.machine.fed == ["up 127.0.0.2"], "nor is it fed any more"
            assert asha.events == [] and asha.disk == []

    run(main())


@pytest.mark.parametrize("where", ["receive", "event"])
def test_an_error_of_our_own_stops_the_node_and_is_kept(where: str) -> None:
    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            await link(asha, bandu)

            def bug(_: object) -> None:
                raise ZeroDivisionError

            if where == "receive":
                asha.machine.on_receive = bug
            else:
                asha.driver._on_event = bug
                asha.machine.on_receive = lambda _: asha.machine.told.append("event")
            bandu.machine.out = [sync("x")]
            bandu.driver.flush()
            await until(asha.driver.failed.done)
            with pytest.raises(ZeroDivisionError):
                asha.driver.failed.result()

    run(main())


def test_an_error_within_an_effect_stops_the_effects_after_it() -> None:
    """Hanging up tells the machine at once that the link is gone, and there it breaks."""

    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu, driven(2) as chitra:
            await link(asha, bandu)
            await link(chitra, asha)

            def bug(peer: bytes, now: float) -> None:
                raise ZeroDivisionError

            asha.machine.link_down = bug  # type: ignore[method-assign]
            asha.machine.out = [HangUp(bandu.node.key, "x"), sync("after"), Persist("j", b"x")]
            asha.driver.flush()
            with pytest.raises(ZeroDivisionError):
                asha.driver.failed.result()
            await asyncio.sleep(0.05)
            assert chitra.machine.fed == ["up 127.0.0.1"]
            assert asha.disk == []

    run(main())


def test_a_handler_that_acts_is_carried_out_too() -> None:
    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            await link(asha, bandu)

            def answer(event: str) -> None:
                asha.events.append(event)
                if event == "your turn":
                    asha.machine.out.append(sync("my card"))
                    asha.machine.told.append("played")
                    asha.driver.flush()

            asha.driver._on_event = answer
            asha.machine.told = ["your turn"]
            asha.driver.flush()
            assert asha.events == ["your turn", "played"]
            await until(lambda: "SYNC my card" in bandu.machine.fed)

    run(main())


def test_the_clock_wakes_the_machine_once() -> None:
    async def main() -> None:
        async with driven(0) as asha:
            asha.machine.wake = asha.driver.now + 0.05
            asha.driver.flush()
            await asyncio.sleep(0.02)
            assert asha.machine.fed == []
            await until(lambda: asha.machine.fed)
            await asyncio.sleep(0.05)
            assert asha.machine.fed == ["tick"]

    run(main())


def test_a_time_in_the_past_does_not_spin() -> None:
    async def main() -> None:
        async with driven(0) as asha:
            asha.machine.handle_timer = lambda now: asha.machine.fed.append("tick")  # type: ignore[method-assign]
            asha.machine.wake = 0.0
            asha.driver.flush()
            await asyncio.sleep(0.1)
            assert 1 <= len(asha.machine.fed) <= 11

    run(main())


def test_dial_and_hang_are_carried_out() -> None:
    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            asha.machine.out = [Dial(bandu.node.key, *bandu.node.at)]
            asha.driver.flush()
            await until(lambda: asha.machine.fed == ["up 127.0.0.2"])
            asha.machine.out = [HangUp(bandu.node.key, "enough"), HangUp(KEYS[5].public, "unknown")]
            asha.driver.flush()
            assert asha.machine.fed[-1] == "down"
            await until(lambda: bandu.machine.fed[-1] == "down")

    run(main())


def test_a_closed_driver_feeds_nothing() -> None:
    async def main() -> None:
        async with driven(0) as asha, driven(1) as bandu:
            await link(asha, bandu)
            asha.machine.wake = asha.driver.now + 0.02
            asha.driver.flush()
            asha.driver.close()
            bandu.machine.out = [sync("x")]
            bandu.driver.flush()
            await asyncio.sleep(0.06)
            assert asha.machine.fed == ["up 127.0.0.2"]

    run(main())
