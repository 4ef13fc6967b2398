"""What a seat held at a moment of a hand that is over, as far as its cards were shown later.

Responsible for that look back, from what the screen may show alone (``face_down.after``).
"""

from __future__ import annotations

from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.ui.fullscreen.model.result_lines import seen_cards


def view_then(final: Hand, then: Hand, seat: Seat) -> View:
    """The view of ``seat`` at the moment ``then`` of the hand that ended as ``final``. Before the
    second batch is out it holds that batch too: nobody knows which cards came first."""
    cards = seen_cards(final, seat)
    plays = [play for trick in final.tricks if (play := trick.by(seat)) is not None]
    done = sum(trick.by(seat) is not None for trick in then.tricks)
    cards -= {play.card for play in plays[:done] if play.card is not None}
    indicator = final.indicator if then.has_lying_indicator(seat) else None
    return View(seat, then, frozenset(cards - {indicator}), indicator)


def is_whole(view: View) -> bool:
    """Whether every card of the view is known."""
    lies = view.hand.has_lying_indicator(view.seat)
    known = view.indicator is not None or not lies
    return known and len(view.cards) == view.hand.cards_left(view.seat)
