"""The reducer on whole hands: own cards at every moment, nothing hidden, nothing forgotten."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from p2p304.log.faults import Finding
from p2p304.rules.core import actions as acts
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import Arg, Phrase, Who, pieces, say, verbatim
from p2p304.rules.play.engine import apply
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.variants.absence import LONG
from p2p304.table.state import events, gathering_events
from p2p304.ui.common.settings import Pace
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.commands import leave
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.status import contract, due, points, titles, waiting_phrase, window_title
from p2p304.ui.narration.intents import Quit, ToLobby
from p2p304.ui.narration.model import Line, Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Chosen, GotReady, Note, reduce
from p2p304.ui.questions.leaving import may_leave_bots, own_bots
from p2p304.ui.text.narrator import Narrator
from tests.support.screen import scenes


def cards_in(value: Arg) -> set[Card]:
    """Every card that a phrase names."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, Phrase):
        return set().union(*(cards_in(arg) for _, arg in value.args))
    if isinstance(value, tuple):
        return set().union(*(cards_in(item) for item in value))
    return set()


@pytest.mark.parametrize("seed", range(10))
def test_own_cards_between_turns_are_those_that_the_next_view_shows(seed: int) -> None:
    previous: Model | None = None
    compared = 0
    for change, model in scenes.models(seed, seed % 4, scenes.wild(seed)):
        if isinstance(change, events.YourTurn) and previous is not None and previous.view:
            assert previous.view.cards == change.view.cards
            assert previous.view.indicator == change.view.indicator
            compared += 1
        previous = model
    assert compared >= 1


@pytest.mark.parametrize("seed", range(10))
def test_the_log_names_no_card_that_lies_face_down(seed: int) -> None:
    for change, model in scenes.models(seed, 0, scenes.wild(seed)):
        if not isinstance(change, events.Acted):
            continue
        public = set(change.hand.seen) | ({change.hand.indicator} - {None})
        for action in change.hand.history:
            if isinstance(action, acts.Redeal):
                public |= set(action.cards or ())
        if change.hand.phase is not Phase.COUNT:
            named = set().union(*(cards_in(line.phrase) for line in model.log))
            assert named <= public


def test_a_hand_goes_through_its_stages_and_ends_on_the_sheet() -> None:
    stages = [model.stage for _, model in scenes.models(3, 0, scenes.club())]
    order = list(dict.fromkeys(stages))
    assert order == [Stage.GATHERING, Stage.DEALING, Stage.PLAYING, Stage.BETWEEN]
    *_, (_, last) = scenes.models(3, 0, scenes.club())
    assert len(last.ended) == 1
    assert last.match == last.ended[0].match
    assert last.deal_next == 2
    assert reduce(last, GotReady(), 9.0).deal_next is None


def test_a_replay_waits_for_nobody() -> None:
    model = Model(is_replay=True)
    assert str(due(model)) == "The seats are not drawn yet."
    assert str(contract(model)) == "No hand has begun yet."
    shown = "".join(
        t for row in render(model, Ui(), PhraseRenderer(Look()), 80, 24, 1.0).rows for _, t in row
    )
    assert "The game begins here." in shown and "free" not in shown and "joined" not in shown


def test_only_other_people_wait_for_a_player_who_leaves() -> None:
    *_, (_, model) = scenes.models(3, 0, scenes.club())
    for has_people in (True, False):
        asked = leave(replace(model, has_people=has_people, stage=Stage.PLAYING), Ui())[0].asking
        assert asked is not None and ("others must then wait" in str(asked.question)) is has_people


@pytest.mark.parametrize("away", ["wait", "replace", "playout"])
def test_whoever_leaves_is_told_what_the_rules_let_the_others_do(away: str) -> None:
    rules = scenes.PAGAT.override({"away": away})
    *_, (_, model) = scenes.models(3, 0, scenes.club(), rules)
    asked = leave(replace(model, has_people=True, stage=Stage.PLAYING), Ui())[0].asking
    assert asked is not None
    assert ("agree to go on without you" in str(asked.question)) == (away != "wait")
    assert ("must then wait" in str(asked.question)) == (away == "wait")


