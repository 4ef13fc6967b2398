"""The list of commands, with an example of each and its exit statuses.

Responsible for the one list that help, the page of the manual, docs/commands.md and the tests all
show or compare. What a command takes and calls is tables.py's, solo.py's, files.py's and
verification.py's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from p2p304.cli import files, solo, tables, verification

PLAY: Final = "Play"
LOOK: Final = "Look around"
VERIFY: Final = "Games that are over"
LEARN: Final = "Rules"
ABOUT: Final = "Play 304, the card game of Sri Lanka, on your local network without a server."


@dataclass(frozen=True, slots=True)
class Command:
    """One command; what it does in words is the docstring of its function."""

    function: Callable[..., None]
    group: str
    examples: tuple[tuple[str, str], ...]
    """Words behind ``p2p304``, and what they do."""
    statuses: tuple[str, ...]
    """What the exit statuses 0, 1 and 2 mean, so far as the command has them."""

    @property
    def summary(self) -> str:
        return self.description[0]

    @property
    def description(self) -> list[str]:
        """Its paragraphs, each a line."""
        text = self.function.__doc__ or ""
        return [" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n")]


COMMANDS: Final[dict[str, Command]] = {
    "learn": Command(
        solo.learn,
        PLAY,
        (("learn", "choose a lesson"), ("learn first", "play your first hand, step by step")),
        (
            "you left the lessons",
            "the data folder cannot be read, or the input is a terminal and the output is none",
            "there is no such lesson",
        ),
    ),
    "play": Command(
        tables.play,
        PLAY,
        (
            ("play", "open the lobby"),
            ("play --open Friday --bots 2", "open a table, with two bots"),
            ("play --table Friday", "join this table"),
            ("play --table 192.168.1.7:40304", "join the table at this address"),
            ("play --open Friday --rules bank --set timer=45", "open a table for another game"),
        ),
        ("the table is over, or you left it", "it cannot be begun or resumed"),
    ),
    "resume": Command(
        tables.resume,
        PLAY,
        (
            ("resume", "resume the latest table"),
            ("resume --list", "list the tables that can be resumed"),
            ("resume --peer 192.168.1.7:40304", "say where a player is"),
        ),
        (
            "the table is over, or you left it",
            "it cannot be begun or resumed",
            "the file of `--ended` is no transcript",
        ),
    ),
    "bot": Command(
        tables.bot,
        PLAY,
        (
            ("bot --table Friday", "let a bot join this table"),
            ("bot --open Friday --level strong --tell", "open one, and see the game"),
            ("bot --table Friday --brain my_bot:MyBot", "let a bot of your own join"),
        ),
        ("the table is over, or was ended", "it cannot be begun, or was stopped before its end"),
    ),
    "demo": Command(
        solo.demo,
        PLAY,
        (
            ("demo", "let four bots play a hand"),
            ("demo --rules bank --match", "let them play a whole match of another game"),
            ("demo --keep games", "keep their data folders"),
        ),
        ("played and sound", "not played to its end, or not sound"),
    ),
    "tournament": Command(
        solo.tournament,
        PLAY,
        (
            ("tournament club learner", "let two bots play 100 deals"),
            ("tournament my_bot:MyBot strong --deals 500", "measure a bot of your own"),
        ),
        ("played", "there is no such bot, or no such game"),
    ),
    "tables": Command(
        tables.tables,
        LOOK,
        (("tables", "list the tables"), ("tables --seconds 10 --json", "search longer; as JSON")),
        ("looked, whether or not a table was found", "the network cannot be used"),
    ),
    "watch": Command(
        tables.watch,
        LOOK,
        (
            ("watch 192.168.1.7:40304", "watch a table"),
            ("watch 192.168.1.7:40304 --save game.304", "and save its transcript"),
        ),
        ("the table is over", "it cannot be watched to its end"),
    ),
    "doctor": Command(
        tables.doctor,
        LOOK,
        (("doctor", "say what to fix"), ("doctor --port 40304", "try this port")),
        ("nothing is wrong", "something is wrong, or the data folder cannot be used"),
    ),
    "id": Command(
        files.identity,
        LOOK,
        (("id", "show your nickname and identity"), ("id --json", "as JSON")),
        ("shown", "the data folder cannot be used"),
    ),
    "audit": Command(
        verification.audit,
        VERIFY,
        (
            ("audit game.304", "verify one game"),
            ("audit games --json", "verify every game of a folder; a line of JSON each"),
            ("audit games --state done.json", "the same; started again, it goes on where it was"),
            ("audit --evidence fault.evidence", "judge an evidence file"),
        ),
        (
            "all sound; with `--evidence`: each proves its case",
            "one is not sound; with `--evidence`: one proves nothing; or the file of `--state`, or "
            "the cluster, cannot be used",
            "one cannot be read, or is of another kind",
        ),
    ),
    "report": Command(
        verification.make_report,
        VERIFY,
        (
            ("report game.304", "open a page of this game"),
            ("report games -o pages --no-open", "write a page of every game"),
        ),
        ("as `audit`", "as `audit`, or the page cannot be written", "as `audit`"),
    ),
    "verifier": Command(
        verification.verifier,
        VERIFY,
        (("verifier", "open the page"), ("verifier -o . --no-open", "write it to this folder")),
        ("written", "the page cannot be written"),
    ),
    "fairness": Command(
        verification.fairness,
        VERIFY,
        (
            ("fairness games", "count the cards of a folder of games"),
            ("fairness games --html cards.html", "and draw them on a page"),
        ),
        (
            "nothing is conspicuous",
            "something is, a transcript is not sound, or the page cannot be written",
            "one cannot be read, or there is none",
        ),
    ),
    "replay": Command(
        files.replay,
        VERIFY,
        (
            ("replay game.304", "step through a game"),
            ("replay game.304 --plain --hand 2", "print its second hand"),
            ("replay game.304 --records > hands.jsonl", "keep its hands as records"),
        ),
        ("told, and sound", "not sound", "it cannot be read, or has no such hand"),
    ),
    "history": Command(
        files.history,
        VERIFY,
        (("history", "list your games, and choose one"), ("history --json", "as JSON")),
        ("all sound", "one is not sound, or the data folder cannot be read"),
    ),
    "stats": Command(
        files.stats,
        VERIFY,
        (("stats", "show how your bids went"), ("stats --json", "as JSON")),
        ("shown", "the data folder cannot be read"),
    ),
    "score": Command(
        files.score,
        LEARN,
        (
            ("score hand.json --explain", "settle a hand, and say why"),
            ("score --jsonl hands.jsonl", "settle many"),
            ("score -", "read the record from standard input"),
        ),
        ("all legal", "one is not legal", "it cannot be read"),
    ),
    "rules": Command(
        files.rules,
        LEARN,
        (
            ("rules", "list the games"),
            ("rules pagat", "print the rules of one"),
            ("rules --diff pagat bank", "say how two differ"),
            ("rules pagat --set timer=45 --toml > my-house.toml", "write house rules"),
        ),
        ("shown", "there is no such game"),
    ),
    "puzzle": Command(
        solo.puzzle,
        LEARN,
        (("puzzle", "list the puzzles"), ("puzzle 3", "solve the third one")),
        ("shown, or left",),
    ),
}
"""All commands, in the order of ``p2p304 --help``."""

COMMON_STATUSES: Final[tuple[tuple[str, str], ...]] = (
    ("1", "the output cannot be written"),
    ("2", "an option is wrong"),
    ("70", "a fault of the program itself; it names a file for its developers"),
    ("128 + N", "the signal N ended it (130 is Ctrl-C)"),
)
"""The exit statuses that every command has besides its own."""
