"""A bot that takes a seat, in this process.

Responsible for how a bot's node runs. How a bot chooses is bots/club.py's; processes for bots are
app/bot_processes.py's.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from p2p304.app.bot_processes import invite, own_mark
from p2p304.app.config import NewTable, NodeConfig, ResumeTarget
from p2p304.app.joining import find_resumable, print_line, take_seat
from p2p304.app.session import Session
from p2p304.app.state_dump import answer_signal
from p2p304.bots.club import ClubBot
from p2p304.bots.player import Bot, RandomBot
from p2p304.crypto.rng import Rng
from p2p304.rules.core.actions import Action
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.variants.absence import BOT_PARTNER
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import write_whole
from p2p304.table.state import events
from p2p304.table.state.events import Event

if TYPE_CHECKING:
    from p2p304.ui.text.narrator import Narrator

WAITS = 15.0
"""Seconds that a bot that keeps the list still waits once it knows for whom."""


def _narrator(home: Path) -> Narrator:
    # A silent bot loads nothing of the screen, and sits down sooner.
    from p2p304.frontends.appearance import read_appearance
    from p2p304.ui.text.narrator import Narrator

    return Narrator(None, read_appearance(home).translate)


async def play_as_bot(
    store: DataFolder,
    nick: str | None,
    place: NodeConfig,
    table: str | None,
    opening: NewTable | None,
    random_play: bool,
    tell: bool,
    times: Path | None,
    back: bool = False,
) -> int:
    """Run a node that plays by itself until the table is over or ended. Returns 1 if it was
    stopped."""
    store.lock()
    bot: Bot = RandomBot(Rng.system().below) if random_play else ClubBot()
    teller = _narrator(store.home) if tell else None
    faults: list[events.Fault] = []
    stack, invited = ExitStack(), list[bool]()

    def on_event(event: Event) -> None:
        if teller is not None:
            for line in teller.lines(event):
                print_line(line)
        if isinstance(event, events.YourTurn):
            choice = bot.choose(event.view)
            asyncio.get_running_loop().call_soon(_choose, session, choice)
        elif isinstance(event, events.PartingProposed) and session.nick not in event.ready:
            loop = asyncio.get_running_loop()
            if is_partner(session, event.absent):
                loop.call_later(BOT_PARTNER, _agree, session)
            else:
                loop.call_soon(_agree, session)
        elif isinstance(event, events.Members) and True not in invited:
            invited.append(invite(session, stack))
        elif isinstance(event, events.Gathering) and event.is_mine:
            asyncio.get_running_loop().call_later(WAITS, _go_on_without, session, event)
        elif isinstance(event, events.Fault):
            faults.append(event)

    returning = ResumeTarget(find_resumable(store, None)) if back else None
    memory = returning.table.memory if returning is not None else None
    session = Session(store, nick or store.nick(None), place, on_event, memory=memory)
    if memory is None:
        session.node.meeting.guests.bot = own_mark(session.key)
    if teller is not None:
        answer_signal(session, asyncio.get_running_loop().add_signal_handler, print_line)
        for event in session.past:
            teller.lines(event)
    try:
        await take_seat(session, table, opening, returning)
        await session.run()
    finally:
        stack.close()
        store.close()
    if times is not None:
        write_whole(
            times,
            json.dumps(
                {
                    **asdict(session.times),
                    "transcript": str(session.transcript or ""),
                    "finished": session.node.is_finished,
                }
            ).encode(),
        )
    return 0 if session.node.is_finished or session.node.has_ended else 1


def _go_on_without(session: Session, event: events.Gathering) -> None:
    """Remove the first player for whom the table still waits, when a bot keeps the list."""
    for wait in event.waits:
        try:
            session.go_on_without(wait.key)
        except LookupError:
            continue
        return


def _choose(session: Session, choice: Action) -> None:
    """Play the choice. A bot that has resumed may choose for a place that the others have passed;
    it is asked again at its next turn."""
    with suppress(LookupError, RuleBroken):
        session.act(choice)


def is_partner(session: Session, absent: str) -> bool:
    """Whether the absent player is on this bot's side. Then the bot waits longer before it agrees
    (``leave.lost``), because agreeing may cost that player."""
    state = None if session.node.table is None else session.node.table.state
    if state is None:
        return False
    partners = state.partners_of([player.nick for player in state.terms.players].index(absent))
    return session.nick in (state.terms.players[player].nick for player in partners)


def _agree(session: Session) -> None:
    """Agree with what the others propose. If nobody has been absent for long enough, the bot is
    asked again."""
    with suppress(LookupError):
        session.propose_parting()