def test_the_owner_of_bots_is_told_that_they_leave_too_and_is_named_to_the_others() -> None:
    seated = replace(scenes.GOES_ON, owners=(None, None, "Asha", "Asha"))
    bots = seated.nicks[2:]
    host = replace(reduce(Model(me="Asha"), seated, 0.0), stage=Stage.PLAYING)
    asked = leave(host, Ui())[0].asking
    assert asked is not None and "Your 2 bots leave too" in str(asked.question)
    assert asked.other is not None and "press b" in str(asked.other)
    guest = reduce(Model(me="Bandu"), seated, 0.0)
    asked = leave(replace(guest, stage=Stage.PLAYING), Ui())[0].asking
    assert asked is not None and "bots" not in str(asked.question)
    gone = reduce(guest, events.Waiting(bots[:1], 0.0, 5, bots[:1]), 5.0)
    told = str(waiting_phrase(gone, 5.0))
    assert told.startswith(f"Waiting for {bots[0]} [bot], invited by Asha (disconnected): 5 s.")
    both = ("Asha", bots[0])
    gone = reduce(guest, events.Waiting(both, 0.0, 5, both), 5.0)
    assert str(waiting_phrase(gone, 5.0)).startswith("Waiting for Asha, ")
    assert "invited" not in str(waiting_phrase(gone, 5.0))
    alone = events.Waiting(bots, 0.0, int(LONG), bots)
    told = str(waiting_phrase(reduce(guest, alone, LONG), LONG))
    assert told.startswith("The bots of Asha have stopped: this table can go on when Asha has left")
    told = str(waiting_phrase(reduce(host, alone, LONG), LONG))
    assert told.startswith("The programs of your bots have stopped. Leave, and resume this table")
    told = str(waiting_phrase(gone, LONG))
    assert told.startswith("Asha and their bots are gone: this table can go on only when Asha ")
    strangers = ("Asha", "Chitra")
    guest = replace(guest, owners=())
    gone = reduce(guest, events.Waiting(strangers, 0.0, 5, strangers), 5.0)
    assert str(waiting_phrase(gone, LONG)).startswith("More than one player is missing: ")


def test_the_bots_of_a_player_who_leaves_play_on_if_the_player_wants() -> None:
    """Not where the table waits in any case, and not on the way to the lobby."""
    seated = replace(scenes.GOES_ON, owners=(None, None, None, "Asha"))
    host = replace(reduce(Model(me="Asha"), seated, 0.0), stage=Stage.PLAYING)
    asking = leave(host, Ui())[0].asking
    assert asking is not None and str(asking.question).startswith("Leave the table? Your bot ")
    ui, wanted = press(host, Ui(asking=asking), "b")
    assert wanted == (Quit(bots_stay=True),) and ui.asking is None
    assert press(host, Ui(asking=asking), "y")[1] == (Quit(),)
    for model, way in ((host, ToLobby()), (replace(host, owners=()), Quit())):
        plain = leave(model, Ui(), way)[0].asking
        assert plain is not None and plain.other is None
        assert press(model, Ui(asking=plain), "b")[1] == ()
    *_, (_, playing) = scenes.models(3, 0, scenes.club())
    owned = replace(playing, owners=(("Chitra", playing.me or ""),), has_people=True)
    assert not may_leave_bots(owned)
    assert may_leave_bots(replace(owned, match=seated.match))
    first = reduce(Model(me="Asha"), replace(seated, match=scenes.MATCH), 0.0)
    assert own_bots(first) and first.has_people and not may_leave_bots(first)


def test_a_spectator_sees_cards_and_turn_while_the_first_bidder_thinks() -> None:
    model = replace(reduce(Model(), scenes.SEATED, 0.0), watches=True)
    model = reduce(model, events.HandBegan(1, 0), 1.0)
    assert str(due(model)) == "The cards are being dealt."
    model = reduce(model, events.Dealt(1, 4, Hand.start(scenes.PAGAT, 0)), 2.0)
    renderer = PhraseRenderer(Look(), nicks=model.nicks)
    told = renderer.text(due(model))
    assert told == f"Next: {model.nicks[1]}"
    assert str(contract(model)) == "No bid yet."
    assert render(model, Ui(), renderer, 80, 24, 2.0).text.count("░░░░") == 4
    assert str(due(reduce(model, events.HandBegan(2, 1), 3.0))) == "The cards are being dealt."


def test_a_pack_that_is_shuffled_ahead_waits_for_everybody() -> None:
    waits = Model(
        me="Asha", stage=Stage.DEALING, nicks=("Asha", "Bandu"), number=2, deal_next=2, shuffled=1
    )
    assert "being shuffled" in str(contract(waits))
    waits = replace(waits, shuffled=2)
    assert str(contract(waits)).startswith("The pack is shuffled.")
    assert str(due(waits)) == "Press Enter to deal hand 2."
    asked = reduce(waits, GotReady(), 9.0)
    assert str(due(asked)) == "The others have not all pressed Enter yet."
    assert str(due(replace(asked, has_begun=True))) == "The cards are being dealt."


