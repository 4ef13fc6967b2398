"""The settings page of the lobby as lines of text.

Responsible for its wording. Pure.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import NAMES, Command, key_name
from p2p304.ui.common.settings import Settings
from p2p304.ui.common.text_width import width_of
from p2p304.ui.fullscreen.lobby.settings_form import ROWS, SettingsForm
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.questions.setting_choices import LABELS, value_phrase
from p2p304.ui.terminal.canvas import Span

EXPLAINED: dict[str, Phrase] = {
    "name": say("Type your name and press Enter. The other players see it."),
    "language": say("Left and Right choose. The screen changes at once."),
    "pace": say("How long another player's card, and a whole trick, stay visible."),
    "bell": say("Your terminal rings, or shows its own sign."),
    "values": say("What the cards are worth, and what the bid still needs."),
    "cut": say("Whether you are asked when you may cut the pack before a deal."),
    "confirm": say("What you must confirm before it is done."),
}
ABOUT_KEYS = say("Press Enter, and then the new key.")


def lines(
    form: SettingsForm, settings: Settings, renderer: PhraseRenderer
) -> list[tuple[int | None, list[Span]]]:
    """Return a line for every setting, with its number for the cursor."""
    widest = max(width_of(_label(row, renderer)) for row in ROWS) + 2
    found: list[tuple[int | None, list[Span]]] = []
    for number, row in enumerate(ROWS):
        here = number == form.at
        label = _label(row, renderer)
        gap = " " * (widest - width_of(label))
        style = "chosen" if here else ""
        choice = here and isinstance(row, str) and row != "name"
        left, right = ("< ", " >") if choice else ("  ", "")
        shown = _shown(row, form, settings, renderer)
        kind = "minor" if isinstance(row, Command) else ""
        mark = "key" if choice else ""  # without colours keys are underlined
        spans = [(kind, label), ("", gap), (mark, left), (style, shown), (mark, right)]
        found.append((number, spans))
    return found


def explained(form: SettingsForm) -> Phrase | None:
    """Return the sentence on the line at the cursor, or on what was refused there."""
    if form.note is not None:
        return form.note
    return ABOUT_KEYS if isinstance(form.row, Command) else EXPLAINED.get(form.row)


def _label(row: str | Command, renderer: PhraseRenderer) -> str:
    return renderer.text(NAMES[row] if isinstance(row, Command) else LABELS[row])


def _shown(
    row: str | Command, form: SettingsForm, settings: Settings, renderer: PhraseRenderer
) -> str:
    if isinstance(row, Command):
        return key_name(settings.controls.keys[row])
    if row == "name":
        return renderer.safe(form.name)
    told = value_phrase(settings, row, renderer.look.ascii)
    return told if isinstance(told, str) else renderer.text(told)
