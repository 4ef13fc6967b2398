"""Every game that the rules know, on the screen: no moment of it breaks reducer, keys, renderer
or help, at any size; own cards are always those of the next view."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from p2p304.rules.core.actions import Caps, Pass, Spoilt
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import legal
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.keys import press, update_after
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.result_lines import hands
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui, held
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.narration.choices import in_order
from p2p304.ui.narration.intents import Do, Part
from p2p304.ui.narration.model import Ended, Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Chosen, reduce
from tests.support.screen import scenes


@pytest.mark.parametrize("name", PRESETS)
def test_a_hand_of_every_game_can_be_shown_and_played(name: str) -> None:
    options, rng = PRESETS[name], random.Random(5)
    seat, before, ui = rng.randrange(options.seats), Model(), Ui()
    for change, model in scenes.models(4, seat, scenes.wild(4), options):
        ui = update_after(ui, before, model)
        renderer = PhraseRenderer(Look(), nicks=model.nicks)
        if isinstance(change, events.YourTurn):
            assert set(in_order(change.view)) == set(legal(change.view)) == set(model.options)
            assert set(held(model)) >= change.view.cards
            texts = [renderer.text(describe(action, model)) for action in model.options]
            assert all(texts) and len(set(texts)) == len(texts)
        for phrase in help_phrases(model):
            assert renderer.text(phrase)
        pane = rng.choice([None, *Pane])
        for width, height in ((80, 24), (rng.randrange(1, 150), rng.randrange(1, 60))):
            shown = render(model, Ui(pane=pane), renderer, width, height, 3.0)
            assert all(sum(width_of(t) for _, t in row) == width for row in shown.rows)
        before = model
    assert before.ended and before.ended[0].result.reason


def playing(options: Options = scenes.PAGAT) -> Model:
    """A seat in the middle of the play."""
    hand = scenes.models(14, 3, scenes.club(), options)
    return next(m for _, m in hand if len(m.done_tricks) == 2)


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_first_line_has_the_spoken_code_and_the_tokens_of_all_four_players(width: int) -> None:
    """The words before the code give way, and then names, but no figure."""
    nicks = ("Asha Perera", "Bandu [bot]", "Chitra [bot]", "Nimali")
    model = replace(playing(preset("maharashtra")), nicks=nicks, code="5A7-6L8")
    renderer = PhraseRenderer(Look(), nicks=nicks)
    row = render(model, Ui(), renderer, width, 24, 0.0).text.splitlines()[0]
    assert " 5A7-6L8  " in row and len(re.findall(r"[a-z\]…] 11(?= )", row + " ")) == 4, row


def test_a_claim_takes_no_turn_and_help_with_caps_is_laid_out() -> None:
    model = next(
        m
        for _, m in scenes.models(14, 3, scenes.club())
        if m.is_my_turn and len(m.done_tricks) == 2
    )
    model = replace(model, claims=True)
    called = reduce(model, Chosen(Caps(3, held(model))), 0.0)
    assert called.options == model.options and called.chosen is None
    order = tuple(reversed(held(model)))
    due = reduce(model, events.CapsDue(order), 0.0)
    assert due.log[-1].phrase.args[0][1] == order
    listed = [entry.does for entry in entries(due, Ui())]
    ui, _ = press(due, Ui(pane=Pane.MENU, at=listed.index(Command.CAPS)), "enter")
    assert ui.order == order


def test_a_table_is_ended_without_one_who_is_gone_after_a_question() -> None:
    model = playing(scenes.PAGAT.override({"away": "replace"}))
    assert Command.PART not in [entry.does for entry in entries(model, Ui())]
    gone = reduce(model, events.Waiting(("Asha",), 0.0, 90, ("Asha",), may_part=True), 90.0)
    listed = [entry.does for entry in entries(gone, Ui())]
    ui, done = press(gone, Ui(pane=Pane.MENU, at=listed.index(Command.PART)), "enter")
    assert press(gone, Ui(typed="part"), "enter")[0].asking == ui.asking is not None
    assert press(model, Ui(typed="part"), "enter")[0].asking is None
    assert done == () and press(gone, ui, "y")[1] == (Part(),) and press(gone, ui, "n")[1] == ()
    wished = reduce(gone, events.PartingProposed("Asha", ("Bandu",), 3), 91.0)
    told, agree = (PhraseRenderer(Look()).text(line.phrase) for line in wished.log[-2:])
    assert told.endswith("Bandu (1 of 3).") and agree == "To agree, press m."
    parted = reduce(wished, events.Parted("Asha", "replace", scenes.MATCH), 92.0)
    assert parted.stopped is not None and parted.options == ()


def test_claims_are_in_the_menu_where_the_table_takes_them() -> None:
    model = playing()
    assert Command.CAPS not in [entry.does for entry in entries(model, Ui())]
    taking = replace(model, claims=True)
    listed = [entry.does for entry in entries(taking, Ui())]
    assert Command.CAPS in listed and Spoilt(3) in listed
    ui, _ = press(taking, Ui(pane=Pane.MENU, at=listed.index(Command.CAPS)), "enter")
    assert ui.pane is Pane.CAPS and ui.order == held(taking)
    ui, done = press(taking, ui, "enter")
    ui, done = press(taking, ui, "y")
    assert done == (Do(Caps(3, held(taking))),)
    ui, done = press(taking, Ui(pane=Pane.MENU, at=listed.index(Spoilt(3))), "enter")
    assert done == () and press(taking, ui, "y")[1] == (Do(Spoilt(3)),)


def test_a_hand_passed_out_shows_as_many_backs_as_were_dealt() -> None:
    model = playing()
    assert model.hand is not None
    hand = Hand.start(scenes.PAGAT, 0)
    while hand.result is None:
        assert hand.turn is not None
        hand = apply(hand, Pass(hand.turn))
    ended = Ended(1, hand, hand.result, scenes.MATCH)
    lines = hands(replace(model, ended=(ended,)), PhraseRenderer(Look()), 60)
    backs = ["".join(text for style, text in line if style == "back") for line in lines]
    assert [len(each) for each in backs] == [4] * 4
