"""Typed words, in every game, in text mode and on the full screen: as the hand record and the rules
page write them, and as people do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.state import events
from p2p304.ui.common.settings import Controls
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.keys import press
from p2p304.ui.fullscreen.model.ui_state import Pane, Ui
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.narration.intents import Do
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.text.screen import Show, TextScreen
from tests.support.screen import scenes

GLYPHS = str.maketrans("SHDC", "♠♥♦♣")
QUICK = Controls(confirm="never")


@cache
def turns(name: str, seed: int = 4, seat: int = 1) -> tuple[Model, ...]:
    """The moments of a hand at which a seat must choose, as the full screen has them."""
    found = scenes.models(seed, seat, scenes.wild(seed), PRESETS[name])
    return tuple(model for change, model in found if isinstance(change, events.YourTurn))


def at(name: str, kind: type[Action], amount: int | None = None) -> Model:
    """A moment at which an action of this kind is open, or a bid of this amount."""
    for seed in range(60):
        for seat in range(PRESETS[name].seats):
            for model in turns(name, seed, seat):
                found = [action for action in model.options if isinstance(action, kind)]
                if found and (
                    amount is None or any(getattr(one, "amount", 0) == amount for one in found)
                ):
                    return model
    raise LookupError(kind)


def text_at(model: Model) -> TextScreen:
    """Text mode at the same moment."""
    assert model.me is not None
    screen = TextScreen(model.me)
    screen.teller.model = replace(model, typed=True)
    return screen


def enter(model: Model, line: str) -> tuple[Ui, Action | None]:
    """Type a line on the full screen, without questions, and press Enter."""
    ui, done = Ui(), tuple[object, ...]()
    for key in (*line, "enter"):
        ui, done = press(model, ui, key, QUICK)
    wanted = done[0] if done else None
    return ui, wanted.action if isinstance(wanted, Do) else None


def told(phrase: Phrase | None) -> str:
    return "" if phrase is None else PhraseRenderer(Look(glyphs=False)).text(phrase)


def forms(action: Action, tenths: bool) -> Iterator[str]:
    word = notation.word(action, tenths)
    yield word
    yield word.lower()
    head, *rest = word.split(" ")
    if rest:
        yield " ".join([head.lower(), *(each.translate(GLYPHS) for each in rest)])
    elif isinstance(action, acts.Play):
        yield word.translate(GLYPHS)


@pytest.mark.parametrize("name", PRESETS)
def test_every_choice_is_typed_as_the_record_writes_it(name: str) -> None:
    tenths = PRESETS[name].tenths
    kinds = set()
    for model in turns(name):
        screen = text_at(model)
        assert model.options == screen.model.options
        for action in model.options:
            kinds.add(type(action))
            for line in forms(action, tenths):
                assert screen.typed(line) == Do(action), line
                assert enter(model, line)[1] == action, line
    assert acts.Pass in kinds or acts.Bid in kinds


SAID: tuple[tuple[str, str, type[Action]], ...] = (
    ("maharashtra", "partner JS", acts.Call),
    ("maharashtra", "marriage {suit}", acts.Marriage),
    ("online-3", "exchange {first} {second}", acts.Exchange),
    ("online-3", "{first} {second}", acts.Exchange),
    ("online-4", "reveal", acts.Reveal),
    ("online-4", "ask", acts.Reveal),
    ("pagat", "ask", acts.Ask),
    ("tenths", "1.6", acts.Bid),
    ("tenths", "1.60", acts.Bid),
    ("tamil-304", "double", acts.Double),
    ("maharashtra", "half court", acts.Bid),
)


@pytest.mark.parametrize(("name", "line", "kind"), SAID)
def test_words_of_the_rules_page_do_what_they_say(name: str, line: str, kind: type[Action]) -> None:
    amount = {"1.6": 160, "1.60": 160, "half court": acts.HALF_COURT}.get(line)
    model = at(name, kind, amount)
    first = next(action for action in model.options if isinstance(action, kind))
    if isinstance(first, acts.Marriage):
        line = line.format(suit=first.suit.word)
    if isinstance(first, acts.Exchange) and first.cards is not None:
        one, other = first.cards
        line = line.format(first=other.name, second=one.name)
    done = enter(model, line)[1]
    assert isinstance(done, kind)
    assert text_at(model).typed(line) == Do(done)
    if line.startswith("1.6"):
        assert done == acts.Bid(done.seat, 160)
    if isinstance(first, acts.Exchange):
        assert done == first


@pytest.mark.parametrize(
    ("name", "word", "kind"),
    [("online-3", "exchange", acts.Exchange), ("maharashtra", "partner", acts.Call)],
)
def test_a_word_without_its_cards_asks_which(name: str, word: str, kind: type[Action]) -> None:
    model = at(name, kind)
    ui, done = enter(model, word)
    assert done is None and told(ui.note).startswith("Name the ")
    assert word in told(ui.note)
    answer = text_at(model).typed(word)
    assert isinstance(answer, Show) and answer.lines == (told(ui.note),)


def test_caps_and_spoilt_trumps_are_called_by_typing_on_the_full_screen() -> None:
    model = next(m for m in turns("pagat", 14, 3) if m.hand and m.hand.phase is Phase.PLAY)
    taking = replace(model, claims=True)
    order = tuple(sorted(taking.view.cards, key=str)) if taking.view is not None else ()
    ui, _ = enter(taking, "caps")
    assert ui.pane is Pane.CAPS
    ui, done = enter(taking, "caps " + " ".join(card.name.lower() for card in order))
    assert done is None and ui.asking is not None
    assert press(taking, ui, "y")[1] == (Do(acts.Caps(3, order)),)
    assert enter(taking, "spoilt")[1] == acts.Spoilt(3)
    ui, done = enter(turns("pagat")[0], "spoilt")
    assert done is None and "only while cards are played" in told(ui.note)


def test_sixty_is_a_bid_only_where_people_say_it() -> None:
    screens = {
        name: text_at(at(name, acts.Bid, PRESETS[name].bid_min))
        for name in ("pagat", "online-4", "six-24", "tamil-504", "tamil-904")
    }
    said = {name: screen.typed("60") for name, screen in screens.items()}
    assert said["pagat"] == Do(acts.Bid(screens["pagat"].model.seat or 0, 160))
    online = screens["online-4"].typed("50")
    assert isinstance(online, Do) and online.action == acts.Bid(online.action.seat, 150)
    for name in ("six-24", "tamil-504", "tamil-904"):
        assert isinstance(said[name], Show), name


def test_a_card_face_down_is_not_played_face_up() -> None:
    for model in turns("pagat", 14, 3):
        up = [a for a in model.options if isinstance(a, acts.Play) and not a.down]
        for action in up:
            if action.card is not None:
                assert enter(model, f"~{action.card.name}")[1] != action


@pytest.mark.parametrize("name", ["pagat", "online-3", "online-4", "tamil-304", "half-court"])
def test_what_stands_on_the_screen_for_a_choice_can_be_typed(name: str) -> None:
    """But for the sentence about weak cards, which is too long for the line."""
    said = set[str]()
    for model in (one for seat in range(3) for one in turns(name, 4, seat)):
        for action in model.options:
            words = label(model, action)
            if isinstance(action, acts.Redeal):
                continue
            assert enter(model, words)[1] == action, words
            said.add(words.partition(" ")[2])
    assert name != "pagat" or {"partner", "trump", "as indicator", "face down"} <= said


def label(model: Model, action: Action) -> str:
    """What the screen writes for a choice."""
    seats = model.seats
    renderer = PhraseRenderer(Look(), str, model.nicks, seats, model.seat)
    return renderer.text(describe(action, model)).lower()
