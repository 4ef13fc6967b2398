"""Chat between hands: heard by all at the table, and by nobody while a hand is on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.rng import Rng
from p2p304.crypto.signing import SigningKey
from p2p304.log.faults import Refused
from p2p304.rules.core.errors import NotNow
from p2p304.rules.variants.presets import preset
from p2p304.table.exchange.chat import MOST, WITHIN, ChatLimit, chat_bytes, parse_chat
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.table_chat import may_chat
from p2p304.table.state import events
from p2p304.wire.effects import HangUp, Send
from p2p304.wire.framing import FrameKind
from tests.support.table import simnet


class Pair:
    """Two nodes at a table that gathers; what one sends the other receives at once."""

    def __init__(self) -> None:
        self.keys = [SigningKey.from_seed(bytes([n]) * 32) for n in (1, 2)]
        self.nodes = [
            Node(key, nick, Rng.from_seed(key.public), 0.0)
            for key, nick in zip(self.keys, ("Asha", "Bandu"), strict=True)
        ]
        for own, other in ((0, 1), (1, 0)):
            self.nodes[own].link_up(
                self.keys[other].public, ("Asha", "Bandu")[other], "192.0.2.1", 1, 0.0
            )
        self.nodes[0].meeting.found("t", preset("pagat"), 0)
        self.nodes[1].meeting.join(self.keys[0].public, 0.0)
        self.heard: list[list[events.Event]] = [[], []]
        self.settle()

    def settle(self) -> None:
        moving = True
        while moving:
            moving = False
            for own, node in enumerate(self.nodes):
                self.heard[own] += node.events()
                for effect in node.effects():
                    if isinstance(effect, Send):
                        moving = True
                        self.nodes[1 - own].receive(
                            self.keys[own].public, effect.kind, effect.payload, 1.0
                        )

    def said(self, own: int) -> list[str]:
        return [f"{e.nick}: {e.text}" for e in self.heard[own] if isinstance(e, events.ChatMessage)]


def test_a_chat_message_is_heard_by_all_and_shown_to_oneself() -> None:
    pair = Pair()
    pair.nodes[1].chat("  good luck, ශ්‍රී ")
    pair.settle()
    assert pair.said(0) == pair.said(1) == ["Bandu: good luck, ශ්‍රී"]


def test_what_cannot_be_shown_is_not_said() -> None:
    pair = Pair()
    pair.nodes[0].chat("a\x1b[2Jb\u202e")
    pair.settle()
    assert pair.said(1) == ["Asha: a[2Jb"]
    with pytest.raises(NotNow, match="no visible"):
        pair.nodes[0].chat("\n\u200b ")


def test_a_malformed_chat_message_costs_the_link() -> None:
    pair = Pair()
    pair.nodes[0].receive(pair.keys[1].public, FrameKind.TALK, b"\xff", 1.0)
    assert any(isinstance(e, HangUp) for e in pair.nodes[0].effects())
    assert any(isinstance(e, events.Fault) for e in pair.nodes[0].events())


@pytest.mark.parametrize("raw", [b"hi" + b" " * 60 + b"Dilan bids 200", b" hi", b"hi ", b"a\nb"])
def test_no_message_pushes_words_to_where_a_screen_begins_its_own_lines(raw: bytes) -> None:
    with pytest.raises(Refused, match="W09"):
        parse_chat(raw)
    assert b"  " not in chat_bytes(raw.decode())


def test_a_stranger_is_not_heard() -> None:
    pair = Pair()
    pair.nodes[0].receive(b"x" * 32, FrameKind.TALK, b"hello", 1.0)
    assert not any(isinstance(e, events.ChatMessage) for e in pair.nodes[0].events())


def test_a_flood_is_cut() -> None:
    ear = ChatLimit()
    assert [ear.take(b"a", 0.1 * n) for n in range(MOST + 3)] == [True] * MOST + [False] * 3
    assert ear.take(b"b", 0.5) and ear.take(b"a", WITHIN + 0.1)


def deal_of(table: TableMachine) -> Any:
    return None if table.state is None else table.state.deal


def in_turn(net: simnet.Net) -> tuple[int, ...]:
    """The seats in the order in which they unlock."""
    return tuple(deal_of(net.tables[0]).in_turn)


@pytest.mark.parametrize("name", ["pagat", "online-2"])
def test_chat_closes_with_the_last_signature_under_the_cut(name: str) -> None:
    """A player who waits for the next deal talks, and one who has asked for it hears. A message
    that crosses the last signature is not lost. A player whose cards all others have unlocked says
    nothing more, though its own unlocking may be missing."""
    net, node = simnet.make(3, rules=preset(name)), Pair().nodes[0]
    net.run(until=lambda: all(deal_of(table) is not None for table in net.tables))
    first, asks = (next(t for t in net.tables if t.seat == n) for n in in_turn(net)[:2])
    table = node.table = first  # the node of the seat that unlocks first
    node._absence_or_none = PlayerAbsence(table)
    everybody = range(len(net.tables))
    others = {table.replica.seat_of(player) for player in everybody} - {table.seat}
    now = iter(range(100, 10**6, 100))

    def heard() -> set[int]:
        """The seats whose messages are taken at this node."""
        seats = set()
        for player in set(everybody) - {table.me.player}:
            sender = table.terms.keys[player]
            node.receive(sender, FrameKind.TALK, b"psst", float(next(now)))
            if any(isinstance(e, events.ChatMessage) for e in node.events()):
                seats.add(table.replica.seat_of(player))
        return seats

    assert may_chat(node.table) and heard() == others
    asks.turns.is_patient, asks.turns.ready_for = True, 0  # a person who looks at a result
    net.run(seconds=60)
    assert deal_of(table).is_shuffled and may_chat(node.table) and heard() == others
    asks.ready(net.now)
    net.run(until=lambda: not may_chat(node.table))
    seen = -1

    def goes_on() -> bool:
        return bool(deal_of(table).dealt) or deal_of(table).unlocked != seen

    while deal_of(table).dealt == 0:
        seen = deal_of(table).unlocked
        sees = {in_turn(net)[-1]} if seen == len(net.tables) - 1 else set()
        assert not may_chat(node.table) and heard() == others - sees
        net.run(until=goes_on)
    assert seen == len(net.tables) - 1 and not heard()


def test_while_a_hand_is_on_nothing_is_said_and_nothing_heard() -> None:
    net, pair = simnet.make(3), Pair()
    for own, node in enumerate(pair.nodes):
        node.table = net.tables[own]
        node._absence_or_none = PlayerAbsence(node.table)
    net.run(until=lambda: (deal := deal_of(net.tables[0])) is not None and deal.dealt > 0)
    with pytest.raises(LookupError):
        pair.nodes[0].chat("hello")
    pair.nodes[0].receive(net.tables[0].terms.keys[1], FrameKind.TALK, b"psst", 1.0)
    assert not any(isinstance(e, events.ChatMessage) for e in pair.nodes[0].events())
    pair.nodes[0].receive(net.tables[0].terms.keys[1], FrameKind.TALK, b"psst ", 1.0)
    faults = [e.finding.check for e in pair.nodes[0].events() if isinstance(e, events.Fault)]
    assert faults == ["W09"]  # refused whether or not it would be shown


@given(st.text(max_size=300))
def test_any_text_becomes_a_chat_message_that_reads_back_or_none(text: str) -> None:
    try:
        raw = chat_bytes(text)
    except ValueError:
        return
    assert parse_chat(raw).encode() == raw and len(raw) <= 1024


@given(st.binary(max_size=40))
def test_any_bytes_are_a_chat_message_or_refused(raw: bytes) -> None:
    try:
        assert chat_bytes(parse_chat(raw)) == raw
    except Refused as refused:
        assert refused.finding.check == "W09"


def test_marks_of_punctuation_are_said_also_within_other_characters() -> None:
    text = "\u2488 (\u2474): 1.,"
    assert parse_chat(text.encode()) == text


def test_a_message_has_two_hundred_characters_at_most() -> None:
    assert chat_bytes("x" * 201) == b"x" * 200 and parse_chat(b"x" * 200) == "x" * 200
    with pytest.raises(Refused, match="W09"):
        parse_chat(b"x" * 201)
