"""A hand played out without a player who is gone, on the screen: what lies open, what is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.frontends.hints import hint
from p2p304.rules.state.hand import Phase
from p2p304.table.proofs.openings import open_cards
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay, Replayed
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.input.commands import command
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.moments import Entry
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.guidance.status import waiting_phrase
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Change, reduce
from tests.support.paths import TRANSCRIPTS
from tests.support.screen import scenes
from tests.support.screen.emulator import Emulated
from tests.support.screen.scenes import Gone
from tests.support.screen.stored import FOUR, PLAIN, compare

OUT = scenes.PAGAT.override({"away": "playout"})
FILE = TRANSCRIPTS / "played-out.304"


@pytest.fixture(scope="module")
def replayed() -> tuple[Replayed, ...]:
    """A real hand that was played out, verified once for all tests."""
    return tuple(Replay(FILE.read_bytes()))


def shown(model: Model, width: int = 80, height: int = 24) -> str:
    return render(model, Ui(), PhraseRenderer(FOUR, nicks=model.nicks), width, height, 70.0).text


def texts(model: Model) -> list[str]:
    renderer = PhraseRenderer(PLAIN, nicks=model.nicks)
    return [renderer.text(line.phrase) for line in model.log]


def played(seat: int, gone: Gone) -> Iterator[tuple[Change, Model]]:
    return scenes.models(14, seat, scenes.club(), OUT, gone)


@pytest.mark.parametrize(
    ("gone", "size"),
    [
        (Gone(0, 2), (80, 24)),
        (Gone(1, 12), (100, 40)),
        (Gone(2, 6), (80, 24)),
        (Gone(3, 20), (60, 15)),
    ],
    ids=str,
)
def test_what_lies_open_is_on_the_screen_until_it_is_played(
    gone: Gone, size: tuple[int, int]
) -> None:
    looked = 0
    for change, model in played((gone.seat + 1) % 4, gone):
        hand, emptied = model.hand, model.emptied
        acted = isinstance(change, events.Acted | events.LaidOpen)
        if not acted or hand is None or emptied is None or gone.seat not in hand.playing:
            continue
        assert not emptied.cards & set(hand.seen)
        if hand.phase is Phase.PLAY:
            assert len(emptied.cards) == hand.cards_left(gone.seat)
            looked += 1
            if looked % 5 == 1:
                text = shown(model, *size)
                assert all(FOUR.card(card) in text for card in emptied.cards)
    assert looked > 8


def test_the_open_cards_are_those_of_the_table_after_every_entry(
    replayed: tuple[Replayed, ...],
) -> None:
    model, looked = Model(), 0
    for entry in replayed:
        for event in entry.events:
            model = reduce(model, event, 0.0)
        state, emptied = entry.state, model.emptied
        if state.absent_seat is not None and emptied is not None:
            holding = state.open_deal.holdings[state.absent_seat]
            assert (emptied.cards, emptied.indicator) == open_cards(holding)
            looked += 1
    assert looked > 5 and model.emptied is not None
    assert model.ended[-1].emptied is not None and model.ended[-1].emptied.shown
    told, gone = texts(model), model.emptied.nick
    assert f"All others have agreed: this hand is played out without {gone}." in told
    assert told[-1] == f"The hand is finished: the table ends without {gone}."
    assert f"All others have agreed: the table ends without {gone}." not in told


def test_a_replay_steps_through_the_part_without_the_player(replayed: tuple[Replayed, ...]) -> None:
    entered = (Entry(one.seq, one.kind, one.author, one.events, 0.0) for one in replayed)
    page = ReplayPage(entered, FOUR)
    page.press("end", 0.0)
    last = page.moments[-1].model
    given = [step for step in last.proof_log if "helped to unlock" in step.what.text]
    assert len(given) >= 3 and all(step.proved.text.startswith("Proof verified") for step in given)
    for moment in page.moments[::9]:
        assert "304" in shown(moment.model)


def test_the_menu_and_the_question_say_what_the_rules_do() -> None:
    model = next(m for c, m in played(0, Gone(1, 6)) if isinstance(c, events.Waiting))
    part = next(e for e in entries(model, Ui()) if e.does is Command.PART)
    renderer = PhraseRenderer(PLAIN)
    assert renderer.text(part.name) == "Play this hand out without Bandu"
    asking = command(model, Ui(), Command.PART)[0].asking
    assert asking is not None and "The cards of Bandu are turned face up" in renderer.text(
        asking.question
    )
    assert any("played to its end" in renderer.text(phrase) for phrase in help_phrases(model))
    idle = replace(model, options=())
    told = waiting_phrase(idle, 61.0)
    assert told is not None and "play this hand out" in renderer.text(told)
    assert idle.waiting is not None
    gone = replace(idle, waiting=replace(idle.waiting, may_part=False))
    assert Command.PART not in [entry.does for entry in entries(gone, Ui())]
    early = waiting_phrase(gone, 30.0)
    assert early is not None and "are kept" in renderer.text(early)
    assert texts(
        next(m for c, m in played(0, Gone(1, 6)) if isinstance(c, events.PartingProposed))
    )[-1] == ("These players agree to play this hand out without Bandu: Asha (1 of 3).")


@pytest.mark.parametrize(
    ("away", "has_begun", "asked", "follows"),
    [
        ("replace", True, "The side of Bandu loses this hand", "side of Bandu loses this hand"),
        ("replace", False, "nothing is paid", "nothing is paid, and another player can take"),
        ("playout", False, "nobody wins", "nothing is paid, and nobody wins"),
    ],
)
def test_where_no_hand_is_played_out_another_question_is_asked(
    away: str, has_begun: bool, asked: str, follows: str
) -> None:
    options = scenes.PAGAT.override({"away": away})
    model = next(m for _, m in scenes.models(14, 0, scenes.club(), options) if m.done_tricks)
    model = reduce(model, events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True), 90.0)
    model = replace(model, has_begun=has_begun)
    asking = command(model, Ui(), Command.PART)[0].asking
    assert asking is not None and asked in PhraseRenderer(PLAIN).text(asking.question)
    told = waiting_phrase(replace(model, options=()), 90.0)
    assert any(follows in PhraseRenderer(PLAIN).text(phrase) for phrase in help_phrases(model))
    offered = "give the seat of Bandu to a bot" if away == "replace" else "end the table"
    assert told is not None and offered in PhraseRenderer(PLAIN).text(told)
    (label,) = (e.name for e in entries(model, Ui()) if e.does is Command.PART)
    labelled = "Give the seat of Bandu to a bot" if away == "replace" else "End the table without"
    assert PhraseRenderer(PLAIN).text(label).startswith(labelled)


def test_nothing_is_offered_where_one_waits_or_plays_without_somebody_already() -> None:
    options = scenes.PAGAT.override({"away": "wait"})
    gone = events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True)
    model = next(m for _, m in scenes.models(14, 0, scenes.club(), options) if m.done_tricks)
    waiting = reduce(model, gone, 90.0)
    without = next(m for c, m in played(0, Gone(2, 6)) if isinstance(c, events.LaidOpen))
    for model in (waiting, reduce(without, gone, 90.0)):
        assert Command.PART not in [entry.does for entry in entries(model, Ui())]
        told = waiting_phrase(replace(model, options=()), 90.0)
        assert told is not None and "are kept" in PhraseRenderer(PLAIN).text(told)


@pytest.mark.parametrize("opened", [True, False])
def test_a_table_that_ends_without_a_player_leads_to_what_comes_next(opened: bool) -> None:
    page = TablePage(Model(me="Asha"), FOUR, pace=Pace(0, 0))
    for change in scenes.evening(14, 0, scenes.club(), OUT, Gone(1, 12)):
        if isinstance(change, events.Parted) and not opened:
            page.press("escape", 1.0)  # the result was closed before
        page.tell(change, 1.0)
    page.show_rest(1.0)
    assert page.ui.pane is (Pane.RESULT if opened else Pane.END)
    last = "The hand is finished: the table ends without Bandu."
    told = " ".join(page.picture(80, 24, 2.0).text.split())
    assert not opened or f"{last} Press Enter to choose what comes next." in told
    if opened:
        page.press("enter", 3.0)
    told = page.picture(80, 24, 4.0).text
    assert page.ui.pane is Pane.END and last in told and "Quit" in told
    assert "then press Enter" in told


def test_a_hint_is_given_beside_an_open_seat() -> None:
    hints = [
        hint(m.view, m)
        for c, m in played(0, Gone(1, 12))
        if isinstance(c, events.YourTurn) and m.view is not None and m.emptied
    ]
    assert len(hints) >= 4


def page_at(look: Look = FOUR, language: str = "en") -> TablePage:
    desk = TablePage(Model(me="Asha"), look, translation(language), pace=Pace(0, 0))
    for number, change in enumerate(scenes.evening(14, 0, scenes.club(), OUT, Gone(1, 12))):
        desk.tell(change, number * 0.04)
        if isinstance(change, events.YourTurn) and len(desk.model.done_tricks) == 2:
            return desk
    raise LookupError("no such moment")


def test_the_open_seat_is_shown_as_stored() -> None:
    compare("open-seat-four-80x24", Emulated(80, 24).show(page_at(), dict(FOUR.styles)))
    plain = Emulated(80, 24).show(page_at(PLAIN), dict(PLAIN.styles))
    assert plain.isascii() and "(absent)" in plain
    compare("open-seat-ascii-80x24", plain)


@pytest.mark.parametrize("language", ["si", "ta"])
def test_the_open_seat_has_straight_columns_in_every_language(language: str) -> None:
    for row in page_at(language=language).picture(80, 24, 9.0).rows:
        assert sum(width_of(text) for _, text in row) == 80
