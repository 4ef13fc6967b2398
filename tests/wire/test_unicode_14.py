"""Names follow Unicode 14.0 in every program: what another Python, or the second verifier on
another engine, knows of characters changes no verdict."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import unicodedata

import pytest

from p2p304.wire import unicode_14
from p2p304.wire.names import is_name, shown
from scripts.assets.characters import FILE, VERSION, module
from tests.support.paths import PROTOCOL

SPOTS = {
    "": False,
    "Asha": True,
    "අශා": True,
    "ஆஷா": True,
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3": True,  # Sinhala: a joiner after a virama
    "\u0b95\u0bcd\u200c\u0bb7": True,  # Tamil: the other joiner
    "\u0b95\u200d\u0bb7": False,
    "\U0001f0a1": True,
    "\U0001f600": True,
    "\U0001f6dd": True,  # an emoji new in 14.0
    "\U0001fae8": False,  # in 15.0
    "A\U00013439": False,  # 15.0 makes it a format character
    "A\U0001e08f": False,  # and this one a mark
    "A\u0378": False,  # not assigned in any version yet
    "A\ufdd0": False,  # no character, now and ever
    "\U00011700\U0001171e\U0001171e": True,  # marks in 14.0, letters' parts (Mc) in 16.0
    "\U00011700\U0001171e\U0001171e\U0001171e": False,
    "\U00011f00\U00011f42\u200d": False,  # a virama since 15.0
}
"""Names and texts that are none."""
ASK = """
import { canBeShown, isName } from "./names.mjs";
import { readFileSync } from "node:fs";
const { names, codes } = JSON.parse(readFileSync(0, "utf8"));
const kinds = codes.map((code) => String.fromCodePoint(code))
  .map((c) => [c, c + c + c, c + "\\u200d"].map((text) => Number(canBeShown(text))).join(""));
console.log(JSON.stringify({ kinds, names: names.map(isName) }));
"""
"""Asks the second verifier of names; and of characters whether each is shown, also three times in a
row (a mark is not) and before a joiner (a virama is)."""
CODES = [*range(0x3500), *range(0x9F00, 0xAC80), *range(0xD700, 0x20080)]
"""Without the ideographs and the syllables of Hangul: only the edges of these are compared. Other
characters that are shown lie in no plane behind."""


@pytest.mark.skipif(
    unicodedata.unidata_version != VERSION,
    reason=f"this Python has Unicode {unicodedata.unidata_version}, and only 3.11 has 14.0",
)
def test_the_table_is_that_of_unicode_14() -> None:
    assert FILE.read_text(encoding="utf-8") == module(), "run scripts/dev characters"


@pytest.mark.parametrize("text", SPOTS, ids=ascii)
def test_no_table_of_the_running_python_is_asked(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for asked in ("category", "combining", "bidirectional", "name"):
        monkeypatch.setattr(unicodedata, asked, None)
    assert is_name(text) == SPOTS[text]


def kind_of(char: str) -> str:
    """What `ASK` says of a character."""
    return "".join(str(int(shown(t) == t)) for t in (char, 3 * char, f"{char}\u200d"))


def texts() -> list[str]:
    """Names and nearly names, of characters that a rule speaks of and of any others."""
    rng = random.Random(14)
    edges = [
        int(edge, 16) + step
        for runs in (unicode_14.HIDDEN, unicode_14.MARKS, unicode_14.VIRAMAS)
        for edge in runs.replace("-", " ").split()
        for step in (-1, 0, 1)
    ]
    pools = (
        [chr(code) for code in edges if 0 <= code <= 0x10FFFF and not 0xD800 <= code < 0xE000],
        list("aZ \u0dca\u200d\u0bcd\u200c\u0301\u20dd\u0dbb\u0b95"),
        list("().,:\uff08\u2026\u2488\u3000\u00a0\u2800\ufe0f"),
        [chr(rng.randrange(0x20, 0xD800)) for _ in range(99)],
    )
    made = [
        "".join(rng.choice(rng.choices(pools, (3, 6, 1, 3))[0]) for _ in range(rng.randint(1, 9)))
        for _ in range(900)
    ]
    return [*SPOTS, *made, *(f"a{char}a" for char in pools[0])]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing")
def test_the_second_verifier_judges_names_alike() -> None:
    asked = texts()
    done = subprocess.run(
        ["node", "--input-type=module", "-e", ASK],
        input=json.dumps({"names": asked, "codes": CODES}),
        capture_output=True,
        text=True,
        check=True,
        cwd=PROTOCOL / "verifier",
        timeout=60,
    )
    told = json.loads(done.stdout)
    differ = [
        text for text, name in zip(asked, told["names"], strict=True) if name != is_name(text)
    ]
    assert [ascii(text) for text in differ] == []
    assert 200 < sum(told["names"]) < len(asked) - 200
    kinds = [kind_of(chr(code)) for code in CODES]
    pairs = zip(CODES, kinds, told["kinds"], strict=True)
    assert [hex(code) for code, one, other in pairs if one != other] == []
    assert {*kinds} == {"000", "110", "100", "111", "101"}
