"""The table as a page: one player's table on one screen, without input or output.

Responsible for when events are shown (short pauses, so that a card and a trick can be seen), and
for how keys, pauses and a queued card interact. Time is passed in (seconds); what the player wants
is returned as intents. Drawing is view/render.py's.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from p2p304.rules.core.actions import Bid, Pass, Play
from p2p304.rules.core.phrases import Phrase
from p2p304.table.state import events
from p2p304.ui.common.settings import CONTROLS, PACE, Controls, Pace
from p2p304.ui.common.text_width import clipped
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input import keys
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance import status
from p2p304.ui.narration.intents import Do, Intent, Ready, Skip
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.narration.reducer import Change, Chosen, GotReady, chat_line, reduce
from p2p304.ui.terminal.frame import Ring, Screenful

CATCHING_UP = 60
"""With this many changes pending nothing pauses: the player has resumed the table."""


RESULT_PAUSE = 6.0
"""Seconds in which a spectator sees a hand's result before the next hand; nobody asks a spectator
whether to deal."""

MOST_NOTED = 44
"""Columns of a chat message in the player's line: it stays in one line, after its author."""


class TablePage:
    """Call `tell`, `press`, `paste`, `click` and `handle_timer`; each returns intents.
    `next_timeout` says when to call `handle_timer`."""

    asks_to_quit = True

    def __init__(
        self,
        model: Model,
        look: Look,
        translate: Translate = untranslated,
        controls: Controls = CONTROLS,
        pace: Pace = PACE,
        hesitate: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """``hesitate`` draws the seconds before a queued card is played, so that the time of a
        play does not tell whether it was queued."""
        self.model, self.ui = model, Ui(has_values=controls.values == "on")
        self.look, self.translate, self.controls, self.pace = look, translate, controls, pace
        self._pending: deque[tuple[Change, float]] = deque()
        self._until = 0.0
        self._hesitate, self._play_at = hesitate, math.inf
        self._picture: Screenful | None = None

    def set_appearance(
        self, look: Look, translate: Translate, controls: Controls, pace: Pace
    ) -> None:
        """Draw with this look and language, and use these keys, from now on."""
        self.look, self.translate, self.controls, self.pace = look, translate, controls, pace
        self.model = replace(self.model, keys=controls.keys)
        self.ui = replace(self.ui, has_values=controls.values == "on")

    @property
    def is_settled(self) -> bool:
        """Whether all events are shown."""
        return not self._pending

    # In

    def tell(self, change: Change, now: float) -> tuple[Intent, ...]:
        """Take an event of the table; it is shown as soon as the pauses allow, with the time of
        now."""
        self._pending.append((change, now))
        return self.handle_timer(now)

    def recall(self, change: Change, now: float) -> None:
        """Take an event from before this node resumed the table: without pauses and questions."""
        self.model = reduce(self.model, change, now)

    def handle_timer(self, now: float) -> tuple[Intent, ...]:
        """Show what is due by now."""
        wanted: tuple[Intent, ...] = ()
        while self._pending and now >= self._until:
            wanted += self._show(*self._pending.popleft(), now)
        return wanted + self._play_queued(now)

    def show_rest(self, now: float) -> tuple[Intent, ...]:
        """Show all events at once."""
        wanted: tuple[Intent, ...] = ()
        while self._pending:
            self._until = now
            wanted += self.handle_timer(now)
        return wanted

    def press(self, key: str, now: float) -> tuple[Intent, ...]:
        self.ui, wanted = keys.press(self.model, self.ui, key, self.controls)
        return self._after(wanted, now)

    def paste(self, text: str, now: float) -> tuple[Intent, ...]:
        self.ui = keys.paste(self.model, self.ui, text)
        return ()

    def click(self, x: int, y: int, now: float) -> tuple[Intent, ...]:
        """Handle a click on a cell of the last picture; a click elsewhere goes on."""
        hits = self._picture.hits if self._picture is not None else ()
        hit = next((hit for hit in reversed(hits) if hit.box.holds(x, y)), None)
        if hit is None:
            return self.press("escape" if self.ui.pane else " ", now)
        self.ui, wanted = keys.click(self.model, self.ui, hit.index, self.controls)
        return self._after(wanted, now)

    def chosen(self, action: Do, now: float) -> Model:
        """Show an own action as sent to the table; returns the model to restore if the table
        refuses it."""
        before = self.model
        self._reduce(Chosen(action.action), now)
        return before

    def refused(self, before: Model, why: Phrase) -> None:
        """Restore the model after the table has refused the action, and show the reason."""
        self.model = replace(before, log=self.model.log)
        self.ui = replace(self.ui, note=why)

    def note(self, why: Phrase | None) -> None:
        """Show a sentence in the player's line, or none any more."""
        self.ui = replace(self.ui, note=why)

    def hint(self, advice: Phrase) -> None:
        self.ui = replace(self.ui, hint=advice, note=None)

    def teach(self, number: int, told: tuple[Phrase, ...]) -> None:
        """Show what the teacher said of a hand, below its result."""
        ended = tuple(
            replace(one, taught=told) if one.number == number else one for one in self.model.ended
        )
        self.model, self.ui = replace(self.model, ended=ended), replace(self.ui, note=None)
        if self.model.may_be_taught and ended[-1].number == number:
            self.ui = replace(self.ui, pane=Pane.RESULT, scroll=0)

    # Out

    def next_timeout(self, now: float) -> float | None:
        """Return when something changes by itself: a pause ends, or a waiting time counts on."""
        if self._pending:
            return self._until
        if self._play_at < math.inf:
            return self._play_at
        ends = self.model.turn_ends
        if ends is not None and now < ends:
            return now + ((ends - now) % 1.0 or 1.0)
        is_counted = self.model.waiting is not None or self.model.absentee is not None
        return now + 1.0 if is_counted else None

    def picture(self, width: int, height: int, now: float) -> Screenful:
        renderer = PhraseRenderer(
            self.look, self.translate, self.model.nicks, self.model.seats, self.model.seat
        )
        self._picture = render(
            self.model, self.ui, renderer, width, height, now, self.controls.keys
        )
        title = renderer.text(status.window_title(self.model))
        self._picture = replace(self._picture, title=title)
        return self._picture

    # Inside

    def _show(self, change: Change, happened: float, now: float) -> tuple[Intent, ...]:
        before = self.model
        self._reduce(change, happened)
        rings: tuple[Intent, ...] = (Ring(),) if self._rings(before) else ()
        if len(self._pending) < CATCHING_UP:
            self._until = now + self._pause(change, before)
        if self._play_at < math.inf or self.ui.queued is None or not self.model.is_my_turn:
            return rings
        self._play_at = now + self._hesitate()
        return rings + self._play_queued(now)

    def _rings(self, before: Model) -> bool:
        """Whether the bell rings for what has changed; not while an old table is caught up with."""
        caught_up = len(self._pending) < CATCHING_UP
        return caught_up and self.model.rings_after(before, self.controls.bell)

    def _play_queued(self, now: float) -> tuple[Intent, ...]:
        """Play a card that was queued, once its time has come."""
        if now < self._play_at:
            return ()
        self._play_at = math.inf
        self.ui, wanted = keys.play_queued(self.model, self.ui)
        return wanted

    def _reduce(self, change: Change, now: float) -> None:
        before, self.model = self.model, reduce(self.model, change, now)
        self.ui = keys.update_after(self.ui, before, self.model)
        if isinstance(change, events.HandOver):
            self.ui = replace(self.ui, pane=Pane.RESULT, scroll=0)
        if isinstance(change, events.Parted) and change.goes_on:
            self.ui = replace(self.ui, pane=None)  # the players gather again, which must be seen
        if isinstance(change, events.Seated) and change.owners and self.model.me:
            self.ui = replace(self.ui, pane=Pane.CODE if self.model.has_people else None, scroll=0)
        seen = self.model.me in self.model.confirmed and not self.model.unconfirmed
        if isinstance(change, events.CodeConfirmed) and self.ui.pane is Pane.CODE and seen:
            self.ui = replace(self.ui, pane=None)
        is_last = isinstance(change, events.TableOver) or (
            isinstance(change, events.Parted) and not change.goes_on
        )
        if is_last and self.ui.pane is not Pane.RESULT:
            self.ui = replace(self.ui, pane=Pane.END, at=0, scroll=0)
        if isinstance(change, events.ChatMessage) and change.nick != self.model.me:
            text = clipped(change.text, MOST_NOTED)
            self.ui = replace(self.ui, note=chat_line(change.nick, text))

    def _pause(self, change: Change, before: Model) -> float:
        if isinstance(change, events.HandOver) and self.model.watches:
            return RESULT_PAUSE
        if not isinstance(change, events.Acted):
            return 0.0
        if len(self.model.done_tricks) > len(before.done_tricks):
            return self.pace.trick
        own = change.action.seat == self.model.seat
        seen = isinstance(change.action, Play | Bid | Pass)
        return self.pace.card if seen and not own else 0.0

    def _after(self, wanted: tuple[Intent, ...], now: float) -> tuple[Intent, ...]:
        rest: tuple[Intent, ...] = ()
        for intent in wanted:
            match intent:
                case Skip():
                    self._until = now
                    rest += self.handle_timer(now)
                case Ready():
                    self._reduce(GotReady(), now)
                    rest += (intent,)
                case _:
                    rest += (intent,)
        return rest
