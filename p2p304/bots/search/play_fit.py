"""How well the plays so far fit a world.

Responsible for the weight of a world, softly: with those cards, a club player (club_play.py) would
have played so, and others often play alike. What cannot be is worlds.py's.
"""

from __future__ import annotations

from p2p304.bots.search.club_play import club_card
from p2p304.rules.caps.bitboard import SUIT_CARDS
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.play.view import View
from p2p304.rules.worlds.position import World
from p2p304.rules.worlds.world_play import WorldPlay, WorldRules

OTHERWISE = 0.25
"""How likely a play is that a club player would not have made, against one that it would."""


class PlayFit:
    """The plays of one view. ``rules`` are those of its worlds."""

    def __init__(self, view: View, known: Knowledge, rules: WorldRules) -> None:
        self._hand, self._known, self._rules, self._seat = view.hand, known, rules, view.seat
        self._knows = view.hand.options.hidden == "face_down" and (
            view.hand.options.partner == "across"
        )
        private = {(number, seat): card.bit for number, seat, card in view.known}
        # Seat and card, 0 where this seat does not know it, and whether it is the indicator.
        self._plays = [
            (
                play.seat,
                play.card.bit if play.card else private.get((number, play.seat), 0),
                play.indicator,
            )
            for number, trick in enumerate(view.hand.completed_tricks)
            for play in trick.plays
        ]

    def weight(self, world: World) -> float:
        """1 where every play is a club player's; so much less for each that is not."""
        if not self._knows:
            return 1.0
        hand, maker = self._hand, self._known.maker
        laid = iter(world.laid)
        plays = [(seat, card or next(laid), lies) for seat, card, lies in self._plays]
        plays += [
            (put.seat, card, put.indicator)
            for put, card in zip(self._known.trick, world.trick, strict=True)
        ]
        hands, indicator = list(world.hands), world.indicator
        for seat, card, lies in plays:
            if lies:
                indicator = card
            else:
                hands[seat] |= card
        if not hand.closed:
            indicator = 0
        elif not indicator and hand.indicator is not None:
            indicator = hand.indicator.bit  # shown, and taken up
        hands[maker] &= ~indicator
        closed, options = indicator != 0, hand.options
        table = WorldPlay(
            self._rules,
            hands,
            indicator,
            SUIT_CARDS[world.trump],
            maker,
            hand.first_leader,
            [],
            (0, 0),
            first=closed,
            opens=closed and options.open_after_250 and hand.bid >= options.second,
        )
        weight = 1.0
        for seat, card, _ in plays:
            able = table.legal(seat)
            if seat != self._seat and able & (able - 1) and club_card(table, seat, able) != card:
                weight *= OTHERWISE
            table.play(seat, card)
        return weight
