"""Every style can be read: the contrast of letters and ground, also with sixteen colours."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from p2p304.ui.common.theme import STYLES, LookSettings, has_sixteen_colours, look_for

LINES = ("face-edge", "frame")
"""Outlines, which need not be read."""
FAINT = ("dim", "face-dim", "back", "face-back")
VGA = {
    "ansiblack": "000000",
    "ansired": "aa0000",
    "ansigreen": "00aa00",
    "ansiyellow": "aa5500",
    "ansiblue": "0000aa",
    "ansimagenta": "aa00aa",
    "ansicyan": "00aaaa",
    "ansigray": "aaaaaa",
    "ansibrightblack": "555555",
    "ansibrightred": "ff5555",
    "ansibrightgreen": "55ff55",
    "ansibrightyellow": "ffff55",
    "ansibrightblue": "5555ff",
    "ansibrightmagenta": "ff55ff",
    "ansibrightcyan": "55ffff",
    "ansiwhite": "ffffff",
}
"""The colours of the Linux console."""
XTERM = {
    **VGA,
    "ansired": "cd0000",
    "ansigreen": "00cd00",
    "ansiyellow": "cdcd00",
    "ansiblue": "0000ee",
    "ansimagenta": "cd00cd",
    "ansicyan": "00cdcd",
    "ansigray": "e5e5e5",
    "ansibrightblack": "7f7f7f",
    "ansibrightred": "ff0000",
    "ansibrightgreen": "00ff00",
    "ansibrightyellow": "ffff00",
    "ansibrightblue": "5c5cff",
    "ansibrightmagenta": "ff00ff",
    "ansibrightcyan": "00ffff",
}


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2): from 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours(style: str, palette: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The letters and the ground of a style, None where it sets none."""
    found: dict[bool, str] = {}
    for word in style.split():
        ground, name = word.startswith("bg:"), word.removeprefix("bg:").removeprefix("#")
        if name in palette or re.fullmatch("[0-9a-f]{6}", name):
            found[ground] = palette.get(name, name)
    return found.get(False), found.get(True)


LOOKS = {
    "dark": ({"TERM": "xterm-256color"}, VGA, ("000000", "1e1e1e"), "d4d4d4"),
    "light": ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, VGA, ("ffffff",), "000000"),
    "console": ({"TERM": "linux"}, VGA, ("000000",), "aaaaaa"),
    "sixteen": ({"TERM": "xterm-16color"}, XTERM, ("000000", "ffffff"), "000000"),
}


@pytest.mark.parametrize("colours_wanted", ["four", "two"])
@pytest.mark.parametrize("name", LOOKS)
def test_every_style_can_be_read_on_every_ground_on_which_it_stands(
    name: str, colours_wanted: str
) -> None:
    environment, palette, grounds, letters = LOOKS[name]
    styles = look_for(LookSettings(colours=colours_wanted), environment, "utf-8").styles
    felt = colours(styles["felt"], palette)
    assert set(styles) == set(STYLES)
    for style, text in styles.items():
        if "reverse" in text or style in LINES:
            continue
        own, ground = colours(text, palette)
        for under in (ground,) if ground else (*grounds, felt[1]):
            assert under is not None
            written = own or (felt[0] if under == felt[1] else letters)
            assert written is not None
            least = 3.0 if style in FAINT or (palette is VGA and name == "console") else 4.5
            assert contrast(written, under) >= min(least, 4.5), (style, written, under)


def test_a_terminal_of_sixteen_colours_is_known_and_gets_them_alone() -> None:
    assert has_sixteen_colours({"TERM": "linux"})
    assert has_sixteen_colours({"TERM": "screen-16color"})
    assert not has_sixteen_colours({"TERM": "xterm-256color"})
    assert not has_sixteen_colours({"TERM": "linux", "COLORTERM": "truecolor"})
    styles = look_for(LookSettings(), {"TERM": "linux"}, "utf-8").styles
    assert not any("#" in style or "bold" in style for style in styles.values())
    bright = [s for s in styles.values() if re.search("bg:ansi(bright|white)", s)]
    assert bright == []  # the Linux console has eight grounds
