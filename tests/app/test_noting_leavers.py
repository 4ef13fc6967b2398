"""What a running node writes down of a drawn table whose first hand is left, and when it forgets
it: the session between table and data folder."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from p2p304.app.config import NodeConfig
from p2p304.app.session import Session
from p2p304.crypto.signing import SigningKey
from p2p304.rules.variants.absence import LeaverCause
from p2p304.storage.data_folder import DataFolder
from p2p304.table.agreement.bot_mark import bot_mark
from p2p304.table.exchange.journal_records import read_journal
from p2p304.table.state import events
from tests.support.table.crashes import Memo, World
from tests.support.table.folders import data_folder
from tests.table.evidence.test_left_draws import until_opened

LEAVER = 3


@pytest.fixture(scope="module", autouse=True)
def memo() -> Iterator[Memo]:
    with pytest.MonkeyPatch.context() as patch:
        yield Memo(patch)


def at_the_table(
    world: World, folder: Path, what: Callable[[Session], None], linked: tuple[int, ...] = (1, 2)
) -> frozenset[bytes]:
    """Whom Asha's data folder notes after her node has come back, done this, and closed."""

    async def evening(store: DataFolder) -> None:
        memory = read_journal(store.games()[0].journal.records())
        running = Session(store, "Asha", NodeConfig("127.0.0.1"), lambda event: None, memory=memory)
        for number in linked:
            peer = world.identities[number].public
            running.node.link_up(peer, "nobody", "192.0.2.1", 1, running.driver.now)
        what(running)
        await running.close()

    folder.mkdir(exist_ok=True)
    with closing(data_folder(world, 0, folder)) as store:
        asyncio.run(evening(store))
        return frozenset(store.early_leavers())


def first_hand() -> World:
    world = World()
    until_opened(world, 4)
    world.run(0.01)
    return world


def nothing(session: Session) -> None:
    return


def test_giving_up_the_first_hand_writes_down_who_has_left_it(tmp_path: Path) -> None:
    world = first_hand()
    assert at_the_table(world, tmp_path, nothing) == {world.identities[LEAVER].public}


def test_a_node_that_nobody_has_come_back_to_accuses_nobody(tmp_path: Path) -> None:
    assert at_the_table(first_hand(), tmp_path, nothing, linked=()) == frozenset()


def test_a_bot_that_somebody_brought_leaves_the_notes_to_its_owner(tmp_path: Path) -> None:
    """Bots are ended with their owner's node, and are to sit down with it again."""
    owner = SigningKey.from_seed(bytes(32))

    def brought(session: Session) -> None:
        session.node.meeting.guests.bot = bot_mark(owner, session.key.public)

    def alone(session: Session) -> None:
        session.node.meeting.guests.bot = bot_mark(session.key, session.key.public)

    assert at_the_table(first_hand(), tmp_path / "brought", brought) == frozenset()
    assert at_the_table(first_hand(), tmp_path / "alone", alone)


def test_what_is_told_of_a_leaver_names_the_cause(tmp_path: Path) -> None:
    world, told = first_hand(), list[str]()

    def late(session: Session) -> None:
        notes, slow = session._notes, world.identities[1].public
        notes._report = lambda phrase: told.append(str(phrase))
        for cause in LeaverCause:
            notes.note_leavers(events.DrawLeft("Bandu", slow, cause))

    at_the_table(world, tmp_path, late)
    assert [text.split(". ")[0] for text in told if "Bandu" in text] == [
        "Bandu left during the first hand of this table",
        "The connection to Bandu was lost during the first hand of this table",
        "The table still waits for Bandu, who is connected",
        "All others have agreed to continue without Bandu before the first hand was over",
        "Bandu has stopped this table by a fault before the first hand was over",
    ]


def test_the_notes_of_a_table_are_dropped_once_everybody_has_played_a_hand(tmp_path: Path) -> None:
    noted = SigningKey.from_seed(bytes(32)).public

    def hand_over(session: Session) -> None:
        assert session.node.table is not None and session.node.table.state is not None
        session.store.note_leaver(noted, session.node.table.terms.table, LeaverCause.LEFT)
        for told in played:
            session._event(told)

    world = World()
    world.run(600)
    assert world.finished
    played = [event for event in world.told[0] if isinstance(event, events.HandOver)]
    assert at_the_table(world, tmp_path / "played", hand_over) == frozenset()
    assert noted in at_the_table(first_hand(), tmp_path / "void", hand_over)
