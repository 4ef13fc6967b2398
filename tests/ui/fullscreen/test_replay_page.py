"""Stepping through a transcript: forwards, back, by trick and hand; a false one is told."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from p2p304.bots.club import ClubBot
from p2p304.frontends.fullscreen.replay_screen import entries
from p2p304.log.transcript import Unreadable
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.claims import known_places
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.state.scoring import Result
from p2p304.table.state.events import HandOver, Seated
from p2p304.table.state.table import TableState
from p2p304.ui.fullscreen.model.cards_then import Views, decision, is_whole, view_then
from p2p304.ui.fullscreen.model.judgement import Judgement, Unjudged
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.fullscreen.replay_search import FEW_ENTRIES
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import Quit
from p2p304.ui.narration.model import Model, Stage
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


@pytest.mark.parametrize("every_entry", [False, True])
def test_forward_and_back_show_the_same_screens(every_entry: bool) -> None:
    page = rerun()
    if every_entry:
        page.press(".", 0.0)
    texts = []
    for _ in range(30):
        texts.append(page.picture(80, 24, 0.0).text)
        page.press("right", 0.0)
    for text in reversed(texts):
        page.press("left", 0.0)
        assert page.picture(80, 24, 0.0).text == text


def test_the_menu_of_a_replay_is_its_list_of_keys() -> None:
    page = rerun()
    page.press("m", 0.0)
    assert page.ui.pane is Pane.HELP
    assert "Leave the table" not in page.picture(110, 50, 0.0).text
    page.press("l", 0.0)
    page.press("m", 0.0)
    assert page.ui.pane is Pane.HELP


@pytest.mark.parametrize("steps", [0, 12, 30])
def test_help_shows_the_keys_of_a_replay_and_none_of_a_live_table(steps: int) -> None:
    page = rerun()
    for key in (*["right"] * steps, "?"):
        page.press(key, 0.0)
    text = page.picture(110, 50, 0.0).text
    for told in ("PgDn and PgUp go by tricks", "Space plays", "full stop (.)", "q ends"):
        assert told in text
    for live in ("Choose a card", "Choose with", "Ctrl-C", "Chat", "Let a bot", "Leave the table"):
        assert live not in text, live
    for key in ("escape", "l"):
        page.press(key, 0.0)
    assert page.ui.pane is Pane.LAST and "The last trick" in text


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


def test_a_step_is_a_move_and_an_entry_on_wish(ended: ReplayPage) -> None:
    page = rerun()
    at = [0]
    for _ in range(12):
        page.press("right", 0.0)
        at.append(page.at)
        assert "verified in" not in page.picture(80, 24, 0.0).text
    assert all(page.moments[place].is_move for place in at[1:]) and at[-1] > 12
    page.press(".", 0.0)
    assert "verified in" in page.picture(80, 24, 0.0).text
    page.press("right", 0.0)
    assert page.at == at[-1] + 1


def test_it_runs_by_itself_until_a_key_or_the_end() -> None:
    page = rerun()
    page.press(" ", 10.0)
    first = page.next_timeout(10.0)
    assert first is not None and 10.0 < first < 13.0
    page.handle_timer(first - 0.5)
    assert page.at == 0
    page.handle_timer(first)
    assert page.at > 0 and page.next_timeout(first) is not None
    page.press(" ", 20.0)
    assert page.next_timeout(20.0) is None
    page.press("end", 20.0)
    page.press(" ", 30.0)
    page.handle_timer(40.0)
    assert page.next_timeout(40.0) is None


def played(page: ReplayPage) -> None:
    page.press("home", 0.0)
    while page.model.hand is None or page.model.hand.phase is not Phase.PLAY:
        page.press("right", 0.0)


def test_a_hand_is_seen_from_every_place_and_then_from_none() -> None:
    page = rerun()
    played(page)
    hand = page.model.hand
    assert hand is not None
    for seat in range(4):
        page.press("s", 0.0)
        assert page.seat == seat
        assert f"from the place of {page.model.nicks[seat]}" in page.picture(80, 24, 0.0).text
        then = page.picture(80, 24, 0.0)
        assert len(then.hits) <= hand.cards_left(seat) + 1 and then.hits
    page.press("s", 0.0)
    assert page.seat is None and "as a spectator" in page.picture(80, 24, 0.0).text
    assert not page.picture(80, 24, 0.0).hits


def test_the_first_screen_of_a_game_can_be_seen_from_every_place_too() -> None:
    """The seats are drawn later: the page looks ahead."""
    page = rerun()
    page.press("home", 0.0)
    assert page.model.nicks == ()
    seen = []
    for _ in range(5):
        page.press("s", 0.0)
        seen.append(page.seat)
        assert page.at == 0 and page.model.nicks == ()
    assert seen == [0, 1, 2, 3, None]


def test_a_replay_counts_no_seconds_and_asks_for_nothing_at_the_end(ended: ReplayPage) -> None:
    ended.press("end", 0.0)
    assert due(ended.model).text == "The table is over."
    assert due(replace(ended.model, is_replay=False)).text != "The table is over."
    models = [moment.model for moment in ended.moments]
    playing = next(m for m in models if m.hand is not None and m.hand.turn is not None)
    assert playing.hand is not None
    limited = replace(playing.hand, options=replace(playing.hand.options, timer=30))
    there = replace(playing, hand=limited, turn_at=5.0)
    assert there.turn_ends is None and replace(there, is_replay=False).turn_ends == 35.0
    assert replace(there, is_replay=False, stage=Stage.OVER).turn_ends is None


def test_ones_own_place_is_found_by_the_key() -> None:
    data = (TRANSCRIPTS / "good.304").read_bytes()
    key = next(
        event.keys[2]
        for entry in entries(data)
        if not isinstance(entry, Phrase)
        for event in entry.events
        if isinstance(event, Seated)
    )
    page = ReplayPage(entries(data), FOUR, own_key=key)
    page.go_to_hand(1)
    assert page.seat == 2


def test_cards_shrink_by_those_played_and_never_hold_one_that_stayed_face_down() -> None:
    page = ReplayPage(entries((TRANSCRIPTS / "closed.304").read_bytes()), FOUR)
    page.press("end", 0.0)
    final = page.model.ended[-1].hand
    assert final is not None
    (it,) = {(n, p.seat) for n, t in enumerate(final.tricks) for p in t.plays if p.card is None}
    trick_of_it, who = it
    for moment in page.moments:
        then = moment.model.hand
        if then is None or moment.model.stage is not Stage.PLAYING or then.phase is not Phase.PLAY:
            continue
        for seat in range(4):
            view = view_then(final, then, seat)
            played = sum(trick.by(who) is not None for trick in then.tricks)
            lacks = seat == who and played <= trick_of_it
            assert len(view.cards) == then.cards_left(seat) - lacks
            # Whoever laid it down, or inspected it as trump maker, knew more than can be seen now.
            assert is_whole(view) is not (lacks or bool(known_places(then, seat) & {it}))
            for number, other, card in view.known:
                play = final.tricks[number].by(other)
                assert play is not None and play.card is card


def test_an_own_card_that_lies_face_down_is_shown_from_the_own_place() -> None:
    data = (TRANSCRIPTS / "closed.304").read_bytes()
    page = ReplayPage(entries(data), FOUR)
    page.press("end", 0.0)
    final = page.model.ended[-1].hand
    assert final is not None
    (it,) = {(n, p.seat) for n, t in enumerate(final.tricks) for p in t.plays if p.card is None}
    trick, who = it
    (laid,) = set(final.options.pack.points) - {p.card for t in final.tricks for p in t.plays}

    def kept(state: TableState, place: int) -> View | None:
        hand = state.hand
        if hand is None or hand.phase is not Phase.PLAY:
            return None
        has_laid = trick < len(hand.tricks) and hand.tricks[trick].by(who) is not None
        known = ((trick, who, laid),) if has_laid else ()
        return View(who, hand, view_then(final, hand, who).cards, None, known)

    page = ReplayPage(entries(data, kept), FOUR)
    page.press("end", 0.0)
    for number, moment in enumerate(page.moments):
        page.at, hand = number, moment.model.hand
        if hand is None or moment.own_view is None or not moment.own_view.known:
            continue
        assert len(hand.tricks) == trick + 1, "the trick lies on the table"
        for seat in (None, *range(4)):
            page.seat = seat
            rows = page.picture(80, 24, 0.0).text.split("\n")[:15]
            table = "\n".join(row[:53] for row in rows)
            assert (FOUR.card(laid) in table) is (seat == who), table
            assert (" down" in table) is (seat == who), table
        return
    raise LookupError("the card is never laid down")


def test_a_hint_is_what_the_bot_would_have_done() -> None:
    def advise(view: View, model: Model) -> Phrase:
        assert model.seat == view.seat == view.hand.turn
        return say("Hint: {what}.", what=describe(ClubBot().choose(view), model))

    page = ReplayPage(entries((TRANSCRIPTS / "good.304").read_bytes()), FOUR, advise=advise)
    assert "nothing to choose here" in searched(page)
    played(page)
    assert page.model.hand is not None and page.model.hand.turn is not None
    turn = page.model.hand.turn
    assert f"For {page.model.nicks[turn]}: Hint: " in searched(page)
    for seat in range(4):
        page.seat = seat
        assert ("Hint: " in searched(page)) is (seat == turn)
    page.seat = None
    page.press("right", 0.0)
    assert "Hint: " not in page.picture(80, 24, 0.0).text
    page.go_to_hand(1)
    while page.model.hand is None or page.model.hand.phase is not Phase.BID4:
        page.press("right", 0.0)
    assert "There is no hint: not all cards of" in searched(page)


def test_no_hint_is_looked_for_while_the_hand_is_counted() -> None:
    """Somebody must open cards then, and has nothing to choose."""

    def advise(view: View, model: Model) -> Phrase:
        raise ValueError("no choice")

    data = (TRANSCRIPTS / "closed.304").read_bytes()
    page = ReplayPage(entries(data), FOUR, advise=advise)
    page.press(".", 0.0)
    while page.model.hand is None or page.model.hand.phase is not Phase.COUNT:
        at = page.at
        page.press("right", 0.0)
        assert page.at > at, "no entry of the count"
    assert page.model.hand.turn is not None
    assert "nothing to choose here" in searched(page)


def test_all_hands_are_listed_before_the_hand_is_over() -> None:
    """As far as they were shown in the whole hand."""
    page = rerun()
    played(page)
    page.press("v", 0.0)
    pane = page.picture(80, 24, 0.0).text
    assert "All cards that were shown in this hand" in pane
    hands = [line for line in pane.split("\n") if re.search(r"│ \w+ +(\S+ ){3}", line)]
    assert len(hands) == 4, pane
    assert sum(len(re.findall(r"[2-9JQKA10]+[♠♥♦♣]", line)) for line in hands) > 20
    page.press("v", 0.0)
    page.press("end", 0.0)
    page.press("v", 0.0)
    assert "All cards that were shown in the last hand" in page.picture(80, 24, 0.0).text


class Teacher:
    """Finds something better than the moves whose numbers are given, from 1, and notes all."""

    def __init__(self, *numbers: int) -> None:
        self.numbers, self.seen = numbers, list[tuple[View, Action]]()

    def __call__(self, final: Hand, then: Hand, views: Views, result: Result) -> Judgement | None:
        if then.turn is None or then.phase is not Phase.PLAY:
            return None
        view, action = decision(final, then, views)
        if view is None or action is None:
            return Judgement(then.turn, Unjudged.CARDS)
        self.seen.append((view, action))
        told = say("Better.") if len(self.seen) in self.numbers else None
        return Judgement(then.turn, None, told)


def taught(page: ReplayPage) -> str:
    """Press the teacher's key, and let it look until it stops."""
    return searched(page, "t")


