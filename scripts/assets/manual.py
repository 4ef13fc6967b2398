"""The page of the manual, docs/p2p304.6. usage: scripts/dev manual [--check]

Writes what ``p2p304 --help`` and the helps of all commands say, for ``man p2p304``. ``--check``
changes nothing and fails where the page is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from p2p304.cli.arguments.declarations import parameters_of
from p2p304.cli.commands import ABOUT, COMMANDS, COMMON_STATUSES
from p2p304.cli.help import HELP, ROOT_OPTIONS, described, grouped, named
from scripts.usage import answer_help
from tests.support.paths import ROOT

PAGE = ROOT / "docs" / "p2p304.6"
SEE_ALSO = "The documents of p2p304: README.md, docs/commands.md and SPEC.md."


def escaped(text: str) -> str:
    """Return text as it stands in a page: dashes and dots as they are typed."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return "\\&" + text if text.startswith((".", "'")) else text


def rows(items: Iterable[tuple[str, str]]) -> list[str]:
    return [line for left, told in items for line in (".TP", f".B {escaped(left)}", escaped(told))]


def page() -> str:
    lines = [
        '.\\" Written by scripts/dev manual.',
        ".TH P2P304 6",
        ".SH NAME",
        f"p2p304 \\- {escaped(ABOUT[0].lower() + ABOUT[1:].rstrip('.'))}",
        ".SH SYNOPSIS",
        ".B p2p304",
        "[OPTIONS] COMMAND [ARGUMENTS]",
        ".SH DESCRIPTION",
        escaped(ABOUT),
        "Alone on a terminal, p2p304 opens the lobby.",
        ".SH OPTIONS",
        *rows([*ROOT_OPTIONS, HELP]),
        ".SH COMMANDS",
    ]
    for name, command in COMMANDS.items():
        parameters = parameters_of(command.function)
        words = [one.placeholder for one in parameters if not one.names]
        lines.append(f'.SS "p2p304 {name} {escaped(" ".join(["[OPTIONS]", *words]))}"')
        for paragraph in command.description:
            lines += [escaped(paragraph), ".PP"]
        lines += rows((one.placeholder, described(one)) for one in parameters if not one.names)
        for members in grouped(parameters).values():
            lines += rows((named(one), described(one)) for one in members)
        lines += [".PP", "Examples:", ".PP", ".nf"]
        lines += [f"  {escaped(f'p2p304 {words}')}" for words, _ in command.examples]
        lines += [".fi", ".PP", "Exit statuses:"]
        lines += rows((str(number), told) for number, told in enumerate(command.statuses))
    lines += [".SH EXIT STATUS", "Besides those of each command:", *rows(COMMON_STATUSES)]
    lines += [".SH SEE ALSO", escaped(SEE_ALSO)]
    return "\n".join(lines) + "\n"


def main() -> None:
    answer_help(__doc__)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
    elif PAGE.read_text(encoding="utf-8") != page():
        sys.exit("docs/p2p304.6 is out of date: run scripts/dev manual")


if __name__ == "__main__":
    main()
