"""The moves of a transcript that were clearly worse than another, hand by hand.

Responsible for going through a transcript with the teacher (bots/search/teacher.py). It judges each
card by what its player could know then, and only in hands that are over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from p2p304.bots.search.teacher import evaluate
from p2p304.bots.search.teacher_phrases import better
from p2p304.log.faults import Refused
from p2p304.offline.teacher.own_views import OwnView
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.table.state.events import Acted, HandBegan, HandOver, Seated
from p2p304.table.transition.replay import Replay
from p2p304.ui.fullscreen.model.cards_then import is_whole, taken, view_then


@dataclass(frozen=True, slots=True)
class Mistake:
    """A card that cost ``regret`` tokens on average: its trick (from 1), its seat, and what would
    have been better."""

    trick: int
    seat: Seat
    regret: float
    told: Phrase


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """One hand of the players ``nicks``: how many moves were judged, and how many could not be."""

    nicks: tuple[str, ...]
    number: int
    judged: int
    unjudged: int
    mistakes: tuple[Mistake, ...]


@dataclass(frozen=True, slots=True)
class _Moment:
    hand: Hand
    own: View | None


def judged_hands(
    data: bytes,
    key: bytes | None = None,
    own_view: OwnView = lambda state, place: None,
    on_hand: Callable[[int], None] = lambda number: None,
) -> Iterator[JudgedHand]:
    """Yield what the teacher finds in every hand that is over, up to the end or to a false entry:
    moves of the player with this key, or of all. ``own_view`` is as for a replay; ``on_hand`` is
    told the number of a hand before its search. Raises Unreadable."""
    seat: Seat | None = None
    nicks: tuple[str, ...] = ()
    moments: list[_Moment] = []
    try:
        for replayed in Replay(data):
            for event in replayed.events:
                match event:
                    case Seated(nicks=nicks, keys=keys):
                        if key is not None:
                            seat = keys.index(key) if key in keys else len(keys)
                    case HandBegan():
                        moments = []
                    case Acted(hand=hand):
                        moments.append(_Moment(hand, own_view(replayed.state, replayed.seq)))
                    case HandOver(number=number) if moments:
                        on_hand(number)
                        yield _judged(nicks, number, moments, seat)
                        moments = []
    except Refused:
        return


def _judged(
    nicks: tuple[str, ...], number: int, moments: list[_Moment], only: Seat | None
) -> JudgedHand:
    """Judge the cards of one seat, or of all, in a hand that has ended."""
    final = moments[-1].hand
    judged = unjudged = 0
    mistakes = []
    for moment in moments:
        then, own = moment.hand, moment.own
        if then.phase is not Phase.PLAY or then.turn is None or only not in (None, then.turn):
            continue
        last = next((one.own for one in reversed(moments) if one.own is not None), None)
        action = taken(final, then, last)
        if own is None or own.seat != then.turn or len(own.hand.history) != len(then.history):
            own = view_then(final, then, then.turn)
        if action is None or not is_whole(own):
            unjudged += 1
            continue
        try:
            found = evaluate(own, action)
        except (LookupError, ValueError):  # kept cards of a damaged file may fit no deal
            unjudged += 1
            continue
        judged += 1
        if found is not None and found.is_mistake:
            told = better(found, own)
            mistakes.append(Mistake(then.completed_count + 1, then.turn, found.regret, told))
    return JudgedHand(nicks, number, judged, unjudged, tuple(mistakes))
