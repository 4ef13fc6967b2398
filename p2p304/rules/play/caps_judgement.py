"""The judgement of a hand: which seat could have called Caps, since when, what a call was worth.

Responsible for ``caps.due``, ``caps.verdict``, ``caps.side`` and ``caps.failed``. It replays the
public history with all hands as dealt, after the hand. Whether an order must win is left to
caps/solver.py, the payment to settlement.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from p2p304.rules.caps.from_hand import knowledge
from p2p304.rules.caps.knowledge import CapsError, Knowledge
from p2p304.rules.caps.solver import could_call, find_order
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, Seats, say
from p2p304.rules.core.seats import Seat, Side, names, side
from p2p304.rules.legality.public_checks import has_won_all
from p2p304.rules.play import transitions
from p2p304.rules.state.hand import Hand


class Verdict(Enum):
    """What becomes of a side (``caps.verdict``); EARLY: no trick was lost after the call."""

    CORRECT = "correct"
    LATE = "late"
    EARLY = "early"
    FAILED = "failed"
    MISSED = "missed"


@dataclass(frozen=True, slots=True)
class Claim:
    """A call of Caps: ``at`` actions of the history lie before it."""

    seat: Seat
    order: tuple[Card, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Due:
    """From ``at`` actions of the history on ``seat`` could have called, with ``order``."""

    seat: Seat
    at: int
    since: Phrase
    order: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Ruled:
    """A verdict on a side: who called or was due first, when (after ``at`` actions), and since
    when a call was due in words, None if it never was."""

    verdict: Verdict
    by: Seat
    at: int
    since: Phrase | None


def ruling(
    hand: Hand,
    hands: Sequence[frozenset[Card]],
    claim: Claim | None,
    mode: str,
    indicator: Card | None = None,
) -> Ruled | None:
    """The verdict on the side that called, or on the one that missed a call, under ``caps`` =
    ``mode`` (strict, grace, assist, off); two sides cannot both have missed (``caps.verdict``).
    ``hands[seat]`` are all its cards as dealt (the indicator among the trump maker's);
    ``indicator`` need only be given where the hand ended before it was shown or played. Raises
    CapsError where the two do not agree."""
    if mode == "off" or hand.bid >= PCC or hand.closed is None:
        return None
    record = _Record(hand, hands, indicator, claim.at if claim else 0)
    if claim is None:
        return record.missed(0, record.side_due) or record.missed(1, record.side_due)
    return record.verdict(claim, mode == "strict")


def missed_before(
    hand: Hand, hands: Sequence[frozenset[Card]], end: int, mode: str, indicator: Card | None = None
) -> Ruled | None:
    """The side that was due to call when claims ended, after ``end`` actions of the history, and
    could not call on time any more (``playout.claims``). A side that still could is not charged."""
    if mode == "off" or hand.bid >= PCC or hand.closed is None:
        return None
    record = _Record(hand, hands, indicator, end)

    def missed(which: Side) -> Due | None:
        return record.missed_by(which, end, mode == "strict")

    return record.missed(0, missed) or record.missed(1, missed)


class _Record:
    """A hand's moments, with all its cards."""

    def __init__(
        self, hand: Hand, hands: Sequence[frozenset[Card]], indicator: Card | None, until: int = 0
    ) -> None:
        self.hand, self.hands = hand, hands
        self.true = _true_cards(hand, hands)
        shown = (self.true[n, p.seat] for n, p in hand.numbered_plays if p.indicator)
        self.indicator = indicator or hand.indicator or next(shown, None)
        self.moments = dict(_moments(hand, until))

    def first_due(self, seat: Seat, until: int | None = None) -> Due | None:
        """The first moment, up to ``until``, at which this seat could have called.

        A player who could call can still call until playing another card than the order's next:
        what others do only excludes worlds. So the last moment before each own card tells whether
        any since the card before it has to be looked at."""
        for span in self._spans(seat, until):
            if not has_won_all(self.moments[span[-1]], seat):
                return None
            if self._order(span[-1], seat) is None:
                continue
            for at in span:
                order = self._order(at, seat)
                if order is not None:
                    since = moment(self.moments[at], self.hand.history[at - 1])
                    return Due(seat, at, since, order)
        return None

    def _spans(self, seat: Seat, until: int | None) -> list[list[int]]:
        """The moments, parted where the seat played a card."""
        spans: list[list[int]] = [[]]
        for at in self.moments:
            if until is not None and at > until:
                break
            action = self.hand.history[at - 1]
            if isinstance(action, Play) and action.seat == seat:
                spans.append([])
            spans[-1].append(at)
        return [span for span in spans if span]

    def _order(self, at: int, seat: Seat) -> tuple[Card, ...] | None:
        known = self.known(at, seat)
        return find_order(known) if known.mine else None

    def known(self, at: int, seat: Seat) -> Knowledge:
        """What ``seat`` knew then: as trump maker also what it inspected in settled tricks."""
        now = self.moments[at]
        known: dict[tuple[int, Seat], Card] = {}
        played = set()
        for number, trick in enumerate(now.tricks):
            inspected = seat == now.maker and trick.winner is not None
            for play in trick.plays:
                if play.seat == seat:
                    played.add(self.true[number, seat])
                if play.seat == seat or inspected:
                    known[number, play.seat] = self.true[number, play.seat]
        lying = self.indicator if now.indicator_down and seat == now.maker else None
        return knowledge(now, seat, self.hands[seat] - played, known, lying)

    def _partners(self, which: Side) -> list[Seat]:
        return [seat for seat in range(self.hand.options.seats) if side(seat) == which]

    def side_due(self, which: Side, until: int | None = None) -> Due | None:
        """The first moment, up to ``until``, at which one of this side could have called."""
        dues = [due for s in self._partners(which) if (due := self.first_due(s, until)) is not None]
        return min(dues, key=lambda due: due.at, default=None)

    def missed(self, which: Side, found: Callable[[Side], Due | None]) -> Ruled | None:
        """The verdict on a side that has not called; ``found`` says what was due. A side that owes
        no call (``external``) has missed none."""
        due = found(which) if self.hand.owes_caps(self._partners(which)[0]) else None
        return None if due is None else Ruled(Verdict.MISSED, due.seat, due.at, due.since)

    def missed_by(self, which: Side, end: int, strict: bool) -> Due | None:
        """The first moment at which this side was due, if from the end of claims on, after ``end``
        actions, it could not have called on time any more: its time was over, or its player had
        played another card than the order's next."""
        first = self.side_due(which, end)
        if first is None:
            return None
        in_time = self._strictly if strict else self._in_grace
        later = [at for at in self.moments if at >= end and in_time(first.at, at)]
        partners = self._partners(which)
        can_call = any(self._order(at, seat) is not None for at in later for seat in partners)
        return None if can_call else first

    def verdict(self, claim: Claim, strict: bool) -> Ruled:
        """The verdict on a call (``caps.verdict``)."""
        at = max((moment for moment in self.moments if moment <= claim.at), default=None)
        if at is None:
            raise CapsError("Caps was called before open or closed was chosen")
        if not could_call(self.known(at, claim.seat), claim.order):
            settled = sum(trick.winner is not None for trick in self.moments[at].tricks)
            lost = any(
                trick.winner is not None and side(trick.winner) != side(claim.seat)
                for trick in self.hand.tricks[settled:]
            )
            verdict = Verdict.FAILED if lost else Verdict.EARLY
            return Ruled(verdict, claim.seat, claim.at, None)
        first = self.side_due(side(claim.seat), at)
        if first is None:
            raise LookupError("a call that could be made was due")
        on_time = self._strictly(first.at, at) if strict else self._in_grace(first.at, at)
        verdict = Verdict.CORRECT if on_time else Verdict.LATE
        return Ruled(verdict, claim.seat, claim.at, first.since)

    def _strictly(self, due: int, at: int) -> bool:
        """Before the next card by anyone."""
        return not any(isinstance(action, Play) for action in self.hand.history[due:at])

    def _in_grace(self, due: int, at: int) -> bool:
        """Before the first card of the next trick; before the second trick's, if due before the
        first lead."""
        return len(self.moments[at].tricks) <= max(1, len(self.moments[due].tricks))


def _moments(hand: Hand, until: int) -> Iterator[tuple[int, Hand]]:
    """The hand after so many of its actions, from the choice of open or closed on: at least up to
    ``until``, and for as long as a side has lost no trick."""
    now = hand.restarted()
    for at, action in enumerate(hand.history, start=1):
        if isinstance(action, acts.Count) or _is_last_card(now, action):
            return
        if isinstance(action, acts.Caps | acts.Spoilt):
            continue
        if now.closed is not None:
            now = now.copied()
        transitions.advance(now, action)
        if now.closed is None or now.phase not in (Phase.PLAY, Phase.ANNOUNCE):
            continue
        yield at, now
        winners = {side(t.winner) for t in now.tricks if t.winner is not None}
        if len(winners) == 2 and at >= until:
            return


def _is_last_card(now: Hand, action: Action) -> bool:
    """After the last card of the last trick nobody has a card to call Caps with."""
    is_last_trick = len(now.tricks) == now.tricks_due
    return isinstance(action, Play) and is_last_trick and len(now.plays) + 1 == len(now.playing)


def moment(now: Hand, last: Action) -> Phrase:
    """The moment after ``last`` in words: "before the first lead", "trick 4, after N 8H"."""
    if not now.tricks:
        return say("before the first lead")
    if not isinstance(last, Play):
        return say("trick {n}, after its announcement", n=len(now.tricks))
    who = Seats((last.seat,), names(now.options.seats)[last.seat])
    if last.card is None:
        return say("trick {n}, after {who} a card face down", n=len(now.tricks), who=who)
    return say("trick {n}, after {who} {card}", n=len(now.tricks), who=who, card=last.card)


def _true_cards(hand: Hand, hands: Sequence[frozenset[Card]]) -> dict[tuple[int, Seat], Card]:
    """Every card played, by trick from 0 and seat: those never turned up by what is left over."""
    true = {(n, p.seat): p.card for n, p in hand.numbered_plays if p.card}
    for action in hand.history:
        if isinstance(action, acts.Caps):
            true = {(n, s): card for n, s, card in action.known} | true
    for number, play in hand.numbered_plays:
        if (number, play.seat) not in true:
            mine = {card for (_, seat), card in true.items() if seat == play.seat}
            left = hands[play.seat] - mine
            if len(left) != 1:
                raise CapsError("the cards that were never turned up are not all known")
            true[number, play.seat] = next(iter(left))
    if any(card not in hands[seat] for (_, seat), card in true.items()):
        raise CapsError("a card was played that its seat was not dealt")
    return true
