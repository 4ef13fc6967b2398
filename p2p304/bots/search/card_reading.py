"""What a player's earlier plays say of the cards that it still holds.

Responsible for soft conclusions from sensible play: with a better card for that trick, the player
would have played it. A player may play otherwise, so nothing is ruled out. What cannot be is
worlds.py's, and what the bids say inference.py's.
"""

from __future__ import annotations

from p2p304.rules.caps.bitboard import SUIT_CARDS, SUIT_NUMBER, each
from p2p304.rules.core.seats import Seat
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play.view import View

HELD_BACK = 0.25
"""How likely a player held a card that was better to play, against one that tells nothing."""
WORTH_A_TRUMP = 10
"""Points in a trick for which a player cuts."""


def likely_holders(view: View, unseen: int) -> dict[int, list[float]]:
    """Return how likely each seat holds a card, for those of the ``unseen`` cards of which a play
    says something. Empty where partners do not sit across."""
    found: dict[int, list[float]] = {}
    if view.hand.options.partner != "across":
        return found
    seats, reading = view.hand.options.seats, _Reading(view)
    for number, trick in enumerate(view.hand.tricks):
        reading.read(number, trick)
    for seat, cards, before in reading.clues:
        if seat == view.seat or cards & sum(reading.played[seat][before:]):
            continue  # it held such a card, and plays otherwise
        for one in each(cards & unseen):
            found.setdefault(one, [1.0] * seats)[seat] *= HELD_BACK
    return found


class _Reading:
    """One pass over the tricks. A clue is a seat, the cards that it hardly held, and how many cards
    it had played then."""

    def __init__(self, view: View) -> None:
        self.clues: list[tuple[Seat, int, int]] = []
        self.played: list[list[int]] = [[] for _ in range(view.hand.options.seats)]
        self._known = {(number, seat): card.bit for number, seat, card in view.known}
        self._points = {card.bit: n for card, n in view.hand.options.pack.points.items()}
        self._left = sum(self._points)
        trump = view.hand.trump
        self._trump = 0 if trump is None else SUIT_CARDS[SUIT_NUMBER[trump]]

    def read(self, number: int, trick: Trick) -> None:
        led = SUIT_CARDS[SUIT_NUMBER[trick.led]] if trick.led else 0
        best, winner, total, down = 0, trick.leader, 0, set[Seat]()
        for place, play in enumerate(trick.plays):
            seat = play.seat
            card = play.card.bit if play.card else self._known.get((number, seat), 0)
            wins = self._beats(card, best, led)
            if not place:
                better = self._better_lead(card)
            elif not card or play.indicator or wins:
                better = 0
            else:
                last = place == len(self.played) - 1
                friend = (winner - seat) % 2 == 0
                cut = any((other - seat) % 2 for other in down)  # perhaps: it lies face down
                if friend and not cut and (last or best & self._tops()):
                    better = self._worth_giving(card, led)
                else:
                    better = self._worth_less(card, led)
                    if not friend and not cut:
                        better |= self._winning(card, best, led, last, total)
            if better:
                self.clues.append((seat, better, len(self.played[seat])))
            if card:
                self.played[seat].append(card)
                total += self._points[card]
            if play.down:
                down.add(seat)
            elif wins:
                best, winner = card, seat
        self._left &= ~sum(play.card.bit for play in trick.plays if play.card)

    def _beats(self, card: int, best: int, led: int) -> bool:
        if card & self._trump:
            return not best & self._trump or card > best
        return bool(card & led) and not best & self._trump and card > best

    def _better_lead(self, card: int) -> int:
        """A master of a plain suit. What was led instead tells little of the rest."""
        tops = self._tops()
        return 0 if card & tops else tops & ~self._trump

    def _worth_giving(self, card: int, led: int) -> int:
        """To a trick that the partner wins: cards of more points, but no masters."""
        worth = self._points[card]
        richer = sum(one for one, points in self._points.items() if points > worth)
        return richer & (led if card & led else ~led) & ~self._tops()

    def _worth_less(self, card: int, led: int) -> int:
        """To a trick that is lost: cards of fewer points."""
        return self._poorer(card) & (led if card & led else ~led)

    def _winning(self, card: int, best: int, led: int, last: bool, total: int) -> int:
        """What would have won the trick: a trump, a master, for the last player any card."""
        above = ~(2 * best - 1)
        if not card & led:
            cuts = self._trump & ~led
            return 0 if total < WORTH_A_TRUMP else cuts & above if best & cuts else cuts
        if best & self._trump & ~led:
            return 0
        return led & above & (-1 if last else self._tops())

    def _tops(self) -> int:
        """The master of each suit: the highest card that was not seen in an earlier trick."""
        left = [self._left & suit for suit in SUIT_CARDS]
        return sum(1 << suit.bit_length() - 1 for suit in left if suit)

    def _poorer(self, card: int) -> int:
        worth = self._points[card]
        return sum(one for one, points in self._points.items() if points < worth)
