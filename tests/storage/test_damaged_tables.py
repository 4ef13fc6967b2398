"""A damaged journal is told, is left as it is, and concerns no other table."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator

import pytest

from p2p304.app.doctor import about_files
from p2p304.app.joining import find_resumable, find_unfinished
from p2p304.cli.start import in_own_language
from p2p304.storage.data_folder import DataFolder
from p2p304.storage.files import DataFolderError
from p2p304.storage.journal import frame
from p2p304.storage.unfinished import (
    Unfinished,
    Unreadable,
    erase_idle_secrets,
    forget,
    never_begun,
    resumable_tables,
    unfinished_tables,
)
from tests.support.programs import run_here
from tests.support.table.crashes import Memo, World
from tests.support.table.folders import data_folder

OLD = "0123456789abcdef"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DataFolder]:
    """A table in play, in one player's folder."""
    with pytest.MonkeyPatch.context() as patch:
        Memo(patch)
        world = World()
        world.run(0.1)
        store = data_folder(world, 1, tmp_path_factory.mktemp("folder"))
    yield store
    store.close()


@pytest.fixture(params=["rotten", "foreign", "open to others"])
def store(played: DataFolder, request: pytest.FixtureRequest) -> Iterator[DataFolder]:
    """The same beside an old table whose journal cannot be used."""
    path = played.home / "games" / f"{OLD}.journal"
    data = frame(0, b"a record of nothing")
    path.write_bytes(data[:-3] + b"rot" if request.param == "rotten" else data)
    path.chmod(0o644 if request.param == "open to others" else 0o600)
    os.utime(path, (1, 1))
    yield DataFolder(played.home)
    path.unlink(missing_ok=True)


def test_other_tables_can_be_gone_on_with(store: DataFolder) -> None:
    (good,) = resumable_tables(store)
    bad = [one for one in unfinished_tables(store) if isinstance(one, Unreadable)]
    assert [one.table for one in bad] == [OLD]
    assert find_resumable(store, None) == good == find_resumable(store, good.table)
    with pytest.raises(DataFolderError, match=f"{OLD}|can read"):
        find_resumable(store, OLD)


def test_where_the_last_table_is_damaged_no_older_one_is_taken_for_it(store: DataFolder) -> None:
    os.utime(store.home / "games" / f"{OLD}.journal")
    with pytest.raises(DataFolderError):
        find_resumable(store, None)
    (good,) = resumable_tables(store)
    assert find_resumable(store, good.table[:5]) == good


def test_a_new_table_begins_beside_it_and_nothing_of_it_is_touched(store: DataFolder) -> None:
    path = store.home / "games" / f"{OLD}.journal"
    before = path.read_bytes()
    game = store.game("ab" * 32)
    game.persist("journal", b"begun")
    forget(never_begun(store, game))
    assert path.read_bytes() == before and game.journal.records() == [b"begun"]
    game.drop("journal")


def test_it_is_listed_beside_the_others_and_can_be_given_up(store: DataFolder) -> None:
    status, listed, _ = run_here("resume", "--list", "--home", str(store.home))
    assert status == 0 and len(listed.splitlines()) == 2
    assert " with " in listed and OLD in listed
    _, data, _ = run_here("resume", "--list", "--json", "--home", str(store.home))
    items = json.loads(data)
    assert sorted("why" in item for item in items) == [False, True]
    assert {item["table"] for item in items if "why" in item} == {OLD}
    words = ["resume", "--forget", "--table", OLD, "--home", str(store.home)]
    assert run_here(*words) == (0, f"Forgotten: {OLD}.\n", "")
    assert [type(one) for one in unfinished_tables(store)] == [Unfinished]
    with pytest.raises(DataFolderError, match="no unfinished table"):
        find_unfinished(store, OLD)


@pytest.mark.parametrize("language", ["si", "ta"])
def test_what_is_wrong_with_it_is_told_in_the_language(
    store: DataFolder, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P304_LANGUAGE", language)
    with pytest.raises(DataFolderError) as error:
        find_resumable(store, OLD)
    _, listed, _ = run_here("resume", "--list", "--home", str(store.home))
    (line,) = (line for line in listed.splitlines() if line.startswith(OLD))
    for told in (line, in_own_language(error.value) or ""):
        assert OLD in told and str(error.value) not in told
        assert not re.search(r"damaged|not changed|readable|Other users|journal \(", told)


def test_the_doctor_names_it_and_goes_on(store: DataFolder) -> None:
    found = about_files(store)
    assert len([item for item in found if item.remedy]) == 1
    assert [item for item in found if "Unfinished table" in str(item.sentence)]


def test_secrets_that_a_stop_left_behind_are_erased(store: DataFolder) -> None:
    """Of a table stopped by evidence, and of one never signed; not of those in play."""
    names = {name: store.game(name * 8) for name in ("aa", "bb", "cc", "dd")}
    for game in names.values():
        game.persist("secrets", b"secret")
    for name in ("aa", "bb"):
        names[name].persist("journal", b"one")
    names["bb"].persist("evidence", b"proof")
    erase_idle_secrets(store, names["dd"])
    assert [name for name, game in names.items() if game.secrets()] == ["aa", "dd"]
