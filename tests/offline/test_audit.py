"""The audit: sound games are sound, and any change of any byte is refused."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p304.log.entry import parse_entry
from p2p304.log.transcript import MAGIC, RawBlock, Unreadable, read_blocks
from p2p304.offline.audit import PROOF_FIELDS, audit
from p2p304.offline.report import WORDS, audit_files, replay
from p2p304.rules.core.phrases import say
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.presets import preset
from p2p304.ui.narration.accounts import card_points
from p2p304.ui.narration.model import Ended
from p2p304.wire.bodies import BY_KIND
from p2p304.wire.canonical import Value, encode
from tests.support.paths import TRANSCRIPTS
from tests.support.table import simnet


@cache
def transcript() -> bytes:
    net = simnet.make(1)
    net.run()
    return net.transcripts[0]


def verdict(data: bytes) -> str:
    try:
        report = audit(data)
    except Unreadable:
        return "unreadable"
    return "sound" if report.sound else "not sound"


def blocks(data: bytes) -> list[bytes]:
    parts, at = [], len(MAGIC)
    while at < len(data):
        size = 4 + int.from_bytes(data[at : at + 4], "big")
        parts.append(data[at : at + size])
        at += size
    return parts


def test_a_whole_game_is_sound_and_says_who_proved_what() -> None:
    report = audit(transcript())
    assert report.sound and report.complete and len(report.players) == 4
    kinds = {kind for _, kind in report.hands[0].proofs}
    assert {"shuffle", "unlock", "relock", "play"} <= kinds
    assert report.receipts == 3 * report.entries


def test_every_kind_of_proof_has_a_word() -> None:
    proving = {
        body.KIND
        for body in BY_KIND.values()
        if {one.name for one in fields(body)} & {*PROOF_FIELDS}
    }
    assert "down" in proving and proving <= set(WORDS)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_changed_byte_is_refused(data: st.DataObject) -> None:
    whole = bytearray(transcript())
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    assert verdict(bytes(whole)) != "sound"


def test_a_beginning_is_sound_but_unfinished() -> None:
    parts = blocks(transcript())
    report = audit(MAGIC + b"".join(parts[:20]))
    assert report.sound and not report.complete


@pytest.mark.parametrize("cut", [1, 4, 30])
def test_a_broken_off_file_is_unreadable(cut: int) -> None:
    assert verdict(transcript()[:-cut]) == "unreadable"


def test_entries_left_out_exchanged_or_doubled_are_refused() -> None:
    parts = blocks(transcript())
    without = [*parts[:10], *parts[11:]]
    exchanged = [*parts[:10], parts[11], parts[10], *parts[12:]]
    doubled = [*parts[:11], *parts[10:]]
    for changed in (without, exchanged, doubled):
        assert verdict(MAGIC + b"".join(changed)) == "not sound"


def reblocked(block: RawBlock, keep: int) -> bytes:
    receipts: list[Value] = [
        {"author": r.author, "claim": r.claim, "sig": r.sig} for r in block.receipts
    ]
    body = encode({"entry": block.entry.raw, "receipts": receipts[:keep]})
    return len(body).to_bytes(4, "big") + body


def test_a_missing_receipt_is_refused() -> None:
    parts = blocks(transcript())
    raw = list(read_blocks(transcript()))
    data = MAGIC + b"".join([*parts[:9], reblocked(raw[9], 2), *parts[10:]])
    report = audit(data)
    assert report.fault is not None and report.fault.check == "L06" and report.at == 9


def test_another_table_cannot_lend_its_entries() -> None:
    net = simnet.make(99)
    net.run()
    parts, strange = blocks(transcript()), blocks(net.transcripts[0])
    report = audit(MAGIC + b"".join([*parts[:12], strange[12]]))
    assert report.fault is not None and report.fault.check == "L01"


def test_no_secret_word_stands_in_an_entry() -> None:
    first = parse_entry(next(iter(read_blocks(transcript()))).entry.raw)
    assert set(first.entry.body) == {"terms", "assents"}


def test_exit_statuses_and_verdict_lines(tmp_path: Path) -> None:
    good, bad, ugly = tmp_path / "good.304", tmp_path / "bad.304", tmp_path / "ugly.304"
    whole = bytearray(transcript())
    good.write_bytes(whole)
    whole[len(whole) // 2] ^= 1
    bad.write_bytes(whole)
    ugly.write_bytes(b"what")
    said: list[str] = []
    assert audit_files([good], False, said.append) == 0
    assert said[-1].startswith("SOUND (complete)")
    assert audit_files([good, bad], False, said.append) in (1, 2)
    assert audit_files([ugly], False, said.append) == 2
    assert audit_files([tmp_path / "none.304"], True, said.append) == 2


def test_replay_tells_the_game_and_one_hand_of_it() -> None:
    net = simnet.make(7, hands=2)
    net.run()
    whole: list[str] = []
    assert replay(net.transcripts[0], None, whole.append) == 0
    second: list[str] = []
    assert replay(net.transcripts[0], 2, second.append) == 0
    assert any(line.startswith("Hand 2:") for line in second)
    assert not any(line.startswith("Hand 1:") for line in second)
    assert set(second) <= set(whole)
    assert replay(net.transcripts[0], 9, second.append) == 2


def test_how_a_table_was_ended_is_told_by_audit_and_replay() -> None:
    said: list[str] = []
    assert audit_files([TRANSCRIPTS / "ended.304"], False, said.append) == 0
    assert said[-3:-1] == [
        "All other players ended the table without Chitra, who was absent.",
        "Tokens: N-S 11, E-W 11.",
    ]
    assert said[-1].startswith("SOUND (ended without Chitra)") and " 3 parts, " in said[-1]
    told: list[str] = []
    assert replay((TRANSCRIPTS / "ended.304").read_bytes(), None, told.append) == 0
    assert not any("Hand 1 is over" in line for line in told)
    assert told[-1] == (
        "All others have agreed: the table ends without Chitra. Nobody has won the match."
    )


def test_a_file_that_stops_before_the_first_hand_says_so(tmp_path: Path) -> None:
    parts = blocks(transcript())
    seated = next(n for n in range(1, 20) if audit(MAGIC + b"".join(parts[:n])).hands)
    file, said = tmp_path / "seated.304", list[str]()
    file.write_bytes(MAGIC + b"".join(parts[:seated]))
    assert audit_files([file], False, said.append) == 0
    assert said[1] == "Hand 1 has not begun."
    said.clear()
    file.write_bytes(MAGIC + b"".join(parts[: seated + 1]))
    audit_files([file], False, said.append)
    assert said[1] == "Hand 1: 1 entries. Not finished."


def test_what_the_absent_side_has_lost_is_told_as_data() -> None:
    said: list[str] = []
    assert audit_files([TRANSCRIPTS / "lost.304"], True, said.append) == 0
    data = json.loads(said[0])
    assert data["without"] == "Chitra" and data["parts"] == 3 and data["complete"]
    assert sorted(data["tokens"].values()) == [9, 13] and "won by" in data["hands"][0]["reason"]


def test_an_audit_names_players_in_seat_order_with_their_seats_and_sides() -> None:
    """A figure names a side or a seat, so a reader must know who sits there."""
    heads = {}
    for name in ("good", "six-24", "exchange", "called-partner"):
        said: list[str] = []
        audit_files([TRANSCRIPTS / f"{name}.304"], False, said.append)
        heads[name] = said[0].partition("players ")[2]
        proved = [line.split()[0] for line in said if " proved: " in line]
        assert proved == [who.split()[0] for who in heads[name].partition(";")[0].split(", ")]
    assert heads["good"] == (
        "Dilan (South), Asha (East), Bandu (North), Chitra (West); "
        "N-S: Dilan, Bandu; E-W: Asha, Chitra"
    )
    assert heads["six-24"].endswith("; 1-3-5: Dilan, Chitra, Fathima; 2-4-6: Bandu, Asha, Eshan")
    assert heads["exchange"] == "Asha (seat 1), Chitra (seat 2), Bandu (seat 3)"
    assert ";" not in heads["called-partner"]  # the sides are others in every hand


def test_card_points_account_for_the_cards_laid_aside() -> None:
    options, reason = preset("online-3"), say("x")
    match = Match.start(options)

    def told(*points: int) -> list[str]:
        ended = Ended(1, None, Result(False, (0, 0, 0), reason, 0, points), match, before=match)
        return [str(phrase) for phrase in card_points(ended, None)]

    assert told(111, 108, 35)[1:] == ["The two cards laid aside count 50, against the trump maker."]
    assert len(told(111, 108, 85)) == 1
