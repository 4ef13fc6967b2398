"""The contract in protocol/: the schema is the code's, every transcript ends as its index says."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from p2p304.log.absence_vote import parse_word
from p2p304.log.evidence import judge as judge_contradiction
from p2p304.log.faults import Refused
from p2p304.log.transcript import MAGIC, Unreadable, read_blocks
from p2p304.offline.audit import judge
from p2p304.offline.evidence_report import audit_evidence
from p2p304.table.gathering.exchange.messages import Seated, parse_lobby
from p2p304.table.state.events import Fault
from p2p304.table.transition.replay import Replay
from p2p304.wire.bodies import schema
from p2p304.wire.framing import FrameKind
from scripts.vectors.index import row
from tests.support.cheats.harness import fork
from tests.support.hostile import founder_rows, signing_rows, word_rows
from tests.support.hostile.false_gatherings import FALSE, reader_of
from tests.support.hostile.foreign_words import READERS
from tests.support.hostile.nuisances import without_receipts
from tests.support.hostile.visitor_rows import VisitorState, in_state, outcome
from tests.support.paths import PROTOCOL, TRANSCRIPTS
from tests.support.table import bidding_game

INDEX = json.loads((TRANSCRIPTS / "index.json").read_text())


def test_the_message_schema_is_the_one_that_the_code_reads() -> None:
    stored = json.loads((PROTOCOL / "messages.schema.json").read_text())
    assert stored["definitions"] == json.loads(json.dumps(schema()))


def test_every_transcript_of_the_folder_is_in_the_index() -> None:
    files = {path.name for path in TRANSCRIPTS.glob("*.304")}
    assert files == {vector["file"] for vector in INDEX}


def test_evidence_is_judged_on_the_command_line(tmp_path: Path) -> None:
    folder, said = PROTOCOL / "evidence", list[str]()
    assert audit_evidence([folder / "fork.evidence"], False, said.append) == 0
    assert "PROVEN against" in said[0] and "L11" in said[0]
    assert audit_evidence([folder / "accepted.evidence"], False, said.append) == 1
    assert "proves nothing" in said[1]
    assert audit_evidence([folder / "claim.evidence"], False, said.append) == 0
    assert "PROVEN against" in said[2] and "S03" in said[2]
    assert audit_evidence([tmp_path / "none"], True, said.append) == 2
    broken = tmp_path / "broken.evidence"
    broken.write_bytes((folder / "false.evidence").read_bytes()[:-9])
    assert audit_evidence([broken], True, said.append) == 2


def test_every_evidence_file_ends_as_its_index_says() -> None:
    folder = PROTOCOL / "evidence"
    index = json.loads((folder / "index.json").read_text())
    assert {path.name for path in folder.glob("*.evidence")} == {told["file"] for told in index}
    for told in index:
        data = (folder / told["file"]).read_bytes()
        if told["expect"] == "proven":
            vector = (data, told["expect"], told["check"], told["comment"])
            assert judge(data).finding.check == told["check"] and row(told["file"], vector) == told
        else:
            with pytest.raises(Refused) as refused:
                judge(data)
            assert refused.value.finding.check == told["check"], told


def told_of_block(row: dict[str, Any]) -> str | None:
    return "unreadable" if row.get("unreadable") else row["check"]


def spectator_refuses(context: Path, payload: bytes) -> str | None:
    """The check by which a spectator refuses a block, who has all of the file but the last."""
    replay, before = Replay(b""), list(read_blocks(context.read_bytes()))[:-1]
    for raw in before:
        replay.verify_block(raw)
    try:
        (raw,) = read_blocks(MAGIC + payload)
        replay.verify_block(raw)
    except Unreadable:
        return "unreadable"
    except Refused as refused:
        return refused.finding.check
    return None


def visitor_state(row: dict[str, Any]) -> VisitorState:
    told = row["visitor"]
    answered = None if told["answered"] is None else bytes.fromhex(told["answered"])
    founder = bytes.fromhex(row["founder"])
    here = None if told["list"] is None else parse_lobby(bytes.fromhex(told["list"]))
    assert here is None or isinstance(here, Seated)
    return VisitorState(told["passphrase"], answered, told["proven"], founder, here)


def founder_state(row: dict[str, Any]) -> founder_rows.FounderState:
    told, sender = row["founded"], bytes.fromhex(row["sender"]["key"])
    here = parse_lobby(bytes.fromhex(told["list"]))
    assert isinstance(here, Seated)
    others = {guest.key for guest in here.guests} - {sender}
    return founder_rows.FounderState(
        len(others) - 1,
        told["locked"],
        told["run"],
        told["proven"],
        sender in {guest.key for guest in here.guests},
        told["put_out"],
        row["sender"]["nick"],
    )


def test_every_single_message_is_refused_by_its_check() -> None:
    """A node that has read context.304 gets the message and refuses it, naming nobody."""
    folder = PROTOCOL / "messages"
    index = json.loads((folder / "index.json").read_text())
    assert len(index) > 10
    for vector in index:
        data = (folder / vector["file"]).read_bytes()
        if vector["to"] == "spectator":
            assert spectator_refuses(folder / "context.304", data[1:]) == told_of_block(vector)
            continue
        if vector["to"] == "visitor":
            meeting = in_state(visitor_state(vector))
            sender = bytes.fromhex(vector["sender"]["key"])
            take = partial(meeting.receive, sender, now=0.0)
            assert refused_by(take, data[1:]) == vector["check"], vector
            if "outcome" in vector:
                comes_of_it = outcome(visitor_state(vector), sender, data[1:])
                assert comes_of_it == vector["outcome"], vector["file"]
            continue
        if "founded" in vector:
            state = founder_state(vector)
            take = partial(founder_rows.in_state(state).receive, FALSE.public, now=0.0)
            assert refused_by(take, data[1:]) == vector["check"], vector["file"]
            assert founder_rows.outcome(state, data[1:]) == vector["outcome"], vector["file"]
            assert founder_rows.list_of(state).hex() == vector["founded"]["list"]
            continue
        if "leavers" in vector:
            leavers = tuple(bytes.fromhex(key) for key in vector["leavers"])
            assert signing_rows.outcome(data[1:], leavers) == vector["outcome"], vector["file"]
        if vector["to"] != "player":
            assert refused_by(reader_of(vector["to"]), data[1:]) == vector["check"]
            continue
        if FrameKind(data[0]) in READERS:
            assert refused_by(READERS[FrameKind(data[0])], data[1:]) == vector["check"]
            continue
        net = fork(bidding_game.game())
        table = net.tables[0]
        assert table.chain.entries[-1].raw in (folder / "context.304").read_bytes()
        if vector["without"]:
            without_receipts(net, 2)
        table.events()
        sender = table.terms.keys[2]
        table.receive(sender, FrameKind(data[0]), data[1:], 0.0)
        faults = [event for event in table.events() if isinstance(event, Fault)]
        told = [] if vector["check"] is None else [(vector["check"], None)]
        assert [(f.finding.check, f.nick) for f in faults] == told


def test_every_word_of_parting_is_refused_by_its_check_or_by_none() -> None:
    """A player who has read the context gets the word. Only a word that contradicts what its author
    has signed names anybody."""
    folder = PROTOCOL / "words"
    index = json.loads((folder / "index.json").read_text())
    assert {row["context"] for row in index} == {"context.304", "waits.304", "played-out.304"}
    checks = {"L01", "L02", "L03", "E03", "E04", "E05", "E06", "E07"}
    assert {vector["check"] for vector in index} == {None, *checks}
    for vector in index:
        absence, data = word_rows.reader_of(vector["context"]), folder / vector["file"]
        chain, word = absence.table.chain, parse_word(data.read_bytes())
        assert chain.entries[-1].raw in (folder / vector["context"]).read_bytes()
        check = refused_by(partial(absence.receive, now=0.0), word.encode())
        for evidence in absence.voter.contradictions:
            finding = judge_contradiction(evidence, chain.tables, chain.players)
            assert finding.player == word.author
            check = finding.check
        assert check == vector["check"], vector


def refused_by(read: Callable[[bytes], Any], data: bytes) -> str | None:
    try:
        read(data)
    except Refused as refused:
        assert refused.finding.player is None
        return refused.finding.check
    return None