def test_every_step_of_the_deal_is_put_down_with_milliseconds_and_what_it_proved() -> None:
    steps = [m for _, m in scenes.models(3, 0, scenes.club())][-1].proof_log
    shuffles = [step for step in steps if "shuffled" in step.what.text]
    assert [dict(step.what.args)["who"] for step in shuffles] == [Who(n) for n in range(4)]
    assert all(step.took == 40 for step in shuffles)
    assert all(step.proved.text for step in steps)


def test_my_turn_lasts_until_my_own_choice() -> None:
    turns = 0
    for change, model in scenes.models(5, 2, scenes.club()):
        assert model.is_my_turn == isinstance(change, events.YourTurn)
        turns += model.is_my_turn
    assert turns > 8


def test_waiting_is_shown_until_something_happens() -> None:
    model = reduce(Model(me="Asha"), scenes.SEATED, 0.0)
    waiting = reduce(model, events.Waiting(("Bandu",), 12.5), 22.5)
    assert waiting.waiting is not None
    assert waiting.waiting.since == 12.5
    assert reduce(waiting, events.HandBegan(1, 0), 23.0).waiting is None


def test_a_wait_before_a_players_first_choice_names_the_spoken_code() -> None:
    """Until then a player may still compare it, and play at once afterwards."""
    seated = replace(scenes.SEATED, owners=(None, None, None, "Asha"))
    model = reduce(reduce(Model(me="Asha"), seated, 0.0), events.HandBegan(1, 0), 0.0)

    def told(model: Model, *nicks: str) -> str:
        return str(waiting_phrase(reduce(model, events.Waiting(nicks, 0.0, 12), 12.0), 12.0))

    assert told(model, "Bandu") == (
        "Waiting for Bandu: 12 s. The spoken code is not confirmed there yet."
    )
    assert told(model, "Dilan") == "Waiting for Dilan [bot]: 12 s.", "a bot compares nothing"
    confirmed = reduce(model, events.CodeConfirmed("Bandu"), 1.0)
    known = reduce(model, events.CodeConfirmed("Bandu", may_be_known=True), 1.0)
    assert len(confirmed.log) == len(known.log) + 1 == len(model.log) + 1
    assert known.unconfirmed == confirmed.unconfirmed == ("Chitra",)
    assert told(confirmed, "Bandu") == "Waiting for Bandu: 12 s."
    assert told(confirmed, "Bandu", "Chitra") == "Waiting for Bandu, Chitra: 12 s."
    bid = Hand.start(scenes.PAGAT, 0)
    bid.history.append(acts.Pass(1))
    assert told(replace(model, hand=bid), "Bandu") == "Waiting for Bandu: 12 s."
    assert "spoken code" in told(replace(model, hand=bid), "Chitra")
    assert "spoken code" not in told(replace(model, number=2), "Chitra")


def test_at_a_table_that_waits_the_notice_says_what_can_be_done() -> None:
    models = [model for _, model in scenes.models(14, 3, scenes.club())]
    model = next(m for m in models if m.hand is not None and not m.is_my_turn)
    assert model.away == "wait"
    waiting = events.Waiting(("Bandu",), 0.0, 61, ("Bandu",))
    model = reduce(model, waiting, 61.0)
    assert "Their seat and cards are kept" in str(waiting_phrase(model, 59.0))
    two = events.Waiting(("Bandu", "Chitra"), 0.0, 61, ("Bandu", "Chitra"))
    told_of_two = str(waiting_phrase(reduce(model, two, 61.0), 59.0))
    assert "Their seats and cards are kept" in told_of_two
    told = str(waiting_phrase(model, 61.0))
    assert "This table waits" in told and "press x" in told and "resume the table later" in told
    typed = str(waiting_phrase(replace(model, typed=True), 61.0))
    assert "type 'quit'" in typed


def test_a_proven_cheat_stops_the_table_and_a_mere_refusal_does_not() -> None:
    model = reduce(Model(me="Asha"), scenes.SEATED, 0.0)
    finding = Finding("D07", "the shuffle proof is false", 1)
    refused = reduce(model, events.Fault(finding, None, 3), 1.0)
    assert refused.stopped is None
    stopped = reduce(refused, events.Fault(finding, "Bandu", 3), 1.0)
    assert stopped.stopped is not None
    assert dict(stopped.stopped.args)["nick"] == "Bandu"


