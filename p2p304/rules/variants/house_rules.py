"""House rules: a preset with options over it, as a person writes them.

Responsible for two forms: ``NAME=VALUE`` as on the command line, and a small TOML file that can be
shared (docs/playing.md). Nothing wrong is ignored. Which values there are and what goes
together, options.py says; cli/ opens the file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from p2p304.rules.core.phrases import Quoted, say
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError, quoted
from p2p304.rules.variants.page import changes
from p2p304.rules.variants.presets import preset

SUFFIX = ".toml"
MOST_BYTES = 16384
"""The longest file that is read; all options together take less than two thousand bytes."""


@dataclass(frozen=True, slots=True)
class HouseRules:
    """A preset's name, and options by their written names that take the place of its own."""

    preset: str = "pagat"
    changed: Mapping[str, object] = field(default_factory=dict)

    @property
    def options(self) -> Options:
        """Raises OptionsError for what does not exist or does not go together."""
        return preset(self.preset).override(self.changed)

    def with_settings(self, words: Iterable[str], beside: Sequence[str] = ()) -> HouseRules:
        """Return these rules with options as typed, ``timer=45``; raises OptionsError. ``beside``
        are other names that can be typed in the same place."""
        changed = dict(self.changed)
        for word in words:
            name, equals, text = word.partition("=")
            if not equals:
                told = say("{word} is no setting: write NAME=VALUE, as timer=45.")
                raise OptionsError(told.filled(word=quoted(word)))
            changed[name] = _value(name, text, beside)
        return HouseRules(self.preset, changed)


def _value(name: str, text: str, beside: Sequence[str] = ()) -> object:
    """Return the value of an option that is written so; a wrong one stays text."""
    if name not in PLAYABLE:
        near = get_close_matches(name, (*beside, *PLAYABLE), 1)
        if near:
            told = say("There is no option {word}. Did you mean {near}?", near=Quoted(near[0]))
        else:
            known = Quoted(", ".join((*beside, *PLAYABLE)))
            told = say("There is no option {word}. The options are {words}.", words=known)
        raise OptionsError(told.filled(word=quoted(name)))
    return next((value for value in PLAYABLE[name] if str(value) == text), text)


def read_house_rules(data: bytes) -> HouseRules:
    """Read a file of house rules strictly; raises OptionsError with one sentence."""
    if len(data) > MOST_BYTES:
        raise OptionsError(f"The file is longer than {MOST_BYTES} bytes: it is no house rules.")
    try:
        table = tomllib.loads(data.decode())
    except UnicodeDecodeError as error:
        raise OptionsError("The file is not UTF-8 text.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise OptionsError(f"The file is not valid TOML: {error}.") from error
    flat = _flat(table)
    name = flat.pop("preset", "pagat")
    if not isinstance(name, str):
        raise OptionsError("preset must be the name of a game in quotation marks.")
    rules = HouseRules(name, {option: _read(option, value) for option, value in flat.items()})
    rules.options  # noqa: B018  now, and not when a table is opened
    return rules


def _flat(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the names with a dot, however TOML wrote them: ``bid.min`` or ``"bid.min"``."""
    flat: dict[str, Any] = {}
    for name, value in table.items():
        inner = value if isinstance(value, dict) else {}
        parts = {f"{name}.{end}": one for end, one in inner.items()}
        for each, one in (parts or {name: value}).items():
            if each in flat:
                raise OptionsError(f"{each[:24]} is there twice.")
            flat[each] = one
    return flat


def _read(name: str, value: object) -> object:
    """Return a value from the file. A switch may be true or false, as TOML has them."""
    if isinstance(value, bool) and PLAYABLE.get(name) == ("off", "on"):
        return "on" if value else "off"
    _value(name, "")
    return value


def house_rules_text(options: Options) -> str:
    """Return the file that says these rules: the preset, and what differs from it."""
    lines = [f'preset = "{options.preset}"']
    data = options.to_data()
    for name in changes(options):
        value = data[name]
        key = f'"{name}"' if "." in name else name
        lines.append(f"{key} = {value}" if isinstance(value, int) else f'{key} = "{value}"')
    return "\n".join(lines) + "\n"
