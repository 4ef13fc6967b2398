"""A lesson as it runs: the rules' own referee with stacked cards, the place, and what is right.

Responsible for the events that a screen gets, the same as at a table without its network and
proofs, and for judging what the learner does. How it looks is page.py's and text.py's.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from p2p304.learn.facts import facts
from p2p304.learn.lesson import LEARNER, Lesson, Step, action_of, words_of
from p2p304.rules.core.actions import Action, Caps, Claim, Count
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play import engine
from p2p304.rules.play.view import check_all, check_claim
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.guidance.choice_phrases import broken_rule, describe
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.reducer import Change, Chosen

OPTIONS = preset("pagat")
OTHERS = ("Bandu", "Chitra", "Dilan", "Eshan")
"""Names of the scripted players; one that the learner has is left out."""
NUMBER = say("Type the number and press Enter.")
GO_ON = say("Press Enter.")
LEGAL = say("The rules allow this, but the lesson goes another way.")


class LessonRun:
    """One lesson at one place. `place` and `advance` return what a screen is told."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.at = 0
        """The number of the step in the whole lesson, from 0."""
        self._places = lesson.places
        self._referee = self._dealt(0)

    @property
    def step(self) -> Step:
        deal, step = self._places[self.at]
        return self.lesson.deals[deal].steps[step]

    @property
    def count(self) -> int:
        return len(self._places)

    @property
    def is_last(self) -> bool:
        return self.at + 1 == self.count

    @property
    def action(self) -> Action | None:
        """The action that the step asks for."""
        step = self.step
        if not step.do:
            return None
        return self._referee.completed(action_of(step.do, LEARNER))

    @property
    def number(self) -> int | None:
        """The number that the step asks for."""
        asked = facts(self._referee)[self.step.ask] if self.step.ask else None
        return asked if isinstance(asked, int) else None

    @property
    def text(self) -> Phrase:
        return self._filled(self.step.text)

    @property
    def wrong(self) -> Phrase | None:
        """The lesson's sentence for a wrong answer."""
        return None if self.step.wrong is None else self._filled(self.step.wrong)

    def answer(self, model: Model) -> Phrase:
        """Return what is to be done, in a few words."""
        action = self.action
        if action is not None:
            what = describe(action, model)
            if isinstance(action, Caps):
                what = say("{what} {cards}", what=what, cards=action.order)
            return say("The answer: {what}.", what=what)
        if self.number is not None:
            return say("The answer: {what}.", what=self.number)
        return GO_ON

    def refusal(self, action: Action) -> Phrase | None:
        """Return why this action is not what the step asks for: the rules' own sentence where they
        forbid it. None: it is right."""
        if self.is_right(action):
            return None
        view = self._referee.view(LEARNER)
        try:
            if isinstance(action, Claim):
                check_claim(view, action)
            else:
                check_all(view, action)
        except RuleBroken as broken:
            return broken_rule(broken)
        return LEGAL

    def is_right(self, action: Action) -> bool:
        """Whether the step asks for this action. A call of Caps may have any order that the rules
        find correct."""
        wanted, referee = self.action, self._referee
        if isinstance(wanted, Caps) and isinstance(action, Caps):
            return _is_correct_call(referee.copied(), action)
        return wanted is not None and referee.completed(action) == wanted

    # What a screen is told

    def model(self, me: str, **further: object) -> Model:
        """Return the model of a table at which all have sat down."""
        others = [name for name in OTHERS if name != me][:3]
        seated = Model(
            me=me,
            stage=Stage.DEALING,
            nicks=(me, *others),
            seat=LEARNER,
            match=Match.start(OPTIONS),
            has_people=False,
            claims=True,
        )
        return replace(seated, **further)  # type: ignore[arg-type]

    def place(self, at: int) -> Iterator[Change]:
        """Go to a step; yield everything from the beginning of its deal, for a screen that shows
        nothing yet."""
        self.at = max(0, min(self.count - 1, at))
        deal, step = self._places[self.at]
        yield from self._begin(deal)
        for done in self.lesson.deals[deal].steps[:step]:
            yield from self._did(done)
        yield from self._turn()

    def advance(self, action: Action | None = None) -> Iterator[Change]:
        """Do this step, by this action if it is given, and go to the next one; at the last step
        only do it."""
        deal, _ = self._places[self.at]
        yield from self._did(self.step, action)
        if self.is_last:
            return
        self.at += 1
        after, _ = self._places[self.at]
        if after != deal:
            yield from self._begin(after)
        yield from self._turn()

    # Inside

    def _filled(self, phrase: Phrase) -> Phrase:
        return phrase.filled(**facts(self._referee))

    def _dealt(self, deal: int) -> Referee:
        stacked = self.lesson.deals[deal]
        return Referee(OPTIONS, stacked.dealer, stacked.cards)

    def _begin(self, deal: int) -> Iterator[Change]:
        stacked = self.lesson.deals[deal]
        self._referee = self._dealt(deal)
        yield events.HandBegan(deal + 1, stacked.dealer)
        yield events.HandSeen(self._referee.view(LEARNER))
        yield from self._script(stacked.before, deal)

    def _did(self, step: Step, action: Action | None = None) -> Iterator[Change]:
        deal = self._places[self.at][0]
        if step.do:
            yield from self._act(action or action_of(step.do, LEARNER), deal)
        yield from self._script(step.then, deal)

    def _script(self, script: str, deal: int) -> Iterator[Change]:
        for word in words_of(script):
            seat = self._referee.hand.turn
            if seat is None:
                raise LookupError("a lesson goes on after the end of its hand")
            yield from self._act(action_of(word, seat), deal)

    def _act(self, action: Action, deal: int) -> Iterator[Change]:
        """One action with its consequences, as a table tells them. The count opens cards for the
        rules alone, and is not told."""
        referee = self._referee
        before = hand = referee.hand
        action = referee.completed(action)
        if action.seat == LEARNER:
            yield Chosen(action)
        after = referee.act(action)
        for done in after.history[len(before.history) :]:
            was, hand = hand, engine.apply(hand, done)
            if not isinstance(done, Count):
                yield events.Acted(done, was, hand)
        if after.batches > before.batches:
            yield events.HandSeen(referee.view(LEARNER))
        if after.result is not None:
            match = Match.start(OPTIONS).after(after.result)
            yield events.HandOver(deal + 1, after.result, match)

    def _turn(self) -> Iterator[Change]:
        if self.step.do:
            yield events.YourTurn(self._referee.view(LEARNER))


def _is_correct_call(referee: Referee, call: Caps) -> bool:
    """Whether the rules find this call of Caps correct; it ends the referee's hand if so."""
    try:
        result = referee.act(call).result
    except RuleBroken:
        return False
    return result is not None and result.caps is not None and result.caps.verdict == "correct"
