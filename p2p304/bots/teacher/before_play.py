"""What a player's choices before the first lead are worth: bids and passes, the indicator, the
partner that is called, the exchange of two cards, open or closed trumps.

Responsible for deals that fit what a seat could know then, and for what each choice comes to in
them by quick play (playout.py). The teacher compares the choices (evaluation.py). A bid is taken to
stand; after a pass the bid that stands is played, or the next player who would open does. Bids
for every trick are not tried: quick play is about points (`TricksCount`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import exp
from random import Random
from statistics import fmean

from p2p304.bots import bidding
from p2p304.bots.search.inference import FLOOR, FORCED_FLOOR, WIDTH, values
from p2p304.bots.search.playout import Rules, Table
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, card_of, each
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.scoring import payment, won_and_lost
from p2p304.rules.variants.options import Options

DRAWS = 8
"""Of so many deals at most the first that fits what the others have said is taken."""
SUITS = 2
"""So many suits are tried as trumps for a bid: those that are worth most."""
BIDDING, CHOOSING = (Phase.BID4, Phase.BID8), (Phase.TRUMP4, Phase.TRUMP8)
PHASES = (*BIDDING, *CHOOSING, Phase.PARTNER, Phase.EXCHANGE, Phase.DECLARE)
FIRST_DEALS, SHORTLIST = 60, 4
"""Of many choices alike so many are tried on: those that are best in so many first deals. What they
are worth is then found in other deals, so that the luckiest does not seem the best."""
Outcomes = list[tuple[bool, int]]
"""For each deal: whether the bid that is played is made, and what this seat gains."""


class TricksCount(LookupError):
    """A bid for every trick: the search knows points alone."""

    def __init__(self) -> None:
        super().__init__("this contract is not known to the search")


@dataclass(frozen=True, slots=True)
class Deal:
    """All cards by seat, those of the first batch, and those that lie aside."""

    hands: tuple[int, ...]
    first: tuple[int, ...]
    aside: tuple[int, ...]


def outcomes(view: View, deals: int, taken: Action | None = None) -> list[tuple[Action, Outcomes]]:
    """Return what each sensible choice comes to in the same deals, that ``taken`` among them;
    raises LookupError where there is a choice that the search does not know."""
    hand = view.hand
    is_for_tricks = isinstance(taken, acts.Bid) and taken.amount >= PCC
    if hand.bids_all_tricks or hand.auction.courts or is_for_tricks:
        raise TricksCount
    source = Deals(view, Random(0))
    if hand.phase in (Phase.PARTNER, Phase.EXCHANGE):
        first = Trial(view, [source.draw() for _ in range(min(deals, FIRST_DEALS))])
        again = Trial(view, [source.draw() for _ in range(deals)])
        if hand.phase is Phase.PARTNER:
            return _shortlisted(first.calls, again.calls, _callable(view, taken), taken)
        return _shortlisted(first.exchanges, again.exchanges, legal(view), taken)
    trial = Trial(view, [source.draw() for _ in range(deals)])
    match hand.phase:
        case Phase.BID4 | Phase.BID8:
            return list(trial.auction())
        case Phase.TRUMP4 | Phase.TRUMP8:
            return list(trial.indicators())
    return list(trial.declarations())


def _callable(view: View, taken: Action | None) -> list[Action]:
    """The calls, but only one of an own card: with each of them the trump maker plays alone."""
    own = view.cards | ({view.indicator} if view.indicator is not None else set())
    calls = [one for one in legal(view) if isinstance(one, acts.Call)]
    alone = [one for one in calls if one.card in own]
    kept = next((one for one in alone if one == taken), alone[0] if alone else None)
    return [one for one in calls if one.card not in own or one is kept]


Try = Callable[[Iterable[Action]], Iterator[tuple[Action, Outcomes]]]


def _shortlisted(
    first: Try, again: Try, actions: Sequence[Action], taken: Action | None
) -> list[tuple[Action, Outcomes]]:
    """Try all these actions in the first deals, and the best of them in the others."""
    tried = sorted(first(actions), key=lambda one: -sum(gain for _, gain in one[1]))
    best = [one for one, _ in tried[:SHORTLIST]]
    kept = [one for one in actions if one in best or is_same(one, taken)]
    return list(again(kept))


def is_same(one: Action, other: Action | None) -> bool:
    """Whether two actions are the same; the order of the cards that are laid away does not
    matter."""
    if isinstance(one, acts.Exchange) and isinstance(other, acts.Exchange):
        return set(one.cards or ()) == set(other.cards or ())
    return one == other


class Deals:
    """The deals that a view before the first lead leaves open. What the others have bid, or did not
    bid, says softly what they hold."""

    def __init__(self, view: View, chance: Random) -> None:
        hand, self._chance = view.hand, chance
        self._options, self._seat = hand.options, view.seat
        self._mine = bits(view.held)
        self._rest = each(bits(self._options.pack.cards) & ~self._mine)
        self._needs = list(_said(view))

    def draw(self) -> Deal:
        best, most = None, -1.0
        for _ in range(DRAWS):
            deal = self._drawn()
            likely = 1.0
            for seat, need, floor in self._needs:
                value = max(values(deal.first[seat]))
                short = need - value if need > 0 else value + need
                likely *= max(floor, exp(-max(0.0, short) / WIDTH))
            if likely > most:
                best, most = deal, likely
            if self._chance.random() < likely:
                return deal
        if best is None:
            raise LookupError("there is no deal")
        return best

    def _drawn(self) -> Deal:
        options, rest, at = self._options, self._rest, 0
        self._chance.shuffle(rest)
        hands, first = list[int](), list[int]()
        for seat in range(options.seats):
            held = self._mine if seat == self._seat else 0
            early = options.batches[0] - held.bit_count()
            late = options.hand_size - held.bit_count()
            first.append(held | sum(rest[at : at + max(0, early)]))
            hands.append(held | sum(rest[at : at + late]))
            at += late
        return Deal(tuple(hands), tuple(first), tuple(rest[at:]))


def _said(view: View) -> Iterator[tuple[Seat, float, float]]:
    """Yield for each other seat that has spoken the value of its first cards: what a bid needs at
    least, or (below 0) what a pass before any bid does not exceed; and how unlikely others are."""
    hand, options, high = view.hand, view.hand.options, 0
    for action in hand.history:
        if isinstance(action, acts.LayTrump):
            return
        if isinstance(action, acts.Bid) and action.amount < PCC:
            forced = action.amount == options.bid_min and options.bid_first == "must" and not high
            high = action.amount
            if action.seat != view.seat:
                yield action.seat, _need(options, high), FORCED_FLOOR if forced else FLOOR
        elif isinstance(action, acts.Pass) and not high and action.seat != view.seat:
            yield action.seat, -_need(options, options.bid_min), FORCED_FLOOR


def _need(options: Options, bid: int) -> float:
    """The value of the first cards (bidding.py) that a bid needs."""
    bid = bid * 304 // options.pack.total
    return next((least for least, most in reversed(bidding.LADDER) if bid <= most), 960)


class Trial:
    """The choices of one view, tried in these deals."""

    def __init__(self, view: View, deals: Sequence[Deal]) -> None:
        self._view, self._hand, self._options = view, view.hand, view.hand.options
        self._deals = deals
        self._points = {card.bit: n for card, n in self._options.pack.points.items()}
        self._mine = bits(view.cards)

    def auction(self) -> Iterator[tuple[Action, Outcomes]]:
        seat, hand = self._view.seat, self._hand
        held = bits(self._view.held)
        worth = values(held)
        suits = sorted(
            (n for n in range(len(SUIT_CARDS)) if held & SUIT_CARDS[n]), key=lambda n: -worth[n]
        )
        reached = [
            [self._played(deal, seat, suit, _lowest(held, suit)) for deal in self._deals]
            for suit in suits[:SUITS]
        ]
        for action in legal(self._view):
            match action:
                case acts.Bid(amount=amount) if amount < PCC:
                    tried = [
                        [self._paid(seat, points, amount, side) for points, side in each_deal]
                        for each_deal in reached
                    ]
                    yield action, max(tried, key=lambda row: fmean(gain for _, gain in row))
                case acts.Pass():
                    after = [(seat + n) % len(hand.playing) for n in range(1, len(hand.playing))]
                    yield action, [self._passed(deal, after) for deal in self._deals]
                case acts.Ask():
                    partner = (seat + 2) % self._options.seats
                    yield action, [self._passed(deal, [partner]) for deal in self._deals]
                case acts.Redeal():
                    yield action, [(False, 0)] * len(self._deals)

    def indicators(self) -> Iterator[tuple[Action, Outcomes]]:
        """One card of each suit, the lowest: any other is as good, or nearly."""
        seat, bid = self._view.seat, self._hand.bid
        for number, suit in enumerate(SUIT_CARDS):
            if self._mine & suit:
                low = _lowest(self._mine, number)
                found = [self._played(deal, seat, number, low) for deal in self._deals]
                told = [self._paid(seat, points, bid, side) for points, side in found]
                yield acts.LayTrump(seat, card_of(low)), told

    def calls(self, actions: Iterable[Action]) -> Iterator[tuple[Action, Outcomes]]:
        """The partner is the player who holds the card; closed trumps."""
        seat, lying, bid = self._view.seat, self._lying, self._hand.bid
        suit, played = SUIT_NUMBER[lying.suit], dict[tuple[int, int], tuple[bool, int]]()
        for action in actions:
            if not isinstance(action, acts.Call):
                continue
            found = list[tuple[bool, int]]()
            for number, deal in enumerate(self._deals):
                holds = [bool(hand & action.card.bit) for hand in deal.hands]
                partner = holds.index(True) if True in holds else seat
                if (number, partner) not in played:
                    side = tuple(int(one not in (seat, partner)) for one in range(len(holds)))
                    points, _ = self._played(deal, seat, suit, lying.bit, side)
                    played[number, partner] = self._paid(seat, points, bid, side)
                found.append(played[number, partner])
            yield action, found

    def exchanges(self, actions: Iterable[Action]) -> Iterator[tuple[Action, Outcomes]]:
        """Two cards for those that lie aside, or none."""
        seat, lying, bid = self._view.seat, self._lying, self._hand.bid
        for action in actions:
            laid = bits(action.cards or ()) if isinstance(action, acts.Exchange) else 0
            found = list[tuple[bool, int]]()
            for deal in self._deals:
                hands = list(deal.hands)
                if laid:
                    hands[seat] = hands[seat] & ~laid | sum(deal.aside)
                kept = Deal(tuple(hands), deal.first, ())
                points, side = self._played(kept, seat, SUIT_NUMBER[lying.suit], lying.bit)
                found.append(self._paid(seat, points, bid, side))
            yield action, found

    @property
    def _lying(self) -> Card:
        if self._view.indicator is None:
            raise LookupError("the indicator is not known")
        return self._view.indicator

    def declarations(self) -> Iterator[tuple[Action, Outcomes]]:
        seat, lying = self._view.seat, self._lying
        for action in legal(self._view):
            lies = lying.bit if isinstance(action, acts.Closed) else 0
            suit = SUIT_NUMBER[lying.suit]
            found = [self._played(deal, seat, suit, lies) for deal in self._deals]
            told = [self._paid(seat, points, self._hand.bid, side) for points, side in found]
            yield action, told

    def _passed(self, deal: Deal, after: Sequence[Seat]) -> tuple[bool, int]:
        """What follows if this seat does not bid: the bid that stands is played, else the least by
        the first of those ``after`` it who would open, or by a dealer who must."""
        hand, options = self._hand, self._options
        maker = hand.auction.bidder if hand.auction.bidder is not None else hand.maker
        bid = max(hand.auction.high, hand.bid)
        if maker is None:
            bid, need = options.bid_min, _need(options, options.bid_min)
            able = [seat for seat in after if seat not in hand.auction.spoken]
            maker = next((s for s in able if max(values(deal.first[s])) >= need), None)
        if maker is None and options.all_pass == "dealer_forced":
            maker = hand.dealer
        if maker is None:
            return False, 0
        lying = self._view.indicator
        if maker == self._view.seat and lying is not None:
            low, suit = lying.bit, SUIT_NUMBER[lying.suit]
        else:
            worth = values(deal.first[maker])
            suit = max(range(len(worth)), key=worth.__getitem__)
            low = _lowest(deal.first[maker], suit)
        points, side = self._played(deal, maker, suit, low)
        return self._paid(maker, points, bid, side)

    def _paid(self, maker: Seat, points: int, bid: int, side: Sequence[int]) -> tuple[bool, int]:
        made = points >= bid
        return made, stakes(self._options, self._view.seat, bid, side)[not made]

    def _played(
        self, deal: Deal, maker: Seat, suit: int, lies: int, sides: tuple[int, ...] | None = None
    ) -> tuple[int, tuple[int, ...]]:
        """The points of the trump maker's side in this deal, and every seat's side; open trumps
        where no indicator ``lies``."""
        options, trump = self._options, SUIT_CARDS[suit]
        hands, aside = list(deal.hands), list(deal.aside)
        hands[maker] &= ~lies
        if options.stock == "exchange":
            poor = [one for one in each(hands[maker] & ~trump) if not self._points[one]][-2:]
            if aside and len(poor) == len(aside):
                hands[maker] ^= sum(poor) | sum(aside)
        asks = options.hidden == "ask_reveal"
        side = self._sides(deal, maker, suit) if sides is None else sides
        rules = Rules(self._points, side, asks, options.exhausted, options.last_trick)
        table = Table(
            rules,
            hands,
            lies,
            trump,
            maker,
            self._hand.first,
            [],
            (0, 0),
            first=lies != 0 and not asks,
            pile=tuple(aside) if options.stock == "draw" else (),
        )
        return table.finish(), side

    def _sides(self, deal: Deal, maker: Seat, suit: int) -> tuple[int, ...]:
        options = self._options
        seats = range(options.seats)
        if options.partner == "across":
            return tuple((seat - maker) % 2 for seat in seats)
        mates = {maker}
        if options.partner == "called":
            strength = options.pack.strength
            wanted = max(
                (card for card in options.pack.cards if not card.bit & deal.hands[maker]),
                key=lambda c: (c.rank == "J", SUIT_NUMBER[c.suit] == suit, strength[c], c.name),
            )
            mates |= {seat for seat in seats if deal.hands[seat] & wanted.bit}
        return tuple(int(seat not in mates) for seat in seats)


def stakes(
    options: Options, seat: Seat, bid: int, side: Sequence[int], makers_doubled: bool | None = None
) -> tuple[int, int]:
    """What this seat gains by a bid that is made, and by one that fails, with these sides (0: the
    trump maker's); or by double that succeeds or fails, if that was said by the trump maker's side,
    or by the other. Where nobody pays what is won, what the others win or lose is taken off."""
    makers = sorted({options.account(one) for one, of in enumerate(side) if of == 0})
    others = [account for account in range(options.accounts) if account not in makers]
    won, lost = won_and_lost(options, bid)
    if makers_doubled is not None:
        won, lost = (won if makers_doubled else lost) + 1, lost + 1
    mine = options.account(seat)
    theirs = (others if mine in makers else makers)[:1]
    gains = []
    for paid in (payment(options, makers, won), payment(options, others, lost)):
        is_paid_across = options.score != "online" and options.match != "bank"
        gains.append(paid[mine] - (0 if is_paid_across else sum(paid[one] for one in theirs)))
    return gains[0], gains[1]


def _lowest(cards: int, suit: int) -> int:
    held = cards & SUIT_CARDS[suit]
    return held & -held
