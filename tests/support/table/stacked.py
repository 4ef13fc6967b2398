"""Tables whose deal a test chooses: the last to shuffle, who in a test knows everybody's keys,
orders the deck so that every seat gets the hand it is to get. Everything else is as at any table,
proofs included."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from p2p304.crypto.group import Element, mul
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import seating_and_dealer
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player.keyring import Secrets
from tests.support.table import simnet

Hands = Sequence[Sequence[Card]]


def rules(**options: str) -> Options:
    return preset("pagat").override({"seating": "chosen", **options})


@dataclass(slots=True)
class Stacker(simnet.Repeatable):
    """The secrets of a player who stacks hand 1, knowing even where it will be cut."""

    table: TableMachine | None = None
    all_secrets: tuple[Secrets, ...] = ()
    hands: Hands = ()

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        if relocks or number != 1 or not self.hands:
            return simnet.Repeatable.order(self, number, relocks, count)
        return self.stacked(number, count)

    def stacked(self, number: int, count: int) -> tuple[int, ...]:
        """The order that gives every seat its hand."""
        assert self.table is not None and self.table.state is not None
        deal = self.table.state.open_deal
        names = deal.cards_by_element
        for each in self.all_secrets:
            each.renew(number)
        before = [s.deck_key(number) for s in self.all_secrets if s is not self]
        wanted = dealt_order(self.hands, deal.in_turn, deal.batches)
        cutter = self.all_secrets[self.table.state.cutter]
        at = cutter.hand(number).child(b"cut").below(count)
        wanted = wanted[-at:] + wanted[:-at]
        return tuple(wanted.index(names[opened(before, card)]) for card in deal.deck)


def opened(keys: Sequence[int], card: Element) -> Element:
    for key in keys:
        card = mul(key, card)
    return card


def dealt_order(hands: Hands, in_turn: Sequence[int], batches: Sequence[int]) -> list[Card]:
    """The deck from the top: to every seat in turn its first batch, then the second."""
    deck: list[Card] = []
    done = 0
    for size in batches:
        for seat in in_turn:
            deck += hands[seat][done : done + size]
        done += size
    return deck


def dealer_of(seed: int, options: Options) -> int:
    net = simnet.make(seed, rules=options)
    nonces = tuple(table.me.secrets.nonce for table in net.tables)
    return seating_and_dealer(net.tables[0].terms, nonces)[1]


def make(
    hands: Hands, seed: int = 1, options: Options | None = None, played: int = 1
) -> simnet.Net:
    """A table of ``played`` hands whose first is dealt so; players sit in their order."""
    chosen = options or rules()
    net = simnet.make(seed, played, chosen)
    secrets = [table.me.secrets for table in net.tables]
    last = (dealer_of(seed, chosen) + 3) % 4
    stacker = Stacker(
        secrets[last].seed, secrets[last].table_id, table=net.tables[last], hands=hands
    )
    secrets[last] = stacker
    stacker.all_secrets = tuple(secrets)
    object.__setattr__(net.tables[last].me, "secrets", stacker)
    return net


# Scripts -------------------------------------------------------------------------------------


@dataclass
class Script:
    """A hand played by a referee: the actions of every seat, with the cards that lay hidden."""

    hands: Hands
    actions: list[Action]
    referee: Referee

    def choosers(self) -> list[simnet.Chooser]:
        return [self._chooser(seat) for seat in range(4)]

    def _chooser(self, seat: int) -> simnet.Chooser:
        own = iter([action for action in self.actions if action.seat == seat])

        def choose(view: View) -> Action:
            return next(own)

        return choose


def random_hands(rng: random.Random, options: Options) -> Hands:
    pack = list(options.pack.cards)
    rng.shuffle(pack)
    return [pack[8 * n : 8 * n + 8] for n in range(4)]


def play_out(hands: Hands, dealer: int, options: Options, choose: simnet.Chooser) -> Script:
    referee = Referee(options, dealer, hands)
    actions: list[Action] = []
    while legal := referee.legal():
        action = referee.completed(choose(referee.view(legal[0].seat)))
        actions.append(action)
        referee.act(action)
    return Script(hands, actions, referee)


def again(script: Script, hands: Hands, dealer: int, swap: dict[Card, Card]) -> Script:
    """The same public hand with some hidden cards exchanged; raises RuleBroken if it is none."""
    referee = Referee(script.referee.hand.options, dealer, hands)
    actions: list[Action] = []
    for action in script.actions:
        match action:
            case Play(card=card, down=True) if card in swap:
                action = Play(action.seat, swap[card], True, action.indicator)
            case acts.LayTrump(card=card) if card in swap:
                action = acts.LayTrump(action.seat, swap[card])
        actions.append(action)
        referee.act(action)
    return Script(hands, actions, referee)
