"""The arbiter: settles a hand record and says where it stands (SPEC.md, "Score").

Owns the form of the result. It judges nothing itself: records are read by record.py, hands
played by the referee.
"""

from __future__ import annotations

from typing import Any

from p2p304.rules.actions import Play
from p2p304.rules.errors import RuleBroken
from p2p304.rules.hand import Phase
from p2p304.rules.record import Record, RecordError, read_record
from p2p304.rules.referee import Referee
from p2p304.rules.seats import names, side, side_names
from p2p304.rules.tricks import Trick
from p2p304.rules.words import amount_text, parse, text

Json = dict[str, Any]
_UNREAD: Json = {"status": "illegal", "phase": None, "to_act": [], "may_claim": [], "legal": [],
                 "contract": None, "tricks": [], "points": None, "result": None}  # fmt: skip


def score(line: str) -> Json:
    """The result for one record as JSON text; nothing that it may hold raises."""
    try:
        record = read_record(line)
    except RecordError as error:
        return {**_UNREAD, "error": _error(None, None, error)}
    return settle(record)


def _error(index: int | None, said: str | None, broken: RecordError | RuleBroken) -> Json:
    sentence = f"{broken.message[:1].upper()}{broken.message[1:].rstrip('.')}."
    return {"index": index, "action": said, "rule": broken.rule, "message": sentence}


def settle(record: Record) -> Json:
    """Play a record through to its end or its first illegal action."""
    referee = Referee(record.options, record.dealer, record.hands)
    for index, said in enumerate(record.actions):
        try:
            referee.act(parse(said, record.options.seats))
        except RuleBroken as broken:
            return _described(referee, _error(index, said[:64], broken))
    return _described(referee, None)


def _described(referee: Referee, error: Json | None) -> Json:
    hand = referee.hand
    known = names(hand.options.seats)
    return {
        "status": "illegal" if error else _status(referee),
        "phase": hand.phase.value,
        "to_act": [] if hand.turn is None else [known[hand.turn]],
        "may_claim": [known[seat] for seat in hand.may_claim],
        "legal": sorted(text(action, len(known)) for action in referee.legal()),
        "contract": _contract(referee),
        "tricks": [_trick(referee, number, trick) for number, trick in enumerate(hand.tricks)],
        "points": _points(referee),
        "result": _result(referee),
        "error": error,
    }


def _status(referee: Referee) -> str:
    result = referee.hand.result
    if result is None:
        return "in_progress"
    return "void" if result.void else "complete"


def _contract(referee: Referee) -> Json | None:
    """Null until the first round of bidding has a winner; the record knows the trump suit."""
    hand = referee.hand
    if hand.maker is None:
        return None
    lying = referee.indicator.suit if referee.indicator else hand.trump
    if hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        lying = None
    bid = amount_text(hand.bid)
    return {
        "bid": hand.bid if bid.isdigit() else bid,
        "by": names(hand.options.seats)[hand.maker],
        "trump": None if lying is None else lying.value,
        "open": None if hand.closed is None else not hand.closed,
        "shown": hand.trumps_open,
    }


def _trick(referee: Referee, number: int, trick: Trick) -> Json:
    known, table = names(referee.hand.options.seats), referee.hand.options.pack.points
    cards = {play.seat: referee.true_cards[number, play.seat] for play in trick.plays}
    settled = trick.winner is not None
    return {
        "leader": known[trick.leader],
        "plays": [text(Play(p.seat, cards[p.seat], p.down), len(known)) for p in trick.plays],
        "winner": None if trick.winner is None else known[trick.winner],
        "points": sum(table[c] for c in cards.values()) if settled else None,
    }


def _points(referee: Referee) -> Json:
    """Card points by side in settled tricks, face-down cards included."""
    hand, table = referee.hand, referee.hand.options.pack.points
    sums = [0, 0]
    for number, trick in enumerate(hand.tricks):
        if trick.winner is not None:
            cards = (referee.true_cards[number, play.seat] for play in trick.plays)
            sums[side(trick.winner)] += sum(table[c] for c in cards)
    return dict(zip(side_names(hand.options.seats), sums, strict=True))


def _result(referee: Referee) -> Json | None:
    result, seats = referee.hand.result, referee.hand.options.seats
    if result is None:
        return None
    return {
        "tokens": dict(zip(side_names(seats), result.tokens, strict=True)),
        "reason": result.reason,
        "caps": result.caps,
        "next_dealer": names(seats)[result.next_dealer],
    }
