"""A player who is gone, in text mode: what can be wished, and how a hand is played out."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest

from p2p304.table.state import events
from p2p304.table.state.events import Event
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.menu import possible
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.guidance.status import waiting_phrase
from p2p304.ui.narration.absence_phrases import agreement, may_part, offer
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Chosen, reduce
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import TextScreen
from tests.support.screen import scenes
from tests.support.screen.scenes import Gone
from tests.support.screen.stored import PLAIN

LETTERS = Look(glyphs=False)


def heard(away: str, gone: Gone | None, seat: int = 0) -> list[tuple[Event, list[str]]]:
    """Every event of a hand with its lines at one player's plain screen."""
    screen = TextScreen(scenes.NICKS[seat])
    options = scenes.PAGAT.override({"away": away})
    changes = scenes.evening(14, seat, scenes.club(), options, gone)
    found = cast(list[Event], [c for c in changes if not isinstance(c, Chosen)])
    return [(event, screen.show(event)) for event in found]


def lines_of(kind: type, told: list[tuple[Event, list[str]]]) -> list[str]:
    return [line for event, lines in told if isinstance(event, kind) for line in lines]


def test_a_hand_played_out_is_told_from_the_wish_to_the_end() -> None:
    told = heard("playout", Gone(1, 12))
    (waits,) = lines_of(events.Waiting, told)
    assert waits.endswith("To play this hand out without Bandu, type 'part'.")
    ready = "These players agree to play this hand out without Bandu: Asha, Chitra (2 of 3)."
    assert ready in lines_of(events.PartingProposed, told)
    agreed, how = lines_of(events.PlayingOut, told)
    assert "this hand is played out without Bandu" in agreed and "lowest" in how
    (shown,) = lines_of(events.LaidOpen, told)
    laid = next(event.cards for event, _ in told if isinstance(event, events.LaidOpen))
    assert shown.startswith("All can see the cards of Bandu (East): ")
    assert sorted(shown.rstrip(".").split(": ")[1].split()) == sorted(map(LETTERS.card, laid))
    assert lines_of(events.StoodIn, told) == []
    assert lines_of(events.Parted, told) == ["The hand is finished: the table ends without Bandu."]


def test_a_second_batch_and_the_indicator_are_told_as_such() -> None:
    for seat in range(3):
        first, *later = lines_of(events.LaidOpen, heard("playout", Gone(seat, 1), (seat + 1) % 4))
        assert first.startswith("All can see the cards of ")
        assert any(line.startswith("All can see more cards of ") for line in later)
    maker = next(
        event.hand.maker
        for event, _ in heard("playout", None)
        if isinstance(event, events.Acted) and event.hand.indicator_down
    )
    assert maker is not None
    told = lines_of(events.LaidOpen, heard("playout", Gone(maker, 11), (maker + 1) % 4))
    assert any(line.startswith("The indicator of ") for line in told)


def test_cards_that_lay_face_down_are_told_at_the_count_and_none_twice() -> None:
    teller, told = Narrator(), heard("playout", Gone(2, 25))
    for event, _ in told:
        teller.lines(event)
        if isinstance(event, events.LaidOpen):
            break
    assert isinstance(event, events.LaidOpen) and teller.lines(event) == []
    fresh = next(card for card in scenes.PAGAT.pack.cards if card not in event.cards)
    (line,) = teller.lines(events.LaidOpen(2, (fresh,), events.OpenSeat(frozenset(), None)))
    assert line == f"The face-down cards of Chitra (North) are turned up: {fresh.name}."


