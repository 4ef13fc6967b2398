"""Places of a Python file that a mutant changes: operators, bounds, conditions, statements,
constants. scripts/stress/mutants.py runs the tests against them."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass
from pathlib import Path

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.And: (r"\band\b", "or"),
    ast.Or: (r"\bor\b", "and"),
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.BitAnd: (r"&", "|"),
    ast.BitOr: (r"\|", "&"),
    ast.LShift: (r"<<", ">>"),
    ast.RShift: (r">>", "<<"),
    ast.FloorDiv: (r"//", "*"),
    ast.Mod: (r"%", "//"),
}
"""How an operator is written, and what takes its place."""
UNCHANGED = ("__repr__", "__str__")
"""Functions that make texts for people."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One file with the bytes from ``start`` to ``end`` replaced."""

    path: Path
    start: int
    end: int
    text: str

    def source(self, original: bytes) -> bytes:
        return original[: self.start] + self.text.encode() + original[self.end :]

    def lines(self, original: bytes) -> tuple[str, str]:
        """The lines that change, before and after, on one line each."""
        first = original.rfind(b"\n", 0, self.start) + 1
        last = original.find(b"\n", self.end)
        before = original[first:last]
        after = original[first : self.start] + self.text.encode() + original[self.end : last]
        return " ".join(before.decode().split()), " ".join(after.decode().split())


class Places(ast.NodeVisitor):
    """Collects the mutants of one file. Leaves out annotations, decorators, texts for people,
    and the ``strict`` of zip, which tests/test_architecture.py holds."""

    def __init__(self, path: Path) -> None:
        self.path, self.raw, self.found = path, path.read_bytes(), list[Mutant]()
        self.starts = [0, *itertools.accumulate(map(len, self.raw.splitlines(keepends=True)))]
        self.members: dict[str, set[str]] = {}
        self.constants: dict[str, object] = {}
        tree = ast.parse(self.raw)
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_member(node):
                self.members.setdefault(ast.unparse(node.value), set()).add(node.attr)
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                name = ast.unparse(node.targets[0])
                self.constants[name] = node.value.value
        self.visit(tree)

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[end_line - 1] + end_column,
        )

    def replace(self, node: ast.expr | ast.stmt, text: str) -> None:
        self.found.append(Mutant(self.path, *self.span(node), text))

    def replace_operator(self, operator: ast.AST, left: ast.expr, right: ast.expr) -> None:
        if type(operator) not in OPERATORS:
            return
        pattern, text = OPERATORS[type(operator)]
        start, end = self.span(left)[1], self.span(right)[0]
        between = re.search(pattern.encode(), self.raw[start:end])
        if between:
            at = start + between.start()
            self.found.append(Mutant(self.path, at, start + between.end(), text))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        if node.name not in UNCHANGED:
            for part in (node.args, *node.body):
                self.visit(part)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for part in node.body:
            self.visit(part)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)
            if not isinstance(node.target, ast.Name):
                self.replace(node, "pass")

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in ("strict", "repr"):
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for operator, (left, right) in zip(node.ops, itertools.pairwise(sides), strict=True):
            self.replace_operator(operator, left, right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        for left, right in itertools.pairwise(node.values):
            self.replace_operator(node.op, left, right)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if isinstance(node.op, ast.BitOr) and is_class(node.right):
            return
        self.replace_operator(node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self.replace(node, f"({ast.unparse(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self.replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self.replace(node, str(node.value + 1))
            if node.value:
                self.replace(node, str(node.value - 1))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        if is_member(node):
            owner = ast.unparse(node.value)
            for other in sorted(self.members[owner] - {node.attr}):
                self.replace(node, f"{owner}.{other}")
        self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        value = self.constants.get(node.id)
        if value is not None and isinstance(node.ctx, ast.Load):
            for other, its_value in self.constants.items():
                if type(its_value) is type(value) and its_value != value:
                    self.replace(node, other)

    def visit_If(self, node: ast.If | ast.IfExp | ast.While) -> None:
        if isinstance(node.test, ast.Name | ast.Attribute | ast.Call):
            self.replace(node.test, f"not {ast.unparse(node.test)}")
        self.generic_visit(node)

    visit_IfExp = visit_While = visit_If

    def generic_visit(self, node: ast.AST) -> None:
        removable = isinstance(node, ast.Raise | ast.AugAssign | ast.Delete)
        removable |= isinstance(node, ast.Continue | ast.Break)
        if isinstance(node, ast.Expr):
            removable = isinstance(node.value, ast.Call | ast.Await)
        if isinstance(node, ast.Assign):
            removable = all(not isinstance(t, ast.Name | ast.Tuple) for t in node.targets)
        if removable and isinstance(node, ast.stmt):
            self.replace(node, "pass")
        super().generic_visit(node)


def is_class(node: ast.expr) -> bool:
    """Whether this reads like a class, as in the union ``Open | Closed``, or is None."""
    if isinstance(node, ast.Name):
        return node.id[0].isupper() and not node.id.isupper()
    return isinstance(node, ast.Constant) and node.value is None


def is_member(node: ast.Attribute) -> bool:
    """Whether this reads like a member of an enum, as ``Phase.PLAY``."""
    return isinstance(node.value, ast.Name) and node.value.id[0].isupper() and node.attr.isupper()
