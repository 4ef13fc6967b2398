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
    PROOFS = "proofs"
    LOG = "log"
    SHEET = "sheet"
    HANDS = "hands"
    RESULT = "result"
    RULES = "rules"
    VALUES = "values"
    HINT = "hint"
    READY = "ready"
    CAPS = "caps"
    UNQUEUE = "unqueue"
    BOT = "bot"
    PART = "part"
    CHAT = "chat"
    LOBBY = "lobby"
    LEAVE = "leave"


CLEAR = "c-u"
"""Clears the line that is being typed, on every page."""
Keys = Mapping[Command, str]
KEYS: Keys = {
    Command.HELP: "?",
    Command.MENU: "m",
    Command.LAST: "l",
    Command.PROOFS: "b",
    Command.LOG: "g",
    Command.SHEET: "w",
    Command.HANDS: "v",
    Command.RESULT: "e",
    Command.RULES: "u",
    Command.VALUES: "=",
    Command.HINT: "i",
    Command.BOT: "+",
    Command.CHAT: "/",
    Command.LOBBY: "x",
    Command.LEAVE: "c-c",
}
"""The keys, before the settings change them. None of them begins a card's name or a word."""
NAMES = {
    Command.HELP: say("Help for this moment"),
    Command.MENU: say("Everything you can do now"),
    Command.LAST: say("The last trick"),
    Command.PROOFS: say("Behind the scenes: proofs"),
    Command.LOG: say("Log of this game"),
    Command.SHEET: say("Match sheet"),
    Command.HANDS: say("All cards that were shown in the last hand"),
    Command.RESULT: say("How the last hand ended"),
    Command.RULES: say("The rules of this table"),
    Command.VALUES: say("What the cards are worth: show or hide"),
    Command.HINT: say("Hint: what the bot would play, and why"),
    Command.READY: say("Deal the next hand"),
    Command.CAPS: say("Call Caps: choose the order of your cards"),
    Command.UNQUEUE: say("Cancel the card that you chose in advance"),
    Command.CHAT: say("Chat with the others between hands"),
    Command.BOT: say("Let a bot take a free seat"),
    Command.PART: say("End the table without an absent player"),
    Command.LOBBY: say("Back to the lobby"),
    Command.LEAVE: say("Leave the table, and quit"),
}


def key_name(key: str) -> str:
    """Return a key as people write it: ``c-c`` is Ctrl-C."""
    return f"Ctrl-{key[2:].upper()}" if key.startswith("c-") else key
