"""`--help` for scripts whose words are too few for a parser."""

from __future__ import annotations

import sys


def answer_help(text: str | None) -> None:
    """Write the script's own description and end, if that is asked for."""
    if sys.argv[1:2] in (["--help"], ["-h"]):
        sys.stdout.write(f"{text}\n")
        sys.exit(0)
