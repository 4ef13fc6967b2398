"""The settings page of the lobby as lines of text.

Responsible for its wording. Pure.
"""

from __future__ import annotations

from p2p304.rules.core.phrases import Phrase, say
from p2p304.ui.common.key_map import NAMES, Command
from p2p304.ui.common.settings import Settings
from p2p304.ui.common.text_width import width_of
from p2p304.ui.fullscreen.lobby.settings_form import ROWS, SettingsForm, pace_name, value
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.canvas import Span

_LABELS = {
    "name": say("Your name"),
    "language": say("Language"),
    "colours": say("Colours"),
    "background": say("Background"),
    "suits": say("Suits"),
    "pace": say("Pace"),
    "bell": say("Bell"),
    "values": say("Card points"),
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
    ("confirm", "risky"): say("big bids and claims"),
    ("confirm", "always"): say("everything"),
    ("confirm", "never"): say("nothing"),
}
OWN_NAMES = {"en": "English", "si": "සිංහල", "ta": "தமிழ்"}
"""The languages as their speakers write them, so that everybody finds the way back."""
EXPLAINED: dict[str, Phrase] = {
    "name": say("Type your name and press Enter. The other players see it."),
    "language": say("Left and Right choose. The screen changes at once."),
    "pace": say("How long another player's card, and a whole trick, stay visible."),
    "bell": say("Your terminal rings, or shows its own sign."),
    "values": say("What the cards are worth, and what the bid still needs."),
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
        spans = [(kind, label), ("", gap), ("key", left), (style, shown), ("key", right)]
        found.append((number, spans))
    return found


def explained(form: SettingsForm) -> Phrase | None:
    """Return the sentence on the line at the cursor, or on what was refused there."""
    if form.note is not None:
        return form.note
    return ABOUT_KEYS if isinstance(form.row, Command) else EXPLAINED.get(form.row)


def _label(row: str | Command, renderer: PhraseRenderer) -> str:
    return renderer.text(NAMES[row] if isinstance(row, Command) else _LABELS[row])


def _shown(
    row: str | Command, form: SettingsForm, settings: Settings, renderer: PhraseRenderer
) -> str:
    if isinstance(row, Command):
        return settings.controls.keys[row]
    if row == "name":
        return renderer.safe(form.name)
    if row == "language" and not renderer.look.ascii and settings.language in OWN_NAMES:
        return OWN_NAMES[settings.language]
    if row != "pace":
        return renderer.text(_VALUES[row, value(settings, row)])
    name = pace_name(settings.pace)
    if name is not None:
        return renderer.text(_VALUES["pace", name])
    pace = settings.pace
    return renderer.text(
        say("card {card} s, trick {trick} s", card=f"{pace.card:g}", trick=f"{pace.trick:g}")
    )
