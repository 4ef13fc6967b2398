"""One hand on public facts: its state and what can be asked of it.

Responsible for the value that everybody at the table holds alike. What actions do to it is left to
play/transitions.py and the modules it calls; what only a player's own cards can tell, to
legality/own_card_checks.py; what is found when hidden cards are opened, to play/review.py. It knows
no secret and nothing of how cards are hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import HALF_COURT, PCC, Action, Play
from p2p304.rules.core.cards import Card, Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat, following
from p2p304.rules.core.tricks import Trick
from p2p304.rules.state import auction as bidding
from p2p304.rules.state.auction import Auction
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options

__all__ = ["Hand", "Phase"]


@dataclass(slots=True)
class Hand:
    """The public state of one hand; seats are numbers in order of play.

    ``playing`` are the seats that take part in the play, ``next_seat`` the next of them by seat.
    ``maker`` and ``bid`` are the trump maker and bid so far, ``trump`` and ``indicator`` are known
    once public, ``closed`` is what the trump maker chose (None before), ``taken_back`` the seat
    that took a superseded indicator back unseen. ``called`` is a partner's card, ``asker`` the
    seat that asked for trumps and has yet to play, ``doubled`` who said double. ``caps`` is the
    call of Caps, if any, made when ``caps_after`` tricks were settled and ``caps_at`` actions done;
    ``claims_end`` how many actions were done when claims ended (None: they have not), ``ending`` a
    claim that ended the play, ``opened`` the cards that were then never played.
    ``completed_tricks`` are the tricks that have a winner, ``plays`` the cards of the trick being
    played, ``led`` its suit and ``dead_plays`` as in `Trick`; ``face_up_bits`` are the bits of
    cards that lie or lay face up in tricks. ``turn`` is the seat that must act next, consequences
    included; None when over.

    A hand changes only in play/: `engine.apply` returns a new hand and leaves this one alone.
    """

    options: Options
    dealer: Seat
    phase: Phase
    auction: Auction
    playing: tuple[Seat, ...]
    next_seat: tuple[Seat, ...]
    maker: Seat | None = None
    bid: int = 0
    closed: bool | None = None
    trump: Suit | None = None
    indicator: Card | None = None
    indicator_down: bool = False
    taken_back: Seat | None = None
    called: Card | None = None
    asker: Seat | None = None
    doubled: Seat | None = None
    marriages: tuple[tuple[Seat, Suit], ...] = ()
    caps: acts.Caps | None = None
    caps_after: int = 0
    caps_at: int = 0
    claims_end: int | None = None
    ending: acts.Claim | None = None
    opened: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    completed_tricks: tuple[Trick, ...] = ()
    plays: tuple[Play, ...] = ()
    led: Suit | None = None
    dead_plays: int = 0
    face_up_bits: int = 0
    turn: Seat | None = None
    result: Result | None = None
    history: list[Action] = field(default_factory=list, repr=False)

    @classmethod
    def start(cls, options: Options, dealer: Seat) -> Hand:
        auction = bidding.first_round(options, dealer)
        phase = Phase.BID8 if auction.full else Phase.BID4
        everybody = tuple(range(options.seats))
        after = following(everybody, options.seats)
        return cls(options, dealer, phase, auction, everybody, after, turn=auction.turn)

    def restarted(self) -> Hand:
        """The same hand before its first action."""
        return Hand.start(self.options, self.dealer)

    # What can be asked of it

    @property
    def batches(self) -> int:
        """How many batches of the deal must be out in this phase."""
        early = self.phase in (Phase.BID4, Phase.TRUMP4) or self.bid == HALF_COURT
        void = self.phase is Phase.OVER and not self.bid
        return 1 if early or void else len(self.options.batches)

    @property
    def tricks_due(self) -> int:
        """Tricks in this hand: fewer than the game's where no second batch is dealt."""
        return self.options.batches[0] if self.bid == HALF_COURT else self.options.tricks

    @property
    def bids_all_tricks(self) -> bool:
        """The bid is to win every trick: Partner Close Caps, half or full court."""
        return self.bid >= PCC

    @property
    def first(self) -> Seat:
        """The seat after the dealer."""
        return (self.dealer + 1) % self.options.seats

    @property
    def first_leader(self) -> Seat:
        """The seat that leads to the first trick: the trump maker in a named bid or one of all
        points."""
        leads = self.bid >= bidding.ALL_POINTS and self.options.pack.total == bidding.ALL_POINTS
        return (
            self.maker if (leads or self.bids_all_tricks) and self.maker is not None else self.first
        )

    @property
    def has_open_trumps(self) -> bool:
        """Everybody knows the trump suit, and every card is played face up."""
        return self.trump is not None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """Every trick begun, the one being played last."""
        trick = self.trick
        return self.completed_tricks if trick is None else (*self.completed_tricks, trick)

    @property
    def trick(self) -> Trick | None:
        """The trick being played, or None before the first card of the hand."""
        plays = self.plays
        return Trick(plays[0].seat, plays, None, self.dead_plays) if plays else None

    @property
    def numbered_plays(self) -> list[tuple[int, Play]]:
        """Every play of the hand, with the number of its trick from 0."""
        return [(n, play) for n, trick in enumerate(self.tricks) for play in trick.plays]

    @property
    def completed_count(self) -> int:
        """How many tricks have a winner."""
        return len(self.completed_tricks)

    @property
    def leader(self) -> Seat:
        """The seat that leads, or led, the present trick."""
        if self.plays:
            return self.plays[0].seat
        last = self.completed_tricks[-1].winner if self.completed_tricks else None
        return self.first_leader if last is None else last

    @property
    def partner(self) -> Seat | None:
        """The seat that has played the card that was called, if everybody has seen it."""
        if self.called is None:
            return None
        return next((p.seat for _, p in self.numbered_plays if p.card is self.called), None)

    @property
    def makers(self) -> tuple[Seat, ...]:
        """The trump maker's side as far as everybody knows it; empty before there is a bid."""
        if self.maker is None:
            return ()
        if self.options.partner == "called":
            partner = self.partner
            both = {self.maker} if partner is None else {self.maker, partner}
            return tuple(sorted(both))
        sides = self.options.sides
        mine = sides[self.maker]
        return tuple([seat for seat, side in enumerate(sides) if side == mine])

    def drawn(self) -> int:
        """Cards that every seat has drawn from the stock: one after each trick."""
        if self.options.stock != "draw":
            return 0
        return min(self.completed_count, self.options.stock_size // self.options.seats)

    def cards_left(self, seat: Seat) -> int:
        """Cards in the hand of ``seat``, an indicator lying on the table apart."""
        dealt = self.options.batches[0] if self.batches == 1 else self.options.hand_size
        if seat not in self.playing:
            return dealt
        lying = seat == self.maker and self.indicator_down
        played = len(self.completed_tricks) + any(play.seat == seat for play in self.plays)
        return dealt + self.drawn() - played - lying

    @property
    def to_inspect(self) -> tuple[Seat, ...]:
        """Seats whose face-down card the trump maker must be shown, in order of play."""
        if self.phase is not Phase.ANNOUNCE:
            return ()
        return tuple(p.seat for p in self.tricks[-1].plays if p.down and p.seat != self.maker)

    @property
    def to_turn_up(self) -> tuple[Seat, ...]:
        """Seats whose card a cut turns up: the others' (and the trump maker's last, where
        ``reveal=all``), the indicator apart."""
        own = tuple(
            p.seat
            for p in self.tricks[-1].plays
            if p.seat == self.maker and p.down and not p.indicator
        )
        return self.to_inspect + (own if self.options.reveal == "all" else ())

    @property
    def must_show_after_first(self) -> bool:
        """The indicator must be shown at the end of this, the first, trick (250 or more)."""
        return len(self.completed_tricks) + bool(self.plays) == 1 and self.must_show_early

    @property
    def must_show_early(self) -> bool:
        """So high a bid shows the indicator at the end of the first trick, if not before."""
        return (
            self.bid >= self.options.second
            and self.options.open_after_250
            and not self.has_open_trumps
        )

    def owes_caps(self, seat: Seat) -> bool:
        """Whether this seat's side calls Caps, and owes a call that is due (``external``)."""
        return self.options.external_caps != "none" or seat in self.makers

    def has_lying_indicator(self, seat: Seat) -> bool:
        """Whether an indicator of this seat lies face down on the table."""
        return seat == self.maker and self.indicator_down

    def owes_count(self, seat: Seat) -> int:
        """How many cards a seat has to open for the count: those never turned up, and after a
        claim those never played (of the trump maker's side, after spoilt trumps, only the
        indicator)."""
        if seat not in self.playing or seat in self.opened:
            return 0
        if isinstance(self.ending, acts.Spoilt) and seat in self.makers:
            return int(seat == self.maker and self.trump is None)
        down = sum(p.seat == seat and p.card is None for _, p in self.numbered_plays)
        if self.ending is None:
            return down
        return down + self.cards_left(seat) + self.has_lying_indicator(seat)

    @property
    def points(self) -> tuple[int, ...]:
        """Card points by account, of cards that everybody has seen."""
        table, sides = self.options.pack.points, self.options.sides
        sums = [0] * self.options.accounts
        for trick in self.completed_tricks:
            if trick.winner is not None:
                won = sum([table[p.card] for p in trick.plays if p.card])
                sums[sides[trick.winner]] += won
        return tuple(sums)

    @property
    def seen(self) -> frozenset[Card]:
        """Cards that lie or lay face up."""
        return frozenset(p.card for _, p in self.numbered_plays if p.card)

    def copied(self) -> Hand:
        """The same hand, to be changed apart: what else it holds are values."""
        after = Hand(*_VALUES(self))
        after.auction, after.history = self.auction.copied(), self.history.copy()
        return after


_VALUES = attrgetter(*(one.name for one in fields(Hand)))
