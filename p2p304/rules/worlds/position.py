"""What a view says of the play so far, in the terms of a world.

Responsible for what a seat can conclude in every game, and for seating a world at the view's
moment. The conclusions where cards are played face down are those of rules/caps/from_hand.py.
Which worlds are drawn, and how likely they are, is left to bots/search/worlds.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.caps.bitboard import ALL_SUITS, SUIT_CARDS, SUIT_NUMBER, bits
from p2p304.rules.caps.from_hand import conclusions
from p2p304.rules.caps.knowledge import CapsError, Knowledge, Put
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules


def reading(view: View) -> Knowledge:
    """What this seat can conclude; raises CapsError in a contract to win every trick."""
    if view.hand.bids_all_tricks:
        raise CapsError("every trick must be won")
    return reading_of_any(view)


def reading_of_any(view: View) -> Knowledge:
    """The same in any contract."""
    if view.hand.options.hidden == "face_down":
        known = {(number, seat): card for number, seat, card in view.known}
        return conclusions(view.hand, view.seat, view.cards, known, view.indicator)
    return _open_reading(view)


def _open_reading(view: View) -> Knowledge:
    """The same where every card lies face up and trumps are asked for: a seat that did not follow
    suit is out of it. A player who asked, and did not cut, is out of trumps."""
    hand, seat = view.hand, view.seat
    if hand.maker is None:
        raise CapsError("nobody has bid")
    seats, trump = hand.options.seats, view.trump
    barred = [0] * seats
    played = 0
    for number, trick in enumerate(hand.tricks):
        for play in trick.plays:
            if play.card is None or trick.led is None:
                continue
            played |= play.card.bit
            if play.card.suit is not trick.led and not _drew_since(view, number):
                barred[play.seat] |= 1 << SUIT_NUMBER[trick.led]
    lying = 0 if view.indicator is None else view.indicator.bit
    mine = bits(view.cards) | lying
    shown = 0
    if hand.indicator is not None and seat != hand.maker:
        shown = hand.indicator.bit & ~played
    hidden = hand.indicator_down and seat != hand.maker
    room = [0] * seats
    for other in hand.playing:
        room[other] = 0 if other == seat else hand.cards_left(other)
    room[hand.maker] -= shown != 0
    return Knowledge(
        seat=seat,
        seats=seats,
        ours=1 << seat,
        maker=hand.maker,
        mine=mine,
        lying=lying,
        unseen=bits(hand.options.pack.cards) & ~(mine | played | shown),
        room=tuple(room),
        barred=tuple(barred),
        laid=(),
        hidden_indicator=hidden,
        shown=shown,
        trumps=ALL_SUITS if trump is None else 1 << SUIT_NUMBER[trump],
        spent=0,
        exhausted=0,
        exhausts=False,
        first=False,
        opening=False,
        lost=False,
        leader=hand.leader,
        trick=tuple(Put(play.seat, play.card.bit) for play in hand.plays if play.card),
    )


def _drew_since(view: View, number: int) -> bool:
    """Whether the seats have drawn a card since this trick, which may be of any suit."""
    options = view.hand.options
    draws = options.stock_size // options.seats if options.stock == "draw" else 0
    return number < min(draws, view.hand.completed_count)


@dataclass(frozen=True, slots=True)
class World:
    """One deal: cards by seat (the lying indicator apart), the indicator where it lies face down
    (else 0), the trump suit's number, the cards that lie unknown in past tricks, and those of the
    present trick."""

    hands: tuple[int, ...]
    indicator: int
    trump: int
    laid: tuple[int, ...]
    trick: tuple[int, ...]
    pile: tuple[int, ...] = ()
    """What is drawn, in order; of cards laid aside, those that nobody draws."""


class Position:
    """The moment of a view, for all its worlds."""

    def __init__(self, view: View, known: Knowledge) -> None:
        hand, options = view.hand, view.hand.options
        self._view, self._known = view, known
        points = {card.bit: n for card, n in options.pack.points.items()}
        self._asks = options.hidden == "ask_reveal"
        if options.partner == "across":
            side = tuple((seat - known.maker) % 2 for seat in range(options.seats))
        else:
            side = tuple(int(seat != known.maker) for seat in range(options.seats))
        self._called = 0
        if options.partner == "called" and hand.called is not None:
            if hand.partner is None:
                self._called = hand.called.bit
            else:
                side = tuple(int(s not in (known.maker, hand.partner)) for s in range(4))
        exhausts = options.exhausted and not hand.bids_all_tricks
        self.rules = WorldRules(points, side, self._asks, exhausts, options.last_trick)
        private = {(number, seat): card.bit for number, seat, card in view.known}
        self._won: list[int] = [0] * options.seats
        self._laid: list[tuple[Seat, Seat]] = []
        """Who laid each card that this seat does not know, and who won it."""
        self._partner: Seat | None = None
        """Who has played the card that was called, if this seat alone knows it."""
        for number, trick in enumerate(hand.completed_tricks):
            winner = trick.winner or 0
            for play in trick.plays:
                bit = play.card.bit if play.card else private.get((number, play.seat), 0)
                if bit:
                    self._won[winner] += points[bit]
                    if bit == self._called:
                        self._partner = play.seat
                else:
                    self._laid.append((play.seat, winner))

    def table(self, world: World) -> WorldPlay:
        """The world as it stands at this view."""
        hand, known, rules = self._view.hand, self._known, self.rules
        if self._called:
            rules = self._rules_with(world)
        won = [0, 0]
        for seat, points in enumerate(self._won):
            won[rules.side[seat]] += points
        for (_, winner), card in zip(self._laid, world.laid, strict=True):
            won[rules.side[winner]] += rules.points[card]
        plays = [(put.seat, card) for put, card in zip(known.trick, world.trick, strict=True)]
        indicator, dead = world.indicator, 0
        for put, card in zip(known.trick, world.trick, strict=True):
            if put.indicator and hand.trump is None:
                # A cut that still lies face down counts as played: trumps open with the trick.
                indicator = -card
        if self._asks and plays:
            led = SUIT_CARDS[SUIT_NUMBER[hand.led]] if hand.led else 0
            early = plays if hand.trump is None else plays[: hand.dead_plays]
            dead = sum(card for _, card in early if not card & led)
        return WorldPlay(
            rules,
            list(world.hands),
            indicator,
            SUIT_CARDS[world.trump],
            known.maker,
            hand.leader,
            plays,
            (won[0], won[1]),
            first=known.first,
            opens=known.opening,
            stuck=bool(known.exhausts and known.exhausted >> world.trump & 1),
            dead=dead,
            pile=world.pile if hand.options.stock == "draw" else (),
        )

    def aim(self, table: WorldPlay) -> int:
        """The points that the trump maker's side needs, with what marriages add or take."""
        wanted = self._view.hand.bid
        for seat, suit in self._view.hand.marriages:
            worth = 40 if suit is self._view.hand.trump else 20
            wanted += worth if table.side[seat] else -worth
        return wanted

    def _rules_with(self, world: World) -> WorldRules:
        """The rules where the partner is the player who holds the card that was called."""
        partner = self._partner
        played = [(seat, card) for (seat, _), card in zip(self._laid, world.laid, strict=True)]
        played += [
            (put.seat, card) for put, card in zip(self._known.trick, world.trick, strict=True)
        ]
        for seat, cards in (*enumerate(world.hands), *played):
            if cards & self._called:
                partner = seat
        usual = self.rules
        side = tuple(int(s not in (self._known.maker, partner)) for s in range(len(world.hands)))
        return WorldRules(usual.points, side, usual.asks, usual.exhausts, usual.last)
