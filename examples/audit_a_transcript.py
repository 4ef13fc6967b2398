"""Verify a game from its transcript and print the verdict.

usage: python examples/audit_a_transcript.py FILE.304

Exit status: 0 sound, 1 not sound, 2 not a transcript. `p2p304 audit` does the same and says more.
"""

from __future__ import annotations

import sys
from pathlib import Path

from p2p304.api import Unreadable, audit


def main(path: Path) -> int:
    try:
        report = audit(path.read_bytes())
    except (OSError, Unreadable) as error:
        print(f"{path} is not a readable transcript: {error}")
        return 2
    print(f"Table {report.table[:8]}, players: {', '.join(report.players)}")
    for hand in report.hands:
        proofs = hand.proofs.total()
        print(f"Hand {hand.number}: {hand.reason or 'not finished'} ({proofs} proofs verified)")
    if report.fault is not None:
        # A fault names its check in SPEC.md. `guilty` is None where no signature proves anything.
        print(f"NOT SOUND at entry {report.at}: {report.fault.check}, {report.fault.sentence}")
        print(f"Proven against: {report.guilty or 'nobody'}")
        return 1
    how_far = "to its end" if report.complete else "as far as it goes"
    print(f"SOUND {how_far}: {report.entries} entries, {report.receipts} receipts")
    for account, tokens in zip(report.accounts, report.tokens, strict=True):
        print(f"{account} has {tokens} tokens.")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FILE.304")
    sys.exit(main(Path(sys.argv[1])))
