"""The language of the screen, and its messages from the gettext catalogues.

Responsible for choosing the language from settings and locale. The catalogues are in the folder
locale of ui/. Terms of the game stay as players say them.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping
from pathlib import Path

DOMAIN = "p2p304"
FOLDER = Path(__file__).parents[1] / "locale"
LANGUAGES = ("en", "si", "ta")
_VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def language_for(wanted: str, environment: Mapping[str, str], encoding: str) -> str:
    """Return ``en``, ``si`` or ``ta``; English if the terminal cannot write the others."""
    if "utf" not in encoding.lower():
        return "en"
    if wanted in LANGUAGES:
        return wanted
    for name in _VARIABLES:
        for part in environment.get(name, "").split(":"):
            code = part.split("_")[0].split(".")[0].lower()
            if code in LANGUAGES:
                return code
            if code in ("c", "posix"):
                return "en"
        if environment.get(name):
            return "en"
    return "en"


def translation(language: str) -> Callable[[str], str]:
    """Return the function that translates English messages; a message without a translation stays
    English."""
    if language == "en":
        return lambda text: text
    catalogue = gettext.translation(DOMAIN, FOLDER, [language], fallback=True)
    return lambda text: catalogue.gettext(text) if text else ""
