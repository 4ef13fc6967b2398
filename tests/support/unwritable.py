"""A folder that this process can read and not write, also where the tests run as root."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NOBODY = 65534


@contextmanager
def unwritable(fill: Callable[[Path], object]) -> Iterator[Path]:
    """Yield a data folder after ``fill`` has filled it: in this block it belongs to this process,
    which may not write there. The folder beside it, ``missing``, cannot be made."""
    if sys.platform == "win32":
        pytest.skip("Windows has no such permissions")
    with tempfile.TemporaryDirectory() as place:
        home = Path(place) / "home"
        fill(home)
        for path in (home, *home.rglob("*")):
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
            if path.is_dir():
                path.chmod(0o500)
        is_root = os.geteuid() == 0
        Path(place).chmod(0o555)
        try:
            if is_root:
                os.seteuid(NOBODY)
            yield home
        finally:
            if is_root:
                os.seteuid(0)
            for path in (Path(place), home, home / "games"):
                path.chmod(0o700)
