"""The audit: replays a transcript through the same machine as at the table, without any secret.

Responsible for what a replay counts and how a verdict is reached. It verifies nothing itself: every
check belongs to the log or the table. It opens no files and prints nothing; report.py does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from p2p304.log.absence_vote import parse_word
from p2p304.log.entry import parse_entry, parse_receipt
from p2p304.log.evidence import BOX, PART, SPLIT, Evidence, proves_nothing
from p2p304.log.faults import Finding, Refused
from p2p304.log.transcript import Source
from p2p304.offline.phrase_data import PHRASE
from p2p304.rules.core.phrases import Phrase, within_sentence
from p2p304.rules.state.scoring import Match
from p2p304.table.agreement.continuation import Continuation
from p2p304.table.agreement.limits import MAX_HANDS
from p2p304.table.agreement.terms import Terms
from p2p304.table.evidence.evidence_file import CLAIM, FALSE, EvidenceFile, parse_evidence_file
from p2p304.table.evidence.share_complaint import check_draws_are_signed
from p2p304.table.evidence.share_complaint import judge as convicts
from p2p304.table.state.events import HandBegan, HandOver, Parted, PlayingOut, Seated, TableOver
from p2p304.table.state.table import TableState
from p2p304.table.transition.ending import settle_conviction
from p2p304.table.transition.replay import Replay, Replayed
from p2p304.table.transition.replica import Replica
from p2p304.table.transition.successor import Ending
from p2p304.ui.common.wording import hand_number
from p2p304.ui.narration.accounts import card_points, ended_match, gained, games, standing
from p2p304.ui.narration.model import Ended
from p2p304.wire.forms import (
    Form,
    exactly,
    many,
    maybe,
    number,
    of,
    one_of,
    optional,
    record,
    string,
)

_COUNT = number(0)
_TEXTS = many(string())
_FINDING = exactly({"check": string(), "sentence": string(), "player": maybe(_COUNT)})
_PROOFS = many(exactly({"player": string(), "kind": string(), "count": _COUNT}))


def _read_finding(value: Any) -> Finding:
    return Finding(**_FINDING.read(value))


def _read_proofs(value: Any) -> Counter[tuple[str, str]]:
    return Counter({(one["player"], one["kind"]): one["count"] for one in _PROOFS.read(value)})


def proofs_data(counts: Iterable[tuple[tuple[str, str], int]]) -> list[dict[str, Any]]:
    """Return how many proofs of each kind each player has given, as data."""
    return [{"player": player, "kind": kind, "count": n} for (player, kind), n in counts]


_COUNTED = Form(_read_proofs, _PROOFS.schema, lambda proofs: proofs_data(proofs.items()))


PROOF_FIELDS = (
    "proof",
    "knows",
    "kept",
    "shown_proof",
    "own_proof",
    "indicator_proof",
    "proofs",
    "owed",
)


@dataclass(slots=True)
class HandAudit:
    """What the entries of one deal proved: for each kind, by seat name, how many proofs were
    verified. ``void``: the deal does not count, and its hand is dealt again."""

    number: int = of(number(1, MAX_HANDS))
    proofs: Counter[tuple[str, str]] = of(_COUNTED)
    entries: int = of(_COUNT, default=0)
    reason: str | None = of(maybe(string()), default=None)
    offences: tuple[str, ...] = of(_TEXTS, default=())
    told: tuple[Phrase, ...] = of(many(PHRASE), default=())
    """What the table told of the end: the reason, and who has gained what from whom."""
    void: bool = of(one_of(True, False), default=False)


@dataclass(slots=True)
class Report:
    """An audit's outcome. ``fault`` is None for a sound transcript; ``at`` is the entry's place,
    ``guilty`` and ``seat`` the player against whom it is proven (the seat once seats are drawn).
    ``terms`` are the agreement's, ``left`` what a table that continues this one must agree with.
    ``without`` is the player without whom ``parts`` others have ended the table; ``tokens`` are by
    account, as far as they are known. ``nicks`` are by seat; ``account`` says what each has, and
    who has won."""

    table: str = of(string(), default="")
    code: str = of(string(), default="")
    players: tuple[str, ...] = of(_TEXTS, default=())
    accounts: tuple[str, ...] = of(_TEXTS, default=())
    tokens: tuple[int, ...] = of(many(number()), default=())
    nicks: tuple[str, ...] = of(_TEXTS, default=())
    account: tuple[Phrase, ...] = of(many(PHRASE), default=())
    hands: tuple[HandAudit, ...] = of(many(record(HandAudit), 0, MAX_HANDS), default=())
    entries: int = of(_COUNT, default=0)
    receipts: int = of(_COUNT, default=0)
    parts: int = of(_COUNT, default=0)
    without: str = of(string(), default="")
    terms: Terms | None = optional(one_of(None))
    left: Ending | None = optional(one_of(None))
    complete: bool = of(one_of(True, False), default=False)
    fault: Finding | None = of(maybe(Form(_read_finding, _FINDING.schema, asdict)), default=None)
    at: int | None = of(maybe(_COUNT), default=None)
    guilty: str | None = of(maybe(string()), default=None)
    seat: int | None = of(maybe(_COUNT), default=None)

    @property
    def sound(self) -> bool:
        return self.fault is None

    @property
    def void(self) -> tuple[int, ...]:
        """The numbers of the deals that do not count."""
        return tuple(deal.number for deal in self.hands if deal.void)

    @property
    def after(self) -> Continuation | None:
        """The end that this table continues, if it continues another table."""
        return None if self.terms is None else self.terms.after


def audit(source: bytes | Source) -> Report:
    """Replay a transcript, its bytes or an open file, of which a few entries at a time are in
    memory; raises Unreadable if it is none. A false one gives a fault."""
    report, replay = Report(), Replay(source, keeps_log=False)
    before: Match | None = None
    try:
        for replayed in replay:
            _note(report, replayed, replay, before)
            before = replayed.state.match
    except Refused as refused:
        report.fault, report.at = refused.finding, report.entries
        player, state = refused.finding.player, replay.state
        if player is not None and state is not None:
            report.guilty = state.terms.players[player].nick
            report.seat = state.seat_of(player) if state.seating else None
        return report
    replica = replay.replica
    if replica is not None:
        report.complete = replica.due is None
        report.terms, report.left = replica.terms, replica.ending
    offence = next(((h.number, h.offences[0]) for h in report.hands if h.offences), None)
    if offence is not None:  # The count has revealed an illegal hidden play (check C01).
        deal, sentence = offence
        report.fault = Finding("C01", f"hand {hand_number(deal, report.void)}: {sentence}")
        report.guilty = sentence.split(":")[0]
    return report


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an evidence file proves: the finding, its place, and the guilty player."""

    table: str
    finding: Finding
    at: int
    guilty: str
    seat: int | None
    seats: int
    accounts: tuple[str, ...]
    settled: HandOver | None
    """How the hand is paid for (``cheat.pays``); None if no hand was being dealt or played."""
    nicks: tuple[str, ...]
    before: Match
    void: tuple[int, ...]
    """The numbers of the deals before that do not count."""