def searched(page: ReplayPage, key: str = "i") -> str:
    """Press a key, and let what it begins come to its end."""
    page.press(key, 0.0)
    now = 0.0
    while (at := page.next_timeout(now)) is not None:
        now = at
        page.handle_timer(now)
    return page.picture(80, 24, 0.0).text


def lesson_page(teach: Teacher, name: str = "good") -> ReplayPage:
    data = (TRANSCRIPTS / f"{name}.304").read_bytes()
    return ReplayPage(entries(data), FOUR, teach=teach)


def test_the_teacher_stops_at_every_move_that_could_have_been_better() -> None:
    teach = Teacher(3, 7)
    page = lesson_page(teach)
    assert "Better." in taught(page)
    hand = page.model.hand
    assert hand is not None and (len(teach.seen), hand.turn) == (3, teach.seen[-1][0].seat)
    assert hand == teach.seen[-1][0].hand
    at = page.at
    assert "Better." in taught(page) and page.at > at and len(teach.seen) == 7
    at = page.at
    assert "finds no better move" in taught(page) and page.at == at
    # Each card is looked at once, from what its player knew, as it was played.
    assert len(teach.seen) == 32 and len({action for _, action in teach.seen}) == 32
    for view, action in teach.seen:
        assert isinstance(action, Play) and action in legal(view)


