"""A finished node stays a while for who has not seen the end, and keeps what it takes to help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.app import session
from p2p304.app.config import NodeConfig
from p2p304.app.network_phrases import kept_transcript
from p2p304.app.session import Session
from p2p304.crypto.signing import SigningKey
from p2p304.log.chain import Chain
from p2p304.log.transcript import BlocksLost
from p2p304.net.errors import NetError
from p2p304.net.links.handshake import HandshakeRefused
from p2p304.net.links.link import _CLOSED, LEAVING
from p2p304.net.links.mesh import Mesh
from p2p304.rules.core.phrases import english, say, verbatim
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.storage.unfinished import resumable_tables
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.exchange.journal_records import TableJournal, read_journal
from p2p304.table.exchange.sync import sync_bytes
from p2p304.table.machine import log_memory
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.node.node import Node
from p2p304.table.node.notices import MOST
from p2p304.table.state import events
from p2p304.table.transition.replica import Replica
from p2p304.wire.framing import FrameKind
from tests.support.table.crashes import Memo, World
from tests.support.table.folders import data_folder

BRIEF, LONG = 0.3, 20.0
"""Seconds, in place of 5 and 30: so long as a test waits for, and as it would not."""


@pytest.fixture(scope="module")
def over() -> Iterator[World]:
    """A table that is over for all four."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = World()
        world.run()
        assert world.finished
        yield world


@pytest.fixture
def asha(over: World, tmp_path: Path) -> Iterator[DataFolder]:
    with closing(data_folder(over, 0, tmp_path)) as store:
        yield store


def see_the_end(table: TableMachine, theirs: TableMachine, *seen: int) -> None:
    """Give a table its last receipts, and let the players ``seen`` say that they lack nothing."""
    for receipt in theirs.chain.receipts_at(theirs.chain.next_seq - 1):
        peer = table.terms.keys[receipt.author]
        table.receive(peer, FrameKind.RECEIPT, receipt.encode(), 0.0)
    assert table.is_finished and not table.has_everybody_finished
    for player in seen:
        table.receive(table.terms.keys[player], FrameKind.SYNC, sync_bytes(theirs.chain), 0.0)


def stay(
    asha: DataFolder, over: World, leaves: bool, seen: tuple[int, ...], linger: float, hurry: float
) -> tuple[float, list[str]]:
    """How long the node stays, and what it says: ``seen`` have told it that they saw the end."""

    async def end() -> tuple[float, list[str]]:
        said: list[str] = []
        memory = read_journal(asha.games()[0].journal.records())
        running = Session(asha, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        running.reports.show = lambda phrase: said.append(str(phrase))
        table, theirs = running.node.table, over.nodes[1].table  # type: ignore[union-attr]
        assert table is not None and theirs is not None
        see_the_end(table, theirs, *seen)
        running._over.set()
        if leaves:
            running.leave()
        begun = time.monotonic()
        await running.run()
        return time.monotonic() - begun, said

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "LINGER", linger)
        patch.setattr(session, "HURRY", hurry)
        return asyncio.run(end())


@pytest.mark.parametrize(("leaves", "linger"), [(False, 2 * BRIEF), (True, LONG)])
def test_it_stays_for_who_has_not_seen_the_end_and_keeps_its_journal(
    asha: DataFolder, over: World, leaves: bool, linger: float
) -> None:
    waited, said = stay(asha, over, leaves, (1, 3), linger, BRIEF)
    assert (BRIEF if leaves else linger) <= waited < LONG
    assert said == [
        "Waiting a few seconds: another player's program still needs the end of the game."
    ]
    assert asha.games()[0].journal.records()


def test_once_all_have_seen_the_end_it_goes_and_erases_the_secrets(
    asha: DataFolder, over: World
) -> None:
    waited, said = stay(asha, over, False, (1, 2, 3), LONG, LONG)
    assert waited < LONG and said == [] and asha.games() == []


