"""A table that was ended meanwhile is learnt from another player's transcript, and not believed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from p2p304.log.chain import Block
from p2p304.log.entry import Signed, Unverified, link_of, parse_entry, sign_entry, sign_receipt
from p2p304.log.transcript import MAGIC, encode_block, read_blocks
from p2p304.offline.adopt_ending import learn
from p2p304.rules.variants.absence import LONG
from p2p304.rules.variants.presets import preset
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.storage.unfinished import Unfinished, resumable_tables
from p2p304.table.exchange.journal_records import PlaceRecord
from tests.support.paths import TRANSCRIPTS
from tests.support.table.crashes import Memo, World
from tests.support.table.crashes_left import left_world, played_out
from tests.support.table.folders import data_folder


@pytest.fixture(scope="module")
def ended() -> Iterator[World]:
    """A table that all but Chitra have ended, soon after its draw."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = World(rules=preset("pagat").override({"away": "replace"}))
        world.run(0.03)
        world.leave(2)
        world.run(LONG + 5)
        for number in (0, 1, 3):
            world.nodes[number].propose_parting(world.now)  # type: ignore[union-attr]
            world.drain(number)
            world.run(3)
        yield world


@pytest.fixture
def chitra(ended: World, tmp_path: Path) -> Iterator[DataFolder]:
    with closing(data_folder(ended, 2, tmp_path)) as store:
        yield store


@pytest.fixture
def theirs(ended: World, tmp_path: Path) -> Path:
    path = tmp_path / "theirs.304"
    path.write_bytes(ended.disks[0].transcript)
    return path


def test_the_transcript_is_kept_and_the_secrets_erased(chitra: DataFolder, theirs: Path) -> None:
    (left,) = resumable_tables(chitra)
    said: list[str] = []
    assert learn(chitra, theirs, theirs.read_bytes(), said.append) == 0
    assert "without you" in said[0] and said[-1].startswith("SOUND (ended without Chitra)")
    assert left.game.transcript.read_bytes() == theirs.read_bytes()
    assert resumable_tables(chitra) == [] and not left.game.part("journal").exists()


def test_a_transcript_that_is_not_sound_changes_nothing(chitra: DataFolder, theirs: Path) -> None:
    data = bytearray(theirs.read_bytes())
    data[-5] ^= 1
    theirs.write_bytes(data)
    said: list[str] = []
    assert learn(chitra, theirs, theirs.read_bytes(), said.append) == 1 and "L03" in said[0]
    assert len(resumable_tables(chitra)) == 1


def test_only_the_end_of_an_own_table_is_learnt(chitra: DataFolder, theirs: Path) -> None:
    good = TRANSCRIPTS / "good.304"
    with pytest.raises(DataFolderError, match="has not ended"):
        learn(chitra, good, good.read_bytes(), print)
    learn(chitra, theirs, theirs.read_bytes(), lambda line: None)
    with pytest.raises(DataFolderError, match="none of your"):
        learn(chitra, theirs, theirs.read_bytes(), print)


def test_a_journal_that_says_otherwise_is_not_overwritten(
    ended: World, chitra: DataFolder, theirs: Path
) -> None:
    (left,) = resumable_tables(chitra)
    last = left.memory.past[-1]
    entry = parse_entry(last.entry).entry
    other = sign_entry(
        ended.identities[entry.author],
        entry.table,
        entry.seq,
        entry.prev,
        entry.author,
        "cut",
        {"at": 31},
    )
    records = left.game.journal.records()[:-1]
    left.game.rewrite("journal", [*records, PlaceRecord(other.raw, None, last.before).encode()])
    with pytest.raises(DataFolderError, match="different entries"):
        learn(chitra, theirs, theirs.read_bytes(), print)
    assert len(resumable_tables(chitra)) == 1


