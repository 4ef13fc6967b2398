"""The result of a hand record: what it came to, or where it stands (SPEC.md, "Hand records").

Responsible for the form of the result. It judges nothing itself: record.py reads the record and
referee.py plays the hand.
"""

from __future__ import annotations

from typing import Any

from p2p304.rules.core.actions import PCC, Caps, Spoilt
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import amount_text, play_texts, reader, text
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.seats import names
from p2p304.rules.play import claims
from p2p304.rules.records.record import Record, RecordError, read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand

Json = dict[str, Any]
_UNREAD: Json = {
    "status": "illegal",
    "phase": None,
    "to_act": [],
    "may_claim": [],
    "legal": [],
    "contract": None,
    "tricks": [],
    "points": None,
    "result": None,
}


def score(line: str) -> Json:
    """The result for one record as JSON text; nothing that it may hold raises."""
    try:
        record = read_record(line)
    except RecordError as error:
        return {**_UNREAD, "error": _error(None, None, error)}
    return settle(record)


def _error(index: int | None, said: str | None, broken: RecordError | RuleBroken) -> Json:
    why = str(broken.phrase) if isinstance(broken, RuleBroken) else broken.message
    sentence = f"{why[:1].upper()}{why[1:].rstrip('.')}."
    return {"index": index, "action": said, "rule": broken.rule, "message": sentence}


def settle(record: Record) -> Json:
    """Play a record through to its end or its first illegal action."""
    options = record.options
    referee = Referee(options, record.dealer, record.hands, record.pile, alone=True)
    read = reader(options.seats, options.tenths)
    act = referee.act
    for index, said in enumerate(record.actions):
        try:
            act(read[said])
        except RuleBroken as broken:
            return _described(referee, _error(index, said[:64], broken))
    return _described(referee, None)


def _described(referee: Referee, error: Json | None) -> Json:
    hand = referee.hand
    known, tenths = names(hand.options.seats), hand.options.tenths
    tricks, won = _tricks(referee)
    status = "illegal" if error else "in_progress"
    if hand.result is not None and not error:
        status = "void" if hand.result.void else "complete"
    return {
        "status": status,
        "phase": hand.phase.value,
        "to_act": [] if hand.turn is None else [known[hand.turn]],
        "may_claim": [known[seat] for seat in claims.may_claim(hand)],
        "legal": sorted([text(action, len(known), tenths) for action in referee.legal()]),
        "contract": contract_of(hand, referee.indicator.suit if referee.indicator else hand.trump),
        "tricks": tricks,
        "points": _points(hand, won),
        "result": _result(referee),
        "error": error,
    }


def contract_of(hand: Hand, trump: Suit | None) -> Json | None:
    """The contract with the trump suit as its reader knows it. Null until the first round of
    bidding has a winner."""
    if hand.maker is None:
        return None
    if hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
        trump = None
    tenths = hand.options.tenths
    is_counted = isinstance(hand.ending, Spoilt) and hand.maker in hand.opened
    return {
        "bid": hand.bid if hand.bid < PCC and not tenths else amount_text(hand.bid, tenths),
        "by": names(hand.options.seats)[hand.maker],
        "trump": trump and trump.value,
        "open": None if hand.closed is None else not hand.closed,
        "shown": hand.has_open_trumps and not is_counted,
    }


def _tricks(referee: Referee) -> tuple[list[Json], list[int]]:
    """Every trick, face-down cards included, and the card points by account of those settled."""
    options, hidden = referee.hand.options, referee.hidden
    known, text_of, worth = names(options.seats), play_texts(options.seats), options.pack.points
    tricks, sums = [], [0] * options.accounts
    for number, trick in enumerate(referee.hand.tricks):
        texts, points, winner = [], 0, trick.winner
        for play in trick.plays:
            card = play.card or hidden[number, play.seat]
            texts.append(text_of[play.down][play.seat][card])
            points += worth[card]
        one: Json = {"leader": known[trick.leader], "plays": texts, "winner": None, "points": None}
        if winner is not None:
            one["winner"] = known[winner]
            one["points"] = points / 10 if options.tenths else points
            sums[options.sides[winner]] += points
        tricks.append(one)
    return tricks, sums


def _points(hand: Hand, won: list[int]) -> Json:
    """Card points by side in settled tricks; all of them where a call of Caps ended the hand
    (``caps.late_ends``)."""
    options = hand.options
    if isinstance(hand.ending, Caps):
        caller = options.account(hand.ending.seat)
        won = [options.pack.total * (account == caller) for account in range(options.accounts)]
    shown = [points / 10 for points in won] if options.tenths else won
    return dict(zip(options.account_names, shown, strict=True))


def _result(referee: Referee) -> Json | None:
    result, options = referee.hand.result, referee.hand.options
    if result is None:
        return None
    seats, caps = names(options.seats), result.caps
    return {
        "tokens": dict(zip(options.account_names, result.tokens, strict=True)),
        "reason": str(result.reason),
        "caps": caps
        and {
            "by": seats[caps.by],
            "verdict": caps.verdict,
            "since": caps.since and str(caps.since),
        },
        "next_dealer": seats[result.next_dealer],
    }