def test_a_transcript_that_is_lost_at_the_very_end_is_told_and_the_journal_stays(
    asha: DataFolder, over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another player asks for a place that is read from the file."""
    theirs = over.nodes[1].table  # type: ignore[union-attr]
    assert theirs is not None
    start = sync_bytes(Chain(theirs.terms.table, theirs.terms.keys))
    resume = Session.run

    async def run(running: Session) -> None:
        table = running.node.table
        assert table is not None
        running.driver.flush()
        table.chain.forget(10)
        asha.games()[0].transcript.write_bytes(b"")
        peer = table.terms.keys[2]
        running._loop.call_later(0.1, running.driver.on_frame, peer, FrameKind.SYNC, start)
        await resume(running)

    monkeypatch.setattr(Session, "run", run)
    begun = time.monotonic()
    with pytest.raises(BlocksLost, match="Resume the table, also if it is over"):
        stay(asha, over, False, (1, 3), LONG, LONG)
    assert time.monotonic() - begun < LONG / 2
    assert asha.games()[0].journal.records()


def test_who_leaves_a_table_that_is_not_over_is_told_how_to_resume_it(asha: DataFolder) -> None:
    (left,) = resumable_tables(asha)
    told = [str(line) for line in kept_transcript(left.game.transcript, asha)]
    assert told[0] == "This table is not over. To resume it: p2p304 resume, or r in the lobby."
    others = [str(line) for line in kept_transcript(Path("0123456789abcdef.304"), asha)]
    assert len(told) == len(others) + 1 and others[0].startswith("Transcript: ")


def test_what_had_happened_before_is_told_once_and_then_left(asha: DataFolder) -> None:
    """A long table's journal and its events take more memory than all that a node needs."""

    async def story() -> tuple[int, int]:
        (left,) = resumable_tables(asha)
        assert left.moves == len(left.memory.past) > 50
        memory = left.memory
        session = Session(asha, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        told = len(session.take_past()), len(session.take_past())
        session.driver.flush()  # the transcript is written
        assert session.node.table is not None
        chain = session.node.table.chain
        chain.forget(10)
        assert chain.first_kept >= 10
        assert [chain.entry(seq).raw for seq in range(10)] == [
            place.entry for place in memory.past[:10]
        ]
        await session.close()
        return told

    first, again = asyncio.run(story())
    assert first > 50 and again == 0


def test_a_journal_that_is_gone_since_it_was_listed_is_told(asha: DataFolder) -> None:
    (left,) = resumable_tables(asha)
    left.game.journal.path.unlink()
    with pytest.raises(DataFolderError, match="is gone"):
        _ = left.memory


def test_a_passphrase_that_is_given_again_is_asked_of_newcomers_and_of_nobody_else(
    asha: DataFolder,
) -> None:
    """A member that waited for its founder's proof would turn away from the list that it holds."""

    async def resumed(memory: TableJournal | None) -> tuple[str | None, str | None]:
        here = NodeConfig("127.0.0.1", passphrase="jak tree")
        session = Session(asha, "Asha", here, lambda event: None, memory=memory)
        meeting = session.node.meeting
        await session.close()
        return meeting.admission.passphrase, meeting.visitor.passphrase

    (left,) = resumable_tables(asha)
    assert asyncio.run(resumed(left.memory)) == ("jak tree", None)
    assert asyncio.run(resumed(None)) == ("jak tree", "jak tree")


@pytest.mark.parametrize("damage", ["none", "missing", "cut", "changed", "longer"])
def test_a_table_is_resumed_with_few_places_in_memory_and_its_whole_transcript(
    asha: DataFolder, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    monkeypatch.setattr(log_memory, "KEPT", 8)
    file = asha.games()[0].transcript

    async def resumed() -> None:
        (left,) = resumable_tables(asha)
        memory = left.memory
        session = Session(asha, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        assert session.node.table is not None
        chain = session.node.table.chain
        assert chain.next_seq - chain.first_kept <= 10 < chain.first_kept
        session.driver.flush()
        assert [chain.entry(seq).raw for seq in range(chain.next_seq)] == [
            place.entry for place in memory.places()
        ]
        await session.close()

    asyncio.run(resumed())  # its folder holds no transcript yet
    whole = file.read_bytes()
    match damage:
        case "missing":
            file.unlink()
        case "cut":
            file.write_bytes(whole[:5000])
        case "changed":
            file.write_bytes(whole[:5000] + b"?" + whole[5001:])
        case "longer":
            file.write_bytes(whole + b"?")
    written = file.stat().st_ino if file.exists() else None
    asyncio.run(resumed())
    assert file.read_bytes() == whole
    assert (file.stat().st_ino == written) == (damage == "none"), "written only where it must be"


def test_an_address_that_is_tried_every_second_is_told_once(tmp_path: Path) -> None:
    """Only other things that are left out are counted."""

    async def story() -> list[str]:
        session = Session(DataFolder(tmp_path), "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        told: list[str] = []
        session.reports.show = lambda phrase: told.append(str(phrase))
        for _ in range(100):
            session.reports.tell_of_network(
                verbatim("Cannot reach 127.0.0.1:1: connection refused.")
            )
        for number in range(MOST):
            session.reports.tell_of_network(verbatim(f"Another trouble, {number}."))
        await session.close()
        return told

    told = asyncio.run(story())
    assert len(told) == MOST + 1 and told[-1].startswith("1 more")


def test_bots_of_ones_own_are_known_to_start_with_the_program(tmp_path: Path) -> None:
    async def story() -> list[bool]:
        session = Session(DataFolder(tmp_path), "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        others = bot_mark(SigningKey.from_seed(bytes(32)), bytes([2]) * 32)
        players = [
            SimpleNamespace(key=bytes([n]) * 32, bot=bot)
            for n, bot in enumerate((None, bot_mark(session.key, bytes([1]) * 32), others))
        ]
        table: Any = SimpleNamespace(terms=SimpleNamespace(players=players))
        starting = session.mesh.is_starting
        before = starting(players[1].key)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(session.node, "table", table)
            told = [before, *(starting(player.key) for player in players)]
            patch.setattr("p2p304.app.session.STARTING", 0.0)  # that time has passed
            told.append(starting(players[1].key))
        await session.close()
        return told

    assert asyncio.run(story()) == [False, False, True, False, False]


def test_the_goodbye_is_said_whatever_becomes_of_mdns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    async def fail() -> None:
        raise OSError("no network")

    async def say_goodbye() -> None:
        done.append("goodbye")

    async def story() -> None:
        session = Session(DataFolder(tmp_path), "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        monkeypatch.setattr(session.discovery, "close", fail)
        monkeypatch.setattr(session.mesh, "close", say_goodbye)
        await session.close()

    with pytest.raises(OSError, match="no network"):
        asyncio.run(story())
    assert done == ["goodbye"]


@pytest.mark.parametrize("opened", [True, False])
def test_a_player_who_opened_the_table_keeps_its_port_until_leaving(
    tmp_path: Path, opened: bool
) -> None:
    """A guest who waits for the table to be opened again sees that the player is still there."""

    async def is_taken(port: int) -> bool:
        try:
            _, out = await asyncio.open_connection("127.0.0.1", port)
        except ConnectionRefusedError:
            return False
        out.close()
        return True

    async def story() -> list[bool]:
        here = NodeConfig("127.0.0.1", port=0)
        session = Session(DataFolder(tmp_path), "Asha", here, lambda event: None, patient=True)
        await session.mesh.start_at([0])
        if opened:
            session.node.meeting.found("Friday", preset("pagat"), 1)
        session._over.set()
        await session.run()
        taken = [await is_taken(session.mesh.port)]
        session.leave()
        await session.held_port.release()
        return [*taken, await is_taken(session.mesh.port)]

    assert asyncio.run(story()) == [opened, False]


def test_a_player_who_leaves_while_the_port_is_taken_gives_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next table of this player listens there."""
    start, ports = Mesh.start, list[int]()

    async def story() -> None:
        here = NodeConfig("127.0.0.1", port=0)
        session = Session(DataFolder(tmp_path), "Asha", here, lambda event: None, patient=True)

        async def slowly(mesh: Mesh) -> None:
            await start(mesh)
            ports.append(mesh.port)
            session.leave()

        await session.mesh.start_at([0])
        monkeypatch.setattr(Mesh, "start", slowly)
        session.node.meeting.found("Friday", preset("pagat"), 1)
        session._over.set()
        await session.run()
        await session.held_port.release()
        again = Mesh(session.key, "Asha", "127.0.0.1", ports[0])
        await start(again)
        await again.close()

    asyncio.run(story())
    assert len(ports) == 1


def test_a_host_is_told_who_wants_to_play_again_while_the_port_is_kept(
    asha: DataFolder, over: World
) -> None:
    """The port lets nobody in, and is free as soon as the player has left. Of the others one may
    lack the end of the table, and one is no player there."""
    told: list[events.Event] = []

    async def evening() -> None:
        memory = read_journal(asha.games()[0].journal.records())
        config = NodeConfig("127.0.0.1")
        running = Session(asha, "Asha", config, told.append, patient=True, memory=memory)
        table, theirs = running.node.table, over.nodes[1].table  # type: ignore[union-attr]
        assert table is not None and theirs is not None
        see_the_end(table, theirs, 1)
        await running.mesh.start()
        port = running.mesh.port
        await running.mesh.close()
        await running.held_port.hold()
        stranger, (_, bandu, chitra, _) = SigningKey.from_seed(bytes(32)), over.identities
        for identity in (bandu, bandu, chitra, stranger):
            guest = Mesh(identity, "Bandu", "127.0.0.1", 0)
            with pytest.raises(NetError) as refused:
                await guest.dial("127.0.0.1", port)
            assert isinstance(refused.value.__cause__, HandshakeRefused)
            await guest.close()
        running.leave()
        await running.held_port.release()
        again = Mesh(over.identities[0], "Asha", "127.0.0.1", port)
        await again.start()
        await again.close()

    asyncio.run(evening())
    assert told == [events.WantsAgain("Bandu")]


def test_a_player_without_whom_the_table_was_ended_is_not_told_as_one_who_wants_to_play_again(
    asha: DataFolder, over: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That player comes for the certificate."""
    told: list[events.Event] = []

    async def evening() -> None:
        memory = read_journal(asha.games()[0].journal.records())
        running = Session(asha, "Asha", NodeConfig("127.0.0.1"), told.append, memory=memory)
        _, bandu, chitra, _ = (identity.public for identity in over.identities)
        here = [key.public for key in over.identities if key.public != chitra]
        monkeypatch.setattr(Node, "has_ended", True)
        monkeypatch.setattr(Replica, "present", here)
        assert not running.held_port.hear(chitra) and told == []
        assert not running.held_port.hear(bandu)
        await running.close()

    asyncio.run(evening())
    assert told == [events.WantsAgain("Bandu")]


@pytest.mark.parametrize("said", [True, False])
def test_a_player_who_leaves_a_finished_table_is_dialled_no_more(
    asha: DataFolder, over: World, said: bool
) -> None:
    """Else the player who opened it, and keeps the port, would take that for a wish to play
    again. A link that breaks is sought again."""

    async def dialled() -> bool:
        memory = read_journal(asha.games()[0].journal.records())
        config = NodeConfig("127.0.0.1")
        running = Session(asha, "Asha", config, lambda event: None, memory=memory)
        table, theirs = running.node.table, over.nodes[1].table  # type: ignore[union-attr]
        assert table is not None and theirs is not None
        see_the_end(table, theirs)
        peer = table.terms.keys[1]
        running.mesh.want(peer, "127.0.0.1", 1)
        reason = LEAVING if said else english("it stopped answering")
        running._lost(peer, _CLOSED.filled(why=reason))
        found = peer in running.mesh.dialled
        await running.close()
        return found

    assert asyncio.run(dialled()) is not said


@pytest.mark.parametrize("may_continue", [True, False])
def test_a_session_goes_on_after_a_hand_that_was_lost_by_a_parting(
    tmp_path: Path, may_continue: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node has ended the table when its events are told, the lost hand's first."""
    monkeypatch.setattr(Node, "has_ended", True)
    monkeypatch.setattr(Node, "may_continue", may_continue)
    gone_on: list[bool] = []

    async def story() -> bool:
        running = Session(DataFolder(tmp_path), "Asha", NodeConfig("127.0.0.1"), lambda event: None)
        monkeypatch.setattr(running, "_go_on", lambda: gone_on.append(True))
        match = Match.start(preset("pagat"))
        lost = Result(False, (3, -3), say("x"), 0)
        running._event(events.HandOver(1, lost, match))
        running._event(events.Parted("Bandu", "replace", match, goes_on=may_continue))
        await asyncio.sleep(0)
        return running._over.is_set()

    assert asyncio.run(story()) is not may_continue
    assert gone_on == [True] * may_continue
