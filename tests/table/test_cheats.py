"""Beside the catalogue: the second line behind the proofs, and two entries for one place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.entry import sign_entry
from p2p304.rules.core import actions as acts
from p2p304.rules.play.view import View
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.player.entry_writer import EntryWriter
from p2p304.table.proofs import checks
from p2p304.table.state import events
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet

PACK = preset("pagat").pack


def test_the_second_line_finds_a_revoke_at_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A face-down card although the suit could be followed. If the proofs at the play were not
    looked at, every node would still find it when the cards are opened, and pay for it."""
    monkeypatch.setattr(checks, "check_required_proofs", lambda *_: None)
    monkeypatch.setattr(EntryWriter, "_prove_required", lambda *_: ())
    for seed in range(1, 20):
        net = simnet.make_closed(seed)
        done: list[str] = []

        def revoke(view: View, done: list[str] = done) -> acts.Action:
            led, hand = view.led, view.hand
            follows = [c for c in view.cards if c.suit is led]
            others = [c for c in view.cards if c.suit is not led]
            if follows and others and not hand.has_open_trumps and view.seat != hand.maker:
                done.append(others[0].name)
                return acts.Play(view.seat, others[0], down=True)
            return simnet.closed_chooser(1)(view)

        cheat = 0
        net.choosers[cheat] = revoke
        setattr(net.tables[cheat], "act", _unchecked(net.tables[cheat]))  # noqa: B010
        net.run()
        overs = [e for told in net.told for e in told if isinstance(e, events.HandOver)]
        if done and overs and not overs[0].result.void:
            nick = net.tables[cheat].terms.players[0].nick
            assert all(e.offences for e in overs)
            assert overs[0].offences[0].rule == "follow.suit"
            state = net.tables[cheat].state
            assert state is not None and state.nick_on(overs[0].offences[0].seat) == nick
            assert max(map(abs, overs[0].result.tokens)) >= 3
            return
    pytest.fail("no hand gave the chance to revoke")


def _unchecked(table: TableMachine) -> Callable[[acts.Action, float], None]:
    def act(action: acts.Action, now: float) -> None:
        due = table.replica.due
        assert due is not None
        body = EntryWriter.chosen(table.turns.writer(due), action)
        table._write(body.KIND, body, now)
        table._advance(now)

    return act


def test_two_entries_for_one_place_stop_the_table_with_both_signatures() -> None:
    net = simnet.make(4)
    net.run(until=lambda: net.tables[0].chain.next_seq > 3)
    author = net.tables[1].chain.entries[2].entry.author
    signed = net.tables[1].chain.entries[2].entry
    forged = sign_entry(
        net.tables[author].me.key,
        signed.table,
        signed.seq,
        signed.prev,
        author,
        signed.kind,
        {**signed.body, "nonce": bytes(32)},
    )
    victim = (author + 1) % 4
    net.tables[victim].receive(net.keys[author], FrameKind.ENTRY, forged.raw, net.now)
    net.collect(victim)
    net.run(seconds=30)
    for number in range(4):
        stopped = net.tables[number].stopped
        assert stopped is not None
        assert (stopped.finding.check, stopped.finding.player) == ("L11", author)


@dataclass(slots=True)
class KnownOrder(simnet.Repeatable):
    """Shuffles in an order that everybody knows, or in one that grows from a seed of its own."""

    grown: bytes = b""

    def order(self, number: int, relocks: int, count: int) -> tuple[int, ...]:
        return Rng.from_seed(self.grown).permutation(count) if self.grown else tuple(range(count))


def first_batch(honest: bytes) -> list[list[str]]:
    """The hands' names by seat; three players shuffle in a known order, the fourth does so too or
    grows its order from the seed ``honest``."""
    net = simnet.make(4, rules=preset("pagat").override({"seating": "chosen"}))
    for number, table in enumerate(net.tables):
        own = table.me.secrets
        secrets = KnownOrder(own.seed, own.table_id, grown=honest if number == 2 else b"")
        object.__setattr__(table.me, "secrets", secrets)
    net.run(until=lambda: all(t.state and t.state.deal and t.state.deal.dealt for t in net.tables))
    assert not any(table.stopped for table in net.tables)
    return [[card.name for card in PACK.cards if card in table.view.cards] for table in net.tables]


def test_one_honest_shuffler_is_enough() -> None:
    """An order without entropy is no fault that anybody could prove: the shuffle is one. The
    deal is random all the same as long as one player's order is."""
    known = first_batch(b"")
    names = [card.name for card in PACK.cards]
    places = [[names.index(name) for name in hand] for hand in known]
    # The printed order, cut: every hand is four neighbours (round the end of the pack).
    assert all({(at - hand[0]) % 32 for at in hand} <= {0, 1, 2, 3, 29, 30, 31} for hand in places)
    one, two = first_batch(b"1" * 32), first_batch(b"2" * 32)
    assert one != two and one != known
