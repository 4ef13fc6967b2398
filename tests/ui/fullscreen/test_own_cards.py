"""A player sees the own cards always: in a small window, face down, after a hand passed out."""

from __future__ import annotations

import re
from dataclasses import replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card, by_suit
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.model.result_lines import hands
from p2p304.ui.fullscreen.model.ui_state import Ui, card_actions, held
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.hand import is_card_to_choose
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Change
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes
from tests.support.screen.stored import FOUR


def text(page: TablePage, width: int, height: int) -> str:
    return page.picture(width, height, 0.0).text


def test_a_small_window_always_shows_the_hand() -> None:
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    seen = 0
    for number, change in enumerate(scenes.evening(14, 3, scenes.club())):
        page.tell(change, number * 0.04)
        shown = " ".join(text(page, 60, 15).split())
        assert all(FOUR.card(card) in shown for card in held(page.model)), page.model.hand
        seen += bool(held(page.model))
    assert seen > 20


def test_an_own_card_that_lies_face_down_is_shown_to_its_player_alone() -> None:
    for seat in range(4):
        page = TablePage(Model(me=scenes.NICKS[seat]), FOUR, pace=Pace(0, 0))
        for number, change in enumerate(scenes.evening(14, seat, scenes.club())):
            page.tell(change, number * 0.04)
            trick = page.model.shown_trick
            mine = trick.by(seat) if trick is not None else None
            if mine is None or mine.card is not None or trick is None or trick.winner is not None:
                continue
            _, card = page.model.own_down[-1]
            table = "\n".join(line[:53] for line in text(page, 80, 24).split("\n")[:15])
            assert FOUR.card(card) in table and card not in held(page.model)
            under = table[table.index(FOUR.card(card)) :].split("\n")[1]
            assert "down" in under, "that the others see it face down needs no colours"
            told = TextScreen(scenes.NICKS[seat])
            told.teller.model = replace(page.model, typed=True)
            assert f"{Look(glyphs=False).card(card)} face down" in "".join(told.table_lines())
            assert f"{FOUR.card(card)} face down" in " ".join(text(page, 60, 15).split())
            return
    raise LookupError("nobody plays face down in this hand")


def test_every_card_that_may_be_chosen_is_marked_with_its_number() -> None:
    down = tenth = 0
    for game, seat in (("pagat", 1), ("pagat", 3), ("online-2", 1), ("online-3", 2)):
        nick, options = scenes.NICKS[seat], preset(game)
        page = TablePage(Model(me=nick), FOUR, pace=Pace(0, 0))
        for change in scenes.evening(14, seat, scenes.club(), options):
            page.tell(change, 0.0)
            if not isinstance(change, events.YourTurn) or not is_card_to_choose(page.model):
                continue
            mine, shown = held(page.model), text(page, 80, 24)
            labels = re.findall(r"[ ▸]\d+(?: down)?(?= |$)", shown.split("\n")[-5][:53])
            marked = {int(one.strip("▸ down")) for one in labels if "▸" in one}
            assert marked == {n for n, c in enumerate(mine, 1) if card_actions(page.model, c)}
            lies = page.model.view is not None and page.model.view.indicator in mine
            down += lies and f"▸{len(mine)} down" in shown
            tenth += len(mine) == 10
    assert down and tenth


def test_after_a_hand_that_was_passed_out_the_own_cards_are_shown() -> None:
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    for change in scenes.evening(14, 3, scenes.club()):
        page.tell(change, 0.0)
        if isinstance(change, events.HandSeen):
            break
    view, match = page.model.view, page.model.match
    assert view is not None and match is not None and len(view.cards) == 4
    last = next(c for c in scenes.evening(14, 3, scenes.club()) if isinstance(c, events.HandOver))
    passed = replace(last.result, points=None, void=True)
    page.tell(events.HandOver(1, passed, match), 0.0)
    renderer = PhraseRenderer(FOUR, nicks=scenes.NICKS, seat=3)
    told = ["".join(text for _, text in line) for line in hands(page.model, renderer, 60)]
    own = [FOUR.card(card) for card in by_suit(view.cards, view.hand.options.pack)]
    assert all(card in told[3] for card in own)
    assert not any(card in line for card in own for line in told[:3])


def test_the_next_hand_forgets_the_cards_of_the_last() -> None:
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    for change in scenes.evening(14, 3, scenes.club()):
        page.tell(change, 0.0)
    assert len(page.model.own) == 8 and page.model.ended[-1].own == page.model.own
    page.tell(events.HandBegan(2, 1), 0.0)
    assert page.model.own == frozenset() and page.model.own_down == ()


def inspected() -> tuple[list[Change], dict[str, Card]]:
    """A hand up to the moment after which its trump maker has inspected face-down cards, and these
    cards by nickname."""
    for seed in range(40):
        changes: list[Change] = []
        for change in scenes.evening(seed, 3, scenes.club()):
            changes.append(change)
            if not isinstance(change, events.YourTurn):
                continue
            view, last = change.view, len(change.view.hand.completed_tricks) - 1
            found = {scenes.NICKS[s]: c for n, s, c in view.known if n == last and s != view.seat}
            if found:
                return changes, found
    raise LookupError("nobody inspects cards in these hands")


def test_the_trump_maker_sees_the_inspected_cards_and_nobody_else_does() -> None:
    changes, found = inspected()
    page, screen = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0)), TextScreen("Dilan")
    others = [Narrator(None), Narrator("Asha")]
    told: list[str] = []
    for change in changes:
        page.tell(change, 0.0)
        told += screen.show(change)  # type: ignore[arg-type]
        if not isinstance(change, events.HandSeen | events.YourTurn):
            assert not any("face down:" in line for one in others for line in one.lines(change))
    letters = Look(glyphs=False)
    (line,) = [line for line in told if "You saw face down: " in line]
    assert all(letters.card(card) in line for card in found.values())
    page.press("l", 0.0)
    shown, last = text(page, 80, 24), screen.typed("last")
    assert isinstance(last, Show)
    for nick, card in found.items():
        assert any(nick in row and FOUR.card(card) in row for row in shown.split("\n"))
        assert f"{letters.card(card)} face down" in last.lines[0]
    trick = page.model.last_trick
    assert trick is not None and len(page.model.seen_down(trick)) == len(found)
    for model in (others[0].model, others[1].model, replace(page.model, is_replay=True)):
        assert not model.seen_down(trick)


def test_the_inspected_cards_lie_open_in_the_trick_for_the_trump_maker() -> None:
    changes, found = inspected()
    page = TablePage(Model(me="Dilan"), FOUR, pace=Pace(0, 0))
    asked = changes.pop()
    assert isinstance(asked, events.YourTurn)
    announced = max(
        at
        for at, change in enumerate(changes)
        if isinstance(change, events.Acted) and isinstance(change.action, acts.Announce)
    )
    for change in changes[: announced + 1]:
        page.tell(change, 0.0)
    rows = []
    for known in ((), asked.view.known):
        view = page.model.view
        assert view is not None
        model = replace(page.model, view=replace(view, known=known), log=())
        renderer = PhraseRenderer(FOUR, nicks=scenes.NICKS, seat=3)
        shown = render(model, Ui(), renderer, 80, 24, 0.0).text.split("\n")
        rows.append("\n".join(line[:53] for line in shown[:15]))
    for card in found.values():
        assert FOUR.card(card) not in rows[0] and FOUR.card(card) in rows[1]
