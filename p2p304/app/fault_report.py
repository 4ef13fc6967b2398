"""Reports a fault of the program itself to the person and to the developers.

Responsible for one sentence for the person and a file for the developers. The file names the
exception's type and the places in the code that the exception passed, and no text or value, because
those may hold secrets.
"""

from __future__ import annotations

import os
import sys
import tempfile

from p2p304 import __version__
from p2p304.table.exchange.error_boundary import places


def write_fault(error: Exception) -> str:
    """Write the report; returns the sentence for the person."""
    kind = type(error).__name__
    lines = [f"p2p304 {__version__}, Python {sys.version.split()[0]}, {sys.platform}: {kind}"]
    lines += [f"  at {place}" for place in places(error.__traceback__)[-40:]]
    what = f"p2p304 stopped because of a bug ({kind})"
    try:
        handle, path = tempfile.mkstemp(prefix="p2p304-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="ascii", errors="replace") as file:
            file.write("\n".join(lines) + "\n")
    except OSError:
        return f"{what}. A report could not be written: please tell the developers."
    return f"{what}. Please send the file {path} to the developers."