def test_an_own_entry_from_before_the_parting_contradicts_nothing(tmp_path: Path) -> None:
    """She had written an entry that nobody saw; the others played the hand out from that place."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = left_world()
        transcript = played_out(world)
    store = data_folder(world, 2, tmp_path)
    (left,) = resumable_tables(store)
    table = left.begin.terms.table
    shared = [b.entry.raw for b in read_blocks(transcript) if b.entry.entry.table == table]
    own = sign_entry(
        world.identities[2], table, len(shared), link_of(shared[-1]), 2, "say", {"word": "pass"}
    )
    for raw in (*shared[len(left.memory.past) :], own.raw):
        left.game.persist("journal", PlaceRecord(raw, None, ()).encode())
    path, said = tmp_path / "theirs.304", list[str]()
    path.write_bytes(transcript)
    assert learn(store, path, path.read_bytes(), said.append) == 0 and "without you" in said[0]
    store.close()


def test_who_followed_a_hand_played_out_for_a_while_learns_its_end(tmp_path: Path) -> None:
    """Her journal goes on under the table's other name, and is compared there too."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = left_world()
        world.run(0.02)
        world.start(2)
        world.run(0.03)
        world.leave(2)
        transcript = played_out(world)
    path, said = tmp_path / "theirs.304", list[str]()
    path.write_bytes(transcript)
    with closing(data_folder(world, 2, tmp_path)) as store:
        (left,) = resumable_tables(store)
        records, last = left.game.journal.records(), left.memory.past[-1]
        own = parse_entry(last.entry).entry
        assert own.table != left.begin.terms.table
        key = world.identities[own.author]
        other = sign_entry(key, own.table, own.seq, own.prev, own.author, "cut", {"at": 31})
        changed = PlaceRecord(other.raw, None, last.before).encode()
        left.game.rewrite("journal", [*records[:-1], changed])
        with pytest.raises(DataFolderError, match="different entries"):
            learn(store, path, path.read_bytes(), said.append)
        left.game.rewrite("journal", records)
        assert learn(store, path, path.read_bytes(), said.append) == 0 and "without you" in said[0]
        assert not resumable_tables(store)


def longer(world: World, left: Unfinished, theirs: Path, places: int) -> bytes:
    """Her journal holds so many places more than what the others show her; the transcript of all
    of them, each receipted by everybody."""
    entries = [block.entry for block in read_blocks(theirs.read_bytes())]
    table, known = left.begin.terms.table, len(left.memory.past)
    for seq in range(len(entries), len(entries) + places):
        entries.append(
            sign_entry(
                world.identities[0],
                table,
                seq,
                link_of(entries[-1].raw),
                0,
                "say",
                {"word": "pass"},
            )
        )
    for entry in entries[known:]:
        left.game.persist("journal", PlaceRecord(entry.raw, None, ()).encode())
    return MAGIC + b"".join(encode_block(receipted(world, entry)) for entry in entries)


def receipted(world: World, entry: Unverified) -> Block:
    link, at = link_of(entry.raw), entry.entry
    receipts = tuple(
        sign_receipt(world.identities[n], at.table, at.seq, link, n, None)
        for n in range(4)
        if n != at.author
    )
    return Block(Signed(at, entry.raw, link), receipts)


def test_an_end_before_places_that_all_have_signed_is_not_learnt(
    ended: World, chitra: DataFolder, theirs: Path
) -> None:
    """The journal shows receipts for all places but its last."""
    (left,) = resumable_tables(chitra)
    longer(ended, left, theirs, 2)
    with pytest.raises(DataFolderError, match="signed both"):
        learn(chitra, theirs, theirs.read_bytes(), print)
    assert len(resumable_tables(chitra)) == 1 and left.game.part("journal").exists()


@pytest.mark.parametrize("whole", [True, False], ids=["settled", "cut"])
def test_the_own_transcript_may_show_that_the_last_place_is_settled_too(
    ended: World, chitra: DataFolder, theirs: Path, whole: bool
) -> None:
    """One place more may be an entry that nobody saw; with everybody's receipts it is not. A
    transcript that breaks off shows nothing."""
    (left,) = resumable_tables(chitra)
    own = longer(ended, left, theirs, 1)
    left.game.persist("transcript", own if whole else own[:-40])
    if whole:
        with pytest.raises(DataFolderError, match="signed both"):
            learn(chitra, theirs, theirs.read_bytes(), print)
    else:
        assert learn(chitra, theirs, theirs.read_bytes(), lambda line: None) == 0
