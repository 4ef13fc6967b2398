"""A player who withholds its receipt for the entry that ends the table, or is gone by then: the
others part from it, and the last hand stands in their files as it was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.offline.audit import Report, audit
from p2p304.offline.audited import audit_path
from p2p304.offline.contradiction import contradictions
from p2p304.rules.core.errors import NotNow
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.variants.absence import LONG, OVERDUE, REPLACE, WAIT, WAYS
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.fullscreen.input.menu import possible
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.guidance.status import due
from p2p304.ui.narration.absence_phrases import may_part, offer, question, what_follows
from p2p304.ui.narration.model import Model, Stage
from p2p304.ui.narration.reducer import reduce
from p2p304.wire.effects import Effect, Send
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World

WITHHELD = (FrameKind.RECEIPT, FrameKind.PART)
GAME = preset("pagat").override({"away": REPLACE})


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


class Withheld(World):
    """One player shows its receipt for the entry that ends the table to ``shown`` alone, and says
    nothing about parting. If it ``leaves``, it goes as soon as it has that entry."""

    shown: tuple[int, ...] = ()
    leaves = False
    absent = -1
    """Who this is: the player to the right of that entry's author."""

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        if self.absent < 0 and node.table is not None and node.table.replica.is_over:
            self.absent = (node.table.chain.last.entry.author + 1) % 4
        is_over = number == self.absent and table(self, number).replica.is_over
        if is_over and isinstance(effect, Send) and effect.kind in WITHHELD:
            keys = [self.identities[other].public for other in self.shown]
            for key in keys if effect.peer is None else {effect.peer} & {*keys}:
                super().carry_out(number, node, replace(effect, peer=key))
            return
        super().carry_out(number, node, effect)

    def play(self) -> tuple[int, ...]:
        """Play until the last entry is everywhere; return those who stay."""
        while self.absent < 0 or not all(table(self, n).replica.is_over for n in range(4)):
            self.run(0.01)
        if self.leaves:
            self.leave(self.absent)
        self.run(1)
        return tuple(n for n in range(4) if n != self.absent)

    def part(self, *players: int) -> None:
        for number in players:
            node = self.nodes[number]
            assert node is not None
            node.propose_parting(self.now)
            self.drain(number)
            self.run(3)


def table(world: World, number: int) -> TableMachine:
    node = world.nodes[number]
    assert node is not None and node.table is not None
    return node.table


def told(world: World, number: int, kind: type[events.Event]) -> int:
    return sum(isinstance(event, kind) for event in world.told[number])


def games() -> Iterator[tuple[str, Options]]:
    """The presets for four players, with each ``away`` that they may have."""
    for name, options in PRESETS.items():
        for away in WAYS if options.seats == 4 else ():
            try:
                yield f"{name}-{away}", options.override({"away": away})
            except OptionsError:
                continue


GAMES = dict(games())


def outcome(report: Report) -> object:
    assert report.sound and report.complete
    return report.tokens, report.account, [(hand.reason, hand.void) for hand in report.hands]


@pytest.mark.parametrize("game", GAMES)
def test_the_others_get_the_last_hand_as_it_was_played(game: str, tmp_path: Path) -> None:
    world = Withheld(rules=GAMES[game])
    stay = world.play()
    world.run(LONG + 1)
    for number in stay:
        replica = table(world, number).replica
        assert replica.is_over and not replica.is_finished
        with pytest.raises(NotNow):
            world.part(number)
    world.run(OVERDUE)
    if world.rules.away == WAIT:
        with pytest.raises(NotNow, match="wait"):
            world.part(stay[0])
        return
    world.part(*stay)
    (theirs,) = {world.disks[number].transcript for number in stay}
    own = world.disks[world.absent].transcript
    report = audit(theirs)
    assert report.without == report.players[table(world, world.absent).me.player]
    assert outcome(report) == outcome(audit(own))
    paths = [tmp_path / "theirs.304", tmp_path / "own.304"]
    for path, data in zip(paths, (theirs, own), strict=True):
        path.write_bytes(data)
    for order in (paths, paths[::-1]):
        assert not list(contradictions([audit_path(path) for path in order]))
    for number in stay:
        node = world.nodes[number]
        assert node is not None and node.has_ended and not node.may_continue
        assert told(world, number, events.HandOver) == len(report.hands)
        assert told(world, number, events.TableOver) == told(world, number, events.Parted) == 1
        assert not told(world, number, events.Fault)
        with pytest.raises(NotNow):
            node.propose_parting(world.now)


def test_who_is_gone_by_then_can_be_parted_from_after_a_minute_and_learns_the_end() -> None:
    world = Withheld(rules=GAME)
    world.leaves = True
    stay = world.play()
    world.run(LONG)
    for number in stay:
        assert told(world, number, events.MayPart)
    world.part(*stay)
    (theirs,) = {world.disks[number].transcript for number in stay}
    world.absent, absent = 9, world.absent  # and it gives its receipt now
    world.start(absent)
    world.run(3)
    assert table(world, absent).replica.is_ended and world.disks[absent].transcript == theirs
    assert not any(told(world, number, events.Fault) for number in range(4))


