"""The menu: every action that is possible now, with its key.

Responsible for the list. Keys are shortcuts for these entries and nothing more; what an entry does
is keys.py's.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.actions import Action, Spoilt
from p2p304.rules.core.phrases import Phrase, Quoted, say
from p2p304.rules.play import claims
from p2p304.ui.common.key_map import NAMES, Command
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.guidance.choice_phrases import describe
from p2p304.ui.guidance.status import hint_refusal
from p2p304.ui.narration.absence_phrases import may_part, offer
from p2p304.ui.narration.intents import ANYWHERE, UNCUT, CutPack, GoOnWithout, Sit
from p2p304.ui.narration.model import Model, Stage


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the menu: its label, and what it does."""

    name: Phrase
    does: Command | Action | Sit | CutPack | GoOnWithout


def may_chat(model: Model) -> bool:
    """Whether chat is allowed: between hands until cards are dealt (SPEC.md, "Chat"), or always if
    the table's rules say so, but not at a table that is over."""
    if model.stage is Stage.OVER:
        return False
    between = model.stage not in (Stage.DEALING, Stage.PLAYING) or model.hand is None
    always = model.hand is not None and model.hand.options.chat == "open"
    return model.me is not None and (between or always)


CHAT_OVER = say(
    "The table is over, and you are no longer connected with the others. You can chat at the next "
    "table."
)


def no_chat(model: Model, otherwise: Phrase) -> Phrase:
    """Say why this player cannot chat: the table is over, or ``otherwise``."""
    return CHAT_OVER if model.stage is Stage.OVER else otherwise


def may_add_bot(model: Model) -> bool:
    """Whether there is a free seat that this node may fill."""
    gathering = model.stage is Stage.GATHERING and model.room is not None and model.room.founder
    return gathering and len(model.nicks) < model.places


def possible(model: Model, ui: Ui) -> tuple[Command, ...]:
    """List the commands that do something now: those of the menu, the footer and the help."""
    is_gathering, is_ended = model.stage is Stage.GATHERING, bool(model.ended)
    may = {
        Command.READY: model.deal_next is not None,
        Command.CAPS: model.may_claim(claims.CAPS),
        Command.UNQUEUE: ui.queued is not None,
        Command.HINT: hint_refusal(model) is None,
        Command.PART: may_part(model) and model.me not in model.agreed,
        Command.CHAT: may_chat(model),
        Command.BOT: may_add_bot(model),
        Command.LAST: bool(model.shown_tricks),
        Command.PROOFS: not is_gathering and bool(model.keys[Command.PROOFS]),
        Command.SHEET: is_ended,
        Command.RESULT: is_ended,
        Command.HANDS: is_ended or (model.is_replay and model.hand is not None),
        Command.RULES: model.match is not None,
        Command.VALUES: model.hand is not None,
        Command.LOG: True,
        Command.MENU: True,
        Command.HELP: True,
        Command.LOBBY: model.may_go_to_lobby,
        Command.LEAVE: True,
    }
    return tuple(command for command, does in may.items() if does)


def entries(model: Model, ui: Ui) -> tuple[Entry, ...]:
    """List everything that can be done now."""
    seats = [Sit(seat) for seat in model.free_seats]
    cuts = () if model.cut_until is None else (UNCUT, ANYWHERE)
    found = [Entry(describe(a, model), a) for a in (*seats, *cuts, *model.options)]
    if model.stage is Stage.GATHERING:
        found += [
            Entry(say("Continue without {nick}", nick=Quoted(nick)), GoOnWithout(key))
            for key, nick in model.can_do_without
        ]
    if model.seat is not None and model.may_claim(claims.SPOILT):
        found.append(Entry(say("spoilt trumps"), Spoilt(model.seat)))
    commands = [command for command in possible(model, ui) if command is not Command.MENU]
    names = {**NAMES, Command.PART: offer(model)}
    if model.may_be_taught:
        names[Command.HINT] = say("What would have been better in this hand")
    return (*found, *(Entry(names[command], command) for command in commands))
