"""A view, and the line that a bot in another program reads, hold what the seat knows: no more."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.line_protocol import view_line
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.series import shuffled
from p2p304.rules.core.cards import CARDS, Card
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset


def reachable(value: object) -> Iterator[Card]:
    """Every card that can be read from a value; the rules name the whole pack and are left out."""
    if isinstance(value, Card):
        yield value
    elif isinstance(value, Options | str):
        return
    elif is_dataclass(value):
        for one in fields(value):
            yield from reachable(getattr(value, one.name))
    elif isinstance(value, Mapping):
        yield from reachable(tuple(value.items()))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from reachable(each)


def hidden_from(referee: Referee, seat: int) -> set[Card]:
    """The cards that this seat has neither held nor seen: other hands, the pile, an indicator that
    lies, and cards played face down that no rule has shown to it."""
    hand = referee.hand
    unseen = {one for other, held in enumerate(referee.held) if other != seat for one in held}
    unseen |= set(referee.pile)
    if hand.indicator_down and hand.maker != seat and referee.indicator is not None:
        unseen.add(referee.indicator)
    for number, trick in enumerate(hand.tricks):
        for play in trick.plays:
            is_inspected = seat == hand.maker and trick.winner is not None
            if play.card is None and play.seat != seat and not is_inspected:
                unseen.add(referee.hidden[number, play.seat])
    return unseen - {hand.indicator, hand.called}  # these two were shown or named to everybody


@pytest.mark.parametrize("rules", PRESETS)
def test_no_bot_can_read_a_card_that_its_seat_has_not_seen(rules: str) -> None:
    options, chance = preset(rules), random.Random(rules)
    for number in range(4):
        dealt = shuffled(options, chance.randrange)
        pile = dealt[options.seats] if options.stock_size else ()
        referee = Referee(options, number % options.seats, dealt[: options.seats], pile)
        bots: list[Bot] = [ClubBot(), RandomBot(chance.randrange)]
        while (seat := referee.hand.turn) is not None:
            view, hidden = referee.view(seat), hidden_from(referee, seat)
            assert hidden.isdisjoint(reachable(view))
            line = json.loads(view_line(view, 1))
            if line["phase"] == "partner":
                del line["legal"]  # every card may be called
            if referee.hand.called is not None:
                line["actions"] = [a for a in line["actions"] if " partner " not in a]
            words = json.dumps(line).replace("~", "").replace('"', " ").split()
            assert hidden.isdisjoint({CARDS[word] for word in words if word in CARDS})
            referee.act(bots[(seat + number) % 2].choose(view))
