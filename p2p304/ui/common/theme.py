"""Themes: symbols for suits and frames, colours, and their replacements on a simple terminal.

Responsible for themes as data, and for choosing one from settings and terminal. It reads no
environment: the caller passes it in as a mapping.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p304.rules.core.cards import Card, Suit

GLYPHS = {Suit.SPADES: "♠", Suit.HEARTS: "♥", Suit.DIAMONDS: "♦", Suit.CLUBS: "♣"}


@dataclass(frozen=True, slots=True)
class Frame:
    """The characters of frames: corners, lines, and small symbols."""

    corners: str
    across: str
    down: str
    back: str
    full: str
    empty: str
    bar: str
    pointer: str
    pointer_back: str
    dots: str
    tick: str
    awaited: str
    """At the place of a card that its player has not played yet."""


UNICODE = Frame("╭╮╰╯", "─", "│", "░", "●", "○", "█", "▸", "◂", "…", "✓", "…")
ASCII = Frame("++++", "-", "|", "#", "o", ".", "#", ">", "<", "~", "+", "...")
PARTNER = "&"
"""Stands beside the name of a partner, in every charset: no other sign looks like it."""

_DARK = {
    "spades": "#d7e3ff",
    "hearts": "#ff6b6b",
    "diamonds": "#ffb454",
    "clubs": "#7bd88f",
    "good": "#7bd88f",
    "warn": "#ffb454 bold",
    "head": "#9ecbff bold",
    "minor": "#a0a8b4",
    "key": "#9ecbff",
    "back": "#8fa3d0",
    "dim": "#87919e",
    "legal": "bold",
    "title": "bg:#0e2a1d #e6ffe9 bold",
    "felt": "bg:#163a2a #dfe9e2",
    "face-spades": "bg:#f3efe4 #1b2a4a bold",
    "face-hearts": "bg:#f3efe4 #c0182b bold",
    "face-diamonds": "bg:#f3efe4 #a85400 bold",
    "face-clubs": "bg:#f3efe4 #15692b bold",
    "face-dim": "bg:#8d958f #39403b",
    "face-back": "bg:#2a3f6b #8fa3d0",
    "face-edge": "bg:#f3efe4 #b3aa94",
    "face-legal": "bg:#f3efe4 #15692b bold",
    "face-here": "bg:#ffd866 #1a1a1a bold",
    "face-won": "bg:#ffd866 #1a1a1a bold",
    "turn": "#1a1a1a bg:#ffd866 bold",
    "chosen": "reverse",
    "pane": "#c8d0da",
    "frame": "#5c6773",
}
_LIGHT = {
    "spades": "#1b2a4a",
    "hearts": "#c0182b",
    "diamonds": "#a04e00",
    "clubs": "#1c7a33",
    "good": "#1c7a33",
    "warn": "#a04e00 bold",
    "head": "#0b4fa0 bold",
    "minor": "#505860",
    "key": "#0b4fa0",
    "back": "#5a6fa0",
    "dim": "#6d747c",
    "legal": "bold",
    "title": "bg:#bfe0c8 #102010 bold",
    "felt": "bg:#e3f1e6 #1c2b22",
    "face-spades": "bg:#ffffff #1b2a4a bold",
    "face-hearts": "bg:#ffffff #c0182b bold",
    "face-diamonds": "bg:#ffffff #a85400 bold",
    "face-clubs": "bg:#ffffff #15692b bold",
    "face-dim": "bg:#d3d8d4 #6d747c",
    "face-back": "bg:#5a6fa0 #dde4f4",
    "face-edge": "bg:#ffffff #9aa4ae",
    "face-legal": "bg:#ffffff #15692b bold",
    "face-here": "bg:#ffd866 #1a1a1a bold",
    "face-won": "bg:#ffd866 #1a1a1a bold",
    "turn": "#000000 bg:#ffd866 bold",
    "chosen": "reverse",
    "pane": "#303840",
    "frame": "#9aa4ae",
}
_SIXTEEN = {
    "spades": "ansiwhite",
    "hearts": "ansibrightred",
    "diamonds": "ansibrightyellow",
    "clubs": "ansibrightgreen",
    "good": "ansibrightgreen",
    "warn": "ansibrightyellow",
    "head": "ansibrightcyan",
    "minor": "ansigray",
    "key": "ansibrightcyan",
    "back": "ansigray",
    "dim": "ansigray",
    "legal": "ansiwhite",
    "title": "bg:ansigray ansiblack",
    "felt": "bg:ansiblack ansigray",
    "face-spades": "bg:ansigray ansiblack",
    "face-hearts": "bg:ansigray ansired",
    "face-diamonds": "bg:ansigray ansired",
    "face-clubs": "bg:ansigray ansiblue",
    "face-dim": "bg:ansiblack ansigray",
    "face-back": "bg:ansiblue ansigray",
    "face-edge": "bg:ansigray ansiblack",
    "face-legal": "bg:ansigray ansiblue",
    "face-here": "bg:ansicyan ansiblack",
    "face-won": "bg:ansicyan ansiblack",
    "turn": "bg:ansicyan ansiblack",
    "chosen": "bg:ansigray ansiblack",
    "pane": "bg:ansiblack ansigray",
    "frame": "bg:ansiblack ansigray",
}
"""For sixteen colours: the eight dark ones as backgrounds, which every such terminal has, and no
bold, which some of them draw in another colour. Text without a background stands on black."""
_BLACK = "bg:ansiblack"
_MONO = {
    "head": "bold",
    "warn": "bold",
    "good": "bold",
    "legal": "bold",
    "title": "reverse",
    "turn": "reverse bold",
    "chosen": "reverse",
    "key": "underline",
    "face-legal": "bold",
    "face-here": "reverse",
    "face-won": "bold",
}
STYLES = tuple(_DARK)
"""Every style name that a theme may set."""


@dataclass(frozen=True, slots=True)
class Look:
    """The appearance of a screen. ``glyphs``: suit symbols, else letters; ``styles``: names to
    styles in prompt_toolkit's form."""

    glyphs: bool = True
    frame: Frame = UNICODE
    styles: Mapping[str, str] = field(default_factory=lambda: dict(_DARK))

    @property
    def ascii(self) -> bool:
        return self.frame is ASCII

    def suit(self, suit: Suit) -> str:
        """Return a suit's symbol or letter."""
        return GLYPHS[suit] if self.glyphs else suit.value

    def rank(self, card: Card) -> str:
        return "10" if card.rank == "T" else card.rank

    def card(self, card: Card) -> str:
        """Return a card in running text: ``10♦``, or ``10D``."""
        return self.rank(card) + self.suit(card.suit)

    def suit_style(self, suit: Suit) -> str:
        """Return the style of a suit in running text."""
        return suit.word

    def face_style(self, suit: Suit) -> str:
        """Return the style of a suit on the face of a card."""
        return f"face-{suit.word}"


