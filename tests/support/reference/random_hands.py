"""Hands at random: dealt, played by legal actions, and written down as records."""

from __future__ import annotations

import random
from typing import Any

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.notation import text
from p2p304.rules.core.seats import names
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset

STAYS = {"seats", "pack", "deal", "partner", "stock", "tokens"}
"""Options that are not mixed at random: few of their values go together."""


def dealt(options: Options, chance: random.Random, dealer: int) -> Referee:
    """A referee with a shuffled pack dealt out."""
    cards = list(options.pack.cards)
    chance.shuffle(cards)
    size = options.hand_size
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(options.seats)]
    return Referee(options, dealer, hands, cards[options.seats * size :])


def mixed(chance: random.Random) -> Options:
    """A preset with some of its options changed."""
    options = preset(chance.choice(list(PRESETS)))
    for name in chance.sample([name for name in PLAYABLE if name not in STAYS], 8):
        try:
            options = options.override({name: chance.choice(PLAYABLE[name])})
        except OptionsError:
            continue
    return options


def walk(seed: int, options: Options) -> tuple[Referee, list[Action]]:
    """A whole hand of legal actions, with few high bids and redeals."""
    chance = random.Random(seed)
    referee = dealt(options, chance, seed % options.seats)
    done: list[Action] = []
    while referee.hand.result is None:
        legal = referee.legal()
        if not legal:
            raise LookupError(f"nothing is legal in {referee.hand}")
        done.append(_chosen(chance, legal))
        referee.act(done[-1])
    return referee, done


def _chosen(chance: random.Random, legal: tuple[Action, ...]) -> Action:
    weights = [_weight(action, legal) for action in legal]
    return chance.choices(legal, weights)[0]


def _weight(action: Action, legal: tuple[Action, ...]) -> float:
    match action:
        case acts.Bid(amount=amount):
            lowest = min(one.amount for one in legal if isinstance(one, acts.Bid))
            return 1.0 if amount == lowest else 0.02
        case acts.Redeal():
            return 0.05
    return 1.0


def record(referee: Referee, done: list[Action]) -> dict[str, Any]:
    """What was dealt and done as a hand record."""
    options = referee.hand.options
    known, tenths = names(options.seats), options.tenths
    pile = [c.name for c in referee.undealt]
    found: dict[str, Any] = {
        "rules": options.preset,
        "dealer": known[referee.hand.dealer],
        "hands": {known[seat]: [c.name for c in cards] for seat, cards in enumerate(referee.dealt)},
        "actions": [text(action, options.seats, tenths) for action in done],
    }
    return {**found, "pile": pile} if pile else found
