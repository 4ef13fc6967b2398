"""Which program this is: a result is as good as the program that made it.

Responsible for the digest of the package, by which kept results and other computers are compared,
and of those parts of it that a result depends on.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import p2p304


@cache
def program_digest(*parts: str) -> str:
    """Return a digest of every file of Python in the package, or in these folders of it: a
    version's number alone would not tell two states of it apart."""
    folder = Path(p2p304.__file__).parent
    digest = hashlib.sha256(b"" if parts else p2p304.__version__.encode())
    found = (path for part in parts or (".",) for path in (folder / part).rglob("*.py"))
    for path in sorted(found):
        data = path.read_bytes()
        digest.update(f"\n{path.relative_to(folder).as_posix()} {len(data)}\n".encode() + data)
    return digest.hexdigest()
