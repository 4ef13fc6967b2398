"""Forms of fields: how a value is encoded, which values are refused, and the JSON Schema.

Responsible for the forms of message fields; which message has which fields is bodies.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from p2p304.wire.canonical import Value

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class Malformed(ValueError):
    """A field does not have its form."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of one field: a reader, which raises Malformed, and its JSON Schema."""

    read: Callable[[Value], Any]
    schema: dict[str, Any]


def octets(low: int, high: int) -> Form:
    """Bytes, ``low`` to ``high`` of them."""

    def read(value: Value) -> bytes:
        if not isinstance(value, bytes) or not low <= len(value) <= high:
            raise Malformed(f"not {low} to {high} bytes")
        return value

    return Form(read, {"type": "bytes", "minLength": low, "maxLength": high})


def number(low: int, high: int) -> Form:
    """An integer from ``low`` to ``high``."""

    def read(value: Value) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise Malformed(f"not a number from {low} to {high}")
        return value

    return Form(read, {"type": "integer", "minimum": low, "maximum": high})


def text(low: int, high: int) -> Form:
    """Printable text of ``low`` to ``high`` characters."""

    def read(value: Value) -> str:
        if not isinstance(value, str) or not low <= len(value) <= high or not value.isprintable():
            raise Malformed(f"not printable text of {low} to {high} characters")
        return value

    return Form(read, {"type": "string", "minLength": low, "maxLength": high})


def many(form: Form, low: int, high: int) -> Form:
    """A list of ``low`` to ``high`` items of one form, read as a tuple."""

    def read(value: Value) -> tuple[Any, ...]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise Malformed(f"not a list of {low} to {high} items")
        return tuple(form.read(item) for item in value)

    return Form(read, {"type": "array", "items": form.schema, "minItems": low, "maxItems": high})


def maybe(form: Form) -> Form:
    """This form, or nil."""

    def read(value: Value) -> Any:
        return None if value is None else form.read(value)

    return Form(read, {"anyOf": [form.schema, {"type": "null"}]})


def mapping() -> Form:
    """A map, whose fields are read elsewhere."""

    def read(value: Value) -> dict[str, Value]:
        if not isinstance(value, dict):
            raise Malformed("not a map")
        return value

    return Form(read, {"type": "object"})


def of(form: Form) -> Any:
    """Declare a dataclass field of this form."""
    return field(metadata={"form": form})


def forms_of(message: type[DataclassInstance]) -> dict[str, Form]:
    """Return the forms of a dataclass's fields, by name."""
    return {item.name: item.metadata["form"] for item in fields(message)}