def test_the_teacher_looks_at_the_moves_of_ones_own_place_and_any_key_stops_it() -> None:
    teach = Teacher()
    page = lesson_page(teach)
    played(page)
    page.press("s", 0.0)
    page.press("home", 0.0)
    taught(page)
    assert {view.seat for view, _ in teach.seen} == {0} and len(teach.seen) == 8
    page.press("t", 0.0)
    assert "The teacher looks at hand" in page.picture(80, 24, 0.0).text
    page.press("left", 0.0)
    assert page.next_timeout(0.0) is None and "The teacher" not in page.picture(80, 24, 0.0).text
    page.press("t", 0.0)
    assert page.press("t", 0.0) == () and page.next_timeout(0.0) is None


class Elsewhere:
    """Runs nothing itself: what it is given is answered later."""

    def __init__(self) -> None:
        self.asked = list[tuple[Callable[[], Any], Callable[[Any], None]]]()

    def __call__(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self.asked.append((work, done))

    def answer(self) -> None:
        work, done = self.asked.pop()
        done(work())


def searching_page() -> tuple[ReplayPage, Elsewhere]:
    """A page whose searches run elsewhere, where a player has to choose a card."""
    elsewhere = Elsewhere()
    page = ReplayPage(
        entries((TRANSCRIPTS / "good.304").read_bytes()),
        FOUR,
        advise=lambda view, model: say("Hint."),
        teach=Teacher(1),
        run=elsewhere,
    )
    played(page)
    return page, elsewhere


def test_a_hint_is_searched_for_elsewhere_and_escape_stops_it() -> None:
    page, elsewhere = searching_page()
    assert "Thinking … Esc stops." in searched(page) and len(elsewhere.asked) == 1
    at = page.at
    assert page.press("escape", 0.0) == () and page.at == at
    assert "Thinking" not in page.picture(80, 24, 0.0).text
    elsewhere.answer()
    assert "Hint." not in page.picture(80, 24, 0.0).text  # too late
    assert "Thinking" in searched(page)
    page.press("right", 0.0)  # the hint is for another move
    elsewhere.answer()
    assert page.at > at and "Hint." not in page.picture(80, 24, 0.0).text
    assert "Thinking" in searched(page)
    elsewhere.answer()
    assert "Hint." in page.picture(80, 24, 0.0).text
    assert page.press("escape", 0.0) == (Quit(),)


def test_the_teacher_judges_elsewhere_and_goes_on_with_the_answer() -> None:
    page, elsewhere = searching_page()
    assert "The teacher looks at hand" in searched(page, "t") and len(elsewhere.asked) == 1
    assert page.press("escape", 0.0) == () and page.next_timeout(0.0) is None
    elsewhere.answer()
    assert "Better." not in page.picture(80, 24, 0.0).text
    page, elsewhere = searching_page()
    searched(page, "t")
    elsewhere.answer()
    assert "Better." in page.picture(80, 24, 0.0).text and not elsewhere.asked


def test_a_search_takes_few_entries_at_a_time() -> None:
    """Verifying a hand takes half a second: keys are read meanwhile."""
    page, elsewhere = searching_page()
    page.press("i", 0.0)
    steps = 0
    while not elsewhere.asked:
        taken = len(page.moments)
        at = page.next_timeout(0.0)
        assert at is not None
        page.handle_timer(at)
        assert len(page.moments) - taken <= FEW_ENTRIES
        steps += 1
    assert steps > 5


def test_teacher_and_hint_are_silent_until_the_hand_is_over() -> None:
    data, unfinished = (TRANSCRIPTS / "good.304").read_bytes(), []
    for entry in entries(data):
        if isinstance(entry, Phrase) or any(isinstance(e, HandOver) for e in entry.events):
            break
        unfinished.append(entry)

    def advise(view: View, model: Model) -> Phrase:
        raise AssertionError("nobody may advise in this hand")

    teach = Teacher(1)
    page = ReplayPage(iter(unfinished), FOUR, advise=advise, teach=teach)
    assert "finds no better move" in taught(page) and not teach.seen
    played(page)
    assert "no hints until the hand is over" in searched(page)


def test_the_teacher_says_whose_moves_it_cannot_judge_and_why() -> None:
    teach = Teacher()
    page = lesson_page(teach, "closed")
    told = " ".join(taught(page).split())
    assert "8 moves of Asha could not be judged: not all cards held then are known." in told
    assert all(is_whole(view) for view, _ in teach.seen)


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