def judge(data: bytes) -> Verdict:
    """Judge an evidence file by itself. Raises Unreadable, or Refused (E01 or an earlier check) if
    it proves nothing; then nobody is guilty."""
    found = parse_evidence_file(data)
    replay, void = Replay(found.transcript), list[int]()
    for replayed in replay:
        for event in replayed.events:
            if isinstance(event, HandOver) and event.result.void:
                void.append(event.number)
    before = replay.state
    answered = parse_entry(found.second) if found.kind == CLAIM else None
    if answered is not None:
        replay.verify_entry(answered)
    state = replay.state
    if replay.replica is None or state is None:
        raise proves_nothing("this evidence does not contain the table's agreement")
    finding, seq = _found(found, replay.replica)
    if finding.player is None:
        raise proves_nothing(f"this evidence proves nobody guilty: {finding.sentence}")
    seat = state.seat_of(finding.player) if state.seating else None
    nick = state.terms.players[finding.player].nick
    settled = settle_conviction(before or state, finding.player)
    paid, accounts = None if settled is None else settled[1], state.terms.rules.account_names
    nicks, was = nicks_by_seat(state), (before or state).match
    table, seats = state.table.hex(), state.seats
    return Verdict(table, finding, seq, nick, seat, seats, accounts, paid, nicks, was, tuple(void))


