"""What a seat held at a moment of a hand that is over, as far as its cards were shown later.

Responsible for that look back, from what the screen may show alone (``face_down.after``), and for
what was then done. The public states of the hand are played again from what was said and played.
"""

from __future__ import annotations

from collections.abc import Iterator

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play import engine
from p2p304.rules.play.claims import known_places
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.ui.fullscreen.model.result_lines import seen_cards


def view_then(final: Hand, then: Hand, seat: Seat, own: frozenset[Card] = frozenset()) -> View:
    """The view of ``seat`` at the moment ``then`` of the hand that ended as ``final``; ``own`` are
    cards that it held and that perhaps nobody saw. Before the second batch is out it holds that
    batch too: nobody knows which cards came first."""
    cards = seen_cards(final, seat) | own
    plays = [play for trick in final.tricks if (play := trick.by(seat)) is not None]
    done = sum(trick.by(seat) is not None for trick in then.tricks)
    cards -= {play.card for play in plays[:done] if play.card is not None}
    indicator = final.indicator if then.has_lying_indicator(seat) else None
    known = tuple(
        (number, other, play.card)
        for number, other in sorted(known_places(then, seat))
        if (play := final.tricks[number].by(other)) is not None and play.card is not None
    )
    return View(seat, then, frozenset(cards - {indicator}), indicator, known)


def is_whole(view: View) -> bool:
    """Whether every card of the view is known, and every card laid face down that its seat knew."""
    hand, seat = view.hand, view.seat
    known = view.indicator is not None or not hand.has_lying_indicator(seat)
    known = known and len(view.known) == len(known_places(hand, seat))
    return known and len(view.cards) == hand.cards_left(seat)


def cards_played(
    final: Hand, seat: Seat, own: frozenset[Card] = frozenset()
) -> Iterator[tuple[View, Action | None]]:
    """Yield every moment of a hand that has ended at which ``seat`` had to play, with what it did;
    ``own`` as in `view_then`."""
    hand = final.restarted()
    for action in final.history:
        if hand.phase is Phase.PLAY and hand.turn == seat:
            yield view_then(final, hand, seat, own), taken(final, hand)
        try:
            hand = engine.apply(hand, acts.public(action))
        except RuleBroken:  # the hand ended otherwise, as where a player left
            return


def taken(final: Hand, then: Hand) -> Action | None:
    """What the seat on turn at the moment ``then`` did, with the card that came to light later;
    None if the hand ended there, or with a card that nobody has seen."""
    done = len(then.history)
    if then.turn is None or len(final.history) <= done:
        return None
    action = final.history[done]
    if isinstance(action, Play) and action.card is None:
        play = final.tricks[then.completed_count].by(then.turn)
        card = None if play is None else play.card
        return None if card is None else Play(action.seat, card, action.down, action.indicator)
    return action if action.seat == then.turn else None
