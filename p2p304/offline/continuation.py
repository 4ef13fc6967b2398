"""Tables that continue one another, among transcripts audited together.

Responsible for which transcript continues which, and whether the later one begins as the earlier
one ended (check A05). Each transcript's own verdict is audit.py's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from p2p304.log.faults import Refused
from p2p304.offline.audit import Report
from p2p304.offline.audited import Audited
from p2p304.rules.core.phrases import Phrase, say
from p2p304.table.transition.successor import check_continues


class Continues(Enum):
    """Whether a transcript begins as the one that it names ended; UNKNOWN if the end of that one is
    not present."""

    YES = "holds"
    NO = "broken"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Link:
    """``path`` continues the table ``earlier`` (hex), with a sentence."""

    path: Path
    earlier: str
    holds: Continues
    sentence: Phrase


def links(audited: Sequence[Audited]) -> Iterator[Link]:
    """Yield a link for every sound transcript that continues another, in their order."""
    sound = [(each.path, each.report) for each in audited if each.report and each.report.sound]
    later = {(report.after.table.hex(), report.table) for _, report in sound if report.after}
    count = Counter(earlier for earlier, _ in later)  # a copy of a table is no other table
    ends = [(path, report) for path, report in sound if report.complete]
    for path, report in sound:
        if report.after is not None:
            earlier = report.after.table.hex()
            those = [end for end in ends if end[1].table == earlier]
            # Of two ends that contradict each other, the one that the table names.
            wanted = report.after.end
            named = (e for e in those if e[1].left and e[1].left.after.end == wanted)
            link = _link(path, report, earlier, next(iter((*named, *those)), None))
            told, claim = link.sentence, count[earlier]
            if claim > 1:
                told = say("{told}; {n} tables here claim to continue it", told=told, n=claim)
            yield replace(link, sentence=told)


_OTHER_END = say(
    "A05: it continues another end of that table. Audit the file of that end too: it shows who "
    "signed both ends"
)


def _link(path: Path, report: Report, earlier: str, end: tuple[Path, Report] | None) -> Link:
    if end is None or report.terms is None:
        sentence = say(
            "{file} continues table {table}, and no transcript here holds the end of that table: "
            "its starting tokens are not verified",
            file=path.name,
            table=earlier[:16],
        )
        return Link(path, earlier, Continues.UNKNOWN, sentence)
    try:
        check_continues(end[1].left, report.terms)
    except Refused as refused:
        why: str | Phrase = f"{refused.finding.check}: {refused.finding.sentence}"
        left = end[1].left
        if left is not None and report.after is not None and left.after.end != report.after.end:
            why = _OTHER_END
        sentence = say(
            "{file} does NOT correctly continue {earlier}: {why}",
            file=path.name,
            earlier=end[0].name,
            why=why,
        )
        return Link(path, earlier, Continues.NO, sentence)
    sentence = say("{file} correctly continues {earlier}", file=path.name, earlier=end[0].name)
    return Link(path, earlier, Continues.YES, sentence)
