"""Which program this is: a result is as good as the program that made it.

Responsible for the digest of the package, by which kept results and other computers are compared.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import p2p304


@cache
def program_digest() -> str:
    """Return a digest of every file of Python in the package: a version's number alone would not
    tell two states of it apart."""
    folder = Path(p2p304.__file__).parent
    digest = hashlib.sha256(p2p304.__version__.encode())
    for path in sorted(folder.rglob("*.py")):
        data = path.read_bytes()
        digest.update(f"\n{path.relative_to(folder).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()
