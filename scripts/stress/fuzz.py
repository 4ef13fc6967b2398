"""Coverage-guided fuzzing of every decoder and of the table's step, with atheris.

`scripts/dev fuzz SECONDS [TARGET ...]`: so long for all targets together, each in a process of its
own. What reaches new code is kept, small, in tests/fuzz/corpus and replayed by the tests; a
crash is left in the current folder and ends the run. `scripts/dev fuzz --forms` fuzzes nothing and
keeps well-formed messages: run it after the form of a message has changed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.usage import answer_help
from tests.support.paths import ROOT

CORPUS = ROOT / "tests" / "fuzz" / "corpus"
MOST_FILES, MOST_BYTES = 16, 1024


def fuzz_one(name: str, seconds: int, folder: str) -> None:
    """Runs in a process of its own: libFuzzer never returns."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["p2p304"]):
        from tests.support.fuzz_targets import TARGETS, seeds
    for number, seed in enumerate(seeds(name)):
        (Path(folder) / f"seed-{number}").write_bytes(seed)
    words = [
        sys.argv[0],
        folder,
        f"-max_total_time={seconds}",
        "-max_len=4096",
        "-print_final_stats=1",
        "-timeout=10",
        "-rss_limit_mb=1024",
    ]
    if (CORPUS / name).exists():
        words.append(str(CORPUS / name))
    atheris.Setup(words, TARGETS[name])
    atheris.Fuzz()


def keep(name: str, folder: str) -> int:
    """The smallest inputs that are not kept yet, and not too many."""
    here = CORPUS / name
    here.mkdir(parents=True, exist_ok=True)
    known = {path.read_bytes() for path in here.iterdir()}
    found = sorted((path.read_bytes() for path in Path(folder).iterdir()), key=len)
    fresh = [data for data in found if data not in known and len(data) <= MOST_BYTES]
    room = max(0, MOST_FILES - len(known))
    step = max(1, len(fresh) // room) if room else 1
    for data in fresh[::step][:room]:
        (here / f"{len(list(here.iterdir())):03d}").write_bytes(data)
    return len(list(here.iterdir()))


def keep_forms() -> None:
    """Replace the messages that a test holds well formed."""
    from tests.support.fuzz_targets import TARGETS, forms

    for name in TARGETS:
        for old in (CORPUS / name).glob("form-*"):
            old.unlink()
        for form, data in forms(name).items():
            (CORPUS / name / f"form-{form}").write_bytes(data)


def main(seconds: int, names: list[str]) -> int:
    from tests.support.fuzz_targets import TARGETS

    chosen = names or list(TARGETS)
    total = 0
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="p2p304-fuzz-") as folder:
            share = str(max(1, seconds // len(chosen)))
            words = [sys.executable, "-m", "scripts.stress.fuzz", "--one", name, share, folder]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            runs = re.search(r"number_of_executed_units: *(\d+)", done.stderr)
            edges = re.findall(r"cov: (\d+)", done.stderr)
            if done.returncode or runs is None:
                sys.stdout.write(f"{name}: FAILED\n{done.stderr[-3000:]}\n")
                return 1
            total += int(runs[1])
            kept = keep(name, folder)
        sys.stdout.write(
            f"{name:<12} {int(runs[1]):>9} runs, {edges[-1] if edges else 0:>5} "
            f"edges covered, {kept} files kept\n"
        )
        sys.stdout.flush()
    sys.stdout.write(f"{total} runs, every message accepted or refused\n")
    return 0


if __name__ == "__main__":
    answer_help(__doc__)
    if sys.argv[1:2] == ["--one"]:
        fuzz_one(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    elif sys.argv[1:2] == ["--forms"]:
        keep_forms()
    else:
        sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 60, sys.argv[2:]))
