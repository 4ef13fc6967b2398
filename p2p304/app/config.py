"""What a node and a table are started with: where to listen, who comes in, which table.

Responsible for these values. What a session does with them is session.py's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.net.mdns.discovery import Discovery
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.storage.unfinished import Unfinished


@dataclass(frozen=True, slots=True)
class NodeConfig:
    """Where a node listens (``bind``, ``port``; port 0 is any), on which addresses it uses mDNS
    (None: all; an empty list: not at all), and who comes in: the table's passphrase, and
    whether a founder is asked about everybody (`events.Knock`, `Session.decide`)."""

    bind: str = ""
    port: int = 0
    interfaces: tuple[str, ...] | None = None
    passphrase: str | None = None
    asks: bool = False
    watch: str = ""
    """When opening: whether spectators are let in (table/agreement/terms.py, WATCH)."""
    seat: str = ""
    """A word for the seat that is wished for (ui/common/seat_names.py); empty: any."""

    @property
    def discovery(self) -> Discovery:
        if self.interfaces is None and self.bind not in ("0.0.0.0", "::", ""):
            return Discovery([self.bind])
        return Discovery(self.interfaces)


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be opened: its name, preset, hands (0: a match), seats as chosen, bots, and what
    happens when a player has left for good (``away``; None as the preset says)."""

    name: str | None
    preset: str
    hands: int
    chosen: bool
    bots: int
    away: str | None = None

    @property
    def rules(self) -> Options:
        """Raises OptionsError."""
        options = preset(self.preset)
        if self.away is not None:
            options = options.override({"away": self.away})
        return replace(options, seating="chosen") if self.chosen else options


@dataclass(frozen=True, slots=True)
class ResumeTarget:
    """Coming back to a table: what is left of it, and addresses of players as typed."""

    table: Unfinished
    peers: tuple[str, ...] = ()
