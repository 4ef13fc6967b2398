"""Caps and spoilt trumps at the table: claims ride on receipts, take the floor, and are judged
alike by every node and by the audit."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from p2p304.log.chain import Block
from p2p304.log.entry import sign_receipt
from p2p304.log.faults import Refused
from p2p304.log.transcript import transcript
from p2p304.offline.audit import audit, judge
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.evidence.evidence_file import CLAIM, EvidenceFile
from p2p304.table.state.events import Fault, HandOver
from p2p304.table.transition.receipt_claims import with_claims
from p2p304.wire.framing import FrameKind
from tests.support.reference.caps_hands import strong_deal
from tests.support.table import simnet, stacked
from tests.support.table.plain_player import plain


def table(hands: stacked.Hands, seed: int, options: Options) -> simnet.Net:
    net = stacked.make(hands, seed, options)
    net.choosers = [plain] * 4
    return net


def finished(net: simnet.Net) -> Result:
    """The hand's result, the same for all, and sound for a stranger."""
    net.run()
    assert net.finished, [one.stopped for one in net.tables]
    results = {e.result for told in net.told for e in told if isinstance(e, HandOver)}
    assert len(results) == 1
    assert len(set(net.transcripts)) == 1
    report = audit(net.transcripts[0])
    assert report.sound and report.complete
    return results.pop()


def first_result(net: simnet.Net) -> Result:
    """The same for a void hand, after which the table goes on."""
    ended: list[list[Result]] = []

    def over() -> bool:
        ended[:] = [[e.result for e in told if isinstance(e, HandOver)] for told in net.told]
        return all(ended)

    net.run(until=over)
    assert len({each[0] for each in ended}) == 1
    assert audit(net.transcripts[0]).sound
    return ended[0][0]


@pytest.mark.parametrize(("mode", "seed"), [("strict", 2), ("strict", 8), ("grace", 39)])
def test_who_calls_as_soon_as_caps_is_due_is_ruled_correct(mode: str, seed: int) -> None:
    options = stacked.rules(caps=mode)
    net = table(strong_deal(random.Random(seed), options, 0.8), seed, options)
    for one in net.tables:
        one._pending_claim.calls = True
    result = finished(net)
    assert result.caps is not None and result.caps.verdict == "correct"
    kinds = [signed.entry.kind for signed in net.tables[0].chain.entries]
    assert kinds.count("caps") == 1


def test_who_never_calls_has_missed() -> None:
    options = stacked.rules(caps="grace")
    result = finished(table(strong_deal(random.Random(39), options, 0.8), 39, options))
    assert result.caps is not None and result.caps.verdict == "missed"
    assert sorted(result.tokens) == [-2, 2]


SPADES = "JS 9S AS TS KS QS 8S 7S"
OTHERS = ["JH 9H AH TH JD 9D AD TD", "KH QH 8H 7H KD QD 8D 7D", "JC 9C AC TC KC QC 8C 7C"]


def hands_with(holder: int, spades: str) -> list[list[Card]]:
    rest = iter(OTHERS)
    texts = [spades if seat == holder else next(rest) for seat in range(4)]
    return [[card(name) for name in text.split()] for text in texts]


def playing(net: simnet.Net) -> bool:
    states = [one.state for one in net.tables]
    return all(s is not None and s.hand is not None and s.hand.phase is Phase.PLAY for s in states)


def bidding_for(seat: int) -> simnet.Chooser:
    """Everybody but ``seat`` passes; it bids and lays its first card, playing open if it must."""

    def choose(view: View) -> Action:
        options = legal(view)
        if isinstance(options[0], acts.Play):
            return plain(view)
        wanted = [a for a in options if isinstance(a, acts.Bid | acts.LayTrump)]
        if wanted and view.seat == seat and not view.hand.auction.second:
            return wanted[0]
        calm = acts.Pass | acts.Closed | acts.LayTrump
        return next((a for a in options if isinstance(a, calm)), options[-1])

    return choose


def spoilt_table(caller: int, hands: stacked.Hands) -> simnet.Net:
    """Seat 1 makes spades trumps; in the first trick ``caller`` declares them spoilt."""
    net = stacked.make(hands, 3, stacked.rules(caps="off"))
    net.choosers = [bidding_for(1)] * 4
    net.run(until=lambda: playing(net))
    net.tables[caller].act(acts.Spoilt(caller), net.now)
    return net


@pytest.mark.parametrize("caller", range(4))
def test_spoilt_trumps_void_the_hand_whoever_says_so(caller: int) -> None:
    result = first_result(spoilt_table(caller, hands_with(1, SPADES)))
    assert result.void and result.tokens == (0, 0) and "deals again" in str(result.reason)


def test_spoilt_trumps_called_wrongly_are_a_violation() -> None:
    hands = hands_with(1, "JS 9S AS TS KS QS 8S JH")
    hands[0][0] = card("7S")
    result = finished(spoilt_table(0, hands))
    assert not result.void and result.tokens[0] == -(1 + 2)


def counts(net: simnet.Net) -> dict[int, tuple[int, int]]:
    """How many cards each seat opened in the first hand's count, and how many rows it proved."""
    told: dict[int, tuple[int, int]] = {}
    for signed in net.tables[0].chain.entries:
        body: Any = signed.entry.body
        if signed.entry.kind == "count":
            told.setdefault(signed.entry.author, (len(body["cards"]), len(body["owed"])))
    return told


