"""The command line: `p2p304`.

Responsible for finding the command that the words name, for printing one sentence instead of a
traceback, and for exit statuses. The commands are listed in commands.py, and how one ends is
app/process/exit_status.py's. A command imports what it needs once it runs, so that a short command
is quick and the lobby opens soon.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from p2p304 import PROTOCOL_VERSION, __version__
from p2p304.app.process.exit_status import FAILED, WRONG_WORDS, sentence_and_status
from p2p304.cli.arguments.declarations import parameters_of
from p2p304.cli.arguments.parser import UsageError, check_command, parse
from p2p304.cli.commands import COMMANDS
from p2p304.cli.options import Home
from p2p304.cli.start import in_own_language

COMPLETION = ("--complete", "--show-completion", "--install-completion")
"""What shells ask, and what lets them ask; the first is written by no person."""


def run(words: Sequence[str]) -> None:
    """Run the command that the words name. Raises UsageError, and what the command raises."""
    match words:
        case [] if sys.stdin.isatty() and sys.stdout.isatty():
            run(["play"])
        case [] | ["-h" | "--help", *_]:  # in a pipe the program's name alone is a mistake
            from p2p304.cli.help import root_help

            print(root_help(), end="")
            if not words:
                sys.exit(WRONG_WORDS)
        case ["--version", *_]:
            from p2p304.crypto.group import engine_name

            version = f"p2p304 {__version__} (protocol {PROTOCOL_VERSION})"
            print(f"{version}, group engine: {engine_name()}")
        case ["--home"]:
            raise UsageError("Option '--home' requires an argument.")
        case ["--home", folder, *rest]:
            _in_folder(Path(folder))
            run(rest)
        case [option, *rest] if option.startswith("--home="):
            run(["--home", option.removeprefix("--home="), *rest])
        case [option, *rest] if option in COMPLETION:
            from p2p304.cli import completion

            completion.answer(option, rest)
        case [option, *_] if option.startswith("-"):
            raise UsageError(f"No such option: {option}")
        case [name, *rest]:
            check_command(name, COMMANDS)
            if asks_for_help(rest):
                from p2p304.cli.help import command_help

                print(command_help(name), end="")
            else:
                _run_command(COMMANDS[name].function, rest)


def _run_command(function: Callable[..., None], words: Sequence[str]) -> None:
    """Run a command with its words. Every command takes --home: the settings, such as the language,
    are in that folder too."""
    parameters = parameters_of(function)
    if any(one.key == "home" for one in parameters):
        return function(**parse(words, parameters))
    values = parse(words, (*parameters, *parameters_of(_in_folder)))
    _in_folder(values.pop("home"))
    return function(**values)


def _in_folder(home: Home = None) -> None:
    if home is not None:
        os.environ["P2P304_HOME"] = str(home)


def asks_for_help(words: Sequence[str]) -> bool:
    """Whether an option asks for help, wherever it stands."""
    before = words[: words.index("--")] if "--" in words else words
    return "-h" in before or "--help" in before


def main() -> None:
    """Run the command line; print sentences instead of tracebacks."""
    _prepare_streams()
    try:
        try:
            run(sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        sys.exit(FAILED)
    except UsageError as error:
        _say_usage(error)
        sys.exit(WRONG_WORDS)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can print
        if isinstance(error, OSError):
            _drop_output()
        from p2p304.wire.names import shown

        sentence, status = sentence_and_status(error)
        sentence = in_own_language(error) or sentence
        if sentence:
            print(shown(sentence), file=sys.stderr)
        sys.exit(status)


def _prepare_streams() -> None:
    """Open the streams that the caller has closed, and let no byte that is no text end a command:
    what cannot be printed is escaped, what cannot be read becomes a replacement character."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # `p2p304 <&-`
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace" if mode == "r" else "backslashreplace")


def _say_usage(error: UsageError) -> None:
    from p2p304.cli.help import usage
    from p2p304.wire.names import shown

    name = _command_in(sys.argv[1:])
    command = f"p2p304 {name}" if name else "p2p304"
    print(f"{usage(name)}\nTry '{command} -h' for help.\n", file=sys.stderr)
    print(shown(f"Error: {error}"), file=sys.stderr)


def _command_in(words: Sequence[str]) -> str | None:
    """Return the command that the words name, if they do; a data folder may stand before it."""
    match words:
        case ["--home", _, *rest]:
            return _command_in(rest)
        case [word, *rest] if word.startswith("--home="):
            return _command_in(rest)
        case [word, *_] if word in COMMANDS:
            return word
    return None


def _drop_output() -> None:
    """Discard further output, also what Python writes when the process ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
