"""A player who is connected and does nothing: after a time that the table's rules tell, the others
may part from it as from one who is gone; it is told what it owes."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import cache

import pytest

from p2p304.crypto.rng import Rng
from p2p304.log.absence_vote import READY, PartingPlace, say
from p2p304.offline.audit import audit
from p2p304.rules.variants.absence import LONG, OVERDUE, WAIT, WAYS, patience
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.state import events
from p2p304.ui.common.key_map import Command
from p2p304.ui.fullscreen.input.menu import possible
from p2p304.ui.fullscreen.model.ui_state import Ui
from p2p304.ui.narration.absence_phrases import may_part, parting_offer
from p2p304.ui.narration.model import Model
from p2p304.ui.narration.reducer import reduce
from p2p304.wire.effects import Effect, Send
from p2p304.wire.framing import FrameKind
from tests.support.screen import scenes
from tests.support.table.crashes import Memo, World

STALLER, OTHERS = 1, (0, 2, 3)


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


class Silent(World):
    """From the moment ``since`` on one player's program stays linked, answers pings, and sends no
    entry, receipt or word of parting."""

    since = float("inf")

    def carry_out(self, number: int, node: Node, effect: Effect) -> None:
        silent = number == STALLER and self.now >= self.since and isinstance(effect, Send)
        if not (silent and getattr(effect, "kind", None) in self.withheld):
            super().carry_out(number, node, effect)

    withheld: tuple[FrameKind, ...] = (FrameKind.ENTRY, FrameKind.RECEIPT, FrameKind.PART)


def stalled(
    seconds: float, withheld: tuple[FrameKind, ...] = Silent.withheld, **options: object
) -> Silent:
    world = Silent(rules=preset("pagat").override(options))
    world.run(0.07)
    world.withheld, world.since = withheld, world.now
    world.run(seconds)
    return world


def node(world: World, number: int) -> Node:
    found = world.nodes[number]
    assert found is not None
    return found


def overdue(world: World, number: int) -> list[events.Overdue]:
    return [e for e in world.told[number] if isinstance(e, events.Overdue)]


def part(world: World) -> None:
    for number in OTHERS:
        node(world, number).propose_parting(world.now)
        world.drain(number)
    world.run(10)


@pytest.mark.parametrize("away", [way for way in WAYS if way != WAIT])
def test_who_owes_something_for_too_long_can_be_parted_from(away: str) -> None:
    world = stalled(OVERDUE + 5, away=away)
    part(world)
    for number in OTHERS:
        table = node(world, number).table
        gathers = away == "replace" and table is None
        assert gathers or (table is not None and table.replica.is_parted)
        assert not [e for e in world.told[number] if isinstance(e, events.Fault)]
    if away == "replace":
        (transcript,) = {world.disks[number].transcript for number in OTHERS}
        report = audit(transcript)
        assert report.sound and report.without == "Bandu"


def test_everybody_is_told_once_and_the_staller_too() -> None:
    world = stalled(OVERDUE + 60, away="replace")
    for number in OTHERS:
        (told,) = overdue(world, number)
        assert (told.nick, told.mine, told.may) == ("Bandu", False, True)
        assert told.what in ("entry", "receipt") and told.seconds == OVERDUE
    table = node(world, STALLER).table
    assert table is not None


def test_nobody_can_be_parted_from_earlier_or_where_the_rules_are_to_wait() -> None:
    world = stalled(OVERDUE - 20, away="replace")
    with pytest.raises(LookupError, match="exactly one player"):
        node(world, 0).propose_parting(world.now)
    waits = stalled(OVERDUE + 5, away="wait")
    with pytest.raises(LookupError, match="wait"):
        node(waits, 0).propose_parting(waits.now)
    (told,) = overdue(waits, 0)
    assert not told.may


def test_a_limited_turn_shortens_the_wait() -> None:
    assert patience("off") == OVERDUE and patience(30) == 120
    world = stalled(125, away="replace", timer=30)
    part(world)
    assert node(world, 0).has_ended


def test_receipts_alone_do_not_help_and_neither_do_new_links() -> None:
    """It withholds its entries and gives receipts; every 50 s it drops its links and comes back."""
    world = stalled(1, (FrameKind.ENTRY,), away="replace")
    for _ in range(7):
        for number in OTHERS:
            world.links.discard(frozenset({number, STALLER}))
            node(world, number).link_down(world.identities[STALLER].public, world.now)
        world.run(2)
        for number in OTHERS:
            world.link(number, STALLER)
        world.run(LONG - 10)
    part(world)
    assert node(world, 0).has_ended


def test_somebody_who_is_slow_and_plays_is_not_overdue() -> None:
    world = stalled(OVERDUE - 20, away="replace")
    world.since = float("inf")
    world.run(3)
    assert not overdue(world, 0)
    with pytest.raises(LookupError):
        node(world, 0).propose_parting(world.now)


def propose(world: World, *players: int) -> None:
    """These players agree to part from whoever is overdue, and are answered."""
    for number in players:
        node(world, number).propose_parting(world.now)
        world.drain(number)
    world.run(10)


@cache
def _unanswered(on_turn: int) -> Silent:
    """One player was gone, at this player's turn, and two are ready to part from it. It comes back;
    the third answers neither way, and all know that this third player is overdue."""
    world = Silent(rules=preset("pagat").override({"away": "replace"}))
    world.run(0.07)
    while (table := node(world, 0).table) is None or turn_of(table) != on_turn:
        world.run(0.001)
    world.leave(2)
    world.run(LONG + 5)
    world.since = world.now
    propose(world, 0, 3)
    world.start(2)
    world.run(OVERDUE + 10)
    for number in (0, 2, 3):
        assert [(e.nick, e.what) for e in overdue(world, number)] == [("Bandu", "word")]
    return world


def unanswered(on_turn: int) -> Silent:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rng, "__deepcopy__", _copied, raising=False)
        return copy.deepcopy(_unanswered(on_turn))


def _copied(rng: Rng, memo: dict[int, object]) -> Rng:
    """A stream at the same place; only a test may have one twice."""
    twin = memo[id(rng)] = object.__new__(Rng)
    for name in Rng.__slots__:
        setattr(twin, name, getattr(rng, name))
    return twin


@pytest.mark.parametrize("agrees", [True, False])
@pytest.mark.parametrize("on_turn", range(4))
def test_whoever_owes_an_answer_to_a_wish_is_overdue(on_turn: int, agrees: bool) -> None:
    """Whoever's turn it is. Those who wait for that answer owe nothing, nor does the one who is
    back. If that one has signed an entry for the place of the proposal, or does not agree at once,
    the others give the proposal up, play on, and part from the silent player later."""
    world = unanswered(on_turn)
    table = node(world, 2).table
    assert table is not None
    has_signed = not table.chain.is_settled
    propose(world, *((0, 2, 3) if agrees else (0, 3)))
    if has_signed or not agrees:
        for number in (0, 3):
            table = node(world, number).table
            assert table is not None and table.replica.blocked_from is None
        world.run(OVERDUE + 10)
        propose(world, 0, 2, 3)
    assert has_signed == (on_turn in (0, 2))
    assert [node(world, number).has_ended for number in (0, 2, 3)] == [True] * 3
    (transcript,) = {world.disks[number].transcript for number in (0, 2, 3)}
    report = audit(transcript)
    assert report.sound and report.without == "Bandu"
    assert not [e for told in world.told for e in told if isinstance(e, events.Fault)]


def turn_of(table: TableMachine) -> int | None:
    return None if table.replica.due is None else table.replica.due.player


def test_a_word_of_parting_is_said_again_every_two_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long everything else has been quiet."""
    world = stalled(OVERDUE + 5, away="replace")
    here = node(world, OTHERS[0])
    here.propose_parting(world.now)
    said: list[float] = []
    carry_out = world.carry_out

    def count(number: int, at: Node, effect: Effect) -> None:
        if number == OTHERS[0] and isinstance(effect, Send) and effect.kind is FrameKind.PART:
            said.append(world.now)
        carry_out(number, at, effect)

    monkeypatch.setattr(world, "carry_out", count)
    world.drain(OTHERS[0])
    world.run(11)
    assert len({round(at) for at in said}) >= 5


