"""The player's settings: a small TOML file. Errors in it are reported, and the rest still counts.

Responsible for which settings there are, and for one sentence for each error. It opens no file;
frontends/appearance.py does.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import KEYS, Command, Keys
from p2p304.ui.common.theme import STYLES, LookSettings

NAME = "screen.toml"
"""The file's name in the data folder; docs/settings.md shows a whole file."""
CHOICES: Mapping[str, tuple[str, ...]] = {
    "language": ("auto", "en", "si", "ta"),
    "colours": ("auto", "four", "two", "none"),
    "background": ("auto", "dark", "light"),
    "suits": ("auto", "glyphs", "letters"),
    "charset": ("auto", "unicode", "ascii"),
    "confirm": ("risky", "always", "never"),
    "cut": ("ask", "always", "never"),
    "bell": ("off", "turn", "trick"),
    "values": ("on", "off"),
}
"""The settings that are one of a few words, with their words."""
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
    """The player's keys, which actions need confirmation (``risky``, ``always``, ``never``), and
    whether the player is asked about the cut (``ask``), or always or never cuts."""

    keys: Keys = field(default_factory=lambda: KEYS)
    confirm: str = "risky"
    cut: str = "ask"
    bell: str = "off"
    """When the terminal rings: at this player's turn, or at the end of a trick too."""
    values: str = "on"
    """Whether the screen shows what cards are worth beside the table, until a key changes it."""

    @property
    def commands(self) -> Mapping[str, Command]:
        return {key: command for command, key in self.keys.items()}


CONTROLS = Controls()


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds for which another player's card or bid, and a whole trick, stay visible; ``cut``: for
    which the player is asked about the cut (0: as the screen is made for)."""

    card: float = 0.35
    trick: float = 1.6
    cut: float = 0.0

    def cut_time(self, usual: int) -> int:
        """Return the whole seconds for the cut; ``usual`` if the player has chosen none."""
        return ceil(self.cut) or usual


PACE = Pace()


@dataclass(frozen=True, slots=True)
class Settings:
    """The player's settings, with defaults."""

    language: str = "auto"
    look: LookSettings = field(default_factory=LookSettings)
    controls: Controls = field(default_factory=Controls)
    pace: Pace = field(default_factory=Pace)


def read_settings(text: str) -> tuple[Settings, tuple[Phrase, ...]]:
    """Parse settings; returns them and a sentence for everything that could not be read."""
    try:
        data = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return Settings(), (
            say("{file} was ignored: it is not valid TOML ({error}).", file=NAME, error=str(error)),
        )
    trouble: list[Phrase] = []
    settings = Settings()
    for name, value in data.items():
        reader = _TABLES.get(name)
        if name in CHOICES:
            settings = _chosen(settings, name, value, trouble)
        elif reader is not None and isinstance(value, dict):
            settings = reader(settings, value, trouble)
        else:
            trouble.append(_about(say("{file}: unknown setting {name}."), _short(name)))
    return settings, tuple(trouble)


def _chosen(settings: Settings, name: str, value: Any, trouble: list[Phrase]) -> Settings:
    choices = CHOICES[name]
    if value not in choices:
        told = say(
            "{file}: {name} must be one of {choices}, not {value}.", choices=", ".join(choices)
        )
        trouble.append(_about(told, name, value))
        return settings
    if name == "language":
        return replace(settings, language=value)
    changed: dict[str, Any] = {name: value}
    if name in ("confirm", "cut", "bell", "values"):
        return replace(settings, controls=replace(settings.controls, **changed))
    return replace(settings, look=replace(settings.look, **changed))


def _pauses(settings: Settings, table: Mapping[str, Any], trouble: list[Phrase]) -> Settings:
    pace = {"card": settings.pace.card, "trick": settings.pace.trick, "cut": settings.pace.cut}
    for name, value in table.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name in pace and number and 0 <= value <= LONGEST_PAUSE:
            pace[name] = float(value)
        else:
            trouble.append(
                say(
                    "{file}: {name} must be 0 to 30 seconds.",
                    file=NAME,
                    name=f"pause.{_short(name)}",
                )
            )
    return replace(settings, pace=Pace(**pace))


def _keys(settings: Settings, table: Mapping[str, Any], trouble: list[Phrase]) -> Settings:
    keys = dict(KEYS)
    names = _FORMER_NAMES | {command.value: command for command in KEYS}
    for name, value in table.items():
        command, told = names.get(name), None
        if command is None:
            told = say("{file}: unknown key name {name}.")
        elif not is_key(value):
            told = say(
                "{file}: {name} must be one character with which no card, bid or command begins, "
                "not {value}."
            )
        elif any(key == value and other is not command for other, key in keys.items()):
            told = say("{file}: {name} = {value} is already used for another key.")
        else:
            keys[command] = value
        if told is not None:
            shown = name if command is not None else _short(name)
            trouble.append(_about(told, f"keys.{shown}", value))
    return replace(settings, controls=replace(settings.controls, keys=keys))


def is_key(value: Any) -> bool:
    """Whether a command can have this key."""
    if not isinstance(value, str):
        return False
    if re.fullmatch(r"f(?:[1-9]|1[0-2])|c-[a-z]", value):
        return value not in ("c-l", "c-m", "c-i", "c-j", "c-h")
    return len(value) == 1 and value.isprintable() and value != " " and not _TYPED.match(value)


def _styles(settings: Settings, table: Mapping[str, Any], trouble: list[Phrase]) -> Settings:
    styles: dict[str, str] = {}
    for name, value in table.items():
        words = value.split() if isinstance(value, str) else ["?"]
        if name in STYLES and all(_STYLE_WORD.fullmatch(word) for word in words):
            styles[name] = " ".join(words)
        else:
            told = say("{file}: {name} is not a known style or not a valid value.")
            trouble.append(_about(told, f"styles.{_short(name)}"))
    return replace(settings, look=replace(settings.look, styles=styles))


def _about(told: Phrase, name: str, value: Any = None) -> Phrase:
    return told.filled(file=NAME, name=name, value=_short(value))


def _short(value: Any) -> str:
    """Shorten an unknown value so that it can be shown."""
    return "".join(char for char in repr(value) if char.isprintable())[:24]


_Reader = Callable[[Settings, Mapping[str, Any], list[Phrase]], Settings]
_TABLES: Mapping[str, _Reader] = {"pause": _pauses, "keys": _keys, "styles": _styles}
