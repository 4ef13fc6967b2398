"""Every refusal of the rules, read from their sources, has a template that can be translated."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phrases import Phrase, say, verbatim, within_sentence
from p2p304.ui.common.theme import Look
from p2p304.ui.guidance.choice_phrases import broken_rule
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from tests.support.paths import PACKAGE

RULES = PACKAGE / "rules"
NOT_MET = ("action.form", "count.all")
"""Rules that nobody at the screen can break: the form of a written record, the count."""


def refusals() -> Iterator[tuple[str, str, set[str]]]:
    """The rule of each refusal, where it stands, and the functions that make its sentence."""
    for path in sorted(RULES.rglob("*.py")):
        module = ast.parse(path.read_text(encoding="utf-8"))
        tables = {
            node.target.id: makers(node.value, {})
            for node in module.body
            if isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and isinstance(node.value, ast.Dict)
        }
        for function in ast.walk(module):
            if isinstance(function, ast.FunctionDef):
                yield from _in_function(path.name, function, tables)


def _in_function(
    file: str, function: ast.FunctionDef, tables: dict[str, set[str]]
) -> Iterator[tuple[str, str, set[str]]]:
    names = dict(tables)
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names.setdefault(node.targets[0].id, set()).update(makers(node.value, {}))
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "RuleBroken":
            rule = str(getattr(node.args[0], "value", ""))
            yield rule, f"{file}:{node.lineno}", makers(node.args[1], names)


def makers(node: ast.expr, names: dict[str, set[str]]) -> set[str]:
    """``say`` with a literal, or what else makes a sentence."""
    match node:
        case ast.Call(func=ast.Name(id="say"), args=[ast.Constant()]):
            return {"say"}
        case ast.Call(func=ast.Attribute(value=value, attr="filled")):
            return makers(value, names)
        case ast.IfExp(body=body, orelse=orelse):
            return makers(body, names) | makers(orelse, names)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return names.get(name, {name})
        case ast.Dict(values=values):
            return set().union(*(makers(value, names) for value in values))
    return {ast.unparse(node)}


def test_every_refusal_of_the_rules_can_be_translated() -> None:
    found = [one for one in refusals() if one[0] not in NOT_MET]
    assert len(found) >= 70
    assert [one for one in found if one[2] not in ({"say"}, {"broken.phrase"})] == []


def test_a_refusal_is_told_in_the_players_language_with_its_suit() -> None:
    known = {"You must follow suit: {suit}": "[{suit}]"}
    renderer = PhraseRenderer(Look(), lambda text: known.get(text, text))
    told = broken_rule(
        RuleBroken("follow.suit", say("You must follow suit: {suit}", suit=Suit.HEARTS))
    )
    assert renderer.text(told) == f"[{renderer.suit(Suit.HEARTS)[1]}]."


def test_in_english_a_refusal_stands_after_the_name_of_its_rule() -> None:
    broken = RuleBroken("follow.suit", say("You must follow suit: {suit}", suit=Suit.HEARTS), 2)
    assert str(broken) == "follow.suit: you must follow suit: hearts"
    assert str(broken.phrase) == "You must follow suit: hearts"


def test_cards_and_names_keep_their_capital_letter_within_a_sentence() -> None:
    for phrase, text in (
        (say("{card} is not in your hand", card=card("JS")), "JS is not in your hand"),
        (say("{card} is not in your hand", card="That card"), "that card is not in your hand"),
        (say("{bid} is not played", bid="Half court"), "half court is not played"),
        (say("Caps was called"), "Caps was called"),
        (say("Partner Close Caps is not played"), "Partner Close Caps is not played"),
        (verbatim("'x' is not an action"), "'x' is not an action"),
    ):
        assert within_sentence(phrase) == text


def test_what_stands_in_a_gap_is_no_template() -> None:
    nested = say("{nick} has left for good: the hand counts as won by {winners}.", nick="{winners}")
    assert (
        str(nested.filled(winners="NS"))
        == "{winners} has left for good: the hand counts as won by NS."
    )
    assert str(Phrase("{nobody} {")) == "{nobody} {"
