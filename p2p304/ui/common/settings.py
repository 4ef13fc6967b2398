"""The player's settings: a small TOML file. Errors in it are reported, and the rest still counts.

Responsible for which settings there are, and for one sentence for each error. It opens no file;
frontends/appearance.py does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from p2p304.ui.common.key_map import KEYS, Command, Keys
from p2p304.ui.common.theme import STYLES, LookSettings

NAME = "screen.toml"
"""The file's name in the data folder; docs/settings.md shows a whole file."""
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "language": ("auto", "en", "si", "ta"),
    "colours": ("auto", "four", "two", "none"),
    "background": ("auto", "dark", "light"),
    "suits": ("auto", "glyphs", "letters"),
    "charset": ("auto", "unicode", "ascii"),
    "confirm": ("risky", "always", "never"),
}
_STYLE_WORD = re.compile(
    r"(?:(?:bg:)?#[0-9a-fA-F]{6}|(?:no)?(?:bold|italic|underline|reverse|blink|strike))"
)
_TYPED = re.compile(r"[0-9jqkatpcorhsd~]")
"""Characters with which a card, a bid or a word begins; they cannot be shortcuts."""
_FORMER_NAMES = {"behind": Command.PROOFS, "talk": Command.CHAT}
"""Names of keys that older settings files have; they still count."""
LONGEST_PAUSE = 30.0


@dataclass(frozen=True, slots=True)
class Controls:
    """The player's keys, and which actions need confirmation (``risky``, ``always``, ``never``)."""

    keys: Keys = field(default_factory=lambda: KEYS)
    confirm: str = "risky"

    @property
    def commands(self) -> Mapping[str, Command]:
        return {key: command for command, key in self.keys.items()}


CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for which another player's card or bid, and a whole trick, stay visible."""

    card: float = 0.35
    trick: float = 1.6


PACE = Pace()


@dataclass(frozen=True, slots=True)
class Settings:
    """The player's settings, with defaults."""

    language: str = "auto"
    look: LookSettings = field(default_factory=LookSettings)
    controls: Controls = field(default_factory=Controls)
    pace: Pace = field(default_factory=Pace)


def read_settings(text: str) -> tuple[Settings, tuple[str, ...]]:
    """Parse settings; returns them and a sentence for everything that could not be read."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Settings(), (f"{NAME} was ignored: it is not valid TOML ({error}).",)
    trouble: list[str] = []
    settings = Settings()
    for name, value in data.items():
        reader = _TABLES.get(name)
        if name in _CHOICES:
            settings = _chosen(settings, name, value, trouble)
        elif reader is not None and isinstance(value, dict):
            settings = reader(settings, value, trouble)
        else:
            trouble.append(f"{NAME}: unknown setting {_short(name)}.")
    return settings, tuple(trouble)


def _chosen(settings: Settings, name: str, value: Any, trouble: list[str]) -> Settings:
    choices = _CHOICES[name]
    if value not in choices:
        trouble.append(f"{NAME}: {name} must be one of {', '.join(choices)}, not {_short(value)}.")
        return settings
    if name == "language":
        return replace(settings, language=value)
    if name == "confirm":
        return replace(settings, controls=replace(settings.controls, confirm=value))
    changed: dict[str, Any] = {name: value}
    return replace(settings, look=replace(settings.look, **changed))


def _pauses(settings: Settings, table: Mapping[str, Any], trouble: list[str]) -> Settings:
    pace = {"card": settings.pace.card, "trick": settings.pace.trick}
    for name, value in table.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name in pace and number and 0 <= value <= LONGEST_PAUSE:
            pace[name] = float(value)
        else:
            trouble.append(f"{NAME}: pause.{_short(name)} must be 0 to 30 seconds.")
    return replace(settings, pace=Pace(**pace))


def _keys(settings: Settings, table: Mapping[str, Any], trouble: list[str]) -> Settings:
    keys = dict(KEYS)
    names = _FORMER_NAMES | {command.value: command for command in KEYS}
    for name, value in table.items():
        command = names.get(name)
        if command is None:
            trouble.append(f"{NAME}: unknown key name keys.{_short(name)}.")
        elif not _is_key(value):
            trouble.append(
                f"{NAME}: keys.{name} must be one character with which no card, bid or command "
                f"begins, not {_short(value)}."
            )
        elif any(key == value and other is not command for other, key in keys.items()):
            trouble.append(
                f"{NAME}: keys.{name} = {_short(value)} is already used for another key."
            )
        else:
            keys[command] = value
    return replace(settings, controls=Controls(keys, settings.controls.confirm))


def _is_key(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    if re.fullmatch(r"f(?:[1-9]|1[0-2])|c-[a-z]", value):
        return value not in ("c-l", "c-m", "c-i", "c-j", "c-h")
    return len(value) == 1 and value.isprintable() and value != " " and not _TYPED.match(value)


def _styles(settings: Settings, table: Mapping[str, Any], trouble: list[str]) -> Settings:
    styles: dict[str, str] = {}
    for name, value in table.items():
        words = value.split() if isinstance(value, str) else ["?"]
        if name in STYLES and all(_STYLE_WORD.fullmatch(word) for word in words):
            styles[name] = " ".join(words)
        else:
            trouble.append(
                f"{NAME}: styles.{_short(name)} is not a known style or not a valid value."
            )
    return replace(settings, look=replace(settings.look, styles=styles))


def _short(value: Any) -> str:
    """Shorten an unknown value so that it can be shown."""
    return "".join(char for char in repr(value) if char.isprintable())[:24]


_Reader = Callable[[Settings, Mapping[str, Any], list[str]], Settings]
_TABLES: Mapping[str, _Reader] = {"pause": _pauses, "keys": _keys, "styles": _styles}
