"""`p2p304 tournament`: two bots play the same deals, each in the other's place too.

Responsible for the bots that a word names, and for the words of the result. Pairing and statistics
are bots/series.py's. Nothing is dealt by cryptography here: one program sees all cards, and shows
each bot its own view.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import asdict
from random import Random

from p2p304.bots.own_bot import Tell, own_bot
from p2p304.bots.player import Below, Bot, RandomBot
from p2p304.bots.search.levels import LEVELS, MASTER_WORLDS, bot_of
from p2p304.bots.search.strong import STRONG_WORLDS, StrongBot
from p2p304.bots.series import Outcome, series
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.variants.options import Options, OptionsError

FOREVER = 1e9
"""Seconds for a choice: deals are counted and time is not, so that a busy machine plays as well as
an idle one, and the same seed gives the same figures."""


def player(word: str, below: Below, tell: Tell, stack: ExitStack) -> Bot:
    """Return the bot that a word names: ``random``, a level, or one of somebody's own. Raises
    OptionsError if there is none."""
    match word:
        case "random":
            return RandomBot(below)
        case "strong":
            return StrongBot(below, STRONG_WORLDS, FOREVER)
        case "master":
            return StrongBot(below, MASTER_WORLDS, FOREVER)
    if word in LEVELS:
        return bot_of(word, below)
    if ":" in word:
        return own_bot(word, tell, stack)
    raise OptionsError(
        f"There is no bot {word!r}. Choose {', '.join(LEVELS)} or random, or name one of your own "
        "as MODULE:FACTORY or pipe:COMMAND."
    )


def run(
    options: Options,
    words: tuple[str, str],
    deals: int,
    seed: int,
    tell: Tell,
    on_deal: Callable[[int], None],
) -> Outcome:
    """Let the bots of two words play so many deals. ``tell`` is told of faults of a bot of
    somebody's own, ``on_deal`` how many deals are played. Raises OptionsError."""
    with ExitStack() as stack:
        first, second = (
            player(word, Random(seed + number).randrange, tell, stack)
            for number, word in enumerate(words, start=1)
        )
        return series(options, first, second, deals, Random(seed).randrange, on_deal)


def result_phrases(options: Options, words: tuple[str, str], outcome: Outcome) -> list[Phrase]:
    """Say who has won, by how much, how sure that is, and how many bids were made."""
    first, second = words
    won, margin = f"{outcome.tokens:+.3f}", f"{outcome.margin:.3f}"
    unit = say("points") if options.score == "online" else say("tokens")
    told = [
        say(
            "{first} against {second}, {rules}, {n} deals, each played in every place: {won} "
            "{unit} a hand for {first} (± {margin}, 95 %).",
            first=first,
            second=second,
            rules=options.preset,
            n=outcome.deals,
            won=won,
            unit=unit,
            margin=margin,
        )
    ]
    if abs(outcome.tokens) <= outcome.margin:
        told.append(say("That may be chance: play more deals."))
    for word, made, bids in zip(words, outcome.made, outcome.bids, strict=True):
        told.append(say("{bot} made {n} of {all} bids.", bot=word, n=made, all=bids))
    return told


def result_data(options: Options, words: tuple[str, str], seed: int, outcome: Outcome) -> str:
    data = {"first": words[0], "second": words[1], "rules": options.preset, "seed": seed}
    return json.dumps(data | asdict(outcome))
