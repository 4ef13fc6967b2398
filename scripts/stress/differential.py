"""Compares `p2p304 audit` with the second verifier (protocol/verifier, Node.js): fresh games of
every preset, and mutants of them. usage: scripts/dev differential [--count N] [--seed N] [--keep
FOLDER]

The presets play in turn, and each game is judged with 40 mutants of it, until N files are compared.
Both programs must give the same verdict: check, place, player and the
rule that was broken, or tokens, hands and code. What they disagree on is kept in FOLDER, and
status 1 says that there was some.
"""

from __future__ import annotations

import argparse
import base64
import itertools
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from p2p304.crypto import group
from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.audit import audit, judge
from tests.support.hostile import fresh_games
from tests.support.hostile.mutants import Spoiler
from tests.support.paths import ROOT
from tests.support.remembered import remembering

SERVER = ROOT / "scripts" / "stress" / "second_verifier.mjs"
MUTANTS_OF_A_GAME = 40
Verdict = dict[str, Any]


class SecondVerifier:
    """The JavaScript program, running until it is closed."""

    def __init__(self) -> None:
        node = shutil.which("node") or "node"
        self._process = subprocess.Popen(
            [node, SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self._process.stdin is None or self._process.stdout is None:
            raise OSError("the second verifier has no pipes")
        self._asked, self._said = self._process.stdin, self._process.stdout

    def judge(self, **question: Any) -> Verdict:
        said = {
            name: base64.b64encode(value).decode() if isinstance(value, bytes) else value
            for name, value in question.items()
        }
        self._asked.write(json.dumps(said) + "\n")
        self._asked.flush()
        answer: Verdict = json.loads(self._said.readline())
        return answer

    def close(self) -> None:
        self._asked.close()
        self._process.wait(timeout=60)
        self._said.close()


@contextmanager
def second_verifier() -> Iterator[SecondVerifier]:
    verifier = SecondVerifier()
    try:
        yield verifier
    finally:
        verifier.close()


# What each program says, in the same words ------------------------------------------------------


def rule_of(check: str | None, sentence: str) -> str | None:
    return sentence.split(":")[0] if check == "G01" else None


def first_says(data: bytes) -> Verdict:
    """The verdict of `p2p304 audit` on a transcript."""
    try:
        report = audit(data)
    except Unreadable:
        return {"verdict": "unreadable"}
    fault = report.fault
    if fault is not None:
        place = None if fault.check == "C01" else report.at
        rule = rule_of(fault.check, fault.sentence)
        false: Verdict = {
            "verdict": "not sound",
            "check": fault.check,
            "place": place,
            "rule": rule,
        }
        if fault.check != "C01":
            false["who"] = fault.player
        return false
    sound: Verdict = {"verdict": "sound"}
    if report.code:
        sound |= {"hands": len(report.hands), "tokens": [*report.tokens], "code": report.code}
    return sound


def first_says_of_evidence(data: bytes) -> Verdict:
    """The same of `p2p304 audit --evidence`."""
    try:
        found = judge(data)
    except Unreadable:
        return {"verdict": "unreadable"}
    except Refused as refused:
        return {"verdict": "nothing", "check": refused.finding.check}
    finding = found.finding
    return {"verdict": "proven", "check": finding.check, "who": finding.player}


def second_says(answer: Verdict, evidence: bool = False) -> Verdict:
    verdict: Verdict = {"verdict": answer["verdict"]}
    names: tuple[str, ...] = ()
    match answer["verdict"]:
        case "sound":
            names = ("hands", "tokens", "code") if answer.get("code") else ()
        case "not sound":
            names = ("check", "place")
            rule = answer["sentence"].rsplit("(")[-1].rstrip(")")
            verdict["rule"] = rule if answer["check"] == "G01" else None
            if answer["check"] != "C01":
                verdict["who"] = answer["who"]
        case "proven":
            names = ("check", "who")
        case "nothing":
            names = ("check",)
        case "unreadable":
            pass
        case _:
            return answer
    return verdict | {name: answer[name] for name in names}


# Comparing --------------------------------------------------------------------------------------


@dataclass
class Comparison:
    """What was compared, and what differed: (what, the file, each program's verdict)."""

    verifier: SecondVerifier
    counted: Counter[str] = field(default_factory=Counter)
    differ: list[tuple[str, bytes, Verdict, Verdict]] = field(default_factory=list)

    def note(self, what: str, data: bytes, first: Verdict, second: Verdict) -> None:
        check = first.get("check")
        self.counted[f"{first['verdict']} {check}" if check else first["verdict"]] += 1
        if first != second:
            self.differ.append((what, data, first, second))

    def transcript(self, what: str, data: bytes) -> None:
        """A whole transcript; mutants of it may follow."""
        self.note(what, data, first_says(data), second_says(self.verifier.judge(base=data)))

    def file(self, what: str, data: bytes) -> None:
        evidence = data[6:7] == b"e"
        first = first_says_of_evidence(data) if evidence else first_says(data)
        self.note(what, data, first, second_says(self.verifier.judge(file=data), evidence))

    def mutants(self, game: fresh_games.Game, count: int, seed: int) -> None:
        """Mutants of the transcript that was judged last; each eighth is an evidence file."""
        spoiler = Spoiler(game, seed)
        for number in range(count):
            if number % 8 == 7:
                what, data = spoiler.evidence()
                self.file(f"{game.name}: {what}", data)
                continue
            mutant = spoiler.mutant()
            data = spoiler.whole(mutant)
            answer = self.verifier.judge(place=mutant.place, rest=mutant.rest)
            self.note(f"{game.name}: {mutant.what}", data, first_says(data), second_says(answer))


def compare(verifier: SecondVerifier, count: int, seed: int, names: tuple[str, ...]) -> Comparison:
    """Compare games of these presets and their mutants until there are so many cases."""
    done = Comparison(verifier)
    with remembering(group._engine):
        for number, name in enumerate(itertools.cycle(names)):
            left = count - done.counted.total()
            if left <= 0:
                break
            game = fresh_games.fresh(name, seed + number)
            done.transcript(game.name, game.transcript)
            done.mutants(game, min(MUTANTS_OF_A_GAME, left - 1), seed)
    return done


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/dev differential", description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="where files are kept on which they disagree")
    chosen = parser.parse_args()
    with second_verifier() as verifier:
        done = compare(verifier, chosen.count, chosen.seed, fresh_games.ALL)
    for number, (what, data, first, second) in enumerate(done.differ):
        sys.stdout.write(f"{number}: {what}\n  p2p304 {first}\n  second {second}\n")
        if chosen.keep is not None:
            chosen.keep.mkdir(parents=True, exist_ok=True)
            (chosen.keep / f"{chosen.seed}-{number}.304").write_bytes(data)
    for verdict, count in sorted(done.counted.items()):
        sys.stdout.write(f"{count:7} {verdict}\n")
    sys.stdout.write(f"{done.counted.total()} compared, {len(done.differ)} differ\n")
    return 1 if done.differ else 0


if __name__ == "__main__":
    sys.exit(main())
