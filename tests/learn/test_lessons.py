"""The lessons' data: every stacked hand is legal, and every figure is what a plain count gives."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from p2p304.bots.club import ClubBot
from p2p304.learn.facts import REDEAL_BELOW, facts
from p2p304.learn.lesson import LEARNER, Deal, Lesson, Step, action_of, words_of
from p2p304.learn.lessons import LESSONS
from p2p304.learn.run import OPTIONS, LessonRun
from p2p304.rules.core.actions import Caps, Redeal
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.phrases import Phrase, Who
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand

DEALS = [
    pytest.param(lesson, number, id=f"{lesson.name}-{number + 1}")
    for lesson in LESSONS
    for number in range(len(lesson.deals))
]
POINTS = {"J": 30, "9": 20, "A": 11, "T": 10, "K": 3, "Q": 2, "8": 0, "7": 0}
ORDER = "J9ATKQ87"


def played(deal: Deal) -> Iterator[tuple[Referee, Step]]:
    """The hand at every step, before the learner does it; at the end the hand as it is left."""
    referee = Referee(OPTIONS, deal.dealer, deal.cards)
    script(referee, deal.before)
    for step in deal.steps:
        yield referee.copied(), step
        if step.do:
            assert referee.hand.turn == LEARNER or step.do.startswith("caps")
            referee.act(referee.completed(action_of(step.do, LEARNER)))
        script(referee, step.then)
    yield referee, Step(Phrase(""))


def script(referee: Referee, words: str) -> None:
    for word in words_of(words):
        seat = referee.hand.turn
        assert seat is not None
        referee.act(action_of(word, seat))


@pytest.mark.parametrize(("lesson", "number"), DEALS)
def test_every_hand_is_legal_from_the_deal_to_the_result(lesson: Lesson, number: int) -> None:
    deal = lesson.deals[number]
    assert sorted(c.name for hand in deal.cards for c in hand) == sorted(OPTIONS.pack.named)
    *_, (referee, _) = played(deal)
    while (seat := referee.hand.turn) is not None:  # what the lesson leaves out
        referee.act(ClubBot().choose(referee.view(seat)))
    assert referee.hand.result is not None


def plain_facts(referee: Referee) -> dict[str, object]:
    """The figures of a moment, counted from the cards alone."""
    hand, true = referee.hand, referee.true_cards
    found: dict[str, object] = {"mine": sum(POINTS[c.rank] for c in referee.held[LEARNER])}
    won = [0, 0]
    for number, trick in enumerate(hand.completed_tricks):
        cards = [(play.seat, true[number, play.seat]) for play in trick.plays]
        led = cards[0][1].suit
        trump = referee.indicator.suit if referee.indicator else None
        cuts = [c for c in cards if c[1].suit is trump and is_cut(referee, number, c)]
        best = cuts or [c for c in cards if c[1].suit is led]
        winner = min(best, key=lambda c: ORDER.index(c[1].rank))[0]
        worth = sum(POINTS[card.rank] for _, card in cards)
        won[winner % 2] += worth
        found |= {"winner": Who(winner), "trick": worth}
    found["table"] = sum(POINTS[p.card.rank] for p in hand.plays if p.card)
    if isinstance(hand.ending, Caps):  # the caller's side takes every trick that is left
        won[hand.ending.seat % 2] += 304 - sum(won)
    if hand.result is not None and not hand.result.void:
        assert sum(won) == 304
    return found | {"ours": won[0], "theirs": won[1]}


def is_cut(referee: Referee, number: int, play: tuple[int, Card]) -> bool:
    """A trump counts as one if it was turned up or led openly."""
    trick = referee.hand.completed_tricks[number]
    done = trick.by(play[0])
    return done is not None and done.card is not None


@pytest.mark.parametrize(("lesson", "number"), DEALS)
def test_every_figure_is_a_plain_count_of_the_cards(lesson: Lesson, number: int) -> None:
    for referee, step in played(lesson.deals[number]):
        stated, counted = facts(referee), plain_facts(referee)
        for name in re.findall(
            r"\{(\w+)\}", step.text.text + (step.wrong.text if step.wrong else "")
        ):
            if name in counted:
                assert stated[name] == counted[name], (step.text.text, name)
        if re.search(r"[Yy]ou (have )?won", step.text.text):
            assert counted["winner"] == Who(LEARNER)
        if step.ask and step.ask in counted:
            assert stated[step.ask] == counted[step.ask]
        if step.ask == "need" or "{need}" in step.text.text:
            assert stated["need"] == referee.hand.bid - counted["ours"]  # type: ignore[operator]


def texts() -> Iterator[tuple[Lesson, LessonRun, Step]]:
    for lesson in LESSONS:
        run = LessonRun(lesson)
        for at in range(run.count):
            list(run.place(at))
            yield lesson, run, run.step


def test_every_gap_is_filled_and_no_number_of_points_is_written_by_hand() -> None:
    for _, run, step in texts():
        for phrase, filled in ((step.text, run.text), (step.wrong, run.wrong)):
            if phrase is None or filled is None:
                continue
            assert "{" not in str(filled), phrase.text
            plain = re.sub(r"\{\w+\}|J,? (and )?9", "", phrase.text)
            assert not re.search(r"\d", plain), phrase.text


def test_every_text_is_one_or_two_sentences() -> None:
    for _, run, step in texts():
        for phrase in (run.text, run.wrong or run.text):
            assert 1 <= len(re.findall(r"[.?](?: |$)", str(phrase))) <= 2, phrase
        assert step.wrong is not None or not (step.do or step.ask), step.text


def test_a_text_names_only_cards_that_the_learner_can_see_or_has_seen() -> None:
    """Or a card of a suit that the learner can count: the only one left."""
    for lesson in LESSONS:
        for deal in lesson.deals:
            for referee, step in played(deal):
                own = set(deal.cards[LEARNER])
                seen = {
                    referee.true_cards[key]
                    for key in referee.true_cards
                    if key not in referee.hidden or key[1] == LEARNER or shown(referee, key)
                } | {each for _, _, each in referee.view(LEARNER).known}
                for name, arg in (*step.text.args, *(step.wrong.args if step.wrong else ())):
                    for one in arg if isinstance(arg, tuple) else (arg,):
                        if isinstance(one, Card) and one not in own | seen:
                            assert name == "out" and is_only_one(referee, own, one)


def shown(referee: Referee, key: tuple[int, int]) -> bool:
    play = referee.hand.tricks[key[0]].by(key[1])
    return play is not None and play.card is not None


def is_only_one(referee: Referee, own: set[Card], card: Card) -> bool:
    seen = own | set(referee.true_cards.values())
    return [c for c in OPTIONS.pack.cards if c.suit is card.suit and c not in seen] == [card]


def test_lessons_have_names_of_their_own() -> None:
    names = [lesson.name for lesson in LESSONS]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z]{2,16}", name) for name in names)


def test_a_call_is_judged_whatever_the_learner_adds_to_it() -> None:
    """Every step's own action is right, and nothing else that is legal."""
    for _, run, step in texts():
        if step.do:
            action = run.action
            assert action is not None
            assert run.is_right(action)
            assert run.refusal(action) is None


