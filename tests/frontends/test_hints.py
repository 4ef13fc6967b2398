"""Reasons of a hint: what is said of a bid is what the table of bids says."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.bots.bidding_table import chances
from p2p304.bots.club import ClubBot
from p2p304.bots.teacher.evaluation import evaluate
from p2p304.frontends import hints
from p2p304.frontends.fullscreen import player_screen
from p2p304.frontends.hints import advice, lessons, reason
from p2p304.frontends.text.player import Person
from p2p304.offline.teacher import mistakes
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model import cards_then
from p2p304.ui.fullscreen.model.cards_then import Views, decisions
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.guidance.status import hint_refusal
from p2p304.ui.narration.intents import AskHint
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR


@pytest.mark.parametrize(
    ("names", "game", "told"),
    [
        ("JS 9S AS KS", "pagat", True),
        ("KS QH TD AC", "pagat", True),
        ("JS 9S AS KS", "tamil-304", False),
    ],
)
def test_a_bid_is_explained_by_its_chance_where_that_is_known(
    names: str, game: str, told: bool
) -> None:
    rules = preset(game)
    mine = [card(name) for name in names.split()]
    rest = [one for one in rules.pack.cards if one not in mine]
    referee = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]])
    view = referee.view(1)
    said = str(reason(view, ClubBot().choose(view)))
    assert ("In practice deals" in said) is told
    if told:
        found = chances(mine)
        assert found is not None
        assert f"make 160 in {round(found.of(160) * 100)} of 100" in said


@pytest.mark.parametrize(("game", "told"), [("pagat", True), ("online-4", False)])
def test_a_pass_says_what_a_failed_bid_costs(game: str, told: bool) -> None:
    rules = preset(game)
    mine = [card(name) for name in ("KS", "QH", "TD", "AC")]
    rest = [one for one in rules.pack.cards if one not in mine]
    view = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]]).view(1)
    said = str(reason(view, acts.Pass(1)))
    costs = "of 100. A bid that fails costs 2, and one that is made wins only 1."
    assert (costs in said) is told


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


def test_a_hand_without_a_card_is_not_judged() -> None:
    model = finished(5)
    assert model.ended[-1].hand is not None
    nothing = replace(model.ended[-1], hand=model.ended[-1].hand.restarted())
    (told,) = lessons(replace(model, ended=(nothing,)))
    assert str(told) == "You have chosen nothing in this hand."


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

    monkeypatch.setattr(hints, "advice", advice)
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
        while len(threads) < 2:
            await asyncio.sleep(0.001)
        await asyncio.sleep(0.01)

    asyncio.run(ask(model))
    assert len(told) == 2 and len(threads) == 2 and threading.main_thread() not in threads
    threads.clear()
    asyncio.run(ask(replace(model, number=1)))
    assert len(told) == 2  # the turn is over
    threads.clear()
    asyncio.run(ask(replace(model, hand=replace(referee.hand))))
    assert len(told) == 4  # the view was renewed, and the turn goes on


def begun_hand() -> Referee:
    cards = list(preset("pagat").pack.cards)
    return Referee(preset("pagat"), 3, [cards[at : at + 8] for at in range(0, 32, 8)])
