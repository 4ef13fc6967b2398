"""How well bots play: two kinds on the same deals, each in the other's place too.

usage: scripts/dev bench-bots [--first strong:40] [--second club] [--rules pagat] [--deals N]

A kind is random, a level of bots/search/levels.py, or a bot of your own: ``module:factory`` or
``pipe:COMMAND`` (docs/own-bot.md). A number after a level is the worlds for a decision. Worlds are
counted and time is not, so that a busy machine plays as well as an idle one and the same seed gives
the same figures. ``open`` is the ceiling: the search that sees all cards. ``unhinted`` infers
nothing from bids and plays, ``ladder`` bids as the club player. ``shifted:80`` is the club player
that bids with cards worth 80 hundredths of a trick less; with -80 it needs more for a bid.
Tune on one range of seeds and report on another.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from statistics import median

from p2p304.bots import bidding
from p2p304.bots import series as measured
from p2p304.bots.club import ClubBot
from p2p304.bots.own_bot import own_bot
from p2p304.bots.player import Bot, RandomBot
from p2p304.bots.search.levels import LEVELS, MASTER_WORLDS, bot_of
from p2p304.bots.search.strong import STRONG_WORLDS, StrongBot
from p2p304.rules.caps.bitboard import bits, suit_of
from p2p304.rules.caps.knowledge import Knowledge
from p2p304.rules.core.actions import Action
from p2p304.rules.play.view import View
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.rules.worlds.position import World

FOREVER = 1e9
PROGRAMS = ExitStack()
"""Ends programs of one's own."""


class Timed:
    """A bot and how long its choices took, in CPU seconds."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.spent: list[float] = []

    def choose(self, view: View) -> Action:
        begun = time.process_time()
        choice = self._bot.choose(view)
        self.spent.append(time.process_time() - begun)
        return choice


class OpenReferee(Referee):
    """The referee of the hand that is being played, for the bot that sees all cards."""

    now: Referee

    def __init__(self, *words: object, **named: object) -> None:
        super().__init__(*words, **named)  # type: ignore[arg-type]
        OpenReferee.now = self


class TrueWorld:
    """The one world that is: in place of `Worlds`, for the ceiling."""

    def __init__(self, view: View, known: Knowledge, chance: random.Random, infers: bool) -> None:
        self._view, self._known = view, known

    def draw(self) -> World:
        referee, hand, true = OpenReferee.now, OpenReferee.now.hand, OpenReferee.now.true_cards
        if referee.indicator is None:
            raise LookupError("a hand in play has an indicator")
        seen = {(number, seat) for number, seat, _ in self._view.known}
        laid = [
            true[number, play.seat].bit
            for number, trick in enumerate(hand.completed_tricks)
            for play in trick.plays
            if play.card is None and (number, play.seat) not in seen
        ]
        return World(
            tuple(bits(cards) for cards in referee.held),
            referee.indicator.bit if hand.indicator_down else 0,
            suit_of(referee.indicator.bit),
            tuple(laid),
            tuple(true[hand.completed_count, put.seat].bit for put in self._known.trick),
            tuple(card.bit for card in referee.pile),
        )


def player(kind: str, seed: int) -> Bot:
    """The player that a word names. A program of one's own is ended with the script."""
    name, _, worlds = kind.partition(":")
    below = random.Random(seed).randrange
    if name == "random":
        return RandomBot(below)
    if name == "open":
        bot = StrongBot(below, 1, FOREVER)
        bot.worlds_of = TrueWorld
        return bot
    if name == "ladder":
        return StrongBot(below, int(worlds or STRONG_WORLDS), FOREVER, bids_by_chances=False)
    if name == "unhinted":
        return StrongBot(below, int(worlds or STRONG_WORLDS), FOREVER, infers=False)
    if name == "shifted":
        return ClubBot(tuple((least - int(worlds), bid) for least, bid in bidding.LADDER))
    if name in ("strong", "master"):
        usual = MASTER_WORLDS if name == "master" else STRONG_WORLDS
        return StrongBot(below, int(worlds or usual), FOREVER)
    if worlds and name not in LEVELS:
        return own_bot(kind, lambda fault: sys.stderr.write(f"{kind}: {fault}\n"), PROGRAMS)
    return bot_of(name, below)


def line(rules: str, first: str, second: str, deals: int, seed: int, claims: bool) -> str:
    """One measured series in a line."""
    options = preset(rules)
    if not claims:
        usual = "auto" if options.spoilt == "auto" else "off"
        options = replace(options, caps="off", spoilt=usual)
    vars(measured)["Referee"] = OpenReferee
    mine, theirs = Timed(player(first, seed + 1)), Timed(player(second, seed + 2))
    begun, below = time.process_time(), random.Random(seed).randrange
    out = measured.series(options, mine, theirs, deals, below)
    spent = sorted(one * 1000 for one in mine.spent)
    rates = [
        f"{m / n:.1%} of {n}" if n else "none" for m, n in zip(out.made, out.bids, strict=True)
    ]
    return (
        f"{rules}: {first} against {second}: {out.tokens:+.3f} ± {out.margin:.3f} a hand; "
        f"made {rates[0]}, the other {rates[1]}; a choice {median(spent):.0f} ms, "
        f"99 % within {spent[len(spent) * 99 // 100]:.0f} ms, worst {spent[-1]:.0f} ms; "
        f"{deals} deals from seed {seed}, {time.process_time() - begun:.0f} s"
    )


def verdicts(rules: str, kind: str, deals: int, seed: int) -> str:
    """What is ruled about Caps, and how often trumps were spoilt, where all play alike."""
    options, below = preset(rules), random.Random(seed).randrange
    bots = [player(kind, seed + seat) for seat in range(options.seats)]
    found: Counter[str] = Counter()
    for number in range(deals):
        hands = measured.shuffled(options, below)
        result, _ = measured.play_hand(options, number % options.seats, hands, bots)
        found["no Caps" if result.caps is None else f"Caps {result.caps.verdict}"] += 1
        found["spoilt trumps"] += "poilt" in str(result.reason)
    told = ", ".join(f"{name} {count}" for name, count in sorted(found.items()))
    return f"{rules}: {kind}, {deals} hands from seed {seed}: {told}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/dev bench-bots",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--first", default="strong")
    parser.add_argument("--second", default="club")
    parser.add_argument("--rules", default="pagat", help="a preset, or all")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--claims", action="store_true", help="with Caps and spoilt trumps")
    parser.add_argument("--verdicts", action="store_true", help="what is ruled about Caps, instead")
    chosen = parser.parse_args()
    for rules in PRESETS if chosen.rules == "all" else [chosen.rules]:
        with PROGRAMS:
            told = (
                verdicts(rules, chosen.first, chosen.deals, chosen.seed)
                if chosen.verdicts
                else line(
                    rules, chosen.first, chosen.second, chosen.deals, chosen.seed, chosen.claims
                )
            )
        sys.stdout.write(f"{told}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
