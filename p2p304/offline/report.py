"""Audits and replays as lines or data: the output of `p2p304 audit` and `p2p304 replay`.

Responsible for their words and exit statuses. The verdict itself is audit.py's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from p2p304.log import transcript
from p2p304.log.faults import Refused
from p2p304.log.transcript import Unreadable
from p2p304.offline.audit import Report, Verdict, judge
from p2p304.offline.continuation import Continues, links
from p2p304.offline.contradiction import contradictions
from p2p304.offline.parallel import Audited, audit_all, transcripts
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.core.seats import names
from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.table.evidence.evidence_file import MAGIC
from p2p304.table.state.events import HandBegan
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.theme import Look
from p2p304.ui.common.wording import seat_word
from p2p304.ui.narration.accounts import gained, standing
from p2p304.ui.narration.model import Ended
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.text.narrator import Narrator
from p2p304.wire.names import shown

SOUND, NOT_SOUND, UNREADABLE = 0, 1, 2
EVIDENCE = "this is an evidence file, not a transcript: audit it with --evidence"
Say = Callable[[str], None]
OnVerdict = Callable[[Path, str], None]
_WORDS = {
    "shuffle": "shuffles",
    "unlock": "unlockings",
    "relock": "re-ordered hands",
    "play": "cards turned up",
    "inspect": "cards shown to the trump maker",
    "announce": "announcements",
    "ask": "questions for trumps",
    "caps": "calls of Caps",
    "marriage": "marriages",
    "exchange": "exchanges",
    "count": "counts",
    "open": "indicators turned up",
    "closed": "inspection keys",
    "redeal": "hands rejected",
    "stand_in": "shares given for an absent player",
}


def no_page(path: Path, verdict: str) -> None:
    """Write no page of a file that was judged."""


def audit_files(
    files: Sequence[Path],
    as_json: bool,
    say: Say,
    progress: Say | None = None,
    on_verdict: OnVerdict = no_page,
) -> int:
    """Audit each file, and every transcript in each folder, and check how they continue and
    whether they contradict one another; returns the worst exit status. ``on_verdict`` gets each
    file with its verdict."""
    worst, paths, all_of_them = SOUND, transcripts(files), list[Audited]()
    for outcome in audit_all(paths, progress if len(paths) > 1 else None):
        path, report = outcome.path, outcome.report
        all_of_them.append(outcome)
        if report is None:
            why = EVIDENCE if is_evidence(path) else outcome.why
            status, lines = UNREADABLE, [f"{named(path)}: unreadable: {shown(why)}"]
            data: dict[str, Any] = {"verdict": "unreadable", "why": why}
        else:
            status = SOUND if report.sound else NOT_SOUND
            lines, data = _lines(path, report), _data(report)
        worst = max(worst, status)
        for line in [json.dumps({"file": str(path), **data})] if as_json else lines:
            say(line)
        on_verdict(path, lines[-1])
    for link in links(all_of_them):
        worst = max(worst, NOT_SOUND if link.holds is Continues.NO else SOUND)
        data = {"file": str(link.path), "continues": link.earlier, "link": link.holds.value}
        say(json.dumps({**data, "sentence": link.sentence}) if as_json else f"{link.sentence}.")
    for found in contradictions(all_of_them):
        worst = max(worst, NOT_SOUND)
        data = {"file": str(found.path), "contradicts": str(found.other), "entry": found.place}
        data |= {"fork": found.fork, "split": list(found.split), "sentence": found.sentence}
        say(json.dumps(data) if as_json else f"{found.sentence}.")
    if not paths:
        say("No transcripts found.")
    return worst if paths else UNREADABLE


def audit_evidence(
    files: Sequence[Path], as_json: bool, say: Say, on_verdict: OnVerdict = no_page
) -> int:
    """Judge evidence files; returns 0 if each proves a player guilty, 1 if one proves nothing, 2 if
    one is unreadable. ``on_verdict`` gets each file with its verdict."""
    worst = SOUND
    for path in files:
        try:
            verdict = judge(_evidence(path))
        except Refused as refused:
            status, line = NOT_SOUND, f"proves nothing: {refused.finding.sentence}"
            data: dict[str, Any] = {"proven": False, "why": line}
        except (DataFolderError, Unreadable) as error:
            status, line = UNREADABLE, f"unreadable: {shown(str(error))}"
            data = {"proven": False, "why": line}
        else:
            status, (line, data) = SOUND, _proven(verdict)
        worst = max(worst, status)
        say(json.dumps({"file": str(path), **data}) if as_json else f"{named(path)}: {line}")
        on_verdict(path, line)
    return worst


def _evidence(path: Path) -> bytes:
    """Read an evidence file; raises DataFolderError, or Unreadable if it is something else."""
    if path.is_dir():
        raise Unreadable("this is a folder: name the evidence files in it")
    data = read_file(path)
    if data.startswith(transcript.MAGIC):
        raise Unreadable("this is a transcript, not an evidence file: audit it without --evidence")
    if not data.startswith(MAGIC):
        raise Unreadable("this is not a p2p304 evidence file")
    return data


def is_evidence(path: Path) -> bool:
    """Whether a file begins as evidence files do; False for one that cannot be read."""
    try:
        return read_file(path).startswith(MAGIC)
    except DataFolderError:
        return False


def named(path: Path) -> str:
    """Return a file's name, safe to print. The author of the file chose the name, which may hold
    terminal codes or words of a verdict."""
    name = shown(path.name)
    plain = name == path.name and all(c.isalnum() or c in "._-+" for c in name)
    return name if plain else '"' + name.replace('"', "'") + '"'


def _proven(verdict: Verdict) -> tuple[str, dict[str, Any]]:
    """Return what is proven and what the hand costs, as a line and as data."""
    found, settled = verdict.finding, verdict.settled
    seat = "" if verdict.seat is None else f" ({seat_word(verdict.seat, verdict.seats)})"
    tokens, cost = None, "No hand was in progress, so nobody pays."
    if settled is not None:
        tokens = dict(zip(verdict.accounts, settled.match.tokens, strict=True))
        ended = Ended(settled.number, None, settled.result, settled.match, before=verdict.before)
        told = [settled.result.reason, *gained(ended), standing(settled.match, None)]
        cost = f"Hand {settled.number}: {_account(verdict.nicks, told)}"
    line = (
        f"PROVEN against {verdict.guilty}{seat} at entry {verdict.at} of table "
        f"{verdict.table[:16]}: {found.check}: {found.sentence}. {cost}"
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


def _lines(path: Path, report: Report) -> list[str]:
    lines = [
        f"{named(path)}: table {report.table[:16]}, code {report.code or '-'}, "
        f"players {', '.join(report.players) or '-'}"
    ]
    for hand in report.hands:
        told = _account(report.nicks, hand.told) or "Not finished."
        lines.append(f"Hand {hand.number}: {hand.entries} entries. {told}")
        for player in report.players:
            kinds = {kind: n for (author, kind), n in hand.proofs.items() if author == player}
            if kinds:
                proved = ", ".join(f"{_WORDS.get(kind, kind)} {n}" for kind, n in kinds.items())
                lines.append(f"  {player} proved: {proved}")
        lines += [f"  Found at the final review: {sentence}" for sentence in hand.offences]
    if report.without:
        lines.append(f"All other players ended the table without {report.without}, who was absent.")
    if report.hands and report.account:
        lines.append(_account(report.nicks, report.account))
    return [*lines, verdict(report)]


def _account(nicks: Sequence[str], phrases: Sequence[Phrase]) -> str:
    """Return sentences of the table as a spectator reads them."""
    renderer = PhraseRenderer(Look(glyphs=False), nicks=tuple(nicks))
    return " ".join(shown(renderer.text(phrase)) for phrase in phrases)


def _tokens(report: Report) -> dict[str, int]:
    return dict(zip(report.accounts, report.tokens, strict=True))


def verdict(report: Report) -> str:
    """Return one line: sound or not, what was verified, and the player against whom a fault is
    proven."""
    proofs = sum((hand.proofs for hand in report.hands), Counter[tuple[str, str]]()).total()
    parts = f"{report.parts} parts, " if report.parts else ""
    checked = f"{report.entries} entries, {report.receipts} receipts, {parts}{proofs} proofs"
    if report.fault is None:
        state = "complete" if report.complete else "unfinished"
        state = f"ended without {report.without}" if report.without else state
        return f"SOUND ({state}): {checked} verified."
    seat = f" ({seat_word(report.seat, len(report.players))})" if report.seat is not None else ""
    guilty = f"{report.guilty}{seat}" if report.guilty else "nobody"
    place = f" at entry {report.at}" if report.at is not None else ""
    fault = f"{report.fault.check}: {report.fault.sentence}"
    return f"NOT SOUND{place}: {fault}. This proves {guilty} guilty."


def _data(report: Report) -> dict[str, Any]:
    fault = report.fault
    return {
        "verdict": "sound" if report.sound else "not sound",
        "complete": report.complete,
        "table": report.table,
        "code": report.code,
        "players": list(report.players),
        "entries": report.entries,
        "receipts": report.receipts,
        "parts": report.parts,
        "without": report.without or None,
        "tokens": _tokens(report),
        "fault": None
        if fault is None
        else {
            "check": fault.check,
            "sentence": fault.sentence,
            "entry": report.at,
            "player": report.guilty,
            "seat": None if report.seat is None else names(len(report.players))[report.seat],
        },
        "hands": [
            {
                "number": hand.number,
                "entries": hand.entries,
                "reason": hand.reason,
                "offences": list(hand.offences),
                "proofs": [
                    {"player": player, "kind": kind, "count": n}
                    for (player, kind), n in sorted(hand.proofs.items())
                ],
            }
            for hand in report.hands
        ],
    }


def replay(data: bytes, hand: int | None, say: Say, translate: Translate = untranslated) -> int:
    """Print a transcript as it is verified entry by entry; stop with the fault if there is one."""
    narrator, number, has_hand = Narrator(None, translate), 0, False
    try:
        for replayed in Replay(data):
            for event in replayed.events:
                number = event.number if isinstance(event, HandBegan) else number
                lines = narrator.lines(event)
                if hand is None or number == hand:
                    has_hand = has_hand or number > 0
                    for line in lines:
                        say(line)
    except Refused as refused:
        say(f"The transcript is not sound from here on: {refused.finding.sentence}.")
        return NOT_SOUND
    if hand is not None and not has_hand:
        say(f"This transcript has no hand {hand}.")
        return UNREADABLE
    return SOUND