LETTERS = Look(glyphs=False)
"""The look of lines: letters for suits are the same on every terminal, and to a screen reader."""


@dataclass(frozen=True, slots=True)
class LookSettings:
    """The settings of the theme; ``auto`` leaves a choice to the terminal."""

    colours: str = "auto"
    background: str = "auto"
    suits: str = "auto"
    charset: str = "auto"
    styles: Mapping[str, str] = field(default_factory=dict)


def encoding_of(environment: Mapping[str, str], written: str | None) -> str:
    """Return the terminal's encoding. ``written`` is the stream's own encoding, which is UTF-8 in
    the C locale too (PEP 540); there the locale decides."""
    named = (environment.get(name) for name in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next((value for value in named if value), "")
    if locale in ("C", "POSIX"):
        return "ascii"
    return locale.partition(".")[2].partition("@")[0] or written or "ascii"


def look_for(wanted: LookSettings, environment: Mapping[str, str], encoding: str) -> Look:
    """Choose the look for a terminal; ``encoding`` is the terminal's."""
    unicode = _writes_unicode(wanted, environment, encoding)
    glyphs = unicode if wanted.suits == "auto" else wanted.suits == "glyphs" and unicode
    return Look(glyphs, UNICODE if unicode else ASCII, _styles(wanted, environment))


def _writes_unicode(wanted: LookSettings, environment: Mapping[str, str], encoding: str) -> bool:
    if wanted.charset != "auto":
        return wanted.charset == "unicode" and "utf" in encoding.lower()
    dumb = environment.get("TERM", "") in ("dumb", "linux", "vt100", "vt220")
    return "utf" in encoding.lower() and not dumb


def _styles(wanted: LookSettings, environment: Mapping[str, str]) -> Mapping[str, str]:
    if _colours(wanted, environment) == "none":
        return {**dict.fromkeys(STYLES, ""), **_MONO}
    light = wanted.background == "light" or (wanted.background == "auto" and _is_light(environment))
    styles = dict(_LIGHT if light else _DARK)
    if has_sixteen_colours(environment):
        styles = {n: s if "bg:" in s else f"{_BLACK} {s}" for n, s in _SIXTEEN.items()}
    if wanted.colours == "two":
        for prefix in ("", "face-"):
            styles[f"{prefix}diamonds"] = styles[f"{prefix}hearts"]
            styles[f"{prefix}clubs"] = styles[f"{prefix}spades"]
    return {**styles, **{name: s for name, s in wanted.styles.items() if name in styles}}


def has_sixteen_colours(environment: Mapping[str, str]) -> bool:
    """Whether this terminal has sixteen colours at most, as the Linux console has."""
    term = environment.get("TERM", "")
    if environment.get("COLORTERM", "") in ("truecolor", "24bit"):
        return False
    return term.endswith("16color") or term in ("linux", "eterm-color", "ansi")


def _colours(wanted: LookSettings, environment: Mapping[str, str]) -> str:
    """Choose the colours. ``NO_COLOR`` (https://no-color.org) or a dumb terminal means none,
    whatever the settings say."""
    if environment.get("NO_COLOR") or environment.get("TERM") in ("dumb", "vt100", "vt220"):
        return "none"
    return "four" if wanted.colours == "auto" else wanted.colours


def _is_light(environment: Mapping[str, str]) -> bool:
    """Whether the background is light: ``COLORFGBG`` ends with its number where a terminal sets
    it."""
    last = environment.get("COLORFGBG", "").rpartition(";")[2]
    return last in ("7", "15")
