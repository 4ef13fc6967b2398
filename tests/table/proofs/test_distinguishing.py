"""A distinguishing game: two hands that differ only in hidden cards. Whoever has everything but
the honest players' keys sees the same kinds in the same order, with the same fields of the same
sizes; the values that do differ are elements and scalars."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache

import pytest

from p2p304.crypto.group import Q, base, counting, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.statements import Hidden, prove_by_keys, verify
from p2p304.rules.core.cards import Card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.state.hand import Hand
from p2p304.table.proofs import hidden_cards
from p2p304.table.state import deal as dealing
from p2p304.wire.canonical import Value
from tests.support.table import simnet, stacked

RULES = stacked.rules()
GAMES = {1: RULES, 2: stacked.rules(away="playout")}
"""By seed: in the second, every key is shared among the others too."""


def shape(value: Value) -> Value:
    """What may be seen of a value without knowing it: its type and size, text and numbers."""
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    if isinstance(value, list):
        return [shape(each) for each in value]
    if isinstance(value, dict):
        return {name: shape(each) for name, each in value.items()}
    return value


def hidden(script: stacked.Script) -> list[tuple[int, Card]]:
    """Cards played face down from hand and never turned up, with their seats."""
    hand, cards = script.referee.hand, script.referee.true_cards
    known = {(n, p.seat) for n, trick in enumerate(hand.tricks) for p in trick.plays if not p.down}
    shown = {card for a in hand.history for _, card in getattr(a, "revealed", ())}
    lay = [(seat, card) for (n, seat), card in cards.items() if (n, seat) not in known]
    return [(seat, card) for seat, card in lay if card not in shown and card is not hand.indicator]


def twins(seed: int) -> Iterator[tuple[stacked.Script, stacked.Script]]:
    """Hands and their twins: two players' never-seen cards exchanged, all else the same."""
    rng, rules = random.Random(seed), GAMES[seed]
    dealer = stacked.dealer_of(1, rules)
    while True:
        hands = stacked.random_hands(rng, rules)
        choose = simnet.closed_chooser(rng.randrange(1000))
        script = stacked.play_out(hands, dealer, rules, choose)
        cards = hidden(script)
        for seat, card in cards:
            for other, exchanged in cards:
                if seat < other:
                    swap = {card: exchanged, exchanged: card}
                    moved = [[swap.get(c, c) for c in held] for held in hands]
                    try:
                        yield script, stacked.again(script, moved, dealer, swap)
                    except (RuleBroken, KeyError):
                        continue


@cache
def logs(seed: int) -> tuple[stacked.Script, list[list[dict[str, Value]]]]:
    """The two logs of a hand and its twin, played over the network."""
    pair = next(twins(seed))
    told: list[list[dict[str, Value]]] = []
    for script in pair:
        net = stacked.make(script.hands, options=GAMES[seed])
        net.choosers = script.choosers()
        net.run()
        assert net.finished and net.tables[0].state is not None
        entries = net.tables[0].chain.entries
        record = net.tables[0].state.last_record
        assert record is not None and record.offences == ()
        told.append(
            [
                {
                    "kind": e.entry.kind,
                    "author": e.entry.author,
                    "size": len(e.raw),
                    "body": dict(e.entry.body),
                }
                for e in entries
            ]
        )
    return pair[0], told


@pytest.mark.parametrize("seed", [1, 2])
def test_hidden_cards_leave_no_trace_in_the_messages(seed: int) -> None:
    """Until the count, where they are opened, the two logs have one public structure."""
    script, (one, other) = logs(seed)
    assert len(hidden(script)) >= 2
    before = [entry for entry in one if entry["kind"] != "count"]
    assert {"shuffle", "relock", "down", "inspect", "announce"} <= {str(e["kind"]) for e in before}
    for mine, twin in zip(before, other, strict=False):
        assert shape({**mine, "body": without_slots(mine)}) == shape(
            {**twin, "body": without_slots(twin)}
        )
    assert [e["size"] for e in one] == [e["size"] for e in other]


def without_slots(entry: dict[str, Value]) -> Value:
    """Slots are places of a secret order, drawn afresh: any place is as good as any other."""
    body = entry["body"]
    assert isinstance(body, dict)
    return {k: v for k, v in body.items() if k != "slot" or v == -1}


@pytest.mark.parametrize("seed", [1, 2])
def test_the_values_that_differ_are_masked(seed: int) -> None:
    """No element or scalar of a proof stands twice in a log, or in both logs: each is fresh, so
    that comparing them tells nothing."""
    _, told = logs(seed)
    for log in told:
        proofs = [p for e in log for p in _owed(e)]
        shares = [p[at : at + 32] for e in log for p in _shares(e) for at in range(0, len(p), 32)]
        assert len(set(shares)) == len(shares) and bool(shares) is (GAMES[seed].away == "playout")
        pieces = [p[at : at + 32] for p in proofs for at in range(0, len(p), 32)]
        assert len(pieces) > 100 and len(set(pieces)) == len(pieces)
    one, other = ({p for e in log for p in _owed(e)} for log in told)
    assert one and not one & other


def _owed(entry: dict[str, Value]) -> list[bytes]:
    return _listed(entry, "owed")


def _shares(entry: dict[str, Value]) -> list[bytes]:
    return _listed(entry, "shares")


def _listed(entry: dict[str, Value], name: str) -> list[bytes]:
    body = entry["body"]
    assert isinstance(body, dict)
    items = body.get(name, [])
    assert isinstance(items, list)
    return [p for p in items if isinstance(p, bytes)]


def ops(one: int, other: int) -> dict[str, int]:
    """What it takes to prove that two hidden cards of these numbers are of different suits."""
    deal = dealing.begin(bytes(32), 1, 0, RULES)
    cards = hidden_cards.Cards(deal, Hand.start(RULES, 0))
    u = Rng.from_seed(bytes(32)).scalar()
    key, inverse = base(u), pow(u, -1, Q)
    hidden = [Hidden(key, mul(inverse, deal.deck[number])) for number in (one, other)]
    row = hidden_cards.no_trumps(cards, hidden[0], hidden[1:])
    assert row is not None
    with counting() as counts:
        proof = prove_by_keys(row, {key: u}, b"", Rng.from_seed(bytes(32)))
    assert verify(row, proof, b"")
    return asdict(counts)


def test_the_work_of_a_proof_does_not_depend_on_the_trump_suit() -> None:
    """While as many cards of each suit are unseen, the prover does the same operations whatever
    suit the indicator is of (time itself is not promised: see Threats)."""
    assert len({str(ops(one, other)) for one, other in ((0, 9), (8, 0), (17, 30), (25, 3))}) == 1
