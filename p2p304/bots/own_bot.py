"""A bot of one's own: a factory in a module, or another program behind a pipe (docs/own-bot.md).

Responsible for finding it by its word, and for what is played where it fails. The pipe is
pipe.py's.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module

from p2p304.bots.club import ClubBot
from p2p304.bots.pipe import BotFault, PipeBot
from p2p304.bots.player import Bot
from p2p304.rules.core.actions import Action
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import OptionsError

Tell = Callable[[Phrase], object]
PIPE = "pipe:"


class OwnBot:
    """Plays what another bot chooses, and as the club player where that fails. Each kind of fault
    is told once."""

    def __init__(self, bot: Bot, tell: Tell) -> None:
        self._bot, self._tell = bot, tell
        self._told: set[str] = set()

    def choose(self, view: View) -> Action:
        try:
            choice = self._bot.choose(view)
            if choice in legal(view):
                return choice
            fault = say(
                "Your bot chose {choice}. That is not one of the legal actions; p2p304 plays as "
                "the club bot.",
                choice=repr(choice)[:80],
            )
        except BotFault as error:
            fault = error.phrase
        except (Exception, SystemExit) as error:  # noqa: BLE001 - another's code must not stop us
            fault = say(
                "Your bot failed ({error}); p2p304 plays as the club bot.",
                error=f"{type(error).__name__}: {error}"[:200],
            )
        if fault.text not in self._told:
            self._told.add(fault.text)
            self._tell(fault)
        return ClubBot().choose(view)


def own_bot(word: str, tell: Tell, stack: ExitStack) -> OwnBot:
    """Return the bot of ``module:factory`` or ``pipe:COMMAND``; a program is ended when ``stack``
    closes. Raises OptionsError if there is no such bot."""
    if word.startswith(PIPE):
        if not word.removeprefix(PIPE).strip():
            raise OptionsError("Name the command of your bot behind pipe:.")
        try:
            program = PipeBot(shlex.split(word.removeprefix(PIPE)))
        except (OSError, ValueError, IndexError) as error:
            raise OptionsError(f"The bot {word!r} cannot be started: {error}.") from error
        stack.callback(program.close)
        return OwnBot(program, tell)
    module, colon, factory = word.partition(":")
    if not (module and colon and factory):
        raise OptionsError("A bot of your own is MODULE:FACTORY or pipe:COMMAND.")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())  # last: no file there hides another module
    try:
        made = getattr(import_module(module), factory)()
    except (Exception, SystemExit) as error:  # another's code may fail in any way
        raise OptionsError(
            f"The bot {word!r} cannot be loaded ({type(error).__name__}: {error})."
        ) from error
    if not callable(getattr(made, "choose", None)):
        raise OptionsError(f"{word!r} makes no bot: a bot has a method choose(view).")
    return OwnBot(made, tell)
