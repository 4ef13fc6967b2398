"""The plain screen on real hands: what is told, what may be typed, and what never shows."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.log.faults import Finding
from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action
from p2p304.rules.play.engine import apply
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.state.scoring import Match
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.narration.choices import in_order
from p2p304.ui.narration.intents import Chat, Do, Quit, Ready, ToLobby
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.reducer import chat_line
from p2p304.ui.text.narrator import Narrator
from p2p304.ui.text.screen import Show, TextScreen, TypedIntent

PAGAT, LETTERS = preset("pagat"), Look(glyphs=False)
SEATED = events.Seated(
    ("Asha", "Bandu", "Chitra", "Dilan"), (b"",) * 4, 0, "ABC-DEF", Match.start(PAGAT), True
)
CARD = re.compile(r"\b((?:[2-9JQKA]|10)[SHDC])\b")


def walk(seed: int) -> Iterator[tuple[View, Action, Hand, Hand]]:
    """A random hand: the actor's view, the action, the public hand before and after."""
    rng = random.Random(seed)
    cards = list(PAGAT.pack.cards)
    rng.shuffle(cards)
    referee = Referee(PAGAT, rng.randrange(4), [cards[i * 8 : i * 8 + 8] for i in range(4)])
    while (seat := referee.hand.turn) is not None:
        view = referee.view(seat)
        options = referee.legal()
        weights = [0.05 if getattr(a, "amount", 0) >= 200 else 1.0 for a in options]
        action = rng.choices(options, weights)[0]
        before = referee.hand
        referee.act(action)
        yield view, action, before, referee.hand


def public_cards(hand: Hand) -> set[str]:
    names = set(map(LETTERS.card, hand.seen))
    if hand.indicator is not None:
        names.add(LETTERS.card(hand.indicator))
    for action in hand.history:
        if isinstance(action, acts.Redeal):
            names |= set(map(LETTERS.card, action.cards or ()))
    return names


@pytest.mark.parametrize("seed", range(12))
def test_narration_never_names_a_card_that_nobody_may_see(seed: int) -> None:
    teller = Narrator()
    teller.lines(SEATED)
    for _, _, before, hand in walk(seed):
        for action in hand.history[len(before.history) :]:
            if isinstance(action, acts.Count):
                continue
            told = " ".join(teller.lines(events.Acted(action, before, hand)))
            assert set(CARD.findall(told)) <= public_cards(hand)


@pytest.mark.parametrize("seed", range(6))
def test_every_choice_can_be_typed_by_number_and_by_word(seed: int) -> None:
    screen = TextScreen("Asha")
    screen.show(SEATED)
    for view, _, _, _ in walk(seed):
        screen.show(events.YourTurn(view))
        for number, option in enumerate(in_order(view), 1):
            assert screen.typed(str(number)) == Do(option)
            word = notation.word(option).removeprefix("trump ")
            assert screen.typed(word.upper()) == Do(option)


def at(phase: Phase, seed: int = 0) -> View:
    for number in range(seed, seed + 200):
        for view, _, before, _ in walk(number):
            if before.phase is phase:
                return view
    raise LookupError(phase)


def test_bids_are_typed_as_people_say_them() -> None:
    screen, view = TextScreen("Asha"), at(Phase.BID4)
    screen.show(SEATED)
    screen.show(events.YourTurn(view))
    for typed, amount in (("60", 160), ("90", 190), ("100", 200), ("160", 160), ("210", 210)):
        assert screen.typed(typed) == Do(acts.Bid(view.seat, amount))
    assert screen.typed("p") == Do(acts.Pass(view.seat))


def test_a_forbidden_choice_is_answered_with_the_reason() -> None:
    screen, view = TextScreen("Asha"), at(Phase.BID4)
    screen.show(events.YourTurn(view))
    answer = screen.typed("310")
    assert isinstance(answer, Show) and "highest number" in answer.lines[0]
    follower = next(
        v
        for s in range(50)
        for v, _, b, _ in walk(s)
        if b.phase is Phase.PLAY and v.led and {c.suit for c in v.cards} > {v.led}
    )
    screen.show(events.YourTurn(follower))
    wrong = next(card for card in follower.cards if card.suit is not follower.led)
    answer = screen.typed(wrong.name.lower())
    assert isinstance(answer, Show) and "must follow suit" in answer.lines[0]


