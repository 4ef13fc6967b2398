"""The teacher: blind to other hands, the same each time, never below zero, right about blunders."""

from __future__ import annotations

import random
from functools import partial

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.series import shuffled
from p2p304.bots.teacher import evaluation as teacher
from p2p304.bots.teacher.evaluation import LEAST_REGRET, Choice, Evaluation, advised, evaluate
from p2p304.bots.teacher.phrases import better, chances_of, danger
from p2p304.puzzles.puzzle import Kind, collection
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Ask, Bid, Pass, Play, Reveal
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import names
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.ui.fullscreen.model.cards_then import decisions
from tests.support.reference.random_hands import dealt


def begun(seed: int, game: str = "pagat", plays: int = 0) -> Referee:
    """A hand of club players after so many cards, of the first deal from ``seed`` on that has a
    bid."""
    while True:
        referee = dealt(preset(game), random.Random(seed), 0)
        while (seat := referee.hand.turn) is not None:
            done = sum(isinstance(one, Play) for one in referee.hand.history)
            if referee.hand.phase is Phase.PLAY and done >= plays:
                return referee
            referee.act(ClubBot().choose(referee.view(seat)))
        seed += 1


def test_it_sees_nothing_but_the_view() -> None:
    """Two deals that look alike to a seat get the same figures for every card."""
    chance, compared = random.Random(5), 0
    for _ in range(12):
        hands = shuffled(preset("pagat"), chance.randrange)
        found: list[Evaluation | None] = []
        for _ in range(2):
            referee = Referee(preset("pagat"), 3, hands)
            while referee.hand.turn is not None and referee.hand.phase is not Phase.PLAY:
                referee.act(ClubBot().choose(referee.view(referee.hand.turn)))
            if referee.hand.turn is None:
                break
            seat = referee.hand.turn
            found.append(evaluate(referee.view(seat), deals=6))
            # What two others hold changes places; neither has said anything that tells.
            a, b = [s for s in range(4) if s not in (seat, referee.hand.maker)][:2]
            hands = [*hands]
            hands[a], hands[b] = [*hands[a][:4], *hands[b][4:]], [*hands[b][:4], *hands[a][4:]]
        if len(found) == 2 and found[0] is not None:
            assert found[0] == found[1]
            compared += 1
    assert compared >= 2


@pytest.mark.parametrize("game", ["pagat", "maharashtra", "online-4", "six-36"])
def test_regret_is_zero_for_the_best_choice_and_never_less(game: str) -> None:
    referee = begun(2, game, plays=5)
    while (seat := referee.hand.turn) is not None and referee.hand.completed_count < 3:
        view, regrets = referee.view(seat), []
        for action in legal(view):
            found = evaluate(view, action, 5) if isinstance(action, Play | Reveal) else None
            if found is not None:
                assert found.taken is not None and found.deals == 5
                assert found.regret >= 0.0 and (found.regret > 0 or not found.is_mistake)
                assert (found.regret == 0.0) is (found.best is found.choices[found.taken])
                regrets.append(found.regret)
        assert not regrets or min(regrets) == 0.0
        referee.act(ClubBot().choose(view))


def test_tokens_follow_from_the_chance_and_the_bid() -> None:
    referee = begun(3, plays=4)
    view = referee.view(referee.hand.leader)
    found = evaluate(view, deals=8)
    assert found is not None
    won, lost = won_and_lost(preset("pagat"), view.hand.bid)
    for one in found.choices:
        ours = (won * one.made - lost * (8 - one.made)) / 8
        assert one.tokens == pytest.approx(-ours if found.defends else ours)


@pytest.mark.parametrize("number", [1, 5, 11])
def test_the_wrong_card_of_a_puzzle_is_a_mistake_and_the_right_one_is_none(number: int) -> None:
    puzzle = collection()[number - 1]
    assert puzzle.kind is not Kind.CAPS
    referee = puzzle.position()
    seat = referee.hand.turn
    assert seat is not None
    view = referee.view(seat)
    for word in puzzle.reaches:
        found = evaluate(view, notation.parse(f"{names(4)[seat]} {word}", 4), 60)
        assert found is not None and found.is_mistake is (word != puzzle.answer)
        if found.is_mistake:
            assert found.regret >= LEAST_REGRET
            told = str(better(found, view))
            assert puzzle.answer in told and f"It costs {found.regret:.1f} tokens." in told


def test_a_hint_is_the_best_card_and_of_equal_ones_the_club_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(teacher, "evaluate", partial(evaluate, deals=10))
    referee, equal = begun(4), 0
    while (seat := referee.hand.turn) is not None and referee.hand.completed_count < 4:
        view = referee.view(seat)
        action, found = advised(view)
        usual = ClubBot().choose(view)
        if found is None:
            assert action == usual
        else:
            assert action == found.best.action and action in legal(view)
            told, more = str(chances_of(found, view)), danger(found, view)
            assert "of 100 deals" in told and (more is None or "of them." in str(more))
            if found.taken is not None and found.regret == 0:
                assert action == usual
                equal += 1
        referee.act(usual)
    assert equal


