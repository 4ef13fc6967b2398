"""Cards played, in sentences: why this card might be played so, who won the trick, and at the end
of a hand what was opened, ruled and paid.

Responsible for naming the rule that a play or a result goes by, and for what a seat is called.
Whether a play is legal is left to referee.py, what a result is worth to play/settlement.py.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Play
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.notation import points_text
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat, names
from p2p304.rules.legality import own_card_checks
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result

Remark = tuple[str, str]
"""A sentence and the rule it goes by; no rule where the sentence only tells what came of it."""
Cards = AbstractSet[Card]
_FOUR = ("South", "East", "North", "West")


def seat_word(hand: Hand, seat: Seat) -> str:
    """``East``, or ``Player 3`` at a table not of four."""
    count = hand.options.seats
    return _FOUR[seat] if count == len(_FOUR) else f"Player {names(count)[seat]}"


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


def counted(hand: Hand, action: acts.Count) -> Remark:
    if not action.cards:
        return f"{seat_word(hand, action.seat)} was dealt no trump.", "spoilt.what"
    names = " ".join(card.name for card in action.cards)
    return f"{seat_word(hand, action.seat)} opens {names} for the count.", "count.all"


def ended(before: Hand, after: Hand) -> list[Remark]:
    """What the action ended, or began: a call of Caps that binds, the second batch, the result."""
    if after.result is not None:
        gains = zip(after.options.account_names, after.result.tokens, strict=True)
        unit = "points" if after.options.score == "online" else "tokens"
        paid = ", ".join(f"{name} {gain:+d}" for name, gain in gains)
        score = "No score." if after.result.void else f"In {unit}: {paid}."
        return [(f"{after.result.reason} {score}", _rule(after, after.result))]
    if after.caps is not None and before.caps is None:
        return [("It is not certain to win: too early, and play goes on.", "caps.verdict")]
    if after.phase is Phase.BID8 and before.phase in (Phase.BID4, Phase.TRUMP4):
        return [("The other cards are dealt.", "bid8.min")]
    return []


def _rule(hand: Hand, result: Result) -> str:
    """The rule by which the hand ended as it did; none where the bid alone was counted."""
    if isinstance(hand.ending, acts.Spoilt):
        return "spoilt.what" if result.void else "violation.pay"
    if result.void and hand.maker is not None:
        return "spoilt.what"
    if result.void:
        return "redeal.once" if isinstance(hand.history[-1], acts.Redeal) else "bid.circuit"
    if result.caps is not None:
        outside = hand.options.account(result.caps.by) not in map(hand.options.account, hand.makers)
        return "external" if outside and result.caps.verdict == "correct" else "caps.verdict"
    if hand.doubled is not None:
        return "double.pays"
    if hand.bid >= PCC:
        return "pcc.all" if hand.bid == PCC else "bid.court"
    return ""
