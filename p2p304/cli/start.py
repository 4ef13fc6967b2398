"""What several commands do: choose the language, the screen and the rules, start the event loop,
translate an error, and end with the status of an unreadable file.

Responsible for these steps alone. Signals and errors in tasks are app/process/command_runner.py's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from p2p304.app.process.exit_status import UNREADABLE

if TYPE_CHECKING:
    from p2p304.frontends.appearance import Appearance
    from p2p304.rules.core.phrases import Phrase
    from p2p304.rules.variants.house_rules import HouseRules


def run(work: Coroutine[Any, Any, int]) -> NoReturn:
    """Do the work in an event loop, and end the command with the exit status that it returns."""
    from p2p304.app.process import command_runner

    sys.exit(command_runner.run(work))


def choose_language(language: str | None) -> None:
    """Choose the language of this process and of the bots that it starts."""
    if language is not None:
        os.environ["P2P304_LANGUAGE"] = language


def appearance_in(language: str | None, home: Path | None = None) -> Appearance:
    """Choose the language, and return the appearance by the settings in the data folder."""
    from p2p304.frontends.appearance import read_appearance

    choose_language(language)
    return read_appearance(home)


def sentences_of(appearance: Appearance) -> Callable[[Phrase], str]:
    """Return what writes a sentence on a line, in the language of this person."""
    from p2p304.ui.text.narrator import Narrator

    return Narrator(None, appearance.translate).text


def tell_if_slow() -> None:
    """Say on standard error that plain Python does the arithmetic, if that is so."""
    from p2p304.crypto import group

    if group.is_slow():
        print(group.SLOW, file=sys.stderr)


def show_status(told: str) -> None:
    """Write on standard error how far long work has come, over what stood there; on a terminal
    alone, so that a pipe or file stays clean. An empty line clears it."""
    if sys.stderr.isatty():
        from shutil import get_terminal_size

        print(f"\r\x1b[K{told[: get_terminal_size().columns - 1]}", end="", file=sys.stderr)
        sys.stderr.flush()


def print_over_status(line: str) -> None:
    """Print a line where the status stood, which is shown again below it."""
    show_status("")
    print(line)


def is_on_full_screen(plain: bool) -> bool:
    """Whether the full screen is wanted and possible; in a pipe none of it is loaded."""
    if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    from p2p304.frontends.fullscreen import fullscreen

    return fullscreen.is_usable()


def house_rules(word: str, settings: Sequence[str] | None = None) -> HouseRules:
    """Return the rules with this preset's name, or from this file, with settings over them. Raises
    OptionsError, or DataFolderError for a file that cannot be read."""
    from p2p304.rules.variants.house_rules import SUFFIX, HouseRules, read_house_rules
    from p2p304.rules.variants.options import OptionsError
    from p2p304.storage.files import read_file
    from p2p304.wire.names import shown

    rules = HouseRules(word)
    if word.endswith(SUFFIX):
        try:
            rules = read_house_rules(read_file(Path(word)))
        except OptionsError as error:
            raise OptionsError(f"{shown(word)}: {error}") from error
    return rules.with_settings(settings or ())


@contextmanager
def unreadable_as_status() -> Iterator[None]:
    """End the command with the status of an unreadable file where a file cannot be read."""
    from p2p304.storage.files import DataFolderError
    from p2p304.wire.names import shown

    try:
        yield
    except DataFolderError as error:
        print(shown(in_own_language(error) or str(error)), file=sys.stderr)
        sys.exit(UNREADABLE)


def in_own_language(error: BaseException) -> str | None:
    """Translate the sentence of an error of the network, a file or a transcript, as ``--language``
    or the locale says; None for any other error."""
    from p2p304.rules.core.phrases import say
    from p2p304.storage.files import DataFolderError

    def text(phrase: Phrase) -> str:
        return sentences_of(appearance_in(None))(phrase)

    if isinstance(error, DataFolderError):  # first: what is imported below needs far more
        return text(error.phrase)
    from p2p304.log.transcript import Unreadable
    from p2p304.net.errors import NetError

    if isinstance(error, Unreadable):
        return text(say("This file is not a readable transcript: {why}.", why=str(error)))
    return text(error.phrase) if isinstance(error, NetError) else None
