"""A fault of this program in handling a peer's message is a refusal of that message: nothing of it
stays, the player reads one sentence, and no secret is in the report."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2p304.log.faults import Refused
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import MAX_REPORTS, DataFolder
from p2p304.table.agreement.terms import plain_name
from p2p304.table.exchange.error_boundary import (
    MAX_PLACES,
    REPORT,
    handle_message,
    places,
    report,
    unforeseen,
    where_raised,
)
from p2p304.table.machine.own_turns import OwnTurns
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.spectator_machine import SpectatorMachine
from p2p304.table.state import events
from p2p304.wire.effects import Effect, Outbox, Persist
from p2p304.wire.framing import FrameKind
from tests.support.cheats.harness import fork
from tests.support.cheats.receipts import deliver_all
from tests.support.table import simnet
from tests.support.table.gathering_bus import Bus

SECRET = "a secret in an exception"


def reports(effects: list[Effect]) -> list[str]:
    return [e.data.decode() for e in effects if isinstance(e, Persist) and e.name == REPORT]


def game() -> simnet.Net:
    net = fork(played())
    for table in net.tables:
        table.effects()
        table.events()
    return net


def played() -> simnet.Net:
    net = simnet.make_closed(3)
    net.run(until=lambda: net.tables[0].chain.next_seq > 19)
    deliver_all(net)
    return net


def faulty(*given: Any, **named: Any) -> Any:
    raise KeyError(SECRET)


def next_entry(net: simnet.Net) -> tuple[int, bytes]:
    """Whose turn it is writes an entry that nobody has seen yet."""
    author = net.tables[0].replica.due.player  # type: ignore[union-attr]
    table = net.tables[author]
    table.turns.asked_for = None
    table._advance(net.now)
    for event in table.events():
        if isinstance(event, events.YourTurn):
            table.act(net.choosers[author](event.view), net.now)
    return author, table.chain.entries[-1].raw


def face(table: TableMachine) -> tuple[object, ...]:
    chain = table.chain
    receipts = [sorted(each) for each in chain._receipts]
    return table.state, chain.head, chain.next_seq, receipts, len(table._lookahead), table.stopped


PLACES: list[tuple[str, Callable[[TableMachine], tuple[object, str]]]] = [
    ("judging", lambda table: (table.replica, "judge")),
    ("committing", lambda table: (table.chain, "append")),
    ("showing", lambda table: (table._entries, "_show_own_cards")),
    ("looking for Caps", lambda table: (table._pending_claim, "on_entry")),
    ("receipting", lambda table: (table._receipts, "give")),
    ("receipts that came early", lambda table: (table._receipts, "take_lookahead")),
]


@pytest.mark.parametrize(("name", "place"), PLACES, ids=[name for name, _ in PLACES])
def test_whatever_fails_over_an_entry_it_is_undone_and_the_table_goes_on(
    name: str, place: Callable[[TableMachine], tuple[object, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    net = game()
    author, raw = next_entry(net)
    table = net.tables[(author + 1) % 4]
    before, (owner, method) = face(table), place(table)
    with monkeypatch.context() as patch:
        patch.setattr(type(owner), method, faulty)
        table.receive(net.keys[author], FrameKind.ENTRY, raw, net.now)
    assert face(table) == before
    effects, told = table.effects(), table.events()
    (report,) = reports(effects)
    assert "KeyError while handling ENTRY" in report and SECRET not in report
    assert len(effects) == 1
    assert [e.finding.check for e in told if isinstance(e, events.Fault)] == ["W12"]
    # The same message is taken as soon as it can be.
    table.receive(net.keys[author], FrameKind.ENTRY, raw, net.now)
    assert table.chain.entries[-1].raw == raw


def test_a_receipt_that_fails_is_undone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    net = game()
    author, raw = next_entry(net)
    table, other = net.tables[(author + 1) % 4], net.tables[(author + 2) % 4]
    for each in (table, other):
        each.receive(net.keys[author], FrameKind.ENTRY, raw, net.now)
        each.effects()
    receipt = next(iter(other.chain.receipts_at(other.chain.next_seq - 1))).encode()
    before = face(table)
    with monkeypatch.context() as patch:
        patch.setattr(type(table._receipts), "_on_receipt_added", faulty)
        table.receive(net.keys[other.me.player], FrameKind.RECEIPT, receipt, net.now)
    assert face(table) == before and len(reports(table.effects())) == 1


def test_a_fault_in_the_own_acting_stops_the_node(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not the peer's message that failed: nothing of it may be swallowed."""
    net = game()
    author = net.tables[0].replica.due.player  # type: ignore[union-attr]
    table = net.tables[author]
    monkeypatch.setattr(OwnTurns, "next_body", faulty)
    sync = table.chain.entries[-1].raw
    with pytest.raises(KeyError):
        table.receive(net.keys[(author + 1) % 4], FrameKind.ENTRY, sync, net.now)


