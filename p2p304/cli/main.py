"""The command line: `p2p304`.

Responsible for the list of commands, for printing one sentence instead of a traceback, and for exit
statuses. What a command takes and calls is tables.py's and files.py's, and how it ends
app/exit_status.py's. A command imports what it needs once it runs, so that a short command is quick
and the lobby opens soon.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Annotated, Final

import typer

from p2p304 import PROTOCOL_VERSION, __version__
from p2p304.app.exit_status import FAILED, sentence_and_status
from p2p304.cli import files, tables
from p2p304.cli.start import in_own_language
from p2p304.wire.names import shown

COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "play": tables.play,
    "resume": tables.resume,
    "bot": tables.bot,
    "tables": tables.tables,
    "watch": tables.watch,
    "doctor": tables.doctor,
    "id": files.identity,
    "audit": files.audit,
    "report": files.make_report,
    "verifier": files.verifier,
    "fairness": files.fairness,
    "replay": files.replay,
    "history": files.history,
    "stats": files.stats,
    "score": files.score,
    "rules": files.rules,
    "demo": tables.demo,
}
"""All commands, in the order of ``p2p304 --help``."""

app = typer.Typer(
    help="Play 304, the card game of Sri Lanka, on your local network without a server.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _name, _command in COMMANDS.items():
    app.command(name=_name)(_command)


def _version(wanted: bool) -> None:
    if wanted:
        from p2p304.crypto.group import engine_name

        print(f"p2p304 {__version__} (protocol {PROTOCOL_VERSION}), group engine: {engine_name()}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Play 304, the card game of Sri Lanka, on your local network without a server."""


def main() -> None:
    """Run the command line; print sentences instead of tracebacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            app(["play"] if _opens_lobby() else None)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        sys.exit(FAILED)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last place that can print
        if isinstance(error, OSError):
            _drop_output()
        sentence, status = sentence_and_status(error)
        sentence = in_own_language(error) or sentence
        print(shown(sentence), file=sys.stderr)
        sys.exit(status)


def _opens_lobby() -> bool:
    """Whether ``p2p304`` stands alone on a terminal: that opens the lobby; in a pipe it is help."""
    return len(sys.argv) == 1 and sys.stdin.isatty() and sys.stdout.isatty()


def _drop_output() -> None:
    """Discard further output, also what Python writes when the process ends."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
