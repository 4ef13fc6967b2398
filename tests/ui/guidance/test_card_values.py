"""What cards are worth, and what the bid still needs: every game, against cards opened later."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2p304.rules.core.phrases import Phrase
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.card_values import rank_values, still_needed, value_phrases
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Chosen, Decided, Gathers, GotReady, Knocked, Note
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes

LEAST, WIDTH = (80, 24), 54
PLAYED = (Phase.DECLARE, Phase.PLAY, Phase.SHOW, Phase.ANNOUNCE)


def shown_at(model: Model, ui: Ui | None = None) -> str:
    renderer = PhraseRenderer(Look(), nicks=model.nicks)
    return render(model, ui or Ui(), renderer, *LEAST, 3.0).text


def truly_needed(now: Hand, end: Hand) -> int:
    """Count with every card open, and with the partner who was found out in the end."""
    account = {end.options.account(seat) for seat in end.makers}
    won = 0
    for trick in end.tricks[: now.completed_count]:
        if trick.winner is not None and end.options.account(trick.winner) in account:
            won += sum(end.options.pack.points[play.card] for play in trick.plays if play.card)
    for seat, suit in now.marriages:
        worth = 40 if suit is now.trump else 20
        won += worth if seat in end.makers else -worth
    return max(0, now.bid - won)


def told_need(phrase: Phrase, tenths: bool) -> tuple[bool, int]:
    """Whether a phrase is exact, and its points."""
    text = str(phrase)
    if text.startswith("The bid needs no more"):
        return True, 0
    found = re.match(r"(?:To make the bid:|[\w+]+ needs) (at most )?([0-9.]+) more\.", text)
    assert found, text
    return found[1] is None, round(float(found[2]) * (10 if tenths else 1))


@pytest.mark.parametrize("name", PRESETS)
def test_what_a_bid_needs_is_true_for_every_seat_of_every_game(name: str) -> None:
    options, compared = PRESETS[name], 0
    for seed, chooser in ((4, scenes.wild(4)), (9, scenes.wild(9)), (2, scenes.wild(2))):
        seat = seed % options.seats
        models = [model for _, model in scenes.models(seed, seat, chooser, options)]
        end = models[-1].ended[-1].hand
        if end is None or not end.completed_tricks:
            continue
        for model in models:
            hand = model.hand
            if hand is None or hand.phase not in PLAYED or hand.maker is None:
                continue
            phrase = still_needed(model, hand)
            assert phrase is not None
            if options.partner == "across" and not str(phrase).startswith(("The bid", "Double")):
                is_ours = options.account(seat) == options.account(hand.maker)
                assert str(phrase).startswith("To make the bid:") is is_ours
            winners = {trick.winner for trick in hand.completed_tricks} - {None}
            is_lost = hand.bids_all_tricks and not winners <= {*end.makers}
            told = str(phrase) == "The bid is lost."
            assert told is is_lost or (is_lost and hand.called is not None and hand.partner is None)
            if told:
                continue
            if hand.bids_all_tricks or hand.doubled is not None:
                assert "every trick" in str(phrase)
                continue
            exact, points = told_need(phrase, options.tenths)
            true = truly_needed(hand, end)
            assert points == true if exact else points >= true, (str(phrase), true)
            compared += 1
    assert compared or options.half_court or options.bid304


def test_a_called_partner_knows_the_side_and_marriages_of_both_sides_count() -> None:
    options, found = PRESETS["maharashtra"], {"partner": 0, "ours": 0, "theirs": 0}
    for seed in (9, 55, 110, *range(400)):  # the first three have it all
        models = [model for _, model in scenes.models(seed, 1, scenes.wild(seed), options)]
        end = models[-1].ended[-1].hand
        if end is None or not end.completed_tricks or end.bids_all_tricks:
            continue
        for model in models:
            hand = model.hand
            if hand is None or hand.phase not in PLAYED or not hand.completed_tricks:
                continue
            exact, points = told_need(still_needed(model, hand) or Phrase(""), False)
            if hand.partner is None and hand.called in model.own and hand.maker != 1:
                won = [trick.winner for trick in hand.completed_tricks]
                found["partner"] += exact and 1 in won
            elif not exact or hand.called is None or hand.partner is None:
                continue
            assert not exact or points == truly_needed(hand, end)
            sides = {seat in end.makers for seat, _ in hand.marriages}
            found["ours"] += exact and True in sides and points > 0
            found["theirs"] += exact and False in sides and points > 0
        if all(found.values()):
            return
    raise AssertionError(found)


@pytest.mark.parametrize("name", PRESETS)
def test_the_strip_fits_the_least_window_in_every_game(name: str) -> None:
    """Nothing of it is cut, whatever the number of seats, and a key hides it."""
    options, seen = PRESETS[name], 0
    for _, model in scenes.models(4, 1, scenes.wild(4), options):
        if model.hand is None or not value_phrases(model):
            continue
        seen += 1
        if seen % 5 != 1:
            continue
        renderer = PhraseRenderer(Look(), nicks=model.nicks)
        side = " ".join(line[WIDTH:].strip() for line in shown_at(model).split("\n")[2:-3])
        for word in (rank_values(model.hand), *map(renderer.text, value_phrases(model))):
            assert word in side, (word, side)
        hidden, _ = press(model, Ui(), "=")
        assert rank_values(model.hand).split()[0] not in shown_at(model, hidden)
    assert seen


def test_everything_is_told_in_tenths_where_points_are() -> None:
    told = ""
    for _, model in scenes.models(4, 1, scenes.club(), preset("tenths")):
        if model.hand is not None:
            told += " ".join(map(str, [rank_values(model.hand), *value_phrases(model)])) + "\n"
    figures = re.findall(r"(?:=|: |at most )([0-9.]+)(?=[ \n,.])", told)
    assert len(figures) > 40 and all(re.fullmatch(r"[0-9]+\.[0-9]\.?", one) for one in figures)
    assert "J=3.0 9=2.0 A=1.1 10=1.0 K=0.3 Q=0.2 8=0.0 7=0.0" in told


def test_a_player_counts_own_cards_that_lie_face_down_and_a_spectator_does_not() -> None:
    found = 0
    for seed in range(1, 30):
        for _, model in scenes.models(seed, 2, scenes.wild(seed)):
            hand = model.hand
            if hand is None or not model.own_down or not hand.plays:
                continue
            mine = dict(model.own_down).get(hand.completed_count)
            if mine is None or not hand.options.pack.points[mine]:
                continue
            others = [play.card for play in hand.plays if play.card is not None]
            points = sum(hand.options.pack.points[card] for card in others)
            own = points + hand.options.pack.points[mine]
            assert f"Trick: {own}" in " ".join(map(str, value_phrases(model)))
            watching = replace(model, seat=None, view=None, own_down=())
            told = " ".join(map(str, value_phrases(watching)))
            assert f"Trick: {points} and" in told and "Your cards" not in told
            found += 1
        if found:
            return
    raise AssertionError("nobody laid a card of worth face down")


def test_text_mode_tells_the_same_on_asking() -> None:
    screen = TextScreen("Dilan")
    asked = screen.typed("points")
    assert asked == Show(("No hand is being played.",))
    for change, _ in scenes.models(14, 3, scenes.club()):
        if isinstance(change, Chosen):
            screen.chosen(change.action)
        elif not isinstance(change, Decided | Gathers | GotReady | Knocked | Note):
            screen.show(change)
        if screen.model.hand is not None and len(screen.model.done_tricks) == 2:
            break
    asked = screen.typed("points")
    assert isinstance(asked, Show) and screen.model.hand is not None
    assert asked.lines[0] == rank_values(screen.model.hand)
    assert asked.lines[1] == " ".join(map(str, value_phrases(screen.model)))
    assert re.search(r"Your cards: \d+\. .*(To make the bid|no more points)", asked.lines[1])


def test_a_double_that_has_lost_a_trick_is_told_as_lost() -> None:
    """The hand is played to its end all the same."""
    options, told = PRESETS["tamil-304"], set[str]()
    for _, model in scenes.models(4, 0, scenes.wild(4), options):
        hand = model.hand
        if hand is None or hand.phase not in PLAYED or not hand.completed_tricks:
            continue
        winners = {trick.winner for trick in hand.completed_tricks if trick.winner is not None}
        for seat in range(4):
            all_won = all(options.account(one) == options.account(seat) for one in winners)
            said = str(still_needed(model, replace(hand, doubled=seat)))
            wanted = "Double: every trick must be won." if all_won else "The double is lost."
            assert said == wanted
            told.add(said)
    assert len(told) == 2