def test_cards_that_were_told_just_before_the_turn_are_not_told_again() -> None:
    screen, view = TextScreen("Asha"), at(Phase.BID4)
    screen.show(SEATED)
    told = [*screen.show(events.HandSeen(view)), *screen.show(events.YourTurn(view))]
    assert sum("Your hand:" in line for line in told) == 1
    asked = screen.typed("")
    assert isinstance(asked, Show) and sum("Your hand:" in line for line in asked.lines) == 1
    screen.show(events.ChatMessage("Bandu", "Well?"))
    assert sum("Your hand:" in line for line in screen.show(events.YourTurn(view))) == 1


def test_the_screen_shows_hand_trick_bid_and_tokens() -> None:
    screen, view = TextScreen("Asha"), at(Phase.PLAY)
    screen.show(SEATED)
    text = "\n".join(screen.show(events.YourTurn(view)))
    assert "Your turn" in text and "Your hand:" in text and "Tokens: We 11, They 11." in text
    assert "plays" in text and "1) " in text
    assert re.search(r"; trumps diamonds\. Tokens: We", text)  # two sentences for the ear, too


def test_what_can_always_be_asked() -> None:
    screen = TextScreen("Asha")
    screen.show(SEATED)
    for word in ("?", "last", "hand", "bid", "table", "tokens", "code"):
        answer = screen.typed(word)
        assert isinstance(answer, Show) and answer.lines
    assert screen.typed("quit") == Quit()
    code = screen.typed("code")
    assert isinstance(code, Show) and "ABC-DEF" in code.lines[0]


def test_enter_begins_the_next_deal_once() -> None:
    screen = TextScreen("Asha")
    assert screen.show(events.NextHand(2)) == ["Press Enter to deal hand 2."]
    assert screen.typed("") == Ready()
    assert isinstance(screen.typed(""), Show)


@pytest.mark.parametrize("phase", [Phase.BID4, Phase.TRUMP4, Phase.BID8, Phase.DECLARE, Phase.PLAY])
def test_help_knows_the_moment(phase: Phase) -> None:
    screen = TextScreen("Asha")
    screen.show(events.YourTurn(at(phase)))
    answer = screen.typed("?")
    assert isinstance(answer, Show)
    expected = {
        "bid4": "pass:",
        "trump4": "its suit is trumps",
        "bid8": "pcc:",
        "declare": "closed:",
        "play": "A card:",
    }[phase.value]
    assert any(expected in line for line in answer.lines)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_junk_is_answered_and_never_raises(line: str) -> None:
    screen = TextScreen("Asha")
    screen.show(events.YourTurn(at(Phase.PLAY)))
    answer = screen.typed(line)
    assert isinstance(answer, TypedIntent)


def test_the_last_trick_keeps_hidden_cards_hidden() -> None:
    for seed in range(60):
        screen = TextScreen("Asha")
        screen.show(SEATED)
        for view, _, before, hand in walk(seed):
            screen.show(events.Acted(hand.history[-1], before, hand))
            done = [t for t in hand.tricks if t.winner is not None]
            if done and any(p.card is None for p in done[-1].plays):
                answer = screen.typed("last")
                assert isinstance(answer, Show) and " a card face down" in answer.lines[0]
                return
            assert view is not None
    pytest.fail("no face-down trick came up")


def test_a_call_of_caps_or_spoilt_trumps_asks_first() -> None:
    view = at(Phase.PLAY)
    played, spoilt = min(view.cards, key=lambda card: card.name), acts.Spoilt(view.seat)
    caps = acts.Caps(view.seat, (played,))
    for line, call in (("spoilt", spoilt), (f"caps {played.name}", caps)):
        screen = TextScreen("Asha")
        screen.show(SEATED)
        early = screen.typed(line)
        assert not isinstance(early, Do)
        screen.show(events.YourTurn(view))
        asked = screen.typed(line)
        assert isinstance(asked, Show) and asked.lines[0].endswith("Type y or n."), asked
        assert screen.typed("y") == Do(call)
        assert screen.typed("y") != Do(call)
        for other in ("n", "", "hand", "1"):
            screen.typed(line)
            assert screen.typed(other) != Do(call)
            assert screen.typed("y") != Do(call), other
    screen = TextScreen("Asha", confirms=False)
    screen.show(SEATED)
    screen.show(events.YourTurn(view))
    assert screen.typed("spoilt") == Do(spoilt)
    assert isinstance(screen.typed(f"caps {played.name}"), Show)


