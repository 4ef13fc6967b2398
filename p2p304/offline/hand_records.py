"""The hands of a transcript as hand records, one a line (SPEC.md, "Records of a transcript").

Responsible for which hands are written, and in which form. What a hand tells of the cards is
rules/records/from_hand.py's; every entry is verified first.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from p2p304.log.faults import Refused
from p2p304.offline.report import NOT_SOUND, SOUND, UNREADABLE
from p2p304.rules.records.from_hand import record_of
from p2p304.rules.records.short_notation import notation
from p2p304.table.transition.replay import Replay


def write_records(
    data: bytes,
    hand: int | None,
    is_short: bool,
    tell: Callable[[str], object],
    warn: Callable[[str], object],
) -> int:
    """Tell every finished hand of a transcript, or hand number ``hand`` alone, as JSON or with
    ``is_short`` as 304N; ``warn`` of a fault, which ends it. Returns the exit status."""
    written: Callable[[dict[str, Any]], str] = notation if is_short else json.dumps
    told, void, last, breach = 0, 0, None, ""
    try:
        for replayed in Replay(data):
            finished = replayed.state.last_record
            if finished is not None and finished is not last:
                last, number = finished, finished.number - void
                told, void = number, void + finished.result.void
                if hand is None or number == hand:
                    tell(written(record_of(finished.hand)))
                if finished.offences and not breach:
                    breach = f"hand {number}, {finished.offences[0].rule}"
    except Refused as refused:
        warn(f"The transcript is not sound from here on: {refused.finding.sentence}.")
        return NOT_SOUND
    if breach:
        warn(f"The transcript is not sound: a hidden play broke a rule (check C01: {breach}).")
        return NOT_SOUND
    if hand is not None and hand > told:
        warn(f"This transcript has no finished hand {hand}.")
        return UNREADABLE
    return SOUND
