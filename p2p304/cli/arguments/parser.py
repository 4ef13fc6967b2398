"""Reads the words of a command into the values of its parameters.

Responsible for the sentence of every word that is wrong. It stands in place of argparse, which
takes no value that begins with a dash (a passphrase may), no file behind an option that follows
another file, and whose sentences change from one Python to the next.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from p2p304.cli.arguments.declarations import Option, Parameter

LONGEST: Final = 40
"""The most characters of an unknown word that an error repeats."""


class UsageError(Exception):
    """The words of a command are wrong; the message says what is."""


def parse(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """Return the value of every parameter. Raises UsageError."""
    options = {name: one for one in parameters for name in one.names}
    given: dict[str, list[str]] = {}
    arguments: list[str] = []
    left = deque(words)
    while left:
        word = left.popleft()
        if word == "--":
            arguments += left
            break
        if not word.startswith("-") or word == "-":
            arguments.append(word)
            continue
        name, equals, value = word.partition("=")
        if not word.startswith("--") and word[2:]:  # -oFILE
            name, equals, value = word[:2], "=", word[2:]
        if name not in options:
            raise UsageError(f"No such option: {name}{_alternatives(name, options)}")
        one = options[name]
        if equals and not one.takes:
            raise UsageError(f"Option '{name}' does not take a value.")
        if equals:
            left.appendleft(value)
        if len(left) < one.takes:
            needs = "an argument" if one.takes == 1 else f"{one.takes} arguments"
            example = one.declared.example if isinstance(one.declared, Option) else ""
            shown = f", for example {name} {example}" if example else ""
            raise UsageError(f"Option '{name}' requires {needs}{shown}.")
        said = given.setdefault(one.key, [])
        if not one.is_repeated:
            said.clear()
        said += [left.popleft() for _ in range(one.takes)]
    values = {one.key: _value(one, given.get(one.key)) for one in parameters if one.names}
    return values | _arguments(arguments, [one for one in parameters if not one.names])


def _value(one: Parameter, said: list[str] | None) -> Any:
    """Return the value of an option; ``said`` is None where it was not given."""
    if said is None and isinstance(one.declared, Option) and one.declared.envvar:
        inherited = os.environ.get(one.declared.envvar)
        said = [inherited] if inherited else None
    if said is None:
        return one.default
    if not one.takes:
        return True
    values = [_converted(one, word) for word in said]
    if one.is_repeated:
        return values
    return tuple(values) if one.takes > 1 else values[0]


def _arguments(words: list[str], parameters: list[Parameter]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    left = deque(words)
    for one in parameters:
        taken = [left.popleft() for _ in range(len(left) if one.is_repeated else min(1, len(left)))]
        if one.is_required and not taken:
            raise UsageError(f"Missing argument '{one.placeholder}'.")
        found = [_converted(one, word) for word in taken]
        values[one.key] = found if one.is_repeated else next(iter(found), one.default)
    if left:
        raise UsageError(f"Got unexpected extra argument(s) ({' '.join(left)})")
    return values


def _converted(one: Parameter, word: str) -> Any:
    """Return a word as the type of its parameter."""
    wrong = f"Invalid value for '{one.shown}'"
    if one.choices and word not in one.choices:
        choices = ", ".join(f"'{choice}'" for choice in one.choices)
        raise UsageError(f"{wrong}: '{word}' is not one of {choices}.")
    try:
        value = one.kind(word)
    except ValueError as error:
        raise UsageError(f"{wrong}: '{word}' is not a number.") from error
    declared = one.declared
    if isinstance(declared, Option) and not _is_within(value, declared.min, declared.max):
        raise UsageError(f"{wrong}: {word}. It must be {bounds(declared)}.")
    return value


def _is_within(value: Any, least: float | None, most: float | None) -> bool:
    """Whether a number is in its bounds; nan is in none."""
    return (least is None or value >= least) and (most is None or value <= most)


def bounds(option: Option) -> str:
    """Return the bounds of a number, as ``0 to 65535``; empty where there are none."""
    if option.min is None:
        return ""
    return f"{option.min} or more" if option.max is None else f"{option.min} to {option.max}"


def _alternatives(name: str, known: Iterable[str]) -> str:
    """Return what may have been meant, as the end of a sentence."""
    from difflib import get_close_matches

    close = sorted(get_close_matches(name, known))
    return f". Did you mean {', '.join(close)}?" if close else ""


def check_command(name: str, known: Iterable[str]) -> None:
    """Check that there is a command of this name. Raises UsageError."""
    if name not in known:
        shown = name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
        raise UsageError(f"No such command '{shown}'{_alternatives(name, known)}")
