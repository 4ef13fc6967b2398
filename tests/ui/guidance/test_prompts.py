"""Prompts and help in every game: each sentence is compared with the options of the table and with
the actions that are open."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.phase import Phase
from p2p304.rules.legality.bids import amounts
from p2p304.rules.state.auction import is_partner_high, partner_of
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.state import events
from p2p304.ui.common import input_parser
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.menu import possible
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.guidance.choice_phrases import describe, timeout_phrase
from p2p304.ui.guidance.help import help_phrases
from p2p304.ui.guidance.status import contract, due, points
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.narration.play import acted
from tests.support.screen import scenes

NICKS = (*scenes.NICKS, *scenes.MORE)
SEEDS = range(12)


@cache
def turns(name: str) -> tuple[Model, ...]:
    """The moments of some hands at which a player must choose, from every seat."""
    options, found = PRESETS[name], []
    for seed in SEEDS:
        seat = seed % options.seats
        for change, model in scenes.models(seed, seat, scenes.wild(seed), options):
            if isinstance(change, events.YourTurn):
                found.append(model)
    return tuple(found)


def renderer(model: Model) -> PhraseRenderer:
    return PhraseRenderer(Look(glyphs=False), nicks=model.nicks, seat=model.seat)


def plays(model: Model) -> list[Play]:
    return [action for action in model.options if isinstance(action, Play)]


def rules(model: Model) -> Options:
    assert model.hand is not None
    return model.hand.options


def numbers(model: Model) -> list[int]:
    bids = [action.amount for action in model.options if isinstance(action, acts.Bid)]
    return [amount for amount in bids if amount < acts.PCC]


def open_kinds(model: Model) -> set[type[Action]]:
    return {type(action) for action in model.options}


def cards_held(model: Model) -> int:
    assert model.view is not None
    return len(model.view.cards) + (model.view.indicator is not None)


def bids_as_said(model: Model, said: re.Match[str]) -> bool:
    return said[1] == notation.amount_text(min(numbers(model)), rules(model).tenths)


def means(model: Model, said: re.Match[str]) -> bool:
    action = input_parser.choice(said[1], model.options, rules(model))
    return isinstance(action, acts.Bid) and str(action.amount) == said[2]


def asks(model: Model, said: re.Match[str]) -> bool:
    assert model.seat is not None
    return said[1] == NICKS[partner_of(rules(model), model.seat)]


def asked_by(model: Model, said: re.Match[str]) -> bool:
    assert model.hand is not None
    seat = model.hand.auction.asked_by
    return seat is not None and said[1] == NICKS[seat]


Judge = Callable[[Model, re.Match[str]], bool]
CLAIMS: dict[str, Judge] = {
    r"(\d+(?:\.\d+)?) or more": bids_as_said,
    r"on (\d+) cards": lambda m, said: int(said[1]) == cards_held(m),
    r"^(\d+) means (\d+)\.$": means,
    r"A bid of (\d\.\d+) means (\d+\.\d)": lambda m, said: (
        rules(m).tenths and float(said[1]) * 10 == float(said[2])
    ),
    r"you must bid": lambda m, _: acts.Pass not in open_kinds(m),
    r"can only pass": lambda m, _: not numbers(m) and acts.Pass in open_kinds(m),
    r"or pass\.": lambda m, _: acts.Pass in open_kinds(m),
    r"asked by (\w+):": asked_by,
    r"ask: (\w+) bids": asks,
    r"less than ([\d.]+) points": lambda m, said: (
        acts.Redeal in open_kinds(m) and said[1] == ("1.5" if rules(m).tenths else "15")
    ),
    r"your side must": lambda m, _: rules(m).partner != "none",
    r"your partner sits out": lambda m, _: rules(m).seats == 4 and rules(m).partner == "across",
    r"your partners sit out": lambda m, _: rules(m).seats > 4,
    r"the partner whom you call": lambda m, _: rules(m).partner == "called",
    r"alone": lambda m, _: rules(m).partner != "across" or acts.Bid in open_kinds(m),
    r"lies face down": lambda m, _: acts.LayTrump in open_kinds(m),
    r"[Pp]lay a card face down": lambda m, _: any(p.down and not p.indicator for p in plays(m)),
    r"is played face down|plays face down": lambda m, _: rules(m).hidden == "face_down",
    r"by itself": lambda m, _: False,
    r"face up; nothing cuts": lambda m, _: (
        rules(m).hidden == "ask_reveal" and m.hand is not None and m.hand.trump is None
    ),
    r"Ask for the trump|reveal:": lambda m, _: acts.Reveal in open_kinds(m),
    r"Cut, or|must cut with|cut: play": lambda m, _: any(p.indicator and p.down for p in plays(m)),
    r"must cut with": lambda m, _: all(p.indicator for p in plays(m)),
    r"Play any card": lambda m, _: any(not p.down for p in plays(m)),
    r"follow (?:\S+)\.$": lambda m, _: all(
        m.view is not None and p.card is not None and p.card.suit is m.view.led for p in plays(m)
    ),
    r"say double|double:": lambda m, _: acts.Double in open_kinds(m),
    r"marriage": lambda m, _: acts.Marriage in open_kinds(m),
    r"exchange": lambda m, _: acts.Exchange in open_kinds(m),
    r"keep": lambda m, _: acts.Keep in open_kinds(m),
    r"partner:|call a card": lambda m, _: acts.Call in open_kinds(m),
    r"open or closed": lambda m, _: {acts.Open, acts.Closed} <= open_kinds(m),
    r"halfcourt|half court": lambda m, _: acts.Bid(m.seat or 0, acts.HALF_COURT) in m.options,
    r"fullcourt|full court": lambda m, _: acts.Bid(m.seat or 0, acts.FULL_COURT) in m.options,
    r"pcc:|Partner Close Caps": lambda m, _: acts.Bid(m.seat or 0, acts.PCC) in m.options,
    r"\b304:": lambda m, _: 304 in numbers(m),
    r"js, 10d, ([\d.]+), pass": lambda m, said: example(m, said[1]),
}
"""What a sentence may claim, and when that is true."""


def example(model: Model, word: str) -> bool:
    """The bid in the example is the least one of this game."""
    seat, options = 0, rules(model)
    bid = acts.Bid(seat, options.bid_min)
    return input_parser.choice(word, (bid, *[acts.Pass(seat)] * 40), options) == bid


def sentences(model: Model) -> Iterator[str]:
    for typed in (False, True):
        yield from map(renderer(model).text, help_phrases(replace(model, typed=typed)))


@pytest.mark.parametrize("name", PRESETS)
def test_every_prompt_and_help_sentence_is_true_of_its_game(name: str) -> None:
    met: dict[str, int] = defaultdict(int)
    for model in turns(name):
        for sentence in sentences(model):
            for pattern, is_true in CLAIMS.items():
                for said in re.finditer(pattern, sentence):
                    met[pattern] += 1
                    assert is_true(model, said), (pattern, sentence, model.options)
    assert met[r"on (\d+) cards"] and met[r"(\d+(?:\.\d+)?) or more"]
    assert bool(met[r"Ask for the trump|reveal:"]) is (PRESETS[name].hidden == "ask_reveal")


@pytest.mark.parametrize("name", PRESETS)
def test_every_kind_of_choice_is_explained(name: str) -> None:
    for model in turns(name):
        told = [renderer(model).text(phrase) for phrase in help_phrases(model)]
        assert told[0] == renderer(model).text(due(model)) and told[0] != "Your turn."
        for kind in open_kinds(model) - {Play, acts.Bid, acts.LayTrump}:
            word = notation.word(next(a for a in model.options if type(a) is kind)).split()[0]
            assert any(line.startswith(f"{word}: ") for line in told), (kind, told)


def after_pcc(options: Options) -> Hand:
    """A hand of which the first to speak in the second round bids Partner Close Caps."""
    for seed in range(100):
        for _, model in scenes.models(seed, 0, closest, options):
            if model.hand is not None and model.hand.bid == acts.PCC:
                return model.hand
    raise LookupError("nobody bids it")


def closest(view: object, options: tuple[Action, ...]) -> Action:
    named = [a for a in options if isinstance(a, acts.Bid) and a.amount == acts.PCC]
    bids = [a for a in options if isinstance(a, acts.Bid) and a.amount < acts.PCC]
    first: list[Action] = [*named, *bids, *options]
    return first[0]


@pytest.mark.parametrize("name", ["pagat", "six-24", "eight-32", "six-36"])
def test_all_partners_sit_out_and_only_they(name: str) -> None:
    hand = after_pcc(PRESETS[name])
    before = Hand.start(hand.options, hand.dealer)
    model = Model(nicks=NICKS[: hand.options.seats])
    told = [renderer(model).text(line.phrase) for line in acted(hand.history[-1], before, hand)]
    out = {line.split()[0] for line in told if "sits out" in line}
    assert out == {NICKS[seat] for seat in hand.makers if seat != hand.maker}
    assert len(out) == hand.options.seats // 2 - 1


def test_in_tenths_points_are_told_in_tenths() -> None:
    found = []
    for model in turns("tenths"):
        text = "".join(part for _, part in points(model, renderer(model)))
        found += re.findall(r"(?:We|They) (\S+)", text)
    assert found and all(re.fullmatch(r"\d+\.\d,?", shown) for shown in found)


def test_in_tenths_refusals_name_bids_in_tenths() -> None:
    for model in turns("tenths"):
        assert model.view is not None
        for line in ("1.1", "1.65", "9.9", "310"):
            broken = input_parser.broken(line, model.view)
            if broken is not None and broken.rule.startswith("bid"):
                assert re.search(r"\d{3}", broken.message) is None, broken.message


@pytest.mark.parametrize("name", ["pagat", "six-24", "eight-32", "six-36"])
def test_the_choice_to_ask_names_the_partner_where_there_are_several(name: str) -> None:
    asked = set()
    for model in turns(name):
        for action in model.options:
            if isinstance(action, acts.Ask):
                partner = NICKS[partner_of(rules(model), action.seat)]
                wanted = "ask partner" if rules(model).seats == 4 else f"ask {partner}"
                assert renderer(model).text(describe(action, model)) == wanted
                asked.add(wanted)
    assert asked


def test_the_rule_by_which_a_bid_must_be_higher_is_said_where_the_bid_is_asked() -> None:
    reasons: defaultdict[str, int] = defaultdict(int)
    for name in ("pagat", "tenths", "online-4", "six-36"):
        for model in turns(name):
            assert model.hand is not None
            auction, least = model.hand.auction, min(numbers(model), default=0)
            text = renderer(model).text(due(model))
            if not least or auction.second:
                assert "bid at least" not in text
                continue
            if "To bid higher than your partner" in text:
                assert is_partner_high(rules(model), auction, model.seat or 0)
                reasons["partner"] += 1
            elif "You have already had a turn" in text:
                assert auction.asked_by is not None or model.seat in auction.spoken
                reasons["again"] += 1
            else:
                between = [n for n in amounts(rules(model)) if auction.high < n < least]
                assert not between
                continue
            assert least == rules(model).special
    assert reasons["partner"] > 3 and reasons["again"] > 3


@pytest.mark.parametrize("name", ["pagat", "fives"])
def test_trumps_that_are_not_chosen_yet_are_not_told_as_not_shown(name: str) -> None:
    seen = Counter[bool]()
    for model in turns(name):
        assert model.hand is not None
        chooses = model.hand.phase in (Phase.TRUMP4, Phase.TRUMP8)
        text = renderer(model).text(contract(model))
        assert ("trumps not chosen yet" in text) == chooses
        seen[chooses] += 1
    assert seen[True] and seen[False]


def test_it_is_said_what_follows_when_the_time_is_up() -> None:
    told: set[str] = set()
    for name in ("pagat", "online-3", "online-4"):
        for model in turns(name):
            assert model.view is not None
            text = renderer(model).text(timeout_phrase(model.view))
            told.add(re.search("you pass|plays|bids|exchanges|chooses", text)[0])  # type: ignore[index]
            assert ("you pass" in text) == (acts.Pass in open_kinds(model))
            if "bids" in text:
                assert str(min(numbers(model))) in text
            if "chance" in text or "exchanges" in text:
                assert rules(model).timeout == "random" and acts.Bid not in open_kinds(model)
    assert told >= {"you pass", "plays", "exchanges", "chooses"}


def test_those_who_have_not_asked_for_the_deal_are_named() -> None:
    model = replace(scenes_dealing(), people=("Bandu",))
    assert renderer(model).text(due(model)) == "Bandu has not pressed Enter yet."
    model = replace(model, people=("Bandu", "Dilan"))
    assert renderer(model).text(due(model)).endswith("pressed Enter yet: Bandu, Dilan.")
    model = replace(model, people=())
    assert "The others" in renderer(model).text(due(model))


def scenes_dealing() -> Model:
    """The pack of the second hand is shuffled, and this player has asked for the deal."""
    found = Model(me="Asha", stage=Stage.DEALING, nicks=scenes.NICKS, number=2, shuffled=4)
    assert found.awaits_deal
    return found


def test_footer_and_help_show_what_does_something_now() -> None:
    options = PRESETS["pagat"]
    before = next(m for _, m in scenes.models(14, 0, scenes.club(), options) if m.hand)
    page = replace(before, has_people=True)
    assert not {Command.LAST, Command.SHEET, Command.HANDS, Command.RESULT, Command.HINT} & set(
        possible(page, Ui())
    )
    assert Command.BOT not in possible(page, Ui()) and Command.PROOFS in possible(page, Ui())
    playing = next(m for _, m in scenes.models(14, 0, scenes.club(), options) if m.done_tricks)
    assert Command.LAST in possible(playing, Ui()) and Command.HINT not in possible(playing, Ui())
    alone = replace(playing, has_people=False)
    assert (Command.HINT in possible(alone, Ui())) == alone.is_my_turn
