"""The teacher: what every choice of a moment was worth, by what the player could know then.

Responsible for the chance to make the bid and the expected tokens of each choice, and for the
regret of the one that was made. Choices before the first lead are tried by before_play.py, those in
play by in_play.py. It sees a view and nothing else, and the same view gives the same figures: deals
are counted, time is not. Its sentences are phrases.py's.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, stdev

from p2p304.bots.club import ClubBot
from p2p304.bots.teacher import before_play
from p2p304.bots.teacher.in_play import trial
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, LayTrump, Play, Reveal
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import Seat
from p2p304.rules.play.view import View, legal

DEALS = 300
"""Deals that are tried for a hint, and for the same moment once the hand is over: one card has one
figure."""
EARLY_DEALS = 200
"""The most deals that are tried before the first lead: each is played whole, some several times."""
EXACT_DEALS = 150
"""The most deals that are tried where each is solved: that takes longer, and says more."""
LEAST_REGRET, LEAST_POINTS = 0.3, 1.0
"""Tokens, or points of the match: what a choice costs at least to be worth a word."""
CERTAINTY = 2.0
"""So many standard errors must lie between two choices, or the difference can be chance."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What could be done; in how many of the deals the bid is ``made`` after it, and what this seat
    then gains in each, in tokens (or points of the match)."""

    action: Action
    made: int
    gains: tuple[int, ...]

    @property
    def tokens(self) -> float:
        return fmean(self.gains)


@dataclass(frozen=True)
class Evaluation:
    """What the choices of one moment are worth. ``taken`` is the place of the one that was made,
    ``defends`` says that the seat plays against the bid, and ``without`` in how many deals another
    seat has no card of a suit. What costs less than ``least`` is not worth a word."""

    seat: Seat
    bid: int
    deals: int
    defends: bool
    choices: tuple[Choice, ...]
    taken: int | None
    without: Mapping[tuple[Seat, Suit], int]
    least: float = LEAST_REGRET

    @cached_property
    def ranked(self) -> tuple[Choice, ...]:
        """The choices, the best first; of equal ones the one that was made."""
        made = None if self.taken is None else self.choices[self.taken]
        return tuple(sorted(self.choices, key=lambda one: (-sum(one.gains), one is not made)))

    @property
    def best(self) -> Choice:
        return self.ranked[0]

    @property
    def sensible(self) -> Choice:
        """The choice that was made, or where that is a mistake the best one."""
        return self.best if self.taken is None or self.is_mistake else self.choices[self.taken]

    @property
    def regret(self) -> float:
        """How many tokens the choice that was made costs, beside the best one; 0 if it is best."""
        taken = self.choices[self.taken] if self.taken is not None else self.best
        return self.best.tokens - taken.tokens

    @property
    def is_mistake(self) -> bool:
        """Whether the choice costs enough to be worth a word, and more than chance explains."""
        if self.taken is None or self.regret < self.least:
            return False
        return self.is_clearly_better(self.best, self.choices[self.taken])

    def is_clearly_better(self, one: Choice, other: Choice) -> bool:
        """Whether the one choice is worth more than the other, and more than chance explains."""
        if self.deals < 2:
            return False
        gaps = [more - less for more, less in zip(one.gains, other.gains, strict=True)]
        return fmean(gaps) > 0 and fmean(gaps) >= CERTAINTY * stdev(gaps) / self.deals**0.5


def evaluate(
    view: View,
    taken: Action | None = None,
    deals: int = DEALS,
    shown: Collection[tuple[Seat, Suit]] = (),
) -> Evaluation | None:
    """Return what the choices of this moment are worth, by ``deals`` that fit the view; None if
    there is nothing to choose. A marriage among those ``shown`` later is no choice here. Raises
    LookupError for a hand that the search does not know."""
    hand = view.hand
    if hand.turn == view.seat and hand.phase in before_play.PHASES:
        return _before_play(view, taken, min(deals, EARLY_DEALS))
    if hand.phase is not Phase.PLAY or hand.turn != view.seat:
        return None
    found = trial(view, taken, deals, EXACT_DEALS, shown)
    if found is None:
        return None
    choices = [Choice(one, *outcome) for one, outcome in found.choices]
    return _evaluation(view, found.deals, found.defends, choices, taken, found.without)


def _before_play(view: View, taken: Action | None, deals: int) -> Evaluation | None:
    if len(legal(view)) < 2:
        return None
    choices = [
        Choice(one, sum(made for made, _ in found), tuple(gain for _, gain in found))
        for one, found in before_play.outcomes(view, deals, taken)
    ]
    if taken is not None and _place([one.action for one in choices], taken) is None:
        raise LookupError("this choice is not known to the search")
    return _evaluation(view, deals, False, choices, taken, {})


def _evaluation(
    view: View,
    deals: int,
    defends: bool,
    choices: Sequence[Choice],
    taken: Action | None,
    without: Mapping[tuple[Seat, Suit], int],
) -> Evaluation:
    options, chosen = view.hand.options, _place([one.action for one in choices], taken)
    least = LEAST_POINTS if options.score == "online" else LEAST_REGRET
    found = tuple(choices)
    return Evaluation(view.seat, view.hand.bid, deals, defends, found, chosen, without, least)


def advised(view: View) -> tuple[Action, Evaluation | None]:
    """What a hint advises here, and why: the card that is worth most, of equal ones the club
    player's. Before the first lead, where quick play is less sure, that player's choice unless it
    is a mistake; and where nothing is found, too."""
    usual, found = ClubBot().choose(view), None
    with suppress(LookupError):
        found = evaluate(view, usual)
    if found is None:
        return usual, None
    return (found.best if view.hand.phase is Phase.PLAY else found.sensible).action, found


def hint_action(view: View) -> Action:
    """The action alone: what is done for a player whose time is up (``timeout``)."""
    return advised(view)[0]


def _place(actions: Sequence[Action], taken: Action | None) -> int | None:
    """Where the action that was done stands; how a card was laid down does not matter, and of an
    indicator only its suit."""
    for place, one in enumerate(actions):
        match one, taken:
            case (Play(card=card), Play(card=other)) if card is other:
                return place
            case (LayTrump(card=card), LayTrump(card=other)) if card and other:
                if card.suit is other.suit:
                    return place
            case (Reveal(), Reveal()) | (acts.Open(), acts.Open()) | (acts.Redeal(), acts.Redeal()):
                return place
            case _ if before_play.is_same(one, taken):
                return place
    return None
