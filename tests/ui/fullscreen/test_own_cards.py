"""A player sees the own cards always: in a small window, face down, after a hand passed out."""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.cards import by_suit
from p2p304.table.state import events
from p2p304.ui.common.settings import Pace
from p2p304.ui.fullscreen.model.result_lines import hands
from p2p304.ui.fullscreen.model.ui_state import held
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
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
            return
    raise LookupError("nobody plays face down in this hand")


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
