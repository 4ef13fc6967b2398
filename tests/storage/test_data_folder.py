"""The data folder: what is written stays, stays private, and trouble is one clear sentence."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p304.crypto.signing import SigningKey
from p2p304.frontends.appearance import read_appearance
from p2p304.log.transcript import MAGIC
from p2p304.storage import files
from p2p304.storage.data_folder import DataFolder, read_file
from p2p304.storage.files import DataFolderError, append, write_once, write_whole
from p2p304.storage.journal import HEAD, Journal, frame
from p2p304.storage.known_players import Acquaintance, Players
from p2p304.storage.unfinished import recall, unfinished_tables
from p2p304.ui.common.settings import Settings
from p2p304.wire.forms import Malformed
from p2p304.wire.names import is_name
from tests.support.unwritable import unwritable

NOON = datetime(2026, 4, 14, 12, tzinfo=UTC)
ASHA, BANDU = (SigningKey.from_seed(bytes([n]) * 32).public for n in (1, 2))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DataFolder]:
    made = DataFolder(tmp_path / "home")
    yield made
    made.close()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def one_sentence(error: pytest.ExceptionInfo[DataFolderError]) -> str:
    text = str(error.value)
    assert "\n" not in text and 20 < len(text) < 400
    return text


# Identity and folder


def test_the_identity_is_made_once_and_kept(store: DataFolder) -> None:
    first = store.identity()
    assert store.identity().public == first.public
    assert DataFolder(store.home).identity().public == first.public
    assert sorted(p.name for p in store.home.iterdir()) == ["games", "identity"]


def test_folder_and_files_are_private(store: DataFolder) -> None:
    store.identity()
    store.nick("Asha")
    store.meet("Bandu", BANDU, NOON)
    game = store.game("ab" * 32)
    game.persist("journal", b"one")
    game.persist("transcript", b"two")
    store.lock()
    assert mode(store.home) == 0o700
    assert mode(store.home / "games") == 0o700
    for path in store.home.rglob("*"):
        assert path.is_dir() or mode(path) == 0o600, path


def test_a_part_of_a_transcript_is_read_and_what_cannot_be_read_is_missing(
    store: DataFolder,
) -> None:
    game = store.game("ab" * 32)
    assert game.read_transcript(0, 5) == b""
    game.persist("transcript", MAGIC + b"one")
    game.persist("transcript", b"two")
    begin = len(MAGIC)
    assert game.read_transcript(begin + 1, 4) == b"netw"
    assert game.read_transcript(begin + 3, 9) == b"two"
    game.transcript.unlink()
    game.transcript.mkdir()
    assert game.read_transcript(0, 5) == b""


def test_the_form_of_the_identity_file(store: DataFolder) -> None:
    (store.home / "identity").write_text(f"p2p304-identity-1 {'07' * 32}\n")
    (store.home / "identity").chmod(0o600)
    assert store.identity().public == SigningKey.from_seed(bytes([7]) * 32).public


@pytest.mark.parametrize(
    "text",
    [
        "",
        "07" * 32,
        f"p2p304-identity-1 {'07' * 32}",
        f"p2p304-identity-1 {'07' * 31}\n",
        f"p2p304-identity-1 {'0G' * 32}\n",
        f"p2p304-identity-1 {'AB' * 32}\n",
        f"p2p304-identity-2 {'07' * 32}\n",
        f"p2p304-identity-1 {'07' * 32}\n\n",
    ],
)
def test_another_file_is_not_taken_for_an_identity(store: DataFolder, text: str) -> None:
    path = store.home / "identity"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(
        DataFolderError, match="does not contain a valid identity: move it"
    ) as error:
        store.identity()
    assert "0707" not in one_sentence(error)


@pytest.mark.parametrize("bits", [0o644, 0o640, 0o604, 0o620])
def test_an_identity_that_others_can_read_is_refused(store: DataFolder, bits: int) -> None:
    store.identity()
    (store.home / "identity").chmod(bits)
    with pytest.raises(DataFolderError, match="chmod 600"):
        store.identity()


def test_an_identity_behind_a_link_is_refused(store: DataFolder, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text(f"p2p304-identity-1 {'07' * 32}\n")
    (store.home / "identity").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(DataFolderError, match="regular file"):
        store.identity()


def test_who_comes_second_takes_the_identity_of_the_first(tmp_path: Path) -> None:
    path = tmp_path / "identity"
    write_once(path, b"first")
    write_once(path, b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


def test_a_fresh_folder_is_closed_an_old_one_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    store = DataFolder(home)
    assert mode(home) == 0o700
    store.identity()
    home.chmod(0o770)
    with pytest.raises(DataFolderError, match="chmod 700"):
        DataFolder(home)


def test_a_folder_that_cannot_be_written_is_read_and_says_what_needs_writing() -> None:
    with unwritable(lambda home: DataFolder(home).identity()) as home:
        own = DataFolder(home)
        assert own.own_key() == own.identity().public and not unfinished_tables(own)
        for write in (own.check_writable, own.lock):
            with pytest.raises(DataFolderError, match=r"cannot be written to \(permission"):
                write()


def test_a_folder_that_cannot_be_made_is_empty_and_says_what_needs_it() -> None:
    with unwritable(lambda home: DataFolder(home).identity()) as home:
        none = DataFolder(home.parent / "missing")
        assert none.own_key() is None and not unfinished_tables(none) and not none.games()
        for write in (none.check_writable, none.lock, none.identity, lambda: none.nick("Asha")):
            with pytest.raises(DataFolderError, match=r"cannot be used \(permission") as error:
                write()
            assert "--home" in one_sentence(error)


def test_a_folder_that_cannot_be_read_is_refused_before_its_content_is_missed() -> None:
    with unwritable(lambda home: DataFolder(home).identity()) as home:
        home.chmod(0)
        with pytest.raises(DataFolderError, match=r"cannot be used \(permission"):
            DataFolder(home)
        assert read_appearance(home).settings == Settings()  # and no traceback


def test_to_list_unfinished_tables_makes_no_identity(store: DataFolder) -> None:
    assert unfinished_tables(store) == [] and not store.has_identity


def test_the_folder_can_be_chosen_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P304_HOME", str(tmp_path / "there"))
    assert DataFolder().home == tmp_path / "there"
    assert DataFolder(tmp_path / "here").home == tmp_path / "here"


def test_a_file_in_place_of_the_folder_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    with pytest.raises(DataFolderError, match="--home") as error:
        DataFolder(tmp_path / "home")
    assert str(tmp_path) in one_sentence(error)


# Lock


def test_two_nodes_never_share_a_folder(store: DataFolder) -> None:
    store.lock()
    script = (
        "import sys; from pathlib import Path; "
        "from p2p304.storage.data_folder import DataFolder, DataFolderError\n"
        "try: DataFolder(Path(sys.argv[1])).lock()\n"
        "except DataFolderError as error: sys.exit(str(error))"
    )
    command = [sys.executable, "-c", script, str(store.home)]
    other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert other.returncode == 1
    assert "Another p2p304 is using the data folder" in other.stderr
    store.close()
    assert subprocess.run(command, check=False).returncode == 0


def test_the_lock_is_free_again_after_close(store: DataFolder) -> None:
    store.lock()
    second = DataFolder(store.home)
    with pytest.raises(DataFolderError, match="Another p2p304"):
        second.lock()
    store.close()
    second.lock()
    second.close()


# Nickname and players


def test_the_nickname_is_remembered(store: DataFolder) -> None:
    assert store.nick("Añuradha") == "Añuradha"
    assert store.nick(None) == "Añuradha"


@pytest.mark.parametrize("bad", ["", "a:b", " ", "a\tb", "x" * 33])
def test_a_bad_nickname_is_refused_and_not_remembered(store: DataFolder, bad: str) -> None:
    with pytest.raises(DataFolderError, match="a name has 1 to 32"):
        store.nick(bad)
    assert store.last_nick is None
    store.nick("Asha")
    with pytest.raises(DataFolderError):
        store.nick(bad)
    assert store.nick(None) == "Asha"


@pytest.mark.parametrize("bad", [b"\n", b"a:b\n", b"\xff\n"])
def test_a_bad_nickname_in_the_folder_stops_no_later_start(store: DataFolder, bad: bytes) -> None:
    (store.home / "nick").write_bytes(bad)
    assert store.last_nick is None and is_name(store.nick(None))


def test_a_known_nickname_with_another_key_is_a_stranger_every_time(store: DataFolder) -> None:
    assert store.meet("Asha", ASHA, NOON) == Acquaintance(known=False, stranger=False)
    assert store.meet("Asha", ASHA, NOON) == Acquaintance(known=True, stranger=False)
    assert store.meet("Asha", BANDU, NOON) == Acquaintance(known=False, stranger=True)
    assert store.meet("Asha", BANDU, NOON) == Acquaintance(known=True, stranger=True)
    assert store.meet("Asha", ASHA, NOON) == Acquaintance(known=True, stranger=False)


def test_a_known_player_who_takes_anothers_nickname_is_a_stranger(store: DataFolder) -> None:
    store.meet("Asha", ASHA, NOON)
    store.meet("Bandu", BANDU, NOON)
    assert store.meet("Asha", BANDU, NOON) == Acquaintance(known=True, stranger=True)
    assert store.meet("Bandu", BANDU, NOON) == Acquaintance(known=True, stranger=False)


@pytest.mark.parametrize("nick", ["ASHA", "a s h a", "Ａsha", " Asha "])
def test_a_nickname_that_reads_alike_is_the_same(store: DataFolder, nick: str) -> None:
    store.meet("Asha", ASHA, NOON)
    assert store.meet(nick, BANDU, NOON).stranger


def test_removing_a_line_gives_the_nickname_to_the_next(store: DataFolder) -> None:
    store.meet("Asha", ASHA, NOON)
    store.meet("Asha", BANDU, NOON)
    path = store.home / "players.jsonl"
    path.write_text(path.read_text().splitlines(keepends=True)[1])
    assert store.meet("Asha", BANDU, NOON) == Acquaintance(known=True, stranger=False)


def test_the_players_file_can_be_read_by_a_person(store: DataFolder) -> None:
    store.meet("Añu", ASHA, NOON)
    store.meet("Añu", ASHA, NOON.replace(hour=13))
    assert (store.home / "players.jsonl").read_text() == (
        f'{{"fingerprint": "{ASHA.hex()[:4]} {ASHA.hex()[4:8]} {ASHA.hex()[8:12]} '
        f'{ASHA.hex()[12:16]}", "nick": "Añu", "first_met": "2026-04-14T12:00:00Z", '
        f'"last_met": "2026-04-14T13:00:00Z", "key": "{ASHA.hex()}"}}\n'
    )


@given(st.lists(st.tuples(st.text(min_size=1, max_size=8), st.binary(min_size=32, max_size=32))))
def test_players_survive_the_file(meetings: list[tuple[str, bytes]]) -> None:
    players = Players()
    for nick, key in meetings:
        players.meet(nick.encode("utf-8", "replace").decode(), key, NOON)
    assert Players.from_bytes(players.to_bytes()) == players


@pytest.mark.parametrize(
    "line",
    [
        b"x",
        b"[]",
        b"[" * 100_000,
        b'{"key": 1}',
        b"\xff",
        b'{"fingerprint": "", "nick": "\\ud800", "first_met": "", "last_met": "", "key": "'
        + b"a" * 64
        + b'"}',
        b'{"key": "00", "nick": "a", "first_met": "", "last_met": "", "fingerprint": ""}',
    ],
)
def test_a_spoilt_players_file_names_its_line(store: DataFolder, line: bytes) -> None:
    store.meet("Asha", ASHA, NOON)
    path = store.home / "players.jsonl"
    path.write_bytes(path.read_bytes() + line + b"\n")
    with pytest.raises(Malformed, match="line 2"):
        Players.from_bytes(path.read_bytes())
    with pytest.raises(DataFolderError, match="line 2") as error:
        store.meet("Bandu", BANDU, NOON)
    one_sentence(error)


# Games


def test_a_game_mends_its_journals_the_first_time(store: DataFolder) -> None:
    game = store.game("ab" * 32)
    game.persist("journal", b"one")
    game.persist("transcript", b"T")
    append(game.journal.path, frame(1, b"half")[:22], sync=False)
    again = DataFolder(store.home).game("ab" * 32)
    again.persist("journal", b"two")
    assert again.journal.records() == [b"one", b"two"]
    assert again.transcript.read_bytes() == b"T"
    assert again.transcript.suffix == ".304"


@pytest.mark.parametrize("bits", [0o644, 0o604, 0o640])
def test_a_journal_that_others_can_read_is_refused(store: DataFolder, bits: int) -> None:
    """As a copy brought back may be: it holds the table's secrets."""
    game = store.game("ab" * 32)
    game.persist("journal", b"one")
    game.journal.path.chmod(bits)
    with pytest.raises(DataFolderError, match="chmod 600") as error:
        recall(DataFolder(store.home).game("ab" * 32))
    one_sentence(error)
    with pytest.raises(DataFolderError, match="chmod 600"):
        DataFolder(store.home).game("ab" * 32).persist("journal", b"two")
    game.journal.path.chmod(0o600)
    DataFolder(store.home).game("ab" * 32).persist("journal", b"two")
    assert game.journal.records() == [b"one", b"two"]