@pytest.mark.parametrize("check", [*events.TWO_FOR_A_PLACE, *events.TWO_THAT_EXCLUDE])
def test_two_signatures_are_told_with_what_may_have_made_them(check: str) -> None:
    model = reduce(Model(me="Asha"), scenes.SEATED, 0.0)
    stopped = reduce(model, events.Fault(Finding(check, "", 1), "Bandu", 3), 1.0).stopped
    assert stopped is not None
    assert stopped.text.startswith("{nick} signed two ")
    assert "two computers" in stopped.text and "backup" in stopped.text


def test_an_entry_from_another_machine_is_told() -> None:
    model = reduce(Model(me="Asha"), events.SignedElsewhere(), 0.0)
    assert "your other computer" in model.log[-1].phrase.text
    (line,) = Narrator().lines(events.SignedElsewhere())
    assert "your other computer" in line


def test_an_unknown_event_changes_nothing() -> None:
    class FromTheFuture:
        pass

    model = reduce(Model(me="Asha"), scenes.SEATED, 0.0)
    assert reduce(model, FromTheFuture(), 1.0) == model  # type: ignore[arg-type]
    noted = reduce(model, Note(verbatim("No network.")), 1.0)
    assert noted.log[-1].phrase == say("{sentence}", sentence="No network.")


def test_a_spectator_has_no_seat() -> None:
    assert reduce(Model(me=None), scenes.SEATED, 0.0).seat is None


@pytest.mark.parametrize("text", ["{who} plays {card", "{nobody} wins", "}{", "{}", ""])
def test_a_faulty_translation_is_shown_as_it_stands(text: str) -> None:
    phrase = say("{who} wins.", who="Asha")
    shown = "".join(part or str(arg) for part, arg in pieces(phrase, lambda _: text))
    assert shown == text.replace("{who}", "Asha")


CLOCK = scenes.PAGAT.override({"timer": 30})


def at_turn(mine: bool) -> tuple[Model, float]:
    """A moment in the play at which this seat, or another one, is waited for."""
    for number, (_, model) in enumerate(scenes.models(14, 3, scenes.club(), CLOCK)):
        if len(model.done_tricks) == 2 and model.is_my_turn is mine and model.turn_ends is not None:
            return model, number * 0.04
    raise LookupError("no such moment")


def shown(model: Model, now: float, width: int = 80) -> str:
    return render(model, Ui(), PhraseRenderer(Look(), nicks=model.nicks), width, 24, now).text


@pytest.mark.parametrize("mine", [True, False])
@pytest.mark.parametrize("width", [80, 60])
def test_a_turn_that_has_a_clock_shows_it_to_all(mine: bool, width: int) -> None:
    model, began = at_turn(mine)
    assert model.turn_ends is not None and abs(model.turn_ends - 30 - began) < 0.05
    assert " 30 s" in shown(model, began, width)
    assert " 8 s" in shown(model, began + 22.5, width)
    assert " 0 s" in shown(model, began + 99, width)


def test_without_a_clock_none_is_shown() -> None:
    for _, model in scenes.models(14, 3, scenes.club()):
        assert model.turn_ends is None


def test_what_the_clock_did_is_told_and_what_was_chosen_is_not() -> None:
    told = "Your time is over. Your program plays for you."
    model, began = at_turn(mine=True)
    assert model.view is not None
    action, before = model.options[0], model.view.hand
    done = events.Acted(action, before, apply(before, action))
    by_itself = reduce(model, done, began + 30)
    assert told in {line.phrase.text for line in by_itself.log}
    first, *_, last = by_itself.log[-2:]
    assert first.phrase.text == told and first.trick == last.trick == 2  # hidden with its card
    chosen = reduce(reduce(model, Chosen(action), began), done, began + 1)
    assert told not in {line.phrase.text for line in chosen.log}


def test_the_clock_counts_from_when_the_turn_came_not_from_when_it_was_shown() -> None:
    page = TablePage(Model(me="Dilan"), Look(), pace=Pace(5.0, 5.0))
    last = 0.0
    for number, change in enumerate(scenes.evening(14, 3, scenes.club(), CLOCK)):
        last = number * 0.04
        page.tell(change, last)
        if isinstance(change, events.YourTurn):
            break
    for second in range(1, 30):
        page.handle_timer(last + second)
    assert page.model.is_my_turn and page.model.turn_ends is not None
    assert page.model.turn_ends <= last + 30.0
    wake = page.next_timeout(last + 20.4)
    assert wake is not None and last + 20.4 < wake <= last + 21.4


