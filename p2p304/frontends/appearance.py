"""The appearance of this player's screen, from the settings file, the environment and the terminal.

Responsible for reading and changing these. What a setting means is ui/common/settings.py's. A
broken file is reported and ignored.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from p2p304.rules.core.phrases import Phrase, say
from p2p304.storage.files import DataFolderError, read_file, write_whole
from p2p304.storage.usual_home import usual_home
from p2p304.ui.common.settings import NAME, Controls, Pace, Settings, read_settings
from p2p304.ui.common.settings_file import Place, Value, with_setting
from p2p304.ui.common.theme import Look, encoding_of, look_for
from p2p304.ui.common.translation import LANGUAGES, language_for, translation


@dataclass(frozen=True, slots=True)
class Appearance:
    """Everything that a screen needs for drawing and for keys, and what was wrong with the
    settings."""

    look: Look
    translate: Callable[[str], str]
    controls: Controls
    pace: Pace
    trouble: tuple[Phrase, ...] = ()
    settings: Settings = field(default_factory=Settings)
    language: str = "en"
    asked: str = ""
    """The language that this person asked for, by option, variable or setting; empty if none: then
    ``language`` follows the locale."""


def read_appearance(home: Path | None) -> Appearance:
    """Read the appearance for this terminal, with the settings in the data folder ``home``,
    or in the usual one. No folder is made."""
    settings, trouble = _read_settings_file(home)
    encoding = encoding_of(os.environ, sys.stdout.encoding)
    wanted = os.environ.get("P2P304_LANGUAGE", "") or settings.language
    language = language_for(wanted, os.environ, encoding)
    return Appearance(
        look_for(settings.look, os.environ, encoding),
        translation(language),
        settings.controls,
        settings.pace,
        trouble,
        settings,
        language,
        wanted if wanted in LANGUAGES else "",
    )


def change_settings(home: Path, values: Iterable[tuple[Place, Value]]) -> Phrase | None:
    """Write values into the settings file, which is made if there is none; returns a sentence if
    that was not possible."""
    path = home / NAME
    try:
        text = read_file(path).decode() if path.exists() else ""
        for place, value in values:
            text = with_setting(text, place, value)
        write_whole(path, text.encode())
    except DataFolderError as error:
        return error.phrase
    except ValueError:  # also: not UTF-8, not TOML
        return say("{file} could not be changed. Correct it by hand.", file=NAME)
    return None


def _read_settings_file(home: Path | None) -> tuple[Settings, tuple[Phrase, ...]]:
    path = (home or usual_home()) / NAME
    if not os.path.exists(path):  # also: in a folder that this person may not look into
        return Settings(), ()
    try:
        text = read_file(path).decode()
    except DataFolderError as error:
        return Settings(), (error.phrase,)
    except UnicodeDecodeError:
        return Settings(), (say("{file} was ignored: it is not UTF-8 text.", file=NAME),)
    return read_settings(text)