def say_ready(
    world: World, round_: int, absent: int, head: bytes | None = None, back: int = 0
) -> None:
    """The staller tells everybody that it is ready to part from one who is there."""
    table = node(world, 0).table
    assert table is not None
    key, chain, keys = world.identities[STALLER], table.chain, table.terms.keys
    at = chain.next_seq - back
    link = chain.entries[at - 1].link if head is None else head
    where = PartingPlace(chain.table, at, link, keys.index(world.identities[absent].public))
    raw = say(key, READY, where, keys.index(key.public), round_).encode()
    for number in OTHERS:
        node(world, number).receive(key.public, FrameKind.PART, raw, world.now)
        world.drain(number)


@pytest.mark.parametrize("wishes", ["another head", "one by one", "the place before", "later"])
def test_wishes_of_the_staller_do_not_make_the_others_late(wishes: str) -> None:
    """It owes a receipt. Whoever is ready to part owes nothing until the others have answered, so
    it says *ready* as no honest program would answer it, or again and again."""
    world = stalled(1, away="replace")
    for round_ in range(40):
        if wishes == "one by one":
            say_ready(world, round_, OTHERS[round_ % 3])
        elif wishes == "another head":
            say_ready(world, round_, 0, bytes([round_]) * 32)
        elif wishes == "the place before":
            say_ready(world, round_, 0, back=1)
        else:
            say_ready(world, round_, 0, bytes(32), back=-1)
        world.run(OVERDUE / 30)
    for number in OTHERS:
        assert [e.nick for e in overdue(world, number)] == ["Bandu"]
    part(world)
    assert all(node(world, number).has_ended for number in OTHERS)


