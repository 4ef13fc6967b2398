"""Strict canonical MessagePack: every value has exactly one encoding.

Responsible for the only way in which values become bytes and bytes become values, for entries,
receipts, messages and files. What a value means is not known here; the forms of message fields are
forms.py's.

Values are None, bool, int (-2**63 to 2**64 - 1), str, bytes, list and dict with str keys. Integers
and lengths take their shortest form. Dict keys are in ascending order of their UTF-8 bytes. Floats
and extension types are not allowed (SPEC.md, "Canonical encoding"). Lists and dicts hold at most
1,024 items in all, themselves included, and nest at most 8 deep.
"""

from __future__ import annotations

from typing import TypeAlias, Union

import msgpack

Value: TypeAlias = Union[bool, int, str, bytes, "list[Value]", "dict[str, Value]", None]

MAX_DEPTH = 8
MAX_ITEMS = 1024
"""The most items in a whole value: its lists and dicts, and what they hold. Without this limit 62
kB of empty dicts take a quarter of a second to refuse. A header alone also makes the library
allocate memory for all items that it announces."""
FEW_ITEMS = 64
"""The limit for messages of few fields: receipts, sync, absence votes, evidence, watching."""


class NotCanonical(ValueError):
    """The bytes are not the one encoding of a value, or the value has no encoding."""


def encode(value: Value) -> bytes:
    """Return the canonical bytes of ``value``; raises NotCanonical if it has none."""
    try:
        ordered = _ordered(value, 0, _Count(MAX_ITEMS))
        return bytes(msgpack.packb(ordered, use_bin_type=True))
    except (TypeError, ValueError, OverflowError, UnicodeEncodeError) as error:
        raise NotCanonical("this value has no canonical encoding") from error


def decode(data: bytes, most: int = MAX_ITEMS) -> Value:
    """Return the value that ``data`` encodes; raises NotCanonical for anything else.

    Raises it as soon as there are more than ``most`` items. The value must encode to the same bytes
    again: a long form of an integer, an unordered or repeated key, a float, an extension and
    trailing bytes are all refused.
    """
    count = _Count(most)
    try:
        value: Value = msgpack.unpackb(
            data,
            raw=False,
            strict_map_key=True,
            use_list=True,
            list_hook=count.as_list,
            object_pairs_hook=count.as_dict,
            max_ext_len=0,
            max_str_len=len(data),
            max_bin_len=len(data),
            max_array_len=most,
            max_map_len=most,
        )
    except (msgpack.UnpackException, ValueError, TypeError, RecursionError) as error:
        raise NotCanonical("not one MessagePack value") from error
    if encode(value) != data:
        raise NotCanonical("not the canonical encoding of its value")
    return value


class _Count:
    """The number of items that a value may still have."""

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        self.left = most

    def take(self, items: int) -> None:
        """Count a list or dict of so many items; raises NotCanonical if these are too many."""
        self.left -= 1 + items
        if self.left < 0:
            raise NotCanonical("too many items")

    def as_list(self, items: list[Value]) -> list[Value]:
        self.take(len(items))
        return items

    def as_dict(self, pairs: list[tuple[str, Value]]) -> dict[str, Value]:
        self.take(len(pairs))
        return dict(pairs)


_LEAVES = frozenset({bool, int, str, bytes, type(None)})
_KEYS = frozenset({str})


def _ordered(value: Value, depth: int, count: _Count) -> Value:
    if type(value) in _LEAVES:
        return value
    if depth >= MAX_DEPTH:
        raise NotCanonical(f"nested more than {MAX_DEPTH} deep")
    if isinstance(value, list | dict):
        count.take(len(value))
    # Nearly all items are leaves: looking at each in Python would be most of the work.
    if isinstance(value, list):
        if _LEAVES.issuperset(map(type, value)):
            return value
        return [i if type(i) in _LEAVES else _ordered(i, depth + 1, count) for i in value]
    if isinstance(value, dict):
        if not _KEYS.issuperset(map(type, value)):
            raise NotCanonical("a key that is not text")
        # Text compares by code points, which is the order of its UTF-8 bytes.
        if _LEAVES.issuperset(map(type, value.values())):
            return {key: value[key] for key in sorted(value)}
        return {
            key: item if type(item := value[key]) in _LEAVES else _ordered(item, depth + 1, count)
            for key in sorted(value)
        }
    raise NotCanonical(f"{type(value).__name__} has no canonical encoding")
