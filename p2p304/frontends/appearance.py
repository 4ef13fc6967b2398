"""How this player's screen looks and speaks: settings file, environment and terminal together.

Responsible for reading them. What a setting means is ui/common/settings.py's; a broken file is told
and left out.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.ui.common.settings import NAME, Controls, Pace, Settings, read_settings
from p2p304.ui.common.theme import Look, encoding_of, look_for
from p2p304.ui.common.translation import language_for, translation


@dataclass(frozen=True, slots=True)
class Appearance:
    """All that a screen needs to be drawn and heard, and what was wrong with the settings."""

    look: Look
    translate: Callable[[str], str]
    taste: Controls
    pace: Pace
    trouble: tuple[str, ...] = ()


def read_appearance(home: Path | None) -> Appearance:
    """For this terminal, with the settings in the data folder ``home``."""
    settings, trouble = _settings(home)
    encoding = encoding_of(os.environ, sys.stdout.encoding)
    language = language_for(settings.language, os.environ, encoding)
    return Appearance(
        look_for(settings.wish, os.environ, encoding),
        translation(language),
        settings.taste,
        settings.pace,
        trouble,
    )


def _settings(home: Path | None) -> tuple[Settings, tuple[str, ...]]:
    path = None if home is None else home / NAME
    if path is None or not path.exists():
        return Settings(), ()
    try:
        text = read_file(path).decode()
    except DataFolderError as error:
        return Settings(), (str(error),)
    except UnicodeDecodeError:
        return Settings(), (f"{NAME} is not UTF-8 and was left out.",)
    return read_settings(text)
