"""A bot that takes a seat, in this process.

Responsible for how a bot's node runs. How a bot chooses is bots/club.py's; a bot of one's own is
bots/own_bot.py's; processes for bots are app/bot_processes.py's.
"""

from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from p2p304.app.bot_processes import own_mark
from p2p304.app.config import NodeConfig, ResumeTarget, Target
from p2p304.app.joining import print_line, take_seat
from p2p304.app.session import Session
from p2p304.bots import claims
from p2p304.bots.own_bot import own_bot
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.search.levels import bot_of
from p2p304.crypto.rng import Rng
from p2p304.frontends.bot_guests import BotGuests
from p2p304.frontends.state_dump import answer_signal
from p2p304.rules.core.actions import Action, Spoilt
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.absence import BOT_PARTNER
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import write_whole
from p2p304.table.state import events, gathering_events
from p2p304.table.state.events import Event
from p2p304.wire.names import shown

if TYPE_CHECKING:
    from p2p304.frontends.seat_request import SeatRequest
    from p2p304.ui.text.narrator import Narrator

FORCED = 0.25
"""The part of its pace that a bot takes where it has no choice."""
WAITS = 15.0
"""Seconds that a bot that keeps the list still waits once it knows for whom."""


def _narrator(home: Path) -> Narrator:
    # A silent bot loads nothing of the screen, and sits down sooner.
    from p2p304.frontends.appearance import read_appearance
    from p2p304.ui.text.narrator import Narrator

    return Narrator(None, read_appearance(home).translate)


def _bot(way: str) -> Bot:
    below = Rng.system().below
    return RandomBot(below) if way == "random" else bot_of(way, below)


class BotPlayer:
    """A bot at one session; ``teller`` prints the game if there is one. With ``pace`` a choice
    takes at least so many seconds, and a quarter of them where there is nothing to choose."""

    def __init__(
        self, bot: Bot, teller: Narrator | None, stack: ExitStack, pace: float = 0.0
    ) -> None:
        self._bot, self._teller, self._stack, self._pace = bot, teller, stack, pace
        self._loop = asyncio.get_running_loop()
        self._session: Session
        self._seat_request: SeatRequest | None = None
        self._has_invited = False
        self._thinking: set[asyncio.Task[None]] = set()
        self._left: set[str] = set()
        """The players who have said that they leave, and are not back."""

    def sit_at(self, session: Session) -> None:
        """Play at this session; tell first what happened before it was resumed."""
        self._session = session
        if session.config.seat:
            # Words for seats belong to the screen, of which a silent bot loads nothing.
            from p2p304.frontends.seat_request import SeatRequest

            self._seat_request = SeatRequest(session, session.config.seat)
        answer_signal(session, print_line if self._teller is not None else None)
        for event in session.take_past():
            if self._teller is not None:
                self._teller.lines(event)

    def on_event(self, event: Event) -> None:
        session, loop = self._session, self._loop
        if isinstance(event, gathering_events.Members) and self._seat_request is not None:
            self._seat_request.heard(event)
        for line in self._teller.lines(event) if self._teller is not None else ():
            print_line(line)
        match event:
            case events.YourTurn(view=view):
                task = loop.create_task(self._think(view))
                self._thinking.add(task)
                task.add_done_callback(self._thought)
            case events.PartingProposed(absent=absent, ready=ready) if session.nick not in ready:
                left = absent in self._left and is_owner(session, absent)
                patience = BOT_PARTNER if is_partner(session, absent) and not left else 0.0
                loop.call_later(patience, _agree, session)
            case events.PlayerLeft(nick=nick, said=True):
                self._left.add(nick)
            case events.PlayerBack(nick=nick):
                self._left.discard(nick)
            case gathering_events.Members() if not self._has_invited and _keeps_open_seat(session):
                self._has_invited = True
                BotGuests(session, self._stack).invite(1)
            case gathering_events.Gathering(is_mine=True):
                loop.call_later(WAITS, _go_on_without, session, event)

    def _thought(self, task: asyncio.Task[None]) -> None:
        self._thinking.discard(task)
        if not task.cancelled():
            task.result()  # a fault is the loop's to report, as everywhere

    async def _think(self, view: View) -> None:
        """Choose beside the loop, which answers the others meanwhile. A bot that has resumed may
        choose for a place that the others have passed; it is asked again at its next turn."""
        pace = self._pace if len(legal(view)) > 1 else self._pace * FORCED
        until = self._loop.time() + pace
        choice = await chosen(self._bot, view)
        if claims.wants_spoilt(view):
            choice = Spoilt(view.seat)
        await asyncio.sleep(until - self._loop.time())
        with suppress(LookupError, RuleBroken):
            self._session.act(choice)


