"""Pages that verify a file by themselves: the commands as processes, hostile names and contents,
and when a browser opens."""

from __future__ import annotations

import base64
import shutil
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from p2p304.offline import verifier_page
from p2p304.offline.fairness_report import fairness
from p2p304.offline.teacher.lessons import Lessons
from p2p304.offline.verifier_page import PAGE, PLACE, PageWriter, open_page, page_with
from p2p304.storage.files import DataFolderError
from tests.support import programs
from tests.support.paths import PROTOCOL, TRANSCRIPTS

GOOD, FALSE = TRANSCRIPTS / "good.304", TRANSCRIPTS / "bid.304"
EVIDENCE = PROTOCOL / "evidence" / "false.evidence"


class Elements(HTMLParser):
    """Every element with its attributes, and the text of the element that holds the file."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.data = self.said = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        tag, attrs = self.found[-1] if self.found else ("", {})
        if attrs.get("id") == "embedded":
            self.data += data.strip()
        elif tag == "q":
            self.said += data

    @property
    def embedded(self) -> dict[str, str | None]:
        (one,) = (attrs for _, attrs in self.found if attrs.get("id") == "embedded")
        return one


def run(folder: Path, *words: str | Path, **env: str) -> tuple[int, str, str]:
    """Run a command in a folder, without a display and with no downloads but ``env``'s."""
    without: dict[str, str | None] = {"DISPLAY": None, "WAYLAND_DISPLAY": None}
    here = {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    status, out, said = programs.told_apart([*map(str, words)], folder, {**without, **here, **env})
    assert "Traceback" not in said, said
    return status, out, said


def test_the_empty_page_goes_where_people_look(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, "verifier")
    assert status == 0 and (tmp_path / "p2p304-verifier.html").read_bytes() == PAGE.read_bytes()
    assert str(tmp_path / "p2p304-verifier.html") in out and "Open this page in a browser" in out
    (tmp_path / "Downloads").mkdir()
    assert run(tmp_path, "verifier")[0] == 0
    assert (tmp_path / "Downloads" / "p2p304-verifier.html").exists()
    assert run(tmp_path, "verifier", "-o", "here.html", "--no-open")[0] == 0
    assert (tmp_path / "here.html").exists()
    assert run(tmp_path, "verifier", "-o", tmp_path / "none" / "x.html")[0] == 1


def test_a_page_opens_in_the_language_that_was_asked_for(tmp_path: Path) -> None:
    """By option or setting; in the browser's language where nobody asked for one."""

    def opens_in(*words: str | Path, **env: str) -> str | None:
        page = tmp_path / "page.html"
        page.unlink(missing_ok=True)
        assert run(tmp_path, *words, page, LANG="C.UTF-8", **env)[0] == 0
        tag, attributes = Elements(page.read_text()).found[0]
        assert tag == "html" and attributes["lang"] == "en"
        return attributes.get("data-language")

    assert opens_in("report", GOOD, "--language", "si", "-o") == "si"
    assert opens_in("audit", GOOD, "--language", "ta", "--html") == "ta"
    assert opens_in("verifier", "--language", "si", "-o") == "si"
    assert opens_in("verifier", "--language", "en", "-o") == "en"
    assert opens_in("verifier", "-o", P2P304_LANGUAGE="xx") is None
    assert opens_in("report", GOOD, "-o") is None
    home = tmp_path / "data"
    home.mkdir()
    (home / "screen.toml").write_text('language = "ta"\n')
    assert opens_in("report", GOOD, "-o", P2P304_HOME=str(home)) == "ta"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the browser is named as on Linux")
def test_a_browser_opens_where_there_is_a_display(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text('#!/bin/sh\necho "$1" > opened\n')
    browser.chmod(0o755)
    env = {"BROWSER": str(browser), "DISPLAY": ":99"}
    assert "Opened" not in run(tmp_path, "verifier", "--no-open", **env)[1]
    assert "Opened" not in run(tmp_path, "verifier", BROWSER=str(browser))[1]
    assert not (tmp_path / "opened").exists()
    status, out, _ = run(tmp_path, "report", GOOD, **env)
    assert status == 0 and "Opened in your browser" in out
    assert (tmp_path / "opened").read_text().strip() == (tmp_path / "p2p304-good.html").as_uri()


@pytest.mark.parametrize(("file", "status"), [(GOOD, 0), (FALSE, 1), (EVIDENCE, 0)])
def test_a_report_says_what_the_audit_says_and_holds_the_file(
    file: Path, status: int, tmp_path: Path
) -> None:
    found, out, _ = run(tmp_path, "report", file, "-o", "out.html")
    option = ["--evidence"] if file is EVIDENCE else []
    again, audited, _ = run(tmp_path, "audit", *option, file, "--html", "again.html")
    plain = run(tmp_path, "audit", *option, file)
    assert (found, again) == (status, status) and plain[:2] == (
        status,
        audited.rpartition("Open")[0],
    )
    assert out.startswith(plain[1])
    assert (tmp_path / "out.html").read_bytes() == (tmp_path / "again.html").read_bytes()
    page = Elements((tmp_path / "out.html").read_text())
    assert base64.b64decode(page.data) == file.read_bytes()
    assert page.embedded == {
        "type": "application/octet-stream",
        "id": "embedded",
        "data-name": file.name,
    }
    assert page.said and page.said in plain[1]


def test_several_files_give_several_pages_and_the_worst_status(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    shutil.copy(GOOD, tmp_path / "other" / "good.304")
    (tmp_path / "no.304").write_bytes(b"no")
    words = ("report", GOOD, "other/good.304", EVIDENCE, "no.304", "none.304", "-o", "pages")
    status, out, _ = run(tmp_path, *words)
    assert status == 2 and out.count("Open this page") == 4
    told = run(tmp_path, "report", GOOD, "--language", "ta", "--no-open", "-o", "pages")[1]
    assert "Open this page" not in told and "p2p304-good.html" in told
    names = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert names == [f"p2p304-{n}.html" for n in ("false", "good-2", "good", "no")]
    assert run(tmp_path, "audit", "--json", GOOD, FALSE, "--html", "pages")[1].count("\n") == 2


def test_a_page_replaces_no_file_that_it_is_made_of(tmp_path: Path) -> None:
    mine = tmp_path / "mine.304"
    shutil.copy(GOOD, mine)
    for words in (
        ("report", mine, "-o", mine),
        ("audit", mine, "--html", mine),
        ("fairness", mine, "--html", mine),
    ):
        status, _, said = run(tmp_path, *words)
        assert status == 1 and "cannot replace" in said
    assert mine.read_bytes() == GOOD.read_bytes()
    page = tmp_path / "page.html"
    page.write_bytes(PAGE.read_bytes())
    with pytest.raises(DataFolderError, match="cannot replace"):
        PageWriter(page, [page])


@pytest.mark.parametrize(
    "words",
    [
        ("report", GOOD, "-o"),
        ("audit", GOOD, "--html"),
        ("audit", "--evidence", EVIDENCE, "--html"),
        ("fairness", GOOD, "--html"),
        ("verifier", "-o"),
    ],
)
def test_a_page_replaces_only_a_page(words: tuple[str | Path, ...], tmp_path: Path) -> None:
    """Whichever command writes it, and also where the path is a folder or in none."""
    other, page, folder = tmp_path / "other.304", tmp_path / "page.html", tmp_path / "folder"
    for held in (FALSE.read_bytes(), b"", b"<!doctype html><title>mine</title>"):
        other.write_bytes(held)
        status, _, said = run(tmp_path, *words, other)
        assert status == 1 and "is not a page of p2p304. Give the page another name." in said
        assert other.read_bytes() == held
    for _ in range(2):  # The second time it replaces the first page.
        assert run(tmp_path, *words, page)[0] == 0
    assert b"<title>p2p304" in page.read_bytes()
    folder.mkdir()
    for _ in range(2):
        assert run(tmp_path, *words, folder)[0] == 0
    (one,) = folder.iterdir()
    assert one.name.startswith("p2p304-") and one.read_bytes() == page.read_bytes()
    status, out, said = run(tmp_path, *words, tmp_path / "none" / "x.html")
    assert status == 1 and out == "" and "does not exist. Make it first" in said


def test_names_that_the_program_chooses_replace_no_other_page(tmp_path: Path) -> None:
    for folder, file in (("a", GOOD), ("b", FALSE)):
        (tmp_path / folder).mkdir()
        shutil.copy(file, tmp_path / folder / "verifier.304")
    (tmp_path / "p2p304-verifier-3.html").write_text("mine")
    for _ in range(2):
        assert run(tmp_path, "report", "a/verifier.304")[0] == 0
        assert run(tmp_path, "report", "b/verifier.304")[0] == 1
        assert run(tmp_path, "verifier")[0] == 0
    pages = {path.stem: path.read_bytes() for path in tmp_path.glob("*.html")}
    assert pages.pop("p2p304-verifier-3") == b"mine"
    held = [
        base64.b64decode(Elements(pages.pop(f"p2p304-verifier{n}").decode()).data)
        for n in ("", "-2")
    ]
    assert held == [GOOD.read_bytes(), FALSE.read_bytes()]
    assert pages == {"p2p304-verifier-4": PAGE.read_bytes()}


def test_the_page_of_a_folder_is_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(GOOD, tmp_path / "games")
    assert run(tmp_path, "report", "games", "-o", "pages")[0] == 0
    assert [path.name for path in (tmp_path / "pages").iterdir()] == ["p2p304-good.html"]


def test_figures_are_said_even_if_the_page_cannot_be_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(path: Path, data: bytes) -> None:
        raise DataFolderError(f"{path} cannot be written (disk full).")

    monkeypatch.setattr(verifier_page, "write_output", fail)
    said: list[str] = []
    with pytest.raises(DataFolderError, match="Choose another place"):
        fairness([GOOD], False, tmp_path / "x.html", said.append)
    assert any("hands seen 1" in line for line in said)


NAMES = (
    '"><script>alert(1)</script>.304',
    "x' onload=alert(1) .304",
    "<!--.304",
    "--></script>.304",
    "a\nb\r\x00c",
    "\udcff\udc9b.304",
    "\u202e304.exe",
    "$& \\1 {{main}}",
)


@pytest.mark.parametrize("name", NAMES)
def test_neither_name_nor_content_nor_verdict_leaves_its_element(name: str) -> None:
    empty = Elements(PAGE.read_text())
    hostile = b"</script><script>alert(1)</script><!--" + name.encode(errors="replace")
    page = Elements(page_with(name, hostile, f"SOUND {name}").decode())
    assert base64.b64decode(page.data) == hostile
    assert set(page.embedded) == {"type", "id", "data-name"}
    tags, before = ([tag for tag, _ in one.found] for one in (page, empty))
    at = len(before) - before[::-1].index("footer")
    assert tags == [*before[:at], "p", "footer", "p", "q", "script", *before[at + 1 :]]


@pytest.mark.parametrize("name", NAMES)
def test_lessons_on_a_page_stay_in_their_elements(name: str) -> None:
    lessons = Lessons("si", name, name, ((name, (name, "x")), ("Hand 2", ())))
    page = Elements(page_with("x", b"", "SOUND", lessons).decode())
    usual = [tag for tag, _ in Elements(page_with("x", b"", "SOUND").decode()).found]
    tags = [tag for tag, _ in page.found]
    at = tags.index("h2") - 1
    more = ["footer", "h2", "p", "h3", "ul", "li", "li", "h3", "ul"]
    assert tags == [*usual[:at], *more, *usual[at:]]
    assert dict(page.found[at][1]) == {"id": "teacher", "lang": "si"}


def test_a_damaged_page_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_bytes(PAGE.read_bytes().replace(PLACE.encode(), b""))
    monkeypatch.setattr(verifier_page, "PAGE", tmp_path / "page.html")
    with pytest.raises(DataFolderError, match="Install p2p304 again"):
        page_with("x", b"", "")


def test_the_pages_of_two_files_of_one_name_stay_apart(tmp_path: Path) -> None:
    pages = PageWriter(tmp_path, [GOOD, FALSE])
    for _ in range(3):
        pages.write(GOOD, "SOUND")
    assert len({*pages.written}) == 3 and all(path.parent == tmp_path for path in pages.written)


def test_no_browser_is_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(url: str) -> bool:
        raise OSError("no such program")

    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setattr("webbrowser.open", fail)
    assert open_page(PAGE) is False
