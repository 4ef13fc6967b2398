"""What is listed as legal is what the checks allow of everything that could be done."""

from __future__ import annotations

import contextlib
import random
from itertools import combinations

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Suit, by_suit, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse, word
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, check_all, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import dealt, mixed


def everything(view: View) -> list[Action]:
    """Whatever can be said and done in any phase, claims and consequences apart."""
    seat, cards = view.seat, sorted(view.held, key=lambda card: card.name)
    if view.hand.phase is Phase.PLAY:
        plays = [
            Play(seat, card, down, card is view.indicator)
            for card in cards
            for down in (False, True)
        ]
        marriages = [acts.Marriage(seat, suit) for suit in Suit]
        return [*plays, acts.Reveal(seat), acts.Double(seat), *marriages]
    amounts = [*range(0, 1000, 5), 304, *acts.NAMED.values()]
    pack, in_hand = view.hand.options.pack, by_suit(view.cards, view.hand.options.pack)
    return [
        *(acts.Bid(seat, amount) for amount in amounts),
        *(kind(seat) for kind in (acts.Pass, acts.Ask, acts.Redeal, acts.Keep, acts.Closed)),
        *(acts.Call(seat, card) for card in pack.cards),
        *(acts.LayTrump(seat, card) for card in pack.cards),
        *(acts.Exchange(seat, pair) for pair in combinations(in_hand, 2)),
        *(acts.Open(seat, card) for card in (None, *pack.cards)),
    ]


def is_allowed(view: View, action: Action) -> bool:
    try:
        check_all(view, action)
    except RuleBroken:
        return False
    return True


def call_caps(referee: Referee, seat: int, chance: random.Random) -> None:
    """Call Caps, if that is allowed, with the cards in any order; it binds, true or false."""
    order = sorted(referee.view(seat).held, key=lambda card: card.name)
    chance.shuffle(order)
    with contextlib.suppress(RuleBroken):
        referee.act(acts.Caps(seat, tuple(order)))


@pytest.mark.parametrize("name", PRESETS)
def test_all_that_is_allowed_is_legal_also_after_a_call_of_caps(name: str) -> None:
    options = preset(name)
    bound = sum(compared(options, seed) for seed in range(12))
    assert (bound > 0) is (options.caps != "off")


def test_all_that_is_allowed_is_legal_under_mixed_rules() -> None:
    for seed in range(60):
        compared(mixed(random.Random(seed)), seed)


def after(words: str, *hands: str) -> Referee:
    """After these words, South dealing, with these hands."""
    referee = Referee(preset("pagat"), 0, [[card(name) for name in hand.split()] for hand in hands])
    for said in words.split(", "):
        referee.act(parse(said))
    return referee


POOR = (
    "JS 9S JH 9H AS TS AH TH",
    "JD 9D JC 9C AD TD AC TC",
    "7S 8S 7H 8H QS QH KS KH",
    "7D 8D 7C 8C QD QC KD KC",
)


def test_a_partner_who_is_asked_rejects_no_cards() -> None:
    south, east, north, west = POOR
    asked = after("E ask", south, east, north, west)
    assert asked.hand.turn == 3 and acts.Redeal(3) not in asked.legal()
    first = Referee(preset("pagat"), 2, asked.dealt)
    assert first.hand.turn == 3 and acts.Redeal(3) in first.legal()


def test_a_trump_maker_who_leads_nothing_but_trumps_plays_open() -> None:
    hearts, rest = "JH 9H AH TH KH QH 8H 7H", (POOR[1], "JS 9S AS TS KS QS 8S 7S", POOR[3])
    spoken = "E 160, N pass, W pass, S pass, E trump JH, E pass, N pass, W pass, S pass"
    leads = after(spoken, rest[1], hearts, rest[0], rest[2])
    assert leads.legal() == (acts.Open(1, card("JH")),)
    spoken = "E pass, N 160, W pass, S pass, E pass, N trump JH, N pass, W pass, S pass, E pass"
    follows = after(spoken, rest[1], rest[0], hearts, rest[2])
    assert follows.legal() == (acts.Closed(2), acts.Open(2, card("JH")))


def compared(options: Options, seed: int) -> int:
    """Play a hand and compare at every moment; return how many moments a call of Caps bound."""
    chance, bound = random.Random(seed), 0
    referee = dealt(options, chance, seed % options.seats)
    while (seat := referee.hand.turn) is not None:
        if referee.hand.phase is Phase.PLAY and chance.random() < 0.1:
            call_caps(referee, seat, chance)
        view = referee.view(seat)
        able = legal(view)
        allowed = [action for action in everything(view) if is_allowed(view, action)]
        assert sorted(allowed, key=word) == list(able)
        bound += view.hand.caps is not None and view.hand.caps.seat == seat
        low = [one for one in able if not isinstance(one, acts.Bid) or one.amount < 250]
        referee.act(chance.choice(low if low and chance.random() < 0.9 else able))
    return bound
