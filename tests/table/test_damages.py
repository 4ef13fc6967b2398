"""Damaged transcripts and words that are none: refused by their check, and nobody is named."""

from __future__ import annotations

from functools import cache

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.faults import Refused
from p2p304.log.transcript import RawBlock, read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import preset
from p2p304.table.node.node import Node
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.table.node.spectators import Spectators
from p2p304.table.state.events import Fault
from p2p304.wire.effects import HangUp
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.hostile.damaged_transcripts import DAMAGES, Damage, spoilt
from tests.support.hostile.foreign_words import NO_WORDS, READERS, STRANGER, NoWord
from tests.support.table import simnet

TALKATIVE = preset("pagat").override({"chat": "open"})


@cache
def game() -> simnet.Net:
    """A table in the bidding, whose players may talk at any time."""
    net = simnet.make_closed(3, rules=TALKATIVE)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    return net


@cache
def blocks() -> list[RawBlock]:
    return list(read_blocks(game().transcripts[0]))


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda each: each.__name__)
def test_a_damaged_transcript_is_refused_where_it_is_damaged(damage: type[Damage]) -> None:
    report = audit(spoilt(damage, blocks()))
    assert report.fault is not None and report.fault.check == damage.check
    assert report.entries == damage.at and report.guilty is None


def node() -> Node:
    """The first player's node at a fork of the table."""
    table = fork(game()).tables[0]
    made = Node(table.me.key, "Asha", Rng.from_seed(bytes(32)), 0.0)
    made.table, made._absence_or_none, made._spectators = (
        table,
        PlayerAbsence(table),
        Spectators(table),
    )
    made.effects()
    made.events()
    return made


@pytest.mark.parametrize("word", NO_WORDS, ids=lambda each: each.__name__)
def test_who_sends_no_word_is_hung_up_on_and_nobody_is_named(word: type[NoWord]) -> None:
    own, payload = node(), word().payload(game().tables[2])
    table = own.table
    assert table is not None
    peer = STRANGER if word.kind is FrameKind.WATCH else table.terms.keys[2]
    head = table.chain.head
    own.receive(peer, word.kind, payload, 1.0)
    assert [e.peer for e in own.effects() if isinstance(e, HangUp)] == [peer]
    assert (table.chain.head, table.stopped) == (head, None)
    told = [e for e in own.events() if isinstance(e, Fault)]
    assert [(f.finding.check, f.nick) for f in told] == [(word.check, None)] * len(told)
    with pytest.raises(Refused) as refused:
        READERS[word.kind](payload)
    assert (refused.value.finding.check, refused.value.finding.player) == (word.check, None)
