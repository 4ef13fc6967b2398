"""Stepping through a transcript: forwards, back, by trick and hand; a false one is told."""

from __future__ import annotations

import pytest

from p2p304.frontends.replay_screen import entries
from p2p304.log.transcript import Unreadable
from p2p304.rules.state.hand import Phase
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.model import Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from tests.support.paths import TRANSCRIPTS
from tests.support.screen.emulator import Emulated
from tests.support.screen.stored import FOUR, compare


def rerun(name: str = "good") -> ReplayPage:
    return ReplayPage(entries((TRANSCRIPTS / f"{name}.304").read_bytes()), FOUR)


@pytest.fixture(scope="module")
def ended() -> ReplayPage:
    page = rerun()
    page.press("end", 0.0)
    return page


def test_forward_and_back_show_the_same_screens() -> None:
    page = rerun()
    texts = []
    for _ in range(30):
        texts.append(page.picture(80, 24, 0.0).text)
        page.press("right", 0.0)
    for text in reversed(texts):
        page.press("left", 0.0)
        assert page.picture(80, 24, 0.0).text == text


def test_a_whole_hand_is_stepped_by_tricks(ended: ReplayPage) -> None:
    ended.press("home", 0.0)
    seen = []
    for _ in range(40):
        ended.press("pagedown", 0.0)
        seen.append(len(ended.model.done_tricks))
    hands = list(ended.model.ended)
    assert max(seen) == 8 or all(record.result.void for record in hands)
    assert [n for n in seen[:9] if n] == sorted(n for n in seen[:9] if n)


def test_hands_are_gone_to_and_back_from(ended: ReplayPage) -> None:
    last = ended.moments[-1].model.number
    assert last >= 1 and ended.go_to_hand(last)
    assert ended.model.number == last and ended.model.stage is Stage.DEALING
    assert not ended.go_to_hand(last + 1) and ended.model.number == last
    ended.press("home", 0.0)
    assert ended.at == 0


def test_panes_open_and_close_and_the_arrows_scroll_them(ended: ReplayPage) -> None:
    ended.press("end", 0.0)
    at = ended.at
    ended.press("b", 0.0)
    ended.press("up", 0.0)
    assert (ended.ui.pane, ended.ui.scroll, ended.at) == (Pane.PROOFS, 1, at)
    ended.press("escape", 0.0)
    assert (ended.ui.pane, ended.at) == (None, at)
    assert ended.press("q", 0.0) == (Quit(),)


def test_no_entry_shows_a_card_that_lies_face_down(ended: ReplayPage) -> None:
    for moment in ended.moments:
        hand = moment.model.hand
        if hand is None:
            continue
        down = [p for t in hand.tricks for p in t.plays if p.card is None]
        assert all(p.down for p in down) and moment.model.view is None


@pytest.mark.parametrize("name", ["bid", "signature", "shuffle"])
def test_a_false_entry_is_told_where_the_game_breaks_off(name: str) -> None:
    page = rerun(name)
    page.press("end", 0.0)
    assert "not sound from here on" in page.picture(80, 24, 0.0).text
    at = page.at
    page.press("right", 0.0)
    assert page.at == at


def test_bytes_that_are_no_transcript_are_refused_at_once() -> None:
    with pytest.raises(Unreadable):
        ReplayPage(entries(b"not a transcript"), FOUR)


def test_a_replay_is_shown_as_stored() -> None:
    page = rerun()
    page.go_to_hand(1)
    for _ in range(4):
        page.press("pagedown", 0.0)
    shown = Emulated(80, 24).show(page, dict(FOUR.styles))
    lines = [line for line in shown.splitlines() if "verified in" not in line]
    compare("replay-80x24", "\n".join(lines) + "\n")


def test_who_looks_on_sees_the_backs_of_every_hand(ended: ReplayPage) -> None:
    playing = next(
        m.model
        for m in ended.moments
        if m.model.hand and m.model.stage is Stage.PLAYING and m.model.hand.phase is Phase.PLAY
    )
    text = render(playing, Ui(), PhraseRenderer(FOUR, nicks=playing.nicks), 100, 40, 0.0).text
    rows = [line[:66] for line in text.splitlines()]
    assert sum("░░░" in part for line in rows for part in line.split("  ")) == 4
