"""The settings page of the lobby: its lines, their values, and what a key changes.

Responsible for these, purely: (form, settings, key) to (form, intents). What a setting means is
ui/common/settings.py's; the file is written by frontends/appearance.py.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import KEYS, NAMES, Command
from p2p304.ui.common.settings import Settings, is_key
from p2p304.ui.common.wording import NO_NAME
from p2p304.ui.fullscreen.lobby.cursor import cursor_after
from p2p304.ui.fullscreen.lobby.intents import ChangeSettings, Rename
from p2p304.ui.fullscreen.lobby.name_page import edited
from p2p304.ui.questions.setting_choices import CHOSEN, value, values, written
from p2p304.wire.names import is_name

ROWS: tuple[str | Command, ...] = ("name", *CHOSEN, *KEYS)
_TAKEN = say("{key} is already used: {what}.")
_NO_KEY = say(
    "{key} cannot be used: cards, bids and words begin with it, or the terminal needs it."
)
_PRESS = say("Press the new key, or Esc to keep {key}.")
Answer = tuple["SettingsForm", tuple[Rename | ChangeSettings, ...]]


@dataclass(frozen=True, slots=True)
class SettingsForm:
    """The cursor's line ``at``, the name as typed, whether the next key is one to set."""

    name: str
    at: int = 0
    takes_key: bool = False
    note: Phrase | None = None

    @property
    def row(self) -> str | Command:
        return ROWS[self.at]


def press(form: SettingsForm, me: str, settings: Settings, key: str) -> Answer | None:
    """Return the form after a key, and what the player wants; None when the page is left."""
    row = form.row
    if form.takes_key and isinstance(row, Command):
        return _take_key(replace(form, takes_key=False), settings, row, key)
    form = replace(form, note=None)
    if key == "escape":
        return None
    at = cursor_after(form.at, len(ROWS), key)
    if at is not None:
        return replace(form, at=at, name=me), ()
    if row == "name":
        return _name(form, me, key)
    if isinstance(row, Command):
        return (
            (replace(form, takes_key=True, note=_PRESS.filled(key=settings.controls.keys[row])), ())
            if key == "enter"
            else (form, ())
        )
    step = {"left": -1, "right": 1, "enter": 1, " ": 1}.get(key)
    return (form, ()) if step is None else (form, (_turned(settings, row, step),))


def _name(form: SettingsForm, me: str, key: str) -> Answer:
    if key != "enter":
        return replace(form, name=edited(form.name, key)), ()
    name = " ".join(form.name.split())
    if not is_name(name):
        return replace(form, note=NO_NAME), ()
    return (form, ()) if name == me else (form, (Rename(name),))


def _take_key(form: SettingsForm, settings: Settings, command: Command, key: str) -> Answer:
    if key == "escape":
        return form, ()
    if not is_key(key):
        return replace(form, note=_NO_KEY.filled(key=key)), ()
    for other, taken in settings.controls.keys.items():
        if taken == key and other is not command:
            return replace(form, note=_TAKEN.filled(key=key, what=NAMES[other])), ()
    return form, (ChangeSettings(((("keys", command.value), key),)),)


def _turned(settings: Settings, row: str, step: int) -> ChangeSettings:
    """Return the change to the next value of a line."""
    words, now = values(row), value(settings, row)
    at = words.index(now) + step if now in words else 1
    return ChangeSettings(written(row, words[at % len(words)]))
