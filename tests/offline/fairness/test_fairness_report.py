"""`p2p304 fairness` over real transcripts: what it reads, leaves out, says and returns."""

from __future__ import annotations

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest

from p2p304.offline import fairness_report
from p2p304.offline.fairness import account
from p2p304.offline.fairness.account import INSTALL, accounts
from p2p304.offline.fairness.counts import collections
from p2p304.offline.fairness.deals import TableDeals, read_deals
from p2p304.offline.fairness.page import page
from p2p304.offline.fairness_report import fairness
from p2p304.rules.variants.presets import preset
from p2p304.table.transition.replay import Replay
from tests.support.paths import PROTOCOL, TRANSCRIPTS
from tests.support.simulated_deals import hands, table, takes_all_jacks

GOOD, EVIDENCE = TRANSCRIPTS / "good.304", PROTOCOL / "evidence" / "false.evidence"


def said(*files: Path, as_json: bool = False, html: Path | None = None) -> tuple[int, str]:
    lines: list[str] = []
    status = fairness(files, as_json, html, lines.append)
    return status, "\n".join(lines)


def deals(path: Path) -> TableDeals:
    found = read_deals(path.read_bytes())
    assert found is not None
    return found


def test_a_transcript_gives_its_deals() -> None:
    found = deals(GOOD)
    assert found.seats == 4 and found.preset == "pagat" and len(set(found.keys)) == 4
    (hand,) = found.hands
    assert hand.cards is not None and {len(cards) for cards in hand.cards} == {8}


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("unfinished", []),  # it ends before a cut
        ("ended", []),  # the others ended the table before a card was unlocked
        ("lost", [False]),  # the others ended the table after the cut
        ("rejected", [False, True]),  # a first batch under 15 points
        ("spoilt", [False, True]),
        ("caps-early", [True]),  # the count opens what a claim left unplayed
        ("pcc", [False]),  # the partner's hand lies idle
        ("half-court", [False]),
        ("exchange", [False]),  # two cards lie aside
        ("stock", [True]),
        ("played-out", [True]),
        ("called-partner", [True]),
        ("six-24", [True]),
    ],
)
def test_a_hand_is_seen_if_every_card_was_shown(name: str, seen: list[bool]) -> None:
    found = deals(TRANSCRIPTS / f"{name}.304")
    assert [hand.cards is not None for hand in found.hands] == seen
    for hand in found.hands:
        if hand.cards is not None:
            assert len(frozenset().union(*hand.cards)) == sum(map(len, hand.cards))


def first_blocks(count: int) -> bytes:
    """The beginning of a good transcript."""
    data, at = GOOD.read_bytes(), 8
    for _ in range(count):
        at += 4 + int.from_bytes(data[at : at + 4], "big")
    return data[:at]


def test_a_hand_counts_as_unseen_from_the_cut_on(tmp_path: Path) -> None:
    """From then on somebody may have read a card, and have left because of it."""
    kinds = [replayed.kind for replayed in Replay(GOOD.read_bytes())]
    cut = kinds.index("cut")
    for blocks, hands_then in ((cut, 0), (cut + 1, 1), (len(kinds) - 1, 1)):
        found = read_deals(first_blocks(blocks))
        assert found is not None and len(found.hands) == hands_then
        assert all(hand.cards is None for hand in found.hands)


def test_what_is_not_sound_or_unreadable_is_left_out_and_counts_in_the_status(
    tmp_path: Path,
) -> None:
    shutil.copy(GOOD, tmp_path / "good.304")
    assert said(tmp_path)[0] == 0
    shutil.copy(TRANSCRIPTS / "bid.304", tmp_path / "bid.304")
    status, text = said(tmp_path)
    assert status == 1 and "bid.304: left out: not sound" in text and "hands seen 1" in text
    (tmp_path / "no.304").write_bytes(b"no")
    status, text = said(tmp_path)
    assert status == 2 and "no.304: left out: unreadable" in text
    assert said(tmp_path / "none")[0] == 2


