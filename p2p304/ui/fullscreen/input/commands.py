"""The commands of the screen beside the table's actions, and the questions that it asks.

Responsible for what a command does, which actions need confirmation because they cannot be undone,
and what an answer does. Pure: (model, ui) to (ui, intents).
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import say
from p2p304.ui.common import wording
from p2p304.ui.common.key_map import Command
from p2p304.ui.fullscreen.input.menu import may_chat, no_chat
from p2p304.ui.fullscreen.model.ui_state import Asking, Pane, Ui, held
from p2p304.ui.guidance.status import hint_refusal
from p2p304.ui.narration.absence_phrases import question
from p2p304.ui.narration.intents import AddBot, AskHint, Decide, Intent, Part, Quit, Ready, ToLobby
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.questions.leaving import may_leave_bots, other_answer, warning

QUIT = Quit()
NO_CHAT = say("You can chat only between hands.")
NO_CHAT_YET = say("You can chat only between hands. Press Esc to clear the line.")
Answer = tuple[Ui, tuple[Intent, ...]]
PANES = {
    Command.HELP: Pane.HELP,
    Command.MENU: Pane.MENU,
    Command.LAST: Pane.LAST,
    Command.PROOFS: Pane.PROOFS,
    Command.LOG: Pane.LOG,
    Command.SHEET: Pane.SHEET,
    Command.HANDS: Pane.HANDS,
    Command.RESULT: Pane.RESULT,
    Command.RULES: Pane.RULES,
}
ABOUT_PLAY = (
    Command.LAST,
    Command.PROOFS,
    Command.SHEET,
    Command.HANDS,
    Command.RESULT,
    Command.RULES,
    Command.VALUES,
    Command.HINT,
)
"""Commands whose panes are empty before the first deal; until then their keys are typed letters."""


def command(model: Model, ui: Ui, command: Command) -> Answer:
    if command in PANES:
        return replace(ui, pane=PANES[command], at=0, scroll=0, typed="", note=None), ()
    match command:
        case Command.HINT:
            refused = hint_refusal(model)
            return replace(ui, pane=None, note=refused), () if refused else (AskHint(),)
        case Command.VALUES:
            return replace(ui, pane=None, has_values=not ui.has_values), ()
        case Command.READY:
            return replace(ui, pane=None), (Ready(),)
        case Command.BOT if model.me is not None:
            return replace(ui, pane=None, note=None), (AddBot(),)
        case Command.PART:
            return replace(ui, pane=None, asking=Asking(question(model), Part())), ()
        case Command.CHAT:
            # Where chat is closed the line opens too, and Enter refuses it: without the slash,
            # what follows would be a bid or a card.
            note = None if may_chat(model) else no_chat(model, NO_CHAT_YET)
            return replace(ui, pane=None, cursor=None, typed="/", note=note), ()
        case Command.UNQUEUE:
            return replace(ui, pane=None, queued=None), ()
        case Command.CAPS:
            order = model.caps_order or held(model)
            return replace(ui, pane=Pane.CAPS, order=order, at=0, lifted=False), ()
        case Command.LOBBY if model.may_go_to_lobby:
            return leave(model, replace(ui, pane=None), ToLobby())
        case Command.LEAVE:
            return leave(model, replace(ui, pane=None))
    return ui, ()


def leave(model: Model, ui: Ui, wanted: Quit | ToLobby = QUIT) -> Answer:
    """Leave the table for the shell or the lobby. Before the shell always ask, before the lobby
    while others depend on the player."""
    over = model.stage in (Stage.GATHERING, Stage.OVER) or model.stopped is not None
    if over or model.me is None:  # nobody depends on this player
        if wanted != QUIT:
            return ui, (wanted,)
        return replace(ui, asking=Asking(wording.QUIT, QUIT)), ()
    other = other_answer(model) if may_leave_bots(model) and isinstance(wanted, Quit) else None
    return replace(ui, asking=Asking(warning(model), wanted, other)), ()


def answer_question(ui: Ui, asking: Asking, key: str) -> Answer:
    done, wanted, no = replace(ui, asking=None), asking.wanted, key in ("n", "N")
    if key in ("y", "Y") or (key == "c-c" and isinstance(wanted, Quit)):
        return done, (wanted,)
    if key in ("b", "B") and asking.other is not None:
        return done, (Quit(bots_stay=True),)
    if isinstance(wanted, Decide):
        return (done, (replace(wanted, welcome=False),)) if no else (ui, ())
    return (done, ()) if no or key in ("escape", "c-c", "backspace") else (ui, ())
