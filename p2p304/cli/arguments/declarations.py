"""How a command declares its options and arguments, and what the command line knows of them.

Responsible for reading the signature of a command: cli/help.py, parser.py, cli/completion.py and
the page of the manual (scripts/assets/manual.py) all show or read the same parameters. The options
that several commands share are in cli/options.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args, get_origin

Complete = Callable[[str], list[str]]
"""Returns what may stand in place of the beginning of a word."""

PLACEHOLDERS: Final[dict[type, str]] = {int: "N", float: "N", Path: "FILE", str: "NAME"}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command: an annotation of the parameter that takes its value."""

    name: str = ""
    """With its dashes (default: the name of the parameter)."""
    short: str = ""
    help: str = ""
    group: str = "Options"
    metavar: str = ""
    min: float | None = None
    max: float | None = None
    envvar: str = ""
    complete: Complete | None = None
    example: str = ""
    """Its values, for the sentence on those that are missing."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A word of a command that belongs to no option."""

    help: str = ""
    metavar: str = ""
    complete: Complete | None = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a command, with what its annotation says."""

    key: str
    declared: Option | Argument
    kind: type
    choices: tuple[str, ...]
    takes: int
    """Words that belong to it: 0 for a flag, 2 for a pair."""
    is_repeated: bool
    default: Any
    is_required: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Its names with their dashes, the short one first; none for an argument."""
        if isinstance(self.declared, Argument):
            return ()
        name = self.declared.name or "--" + self.key.rstrip("_").replace("_", "-")
        return (self.declared.short, name) if self.declared.short else (name,)

    @property
    def placeholder(self) -> str:
        """What stands for its value in a help; empty for a flag."""
        if not self.takes:
            return ""
        return self.declared.metavar or "|".join(self.choices) or PLACEHOLDERS[self.kind]

    @property
    def shown(self) -> str:
        """How a usage line names it."""
        return self.names[-1] if self.names else self.placeholder


def parameters_of(function: Callable[..., None]) -> tuple[Parameter, ...]:
    """Read the parameters of a command from its signature."""
    signature = inspect.signature(function, eval_str=True)
    return tuple(_parameter(key, one) for key, one in signature.parameters.items())


def _parameter(key: str, one: inspect.Parameter) -> Parameter:
    if get_origin(one.annotation) is not Annotated:
        raise TypeError(f"{key} declares neither an option nor an argument")
    kind, declared = one.annotation.__origin__, one.annotation.__metadata__[0]
    alternatives = [each for each in get_args(kind) if each is not type(None)]
    if get_origin(kind) not in (Literal, list, tuple) and alternatives:
        kind = alternatives[0]  # X | None
    choices: tuple[str, ...] = ()
    takes, is_repeated = (0 if kind is bool else 1), False
    if get_origin(kind) is Literal:
        choices, kind = get_args(kind), str
    elif get_origin(kind) is list:
        is_repeated, kind = True, get_args(kind)[0]
    elif get_origin(kind) is tuple:
        takes, kind = len(get_args(kind)), get_args(kind)[0]
    is_required = one.default is inspect.Parameter.empty
    default = None if is_required else one.default
    return Parameter(key, declared, kind, choices, takes, is_repeated, default, is_required)
