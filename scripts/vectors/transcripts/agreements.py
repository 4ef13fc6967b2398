"""Transcripts that begin with a false agreement, and tables whose name programs could judge
differently (SPEC.md, "The agreement, entry 0")."""

from __future__ import annotations

from dataclasses import replace

from p2p304.crypto.signing import SigningKey
from p2p304.log.transcript import MAGIC, RawBlock
from p2p304.table.agreement.bot_mark import BOT_MARK_FORM, bot_mark
from p2p304.table.agreement.terms import parse_terms
from p2p304.wire.canonical import Value
from scripts.vectors.index import Vector
from scripts.vectors.transcripts.signed_blocks import SEED, first_block, forged
from tests.support.table import simnet


def false_agreements(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Agreements that are none."""
    body = blocks[0].entry.entry.body
    terms: dict[str, Value] = dict(body["terms"])  # type: ignore[arg-type]
    assents = body["assents"]
    rules = {**terms["rules"], "deal": "by mail"}  # type: ignore[dict-item]
    one, two, *others = terms["players"]  # type: ignore[misc, str-unpack]
    mark = BOT_MARK_FORM.write(bot_mark(SigningKey.from_seed(bytes(32)), one["key"]))  # type: ignore[index, call-overload, arg-type]
    marked: list[Value] = [one, {**two, "bot": mark}, *others]  # type: ignore[dict-item]
    lies: dict[str, tuple[dict[str, Value], str]] = {
        "A01": ({"terms": {**terms, "stake": 100}}, "a field too many in the terms"),
        "A02": ({"terms": {**terms, "rules": rules}}, "rules that do not exist"),
        "A08": ({"terms": {**terms, "players": marked}}, "a bot's mark signed for another key"),
        "A03": ({"assents": [*assents[1:], assents[0]]}, "assents exchanged"),  # type: ignore[misc, index]
    }
    found = {
        f"{check}.304": (forged(blocks, 0, change), "not sound", check, f"agreement: {comment}")
        for check, (change, comment) in lies.items()
    }
    return found | _options(blocks, terms)


def _options(blocks: list[RawBlock], terms: dict[str, Value]) -> dict[str, Vector]:
    """Terms at the limits of *The agreement, entry 0*, and options that a program could let pass or
    refuse by another check."""

    def of(rules: dict[str, Value], more: dict[str, Value]) -> bytes:
        changed: Value = {**terms, **more, "rules": {**terms["rules"], **rules}}  # type: ignore[dict-item]
        return forged(blocks, 0, {"terms": changed})

    lies: dict[str, tuple[bytes, str, str]] = {
        "hands-10001": (of({}, {"hands": 10_001}), "A01", "more hands than 10,000"),
        "preset-unknown": (of({"preset": "by mail"}, {}), "A02", "a preset that does not exist"),
        "options-together": (
            of({"away": "playout", "open_trump": "off"}, {}),
            "A02",
            "two values that do not go together",
        ),
        "options-and-watch": (
            of({"tokens": 101}, {"watch": "later"}),
            "A02",
            "a value that does not exist comes before a `watch` that does not",
        ),
    }
    return {
        f"{name}.304": (data, "not sound", check, f"agreement: {comment}")
        for name, (data, check, comment) in lies.items()
    }


def agreed_names(blocks: list[RawBlock]) -> dict[str, Vector]:
    """Agreements that all have signed, with names that programs with other tables of Unicode than
    14.0 judge differently."""
    keys = simnet.signing_keys(SEED, 4)
    terms = parse_terms(dict(blocks[0].entry.entry.body["terms"]))  # type: ignore[arg-type]
    names = {
        "name-new": ("\U0001f6dd \u0dc1\u0dca\u200d\u0dbb\u0dd3", None, "a character new in 14.0"),
        "name-unassigned": ("Friday\U00013439", "A01", "a character that 14.0 does not assign"),
        "name-marks": (
            f"\U00011700{3 * chr(0x1171E)}",
            "A01",
            "three marks in a row that are no marks (Mn) in later versions",
        ),
    }
    return {
        f"{file}.304": (
            MAGIC + first_block(replace(terms, name=name), keys),
            "sound" if check is None else "not sound",
            check,
            f"agreement: a name with {comment}",
        )
        for file, (name, check, comment) in names.items()
    }
