"""All but one part after the entry that ends the table: the file says what the file with all
receipts says, and nobody who signed both is at fault."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from p2p304.log.absence_vote import PART, READY, PartingPlace, contradicts_log, say
from p2p304.log.entry import Receipt
from p2p304.log.faults import Refused
from p2p304.offline.audit import audit, judge
from p2p304.offline.audited import audit_path
from p2p304.offline.contradiction import contradictions
from p2p304.rules.variants.absence import REPLACE, WAIT, WAYS
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import PRESETS
from p2p304.table.absence.certificate import check_certificate
from p2p304.table.evidence.evidence_file import EvidenceFile
from p2p304.table.transition.replay import Replay
from tests.support.paths import PROTOCOL
from tests.support.table import simnet
from tests.support.table.two_courses import ENDS, parted_at_the_end


def games() -> Iterator[tuple[str, str]]:
    """The presets for more than two players, with each value of ``away`` that they may have."""
    for name, options in PRESETS.items():
        for away in WAYS if options.seats > 2 else ():
            try:
                options.override({"away": away})
            except OptionsError:
                continue
            yield name, away


@cache
def played(name: str, away: str) -> simnet.Net:
    net = simnet.make(2, 1, PRESETS[name].override({"away": away}))
    net.run()
    assert net.finished
    return net


def right_of_the_last_author(net: simnet.Net) -> int:
    return (net.tables[0].chain.last.entry.author + 1) % len(net.tables)


@pytest.mark.parametrize(("name", "away"), list(games()))
def test_both_files_say_the_same(name: str, away: str, tmp_path: Path) -> None:
    net = played(name, away)
    absent = right_of_the_last_author(net)
    parted = audit(parted_at_the_end(net, absent))
    if away == WAIT:
        assert parted.fault is not None and parted.fault.check == "E03"
        return
    whole = audit(net.transcripts[0])
    assert parted.sound and parted.complete and parted.left is None
    assert parted.without == parted.players[absent] and not whole.without
    assert (parted.tokens, parted.account) == (whole.tokens, whole.account)
    assert [h.reason for h in parted.hands] == [h.reason for h in whole.hands]
    paths = [tmp_path / "whole.304", tmp_path / "parted.304"]
    paths[0].write_bytes(net.transcripts[0])
    paths[1].write_bytes(parted_at_the_end(net, absent))
    for order in (paths, paths[::-1]):
        assert not list(contradictions([audit_path(path) for path in order]))


def test_who_gave_the_last_receipt_and_parts_has_signed_nothing_that_excludes_it() -> None:
    net = played("pagat", REPLACE)
    chain = net.tables[0].chain
    absent, last = right_of_the_last_author(net), chain.next_seq - 1
    place = PartingPlace(chain.table, chain.next_seq, chain.head, absent)
    keys = [table.me.key for table in net.tables]
    readies = tuple(say(key, READY, place, n).sig for n, key in enumerate(keys) if n != absent)
    for player in range(4):
        part = say(keys[player], PART, place, player, readies=readies)
        receipt = chain.receipt_of(last, player)
        signed = [chain.last.entry] if receipt is None else [receipt]
        assert not any(contradicts_log(part, each) for each in signed)
        raw = receipt.encode() if isinstance(receipt, Receipt) else chain.last.raw
        case = EvidenceFile("part", part.encode(), raw, net.transcripts[0])
        with pytest.raises(Refused, match="E01"):
            judge(case.encode())


def test_a_finished_log_takes_no_certificate_and_a_parted_one_no_second() -> None:
    net = played("pagat", REPLACE)
    chain = net.tables[0].chain
    replays = [Replay(net.transcripts[0]), Replay(parted_at_the_end(net, 1))]
    for replay in replays:
        assert list(replay)
    place = PartingPlace(chain.table, chain.next_seq, chain.head, 2)
    keys = [table.me.key for table in net.tables]
    parts = tuple((n, say(keys[n], PART, place, n).sig) for n in (0, 1, 3))
    finished, parted = (replay.replica for replay in replays)
    assert finished is not None and parted is not None
    certificate = check_certificate(finished.terms, place.seq, place.head, parts)
    assert finished.apply_certificate(certificate) is None and finished.is_finished
    with pytest.raises(Refused, match="E03"):
        parted.apply_certificate(certificate)
    assert parted.is_ended and parted.is_complete


def test_liars_who_part_from_two_players_are_named_and_pay_nobody_else(tmp_path: Path) -> None:
    """Two honest players, each of whom believes the other gone; two liars have signed both ends."""
    net = simnet.make(1, 1, ENDS)
    net.run()
    honest = [n for n in range(4) if n != net.tables[0].chain.last.entry.author][:2]
    paths = [tmp_path / f"without-{absent}.304" for absent in honest]
    for absent, path in zip(honest, paths, strict=True):
        path.write_bytes(parted_at_the_end(net, absent))
    audited = [audit_path(path) for path in paths]
    (found,) = contradictions(audited)
    liars = [n for n in range(4) if n not in honest]
    assert audited[0].report is not None and audited[1].report is not None
    assert found.parted == tuple(audited[0].report.players[n] for n in liars)
    assert found.fork is None and not found.split
    assert audited[0].report.tokens == audited[1].report.tokens


def test_nobody_parts_after_the_end_of_a_hand_that_was_played_out() -> None:
    report = audit((PROTOCOL / "transcripts" / "parted-twice-at-the-end.304").read_bytes())
    assert report.fault is not None and report.fault.check == "E03" and report.guilty is None
