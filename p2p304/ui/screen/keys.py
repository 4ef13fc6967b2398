"""Keys to intents: what a key does to the screen's own state, and what it asks of the world.

Owns that mapping, pure: (model, ui, key) to (ui, intents). A key is a name (``left``, ``enter``,
``c-c``) or one character; every key at every moment has an answer, if only none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from p2p304.rules import actions as acts
from p2p304.rules.actions import Action
from p2p304.rules.cards import Card
from p2p304.rules.hand import Phase
from p2p304.ui.screen import caps, spoken
from p2p304.ui.screen.handrow import describe
from p2p304.ui.screen.intents import (
    AddBot,
    AskHint,
    Decide,
    Do,
    Intent,
    Part,
    Quit,
    Ready,
    Redraw,
    Skip,
    Talk,
)
from p2p304.ui.screen.menu import KEYS, Command, Entry, Keys, entries, may_add_bot, may_talk
from p2p304.ui.screen.model import Model, Stage
from p2p304.ui.screen.phrases import Phrase, say
from p2p304.ui.screen.state import (
    MOST_SAID,
    MOST_TYPED,
    Act,
    Admit,
    Asking,
    EndWithout,
    Item,
    Leave,
    Pane,
    Ui,
    card_actions,
    held,
    items,
    pointed,
)

Answer = tuple[Ui, tuple[Intent, ...]]
BIG_BID = 250
_PANES = {
    Command.HELP: Pane.HELP,
    Command.MENU: Pane.MENU,
    Command.LAST: Pane.LAST,
    Command.BEHIND: Pane.BEHIND,
    Command.LOG: Pane.LOG,
    Command.SHEET: Pane.SHEET,
    Command.HANDS: Pane.HANDS,
    Command.RESULT: Pane.RESULT,
    Command.RULES: Pane.RULES,
}
_SPOKEN = {
    "quit": Command.LEAVE,
    "exit": Command.LEAVE,
    "leave": Command.LEAVE,
    "help": Command.HELP,
    "last": Command.LAST,
    "log": Command.LOG,
    "menu": Command.MENU,
}


@dataclass(frozen=True, slots=True)
class Taste:
    """What a player has set: keys, and what is asked once more (``risky``, ``always``,
    ``never``)."""

    keys: Keys = field(default_factory=lambda: KEYS)
    confirm: str = "risky"

    @property
    def commands(self) -> Mapping[str, Command]:
        return {key: command for command, key in self.keys.items()}


TASTE = Taste()
_AWAY = ("c-c", "c-d")


def press(model: Model, ui: Ui, key: str, taste: Taste = TASTE) -> Answer:
    """The screen after a key, and what it asks for."""
    if key == "c-l":
        return ui, (Redraw(),)
    if ui.asking is not None and not (isinstance(ui.asking.what, Admit) and key in _AWAY):
        return _answered(ui, ui.asking, key)
    if key in (*_AWAY, taste.keys.get(Command.LEAVE)):
        return _leave(model, ui)
    if ui.pane is Pane.CAPS:
        return _caps(model, ui, key)
    if ui.pane is Pane.MENU:
        return _menu(model, ui, key, taste)
    if ui.pane is not None:
        return _pane(model, ui, key, taste)
    return _plain(model, ui, key, taste)


def paste(model: Model, ui: Ui, text: str) -> Ui:
    """Pasted text stands on the typed line, and is done only by Enter."""
    line = text.splitlines()[0] if text.strip() else ""
    return _typed(model, ui, ui.typed + "".join(c for c in line if c.isprintable()))


def click(model: Model, ui: Ui, index: int, taste: Taste = TASTE) -> Answer:
    """A click: the first one points, one on what is pointed at does it; in the menu at once."""
    if ui.pane is Pane.MENU:
        return _menu(model, replace(ui, at=index), "enter", taste)
    if ui.cursor == index and not ui.typed:
        return _enter(model, ui, taste)
    return replace(ui, cursor=index, typed="", note=None), ()


def settled(ui: Ui, before: Model, after: Model) -> Ui:
    """The screen's state after the table has gone on: what concerned the past is dropped."""
    if before.number != after.number or after.hand is None:
        ui = replace(ui, queued=None, pane=None if ui.pane is Pane.RESULT else ui.pane)
    if before.options != after.options:
        ui = replace(ui, cursor=None, note=None, hint=None)
        if ui.asking is not None and isinstance(ui.asking.what, Act):
            ui = replace(ui, asking=None)
        if ui.pane is Pane.CAPS:
            ui = replace(ui, pane=None)
    if ui.asking is None and after.knocks:
        visitor = after.knocks[0]
        question = say("{who} Let them in?", who=visitor.told)
        ui = replace(ui, pane=None, asking=Asking(question, Admit(visitor.key)))
    if ui.queued is not None and ui.queued not in held(after):
        ui = replace(ui, queued=None)
    return ui


