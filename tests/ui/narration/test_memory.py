"""``memory``: which tricks of the hand in play may be looked at, on all screens; ``hints``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

import pytest

from p2p304.rules.core.tricks import Trick
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.state import events
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.view import panes
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import reduce
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes

LOOK = Look(glyphs=False)
GAMES: dict[str, tuple[int, Callable[[], scenes.Chooser]]] = {
    "closed": (14, scenes.club),
    "wild": (5, partial(scenes.wild, 5)),
    "wilder": (8, partial(scenes.wild, 8)),
}
CARD = re.compile(r"\b(?:[2-9JQKA]|10)[SHDC]\b")


@cache
def models(game: str, memory: str = "off", preset: str = "pagat") -> tuple[Model, ...]:
    seed, choose = GAMES[game]
    options = PRESETS[preset].override({"memory": memory})
    return tuple(model for _, model in scenes.models(seed, 3, choose(), options))


def playing(game: str, memory: str = "off") -> Iterator[Model]:
    found = [m for m in models(game, memory) if m.stage is Stage.PLAYING and m.done_tricks]
    assert found and max(len(model.done_tricks) for model in found) > 2
    return iter(found)


def shown(model: Model, pane: Pane) -> set[str]:
    """The cards that are named in a pane."""
    renderer = PhraseRenderer(LOOK, nicks=model.nicks, seats=model.seats, seat=model.seat)
    lines = {Pane.LOG: panes.log_lines, Pane.LAST: panes.last_trick, Pane.PROOFS: panes.proof_log}
    told = lines[pane](model, renderer, 200)
    return set(CARD.findall("\n".join("".join(text for _, text in line) for line in told)))


def cards(*tricks: Trick) -> set[str]:
    return {LOOK.card(p.card) for trick in tricks for p in trick.plays if p.card is not None}


def inspected(model: Model, *tricks: Trick) -> set[str]:
    """The face-down cards of tricks that this player has inspected as trump maker."""
    return {LOOK.card(card) for trick in tricks for card in model.seen_down(trick).values()}


def said(model: Model) -> set[str]:
    """What is public of the hand but for its tricks: what was announced, shown or laid open."""
    hand = model.hand
    assert hand is not None
    known = {LOOK.card(hand.indicator)} if hand.indicator is not None else set()
    return known | {LOOK.card(card) for card in (hand.caps.order if hand.caps is not None else ())}


@pytest.mark.parametrize("game", GAMES)
def test_without_memory_no_pane_names_a_card_of_an_earlier_trick(game: str) -> None:
    for model in playing(game):
        assert model.hand is not None
        last, running = model.done_tricks[-1], model.hand.tricks[-1]
        may = cards(last, running) | inspected(model, last) | said(model)
        for pane in (Pane.LOG, Pane.LAST, Pane.PROOFS):
            assert shown(model, pane) <= may, pane


@pytest.mark.parametrize("game", GAMES)
def test_with_memory_log_and_pane_show_every_trick(game: str) -> None:
    for model in playing(game, "on"):
        done = model.done_tricks
        assert cards(*done) | inspected(model, *done) == shown(model, Pane.LAST)
        assert model.shown_log == model.log


def test_the_last_trick_stays_until_the_next_is_complete_and_winners_stay() -> None:
    for model in playing("closed"):
        assert cards(model.done_tricks[-1]) <= shown(model, Pane.LOG)
        last = model.done_tricks[-1]
        assert cards(last) | inspected(model, last) == shown(model, Pane.LAST)
        winners = [line for line in model.shown_log if "wins trick" in line.phrase.text]
        assert len(winners) == len(model.done_tricks)


def test_after_the_hand_everything_is_told() -> None:
    over = next(model for model in models("closed") if model.stage is Stage.BETWEEN)
    assert over.shown_log == over.log
    assert any(line.trick == 0 for line in over.log)


def test_the_next_hand_forgets_nothing_of_the_hand_before() -> None:
    over = next(model for model in models("closed") if model.stage is Stage.BETWEEN)
    number = len(over.log)
    after = reduce(over, events.HandBegan(2, 1), 0.0)
    assert after.hand is None and after.log[:number] == tuple(
        replace(line, trick=None) for line in over.log
    )
    again = replace(after, stage=Stage.PLAYING, hand=over.hand)
    assert len(again.shown_log) == len(again.log)


def test_a_replay_keeps_nothing_back() -> None:
    for model in playing("closed"):
        assert replace(model, is_replay=True).shown_log == model.log


def test_a_high_window_keeps_earlier_tricks_back_too() -> None:
    last = list(playing("closed"))[-1]
    assert last.hand is not None
    gone = cards(*last.done_tricks[:-1]) - cards(last.done_tricks[-1], last.hand.tricks[-1])
    gone -= {LOOK.card(card) for card in last.own} | said(last)
    assert gone
    renderer = PhraseRenderer(LOOK, nicks=last.nicks, seats=4, seat=last.seat)
    for width, height in ((80, 24), (200, 60), (40, 12)):
        for pane in (None, Pane.LOG, Pane.LAST, Pane.PROOFS, Pane.SHEET):
            text = render(last, Ui(pane=pane), renderer, width, height, 0.0).text
            assert not gone & set(CARD.findall(text))


@pytest.mark.parametrize(("memory", "count"), [("off", 1), ("on", 0)])
def test_text_mode_has_a_word_for_earlier_tricks_where_there_is_memory(
    memory: str, count: int
) -> None:
    screen = TextScreen("Dilan")
    last = list(playing("closed", memory))[-1]
    screen.teller.model = replace(last, typed=True)
    told = screen.typed("tricks")
    assert isinstance(told, Show)
    assert len(told.lines) == (count or len(last.done_tricks))
    named = set(CARD.findall("\n".join(told.lines)))
    assert named == (set() if count else cards(*last.done_tricks))
    helped = screen.typed("?")
    assert isinstance(helped, Show)
    assert any(line.startswith("tricks:") for line in helped.lines) == (memory == "on")


def test_hints_are_given_among_own_bots_and_where_the_rules_give_them() -> None:
    (model, *_) = playing("closed")
    assert model.hand is not None and model.has_people
    assert not model.gives_hints
    assert replace(model, has_people=False).gives_hints
    hinted = replace(model.hand, options=replace(model.hand.options, hints=True))
    assert replace(model, hand=hinted).gives_hints
