"""Every false word of parting is refused by its check; who contradicts itself is convicted."""

from __future__ import annotations

import pytest

from p2p304.log.absence_vote import MAX_ROUND, PART, READY, STAY, PartingPlace, parse_word, say
from p2p304.log.evidence import Evidence, of_broken_part, of_two_words
from p2p304.log.evidence import judge as judge_evidence
from p2p304.log.faults import Refused
from p2p304.offline.audit import judge
from p2p304.rules.variants.absence import LONG
from p2p304.table.evidence.evidence_file import of_contradiction
from p2p304.table.node.player_absence import PlayerAbsence
from p2p304.wire.framing import LIMITS, FrameKind
from tests.support.cheats.harness import fork
from tests.support.hostile.false_words import (
    ABSENT,
    FALSE_WORDS,
    LIAR,
    PLACE,
    VICTIM,
    FalseWord,
    game,
    where,
    word,
)
from tests.support.table import simnet


def told(lie: FalseWord, ready: bool) -> tuple[simnet.Net, PlayerAbsence, str | None]:
    """What the victim makes of it: the check that refuses it, if nobody is convicted."""
    net = fork(game())
    victim = PlayerAbsence(net.tables[VICTIM])
    if ready:
        net.tables[VICTIM].link_down(net.tables[ABSENT].me.key.public, net.now)
        net.now += LONG + 1
        victim.propose_parting(net.now)
    check = None
    for kind, payload in lie.messages(net):
        try:
            if kind is FrameKind.PART:
                victim.receive(payload, net.now)
            else:
                victim.compare_with_part(kind, payload)
        except Refused as refused:
            assert refused.finding.player is None
            check = refused.finding.check
        victim.on_table_advanced(net.now)
    return net, victim, check


@pytest.mark.parametrize("ready", [False, True], ids=["free", "ready"])
@pytest.mark.parametrize("kind", FALSE_WORDS, ids=lambda each: each.__name__)
def test_a_false_word_is_refused_and_a_contradiction_convicts(
    kind: type[FalseWord], ready: bool
) -> None:
    net, victim, check = told(kind(), ready)
    stopped = net.tables[VICTIM].stopped
    if not kind.proven:
        assert check == kind.check and stopped is None
        assert not victim.is_bound and not net.evidence[VICTIM]
        return
    assert stopped is not None
    assert (stopped.finding.check, stopped.finding.player) == (kind.check, LIAR)
    net.collect(VICTIM)
    verdict = judge(net.evidence[VICTIM])
    assert verdict.finding.check == kind.check and verdict.finding.player == LIAR
    assert verdict.guilty == simnet.NICKS[LIAR]


def no_evidence() -> list[tuple[str, Evidence]]:
    """What looks like evidence about words of parting and proves nothing."""
    net = game()
    chain, here = net.tables[0].chain, where(net)
    part, other = word(net, PART, here), word(net, PART, where(net, absent=1), VICTIM)
    ready = word(net, READY, here)
    receipt = next(r for r in reversed([chain.receipt_of(seq, LIAR) for seq in range(PLACE)]) if r)
    entry = next(e for e in reversed(chain.entries) if e.entry.author == LIAR)
    first, second = sorted((part.encode(), ready.encode()))
    return [
        ("E01", of_broken_part(part.encode(), receipt.encode())),
        ("E01", of_broken_part(part.encode(), entry.raw)),
        ("E01", of_broken_part(word(net, READY, where(net, 3)).encode(), receipt.encode())),
        ("E01", of_two_words(part.encode(), other.encode())),
        ("E01", of_two_words(part.encode(), ready.encode())),
        ("E01", of_two_words(word(net, STAY, here, round_=1).encode(), ready.encode())),
        ("W03", Evidence("part", second, first)),
        ("W03", Evidence("part", first, first)),
        ("W03", Evidence("part", part.encode(), b"\xc1")),
        ("W02", Evidence("part", part.encode(), b"\x81\xa5claim\x01")),
        ("W01", Evidence("part", part.encode(), b"\x80")),
        ("W07", Evidence("part", entry.raw, part.encode())),
    ]


@pytest.mark.parametrize("number", range(12))
def test_what_contradicts_nothing_convicts_nobody(number: int) -> None:
    check, evidence = no_evidence()[number]
    chain = game().tables[0].chain
    with pytest.raises(Refused) as refused:
        judge_evidence(evidence, chain.tables, chain.players)
    assert refused.value.finding.check == check and refused.value.finding.player is None
    with pytest.raises(Refused):
        judge(of_contradiction(chain, evidence).encode())


def test_a_signature_of_somebody_else_convicts_nobody() -> None:
    """The same two words, the second signed by another player's key."""
    net = game()
    one = word(net, PART, where(net))
    other = word(net, PART, where(net, absent=1), VICTIM)
    false = type(other)(PART, other.place, LIAR, other.sig, other.round, other.readies)
    chain = net.tables[0].chain
    with pytest.raises(Refused, match="E01"):
        judge_evidence(of_two_words(one.encode(), false.encode()), chain.tables, chain.players)


def test_the_largest_part_fits_its_frame() -> None:
    """Eight seats, and every number as large as it may be."""
    key = game().tables[0].me.key
    at = PartingPlace(bytes(32), 2**32 - 1, bytes(32), 7)
    largest = say(key, PART, at, 6, MAX_ROUND - 1, (bytes(64),) * 7)
    assert parse_word(largest.encode()) == largest
    assert len(largest.encode()) < LIMITS[FrameKind.PART] * 3 // 4
