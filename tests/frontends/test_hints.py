"""Hints: their figures are the teacher's, their reasons the club player's."""

from __future__ import annotations

import asyncio
import random
import tempfile
import threading
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import sleep
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.teacher import evaluation as teacher
from p2p304.bots.teacher.evaluation import Choice, Evaluation, evaluate
from p2p304.frontends import hints
from p2p304.frontends.fullscreen import player_screen
from p2p304.frontends.hints import advice, hint, lessons, reason
from p2p304.frontends.text.player import Person
from p2p304.offline.teacher import mistakes
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model import cards_then
from p2p304.ui.fullscreen.model.cards_then import Views, decisions
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.guidance.card_values import still_needed
from p2p304.ui.guidance.status import hint_refusal
from p2p304.ui.narration.intents import AskHint
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.text.screen import Show, TextScreen
from tests.bots.teacher.test_all_tricks import bid_and_played
from tests.support.reference.random_hands import dealt
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR

PAGAT = preset("pagat")


def hinted(referee: Referee) -> tuple[View, str]:
    assert referee.hand.turn is not None
    view = referee.view(referee.hand.turn)
    model = replace(Model(me="Asha"), view=view, hand=referee.hand, options=legal(view))
    return view, str(hint(view, model))


@pytest.mark.parametrize("game", ["pagat", "half-court", "maharashtra", "online-3"])
def test_before_the_first_lead_a_hint_says_the_teachers_figures(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teacher, "EARLY_DEALS", 10)
    seen = set[Phase]()
    referee = dealt(preset(game), random.Random(0), 0)
    while referee.hand.turn is not None and referee.hand.phase is not Phase.PLAY:
        view, told = hinted(referee)
        found = evaluate(view, ClubBot().choose(view))
        if found is not None:
            best = found.sensible
            assert f"is worth {round(best.tokens, 1) + 0.0:+.1f} on average" in told
            if isinstance(best.action, acts.Bid):
                assert f" in {round(100 * best.made / found.deals)} of 100 deals " in told
                assert told.startswith(f"Hint: {notation.bid_phrase(best.action.amount)}. It")
            elif isinstance(best.action, acts.Pass) and "a bid of " in told:
                assert "of 100 deals." in told
            is_other, is_small = best.action != found.best.action, found.regret < found.least
            assert ("too small to count" in told) is (is_other and is_small)
            assert not is_other or ("difference can be chance" in told) is not is_small
            seen.add(view.hand.phase)
        referee.act(ClubBot().choose(view))
    assert len(seen) >= 3


