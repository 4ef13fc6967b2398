"""Forms: each takes what lies at its bounds and refuses what lies one beyond."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any

import pytest

from p2p304.wire.bodies import BY_KIND, schema
from p2p304.wire.canonical import Value, encode
from p2p304.wire.forms import (
    Form,
    Malformed,
    anything,
    checked,
    exactly,
    forms_of,
    many,
    mapping,
    maybe,
    number,
    octets,
    of,
    one_of,
    optional,
    record,
    string,
    text,
)
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
        (text(1, 2), ["a", " ~", "ab"], ["", "abc", "\x00", "a\n", "\x7f", "අ", b"a", None]),
        (many(number(0, 1), 1, 2), [[0], [0, 1]], [[], [0, 0, 0], [2], [0, 2], {}, None]),
        (maybe(number(0, 1)), [None, 0, 1], [2, False, ""]),
        (maybe(octets(1, 1), b""), [b"", b"a"], [None, "", b"ab"]),
        (mapping(), [{}, {"a": None}], [[], None, "a", b""]),
        (string(), ["", "\n"], [b"", None, 1]),
        (one_of(1, "a"), [1, "a"], [True, 0, "b", b"a", [1], None]),
        (checked(number(), lambda n: n % 2 == 0, "odd"), [-2, 2**64 - 2], [1, True, 2**64]),
        (anything(), [None, [b""]], []),
        (
            exactly({"a": number(0, 1), "b": string()}, ("b",)),
            [{"a": 1}, {"a": 0, "b": ""}],
            [{}, {"b": ""}, {"a": 2}, {"a": 1, "b": 1}, {"a": 1, "c": 1}, [], None],
        ),
    ],
)
def test_a_form_takes_its_bounds_and_nothing_beyond(
    form: Form[Any], good: list[Value], bad: list[Value]
) -> None:
    for value in good:
        assert form.write(form.read(value)) == value
        assert form.encode(form.decode(encode(value))) == encode(value)
    for value in bad:
        with pytest.raises(Malformed):
            form.read(value)


@dataclass(frozen=True)
class Point:
    x: int = of(number(0, 9))
    y: int = of(number(0, 9), "height", default=3)
    name: str = optional(string(), "")


@dataclass(frozen=True)
class Way:
    points: tuple[Point, ...] = of(many(record(Point), 1, 2))


def test_a_record_is_read_and_written_by_its_fields() -> None:
    form = record(Way, t="way")
    way = Way((Point(1), Point(2, 4, "end")))
    value = {"t": "way", "points": [{"x": 1, "height": 3}, {"x": 2, "height": 4, "name": "end"}]}
    assert form.write(way) == value and form.read(value) == way
    assert form.schema["required"] == ["t", "points"]
    assert form.schema["properties"]["points"]["items"]["required"] == ["x", "height"]
    for wrong in (
        {**value, "t": "street"},
        {**value, "more": 1},
        {"t": "way", "points": []},
        {"t": "way", "points": [{"x": 1}]},
        {"t": "way", "points": [{"x": 1, "y": 3}]},
        {"t": "way", "points": [{"x": 1, "height": 10}]},
    ):
        with pytest.raises(Malformed):
            form.read(wrong)


def test_a_refusal_names_the_field_and_its_form() -> None:
    with pytest.raises(Malformed, match="points: x: not a number from 0 to 9"):
        record(Way).read({"points": [{"x": 10, "height": 3}]})
    with pytest.raises(Malformed, match="not canonical"):
        record(Way).decode(b"\xc1")


def test_bytes_and_numbers_without_bounds_have_those_of_their_encoding() -> None:
    """The most bytes and the integers that MessagePack can write."""
    assert octets().schema == {"type": "bytes", "minLength": 0, "maxLength": 2**32 - 1}
    assert number().schema == {"type": "integer", "minimum": -(2**63), "maximum": 2**64 - 1}