def test_help_in_text_mode_names_the_claims_where_they_are_open() -> None:
    def told(phase: Phase) -> str:
        screen, view = TextScreen("Asha"), at(phase)
        screen.show(SEATED)
        screen.show(events.YourTurn(view))
        answer = screen.typed("?")
        assert isinstance(answer, Show)
        return "\n".join(answer.lines)

    assert "\ncaps: " in told(Phase.PLAY) and "\nspoilt: " in told(Phase.PLAY)
    assert "caps: " not in told(Phase.BID4) and "spoilt: " not in told(Phase.BID4)


def test_a_chat_message_is_typed_and_told() -> None:
    assert TextScreen("Asha").typed("say Good Luck") == Chat("Good Luck")
    assert Narrator().lines(events.ChatMessage("Bandu", "thanks")) == ["Bandu says: thanks"]


def test_a_proven_fault_and_a_wait_are_told_in_words() -> None:
    teller = Narrator()
    teller.lines(SEATED)
    proven = events.Fault(Finding("D05", "the shuffle's proof fails", 1), "Bandu", 7)
    assert "CHEATING PROVEN against Bandu" in teller.lines(proven)[0]
    for check, what in (
        ("L11", "two different entries for the same place"),
        ("E06", "two contradictory messages"),
    ):
        (line,) = teller.lines(events.Fault(Finding(check, "", 1), "Bandu", None))
        assert line.startswith(f"Bandu signed {what} (check {check}): by cheating, ")
        assert "two computers" in line and "backup" in line
    unproven = events.Fault(Finding("L03", "not signed", None), None, None)
    assert "Bandu" not in teller.lines(unproven)[0]
    assert teller.lines(events.Waiting(("Dilan",), 0.0)) == ["Waiting for Dilan: 0 s."]


def test_a_clock_is_told_calmly_and_what_it_did() -> None:
    screen, view = TextScreen("Asha"), at(Phase.BID4)
    hand = replace(view.hand, options=PAGAT.override({"timer": 30}))
    view = replace(view, hand=hand)
    asked = screen.show(events.YourTurn(view))
    assert "You have 30 seconds. When the time is up, you pass." in asked
    passed = acts.Pass(view.seat)
    done = events.Acted(passed, hand, apply(hand, passed))
    assert "Your time is over. Your program plays for you." in screen.show(done)
    screen.show(events.YourTurn(view))
    assert screen.typed("pass") == Do(passed)
    screen.chosen(passed)
    assert not any("time is over" in line for line in screen.show(done))


def test_a_trick_is_told_in_the_order_in_which_it_was_played() -> None:
    screen = TextScreen("Asha")
    screen.show(SEATED)
    checked = 0
    for view, _, _, _ in walk(3):
        if view.hand.trick is None or view.hand.phase is not Phase.PLAY:
            continue
        screen.show(events.HandSeen(replace(view, seat=0)))
        (line,) = (line for line in screen.table_lines() if line.startswith("Trick "))
        names = [screen.model.nicks[play.seat] for play in view.hand.trick.plays]
        assert re.findall("Asha|Bandu|Chitra|Dilan", line) == names
        checked += 1
    assert checked > 5


