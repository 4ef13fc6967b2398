"""One hand on public facts: state, and `apply(action) -> state`.

Owns the order of a hand and everything that the rules can refuse without seeing a hidden card.
What only a player's own cards can tell stands in view.py; what is found when hidden cards are
opened, in retrace.py. It knows no secret and nothing of how cards are hidden.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from p2p304.rules import actions as acts
from p2p304.rules import auction as bidding
from p2p304.rules import publicly, words
from p2p304.rules.actions import PCC, Action, Play
from p2p304.rules.auction import Auction
from p2p304.rules.cards import Card, Suit
from p2p304.rules.errors import RuleBroken
from p2p304.rules.options import Options
from p2p304.rules.scoring import Result, payment, won_and_lost
from p2p304.rules.seats import Seat, side, side_names
from p2p304.rules.tricks import Trick, winner


class Phase(Enum):
    """Where a hand stands. ANNOUNCE and COUNT are consequences, not choices."""

    BID4 = "bid4"
    TRUMP4 = "trump4"
    BID8 = "bid8"
    TRUMP8 = "trump8"
    DECLARE = "declare"
    PLAY = "play"
    ANNOUNCE = "announce"
    COUNT = "count"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Hand:
    """The public state of one hand; seats are numbers in order of play.

    ``maker`` and ``bid`` are the trump maker and bid so far, ``trump`` and ``indicator`` are
    known once public, ``closed`` is what the trump maker chose (None before), ``taken_back``
    the seat that took a superseded indicator back unseen.
    """

    options: Options
    dealer: Seat
    phase: Phase
    auction: Auction
    maker: Seat | None = None
    bid: int = 0
    closed: bool | None = None
    trump: Suit | None = None
    indicator: Card | None = None
    indicator_down: bool = False
    taken_back: Seat | None = None
    tricks: tuple[Trick, ...] = ()
    to_act: Seat | None = None
    result: Result | None = None
    history: tuple[Action, ...] = field(default=(), repr=False)

    @classmethod
    def start(cls, options: Options, dealer: Seat) -> Hand:
        auction = bidding.first_round(options, dealer)
        phase = Phase.BID8 if auction.full else Phase.BID4
        return cls(options, dealer, phase, auction, to_act=auction.turn)

    # What can be asked of it

    @property
    def turn(self) -> Seat | None:
        """Who must act next, consequences included; None when over."""
        return self.to_act

    @property
    def batches(self) -> int:
        """How many batches of the deal must be out in this phase."""
        early = self.phase in (Phase.BID4, Phase.TRUMP4) or not self.bid
        return 1 if early else len(self.options.batches)

    @property
    def first(self) -> Seat:
        """The dealer's right-hand neighbour."""
        return (self.dealer + 1) % self.options.seats

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Seats that take part in the play; Partner Close Caps puts the partner out."""
        out = None if self.bid != PCC or self.maker is None else (self.maker + 2) % 4
        return tuple(seat for seat in range(self.options.seats) if seat != out)

    @property
    def trumps_open(self) -> bool:
        """Everybody knows the trump suit, and every card is played face up."""
        return self.trump is not None

    @property
    def trick(self) -> Trick | None:
        """The trick being played, or None before the first card of the hand."""
        return self.tricks[-1] if self.tricks and self.tricks[-1].winner is None else None

    @property
    def leader(self) -> Seat:
        """Who leads, or led, the present trick."""
        if not self.tricks:
            return self._first_leader()
        last = self.tricks[-1]
        return last.leader if last.winner is None else last.winner

    def cards_left(self, seat: Seat) -> int:
        """Cards in the hand of ``seat``, an indicator lying on the table apart."""
        if seat not in self.playing:
            return self.options.tricks
        dealt = self.options.batches[0] if self.batches == 1 else self.options.tricks
        lying = seat == self.maker and self.indicator_down
        return dealt - sum(trick.by(seat) is not None for trick in self.tricks) - lying

    @property
    def to_inspect(self) -> tuple[Seat, ...]:
        """Seats whose face-down card the trump maker must be shown, in order of play."""
        if self.phase is not Phase.ANNOUNCE:
            return ()
        return tuple(p.seat for p in self.tricks[-1].plays if p.down and p.seat != self.maker)

    def owes_count(self, seat: Seat) -> int:
        """How many of the seat's cards were never turned up."""
        return sum(p.seat == seat and p.card is None for t in self.tricks for p in t.plays)

    @property
    def may_claim(self) -> tuple[Seat, ...]:
        """Seats that may call Caps or spoilt trumps now: the claims' place, none as yet."""
        return ()

    @property
    def points(self) -> tuple[int, int]:
        """Card points by side, of cards that everybody has seen."""
        table = self.options.pack.points
        sums = [0, 0]
        for trick in self.tricks:
            if trick.winner is not None:
                sums[side(trick.winner)] += sum(table[p.card] for p in trick.plays if p.card)
        return sums[0], sums[1]

    @property
    def seen(self) -> frozenset[Card]:
        """Cards that lie or lay face up."""
        return frozenset(p.card for t in self.tricks for p in t.plays if p.card)

    # One action further

    def apply(self, action: Action) -> Hand:
        """The hand after a public action; raises RuleBroken where public facts forbid it."""
        if self.phase is Phase.OVER:
            raise RuleBroken("hand.over", "the hand is over", action.seat)
        if action.seat != self.to_act:
            raise RuleBroken("turn", "it is another player's turn", action.seat)
        kinds, apply = _BY_PHASE[self.phase]
        if not isinstance(action, kinds):
            raise RuleBroken("phase", f"{words.word(action)!r} cannot be done now", action.seat)
        after = apply(self, action)
        return replace(after, history=(*self.history, acts.public(action)))

    def _bid4(self, action: Action) -> Hand:
        if isinstance(action, acts.Redeal):
            return self._redealt(action)
        auction = self._auctioned(action)
        if not auction.over:
            return replace(self, auction=auction, to_act=auction.turn)
        return self._first_round_over(auction, Phase.TRUMP4)

    def _first_round_over(self, auction: Auction, then: Phase) -> Hand:
        if auction.bidder is None:
            reason = "All four passed: no score, and the deal passes on."
            return self._void(replace(self, auction=auction), reason, self._next_dealer())
        return replace(self, auction=auction, phase=then, maker=auction.bidder,
                       bid=auction.high, to_act=auction.bidder)  # fmt: skip

    def _redealt(self, action: acts.Redeal) -> Hand:
        options = self.options
        if options.redeal15 == "off":
            raise RuleBroken("redeal.off", "a redeal is not played at this table", action.seat)
        if action.seat != self.first or self.auction.turns or self.auction.asked_by is not None:
            raise RuleBroken(
                "redeal.once", "only dealer's right may reject the cards, before speaking",
                action.seat,
            )  # fmt: skip
        if action.cards is not None:
            points = sum(options.pack.points[card] for card in action.cards)
            if len(action.cards) != options.batches[0] or points >= 15:
                raise RuleBroken(
                    "redeal.fifteen", "only cards worth less than 15 may be rejected", action.seat
                )
        reason = "The first four cards were worth less than 15: dealt again by the same dealer."
        return self._void(self, reason, self.dealer)

    def _auctioned(self, action: Action) -> Auction:
        match action:
            case acts.Bid():
                return bidding.bid(self.options, self.auction, action)
            case acts.Ask():
                return bidding.asked(self.options, self.auction, action)
            case acts.Pass():
                return bidding.passed(self.options, self.auction, action)
        raise RuleBroken("phase", f"{words.word(action)!r} is not a bid", action.seat)

    def _trump4(self, action: Action) -> Hand:
        if self.options.bid8 == "off":
            return replace(self, phase=Phase.DECLARE, indicator_down=True, to_act=action.seat)
        auction = bidding.second_round(self.options, self.dealer, action.seat, self.bid)
        return replace(self, phase=Phase.BID8, indicator_down=True, auction=auction,
                       to_act=auction.turn)  # fmt: skip

    def _bid8(self, action: Action) -> Hand:
        auction = self._auctioned(action)
        if not auction.over:
            return replace(self, auction=auction, to_act=auction.turn)
        if not auction.second:
            return self._first_round_over(auction, Phase.TRUMP8)
        if auction.bidder is None:
            return replace(self, auction=auction, phase=Phase.DECLARE, to_act=self.maker)
        return replace(self, auction=auction, phase=Phase.TRUMP8, maker=auction.bidder,
                       bid=auction.high, taken_back=self.maker, indicator_down=False,
                       to_act=auction.bidder)  # fmt: skip

    def _trump8(self, action: Action) -> Hand:
        return replace(self, phase=Phase.DECLARE, indicator_down=True, to_act=action.seat)

    def _declare(self, action: Action) -> Hand:
        begun = replace(self, phase=Phase.PLAY, to_act=self._first_leader())
        if isinstance(action, acts.Closed):
            return replace(begun, closed=True)
        if self.options.open_trump == "off":
            raise RuleBroken("open.off", "open trump is not played at this table", action.seat)
        card = action.card if isinstance(action, acts.Open) else None
        if card is None:
            raise RuleBroken("open.shown", "open trump shows the indicator", action.seat)
        return replace(begun, closed=False).showing(card)

    def showing(self, card: Card) -> Hand:
        """The indicator is seen by all; from now on trumps are open."""
        return replace(self, indicator=card, trump=card.suit, indicator_down=False)

    def _play(self, action: Action) -> Hand:
        if not isinstance(action, Play):
            raise RuleBroken("phase", "a card must be played now", action.seat)
        publicly.check_play(self, action)
        after = self
        if action.indicator and not action.down and action.card is not None:
            after = self.showing(action.card)
        elif action.indicator:
            after = replace(self, indicator_down=False)
        trick = self.trick or Trick(action.seat)
        grown = replace(trick, plays=(*trick.plays, acts.public(action)))  # type: ignore[arg-type]
        before = self.tricks if self.trick is None else self.tricks[:-1]
        after = replace(after, tricks=(*before, grown))
        if len(grown.plays) < len(self.playing):
            return replace(after, to_act=self._next_player(action.seat))
        return after._complete(grown)

    def _complete(self, trick: Trick) -> Hand:
        """All have played: settle the trick, or wait for the trump maker's announcement."""
        if self._announcement_due(trick):
            return replace(self, phase=Phase.ANNOUNCE, to_act=self.maker)
        return self._settle(trick)

    def _announcement_due(self, trick: Trick) -> bool:
        if self.trumps_open:
            return False
        others = any(p.down and (p.seat != self.maker or p.indicator) for p in trick.plays)
        return others or self.shows_after_first

    @property
    def shows_after_first(self) -> bool:
        """The indicator must be shown at the end of this, the first, trick (250 or more)."""
        return (self.bid >= bidding.SECOND_ROUND and len(self.tricks) == 1
                and self.options.open_after_250 == "on" and not self.trumps_open)  # fmt: skip

    def _announce(self, action: Action) -> Hand:
        if not isinstance(action, acts.Announce):
            raise RuleBroken("phase", "the trump maker must announce now", action.seat)
        trick = self.tricks[-1]
        cutting = any(p.indicator for p in trick.plays)
        publicly.check_announce(self, action, cutting)
        cards = dict(action.revealed)
        if cutting and action.indicator is not None:
            cards[action.seat] = action.indicator
        turned = trick.with_cards(cards)
        after = replace(self, phase=Phase.PLAY, tricks=(*self.tricks[:-1], turned))
        if action.indicator is not None:
            after = after.showing(action.indicator)
        return after._settle(turned)

    @property
    def to_turn_up(self) -> tuple[Seat, ...]:
        """Seats whose card a cut turns up: the others' (and the trump maker's last, where
        ``reveal=all``), the indicator apart."""
        own = tuple(p.seat for p in self.tricks[-1].plays
                    if p.seat == self.maker and p.down and not p.indicator)  # fmt: skip
        return self.to_inspect + (own if self.options.reveal == "all" else ())

    def _settle(self, trick: Trick) -> Hand:
        who = winner(trick, self.trump, self.options.pack)
        after = replace(self, tricks=(*self.tricks[:-1], replace(trick, winner=who)), to_act=who)
        if len(after.tricks) < self.options.tricks:
            return after
        return after._to_count()

    def _to_count(self) -> Hand:
        """After the last trick: cards never turned up are opened, seat by seat."""
        order = [(self.first + step) % self.options.seats for step in range(self.options.seats)]
        owing = next((seat for seat in order if self.owes_count(seat)), None)
        if owing is not None:
            return replace(self, phase=Phase.COUNT, to_act=owing)
        return self._finish()

    def _count(self, action: Action) -> Hand:
        if not isinstance(action, acts.Count):
            raise RuleBroken("phase", "the count is due now", action.seat)
        if len(action.cards) != self.owes_count(action.seat):
            raise RuleBroken("count.all", "every card never turned up is counted", action.seat)
        cards = iter(action.cards)
        tricks = []
        for trick in self.tricks:
            play = trick.by(action.seat)
            unknown = play is not None and play.card is None
            tricks.append(trick.with_cards({action.seat: next(cards)}) if unknown else trick)
        return replace(self, tricks=tuple(tricks))._to_count()

    def _finish(self) -> Hand:
        maker = self.maker if self.maker is not None else 0
        ours = side(maker)
        names, points = side_names(self.options.seats), self.points
        if self.bid == PCC:
            made = all(trick.winner == maker for trick in self.tricks)
            reason = f"Partner Close Caps was {'made' if made else 'failed'} by {names[ours]}."
        else:
            made = points[ours] >= self.bid
            verb = "made" if made else "failed"
            reason = f"{names[ours]} {verb} {self.bid} with {points[ours]} points."
        won, lost = won_and_lost(self.bid)
        tokens = payment(self.options, ours if made else 1 - ours, won if made else lost)
        result = Result(False, tokens, reason, self._next_dealer(), points, made)
        return replace(self, phase=Phase.OVER, to_act=None, result=result)

    def _void(self, hand: Hand, reason: str, next_dealer: Seat) -> Hand:
        result = Result(True, (0, 0), reason, next_dealer)
        return replace(hand, phase=Phase.OVER, to_act=None, result=result)

    def _first_leader(self) -> Seat:
        leads = self.bid in (PCC, bidding.ALL_POINTS)
        return self.maker if leads and self.maker is not None else self.first

    def _next_player(self, seat: Seat) -> Seat:
        turn = (seat + 1) % self.options.seats
        return turn if turn in self.playing else (turn + 1) % self.options.seats

    def _next_dealer(self) -> Seat:
        return (self.dealer + 1) % self.options.seats


_BIDS = (acts.Bid, acts.Pass, acts.Ask)
_BY_PHASE = {
    Phase.BID4: ((*_BIDS, acts.Redeal), Hand._bid4),
    Phase.TRUMP4: ((acts.LayTrump,), Hand._trump4),
    Phase.BID8: (_BIDS, Hand._bid8),
    Phase.TRUMP8: ((acts.LayTrump,), Hand._trump8),
    Phase.DECLARE: ((acts.Open, acts.Closed), Hand._declare),
    Phase.PLAY: ((acts.Play,), Hand._play),
    Phase.ANNOUNCE: ((acts.Announce,), Hand._announce),
    Phase.COUNT: ((acts.Count,), Hand._count),
}
