"""Nodes that gather without I/O: links are made when dialled, and messages may be lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.exchange.begin_record import JOURNAL
from p2p304.table.node.node import Node
from p2p304.table.player.keyring import SECRETS
from p2p304.table.state import events, gathering_events
from p2p304.wire.effects import Dial, HangUp, Persist, Send
from p2p304.wire.framing import FrameKind

NICKS = ("Asha", "Bandu", "Chitra", "Dilan", "Eshan")


class Bus:
    """Nodes, links made when dialled, and messages that may be lost."""

    def __init__(self, count: int, loss: float = 0.0) -> None:
        self.rng = random.Random(1)
        self.loss, self.now = loss, 0.0
        seeds = [bytes([n + 1]) * 32 for n in range(count)]
        self.nodes = [
            Node(SigningKey.from_seed(seed), NICKS[n], Rng.from_seed(seed), 0.0)
            for n, seed in enumerate(seeds)
        ]
        self.index = {node.key.public: n for n, node in enumerate(self.nodes)}
        self.links: set[frozenset[int]] = set()
        self.told: list[list[events.Event]] = [[] for _ in self.nodes]
        self.hung: list[tuple[int, str]] = []
        self.journals: list[list[bytes]] = [[] for _ in self.nodes]
        self.secrets: list[bytes] = [b"" for _ in self.nodes]

    def link(self, one: int, two: int) -> None:
        if frozenset({one, two}) not in self.links:
            self.links.add(frozenset({one, two}))
            for a, b in ((one, two), (two, one)):
                self.nodes[a].link_up(
                    self.nodes[b].key.public,
                    self.nodes[b].meeting.nick,
                    f"host{b}",
                    1000 + b,
                    self.now,
                )

    def step(self) -> None:
        """One second: everybody ticks, and everything said is delivered."""
        self.now += 1.0
        for node in self.nodes:
            node.handle_timer(self.now)
        for _ in range(40):
            moved = [self._carry(n) for n in range(len(self.nodes))]
            if not any((*moved, self._deliver())):
                return

    def _deliver(self) -> bool:
        """Deliver what is under way, and return whether there was anything. Here all arrives at
        once."""
        return False

    def _carry(self, number: int) -> bool:
        effects = self.nodes[number].effects()
        self.told[number] += self.nodes[number].events()
        for effect in effects:
            match effect:
                case Dial(peer=peer):
                    self.link(number, self.index[peer])
                case HangUp(reason=reason):
                    self.hung.append((number, reason))
                case Persist(name=name, data=data) if name == JOURNAL:
                    self.journals[number].append(data)
                case Persist(name=name, data=data) if name == SECRETS:
                    self.secrets[number] = data
                case Send(peer=peer, kind=kind, payload=payload):
                    self._send(number, peer, kind, payload)
        return bool(effects)

    def _send(self, source: int, peer: bytes | None, kind: FrameKind, payload: bytes) -> None:
        for target in range(len(self.nodes)):
            wanted = peer is None or self.index[peer] == target
            linked = frozenset({source, target}) in self.links and target != source
            if wanted and linked and self.rng.random() >= self.loss:
                key = self.nodes[source].key.public
                self.nodes[target].receive(key, kind, payload, self.now)

    def gather(self, guests: int = 3, seconds: int = 60) -> None:
        self.nodes[0].meeting.found("Friday", preset("pagat"), 1)
        for guest in range(1, guests + 1):
            self.link(guest, 0)
            self.nodes[guest].meeting.join(self.nodes[0].key.public, self.now)
        self.until(lambda: all(node.table for node in self.nodes[: guests + 1]), seconds)

    def until(self, done: Callable[[], bool], seconds: int) -> None:
        for _ in range(seconds):
            if done():
                return
            self.step()


def turned_away(bus: Bus, number: int) -> list[str]:
    return [str(e.sentence) for e in bus.told[number] if isinstance(e, gathering_events.TurnedAway)]


CHOSEN = replace(preset("pagat"), seating="chosen")
