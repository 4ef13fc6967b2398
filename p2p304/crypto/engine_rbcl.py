"""The engine that calls libsodium's ristretto255, as the package rbcl provides it.

Responsible for the border to C: every length is checked before a call and every return code after
it. rbcl's own wrappers do neither, so only the library that it loads is used. libsodium has four
traps: it accepts a scalar at or above the order; 1.0.18 ignores the top bit of an encoding, so that
every element would have two encodings; an invalid element gives the identity if the return code is
ignored; and a multiplication returns -1 both for an invalid element and for the identity as result.
None of them reaches the callers. The rules for elements and scalars are group.py's.

rbcl unpacks libsodium into a temporary file at each import and leaves it there. Where a loaded
library can be unlinked, that file is removed at once. (Windows locks a loaded library: there the
file stays, as for every user of rbcl.)

ctypes releases the interpreter's lock during a call, so every call has its own buffer.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from rbcl._sodium import _sodium as _loaded
from rbcl._sodium import lib_path as _unpacked

from p2p304.crypto.errors import NotAnElement

_IDENTITY: Final = bytes(32)
_Buffer: Final = ctypes.c_char * 32


def _load_library() -> ctypes.CDLL:
    library: ctypes.CDLL = _loaded
    # The copy of libsodium that rbcl has just written is removed, and nothing else.
    path = Path(library._name)
    own = path == Path(_unpacked) and path.parent == Path(tempfile.gettempdir())
    if own and os.name == "posix":
        path.unlink(missing_ok=True)
    if library.sodium_init() < 0:
        raise ImportError("libsodium does not start")
    for name, inputs in {
        "crypto_scalarmult_ristretto255": 2,
        "crypto_scalarmult_ristretto255_base": 1,
        "crypto_core_ristretto255_add": 2,
        "crypto_core_ristretto255_sub": 2,
        "crypto_core_ristretto255_from_hash": 1,
    }.items():
        function = getattr(library, name)
        function.argtypes = [_Buffer, *[ctypes.c_char_p] * inputs]
        function.restype = ctypes.c_int
    library.crypto_core_ristretto255_is_valid_point.argtypes = [ctypes.c_char_p]
    library.crypto_core_ristretto255_is_valid_point.restype = ctypes.c_int
    library.sodium_version_string.restype = ctypes.c_char_p
    return library


_library: Final = _load_library()
_multiply: Final = _library.crypto_scalarmult_ristretto255
_multiply_base: Final = _library.crypto_scalarmult_ristretto255_base
_add: Final = _library.crypto_core_ristretto255_add
_subtract: Final = _library.crypto_core_ristretto255_sub
_from_hash: Final = _library.crypto_core_ristretto255_from_hash
_is_valid: Final = _library.crypto_core_ristretto255_is_valid_point

NAME: Final = f"rbcl (libsodium {_library.sodium_version_string().decode()})"


def multiply(x: int, element: bytes) -> bytes:
    """Return x times an element, 0 <= x < Q; raises NotAnElement if the bytes encode no element."""
    if len(element) != 32 or element[31] > 127:
        raise NotAnElement("an element is 32 bytes, the top bit clear")
    out = _Buffer()
    if _multiply(out, x.to_bytes(32, "little"), element) == 0:
        return out.raw
    # -1 says "no element" and "the result is the identity" alike.
    if is_element(element) and (x == 0 or element == _IDENTITY):
        return _IDENTITY
    raise NotAnElement("no element has this encoding")


def multiply_base(x: int) -> bytes:
    """Return x times the generator, 0 <= x < Q."""
    out = _Buffer()
    if _multiply_base(out, x.to_bytes(32, "little")) == 0:
        return out.raw
    if x == 0:
        return _IDENTITY
    raise RuntimeError("libsodium refused a multiplication of the generator")


def add(left: bytes, right: bytes) -> bytes:
    """Return the sum of two elements; raises NotAnElement if either encodes none."""
    return _of_two(_add, left, right)


def subtract(left: bytes, right: bytes) -> bytes:
    """Return left minus right; raises NotAnElement if either encodes no element."""
    return _of_two(_subtract, left, right)


def _of_two(function: Callable[..., int], left: bytes, right: bytes) -> bytes:
    if len(left) != 32 or len(right) != 32 or left[31] > 127 or right[31] > 127:
        raise NotAnElement("an element is 32 bytes, the top bit clear")
    out = _Buffer()
    if function(out, left, right) != 0:
        raise NotAnElement("no element has this encoding")
    return out.raw


def from_uniform(uniform: bytes) -> bytes:
    """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
    if len(uniform) != 64:
        raise ValueError("an element is derived from 64 bytes")
    out = _Buffer()
    if _from_hash(out, uniform) != 0:
        raise RuntimeError("libsodium refused to derive an element")
    return out.raw


def is_element(encoded: bytes) -> bool:
    """Return whether these bytes are the canonical encoding of an element, the identity
    included."""
    return len(encoded) == 32 and encoded[31] < 128 and bool(_is_valid(encoded) == 1)
