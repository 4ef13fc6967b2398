"""What a spectator is sent, block by block, and what its own machine makes of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p304.log.entry import sign_entry
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, encode_block, encode_last
from p2p304.rules.variants.presets import preset
from p2p304.table.node import spectator_machine, spectators
from p2p304.table.node.spectator_machine import ASK_AFTER, ASK_EVERY, SpectatorMachine
from p2p304.table.node.spectators import BATCH, MOST, Spectators, parse_watch, watch_bytes
from p2p304.table.transition.replay import Replay
from p2p304.table.transition.replica import Begun
from p2p304.wire.effects import HangUp, Send
from p2p304.wire.framing import FrameKind
from tests.support.paths import TRANSCRIPTS
from tests.support.table.paused import paused

EVE = b"E" * 32


class Shown:
    """The spectators of a plain table; a block is its number, with a mark after a parting."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, watch: str = "now", settled: int = 0
    ) -> None:
        monkeypatch.setattr(spectators, "encoded_blocks", lambda chain, seq, _: chain.block(seq))
        self.made: list[int] = []
        self.chain = SimpleNamespace(
            next_seq=settled, is_settled=True, without=None, block=self._block
        )
        self.state = SimpleNamespace(is_over=False)
        self.replica = SimpleNamespace(begun=Begun(0, 0))
        self.table = SimpleNamespace(
            chain=self.chain,
            state=self.state,
            replica=self.replica,
            terms=SimpleNamespace(watch=watch),
        )
        self.spectators = Spectators(cast(Any, self.table))

    def _block(self, seq: int) -> bytes:
        self.made.append(seq)
        return b"%d" % seq + (b" end" if self.chain.without else b"")

    def play(self, settled: int, hand: int = 0, trick: int = 0) -> list[int]:
        """The blocks that come when the table has got so far; the hand and the trick that are being
        played began at these places."""
        self.chain.next_seq, self.replica.begun = settled, Begun(hand, trick)
        self.spectators.update()
        return self.sent()

    def ask(self, have: int, peer: bytes = EVE) -> list[int]:
        self.spectators.receive(peer, watch_bytes(have))
        return self.sent()

    def sent(self) -> list[int]:
        found = [e for e in self.spectators.effects() if isinstance(e, Send)]
        assert all(e.kind is FrameKind.BLOCK for e in found)
        return [int(e.payload.split()[0]) for e in found]

    def hung(self) -> list[str]:
        return [e.reason for e in self.spectators.effects() if isinstance(e, HangUp)]


def test_settled_blocks_are_shown_at_once_where_the_rules_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = Shown(monkeypatch)
    assert shown.ask(0) == []
    assert shown.play(3) == [0, 1, 2]
    shown.chain.is_settled = False
    assert shown.play(5) == [3]
    shown.chain.is_settled = True
    assert shown.play(5) == [4]


def test_a_trick_is_shown_when_the_next_one_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch, "trick")
    shown.ask(0)
    assert shown.play(3) == []
    assert shown.play(4, 4, 4) == [0, 1, 2, 3] and shown.play(8, 4, 4) == []
    shown.chain.is_settled = False
    assert shown.play(11, 4, 10) == [4, 5, 6, 7, 8, 9]
    shown.chain.is_settled = True
    assert shown.play(12, 4, 10) == []


@pytest.mark.parametrize("watch", ["trick", "hand"])
def test_a_hand_is_shown_with_its_last_entry_once_that_is_settled(
    monkeypatch: pytest.MonkeyPatch, watch: str
) -> None:
    shown = Shown(monkeypatch, watch)
    shown.ask(0)
    shown.chain.is_settled = False
    assert shown.play(10, 10, 10) == list(range(9))
    shown.chain.is_settled = True
    assert shown.play(10, 10, 10) == [9]
    assert shown.play(14, 10, 12 if watch == "hand" else 10) == []


@pytest.mark.parametrize("watch", ["trick", "hand"])
def test_all_is_shown_when_the_table_is_over(monkeypatch: pytest.MonkeyPatch, watch: str) -> None:
    shown = Shown(monkeypatch, watch)
    shown.ask(0)
    assert shown.play(3) == []
    shown.state.is_over = True
    assert shown.play(4) == [0, 1, 2, 3]


def test_what_was_shown_is_not_hidden_when_an_unsettled_entry_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = Shown(monkeypatch, "trick")
    shown.play(8, 2, 6)
    shown.play(5, 2, 2)  # the log went back, to go on without a player
    assert shown.ask(0) == [0, 1, 2, 3, 4, 5]


