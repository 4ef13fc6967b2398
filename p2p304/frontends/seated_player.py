"""A player at a table, whatever the screen: carries out wishes, and decides about visitors.

Responsible for what full screen and text mode do alike. When a wish is possible the rules and the
table say; frontends/fullscreen/player_screen.py and frontends/text/player.py show the refusals.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from dataclasses import replace

from p2p304.app.config import NewTable, ResumeTarget, Target
from p2p304.app.joining import take_seat
from p2p304.app.session import Session
from p2p304.frontends.appearance import read_appearance
from p2p304.frontends.bot_guests import BotGuests
from p2p304.frontends.seat_request import SeatRequest
from p2p304.frontends.visitors import introduction
from p2p304.rules.core.errors import NotNow, RuleBroken
from p2p304.rules.core.phrases import Phrase
from p2p304.table.state.events import Event
from p2p304.table.state.gathering_events import JoinRequest, NoSeat
from p2p304.ui.common.wording import table_name
from p2p304.ui.guidance.choice_phrases import broken_rule
from p2p304.ui.narration import intents
from p2p304.ui.narration.intents import TableIntent


class SeatedPlayer:
    """One player at one session; the player's bots are ended when ``stack`` closes."""

    def __init__(self, session: Session, stack: ExitStack) -> None:
        self.session = session
        self.bots = BotGuests(session, stack)
        self.seat_request = SeatRequest(session, session.config.seat)

    async def sit_down(self, target: Target) -> None:
        """Join, open or resume a table, with the bots that belong to it; raises NetError."""
        if isinstance(target, NewTable) and target.name is None:
            translate = read_appearance(self.session.store.home).translate
            target = replace(target, name=table_name(self.session.nick, translate))
        await take_seat(self.session, target)
        if isinstance(target, NewTable):
            self.bots.invite(target.bots)
        elif isinstance(target, ResumeTarget):
            self.bots.wake(target.table.table)

    def carry_out(self, wanted: TableIntent) -> Phrase | None:
        """Do what the player wants; returns the sentence of a refusal."""
        node, now = self.session.node, self.session.driver.now
        try:
            match wanted:
                case intents.Do(action=action):
                    node.act(action, now)
                case intents.Ready():
                    node.ready(now)
                case intents.CutPack(at=at):
                    node.cut(at, now)
                case intents.Decide(key=key, welcome=welcome):
                    node.meeting.decide(key, welcome)
                case intents.Part():
                    node.propose_parting(now)
                case intents.ConfirmCode():
                    node.confirm_code()
                case intents.GoOnWithout(key=key):
                    node.meeting.go_on_without(key, now)
                case intents.Chat(text=text):
                    node.chat(text)
                case intents.Sit(seat=seat):
                    return self.seat_request.ask(seat)
                case intents.AddBot():
                    return self.bots.invite(1)
        except RuleBroken as broken:
            return broken_rule(broken)
        except NotNow as refused:
            return refused.phrase
        self.session.driver.flush()
        return None

    def may_ignore(self, event: Event) -> bool:
        """Whether an event answers what the player has not asked: a table that is opened once more
        may draw the seats."""
        return isinstance(event, NoSeat) and not event.chosen and self.session.config.keeps_seat

    def has_cut(self, setting: str) -> bool:
        """Whether the player's setting has answered the offer to cut, so that nobody is asked."""
        if setting == "ask":
            return False
        cut = intents.CutPack(0 if setting == "never" else None)
        asyncio.get_running_loop().call_soon(self.carry_out, cut)
        return True

    def introduce(self, visitor: JoinRequest) -> Phrase | None:
        """Describe a visitor about whom the player must decide; bots that the player has invited
        are let in."""
        if self.bots.knows(visitor.key):
            asyncio.get_running_loop().call_soon(self.carry_out, intents.Decide(visitor.key, True))
            return None
        return introduction(self.session.store, visitor)
