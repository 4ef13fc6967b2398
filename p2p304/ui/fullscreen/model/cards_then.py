"""What a seat held at a moment of a hand that is over, as far as its cards were shown later.

Responsible for that look back, from what the screen may show alone (``face_down.after``), and for
what was then done. The public states of the hand are played again from what was said and played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

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

Views = Mapping[int, View]
"""What this player knew in a hand, by how many of its actions were done."""


def view_then(
    final: Hand,
    then: Hand,
    seat: Seat,
    own: frozenset[Card] = frozenset(),
    last: View | None = None,
) -> View:
    """The view of ``seat`` at the moment ``then`` of the hand that ended as ``final``. ``own`` are
    cards that it held, and ``last`` is its last view: they tell what nobody else saw. Before the
    second batch is out the view holds that batch too: nobody knows which cards came first."""
    shown = _known_plays(final, last)
    done = [n for n, trick in enumerate(then.tricks) if trick.by(seat) is not None]
    cards = (seen_cards(final, seat) | own) - {shown.get((n, seat)) for n in done}
    indicator = final.indicator
    if indicator is None and last is not None:
        indicator = last.indicator
    if not then.has_lying_indicator(seat):
        indicator = None
    places = sorted(known_places(then, seat))
    known = tuple((n, other, shown[n, other]) for n, other in places if (n, other) in shown)
    return View(seat, then, frozenset(c for c in cards if c is not indicator), indicator, known)


def _known_plays(final: Hand, last: View | None) -> dict[tuple[int, Seat], Card]:
    """The cards played, by trick (from 0) and seat, as far as they were seen or ``last`` knew."""
    found = {} if last is None else {(n, seat): card for n, seat, card in last.known}
    return found | {(n, play.seat): play.card for n, play in final.numbered_plays if play.card}


def is_whole(view: View) -> bool:
    """Whether every card of the view is known, and every card laid face down that its seat knew."""
    hand, seat = view.hand, view.seat
    known = view.indicator is not None or not hand.has_lying_indicator(seat)
    known = known and len(view.known) == len(known_places(hand, seat))
    return known and len(view.cards) == hand.cards_left(seat)


def decisions(
    final: Hand, views: Views, own: frozenset[Card] = frozenset()
) -> Iterator[tuple[Hand, View | None, Action | None]]:
    """Yield every moment of a finished hand at which a seat had to choose, with `decision`."""
    hand = final.restarted()
    for action in final.history:
        if hand.turn is not None:
            yield hand, *decision(final, hand, views, own)
        try:
            hand = engine.apply(hand, acts.public(action))
        except RuleBroken:  # the hand ended otherwise, as where a player left
            return


def decision(
    final: Hand, then: Hand, views: Views, own: frozenset[Card] = frozenset()
) -> tuple[View | None, Action | None]:
    """What the seat on turn at the moment ``then`` knew, None where not all of that is known, and
    what it did. ``own`` are all cards that this player has held."""
    seat, done = then.turn, len(then.history)
    last = views[max(views)] if views else None
    last = last if last is not None and last.seat == seat else None
    if last is not None:  # what is opened for the count is not among what it knows then
        places = {one[:2]: one for n in sorted(views) for one in views[n].known}
        last = replace(last, known=tuple(places.values()))
    action = taken(final, then, last)
    if seat is None:
        return None, None
    if last is not None and isinstance(action, acts.LayTrump):
        lying = (views[n].indicator for n in sorted(views) if n > done)
        action = acts.LayTrump(seat, next((card for card in lying if card is not None), None))
    known = views.get(done)
    if isinstance(action, acts.Exchange) and action.cards is None:
        is_own = known is not None and known.seat == seat
        after = [views[n] for n in sorted(views) if n > done]
        action = _laid_away(known, after) if known is not None and is_own else None
    if known is not None and known.seat == seat:
        return known if is_whole(known) else None, action
    later = [one for one in final.history[done:] if one.seat == seat]
    is_laid_again = any(isinstance(one, acts.LayTrump) for one in later)
    if (
        # Nobody else knows which cards were the first, were laid away, or lay on the table.
        then.phase in (Phase.BID4, Phase.TRUMP4)
        or any(isinstance(one, acts.Exchange) for one in later)
        or (then.has_lying_indicator(seat) and is_laid_again)
    ):
        return None, action
    view = view_then(final, then, seat, own if last is not None else frozenset(), last)
    return view if is_whole(view) else None, action


def _laid_away(before: View, later: Sequence[View]) -> Action | None:
    """The exchange with its cards: those that this player held, and then no more."""
    if not later:
        return None
    after = later[0].cards | ({later[0].indicator} if later[0].indicator is not None else set())
    gone = tuple(sorted(before.cards - after, key=lambda card: card.bit))
    return acts.Exchange(before.seat, gone) if gone else None


def taken(final: Hand, then: Hand, last: View | None = None) -> Action | None:
    """What the seat on turn at the moment ``then`` did, with the card that came to light later, or
    that the seat knew at the ``last``; None if the hand ended there, or the card is not known."""
    done = len(then.history)
    if then.turn is None or len(final.history) <= done:
        return None
    action = final.history[done]
    if isinstance(action, Play) and action.card is None:
        known = _known_plays(final, last if last is not None and last.seat == then.turn else None)
        card = known.get((then.completed_count, then.turn))
        return None if card is None else Play(action.seat, card, action.down, action.indicator)
    if isinstance(action, acts.LayTrump) and action.card is None:
        is_last = not any(isinstance(one, acts.LayTrump) for one in final.history[done + 1 :])
        action = acts.LayTrump(action.seat, final.indicator if is_last else None)
    return action if action.seat == then.turn else None