@pytest.mark.parametrize(
    ("better_one", "worse_one", "named"),
    [
        (Ask(1), Bid(1, 160), "+0.0 on average, asking the partner +0.2."),
        (Bid(1, 160), Ask(1), "+0.0 on average, a bid of 160 +0.2: that is made in 40 of 100"),
    ],
)
def test_beside_a_choice_that_is_not_the_best_one_the_best_one_is_named(
    better_one: Action, worse_one: Action, named: str
) -> None:
    view = dealt(preset("pagat"), random.Random(0), 0).view(1)
    choices = (
        Choice(worse_one, 4, (-1, -1, -1, 0, 0)),
        Choice(Pass(1), 0, (0, 0, 0, 0, 0)),
        Choice(better_one, 2, (1, 1, -1, 0, 0)),
    )
    found = Evaluation(1, 0, 5, False, choices, 1, {})
    assert found.sensible is choices[1]
    assert named in str(chances_of(found, view))


@pytest.mark.parametrize(("defends", "made"), [(False, 1), (True, 299)])
def test_where_no_card_helps_no_other_one_is_named(defends: bool, made: int) -> None:
    referee = begun(3, plays=4)
    view = referee.view(referee.hand.leader)
    none = 300 if defends else 0
    low, high = legal(view)[:2]
    choices = (Choice(low, none, (-2,) * 300), Choice(high, made, (1, *(-2,) * 299)))
    found = Evaluation(view.seat, view.hand.bid, 300, defends, choices, None, {})
    share = 100 if defends else 0
    told = f"Whatever you play, {view.hand.bid} is made in {share} of 100 deals."
    assert str(chances_of(found, view)) == told


@pytest.mark.parametrize("game", sorted(PRESETS))
def test_what_a_hint_advises_before_the_first_lead_is_no_mistake(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teacher, "EARLY_DEALS", 4)
    referee = dealt(preset(game), random.Random(6), 0)
    while (seat := referee.hand.turn) is not None and referee.hand.phase is not Phase.PLAY:
        view = referee.view(seat)
        action, hinted = advised(view)
        judged = evaluate(view, action)
        assert action in legal(view) and (judged is None) is (len(legal(view)) == 1)
        if judged is not None and hinted is not None:
            told = {one.action: one for one in hinted.choices}
            assert all(told.get(one.action, one) == one for one in judged.choices)
            assert not judged.is_mistake and len(set(told) & {o.action for o in judged.choices}) > 1
        referee.act(action)


@pytest.mark.parametrize("game", ["pagat", "online-3"])
def test_a_hint_and_the_teacher_say_the_same_of_a_card(game: str) -> None:
    """The hint is asked in the hand, and of the teacher only what its end has shown is known."""
    referee, live = begun(2, game, plays=13), dict[int, View]()
    while (seat := referee.hand.turn) is not None:
        live[len(referee.hand.history)] = referee.view(seat)
        referee.act(ClubBot().choose(referee.view(seat)))
    compared = 0
    for then, view, action in decisions(referee.hand, {}):
        if view is None or len(then.history) not in live or compared == 3:
            continue
        _, hinted = advised(live[len(then.history)])
        judged = evaluate(view, action)
        if hinted is not None and judged is not None:
            assert hinted.choices == judged.choices and hinted.deals == judged.deals
            compared += 1
    assert compared == 3


def test_fewer_deals_are_tried_where_each_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(teacher, "EXACT_DEALS", 3)
    early, late = begun(3, plays=4), begun(3, plays=17)
    for referee, deals in ((early, 9), (late, 3)):
        while referee.hand.turn is not None:
            found = evaluate(referee.view(referee.hand.turn), deals=9)
            if found is not None:
                assert found.deals == deals
                break
            referee.act(ClubBot().choose(referee.view(referee.hand.turn)))
        else:
            raise AssertionError("nobody had a choice")


@pytest.mark.parametrize(("lost", "kept"), [(1, True), (20, False)])
def test_only_a_clear_mistake_is_not_sensible(lost: int, kept: bool) -> None:
    """Of twenty deals so many are lost by what was done alone."""
    best = teacher.Choice(Bid(0, 160), 20, (1,) * 20)
    done = teacher.Choice(Pass(0), 0, (0,) * lost + (1,) * (20 - lost))
    found = Evaluation(0, 160, 20, False, (done, best), 0, {})
    assert found.sensible is (done if kept else best) and found.is_mistake is not kept
