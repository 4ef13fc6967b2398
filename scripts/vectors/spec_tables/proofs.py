"""protocol/proofs.json: one example of every proof in the log, out of the sound transcripts.

The statement is what the code verifies at that place. The check is the one that refuses the entry
when that proof, and no other, is judged false.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from p2p304.crypto.group import G
from p2p304.crypto.shuffle import ShuffleStatement
from p2p304.crypto.statements import AnyOf, NoneAmong, Relations, Statement
from p2p304.log.faults import Refused
from p2p304.log.transcript import RawBlock, read_blocks
from p2p304.table.proofs import checks
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.step import step
from tests.support.paths import TRANSCRIPTS

FILES = (
    "closed",
    "exhausted",
    "no-open-trump",
    "reveal-all",
    "outbid",
    "shown-early",
    "rejected",
    "full-court",
    "stock",
    "gathered",
    "caps-late",
    "spoilt",
    "absent-inspected",
)
VERIFIERS = ("verify", "verify_dleq", "verify_shuffle")
Judge = Callable[[str, tuple[Any, ...]], bool | None]
"""A verdict on a proof, by verifier and arguments; None lets the code judge."""


@contextmanager
def judging(judge: Judge) -> Iterator[None]:
    """Ask ``judge`` before each proof of an entry is verified."""
    kept = {name: getattr(checks, name) for name in VERIFIERS}

    def judged(name: str) -> Callable[..., bool]:
        def verify(*arguments: Any) -> bool:
            verdict = judge(name, arguments)
            return bool(kept[name](*arguments)) if verdict is None else verdict

        return verify

    try:
        for name in VERIFIERS:
            setattr(checks, name, judged(name))
        yield
    finally:
        for name in VERIFIERS:
            setattr(checks, name, kept[name])


def proofs() -> list[dict[str, Any]]:
    found: dict[tuple[str, ...], dict[str, Any]] = {}
    for name in FILES:
        data = (TRANSCRIPTS / f"{name}.304").read_bytes()
        replay = Replay(data)
        for block in read_blocks(data):
            _add(found, f"{name}.304", replay, block)
    return [found[key] for key in sorted(found)]


def _add(
    found: dict[tuple[str, ...], dict[str, Any]], file: str, replay: Replay, block: RawBlock
) -> None:
    """Add the proofs of the next block of which there is no example yet."""
    entry, before, new = block.entry.entry, replay.state, dict[tuple[str, ...], dict[str, Any]]()

    def note(name: str, arguments: tuple[Any, ...]) -> None:
        word, fields = _word(arguments[-1]), _fields(name, arguments)
        key = (entry.kind, word, shape(fields["statement"]))
        if key not in found:
            where = {"entry": entry.kind, "word": word, "file": file, "place": entry.seq}
            context, proof = arguments[-1].hex(), arguments[-2].hex()
            new[key] = {**where, "check": "", **fields, "context": context, "proof": proof}

    with judging(note):
        replay.verify_block(block)
    for key, row in new.items():
        with judging(lambda _, arguments, row=row: _word(arguments[-1]) != row["word"]):  # type: ignore[misc]
            try:
                step(before, entry)  # type: ignore[arg-type]
            except Refused as refused:
                found[key] = {**row, "check": refused.finding.check}


def _word(context: bytes) -> str:
    """The word in a context; of ``count1`` and the like, the first of its kind."""
    word = context.removeprefix(b"p2p304/1 ")[:-33].decode()
    return re.sub(r"\d+$", "0", word)


def _fields(name: str, arguments: tuple[Any, ...]) -> dict[str, Any]:
    if name == "verify_dleq":
        A, B, Cs, Ds = arguments[:4]
        pairs = {"C": [C.hex() for C in Cs], "D": [D.hex() for D in Ds]}
        return {"statement": {"dleq": {"A": A.hex(), "B": B.hex(), **pairs}}}
    statement = arguments[0]
    if isinstance(statement, ShuffleStatement):
        decks = {"X": [X.hex() for X in statement.X], "Y": [Y.hex() for Y in statement.Y]}
        keys = {"base": statement.base.hex(), "image": statement.image.hex()}
        return {"statement": {"shuffle": {**keys, **decks}}}
    return {"statement": tree(statement)}


def tree(statement: Statement) -> dict[str, Any]:
    """A statement of the language as JSON."""
    if isinstance(statement, Relations):
        rows = [
            {"image": row.image.hex(), "terms": [[name, A.hex()] for name, A in row.terms]}
            for row in statement.rows
        ]
        return {"relations": rows}
    if isinstance(statement, NoneAmong):
        hidden = [
            {
                "key": one.key.hex(),
                "times": one.times.hex(),
                "plus": None if one.plus is None else one.plus.hex(),
            }
            for one in statement.hidden
        ]
        return {"none": {"hidden": hidden, "elements": [M.hex() for M in statement.elements]}}
    if isinstance(statement, AnyOf):
        return {"any": [tree(branch) for branch in statement.branches]}
    return {"all": [tree(part) for part in statement.parts]}


def shape(statement: dict[str, Any]) -> str:
    """The form of a statement, without its sizes: ``all(any(none))``; ``lock`` where a shuffle
    exchanges one."""
    ((form, parts),) = statement.items()
    if form == "shuffle" and parts["base"] != G.hex():
        return "lock"
    inner = sorted({shape(part) for part in parts}) if form in ("all", "any") else ()
    return f"{form}({','.join(inner)})" if inner else form