def test_no_more_blocks_are_on_their_way_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch)
    shown.play(100)
    assert shown.ask(0) == list(range(BATCH)) and shown.ask(0) == []
    assert shown.ask(5) == list(range(BATCH, BATCH + 5))
    assert shown.ask(3) == []
    assert shown.ask(1000) == list(range(BATCH + 5, 2 * BATCH + 5))
    shown.spectators.on_link_down(EVE)
    assert not shown.spectators.is_watching(EVE)
    assert shown.ask(90) == list(range(90, 100))


def test_a_block_is_made_once_for_all_who_want_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch)
    for number in range(3):
        shown.ask(0, bytes([number]))
    assert shown.play(1) == [0, 0, 0] and shown.made == [0]


def test_only_so_many_watch_and_those_who_do_may_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch)
    for number in range(MOST):
        shown.spectators.receive(bytes([number]), watch_bytes(0))
    assert shown.hung() == [] and len(shown.spectators.parts) == 2 + MOST == 52
    shown.spectators.receive(EVE, watch_bytes(0))
    assert shown.hung() == ["this table has no free place for spectators"]
    shown.spectators.receive(bytes([0]), watch_bytes(0))
    assert shown.hung() == [] and not shown.spectators.is_watching(EVE)


def test_a_table_without_spectators_closes_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = Shown(monkeypatch, "")
    shown.spectators.receive(EVE, watch_bytes(0))
    assert shown.hung() == ["this table admits no spectators"]
    assert shown.play(5) == [] and not shown.spectators.is_watching(EVE)
    shown = Shown(monkeypatch)
    shown.table.state = None
    shown.spectators.update()
    assert shown.ask(0) == []


@pytest.mark.parametrize("had", [8, 9])
def test_the_block_that_ends_the_table_is_shown_once_more(
    monkeypatch: pytest.MonkeyPatch, had: int
) -> None:
    """Block 8 is settled and shown; then the players part after it, and sign it."""
    shown = Shown(monkeypatch)
    shown.play(9)
    assert shown.ask(had) == ([8] if had == 8 else [])
    shown.chain.without = SimpleNamespace(seq=9)
    shown.state.is_over = True
    shown.spectators.update()
    ends = [e.payload for e in shown.spectators.effects() if isinstance(e, Send)]
    assert ends == [b"8 end"]
    assert shown.play(9) == [] and shown.ask(9) == []


def test_a_spectator_that_is_far_behind_gets_the_end_in_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = Shown(monkeypatch)
    shown.play(40)
    assert shown.ask(0) == list(range(BATCH))
    shown.chain.without = SimpleNamespace(seq=40)
    found = [shown.ask(have) for have in range(BATCH, 48, BATCH)]
    assert [seq for blocks in found for seq in blocks] == list(range(BATCH, 40))


def test_a_question_is_read_strictly() -> None:
    assert parse_watch(watch_bytes(0)) == 0 and parse_watch(watch_bytes(70000)) == 70000
    with pytest.raises(Refused, match="W08"):
        parse_watch(watch_bytes(-1))


# The spectator's side


GOOD = (TRANSCRIPTS / "good.304").read_bytes()
ENDED = (TRANSCRIPTS / "ended.304").read_bytes()


def blocks(data: bytes) -> list[bytes]:
    found, at = [], len(MAGIC)
    while at < len(data):
        size = 4 + int.from_bytes(data[at : at + 4], "big")
        found.append(data[at : at + size])
        at += size
    return found


def asked(machine: SpectatorMachine) -> list[int]:
    found = [e for e in machine.effects() if isinstance(e, Send)]
    assert all(e.kind is FrameKind.WATCH and e.peer == EVE for e in found)
    return [parse_watch(e.payload) for e in found]


def linked() -> SpectatorMachine:
    machine = SpectatorMachine()
    assert machine.next_timeout() == 0.0
    machine.handle_timer(0.0)
    assert asked(machine) == []
    machine.link_up(EVE, "x", "h", 1, 0.5)
    assert asked(machine) == [0] and machine.next_timeout() == 0.5 + ASK_EVERY
    return machine


def give(machine: SpectatorMachine, raw: bytes, now: float = 1.0) -> None:
    machine.receive(EVE, FrameKind.BLOCK, raw, now)


