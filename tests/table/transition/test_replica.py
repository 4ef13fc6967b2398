"""What a replica tells of its table: before the agreement, in the middle, and after each kind of
end, as in the recorded tables."""

from __future__ import annotations

import pytest

from p2p304.log.transcript import read_blocks
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.replica import Replica
from tests.support.paths import TRANSCRIPTS
from tests.support.table import simnet


def replayed(name: str, places: int | None = None) -> Replica:
    """The replica of a recorded table, after so many places of it."""
    data = (TRANSCRIPTS / name).read_bytes()
    replay = Replay(data)
    for raw in list(read_blocks(data))[:places]:
        replay.verify_block(raw)
    assert replay.replica is not None
    return replay.replica


def test_before_the_agreement_nobody_has_a_seat_and_nothing_is_due() -> None:
    replica = Replica(simnet.make(1).tables[0].terms)
    assert replica.state is None and replica.settled_state is None and replica.due is None
    assert replica.seat_of(0) == -1 and replica.signed_before(0) == 0
    assert not (replica.is_over or replica.is_parted or replica.is_ended or replica.is_finished)
    assert not (replica.is_playing_out or replica.has_kept_draw or replica.is_blocked(0))
    assert replica.present == replica.terms.keys and replica.ending is None


@pytest.mark.parametrize(
    ("name", "true"),
    [
        ("unfinished.304", set[str]()),
        ("good.304", {"is_over", "is_finished", "has_kept_draw"}),
        ("ended.304", {"is_over", "is_parted", "is_ended"}),
        ("lost.304", {"is_over", "is_parted", "is_ended"}),
        ("played-out.304", {"is_over", "is_parted", "is_playing_out", "is_finished"}),
    ],
)
def test_every_end_of_a_table_is_told_from_the_others(name: str, true: set[str]) -> None:
    replica = replayed(name)
    words = ["is_over", "is_parted", "is_ended", "is_playing_out", "is_finished", "has_kept_draw"]
    assert {word for word in words if getattr(replica, word)} == true
    assert (replica.due is None) == ("is_over" in true)
    without = replica.chain.without
    gone = None if without is None else replica.terms.keys[without.absent]
    assert replica.present == tuple(key for key in replica.terms.keys if key != gone)
    assert len(replica.present) == 4 - (gone is not None)


def test_a_hand_that_is_lost_is_continued_with_its_empty_seat() -> None:
    replica = replayed("../continued/ended.304")
    left, without = replica.ending, replica.chain.without
    assert left is not None and without is not None and replica.state is not None
    assert left.empty == replica.state.seat_of(without.absent)
    assert left.after.table == replica.terms.table
    assert replayed("good.304").ending is None


def test_what_is_settled_is_what_all_have_seen() -> None:
    data = (TRANSCRIPTS / "good.304").read_bytes()
    replica, blocks = replayed("good.304", 7), list(read_blocks(data))
    before = replica.state
    assert replica.settled_state is before
    author = blocks[7].entry.entry.author
    signed = replica.chain.authenticate(blocks[7].entry)
    after, _ = replica.judge(signed)
    assert replica.state is before, "a judgement changes nothing"
    replica.append(signed, after)
    assert replica.state is after and replica.settled_state is before
    assert [replica.signed_before(n) for n in range(4)] == [7 + (n == author) for n in range(4)]
    witness, *_ = blocks[7].receipts
    replica.chain.add_receipt(witness)
    assert replica.signed_before(witness.author) == 8


def test_what_is_blocked_is_every_place_from_one_on() -> None:
    replica = replayed("good.304", 7)
    replica.blocked_from = 7
    assert [replica.is_blocked(seq) for seq in (6, 7, 8)] == [False, True, True]


def test_an_entry_that_a_parting_drops_has_ended_no_hand() -> None:
    """The last count is written, but not settled, when the others part without its author."""
    rules = preset("pagat").override({"away": "playout"})
    net = simnet.make_closed(3, 2, rules)
    net.run(until=lambda: all(hand_number(table) == 2 for table in net.tables))
    ended = net.tables[0].replica.begun.hand - 1
    author = net.tables[0].chain.entry(ended).entry.author
    net = simnet.make_closed(3, 2, rules)
    net.come_to(ended)
    before, table = net.tables[author].replica.begun, net.tables[author]
    table.replica.blocked_from = None
    table.handle_timer(net.now)
    table.resume_play(net.now)
    assert table.replica.begun.hand == ended + 1 and not table.chain.is_settled
    net.agree(author, ended)
    assert {each.replica.begun for each in net.tables} == {before} and before.hand == 5


def hand_number(table: TableMachine) -> int:
    return 0 if table.state is None else table.state.number
