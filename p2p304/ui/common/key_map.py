"""Commands of the screen, their names, and their default keys.

Responsible for these tables. What a command does is ui/fullscreen/input/commands.py's.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from p2p304.rules.core.phrases import say


class Command(Enum):
    """A command to the screen, beside the table's actions; the value is its name in the settings
    file."""

    HELP = "help"
    MENU = "menu"
    LAST = "last"
    BEHIND = "behind"
    LOG = "log"
    SHEET = "sheet"
    HANDS = "hands"
    RESULT = "result"
    RULES = "rules"
    HINT = "hint"
    READY = "ready"
    CAPS = "caps"
    UNQUEUE = "unqueue"
    BOT = "bot"
    PART = "part"
    TALK = "talk"
    LEAVE = "leave"


Keys = Mapping[Command, str]
KEYS: Keys = {
    Command.HELP: "?",
    Command.MENU: "m",
    Command.LAST: "l",
    Command.BEHIND: "b",
    Command.LOG: "g",
    Command.SHEET: "w",
    Command.HANDS: "v",
    Command.RESULT: "e",
    Command.RULES: "u",
    Command.HINT: "i",
    Command.BOT: "+",
    Command.TALK: "/",
    Command.LEAVE: "c-c",
}
"""The keys, before the settings change them. None of them begins a card's name or a word."""
NAMES = {
    Command.HELP: say("Help for this moment"),
    Command.MENU: say("Everything that can be done now"),
    Command.LAST: say("The last trick"),
    Command.BEHIND: say("What went on behind it"),
    Command.LOG: say("What was said and played"),
    Command.SHEET: say("Match sheet"),
    Command.HANDS: say("All hands, as far as they were seen"),
    Command.RESULT: say("How the last hand ended"),
    Command.RULES: say("The rules of this table"),
    Command.HINT: say("A hint: what the bot would do, and why"),
    Command.READY: say("Deal the next hand"),
    Command.CAPS: say("Call Caps: lay out the order"),
    Command.UNQUEUE: say("Take back the card that is queued"),
    Command.TALK: say("Say something to the others, between hands"),
    Command.BOT: say("Let a bot take a free seat"),
    Command.PART: say("End the table without those who are gone"),
    Command.LEAVE: say("Leave the table"),
}
