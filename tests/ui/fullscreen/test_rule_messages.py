"""Every refusal of the rules, read from their sources, has a template that can be translated."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from p2p304.rules.core.errors import RuleBroken
from p2p304.ui.common.theme import Look
from p2p304.ui.fullscreen.input.typed_line import broken_rule
from p2p304.ui.fullscreen.model.phrase_renderer import Voice
from p2p304.ui.fullscreen.model.rule_messages import ruled
from tests.support.paths import PACKAGE

RULES = PACKAGE / "rules"
NOT_MET = ("action.form", "count.all")
"""Rules that nobody at the screen can break: the form of a written record, the count."""


def texts(node: ast.expr, names: dict[str, list[str]]) -> list[str]:
    """What an expression may say; a gap in it is one letter."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=values):
            return ["".join(str(v.value) if isinstance(v, ast.Constant) else "X" for v in values)]
        case ast.IfExp(body=body, orelse=orelse):
            return texts(body, names) + texts(orelse, names)
        case ast.Name(id=name):
            return names.get(name, [])
    return []


def refusals() -> Iterator[str]:
    for path in sorted(RULES.rglob("*.py")):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                yield from _in_function(function)


def _in_function(function: ast.FunctionDef) -> Iterator[str]:
    names: dict[str, list[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, []).extend(texts(node.value, {}))
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != "RuleBroken":
            continue
        if getattr(node.args[0], "value", "") not in NOT_MET:
            yield from texts(node.args[1], names)


def test_every_refusal_of_the_rules_can_be_translated() -> None:
    found = sorted(set(refusals()))
    assert len(found) >= 80
    assert [text for text in found if ruled(text).text == "{sentence}"] == []


@pytest.mark.parametrize(
    "reason",
    [
        "NS made 160 with 196 points.",
        "S+N failed 250 with 240 points and -40 for marriages and the last trick.",
        "EW made Partner Close Caps.",
        "NS called Caps too late: it had been due since trick 5.",
        "EW called spoilt trumps wrongly: NS are paid.",
        "All passed: no score, and the deal passes on.",
        "NS broke a rule (play.follow): the hand is void, and EW are paid.",
        *(
            f"Bandu {what}: {end}."
            for what in ("is proven at fault", "has left for good")
            for end in ("NS are paid", "the hand is void, and NS are paid")
        ),
        "Bandu has left for good: the hand is void.",
    ],
)
def test_a_result_reads_as_it_came_and_can_be_translated(reason: str) -> None:
    phrase = ruled(reason)
    assert phrase.text != "{sentence}" and re.search(r"\{|passed", phrase.text)
    assert "{why}" not in phrase.text
    assert Voice(Look()).text(phrase) == reason


def test_a_refusal_is_told_in_the_players_language_with_its_suit_and_rule() -> None:
    known = {"You must follow suit: {suit}": "[{suit}]", "hearts": "<3"}
    voice = Voice(Look(), lambda text: known.get(text, text))
    told = broken_rule(RuleBroken("follow.suit", "you must follow suit: hearts"))
    assert voice.text(told) == "[<3] (follow.suit)."
