"""Players who gather without a table: meetings alone, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.exchange.messages import LobbyMessage, lobby_bytes, parse_lobby
from p2p304.table.gathering.meeting import Meeting
from p2p304.table.state import events
from p2p304.wire.effects import Dial, HangUp, Persist, Send
from tests.support.table.gathering_bus import NICKS

Drops = Callable[[int, int, LobbyMessage], bool]


class Hall:
    """Meetings with links; ``drops`` tells which messages (source, target, message) are lost.
    Links are made when they are dialled unless ``dials`` is unset."""

    def __init__(self, count: int, rules: Options | None = None) -> None:
        self.now, self.rules = 0.0, rules or preset("pagat")
        keys = [SigningKey.from_seed(bytes([n + 1]) * 32) for n in range(count)]
        self.keys = [key.public for key in keys]
        self.meetings = [
            Meeting(key, NICKS[n], Rng.from_seed(key.public), 0.0) for n, key in enumerate(keys)
        ]
        self.links: set[frozenset[int]] = set()
        self.told: list[list[events.Event]] = [[] for _ in keys]
        self.sent: list[tuple[int, int, LobbyMessage]] = []
        self.dialled: list[tuple[int, int]] = []
        self.dialled_at: dict[tuple[int, int], str] = {}
        self.hosts: dict[tuple[int, int], str] = {}
        """The addresses at which one sees another (here, there), if not ``host`` and the number."""
        self.hung: list[tuple[int, int]] = []
        self.written: list[list[Persist]] = [[] for _ in keys]
        self.drops: Drops = lambda source, target, message: False
        self.dials = True

    def link(self, one: int, two: int) -> None:
        if frozenset({one, two}) not in self.links:
            self.links.add(frozenset({one, two}))
            for here, there in ((one, two), (two, one)):
                host = self.hosts.get((here, there), f"host{there}")
                self.meetings[here].link_up(
                    self.keys[there], NICKS[there], host, 1000 + there, self.now
                )

    def unlink(self, one: int, two: int) -> None:
        self.links.discard(frozenset({one, two}))
        for here, there in ((one, two), (two, one)):
            self.meetings[here].link_down(self.keys[there], self.now)
        self.deliver()

    def begin(self, guests: int = 3, hands: int = 1) -> None:
        """The first opens a table, and these guests ask for a seat."""
        self.meetings[0].found("Friday", self.rules, hands)
        for guest in range(1, guests + 1):
            self.come(guest)

    def come(self, guest: int) -> None:
        self.link(guest, 0)
        self.meetings[guest].join(self.keys[0], self.now)
        self.deliver()

    def run(self, seconds: int) -> None:
        for _ in range(seconds):
            self.now += 1.0
            for meeting in self.meetings:
                meeting.handle_timer(self.now)
            self.deliver()

    def deliver(self) -> None:
        while sum(self._carry(number) for number in range(len(self.meetings))):
            pass

    def _carry(self, number: int) -> bool:
        effects = self.meetings[number].effects()
        self.told[number] += self.meetings[number].events()
        for effect in effects:
            match effect:
                case Dial(peer=peer, host=host):
                    self.dialled.append((number, self.keys.index(peer)))
                    self.dialled_at[number, self.keys.index(peer)] = host
                    if self.dials:
                        self.link(number, self.keys.index(peer))
                case HangUp(peer=peer):
                    self.hung.append((number, self.keys.index(peer)))
                case Persist():
                    self.written[number].append(effect)
                case Send(peer=bytes(peer), payload=payload):
                    self._send(number, self.keys.index(peer), parse_lobby(payload))
        return bool(effects)

    def _send(self, source: int, target: int, message: LobbyMessage) -> None:
        assert source != target
        self.sent.append((source, target, message))
        linked = frozenset({source, target}) in self.links
        if linked and not self.drops(source, target, message):
            self.meetings[target].receive(self.keys[source], lobby_bytes(message), self.now)

    def tables(self) -> set[bytes | None]:
        """The tables to which all have agreed; None for each player without one."""
        return {None if meeting.terms is None else meeting.terms.table for meeting in self.meetings}

    def heard(self, number: int, kind: type[events.Event]) -> list[events.Event]:
        return [event for event in self.told[number] if isinstance(event, kind)]
