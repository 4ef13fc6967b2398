"""A seat taken over: the table goes on with somebody else, from the next hand, as it ended."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, read_blocks
from p2p304.offline.audit import Report, audit
from p2p304.offline.audited import Audited
from p2p304.offline.continuation import Continues, links
from p2p304.offline.report import audit_files
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import Terms, parse_terms
from p2p304.table.gathering.exchange.messages import Join, lobby_bytes
from p2p304.table.state import events, gathering_events
from p2p304.table.transition.successor import Ending, check_continues
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World

PRESENT = (0, 1, 3)
RULES = preset("pagat").override({"away": "replace"})


@dataclass
class Evening:
    """A table that Chitra left, and the one that went on from it with Esha."""

    world: World
    first: bytes
    second: bytes
    left: Ending
    reports: tuple[Report, Report]

    @property
    def terms(self) -> Terms:
        terms = self.reports[1].terms
        assert terms is not None
        return terms


def ended(leave_at: float = 0.04) -> tuple[World, bytes, Ending]:
    """Everybody but Chitra has ended the table, and gathers anew."""
    world = World(rules=RULES, hands=2)
    world.run(leave_at)
    world.leave(2)
    world.run(LONG + 5)
    for number in PRESENT:
        world.nodes[number].propose_parting(world.now)  # type: ignore[union-attr]
        world.drain(number)
    transcripts = set()
    for _ in range(40):
        world.run(0.01)
        transcripts |= {world.disks[number].transcript for number in PRESENT}
    first = next(one for one in transcripts if one and list(read_blocks(one))[-1].parts)
    left = audit(first).left
    assert left is not None
    return world, first, left


@pytest.fixture(scope="module")
def evening() -> Iterator[Evening]:
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world, first, left = ended()
        world.newcomer(2, left.stay[0])
        world.run(120)
        (second,) = {disk.transcript for disk in world.disks}
        yield Evening(world, first, second, left, (audit(first), audit(second)))


def test_those_who_stay_find_their_seats_and_the_newcomer_the_empty_one(evening: Evening) -> None:
    terms, left = evening.terms, evening.left
    newcomer = evening.world.identities[2].public
    assert [key for key in terms.keys if key != newcomer] == list(left.stay)
    assert terms.keys.index(newcomer) == left.empty
    for told in evening.world.told:
        *_, gathered = (event for event in told if isinstance(event, gathering_events.Members))
        assert gathered.dealer == left.after.dealer
    assert terms.players[left.empty].nick == "Esha"
    seated = [e for e in evening.world.told[0] if isinstance(e, events.Seated)]
    assert len(seated) == 2 and not seated[1].drawn
    assert seated[1].keys == terms.keys and seated[1].match.tokens == left.after.tokens


def test_the_hand_is_lost_and_the_next_dealt_and_played(evening: Evening) -> None:
    assert evening.world.finished
    report = evening.reports[1]
    assert report.sound and report.complete and not report.without
    began = [e for e in evening.world.told[0] if isinstance(e, events.HandBegan)]
    assert began[-1].dealer == evening.left.after.dealer == (began[0].dealer + 1) % 4
    assert not [e for told in evening.world.told for e in told if isinstance(e, events.Fault)]
    assert all(len(kept) == 1 for kept in evening.world.signed.values())


def test_an_audit_of_both_sees_that_one_goes_on_from_the_other(
    evening: Evening, tmp_path: Path
) -> None:
    (tmp_path / "a.304").write_bytes(evening.second)
    said: list[str] = []
    assert audit_files([tmp_path], False, said.append) == 0
    missing = "no transcript here holds the end of that table"
    assert missing in said[-1]
    # A copy that stops earlier accuses nobody.
    size = len(MAGIC)
    while (after := size + 4 + int.from_bytes(evening.first[size : size + 4], "big")) < len(
        evening.first
    ):
        size = after
    (tmp_path / "b.304").write_bytes(evening.first[:size])
    assert audit_files([tmp_path], False, said.append) == 0
    assert missing in said[-1]
    (tmp_path / "b.304").write_bytes(evening.first)
    assert audit_files([tmp_path], False, said.append) == 0
    assert said[-1] == "a.304 correctly continues b.304."


def test_a_table_that_was_played_to_its_end_is_not_continued(evening: Evening) -> None:
    first, second = evening.reports
    both = [Audited(Path("a"), replace(first, left=None)), Audited(Path("b"), second)]
    assert [link.holds for link in links(both)] == [Continues.NO]
    unfinished = replace(first, left=None, complete=False)
    both[0] = Audited(Path("a"), unfinished)
    assert [link.holds for link in links(both)] == [Continues.UNKNOWN]


def test_a_table_that_goes_on_otherwise_is_told(evening: Evening) -> None:
    """Its players all signed it; only the earlier transcript shows that it is another."""
    first, second = evening.reports
    after = evening.terms.after
    assert after is not None
    second = replace(second, terms=replace(evening.terms, after=replace(after, tokens=(12, 10))))
    both = [Audited(Path(name), report) for name, report in (("a", first), ("b", second))]
    (link,) = links(both)
    assert link.holds is Continues.NO and "A05" in str(link.sentence)


def test_every_difference_from_the_end_is_refused(evening: Evening) -> None:
    terms, left = evening.terms, evening.left
    after = terms.after
    assert after is not None
    check_continues(left, terms)
    swapped = (*terms.players[1:], terms.players[0])
    strangers = tuple(replace(p, key=bytes([n]) * 32) for n, p in enumerate(terms.players))
    one_new = tuple(strangers[n] if n != left.empty else p for n, p in enumerate(terms.players))
    lies = [
        replace(terms, name="Saturday"),
        replace(terms, hands=terms.hands + 1),
        replace(terms, watch="now"),
        replace(terms, rules=replace(terms.rules, away="playout")),
        replace(terms, players=swapped),
        replace(terms, players=one_new),
        replace(terms, after=None),
        *(
            replace(terms, after=changed)
            for changed in (
                replace(after, table=bytes(32)),
                replace(after, end=bytes(32)),
                replace(after, dealer=(after.dealer + 1) % 4),
                replace(after, tokens=(12, 10)),
                replace(after, cards=(1, 0)),
                replace(after, games=(0, 1)),
            )
        ),
    ]
    for lie in lies:
        with pytest.raises(Refused, match="A05"):
            check_continues(left, lie)
    other = replace(terms.players[left.empty], key=bytes(32))
    anybody = tuple(other if n == left.empty else p for n, p in enumerate(terms.players))
    check_continues(left, replace(terms, players=anybody))


def test_what_terms_say_of_an_earlier_table_is_read_strictly(evening: Evening) -> None:
    value = evening.terms.to_value()
    assert parse_terms(value) == evening.terms
    after = value["after"]
    assert isinstance(after, dict)
    for name, wrong in (
        ("table", bytes(31)),
        ("end", "x"),
        ("dealer", 4),
        ("dealer", True),
        ("tokens", [11]),
        ("cards", [0, "0"]),
        ("games", [0, 10**7]),
        ("more", 1),
    ):
        with pytest.raises(Refused, match="A01"):
            parse_terms({**value, "after": {**after, name: wrong}})  # type: ignore[dict-item]
    with pytest.raises(Refused, match="A01"):
        drawn = replace(evening.terms.rules, seating="random")
        parse_terms({**value, "rules": drawn.to_data()})


def test_nobody_signs_a_table_that_goes_on_otherwise(evening: Evening) -> None:
    """Who opens it gives its side a token more, from the first list on that the others get."""
    world, _, left = ended()
    (founder,) = [n for n in PRESENT if world.identities[n].public == left.stay[0]]
    node = world.nodes[founder]
    assert node is not None and node.meeting.list is not None
    richer = replace(left.after, tokens=(12, 10))
    node.meeting.guests.previous = replace(left, after=richer)
    node.meeting.guests.current = replace(node.meeting.list, after=richer)
    for number in set(PRESENT) - {founder}:
        world.nodes[number].meeting.guests.current = None  # type: ignore[union-attr]
    world.newcomer(2, left.stay[0])
    world.run(5)
    for number in set(PRESENT) - {founder}:
        told = [e for e in world.told[number] if isinstance(e, gathering_events.TurnedAway)]
        assert len(told) == 1 and "as the earlier table ended" in str(told[0].sentence)
        assert world.nodes[number].table is None  # type: ignore[union-attr]
    assert node.table is None


def test_a_second_stranger_gets_no_seat_of_those_who_stay(evening: Evening) -> None:
    world, _, left = ended()
    late = next(n for n in PRESENT if world.identities[n].public == left.stay[-1])
    (founder,) = [n for n in PRESENT if world.identities[n].public == left.stay[0]]
    node = world.nodes[founder]
    assert node is not None and node.meeting.list is not None
    for stranger, nick in ((b"x" * 32, "Gayan"), (b"y" * 32, "Hiran")):
        node.link_up(stranger, nick, "host", 7, world.now)
        node.receive(
            stranger,
            FrameKind.LOBBY,
            lobby_bytes(Join(nick, left.seat_of(world.identities[late].public))),
            world.now,
        )
    seats = {guest.key: guest.seat for guest in node.meeting.list.guests}
    assert seats[b"x" * 32] == left.empty and b"y" * 32 not in seats


def test_whoever_was_gone_is_told_by_those_who_have_gone_on(evening: Evening) -> None:
    world, _, _ = ended()
    world.start(2)
    world.run(3)
    back = world.nodes[2]
    assert back is not None and back.has_ended and not back.may_continue
    assert [e.absent for e in world.told[2] if isinstance(e, events.Parted)] == ["Chitra"]


def test_a_table_that_went_on_is_come_back_to(evening: Evening) -> None:
    """Stopped while they gather, and in the middle of the hand."""
    world, _, left = ended()
    one, two = (n for n in PRESENT if world.identities[n].public != left.stay[0])
    world.stop(one)
    world.run(1)
    world.newcomer(2, left.stay[0])
    world.run(0.1)
    world.stop(two)
    world.run(120)
    assert world.finished
    (transcript,) = {disk.transcript for disk in world.disks}
    report = audit(transcript)
    assert report.sound and report.complete and report.terms is not None
    assert report.terms.after == left.after
    assert all(len(kept) == 1 for kept in world.signed.values())
