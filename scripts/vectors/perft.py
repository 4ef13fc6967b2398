"""Counts sequences of legal actions from fixed deals, for every preset: protocol/perft/.

usage: scripts/dev perft [--work N] [--check] [PRESET...]

A file holds starting points: a hand record up to there, and how many sequences of 1, 2, 3 ...
legal actions (claims and consequences apart) go on from it. As deep as N questions for what is
legal reach; --check compares what is stored instead of writing it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import Any

from p2p304.rules.core.actions import Action
from p2p304.rules.core.notation import parse
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.record import read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.paths import PROTOCOL
from tests.support.reference.random_hands import record, walk

FOLDER = PROTOCOL / "perft"
HANDS = 3
"""Random hands whose moments are starting points."""
Start = dict[str, Any]


def starts(name: str) -> list[Start]:
    """The beginning, the end of the bidding, mid-play and the last cards of random hands."""
    chance, found = random.Random(f"perft {name}"), list[Start]()
    hands = 0
    while hands < HANDS:
        referee, done = walk(chance.randrange(1_000_000), preset(name))
        if referee.hand.result is None or not referee.hand.tricks:
            continue
        whole = record(referee, done)
        for where, place in _places(referee, done).items():
            if where != "beginning" or hands == 0:
                cut = {**whole, "actions": whole["actions"][:place]}
                found.append({"start": where, "record": cut})
        hands += 1
    return found


def _places(referee: Referee, done: list[Action]) -> dict[str, int]:
    """How many actions lie before each kind of moment."""
    again = Referee(referee.hand.options, referee.hand.dealer, referee.dealt, referee.undealt)
    play, seats = 0, len(referee.hand.playing)
    for place, action in enumerate(done):
        if again.hand.phase is Phase.PLAY:
            play = place
            break
        again.act(action)
    cards = len(done) - play
    middle, end = play + cards * 5 // 9, len(done) - min(2 * seats, 10)
    return {"beginning": 0, "after the bidding": play - 1, "mid-play": middle, "ending": end}


def reached(start: Start) -> Referee:
    """The moment of a starting point."""
    read = read_record(json.dumps(start["record"]))
    referee = Referee(read.options, read.dealer, read.hands, read.pile)
    for said in read.actions:
        referee.act(parse(said, read.options.seats, read.options.tenths))
    return referee


def counts(start: Start, work: int) -> list[int]:
    """Sequences by length, as far as ``work`` questions for what is legal reach."""
    found, now = list[int](), reached(start)
    while sum(found) <= work:
        number = count(now, len(found) + 1)
        if not number:
            break
        found.append(number)
    return found


def count(now: Referee, depth: int) -> int:
    """How many sequences of so many legal actions there are."""
    legal = now.legal()
    if depth == 1 or not legal:
        return len(legal)
    total = 0
    for action in legal:
        after = now.copied()
        after.act(action)
        total += count(after, depth - 1)
    return total


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/dev perft", description=__doc__)
    parser.add_argument("presets", nargs="*", default=list(PRESETS), metavar="PRESET")
    parser.add_argument("--work", type=int, default=4000)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    wrong = 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in chosen.presets:
        file = FOLDER / f"{name}.json"
        if chosen.check:
            stored = json.loads(file.read_text())
            wrong += sum(
                count(reached(one), len(one["counts"])) != one["counts"][-1] for one in stored
            )
        else:
            made = [{**one, "counts": counts(one, chosen.work)} for one in starts(name)]
            file.write_text("[\n" + ",\n".join(json.dumps(one) for one in made) + "\n]\n")
        sys.stdout.write(f"{name}: {'wrong' if wrong else 'done'}\n")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
