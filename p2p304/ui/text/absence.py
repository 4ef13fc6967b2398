"""An absent or late player in text mode: whom the table waits for, what the others may propose, and
what happens to the hand.

Responsible for these sentences, and for when the effect of a proposal can be described. When
players may part is the table's to decide (SPEC.md, "Leaving for good").
"""

from __future__ import annotations

from collections.abc import Callable

from p2p304.rules.variants.absence import BOT_PARTNER, PLAY_OUT
from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common.open_seat import EmptySeat, held, may_part
from p2p304.ui.common.wording import card_word


def _bots_wait(absent: str, bots: tuple[str, ...]) -> str:
    """Describe whom the table still waits for, how long at most, and why."""
    return (
        f"The table waits for {', '.join(bots)}, at most {BOT_PARTNER / 60:.0f} minutes: a bot "
        f"on the side of {absent} gives {absent} time to come back before it agrees."
    )


class AbsenceNarrator:
    """Pass every event to `note`; ``name`` returns how a seat's player is named."""

    def __init__(self, name: Callable[[int], str]) -> None:
        self._name = name
        self._emptied: EmptySeat | None = None
        self._away = ""
        self._seats, self._shuffled = 0, 0

    def note(self, event: Event) -> None:
        """Remember an event for later sentences."""
        match event:
            case events.Seated(nicks=nicks):
                self._seats = len(nicks)
            case events.HandBegan():
                self._shuffled = 0
            case events.Shuffled():
                self._shuffled += 1
            case events.HandSeen(view=view) | events.YourTurn(view=view):
                self._away = view.hand.options.away
            case events.Acted(hand=hand, empty=empty):
                self._away = hand.options.away
                if self._emptied is not None:
                    self._emptied = self._emptied.now(empty)
            case events.HandOver():
                self._shuffled = 0

    def lines(self, event: Event) -> list[str]:
        """Return the lines about an event."""
        match event:
            case events.Waiting():
                return [self._waits(event)]
            case events.PartingProposed(absent=absent, ready=ready, needed=needed, bots=bots):
                line = (
                    f"Ready to {self._wish(absent)}: {', '.join(ready)} "
                    f"({len(ready)} of {needed}; type 'part' to agree)."
                )
                return [line, _bots_wait(absent, bots)] if bots else [line]
            case events.PartingRefused(by=by, absent=absent):
                return [f"{by} says that {absent} is there: the game goes on with {absent}."]
            case events.Overdue():
                return [self._overdue(event)]
            case events.PlayingOut(seat=seat):
                self._emptied = EmptySeat.begin(event)
                return [
                    f"All others have agreed: this hand is played out without "
                    f"{self._name(seat)}, who was gone.",
                    "The cards of the empty seat lie open; it passes, and plays its lowest "
                    "legal card. After the hand the table ends.",
                ]
            case events.LaidOpen():
                return self._laid_open(event)
            case events.Parted():
                return self._parted(event)
        return []

    def _waits(self, event: events.Waiting) -> str:
        away = f"; not connected: {', '.join(event.gone)}" if event.gone else ""
        line = f"Waiting for {', '.join(event.nicks)} ({event.seconds} s){away} ..."
        if not may_part(event.gone, event.seconds, self._away, self._emptied):
            return line
        return f"{line} Type 'part' if you want to {self._wish(event.gone[0])}."

    def _overdue(self, event: events.Overdue) -> str:
        """Describe which player keeps everybody waiting, and for what; that player is told too."""
        owed = {"receipt": "a receipt", "word": "an answer to a wish to go on without somebody"}
        what = owed.get(event.what, "a move")
        if event.mine:
            line = f"You have owed {what} for {event.seconds} s, and everybody waits for you."
            return f"{line} The others may now go on without you." if event.may else line
        line = f"{event.nick} has owed {what} for {event.seconds} s, and everybody waits for it."
        return f"{line} Type 'part' if you want to {self._wish(event.nick)}." if event.may else line

    def _wish(self, absent: str) -> str:
        """Describe what parting would mean; a hand can be played out once all seats have
        shuffled."""
        if not self._away:
            return f"go on without {absent} as this table's rules say"
        if self._away == PLAY_OUT and 0 < self._seats <= self._shuffled:
            return f"play this hand out without {absent}"
        return f"end the table without {absent}"

    def _laid_open(self, event: events.LaidOpen) -> list[str]:
        who = self._name(event.seat)
        was = self._emptied or EmptySeat(who, event.seat)
        self._emptied = now = was.laid_open(event)
        lying = now.indicator if was.indicator is None else None
        others = set(event.cards) - {lying} - was.shown
        lines = []
        if others:
            more = "Further cards" if was.shown else "The cards"
            what = more if others <= now.cards else "The face-down cards"
            shown = " ".join(card_word(card) for card in held(others))
            lines.append(f"{what} of {who} lie open for all: {shown}.")
        if lying is not None:
            lines.append(f"The trump indicator of {who} lies open too: {card_word(lying)}.")
        return lines

    def _parted(self, event: events.Parted) -> list[str]:
        if self._emptied is not None:
            return [f"The hand has been played out: the table ends without {event.absent}."]
        ends = f"All others have agreed: the table ends without {event.absent}, who was gone."
        goes_on = "It goes on with the next hand when somebody has taken the empty seat."
        if event.goes_on:
            return [ends, goes_on]
        return [ends] if event.match.is_over else [f"{ends} Nobody has won it."]
