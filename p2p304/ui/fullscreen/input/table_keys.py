"""Choosing at the table: the cursor over cards and words, the typed line, a queued card.

Responsible for keys while no pane is open. Which actions are open the model says; whether an action
is legal is the rules' to decide. Pure: (model, ui, key) to (ui, intents).
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phrases import say
from p2p304.rules.play import claims
from p2p304.rules.state.hand import Phase
from p2p304.ui.common import key_map
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.remarks import REMARKS
from p2p304.ui.common.settings import Controls
from p2p304.ui.fullscreen.input import typed_line
from p2p304.ui.fullscreen.input.commands import ABOUT_PLAY, NO_CHAT, NO_CHAT_YET, Answer, command
from p2p304.ui.fullscreen.input.menu import may_chat, no_chat
from p2p304.ui.fullscreen.model.ui_state import (
    MOST_SAID,
    MOST_TYPED,
    Asking,
    Item,
    Pane,
    Ui,
    card_actions,
    items,
    pointed,
)
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.narration.absence_phrases import may_part
from p2p304.ui.narration.intents import UNCUT, Chat, CutPack, Do, Ready, Sit, Skip
from p2p304.ui.narration.model import Model, Stage

BIG_BID = 250
_SPOKEN = {
    "quit": Command.LEAVE,
    "exit": Command.LEAVE,
    "leave": Command.LEAVE,
    "help": Command.HELP,
    "last": Command.LAST,
    "log": Command.LOG,
    "menu": Command.MENU,
}


def press_at_table(model: Model, ui: Ui, key: str, controls: Controls) -> Answer:
    match key:
        case "left" | "right" | "up" | "down" | "home" | "end" if ui.typed.startswith("/"):
            return ui, ()  # an arrow would drop the message and point at a choice
        case "left" | "up":
            return _moved(model, ui, -1), ()
        case "right" | "down":
            return _moved(model, ui, 1), ()
        case "home" | "end":
            count = len(items(model))
            at = 0 if key == "home" else count - 1
            return replace(ui, cursor=at if count else None, typed="", note=None), ()
        case "enter":
            return enter(model, ui, controls)
        case "backspace":
            return with_typed_line(model, ui, ui.typed[:-1]), ()
        case key_map.CLEAR:
            return with_typed_line(model, ui, ""), ()
        case "escape":
            return replace(ui, typed="", queued=None, note=None, hint=None, cursor=None), ()
        case "tab":
            return command(model, ui, Command.MENU)
        case "pageup" | "pagedown":
            return command(model, ui, Command.LOG)
        case " " if not ui.typed:
            return replace(ui, note=None), (Skip(),)
    meant = controls.commands.get(key) if not ui.typed else None
    if meant is not None and not (model.free_seats and meant in ABOUT_PLAY):
        return command(model, ui, meant)
    if len(key) == 1 and key.isprintable():
        return with_typed_line(model, ui, ui.typed + key), ()
    return ui, ()


def _moved(model: Model, ui: Ui, step: int) -> Ui:
    count = len(items(model))
    if not count:
        return ui
    at = (0 if step > 0 else count - 1) if ui.cursor is None else (ui.cursor + step) % count
    return replace(ui, cursor=at, typed="", note=None)


def with_typed_line(model: Model, ui: Ui, line: str) -> Ui:
    """Set the typed line; the cursor follows it as soon as it names something."""
    chat = line.startswith("/")
    line = line[: MOST_SAID if chat else MOST_TYPED]
    item = None if chat or not line.strip() else typed_line.named(line.strip().lower(), model)
    choices = items(model)
    cursor = choices.index(item) if item is not None and item in choices else None
    note = no_chat(model, NO_CHAT_YET) if chat and not may_chat(model) else None
    return replace(ui, typed=line, cursor=cursor, note=note)


def enter(model: Model, ui: Ui, controls: Controls) -> Answer:
    word = ui.typed.strip().lower()
    fresh = replace(ui, typed="", note=None)
    if word.startswith("/"):
        return _chat(model, fresh, ui.typed.strip()[1:].strip())
    if not word and ui.cursor is None and model.cut_until is not None:
        return fresh, (UNCUT,)
    if not word and ui.cursor is None and model.deal_next is not None:
        return fresh, (Ready(),)
    if not word and model.stage is Stage.OVER:
        return replace(fresh, pane=Pane.END, at=0, scroll=0), ()
    if word in _SPOKEN:
        return command(model, fresh, _SPOKEN[word])
    if word == "part" and may_part(model):
        return command(model, fresh, Command.PART)
    call = typed_line.claim(word, model) if word else None
    if call is not None:
        return _call(model, fresh, call, controls)
    item = typed_line.named(word, model) if word else pointed(model, ui)
    if item is not None:
        return _choose(model, fresh, item, controls)
    if word:
        return replace(fresh, note=typed_line.not_understood(word, model)), ()
    if model.is_my_turn:
        return replace(
            fresh,
            note=say(
                "Choose with the arrow keys or type your choice. Press {key} for help.",
                key=model.keys[Command.HELP],
            ),
        ), ()
    return fresh, (Skip(),)


def _chat(model: Model, ui: Ui, text: str) -> Answer:
    """Send the text after a slash, or the remark with this number, to the others, between hands."""
    if not may_chat(model):
        return replace(ui, note=no_chat(model, NO_CHAT)), ()
    said = REMARKS[text].text if text in REMARKS else text
    return (ui, (Chat(said),)) if said else (ui, ())


def _call(model: Model, ui: Ui, call: acts.Claim, controls: Controls) -> Answer:
    """Ask whether Caps or spoilt trumps is to be called; for Caps without cards, ask for the
    order."""
    is_caps = isinstance(call, acts.Caps)
    if model.hand is None or not model.may_claim(claims.CAPS if is_caps else claims.SPOILT):
        return replace(ui, note=typed_line.why_no_claim(call, model)), ()
    if isinstance(call, acts.Caps) and call.order:
        question = say("Call Caps with {cards}?", cards=call.order)
        return replace(ui, asking=Asking(question, Do(call))), ()
    return do(model, ui, call, controls)


def _choose(model: Model, ui: Ui, item: Item, controls: Controls) -> Answer:
    if not isinstance(item, Card):
        return do(model, ui, item, controls)
    open_now = card_actions(model, item)
    if open_now:
        return do(model, ui, open_now[0], controls)
    if model.is_my_turn and model.view is not None:
        return replace(ui, note=typed_line.why_not(item, model.view)), ()
    return _queue(model, ui, item), ()


def _queue(model: Model, ui: Ui, card: Card) -> Ui:
    if model.hand is None or model.hand.phase is not Phase.PLAY:
        return replace(ui, note=typed_line.out_of_turn(model))
    if ui.queued is card:
        return replace(
            ui, queued=None, note=say("{card} will not be played automatically.", card=card)
        )
    return replace(ui, queued=card, note=say("{card} will be played on your turn.", card=card))


def do(model: Model, ui: Ui, action: Action | Sit | CutPack, controls: Controls) -> Answer:
    if isinstance(action, Sit | CutPack):
        return replace(ui, pane=None, cursor=None), (action,)
    if isinstance(action, acts.Caps):
        return command(model, ui, Command.CAPS)
    if controls.confirm == "always" or (controls.confirm == "risky" and is_risky(action)):
        question = say("{what}: are you sure?", what=describe(action, model))
        return replace(ui, pane=None, asking=Asking(question, Do(action))), ()
    return replace(ui, pane=None), (Do(action),)


def is_risky(action: Action) -> bool:
    """Whether an action cannot be undone and decides a hand."""
    if isinstance(action, acts.Bid):
        return action.amount >= BIG_BID
    return isinstance(action, acts.Redeal | acts.Open | acts.Caps | acts.Spoilt | acts.Double)