def queued(model: Model, ui: Ui) -> Answer:
    """The queued card is played if it may be; else the player hears why not."""
    if ui.queued is None or not model.my_turn or model.view is None:
        return ui, ()
    open_now, free = card_actions(model, ui.queued), replace(ui, queued=None)
    if len(open_now) == 1 and model.view.hand.phase is Phase.PLAY:
        return free, (Do(open_now[0]),)
    why = spoken.why_not(ui.queued, model.view)
    return replace(free, note=why), ()


# Without a pane


def _plain(model: Model, ui: Ui, key: str, taste: Taste) -> Answer:
    match key:
        case "left" | "up":
            return _moved(model, ui, -1), ()
        case "right" | "down":
            return _moved(model, ui, 1), ()
        case "home" | "end":
            count = len(items(model))
            at = 0 if key == "home" else count - 1
            return replace(ui, cursor=at if count else None, typed="", note=None), ()
        case "enter":
            return _enter(model, ui, taste)
        case "backspace":
            return _typed(model, ui, ui.typed[:-1]), ()
        case "escape":
            return replace(ui, typed="", queued=None, note=None, hint=None, cursor=None), ()
        case "tab":
            return _command(model, ui, Command.MENU)
        case "pageup" | "pagedown":
            return _command(model, ui, Command.LOG)
        case " " if not ui.typed:
            return replace(ui, note=None), (Skip(),)
    if not ui.typed and key in taste.commands:
        return _command(model, ui, taste.commands[key])
    if len(key) == 1 and key.isprintable():
        return _typed(model, ui, ui.typed + key), ()
    return ui, ()


def _moved(model: Model, ui: Ui, step: int) -> Ui:
    count = len(items(model))
    if not count:
        return ui
    at = (0 if step > 0 else count - 1) if ui.cursor is None else (ui.cursor + step) % count
    return replace(ui, cursor=at, typed="", note=None)


def _typed(model: Model, ui: Ui, line: str) -> Ui:
    """The cursor follows what is typed as soon as it names something."""
    talk = line.startswith("/")
    line = line[: MOST_SAID if talk else MOST_TYPED]
    item = None if talk or not line.strip() else spoken.named(line.strip().lower(), model)
    cursor = items(model).index(item) if item is not None else None
    return replace(ui, typed=line, cursor=cursor, note=None)


def _enter(model: Model, ui: Ui, taste: Taste) -> Answer:
    word = ui.typed.strip().lower()
    fresh = replace(ui, typed="", note=None)
    if word.startswith("/"):
        return _talk(model, fresh, ui.typed.strip()[1:].strip())
    if not word and ui.cursor is None and model.deal_next is not None:
        return fresh, (Ready(),)
    if word in _SPOKEN:
        return _command(model, fresh, _SPOKEN[word])
    item = spoken.named(word, model) if word else pointed(model, ui)
    if item is not None:
        return _choose(model, fresh, item, taste)
    if word:
        return replace(fresh, note=spoken.not_understood(word, model)), ()
    if model.my_turn:
        return replace(fresh, note=say("Choose with the arrows or type; ? explains.")), ()
    return fresh, (Skip(),)


def _talk(model: Model, ui: Ui, text: str) -> Answer:
    """Between hands what follows a stroke is said to the others."""
    if not may_talk(model):
        return replace(ui, note=say("Talk is for between hands.")), ()
    return (ui, (Talk(text),)) if text else (ui, ())


def _choose(model: Model, ui: Ui, item: Item, taste: Taste) -> Answer:
    if not isinstance(item, Card):
        return _do(model, ui, item, taste)
    open_now = card_actions(model, item)
    if open_now:
        return _do(model, ui, open_now[0], taste)
    if model.my_turn and model.view is not None:
        return replace(ui, note=spoken.why_not(item, model.view)), ()
    return _queue(model, ui, item), ()


def _queue(model: Model, ui: Ui, card: Card) -> Ui:
    if model.hand is None or model.hand.phase is not Phase.PLAY:
        return replace(ui, note=say("It is not your turn: m shows what you can do meanwhile."))
    if ui.queued is card:
        return replace(ui, queued=None, note=say("{card} is not queued any more.", card=card))
    return replace(ui, queued=card, note=say("{card} is played when it is your turn.", card=card))


def _do(model: Model, ui: Ui, action: Action, taste: Taste) -> Answer:
    if type(action).__name__ == "Caps":
        return _command(model, ui, Command.CAPS)
    if taste.confirm == "always" or (taste.confirm == "risky" and is_risky(action)):
        question = say("{what}: really?", what=describe(action, model))
        return replace(ui, pane=None, asking=Asking(question, Act(action))), ()
    return replace(ui, pane=None), (Do(action),)


