"""Converts keys to intents: changes of the screen's own state, and requests to the application.

Responsible for which part of the screen a key is for (a question, a pane, the table), and for the
screen's state after an event of the table. A key is a name (``left``, ``enter``, ``c-c``) or one
character. Every key is handled at every moment, even if nothing follows. Pure. Keys at the table
are table_keys.py's; what a call of Caps is worth is the rules' to say.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core import actions as acts
from p2p304.rules.core.phrases import say
from p2p304.rules.state.hand import Phase
from p2p304.ui.common.input_parser import begins_word
from p2p304.ui.common.key_map import Command
from p2p304.ui.common.settings import CONTROLS, Controls
from p2p304.ui.fullscreen.input import typed_line
from p2p304.ui.fullscreen.input.commands import PANES, Answer, answer_question, command, leave
from p2p304.ui.fullscreen.input.menu import Entry, entries
from p2p304.ui.fullscreen.input.table_keys import do, enter, press_at_table, with_typed_line
from p2p304.ui.fullscreen.model.ui_state import Asking, Pane, Ui, card_actions, held
from p2p304.ui.narration.intents import (
    UNCUT,
    ConfirmCode,
    Decide,
    Do,
    GoOnWithout,
    Quit,
    Ready,
    ToLobby,
)
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.questions.end_choices import choices
from p2p304.ui.terminal.frame import Redraw

_AWAY = ("c-c", "c-d")


def press(model: Model, ui: Ui, key: str, controls: Controls = CONTROLS) -> Answer:
    """Return the screen after a key, and its intents."""
    if key == "c-l":
        return ui, (Redraw(),)
    if ui.asking is not None and not (isinstance(ui.asking.wanted, Decide) and key in _AWAY):
        answered, wanted = answer_question(ui, ui.asking, key)
        leaves = isinstance(ui.asking.wanted, Quit | ToLobby)
        return (_with_visitor(answered, model) if leaves else answered), wanted
    if key in (*_AWAY, controls.keys.get(Command.LEAVE)):
        return leave(model, ui)
    if ui.typed.startswith("/"):  # a message is typed on, whatever pane an event has opened
        return press_at_table(model, replace(ui, pane=None), key, controls)
    if ui.pane is Pane.CAPS:
        return _caps(model, ui, key)
    if ui.pane is Pane.MENU:
        return _menu(model, ui, key, controls)
    if ui.pane is Pane.END:
        return _end(model, ui, key, controls)
    if ui.pane is not None:
        return _pane(model, ui, key, controls)
    return press_at_table(model, ui, key, controls)


def paste(model: Model, ui: Ui, text: str) -> Ui:
    """Put pasted text on the typed line; only Enter executes it."""
    line = text.splitlines()[0] if text.strip() else ""
    return with_typed_line(model, ui, ui.typed + "".join(c for c in line if c.isprintable()))


def click(model: Model, ui: Ui, index: int, controls: Controls = CONTROLS) -> Answer:
    """Handle a click: the first one selects, a click on what is selected executes it; in the menu
    at once."""
    if ui.pane is Pane.MENU:
        return _menu(model, replace(ui, at=index), "enter", controls)
    if ui.pane is Pane.END:
        return _end(model, replace(ui, at=index), "enter", controls)
    if ui.cursor == index and not ui.typed:
        return enter(model, ui, controls)
    return replace(ui, cursor=index, typed="", note=None), ()


def update_after(ui: Ui, before: Model, after: Model) -> Ui:
    """Return the screen's state after an event of the table: what concerned the past is dropped."""
    if before.number != after.number or after.hand is None:
        ui = replace(ui, queued=None)
    if ui.pane is Pane.RESULT and before.hand is None and after.hand is not None:
        ui = replace(ui, pane=None)  # the new cards have been dealt
    if ui.pane is Pane.CODE and _has_own_clock(after) and not _has_own_clock(before):
        ui = replace(ui, pane=None, set_aside=Pane.CODE)  # what is asked must be seen
    elif ui.set_aside is not None and not _has_own_clock(after):
        waits = ui.pane is None and after.hand is None and bool(after.unconfirmed)
        ui = replace(ui, pane=ui.set_aside if waits else ui.pane, set_aside=None)
    then, now = (
        (model.options, model.free_seats, model.cut_until, model.deal_next)
        for model in (before, after)
    )
    if then != now:
        ui = replace(ui, cursor=None, note=None, hint=None)
        if ui.asking is not None and isinstance(ui.asking.wanted, Do):
            ui = replace(ui, asking=None)
        if ui.pane is Pane.CAPS:
            ui = replace(ui, pane=None)
    elif ui.note == typed_line.out_of_turn(before) and _moved_on(before, after):
        ui = replace(ui, note=None)  # it hides what is going on
    ui = _with_visitor(ui, after)
    if ui.queued is not None and ui.queued not in held(after):
        ui = replace(ui, queued=None)
    return ui


def _moved_on(before: Model, after: Model) -> bool:
    """Whether the table has come further, or players have gone or come back."""
    is_played = before.hand is not after.hand or before.stage is not after.stage
    return is_played or before.gone != after.gone


def _has_own_clock(model: Model) -> bool:
    """Whether this player's time to cut or to choose runs."""
    return model.is_asked and model.turn_ends is not None


def _with_visitor(ui: Ui, model: Model) -> Ui:
    """Ask about the first visitor who waits, if nothing else is asked."""
    if ui.asking is not None or not model.knocks:
        return ui
    visitor = model.knocks[0]
    question = say("{who} Let this player in?", who=visitor.told)
    return replace(ui, pane=None, asking=Asking(question, Decide(visitor.key, welcome=True)))


