"""The tables of SPEC.md that protocol/ holds as JSON: made from the code, and told by the text."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

import pytest

from p2p304.crypto.signing import verify
from scripts.vectors.tables import TABLES
from tests.support.paths import PACKAGE, PROTOCOL, ROOT

SPEC = (ROOT / "SPEC.md").read_text()
SOURCES = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))


def stored(name: str) -> Any:
    return json.loads((PROTOCOL / name).read_text())


def section(title: str) -> str:
    return SPEC.split(f"\n### {title}\n")[1].split("\n### ")[0].split("\n## ")[0]


def cells(text: str) -> list[list[str]]:
    """The cells of every row of the tables in a text, headings included."""
    rows = [line for line in text.splitlines() if line.startswith("| ") and "| --- |" not in line]
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_the_one_that_the_code_makes(name: str) -> None:
    assert stored(name) == json.loads(json.dumps(TABLES[name]()))


def test_a_labelled_hash_is_computed_as_the_text_says() -> None:
    for row in stored("labelled_hashes.json")["hashes"]:
        parts = [bytes.fromhex(part) for part in row["parts"]]
        framed = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
        whole = row["label"].encode() + b"\x00" + framed
        assert hashlib.new("sha512_256", whole).hexdigest() == row["hash"]


def test_a_labelled_signature_holds() -> None:
    for row in stored("labelled_hashes.json")["signatures"]:
        key, message, signature = (bytes.fromhex(row[k]) for k in ("key", "message", "signature"))
        assert message.startswith(row["label"].encode() + b"\x00")
        assert verify(key, message, signature)


def test_every_label_of_a_hash_is_in_the_text_and_in_the_examples() -> None:
    used = set(re.findall(r'digest\(\s*b"(p2p304 [a-z ]+)"', SOURCES))
    made = {row["label"]: row for row in stored("labelled_hashes.json")["hashes"]}
    told = [row for row in cells(section("Labelled hashes")) if row[0].startswith("`p2p304 ")]
    named = [row[0].strip("`") for row in told if len(row) == 3 and len(row[2]) != 66]
    examples = {row[0].strip("`"): row[2].strip("`") for row in told if len(row[-1]) == 66}
    assert set(named) == used == set(made)
    assert examples == {label: row["hash"] for label, row in made.items()}
    code = made["p2p304 code"]["code"]
    assert f"shown as `{code}`" in section("Labelled hashes")
    framed = re.findall(r"^    ([0-9a-f 0]+)$", section("Labelled hashes"), re.MULTILINE)
    pledge = made["p2p304 pledge"]
    whole = bytes.fromhex("".join(framed).replace(" ", ""))
    assert hashlib.new("sha512_256", whole).hexdigest() == pledge["hash"]


def test_every_label_of_a_signature_is_in_the_text_and_in_the_examples() -> None:
    used = set(re.findall(r'b"(p2p304 [a-z ]+)\\x00', SOURCES))
    used -= {"p2p304 announcement", "p2p304 rendezvous"}  # hashes of what is announced by mDNS
    made = {row["label"] for row in stored("labelled_hashes.json")["signatures"]}
    rows = [row for row in cells(section("Labelled hashes")) if len(row) == 2]
    assert {label for row in rows[1:] for label in re.findall(r"`(p2p304 [a-z]+)`", row[0])} == used
    assert made == used - {"p2p304 handshake"}