def test_who_was_dealt_no_trump_proves_it_and_opens_nothing() -> None:
    net = spoilt_table(0, hands_with(1, SPADES))
    assert first_result(net).void
    told = counts(net)
    assert (told[0], told[2]) == ((0, 1), (0, 1)) and 3 not in told


def test_only_who_was_dealt_a_trump_opens_its_cards() -> None:
    hands = hands_with(1, "JS 9S AS TS KS QS 8S JH")
    hands[0][0] = card("7S")
    net = spoilt_table(0, hands)
    assert not finished(net).void
    told = counts(net)
    assert told[2] == (0, 1)
    assert told[0][0] >= 7 and told[0][1] == 0


def test_an_early_call_binds_its_caller_and_costs_five_with_a_trick() -> None:
    options = stacked.rules(caps="grace")
    hands = strong_deal(random.Random(4), options, 3.0)
    net = table(hands, 4, options)
    net.run(until=lambda: playing(net))
    worst = tuple(sorted(hands[0], key=lambda c: options.pack.strength[c]))
    view = net.tables[0].view
    stated = tuple(c for c in worst if c in view.cards or c is view.indicator)
    net.tables[0].act(acts.Caps(0, stated), net.now)
    result = finished(net)
    assert result.caps is not None and (result.caps.by, result.caps.verdict) == (0, "failed")
    assert result.tokens == (-5, 5)


def test_a_claim_that_is_not_open_is_refused() -> None:
    net = simnet.make(1)
    net.run(until=lambda: net.tables[0].state is not None and net.tables[0].state.hand is not None)
    with pytest.raises(RuleBroken, match=r"claims\.from"):
        net.tables[0].act(acts.Spoilt(0), net.now)


def test_a_receipt_with_a_claim_out_of_place_names_its_author() -> None:
    net = simnet.make(1)
    net.run(until=lambda: net.tables[1].chain.next_seq == 2)
    one, cheat = net.tables[1], net.tables[2]
    signed = one.chain.entries[-1]
    receipt = sign_receipt(cheat.me.key, one.chain.table, 1, signed.link, 2, "spoilt")
    one.receive(cheat.me.key.public, FrameKind.RECEIPT, receipt.encode(), net.now)
    faults = [event for event in one.events() if isinstance(event, Fault)]
    assert [fault.finding.check for fault in faults] == ["S03"]


def test_a_claim_that_was_open_convicts_nobody_at_a_later_place() -> None:
    """Evidence that shows an honest receipt after another entry than the one it answers."""
    net = spoilt_table(2, hands_with(1, SPADES))
    first_result(net)
    chain = net.tables[0].chain
    made = [r for seq in range(chain.next_seq) for r in chain.receipts_at(seq) if r.claim]
    later = max(s for s in range(chain.next_seq) if chain.entries[s].entry.author != 2)
    assert len(made) == 1 and made[0].author == 2 and made[0].seq < later
    answered, before = chain.entries[later].raw, transcript(chain, later)
    answered_link = chain.entries[later].link
    case = EvidenceFile(CLAIM, made[0].encode(), answered, before)
    with pytest.raises(Refused, match="E01"):
        judge(case.encode())
    false = sign_receipt(net.tables[2].me.key, chain.table, later, answered_link, 2, "spoilt")
    verdict = judge(EvidenceFile(CLAIM, false.encode(), answered, before).encode())
    assert (verdict.finding.check, verdict.guilty) == ("S03", simnet.NICKS[2])


def claiming(net: simnet.Net, players: tuple[int, ...]) -> Block:
    """The last entry's block, with claims on the receipts of these players."""
    chain = net.tables[0].chain
    signed = chain.entries[-1]
    witnesses = ((signed.entry.author + step) % 4 for step in range(1, 4))
    receipts = (
        sign_receipt(
            net.tables[p].me.key,
            chain.table,
            signed.entry.seq,
            signed.link,
            p,
            "spoilt" if p in players else None,
        )
        for p in witnesses
    )
    return Block(signed, tuple(receipts))


def test_of_two_claims_the_first_by_seats_takes_the_floor() -> None:
    """Seats are drawn here, so that their order is not that of the agreement."""
    options = preset("pagat").override({"caps": "off"})
    for seed in range(1, 9):
        net = simnet.make(seed, rules=options)
        net.choosers = [bidding_for(1)] * 4
        net.run(until=lambda net=net: playing(net))  # type: ignore[misc]
        state = net.tables[0].state
        assert state is not None
        author = state.seat_of(net.tables[0].chain.entries[-1].entry.author)
        two = tuple(state.player_on((author + step) % 4) for step in (3, 2))
        claimed = with_claims(state, claiming(net, two)).claim
        assert claimed == (two[1], "spoilt")


def test_a_wish_of_one_hand_is_not_made_in_the_next() -> None:
    hands = hands_with(1, SPADES)
    net = stacked.make(hands, 3, stacked.rules(caps="off"))
    net.choosers = [bidding_for(1)] * 4
    net.run(until=lambda: playing(net))
    table, state = net.tables[0], net.tables[0].state
    assert state is not None
    assert table.seat == 0
    table._pending_claim.request(acts.Spoilt(0))
    assert table._pending_claim.for_receipt() == "spoilt"
    table.replica.state = replace(state, number=state.number + 1)
    table._pending_claim.on_entry(table.chain.next_seq, net.now)
    assert table._pending_claim.for_receipt() is None
