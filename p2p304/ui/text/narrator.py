"""The account of a table as lines of text, for a player in text mode, a spectator or a file.

Responsible for making lines of phrases. The sentences are ui/narration/reducer.py's, the same as on
the full screen. A card that lies face down has no name here, because the events carry none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from shutil import get_terminal_size

from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.table.state import events
from p2p304.ui.common.bidi import isolated
from p2p304.ui.common.remarks import remark_or_text
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.guidance.status import waiting_phrase
from p2p304.ui.narration.model import Model, Tone
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, untranslated
from p2p304.ui.narration.proof_log import what_happened
from p2p304.ui.narration.reducer import Change, reduce
from p2p304.ui.terminal.canvas import wrapped

LONGEST_LINE = 80
LEAST_MESSAGE = 16
"""Columns of a line of chat with its author, and at least without."""
_PRIVATE = (
    events.HandSeen,
    events.YourTurn,
    events.CapsDue,
    events.NextHand,
    events.CutOffered,
    events.CutChosen,
)
"""What a bot that tells its game learns, and a spectator does not."""
_SHUFFLED = say("All have shuffled the cards in turn, each with a proof that all have verified.")


class Narrator:
    """Turns events into lines; ``me`` is the player's nickname, or None for a spectator."""

    def __init__(
        self, me: str | None = None, translate: Callable[[str], str] = untranslated
    ) -> None:
        self.model = Model(me=me, typed=True)
        self._translate = translate

    def lines(self, change: Change) -> list[str]:
        """Return the lines about an event."""
        if self.model.me is None and isinstance(change, _PRIVATE):
            return []
        now = change.since + change.seconds if isinstance(change, events.Waiting) else 0.0
        self.model = reduce(replace(self.model, log=()), change, now)
        if isinstance(change, events.ChatMessage):
            return self._said(change.nick, change.text)
        told = [
            "  " + self.text(line.phrase) if line.tone is Tone.MINOR else self.text(line.phrase)
            for line in self.model.log
        ]
        before = [""] if isinstance(change, events.HandBegan) else []
        return [*before, *told, *map(self.text, self._further(change, now))]

    def text(self, phrase: Phrase) -> str:
        """Return a phrase as this player reads it."""
        return isolated(self.renderer.text(phrase))

    @property
    def renderer(self) -> PhraseRenderer:
        model = self.model
        seats = model.seats
        return PhraseRenderer(LETTERS, self._translate, model.nicks, seats, model.seat, True)

    def _further(self, change: Change, now: float) -> list[Phrase]:
        """Return what the full screen shows elsewhere than in its log."""
        model = self.model
        match change:
            case events.Shuffled() if model.shuffled == len(model.nicks):
                return [_SHUFFLED]
            case events.WasCut() | events.Dealt():
                step = what_happened(change, model.emptied)
                return [] if step is None else [step[0]]
            case events.Waiting():
                told = waiting_phrase(model, now)
                return [] if told is None else [told]
        return []

    def _said(self, nick: str, text: str) -> list[str]:
        """Wrap a message here and not in the terminal. Every line begins with its author, so that
        none looks like a line of the program's own."""
        before = self.text(say("{nick} says:", nick=Quoted(nick))) + " "
        room = min(LONGEST_LINE, get_terminal_size().columns) - 1 - width_of(before)
        remark = remark_or_text(text)
        shown = self.text(remark) if isinstance(remark, Phrase) else isolated(text)
        lines = wrapped([("", shown)], max(LEAST_MESSAGE, room))
        return [before + "".join(part for _, part in line) for line in lines]
