"""Evidence files judged, as lines or data: the output of `p2p304 audit --evidence`.

Responsible for its words and exit statuses. The verdict itself is audit.py's; transcripts are
report.py's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import Any

from p2p304.log import transcript
from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.audit import Verdict, judge
from p2p304.offline.report import (
    NOT_SOUND,
    SOUND,
    UNREADABLE,
    OnVerdict,
    Out,
    letters,
    named,
    no_page,
    player_phrase,
)
from p2p304.rules.core.phrases import Phrase, english, say
from p2p304.rules.core.seats import names
from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.table.evidence.evidence_file import MAGIC
from p2p304.ui.common.wording import hand_name
from p2p304.ui.narration.accounts import gained, standing
from p2p304.ui.narration.model import Ended
from p2p304.ui.narration.phrase_renderer import Translate, untranslated
from p2p304.wire.names import shown


def audit_evidence(
    files: Sequence[Path],
    as_json: bool,
    out: Out,
    on_verdict: OnVerdict = no_page,
    translate: Translate = untranslated,
) -> int:
    """Judge evidence files; returns 0 if each proves a player guilty, 1 if one proves nothing, 2 if
    one is unreadable. ``on_verdict`` gets each file with its verdict."""
    worst = SOUND
    for path in files:
        seats: tuple[str, ...] = ()
        try:
            proven = judge(_evidence(path))
        except Refused as refused:
            status = NOT_SOUND
            told = say("proves nothing: {why}", why=refused.finding.sentence)
            data: dict[str, Any] = {"proven": False, "why": str(told)}
        except (DataFolderError, Unreadable) as error:
            reason: str | Phrase = shown(str(error))
            if isinstance(error, DataFolderError):
                reason = error.phrase
            status, told = UNREADABLE, say("unreadable: {why}", why=reason)
            data = {"proven": False, "why": str(told)}
        else:
            status, (told, data), seats = SOUND, _proven(proven), proven.nicks
        worst = max(worst, status)
        line = shown(letters(translate, seats).text(told))
        out(json.dumps({"file": str(path), **data}) if as_json else f"{named(path)}: {line}")
        on_verdict(path, shown(letters(untranslated, seats).text(told)))
    return worst


def _evidence(path: Path) -> bytes:
    """Read an evidence file; raises DataFolderError, or Unreadable if it is something else."""
    if path.is_dir():
        raise Unreadable(english("this is a folder: name the evidence files in it"))
    data = read_file(path)
    if data.startswith(transcript.MAGIC):
        why = english("this is a transcript, not an evidence file: audit it without --evidence")
        raise Unreadable(why)
    if not data.startswith(MAGIC):
        raise Unreadable(english("this is not a p2p304 evidence file"))
    return data


_LONGER = say("If there is a longer transcript of this table, what is paid follows from its end.")


def _proven(verdict: Verdict) -> tuple[Phrase, dict[str, Any]]:
    """Return what is proven and what the hand costs, as a sentence and as data."""
    found, settled = verdict.finding, verdict.settled
    tokens, cost = None, say("No hand was in progress, so nobody pays.")
    if settled is not None:
        tokens = dict(zip(verdict.accounts, settled.match.tokens, strict=True))
        ended = Ended(settled.number, None, settled.result, settled.match, before=verdict.before)
        told = [settled.result.reason, *gained(ended), standing(settled.match, None), _LONGER]
        hand = hand_name(settled.number, verdict.void)
        cost = say("{hand}: {told}", hand=hand, told=reduce(_joined, told))
    line = say(
        "PROVEN against {who} at entry {n} of table {table}: {check}: {sentence}. {cost}",
        who=player_phrase(verdict.guilty, verdict.seat, verdict.seats),
        n=verdict.at,
        table=verdict.table[:16],
        check=found.check,
        sentence=found.sentence,
        cost=cost,
    )
    return line, {
        "proven": True,
        "table": verdict.table,
        "player": verdict.guilty,
        "entry": verdict.at,
        "seat": None if verdict.seat is None else names(verdict.seats)[verdict.seat],
        "check": found.check,
        "sentence": found.sentence,
        "tokens": tokens,
    }


def _joined(one: Phrase, other: Phrase) -> Phrase:
    return say("{first} {second}", first=one, second=other)