def nicks_by_seat(state: TableState) -> tuple[str, ...]:
    """Return the players' nicknames by seat; none before seats are drawn."""
    return tuple(state.nick_on(seat) for seat in range(state.seats)) if state.seating else ()


def _found(found: EvidenceFile, replica: Replica) -> tuple[Finding, int]:
    """Return what the evidence proves, and the place of the first thing that it shows."""
    chain = replica.chain
    if found.kind == CLAIM:  # Check S03: the claim on a receipt for the last entry.
        receipt = parse_receipt(found.first)
        chain.authenticate_receipt(receipt)
        chain.add_receipt(receipt)
        try:
            replica.judge_claim(receipt)
        except Refused as refused:
            return refused.finding, receipt.seq
        raise proves_nothing("this claim is valid: its author was allowed to make it")
    if found.kind == FALSE:
        entry = chain.authenticate(parse_entry(found.first))
        try:
            replica.judge(entry)
        except Refused as refused:
            return refused.finding, entry.entry.seq
        raise proves_nothing("this entry is valid: it passes every check")
    finding = convicts(Evidence(found.kind, found.first, found.second), chain, replica.state)
    if found.kind == BOX:
        check_draws_are_signed(chain, parse_entry(found.first).entry.author)
    if found.kind == SPLIT:
        return finding, parse_receipt(found.first).seq
    if found.kind == PART:
        return finding, parse_word(found.first).place.seq
    return finding, parse_entry(found.first).entry.seq


def _note(report: Report, replayed: Replayed, replay: Replay, before: Match | None) -> None:
    match = replayed.state.match
    report.entries, report.nicks = report.entries + 1, nicks_by_seat(replayed.state)
    report.account = (standing(match, None), *games(match, None))
    report.players = tuple(p.nick for p in replayed.state.terms.players)
    report.table = replayed.state.table.hex()
    report.accounts = replayed.state.terms.rules.account_names
    report.tokens = replayed.state.match.tokens
    if replay.chain is not None:
        seq = replay.chain.next_seq - 1
        report.receipts += len(replay.chain.receipts_at(seq))
        if report.hands:
            hand = report.hands[-1]
            hand.entries += 1
            body = replay.chain.last.entry.body
            values = [value for name in PROOF_FIELDS if (value := body.get(name)) is not None]
            counts = [len(value) if isinstance(value, list) else 1 for value in values]
            if counts:
                hand.proofs[replayed.author, replayed.kind] += sum(counts)
    for event in replayed.events:
        match event:
            case Seated(code=code):
                report.code = code
            case HandBegan(number=number):
                report.hands = (*report.hands, HandAudit(number, Counter()))
            case HandOver(number=number, result=result, match=match, offences=offences):
                done = report.hands[number - 1]
                ended = Ended(number, None, result, match, before=before)
                done.told = (result.reason, *gained(ended), *card_points(ended, None))
                done.void = result.void
                done.reason, nick_on = str(result.reason), replayed.state.nick_on
                done.offences = tuple(
                    f"{nick_on(o.seat)}: {within_sentence(o.phrase)} ({o.rule})" for o in offences
                )
            case TableOver(match=match, winner=winner):
                report.account = (*report.account, ended_match(match, winner))
            case Parted(absent=absent) | PlayingOut(absent=absent):
                report.without, report.parts = absent, len(report.players) - 1
