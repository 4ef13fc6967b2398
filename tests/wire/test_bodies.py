"""Bodies: every kind round-trips, and every other form is refused."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.wire.bodies import BY_KIND, Body, body_value, parse_body, schema
from p2p304.wire.canonical import decode, encode
from p2p304.wire.forms import Malformed


def values(form: dict[str, Any]) -> st.SearchStrategy[Any]:
    """What a JSON Schema of ours allows."""
    if "anyOf" in form:
        return st.one_of(*(values(one) for one in form["anyOf"]))
    low, high = form.get("minLength", 0), form.get("maxLength", 64)
    match form["type"]:
        case "null":
            return st.none()
        case "bytes":
            return st.binary(min_size=low, max_size=min(high, low + 40))
        case "integer":
            return st.integers(form["minimum"], form["maximum"])
        case "string":
            return st.text(
                st.characters(min_codepoint=32, max_codepoint=126), min_size=low, max_size=high
            )
        case "array":
            size = form["minItems"]
            return st.lists(
                values(form["items"]), min_size=size, max_size=min(size + 3, form["maxItems"])
            )
    return st.just({})


def bodies(kind: str) -> st.SearchStrategy[Body]:
    forms = schema()[kind]["properties"]
    return st.fixed_dictionaries({name: values(form) for name, form in forms.items()}).map(
        lambda value: parse_body(kind, value)
    )


@given(st.sampled_from(sorted(BY_KIND)).flatmap(bodies))
def test_a_body_round_trips_through_bytes(body: Body) -> None:
    value = decode(encode(body_value(body)))
    assert isinstance(value, dict)
    assert parse_body(body.KIND, value) == body


WITH_FIELDS = sorted(kind for kind, body in BY_KIND.items() if fields(body))


@given(st.sampled_from(WITH_FIELDS).flatmap(bodies), st.data())
def test_a_field_of_another_form_is_refused(body: Body, data: st.DataObject) -> None:
    value = body_value(body)
    name = data.draw(st.sampled_from([field.name for field in fields(body)]))
    wrong = data.draw(st.sampled_from([1.5, -7, True, "\x00", b"x" * 70_000, [[]] * 50, object()]))
    with pytest.raises(Malformed):
        parse_body(body.KIND, {**value, name: wrong})  # type: ignore[dict-item]


@pytest.mark.parametrize("body", BY_KIND.values(), ids=lambda body: body.KIND)
def test_fields_missing_or_too_many_are_refused(body: type[Body]) -> None:
    if fields(body):
        with pytest.raises(Malformed):
            parse_body(body.KIND, {})
    with pytest.raises(Malformed):
        parse_body(body.KIND, {**{f.name: None for f in fields(body)}, "more": 1})


@pytest.mark.parametrize("word", ["p\u00e4ss", "pass\n", "\u1c89", "pass\x7f", ""])
def test_text_beyond_printable_ascii_is_refused(word: str) -> None:
    """Which other characters can be printed depends on the version of Unicode (U+1C89 is new in
    16.0), and all programs must come to one verdict."""
    with pytest.raises(Malformed):
        parse_body("say", {"word": word})


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(Malformed):
        parse_body("nonsense", {})