class Thinking(World):
    """After the first eight choices nobody chooses; ``thinker`` is then the player on turn."""

    choices = 0
    thinker = -1

    def _choose(self, number: int, node: Node, event: events.YourTurn) -> None:
        self.choices, self.thinker = self.choices + 1, number
        if self.choices <= 8:
            super()._choose(number, node, event)


def test_all_can_go_on_without_a_player_while_one_of_them_is_on_turn() -> None:
    """The player on turn is told, who waits for nobody, and so are those who wait for it."""
    world = Thinking(rules=preset("pagat").override({"away": "replace"}))
    world.run(5)
    absent = next(number for number in range(4) if number != world.thinker)
    others = [number for number in range(4) if number != absent]
    nicks = [node(world, number).meeting.nick for number in range(4)]
    world.vanish(absent)
    world.run(LONG + 5)
    models = {number: reduce(Model(me=nicks[number]), scenes.SEATED, 0.0) for number in others}
    for number in others:
        for event in world.told[number]:
            models[number] = reduce(models[number], event, world.now)
        assert models[number].is_my_turn == (number == world.thinker)
        assert models[number].absentee == nicks[absent] and may_part(models[number])
        assert Command.PART in possible(models[number], Ui())
    for number in sorted(others, key=lambda one: one != world.thinker):
        node(world, number).propose_parting(world.now)
        world.drain(number)
    world.run(10)
    for number in others:
        table = node(world, number).table
        assert table is None or table.replica.is_parted


def test_a_player_who_agrees_on_its_own_turn_is_neither_late_nor_noted() -> None:
    """It may play nothing before the others have answered, who may also wait for the absent one."""
    world = Thinking(rules=preset("pagat").override({"away": "replace"}))
    world.run(5)
    absent = next(number for number in range(4) if number != world.thinker)
    others = [number for number in range(4) if number != absent]
    world.vanish(absent)
    world.run(LONG + 5)
    propose(world, world.thinker)
    for number in others:
        world.told[number].clear()
    world.run(2 * OVERDUE)
    for number in others:
        assert not overdue(world, number)
        told = [e for e in world.told[number] if isinstance(e, events.DrawLeft)]
        assert not told
        nick = node(world, world.thinker).meeting.nick
        waits = [e for e in world.told[number] if isinstance(e, events.Waiting)]
        assert not [e for e in waits if nick in e.nicks]


@pytest.mark.parametrize(
    ("away", "seconds", "gone", "takes"),
    [
        ("replace", LONG - 5, (STALLER,), False),
        ("replace", LONG + 5, (STALLER,), True),
        ("replace", LONG + 5, (STALLER, 3), False),
        (WAIT, LONG + 5, (STALLER,), False),
    ],
)
def test_a_screen_proposes_what_the_node_takes(
    away: str, seconds: float, gone: tuple[int, ...], takes: bool
) -> None:
    """The wait is older than the lost link: what counts is the absence."""
    world = stalled(LONG + 6, away=away)
    for number in gone:
        world.vanish(number)
    lost = world.now
    world.run(seconds)
    waiting = [e for e in world.told[0] if isinstance(e, events.Waiting)][-1]
    assert set(waiting.gone) and waiting.since <= lost - LONG
    model = reduce(reduce(Model(me="Asha"), scenes.SEATED, 0.0), waiting, world.now)
    assert (parting_offer(model, world.now) is not None) == may_part(model) == takes
    if takes:
        node(world, 0).propose_parting(world.now)
    else:
        with pytest.raises(LookupError):
            node(world, 0).propose_parting(world.now)
