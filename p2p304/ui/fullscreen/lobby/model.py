"""The lobby's model: tables found, where this node listens, the form and the typed address.

Responsible for these values. How keys change them is keys.py's; how they look is view.py's. Nothing
here knows the network, and nothing found is trusted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import count

from p2p304.rules.core.phrases import Phrase
from p2p304.rules.variants.absence import REPLACE
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.ui.common.settings import Settings
from p2p304.ui.fullscreen.lobby.offer import Offer
from p2p304.ui.fullscreen.lobby.settings_form import SettingsForm

MOST_NAME = 32
MOST_ADDRESS = 64
MOST_SECRET = 64


class Mode(Enum):
    """The part of the lobby that receives keys."""

    LIST = "list"
    FORM = "form"
    ADDRESS = "address"
    SECRET = "secret"
    SETTINGS = "settings"
    HELP = "help"


@dataclass(frozen=True, slots=True)
class Form:
    """A table to open. ``changed`` holds options that differ from the preset's."""

    name: str
    preset: str = "pagat"
    hands: int = 0
    bots: int = 0
    passphrase: str = ""
    asks: bool = False
    watch: str = ""
    changed: Mapping[str, object] = field(default_factory=dict)
    bots_play: str = "club"
    at: int = 0

    @property
    def rules(self) -> Options:
        """The rules as chosen; raises OptionsError for a combination that cannot be played."""
        return preset(self.preset).override({**self._for_people, **self.changed})

    @property
    def _for_people(self) -> Mapping[str, object]:
        """Where people play, somebody else can take the seat of a player who leaves."""
        seats = preset(self.preset).seats
        return {"away": REPLACE} if 2 < seats > self.bots + 1 else {}

    def value(self, option: str) -> object:
        """Return an option's value, the usual one if it was not changed."""
        usual = {**preset(self.preset).to_data(), **self._for_people}
        return self.changed.get(option, usual.get(option))

    def turned(self, option: str, step: int) -> Form:
        """Return the form with the next value of an option with which the rules can be played."""
        values = TURNED.get(option, PLAYABLE[option])
        at = values.index(self.value(option)) if self.value(option) in values else 0
        for turns in range(1, len(values)):
            value = values[(at + step * turns) % len(values)]
            form = replace(self, changed={**self.changed, option: value})
            if form.is_playable:
                return form
        return self

    @property
    def is_playable(self) -> bool:
        try:
            return bool(self.rules.seats)
        except OptionsError:
            return False


TURNED: Mapping[str, tuple[object, ...]] = {"timer": ("off", 15, 20, 30, 45, 60, 90, 120, 300)}
"""The values that the form goes through, where there are too many; `--set` takes every one."""
OPTIONS = tuple(name for name, values in PLAYABLE.items() if len(values) > 1)
"""Options with more than one value to choose."""
REST = tuple(name for name in OPTIONS if name != "away")
"""The options without a line of their own above."""
ROWS = (
    "name",
    "preset",
    "hands",
    "bots",
    "bots_play",
    "passphrase",
    "asks",
    "watch",
    "away",
    "open",
    *REST,
)
"""The form's lines from above; the options come last, because most tables leave them alone."""
OPENING_ROWS = ("open", "name", "passphrase")
"""The lines of the form on which Enter opens the table; on the others it changes the value."""
BOTS_PLAY = ("club", "strong", "master", "learner")
"""How well the bots play."""
WATCH = ("", "now", "trick", "hand")
"""When spectators see what happens; empty: spectators are not let in."""
PRESET_NAMES = tuple(PRESETS)
MOST_HANDS, MOST_BOTS = 99, 7


@dataclass(frozen=True, slots=True)
class Lobby:
    """The lobby. ``about`` are players who look for their former table; ``own`` are
    this node's sentences on where it listens and searches; ``since`` is when the search began
    (seconds), ``busy`` what is going on (a table is being joined), ``watches`` whether the typed
    address is to be watched, ``left`` the table that can be resumed, ``retry`` the address of a
    locked table that was joined without its passphrase. ``numbers`` are those of ``offers``.
    ``proposed`` is the name of a table that is opened without one, ``passphrase`` is proposed where
    a table needs one. ``host`` is the player for whom this one
    waits, to play again."""

    me: str
    mode: Mode = Mode.LIST
    at: int = 0
    offers: tuple[Offer, ...] = ()
    numbers: tuple[int, ...] = ()
    about: tuple[str, ...] = ()
    left: Phrase | None = None
    own: tuple[Phrase, ...] = ()
    since: float | None = None
    form: Form = Form("")
    proposed: str = ""
    address: str = ""
    watches: bool = False
    secret: str = ""
    retry: tuple[str, int] | None = None
    passphrase: str = ""
    note: Phrase | None = None
    busy: Phrase | None = None
    host: str = ""
    settings: Settings = field(default_factory=Settings)
    settings_form: SettingsForm = field(default_factory=lambda: SettingsForm(""))

    def with_offers(self, found: tuple[Offer, ...]) -> Lobby:
        """Return the lobby with the tables found now. Each table keeps its number, so that no
        number changes just before a player types it; a new table gets a free number."""
        had = {offer.key: number for offer, number in zip(self.offers, self.numbers, strict=True)}
        free = (number for number in count(1) if number not in self.numbers)
        given = ((had.get(offer.key) or next(free), offer) for offer in found)
        shown = sorted(given, key=lambda pair: pair[0])
        return replace(
            self,
            offers=tuple(offer for _, offer in shown),
            numbers=tuple(number for number, _ in shown),
        )

    @property
    def most_bots(self) -> int:
        """The most seats that bots may take at the table of the form."""
        return min(MOST_BOTS, preset(self.form.preset).seats - 1)
