"""The text of ``--help``, for the program and for each command.

Responsible for its layout. Its words are those of commands.py and of the parameters.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import Final

from p2p304.cli.arguments.declarations import Option, Parameter, parameters_of
from p2p304.cli.arguments.parser import bounds
from p2p304.cli.commands import ABOUT, COMMANDS, COMMON_STATUSES, Command

WIDEST: Final = 100
OWN: Final = "Options"
"""The heading of the options that are in no group."""
HELP: Final = ("-h, --help", "Show this help and exit.")
ROOT_OPTIONS: Final[tuple[tuple[str, str], ...]] = (
    ("--home FOLDER", "Your data folder. It can also stand behind every command."),
    ("--version", "Show the version and exit."),
    ("--install-completion [SHELL]", "Let your shell complete words: bash, zsh or fish."),
    ("--show-completion [SHELL]", "Print what --install-completion would install."),
)


def root_help() -> str:
    """Return the help of the program: all commands in their groups."""
    width = _width()
    parts = [usage(None), _paragraph(ABOUT, width)]
    for group in dict.fromkeys(command.group for command in COMMANDS.values()):
        rows = [(n, c.summary) for n, c in COMMANDS.items() if c.group == group]
        parts.append(_block(group, rows, width, 14))
    parts += [
        _block("Options", [*ROOT_OPTIONS, HELP], width),
        _block("Exit statuses", COMMON_STATUSES, width),
        "p2p304 COMMAND --help says more about a command, with examples.",
    ]
    return "\n\n".join(parts) + "\n"


def command_help(name: str) -> str:
    """Return the help of one command."""
    command, width = COMMANDS[name], _width()
    parameters = parameters_of(command.function)
    parts = [usage(name), *(_paragraph(text, width) for text in command.description)]
    examples = [(f"p2p304 {words}", what) for words, what in command.examples]
    parts.append(_block("Examples", examples, width, 46))
    arguments = [(one.placeholder, described(one)) for one in parameters if not one.names]
    if arguments:
        parts.append(_block("Arguments", arguments, width))
    for group, members in grouped(parameters).items():
        rows = [(named(one), described(one)) for one in members]
        parts.append(_block(group, [*rows, HELP] if group == OWN else rows, width))
    # A page of docs/ marks words to be typed; a terminal shows them as they are.
    rows = [(number, what.replace("`", "")) for number, what in statuses(command)]
    parts.append(_block("Exit statuses", rows, width))
    return "\n\n".join(parts) + "\n"


def usage(name: str | None) -> str:
    """Return the line that says in which order words stand."""
    if name is None:
        return "Usage: p2p304 [OPTIONS] COMMAND [ARGUMENTS]"
    words = ["Usage: p2p304", name, "[OPTIONS]"]
    for one in parameters_of(COMMANDS[name].function):
        if not one.names:
            words.append(one.placeholder if one.is_required else f"[{one.placeholder}]")
    return " ".join(words)


def grouped(parameters: Iterable[Parameter]) -> dict[str, list[Parameter]]:
    """Return the options in their groups; those of no group come last."""
    groups: dict[str, list[Parameter]] = {}
    own: list[Parameter] = []
    for one in parameters:
        if isinstance(one.declared, Option):
            group = one.declared.group
            (own if group == OWN else groups.setdefault(group, [])).append(one)
    return {**groups, OWN: own}


def named(one: Parameter) -> str:
    """Return an option's names with what stands for its value."""
    return f"{', '.join(one.names)} {one.placeholder}".rstrip()


def described(one: Parameter) -> str:
    """Return what a parameter does, with its bounds, variable and default."""
    notes = []
    if isinstance(one.declared, Option):
        notes = [bounds(one.declared), one.declared.envvar and f"${one.declared.envvar}"]
        notes.append(f"default: {one.default}" if one.default and one.takes else "")
    told = "; ".join(note for note in notes if note)
    return f"{one.declared.help} [{told}]" if told else one.declared.help


def statuses(command: Command) -> list[tuple[str, str]]:
    """Return the exit statuses of a command with those of every command, each number once."""
    found = {str(number): what for number, what in enumerate(command.statuses)}
    for number, what in COMMON_STATUSES:
        found[number] = f"{found[number]}; or {what}" if number in found else what
    return list(found.items())


def _width() -> int:
    return max(40, min(get_terminal_size().columns, WIDEST))


def _paragraph(text: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ")


def _block(heading: str, rows: Sequence[tuple[str, str]], width: int, most: int = 30) -> str:
    """Return rows of two columns below a heading. The right column begins at ``most`` at the
    latest, on a line of its own where the left one is longer."""
    column = min(most, width // 2, max(len(left) for left, _ in rows) + 4)
    lines = [f"{heading}:"]
    for left, right in rows:
        begins = f"  {left}".ljust(column)
        told = textwrap.wrap(right, width - column, break_on_hyphens=False)
        if not begins.ljust(column).endswith("  ") or len(begins) > column:
            lines.append(begins.rstrip())
            begins = " " * column
        lines.append(begins + told[0])
        lines += [" " * column + line for line in told[1:]]
    return "\n".join(lines)
