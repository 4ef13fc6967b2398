"""The strong player's bids: by chances where they are known, else as the club player's.

Responsible for which bid is worth more than a pass. With four cards the chances are those of
bots/bidding_table.py; with eight, in the second round, those of many sampled deals. Where all cards
are dealt before the first bid, sampled deals (deals.py) say what it is worth in every game. Other
games are bid by rules of thumb (bots/bidding.py). In every game Partner Close Caps, half court and
full court are bid where sampled deals (all_tricks.py) say so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from random import Random

from p2p304.bots import bidding
from p2p304.bots.bidding_table import chances
from p2p304.bots.player import first
from p2p304.bots.search.all_tricks import is_made
from p2p304.bots.search.deals import Deal, Deals, lowest, lying_indicator
from p2p304.bots.search.inference import values
from p2p304.bots.search.playout import finish
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, card_of, each
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.legality.bids import amounts
from p2p304.rules.play.view import View
from p2p304.rules.state.auction import ALL_POINTS, is_partner_high
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.options import Options
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules

OPENING = -0.3
"""What an opening bid must be worth at least, as a share of what the least bid wins (one token, or
five points). The chances are somewhat low: in the quick play behind them the opponents see all
cards too."""
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
EVERY_TRICK_DEALS = 100
"""The same for a bid to win every trick."""
SUITS = 2
"""So many suits are tried as trumps for it: those that are worth most."""
EVERY_TRICK_BETTER = 0.5
"""How much more than another bid, or a pass, a bid to win every trick must be worth."""


def bid(view: View, options: Sequence[Action], chance: Random) -> Action | None:
    """Return the bid, or the pass; None where the club player decides."""
    samples = Samples(view, chance)
    return _every_trick(view, options, samples) or _number(view, options, chance, samples)


class Samples:
    """Deals that a view leaves open, drawn when they are first asked for."""

    def __init__(self, view: View, chance: Random) -> None:
        self._view, self._chance = view, chance
        self._reached = dict[int, list[int]]()

    @cached_property
    def deals(self) -> list[Deal]:
        source = Deals(self._view, self._chance)
        return [source.draw() for _ in range(EVERY_TRICK_DEALS)]

    def reached(self, suit: int) -> list[int]:
        """What this seat's side reaches in each deal with these trumps, closed."""
        view, rules = self._view, self._view.hand.options
        if suit not in self._reached:
            low = lowest(bits(view.held), suit)
            tables = (d.table(rules, view.hand.first, view.seat, suit, low)[0] for d in self.deals)
            played = zip(self.deals, tables, strict=True)
            self._reached[suit] = [deal.points(table) for deal, table in played]
        return self._reached[suit]

    def share(self, suit: int, bid: int) -> float:
        """In what share of the deals this bid to win every trick is made."""
        view, rules, made = self._view, self._view.hand.options, 0
        lies = lying_indicator(rules, bits(view.held), suit, bid)
        for deal in self.deals:
            table, _ = deal.table(rules, view.hand.first, view.seat, suit, lies, bid)
            made += is_made(rules, table, bid)
        return made / len(self.deals)


def _number(
    view: View, options: Sequence[Action], chance: Random, samples: Samples
) -> Action | None:
    auction, rules = view.hand.auction, view.hand.options
    numbers = [one for one in options if isinstance(one, acts.Bid) and one.amount < PCC]
    if not numbers or first(options, acts.Pass) is None or first(options, acts.Redeal) is not None:
        return None
    if _has_all_cards(view):
        value, best = _of_deals(view, numbers, samples)
    elif not _knows(rules):
        return None
    elif auction.second:
        return _second(view, numbers, chance)
    else:
        found = chances(view.cards)
        if found is None:
            return None
        value, best = _best(rules, numbers, found.of)
    least = OPENING
    if auction.bidder is not None:
        partner = is_partner_high(rules, auction, view.seat)
        least = OVER_PARTNER if partner else OVER_OPPONENTS
    least *= won_and_lost(rules, rules.bid_min)[0]
    return best if value >= least else acts.Pass(view.seat)


def _has_all_cards(view: View) -> bool:
    """Whether the first bid is made with all cards in hand."""
    return len(view.held) == view.hand.options.hand_size and not view.hand.auction.second


def _of_deals(view: View, numbers: Sequence[acts.Bid], samples: Samples) -> tuple[float, acts.Bid]:
    """The bid that is worth most by sampled deals, and what it is worth."""
    worth, found = values(bits(view.held)), []
    for suit in sorted(range(len(SUIT_CARDS)), key=lambda n: -worth[n])[:SUITS]:
        points = samples.reached(suit)
        share = {one.amount: sum(p >= one.amount for p in points) / len(points) for one in numbers}
        found.append(_best(view.hand.options, numbers, share.__getitem__))
    return max(found, key=lambda row: row[0])


