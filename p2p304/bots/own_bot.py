"""A bot of one's own: a factory in a module, or another program behind a pipe (docs/own-bot.md).

Responsible for finding it by its word, for what is played where it fails, and for the program
behind a pipe: a view a line goes out, an action a line comes back. It must answer in time, and it
ends. What the lines hold is line_protocol.py's.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from importlib import import_module
from queue import Empty, Queue
from threading import Lock, Thread, Timer
from typing import IO, Final

from p2p304.bots.club import ClubBot
from p2p304.bots.line_protocol import LONGEST, SECONDS, hello_line, view_line
from p2p304.bots.player import Bot
from p2p304.rules.core.actions import Action
from p2p304.rules.core.notation import text
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import Options, OptionsError

BACKLOG: Final = 64
"""Lines that are read ahead; then the program waits until somebody wants its answers."""
GRACE: Final = 1.0
"""Seconds that the program has to end by itself once its input is closed."""


class BotFault(Exception):
    """A bot gave no usable answer; ``phrase`` says why."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(str(phrase))
        self.phrase = phrase


class PipeBot:
    """The program behind this command. It gets nothing but lines: passphrases and keys that this
    process has in its environment are kept from it."""

    def __init__(self, command: Sequence[str], seconds: float = SECONDS) -> None:
        own = {name: value for name, value in os.environ.items() if not name.startswith("P2P304_")}
        # A session of its own: Ctrl-C is for p2p304, and what the program starts ends with it.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=own, start_new_session=True
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise LookupError("a process with pipes has both")
        self._input = self._process.stdin
        self._lines: Queue[bytes | None] = Queue(BACKLOG)
        self._seconds, self._number, self._has_ended = seconds, 0, False
        self._options: Options | None = None
        self._asking = Lock()  # a seat that has resumed may be asked again while it still thinks
        Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    def choose(self, view: View) -> Action:
        """Ask the program; raises BotFault if it does not name one of the legal actions in time."""
        with self._asking:
            return self._choice(view)

    def _choice(self, view: View) -> Action:
        self._number += 1
        options, until = view.hand.options, time.monotonic() + self._seconds
        hello = b"" if options == self._options else hello_line(options)
        self._options = options
        self._write(hello + view_line(view, self._number))
        said = self._answer(until)
        for action in legal(view):
            if text(action, options.seats, options.tenths) == said:
                return action
        raise self._wrong(said)

    def _write(self, lines: bytes) -> None:
        # A program that does not read fills the pipe. Then only its end frees the writer.
        timer = Timer(self._seconds, self._kill)
        timer.start()
        try:
            self._input.write(lines)
            self._input.flush()
        except (OSError, ValueError) as error:
            self._has_ended = True
            raise self._ended() from error
        finally:
            timer.cancel()

    def _answer(self, until: float) -> str:
        """Return the action of the answer to the latest view; pass over answers to earlier ones,
        which came too late."""
        while not self._has_ended:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except Empty:
                late = say(
                    "Your bot did not answer view {n} within {seconds} seconds; p2p304 plays as "
                    "the club bot.",
                    n=self._number,
                    seconds=f"{self._seconds:g}",
                )
                raise BotFault(late) from None
            if line is None:
                self._has_ended = True
                break
            number, _, said = line.decode("ascii", "replace").strip().partition(" ")
            if number == str(self._number):
                return said
            if not number.isdigit() or int(number) > self._number:
                raise self._wrong(line.decode("ascii", "replace").strip())
        raise self._ended()

    def _wrong(self, said: str) -> BotFault:
        return BotFault(
            say(
                "Your bot answered view {n} with {answer}. That is not one of the legal actions; "
                "p2p304 plays as the club bot.",
                n=self._number,
                answer=repr(said[:40]),
            )
        )

    def _ended(self) -> BotFault:
        return BotFault(say("Your bot has ended; p2p304 plays as the club bot from now on."))

    def _read(self, output: IO[bytes]) -> None:
        """Read answers. A line that is too long is cut, and so marked that it is no answer."""
        with output:
            while line := output.readline(LONGEST):
                rest = line
                while len(rest) == LONGEST and not rest.endswith(b"\n"):
                    rest = output.readline(LONGEST)
                self._lines.put(line if rest is line else line + b"...")
        self._lines.put(None)

    def _kill(self) -> None:
        """Kill the program with all that it has started."""
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """End the program, and what it has started and left behind."""
        with suppress(OSError, ValueError):
            self._input.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        self._kill()
        self._process.wait()


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
            why = getattr(error, "strerror", None) or error
            raise OptionsError(f"The bot {word!r} cannot be started ({why}).") from error
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
