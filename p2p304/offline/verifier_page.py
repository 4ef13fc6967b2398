"""The page of the second verifier (verifier.html), empty or with a file in it.

Responsible for putting files into the page, for where pages are written, and for opening them in a
browser. The page judges a file by itself, with code of its own (protocol/verifier); what this
program found stands in it as a quotation.
"""

from __future__ import annotations

import base64
import os
import sys
import webbrowser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from p2p304.storage.data_folder import downloads_folder
from p2p304.storage.files import DataFolderError, read_file, why, write_output

PAGE: Final = Path(__file__).with_name("verifier.html")
PLACE: Final = "<!-- embedded file -->"
EMPTY_NAME: Final = "p2p304-verifier.html"
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


def empty_page() -> bytes:
    return read_file(PAGE)


def page_with(name: str, data: bytes, verdict: str) -> bytes:
    """Return the page with a file in it, which it judges when it is opened.

    Neither the file's name and bytes nor the verdict, which holds nicknames, can end the element
    that they stand in: bytes are base64, and texts are escaped.
    """
    page = empty_page().decode()
    if page.count(PLACE) != 1:
        raise DataFolderError(f"{PAGE} is damaged. Install p2p304 again.")
    inside = (
        f'<footer><p lang="en">p2p304 audit said: <q>{_escaped(verdict)}</q></p></footer>\n'
        f'<script type="application/octet-stream" id="embedded" data-name="{_escaped(name)}">'
        f"{base64.b64encode(data).decode()}</script>"
    )
    return page.replace(PLACE, inside).encode()


def _escaped(text: str) -> str:
    return escape(text.encode(errors="replace").decode(), quote=True)


def default_target(name: str) -> Path:
    """Return where a page goes if nobody says: to the downloads, where people look and browsers may
    read, else to the current folder."""
    return (downloads_folder() or Path.cwd()) / name


@dataclass(slots=True)
class PageWriter:
    """Writes a page for each file that is judged: to ``target``, which is a folder for several, or
    beside the downloads. ``written`` are the pages."""

    target: Path | None
    files: Sequence[Path]
    written: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.target is not None and len(self.files) != 1 and not self.target.is_dir():
            try:
                self.target.mkdir()
            except OSError as error:
                raise DataFolderError(
                    f"The pages need a folder, and {self.target} cannot be made ({why(error)})."
                ) from error
        if self.target is not None:
            check_replaces_none(self.target, self.files)

    def write(self, path: Path, verdict: str) -> None:
        """Write the page of a file, unless the file cannot be read."""
        try:
            data = read_file(path)
        except DataFolderError:
            return  # The verdict has said so.
        to = self._place(path)
        write_output(to, page_with(path.name, data, verdict))
        self.written.append(to)

    def _place(self, path: Path) -> Path:
        kept = (c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in path.stem)
        name = f"p2p304-{''.join(kept)[:80]}"
        if self.target is not None and not self.target.is_dir():
            return self.target
        folder = default_target(name).parent if self.target is None else self.target
        to, number = folder / f"{name}.html", 2
        while to in self.written:
            to, number = folder / f"{name}-{number}.html", number + 1
        return to


def check_replaces_none(target: Path, files: Iterable[Path]) -> None:
    """Raise DataFolderError if the page would replace a file that is read for it."""
    for path in files:
        if path.exists() and target.exists() and target.samefile(path):
            raise DataFolderError(f"The page cannot replace {path}: give it another name.")


def open_page(path: Path) -> bool:
    """Open a page in the browser; returns False where there is none, or no display."""
    has_display = any(os.environ.get(name) for name in DISPLAYS)
    if sys.platform.startswith("linux") and not has_display:
        return False  # A browser in this terminal could not run the page.
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False