def test_a_spectator_asks_again_after_half_of_a_batch_and_every_second() -> None:
    machine = linked()
    for number, raw in enumerate(blocks(GOOD)[: ASK_AFTER + 2], 1):
        give(machine, raw)
        assert asked(machine) == ([number] if number == ASK_AFTER == 8 else [])
    assert machine.next_timeout() == 1.0 + ASK_EVERY
    machine.handle_timer(1.9)
    assert asked(machine) == []
    machine.handle_timer(2.0)
    assert asked(machine) == [10] and machine.next_timeout() == 3.0
    machine.link_down(EVE, 2.5)
    machine.handle_timer(3.0)
    assert machine.peer is None and machine.effects() == []


def test_a_spectator_tells_what_it_has_verified_and_keeps_the_bytes() -> None:
    machine, data = linked(), blocks(GOOD)[:5]
    machine.receive(EVE, FrameKind.ENTRY, b"\xc1", 0.5)
    for raw in (data[0], data[0], data[2], *data[1:]):
        give(machine, raw)
    assert machine.fault is None and not machine.is_over
    assert machine.transcript == MAGIC + b"".join(data)
    expected = [event for one in Replay(machine.transcript) for event in one.events]
    assert machine.events() == expected != [] and machine.events() == []


def test_what_is_taken_again_and_again_is_the_whole_and_one_block_is_kept() -> None:
    machine, data, taken = linked(), blocks(GOOD), b""
    for raw in data:
        give(machine, raw)
        taken += machine.take_transcript()
        assert machine.transcript == (b"" if machine.is_over else raw)
    assert machine.is_over and taken == GOOD and machine.take_transcript() == b""


def test_false_data_is_told_and_nothing_after_it_is_taken() -> None:
    machine, data = linked(), blocks(GOOD)
    give(machine, data[0])
    bent = bytearray(data[1])
    bent[-5] ^= 1
    give(machine, bytes(bent))
    assert machine.fault is not None and machine.fault.startswith("The game that this player shows")
    assert [e.reason for e in machine.effects() if isinstance(e, HangUp)] == [
        "the data for spectators is false"
    ]
    give(machine, data[1])
    assert machine.transcript == MAGIC + data[0]
    give(broken := linked(), b"\0\0")
    assert broken.fault is not None and broken.transcript == MAGIC


def test_a_bug_of_this_program_is_not_the_players_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(data: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(spectator_machine, "read_blocks", fails)
    give(machine := linked(), b"")
    assert machine.fault is not None and "bug in this program" in machine.fault
    assert "ZeroDivisionError" in machine.fault


def test_the_end_of_a_table_is_the_last_block_once_more() -> None:
    """The players of this transcript have parted: its last block holds their signatures."""
    *before, last = blocks(ENDED)
    whole = linked()
    for raw in (*before, last, last):
        give(whole, raw)
    assert whole.fault is None and whole.is_over and whole.transcript == ENDED
    # It is not dialled again after the end.
    assert sum(isinstance(effect, HangUp) for effect in whole.effects()) == 1
    assert [e.__class__.__name__ for e in whole.events()][-1] == "Parted"


def test_a_spectator_that_has_seen_the_last_entry_settled_takes_the_end_in_its_place() -> None:
    net, absent = paused(rules=preset("pagat").override({"away": "replace"}))
    here, seq = net.tables[(absent.me.player + 1) % 4], absent.chain.next_seq
    plain = [encode_block(here.chain.block(place)) for place in range(seq)]
    net.agree(absent.me.player, seq)
    end = encode_block(here.chain.block(seq - 1))
    assert end != plain[-1]
    machine, false = linked(), linked()
    for raw in plain:
        give(machine, raw)
        give(false, raw)
    assert (machine.is_over, machine.fault) == (False, None)
    for raw in (end, end, plain[-1]):
        give(machine, raw)
    assert machine.fault is None and machine.is_over
    assert machine.transcript == MAGIC + b"".join([*plain[:-1], end])
    taken, taking = b"", linked()
    for raw in (*plain, end):
        give(taking, raw)
        taken += taking.take_transcript()
    assert taken == machine.transcript, "a block that is taken is final"
    last, parts = here.chain.entries[seq - 1].entry, here.chain.block(seq - 1).parts
    assert parts is not None
    key, player = absent.me.key, absent.me.player
    other = sign_entry(key, last.table, last.seq, last.prev, player, last.kind, {})
    give(false, encode_last(other.raw, parts))
    assert not false.is_over and "does not follow the last entry" in str(false.fault)
