"""The engine that calls libsodium's ristretto255: in the package rbcl, or in the system.

Responsible for the border to C: every length is checked before a call and every return code after
it. libsodium has four traps: it accepts a scalar at or above the order; 1.0.18 ignores the top bit
of an encoding, so that every element would have two encodings; an invalid element gives the
identity if the return code is ignored; and a multiplication returns -1 both for an invalid element
and for the identity as result. None of them reaches the callers. The rules for elements and scalars
are crypto/group.py's.

rbcl carries libsodium in a module of its own, which unpacks it into a temporary file at each import
and leaves it there. That module alone is run: the package around it loads doctest and much else,
and nothing of it is used here. Where a loaded library can be unlinked, its file is removed at once;
also where it could not be loaded, because programs may not be run from the temporary folder
(``noexec``). (Windows locks a loaded library: there the file stays, as for every user of rbcl.)

ctypes releases the interpreter's lock during a call, so every call has its own buffer.
"""

from __future__ import annotations

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Final

from p2p304.crypto.engines.errors import NotAnElement

SYSTEM: Final = {
    # Homebrew on ARM and on Intel, MacPorts. A bare name would be looked for in this folder too.
    "darwin": (
        "/opt/homebrew/lib/libsodium.dylib",
        "/usr/local/lib/libsodium.dylib",
        "/opt/local/lib/libsodium.dylib",
    ),
    "win32": ("libsodium-26.dll", "libsodium-23.dll", "libsodium.dll"),  # MSYS2, then others
}
OTHER_SYSTEM: Final = ("libsodium.so.26", "libsodium.so.23", "libsodium.so")
"""The names of Linux distributions and BSDs; Termux has the last."""
_IDENTITY: Final = bytes(32)
_Buffer: Final = ctypes.c_char * 32
_PREFIX: Final = "crypto_core_ristretto255_"


class SodiumEngine:
    """The operations of crypto/group.py:Engine, in a library."""

    def __init__(self, library: ctypes.CDLL, source: str) -> None:
        """Raises ImportError if this is no libsodium that has the group."""

        def function(name: str, *inputs: type, out: bool = True) -> Callable[..., int]:
            found: Callable[..., int] = getattr(library, name)
            setattr(found, "argtypes", [_Buffer, *inputs] if out else [*inputs])  # noqa: B010
            setattr(found, "restype", ctypes.c_int)  # noqa: B010
            return found

        data = ctypes.c_char_p
        try:
            self._multiply = function("crypto_scalarmult_ristretto255", data, data)
            self._multiply_base = function("crypto_scalarmult_ristretto255_base", data)
            self._add = function(f"{_PREFIX}add", data, data)
            self._subtract = function(f"{_PREFIX}sub", data, data)
            self._from_hash = function(f"{_PREFIX}from_hash", data)
            self._is_valid = function(f"{_PREFIX}is_valid_point", data, out=False)
            version = library.sodium_version_string
            version.restype = data
            if library.sodium_init() < 0:
                raise ImportError("libsodium does not start")
        except AttributeError as error:  # a function is missing: too old, or built without it
            raise ImportError("this libsodium has no ristretto255") from error
        self.NAME: Final = f"{source} (libsodium {version().decode()})"

    def multiply(self, x: int, element: bytes) -> bytes:
        """Return x times an element, 0 <= x < Q; raises NotAnElement if the bytes encode no
        element."""
        if len(element) != 32 or element[31] > 127:
            raise NotAnElement("an element is 32 bytes, the top bit clear")
        out = _Buffer()
        if self._multiply(out, x.to_bytes(32, "little"), element) == 0:
            return out.raw
        # -1 says "no element" and "the result is the identity" alike.
        if self.is_element(element) and (x == 0 or element == _IDENTITY):
            return _IDENTITY
        raise NotAnElement("no element has this encoding")

    def multiply_base(self, x: int) -> bytes:
        """Return x times the generator, 0 <= x < Q."""
        out = _Buffer()
        if self._multiply_base(out, x.to_bytes(32, "little")) == 0:
            return out.raw
        if x == 0:
            return _IDENTITY
        raise RuntimeError("libsodium refused a multiplication of the generator")

    def add(self, left: bytes, right: bytes) -> bytes:
        """Return the sum of two elements; raises NotAnElement if either encodes none."""
        return _of_two(self._add, left, right)

    def subtract(self, left: bytes, right: bytes) -> bytes:
        """Return left minus right; raises NotAnElement if either encodes no element."""
        return _of_two(self._subtract, left, right)

    def from_uniform(self, uniform: bytes) -> bytes:
        """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
        if len(uniform) != 64:
            raise ValueError("an element is derived from 64 bytes")
        out = _Buffer()
        if self._from_hash(out, uniform) != 0:
            raise RuntimeError("libsodium refused to derive an element")
        return out.raw

    def is_element(self, encoded: bytes) -> bool:
        """Return whether these bytes are the canonical encoding of an element, the identity
        included."""
        return len(encoded) == 32 and encoded[31] < 128 and self._is_valid(encoded) == 1


def _of_two(function: Callable[..., int], left: bytes, right: bytes) -> bytes:
    if len(left) != 32 or len(right) != 32 or left[31] > 127 or right[31] > 127:
        raise NotAnElement("an element is 32 bytes, the top bit clear")
    out = _Buffer()
    if function(out, left, right) != 0:
        raise NotAnElement("no element has this encoding")
    return out.raw


def rbcl_engine() -> SodiumEngine:
    """Load the libsodium of rbcl; raises ImportError or OSError if that is not possible."""
    spec = _unpacking_module()
    module = module_from_spec(spec)
    try:
        if spec.loader is None:
            raise ImportError("rbcl cannot be loaded")
        spec.loader.exec_module(module)
    except OSError:
        _remove_copy(getattr(module, "lib_path", None))
        raise
    if os.name == "posix":
        _remove_copy(getattr(module, "lib_path", None))
    library = getattr(module, "_sodium", None)
    if not isinstance(library, ctypes.CDLL):
        raise ImportError("this rbcl is another than is known here")
    return SodiumEngine(library, "rbcl")


def _unpacking_module() -> ModuleSpec:
    """Find the module of rbcl that unpacks the library, without running the package."""
    package = find_spec("rbcl")
    if package is None or not package.submodule_search_locations:
        raise ModuleNotFoundError("rbcl is not installed")
    path = Path(next(iter(package.submodule_search_locations)), "_sodium").with_suffix(".py")
    spec = spec_from_file_location("rbcl._sodium", path)
    if spec is None or not path.is_file():
        raise ImportError("this rbcl is another than is known here")
    return spec


def _remove_copy(unpacked: object) -> None:
    """Remove the copy that rbcl has just written, and nothing else."""
    if isinstance(unpacked, str) and Path(unpacked).parent == Path(tempfile.gettempdir()):
        Path(unpacked).unlink(missing_ok=True)


def system_engine() -> SodiumEngine:
    """Load the system's libsodium; raises ImportError if there is none that has the group."""
    for name in SYSTEM.get(sys.platform, OTHER_SYSTEM):
        try:
            return SodiumEngine(ctypes.CDLL(name), "system")
        except (ImportError, OSError):
            continue
    raise ImportError("the system has no libsodium with ristretto255")