def test_a_receipt_that_one_player_has_ends_the_table_for_all() -> None:
    world = Withheld(rules=GAME)
    while world.absent < 0:
        world.run(0.001)
    world.shown = ((world.absent + 1) % 4,)
    stay = world.play()
    world.run(20)
    for number in stay:
        assert table(world, number).is_finished
        with pytest.raises(NotNow):
            world.part(number)
    assert len({world.disks[number].transcript for number in range(4)}) == 1


@pytest.mark.parametrize("ready", [1, 2])
def test_a_receipt_that_comes_late_lets_go_those_who_are_ready(ready: int) -> None:
    world = Withheld(rules=GAME)
    stay = world.play()
    world.run(OVERDUE + 5)
    world.part(*stay[:ready])
    world.shown = stay
    world.run(40)
    assert all(table(world, number).is_finished for number in stay)
    assert not any(told(world, number, events.Parted) for number in stay)
    assert len({world.disks[number].transcript for number in range(4)}) == 1


def test_a_player_who_is_finished_takes_no_certificate(tmp_path: Path) -> None:
    """One player gets the receipt when its own part is given; the others have the certificate."""
    world = Withheld(rules=GAME)
    stay = world.play()
    world.run(OVERDUE + 5)
    late, *others = stay
    world.part(late, others[0])
    for other in others:
        world.links.discard(frozenset({late, other}))
    table(world, late)
    receipt = table(world, world.absent).chain.receipt_of(
        table(world, late).chain.next_seq - 1, table(world, world.absent).me.player
    )
    assert receipt is not None
    node = world.nodes[late]
    assert node is not None
    node.receive(
        world.identities[world.absent].public, FrameKind.RECEIPT, receipt.encode(), world.now
    )
    world.drain(late)
    assert node.is_finished
    world.part(others[1])
    for other in others:
        world.link(late, other)
    world.run(30)
    files = [world.disks[number].transcript for number in (late, others[1])]
    assert node.is_finished and not told(world, late, events.Parted)
    assert told(world, late, events.Closed) == 1
    first, second = map(audit, files)
    assert outcome(first) == outcome(second)


def model(world: World, number: int) -> Model:
    """What this player's screen shows by now."""
    node = world.nodes[number]
    assert node is not None
    shown = Model(me=node.meeting.nick)
    for event in world.told[number]:
        shown = reduce(shown, event, world.now)
    return shown


def text(phrase: Phrase | None) -> str:
    assert phrase is not None
    return str(phrase)


def test_everybody_is_told_to_stay_and_what_a_parting_does_then() -> None:
    world = Withheld(rules=GAME)
    stay = world.play()
    world.run(10)
    one = stay[0]
    node = world.nodes[one]
    assert node is not None
    absent = table(world, one).terms.players[table(world, world.absent).me.player].nick
    before = model(world, one)
    assert before.stage is Stage.OVER and not may_part(before)
    assert "must still confirm the last move" in text(due(before)) and absent in text(due(before))
    world.run(OVERDUE)
    late = model(world, one)
    assert may_part(late) and Command.PART in possible(late, Ui())
    assert text(offer(late)) == f"End the table without {absent}"
    for said in (question(late), what_follows(late)):
        assert "last hand counts as it was played" in text(said)
    world.part(*stay)
    after = model(world, one)
    assert text(after.stopped) == f"All others have agreed: the table ends without {absent}."
    assert after.outcome == before.outcome is not None and not may_part(after)


def test_once_all_have_confirmed_the_table_is_over_on_the_screen_too() -> None:
    world = Withheld(rules=GAME)
    stay = world.play()
    world.run(10)
    assert model(world, stay[0]).waiting is not None
    world.shown = stay
    world.run(30)
    ended = model(world, stay[0])
    assert ended.waiting is None and text(due(ended)).startswith("The table is over. Press Enter")


def test_players_who_start_again_before_and_after_the_parting_have_the_same_file() -> None:
    world = Withheld(rules=GAME)
    world.leaves = True
    first, second, third = stay = world.play()
    world.stop(first)
    world.run(LONG + 10)
    world.part(first, second)
    world.stop(second)
    world.run(LONG + 10)
    world.part(third)
    world.run(10)
    world.stop(third)
    world.run(10)
    for number in stay:
        assert table(world, number).replica.is_ended
        assert told(world, number, events.Parted) <= 1
        assert not told(world, number, events.Fault)
    assert len({world.disks[number].transcript for number in stay}) == 1
    assert all(len(kept) == 1 for kept in world.signed.values())