def test_reading_never_writes_and_mending_holds_the_lock(store: DataFolder) -> None:
    """A list beside a running node must not cut what that node is writing."""
    game = store.game("ab" * 32)
    game.persist("journal", b"one")
    store.lock()
    append(game.journal.path, frame(1, b"half")[:22], sync=False)
    before = game.journal.path.read_bytes()
    other = DataFolder(store.home)
    assert [each.journal.records() for each in other.games()] == [[b"one"]]
    with pytest.raises(DataFolderError, match="Another p2p304"):
        other.game("ab" * 32).persist("journal", b"two")
    assert game.journal.path.read_bytes() == before
    store.close()
    other.game("ab" * 32).persist("journal", b"two")
    assert other.game("ab" * 32).journal.records() == [b"one", b"two"]


def test_the_lock_is_taken_once_and_given_back(store: DataFolder) -> None:
    store.lock()
    store.lock()
    with store.locked():
        pass
    with pytest.raises(DataFolderError, match="Another p2p304"):
        DataFolder(store.home).lock()
    store.close()
    other = DataFolder(store.home)
    other.lock()
    other.close()


# Trouble with the disk


def test_a_record_is_synced_before_append_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    real = os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_size)
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    Journal(tmp_path / "j").append(b"hello")
    assert synced[0] == HEAD + 6
    assert len(synced) == 2, "the folder too, when the file is new"


