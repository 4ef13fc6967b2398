"""Right-to-left words are isolated one by one, and nothing else is touched."""

from __future__ import annotations

from p2p304.ui.common.bidi import isolated
from p2p304.ui.common.text_width import clusters, width_of
from p2p304.ui.terminal.canvas import Canvas

HEBREW = "\u05d0\u05e8\u05d9"


def test_other_text_stays_as_it_is() -> None:
    assert isolated("Asha (East) bids 160.") == "Asha (East) bids 160."
    assert isolated("අශා bids 160.") == "අශා bids 160."


def test_each_word_of_a_list_is_isolated_by_itself() -> None:
    line = isolated(f"Tokens: {HEBREW} 11, {HEBREW} 9.")
    assert line == f"Tokens: \u2068{HEBREW}\u2069 11, \u2068{HEBREW}\u2069 9."
    assert isolated(line) == line


def test_isolation_takes_no_column() -> None:
    line = isolated(f"{HEBREW} bids 160")
    assert width_of(line) == len(f"{HEBREW} bids 160")
    assert "".join(text for text, _ in clusters(line)) == line
    canvas = Canvas(30, 1)
    assert canvas.put(0, 0, line) == width_of(line)
    assert canvas.text().rstrip() == line
