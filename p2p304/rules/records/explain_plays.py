"""Cards played, in sentences: why this card might be played so, and who won the trick.

Responsible for naming the rule that a play goes by. Whether the play is legal is left to
referee.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from p2p304.rules.core.actions import PCC, Play
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.notation import points_text
from p2p304.rules.play import own_card_checks
from p2p304.rules.records.explain_words import Remark, seat_word
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand

Cards = AbstractSet[Card]


def played(hand: Hand, cards: Cards, action: Play) -> Remark:
    """A card, and the rule by which it was played so; ``cards`` are those in hand before."""
    player, name = seat_word(hand, action.seat), action.card.name if action.card else "a card"
    if hand.caps is not None and action.seat == hand.caps.seat:
        return f"{player} plays {name}, bound to the order of the call.", "caps.bound"
    led = hand.trick.led if hand.trick else None
    if led is None:
        return _lead(hand, cards, action, player, name)
    if action.indicator:
        return _indicator(cards, action, player, name, led)
    if action.card is not None and action.card.suit is led:
        return f"{player} follows with {name}.", "follow.suit"
    return _off_suit(hand, action, player, name, led)


def _lead(hand: Hand, cards: Cards, action: Play, player: str, name: str) -> Remark:
    if action.indicator:
        return f"{player} leads {name}, the indicator and last card.", "indicator.last"
    # On lead the suit is an open one or the trump maker's own: it is the record that knows it.
    maker = action.seat == hand.maker and hand.options.hidden == "face_down"
    if maker and not hand.tricks and hand.closed:
        rule = "pcc.lead" if hand.bid >= PCC else "lead.trump"
        return f"{player} leads {name}: playing closed, no trump first.", rule
    trump = hand.trump or (action.card.suit if action.card else None)
    if maker and own_card_checks.must_lead_trumps(hand, action.seat, cards, trump):
        return f"{player} leads {name}: trumps are exhausted and led out.", "exhausted.when"
    return f"{player} leads {name}.", "lead.up"


def _indicator(cards: Cards, action: Play, player: str, name: str, led: Suit) -> Remark:
    if not cards:
        follows = action.card is not None and action.card.suit is led
        how = "follows with" if follows else "cuts with"
        return f"{player} {how} {name}, the indicator and last card.", "indicator.last"
    only = action.card is not None and all(card.suit is action.card.suit for card in cards)
    why = ", holding only trumps" if only else ""
    rule = "cut.must" if only else "down.trump"
    return f"{player} cuts {led.word} with the indicator {name}, face down{why}.", rule


def _off_suit(hand: Hand, action: Play, player: str, name: str, led: Suit) -> Remark:
    out = f"{player} has no {led.word} and plays {name}"
    if hand.asker == action.seat:
        return f"{out}, having asked for trumps.", "reveal.cut"
    if hand.options.hidden == "ask_reveal" and hand.trump is None:
        return f"{out} face up: trumps are not shown, it cuts nothing.", "reveal.up"
    if hand.trump is not None:
        cuts = action.card is not None and action.card.suit is hand.trump
        return f"{out}, {'a trump' if cuts else 'no trump'}, face up: trumps are open.", "open.up"
    if action.seat == hand.maker:
        return f"{out} face down: from the trump maker's hand, no trump.", "down.trump"
    return f"{out} face down: trumps are closed.", "hidden.down"


def settled(referee: Referee, before: Hand) -> list[Remark]:
    """Tell who won the complete trick, with what it holds, and what was drawn after it."""
    hand, number = referee.hand, before.completed_count
    trick = hand.tricks[number]
    if trick.winner is None:
        return []
    worth, true = hand.options.pack.points, referee.true_cards
    points = sum(worth[true[number, play.seat]] for play in trick.plays)
    shown = points_text(points, hand.options.tenths)
    player = seat_word(hand, trick.winner)
    best = trick.by(trick.winner)
    cut = best is not None and best.card is not None and trick.led is not best.card.suit
    found = [(f"{player} wins trick {number + 1}{' by a cut' if cut else ''}: {shown} points.", "")]
    if hand.drawn() > before.drawn():
        found.append(("Each draws a card, the winner first.", "draw.after"))
    return found
