"""``timeout``: where a turn has a clock, the player's own program plays when it has run out."""

from __future__ import annotations

from p2p304.offline.audit import audit
from p2p304.rules.variants.presets import preset
from p2p304.table.gathering.exchange.begin_record import TRANSCRIPT
from p2p304.table.state.events import YourTurn
from p2p304.wire.effects import Persist, Send
from tests.support.table import simnet


def asleep(net: simnet.Net) -> None:
    """Nobody answers any question."""

    def collect(number: int) -> None:
        table = net.tables[number]
        for effect in table.effects():
            if isinstance(effect, Send):
                net.send(number, effect)
            elif isinstance(effect, Persist) and effect.name == TRANSCRIPT:
                net.transcripts[number] += effect.data
        net.told[number].extend(table.events())

    setattr(net, "collect", collect)  # noqa: B010 - everybody sleeps


def test_a_table_of_sleepers_plays_on_by_the_clock() -> None:
    rules = preset("pagat").override({"timer": 30, "all_pass": "dealer_forced"})
    net = simnet.make(1, rules=rules)
    asleep(net)
    net.run()
    assert net.finished and net.now > 30 * 36
    report = audit(net.transcripts[0])
    assert report.sound and report.complete
    state = net.tables[0].state
    assert state is not None and state.last_record is not None
    assert state.last_record.hand.bid == rules.bid_min, "who must bid bids the least"


def test_without_a_clock_the_table_waits() -> None:
    net = simnet.make(1)
    asleep(net)
    net.run(seconds=1000)
    asked = [event for told in net.told for event in told if isinstance(event, YourTurn)]
    assert len(asked) == 1 and not net.finished
