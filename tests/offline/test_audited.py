"""Many transcripts over several processes: the verdicts of one process, and how far it is."""

from __future__ import annotations

import shutil
from pathlib import Path

from p2p304.offline.audited import audit_all, audit_path, transcripts
from p2p304.offline.report import audit_evidence, audit_files
from tests.support.paths import PROTOCOL, TRANSCRIPTS

NAMES = ("unfinished.304", "pledge.304", "broken-off.304", "identity.304")


def copied(tmp_path: Path) -> Path:
    (tmp_path / "deep").mkdir()
    for number, name in enumerate(NAMES):
        shutil.copy(TRANSCRIPTS / name, tmp_path / ("deep" if number % 2 else ".") / name)
    (tmp_path / "notes.txt").write_text("not a game")
    return tmp_path


def test_a_folder_is_audited_over_processes_as_by_one(tmp_path: Path) -> None:
    paths = transcripts([copied(tmp_path)])
    assert sorted(path.name for path in paths) == sorted(NAMES)
    said: list[str] = []
    outcomes = list(audit_all(paths, said.append, workers=2))
    assert [outcome.path for outcome in outcomes] == paths
    for outcome in outcomes:
        alone = audit_path(outcome.path)
        assert (outcome.report is None, outcome.why) == (alone.report is None, alone.why)
        if outcome.report is not None and alone.report is not None:
            assert outcome.report.fault == alone.report.fault
            assert outcome.report.entries == alone.report.entries
    assert [line.split(" transcripts")[0] for line in said] == [f"{n} of 4" for n in range(1, 5)]


def test_one_process_tells_how_far_it_is_too(tmp_path: Path) -> None:
    said: list[str] = []
    paths = transcripts([copied(tmp_path)])
    outcomes = list(audit_all(paths, said.append, workers=1))
    assert len(outcomes) == len(said) == 4
    assert said[-1] == f"4 of 4 transcripts audited, {sum(o.hands for o in outcomes)} hands"


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
