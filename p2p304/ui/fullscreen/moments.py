"""The moments of a recorded game: what the screen shows after each entry.

Responsible for taking entries when they are needed, and for what a moment's hand came to and this
player knew in it. Each entry arrives verified, with its events
(frontends/fullscreen/replay_screen.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.table.state import events
from p2p304.table.state.events import PublicEvent
from p2p304.ui.common.key_map import Keys
from p2p304.ui.fullscreen.model.cards_then import view_then
from p2p304.ui.narration.model import Ended, Line, Model, Tone
from p2p304.ui.narration.reducer import logged, reduce


@dataclass(frozen=True, slots=True)
class Entry:
    """A verified entry: its place and kind, its author's nickname, its events, the seconds that
    verifying it took, what the player at this screen knew then, if that is kept, and whether the
    clock made the entry for this player."""

    seq: int
    kind: str
    author: str
    events: tuple[PublicEvent, ...]
    seconds: float
    own_view: View | None = None
    by_clock: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """The screen after an entry, and the line that names the entry or the fault in it; ``is_move``:
    something happened in the game, and not in the deal's protocol alone. ``own_view`` is as in
    `Entry`."""

    model: Model
    caption: Phrase
    sound: bool = True
    is_move: bool = True
    own_view: View | None = None


NOTHING = Moment(Model(is_replay=True), say("There are no entries."), sound=False)
MOVES = (events.Seated, events.HandBegan, events.Dealt, events.Acted, events.HandOver)
"""What is a step, beside the end of a table; entries in between are shown only on request."""


class Moments:
    """The moments that ``entries`` tell, as far as they were taken; a false entry ends them with a
    ``Phrase`` in its place. ``own_seat`` is the seat of the player with ``own_key``, once known."""

    def __init__(
        self, entries: Iterator[Entry | Phrase], keys: Keys, own_key: bytes | None
    ) -> None:
        self._entries, self._keys, self._own_key = entries, keys, own_key
        self._spent, self._is_all = 0.0, False
        self.taken: list[Moment] = []
        self.own_seat: Seat | None = None

    def more(self) -> bool:
        """Take one more entry; returns False if there is none."""
        entry = next(self._entries, None)
        if entry is None:
            self._is_all = True
            return False
        model = self.taken[-1].model if self.taken else Model(is_replay=True, keys=self._keys)
        if isinstance(entry, Phrase):
            self.taken.append(Moment(model, entry, sound=False))
            return True
        self._spent += entry.seconds
        for event in entry.events:
            model = reduce(model, event, self._spent)
            if isinstance(event, events.Seated) and self._own_key in event.keys:
                self.own_seat = event.keys.index(self._own_key)
        if entry.by_clock:
            told = say("Your time was over: your program chose this for you.")
            model = logged(model, Line(told, Tone.WARN))
        caption = say(
            "Entry {n}: {kind} by {author}, verified in {ms} ms.",
            n=entry.seq,
            kind=entry.kind,
            author=entry.author,
            ms=round(entry.seconds * 1000),
        )
        is_move = any(isinstance(event, MOVES) for event in entry.events)
        ends = any(isinstance(event, events.TableOver | events.Parted) for event in entry.events)
        moment = Moment(model, caption, is_move=is_move or ends, own_view=entry.own_view)
        self.taken.append(moment)
        return True

    def has_whole_hand(self, at: int, most: int) -> bool:
        """Whether every entry of the hand of a moment is taken; takes up to ``most`` more."""
        number = self.taken[at].model.number
        for _ in range(most):
            if self.taken[-1].model.number != number or not self.more():
                return True
        return self._is_all or self.taken[-1].model.number != number

    def final(self, at: int) -> Hand:
        """The last public state of the hand of a moment; entries are taken up to there."""
        number, last = self.taken[at].model.number, self.taken[at].model.hand
        for moment in self.taken[at:]:
            if moment.model.number == number and moment.model.hand is not None:
                last = moment.model.hand
        while self.taken[-1].model.number == number and self.more():
            if self.taken[-1].model.number == number:
                last = self.taken[-1].model.hand or last
        if last is None:
            raise LookupError("there is no hand at this moment")
        return last

    def ended(self, number: int) -> Ended | None:
        """A hand that is over, as far as entries are taken (`final`)."""
        ended = self.taken[-1].model.ended
        return next((one for one in reversed(ended) if one.number == number), None)

    def view(self, at: int, seat: Seat) -> View:
        """What this seat knew at a moment: as kept, if it is this player's own, else as far as its
        cards were shown later in the hand."""
        own, then = self.taken[at].own_view, self.taken[at].model.hand
        if own is not None and own.seat == seat:
            return own
        final = self.final(at)
        return view_then(final, then or final, seat)

    def own_views(self, number: int) -> list[View]:
        """What this player knew in a hand, moment by moment, as far as that is kept."""
        return [m.own_view for m in self.taken if m.own_view and m.model.number == number]

    def own_cards(self, at: int, seat: Seat | None, number: int) -> frozenset[Card]:
        """Every card that this player has held in a hand up to a moment, if ``seat`` is its own."""
        held: set[Card] = set()
        for moment in self.taken[: at + 1]:
            own = moment.own_view
            if own is not None and own.seat == seat and moment.model.number == number:
                held |= own.cards | ({own.indicator} if own.indicator is not None else set())
        return frozenset(held)
