"""The account of fairness as a page of HTML that needs nothing else.

Responsible for its form: sections with small drawings (SVG). Nicknames were chosen by strangers, so
every text is escaped, and the page may load and run nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from p2p304.offline.fairness.account import INSTALL, MEANING, Account, Section
from p2p304.offline.fairness.counts import Count

STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.1rem .6rem;text-align:right}td:first-child,th:first-child{text-align:left}
td:first-child{overflow-wrap:anywhere}
.wide{overflow-x:auto}
.found{color:#c0182b;font-weight:bold}
svg{vertical-align:middle;width:24vw;max-width:15rem;overflow:visible}
line{stroke:#888;stroke-width:6}circle{fill:#0b4fa0}.out circle{fill:#c0182b}
@media(prefers-color-scheme:dark){circle{fill:#9ecbff}.found,.out{color:#ff6b6b}}
"""
SCROLLING = '<div class="wide" tabindex="0">'
"""What is too wide for a telephone moves in a box of its own."""


def page(accounts: Sequence[Account], notes: Sequence[str]) -> str:
    """Return the page: every collection, then what it all means, then notes about files."""
    parts = []
    for one in accounts:
        parts += _account(one)
    if any(one.tests is None for one in accounts):
        parts.append(f"<p>{escape(INSTALL)}</p>")
    parts.append("<h2>What this can show, and what it cannot</h2>")
    parts += [f"<p>{escape(sentence)}</p>" for sentence in MEANING]
    if notes:
        items = "".join(f"<li>{escape(note)}</li>" for note in notes)
        parts.append(f"<details><summary>Files left out</summary><ul>{items}</ul></details>")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width">'
        f"<title>p2p304: where the cards went</title><style>{STYLE}</style></head>\n"
        "<body><h1>Where the cards went</h1>\n" + "\n".join(parts) + "\n</body></html>\n"
    )


def _account(one: Account) -> list[str]:
    word = ' class="found"' if one.is_judged and one.conspicuous else ""
    parts = [f"<h2>{escape(one.head)}</h2>", f"<p{word}>{escape(one.verdict)}</p>"]
    parts += [_section(section) for section in one.sections if section.rows]
    parts.append("<h3>Every card, by seat</h3>" + _cells(one.cells))
    if one.tests:
        rows = "".join(
            f"<tr><td>{escape(t.name)}</td><td>{t.p:.3g}</td><td>{t.corrected:.3g}</td></tr>"
            for t in sorted(one.tests, key=lambda test: test.p)
        )
        parts.append(
            f"<h3>Tests, corrected together (Holm)</h3>{SCROLLING}<table><tr><th>test</th>"
            f"<th>p</th><th>corrected</th></tr>{rows}</table></div>"
        )
    return parts


def _section(section: Section) -> str:
    ends = [
        end for row in section.rows for end in (row.count, row.least, row.most) if end is not None
    ]
    low, span = min(ends), max(1, max(ends) - min(ends))
    rows = "".join(_row(row, low, span) for row in section.rows)
    return (
        f"<h3>{escape(section.title)}</h3>{SCROLLING}<table><tr><th></th><th></th><th>count</th>"
        f"<th>band</th></tr>{rows}</table></div>"
    )


def _row(row: Count, low: int, span: int) -> str:
    def x(value: int) -> str:
        return f"{round(100 * (value - low) / span, 1)}%"

    band, line = "", ""
    if row.least is not None and row.most is not None:
        band = f"{row.least} to {row.most}"
        line = f'<line x1="{x(row.least)}" y1="8" x2="{x(row.most)}" y2="8"/>'
    out = ' class="out"' if row.is_outside else ""
    drawing = f'<circle cx="{x(row.count)}" cy="8" r="5"/>'
    return (
        f"<tr{out}><td>{escape(row.holder)}</td><td>"
        f'<svg height="16" role="img">{line}{drawing}</svg></td>'
        f"<td>{row.count}</td><td>{band}</td></tr>"
    )


def _cells(cells: Sequence[Count]) -> str:
    seats = list(dict.fromkeys(cell.holder for cell in cells))
    head = "".join(f"<th>{escape(seat)}</th>" for seat in seats)
    found = ""
    for start in range(0, len(cells), len(seats)):
        row = cells[start : start + len(seats)]
        counts = "".join(
            f'<td class="found">{c.count}</td>' if c.is_outside else f"<td>{c.count}</td>"
            for c in row
        )
        band = "" if row[0].least is None else f"{row[0].least} to {row[0].most}"
        found += f"<tr><td>{escape(row[0].of)}</td>{counts}<td>{band}</td></tr>"
    return f"{SCROLLING}<table><tr><th>card</th>{head}<th>band</th></tr>{found}</table></div>"
