"""The error boundary: no message of a peer ends a node.

Responsible for an exception that no check foresaw while a message is handled: all that the message
had changed is undone, a report is written for the developers, and the message is refused (W12);
what a check refuses is fault_handler.py's. Machines without I/O make this easy, because nothing
leaves a machine before its effects are drained. Only the handling of messages is guarded. A fault
in this node's own acts (choosing, writing an entry, keeping time, writing to disk, reading what it
wrote) stops the node.

A report names the type of the exception, the place where it was raised, and the kind, size and
digest of the message. It holds neither the text of the exception nor any value, because those may
hold secrets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from traceback import walk_tb
from types import TracebackType
from typing import Any

from p2p304.log.faults import Refused
from p2p304.log.transcript import BlocksLost, Unreadable
from p2p304.wire.effects import Outbox
from p2p304.wire.framing import FrameKind

REPORT = "reports"
"""The name under which reports for the developers are persisted."""
MAX_PLACES = 12
"""The number of places in the code that a report names; the innermost is the last."""
_COPIED = frozenset({list, dict, set})
_ABSENT = object()


class Snapshot:
    """The attributes of some objects at one moment. Lists, dicts and sets are copied one level
    deep."""

    def __init__(self, parts: Iterable[object]) -> None:
        self._saved = [(part, _attributes(part)) for part in parts]

    def restore(self) -> None:
        """Give every object back its attributes."""
        for part, attributes in self._saved:
            for name, value in attributes.items():
                setattr(part, name, value)


def handle_message(
    kind: FrameKind,
    payload: bytes,
    out: Outbox[Any],
    parts: Iterable[object],
    handler: Callable[[], None],
) -> None:
    """Run ``handler``, which handles this message and changes only ``parts`` and ``out``.

    Raises Refused or Unreadable as the handler does, BlocksLost where this node's own file fails,
    and Refused W12 for every other exception. In that case ``parts`` and ``out`` are restored, and
    ``out`` gains the report."""
    before = Snapshot((out, *parts))
    try:
        handler()
    except (Refused, Unreadable, BlocksLost):
        raise
    except Exception as error:
        before.restore()
        out.persist(REPORT, report(error, kind, payload))
        raise unforeseen() from error


def unforeseen() -> Refused:
    """Return refusal W12: handling a message ran into a fault of this program."""
    return Refused(
        "W12",
        "a bug in this program prevented its handling, and the game continues: please "
        "send the file reports.txt in your data folder to the developers of p2p304",
    )


def report(error: BaseException, kind: FrameKind, payload: bytes) -> bytes:
    """Write one report: a few lines of ASCII text."""
    digest = hashlib.new("sha512_256", payload).hexdigest()
    lines = [
        f"{type(error).__name__} while handling {kind.name}, {len(payload)} bytes, "
        f"SHA-512/256 {digest}",
        *(f"  at {place}" for place in places(error.__traceback__)[-MAX_PLACES:]),
    ]
    return ("\n".join(lines) + "\n").encode("ascii", "replace")


def where_raised(refused: Refused) -> str:
    """Return the type and the innermost place of the exception behind a W12."""
    error = refused.__cause__
    found = places(error.__traceback__) if error is not None else []
    return f"{type(error).__name__} at {found[-1] if found else 'an unknown place'}"


def places(traceback: TracebackType | None) -> list[str]:
    """Return the places that an exception came through, as ``file:line function``, the innermost
    last."""
    found = []
    for frame, line in walk_tb(traceback):
        file = frame.f_code.co_filename.replace("\\", "/")
        for folder in ("/site-packages/", "/p2p304/"):
            file = file.rpartition(folder)[2]
        found.append(f"{file}:{line} {frame.f_code.co_name}")
    return found


def _attributes(part: object) -> dict[str, Any]:
    # A shallow copy. This is done for every message, so with few steps for each attribute.
    own: dict[str, Any] | None = getattr(part, "__dict__", None)
    whole = {} if own is None else own.copy()
    for name in _slots(type(part).__mro__):
        value = getattr(part, name, _ABSENT)
        if value is not _ABSENT:
            whole[name] = value
    for name, value in whole.items():
        if type(value) in _COPIED:
            whole[name] = value.copy()
    return whole


@cache
def _slots(classes: tuple[type, ...]) -> tuple[str, ...]:
    return tuple(name for each in classes for name in getattr(each, "__slots__", ()))