def play_queued(model: Model, ui: Ui) -> Answer:
    """Play the queued card if that is legal; if not, show the reason."""
    if ui.queued is None or not model.is_my_turn or model.view is None:
        return ui, ()
    open_now, free = card_actions(model, ui.queued), replace(ui, queued=None)
    if len(open_now) == 1 and model.view.hand.phase is Phase.PLAY:
        return free, (Do(open_now[0]),)
    why = typed_line.why_not(ui.queued, model.view)
    return replace(free, note=why), ()


def _pane(model: Model, ui: Ui, key: str, controls: Controls) -> Answer:
    """Handle a key in a pane: arrows scroll, its own key or Esc closes it, others are passed on."""
    upwards = ui.pane in (Pane.LOG, Pane.PROOFS)
    steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
    if key in steps:
        step = -steps[key] if upwards else steps[key]
        return replace(ui, scroll=max(0, ui.scroll + step)), ()
    closed = replace(ui, pane=None, scroll=0)
    meant = controls.commands.get(key)
    own = meant is not None and PANES.get(meant) is ui.pane
    if key == "enter" and ui.pane is Pane.RESULT and model.cut_until is not None:
        return ui, (UNCUT,)
    if key == "enter" and ui.pane is Pane.RESULT and model.deal_next is not None:
        return closed, (Ready(),)
    if ui.pane is Pane.CODE and key == "enter" and model.me not in model.confirmed:
        return ui if model.unconfirmed else closed, (ConfirmCode(),)
    if key in ("escape", "enter", " ", "backspace") or own:
        ends = ui.pane is Pane.RESULT and model.stage is Stage.OVER and not own
        return (replace(closed, pane=Pane.END, at=0) if ends else closed), ()
    opener = next((k for k, does in controls.commands.items() if PANES.get(does) is ui.pane), "")
    return press_at_table(model, _spelled(model, closed, opener, key), key, controls)


def _end(model: Model, ui: Ui, key: str, controls: Controls) -> Answer:
    """Handle a key at the end of a table: it chooses what to do next, or scrolls the sheet."""
    listed, steps = choices(model), {"up": -1, "down": 1}
    pages = {"pageup": -10, "pagedown": 10}
    if key in steps:
        return replace(ui, at=(ui.at + steps[key]) % len(listed), scroll=0), ()
    if key in pages:
        return replace(ui, scroll=max(0, ui.scroll + pages[key])), ()
    if key == "enter" and 0 <= ui.at < len(listed):
        return ui, (listed[ui.at].does,)
    if key.isdecimal() and key.isascii() and 1 <= int(key) <= len(listed):
        return replace(ui, at=int(key) - 1, scroll=0), ()  # as at the table, Enter does it
    closed = replace(ui, pane=None, at=0, scroll=0)
    return (closed, ()) if key == "escape" else press_at_table(model, closed, key, controls)


def _menu(model: Model, ui: Ui, key: str, controls: Controls) -> Answer:
    listed = entries(model, ui)
    match key:
        case "up":
            return replace(ui, at=(ui.at - 1) % len(listed)), ()
        case "down":
            return replace(ui, at=(ui.at + 1) % len(listed)), ()
        case "home" | "end":
            return replace(ui, at=0 if key == "home" else len(listed) - 1), ()
        case "enter" if 0 <= ui.at < len(listed):
            return _entry(model, replace(ui, pane=None, at=0), listed[ui.at], controls)
        case "escape" | "tab" | "backspace":
            return replace(ui, pane=None, at=0), ()
    if key == controls.keys.get(Command.MENU):
        return replace(ui, pane=None, at=0), ()
    opener = controls.keys.get(Command.MENU, "")
    closed = _spelled(model, replace(ui, pane=None, at=0), opener, key)
    return press_at_table(model, closed, key, controls)


def _spelled(model: Model, ui: Ui, opener: str, key: str) -> Ui:
    """Put the letter that has opened a pane on the typed line, if the next one goes on with the
    word of an open action: ``m`` opens the menu and begins ``marriage``."""
    begins = bool(opener) and begins_word(opener + key, model.options)
    return replace(ui, typed=opener) if begins else ui


def _entry(model: Model, ui: Ui, entry: Entry, controls: Controls) -> Answer:
    if isinstance(entry.does, Command):
        return command(model, ui, entry.does)
    if isinstance(entry.does, GoOnWithout):
        return replace(ui, pane=None), (entry.does,)
    return do(model, ui, entry.does, controls)


def _caps(model: Model, ui: Ui, key: str) -> Answer:
    if key == "escape":
        return replace(ui, pane=None, order=(), lifted=False), ()
    if key == "enter" and model.seat is not None and ui.order:
        call = acts.Caps(model.seat, ui.order)
        question = say("Call Caps with {cards}?", cards=ui.order)
        return replace(ui, pane=None, asking=Asking(question, Do(call))), ()
    return _moved(ui, key), ()


def _moved(ui: Ui, key: str) -> Ui:
    """Return the arrangement after a key: arrows move the cursor or a lifted card; Space lifts the
    card and puts it down."""
    if not ui.order:
        return ui
    if key == " ":
        return replace(ui, lifted=not ui.lifted)
    steps = {"left": -1, "up": -1, "right": 1, "down": 1}
    if key not in steps:
        return ui
    at = max(0, min(len(ui.order) - 1, ui.at + steps[key]))
    if not ui.lifted:
        return replace(ui, at=at)
    order = list(ui.order)
    order.insert(at, order.pop(ui.at))
    return replace(ui, order=tuple(order), at=at)
