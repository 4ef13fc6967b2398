"""`p2p304 score`: files, pipes, lines and exit statuses, by the real program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CARDS = [rank + suit for suit in "SHDC" for rank in "J9ATKQ87"]
RECORD = {
    "dealer": "S",
    "hands": {seat: CARDS[n * 8 : n * 8 + 8] for n, seat in enumerate("SENW")},
    "actions": ["E pass"],
}


def run(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "p2p304", "score", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, timeout=60, check=False)


def test_one_record_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps(RECORD, indent=1))
    done = run(str(file))
    assert done.returncode == 0 and json.loads(done.stdout)["to_act"] == ["N"]


def test_lines_go_on_after_a_bad_one() -> None:
    good = json.dumps(RECORD).encode()
    done = run("--jsonl", "-", stdin=good + b"\n{\n\xff\xfe\n" + good)
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert [r["status"] for r in results] == ["in_progress", "illegal", "illegal", "in_progress"]
    assert done.returncode == 1 and not done.stderr


def test_every_line_has_its_result_also_an_empty_one_and_one_that_is_no_utf8() -> None:
    good, bad = json.dumps(RECORD).encode(), json.dumps(RECORD).encode().replace(b"pass", b"\xff")
    done = run("--jsonl", "-", stdin=good + b"\n\n" + bad + b"\n" + good + b"\r\n")
    errors = [json.loads(line)["error"] for line in done.stdout.splitlines()]
    assert [error and error["rule"] for error in errors] == [None, *["record.json"] * 2, None]
    assert errors[1]["message"] == "There is no record here, only an empty line."
    assert errors[2]["message"] == "This is not UTF-8: save it in that encoding."


def test_bytes_that_are_no_utf8_count_as_characters_and_come_before_fields() -> None:
    good = json.dumps(RECORD).encode()
    twice = good.removesuffix(b"}") + b', "dealer": "S"}'
    lines = (b"\xff" * 65_537, b"\xff" * 65_536, twice, twice + b"\xff")
    done = run("--jsonl", "-", stdin=b"\n".join(lines))
    rules = [json.loads(line)["error"]["rule"] for line in done.stdout.splitlines()]
    assert rules == ["record.size", "record.json", "record.fields", "record.json"]


def test_lines_that_are_read_as_one_record_are_told_of_the_option(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    for text, is_told in ((f"{json.dumps(RECORD)}\n" * 2, True), ("{\n}x\n", False)):
        file.write_text(text)
        done = run(str(file))
        assert ("add --jsonl" in json.loads(done.stdout)["error"]["message"]) == is_told
        assert done.returncode == 1


def test_what_cannot_be_opened_is_said_in_a_sentence(tmp_path: Path) -> None:
    done = run(str(tmp_path / "none.json"))
    assert done.returncode == 2 and not done.stdout
    assert done.stderr.count(b"\n") == 1 and b"Traceback" not in done.stderr


def test_every_action_is_explained_before_the_result(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps({**RECORD, "actions": ["E pass", "N 165"]}))
    done = run("--explain", str(file))
    first, second, *result = done.stdout.decode().splitlines()
    assert first.split() == ["1", "E", "pass", "East", "passes.", "[bid.circuit]"]
    assert second.endswith("[bid.step]") and done.returncode == 1
    assert json.loads("\n".join(result))["error"]["rule"] == "bid.step"
    file.write_text("no record")
    assert json.loads(run("--explain", str(file)).stdout)["error"]["rule"] == "record.json"


def test_with_json_the_explanations_are_in_the_result(tmp_path: Path) -> None:
    file = tmp_path / "hand.json"
    file.write_text(json.dumps({**RECORD, "actions": ["E pass", "N 165"]}))
    plain = json.loads(run("--json", str(file)).stdout)
    done = json.loads(run("--json", "--explain", str(file)).stdout)
    assert [line.split()[-1] for line in done.pop("explained")] == ["[bid.circuit]", "[bid.step]"]
    assert done == plain
    file.write_text("no record")
    assert json.loads(run("--json", "--explain", str(file)).stdout)["explained"] == []