@pytest.mark.parametrize(
    ("gains", "told"),
    [((1, 0), "The difference is too small to count."), ((5, -4), "The difference can be chance.")],
)
def test_no_large_difference_is_called_too_small(
    gains: tuple[int, ...], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """0.2 or 0.5 tokens: the larger one is no mistake either, where the deals vary much."""
    referee = dealt(PAGAT, random.Random(0), 0)
    seat = referee.hand.turn
    assert seat is not None
    ours, theirs = (0,) * 10, gains * (5 if gains[1] else 2)
    choices = (
        Choice(acts.Pass(seat), 0, ours),
        Choice(acts.Bid(seat, 160), 5, (*theirs, *ours[len(theirs) :])),
    )
    found = Evaluation(seat, 0, 10, False, choices, 0, {})
    assert not found.is_mistake and (found.regret >= found.least) is ("chance" in told)
    monkeypatch.setattr(hints, "advised", lambda view: (acts.Pass(seat), found))
    _, said = hinted(referee)
    assert told in said and ("too small" in said) is ("too small" in told)


@pytest.mark.parametrize(
    ("in_play", "least", "most", "is_chance"),
    [
        (True, 30, 30, False),
        (True, 30, 31, True),
        (True, 30, 35, True),
        (True, 30, 70, False),
        (False, 30, 30, False),
        (False, 30, 33, True),
        (False, 30, 70, False),
    ],
)
def test_a_difference_within_the_error_of_the_deals_is_told_as_chance(
    in_play: bool, least: int, most: int, is_chance: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two choices make the bid in so many of 100 deals, as far as possible not in the same."""
    referee = dealt(PAGAT, random.Random(2), 0)
    while in_play and referee.hand.phase is not Phase.PLAY:
        assert referee.hand.turn is not None
        referee.act(ClubBot().choose(referee.view(referee.hand.turn)))
    seat, options = referee.hand.turn, referee.legal()
    assert seat is not None and len(options) > 1
    if not in_play:
        options = (acts.Bid(seat, 160), acts.Pass(seat))
    usual = (1,) * least + (-2,) * (100 - least)
    luckier = (-2,) * (100 - most) + (1,) * most
    other = Choice(options[1], least, usual)
    best = Choice(options[0], most, luckier)
    defends = in_play and seat not in referee.hand.makers
    if defends:
        best, other = (replace(one, made=100 - one.made) for one in (best, other))
    found = Evaluation(seat, 160, 100, defends, (best, other), 0, {})
    monkeypatch.setattr(hints, "advised", lambda view: (best.action, found))
    _, told = hinted(referee)
    assert ("can be chance" in told) is is_chance
    assert "too small" not in told


@pytest.mark.parametrize(("game", "told"), [("pagat", True), ("online-4", False)])
def test_a_pass_says_what_a_failed_bid_costs(game: str, told: bool) -> None:
    rules = preset(game)
    mine = [card(name) for name in ("KS", "QH", "TD", "AC")]
    rest = [one for one in rules.pack.cards if one not in mine]
    view = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]]).view(1)
    said = str(reason(view, acts.Pass(1)))
    assert ("A bid that fails costs 2, and one that is made wins only 1." in said) is told


def test_a_pass_names_a_higher_bid_only_where_there_is_a_bid() -> None:
    mine = [card(name) for name in ("KS", "QH", "TD", "AC")]
    rules = preset("online-4")
    rest = [one for one in rules.pack.cards if one not in mine]
    referee = Referee(rules, 0, [rest[:8], rest[8:16], [*mine, *rest[16:20]], rest[20:]])
    lowest = next(one for one in referee.legal() if isinstance(one, acts.Bid))
    for action, told in ((acts.Pass(1), "to bid."), (lowest, "to bid higher.")):
        after = referee.copied()
        after.act(action)
        assert after.hand.turn is not None
        why = reason(after.view(after.hand.turn), acts.Pass(after.hand.turn))
        assert str(why) == f"No suit is strong enough {told}"


def test_a_lost_bid_to_win_every_trick_is_told_as_lost() -> None:
    referee = bid_and_played("tamil-304", acts.PCC, "JS 9S AS TS KS 7S JH JD")
    low = next(one for one in legal(referee.view(1)) if "7S" in str(one))
    referee.act(low)
    while not referee.hand.completed_tricks:
        view, told = hinted(referee)
        assert "The bid is lost." not in told
        referee.act(ClubBot().choose(view))
    assert referee.hand.completed_tricks[0].winner != 1
    for _ in range(4):
        view, told = hinted(referee)
        assert told.startswith("Hint: ") and told.endswith(". The bid is lost.")
        assert str(still_needed(Model(me="Asha", seat=view.seat), view.hand)) == "The bid is lost."
        referee.act(ClubBot().choose(view))


@pytest.mark.parametrize("word", ["hint", "i", " HINT "])
def test_text_mode_gives_the_hint_of_the_full_screen(word: str) -> None:
    rules = preset("pagat")
    cards = list(rules.pack.cards)
    view = Referee(rules, 0, [cards[at : at + 8] for at in range(0, 32, 8)]).view(1)
    screen = TextScreen("Asha")

    def typed(line: str) -> str:
        answer = screen.typed(line)
        assert isinstance(answer, Show)
        return " ".join(answer.lines)

    assert typed(word) == "You can get a hint only when it is your turn."
    screen.show(events.YourTurn(view))
    assert typed(word) == "This table plays without hints until the hand is over."
    assert "hint:" not in typed("?")
    screen.teller.model = replace(screen.model, has_people=False)
    assert screen.typed(word) == AskHint()
    assert "hint: what the bot would do" in typed("?")
    assert screen.teller.text(advice(screen.model)).startswith("Hint: ")


def cards_played(
    final: Hand, views: Views, own: frozenset[Card] = frozenset()
) -> list[tuple[View, Action | None]]:
    """The moments at which seat 0 played a card, as far as it is known what it knew."""
    found = decisions(final, views, own)
    return [
        (view, action)
        for then, view, action in found
        if then.turn == 0 and then.phase is Phase.PLAY and view is not None
    ]


def finished(seed: int) -> Model:
    """A hand to its end, as the player of seat 0 saw it, in which any legal card was played."""
    model = Model(me="Asha")
    for change in scenes.evening(seed, 0, scenes.wild(seed)):
        if isinstance(change, events.NextHand):
            break
        model = reduce(model, change, 0.0)
    return model


def test_the_moments_of_a_hand_that_is_over_are_what_the_player_saw() -> None:
    seen, model = dict[int, View](), Model(me="Asha")
    for change in scenes.evening(5, 0, scenes.wild(5)):
        if isinstance(change, events.YourTurn) and change.view.hand.phase is Phase.PLAY:
            seen[len(change.view.hand.history)] = change.view
        if isinstance(change, events.NextHand):
            break
        model = reduce(model, change, 0.0)
    final = model.ended[-1].hand
    assert final is not None and len(seen) == 8
    found = {len(view.hand.history): view for view, _ in cards_played(final, {})}
    assert found == seen
    # Bids with the first cards are known from the own views alone.
    views = {len(view.hand.history): view for view in model.ended[-1].views}
    told = [(view, action) for then, view, action in decisions(final, views) if then.turn == 0]
    assert [view for view, _ in told] == list(views.values())
    assert all(action is not None for _, action in told)
    early = [view for then, view, _ in decisions(final, {}) if then.phase is Phase.BID4]
    assert early and not any(early)


def test_four_cards_that_were_seen_are_not_taken_for_the_first_four(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    final = finished(5).ended[-1].hand
    assert final is not None
    four = set(final.options.pack.cards[:4])
    monkeypatch.setattr(cards_then, "seen_cards", lambda hand, seat: four)
    early = [view for then, view, _ in decisions(final, {}) if then.phase is Phase.BID4]
    assert early and not any(early)


def test_own_cards_that_nobody_saw_are_known_when_the_hand_is_over() -> None:
    """At a table cards may stay face down to the end: then the last own view tells them."""
    for seed in range(20):
        seen, model = list[View](), Model(me="Asha")
        for change in scenes.evening(seed, 0, scenes.wild(seed)):
            if isinstance(change, events.YourTurn) and change.view.hand.phase is Phase.PLAY:
                seen.append(change.view)
            if isinstance(change, events.HandOver):
                break
            model = reduce(model, change, 0.0)
        if seen and seen[-1].known:
            break
    last = seen[-1]
    views = {len(last.hand.history): last}
    found = [view for view, _ in cards_played(last.hand, views, model.own)]
    assert found == seen[: len(found)] and len(found) == len(seen) - 1
    assert all(action for _, action in cards_played(last.hand, views, model.own))
    # Cards that are opened for the count are no longer among those that it alone knows.
    later = views | {len(last.hand.history) + 1: replace(last, known=())}
    assert cards_played(last.hand, later, model.own) == cards_played(last.hand, views, model.own)
    blind = [view for view, _ in cards_played(last.hand, {})]
    assert len(blind) < len(found)


def test_after_the_hand_the_hint_says_what_would_have_been_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(mistakes, "evaluate", partial(evaluate, deals=40))
    model = finished(5)
    told = [str(phrase) for phrase in lessons(model)]
    assert told and all("It costs " in line for line in told)
    assert any(line.startswith("Trick ") for line in told)
    assert hint_refusal(model) is None and model.has_people
    assert "What would have been better in this hand" in {
        str(entry.name) for entry in entries(model, Ui()) if entry.does is Command.HINT
    }
    # The same hand before its end: silence, since people play and the table has no hints.
    going_on = replace(model, stage=Stage.PLAYING, view=None)
    assert hint_refusal(going_on) is not None and not going_on.may_be_taught
    # The next hand may be dealt ahead, until this player asks for it.
    ahead = replace(model, stage=Stage.DEALING, hand=None, deal_next=2)
    assert ahead.may_be_taught and not replace(ahead, deal_next=None).may_be_taught
    asked = replace(ahead, deal_next=None, number=2, shuffled=len(ahead.nicks), has_begun=False)
    assert asked.awaits_deal and asked.may_be_taught, "the others have not all asked for the deal"
    # The result shows it, and so does text mode.
    page = TablePage(model, FOUR)
    page.teach(model.ended[-1].number, lessons(model))
    text = page.picture(80, 24, 0.0).text
    assert page.ui.pane is Pane.RESULT and "What would have been better" in text
    assert "It costs" in text
    screen = TextScreen("Asha")
    screen.teller.model = replace(model, typed=True)
    assert screen.typed("hint") == AskHint()
    helped = screen.typed("?")
    assert isinstance(helped, Show)
    assert "what would have been better" in " ".join(helped.lines)


def test_a_forced_bid_is_not_called_strong() -> None:
    options = preset("six-24")
    referee = dealt(options, random.Random(8), 0)
    turn = referee.hand.turn
    assert turn is not None
    view = referee.view(turn)
    assert all(isinstance(one, acts.Bid) for one in legal(view))
    assert hints.reason(view, legal(view)[0]) is None


def test_a_hand_without_a_card_is_not_judged() -> None:
    model = finished(5)
    assert model.ended[-1].hand is not None
    nothing = replace(model.ended[-1], hand=model.ended[-1].hand.restarted())
    (told,) = lessons(replace(model, ended=(nothing,)))
    assert str(told) == "You have chosen nothing in this hand."


@pytest.mark.parametrize("fault", [ValueError, KeyError, TypeError])
def test_a_search_that_fails_is_told_as_that_with_a_report(
    fault: type[Exception], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def advised(view: View) -> None:
        raise fault("AS 9H")

    monkeypatch.setattr(hints, "advised", advised)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    referee = begun_hand()
    model = replace(Model(me="Asha"), view=referee.view(0), hand=referee.hand)
    told = str(advice(model))
    (report,) = tmp_path.iterdir()
    assert told == (
        f"There is no hint: the search failed ({fault.__name__}). Please send the file {report} to "
        "the developers."
    )
    assert "AS" not in report.read_text() and "advised" in report.read_text()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    assert str(advice(model)).endswith(f"({fault.__name__}). Please tell the developers.")
    assert str(advice(Model(me="Asha"))) == "There is nothing to choose here."


@pytest.mark.parametrize("game", PRESETS)
def test_every_game_has_hints(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the search finds nothing: then the club player advises, who knows them all."""
    monkeypatch.setattr(teacher, "evaluate", lambda *_: None)
    referee = dealt(preset(game), random.Random(1), 0)
    while referee.hand.turn is not None and referee.hand.result is None:
        view, told = hinted(referee)
        assert told.startswith("Hint: ")
        referee.act(ClubBot().choose(view))


def test_hints_are_found_beside_the_loop_and_told_while_it_is_still_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A hint takes up to a second, in which the links must be served."""
    referee = begun_hand()
    view = referee.view(0)
    model = replace(Model(me="Asha"), view=view, hand=referee.hand, options=legal(view))
    threads, told = list[threading.Thread](), list[Phrase]()

    def advice(asked: Model) -> Phrase:
        threads.append(threading.current_thread())
        return say("x")

    def slow(asked: Model) -> Phrase:
        sleep(0.1)
        return advice(asked)

    monkeypatch.setattr(hints, "advice", advice)
    monkeypatch.setattr(hints, "LATE", 600.0)
    page = SimpleNamespace(model=model, hint=told.append)
    full: Any = SimpleNamespace(table_page=page, terminal=SimpleNamespace(refresh=lambda: None))
    text: Any = SimpleNamespace(screen=page, _tell=told.append)

    async def ask(later: Model) -> None:
        page.model = model
        work = asyncio.ensure_future(player_screen.Player._advise(full))
        Person._ask_hint(text)
        await asyncio.sleep(0)
        page.model = later
        await work
        # However slow the machine is: both threads end, and then what they have found is told.
        await asyncio.get_running_loop().shutdown_default_executor()
        await asyncio.sleep(0)

    asyncio.run(ask(model))
    assert len(told) == 2 and len(threads) == 2 and threading.main_thread() not in threads
    threads.clear()
    asyncio.run(ask(replace(model, number=1)))
    assert len(told) == 2  # the turn is over
    threads.clear()
    asyncio.run(ask(replace(model, hand=replace(referee.hand))))
    assert len(told) == 4  # the view was renewed, and the turn goes on
    monkeypatch.setattr(hints, "LATE", 0.01)
    monkeypatch.setattr(hints, "advice", slow)
    threads.clear()
    told.clear()
    asyncio.run(ask(model))
    assert told == [hints.SEARCHED, hints.SEARCHED, say("x"), say("x")]
    threads.clear()
    told.clear()
    asyncio.run(ask(replace(model, number=1)))
    assert told == []  # the turn is over: not even that deals are tried


def begun_hand() -> Referee:
    cards = list(preset("pagat").pack.cards)
    return Referee(preset("pagat"), 3, [cards[at : at + 8] for at in range(0, 32, 8)])


@pytest.mark.parametrize(
    ("east", "stuck"), [("JS 9S AS TS KS QS 8S 7S", True), ("JS 9S AS TS KS QS 8S 7H", False)]
)
def test_open_trump_is_called_forced_only_where_it_is(east: str, stuck: bool) -> None:
    """East leads first; with trumps alone it cannot lead and keep them closed."""
    mine = [card(name) for name in east.split()]
    rest = [one for one in PAGAT.pack.cards if one not in mine]
    referee = Referee(PAGAT, 0, [rest[:8], mine, rest[8:16], rest[16:]])
    bids = ("E 160", "N pass", "W pass", "S pass", "E trump TS", "E pass", "N pass", "W pass")
    for said in (*bids, "S pass"):
        referee.act(notation.parse(said))
    view = referee.view(1)
    told = reason(view, acts.Open(1, view.indicator))
    assert (str(told) == "You can't keep your trumps closed with this hand.") is stuck
    assert (told is None) is not stuck


def test_the_only_card_is_called_so_and_no_other() -> None:
    told = Counter[bool]()
    referee = dealt(PAGAT, random.Random(2), 0)
    while (seat := referee.hand.turn) is not None:
        view = referee.view(seat)
        action = ClubBot().choose(view)
        if view.hand.phase is Phase.PLAY:
            is_only = len(legal(view)) == 1
            why = str(reason(view, action))
            assert (why == "It is the only card that you may play.") is is_only
            told[is_only] += 1
        referee.act(action)
    assert told[True] >= 4 and told[False] >= 4
