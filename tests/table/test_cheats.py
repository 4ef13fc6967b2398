"""Cheats: one node says something false; the honest ones refuse it at that very entry, name
the check and the seat, and agree with each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import simnet

from p2p304.crypto.group import Element, G, mul
from p2p304.log.entry import sign_entry
from p2p304.rules import actions as acts
from p2p304.rules.view import View
from p2p304.table import checks, events
from p2p304.table.hands import Writer
from p2p304.table.machine import Table
from p2p304.wire import bodies
from p2p304.wire.bodies import Body, body_value
from p2p304.wire.effects import Send
from p2p304.wire.framing import FrameKind

Spoil = Callable[[Any], Body | None]


def corrupt(data: bytes) -> bytes:
    return bytes([data[0] ^ 1]) + data[1:]


def swapped(items: tuple[bytes, ...]) -> tuple[bytes, ...]:
    return (items[1], items[0], *items[2:])


def other(data: bytes) -> bytes:
    return bytes(mul(2, Element(data)))


def another(name: str) -> str:
    return "JS" if name != "JS" else "9S"


CHEATS: dict[str, tuple[str, str, Spoil]] = {
    "draw another nonce": ("draw", "A04", lambda b: replace(b, nonce=bytes(32))),
    "shuffle: identity as key": ("shuffle", "D01", lambda b: replace(b, key=bytes(32))),
    "shuffle: not an element": ("shuffle", "D01", lambda b: replace(b, key=b"\xff" * 32)),
    "shuffle: key G": ("shuffle", "D03", lambda b: replace(b, key=bytes(G))),
    "shuffle: unknown key": ("shuffle", "D02", lambda b: replace(b, key=other(b.key))),
    "shuffle: card twice": (
        "shuffle", "D04", lambda b: replace(b, deck=(b.deck[1], *b.deck[1:]))),
    "shuffle: card short": ("shuffle", "D04", lambda b: replace(b, deck=b.deck[1:])),
    "shuffle: card replaced": (
        "shuffle", "D05", lambda b: replace(b, deck=(other(b.deck[0]), *b.deck[1:]))),
    "shuffle: order changed after": (
        "shuffle", "D05", lambda b: replace(b, deck=swapped(b.deck))),
    "shuffle: proof changed": ("shuffle", "D05", lambda b: replace(b, proof=corrupt(b.proof))),
    "cut outside": ("cut", "D06", lambda b: replace(b, at=39)),
    "unlock: one short": ("unlock", "D07", lambda b: replace(b, cards=b.cards[1:])),
    "unlock: wrong key": (
        "unlock", "D07", lambda b: replace(b, cards=(other(b.cards[0]), *b.cards[1:]))),
    "unlock: two swapped": ("unlock", "D07", lambda b: replace(b, cards=swapped(b.cards))),
    "unlock: proof changed": ("unlock", "D07", lambda b: replace(b, proof=corrupt(b.proof))),
    "relock: card replaced": (
        "relock", "D08", lambda b: replace(b, cards=(other(b.cards[0]), *b.cards[1:]))),
    "relock: card short": ("relock", "D08", lambda b: replace(b, cards=b.cards[1:])),
    "play: card not there": ("play", "P01", lambda b: replace(b, slot=39)),
    "play: another card named": (
        "play", "P02", lambda b: replace(b, card="JS" if b.card != "JS" else "9S")),
    "play: no such card": ("play", "P06", lambda b: replace(b, card="6S")),
    "play: proof changed": ("play", "P02", lambda b: replace(b, proof=corrupt(b.proof))),
    "inspect: another card": ("inspect", "P03", lambda b: replace(b, e2=other(b.e2))),
    "inspect: proof changed": ("inspect", "P03", lambda b: replace(b, proof=corrupt(b.proof))),
    "bid too low": ("say", "G01", lambda b: replace(b, word="150")),
    "bid badly written": ("say", "G01", lambda b: replace(b, word="0160")),
    "count: another card": (
        "count", "P02",
        lambda b: replace(b, cards=("JS" if b.cards[0] != "JS" else "9S", *b.cards[1:]))),
    "count: one short": ("count", "P07", lambda b: replace(b, cards=(*b.cards, "JS"))),
    "relock: indicator exchanged": (
        "relock", "D09",
        lambda b: replace(b, indicator=other(b.indicator)) if b.indicator else None),
    "relock: indicator left out": (
        "relock", "D09", lambda b: replace(b, indicator=None, kept=None) if b.indicator else None),
    "announce: the other word": ("announce", "P05", lambda b: replace(b, cut=1 - b.cut)),
    "announce: another indicator": (
        "announce", "P02",
        lambda b: replace(b, indicator=another(b.indicator)) if b.indicator else None),
    "announce: another card shown": (
        "announce", "P04",
        lambda b: replace(b, shown=(another(b.shown[0]), *b.shown[1:])) if b.shown else None),
    "announce: indicator not shown": (
        "announce", "P05",
        lambda b: replace(b, indicator=None, indicator_proof=None) if b.shown else None),
    "indicator: no such place": ("indicator", "P01", lambda b: replace(b, slot=30)),
    "closed: unknown key": ("closed", "D02", lambda b: replace(b, key=other(b.key))),
    "another kind than due": ("cut", "S02", lambda b: bodies.Say("pass")),
}  # fmt: skip


def play_with_cheat(kind: str, spoil: Spoil) -> tuple[simnet.Net, int]:
    """The first game in which somebody gets the chance to spoil an entry of ``kind``."""
    for seed in range(2, 40):
        net, guilty = cheated(kind, spoil, seed)
        if guilty:
            return net, guilty[0]
    raise LookupError(f"no game gave the chance to spoil {kind}")


def cheated(kind: str, spoil: Spoil, seed: int) -> tuple[simnet.Net, list[int]]:
    """Let the first entry of ``kind`` be spoiled by its author, who accepts it unchecked."""
    net = simnet.make(seed, hands=3)
    guilty: list[int] = []

    def cheating(table: Table) -> None:
        honest = table._write

        def write(written: str, body: Body, now: float) -> None:
            if written != kind or guilty or (false := spoil(body)) is None:
                honest(written, body, now)
                return
            guilty.append(table.me.player)
            entry = sign_entry(
                table.me.key, table.chain.table, table.chain.next_seq, table.chain.head,
                table.me.player, false.KIND, body_value(false),
            )  # fmt: skip
            for key in table.terms.keys:
                table._effects.append(Send(key, FrameKind.ENTRY, entry.raw))

        setattr(table, "_write", write)  # noqa: B010 - a cheat replaces its own pen

    for table in net.tables:
        cheating(table)
    net.run(seconds=60)
    return net, guilty


@pytest.mark.parametrize("name", CHEATS)
def test_a_false_entry_is_refused_by_all_and_named(name: str) -> None:
    kind, check, spoil = CHEATS[name]
    net, guilty = play_with_cheat(kind, spoil)
    honest = [n for n in range(4) if n != guilty]
    for number in honest:
        faults = [e for e in net.told[number] if isinstance(e, events.Fault) and e.nick]
        assert [(f.finding.check, f.finding.player) for f in faults] == [(check, guilty)]
        assert net.tables[number].stopped is not None
    heads = {net.tables[number].chain.head for number in honest}
    assert len(heads) == 1


def test_the_second_line_finds_a_revoke_at_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A face-down card although the suit could be followed. If the proofs at the play were not
    looked at, every node would still find it when the cards are opened, and pay for it."""
    monkeypatch.setattr(checks, "claims_are_proved", lambda *_: None)
    monkeypatch.setattr(Writer, "_owed", lambda *_: ())
    for seed in range(1, 20):
        net = simnet.make(seed)
        done: list[str] = []

        def revoke(view: View, done: list[str] = done) -> acts.Action:
            led, hand = view.led, view.hand
            follows = [c for c in view.cards if c.suit is led]
            others = [c for c in view.cards if c.suit is not led]
            if follows and others and not hand.trumps_open and view.seat != hand.maker:
                done.append(others[0].name)
                return acts.Play(view.seat, others[0], down=True)
            return simnet.random_chooser(1)(view)

        cheat = 0
        net.choosers[cheat] = revoke
        setattr(net.tables[cheat], "act", _unchecked(net.tables[cheat]))  # noqa: B010
        net.run()
        overs = [e for told in net.told for e in told if isinstance(e, events.HandOver)]
        if done and overs and not overs[0].result.void:
            assert all(e.offences for e in overs)
            assert "follow.suit" in overs[0].offences[0]
            assert overs[0].offences[0].startswith(net.tables[cheat].terms.players[0].nick)
            assert max(map(abs, overs[0].result.tokens)) >= 3
            return
    pytest.fail("no hand gave the chance to revoke")


def _unchecked(table: Table) -> Callable[[acts.Action, float], None]:
    def act(action: acts.Action, now: float) -> None:
        due = table.due
        assert due is not None
        body = Writer.chosen(table._writer(due), action)
        table._write(body.KIND, body, now)
        table._go_on(now)

    return act


def test_two_entries_for_one_place_stop_the_table_with_both_signatures() -> None:
    net = simnet.make(4)
    net.run(until=lambda: net.tables[0].chain.next_seq > 3)
    author = net.tables[1].chain.entries[2].entry.author
    signed = net.tables[1].chain.entries[2].entry
    forged = sign_entry(
        net.tables[author].me.key, signed.table, signed.seq, signed.prev, author, signed.kind,
        {**signed.body, "nonce": bytes(32)},
    )  # fmt: skip
    victim = (author + 1) % 4
    net.tables[victim].receive(net.keys[author], FrameKind.ENTRY, forged.raw, net.now)
    net.collect(victim)
    net.run(seconds=30)
    for number in range(4):
        stopped = net.tables[number].stopped
        assert stopped is not None
        assert (stopped.finding.check, stopped.finding.player) == ("L11", author)