@pytest.mark.parametrize("away", ["replace", "playout"])
def test_it_is_told_why_the_table_still_waits_for_a_bot_partner(away: str) -> None:
    """For whom, how long at most and why, in one sentence, in text mode and on the screen."""
    gone = "Dilan will agree within 5 minutes: a bot on the side of Bandu gives Bandu"
    wished = events.PartingProposed("Bandu", ("Asha", "Chitra"), 3, ("Dilan",))
    teller, model = Narrator("Asha"), Model()
    for event, _ in heard(away, None)[:-2]:
        teller.lines(event)
        model = reduce(model, event, 0.0)
    ready, why = teller.lines(wished)
    assert "(2 of 3" in ready and why.strip() == f"{gone} time to return."
    after = reduce(model, wished, 0.0)
    assert PhraseRenderer(PLAIN).text(after.log[-1].phrase) == why.strip()
    before = reduce(model, replace(wished, bots=()), 0.0)
    assert len(before.log) == len(after.log) - 1
    assert len(teller.lines(replace(wished, bots=()))) == 1


def test_who_has_agreed_is_told_whose_agreement_is_missing() -> None:
    model = Model(me="Asha")
    for event, _ in heard("replace", None)[:-2]:
        model = reduce(model, event, 0.0)
    waiting = events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True)
    model = reduce(model, waiting, 90.0)
    text = PhraseRenderer(PLAIN).text
    for ready in (("Chitra",), ("Chitra", "Asha")):
        model = reduce(model, events.PartingProposed("Bandu", ready, 3), 91.0)
        for said in (events.LeftOut(1), events.SignedElsewhere()):  # these end no waiting
            model = reduce(model, said, 92.0)
        told = waiting_phrase(model, 93.0)
        assert told is not None
        agrees = "You agree to go on without Bandu. Waiting for Dilan to agree."
        asks = "Chitra would go on without Bandu. To agree, "
        assert text(told).startswith(agrees if "Asha" in ready else asks)
        assert (Command.PART in possible(model, Ui())) != ("Asha" in ready)
    back = reduce(model, events.PlayerBack("Bandu"), 94.0)
    again = reduce(back, waiting, 200.0)
    offered = waiting_phrase(again, 200.0)
    assert offered is not None and "To give the seat of Bandu" in text(offered)


def test_sentences_about_agreements_mark_bots_and_none_that_agrees_is_waited_for() -> None:
    seated = replace(scenes.GOES_ON, owners=(None, None, None, "Asha"))
    model = replace(reduce(Model(me="Bandu"), seated, 0.0), number=1)
    person, bot = seated.nicks[2:]
    text = PhraseRenderer(PLAIN).text

    def last(event: events.Event, model: Model = model) -> str:
        return text(reduce(model, event, 1.0).log[-1].phrase)

    assert last(events.PlayerLeft(bot, said=True)).startswith(f"{bot} [bot] has left the table.")
    assert last(events.PlayerLeft(bot)).startswith(f"The connection to {bot} [bot] is lost.")
    assert last(events.PlayerBack(bot)) == f"{bot} [bot] is back."
    assert f"Asha, {bot} [bot] (2 of 3)" in last(events.PartingProposed(person, ("Asha", bot), 3))
    refused = last(events.PartingRefused(bot, person))
    assert refused.startswith(f"{bot} [bot] is connected to {person}:")
    gone = reduce(model, events.MayPart(person, 0.0), 1.0)
    ready = ("Bandu", bot)
    agreed = reduce(gone, events.PartingProposed(person, ready, 3), 2.0)
    assert text(agreement(agreed)).endswith("Waiting for Asha to agree.")
    bot_gone = reduce(model, events.MayPart(bot, 0.0), 1.0)
    assert f"{bot} [bot]" in text(offer(bot_gone))


def test_the_way_to_agree_is_told_only_where_it_is_offered() -> None:
    """Text mode takes 'part' at any time; the menu has it once the others may go on."""
    waiting = events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True)
    for typed in (True, False):
        model = Model(me="Asha", typed=typed)
        for event, _ in heard("replace", None)[:-2]:
            model = reduce(model, event, 0.0)
        for offered in (False, True):
            model = reduce(model, waiting, 90.0) if offered else model
            asked = reduce(model, events.PartingProposed("Bandu", ("Chitra",), 3), 91.0)
            told = PhraseRenderer(PLAIN).text(asked.log[-1].phrase)
            assert told.startswith("To agree, ") == (typed or offered)
            assert (Command.PART in possible(asked, Ui())) == offered