@pytest.mark.parametrize("names", [("a.304", "b.304"), ("b.304", "a.304")])
def test_a_table_counts_once_with_its_longest_copy(tmp_path: Path, names: tuple[str, str]) -> None:
    whole, part = names
    shutil.copy(GOOD, tmp_path / whole)
    for blocks in (5, 60):  # before the first hand, and in the middle of it
        (tmp_path / part).write_bytes(first_blocks(blocks))
        status, text = said(tmp_path)
        assert status == 0 and f"{part}: left out: a shorter copy of {whole}." in text
        assert "hands seen 1, unseen 0" in text


def test_two_files_of_one_table_are_called_copies_only_if_they_are(tmp_path: Path) -> None:
    counting, inspected = (TRANSCRIPTS / f"absent-{n}.304" for n in ("counting", "inspected"))
    shutil.copy(GOOD, tmp_path / "copy.304")
    status, text = said(GOOD, tmp_path / "copy.304")
    assert status == 0 and "copy.304: left out: a second copy of good.304." in text
    status, text = said(counting, inspected)
    assert status == 0 and "copy" not in text
    assert re.search(r"left out: it is of the same table as \S+, and differs from it\.", text)


@pytest.mark.usefixtures("two_cores")
def test_a_file_that_is_left_out_gets_one_full_stop_and_one_advice(tmp_path: Path) -> None:
    (tmp_path / "x.evidence").write_bytes(EVIDENCE.read_bytes())
    bad = [TRANSCRIPTS / "bid.304", TRANSCRIPTS / "pledge.304"]
    status, text = said(GOOD, *bad, tmp_path / "none.304", tmp_path / "x.evidence")
    assert status == 2 and ".." not in text and "does not exist.\n" in text
    assert "x.evidence: left out: unreadable: this is an evidence file" in text
    assert re.search(r"^bid\.304: left out: not sound: [A-Z]\d\d: ", text, re.M)
    assert text.count("p2p304 audit FILE says more") == 1
    assert "says more" not in said(GOOD)[1]


def test_too_few_hands_are_said_at_once_and_in_few_lines() -> None:
    status, text = said(GOOD)
    head, verdict, figures = text.splitlines()[:3]
    assert status == 0 and "hands seen 1" in head and verdict.startswith("Too few hands to judge")
    assert "--json" in figures and len(text.splitlines()) < 6


def test_a_pack_that_is_shuffled_little_is_left_out() -> None:
    status, text = said(TRANSCRIPTS / "gathered.304")
    assert status == 0 and "left out: its players agreed on shuffle=minimal" in text


def test_data_and_lines_say_the_same(tmp_path: Path) -> None:
    status, text = said(GOOD, as_json=True)
    (one,) = json.loads(text)["collections"]
    assert status == 0 and (one["seen"], one["unseen"], one["seats"]) == (1, 0, 4)
    assert sum(row["count"] for row in one["counts"] if row["of"] == "jacks") == 3 * 4
    assert sum(cell["count"] for cell in one["cards"]) == 32
    assert one["conspicuous"] is None and "40 are needed" in one["verdict"]
    assert "40 are needed" in said(GOOD)[1]


def test_without_scipy_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(account, "scipy_tails", lambda: None)
    rules = preset("pagat")
    found = accounts(collections([table(rules, hands(rules, 60, 1))]))
    text = "\n".join(fairness_report.lines(found, []))
    assert text.count(INSTALL) == 1 and "p =" not in text and "Nothing is conspicuous." in text
    assert INSTALL not in said(GOOD)[1]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)


def test_the_page_draws_and_runs_nothing_whatever_the_names_are(tmp_path: Path) -> None:
    rules, evil = preset("pagat"), "</td><script>alert(1)</script>"
    found = table(rules, hands(rules, 60, 1, stack=takes_all_jacks))
    named = TableDeals(
        found.table, found.preset, found.pack, 4, found.keys, (evil,) * 4, True, found.hands
    )
    text = page(accounts(collections([named])), [evil])
    parser = Tags()
    parser.feed(text)
    assert "script" not in parser.tags and parser.tags.count("svg") > 20
    assert text.index("CONSPICUOUS") < text.index("<summary>Files left out")
    assert "default-src 'none'" in text
    assert not re.search(r"(src|href)=", text)
    out = tmp_path / "out.html"
    assert "The page is" in said(GOOD, html=out)[1] and "<svg" in out.read_text()