def is_risky(action: Action) -> bool:
    """What cannot be mended and decides a hand."""
    big = isinstance(action, acts.Bid) and action.amount >= BIG_BID
    return big or type(action).__name__ in ("Redeal", "Open", "Caps", "Spoilt", "Double")


# Questions, commands, panes


def _answered(ui: Ui, asking: Asking, key: str) -> Answer:
    done = replace(ui, asking=None)
    if key in ("y", "Y") or (key == "c-c" and isinstance(asking.what, Leave)):
        match asking.what:
            case Act(action=action):
                return done, (Do(action),)
            case Leave():
                return done, (Quit(),)
            case EndWithout():
                return done, (Part(),)
            case Admit(key=who):
                return done, (Decide(who, True),)
    if isinstance(asking.what, Admit):
        refused = (Decide(asking.what.key, False),) if key in ("n", "N") else ()
        return (done if refused else ui), refused
    return (done, ()) if key in ("n", "N", "escape", "c-c", "backspace") else (ui, ())


def _leave(model: Model, ui: Ui) -> Answer:
    over = model.stage in (Stage.GATHERING, Stage.OVER) or model.stopped is not None
    if over or model.me is None:
        return ui, (Quit(),)
    question: Phrase = say("Leave the table? The others would have to wait for you.")
    return replace(ui, asking=Asking(question, Leave())), ()


def _command(model: Model, ui: Ui, command: Command) -> Answer:
    if command in _PANES:
        return replace(ui, pane=_PANES[command], at=0, scroll=0, typed="", note=None), ()
    match command:
        case Command.HINT:
            if model.my_turn:
                return replace(ui, pane=None, note=None), (AskHint(),)
            return replace(ui, pane=None, note=say("A hint is given when it is your turn.")), ()
        case Command.READY:
            return replace(ui, pane=None), (Ready(),)
        case Command.BOT if may_add_bot(model):
            return replace(ui, pane=None), (AddBot(),)
        case Command.PART:
            question = say("End the table, this hand void, if all the others agree?")
            return replace(ui, pane=None, asking=Asking(question, EndWithout())), ()
        case Command.TALK if may_talk(model):
            return replace(ui, pane=None, typed="/"), ()
        case Command.TALK:
            return replace(ui, pane=None, note=say("Talk is for between hands.")), ()
        case Command.UNQUEUE:
            return replace(ui, pane=None, queued=None), ()
        case Command.CAPS:
            order = model.caps_order or held(model)
            return replace(ui, pane=Pane.CAPS, order=order, at=0, lifted=False), ()
        case Command.LEAVE:
            return _leave(model, replace(ui, pane=None))
    return ui, ()


def _pane(model: Model, ui: Ui, key: str, taste: Taste) -> Answer:
    """A pane that is read: arrows scroll, its own key or Esc closes it, others go on."""
    upwards = ui.pane in (Pane.LOG, Pane.BEHIND)
    steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10}
    if key in steps:
        step = -steps[key] if upwards else steps[key]
        return replace(ui, scroll=max(0, ui.scroll + step)), ()
    closed = replace(ui, pane=None, scroll=0)
    command = taste.commands.get(key)
    own = command is not None and _PANES.get(command) is ui.pane
    if key == "enter" and ui.pane is Pane.RESULT and model.deal_next is not None:
        return closed, (Ready(),)
    if key in ("escape", "enter", " ", "backspace") or own:
        return closed, ()
    return _plain(model, closed, key, taste)


def _menu(model: Model, ui: Ui, key: str, taste: Taste) -> Answer:
    listed = entries(model, ui)
    match key:
        case "up":
            return replace(ui, at=(ui.at - 1) % len(listed)), ()
        case "down":
            return replace(ui, at=(ui.at + 1) % len(listed)), ()
        case "home" | "end":
            return replace(ui, at=0 if key == "home" else len(listed) - 1), ()
        case "enter" if 0 <= ui.at < len(listed):
            return _entry(model, replace(ui, pane=None, at=0), listed[ui.at], taste)
        case "escape" | "tab" | "backspace":
            return replace(ui, pane=None, at=0), ()
    if key == taste.keys.get(Command.MENU):
        return replace(ui, pane=None, at=0), ()
    return _plain(model, replace(ui, pane=None, at=0), key, taste)


def _entry(model: Model, ui: Ui, entry: Entry, taste: Taste) -> Answer:
    if isinstance(entry.does, Command):
        return _command(model, ui, entry.does)
    return _do(model, ui, entry.does, taste)


def _caps(model: Model, ui: Ui, key: str) -> Answer:
    if key == "escape":
        return replace(ui, pane=None, order=(), lifted=False), ()
    if key == "enter" and model.seat is not None and ui.order:
        call = acts.Caps(model.seat, ui.order)
        question = say("Call Caps with {cards}: really?", cards=ui.order)
        return replace(ui, pane=None, asking=Asking(question, Act(call))), ()
    return caps.moved(ui, key), ()
