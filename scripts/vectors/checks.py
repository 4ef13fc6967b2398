"""Writes protocol/checks.json (after scripts/dev vectors-table): every numbered check, where it is
raised, what trips it. Prints the next free number of each letter.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from tests.support.paths import PACKAGE, PROTOCOL, ROOT

RAISERS = {"Refused", "Unexplained", "Finding", "HandshakeRefused"}


def places() -> dict[str, list[str]]:
    """Check to the functions that raise it, as ``file:function``."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        file = str(path.relative_to(ROOT))
        for check, where in raised(ast.parse(path.read_text(encoding="utf-8")), ()):
            found[check].add(f"{file}:{where}")
    return {check: sorted(where) for check, where in sorted(found.items())}


def raised(tree: ast.AST, inside: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for node in ast.iter_child_nodes(tree):
        named = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        within = (*inside, node.name) if named else inside  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and _name(node.func) in RAISERS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value, ".".join(within)
        if isinstance(node, ast.Tuple) and inside[-1:] == ("ProofKind",) and len(node.elts) == 3:
            yield ast.literal_eval(node.elts[1]), "ProofKind"
        yield from raised(node, within)


def _name(function: ast.expr) -> str:
    return getattr(function, "id", getattr(function, "attr", ""))


def sentences() -> dict[str, tuple[str, str]]:
    """Check to what SPEC.md's table says is checked, and whether it proves anything."""
    told: dict[str, tuple[str, str]] = {}
    for line in (ROOT / "SPEC.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if re.match(r"\| [A-Z]\d\d", line) and len(cells) == 3:
            proven = "no" if cells[0].startswith("N") else cells[2]
            for check in cells[0].split():
                told.setdefault(check, (cells[1], proven))
    return told


def trips() -> dict[str, list[str]]:
    """Check to the cheats and nuisances of all catalogues that trip it."""
    from tests.support.cheats import catalogue
    from tests.support.cheats.agreement import (
        FALSE_AGREEMENTS,
        FALSE_ENDS,
        EndsATableThatWaits,
        GoesOnRicher,
    )
    from tests.support.cheats.receipts import FALSE_RECEIPTS, PlaysOverAClaim
    from tests.support.hostile.damaged_transcripts import DAMAGES
    from tests.support.hostile.false_boxes import FALSE_BOXES
    from tests.support.hostile.false_dialers import FALSE_DIALERS
    from tests.support.hostile.false_gatherings import FALSE_GATHERINGS
    from tests.support.hostile.false_words import FALSE_WORDS
    from tests.support.hostile.foreign_words import NO_WORDS
    from tests.support.hostile.impostors import IMPOSTORS, SaysNothing
    from tests.support.hostile.nuisances import NUISANCES

    found: dict[str, list[str]] = defaultdict(list)
    kinds: list[Any] = [
        *catalogue.CHEATS,
        *FALSE_AGREEMENTS,
        *FALSE_RECEIPTS,
        *FALSE_BOXES,
        PlaysOverAClaim,
        *FALSE_ENDS,
        *FALSE_WORDS,
        EndsATableThatWaits,
        GoesOnRicher,
        *DAMAGES,
        *NUISANCES,
        *NO_WORDS,
        *IMPOSTORS,
        *FALSE_DIALERS,
        SaysNothing,
        *FALSE_GATHERINGS,
    ]
    for kind in kinds:
        if kind.check is not None:
            found[kind.check].append(kind.__name__)
    return {check: sorted(names) for check, names in found.items()}


def vectors() -> dict[str, list[str]]:
    """Check to the transcripts, evidence files and messages that must be refused by it."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in (
        "transcripts",
        "evidence",
        "messages",
        "certificates",
        "continued",
        "words",
        "handshakes",
    ):
        for vector in json.loads((PROTOCOL / folder / "index.json").read_text()):
            if vector["check"]:
                found[vector["check"]].append(f"{folder}/{vector['file']}")
    derived = json.loads((PROTOCOL / "derived.json").read_text())
    for row in (*derived["transcripts"], *derived["evidence"]):
        if row["check"]:
            found[row["check"]].append(f"derived.json: {row['comment']}")
    return found


def listing() -> list[dict[str, Any]]:
    said, tripped, shown = sentences(), trips(), vectors()
    return [
        {
            "check": check,
            "says": said[check][0],
            "proven": said[check][1],
            "places": where,
            "cheats": tripped.get(check, []),
            "vectors": shown.get(check, []),
        }
        for check, where in places().items()
    ]


def next_numbers(known: Iterable[str]) -> list[str]:
    """Return the number that a new check takes, for each letter: gaps stay empty."""
    highest: dict[str, int] = {}
    for check in known:
        highest[check[0]] = max(highest.get(check[0], 0), int(check[1:]))
    return [f"{letter}{number + 1:02}" for letter, number in sorted(highest.items())]


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/dev checks", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; 1 if out of date")
    only_checks = parser.parse_args().check
    known = listing()
    text = json.dumps(known, indent=1, ensure_ascii=False) + "\n"
    path = PROTOCOL / "checks.json"
    free = ", ".join(next_numbers(each["check"] for each in known))
    sys.stdout.write(f"The next free number of each letter: {free}.\n")
    if only_checks:
        if path.read_text(encoding="utf-8") != text:
            sys.exit("protocol/checks.json is out of date: run scripts/dev checks.")
    else:
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
