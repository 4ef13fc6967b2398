"""The next entry of a deal, made while the receipts for the one before travel: the same bytes, not
signed before all have signed what it follows, and at no other place."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from p2p304.crypto.signing import SigningKey
from p2p304.log.entry import Entry, Signed
from p2p304.log.faults import Refused
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player import entry_writer
from p2p304.table.player.preparation import Preparation
from p2p304.table.transition.actions import Step
from p2p304.table.transition.replica import Replica
from tests.support.table import simnet
from tests.support.table.paused import copied
from tests.table.node.test_ready import between_hands, kinds, unlocks


def until_the_first_card(prepares: bool) -> bytes:
    """The entries of a closed hand up to its first card."""
    net = simnet.make_closed(2)
    if prepares:
        collect = net.collect

        def collected(number: int) -> None:
            collect(number)
            net.tables[number].turns.prepare_ahead()

        net.collect = collected  # type: ignore[method-assign]
    entries = net.tables[0].chain.entries
    net.run(until=lambda: "play" in [each.entry.kind for each in entries[-1:]])
    return b"".join(each.raw for each in entries)


def test_a_deal_that_is_prepared_has_the_same_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    plain, used, step = until_the_first_card(False), Counter[str](), Preparation.step

    def counted(preparation: Preparation, entry: Entry) -> Step | None:
        found = step(preparation, entry)
        used[entry.kind] += found is not None
        return found

    monkeypatch.setattr(Preparation, "step", counted)
    assert until_the_first_card(True) == plain
    # Every shuffle but the dealer's, all unlocking in both batches, every re-ordering.
    assert used == {"shuffle": 3, "unlock": 8, "relock": 4}


@cache
def _waiting(last: int) -> simnet.Net:
    net = between_hands()
    for number in (net.tables[n] for n in range(4) if n != last):
        number.ready(net.now)
    net.run(seconds=2)
    return net


def waiting(is_itself: bool = False) -> tuple[simnet.Net, TableMachine, TableMachine]:
    """A table whose cut lacks the signature of one player alone: that player's machine, and the
    machine of the player who unlocks first. ``is_itself``: these are the same."""
    for last in range(4):
        net = copied(_waiting(last))
        due = net.tables[0].replica.due
        if kinds(net)[-1] == "cut" and due is not None and (due.player == last) == is_itself:
            first = net.tables[due.player]
            first.effects()
            first.events()
            return net, net.tables[last], first
    raise LookupError("there is no such player")


@pytest.mark.parametrize("is_itself", [False, True])
def test_a_prepared_unlocking_waits_for_the_last_signature_under_the_cut(
    is_itself: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    net, last, first = waiting(is_itself)

    def refused(*given: Any) -> Any:
        raise AssertionError("signed, or made a second time")

    with monkeypatch.context() as patch:
        patch.setattr(SigningKey, "sign", refused)
        first.turns.prepare_ahead()
        prepared = first.turns._preparation
        assert prepared is not None and prepared.body("unlock") is not None
        assert first.effects() == [] and first.events() == [], "nothing is told of it"
        first.turns.prepare_ahead()
        assert first.turns._preparation is prepared
        net.run(seconds=30)
        assert unlocks(net) == 0
    with monkeypatch.context() as patch:
        patch.setattr(entry_writer, "prove_dleq", refused)
        patch.setattr(Replica, "judge", refused)
        last.ready(net.now)
        net.run(seconds=1, until=lambda: unlocks(net) > 0)
    assert first.chain.entries[-1].entry.kind == "unlock"


@pytest.mark.parametrize(
    "why", ["written", "blocked", "recovery", "stopped", "left", "link", "state"]
)
def test_a_prepared_unlocking_is_dropped_where_it_may_not_follow(why: str) -> None:
    _, _, first = waiting()
    first.turns.prepare_ahead()
    prepared, seq, state = first.turns._preparation, first.chain.next_seq, first.replica.state
    assert prepared is not None and prepared._prepared and state is not None
    match why:
        case "written":
            first.turns.last_written = seq
        case "blocked":
            first.replica.blocked_from = seq
        case "recovery":
            first.waits.recover()
        case "stopped":
            first._fault_handler.stopped = Refused("D17", "stopped")
        case "left":
            first.give_up(0.0)
        case "link":  # a liar has signed two cuts
            cut = first.chain.entries[-1]
            first.chain._entries[-1] = Signed(cut.entry, cut.raw, bytes(32))
        case "state":  # a claim takes the floor
            first.replica.state = replace(state)
    first.effects()
    assert not prepared._prepared and first.turns._preparation is None


def test_only_the_player_who_writes_next_prepares() -> None:
    net, _, first = waiting()
    for table in net.tables:
        table.turns.prepare_ahead()
    assert [table for table in net.tables if table.turns._preparation is not None] == [first]


def test_what_cannot_be_made_yet_is_made_when_it_is_due() -> None:
    """The dealer's shuffle needs the secrets of a hand that is not settled."""
    _, _, first = waiting()
    assert first.state is not None
    first.me.secrets.renew(first.state.number + 1)
    first.turns.prepare_ahead()
    prepared = first.turns._preparation
    assert prepared is not None and not prepared._prepared
