"""Facts of a moment that a lesson's texts name: points, the trick's winner, bids.

Responsible for these figures. They are computed by the rules from the hand as it is, so that no
text of a lesson can state a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping

from p2p304.learn.lesson import LEARNER
from p2p304.rules.core.cards import POINTS
from p2p304.rules.core.phrases import Arg, Who
from p2p304.rules.play.settlement import WRONG_CAPS
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import won_and_lost

REDEAL_BELOW = 15
"""Card points under which the first player to speak may reject the first four cards."""
_RANKS = {"jack": "J", "nine": "9", "ace": "A", "ten": "T", "king": "K", "queen": "Q"}


def facts(referee: Referee) -> Mapping[str, Arg]:
    """Return every fact of this moment by the name that texts use; ``ours`` and ``theirs`` count
    cards that everybody has seen."""
    hand, options = referee.hand, referee.hand.options
    points, done = options.pack.points, hand.completed_tricks
    side = options.sides[LEARNER]
    ours, theirs = hand.points[side], hand.points[1 - side]
    found: dict[str, Arg] = {name: POINTS[rank] for name, rank in _RANKS.items()}
    found |= {
        "ranks": " ".join("10" if c.rank == "T" else c.rank for c in options.pack.cards[:8]),
        "counts": " ".join(str(points[c]) for c in options.pack.cards[:8]),
        "east": Who(1),
        "north": Who(2),
        "west": Who(3),
        "least": options.bid_min,
        "short": options.bid_min - 100,
        "special": options.special,
        "second": options.second,
        "total": options.pack.total,
        "limit": REDEAL_BELOW,
        "missed": WRONG_CAPS,
        "small_gain": won_and_lost(options, options.bid_min)[0],
        "small_loss": won_and_lost(options, options.bid_min)[1],
        "mine": sum(points[card] for card in referee.held[LEARNER]),
        "table": sum(points[play.card] for play in hand.plays if play.card),
        "ours": ours,
        "theirs": theirs,
        "tricks": len(done),
    }
    if hand.bid or hand.auction.high:
        bid = hand.bid or hand.auction.high
        won, lost = won_and_lost(options, bid)
        found |= {"bid": bid, "need": bid - ours, "gain": won, "loss": lost}
    if done and done[-1].winner is not None:
        true = referee.true_cards
        last = [true[len(done) - 1, play.seat] for play in done[-1].plays]
        found |= {"trick": sum(points[card] for card in last), "winner": Who(done[-1].winner)}
    if hand.result is not None:
        found["paid"] = abs(hand.result.tokens[side])
        if hand.result.points is not None:
            found |= {"ours": hand.result.points[side], "theirs": hand.result.points[1 - side]}
    return found