def test_the_call_of_caps_is_due_and_correct_and_no_earlier() -> None:
    lesson = next(one for one in LESSONS if one.name == "caps")
    run = LessonRun(lesson)
    list(run.place(2))
    call = run.action
    assert isinstance(call, Caps)
    assert run.refusal(call) is None
    other = Caps(LEARNER, (*call.order[1::-1], *call.order[2:]))
    assert run.refusal(other) is None  # the rules find it as good
    wrong = Caps(LEARNER, call.order[::-1])
    assert run.refusal(wrong) is not None
    list(run.advance(other))
    result = run._referee.hand.result
    assert result is not None and result.caps is not None
    assert (result.caps.verdict, result.tokens) == ("correct", (2, -2))
    list(run.place(1))
    early = Caps(LEARNER, (*call.order, card("JC")))
    assert run.refusal(early) is not None


def test_the_limit_of_a_redeal_is_the_rules() -> None:
    """A hand worth as much may not be rejected; one worth a point less may."""
    for cards, worth in (("TS KS QS 8S", 15), ("TS QS QH 8S", 14)):
        view = View(1, Hand.start(OPTIONS, 0), frozenset(card(name) for name in cards.split()))
        assert sum(POINTS[c.rank] for c in view.cards) == worth
        offered = any(isinstance(action, Redeal) for action in legal(view))
        assert offered is (worth < REDEAL_BELOW)
