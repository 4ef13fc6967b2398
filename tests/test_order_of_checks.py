"""The program checks entries, receipts and bodies in the order of SPEC.md, "Order of checks": so of
two faults at one place every program names the same."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest

from p2p304.log.entry import Receipt
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, RawBlock, read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.core import notation
from p2p304.table.proofs import checks
from p2p304.table.transition import step as transition
from p2p304.table.transition.phases import duty
from p2p304.table.transition.replay import Replay
from tests.support.hostile.damaged_transcripts import raw_block
from tests.support.paths import ROOT, TRANSCRIPTS

SECTION = (ROOT / "SPEC.md").read_text().split("\n### Order of checks\n")[1].split("\n## ")[0]
BLOCK, OF_A_KIND = SECTION.split("*A block.*")[1].split("*Checks of a kind.*")
RULES, ROWS = "G01", "P08"
RULE_FUNCTIONS = ("act", "after_announcement", "_check_announced_order")
"""Those of step.py that the rules judge an action in."""
GAMES: tuple[str, ...] = (
    "closed",
    "outbid",
    "stock",
    "exchange",
    "full-court",
    "caps-late",
    "spoilt",
)
GAMES += ("rejected", "played-out", "good")
"""Recorded tables that together have entries of every kind."""
UNSEEN = {"marriage": 1}
"""How many G01 of a kind are raised in no function of their own."""


def listed(text: str) -> list[str]:
    return re.findall(r"[A-Z]\d\d", text)


def in_order(some: Iterable[str], whole: list[str]) -> bool:
    """Whether all of some stand in the whole in this order; it may have repetitions."""
    at = iter(whole)
    return all(one in at for one in dict.fromkeys(some))


def rows() -> dict[str, list[list[str]]]:
    """Kind to its rows of checks; `count` has two."""
    told: dict[str, list[list[str]]] = defaultdict(list)
    for kind, checked in re.findall(r"^\| (`\w+`.*?) \| (.*) \|$", OF_A_KIND, re.MULTILINE):
        whole = re.sub(r"\bkeys\b", "D12, D01, D12, D15", re.sub(r"\brows\b", ROWS, checked))
        told[kind.split("`")[1]].append(listed(whole))
    return told


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The checks whose functions are called, one after another."""
    calls: list[str] = []

    def noted(check: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            calls.append(check)
            return function(*arguments)

        return call

    for name, function in vars(checks).copy().items():
        named = re.match(r"([A-Z]\d\d)(?: for each.*?)?:", getattr(function, "__doc__", None) or "")
        if named and callable(function):
            monkeypatch.setattr(checks, name, noted(named.group(1), function))
    proofs = noted(ROWS, checks.check_required_proofs)
    monkeypatch.setattr(checks, "check_required_proofs", proofs)
    for name in RULE_FUNCTIONS:
        monkeypatch.setattr(transition, name, noted(RULES, getattr(transition, name)))
    spoken = noted(RULES, notation.parse_open_action)
    monkeypatch.setattr(notation, "parse_open_action", spoken)
    return calls


def test_the_checks_of_each_kind_are_made_in_the_order_of_its_row(called: list[str]) -> None:
    told, seen = rows(), set()
    for name in GAMES:
        for replayed in Replay((TRANSCRIPTS / f"{name}.304").read_bytes()):
            kind = replayed.kind
            rules = called.count(RULES) + UNSEEN.get(kind, 0)
            order = [check for check, _ in groupby(called)]
            called.clear()
            if kind == "agreement" or not order:
                continue
            seen.add(kind)
            counted = {RULES: rules, ROWS: order.count(ROWS)}
            assert any(
                in_order(order, row) and all(row.count(one) == n for one, n in counted.items())
                for row in told[kind]
            ), (kind, order)
    assert seen == set(told)


def steps(*numbers: int) -> list[str]:
    """The checks of some numbered steps of a block, up to the next step."""
    found = dict(re.findall(r"^(\d+)\. (.*?)(?=^\d+\. |\Z)", BLOCK, re.MULTILINE | re.DOTALL))
    return [check for number in numbers for check in listed(found[str(number)].split("\n")[0])]


def test_the_form_of_a_body_comes_before_the_turn_and_after_a_claim_on_the_floor() -> None:
    data = (TRANSCRIPTS / "S04.304").read_bytes()
    *blocks, last = read_blocks(data)
    replay = Replay(data)
    for block in blocks:
        replay.verify_block(block)
    state, entry = replay.state, last.entry.entry
    assert state is not None
    due = duty(state)
    assert due is not None and due.player != entry.author
    other = next(n for n in range(4) if n not in (due.player, entry.author, state.claims[0][0]))
    malformed, early = replace(entry, body={}), replace(entry, kind="cut", body={"at": 0})
    named = []
    for author, false in (
        (entry.author, replace(early, body={})),
        (other, replace(early, body={})),
        (other, early),
        (due.player, early),
    ):
        with pytest.raises(Refused) as refused:
            transition.step(state, replace(false, author=author))
        named.append(refused.value.finding.check)
    assert named == steps(3)
    with pytest.raises(Refused, match="W04"):
        transition.step(state, replace(malformed, author=due.player))


def test_a_claim_is_judged_after_all_receipts_of_its_block() -> None:
    data = (TRANSCRIPTS / "S03.304").read_bytes()
    *blocks, last = read_blocks(data)
    start = MAGIC + b"".join(map(raw_block, blocks))
    false = next(receipt for receipt in last.receipts if receipt.claim)
    others = [receipt for receipt in last.receipts if receipt is not false]
    bent = replace(others[0], sig=bytes(64))

    def named(*receipts: Receipt) -> str:
        fault = audit(start + raw_block(RawBlock(last.entry, receipts))).fault
        return "" if fault is None else fault.check

    found = [
        named(false, bent),
        named(false, *others[1:]),
        named(*last.receipts[::-1]),
        named(*last.receipts),
    ]
    assert found == ["L07", "L06", "L12", "S03"]
    assert in_order(found, steps(6, 7, 8))
