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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Final

from p2p304.offline.teacher.lessons import Lessons
from p2p304.storage.data_folder import downloads_folder
from p2p304.storage.files import DataFolderError, read_file, why, write_output

PAGE: Final = Path(__file__).with_name("verifier.html")
PLACE: Final = "<!-- embedded file -->"
ROOT: Final = b'<html lang="en">'
EMPTY_NAME: Final = "p2p304-verifier"
BEGINNING: Final = b"<!doctype html>"
TITLE: Final = b"<title>p2p304"
HEAD: Final = 4096
"""Every page of p2p304 begins like this, with this title in so many bytes."""
DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY")


def empty_page(language: str = "") -> bytes:
    """Return the page without a file. It opens in this language (empty: in the browser's)."""
    page = read_file(PAGE)
    if page.count(ROOT) != 1 or page.count(PLACE.encode()) != 1:
        raise DataFolderError("{file} is damaged. Install p2p304 again.", file=str(PAGE))
    if not language:
        return page
    return page.replace(ROOT, ROOT[:-1] + f' data-language="{_escaped(language)}">'.encode())


def page_with(
    name: str, data: bytes, verdict: str, lessons: Lessons | None = None, language: str = ""
) -> bytes:
    """Return the page with a file in it, which it judges when it is opened, and with the teacher's
    ``lessons`` on it. It opens in this language (empty: in the browser's).

    Neither the file's name and bytes nor verdict and lessons, which hold nicknames, can end the
    element that they stand in: bytes are base64, and texts are escaped.
    """
    page = empty_page(language).decode()
    inside = (
        f'<footer><p lang="en">p2p304 audit said: <q>{_escaped(verdict)}</q></p></footer>\n'
        f"{'' if lessons is None else _lessons(lessons)}"
        f'<script type="application/octet-stream" id="embedded" data-name="{_escaped(name)}">'
        f"{base64.b64encode(data).decode()}</script>"
    )
    return page.replace(PLACE, inside).encode()


def _lessons(lessons: Lessons) -> str:
    """Return the teacher's findings as an element below the page."""
    hands = "".join(
        f"<h3>{_escaped(name)}</h3><ul>{''.join(f'<li>{_escaped(one)}</li>' for one in told)}</ul>"
        for name, told in lessons.hands
    )
    return (
        f'<footer id="teacher" lang="{_escaped(lessons.language)}"><h2>{_escaped(lessons.title)}'
        f"</h2><p>{_escaped(lessons.about)}</p>{hands}</footer>\n"
    )


def _escaped(text: str) -> str:
    return escape(text.encode(errors="replace").decode(), quote=True)


def page_place(target: Path | None, name: str, mark: bytes, taken: Sequence[Path] = ()) -> Path:
    """Return where the page ``name`` goes: to ``target``, if that is not a folder, else into that
    folder. With no target it goes to the downloads, where people look and browsers may read, else
    to the current folder.

    In a folder it replaces only a page that holds ``mark``, so the same page: beside anything else
    it gets a number. Raises DataFolderError.
    """
    if target is not None and not target.is_dir():
        check_target(target)
        return target
    folder = (downloads_folder() or Path.cwd()) if target is None else target
    to, number = folder / f"{name}.html", 2
    while to in taken or (os.path.lexists(to) and not _is_page(to, mark)):
        to, number = folder / f"{name}-{number}.html", number + 1
    return to


def check_target(target: Path, files: Sequence[Path] = ()) -> None:
    """Raise DataFolderError if ``target`` is in no folder, or if it is a file that a page must not
    replace: any that is not a page of p2p304, and each of ``files``, from which the page is made.
    """
    if target.is_dir():
        return
    if not target.parent.is_dir():
        raise DataFolderError(
            "{file} cannot be written: the folder {folder} does not exist. Make it first, or "
            "choose another.",
            file=str(target),
            folder=str(target.parent),
        )
    is_read = any(path.exists() and target.exists() and target.samefile(path) for path in files)
    if target.is_file() and (is_read or not _is_page(target)):
        raise DataFolderError(
            "The page cannot replace {file}: that file is not a page of p2p304. Give the page "
            "another name.",
            file=str(target),
        )


def _is_page(path: Path, mark: bytes = b"") -> bool:
    """Whether p2p304 wrote this file as a page, with ``mark`` in it."""
    try:
        data = read_file(path)
    except DataFolderError:
        return False
    return data.startswith(BEGINNING) and TITLE in data[:HEAD] and mark in data


def write_page(to: Path, page: bytes) -> None:
    """Write a page where ``page_place`` allows it; raises DataFolderError."""
    try:
        write_output(to, page)
    except DataFolderError as error:
        raise DataFolderError(
            "{fault} Choose another place for the page.", fault=error.phrase
        ) from error


@dataclass(slots=True)
class PageWriter:
    """Writes a page for each file that is judged: to ``target``, which is a folder for several
    ``files`` or for a folder of them, or to the downloads. ``written`` are the pages. ``teach``
    gives the lessons of a file that go onto its page. Pages open in ``language`` (empty: in the
    browser's)."""

    target: Path | None
    files: Sequence[Path]
    written: list[Path] = field(default_factory=list)
    teach: Callable[[Path, bytes], Lessons | None] = lambda path, data: None
    language: str = ""

    def __post_init__(self) -> None:
        if self.target is None or self.target.is_dir():
            return
        if len(self.files) == 1 and not self.files[0].is_dir():
            check_target(self.target, self.files)
            return
        try:
            self.target.mkdir()
        except OSError as error:
            raise DataFolderError(
                "The pages need a folder, and {folder} cannot be made ({why}). Choose another.",
                folder=str(self.target),
                why=why(error),
            ) from error

    def write(self, path: Path, verdict: str) -> None:
        """Write the page of a file, unless the file cannot be read."""
        try:
            data = read_file(path)
        except DataFolderError:
            return  # The verdict has said so.
        kept = (c if c.isascii() and (c.isalnum() or c in "-_.") else "_" for c in path.stem)
        name, mark = f"p2p304-{''.join(kept)[:80]}", b">" + base64.b64encode(data) + b"</script>"
        to = page_place(self.target, name, mark, self.written)
        page = page_with(path.name, data, verdict, self.teach(path, data), self.language)
        write_page(to, page)
        self.written.append(to)


def open_page(path: Path) -> bool:
    """Open a page in the browser; returns False where there is none, or no display."""
    has_display = any(os.environ.get(name) for name in DISPLAYS)
    if sys.platform.startswith("linux") and not has_display:
        return False  # A browser in this terminal could not run the page.
    try:
        return webbrowser.open(path.resolve().as_uri())
    except (webbrowser.Error, OSError):
        return False
