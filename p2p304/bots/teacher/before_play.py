"""What a player's choices before the first lead are worth: bids and passes, the indicator, the
partner that is called, the exchange of two cards, open or closed trumps.

Responsible for what each choice comes to in deals that fit what a seat could know then (deals.py):
by quick play (search/playout.py), in half of them by players who see their own cards alone, or by
all_tricks.py where every trick is bid. The teacher compares the choices (evaluation.py). A bid is
taken to stand; after a pass the bid that stands is played, or the next player who would open does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from statistics import fmean

from p2p304.bots.search.all_tricks import is_made
from p2p304.bots.search.deals import Deal, Deals, lowest, lying_indicator, maker_leads, need
from p2p304.bots.search.inference import values
from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, bits, card_of
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.scoring import payment, won_and_lost
from p2p304.rules.variants.options import Options
from p2p304.rules.worlds.world_play import WorldPlay

SUITS = 2
"""So many suits are tried as trumps for a bid: those that are worth most."""
BIDDING, CHOOSING = (Phase.BID4, Phase.BID8), (Phase.TRUMP4, Phase.TRUMP8)
PHASES = (*BIDDING, *CHOOSING, Phase.PARTNER, Phase.EXCHANGE, Phase.DECLARE)
FIRST_DEALS, SHORTLIST = 60, 4
"""Of many choices alike so many are tried on: those that are best in so many first deals. What they
are worth is then found in other deals, so that the luckiest does not seem the best."""
Outcomes = list[tuple[bool, int]]
"""For each deal: whether the bid that is played is made, and what this seat gains."""


def outcomes(view: View, deals: int, taken: Action | None = None) -> list[tuple[Action, Outcomes]]:
    """Return what each sensible choice comes to in the same deals, that ``taken`` among them;
    raises LookupError where there is a choice that the search does not know."""
    hand = view.hand
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
    calls = [one for one in legal(view) if isinstance(one, acts.Call)]
    alone = [one for one in calls if one.card in view.held]
    kept = next((one for one in alone if one == taken), alone[0] if alone else None)
    return [one for one in calls if one.card not in view.held or one is kept]


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


class Trial:
    """The choices of one view, tried in these deals."""

    def __init__(self, view: View, deals: Sequence[Deal]) -> None:
        self._view, self._hand, self._options = view, view.hand, view.hand.options
        self._deals = deals
        self._mine = bits(view.cards)

    def auction(self) -> Iterator[tuple[Action, Outcomes]]:
        seat, hand = self._view.seat, self._hand
        held = bits(self._view.held)
        worth = values(held)
        suits = sorted(
            (n for n in range(len(SUIT_CARDS)) if held & SUIT_CARDS[n]), key=lambda n: -worth[n]
        )[:SUITS]
        tables = [[self._table(d, seat, n, lowest(held, n)) for d in self._deals] for n in suits]
        pairs = [list(zip(self._deals, row, strict=True)) for row in tables]
        reached = [[(deal.points(table), side) for deal, (table, side) in row] for row in pairs]
        for action in legal(self._view):
            match action:
                case acts.Bid(amount=amount) if not maker_leads(self._options, amount):
                    tried = [
                        [self._paid(n >= amount, amount, side) for n, side in row]
                        for row in reached
                    ]
                    yield action, _best(tried)
                case acts.Bid(amount=amount):
                    lows = [
                        (suit, lying_indicator(self._options, held, suit, amount)) for suit in suits
                    ]
                    yield (
                        action,
                        _best(
                            [
                                [self._played(d, seat, *low, amount) for d in self._deals]
                                for low in lows
                            ]
                        ),
                    )
                case acts.Pass():
                    count, first = (
                        self._options.seats,
                        hand.first if hand.auction.courts else seat + 1,
                    )
                    after = [(first + n) % count for n in range(count - 1 + hand.auction.courts)]
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
                lies = lying_indicator(self._options, self._mine, number, bid)
                found = [self._played(deal, seat, number, lies, bid) for deal in self._deals]
                yield acts.LayTrump(seat, card_of(lowest(self._mine, number))), found

    def calls(self, actions: Iterable[Action]) -> Iterator[tuple[Action, Outcomes]]:
        """The partner is the player who holds the card."""
        seat, bid, suit = self._view.seat, self._hand.bid, SUIT_NUMBER[self._lying.suit]
        lies, played = (
            lying_indicator(self._options, self._lying.bit, suit, bid),
            dict[tuple[int, int], tuple[bool, int]](),
        )
        for action in actions:
            if not isinstance(action, acts.Call):
                continue
            found = list[tuple[bool, int]]()
            for number, deal in enumerate(self._deals):
                holds = [bool(hand & action.card.bit) for hand in deal.played(bid)]
                partner = holds.index(True) if True in holds else seat
                if (number, partner) not in played:
                    side = tuple(int(one not in (seat, partner)) for one in range(len(holds)))
                    played[number, partner] = self._played(deal, seat, suit, lies, bid, side)
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
                kept = Deal(tuple(hands), deal.first, (), deal.blind)
                found.append(self._played(kept, seat, SUIT_NUMBER[lying.suit], lying.bit, bid))
            yield action, found

    def declarations(self) -> Iterator[tuple[Action, Outcomes]]:
        seat, lying, bid = self._view.seat, self._lying, self._hand.bid
        suit = SUIT_NUMBER[lying.suit]
        for action in legal(self._view):
            lies = lying.bit if isinstance(action, acts.Closed) else 0
            yield action, [self._played(deal, seat, suit, lies, bid) for deal in self._deals]

    @property
    def _lying(self) -> Card:
        if self._view.indicator is None:
            raise LookupError("the indicator is not known")
        return self._view.indicator

    def _passed(self, deal: Deal, after: Sequence[Seat]) -> tuple[bool, int]:
        """What follows if this seat does not bid: the bid that stands is played, else the least by
        the first of those ``after`` it who would open, or by a dealer who must."""
        hand, options, auction = self._hand, self._options, self._hand.auction
        maker = auction.bidder if auction.bidder is not None else hand.maker
        bid = max(auction.high, hand.bid)
        cards = deal.hands if options.bid4 == "courts" else deal.first
        if maker is None:
            bid, least = options.bid_min, need(options, options.bid_min)
            able = [seat for seat in after if auction.courts or seat not in auction.spoken]
            maker = next((s for s in able if max(values(cards[s])) >= least), None)
        if maker is None and options.all_pass == "dealer_forced":
            maker = hand.dealer
        if maker is None:
            return False, 0
        lying = self._view.indicator
        if maker == self._view.seat and lying is not None:
            low, suit = lying.bit, SUIT_NUMBER[lying.suit]
        else:
            worth = values(cards[maker])
            suit = max(range(len(worth)), key=worth.__getitem__)
            low = lowest(cards[maker], suit)
        return self._played(deal, maker, suit, low, bid)

    def _played(
        self,
        deal: Deal,
        maker: Seat,
        suit: int,
        lies: int,
        bid: int,
        sides: tuple[int, ...] | None = None,
    ) -> tuple[bool, int]:
        """Whether this bid is made in this deal, and what this seat then gains."""
        table, side = self._table(deal, maker, suit, lies, bid, sides)
        if bid < PCC:
            return self._paid(deal.points(table) >= bid, bid, side)
        return self._paid(is_made(self._options, table, bid), bid, side)

    def _table(
        self,
        deal: Deal,
        maker: Seat,
        suit: int,
        lies: int,
        bid: int = 0,
        sides: tuple[int, ...] | None = None,
    ) -> tuple[WorldPlay, tuple[int, ...]]:
        return deal.table(self._options, self._hand.first, maker, suit, lies, bid, sides)

    def _paid(self, made: bool, bid: int, side: Sequence[int]) -> tuple[bool, int]:
        return made, stakes(self._options, self._view.seat, bid, side)[not made]


def _best(tried: Sequence[Outcomes]) -> Outcomes:
    return max(tried, key=lambda row: fmean(gain for _, gain in row))


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
