"""How a command ends: its exit status, and one sentence instead of a traceback.

Responsible for the exit statuses (docs/commands.md) and for the sentence of every exception that
can reach the command line. Printing it is cli/main.py's. What can raise an exception is imported
once there is one, so that a command loads no more than it needs.
"""

from __future__ import annotations

import signal
from typing import Final

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
    from p2p304.crypto.errors import NoEngine

    if isinstance(error, NoEngine):  # first: what is imported below may need the engine
        return str(error), FAILED
    from p2p304.log.faults import Refused
    from p2p304.log.stored_blocks import BlocksLost
    from p2p304.log.transcript import Unreadable
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
    from p2p304.app.fault_report import write_fault

    return write_fault(error), FAULT
