"""The folders of the rules stand on each other, and no module imports another in a circle."""

from __future__ import annotations

import ast
from pathlib import Path

RULES = Path(__file__).parents[2] / "p2p304" / "rules"
LAYERS = ("core", "variants", "state", "caps", "play", "records")
"""From the lowest up: a module imports from its own folder and from those before it."""


def imports() -> dict[str, set[str]]:
    """For every module of the rules the others that it imports, as ``play.engine``."""
    found: dict[str, set[str]] = {}
    for path in RULES.rglob("*.py"):
        own = ".".join(path.relative_to(RULES).with_suffix("").parts).removesuffix(".__init__")
        found[own] = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    found[own].add(_module(node.module, alias.name))
    return {own: {name for name in names if name} for own, names in found.items()}


def _module(package: str, name: str) -> str:
    """The module of the rules that ``from package import name`` imports, or nothing."""
    inner = package.removeprefix("p2p304.rules.")
    if inner == package:
        return ""
    is_module = (RULES.joinpath(*inner.split("."), f"{name}.py")).exists()
    return f"{inner}.{name}" if is_module else inner


def test_a_folder_imports_only_what_it_stands_on() -> None:
    upwards = [
        (own, other)
        for own, others in imports().items()
        for other in others
        if own and LAYERS.index(other.split(".")[0]) > LAYERS.index(own.split(".")[0])
    ]
    assert upwards == []


def test_no_module_imports_another_in_a_circle() -> None:
    left = imports()
    while left:
        free = [own for own, others in left.items() if not others & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for own in free:
            del left[own]


def test_no_import_is_hidden_from_the_interpreter_or_inside_a_function() -> None:
    for path in RULES.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nested = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        assert len(nested) == sum(
            isinstance(node, ast.Import | ast.ImportFrom) for node in tree.body
        )
