"""Forms: which values a field may have, how they are written, and the JSON Schema.

Responsible for the one way in which values of peers and files are read: a message is a dataclass
whose fields carry their forms, and `record` is the form of the whole. Every form refuses with
Malformed; the number of the refusal is the reader's. Bytes and values are canonical.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from p2p304.wire.canonical import MAX_ITEMS, NotCanonical, Value, decode, encode

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")
M = TypeVar("M", bound="DataclassInstance")


class Malformed(ValueError):
    """A field does not have its form."""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """The form of one field: a reader, which raises Malformed, its JSON Schema, and a writer, which
    is the reader's inverse."""

    read: Callable[[Any], T]
    schema: dict[str, Any]
    write: Callable[[T], Any] = lambda value: value

    def decode(self, raw: bytes, most: int = MAX_ITEMS) -> T:
        """Read canonical bytes of at most so many items; raises Malformed."""
        try:
            return self.read(decode(raw, most))
        except NotCanonical as error:
            raise Malformed("not canonical") from error

    def encode(self, value: T) -> bytes:
        return encode(self.write(value))


def octets(low: int = 0, high: int = 2**32 - 1) -> Form[bytes]:
    """Bytes, ``low`` to ``high`` of them."""

    def read(value: Value) -> bytes:
        if not isinstance(value, bytes) or not low <= len(value) <= high:
            raise Malformed(f"not {low} to {high} bytes")
        return value

    return Form(read, {"type": "bytes", "minLength": low, "maxLength": high})


def number(low: int = -(2**63), high: int = 2**64 - 1) -> Form[int]:
    """An integer from ``low`` to ``high``."""

    def read(value: Value) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise Malformed(f"not a number from {low} to {high}")
        return value

    return Form(read, {"type": "integer", "minimum": low, "maximum": high})


def string() -> Form[str]:
    """Any text."""

    def read(value: Value) -> str:
        if not isinstance(value, str):
            raise Malformed("not text")
        return value

    return Form(read, {"type": "string"})


def text(low: int, high: int) -> Form[str]:
    """Printable ASCII of ``low`` to ``high`` characters. What is printable beyond ASCII depends on
    the version of Unicode, and a verdict must not."""

    def read(value: Value) -> str:
        is_plain = isinstance(value, str) and value.isascii() and value.isprintable()
        if not isinstance(value, str) or not is_plain or not low <= len(value) <= high:
            raise Malformed(f"not {low} to {high} printable ASCII characters")
        return value

    schema = {"type": "string", "pattern": "^[ -~]*$", "minLength": low, "maxLength": high}
    return Form(read, schema)


def one_of(*values: T) -> Form[T]:
    """One of these values, of its type: true is not 1."""

    def read(value: Any) -> T:
        if not any(type(value) is type(each) and value == each for each in values):
            raise Malformed(f"not {' or '.join(map(str, values))}")
        return value  # type: ignore[no-any-return]

    return Form(read, {"enum": list(values)})


def many(form: Form[T], low: int = 0, high: int = MAX_ITEMS) -> Form[tuple[T, ...]]:
    """A list of ``low`` to ``high`` items of one form, read as a tuple."""

    def read(value: Value) -> tuple[T, ...]:
        if not isinstance(value, list) or not low <= len(value) <= high:
            raise Malformed(f"not a list of {low} to {high} items")
        return tuple(form.read(item) for item in value)

    schema = {"type": "array", "items": form.schema, "minItems": low, "maxItems": high}
    return Form(read, schema, lambda items: [form.write(item) for item in items])


def maybe(form: Form[T], nothing: Value = None) -> Form[T | None]:
    """This form, or ``nothing``, which is read as None."""

    def read(value: Value) -> T | None:
        is_nothing = type(value) is type(nothing) and value == nothing
        return None if is_nothing else form.read(value)

    schema = {"anyOf": [form.schema, {"type": "null"} if nothing is None else {"enum": [nothing]}]}
    return Form(read, schema, lambda value: nothing if value is None else form.write(value))


def checked(form: Form[T], holds: Callable[[T], bool], otherwise: str) -> Form[T]:
    """This form, for values of which ``holds`` is true."""

    def read(value: Value) -> T:
        result = form.read(value)
        if not holds(result):
            raise Malformed(otherwise)
        return result

    return Form(read, form.schema, form.write)


def mapping() -> Form[dict[str, Value]]:
    """A map, whose fields are read elsewhere."""

    def read(value: Value) -> dict[str, Value]:
        if not isinstance(value, dict):
            raise Malformed("not a map")
        return value

    return Form(read, {"type": "object"})


def anything() -> Form[Any]:
    """Any value, which is read elsewhere."""
    return Form(lambda value: value, {})


def exactly(forms: Mapping[str, Form[Any]], optional: Collection[str] = ()) -> Form[dict[str, Any]]:
    """A map with these fields, read in this order, and no others; the ``optional`` ones may be
    absent."""
    required = {name for name in forms if name not in optional}

    def read(value: Value) -> dict[str, Any]:
        if not isinstance(value, dict) or not forms.keys() >= value.keys() >= required:
            raise Malformed(f"other fields than {', '.join(forms)}")
        given = {}
        for name, form in forms.items():
            if name in value:
                try:
                    given[name] = form.read(value[name])
                except Malformed as error:
                    raise Malformed(f"{name}: {error}") from error
        return given

    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in forms if name in required],
        "properties": {name: form.schema for name, form in forms.items()},
    }
    return Form(read, schema)


def of(form: Form[T], name: str = "", default: Any = MISSING) -> T:
    """Declare a dataclass field of this form; ``name`` is its name in the map, if it is another."""
    declared: T = field(default=default, metadata={"form": form, "name": name})
    return declared


def optional(form: Form[Any], absent: Any = None) -> Any:
    """Declare a dataclass field that is in the map only if its value is not ``absent``."""
    return field(default=absent, metadata={"form": form, "name": "", "optional": True})


def forms_of(message: type[DataclassInstance]) -> dict[str, Form[Any]]:
    """Return the forms of a dataclass's fields, by their names in the map."""
    return {item.metadata["name"] or item.name: item.metadata["form"] for item in fields(message)}


def record(message: type[M], **fixed: Value) -> Form[M]:
    """A map with the fields of this dataclass, and those that are ``fixed`` to one value."""
    declared = dict(zip(forms_of(message), fields(message), strict=True))
    absent = {name for name, item in declared.items() if "optional" in item.metadata}
    whole = exactly(
        {**{name: one_of(value) for name, value in fixed.items()}, **forms_of(message)}, absent
    )

    def read(value: Value) -> M:
        given = whole.read(value)
        return message(**{item.name: given[n] for n, item in declared.items() if n in given})

    def write(value: M) -> dict[str, Value]:
        values = {name: getattr(value, item.name) for name, item in declared.items()}
        kept = {n: v for n, v in values.items() if n not in absent or v != declared[n].default}
        return {**fixed, **{n: declared[n].metadata["form"].write(v) for n, v in kept.items()}}

    return Form(read, whole.schema, write)