def test_a_full_disk_is_one_clear_sentence(
    store: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.nick("Asha")

    def full(handle: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    for attempt in (
        lambda: store.nick("Bandu"),
        lambda: store.game("ab").persist("journal", b"x"),
        lambda: store.meet("Bandu", BANDU, NOON),
        store.identity,
    ):
        with pytest.raises(DataFolderError, match="no space left on device") as error:
            attempt()
        one_sentence(error)
    monkeypatch.undo()
    assert store.nick(None) == "Asha"
    assert [p.name for p in store.home.iterdir() if p.name.startswith(".")] == []


def test_a_short_write_is_carried_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, data[:3]))
    write_whole(tmp_path / "f", b"0123456789")
    append(tmp_path / "f", b"abcdefg", sync=True)
    assert (tmp_path / "f").read_bytes() == b"0123456789abcdefg"


def test_a_file_that_cannot_be_read_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataFolderError, match="does not exist"):
        read_file(tmp_path / "none")
    with pytest.raises(DataFolderError, match="is not a regular file"):
        read_file(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_an_unwritable_folder_is_one_clear_sentence(store: DataFolder) -> None:
    store.home.chmod(0o500)
    with pytest.raises(DataFolderError, match="--home"):
        store.lock()


# File systems that can less


def no_links(source: str, target: Path) -> None:
    raise PermissionError(errno.EPERM, "Operation not permitted")


@pytest.fixture(params=["FAT refuses", "Termux has none"])
def without_links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "FAT refuses":
        monkeypatch.setattr(os, "link", no_links)
    else:
        monkeypatch.delattr(os, "link")


@pytest.mark.usefixtures("without_links")
def test_without_hard_links_a_file_is_still_made_once(tmp_path: Path) -> None:
    write_once(tmp_path / "identity", b"one")
    write_once(tmp_path / "identity", b"two")
    assert (tmp_path / "identity").read_bytes() == b"one"
    assert {path.name for path in tmp_path.iterdir()} == {"identity", "identity.lock"}
    assert mode(tmp_path / "identity") == mode(tmp_path / "identity.lock") == 0o600


@pytest.mark.usefixtures("without_links")
def test_without_hard_links_two_starts_at_once_make_one_identity(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second comes between the look of the first and its rename, and has to wait."""
    path, rename, others = tmp_path / "identity", os.replace, []

    def second_meanwhile(source: str, target: Path) -> None:
        monkeypatch.setattr(os, "replace", rename)
        other = threading.Thread(target=write_once, args=(path, b"two"))
        other.start()
        other.join(0.1)
        assert other.is_alive() and not path.exists()
        others.append(other)
        rename(source, target)

    monkeypatch.setattr(os, "replace", second_meanwhile)
    write_once(path, b"one")
    others[0].join(10)
    assert path.read_bytes() == b"one"
    assert {found.name for found in tmp_path.iterdir()} == {"identity", "identity.lock"}


@pytest.mark.usefixtures("without_links")
def test_without_hard_links_an_earlier_crash_is_in_nobodys_way(tmp_path: Path) -> None:
    """Its lock went with its process."""
    (tmp_path / "identity.lock").write_bytes(b"")
    write_once(tmp_path / "identity", b"one")
    assert (tmp_path / "identity").read_bytes() == b"one"


def test_a_file_system_without_locks_is_not_called_another_p2p304(
    store: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: object) -> None:
        raise OSError(errno.ENOTSUP, "Operation not supported")

    monkeypatch.setattr("p2p304.storage.data_folder.take_lock", refuse)
    with pytest.raises(DataFolderError) as error:
        store.lock()
    assert "cannot lock files" in one_sentence(error) and "Another" not in str(error.value)


def test_only_regular_files_up_to_a_bound_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    (tmp_path / "large").write_bytes(bytes(11))
    (tmp_path / "just").write_bytes(bytes(10))
    (tmp_path / "link").symlink_to(tmp_path / "just")
    monkeypatch.setattr(files, "LARGEST_FILE", 10)
    for name in ("pipe", "loop", "large", ".", "nul\0"):
        with pytest.raises(DataFolderError):
            read_file(tmp_path / name)
    with pytest.raises(DataFolderError, match="regular"):
        read_file(Path("/dev/zero"))
    assert read_file(tmp_path / "just") == read_file(tmp_path / "link") == bytes(10)


def test_unfinished_tables_are_counted_by_key_and_taken_out_when_finished(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    store.meet("Asha", ASHA)
    for table in (b"a" * 32, b"a" * 32, b"b" * 32):
        store.note_unfinished([ASHA, b"u" * 32], table)
    again = DataFolder(tmp_path / "home")
    assert again.look("Asha", ASHA).unfinished == 2
    assert again.look("Another name", ASHA).unfinished == 2
    assert again.look("Asha", b"u" * 32).unfinished == 0
    again.forget_unfinished(b"b" * 32)
    assert again.look("Asha", ASHA).unfinished == 1
    for number in range(300):
        again.note_unfinished([ASHA], number.to_bytes(32, "big"))
    assert DataFolder(tmp_path / "home").look("Asha", ASHA).unfinished <= 100


@pytest.mark.parametrize("unfinished", ['"x"', "[1]", "{}", "null"])
def test_a_spoilt_count_is_named(tmp_path: Path, unfinished: str) -> None:
    store = DataFolder(tmp_path / "home")
    store.meet("Asha", ASHA)
    path = tmp_path / "home" / "players.jsonl"
    path.write_text(path.read_text().replace("}", f', "unfinished": {unfinished}}}'))
    with pytest.raises(DataFolderError, match="line 1"):
        DataFolder(tmp_path / "home").look("Asha", ASHA)


def test_without_a_login_two_players_have_different_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "...")
    names = [DataFolder(tmp_path / home).nick(None) for home in ("one", "two")]
    assert names[0].startswith("Player ") and names[0] != names[1]
