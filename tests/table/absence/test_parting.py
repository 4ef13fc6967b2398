"""Leaving for good: all but one end the table together, or nobody does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

from p2p304.log.absence_vote import PartingPlace, parse_word, say
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, RawBlock, Unreadable, encode_last, read_blocks
from p2p304.offline.audit import audit
from p2p304.rules.state.scoring import won_and_lost
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.absence.absence_voter import AbsenceVoter
from p2p304.table.absence.certificate import parse_certificate
from p2p304.table.absence.vote_record import LogPosition
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.state import events
from p2p304.table.transition.ending import ended_without as end_of
from p2p304.table.transition.replay import Replay
from p2p304.wire.canonical import Value, decode, encode
from p2p304.wire.effects import Persist, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World
from tests.support.table.simnet import make

PRESENT = (0, 1, 3)


@pytest.fixture(scope="module")
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


PLACE, HEAD = 9, b"h" * 32
AT = LogPosition(PLACE, HEAD, b"b" * 32, PLACE, PLACE)
PAST = LogPosition(PLACE + 1, b"n" * 32, HEAD, PLACE + 1, PLACE)
"""The places of a node that has signed place 9, which is not settled."""


class Three:
    """Three players present and one who may be back, and words on their way in any order. Who is
    free may sign the next place; then it has gone past."""

    def __init__(self, seed: int) -> None:
        net = make(1, rules=rules(away="replace"))
        self.terms, self.rng = net.tables[0].terms, random.Random(seed)
        self.keys = [table.me.key for table in net.tables]
        self.sides = [AbsenceVoter(self.keys[n], self.terms) for n in range(3)]
        self.here = [AT] * 3
        self.seen = [False] * 3
        """Who is linked with the fourth player."""
        self.disks: list[list[bytes]] = [[], [], []]
        self.flying: list[tuple[int, bytes]] = []
        self.place = PartingPlace(self.terms.table, PLACE, HEAD, 3)

    def drain(self, number: int) -> None:
        for effect in self.sides[number].effects():
            if isinstance(effect, Persist):
                self.disks[number].append(effect.data)
            elif isinstance(effect, Send):
                self.flying += [(n, effect.payload) for n in range(3) if n != number]

    def hear(self, target: int, payload: bytes) -> None:
        side = self.sides[target]
        side.receive(side.parse(payload), self.here[target])
        self.look(target)

    def look(self, number: int) -> None:
        side = self.sides[number]
        side.advance(self.here[number])
        side.answer(self.here[number], lambda absent, says_so: self.seen[number])
        assert not side.contradictions
        self.drain(number)

    def chaos(self, steps: int) -> None:
        """Words lost, late and out of order; nodes stopped and started; players who wish; the
        absent one comes back to some and not to others, and some go on."""
        for _ in range(steps):
            number = self.rng.randrange(3)
            side = self.sides[number]
            match self.rng.choice(("hear", "hear", "wish", "wish", "seen", "sign", "stop")):
                case "hear" if self.flying:
                    target, payload = self.flying.pop(self.rng.randrange(len(self.flying)))
                    if self.rng.random() < 0.8:
                        self.hear(target, payload)
                case "wish" if self.here[number] is AT:
                    side.propose(self.place)
                case "seen":
                    self.seen[number] = not self.seen[number]
                case "sign" if self.seen[number] and side.blocked_from is None:
                    self.here[number] = PAST
                case "stop":
                    self.sides[number] = AbsenceVoter(self.keys[number], self.terms)
                    self.sides[number].restore(self.disks[number])
            self.look(number)

    def settle(self) -> None:
        """Everything that is said arrives; who has gone on is answered."""
        for _ in range(6):
            for number in range(3):
                self.sides[number].resend()
                self.look(number)
            while self.flying:
                target, payload = self.flying.pop(0)
                self.hear(target, payload)


@pytest.mark.parametrize("seed", range(60))
def test_either_all_are_bound_in_the_end_or_none(seed: int) -> None:
    three = Three(seed)
    three.chaos(30)
    bound = any(side.is_bound for side in three.sides)
    three.seen = [True] * 3
    three.settle()
    certificates = {side.certificate.encode() for side in three.sides if side.certificate}
    if bound or certificates:
        assert all(side.is_bound for side in three.sides) and len(certificates) == 1
        assert parse_certificate(certificates.pop(), three.terms).place == three.place
    else:
        assert not any(side.is_held for side in three.sides)
    gone_on = [side for side, here in zip(three.sides, three.here, strict=True) if here is PAST]
    assert not gone_on or not any(side.is_bound for side in three.sides)


def test_a_wish_is_heard_however_many_came_to_nothing_before() -> None:
    """Nine times one of those present wants to wait; the tenth time all are ready."""
    three = Three(1)
    for time in range(10):
        here = replace(three.place, seq=three.place.seq + 10 * time)
        for side in three.sides[: 2 if time < 9 else 3]:
            side.propose(here)
        for number in range(3):
            three.drain(number)
        if time < 9:
            three.flying.clear()
            past = LogPosition(here.seq + 9, bytes(32), bytes(32), here.seq + 9, here.seq + 9)
            for side in three.sides:
                side.advance(past)
        else:
            three.here = [LogPosition(here.seq, here.head, bytes(32), here.seq, here.seq)] * 3
    three.settle()
    assert all(side.certificate is not None for side in three.sides)


def test_both_outcomes_occur() -> None:
    outcomes = set()
    for seed in range(60):
        three = Three(seed)
        three.chaos(30)
        three.seen = [True] * 3
        three.settle()
        outcomes.add((three.sides[0].is_bound, PAST in three.here))
    assert outcomes == {(True, False), (False, True), (False, False)}


def test_a_certificate_without_somebody_proves_nothing() -> None:
    three = Three(0)
    for side in three.sides:
        side.propose(three.place)
    for number in range(3):
        three.drain(number)
    three.settle()
    certificate = three.sides[0].certificate
    assert certificate is not None
    whole = decode(certificate.encode())
    assert isinstance(whole, list)
    ready = say(three.keys[0], "ready", three.place, 0)
    false = say(three.keys[3], "part", three.place, 0)
    for words in (
        certificate.words[:2],
        (ready, *certificate.words[1:]),
        (false, *certificate.words[1:]),
    ):
        with pytest.raises(Refused):
            parse_certificate(type(certificate)(tuple(words)).encode(), three.terms)


def test_a_word_is_one_canonical_value() -> None:
    three = Three(0)
    raw = say(three.keys[0], "ready", three.place, 0).encode()
    assert parse_word(raw).encode() == raw
    with pytest.raises(Refused, match="W07"):
        parse_word(raw + b"\0")


def rules(**options: str) -> Options:
    return preset("pagat").override(options)


def parting_world(gone_for: float, options: Options, leave_at: float = 0.04) -> World:
    """A hand in the middle of which one player goes and does not come back."""
    world = World(rules=options)
    world.run(leave_at)
    world.leave(2)
    world.run(gone_for)
    return world


def part(world: World) -> World:
    """All three who are left wish to end the table."""
    for number in PRESENT:
        node = world.nodes[number]
        assert node is not None and not node.has_ended
        node.propose_parting(world.now)
        world.drain(number)
        world.run(3)
    return world


@pytest.fixture(scope="module")
def ended(memo: Memo) -> World:
    return part(parting_world(LONG + 5, rules(away="replace"), leave_at=0.1))


def test_nobody_can_be_left_behind_at_once(memo: Memo) -> None:
    world = parting_world(LONG / 2, rules(away="replace"))
    node = world.nodes[0]
    assert node is not None
    with pytest.raises(LookupError):
        node.propose_parting(world.now)


def test_nobody_is_left_behind_where_the_rules_are_to_wait(memo: Memo) -> None:
    world = parting_world(LONG + 5, preset("pagat"))
    node = world.nodes[0]
    assert node is not None and node.table is not None
    with pytest.raises(LookupError, match="wait"):
        node.propose_parting(world.now)
    chain = node.table.chain
    where = PartingPlace(chain.table, chain.next_seq, chain.head, 2)
    readies = tuple(say(world.identities[n], "ready", where, n).sig for n in PRESENT)
    word = say(world.identities[1], "part", where, 1, readies=readies)
    node.receive(world.identities[1].public, FrameKind.PART, word.encode(), world.now)
    told = [e.finding.check for e in node.events() if isinstance(e, events.Fault)]
    assert told == ["E03"] and not node.has_ended
    assert node.table.state is not None
    with pytest.raises(Refused, match="E03"):
        end_of(node.table.state, 2)


def test_a_table_ends_when_all_who_are_there_agree(ended: World) -> None:
    for number in PRESENT:
        node, told = ended.nodes[number], ended.told[number]
        assert node is not None and node.has_ended
        assert [e.absent for e in told if isinstance(e, events.Parted)] == ["Chitra"]
        assert not [e for e in told if isinstance(e, events.Fault)]
    assert all(len(kept) == 1 for kept in ended.signed.values())


def test_the_end_is_in_everybodys_transcript_and_audited(ended: World) -> None:
    (transcript,) = {ended.disks[number].transcript for number in PRESENT}
    report = audit(transcript)
    assert report.sound and report.complete and report.without == "Chitra" and report.parts == 3
    assert report.hands[-1].reason == (
        "All others continue without Chitra: the hand counts as won by EW."
    )
    before = list(read_blocks(transcript))[:-1]
    assert report.receipts == 3 * len(before) and all(block.parts is None for block in before)


def closing(world: World) -> tuple[bytes, RawBlock]:
    """A transcript that was ended, up to its last block, and that block."""
    whole = world.disks[0].transcript
    last = list(read_blocks(whole))[-1]
    assert last.parts is not None
    block = encode_last(last.entry.raw, last.parts)
    assert whole.endswith(block)
    return whole[: -len(block)], last


def test_every_field_of_the_end_is_refused_when_changed(ended: World) -> None:
    start, last = closing(ended)
    replay = Replay(start + encode_last(last.entry.raw, last.parts or ()))
    assert last.parts is not None and len(list(replay)) > 12
    (one, sig), *others = last.parts
    bent = sig[:9] + bytes([sig[9] ^ 1]) + sig[10:]
    keys, where = ended.identities, PartingPlace(bytes(32), 1, bytes(32), 2)
    absent = keys[2].sign(b"p2p304 part\0" + encode(where.to_value()))
    lies: list[tuple[str, tuple[tuple[int, bytes], ...]]] = [
        ("L03", ((one, bent), *others)),
        ("L03", ((one, others[0][1]), (others[0][0], sig), *others[1:])),
        ("L03", ((one, sig), (2, absent), others[1])),
        ("E02", tuple(others)),
        ("E02", (*others, (one, sig))),
        ("E02", ((one, sig), *others[:1], *others)),
        ("E02", ((one, sig), *others, (2, absent))),
        ("E02", ()),
    ]
    for check, parts in lies:
        with pytest.raises(Refused, match=check):
            replay.verify_parts(parts)
    with pytest.raises(Refused, match="L04"):
        replay.verify_block(last)
    for wrong in ((one, bytes(63)), (one, bytes(65)), (9, sig)):
        with pytest.raises(Unreadable):
            list(read_blocks(MAGIC + encode_last(last.entry.raw, (wrong, *others))))


def test_the_end_belongs_to_the_last_entry_alone(ended: World) -> None:
    start, last = closing(ended)
    blocks = list(read_blocks(start))
    earlier = blocks[-1]
    assert last.parts is not None
    shorter = start[: -len(settled_block(earlier))] + encode_last(earlier.entry.raw, last.parts)
    report = audit(shorter)
    assert report.fault is not None and report.fault.check == "L03" and report.guilty is None


def settled_block(block: RawBlock) -> bytes:
    receipts: list[Value] = [
        {"author": r.author, "claim": r.claim, "sig": r.sig} for r in block.receipts
    ]
    body = encode({"entry": block.entry.raw, "receipts": receipts})
    return len(body).to_bytes(4, "big") + body


def test_the_absent_side_has_lost_the_hand_where_the_seat_is_given_away(memo: Memo) -> None:
    world = part(parting_world(LONG + 5, rules(away="replace"), leave_at=0.1))
    (transcript,) = {world.disks[number].transcript for number in PRESENT}
    states = [replayed.state for replayed in Replay(transcript)]
    before, after = states[-2], states[-1]
    hand, record = before.open_hand, after.last_record
    assert record is not None
    side = before.seat_of(2) % 2
    won, lost = won_and_lost(before.terms.rules, hand.bid)
    bid = (lost if hand.maker is not None and hand.maker % 2 == side else won) if hand.bid else 0
    assert after.match.tokens[side] == 11 - bid - 2 and sum(after.match.tokens) == 22
    assert "won by" in str(record.result.reason) and audit(transcript).tokens == after.match.tokens


def test_who_comes_back_later_is_told_by_any_one(ended: World) -> None:
    key = ended.identities[2].public
    ended.leave(0)
    ended.leave(1)
    ended.start(2)
    ended.run(3)
    back, told = ended.nodes[2], ended.told[2]
    assert back is not None and back.has_ended and back.meeting.key.public == key
    assert [e.absent for e in told if isinstance(e, events.Parted)] == ["Chitra"]
    assert ended.disks[2].transcript == ended.disks[3].transcript
    ended.stop(2)
    ended.run(3)
    again = ended.nodes[2]
    assert again is not None and again.has_ended
    assert ended.disks[2].transcript == ended.disks[3].transcript


def test_an_entry_that_nobody_saw_is_not_part_of_the_end(memo: Memo) -> None:
    """The absent one has written an entry more, and learns that the table ended before it."""
    world = World(rules=rules(away="replace"))
    while not (world.nodes[2] and world.nodes[2].table and turn(world.nodes[2].table)):
        world.run(0.001)
    absent = world.nodes[2]
    assert absent is not None and absent.table is not None
    world.vanish(2)
    world.run(LONG + 5)
    part(world)
    table = world.nodes[0]
    assert table is not None and table.table is not None
    assert table.table.chain.next_seq == absent.table.chain.next_seq - 1
    world.start(2)
    world.run(3)
    back = world.nodes[2]
    assert back is not None and back.has_ended
    assert world.disks[2].transcript == world.disks[0].transcript


def turn(table: TableMachine) -> bool:
    """This node has just written an entry, and nobody has receipted it yet."""
    chain = table.chain
    own = bool(chain.entries) and chain.entries[-1].entry.author == table.me.player
    return own and chain.next_seq > 12 and not chain.receipts_at(chain.next_seq - 1)


def test_who_never_came_back_after_a_power_cut_can_be_parted_from(memo: Memo) -> None:
    """Those who have started again have never been linked with the one who is gone."""
    world = World(rules=rules(away="replace"))
    world.run(0.08)
    for number in range(4):
        world.leave(number)
    for number in PRESENT:
        world.start(number)
    world.run(LONG / 2)
    node = world.nodes[0]
    assert node is not None
    with pytest.raises(LookupError, match="exactly one player"):
        node.propose_parting(world.now)
    world.run(LONG / 2 + 5)
    part(world)
    (transcript,) = {world.disks[number].transcript for number in PRESENT}
    assert audit(transcript).without == "Chitra"
