"""The configuration of a node and a table.

Responsible for these values: where to listen, how players are let in, which table to open or
resume. How a session uses them is session.py's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from p2p304 import USUAL_PORT
from p2p304.net.mdns.discovery import Discovery
from p2p304.rules.variants.absence import REPLACE
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.storage.unfinished import Unfinished

BOTS_PACE = 0.8
"""Seconds that a bot's choice takes at least, unless the player wants otherwise."""
SLOWEST_PACE = 30
"""The most that a player can want."""


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to open: its name, preset, hands (0: a match), whether seats are chosen, bots, what
    happens when a player has left for good (``away``; None: as the preset says), and the other
    options that are not as the preset says (``changed``, by their written names)."""

    name: str | None
    preset: str
    hands: int
    chosen: bool
    bots: int
    away: str | None = None
    changed: Mapping[str, object] = field(default_factory=dict)

    @property
    def all_changed(self) -> Mapping[str, object]:
        """Every option that is not as the preset says."""
        away = {} if self.away is None else {"away": self.away}
        return {**self.changed, **away, **({"seating": "chosen"} if self.chosen else {})}

    def for_people(self) -> NewTable:
        """Return the table as it is opened where people play: if nothing else is said, somebody
        else can take the seat of a player who leaves. Raises OptionsError."""
        if "away" in self.all_changed or not waits_for_people(self.rules, self.bots):
            return self
        return replace(self, away=REPLACE)

    @property
    def rules(self) -> Options:
        """Raises OptionsError."""
        return preset(self.preset).override(self.all_changed)


def waits_for_people(rules: Options, bots: int) -> bool:
    """Whether people join a table with so many bots, at which a player who leaves can be
    replaced."""
    return 2 < rules.seats > bots + 1


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """Where a node listens (``bind``, ``port``; 0 is any port, None the usual one if it is free),
    on which addresses it uses mDNS (None: all), and how players are let in: the table's passphrase,
    and whether the founder is asked about every visitor (`gathering_events.JoinRequest`,
    `Meeting.decide`)."""

    bind: str = ""
    port: int | None = 0
    interfaces: Sequence[str] | None = None
    passphrase: str | None = None
    asks: bool = False
    watch: str = ""
    """When opening: whether spectators are let in (table/agreement/limits.py, WATCH)."""
    seat: str = ""
    """A word for the seat to request (ui/common/wording.py); empty: any."""
    opening: NewTable = NewTable(None, "pagat", 0, False, 0)
    """The table that is opened from the lobby, unless the player changes it there."""
    bots_play: str = "club"
    """How well the player's bots play (bots/search/levels.py)."""
    bots_pace: float | None = None
    """Seconds that a choice of the player's bots takes at least (None: as before at a table that is
    resumed, else BOTS_PACE)."""
    keeps_seat: bool = False
    """Whether ``seat`` is the seat of the last table, and no request of the player."""
    is_local: bool = False
    """Whether the node listens on this computer alone because bots fill the table."""

    def for_bots_alone(self) -> NodeConfig:
        """Return the configuration for a table that bots fill. Nobody else can sit down there, so
        it is open on this computer alone, unless the player says where to listen or lets spectators
        in."""
        if self.bind or self.interfaces or self.port is not None or self.watch:
            return self
        return replace(self, bind="127.0.0.1", is_local=True)

    def for_anybody(self) -> NodeConfig:
        """Return the configuration as the player gave it."""
        return replace(self, bind="", is_local=False) if self.is_local else self

    def ports(self, last: int = 0) -> list[int]:
        """Return the ports to try, in order; ``last`` is where this node listened before."""
        if self.port:
            return [self.port]
        tried = [last, USUAL_PORT] if self.port is None else [last]
        return [*dict.fromkeys(port for port in tried if port), 0]

    @property
    def discovery(self) -> Discovery:
        if not self.interfaces and self.bind not in ("0.0.0.0", "::", ""):
            return Discovery([self.bind])
        return Discovery(self.interfaces)


@dataclass(frozen=True, slots=True)
class ResumeTarget:
    """A table to resume: its files, and addresses of players as typed."""

    table: Unfinished
    peers: tuple[str, ...] = ()


Target = str | NewTable | ResumeTarget
"""A table to join (its name, or HOST:PORT), to open, or to resume."""