def indicator(view: View, chance: Random) -> acts.LayTrump | None:
    """Return the lowest card of the best suit; None where the club player decides."""
    if view.hand.bids_all_tricks:
        samples = Samples(view, chance)
        able = [n for n in range(len(SUIT_CARDS)) if bits(view.cards) & SUIT_CARDS[n]]
        suit = max(able, key=lambda n: samples.share(n, view.hand.bid))
        return acts.LayTrump(view.seat, card_of(lowest(bits(view.cards), suit)))
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


def _every_trick(view: View, options: Sequence[Action], samples: Samples) -> acts.Bid | None:
    """The bid to win every trick that is worth most, if it is worth more than a number or a pass.
    Few hands are worth a look: at least half of the tricks must be sure."""
    named = [one for one in options if isinstance(one, acts.Bid) and one.amount >= PCC]
    held, hand = bits(view.held), view.hand
    if not named or 2 * max(bidding.sure_tricks(view.held, suit) for suit in Suit) < len(view.held):
        return None
    rules, seat, worth = hand.options, view.seat, values(held)
    suits = sorted(range(len(SUIT_CARDS)), key=lambda n: -worth[n])[:SUITS]
    shares = [(max(samples.share(n, one.amount) for n in suits), one) for one in named]
    value, best = max(
        ((_value(rules, one.amount, share), one) for share, one in shares), key=lambda row: row[0]
    )
    instead = OVER_PARTNER if is_partner_high(rules, hand.auction, seat) else 0.0
    if value < instead + EVERY_TRICK_BETTER:
        return None
    if hand.auction.courts:  # numbers are bid later, with all cards
        numbers = [amount for amount in amounts(rules) if amount < ALL_POINTS]
    else:
        numbers = [one.amount for one in options if isinstance(one, acts.Bid) and one.amount < PCC]
        if hand.maker is not None and rules.account(hand.maker) == rules.account(seat):
            numbers.append(hand.bid)  # it stands after a pass
    for suit in suits:
        reached = samples.reached(suit)
        for amount in numbers:
            made = sum(points >= amount for points in reached) / len(reached)
            instead = max(instead, _value(rules, amount, made))
    return best if value >= instead + EVERY_TRICK_BETTER else None


def _value(rules: Options, amount: int, made: float) -> float:
    """What a bid is worth, in tokens, that is made so often."""
    won, lost = won_and_lost(rules, amount)
    return made * won - (1 - made) * lost


def is_open_better(view: View, chance: Random) -> bool:
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
        worth.append((_value(rules, one.amount, of(one.amount)), -one.amount, one))
    value, _, best = max(worth, key=lambda row: row[:2])
    return value, best


def _second(view: View, numbers: Sequence[acts.Bid], chance: Random) -> Action:
    """With all cards in hand: the bid that many deals say is worth more than to pass."""
    hand, rules = view.hand, view.hand.options
    held, now = view.held, OVER_OPPONENTS
    if view.indicator is not None:  # the first bid is its own, and stands if it passes
        points = _points(view, held, view.indicator.suit, chance, view.indicator)
        now = _value(rules, hand.bid, sum(p >= hand.bid for p in points) / WORLDS)
    found = []
    for suit in _suits(held):
        points = _points(view, held, suit, chance, _lowest(held, suit))
        share = [sum(p >= one.amount for p in points) / WORLDS for one in numbers]
        table = dict(zip([one.amount for one in numbers], share, strict=True))
        found.append(_best(rules, numbers, table.__getitem__))
    value, best = max(found, key=lambda row: row[0], default=(now, numbers[0]))
    return best if value >= now + BETTER else acts.Pass(view.seat)


def _suits(cards: frozenset[Card]) -> list[Suit]:
    """The suits of at least three cards; where there is none, every suit that is held."""
    length = {suit: sum(card.suit is suit for card in cards) for suit in Suit}
    least = min(3, max(length.values()))
    return [suit for suit in Suit if length[suit] >= least]


def _lowest(cards: frozenset[Card], suit: Suit) -> Card:
    return min((card for card in cards if card.suit is suit), key=lambda card: card.bit)


def _points(
    view: View, held: frozenset[Card], trump: Suit, chance: Random, lying: Card | None = None
) -> list[int]:
    """What this seat's side reaches with these trumps in WORLDS deals, closed with the indicator
    ``lying``, else open."""
    rules, seat = view.hand.options, view.seat
    points = {card.bit: n for card, n in rules.pack.points.items()}
    known = WorldRules(points, tuple((other - seat) % 2 for other in range(rules.seats)))
    lies = 0 if lying is None else lying.bit
    rest, size = each(bits(rules.pack.cards) & ~bits(held)), rules.hand_size
    found = []
    for _ in range(WORLDS):
        chance.shuffle(rest)
        hands = [sum(rest[at * size : (at + 1) * size]) for at in range(rules.seats - 1)]
        hands.insert(seat, bits(held) & ~lies)
        first_lead, suit = view.hand.first, SUIT_CARDS[SUIT_NUMBER[trump]]
        table = WorldPlay(known, hands, lies, suit, seat, first_lead, [], (0, 0), lies != 0)
        found.append(finish(table))
    return found
