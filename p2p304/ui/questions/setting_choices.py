"""The settings that have a few values each: their names and values in words, and what a choice
writes.

Responsible for these, for the settings page of the lobby and for text mode. What a setting means is
ui/common/settings.py's; the file is written by frontends/appearance.py.
"""

from __future__ import annotations

from dataclasses import replace

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.settings import CHOICES, Pace, Settings
from p2p304.ui.common.settings_file import Place, Value

PACES = {"fast": Pace(0.1, 0.6), "normal": Pace(), "slow": Pace(1.0, 3.0), "none": Pace(0.0, 0.0)}
CHOSEN = ("language", "colours", "background", "suits", "pace", "bell", "values", "cut", "confirm")
"""The settings that can be chosen on both screens."""
LABELS = {
    "name": say("Your name"),
    "language": say("Language"),
    "colours": say("Colours"),
    "background": say("Background"),
    "suits": say("Suits"),
    "pace": say("Pace"),
    "bell": say("Bell"),
    "values": say("Card points"),
    "cut": say("Cut the pack"),
    "confirm": say("Ask before"),
}
_VALUES = {
    ("language", "auto"): say("as the computer's"),
    ("language", "en"): say("English"),
    ("language", "si"): say("Sinhala"),
    ("language", "ta"): say("Tamil"),
    ("colours", "auto"): say("automatic"),
    ("colours", "four"): say("four suits, four colours"),
    ("colours", "two"): say("red and black"),
    ("colours", "none"): say("none"),
    ("background", "auto"): say("automatic"),
    ("background", "dark"): say("dark"),
    ("background", "light"): say("light"),
    ("suits", "auto"): say("automatic"),
    ("suits", "glyphs"): say("signs"),
    ("suits", "letters"): say("letters"),
    ("pace", "fast"): say("fast"),
    ("pace", "normal"): say("normal"),
    ("pace", "slow"): say("slow"),
    ("pace", "none"): say("no pauses"),
    ("bell", "off"): say("none"),
    ("bell", "turn"): say("when it is your turn"),
    ("bell", "trick"): say("at your turn and after each trick"),
    ("values", "on"): say("beside the table"),
    ("values", "off"): say("not shown"),
    ("cut", "ask"): say("ask me"),
    ("cut", "always"): say("always, at a place of chance"),
    ("cut", "never"): say("never"),
    ("confirm", "risky"): say("big bids and claims"),
    ("confirm", "always"): say("everything"),
    ("confirm", "never"): say("nothing"),
}
OWN_NAMES = {"en": "English", "si": "සිංහල", "ta": "தமிழ்"}
"""The languages as their speakers write them, so that everybody finds the way back."""


def values(row: str) -> tuple[str, ...]:
    """Return the words of a setting's values, in the order in which they are offered."""
    return tuple(PACES) if row == "pace" else CHOICES[row]


def value(settings: Settings, row: str) -> str | None:
    """Return the word of a setting's value; None for a pace in seconds of the player's own."""
    if row == "pace":
        pace = replace(settings.pace, cut=0.0)
        return next((name for name, known in PACES.items() if known == pace), None)
    if row == "language":
        return settings.language
    if row in ("confirm", "cut", "bell", "values"):
        return str(getattr(settings.controls, row))
    return str(getattr(settings.look, row))


def value_phrase(settings: Settings, row: str, ascii_only: bool = False) -> Phrase | str:
    """Describe the value of a setting; a language in its own words, if they can be shown."""
    word = value(settings, row)
    if word is None:
        pace = settings.pace
        return say("card {card} s, trick {trick} s", card=f"{pace.card:g}", trick=f"{pace.trick:g}")
    return word_phrase(row, word, ascii_only)


def word_phrase(row: str, word: str, ascii_only: bool = False) -> Phrase | str:
    """Describe one value that a setting may have."""
    if row == "language" and not ascii_only and word in OWN_NAMES:
        return OWN_NAMES[word]
    return _VALUES[row, word]


def written(row: str, word: str) -> tuple[tuple[Place, Value], ...]:
    """Return what the settings file must say for this value."""
    if row == "pace":
        pace = PACES[word]
        return ((("pause", "card"), pace.card), (("pause", "trick"), pace.trick))
    return ((("", row), word),)
