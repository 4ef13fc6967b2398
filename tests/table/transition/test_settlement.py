"""Proven cheating is paid as a violation (`cheat.pays`): all honest players and every reader of an
evidence file find the same payment."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.log.entry import sign_entry
from p2p304.offline.audit import judge
from p2p304.offline.evidence_report import audit_evidence
from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.presets import preset
from p2p304.table.state.events import HandOver
from p2p304.table.transition.ending import settle_conviction
from p2p304.wire.bodies import Say, Unlock
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import Chance, corrupt, tell
from tests.support.table import simnet


def until(net: simnet.Net, moment: Callable[[], bool]) -> simnet.Net:
    net.run(until=moment)
    assert not net.finished
    return net


def turn_of(net: simnet.Net) -> int:
    due = net.tables[0].replica.due
    assert due is not None
    return due.player


def bid_made(seed: int, violation: str) -> simnet.Net:
    """A hand in which some tricks are played."""
    net = simnet.make(seed, 0, preset("pagat").override({"violation": violation}))
    net.choosers = [simnet.closed_chooser(40 + n) for n in range(4)]

    def there() -> bool:
        states = [table.state for table in net.tables]
        return all(
            s is not None and s.hand is not None and s.hand.completed_count >= 2 for s in states
        )

    return until(net, there)


def paid(net: simnet.Net, honest: list[int]) -> HandOver:
    """What every honest player was told, and every evidence file says."""
    told = [[e for e in net.told[n] if isinstance(e, HandOver)][-1] for n in honest]
    assert len({(e.number, e.result.tokens, e.match.tokens, e.result.reason) for e in told}) == 1
    for number in honest:
        verdict = judge(net.evidence[number])
        assert verdict.settled is not None
        assert (verdict.settled.result, verdict.settled.match) == (told[0].result, told[0].match)
    return told[0]


@pytest.mark.parametrize("violation", ["pay", "void"])
def test_a_false_entry_in_the_play_costs_the_winnings_and_two(violation: str) -> None:
    net = bid_made(4, violation)
    liar = turn_of(net)
    outcome = tell(net, liar, Say("300"))
    over = paid(outcome.net, outcome.honest)
    state = net.tables[0].state
    assert state is not None and state.hand is not None and state.hand.maker is not None
    side = state.seat_of(liar) % 2
    made = side == state.hand.maker % 2
    worth = (2 if made else 1) + (1 if state.hand.bid >= 200 else 0) + 2
    assert over.result.tokens[side] == -worth and not over.result.void
    assert over.match.tokens[side] == 11 - worth


def test_a_second_entry_costs_the_hand_in_which_it_is_found() -> None:
    net = bid_made(4, "void")
    signed = next(e.entry for e in net.tables[0].chain.entries if e.entry.kind == "say")
    liar = signed.author
    word = "pass" if signed.body["word"] != "pass" else "160"
    second = sign_entry(
        net.tables[liar].me.key, signed.table, signed.seq, signed.prev, liar, "say", {"word": word}
    )
    honest = [n for n in range(4) if n != liar]
    for number in honest:
        net.tables[number].receive(net.keys[liar], FrameKind.ENTRY, second.raw, net.now)
        net.collect(number)
    over = paid(net, honest)
    state = net.tables[0].state
    assert state is not None and over.number == state.number
    assert over.result.tokens[net.tables[liar].seat % 2] < -2


def test_whoever_has_bid_high_and_cheats_in_the_bidding_pays_for_that_bid() -> None:
    net = simnet.make(2, 0)

    def bids(view: View) -> acts.Action:
        options = legal(view)
        high = [a for a in options if isinstance(a, acts.Bid) and a.amount == 270]
        return high[0] if high else next(a for a in options if isinstance(a, acts.Pass))

    net.choosers = [bids] * 4

    def one_bid() -> bool:
        hands = [None if table.state is None else table.state.hand for table in net.tables]
        return all(hand is not None and hand.auction.high == 270 for hand in hands)

    until(net, one_bid)
    state = net.tables[0].state
    assert state is not None and state.hand is not None and state.hand.maker is None
    bidder = state.hand.auction.bidder
    assert bidder is not None
    settled = settle_conviction(state, state.player_on(bidder))
    assert settled is not None and settled[1].result.tokens[bidder % 2] == -(4 + 2)
    assert settled[0].is_over and settled[0].hand is None


def test_a_cheat_before_any_bid_pays_two_tokens() -> None:
    net = simnet.make(2, 0)
    net.come_to(1 + 4 + 4 + 1)  # the agreement, draws, shuffles and the cut
    for table in net.tables:
        table.replica.blocked_from = None
    liar = turn_of(net)
    at = Chance(net, liar)
    body = at.writer.unlock()
    outcome = tell(net, liar, Unlock(body.cards, corrupt(body.proof)))
    over = paid(outcome.net, outcome.honest)
    assert sorted(over.result.tokens) == [-2, 2]


def test_before_the_draw_is_complete_nothing_is_paid() -> None:
    net = simnet.make(2, 0)
    net.run(until=lambda: all(table.state is not None for table in net.tables))
    outcome = tell(net, turn_of(net), Say("300"))
    for number in outcome.honest:
        assert not [e for e in outcome.net.told[number] if isinstance(e, HandOver)]
        assert judge(outcome.net.evidence[number]).settled is None


def test_the_command_says_who_pays(tmp_path: Path) -> None:
    net = bid_made(4, "pay")
    outcome = tell(net, turn_of(net), Say("300"))
    file = tmp_path / "one.evidence"
    file.write_bytes(outcome.net.evidence[outcome.honest[0]])
    said: list[str] = []
    assert audit_evidence([file], False, said.append) == 0
    assert "is proven at fault" in said[0] and "Tokens: N-S " in said[0]
    assert audit_evidence([file], True, said.append) == 0
    assert '"tokens": {"NS": ' in said[1]


@pytest.mark.parametrize("missing", ["hand", "over", "result"])
def test_nothing_is_paid_where_no_hand_is_being_played(missing: str) -> None:
    hand = None if missing == "hand" else SimpleNamespace(result="paid")
    state: Any = SimpleNamespace(hand=hand, is_over=missing == "over")
    if missing == "over":
        state.hand.result = None
    assert settle_conviction(state, 0) is None