async def play_as_bot(
    store: DataFolder,
    nick: str | None,
    config: NodeConfig,
    target: Target | None,
    way: str,
    tell: bool,
    times: Path | None,
    pace: float = 0.0,
) -> int:
    """Run a node that plays by itself (``way``: a level of bots/search/levels.py, random, or the
    word of a bot of one's own) until the table is over or ended. Returns 1 if it was stopped."""

    def tell_fault(fault: Phrase) -> None:
        sys.stderr.write(shown(_narrator(store.home).text(fault)) + "\n")

    store.lock()
    with ExitStack() as kept:
        kept.callback(store.close)
        bot = own_bot(way, tell_fault, kept) if ":" in way else _bot(way)
        teller = _narrator(store.home) if tell else None
        player = BotPlayer(bot, teller, kept, pace)
        session = Session(
            store,
            store.nick(None) if nick is None else nick,
            config,
            player.on_event,
            memory=target.table.memory if isinstance(target, ResumeTarget) else None,
        )
        player.sit_at(session)
        if not isinstance(target, ResumeTarget):
            session.node.meeting.guests.bot = own_mark(session.key)
        await take_seat(session, target)
        await session.run()
    if times is not None:
        path, finished = str(session.transcript or ""), session.node.is_finished
        told = {**asdict(session.times), "transcript": path, "finished": finished}
        write_whole(times, json.dumps(told).encode())
    return 0 if session.node.is_finished or session.node.has_ended else 1


async def chosen(bot: Bot, view: View) -> Action:
    """Let a bot choose in a thread that does not keep the program from ending: a bot of one's own
    may never answer."""
    answer: Future[Action] = Future()
    answer.set_running_or_notify_cancel()  # it cannot be cancelled: the thread sets it in any case

    def choose() -> None:
        try:
            answer.set_result(bot.choose(view))
        except BaseException as error:  # noqa: BLE001 - it is raised where the choice is awaited
            answer.set_exception(error)

    Thread(target=choose, daemon=True).start()
    return await asyncio.wrap_future(answer)


def _keeps_open_seat(session: Session) -> bool:
    """Whether this bot keeps the list of a table that goes on, and only the seat of the player who
    left is free. Before that a new bot could take the name of a player who is still to come."""
    meeting = session.node.meeting
    here = meeting.list
    if here is None or here.after is None or not meeting.is_founder:
        return False
    return len(here.guests) == here.rules.seats - 1


def _go_on_without(session: Session, event: gathering_events.Gathering) -> None:
    """Remove a player for whom the table still waits, when a bot keeps the list: one that pledged
    twice, else one that sent what cannot be true, else the one that lacks most links, else the
    first. Honest players wait for a signature of the first two, and must not go in their place."""
    reasons = gathering_events.WaitReason
    faults = [reasons.TWO_PLEDGES, reasons.FALSE]

    def rank(wait: gathering_events.GatherWait) -> tuple[int, int]:
        at = faults.index(wait.reason) if wait.reason in faults else len(faults)
        return at, -len(wait.whom)

    for wait in sorted(event.waits, key=rank):
        try:
            session.node.meeting.go_on_without(wait.key, session.driver.now)
        except LookupError:
            continue
        session.driver.flush()
        return


def is_partner(session: Session, absent: str) -> bool:
    """Whether the absent player is on this bot's side. Then the bot waits longer before it agrees
    (``leave.lost``), because agreeing may cost that player."""
    state = None if session.node.table is None else session.node.table.state
    if state is None:
        return False
    partners = state.partners_of([player.nick for player in state.terms.players].index(absent))
    return session.nick in (state.terms.players[player].nick for player in partners)


def is_owner(session: Session, absent: str) -> bool:
    """Whether the absent player owns this bot. An owner that leaves, and whose bot still plays, has
    chosen so."""
    bot, table = session.node.meeting.guests.bot, session.node.table
    players = () if table is None else table.terms.players
    return bot is not None and any(p.nick == absent and p.key == bot.owner for p in players)


def _agree(session: Session) -> None:
    """Agree with what the others propose. If nobody has been absent for long enough, the bot is
    asked again."""
    with suppress(LookupError):
        session.node.propose_parting(session.driver.now)
        session.driver.flush()
