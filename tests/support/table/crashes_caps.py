"""Whole nodes, as in crashes.py, at a hand in which Caps is called on a receipt, out of turn, and
receipts are late because players may think of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from p2p304.log.entry import parse_receipt
from p2p304.rules.core.cards import Card
from p2p304.rules.variants.options import Options
from p2p304.table.agreement.terms import Terms
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.player import entry_writer
from p2p304.table.player.keyring import Secrets
from p2p304.table.state.events import YourTurn
from p2p304.wire.effects import Effect, Send
from p2p304.wire.framing import FrameKind
from tests.support.reference.caps_hands import strong_deal
from tests.support.table.crashes import World
from tests.support.table.plain_player import plain
from tests.support.table.simnet import Chooser, Repeatable
from tests.support.table.stacked import dealt_order, opened, rules

SEEDS = range(8, 40)
"""Of worlds and their deals; at the first of them Caps is called out of turn, as long as nothing
in the deal changes, and at every fourth or so of the others."""


@dataclass(slots=True)
class Ordered(Repeatable):
    """The secrets of the last to shuffle, who orders the deck."""

    wanted: tuple[int, ...] = ()

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        return self.wanted if not relocks else Secrets.order(self, number, relocks, count)


class Stacked:
    """Every table of a `CapsWorld` is dealt as wanted: the last to shuffle knows all secrets."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.hands: Sequence[Sequence[Card]] = ()
        self._secrets: dict[bytes, dict[int, Secrets]] = {}
        seat, shuffle = Node._make_table, entry_writer.EntryWriter.shuffle

        def seat_and_note(node: Node, terms: Terms, now: float, own: Secrets) -> TableMachine:
            table = seat(node, terms, now, own)
            table._pending_claim.calls = True
            self._secrets.setdefault(terms.table, {})[table.me.player] = table.me.secrets
            return table

        patch.setattr(Node, "_make_table", seat_and_note)
        patch.setattr(
            entry_writer.EntryWriter, "shuffle", lambda writer: shuffle(self._stacked(writer))
        )

    def _stacked(self, writer: entry_writer.EntryWriter) -> entry_writer.EntryWriter:
        deal, by_player = writer.state.open_deal, self._secrets[writer.at.table]
        every = {writer.state.seat_of(player): one for player, one in by_player.items()}
        if writer.seat != (deal.dealer - 1) % deal.seats or not self.hands:
            return writer
        before = [every[n].deck_key(deal.number) for n in every if n != writer.seat]
        names = deal.cards_by_element
        wanted = dealt_order(self.hands, deal.in_turn, deal.batches)
        cutter = every[writer.state.cutter]
        at = cutter.hand(deal.number).child(b"cut").below(len(deal.deck))
        wanted = wanted[-at:] + wanted[:-at]
        order = tuple(wanted.index(names[opened(before, card)]) for card in deal.deck)
        own = writer.secrets
        prepared = Ordered(own.seed, own.table_id, own.number, own.box, wanted=order)
        return entry_writer.EntryWriter(writer.state, writer.seat, prepared, writer.at)


@dataclass
class CapsWorld(World):
    """High cards first, and Caps called as soon as it is due, but by nobody who was stopped."""

    patient: bool = True
    rules: Options = field(default_factory=lambda: rules(caps="strict"))
    choose: Chooser = plain
    claimed_at: int = -1
    """The number of the write before the receipt that carries the claim."""

    def start(self, number: int) -> None:
        """Who has come back has another mind: what binds it is in its journal alone."""
        super().start(number)
        node = self.nodes[number]
        if self.starts[number] > 1 and node is not None and node.table is not None:
            node.table._pending_claim.calls = False

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        written = self.points - 1
        super().carry_out(number, node, effect)
        if self.claimed_at < 0 and isinstance(effect, Send) and effect.kind is FrameKind.RECEIPT:
            self.claimed_at = -1 if parse_receipt(effect.payload).claim is None else written

    def _choose(self, number: int, node: Node, event: YourTurn) -> None:
        node.act(self.choose(event.view), self.now)


def claims(world: World) -> list[str]:
    """The claims on receipts, in order."""
    node = world.nodes[0]
    if node is None or node.table is None:
        return []
    chain = node.table.chain
    places = range(chain.next_seq)
    return [r.claim for seq in places for r in chain.receipts_at(seq) if r.claim is not None]


def called(stacked: Stacked) -> CapsWorld:
    """The first world, at its end, in whose hand Caps was called out of turn. The deal stays
    stacked for others of its seed."""
    options = rules(caps="strict")
    for seed in SEEDS:
        stacked.hands = strong_deal(random.Random(seed), options, 0.8)
        world = CapsWorld(seed=seed)
        world.run()
        if claims(world) and world.finished:
            return world
    raise LookupError("no deal in which Caps is called out of turn")


__all__ = ["CapsWorld", "Stacked", "called", "claims"]
