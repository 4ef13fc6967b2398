"""protocol/canonical.json: bytes that are, or are not, one value in canonical encoding."""

from __future__ import annotations

from typing import Any

from p2p304.wire.canonical import MAX_DEPTH, MAX_ITEMS, NotCanonical, decode

_ROWS: tuple[tuple[str, bytes], ...] = (
    ("an empty map", b"\x80"),
    ("eight lists, one in the other", b"\x91" * (MAX_DEPTH - 1) + b"\x90"),
    ("a number in eight lists", b"\x91" * MAX_DEPTH + b"\x01"),
    ("nine lists, the innermost empty", b"\x91" * MAX_DEPTH + b"\x90"),
    ("1,023 numbers in a list: 1,024 items", b"\xdc\x03\xff" + b"\x01" * (MAX_ITEMS - 1)),
    ("1,024 numbers in a list: 1,025 items", b"\xdc\x04\x00" + b"\x01" * MAX_ITEMS),
    ("511 empty lists in a list: 1,023 items", b"\xdc\x01\xff" + b"\x90" * 511),
    ("512 empty lists in a list: 1,025 items", b"\xdc\x02\x00" + b"\x90" * 512),
    ("128 as an unsigned byte", b"\xcc\x80"),
    ("127 in two bytes", b"\xcc\x7f"),
    ("1 as a signed number", b"\xd0\x01"),
    ("-33", b"\xd0\xdf"),
    ("-32 in two bytes", b"\xd0\xe0"),
    ("the greatest number", b"\xcf" + b"\xff" * 8),
    ("keys in order", b"\x82\xa1a\x01\xa2aa\x02"),
    ("keys out of order", b"\x82\xa1b\x01\xa1a\x02"),
    ("the shorter key first, though it comes later", b"\x82\xa1b\x01\xa2aa\x02"),
    ("a key twice", b"\x82\xa1a\x01\xa1a\x01"),
    ("a key that is a number", b"\x81\x01\x01"),
    ("keys by UTF-8: U+FFFF before U+10000", b"\x82\xa3\xef\xbf\xbf\x01\xa4\xf0\x90\x80\x80\x02"),
    ("text that is no UTF-8", b"\xa1\xff"),
    ("a surrogate in text", b"\xa3\xed\xa0\x80"),
    ("text with a zero byte", b"\xa1\x00"),
    ("one byte, as bytes", b"\xc4\x01a"),
    ("one byte, with its length in two", b"\xc5\x00\x01a"),
    ("a float", b"\xca\x00\x00\x00\x00"),
    ("an extension", b"\xd4\x01\x00"),
    ("a value that is cut off", b"\x92\x01"),
    ("something after the value", b"\x01\x01"),
    ("no bytes", b""),
)


def canonical() -> list[dict[str, Any]]:
    return [
        {"comment": comment, "bytes": data.hex(), "canonical": _is_canonical(data)}
        for comment, data in _ROWS
    ]


def _is_canonical(data: bytes) -> bool:
    try:
        decode(data)
    except NotCanonical:
        return False
    return True