def test_a_player_on_turn_can_agree_and_reads_then_what_is_waited_for() -> None:
    rules = scenes.PAGAT.override({"away": "replace"})
    models = (model for _, model in scenes.models(14, 3, scenes.club(), rules))
    model = next(model for model in models if model.is_my_turn)
    absent = next(nick for nick in model.nicks if nick != model.me)
    third, fourth = (nick for nick in model.nicks if nick not in (model.me, absent))
    gone = reduce(reduce(model, events.PlayerLeft(absent), 0.0), events.MayPart(absent, 0.0), 60.0)
    assert may_part(gone) and gone.is_my_turn and waiting_phrase(gone, 60.0) is None
    asked = reduce(gone, events.PartingProposed(absent, (third,), 3), 61.0)
    text = PhraseRenderer(PLAIN).text
    assert text(asked.log[-1].phrase).startswith("To agree, ")
    assert Command.PART in possible(asked, Ui()) and absent in text(offer(asked))
    agreed = reduce(asked, events.PartingProposed(absent, (third, str(model.me)), 3), 62.0)
    assert Command.PART not in possible(agreed, Ui())
    told = waiting_phrase(agreed, 63.0)
    assert told is not None and text(told) == (
        f"You agree to go on without {absent}. Waiting for {fourth} to agree."
    )
    for event in (events.PlayerBack(absent), events.PlayerLeft(third)):
        assert not may_part(reduce(gone, event, 70.0))
    again = reduce(reduce(gone, events.PlayerLeft(third), 70.0), events.PlayerBack(third), 80.0)
    assert may_part(again)


def test_where_the_seat_goes_to_somebody_else_the_proposal_says_so() -> None:
    told = heard("replace", Gone(1, 12))
    offered = "To give the seat of Bandu to a bot or another player, type 'part'."
    assert lines_of(events.Waiting, told)[0].endswith(offered)
    assert lines_of(events.PartingProposed, told)[0].startswith(
        "These players agree to give the seat of Bandu to a bot or another player: "
    )


@pytest.mark.parametrize("away", ["replace", "playout"])
def test_nothing_is_offered_any_more_once_the_player_is_back(away: str) -> None:
    teller = Narrator("Asha")
    for event, _ in heard(away, None)[:-2]:
        teller.lines(event)
    teller.lines(events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True))
    assert may_part(teller.model)
    teller.lines(events.PlayerBack("Bandu"))
    assert not may_part(teller.model)
    lines = teller.lines(events.Overdue("Bandu", "entry", 300, False, True))
    assert may_part(teller.model) and len(lines) == 2
    assert ("to a bot" in lines[1]) == (away == "replace") and "continue" not in lines[1]
    teller.lines(events.PlayerBack("Chitra"))
    assert may_part(teller.model)
    teller.lines(events.PlayerBack("Bandu"))
    assert not may_part(teller.model)
    assert teller.lines(events.Waiting(("Bandu",), 0.0, 343)) == ["Waiting for Bandu: 343 s."]


@pytest.mark.parametrize("what", ["entry", "deal", "receipt"])
def test_a_player_among_own_bots_is_not_told_that_everybody_waits(what: str) -> None:
    late, told = events.Overdue("Asha", what, 300, True, True), []
    for owner in (None, "Asha"):
        owners = (None, owner, *["Asha"] * 2)
        teller = Narrator("Asha")
        teller.lines(replace(scenes.SEATED, owners=owners))
        told.append(teller.lines(late))
    assert len(told[0]) == 1 and told[0][0].strip().startswith("Everybody has waited 300 s")
    assert told[1] == []


