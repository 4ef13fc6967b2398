"""Changes one place of the program at a time and sees whether the folder's own tests notice.
usage: scripts/dev mutants FOLDER [--count N] [--seed N]

FOLDER is a folder or a file below p2p304/, as rules/caps or log/chain.py; its own tests are those
in the same folder below tests/. Works in a copy of the tree. Ends with status 1 if a mutant
survives that scripts/stress/mutants_explained.py does not explain.

No mutation tester from PyPI serves here. mutmut leaves out the bodies of decorated classes, and
most classes here are dataclasses. cosmic-ray changes the tree that it runs in and has one test
command for all files; mutatest knows no Python newer than 3.8.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.stress.mutant_places import Mutant, Places
from scripts.stress.mutants_explained import ANY, EXPLAINED

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")


def own_tests(tree: Path, target: Path) -> Path:
    """The folder below tests/ that mirrors a folder or file of the program."""
    folder = target if target.is_dir() else target.parent
    return tree / "tests" / folder.relative_to(tree / "p2p304")


def in_stages(tests: list[str], path: Path, seconds: dict[str, float]) -> list[list[str]]:
    """The tests that are named as the file or mention it, then all others; each the fast first.
    A run imports all its tests before it begins, so that two short runs end sooner."""
    near = [
        test
        for test in tests
        if path.stem in Path(test).stem
        or re.search(rf"\b{path.stem}\b", (ROOT / test).read_text(encoding="utf-8"))
    ]
    stages = [near, [test for test in tests if test not in near]]
    return [sorted(stage, key=lambda test: seconds.get(test, 0.0)) for stage in stages if stage]


class Copy:
    """A copy of the tree in which the tests run."""

    def __init__(self, tree: Path) -> None:
        self.tree, self.clock = tree, itertools.count(int(time.time()))
        self.limit: float | None = None

    def write(self, path: Path, source: bytes) -> None:
        """Write a file with a time of its own: compiled files are told apart by size and time."""
        path.write_bytes(source)
        now = next(self.clock)
        os.utime(path, (now, now))

    def run(self, tests: list[str], *more: str) -> tuple[bool, str]:
        """Whether the tests pass, and what they wrote; an endless run does not pass."""
        shutil.rmtree(self.tree / ".hypothesis", ignore_errors=True)
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--tb=no", "--hypothesis-seed=0"]
        try:
            done = subprocess.run(
                [*command, *more, *tests],
                cwd=self.tree,
                env={**os.environ, "PYTHONPATH": str(self.tree)},
                capture_output=True,
                text=True,
                timeout=self.limit,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False, f"FAILED by running longer than {self.limit:.0f} s"
        return done.returncode == 0, done.stdout + done.stderr


def survivors(copy: Copy, target: Path, count: int, seed: int) -> Iterator[Mutant]:
    """Run the tests against ``count`` mutants; yields those that no test finds."""
    files = sorted(target.rglob("*.py")) if target.is_dir() else [target]
    mutants = [mutant for file in files for mutant in Places(file).found]
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    folder = own_tests(copy.tree, target)
    tests = [str(path.relative_to(copy.tree)) for path in sorted(folder.rglob("test_*.py"))]
    began = time.monotonic()
    passed, output = copy.run(tests, "--durations=0", "-vv")
    if not passed or not tests:
        raise SystemExit(
            f"the tests of {folder.relative_to(copy.tree)} do not pass as they are\n{output}"
        )
    seconds: dict[str, float] = {}
    for took, test in re.findall(r"^([\d.]+)s \w+ +(tests/\S+?\.py)", output, re.MULTILINE):
        seconds[test] = seconds.get(test, 0.0) + float(took)
    copy.limit = 60 + 4 * (time.monotonic() - began)
    sys.stdout.write(f"{len(chosen)} of {len(mutants)} mutants, seed {seed}\n")
    found = explained = 0
    for mutant in chosen:
        original = mutant.path.read_bytes()
        before, after = mutant.lines(original)
        name = mutant.path.relative_to(copy.tree / "p2p304").as_posix()
        line = original.count(b"\n", 0, mutant.start) + 1
        if (name, before, after) in EXPLAINED or (name, before, ANY) in EXPLAINED:
            explained += 1
            continue
        copy.write(mutant.path, mutant.source(original))
        survived = True
        for stage in in_stages(tests, mutant.path, seconds):
            survived, output = copy.run(stage)
            if not survived:
                break
        copy.write(mutant.path, original)
        killer = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.MULTILINE)
        by = "survived" if survived else f"found by {killer[1] if killer else 'a crash'}"
        sys.stdout.write(f"{name}:{line} {by}\n  - {before}\n  + {after}\n")
        sys.stdout.flush()
        found += not survived
        if survived:
            yield mutant
    sys.stdout.write(f"{found} found, {explained} explained of {len(chosen)}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/dev mutants", description=__doc__)
    parser.add_argument("folder", help="folder or file below p2p304/")
    parser.add_argument("--count", type=int, default=20, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="chooses them")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        tree = Path(room) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
        target = tree / "p2p304" / chosen.folder
        left = list(survivors(Copy(tree), target, chosen.count, chosen.seed))
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
