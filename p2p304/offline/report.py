"""Audits and replays as lines or data: the output of `p2p304 audit` and `p2p304 replay`.

Responsible for their words and exit statuses. The verdict itself is audit.py's; evidence files are
evidence_report.py's.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p304.log.faults import Refused
from p2p304.offline.archives.executors import transcripts
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.offline.audit import Report, proofs_data
from p2p304.offline.audited import Audited, audit_all
from p2p304.offline.continuation import Continues, links
from p2p304.offline.contradiction import contradictions
from p2p304.rules.core.phrases import Phrase, Seats, Who, english, say
from p2p304.rules.core.seats import names
from p2p304.storage.data_folder import DataFolderError, read_file
from p2p304.table.evidence.evidence_file import MAGIC
from p2p304.table.state.events import HandBegan
from p2p304.table.transition.replay import Replay
from p2p304.ui.common.theme import LETTERS
from p2p304.ui.common.wording import hand_name, hand_number, seat_word
from p2p304.ui.narration.phrase_renderer import PhraseRenderer, Translate, untranslated
from p2p304.ui.text.narrator import Narrator
from p2p304.wire.names import shown

SOUND, NOT_SOUND, UNREADABLE = 0, 1, 2
EVIDENCE = english("this is an evidence file, not a transcript: audit it with --evidence")
Out = Callable[[str], None]
OnVerdict = Callable[[Path, str], None]
WORDS = {
    "shuffle": say("shuffles"),
    "unlock": say("unlockings"),
    "relock": say("re-ordered hands"),
    "play": say("cards turned up"),
    "down": say("cards played face down"),
    "inspect": say("cards shown to the trump maker"),
    "announce": say("announcements"),
    "ask": say("questions for trumps"),
    "caps": say("calls of Caps"),
    "marriage": say("marriages"),
    "exchange": say("exchanges"),
    "count": say("counts"),
    "open": say("indicators turned up"),
    "closed": say("inspection keys"),
    "redeal": say("hands rejected"),
    "stand_in": say("shares given for an absent player"),
}


def no_page(path: Path, verdict: str) -> None:
    """Write no page of a file that was judged."""


def no_status(told: str) -> None:
    """Show nothing of how far the work has come."""


def audit_files(
    files: Sequence[Path],
    as_json: bool,
    out: Out,
    show: Out = no_status,
    on_verdict: OnVerdict = no_page,
    translate: Translate = untranslated,
    *,
    executor: Executor | None = None,
    jobs: int | None = None,
    kept: ResultsFile | None = None,
) -> int:
    """Audit each file, and every transcript in each folder, and check how they continue and
    whether they contradict one another; returns the worst exit status. ``on_verdict`` gets each
    file with its verdict in English; the other parameters are those of `audit_all`."""
    text = letters(translate).text
    worst, paths, all_of_them = SOUND, transcripts(files), list[Audited]()
    for outcome in audit_all(paths, executor, jobs=jobs, kept=kept, show=show):
        path, report = outcome.path, outcome.report
        if report is None:
            why = EVIDENCE if is_evidence(path) else outcome.why
            reason = shown(why) if isinstance(why, str) else why
            status, told = UNREADABLE, say("unreadable: {why}", why=reason)
            lines = [f"{named(path)}: {text(told)}"]
            in_english = f"{named(path)}: {told}"
            data: dict[str, Any] = {"verdict": "unreadable", "why": str(why)}
        else:
            status = SOUND if report.sound else NOT_SOUND
            lines, data = _lines(path, report, translate), _data(report)
            in_english = verdict(report)
        worst = max(worst, status)
        for line in [json.dumps({"file": str(path), **data})] if as_json else lines:
            out(line)
        on_verdict(path, in_english)
        if report is not None and report.sound:
            all_of_them.append(_for_comparison(outcome, report))
    for link in links(all_of_them):
        worst = max(worst, NOT_SOUND if link.holds is Continues.NO else SOUND)
        data = {"file": str(link.path), "continues": link.earlier, "link": link.holds.value}
        data["sentence"] = str(link.sentence)
        out(json.dumps(data) if as_json else f"{text(link.sentence)}.")
    for found in contradictions(all_of_them):
        worst = max(worst, NOT_SOUND)
        data = {"file": str(found.path), "contradicts": str(found.other), "entry": found.place}
        data |= {"fork": found.fork, "split": list(found.split), "parted": list(found.parted)}
        data["played_on"] = list(found.played_on)
        data["sentence"] = str(found.sentence)
        out(json.dumps(data) if as_json else f"{text(found.sentence)}.")
    if not paths:
        out(text(say("No transcripts found.")))
    return worst if paths else UNREADABLE


def _for_comparison(outcome: Audited, report: Report) -> Audited:
    """Return what files are compared by. The rest has been told and leaves memory: an archive has
    very many hands."""
    slim = Report(
        table=report.table,
        players=report.players,
        terms=report.terms if report.after else None,
        left=report.left,
        complete=report.complete,
    )
    return replace(outcome, report=slim)


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


def player_phrase(nick: str, seat: int | None, seats: int) -> Phrase:
    if seat is None:
        return say("{nick}", nick=nick)
    place = say(seat_word(seat)) if seats == 4 else say("seat {n}", n=seat + 1)
    return say("{nick} ({seat})", nick=nick, seat=place)


def _lines(path: Path, report: Report, translate: Translate) -> list[str]:
    renderer = letters(translate, report.nicks)

    def text(phrase: Phrase) -> str:
        return shown(renderer.text(phrase))

    seated = tuple(
        say("{who} ({seat})", who=nick, seat=renderer.placed(seat))
        for seat, nick in enumerate(report.nicks)
    )
    head = say(
        "table {table}, code {code}, players {players}",
        table=report.table[:16],
        code=report.code or "-",
        players=seated or ", ".join(report.players) or "-",
    )
    lines = [f"{named(path)}: {text(head)}"]
    count = len(report.accounts)
    if count < len(seated):  # partners: a figure below names their side alone
        sides = [tuple(range(side, len(seated), count)) for side in range(count)]
        lines[0] += "; " + "; ".join(
            text(
                say("{side}: {who}", side=Seats(each, name, True, True), who=tuple(map(Who, each)))
            )
            for each, name in zip(sides, report.accounts, strict=True)
        )
    for hand in report.hands:
        if not hand.entries:
            number = hand_number(hand.number, report.void)
            lines.append(text(say("Hand {n} has not begun.", n=number)))
            continue
        told = " ".join(map(text, hand.told or (say("Not finished."),)))
        name = hand_name(hand.number, report.void)
        head = say("{hand}: {count} entries.", hand=name, count=hand.entries)
        lines.append(f"{text(head)} {told}")
        for player in report.nicks or report.players:
            kinds = {kind: n for (author, kind), n in hand.proofs.items() if author == player}
            if kinds:
                proved = ", ".join(
                    f"{text(WORDS[kind]) if kind in WORDS else kind} {n}"
                    for kind, n in kinds.items()
                )
                lines.append("  " + text(say("{who} proved: {proofs}", who=player, proofs=proved)))
        lines += [
            "  " + text(say("Found at the final review: {sentence}", sentence=sentence))
            for sentence in hand.offences
        ]
    if report.without:
        told_end = say(
            "All other players ended the table without {who}, who was absent.", who=report.without
        )
        lines.append(text(told_end))
    if report.hands and report.account:
        lines.append(" ".join(map(text, report.account)))
    lines.append(text(_verdict(report)))
    if report.fault is not None:
        explained = say("Check {check} is explained on the page that 'p2p304 report' makes.")
        lines.append(text(explained.filled(check=report.fault.check)))
    return lines


def letters(translate: Translate, nicks: Sequence[str] = ()) -> PhraseRenderer:
    """Return what renders phrases of the table as a spectator reads them."""
    return PhraseRenderer(LETTERS, translate, nicks=tuple(nicks))


def verdict(report: Report, translate: Translate = untranslated) -> str:
    """Return one line: sound or not, what was verified, and the player against whom a fault is
    proven."""
    return shown(letters(translate).text(_verdict(report)))


def _verdict(report: Report) -> Phrase:
    proofs = sum((hand.proofs for hand in report.hands), Counter[tuple[str, str]]()).total()
    if report.fault is None:
        told = say(
            "SOUND ({state}): {entries} entries, {receipts} receipts, {parts} parts, {proofs} "
            "proofs verified."
            if report.parts
            else "SOUND ({state}): {entries} entries, {receipts} receipts, {proofs} proofs "
            "verified."
        )
        state = say("complete") if report.complete else say("unfinished")
        if report.without:
            state = say("ended without {who}", who=report.without)
        return told.filled(
            state=state,
            entries=report.entries,
            receipts=report.receipts,
            parts=report.parts,
            proofs=proofs,
        )
    guilty = say("This proves nobody guilty.")
    if report.guilty:
        who = player_phrase(report.guilty, report.seat, len(report.players))
        guilty = say("This proves {who} guilty.", who=who)
    told = say(
        "NOT SOUND: {check}: {sentence}. {guilty}"
        if report.at is None
        else "NOT SOUND at entry {n}: {check}: {sentence}. {guilty}"
    )
    fault = report.fault
    told = told.filled(check=fault.check, sentence=fault.sentence, guilty=guilty)
    return told if report.at is None else told.filled(n=report.at)


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
        "tokens": dict(zip(report.accounts, report.tokens, strict=True)),
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
                "hand": hand_number(hand.number, report.void),
                "entries": hand.entries,
                "reason": hand.reason,
                "offences": list(hand.offences),
                "proofs": proofs_data(sorted(hand.proofs.items())),
            }
            for hand in report.hands
        ],
    }


def replay(data: bytes, hand: int | None, out: Out, translate: Translate = untranslated) -> int:
    """Print a transcript as it is verified entry by entry; stop with the fault if there is one."""
    narrator, number, has_hand = Narrator(None, translate), 0, False
    text = letters(translate).text
    try:
        for replayed in Replay(data):
            for event in replayed.events:
                if isinstance(event, HandBegan):
                    number = narrator.model.hand_number(event.number)
                lines = narrator.lines(event)
                if hand is None or number == hand:
                    has_hand = has_hand or number > 0
                    for line in lines:
                        out(line)
    except Refused as refused:
        why = refused.finding.sentence
        out(text(say("The transcript is not sound from here on: {why}.", why=why)))
        return NOT_SOUND
    if hand is not None and not has_hand:
        out(text(say("This transcript has no hand {n}.", n=hand)))
        return UNREADABLE
    return SOUND
