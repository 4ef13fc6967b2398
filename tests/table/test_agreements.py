"""False agreements and false ends: refused by their check, and evidence against nobody."""

from __future__ import annotations

import pytest

from p2p304.log.absence_vote import PartingPlace
from p2p304.log.faults import Refused
from p2p304.table.absence.certificate import Certificate, check_word, parse_certificate
from p2p304.wire.framing import FrameKind
from tests.support.cheats.agreement import (
    ENDING,
    FALSE_AGREEMENTS,
    FALSE_ENDS,
    EndsATableThatWaits,
    FalseAgreement,
    FalseEnd,
    false_entry,
    parts,
)
from tests.support.table import simnet


@pytest.mark.parametrize("lie", FALSE_AGREEMENTS, ids=lambda each: each.__name__)
def test_no_table_begins_with_a_false_agreement(lie: type[FalseAgreement]) -> None:
    net = simnet.make(4)
    table, keys = net.tables[1], [each.me.key for each in net.tables]
    false = false_entry(lie, table.terms, keys)
    table.receive(keys[0].public, FrameKind.ENTRY, false.raw, 0.0)
    assert table.stopped is not None and table.chain.next_seq == 0
    assert (table.stopped.finding.check, table.stopped.finding.player) == (lie.check, None)
    assert not [e for e in table.effects() if getattr(e, "name", "") == "evidence"]


@pytest.mark.parametrize("lie", FALSE_ENDS, ids=lambda each: each.__name__)
def test_no_table_ends_with_a_false_certificate(lie: type[FalseEnd]) -> None:
    net = simnet.make(4, rules=ENDING)
    terms, keys = net.tables[0].terms, [each.me.key for each in net.tables]
    where = PartingPlace(terms.table, 9, bytes(32), 3)
    true = Certificate(tuple(parts(keys, where)))
    assert parse_certificate(true.encode(), terms) == true
    with pytest.raises(Refused) as refused:
        parse_certificate(lie().raw(keys, where), terms)
    assert (refused.value.finding.check, refused.value.finding.player) == (lie.check, None)


def test_no_table_ends_that_is_to_wait() -> None:
    net = simnet.make(4)
    terms, keys = net.tables[0].terms, [each.me.key for each in net.tables]
    words = parts(keys, PartingPlace(terms.table, 9, bytes(32), 3))
    with pytest.raises(Refused, match=EndsATableThatWaits.check):
        parse_certificate(Certificate(tuple(words)).encode(), terms)
    with pytest.raises(Refused, match=EndsATableThatWaits.check):
        check_word(words[0], terms)
