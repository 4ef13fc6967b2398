"""Forms: each takes what lies at its bounds and refuses what lies one beyond."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from p2p304.wire.bodies import BY_KIND, schema
from p2p304.wire.canonical import Value
from p2p304.wire.forms import Form, Malformed, forms_of, many, mapping, maybe, number, octets, text
from tests.support.paths import PROTOCOL


def within(form: dict[str, Any]) -> list[Any]:
    """The least and the greatest value of a published form."""
    if "anyOf" in form:
        return [value for one in form["anyOf"] for value in within(one)]
    match form["type"]:
        case "null":
            return [None]
        case "bytes":
            return [bytes(size) for size in (form["minLength"], form["maxLength"])]
        case "string":
            return ["x" * size for size in (form["minLength"], form["maxLength"])]
        case "integer":
            return [form["minimum"], form["maximum"]]
        case "array":
            item = within(form["items"])[-1]
            return [[item] * size for size in (form["minItems"], form["maxItems"])]
    assert form == {"type": "object"}
    return [{}, {"a": 1}]


def beyond(form: dict[str, Any]) -> list[Any]:
    """Values one beyond the bounds of a published form, and of other types."""
    if "anyOf" in form:
        null, other = {"type": "null"}, form["anyOf"][0]
        assert form["anyOf"] == [other, null]
        return [value for value in beyond(other) if value is not None]
    wrong: list[Any] = [None, True, 1.5]
    match form["type"]:
        case "bytes":
            low, high = form["minLength"], form["maxLength"]
            return wrong + ["x" * low, bytes(high + 1)] + [bytes(low - 1)] * (low > 0)
        case "string":
            low, high = form["minLength"], form["maxLength"]
            return [*wrong, b"x" * low, "x" * (high + 1), "\n" * low, "x" * (low - 1)]
        case "integer":
            return [*wrong, "1", form["minimum"] - 1, form["maximum"] + 1]
        case "array":
            low, high = form["minItems"], form["maxItems"]
            good, bad = within(form["items"])[0], beyond(form["items"])
            sizes = [[good] * (high + 1)] + [[good] * (low - 1)] * (low > 0)
            return [*wrong, *sizes, {}, *([good] * (max(low, 1) - 1) + [each] for each in bad)]
    return [*wrong, [], "x"]


PUBLISHED = json.loads((PROTOCOL / "messages.schema.json").read_text(encoding="utf-8"))
FIELDS = [
    (kind, name, form)
    for kind, body in PUBLISHED["definitions"].items()
    for name, form in body["properties"].items()
]


def test_the_bodies_are_the_published_ones() -> None:
    assert json.loads(json.dumps(schema())) == PUBLISHED["definitions"]
    for kind, body in PUBLISHED["definitions"].items():
        assert body["required"] == [field.name for field in fields(BY_KIND[kind])]


@pytest.mark.parametrize(("kind", "name", "form"), FIELDS)
def test_every_field_takes_its_bounds_and_nothing_beyond(
    kind: str, name: str, form: dict[str, Any]
) -> None:
    reader = forms_of(BY_KIND[kind])[name]
    for value in within(form):
        read = reader.read(value)
        assert (list(read) if isinstance(read, tuple) else read) == value
    for value in beyond(form):
        with pytest.raises(Malformed):
            reader.read(value)


@pytest.mark.parametrize(
    ("form", "good", "bad"),
    [
        (octets(0, 2), [b"", b"ab"], [b"abc", "ab", None]),
        (number(-1, 1), [-1, 0, 1], [-2, 2, True, False, "0", None]),
        (text(1, 2), ["a", "අ", "ab"], ["", "abc", "\x00", "a\n", b"a", None]),
        (many(number(0, 1), 1, 2), [[0], [0, 1]], [[], [0, 0, 0], [2], [0, 2], {}, None]),
        (maybe(number(0, 1)), [None, 0, 1], [2, False, ""]),
        (mapping(), [{}, {"a": None}], [[], None, "a", b""]),
    ],
)
def test_a_form_takes_its_bounds_and_nothing_beyond(
    form: Form, good: list[Value], bad: list[Value]
) -> None:
    for value in good:
        read = form.read(value)
        assert (list(read) if isinstance(read, tuple) else read) == value
    for value in bad:
        with pytest.raises(Malformed):
            form.read(value)
