"""History, figures, audits and the comparison of rules in every language."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.frontends.demo import _conclude
from p2p304.offline.evidence_report import audit_evidence
from p2p304.offline.history import history_report
from p2p304.offline.history.history_report import history, stats
from p2p304.offline.history.summaries import GameSummary, HandNote, summary
from p2p304.offline.phrase_data import PHRASE
from p2p304.offline.report import audit_files, replay
from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.phrases import Place, Seats, Who, say
from p2p304.rules.variants.page import diff
from p2p304.rules.variants.presets import PRESETS
from p2p304.storage.data_folder import DataFolder
from p2p304.ui.common.theme import Look
from p2p304.ui.common.translation import translation
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.wire.forms import Malformed
from tests.support.paths import PROTOCOL, TRANSCRIPTS

SCRIPTS = {"si": ("\u0d80", "\u0dff"), "ta": ("\u0b80", "\u0bff")}
GOOD, EVIDENCE = TRANSCRIPTS / "good.304", PROTOCOL / "evidence"
KEPT = {"p2p304", "play", "Caps", "L10", "L11"}
"""Words that stay as they are: names of commands and checks."""


def foreign(text: str, names: set[str]) -> list[str]:
    """English words in a line that are no names, cards, hexadecimal digits or file names."""
    plain = re.sub(r"\S+\.\w+|\b[0-9a-f]{8,}\b|\(\S*\)", "", text)
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", plain)
    return [word for word in words if len(word) > 2 and word not in names and word not in KEPT]


@pytest.mark.parametrize("language", SCRIPTS)
def test_an_audit_is_told_in_every_language(language: str) -> None:
    lines: list[str] = []
    assert audit_files([GOOD], False, lines.append, translate=translation(language)) == 0
    names = {"Asha", "Bandu", "Chitra", "Dilan"}
    plain: list[str] = []
    audit_files([GOOD], False, plain.append)
    assert len(lines) == len(plain) and plain[-1].startswith("SOUND (complete)")
    code = re.findall(r"code (\S+),", plain[0])[0]
    for line in lines:
        assert foreign(line, names | {code}) == [], line
    first, last = SCRIPTS[language]
    assert all(any(first <= char <= last for char in line) for line in lines)


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_fault_that_proves_nobody_guilty_is_told_in_a_sentence_of_its_own(
    language: str, tmp_path: Path
) -> None:
    """The Tamil and Sinhala words for "nobody" do not fit into a sentence that affirms."""
    bent, data = tmp_path / "bent.304", bytearray(GOOD.read_bytes())
    data[-1] ^= 1
    bent.write_bytes(data)
    lines: list[str] = []
    assert audit_files([bent], False, lines.append, translate=translation(language)) == 1
    assert any(translation(language)("This proves nobody guilty.") in line for line in lines)


@pytest.mark.parametrize("language", SCRIPTS)
def test_the_verdict_after_a_demonstration_is_told_in_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("P2P304_LANGUAGE", language)
    times = {"transcript": str(GOOD), "seated": 1.0, "dealt": 2.0, "over": 3.0}
    nicks = ("Asha", "Bandu", "Chitra", "Dilan")
    for nick in nicks:
        (tmp_path / f"{nick}.json").write_text(json.dumps(times))
    lines: list[str] = []
    told = _conclude(tmp_path, nicks, [], False, lines.append, lambda status: None)
    assert told == 0 and len(lines) == 13
    code = re.findall(r"[0-9A-Z]{3}-[0-9A-Z]{3}", lines[3])
    for line in lines:
        assert foreign(line, {*nicks, *code}) == [], line


@pytest.mark.parametrize("language", SCRIPTS)
def test_what_data_hold_is_english_in_every_language(language: str) -> None:
    told: list[list[str]] = []
    for translate in (translation("en"), translation(language)):
        lines: list[str] = []
        audit_files([GOOD], True, lines.append, translate=translate)
        files = sorted(EVIDENCE.glob("*.evidence"))[:2]
        audit_evidence(files, True, lines.append, translate=translate)
        told.append(lines)
    assert told[0] == told[1] and all(json.loads(line) for line in told[0])


@pytest.mark.parametrize("language", SCRIPTS)
def test_evidence_and_a_false_transcript_are_told_in_every_language(
    language: str, tmp_path: Path
) -> None:
    lines: list[str] = []
    (tmp_path / "torn.304").write_bytes(GOOD.read_bytes()[:-7])
    translate = translation(language)
    audit_files([tmp_path / "torn.304"], False, lines.append, translate=translate)
    audit_evidence([GOOD, *sorted(EVIDENCE.glob("*.evidence"))[:1]], False, lines.append)
    audit_evidence([GOOD], False, lines.append, translate=translate)
    audit_files(
        [EVIDENCE / "false.evidence", TRANSCRIPTS.parent / "checks.json"],
        False,
        lines.append,
        translate=translate,
    )
    assert [foreign(line, set()) for line in lines[-3:]] == [["evidence"], ["evidence"], []]
    audit_files([TRANSCRIPTS / "P09.304"], False, lines.append, translate=translate)
    assert foreign(lines[-1], {"P09", "report'"}) == [], "where the check is told in this language"
    for line in lines[:1]:
        assert any(SCRIPTS[language][0] <= char <= SCRIPTS[language][1] for char in line)
    assert replay(GOOD.read_bytes(), 99, lines.append, translate) == 2
    assert any(SCRIPTS[language][0] <= char <= SCRIPTS[language][1] for char in lines[-1])


@pytest.mark.parametrize("language", SCRIPTS)
def test_history_and_figures_are_told_in_every_language(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, lines = DataFolder(tmp_path / "home"), list[str]()
    own = store.identity().public.hex()
    key = summary(GOOD, "2026-01-01 12:00").keys[1]
    game = summary(GOOD, "2026-01-01 12:00", key)
    game = replace(game, keys=tuple(own if one == key else one for one in game.keys))
    monkeypatch.setattr(history_report, "game_summaries", lambda *_: [game])
    translate = translation(language)
    assert history(store, False, lines.append, translate) == 0
    assert stats(store, False, lines.append, translate) == 0
    names = {*game.nicks, game.rules, *game.table.split()}
    for line in lines:
        assert foreign(line, names) == [], line
    plain: list[str] = []
    history(store, False, plain.append)
    assert plain[0].count(game.standing) == 1 and "you" in plain[0]
    data: list[str] = []
    history(store, True, data.append, translate)
    (told,) = json.loads(data[0])
    assert told["standing"] == game.standing and "account" not in told
    assert told["hands"] and all("said" not in note for note in told["hands"])


@pytest.mark.parametrize("language", SCRIPTS)
def test_two_games_are_compared_in_every_language(language: str) -> None:
    text = PhraseRenderer(Look(glyphs=False), translation(language)).text
    first, last = SCRIPTS[language]
    for name, options in PRESETS.items():
        told = diff(PRESETS["pagat"], options, text)
        for line in told:
            if line.startswith("  "):
                assert any(first <= char <= last for char in line), (name, line)


def test_a_phrase_is_written_and_read_back() -> None:
    seats = Seats((0, 2), "NS", True, True)
    inner = say("{who} {card}", who=Who(1), card=card("JS"))
    phrase = say(
        "{a} {b} {c} {d} {e} {f}", a=seats, b=(inner, inner), c=3, d="x", e=Suit.HEARTS, f=Place(2)
    ).filled(g=(card("TD"), card("9C")))
    assert PHRASE.read(json.loads(json.dumps(PHRASE.write(phrase)))) == phrase
    deep: object = {"say": "x", "with": []}
    for _ in range(5000):
        deep = {"say": "{x}", "with": [["x", deep]]}
    for wrong in (1, "x", None, {}, {"say": 1, "with": []}, {"say": "x", "with": [1]}, deep):
        with pytest.raises(Malformed):
            PHRASE.read(wrong)
    for wrong in ({"card": "XX"}, {"suit": "Q"}, {"card": []}, {"seats": [[], "", 1, 2]}, 1.5):
        with pytest.raises(Malformed):
            PHRASE.read({"say": "{x}", "with": [["x", wrong]]})


def test_a_note_has_its_sentences_twice() -> None:
    note = HandNote(1, 0, 1, 160, True, (1, -1), None, "why", (1, 3), ("a",), (say("a"),))
    assert isinstance(GameSummary("f", "w", hands=(note,)).hands[0].said, tuple)
    assert PHRASE.read({"say": "a", "with": []}) == say("a")
