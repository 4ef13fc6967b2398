"""The characters of Unicode 14.0 that names depend on, p2p304/wire/unicode_14.py. usage:
scripts/dev characters [--check]

Writes the runs of code points that SPEC.md, "Names", speaks of. Only Python 3.11 has these tables.
``--check`` changes nothing and fails where the file is out of date.
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from collections.abc import Container, Iterator, Sequence
from itertools import groupby

from scripts.usage import answer_help
from tests.support.paths import PACKAGE

VERSION = "14.0.0"
FILE = PACKAGE / "wire" / "unicode_14.py"
HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
MARKS = frozenset({"Me", "Mn"})
VIRAMAS = frozenset({9})
HEAD = '''"""Characters of Unicode 14.0, as first and last code point of every run.

Written by scripts/dev characters. Responsible for data alone: what follows from them is
wire/names.py's.
"""

from __future__ import annotations

from typing import Final
'''


def runs(values: Sequence[object], wanted: Container[object]) -> Iterator[str]:
    """Yield the runs of code points whose value is wanted, in hex: ``ad`` or ``600-605``."""
    code = 0
    for is_wanted, run in groupby(values, lambda value: value in wanted):
        first, code = code, code + len(list(run))
        if is_wanted:
            yield f"{first:x}" if first == code - 1 else f"{first:x}-{code - 1:x}"


def constant(name: str, found: Iterator[str], means: str) -> str:
    lines = textwrap.fill(" ".join(found), 100, break_on_hyphens=False)
    return f'\n{name}: Final = """\n{lines}\n"""\n"""{means}"""\n'


def module() -> str:
    """Return the text of the file."""
    every = list(map(chr, range(sys.maxunicode + 1)))
    kinds = [unicodedata.category(char) for char in every]
    classes = [unicodedata.combining(char) for char in every]
    return (
        HEAD
        + constant("HIDDEN", runs(kinds, HIDDEN), "Cc, Cf, Co, Cs, Zl, Zp, Zs; Cn: not assigned.")
        + constant("MARKS", runs(kinds, MARKS), "Me, Mn.")
        + constant("VIRAMAS", runs(classes, VIRAMAS), "Combining class 9.")
    )


def main() -> None:
    answer_help(__doc__)
    if unicodedata.unidata_version != VERSION:
        sys.exit(f"This Python has Unicode {unicodedata.unidata_version}; take Python 3.11.")
    if sys.argv[1:] == ["--check"]:
        if FILE.read_text(encoding="utf-8") != module():
            sys.exit(f"{FILE.name} is out of date: run scripts/dev characters")
        return
    FILE.write_text(module(), encoding="utf-8")


if __name__ == "__main__":
    main()
