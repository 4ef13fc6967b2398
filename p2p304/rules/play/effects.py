"""What play does to a hand: a card joins the trick, trumps are shown, a trick is complete.

Responsible for the changes. What is allowed is left to rules/legality/public_checks.py and
rules/legality/own_card_checks.py. When the last trick is complete, counting.py goes on.
"""

from __future__ import annotations

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.tricks import Trick, winner, with_cards
from p2p304.rules.play import counting
from p2p304.rules.state.hand import Hand


def play_card(hand: Hand, action: Play) -> None:
    """A card to the trick, as the table sees it."""
    card, plays = action.card, hand.plays
    if action.indicator:
        hand.indicator_down = False
        if card is not None:
            show_indicator(hand, card)
            hand.dead_plays = len(plays) if hand.options.hidden == "ask_reveal" else 0
    if card is not None:
        hand.face_up_bits |= card.bit
        if not plays:
            hand.led = card.suit
    hand.asker = None
    plays = hand.plays = (*plays, action)
    if len(plays) < len(hand.playing):
        hand.turn = hand.next_seat[action.seat]
    elif _is_announcement_due(hand):
        hand.phase, hand.turn = Phase.ANNOUNCE, hand.maker
    else:
        complete_trick(hand)


def show_indicator(hand: Hand, card: Card) -> None:
    """The indicator is seen by all; from now on trumps are open."""
    hand.indicator, hand.trump, hand.indicator_down = card, card.suit, False


def _is_announcement_due(hand: Hand) -> bool:
    if hand.trump is not None or hand.options.hidden != "face_down":
        return False
    others = any(p.down and (p.seat != hand.maker or p.indicator) for p in hand.plays)
    return others or hand.must_show_after_first


def announce(hand: Hand, action: acts.Announce) -> None:
    """The trump maker's word: cards turned up and the indicator shown, if there was a cut."""
    cards = dict(action.revealed)
    if action.indicator is not None:
        if any(p.indicator for p in hand.plays):
            cards[action.seat] = action.indicator
        show_indicator(hand, action.indicator)
    for card in cards.values():
        hand.face_up_bits |= card.bit
    hand.phase = Phase.PLAY
    hand.plays = with_cards(hand.plays, cards)
    complete_trick(hand)


def complete_trick(hand: Hand) -> None:
    """The present trick, complete, has a winner, who leads next."""
    plays, dead_plays = hand.plays, hand.dead_plays
    won_by = winner(plays, dead_plays, hand.trump, hand.options.pack)
    trick = Trick(plays[0].seat, plays, won_by, dead_plays)
    hand.completed_tricks = (*hand.completed_tricks, trick)
    hand.plays, hand.led, hand.dead_plays, hand.turn = (), None, 0, won_by
    if len(hand.completed_tricks) == hand.tricks_due:
        counting.continue_count(hand)


def ask_for_trumps(hand: Hand, action: acts.Reveal) -> None:
    """Trumps are asked for: the trump maker shows the indicator, then the asker plays."""
    hand.phase, hand.asker, hand.turn = Phase.SHOW, action.seat, hand.maker


def show_on_demand(hand: Hand, action: acts.Show) -> None:
    """The indicator is shown and taken up; plays to this trick so far cut nothing."""
    show_indicator(hand, action.card)
    hand.dead_plays = len(hand.plays)
    hand.phase, hand.turn = Phase.PLAY, hand.asker


def double(hand: Hand, action: acts.Double) -> None:
    hand.doubled = action.seat


def show_marriage(hand: Hand, action: acts.Marriage) -> None:
    hand.marriages = (*hand.marriages, (action.seat, action.suit))