def test_nothing_is_offered_while_bots_are_gone_with_the_player_who_is_late() -> None:
    teller = Narrator("Asha")
    for event, _ in heard("replace", None)[:-2]:
        teller.lines(event)
    teller.lines(events.PlayerLeft("Bandu"))
    teller.lines(events.PlayerLeft("Chitra"))
    lines = teller.lines(events.Overdue("Bandu", "entry", 300, False, True))
    assert lines[1].strip().startswith("More than one player is missing")
    assert not may_part(teller.model)
    teller.lines(events.PlayerBack("Chitra"))
    assert may_part(teller.model)


def test_what_parting_is_follows_from_how_far_the_hand_is() -> None:
    wished = events.PartingProposed("Bandu", ("Asha",), 3)
    teller = Narrator("Asha")
    teller.lines(scenes.SEATED)
    assert "as this table's rules say: Asha" in teller.lines(wished)[0]
    for event, _ in heard("playout", None):
        teller.lines(event)
    assert "end the table without Bandu" in teller.lines(wished)[0]
    teller.lines(events.HandBegan(2, 1))
    for seat in range(4):
        assert "end the table without Bandu" in teller.lines(wished)[0]
        teller.lines(events.Shuffled(seat, 32))
    assert "end the table without Bandu" in teller.lines(wished)[0]
    teller.lines(events.Unlocked(1, 12))
    assert "play this hand out without Bandu" in teller.lines(wished)[0]


@pytest.mark.parametrize(
    ("away", "waiting"),
    [
        ("wait", events.Waiting(("Bandu",), 0.0, 90, ("Bandu",), may_part=True)),
        ("playout", events.Waiting(("Bandu",), 0.0, 30, ("Bandu",))),
        ("replace", events.Waiting(("Bandu",), 0.0, 90, ("Bandu",))),
        ("playout", events.Waiting(("Bandu",), 0.0, 90)),
        ("playout", events.Waiting(("Bandu", "Dilan"), 0.0, 90, ("Bandu", "Dilan"))),
    ],
)
def test_nothing_is_offered_where_nothing_can_be_done(away: str, waiting: events.Waiting) -> None:
    teller = Narrator("Asha")
    for event, _ in heard(away, None)[:-2]:
        teller.lines(event)
    assert "part" not in teller.lines(waiting)[0]


@pytest.mark.parametrize("offered", [False, True])
def test_going_on_is_offered_where_the_table_says_that_it_takes_that(offered: bool) -> None:
    teller = Narrator("Asha")
    for event, _ in heard("replace", None)[:-2]:
        teller.lines(event)
    (line,) = teller.lines(events.Waiting(("Bandu",), 0.0, 66, ("Bandu",), offered))
    assert ("type 'part'" in line) == offered
    assert " 66 s" in line  # the wait, as the sentence says


def test_it_is_said_how_long_the_absent_player_is_gone_whoever_is_waited_for() -> None:
    """The table waits for Chitra, who thinks; nobody waits for Bandu, who is gone."""
    model = Model(me="Asha")
    for event, _ in heard("replace", None)[:-2]:
        model = reduce(model, event, 0.0)
    model = reduce(model, events.PlayerLeft("Bandu", said=True), 100.0)
    model = reduce(model, events.MayPart("Bandu", 100.0), 160.0)
    text = PhraseRenderer(PLAIN).text
    for waiting in (events.Waiting(("Chitra",), 40.0, 120), None):
        waits = model if waiting is None else reduce(model, waiting, 160.0)
        told = waiting_phrase(waits, 162.5)
        assert told is not None
        assert text(told).startswith(
            "Bandu has not been connected for 62 s. To give the seat of Bandu"
        )
    late = events.Overdue("Chitra", "word", 300, mine=False, may=True)
    model = replace(model, absentee=None, gone=frozenset())
    told = waiting_phrase(reduce(model, late, 1300.0), 1304.0)
    assert told is not None and text(told).startswith("Everybody has waited 304 s for Chitra.")
