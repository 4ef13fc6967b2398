"""Looks to draw screens with, and stored screens to compare them to.

``P2P304_STORE=1`` stores them anew; look at the difference before committing it.
"""

from __future__ import annotations

import os

from p2p304.ui.common.theme import LookSettings, look_for
from tests.support.paths import ROOT

STORED = ROOT / "tests" / "ui" / "fullscreen" / "shown"
PLAIN = look_for(LookSettings(charset="ascii"), {}, "utf-8")
FOUR, TWO = (
    look_for(LookSettings(), {}, "utf-8"),
    look_for(LookSettings(colours="two"), {}, "utf-8"),
)
LOOKS = {"ascii": PLAIN, "two": TWO, "four": FOUR}


def compare(name: str, text: str) -> None:
    path = STORED / f"{name}.txt"
    if os.environ.get("P2P304_STORE"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
