"""`p2p304 watch`: a spectator in text mode.

Responsible for printing and saving; asking and verifying are table/node/spectator_machine.py's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from p2p304.app.joining import address_of
from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.transcript import MAGIC
from p2p304.net.errors import NetError, Reason
from p2p304.net.links.driver import Driver
from p2p304.net.links.mesh import Mesh
from p2p304.rules.core.phrases import Quoted, say
from p2p304.table.node.spectator_machine import QUIET, SpectatorMachine
from p2p304.table.state.events import PublicEvent
from p2p304.ui.common.wording import NAMELESS
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.phrase_renderer import Translate, untranslated
from p2p304.ui.narration.reducer import Change
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import BETWEEN


class SpectatorNarrator(Narrator):
    """Tells a spectator the game, and after a move whose turn it is."""

    def __init__(self, translate: Translate = untranslated) -> None:
        super().__init__(None, translate)
        self.model = replace(self.model, watches=True)
        self._due = ""

    def lines(self, change: Change) -> list[str]:
        """Return the lines about an event; the last one says whose turn it is, if that is new."""
        lines, hand, before = super().lines(change), self.model.hand, self._due
        has_turn = hand is not None and hand.turn is not None
        self._due = self.text(due(self.model)) if has_turn else ""
        if self._due in ("", before):
            return lines
        return [*lines[:-1], BETWEEN.join((*lines[-1:], self._due))]


async def watch(
    table: str,
    save: Path | None,
    tell: Callable[[str], None],
    translate: Translate = untranslated,
    nick: str = NAMELESS,
) -> int:
    """Watch through the player at HOST:PORT until the table is over; returns 1 if something is
    false. Raises NetError if the table cannot be watched, or not to its end."""
    where = address_of(table)
    if where is None:
        raise NetError(
            say(
                "{typed} is not an address. Write HOST:PORT, as in 192.0.2.7:40304.",
                typed=Quoted(table),
            )
        )
    teller, machine = SpectatorNarrator(translate), SpectatorMachine()

    def on_event(event: PublicEvent) -> None:
        for line in teller.lines(event):
            tell(line)

    with ExitStack() as stack:
        mesh = Mesh(SigningKey.generate(Rng.system()), nick, "", 0)
        await mesh.start()
        driver = Driver[PublicEvent](machine, mesh, lambda name, data: None, on_event)

        def on_lost(peer: bytes, why: Reason) -> None:
            if machine.has_shown_nothing and not driver.failed.done():
                told = say("You cannot watch this table: {why}.", why=why)
                driver.failed.set_exception(NetError(told))

        driver.on_lost = on_lost
        try:
            mesh.want(await mesh.dial(*where), *where)
            told = say("You are watching. Your program verifies everything that it shows.")
            tell(teller.text(told))
            file = None if save is None else stack.enter_context(save.open("ab"))
            await _until_over(machine, driver, file)
        finally:
            driver.close()
            await mesh.close()
    if machine.fault is not None:
        tell(machine.fault)
        return 1
    if not machine.is_over:
        raise NetError(say("The connection to the table was lost: you have not seen its end."))
    return 0


async def _until_over(
    machine: SpectatorMachine, driver: Driver[PublicEvent], file: BinaryIO | None
) -> None:
    """Wait for the end, and save what was verified: all of it, however the waiting ends."""
    loop = asyncio.get_running_loop()
    heard = loop.time()
    try:
        while not machine.is_over and machine.fault is None and loop.time() - heard < QUIET:
            if driver.failed.done():
                driver.failed.result()
            if machine.peer is not None:
                heard = loop.time()
            _save(machine.take_transcript(), file)
            await asyncio.sleep(0.1)
    finally:
        if not machine.has_shown_nothing:
            _save(machine.transcript, file)


def _save(verified: bytes, file: BinaryIO | None) -> None:
    """Write what was verified. What the file held before is kept until there is something."""
    if file is not None and verified:
        if verified.startswith(MAGIC) and file.seekable() and file.tell():  # the first of it
            file.truncate(0)
        file.write(verified)
        file.flush()