def test_a_line_of_choices_ends_between_two_and_never_inside_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = TextScreen("Asha")
    screen.show(SEATED)
    view = next(view for view, _, before, _ in walk(3) if len(in_order(view)) > 12)
    screen.teller.model = replace(screen.model, hand=view.hand, view=view)
    for columns in (40, 60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = screen.show(events.YourTurn(view))
        first = next(n for n, line in enumerate(lines) if line.startswith("  1) "))
        shown = lines[first:-1]
        assert len(shown) > 1 and all(len(line) < min(columns, 80) for line in shown)
        found = [one for line in shown for one in line[2:].split("   ")]
        assert [one.partition(") ")[0] for one in found] == [
            str(n) for n in range(1, len(in_order(view)) + 1)
        ]


def test_a_player_learns_the_own_seat_and_the_direction_of_play_once() -> None:
    told = TextScreen("Chitra").show(SEATED)
    assert told.count("Your seat: North.") == 1
    assert told.count("Play runs counter-clockwise: Dilan (West) plays after you.") == 1
    online = replace(SEATED, nicks=("Asha", "Chitra"), keys=(b"", b""))
    match = Match.start(preset("online-2"))
    told = TextScreen("Chitra").show(replace(online, match=match))
    assert "Your seat: 2." in told
    assert "Play runs clockwise: Asha (seat 1) plays after you." in told


@pytest.mark.parametrize(("language", "hearts"), [("ta", "ஆட்டீன் H: "), ("si", "හාර්ත H: ")])
def test_the_own_cards_tie_each_letter_to_the_suits_word(language: str, hearts: str) -> None:
    view = next(view for view, _, _, _ in walk(3) if any(c.suit.value == "H" for c in view.cards))
    screen = TextScreen("Asha", translation(language))
    (line,) = (
        line for line in screen.show(events.HandSeen(view)) if " S: " in line or "H: " in line
    )
    assert hearts in line
    help_lines = screen.typed("?")
    assert isinstance(help_lines, Show)
    assert any(hearts[:-4] in line and "H " in line for line in help_lines.lines)


def test_a_player_with_bots_is_told_before_leaving_what_it_means_for_the_others() -> None:
    screen = TextScreen("Asha")
    goes_on = Match.start(replace(preset("pagat"), away="replace"))
    screen.show(replace(SEATED, owners=(None, None, "Asha", "Asha"), match=goes_on))
    told = screen.typed("quit")
    assert isinstance(told, Show) and "Your 2 bots leave too" in told.lines[0]
    assert "'quit bots'" in told.lines[1] and "once more" in told.lines[2]
    assert screen.typed("quit") == Quit()
    assert screen.typed("quit bots") == Quit(bots_stay=True)
    told = screen.typed("lobby")
    assert isinstance(told, Show) and told.lines[2] == "Type 'lobby' once more to leave."
    assert isinstance(screen.typed("quit"), Show), "what was meant was the lobby"
    assert isinstance(screen.typed("?"), Show) and isinstance(screen.typed("quit"), Show)
    assert screen.leaving_lines() == told.lines[:2], "what Ctrl-C says too"
    assert isinstance(screen.typed("lobby"), Show) and screen.typed("lobby") == ToLobby()
    waits = TextScreen("Asha")  # the bots cannot stay: away=wait
    waits.show(replace(SEATED, owners=(None, None, "Asha", "Asha")))
    told = waits.typed("quit bots")
    assert isinstance(told, Show) and "Your 2 bots leave too" in told.lines[0]
    assert len(told.lines) == 2 and waits.typed("quit bots") == Quit()
    for owners in ((), (None, "Asha", "Asha", "Asha")):
        alone = TextScreen("Asha")
        alone.show(replace(SEATED, owners=owners))
        assert alone.typed("quit") == Quit() and alone.typed("quit bots") == Quit()
        assert alone.typed("lobby") == ToLobby() and alone.leaving_lines() == ()


def test_a_player_whose_cards_come_before_the_first_turn_reads_whose_turn_it_is() -> None:
    view = next(walk(3))[0]
    told = []
    for seat in (view.seat, (view.seat + 1) % 4):
        screen = TextScreen("Asha")
        screen.show(SEATED)
        told.append(screen.show(events.HandSeen(replace(view, seat=seat)))[-1])
    assert "'s turn." not in told[0], "this player is asked at once"
    assert "'s turn." in told[1]


def test_what_a_person_wrote_is_never_translated() -> None:
    """Names, messages and typed words can be words that the program itself says, too."""
    screen = TextScreen("West", translation("ta"))
    screen.show(replace(SEATED, nicks=("West", "Hands", "Clubs", "Caps")))
    [chat] = screen.show(events.ChatMessage("Hands", "yes"))
    assert chat.startswith("Hands ") and chat.endswith(" yes")
    [confirmed] = screen.show(events.CodeConfirmed("Clubs", False))
    assert confirmed.lstrip().startswith("Clubs ")
    renderer = PhraseRenderer(Look(), translation("ta"))
    assert renderer.text(chat_line("Hands", "yes")) == "Hands: yes"
    view = next(view for view, *_ in walk(1))
    screen.show(events.YourTurn(view))
    answer = screen.typed("menu")
    assert isinstance(answer, Show) and "“menu”" in answer.lines[0]
