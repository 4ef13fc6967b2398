"""A spectator at the full screen: connects the spectator's machine with a table page.

Responsible for that connection. What is shown is verified by table/node/spectator_machine.py. A
spectator has no seat and no cards, and cannot act.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.frontends.appearance import Appearance
from p2p304.net.errors import NetError, Reason
from p2p304.net.links.driver import Driver
from p2p304.net.links.mesh import Mesh
from p2p304.rules.core.phrases import Phrase, say, verbatim
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.state.events import PublicEvent
from p2p304.ui.common.wording import NAMELESS
from p2p304.ui.fullscreen.full_screen import full_screen
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.intents import Intent, Quit, ToLobby
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import Note
from p2p304.ui.terminal.application import Terminal

LOOK_EVERY = 0.5
"""Seconds between two checks of whether what is shown is still verified."""
_LOST = say("The connection to the table was lost. Trying again.")


@dataclass(frozen=True, slots=True)
class Shown:
    """How a spectator left: whether the program too, and whether what was shown is false."""

    is_false: bool
    has_quit: bool


async def show(host: str, port: int, appearance: Appearance) -> int:
    """Watch until the spectator leaves; returns 1 if what was shown is false. Raises NetError as
    `look_on`."""
    return 1 if (await look_on(host, port, appearance, has_lobby=False)).is_false else 0


async def look_on(
    host: str, port: int, appearance: Appearance, nick: str = NAMELESS, has_lobby: bool = True
) -> Shown:
    """Watch through the player at this address until the spectator leaves, for the shell or, with
    ``has_lobby``, for the lobby. Raises NetError if nobody answers, or if nobody is let in to
    watch."""
    machine, mesh = SpectatorMachine(), Mesh(SigningKey.generate(Rng.system()), nick, "", 0)
    refused: list[Phrase] = []
    table_page = TablePage(
        Model(keys=appearance.controls.keys, watches=True, has_lobby=has_lobby),
        appearance.look,
        appearance.translate,
        appearance.controls,
        appearance.pace,
    )
    left: list[Intent] = []

    def carry_out(wanted: Intent) -> None:
        if isinstance(wanted, Quit | ToLobby):  # the only things that a spectator can do
            left.append(wanted)
            terminal.leave()

    terminal: Terminal[Intent] = full_screen(
        table_page, carry_out, appearance.look, appearance.translate
    )

    def on_event(event: PublicEvent) -> None:
        terminal.carry_out(table_page.tell(event, terminal.now))

    def on_lost(peer: bytes, why: Reason) -> None:
        if machine.has_shown_nothing:
            refused.append(say("You cannot watch this table: {why}.", why=why))
            terminal.leave()

    await mesh.start()
    driver = Driver[PublicEvent](machine, mesh, lambda name, data: None, on_event)
    driver.on_lost = on_lost
    try:
        mesh.want(await mesh.dial(host, port), host, port)
        watching = asyncio.create_task(_watch(machine, table_page, terminal))
        await terminal.run()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    finally:
        driver.close()
        await mesh.close()
    if refused:
        raise NetError(refused[0])
    return Shown(machine.fault is not None, any(isinstance(each, Quit) for each in left))


async def _watch(
    machine: SpectatorMachine, table_page: TablePage, terminal: Terminal[Intent]
) -> None:
    """Show on the page that something is false, or that the player at the other end is gone."""
    missed = 0
    with contextlib.suppress(asyncio.CancelledError):
        while machine.fault is None:
            await asyncio.sleep(LOOK_EVERY)
            machine.take_transcript()  # which nobody wants here
            missed = 0 if machine.peer is not None else missed + 1
            if missed == 4 and not machine.is_over:
                table_page.note(_LOST)
                terminal.refresh()
            elif not missed and table_page.ui.note == _LOST:
                table_page.note(None)
                terminal.refresh()
        table_page.tell(Note(verbatim(machine.fault)), terminal.now)
        table_page.note(say("{sentence}", sentence=machine.fault))
        terminal.refresh()
