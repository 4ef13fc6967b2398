"""The moves of a transcript that were clearly worse than another, hand by hand.

Responsible for what the teacher (bots/teacher/evaluation.py) says of a hand that is over, for every
screen, page and figure alike. It judges each choice by what its player could know then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from p2p304.bots.teacher.before_play import PHASES
from p2p304.bots.teacher.evaluation import LEAST_REGRET, evaluate
from p2p304.bots.teacher.phrases import better, better_caps
from p2p304.log.faults import Refused
from p2p304.offline.teacher.own_views import OwnView
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.settlement import with_right_caps
from p2p304.rules.play.view import View
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.table.state.events import Acted, HandBegan, HandOver, Seated
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.wording import hand_number
from p2p304.ui.fullscreen.model.cards_then import Views, decision, decisions
from p2p304.ui.fullscreen.model.judgement import Judgement, Unjudged


@dataclass(frozen=True, slots=True)
class JudgedHand:
    """One hand of the players ``nicks``, by its deal, which may not count (``void``): how many
    moves were judged, whose could not be and why, and what would have been better."""

    nicks: tuple[str, ...]
    deal: int
    void: bool
    judged: int
    unjudged: Counter[tuple[Seat, Unjudged]]
    mistakes: tuple[Judgement, ...]


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
    views, final, void = dict[int, View](), None, list[int]()
    try:
        for replayed in Replay(data):
            view = own_view(replayed.state, replayed.seq)
            if view is not None:
                views[len(view.hand.history)] = view
            for event in replayed.events:
                match event:
                    case Seated(nicks=nicks, keys=keys):
                        if key is not None:
                            seat = keys.index(key) if key in keys else len(keys)
                    case HandBegan():
                        views, final = {}, None
                    case Acted(hand=hand):
                        final = hand
                    case HandOver(number=deal, result=result) if final is not None:
                        on_hand(hand_number(deal, void))
                        yield judged_hand(nicks, deal, final, result, views, seat)
                        views, final = {}, None
                        void += [deal] if result.void else []
    except Refused:
        return


def judged_hand(
    nicks: tuple[str, ...],
    deal: int,
    final: Hand,
    result: Result,
    views: Views,
    only: Seat | None,
    own: frozenset[Card] = frozenset(),
) -> JudgedHand:
    """Judge the choices of one seat, or of all, in a hand that has ended."""
    found = [
        _judged(final, then, view, action)
        for then, view, action in decisions(final, views, own)
        if only in (None, then.turn)
    ]
    called = judged_caps(final, result)
    if called is not None and only in (None, called.seat):
        found.append(called)
    moves = [one for one in found if one is not None]
    unjudged = Counter((one.seat, one.why) for one in moves if one.why is not None)
    mistakes = tuple(one for one in moves if one.told is not None)
    judged_count = len(moves) - unjudged.total()
    return JudgedHand(nicks, deal, result.void, judged_count, unjudged, mistakes)


def judged(final: Hand, then: Hand, views: Views, result: Result) -> Judgement | None:
    """Judge the choice at the moment ``then`` of a hand that ended as ``final``, at its end the
    call of Caps; None where there was none, or the teacher looks at no such choice."""
    if then.turn is None:
        return judged_caps(final, result)
    return _judged(final, then, *decision(final, then, views))


def _judged(final: Hand, then: Hand, view: View | None, action: Action | None) -> Judgement | None:
    done, seat = len(then.history), then.turn
    if then.phase not in (Phase.PLAY, *PHASES) or seat is None or done >= len(final.history):
        return None
    if final.history[done].seat != seat:
        return None
    if action is None or view is None:
        early = then.phase in (Phase.BID4, Phase.TRUMP4)
        return Judgement(seat, Unjudged.FIRST if early else Unjudged.CARDS)
    try:
        found = evaluate(view, action, shown=final.marriages)
    except LookupError:
        return Judgement(seat, Unjudged.DEALS)
    except ValueError:  # kept cards of a damaged file may fit no deal
        return Judgement(seat, Unjudged.CARDS)
    if found is None or not found.is_mistake:
        return Judgement(seat)
    trick = then.completed_count + 1 if then.phase is Phase.PLAY else None
    return Judgement(seat, None, better(found, view), found.regret, trick)


def judged_caps(final: Hand, result: Result) -> Judgement | None:
    """Judge the call of Caps, or that there was none, in a hand that ended so; None where nothing
    was to be called."""
    ruling = result.caps
    if ruling is None:
        return None
    account = final.options.account(ruling.by)
    regret = with_right_caps(final, ruling)[account] - result.tokens[account]
    if ruling.verdict == "correct" or regret < LEAST_REGRET:
        return Judgement(ruling.by)
    return Judgement(ruling.by, None, better_caps(ruling, regret), regret)
