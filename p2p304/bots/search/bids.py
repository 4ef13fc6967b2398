"""The strong player's bids: by chances where they are known, else as the club player's.

Responsible for which bid is worth more than a pass. With four cards the chances are those of
bots/bidding_table.py; with eight, in the second round, those of many sampled deals. Games with
other packs or deals are bid by rules of thumb (bots/bidding.py), and so is Partner Close Caps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from p2p304.bots.bidding_table import chances
from p2p304.bots.player import first
from p2p304.bots.search.playout import Rules, Table
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, each
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.play.view import View
from p2p304.rules.state.auction import is_partner_high
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.options import Options

OPENING = -0.3
"""What an opening bid must be worth at least, in tokens. The chances are somewhat low: in the quick
play behind them the opponents see all cards too."""
OVER_OPPONENTS = 0.05
"""The same where an opponent has bid, and so holds good cards."""
OVER_PARTNER = 0.9
"""The same where the partner has bid: to pass is worth what that bid wins."""
BETTER = 0.5
"""How much more than a pass a bid of the second round must be worth."""
TELLING = 0.15
"""How much oftener open trump must make the bid, where all cards are seen, to be played: at a table
closed trump keeps the others guessing."""
WORLDS = 60
"""Deals that are tried for each trump suit in the second round."""


def bid(view: View, options: Sequence[Action], chance: Random) -> Action | None:
    """Return the bid, or the pass; None where the club player decides."""
    auction, rules = view.hand.auction, view.hand.options
    numbers = [one for one in options if isinstance(one, acts.Bid) and one.amount < PCC]
    if not _knows(rules) or not numbers or first(options, acts.Pass) is None:
        return None
    if first(options, acts.Redeal) is not None:
        return None
    if auction.second:
        return _second(view, numbers, chance)
    found = chances(view.cards)
    if found is None:
        return None
    least = OPENING
    if auction.bidder is not None:
        partner = is_partner_high(rules, auction, view.seat)
        least = OVER_PARTNER if partner else OVER_OPPONENTS
    value, best = _best(rules, numbers, found.of)
    return best if value >= least else acts.Pass(view.seat)


def indicator(view: View, chance: Random) -> acts.LayTrump | None:
    """Return the lowest card of the best suit; None where the club player decides."""
    if not _knows(view.hand.options):
        return None
    found = chances(view.cards)
    if found is not None:
        return acts.LayTrump(view.seat, _lowest(view.cards, found.trump))
    if len(view.cards) != view.hand.options.hand_size or not view.hand.auction.second:
        return None
    tried = {
        suit: _points(view, view.cards, suit, chance, _lowest(view.cards, suit))
        for suit in _suits(view.cards)
    }
    best = max(tried, key=lambda suit: sum(p >= view.hand.bid for p in tried[suit]))
    return acts.LayTrump(view.seat, _lowest(view.cards, best))


def opens(view: View, chance: Random) -> bool:
    """Whether open trump makes the bid so much oftener that it is worth telling the suit."""
    if not _knows(view.hand.options) or view.indicator is None or view.hand.bids_all_tricks:
        return False
    wanted = view.hand.bid
    closed = _points(view, view.held, view.indicator.suit, chance, view.indicator)
    opened = _points(view, view.held, view.indicator.suit, chance)
    gained = sum(p >= wanted for p in opened) - sum(p >= wanted for p in closed)
    return gained >= TELLING * WORLDS


def _knows(rules: Options) -> bool:
    return (
        rules.score == "tokens"
        and rules.pack_name == 32
        and rules.seats == 4
        and (rules.partner == "across")
    )


def _best(
    rules: Options, numbers: Sequence[acts.Bid], of: Callable[[int], float]
) -> tuple[float, acts.Bid]:
    """The bid that is worth most, and what it is worth; of equal ones the lowest."""
    worth = []
    for one in numbers:
        won, lost = won_and_lost(rules, one.amount)
        made = of(one.amount)
        worth.append((made * won - (1 - made) * lost, -one.amount, one))
    value, _, best = max(worth, key=lambda row: row[:2])
    return value, best


def _second(view: View, numbers: Sequence[acts.Bid], chance: Random) -> Action:
    """With all cards in hand: the bid that many deals say is worth more than to pass."""
    hand, rules = view.hand, view.hand.options
    held, now = view.held, OVER_OPPONENTS
    if view.indicator is not None:  # the first bid is its own, and stands if it passes
        points = _points(view, held, view.indicator.suit, chance, view.indicator)
        won, lost = won_and_lost(rules, hand.bid)
        made = sum(p >= hand.bid for p in points) / WORLDS
        now = made * won - (1 - made) * lost
    found = []
    for suit in _suits(held):
        points = _points(view, held, suit, chance, _lowest(held, suit))
        share = [sum(p >= one.amount for p in points) / WORLDS for one in numbers]
        table = dict(zip([one.amount for one in numbers], share, strict=True))
        found.append(_best(rules, numbers, table.__getitem__))
    value, best = max(found, key=lambda row: row[0], default=(now, numbers[0]))
    return best if value >= now + BETTER else acts.Pass(view.seat)


def _suits(cards: frozenset[Card]) -> list[Suit]:
    """The suits of at least three cards."""
    return [suit for suit in Suit if sum(card.suit is suit for card in cards) >= 3]


def _lowest(cards: frozenset[Card], suit: Suit) -> Card:
    return min((card for card in cards if card.suit is suit), key=lambda card: card.bit)


def _points(
    view: View, held: frozenset[Card], trump: Suit, chance: Random, lying: Card | None = None
) -> list[int]:
    """What this seat's side reaches with these trumps in WORLDS deals, closed with the indicator
    ``lying``, else open."""
    rules, seat = view.hand.options, view.seat
    points = {card.bit: n for card, n in rules.pack.points.items()}
    known = Rules(points, tuple((other - seat) % 2 for other in range(rules.seats)))
    lies = 0 if lying is None else lying.bit
    rest, size = each(bits(rules.pack.cards) & ~bits(held)), rules.hand_size
    found = []
    for _ in range(WORLDS):
        chance.shuffle(rest)
        hands = [sum(rest[at * size : (at + 1) * size]) for at in range(rules.seats - 1)]
        hands.insert(seat, bits(held) & ~lies)
        first_lead, suit = view.hand.first, SUIT_CARDS[SUIT_NUMBER[trump]]
        table = Table(known, hands, lies, suit, seat, first_lead, [], (0, 0), lies != 0)
        found.append(table.finish())
    return found
