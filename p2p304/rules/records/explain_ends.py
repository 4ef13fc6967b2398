"""The end of a hand in sentences: what was opened, ruled and paid.

Responsible for naming the rule that a result goes by. What the result is worth is left to
play/settlement.py.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.explain_words import Remark, seat_word
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result


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
