"""Card play: what to lead, and what to play to another player's lead.

Responsible for rules of thumb, each with its reason. Which cards are legal comes from
rules/play/view.py.
"""

from __future__ import annotations

from collections.abc import Sequence

from p2p304.bots.card_memory import CardMemory
from p2p304.bots.player import first
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card, Suit

RICH = 20
"""Points on the table that make a trick worth a trump."""


def choose_card(memory: CardMemory, options: Sequence[Action]) -> Action:
    """Choose one of the legal plays, or an announcement that is made before a play."""
    announcement = _announcement(memory, options)
    if announcement is not None:
        return announcement
    plays = [action for action in options if isinstance(action, Play) and action.card]
    if len(plays) == 1:
        return plays[0]
    if memory.view.led is None:
        return _pick(plays, lead(memory, [p.card for p in plays if p.card]))
    if all(not play.down for play in plays):
        cards = [p.card for p in plays if p.card]
        led = memory.view.led
        follows = cards[0].suit is led
        return _pick(plays, follow(memory, cards) if follows else discard_open(memory, cards))
    return discard_closed(memory, plays)


def _announcement(memory: CardMemory, options: Sequence[Action]) -> Action | None:
    """Choose an announcement: a marriage always; open trumps where the trick is worth a cut."""
    marriage, ask = first(options, acts.Marriage), first(options, acts.Reveal)
    if marriage or ask is None or memory.worth < RICH // 2 or memory.is_partner_winning:
        return marriage
    return ask


def _pick(plays: Sequence[Play], card: Card) -> Play:
    return next(play for play in plays if play.card is card)


def lead(memory: CardMemory, cards: Sequence[Card]) -> Card:
    trump = memory.view.trump
    trumps = [card for card in cards if card.suit is trump]
    sides = [card for card in cards if card.suit is not trump]
    # The trump maker's side draws trumps while it holds the best, so that winners are not cut.
    if memory.our_contract and trump is not None and len(trumps) >= 2:
        tops = [card for card in trumps if memory.is_master(card)]
        if tops and memory.left(trump) >= 2:
            return memory.highest(tops)
    # A master wins points while others still have to follow suit.
    safe = [c for c in sides if memory.is_master(c) and memory.left(c.suit) >= 3]
    if safe:
        return max(safe, key=lambda c: (memory.left(c.suit), memory.points(c), c.name))
    masters = [c for c in cards if memory.is_master(c) and c.suit is trump]
    if masters and memory.our_contract:
        return memory.highest(masters)
    # Nothing can be won: a card without points, of the suit of which others hold most.
    return min(sides or cards, key=lambda c: (memory.points(c), -memory.left(c.suit), c.name))


def follow(memory: CardMemory, cards: Sequence[Card]) -> Card:
    """Follow the suit led: give points to the partner, win what can be won, waste nothing."""
    if memory.is_partner_winning:
        return memory.richest_to_give(cards)
    winning = [card for card in cards if memory.beats(card)]
    if winning and memory.is_last and not memory.may_be_cut:
        # The cheapest card that wins keeps the masters for later; but a rich one that will
        # never be master is best brought home now.
        ordinary = [c for c in winning if not memory.is_master(c)]
        return memory.richest(ordinary) if ordinary else memory.lowest(winning)
    masters = [card for card in winning if memory.is_master(card)]
    if masters:
        return memory.highest(masters)
    return memory.lowest(cards)


def discard_open(memory: CardMemory, cards: Sequence[Card]) -> Card:
    """Choose a card when trumps are open and the suit cannot be followed: cut, give, or throw
    away."""
    trump = memory.view.hand.trump
    sides = [card for card in cards if card.suit is not trump]
    if memory.is_partner_winning and sides:
        return memory.richest_to_give(sides)
    cuts = [card for card in cards if card.suit is trump and memory.beats(card)]
    if cuts and (memory.worth >= RICH // 2 or memory.is_last or not sides):
        return memory.lowest(cuts) if memory.is_last else memory.highest(cuts)
    return memory.lowest(sides or list(cards))


def discard_closed(memory: CardMemory, plays: Sequence[Play]) -> Play:
    """Choose a card to play face down: the trump maker cuts or not; others discard, give points or
    guess."""
    cut = [play for play in plays if play.indicator]
    others = [play for play in plays if not play.indicator]
    if memory.is_maker:
        theirs = not memory.is_friend(memory.best()[0])
        if cut and (not others or (theirs and memory.worth >= RICH // 2)):
            return cut[0]
        return _pick(others, memory.lowest([p.card for p in others if p.card]))
    cards = [play.card for play in plays if play.card]
    if memory.is_partner_winning:
        return _pick(plays, memory.richest_to_give(cards))
    if memory.worth >= RICH:
        guess = _guessed_trumps(memory, cards)
        if guess:
            return _pick(plays, memory.lowest(guess))
    return _pick(plays, memory.lowest(cards))


def _guessed_trumps(memory: CardMemory, cards: Sequence[Card]) -> list[Card]:
    """Return cards of the suit that is most probably trumps: not one that the trump maker has led
    while others could follow, and the one of which most cards are unseen."""
    maker = memory.view.hand.maker
    led: set[Suit | None] = {t.led for t in memory.view.hand.tricks if t.leader == maker}
    suits = {card.suit for card in cards} - led - {memory.view.led}
    if not suits:
        return []
    guess = max(suits, key=lambda s: (memory.left(s), s.value))
    return [card for card in cards if card.suit is guess]
