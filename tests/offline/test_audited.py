"""Many transcripts over processes and executors: the verdicts of one process, in little memory,
and none twice."""

from __future__ import annotations

import json
import pickle
import shutil
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from p2p304.log.transcript import MAGIC, MAX_BLOCK, Unreadable
from p2p304.offline import audited
from p2p304.offline.archives.executors import transcripts
from p2p304.offline.archives.file_reader import FileReader
from p2p304.offline.archives.results_file import ResultsFile
from p2p304.offline.audit import audit
from p2p304.offline.audited import REPORT, WorkLost, audit_all, audit_path, audit_sent
from p2p304.offline.evidence_report import audit_evidence
from p2p304.offline.report import audit_files
from p2p304.table.transition.replay import Replay
from p2p304.wire.forms import Malformed
from tests.support.paths import PROTOCOL, TRANSCRIPTS

NAMES = ("unfinished.304", "pledge.304", "broken-off.304", "identity.304")


def copied(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for number, name in enumerate(NAMES):
        shutil.copy(TRANSCRIPTS / name, tmp_path / ("deep" if number % 2 else ".") / name)
    (tmp_path / "notes.txt").write_text("not a game")
    return tmp_path


def told(folder: Path, **how: Any) -> tuple[int, list[str]]:
    """What an audit of a folder says, and its status."""
    said: list[str] = []
    return audit_files([folder], False, said.append, **how), said


class FarAway(Executor):
    """Workers on another computer: they get bytes, and have none of our files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        sent = pickle.dumps((fn, args, kwargs))
        assert str(self.folder).encode() not in sent
        work, words, named = pickle.loads(sent)
        done = Future[Any]()
        try:
            done.set_result(pickle.loads(pickle.dumps(work(*words, **named))))
        except WorkLost as error:
            done.set_exception(error)
        return done


def test_a_folder_is_audited_over_processes_as_by_one(tmp_path: Path) -> None:
    paths = transcripts([copied(tmp_path)])
    assert sorted(path.name for path in paths) == sorted(NAMES)
    said: list[str] = []
    outcomes = list(audit_all(paths, jobs=2, show=said.append))
    assert outcomes == [audit_path(path) for path in paths]
    hands = sum(outcome.hands for outcome in outcomes)
    assert said[-1] == "" and said[-2] == f"4 of 4 transcripts audited, {hands} hands, 100 %"


def test_one_process_tells_how_far_it_is_too(tmp_path: Path) -> None:
    said: list[str] = []
    outcomes = list(audit_all(transcripts([copied(tmp_path)]), jobs=1, show=said.append))
    hands = sum(outcome.hands for outcome in outcomes)
    assert said[0].startswith("0 of 4 transcripts audited, 0 hands")
    assert said[-2] == f"4 of 4 transcripts audited, {hands} hands, 100 %" and said[-1] == ""


def test_any_executor_gets_bytes_and_gives_the_same_verdicts(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    shutil.copy(PROTOCOL / "evidence" / "false.evidence", folder / "evidence.304")
    shutil.copy(TRANSCRIPTS / "P09.304", folder)
    alone = told(folder, jobs=1)
    assert any("NOT SOUND" in line for line in alone[1]) and alone[0] == 2
    assert told(folder, executor=FarAway(folder)) == alone
    with ThreadPoolExecutor(2) as threads:
        assert told(folder, executor=threads) == alone
    missing = folder / "none.304"
    (outcome,) = audit_all([missing], FarAway(folder))
    assert outcome.report is None and "does not exist" in str(outcome.why)


def test_workers_that_fail_are_not_held_against_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = TRANSCRIPTS / "pledge.304"
    with pytest.raises(WorkLost, match="another version of p2p304"):
        audit_sent(path.read_bytes(), "")

    def lost(data: bytes, program: str) -> None:
        raise ConnectionResetError("the worker is gone")

    monkeypatch.setattr(audited, "audit_sent", lost)
    with ThreadPoolExecutor(1) as threads, pytest.raises(WorkLost, match="the worker is gone"):
        list(audit_all([path], threads))
    monkeypatch.setattr(audited, "program_digest", lambda: "")
    monkeypatch.setattr(audited, "audit_sent", audit_sent)
    with ThreadPoolExecutor(1) as threads:
        monkeypatch.setattr(audited, "program_digest", iter(("ours", "theirs")).__next__)
        with pytest.raises(WorkLost, match="another version of p2p304"):
            list(audit_all([path], threads))


def test_what_is_verified_leaves_memory() -> None:
    path = TRANSCRIPTS / "gathered.304"
    audit(path.read_bytes())  # fills the caches
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with FileReader(path) as file:
            replay = Replay(file, keeps_log=False)
            for _ in replay:
                assert replay.chain is not None
                assert replay.chain.next_seq - replay.chain.first_kept <= 3
            held = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    # Read whole and kept it takes three times its size.
    assert held < path.stat().st_size


def test_a_length_in_a_file_makes_nobody_read_more_than_a_block() -> None:
    class Endless:
        asked = 0

        def read(self, size: int, /) -> bytes:
            self.asked = max(self.asked, size)
            return MAGIC if size == len(MAGIC) else b"\xff" * min(size, 2**20)

    source = Endless()
    with pytest.raises(Unreadable, match="damaged at byte 8"):
        audit(source)
    assert source.asked <= MAX_BLOCK


def test_an_audit_goes_on_where_it_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, state = copied(tmp_path), tmp_path / "state.json"
    shutil.copy(TRANSCRIPTS / "pledge.304", folder / "copy.304")
    whole, work = told(folder, jobs=1), list[str]()

    def noted(path: Path) -> audited.Audited:
        work.append(path.name)
        if len(work) == 3:
            raise KeyboardInterrupt
        return audit_path(path)

    monkeypatch.setattr(audited, "audit_path", noted)
    with ResultsFile(state) as kept, pytest.raises(KeyboardInterrupt):
        told(folder, jobs=1, kept=kept)
    with ResultsFile(state) as kept:
        assert told(folder, jobs=1, kept=kept) == whole
    # It stopped at the third. A copy (of pledge.304) is the same file, and what cannot be read is
    # tried every time.
    begun = ["broken-off.304", "copy.304", "identity.304"]
    assert work == [*begun, "broken-off.304", "identity.304", "unfinished.304"]
    work.clear()
    with ResultsFile(state) as kept:
        assert told(folder, executor=FarAway(folder), kept=kept) == whole
        said = list[str]()
        assert told(folder, jobs=1, kept=kept, show=said.append) == whole
    assert not any("100 %" in line for line in said[:-2])  # what is known is no work
    assert work == ["broken-off.304"]


def test_tables_that_continue_one_another_are_compared_as_before(tmp_path: Path) -> None:
    folder = PROTOCOL / "continued"
    alone = told(folder, jobs=1)
    assert any("continues" in line for line in alone[1])
    for _ in range(2):
        with ResultsFile(tmp_path / "state.json") as kept:
            assert told(folder, jobs=1, kept=kept) == alone


def test_a_file_that_was_changed_is_audited_again(tmp_path: Path) -> None:
    path, state = tmp_path / "game.304", tmp_path / "state.json"
    data = bytearray((TRANSCRIPTS / "pledge.304").read_bytes())
    path.write_bytes(data)
    with ResultsFile(state) as kept:
        assert next(audit_all([path], kept=kept)).is_kept is False
        assert next(audit_all([path], kept=kept)).is_kept
        data[-1] ^= 1  # of the same size
        path.write_bytes(data)
        changed = next(audit_all([path], kept=kept))
    alone = audit_path(path)
    assert not changed.is_kept
    assert (changed.report, changed.why) == (alone.report, alone.why)


def test_a_damaged_result_is_reached_again(tmp_path: Path) -> None:
    state, path = tmp_path / "state.json", TRANSCRIPTS / "pledge.304"
    with ResultsFile(state) as kept:
        alone = next(audit_all([path], kept=kept))
    good = state.read_text()
    for wrong in ('"entries": "x"', '"seats": 4', '"tokens": [1]'):
        name = wrong.split(":")[0]
        head, line = good.splitlines()
        row = json.loads(line)
        row["result"][name.strip('"')] = json.loads("{" + wrong + "}")[name.strip('"')]
        state.write_text(f"{head}\n{json.dumps(row)}\n")
        with ResultsFile(state) as kept:
            assert next(audit_all([path], kept=kept)) == alone
            assert next(audit_all([path], kept=kept)).is_kept  # the later line counts
    empty: tuple[object, ...] = ("", 0, [], {}, None, False)
    for nothing in empty:
        row["result"] = nothing
        state.write_text(f"{head}\n{json.dumps(row)}\n")
        with ResultsFile(state) as kept:
            assert next(audit_all([path], kept=kept)) == alone
    with pytest.raises(Malformed):
        REPORT.read({})


@pytest.mark.parametrize(
    "name", ["caps-late.304", "ended.304", "short-tokens.304", "P09.304", "played-out.304"]
)
def test_a_kept_report_says_the_same(name: str) -> None:
    path = TRANSCRIPTS / name
    report = audit_path(path).report
    assert report is not None
    kept = replace(report, terms=None, left=None)
    again = REPORT.read(json.loads(json.dumps(REPORT.write(kept))))
    assert again == kept
    proved = [[list(hand.proofs) for hand in each.hands] for each in (again, kept)]
    assert proved[0] == proved[1]  # in this order they are told


def test_the_worst_status_counts_and_an_empty_folder_is_said(tmp_path: Path) -> None:
    lines: list[str] = []
    assert audit_files([copied(tmp_path)], False, lines.append) == 2
    assert sum("SOUND" in line for line in lines) == 3 and "unreadable" in "\n".join(lines)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert audit_files([empty], False, lines.append) == 2
    assert lines[-1] == "No transcripts found."


def test_a_file_of_the_other_kind_is_unreadable_and_the_option_is_named(tmp_path: Path) -> None:
    evidence = PROTOCOL / "evidence" / "false.evidence"
    lines: list[str] = []
    assert audit_files([evidence], False, lines.append) == 2
    assert "this is an evidence file, not a transcript: audit it with --evidence" in lines[-1]
    assert audit_evidence([TRANSCRIPTS / "good.304"], False, lines.append) == 2
    assert "this is a transcript, not an evidence file: audit it without" in lines[-1]
    assert audit_evidence([tmp_path], False, lines.append) == 2
    assert "this is a folder: name the evidence files in it" in lines[-1]
    (tmp_path / "x").write_bytes(b"no")
    assert audit_evidence([tmp_path / "x"], False, lines.append) == 2
    assert "this is not a p2p304 evidence file" in lines[-1]
    (tmp_path / "x").write_bytes(evidence.read_bytes()[:60])
    assert audit_evidence([tmp_path / "x"], False, lines.append) == 1
    assert "proves nothing" in lines[-1]
