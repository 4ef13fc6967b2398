"""The settings in text mode: a numbered list, and for each setting a numbered list of its values.

Responsible for what is listed and for what a typed line chooses. What a setting means is
ui/common/settings.py's; frontends/text/lobby.py writes the file.
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.settings import Settings
from p2p304.ui.common.settings_file import Place, Value
from p2p304.ui.common.wording import ASK_NAME, NO_NAME
from p2p304.ui.questions.setting_choices import CHOSEN, LABELS, value_phrase, values, word_phrase
from p2p304.ui.questions.setting_choices import written as written_value
from p2p304.wire.names import is_name

HERE = ("name", "language", "bell", "cut")
"""What counts in text mode."""
ROWS = (*HERE, *(row for row in CHOSEN if row not in HERE))


@dataclass(frozen=True, slots=True)
class Changed:
    """Values for the settings file, or a new name."""

    values: tuple[tuple[Place, Value], ...] = ()
    name: str | None = None


@dataclass(frozen=True, slots=True)
class SettingsDialogue:
    """``row``: the setting whose values are listed; None: the settings themselves are."""

    row: str | None = None
    refused: Phrase | None = None

    def lines(self, me: str, settings: Settings) -> list[Phrase]:
        """Return what is listed now."""
        told = [] if self.refused is None else [self.refused]
        if self.row is None:
            for number, row in enumerate(ROWS, 1):
                if number == len(HERE) + 1:
                    told.append(say("For the full screen, which has keys to set, too:"))
                shown = me if row == "name" else value_phrase(settings, row)
                told.append(
                    say("{n}) {setting}: {value}", n=number, setting=LABELS[row], value=shown)
                )
            return [*told, say("Type a number to change a setting, or press Enter to go back.")]
        if self.row == "name":
            return [*told, ASK_NAME]
        told.append(say("{setting}:", setting=LABELS[self.row]))
        for number, word in enumerate(values(self.row), 1):
            told.append(say("{n}) {value}", n=number, value=word_phrase(self.row, word)))
        return [*told, say("Type a number, or press Enter to keep it as it is.")]

    def typed(self, line: str) -> tuple[SettingsDialogue | None, Changed | None]:
        """Return what is listed after a typed line (None: nothing more), and what it changes."""
        text = " ".join(line.split())
        if not text or text.lower() in ("q", "quit"):
            return (None if self.row is None else SettingsDialogue()), None
        if self.row == "name":
            if is_name(text):
                return SettingsDialogue(), Changed(name=text)
            return SettingsDialogue(self.row, NO_NAME), None
        rows = ROWS if self.row is None else values(self.row)
        if not text.isdecimal() or not 1 <= int(text[:6]) <= len(rows):
            told = say("Type a number from 1 to {n}.", n=len(rows))
            return SettingsDialogue(self.row, told), None
        chosen = rows[int(text[:6]) - 1]
        if self.row is None:
            return SettingsDialogue(chosen), None
        return SettingsDialogue(), Changed(written_value(self.row, chosen))
