"""What a forged proof would leave behind: cards that are none. Nobody dies of it, nobody is blamed.

No bytes get past the proofs, so each test lets one verifier look away.
"""

from __future__ import annotations

from typing import Any

import pytest

from p2p304.crypto.group import Element, add, base
from p2p304.crypto.rng import Rng
from p2p304.log.entry import sign_entry
from p2p304.rules.state.hand import Phase
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.player.keyring import Secrets
from p2p304.table.proofs import checks
from p2p304.table.state import events
from p2p304.wire import bodies
from p2p304.wire.bodies import body_value
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet
from tests.support.table.leaving_games import in_phase, left, twice_reordered


def look_away(monkeypatch: pytest.MonkeyPatch, name: str, word: bytes) -> None:
    """Every node believes every proof that is made for this word."""
    honest = getattr(checks, name)

    def believing(*args: Any) -> bool:
        return word in args[-1] or bool(honest(*args))

    monkeypatch.setattr(checks, name, believing)


def told(net: simnet.Net, check: str) -> list[int]:
    """Who was told this refusal; nobody may be named with it."""
    faults = [[e for e in each if isinstance(e, events.Fault)] for each in net.told]
    assert not [f for each in faults for f in each if f.finding.player is not None]
    return [n for n, each in enumerate(faults) if any(f.finding.check == check for f in each)]


def other(card: bytes) -> Element:
    return add(Element(card), base(77))


def test_a_card_that_was_unlocked_falsely_is_refused_by_its_receiver(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = EntryWriter.unlock
    receivers: list[int] = []

    def unlock(self: EntryWriter) -> bodies.Unlock:
        body = honest(self)
        if receivers:
            return body
        deal = self.state.open_deal
        receivers.append(self.state.player_on(deal.batch_to[deal.foreign(self.seat)[0]]))
        return bodies.Unlock((other(body.cards[0]), *body.cards[1:]), body.proof)

    monkeypatch.setattr(EntryWriter, "unlock", unlock)
    look_away(monkeypatch, "verify_dleq", b" unlock ")
    net = simnet.make_closed(3)
    net.run(seconds=20)
    assert told(net, "D16") == receivers
    (receiver,) = receivers
    places = [table.chain.next_seq for table in net.tables]
    assert places.pop(receiver) + 1 == min(places), "it was not committed"
    assert [table.stopped for table in net.tables] == [None] * 4
    assert not any(net.evidence)


def test_a_card_shown_falsely_is_refused_by_the_trump_maker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = EntryWriter.inspect

    def inspect(self: EntryWriter) -> bodies.Inspect:
        body = honest(self)
        return bodies.Inspect(body.e1, other(body.e2), body.proof)

    monkeypatch.setattr(EntryWriter, "inspect", inspect)
    look_away(monkeypatch, "verify", b" inspect ")
    net = simnet.make_closed(3)
    net.run(seconds=60)
    (maker,) = told(net, "D16")
    state = net.tables[maker].state
    assert state is not None and state.seat_of(maker) == state.open_hand.maker


def test_cards_opened_falsely_in_a_players_place_are_refused_by_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    honest = EntryWriter.stand_in
    liars: list[int] = []

    def stand_in(self: EntryWriter) -> bodies.StandIn:
        body = honest(self)
        if liars not in ([], [self.seat]):
            return body
        liars[:] = [self.seat]
        return bodies.StandIn((other(body.parts[0]), *body.parts[1:]), body.proof)

    monkeypatch.setattr(EntryWriter, "stand_in", stand_in)
    look_away(monkeypatch, "verify_dleq", b" stand in ")
    net = left(in_phase(Phase.PLAY))
    net.run(seconds=30)
    assert told(net, "D17")
    assert not any(net.evidence)


def test_a_hand_locked_with_the_players_key_of_another_machine_is_refused() -> None:
    """The same identity writes on two machines: one of them cannot read what the other took."""
    net = simnet.make_closed(3)
    author = _who_relocks(net)
    table = net.tables[author]
    due, state = table.replica.due, table.state
    assert due is not None and state is not None
    own, foreign = table.me.secrets, Rng.from_seed(b"\x07" * 32).scalar()
    writer = table.turns.writer(due)
    hand_key = type(own).hand_key

    def other_hand_key(self: Secrets, number: int, relocks: int) -> int:
        return foreign if relocks == 1 else hand_key(self, number, relocks)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(own), "hand_key", other_hand_key)
        body = writer.relock()
    chain = table.chain
    entry = sign_entry(
        table.me.key, chain.table, chain.next_seq, chain.head, author, "relock", body_value(body)
    )
    peer = net.keys[(author + 1) % 4]
    table.replica.blocked_from = None
    table.receive(peer, FrameKind.ENTRY, entry.raw, net.now)
    faults = [e.finding for e in table.events() if isinstance(e, events.Fault)]
    assert [(f.check, f.player) for f in faults] == [("D16", None)]
    assert table.chain.next_seq == entry.entry.seq


def _who_relocks(net: simnet.Net) -> int:
    """Play until a hand is to be re-ordered; says by whom."""
    for seq in range(10, 60):
        net.come_to(seq)
        due = net.tables[0].replica.due
        if due is not None and due.kinds == ("relock",):
            return due.player
    raise LookupError("nobody re-orders a hand in this game")


def test_a_key_is_found_by_its_seat_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trump maker publishes the hand key that its accomplice has discarded as its inspection
    key, and leaves once a card was shown to it. The others stand in with their shares of the trump
    maker's key, and not with those of the accomplice's."""
    place = 38  # a card was shown to the trump maker, which has not announced yet
    monkeypatch.setattr(checks, "check_key_is_fresh", lambda key, deal: None)
    net, own = twice_reordered(seed=3), Secrets.inspection_key

    def inspection_key(secrets: Secrets, number: int) -> int:
        state = net.tables[0].state
        for table in net.tables:
            if state and state.deal and state.deal.holdings[table.seat].relocks == 2:
                return table.me.secrets.hand_key(number, 1)
        return own(secrets, number)

    monkeypatch.setattr(Secrets, "inspection_key", inspection_key)
    net.come_to(place + 1)
    state = net.tables[0].state
    assert state is not None and state.open_hand.maker is not None
    deal, maker = state.open_deal, state.open_hand.maker
    assert deal.inspected and not deal.to_show(state.open_hand)
    assert len({shared.seat for shared in deal.shared if shared.key == deal.inspection}) == 2
    net.agree(state.player_on(maker), place + 1)
    net.run(seconds=60)
    assert net.finished and not any(net.evidence)
    stood_in = [e for e in net.tables[0].chain.entries if e.entry.kind == "stand_in"]
    assert [e.entry.seq for e in stood_in][:3] == [place + 1, place + 2, place + 3]
