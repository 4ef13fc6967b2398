"""The tables of SPEC.md that protocol/ holds as JSON: made from the code, and told by the text."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from typing import Any

import pytest

from p2p304.crypto import statements
from p2p304.crypto.dleq import verify_dleq
from p2p304.crypto.group import Element, HashedElement
from p2p304.crypto.shuffle import ShuffleStatement, verify_shuffle
from p2p304.crypto.signing import verify
from p2p304.crypto.statements import All, AnyOf, Hidden, NoneAmong, Statement, relations
from p2p304.rules.variants.options import PLAYABLE, Options, conflicts
from p2p304.rules.variants.presets import PRESETS
from scripts.vectors.spec_tables import TABLES
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
    is_current = stored(name) == json.loads(json.dumps(TABLES[name]()))
    assert is_current, f"run scripts/dev tables: protocol/{name} is out of date"


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
    assert made == used


def test_the_text_has_every_option_with_its_values() -> None:
    values = stored("presets.json")["values"]
    told = {}
    for row in cells(section("Options"))[1:]:
        names, lists = re.findall(r"`([^`]+)`", row[0]), row[1].split("; ")
        if len(row) == 3 and names:
            for number, name in enumerate(names):
                told[name] = lists[number if len(lists) > 1 else 0]
    assert told.pop("tokens").startswith("1 to 100") and values.pop("tokens")["to"] == 100
    assert told.pop("timer") == "**`off`**, 5 to 600"
    assert values.pop("timer") == {"or": "off", "from": 5, "to": 600}
    assert {name: sorted(re.findall(r"[\w+-]+", cell)) for name, cell in told.items()} == {
        name: sorted(map(str, allowed)) for name, allowed in values.items()
    }


def is_true(phrase: str, o: Options) -> bool:
    """Whether a cell of the table of *options.together* is true of these options."""
    data = o.to_data()
    left_over, ten = o.stock_size, o.hand_size
    said = {
        "cards left over": left_over > 0,
        "no cards left over, or a number left over that the seats do not divide": left_over
        % o.seats
        > 0
        or left_over == 0,
        "any number of cards left over but 2": left_over != 2,
        "a hand size that is not the sum of its numbers": sum(o.batches) != ten,
        "a pack of fewer than 2·`bid.min` - 100 points, or a *special* bid below it": o.pack.total
        < 2 * o.bid_min - 100
        or o.special < o.bid_min,
        "a pack of other than 304 points": o.pack.total != 304,
        "a deal in two batches with `bid4=numbers`": o.deal != "all_first" and o.bid4 == "numbers",
        "`bid.min`": True,
    }
    if phrase in said:
        return said[phrase]
    if phrase.endswith(" seats"):
        return str(o.seats) in re.findall(r"\d", phrase)
    if " other than " in phrase:
        name, value = re.findall(r"`([^`]+)`", phrase)
        return bool(str(data[name]) != value)
    pairs = [pair.split("=") for pair in re.findall(r"`([^`]+)`", phrase)]
    assert pairs and re.fullmatch(r"(`[\w.]+=[\w+]+`(, or |, )?)+", phrase), phrase
    return any(str(data[name]) == value for name, value in pairs)


def test_the_text_says_which_options_do_not_go_together() -> None:
    table = section("Options").split("*`options.together`.*")[1]
    rows = [row for row in cells(table)[1:] if len(row) == 2]
    drawn = random.Random(1)
    names = [name for name in PLAYABLE if name != "tokens"]
    judged = Counter[bool]()
    for _ in range(6000):
        start = PRESETS[drawn.choice(list(PRESETS))]
        changed = {n: drawn.choice(PLAYABLE[n]) for n in drawn.sample(names, drawn.randint(1, 4))}
        options = start.replaced(changed)
        refused = any(
            is_true(one, options) and any(is_true(part, options) for part in split_cell(other))
            for one, other in rows
        )
        assert refused == any(broken for broken, _ in conflicts(options)), changed
        judged[refused] += 1
    assert min(judged.values()) > 500


def split_cell(cell: str) -> list[str]:
    """The alternatives of a cell of which one is a pair of options and one a phrase."""
    one, found, other = cell.partition(", or `hidden")
    return [one, f"`hidden{other}"] if found else [cell]


def element(text: str) -> Element:
    return Element(bytes.fromhex(text))


def read_statement(data: dict[str, Any]) -> Statement:
    """A statement of protocol/proofs.json."""
    ((form, parts),) = data.items()
    if form == "relations":
        rows = [(element(r["image"]), [(n, element(A)) for n, A in r["terms"]]) for r in parts]
        return relations(*rows)
    if form == "none":
        hidden = tuple(
            Hidden(*(None if one[k] is None else element(one[k]) for k in HIDDEN))  # type: ignore[arg-type]
            for one in parts["hidden"]
        )
        return NoneAmong(hidden, tuple(HashedElement(element(M)) for M in parts["elements"]))
    inner = tuple(map(read_statement, parts))
    return All(inner) if form == "all" else AnyOf(inner)


HIDDEN = ("key", "times", "plus")


@pytest.mark.parametrize(
    "row", stored("proofs.json"), ids=lambda r: f"{r['entry']} {r['word']} {r['file']}"
)
def test_an_example_of_a_proof_holds_as_it_stands(row: dict[str, Any]) -> None:
    context, proof = bytes.fromhex(row["context"]), bytes.fromhex(row["proof"])
    assert re.sub(rb"\d+$", b"0", context.removeprefix(b"p2p304/1 ")[:-33]) == row["word"].encode()
    ((form, data),) = row["statement"].items()
    read: dict[str, Any] = {}
    if form in ("dleq", "shuffle"):
        for key, value in data.items():
            many = isinstance(value, list)
            read[key] = tuple(map(element, value)) if many else element(value)
    if form == "dleq":
        assert verify_dleq(read["A"], read["B"], read["C"], read["D"], proof, context)
    elif form == "shuffle":
        assert verify_shuffle(ShuffleStatement(**read), proof, context)
    else:
        assert statements.verify(read_statement(row["statement"]), proof, context)


def test_the_text_has_every_proof_with_its_check() -> None:
    told = set()
    for row in cells(section("Every proof, exactly")):
        if len(row) in (4, 5) and row[0] != "entry":
            words = re.findall(r"`([a-z ]+0?)`", row[1])
            told |= {
                (entry, word, row[2]) for entry in re.findall(r"`(\w+)`", row[0]) for word in words
            }
    assert told == {(row["entry"], row["word"], row["check"]) for row in stored("proofs.json")}


def test_the_text_has_every_phase_with_its_kinds_and_what_follows() -> None:
    preparation = {"partner", "exchange", "play", "declare"}
    told = {}
    for row in cells(section("Phases")):
        if len(row) == 4 and row[0] != "phase":
            after = set(re.findall(r"`(\w+)`", row[3]))
            after |= preparation if "preparation" in row[3] else set()
            told[row[0].strip("`")] = (row[1], re.findall(r"`(\w+)`", row[2]), after)
    assert told.pop("over")[0] == "nobody"
    made = {row["phase"]: row for row in stored("phases.json")["phases"]}
    assert set(told) == set(made)
    for phase, (floor, kinds, after) in told.items():
        assert (floor == "the trump maker") == (made[phase]["floor"] == "trump maker")
        assert kinds == made[phase]["kinds"]
        assert set(made[phase]["next"]) <= after, phase
