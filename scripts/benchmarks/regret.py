"""What each card costs, beside the best one: two kinds of bots at the same moments of play.

usage: scripts/dev bench-regret [--first strong] [--second club] [--rules pagat] [--deals N]

The kinds are those of `scripts/dev bench-bots`. Each plays every deal once in each place. Whenever
there is a choice of cards, both choose, and two judges value every card in deals of their own
that fit what the player could know: the teacher in tokens (bots/teacher/evaluation.py), and the
search in chances to make the bid (bots/search/strong.py). A card's regret is what the judge's best
card is worth more. Chance in the judge's deals adds about as much to the regret of either kind.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import NormalDist, fmean, stdev

from p2p304.bots import series as measured
from p2p304.bots.claims import claim_due
from p2p304.bots.player import Bot
from p2p304.bots.search.playout import ASK
from p2p304.bots.search.strong import StrongBot
from p2p304.bots.teacher.evaluation import evaluate
from p2p304.rules.core.actions import Action, Play, Reveal
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from scripts.benchmarks.bots import player

JUDGED_IN = 300
"""Deals in which a judge tries every card."""


@dataclass
class Regrets:
    """By one judge: the regrets of both kinds in each deal."""

    deals: list[tuple[list[float], list[float]]] = field(default_factory=list)

    def add(self, worth: Sequence[tuple[Action, float]], chosen: Sequence[Action]) -> None:
        value = dict(worth)
        if all(one in value for one in chosen):
            for found, one in zip(self.deals[-1], chosen, strict=True):
                found.append(max(value.values()) - value[one])

    def line(self) -> str:
        """The means over decisions, and their ratio with a 95 % interval over the deals."""
        first, second = (sum(sum(both[n]) for both in self.deals) for n in (0, 1))
        count, ratio = sum(len(both[0]) for both in self.deals), first / second
        off = [sum(mine) - ratio * sum(theirs) for mine, theirs in self.deals]
        margin = (
            NormalDist().inv_cdf(0.975)
            * stdev(off)
            / len(off) ** 0.5
            / fmean([sum(theirs) for _, theirs in self.deals])
        )
        return (
            f"{first / count:.4f} to {second / count:.4f} a decision, {ratio:.1%} ± {margin:.1%}, "
            f"{count} decisions"
        )


def by_teacher(view: View) -> list[tuple[Action, float]]:
    """What every choice is worth in tokens; empty where the teacher says nothing."""
    with suppress(LookupError):
        found = evaluate(view, None, JUDGED_IN)
        if found is not None:
            return [(one.action, one.tokens) for one in found.choices]
    return []


def by_search(view: View, judge: StrongBot) -> list[tuple[Action, float]]:
    """What every card is worth to this side, as a chance to make or to break the bid."""
    able = [one for one in legal(view) if isinstance(one, Play | Reveal)]
    moves = [one.card.bit if isinstance(one, Play) and one.card else ASK for one in able]
    values = judge.values(view, moves)
    return [] if values is None else list(zip(able, values, strict=True))


def regrets(
    options: Options, first: Bot, second: Bot, deals: int, seed: int
) -> tuple[Regrets, Regrets]:
    """The regrets by the teacher and by the search."""
    below, judge = random.Random(seed).randrange, player(f"strong:{JUDGED_IN}", seed + 3)
    if not isinstance(judge, StrongBot):
        raise TypeError("the judge is a search")
    tokens, chances = Regrets(), Regrets()
    for number in range(deals):
        hands = measured.shuffled(options, below)
        for found in (tokens, chances):
            found.deals.append(([], []))
        for mine in measured.seatings(options):
            referee = Referee(options, number % options.seats, hands[: options.seats])
            while (seat := referee.hand.turn) is not None:
                claim, view = claim_due(referee), referee.view(seat)
                if claim is not None:
                    referee.act(claim)
                    continue
                chosen = first.choose(view), second.choose(view)
                in_play = view.hand.phase is Phase.PLAY and not view.hand.bids_all_tricks
                if in_play and len(legal(view)) > 1:
                    tokens.add(by_teacher(view), chosen)
                    chances.add(by_search(view, judge), chosen)
                referee.act(chosen[seat not in mine])
    return tokens, chances


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="scripts/dev bench-regret",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--first", default="strong")
    parser.add_argument("--second", default="club")
    parser.add_argument("--rules", default="pagat")
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    bots = player(chosen.first, chosen.seed + 1), player(chosen.second, chosen.seed + 2)
    tokens, chances = regrets(preset(chosen.rules), *bots, chosen.deals, chosen.seed)
    sys.stdout.write(
        f"{chosen.rules}: regret of {chosen.first} and of {chosen.second}, {chosen.deals} deals "
        f"from seed {chosen.seed}\n  in tokens: {tokens.line()}\n  in chances: {chances.line()}\n"
    )


if __name__ == "__main__":
    main()
