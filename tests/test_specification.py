"""SPEC.md names what the code refuses: every rule and every check has its place there."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import fields

from p2p304.table.proofs.required import ProofKind
from p2p304.wire.bodies import BY_KIND
from tests.support.paths import PACKAGE, ROOT

SPEC = (ROOT / "SPEC.md").read_text()
SOURCES = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))


def test_every_rule_that_refuses_has_a_section() -> None:
    raised = set(re.findall(r'(?:RuleBroken|RecordError)\(\s*"([a-z0-9_.]+)"', SOURCES))
    raised |= set(re.findall(r'rule = "([a-z0-9]+\.[a-z]+)"', SOURCES))
    headings = "\n".join(line for line in SPEC.splitlines() if line.startswith("###"))
    missing = {rule for rule in raised if f"`{rule}`" not in headings}
    assert len(raised) > 30 and not missing


def test_every_check_that_refuses_is_in_the_table() -> None:
    raised = set(re.findall(r'(?:Refused|Finding|HandshakeRefused)\(\s*"([A-Z]\d\d)"', SOURCES))
    raised |= set(re.findall(r'= \(b"[a-z ]+", "([A-Z]\d\d)"', SOURCES))
    rows = [line.split("|")[1] for line in SPEC.splitlines() if re.match(r"\| [A-Z]\d\d", line)]
    named = set(re.findall(r"[A-Z]\d\d", " ".join(rows)))
    assert len(raised) > 30 and raised <= named


def test_every_kind_of_entry_is_described() -> None:
    for kind in BY_KIND:
        assert f"| `{kind}` |" in SPEC


def test_what_every_kind_of_entry_tells_others_is_written_down() -> None:
    section = SPEC.split("### What a fourth player learns")[1].split("\n### ")[0]
    rows = " ".join(line.split("|")[1] for line in section.splitlines() if line.startswith("|"))
    assert len(BY_KIND) >= 20 and not [kind for kind in BY_KIND if f"`{kind}`" not in rows]


def test_the_argument_for_hiding_names_every_field_of_every_entry_and_every_row() -> None:
    section = SPEC.split("### Hiding, as a game")[1].split("\n### ")[0]
    table = section.split("*Field by field.*")[1].split("\n\n")[1].splitlines()[2:]
    named: dict[str, list[str]] = defaultdict(list)
    for line in table:
        kinds, told, why = line.strip("|").split("|")
        assert why.strip(), line
        for kind in re.findall(r"`(\w+)`", kinds):
            named[kind] += re.findall(r"`(\w+)`", told)
    assert {kind: sorted(told) for kind, told in named.items()} == {
        body.KIND: sorted(field.name for field in fields(body)) for body in BY_KIND.values()
    }
    assert not [row for row in ProofKind if f"*{row.label.decode()}*" not in "".join(table)]


def contents(text: str) -> list[str]:
    """The table of contents: every heading of parts and sections, with the anchor that GitHub
    makes of it (a heading that is repeated gets a number)."""
    lines, made = [], Counter[str]()
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    for marks, title in re.findall(r"^(#+) (.+)$", outside, re.MULTILINE):
        anchor = re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
        link = f"{anchor}-{made[anchor]}" if made[anchor] else anchor
        made[anchor] += 1
        if marks in ("##", "###") and title != "Contents":
            lines.append(f"{'  ' * (len(marks) - 2)}* [{title}](#{link})")
    return lines


def test_the_contents_name_every_heading() -> None:
    listed = SPEC.split("\n## Contents\n\n")[1].split("\n\n")[0].splitlines()
    whole = contents(SPEC)
    assert len(whole) > 100 and listed == whole, "they should be:\n" + "\n".join(whole)


def test_the_contents_number_headings_that_are_repeated_and_skip_code() -> None:
    text = "# All\n\n## 1. The `a.b`, part\n\n```\n## none\n```\n\n### Deep (x)\n\n## Deep (x)\n"
    assert contents(text) == [
        "* [1. The `a.b`, part](#1-the-ab-part)",
        "  * [Deep (x)](#deep-x)",
        "* [Deep (x)](#deep-x-1)",
    ]


def test_the_sections_that_define_the_terms_exist() -> None:
    terms = SPEC.split("\n## Terms\n")[1].split("\n## ")[0]
    listed = [line for line in terms.splitlines() if line.startswith("* ")]
    named = re.findall(r"\(\*([^*]+)\*\)\.$", "\n".join(listed), re.MULTILINE)
    assert len(named) == len(listed) > 10
    assert not [name for name in named if f"\n### {name}\n" not in SPEC]
