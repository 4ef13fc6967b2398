"""The meaning of typed letters: a card, a choice by number, a bid, a word.

Responsible for parsing the typed line on the full screen; bids and words are parsed as in text mode
(input_parser.py). Whether the action is legal is the rules' to decide, in one sentence.
"""

from __future__ import annotations

from p2p304.rules.core.actions import Claim, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.play import claims
from p2p304.rules.play.view import View
from p2p304.table.state.gathering_events import Members
from p2p304.ui.common import input_parser
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.wording import seat_meant
from p2p304.ui.fullscreen.input.menu import may_chat
from p2p304.ui.fullscreen.model.ui_state import Item, card_actions, held, items, words
from p2p304.ui.guidance.choice_phrases import broken_rule, cut_meant
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.intents import CutPack, Sit
from p2p304.ui.narration.model import Model, Stage


def named(word: str, model: Model) -> Item | None:
    """Return the item that a typed line names, or None."""
    if model.free_seats:
        return _seat(word, model)
    if model.cut_until is not None:
        return cut_meant(word)
    choices, word = items(model), input_parser.as_card(word)
    chosen = input_parser.named_card(word)
    if chosen is not None and chosen in held(model) and chosen in choices:
        down = [a for a in card_actions(model, chosen) if isinstance(a, Play) and a.down]
        return chosen if down or not word.startswith("~") else None
    if word.isascii() and word.isdigit() and choices and isinstance(choices[0], Card):
        number = int(word[:3])
        return choices[number - 1] if 1 <= number <= len(choices) else None
    if word == "cut":
        return model.view.indicator if model.view is not None else None
    if model.hand is None:
        return None
    spoken = [item for item in words(model) if not isinstance(item, Sit | CutPack)]
    found = input_parser.choice(word, spoken, model.hand.options)
    return found if found is None or found in choices else None


def claim(word: str, model: Model) -> Claim | None:
    """Return the call of Caps with an order, or of spoilt trumps, that a typed line makes."""
    return None if model.seat is None else input_parser.claim(word, model.seat)


def why_no_claim(call: Claim, model: Model) -> Phrase:
    """Explain why this cannot be called now: the rules' sentence."""
    if model.hand is None:
        return out_of_turn(model)
    try:
        claims.check_open(model.hand, call)
    except RuleBroken as broken:
        return broken_rule(broken)
    return out_of_turn(model)


def _seat(word: str, model: Model) -> Sit | None:
    """Return a free seat by its number or place, or by the name of a partner."""
    seat = seat_meant(word.removeprefix("seat "), Members(model.nicks, model.places, model.at))
    return Sit(seat) if seat in model.free_seats and seat is not None else None


def why_not(item: Card, view: View) -> Phrase:
    """Explain why a card cannot be chosen now: the rules' sentence."""
    broken = input_parser.broken_with_card(item, view)
    return say("You can't choose {card} now.", card=item) if broken is None else broken_rule(broken)


def not_understood(word: str, model: Model) -> Phrase:
    """Explain why a typed line does nothing, as precisely as possible."""
    chosen = input_parser.named_card(word)
    if chosen is not None and chosen not in held(model):
        return say("{card} is not in your hand.", card=chosen)
    if model.free_seats:
        return say(
            "There is no such free seat. Type its number, its direction, or your partner's name."
        )
    if model.stage is Stage.GATHERING and word.startswith("seat"):
        return say("You can't choose a seat: this table draws the seats.")
    if not model.is_my_turn or model.view is None:
        return out_of_turn(model)
    question = input_parser.which(word, model.options)
    if question is not None:
        return question
    broken = input_parser.broken(word, model.view)
    if broken is not None:
        return broken_rule(broken)
    shown = "".join(char for char in word if char.isprintable())[:20]
    return say(
        "“{word}” is not one of your choices. Press {key} for help.",
        word=Quoted(shown),
        key=model.keys[Command.HELP],
    )


def out_of_turn(model: Model) -> Phrase:
    """Answer a player who chooses a card when no card is to be chosen."""
    if model.deal_next is not None or model.cut_until is not None:
        return due(model)
    if model.watches:
        return say(
            "You are watching: you cannot play. Press {key} to see what you can do.",
            key=model.keys[Command.MENU],
        )
    if may_chat(model):
        return say(
            "It is not your turn. Press {key} to see what you can do, or {chat} to chat.",
            key=model.keys[Command.MENU],
            chat=model.keys[Command.CHAT],
        )
    return say(
        "It is not your turn. Press {key} to see what you can do.", key=model.keys[Command.MENU]
    )