def test_who_joined_is_not_told_any_more_once_the_first_hand_begins() -> None:
    logs = {
        type(change): "\n".join(line.phrase.text for line in model.log)
        for change, model in scenes.models(3, 0, scenes.club())
    }
    assert (
        "{nick} has joined." in logs[gathering_events.Members]
        and "At the table" in logs[gathering_events.Members]
    )
    told = logs[events.HandBegan]
    assert "has joined" not in told and "At the table" not in told and "deals" in told


@pytest.mark.parametrize("void", [True, False])
def test_a_hand_that_did_not_count_is_dealt_again_with_the_same_number(void: bool) -> None:
    *_, (_, last) = scenes.models(3, 0, scenes.club())
    ended = replace(last.ended[-1], number=1, result=replace(last.ended[-1].result, void=void))
    last = replace(last, ended=(ended,), nicks=scenes.NICKS, deal_next=2, options=())
    renderer = PhraseRenderer(Look(), nicks=scenes.NICKS)
    again = "deal hand 1 again." if void else "deal hand 2."
    assert renderer.text(due(last)).endswith(again)
    begun = reduce(last, events.HandBegan(2, 1), 1.0)
    head = renderer.text(begun.log[-1].phrase)
    assert head.startswith("Hand 1, dealt again: " if void else "Hand 2: ")
    assert f"Hand {1 if void else 2} " in next(titles(begun, renderer))[0][1]
    over = events.HandOver(2, ended.result, ended.match, ())
    told = [renderer.text(line.phrase) for line in reduce(begun, over, 2.0).log]
    expected = "Hand 1 does not count. " if void else "Hand 2 is over. "
    assert any(line.startswith(expected) for line in told)


def test_the_header_of_a_hand_ended_by_caps_counts_as_the_result_does() -> None:
    *_, (_, last) = scenes.models(7, 0, scenes.club())
    renderer = PhraseRenderer(Look(), nicks=scenes.NICKS, seat=0)
    result = replace(last.ended[-1].result, points=(0, 304))
    ended = replace(last, ended=(replace(last.ended[-1], result=result),))
    assert "".join(text for _, text in points(ended, renderer)) == "Points: We 0, They 304"


def test_cards_that_nobody_saw_are_counted_in_words() -> None:
    renderer = PhraseRenderer(Look(), nicks=scenes.NICKS, seat=0)
    told = [
        "".join(text for _, text in points(model, renderer))
        for _, model in scenes.models(7, 0, scenes.club())
    ]
    hidden = [line for line in told if "face down" in line]
    assert hidden and all(re.search(r"\d \+ \d+ face down", line) for line in hidden)
    assert not any(renderer.look.frame.back in line for line in told)


def test_the_log_beside_the_table_begins_with_a_whole_sentence() -> None:
    model = Model(nicks=scenes.NICKS, me="Asha", stage=Stage.PLAYING)
    lines = tuple(
        Line(say("Begins here, number {n}, and is a long sentence.", n=n)) for n in range(40)
    )
    renderer = PhraseRenderer(Look(), nicks=scenes.NICKS)
    for height in range(24, 36):
        screen = render(replace(model, log=lines), Ui(), renderer, 80, height, 0.0).text
        side = [row[54:].strip() for row in screen.splitlines()[2:-3]]
        first = next(text for text in side if text)
        assert first.startswith("Begins"), (height, first)


def test_nothing_of_the_table_shows_beside_a_pane() -> None:
    *_, (_, last) = scenes.models(3, 0, scenes.club())
    renderer = PhraseRenderer(Look(), nicks=scenes.NICKS, seat=0)
    frame = renderer.look.frame
    lesson = Ui(pane=Pane.MENU, aside=(Line(say("What the lesson says.")),))
    rows = render(last, lesson, renderer, 80, 24, 0.0).text.splitlines()
    beside = [row[:53] for row in rows if row[:53].count(frame.down) == 2]
    assert len(beside) > 3
    for row in beside:
        assert row.split(frame.down)[0].strip() == row.split(frame.down)[2].strip() == ""


def test_after_the_own_choice_the_screen_does_not_tell_of_the_own_turn_as_anothers() -> None:
    model = next(m for _, m in scenes.models(14, 0, scenes.club()) if m.is_my_turn)
    sent = reduce(model, Chosen(model.options[0]), 0.0)
    assert str(due(sent)) == "Your choice is on its way: all others confirm it now."
    assert str(window_title(model)) == "304: your turn" and str(window_title(sent)) == "304"
