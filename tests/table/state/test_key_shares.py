"""Keys shared among the others: shares open to their receivers alone, and false ones convict."""

from __future__ import annotations

from functools import cache

import pytest

from p2p304.crypto.group import Element, base, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.sealing import disclose
from p2p304.log.chain import Chain
from p2p304.log.entry import parse_entry, sign_entry
from p2p304.log.evidence import BOX, Evidence, parse_evidence
from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.table.evidence import share_complaint
from p2p304.table.evidence.evidence_file import of_contradiction, parse_evidence_file
from p2p304.table.proofs.checks import check_shares
from p2p304.table.state.key_shares import others, own_share, share, total
from p2p304.wire.bodies import Shuffle, body_value
from p2p304.wire.canonical import decode, encode
from tests.support.cheats.harness import Outcome
from tests.support.hostile.false_boxes import FALSE_BOXES, FalseBox, sharing, with_false_box

RNG = Rng.from_seed(bytes(31) + b"\x05")
BOXES = [RNG.child(b"box", bytes([n])).scalar() for n in range(7)]


@cache
def outcomes() -> dict[type[FalseBox], tuple[Outcome, int]]:
    return {kind: with_false_box(kind) for kind in FALSE_BOXES}


@pytest.mark.parametrize("seats", [3, 4, 6, 8])
def test_all_shares_together_are_the_key_and_each_opens_to_one(seats: int) -> None:
    x = RNG.child(b"key").scalar()
    receivers = [base(e) for e in BOXES[: seats - 1]]
    r = RNG.child(b"ephemeral").scalar()
    raw = share(base(x), x, r, receivers, RNG.child(b"share"))
    body = Shuffle(base(x), b"", (), b"", raw, base(r), b"")
    shared = check_shares(base(x), 1, body, seats - 1)
    assert shared is not None and total([s.point for s in shared.shares]) == base(x)
    scalars = []
    for seat, e in zip(others(1, seats), BOXES, strict=False):
        s = own_share(shared, seat, e)
        assert s is not None and base(s) == shared.of(seat).point
        scalars.append(s)
        assert own_share(shared, seat, e + 1) is None
    card = base(RNG.child(b"card").scalar())
    assert total([mul(s, card) for s in scalars]) == mul(x, card)
    assert total([mul(s, card) for s in scalars[:-1]]) != mul(x, card)


@pytest.mark.parametrize("kind", FALSE_BOXES, ids=lambda kind: kind.__name__)
def test_a_false_box_stops_the_table_with_its_author_named_by_all(kind: type[FalseBox]) -> None:
    out, _ = outcomes()[kind]
    for number in out.honest:
        stopped = out.net.tables[number].stopped
        assert stopped is not None
        assert (stopped.finding.check, stopped.finding.player) == (kind.check, out.liar)
        verdict = judge(out.net.evidence[number])
        assert (verdict.finding.check, verdict.at) == (kind.check, out.seq)
        assert verdict.guilty == out.net.tables[number].terms.players[out.liar].nick
    assert len({out.net.evidence[number] for number in out.honest}) == 1


def test_an_honest_box_convicts_nobody() -> None:
    net, author, body = sharing()
    table = net.tables[author]
    assert isinstance(body, Shuffle) and table.state is not None
    chain = table.chain
    entry = sign_entry(
        table.me.key, chain.table, chain.next_seq, chain.head, author, "shuffle", body_value(body)
    )
    shared = check_shares(Element(body.key), table.seat, body, 3)
    assert shared is not None
    seat = others(table.seat, 4)[0]
    e = net.tables[table.state.player_on(seat)].me.secrets.box_key
    word = share_complaint.complain(entry.raw, shared.ephemeral, seat, e, RNG)
    assert parse_evidence(word.encode()) == word
    with pytest.raises(Refused, match="E01"):
        share_complaint.judge(word, chain, table.state)
    with pytest.raises(Refused, match="E01"):
        judge(of_contradiction(chain, word).encode())


def test_nobody_is_convicted_by_a_word_that_does_not_open_the_box() -> None:
    out, seat = outcomes()[FALSE_BOXES[0]]
    table = out.net.tables[out.honest[0]]
    assert table.state is not None
    kept = [e for e in out.honest if out.net.tables[e].seat == seat]
    case = judge(out.net.evidence[kept[0]])
    assert case.finding.check == "D13"
    entry, word = _evidence(out, kept[0])
    fields = decode(word)
    assert isinstance(fields, dict) and isinstance(fields["point"], bytes)
    lies = [
        {**fields, "point": mul(2, Element(fields["point"]))},
        {**fields, "seat": (seat + 1) % 4},
        {**fields, "seat": table.state.seat_of(out.liar)},
        {**fields, "seat": 9},
        {**fields, "proof": bytes(64)},
    ]
    for lie in lies:
        with pytest.raises(Refused, match="E01"):
            share_complaint.judge(Evidence(BOX, entry, encode(lie)), table.chain, table.state)
    for bad in (b"", encode({}), encode({**fields, "seat": -1}), encode({**fields, "point": b""})):
        with pytest.raises(Refused, match="W03"):
            share_complaint.judge(Evidence(BOX, entry, bad), table.chain, table.state)
    with pytest.raises(Refused, match="E01"):
        share_complaint.judge(
            Evidence(BOX, entry, word), Chain(bytes(32), table.terms.keys), table.state
        )


def test_another_players_key_opens_nothing() -> None:
    """Who shows Z for a key of its own, and not the one that it drew with, proves nothing."""
    out, seat = outcomes()[FALSE_BOXES[0]]
    table = out.net.tables[out.honest[0]]
    assert table.state is not None
    entry, word = _evidence(out, out.honest[0])
    fields = decode(word)
    body = parse_entry(entry).entry.body
    ephemeral = body["ephemeral"]
    assert isinstance(fields, dict) and isinstance(ephemeral, bytes)
    Z, proof = disclose(5, Element(ephemeral), share_complaint._context(entry), RNG)
    lie = encode({"point": Z, "proof": proof, "seat": seat})
    with pytest.raises(Refused, match="E01"):
        share_complaint.judge(Evidence(BOX, entry, lie), table.chain, table.state)


def _evidence(out: Outcome, number: int) -> tuple[bytes, bytes]:
    case = parse_evidence_file(out.net.evidence[number])
    return case.first, case.second
