"""The screen's own state: panes, cursor, typed letters, a queued card.

Responsible for these as one frozen value, and for what can be chosen now. The table's state is the
model's (model.py); how keys change this one is input/keys.py's.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from p2p304.rules.core.actions import Action, LayTrump, Play
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.state.hand import Phase
from p2p304.ui.narration.intents import (
    ANYWHERE,
    UNCUT,
    CutPack,
    Decide,
    Do,
    Part,
    Quit,
    Sit,
    ToLobby,
)
from p2p304.ui.narration.model import Line, Model

MOST_TYPED, MOST_SAID = 40, 200
"""Characters of a typed line, and of a chat message."""


class Pane(Enum):
    """Overlays; one at a time."""

    HELP = "help"
    MENU = "menu"
    LAST = "last"
    PROOFS = "proofs"
    SHEET = "sheet"
    HANDS = "hands"
    LOG = "log"
    CAPS = "caps"
    RESULT = "result"
    RULES = "rules"
    END = "end"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Asking:
    """A question that y or n answers, and what the player wants after a yes. A visitor who asks for
    a seat (`Decide`) is turned away after a no. ``other``: b is an answer too, which says that the
    player leaves and the bots stay."""

    question: Phrase
    wanted: Do | Quit | ToLobby | Decide | Part
    other: Phrase | None = None


@dataclass(frozen=True, slots=True)
class Ui:
    """``cursor`` is an index into `items`, None before the first arrow; ``order`` the cards as
    arranged for Caps; ``note`` the sentence shown last, ``hint`` the bot's hint; ``footer``
    replaces the list of keys; ``has_values``: what cards are worth stands beside the table;
    ``aside`` stands above the log: what a lesson says; ``set_aside`` is the pane that comes back
    once the pack is cut, and that gives way to a timed turn."""

    pane: Pane | None = None
    at: int = 0
    scroll: int = 0
    cursor: int | None = None
    typed: str = ""
    queued: Card | None = None
    asking: Asking | None = None
    note: Phrase | None = None
    hint: Phrase | None = None
    order: tuple[Card, ...] = ()
    lifted: bool = False
    footer: Phrase | None = None
    has_values: bool = True
    aside: tuple[Line, ...] = ()
    set_aside: Pane | None = None


Item = Card | Action | Sit | CutPack
"""An item that can be chosen: a card, a word, a free seat, or a cut of the pack."""
_CARD_PHASES = (Phase.TRUMP4, Phase.TRUMP8, Phase.PLAY)


def held(model: Model) -> tuple[Card, ...]:
    """Return the own cards as they are held; the indicator that lies on the table comes last."""
    view = model.view
    if view is None:
        return ()
    cards = tuple(by_suit(set(view.cards), view.hand.options.pack))
    return cards if view.indicator is None else (*cards, view.indicator)


def card_actions(model: Model, card: Card) -> tuple[Action, ...]:
    """Return the open actions that do something with one card."""
    return tuple(a for a in model.options if getattr(a, "card", None) is card and _by_card(a))


def words(model: Model) -> tuple[Action | Sit | CutPack, ...]:
    """Return the open actions that are said, not played with a card; before the deal, the free
    seats, or the cuts."""
    seats = tuple(Sit(seat) for seat in model.free_seats)
    cuts = () if model.cut_until is None else (UNCUT, ANYWHERE)
    return (*seats, *cuts, *(a for a in model.options if not _by_card(a)))


def _by_card(action: Action) -> bool:
    return isinstance(action, Play | LayTrump)


def items(model: Model) -> tuple[Item, ...]:
    """Return what the cursor runs over: the cards if cards are chosen (or queued), then words."""
    hand = model.hand
    cards = held(model) if hand is not None and hand.phase in _CARD_PHASES else ()
    return (*cards, *words(model))


def pointed(model: Model, ui: Ui) -> Item | None:
    """Return the item at the cursor."""
    choices = items(model)
    if ui.cursor is None or not 0 <= ui.cursor < len(choices):
        return None
    return choices[ui.cursor]
