"""Completion of the command line in bash, zsh and fish.

Responsible for which parameter the last word belongs to, and for the script of each shell, which
asks ``p2p304 --complete`` with all words that stand before the cursor. What may stand for a
parameter is cli/arguments/completed.py's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from p2p304.cli.arguments.completed import files
from p2p304.cli.arguments.declarations import Parameter, parameters_of
from p2p304.cli.arguments.parser import UsageError
from p2p304.cli.commands import COMMANDS
from p2p304.cli.help import ROOT_OPTIONS

PLAIN: Final = re.compile(r"[\w./:=~+,@%-]+")
"""Words that a shell takes as they stand. Others are not offered: a player on the network names a
table, and a name such as ``x;reboot`` must not become a command."""

SCRIPTS: Final = {
    "bash": """\
# A word of bash ends at = and : too: what stands before them is cut off again.
_p2p304() {
  local line=${COMP_LINE:0:COMP_POINT} words cut
  read -ra words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  local word=${words[-1]}
  cut=${word%"${word##*[=:]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    COMPREPLY+=("${value#"$cut"}")
    [[ $value == *[=/] ]] && compopt -o nospace
  done < <("${words[0]}" --complete "${words[@]:1}" 2>/dev/null)
}
complete -F _p2p304 p2p304
""",
    "zsh": """\
#compdef p2p304
_p2p304() {
  local line value told
  local -a open whole shown
  for line in "${(@f)$("${words[1]}" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    value=${line%%$'\\t'*} told=${line#*$'\\t'}
    case $value in
      '') ;;
      *[=/]) open+=("$value") ;;
      *) whole+=("$value") shown+=("$value  $told") ;;
    esac
  done
  (( $#open )) && compadd -Q -S '' -- "${(@)open}"
  (( $#whole )) && compadd -Q -l -d shown -- "${(@)whole}"
}
if [ "$funcstack[1]" = _p2p304 ]; then _p2p304 "$@"; else compdef _p2p304 p2p304; fi
""",
    "fish": """\
function __p2p304
  set -l words (commandline -opc) (commandline -ct)
  $words[1] --complete $words[2..] 2>/dev/null
end
complete -c p2p304 -f -a '(__p2p304)'
""",
}


def answer(option: str, words: Sequence[str]) -> None:
    """Do what one of the options for shells asks. Raises UsageError."""
    if option == "--complete":
        found = [one for one in candidates(words) if PLAIN.fullmatch(one[0])]
        print(*(f"{word}\t{what}" for word, what in found), sep="\n")
        return
    shell = words[0] if words else Path(os.environ.get("SHELL", "")).name
    if shell not in SCRIPTS:
        raise UsageError(f"Name your shell behind {option}: {', '.join(SCRIPTS)}.")
    if option == "--show-completion":
        print(SCRIPTS[shell], end="")
    else:
        print(f"Completion for {shell} is in {install(shell)}. It begins in a new shell.")


def install(shell: str) -> Path:
    """Write a shell's script to where the shell looks for it; return that place."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    places = {
        "bash": data / "bash-completion" / "completions" / "p2p304",
        "zsh": data / "zsh" / "site-functions" / "_p2p304",
        "fish": config / "fish" / "completions" / "p2p304.fish",
    }
    place = places[shell]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(SCRIPTS[shell], encoding="utf-8")
    start = {"bash": home / ".bashrc", "zsh": home / ".zshrc"}.get(shell)
    if start is not None:  # neither looks into a person's own folder by itself
        before = "autoload -Uz compinit && compinit; " if shell == "zsh" else ""
        line = f'{before}[ -r "{place}" ] && . "{place}"  # p2p304\n'
        if not start.exists() or line not in start.read_text(encoding="utf-8", errors="replace"):
            with start.open("a", encoding="utf-8") as file:
                file.write("\n" + line)
    return place


def candidates(words: Sequence[str]) -> list[tuple[str, str]]:
    """Return what may stand in place of the last word, each with what it means."""
    *before, incomplete = words or [""]
    if not before:
        names = [(name, command.summary) for name, command in COMMANDS.items()]
        options = [(name.split()[0], told) for name, told in ROOT_OPTIONS] + [("--help", "Help")]
        return _matching(options if incomplete.startswith("-") else names, incomplete)
    if before == ["--home"]:
        return [(word, "") for word in files(incomplete)]
    if before[0] == "--home":
        return candidates(words[2:])
    if before[0].startswith("--home="):
        return candidates(words[1:])
    if before[0] not in COMMANDS:
        return []
    parameters = parameters_of(COMMANDS[before[0]].function)
    options_of = {name: one for one in parameters for name in one.names}
    name, equals, value = incomplete.partition("=")
    if equals and name in options_of and options_of[name].takes:  # --rules=pa
        return [(f"{name}={word}", told) for word, told in _values(options_of[name], value)]
    pending, arguments = _pending(before[1:], options_of)
    if pending is not None:
        return _values(pending, incomplete)
    if incomplete.startswith("-"):
        known = [(name, one.declared.help) for name, one in options_of.items()]
        return _matching([*known, ("--help", "Show this help and exit.")], incomplete)
    for one in [one for one in parameters if not one.names]:
        if one.is_repeated or arguments == 0:
            return _values(one, incomplete)
        arguments -= 1
    return []


def _pending(words: Sequence[str], options: dict[str, Parameter]) -> tuple[Parameter | None, int]:
    """Return the option that still takes a word, or None, and how many arguments stand there."""
    pending, missing, arguments = None, 0, 0
    for word in words:
        if missing:
            missing -= 1
        elif word in options:
            pending, missing = options[word], options[word].takes
        elif not word.startswith("-"):
            arguments += 1
    return (pending if missing else None), arguments


def _values(one: Parameter, incomplete: str) -> list[tuple[str, str]]:
    """Return the values of a parameter that begin so."""
    if one.choices:
        found = [choice for choice in one.choices if choice.startswith(incomplete)]
    elif one.declared.complete is not None:
        found = one.declared.complete(incomplete)
    else:
        found = files(incomplete) if one.kind is Path else []
    return [(word, "") for word in found]


def _matching(words: Sequence[tuple[str, str]], incomplete: str) -> list[tuple[str, str]]:
    return [(word, told) for word, told in words if word.startswith(incomplete)]
