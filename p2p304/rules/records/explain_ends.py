"""The end of a hand in sentences: what was opened, ruled and paid.

Responsible for naming the rule that a result goes by. What the result is worth is left to
play/settlement.py.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.explain_words import Told, seat_word
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result


def counted(hand: Hand, action: acts.Count) -> Told:
    if not action.cards:
        return f"{seat_word(hand, action.seat)} was dealt no trump.", "spoilt.what"
    names = " ".join(card.name for card in action.cards)
    return f"{seat_word(hand, action.seat)} opens {names} for the count.", "count.all"


def ended(before: Hand, after: Hand) -> list[Told]:
    """What the action ended, or began: a call of Caps that binds, the second batch, the result."""
    if after.result is not None:
        return [(_result(after, after.result), _rule(after))]
    if after.caps is not None and before.caps is None:
        return [("It is not certain to win: too early, and play goes on.", "caps.verdict")]
    if after.phase is Phase.BID8 and before.phase in (Phase.BID4, Phase.TRUMP4):
        return [("The other cards are dealt.", "bid8.min")]
    return []


def _result(hand: Hand, result: Result) -> str:
    gains = zip(hand.options.account_names, result.tokens, strict=True)
    unit = "points" if hand.options.score == "online" else "tokens"
    paid = ", ".join(f"{name} {gain:+d}" for name, gain in gains)
    return f"{result.reason} " + ("No score." if result.void else f"In {unit}: {paid}.")


def _rule(hand: Hand) -> str:
    """The rule by which the hand ended as it did; none where the bid alone was counted."""
    result, ending = hand.result, hand.ending
    if isinstance(ending, acts.Spoilt):
        return "spoilt.what" if result is not None and result.void else "violation.pay"
    if result is not None and result.void:
        return _void(hand)
    if result is not None and result.caps is not None:
        outside = hand.options.account(result.caps.by) not in map(hand.options.account, hand.makers)
        return "external" if outside and result.caps.verdict == "correct" else "caps.verdict"
    if hand.doubled is not None:
        return "double.pays"
    if hand.bid >= PCC:
        return "pcc.all" if hand.bid == PCC else "bid.court"
    return ""


def _void(hand: Hand) -> str:
    if hand.maker is not None:
        return "spoilt.what"
    last = hand.history[-1]
    return "redeal.once" if isinstance(last, acts.Redeal) else "bid.circuit"
