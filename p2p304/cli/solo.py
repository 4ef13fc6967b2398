"""The commands for one person without others: lessons, puzzles, and games of bots.

Responsible for their options, and for handing them on. What a command does is learn/'s, puzzles/'s
and frontends/'s.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from p2p304.cli.arguments.completed import completed_lesson
from p2p304.cli.arguments.declarations import Argument, Option
from p2p304.cli.arguments.parser import UsageError
from p2p304.cli.options import OUTPUT, AsJson, GameRules, GameSet, Home, Language, Plain
from p2p304.cli.start import (
    appearance_in,
    choose_language,
    house_rules,
    is_on_full_screen,
    print_over_status,
    run,
    sentences_of,
    show_status,
    tell_if_slow,
)
from p2p304.table.agreement.limits import MAX_HANDS

if TYPE_CHECKING:
    from p2p304.rules.core.phrases import Phrase


def learn(
    lesson: Annotated[
        str,
        Argument(
            help="A lesson, by its name or number (default: the list of lessons).",
            metavar="LESSON",
            complete=completed_lesson,
        ),
    ] = "",
    plain: Plain = False,
    language: Language = None,
    home: Home = None,
) -> None:
    """Learn 304 step by step, beginning with a guided first hand.

    You need no network. In a pipe, lines are read and printed.
    """
    from p2p304.learn.lessons import LESSONS, find_lesson
    from p2p304.storage.data_folder import DataFolder

    choose_language(language)
    first = find_lesson(lesson) if lesson else None
    if lesson and first is None:
        names = ", ".join(one.name for one in LESSONS)
        raise UsageError(f"There is no lesson {lesson}. The lessons are {names}.")
    store = DataFolder(home)
    show_status("p2p304 ...")
    if is_on_full_screen(plain):
        from p2p304.frontends.fullscreen import fullscreen

        show_status("")
        run(fullscreen.learn_first(store, first))
    from p2p304.frontends.text import lessons

    show_status("")
    run(lessons.learn(store, first))


def puzzle(
    number: Annotated[
        int | None, Argument(help="The number of a puzzle (default: list all).", metavar="NUMBER")
    ] = None,
    plain: Plain = False,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Solve positions that have one right answer.

    In a pipe, answers are read line by line. With --json: the positions, without the answers.
    """
    from p2p304.puzzles import text
    from p2p304.puzzles.puzzle import collection

    appearance = appearance_in(language)
    count = len(collection())
    if number is not None and not 1 <= number <= count:
        raise UsageError(f"There is no puzzle {number}. Choose 1 to {count}.")
    if as_json:
        print(json.dumps(text.position_data(number)))
        return
    if number is None:
        print("\n".join(text.list_lines(appearance.translate)))
        return
    if is_on_full_screen(plain):
        from p2p304.puzzles import screen
        from p2p304.puzzles.page import PuzzlePage

        look, controls = appearance.look, appearance.controls
        page = PuzzlePage(collection(), number - 1, look, appearance.translate, controls)
        run(screen.show(page))
    sys.exit(text.play(number, sys.stdin, print, appearance.translate))


def demo(
    hands: Annotated[int, Option(help="Hands to play.", min=1, max=MAX_HANDS)] = 1,
    match: Annotated[bool, Option("--match", help="Play a whole match instead.")] = False,
    rules: GameRules = "pagat",
    set_: GameSet = None,
    language: Language = None,
    as_json: AsJson = False,
    keep: Annotated[
        Path | None,
        Option(
            help="Keep the data folders of all bots in this folder.", group=OUTPUT, metavar="FOLDER"
        ),
    ] = None,
) -> None:
    """Let bots play a game on this computer, and audit it."""
    from p2p304.frontends import demo

    choose_language(language)
    tell_if_slow()
    played = house_rules(rules, set_).options
    told = 0 if match else hands
    run(demo.run(told, played, as_json, keep, print_over_status, show_status))


def tournament(
    first: Annotated[
        str,
        Argument(
            help="A bot: learner, club, strong, master, random, or one of your own "
            "(MODULE:FACTORY or pipe:COMMAND, docs/own-bot.md).",
            metavar="BOT",
        ),
    ],
    second: Annotated[str, Argument(help="The other bot.", metavar="BOT")],
    deals: Annotated[
        int, Option(help="Deals to play. Each is played in every place.", min=2, max=1_000_000)
    ] = 100,
    seed: Annotated[
        int, Option(help="Where chance begins: the same seed gives the same deals.", min=0)
    ] = 1,
    rules: GameRules = "pagat",
    set_: GameSet = None,
    as_json: AsJson = False,
    language: Language = None,
) -> None:
    """Let two bots play the same deals against each other, each with the other's cards too."""
    from p2p304.frontends import tournament

    text = sentences_of(appearance_in(language))
    options, words = house_rules(rules, set_).options, (first, second)

    def on_deal(played: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r{played}/{deals}" + "\n" * (played == deals))

    def tell(fault: Phrase) -> None:
        sys.stderr.write(f"{text(fault)}\n")

    outcome = tournament.run(options, words, deals, seed, tell, on_deal)
    if as_json:
        print(tournament.result_data(options, words, seed, outcome))
        return
    for phrase in tournament.result_phrases(options, words, outcome):
        print(text(phrase))
