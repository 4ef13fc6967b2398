"""Keys to intents on real moments of a hand: choosing, typing, queueing, asking, junk."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, verbatim
from p2p304.rules.state.hand import Phase
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import Controls, Pace
from p2p304.ui.common.text_width import width_of
from p2p304.ui.common.theme import ASCII, UNICODE, Frame, Look
from p2p304.ui.common.translation import translation
from p2p304.ui.fullscreen.input.commands import Answer
from p2p304.ui.fullscreen.input.keys import click, paste, play_queued, press, update_after
from p2p304.ui.fullscreen.input.menu import entries
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui, card_actions, held, items
from p2p304.ui.fullscreen.table_page import TablePage
from p2p304.ui.fullscreen.view.footer import FOOTER
from p2p304.ui.fullscreen.view.render import render
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import AskHint, Chat, Decide, Do, Quit, Ready, Skip
from p2p304.ui.narration.model import Model, Stage, WaitingVisitor
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import Decided, Knocked, reduce
from p2p304.ui.terminal.canvas import wrapped
from tests.support.screen import scenes

MADE_CLOSED = 14
"""A seed whose hand has bids, closed trumps, face-down cards and a result."""


@cache
def models(seat: int = 3) -> list[Model]:
    return [model for _, model in scenes.models(MADE_CLOSED, seat, scenes.club())]


def turn(phase: Phase, seat: int = 3) -> Model:
    """The first moment at which this seat must choose in a phase."""
    return next(m for m in models(seat) if m.is_my_turn and m.hand and m.hand.phase is phase)


def follow(seat: int = 0) -> Model:
    """A moment at which this seat must follow suit and holds cards that it may not play."""
    for model in models(seat):
        if model.is_my_turn and model.view is not None and model.view.led is not None:
            barred = [c for c in held(model) if not card_actions(model, c)]
            if barred:
                return model
    raise LookupError("no such moment in this hand")


def keys(model: Model, ui: Ui, *pressed: str) -> Answer:
    intents: tuple[object, ...] = ()
    for key in pressed:
        ui, more = press(model, ui, key)
        intents += more
    return ui, intents  # type: ignore[return-value]


def told(phrase: Phrase | None) -> str:
    return "" if phrase is None else PhraseRenderer(Look(), nicks=scenes.NICKS).text(phrase)


@pytest.mark.parametrize(
    ("said", "amount"), [("60", 160), ("160", 160), ("100", 200), ("200", 200), ("250", 250)]
)
def test_bids_are_typed_as_people_say_them(said: str, amount: int) -> None:
    model = turn(Phase.BID4)
    ui, done = keys(model, Ui(), *said, "enter")
    if amount >= 250:
        assert done == () and ui.asking is not None
        _, done = keys(model, ui, "y")
    assert done == (Do(acts.Bid(3, amount)),)


def test_pcc_is_asked_once_more() -> None:
    model = turn(Phase.BID8)
    ui, done = keys(model, Ui(), *"pcc", "enter")
    assert done == () and "Partner Close Caps" in told(ui.asking.question if ui.asking else None)
    assert keys(model, ui, "n") == (replace(ui, asking=None), ())
    assert keys(model, ui, "x", "y")[1] == (Do(acts.Bid(3, acts.PCC)),)


def test_every_open_action_is_in_the_menu_and_done_from_there() -> None:
    for model in models():
        listed = [entry.does for entry in entries(model, Ui())]
        assert set(model.options) <= {does for does in listed if not isinstance(does, Command)}
        for number, does in enumerate(listed[: len(model.options)]):
            ui, done = keys(model, Ui(), "m", *["down"] * number, "enter")
            if ui.asking is not None:
                _, done = keys(model, ui, "y")
            assert done == (Do(does),) if isinstance(does, Action) else True


def test_an_open_card_is_played_by_number_by_letters_and_by_arrows() -> None:
    model = follow()
    cards = held(model)
    good = next(c for c in cards if card_actions(model, c))
    (action,) = card_actions(model, good)
    number = str(cards.index(good) + 1)
    assert keys(model, Ui(), number, "enter")[1] == (Do(action),)
    assert keys(model, Ui(), *good.name.lower(), "enter")[1] == (Do(action),)
    assert keys(model, Ui(), *good.name[::-1].lower(), "enter")[1] == (Do(action),)
    steps = ["right"] * (cards.index(good) + 1)
    assert keys(model, Ui(), *steps, "enter")[1] == (Do(action),)
    ui, _ = click(model, Ui(), cards.index(good))
    assert click(model, ui, cards.index(good))[1] == (Do(action),)


def test_a_forbidden_card_says_why_with_the_rule() -> None:
    model = follow()
    barred = next(c for c in held(model) if not card_actions(model, c))
    ui, done = keys(model, Ui(), *barred.name.lower(), "enter")
    assert done == ()
    assert "You must follow suit" in told(ui.note)
    assert "follow.suit" not in told(ui.note)


def test_a_forbidden_bid_says_why_without_the_rules_name() -> None:
    ui, done = keys(turn(Phase.BID4), Ui(), *"165", "enter")
    assert done == () and told(ui.note) == "165 is not a bid: bids go up by 10."


def test_a_card_queued_ahead_is_played_when_it_may_be() -> None:
    all_models = models(0)
    at = next(n for n, m in enumerate(all_models) if m is follow(0) or m == follow(0))
    before, after = all_models[at - 1], all_models[at]
    good = next(c for c in held(after) if card_actions(after, c))
    ui, done = keys(before, Ui(), *good.name.lower(), "enter")
    assert done == () and ui.queued is good
    ui = update_after(ui, before, after)
    ui, done = play_queued(after, ui)
    assert done == (Do(card_actions(after, good)[0]),)
    assert ui.queued is None


def test_a_queued_card_is_played_after_a_moment_that_differs_each_time() -> None:
    drawn = iter((0.7, 0.4))
    all_models, wanted = models(0), follow(0)
    at = next(n for n, m in enumerate(all_models) if m == wanted)
    changes = list(scenes.evening(MADE_CLOSED, 0, scenes.club()))
    good = next(c for c in held(wanted) if card_actions(wanted, c))
    for wait in (0.7, 0.4):
        page = TablePage(
            Model(me=scenes.NICKS[0]), Look(), pace=Pace(0, 0), hesitate=lambda: next(drawn)
        )
        for change in changes[:at]:
            page.tell(change, 5.0)
        page.ui = replace(page.ui, queued=good)
        assert page.tell(changes[at], 10.0) == ()
        assert page.next_timeout(10.0) == 10.0 + wait
        assert page.handle_timer(10.0 + wait - 0.01) == ()
        assert page.handle_timer(10.0 + wait) == (Do(card_actions(wanted, good)[0]),)
        assert page.ui.queued is None and page.handle_timer(20.0) == ()


def test_a_queued_card_that_may_not_be_played_stays_and_says_why() -> None:
    model = follow()
    barred = next(c for c in held(model) if not card_actions(model, c))
    ui, done = play_queued(model, Ui(queued=barred))
    assert done == () and ui.queued is None
    assert "follow.suit" not in told(ui.note)


def test_a_hint_is_asked_for_on_the_own_turn_only() -> None:
    alone = replace(turn(Phase.PLAY), has_people=False)
    assert keys(alone, Ui(), "i")[1] == (AskHint(),)
    assert Command.HINT in {entry.does for entry in entries(alone, Ui())}
    waiting = next(m for m in models() if m.hand and not m.is_my_turn)
    ui, done = keys(waiting, Ui(), "i")
    assert done == () and ui.note is not None


def test_among_people_a_hint_is_given_only_where_the_rules_say_so() -> None:
    model = turn(Phase.PLAY)
    ui, done = keys(model, Ui(), "i")
    assert done == () and ui.note is not None
    assert told(ui.note) == "This table plays without hints until the hand is over."
    assert Command.HINT not in {entry.does for entry in entries(model, Ui())}
    assert model.hand is not None
    hinted = replace(model.hand, options=replace(model.hand.options, hints=True))
    assert keys(replace(model, hand=hinted), Ui(), "i")[1] == (AskHint(),)


def test_leaving_is_asked_and_a_second_time_obeyed() -> None:
    model = turn(Phase.PLAY)
    ui, done = keys(model, Ui(), "c-c")
    assert done == () and ui.asking is not None
    assert keys(model, ui, "c-c")[1] == (Quit(),)
    assert keys(model, ui, "escape") == (Ui(), ())


def test_enter_deals_the_next_hand_and_space_skips_the_pause() -> None:
    last = models()[-1]
    assert keys(last, Ui(), "enter")[1] == (Ready(),)
    assert keys(turn(Phase.PLAY), Ui(), " ")[1] == (Skip(),)


def test_who_types_between_hands_is_told_how_the_next_is_dealt() -> None:
    last = models()[-1]
    ui, intents = keys(last, Ui(), *"hearts", "enter")
    assert not intents and told(ui.note) == "Press Enter to deal hand 2."
    assert keys(last, ui, "enter")[1] == (Ready(),)
    waiting = keys(replace(last, deal_next=None), Ui(), *"hearts", "enter")[0]
    assert told(waiting.note).startswith("It is not your turn")
    assert told(waiting.note).endswith("or / to chat.")
    during = replace(turn(Phase.PLAY), options=())
    assert "chat" not in told(keys(during, Ui(), *"machan", "enter")[0].note)


def test_the_own_turn_is_said_as_such_before_its_choices_are_known() -> None:
    model = turn(Phase.PLAY)
    assert model.hand is not None and model.hand.turn == model.seat
    assert told(due(replace(model, options=()))) == "Your turn."
    sent = replace(model, options=(), chosen=model.options[0])
    assert not told(due(sent)).startswith("Your turn"), "the player has chosen already"


def test_nobody_waits_for_more_players_than_there_are_seats() -> None:
    some = Model(me="Asha", stage=Stage.GATHERING, nicks=("Asha", "Bala", "Cat"))
    assert told(due(some)) == "Waiting for more players."
    assert told(due(replace(some, nicks=(*some.nicks, "Dilan")))) == "All players have joined."


def test_talk_is_for_between_hands() -> None:
    between, playing = models()[-1], turn(Phase.PLAY)
    assert keys(between, Ui(), *"/well played, 10 of you", "enter")[1] == (
        Chat("well played, 10 of you"),
    )
    assert keys(between, Ui(), "/", "enter")[1] == ()
    ui, done = keys(playing, Ui(), "/", *"psst", "enter")
    assert done == () and told(ui.note) == "You can chat only between hands."
    assert keys(playing, paste(playing, Ui(), "/psst"), "enter")[1] == ()
    listed = [entry.does for entry in entries(between, Ui())]
    assert Command.CHAT in listed and Command.CHAT not in [e.does for e in entries(playing, Ui())]


@pytest.mark.parametrize("phase", [Phase.BID4, Phase.TRUMP4, Phase.PLAY])
@pytest.mark.parametrize("line", ["1", "3", "pass", "60", "js"])
def test_a_message_during_a_hand_is_refused_and_never_a_choice(phase: Phase, line: str) -> None:
    model = turn(phase)
    first = Ui(cursor=0)
    for typed in (line, "", *((line[0], "left"), (line[0], "end"))):
        ui, done = keys(model, first, "/", *typed, "enter")
        assert done == () and ui.typed == "" and ui.cursor is None and ui.asking is None
        assert told(ui.note) == "You can chat only between hands."
        assert keys(model, ui, "enter")[1] == ()
    waits = replace(model, options=(), view=None)
    assert keys(waits, Ui(), "/", *line, "enter")[0].queued is None
    opened = press(model, Ui(), "/")[0]
    assert opened.typed == "/"
    for open_line in (opened, keys(model, opened, *"ib?")[0]):  # what is typed on stays explained
        why = "You can chat only between hands. Press Esc to clear the line."
        assert told(open_line.note) == why
    assert press(model, opened, "escape")[0].typed == ""
    assert keys(model, opened, "backspace", *line)[0].typed == line
    shown = render(model, opened, PhraseRenderer(Look(), nicks=model.nicks), 80, 24, 0.0).text
    assert "Well played!" not in shown


@pytest.mark.parametrize("pane", [Pane.RESULT, Pane.END, Pane.CODE])
def test_a_message_goes_on_when_an_event_opens_a_pane(pane: Pane) -> None:
    between = models()[-1]
    assert between.deal_next is not None
    ui = replace(keys(between, Ui(), *"/we")[0], pane=pane)
    assert keys(between, ui, "1", "enter")[1] == (Chat("we1"),)
    assert keys(between, ui, "enter")[1] == (Chat("we"),)


def test_visitors_are_decided_about_one_after_the_other() -> None:
    model, ui = Model(me="Asha"), Ui()
    for key in (b"a", b"b"):
        after = reduce(model, Knocked(WaitingVisitor(key, verbatim("Bandu asks for a seat."))), 0.0)
        ui, model = update_after(ui, model, after), after
    assert "Bandu asks" in told(ui.asking.question if ui.asking else None)
    assert press(model, ui, "escape") == (ui, ()) and press(model, ui, "x") == (ui, ())
    leaving, done = press(model, ui, "c-c")
    assert done == () and press(model, leaving, "y")[1] == (Quit(),)
    assert press(model, leaving, "n") == (ui, ())
    ui, done = press(model, ui, "y")
    assert done == (Decide(b"a", True),)
    after = reduce(model, Decided(b"a"), 0.0)
    ui, model = update_after(ui, model, after), after
    ui, done = press(model, ui, "n")
    assert done == (Decide(b"b", False),) and ui.asking is None


def test_panes_open_on_their_keys_and_close_on_them() -> None:
    model = turn(Phase.PLAY)
    for key, pane in (
        ("?", Pane.HELP),
        ("l", Pane.LAST),
        ("b", Pane.PROOFS),
        ("g", Pane.LOG),
        ("w", Pane.SHEET),
        ("v", Pane.HANDS),
    ):
        ui, _ = keys(model, Ui(), key)
        assert ui.pane is pane
        assert keys(model, ui, key)[0].pane is None
        assert keys(model, ui, "escape")[0].pane is None


def test_the_order_for_caps_is_laid_out_by_moving_cards() -> None:
    model = turn(Phase.PLAY)
    cards = held(model)
    ui = Ui(pane=Pane.CAPS, order=cards)
    ui, _ = keys(model, ui, " ", "right", "right", " ")
    moved = (cards[1], cards[2], cards[0], *cards[3:])
    assert ui.order == moved
    ui, done = keys(model, ui, "enter")
    assert done == ()
    assert keys(model, ui, "y")[1] == (Do(acts.Caps(3, moved)),)


def test_pasted_junk_stands_on_the_line_and_does_nothing_by_itself() -> None:
    model = turn(Phase.BID4)
    ui = paste(model, Ui(), "\x1b[2J\x07pass\r\nrm -rf\n" * 50)
    assert ui.typed.isprintable() and len(ui.typed) <= 40
    ui, done = keys(model, ui, "enter")
    assert done == () and "not one of your choices" in told(ui.note)


def test_what_is_confirmed_is_the_players_taste() -> None:
    model = turn(Phase.BID4)
    word = [*"pass", "enter"]
    ui: Ui = Ui()
    for key in word:
        ui, done = press(model, ui, key, Controls(confirm="always"))
    assert ui.asking is not None and done == ()
    ui = Ui()
    for key in [*"300", "enter"]:
        ui, done = press(model, ui, key, Controls(confirm="never"))
    assert done == (Do(acts.Bid(3, 300)),)


KEYS = [
    "left",
    "right",
    "up",
    "down",
    "enter",
    "escape",
    "backspace",
    "tab",
    "home",
    "end",
    "pageup",
    "pagedown",
    " ",
    "c-l",
    "f13",
    "\x00",
    "é",
    "漢",
    "්",
    "🂡",
    *"?mlbgwvi0123456789jqtkahdsc~",
]


@pytest.mark.parametrize("seed", range(6))
def test_garbage_at_any_moment_and_size_never_breaks_the_screen(seed: int) -> None:
    rng = random.Random(seed)
    before, ui = Model(me="Asha"), Ui()
    for _, model in scenes.models(seed, seed % 4, scenes.wild(seed)):
        ui = update_after(ui, before, model)
        for key in rng.choices(KEYS, k=6):
            ui, done = press(model, ui, key)
            allowed = [i.action for i in done if isinstance(i, Do)]
            assert set(allowed) <= set(model.options)
            if rng.random() < 0.1 and items(model):
                ui, _ = click(model, ui, rng.randrange(len(items(model))))
        width, height = rng.choice([(80, 24), (100, 40), (1, 1), (0, 0), (79, 30), (200, 60)])
        picture = render(model, ui, PhraseRenderer(Look(), nicks=model.nicks), width, height, 5.0)
        assert len(picture.rows) == height
        for row in picture.rows:
            assert sum(width_of(text) for _, text in row) == width
        before = model


def test_events_of_a_hand_leave_no_stale_question() -> None:
    model = turn(Phase.BID8)
    ui, _ = keys(model, Ui(), *"pcc", "enter")
    later = next(
        m for c, m in scenes.models(MADE_CLOSED, 3, scenes.club()) if isinstance(c, events.HandOver)
    )
    assert update_after(ui, model, later).asking is None


def test_the_result_stays_until_it_was_seen_or_the_new_cards_are_here() -> None:
    page = TablePage(Model(me="Dilan"), Look(), pace=Pace(0, 0))
    seen = None
    for change in scenes.evening(MADE_CLOSED, 3, scenes.club()):
        seen = change if isinstance(change, events.HandSeen) else seen
        if isinstance(change, events.NextHand):
            page.tell(events.HandBegan(2, 1), 0.0)  # the table goes on at once
            assert page.ui.pane is Pane.RESULT
        page.tell(change, 0.0)
    assert seen is not None
    page.tell(seen, 0.0)
    assert page.ui.pane is None
    page.tell(events.NextHand(2), 0.0)
    page.ui = replace(page.ui, pane=Pane.RESULT)
    assert page.press("enter", 0.0) == (Ready(),)


def test_cards_have_numbers_only_where_a_number_chooses_one() -> None:
    def numbers(model: Model) -> str:
        text = render(model, Ui(), PhraseRenderer(Look(), nicks=model.nicks), 80, 24, 0.0).text
        return text.splitlines()[19][:53].strip()

    assert numbers(turn(Phase.BID4)) == ""
    assert numbers(follow()).replace("▸", "").split()[:3] == ["1", "2", "3"]


def test_a_small_window_marks_what_may_not_be_played() -> None:
    model = follow()
    barred = [card for card in held(model) if not card_actions(model, card)]
    text = render(model, Ui(), PhraseRenderer(Look(), nicks=model.nicks), 60, 15, 0.0).text
    assert f"({Look().card(barred[0])})" in text
    assert sum(text.count(f"({Look().card(card)})") for card in held(model)) == len(barred)


def test_a_long_question_is_read_whole_and_of_a_long_line_the_end() -> None:
    model = follow()
    told = "Asha asks for a seat (WARNING: not the player whom you know by this name; 0123 4567)."
    knocked = reduce(model, Knocked(WaitingVisitor(b"k", verbatim(told))), 0.0)
    ui = update_after(Ui(), model, knocked)
    renderer = PhraseRenderer(Look(), nicks=model.nicks)
    rows = render(knocked, ui, renderer, 80, 24, 0.0).text.splitlines()[-2:]
    assert " ".join(" ".join(rows).split()) == f"{told} Let this player in? y / n"
    written = Ui(typed="/" + "x" * 100 + " end")
    assert render(model, written, renderer, 80, 24, 0.0).text.splitlines()[-2].endswith("xx end")


def test_no_small_sign_means_two_things_in_ascii() -> None:
    trump_maker = PhraseRenderer(Look(frame=ASCII), nicks=()).safe("★")
    pointers = (ASCII.pointer, ASCII.pointer_back)
    signs = (ASCII.back, ASCII.full, ASCII.empty, *pointers, ASCII.dots, ASCII.tick)
    assert len({trump_maker, *signs}) == 8


@pytest.mark.parametrize("frame", [UNICODE, ASCII])
def test_a_row_of_choices_marks_each_side_on_which_there_are_more(frame: Frame) -> None:
    model = turn(Phase.BID4)
    renderer = PhraseRenderer(Look(frame=frame), nicks=model.nicks)
    for cursor, before, after in ((None, False, True), (len(items(model)) - 1, True, False)):
        picture = render(model, Ui(cursor=cursor), renderer, 80, 24, 0.0)
        row = picture.text.splitlines()[-4][:53]
        assert row.startswith(frame.pointer_back) == before, row
        assert row.endswith(frame.pointer) == after, row


def test_a_queued_card_that_may_not_be_played_does_not_hide_that_it_is_ones_turn() -> None:
    model = follow()
    barred = next(card for card in held(model) if not card_actions(model, card))
    ui, wanted = play_queued(model, Ui(queued=barred))
    rows = render(model, ui, PhraseRenderer(Look()), 80, 24, 0.0).text.splitlines()[-3:]
    assert wanted == () and "Your turn: follow" in rows[0] and "You must follow suit" in rows[1]


@pytest.mark.parametrize("language", ["en", "si", "ta"])
def test_the_footer_names_whole_keys_and_chat_first(language: str) -> None:
    between = replace(models()[-1], deal_next=2)
    renderer = PhraseRenderer(Look(), translation(language))
    for width in (80, 100, 120):
        last = render(between, Ui(), renderer, width, 24, 0.0).text.splitlines()[-1]
        words = [renderer.text(name) for _, name in FOOTER]
        shown = last.strip().split("  ")
        assert f"/ {renderer.say('chat')}" in shown and len(shown) >= 5
        assert all(one.partition(" ")[2] in words for one in shown), last


def test_ascii_has_a_sign_of_its_own_for_partner_token_and_next_card() -> None:
    model = follow()
    look = Look(glyphs=False, frame=ASCII)
    text = render(model, Ui(), PhraseRenderer(look, nicks=model.nicks), 80, 24, 0.0).text
    head, *rows = text.splitlines()
    partner = model.nicks[(model.seat or 0) + 2]
    assert "ooo" in head and "&" not in head and f" {partner} &" in "\n".join(rows)
    other = next(m for m in models(0) if m.hand and m.hand.phase is Phase.PLAY and not m.is_my_turn)
    text = render(other, Ui(), PhraseRenderer(look, nicks=other.nicks), 80, 24, 0.0).text
    assert "..." in text and "~" not in text
    told = "\n".join(PhraseRenderer(look).text(phrase) for phrase in help_phrases(model))
    assert "& marks your partner." in told and "... stands where" in told
    assert "The row of o behind a side shows its tokens." in told


def test_the_rules_can_be_read_between_hands() -> None:
    model = replace(models()[-1], hand=None)
    ui, _ = press(model, Ui(), "u")
    shown = render(model, ui, PhraseRenderer(Look(), nicks=scenes.NICKS), 80, 24, 0.0).text
    assert "304: pagat" in shown and "once the first hand begins" not in shown
    assert "u The rules of this table" in menu(model) and "Ctrl-C Leave the table" in menu(model)


def menu(model: Model) -> str:
    return render(model, Ui(pane=Pane.MENU), PhraseRenderer(Look()), 80, 40, 0.0).text


def test_no_empty_line_follows_a_sentence_that_fills_its_line() -> None:
    assert wrapped([("", "a" * 10 + " ")], 10) == [[("", "a" * 10)]]


def test_nobody_is_told_to_act_while_the_trump_maker_looks_at_the_cards() -> None:
    looks = [m for seat in range(4) for m in models(seat) if m.hand and m.hand.turn is not None]
    looks = [m for m in looks if m.hand and m.hand.phase is Phase.ANNOUNCE]
    assert looks
    for model in looks:
        assert told(due(model)) == "The trump maker looks at the cards that lie face down."


@pytest.mark.parametrize("language", ["en", "si", "ta"])
def test_the_words_under_a_card_fit_it(language: str) -> None:
    assert all(width_of(translation(language)(word)) <= 5 for word in ("next", "down"))
