"""How a command ends: its exit status, and one sentence instead of a traceback.

Responsible for the exit statuses (docs/commands.md), for the sentence of every exception that can
reach the command line, and for the report of a fault of the program itself. Printing is
cli/main.py's. What can raise an exception is imported once there is one, so that a command loads no
more than it needs.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from typing import Final

from p2p304 import __version__

FAILED: Final = 1
UNREADABLE: Final = 2
WRONG_WORDS: Final = 2
"""An option or argument of the command is wrong."""
FAULT: Final = 70
LEFT: Final = 128
"""LEFT is added to the number of the signal."""


class Terminated(Exception):
    """The system has told this process to end: its window was closed, or the user has logged
    out."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def sentence_and_status(error: Exception | KeyboardInterrupt) -> tuple[str, int]:
    """Return what to tell the person of an exception, and the exit status. The person who has
    pressed Ctrl-C is told nothing."""
    if isinstance(error, KeyboardInterrupt):
        return "", LEFT + signal.SIGINT
    if isinstance(error, EOFError):
        return "The input ended before the answer.", FAILED
    if isinstance(error, Terminated):
        return "Left.", LEFT + error.number
    from p2p304.crypto.engines.errors import NoEngine

    if isinstance(error, NoEngine):  # first: what is imported below may need the engine
        return str(error), FAILED
    from p2p304.log.faults import Refused
    from p2p304.log.transcript import BlocksLost, Unreadable
    from p2p304.net.errors import NetError
    from p2p304.rules.variants.options import OptionsError
    from p2p304.storage.files import DataFolderError, why
    from p2p304.wire.names import shown

    match error:
        case DataFolderError() | NetError() | OptionsError() | BlocksLost():
            return str(error), FAILED
        case Unreadable():
            return f"This file is not a readable transcript: {error}.", UNREADABLE
        case Refused():
            sentence = error.finding.sentence
            return f"{sentence[:1].upper()}{sentence[1:]}.", FAILED
        case OSError():
            what = shown(str(error.filename)) if error.filename else "The output"
            return f"{what} cannot be written ({why(error)}).", FAILED
    return write_fault(error), FAULT


def write_fault(error: Exception) -> str:
    """Write a report for the developers; returns the sentence for the person."""
    path = write_report(error)
    what = f"p2p304 stopped because of a bug ({type(error).__name__})"
    if path is None:
        return f"{what}. A report could not be written: please tell the developers."
    return f"{what}. Please send the file {path} to the developers."


def write_report(error: Exception) -> str | None:
    """Write a report for the developers; returns its path, None if it could not be written. It
    names the exception's type and the places in the code that the exception passed, and no text or
    value, because those may hold secrets."""
    from p2p304.table.exchange.error_boundary import places

    kind = type(error).__name__
    lines = [f"p2p304 {__version__}, Python {sys.version.split()[0]}, {sys.platform}: {kind}"]
    lines += [f"  at {place}" for place in places(error.__traceback__)[-40:]]
    try:
        handle, path = tempfile.mkstemp(prefix="p2p304-fault-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="ascii", errors="replace") as file:
            file.write("\n".join(lines) + "\n")
    except OSError:
        return None
    return path