@pytest.mark.parametrize("kind", [FrameKind.LOBBY, FrameKind.TALK])
def test_a_gathering_goes_on(kind: FrameKind, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = Bus(4)
    monkeypatch.setattr("p2p304.table.gathering.meeting.parse_lobby", faulty)
    monkeypatch.setattr("p2p304.table.node.table_chat.parse_chat", faulty)
    bus.nodes[0].meeting.found("Friday", preset("pagat"), 1)
    bus.link(1, 0)
    nicks = {bus.nodes[1].key.public: "Bandu"}
    monkeypatch.setattr(type(bus.nodes[0]), "nicks", lambda self: nicks)
    bus.nodes[0].effects()
    bus.nodes[0].receive(bus.nodes[1].key.public, kind, b"x", 0.0)
    told = [e.finding.check for e in bus.nodes[0].events() if isinstance(e, events.Fault)]
    assert told == ["W12"] and len(reports(bus.nodes[0].effects())) == 1


def test_a_spectator_ends_with_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    watcher = SpectatorMachine()
    monkeypatch.setattr("p2p304.table.node.spectator_machine.read_blocks", faulty)
    watcher.receive(b"x" * 32, FrameKind.BLOCK, b"", 0.0)
    assert watcher.fault is not None and "KeyError at" in watcher.fault
    assert SECRET not in watcher.fault


def test_what_a_failed_handler_changed_is_undone() -> None:
    class Part:
        __slots__ = ("items", "number")

        def __init__(self) -> None:
            self.items, self.number = {1: 2}, 1

    part, out = Part(), Outbox[Any]()

    def handler() -> None:
        part.items[3], part.number = 4, 9
        out.emit("half")
        raise RecursionError(SECRET)

    with pytest.raises(Refused, match="W12"):
        handle_message(FrameKind.TALK, b"", out, (part,), handler)
    assert (part.items, part.number, out.events()) == ({1: 2}, 1, [])


def test_a_refusal_is_no_fault_of_the_program() -> None:
    out = Outbox[Any]()

    def handler() -> None:
        raise Refused("W01", "no entry")

    with pytest.raises(Refused, match="W01"):
        handle_message(FrameKind.ENTRY, b"", out, (), handler)
    assert not out.effects()


def test_reports_are_kept_and_do_not_fill_the_disk(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    for number in range(100):
        store.keep_report(b"%d " % number * 1000)
    data = (tmp_path / "home" / "reports.txt").read_bytes()
    assert data.startswith(b"0 0 ") and len(data) <= MAX_REPORTS


def test_a_report_names_places_in_the_program_and_no_folder_of_this_machine() -> None:
    def deep(left: int) -> None:
        if left:
            deep(left - 1)
        plain_name(7)

    with pytest.raises(Refused) as caught:
        deep(2 * MAX_PLACES)
    error = caught.value
    *_, outer, inner = places(error.__traceback__)
    assert re.fullmatch(r"table/agreement/terms\.py:\d+ plain_name", inner)
    assert outer.endswith(" deep")
    lines = report(error, FrameKind.ENTRY, b"abc").decode().splitlines()
    assert lines[0].startswith("Refused while handling ENTRY, 3 bytes, SHA-512/256 ")
    assert len(lines) == 1 + MAX_PLACES and lines[-1] == f"  at {inner}"
    unforeseen_one = unforeseen()
    unforeseen_one.__cause__ = error
    assert where_raised(unforeseen_one) == f"Refused at {inner}"
    assert where_raised(unforeseen()) == "NoneType at an unknown place"


def test_a_report_names_the_innermost_twelve_places() -> None:
    def fails(depth: int) -> None:
        if depth:
            fails(depth - 1)
        raise KeyError

    for depth, count in ((3, 5), (40, 12)):
        try:
            fails(depth)
        except KeyError as error:
            lines = report(error, FrameKind.ENTRY, b"").decode().splitlines()
        assert len(lines) == 1 + count and lines[-1].endswith(" fails")
