"""History and figures over transcripts kept: verified once, remembered, counted for one key."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from p2p304.offline.history import history_report
from p2p304.offline.history import summaries as kept
from p2p304.offline.history.history_report import history, stats
from p2p304.offline.history.stats import band, tally
from p2p304.offline.history.summaries import GameSummary, HandNote, game_summaries, with_event
from p2p304.rules.core.actions import FULL_COURT, HALF_COURT, PCC
from p2p304.rules.core.phrases import say
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import CapsRuling, Match, Result
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.storage.data_folder import DataFolder, DataFolderError
from p2p304.table.state.events import HandOver, Seated, TableOver
from p2p304.ui.common.theme import ASCII, Look
from p2p304.ui.narration.phrase_renderer import PhraseRenderer
from p2p304.ui.terminal.bar_chart import ChartBar, bars
from tests.support.paths import TRANSCRIPTS
from tests.support.screen import scenes
from tests.support.unwritable import unwritable

KEYS = ("aa", "bb", "cc", "dd")
NICKS = ("Asha", "Bandu", "Chitra", "Dilan")
NAMES = (*scenes.NICKS, *scenes.MORE)


@pytest.fixture
def store(tmp_path: Path) -> DataFolder:
    made = DataFolder(tmp_path / "home")
    for name in ("good", "bid"):
        shutil.copy(TRANSCRIPTS / f"{name}.304", made.home / "games" / f"{name}.304")
    return made


def test_transcripts_become_summaries_and_a_false_one_says_why(store: DataFolder) -> None:
    found = {game.file: game for game in game_summaries(store)}
    good, bad = found["good.304"], found["bid.304"]
    assert good.fault is None and good.hands and good.rules == "pagat" and len(good.code) == 7
    assert good.nicks and len(set(good.keys)) == 4 and sum(good.tokens) == 22
    assert bad.fault is not None and "160" in bad.fault


def test_a_file_that_cannot_be_read_is_not_called_unsound_and_read_again(store: DataFolder) -> None:
    file = store.home / "games" / "good.304"
    whole = file.read_bytes()
    file.write_bytes(b"no transcript")
    lines: list[str] = []
    assert history(store, False, lines.append) == 1
    assert ["cannot be read: " in line for line in lines if "good.304" in line] == [True]
    assert not any("NOT SOUND" in line for line in lines if "good.304" in line)
    stat = file.stat()
    file.write_bytes(whole)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (good,) = (game for game in game_summaries(store) if game.file == "good.304")
    assert not good.unread and good.fault is None


def test_a_folder_that_cannot_be_written_or_made_has_a_history_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fill(home: Path) -> None:
        made = DataFolder(home)
        made.identity()
        shutil.copy(TRANSCRIPTS / "good.304", home / "games" / "good.304")

    lines: list[str] = []
    with unwritable(fill) as home:
        assert history(DataFolder(home), False, lines.append) == 0
        assert stats(DataFolder(home), False, lines.append) == 0
        assert not (home / "history.json").exists() and "good.304" in lines[0]
        told = list[str]()
        none = DataFolder(home.parent / "missing")
        assert history(none, False, told.append) == stats(none, False, told.append) == 0
    assert told == [
        "You have not played yet. Start with p2p304 play.",
        "You have not played a hand yet.",
    ]
    assert not capsys.readouterr().err


def test_where_the_identity_cannot_be_read_the_history_says_so_and_names_everybody(
    store: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    (store.home / "identity").write_text("nothing\n")
    (store.home / "identity").chmod(0o600)
    (store.home / "games" / "bid.304").unlink()
    lines: list[str] = []
    assert history(store, False, lines.append) == 0
    assert "Dilan, Asha, Bandu, Chitra" in lines[0]
    assert "does not contain a valid identity" in capsys.readouterr().err
    with pytest.raises(DataFolderError, match="valid identity"):
        stats(store, False, lines.append)


def test_what_was_verified_is_not_verified_again(store: DataFolder) -> None:
    told: list[str] = []
    first = game_summaries(store, told.append)
    assert sorted(told) == ["bid.304", "good.304"]
    assert game_summaries(store, told.append) == first and len(told) == 2
    (store.home / "games" / "good.304").touch()
    game_summaries(store, told.append)
    assert told[2:] == ["good.304"]


@pytest.mark.parametrize("spoilt", [b"{", b"[]", b'{"version": 1, "files": {"x": 3}}', b"\xff"])
def test_a_spoilt_memory_is_made_again(store: DataFolder, spoilt: bytes) -> None:
    (store.home / "history.json").write_bytes(spoilt)
    assert len(game_summaries(store)) == 2
    assert json.loads((store.home / "history.json").read_text())["version"] == kept.VERSION


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hands", [{"number": "one"}]),
        ("nicks", []),
        ("tokens", "11"),
        ("tokens", [1.5, 2]),
        ("when", None),
        ("over", 1),
        ("rules", "\ud800"),
        ("more", 1),
    ],
)
def test_a_memory_with_a_false_field_is_made_again(
    store: DataFolder, field: str, value: object
) -> None:
    first = game_summaries(store)
    path = store.home / "history.json"
    whole = json.loads(path.read_text())
    whole["files"]["good.304"]["evening"][field] = value
    path.write_text(json.dumps(whole))
    assert game_summaries(store) == first


def test_history_is_told_in_lines_and_as_data(store: DataFolder) -> None:
    lines: list[str] = []
    assert history(store, False, lines.append) == 1
    assert any("NOT SOUND" in line for line in lines)
    data: list[str] = []
    history(store, True, data.append)
    assert {item["file"] for item in json.loads(data[0])} == {"good.304", "bid.304"}


def test_an_empty_folder_is_said_to_be_empty(tmp_path: Path) -> None:
    lines: list[str] = []
    assert history(DataFolder(tmp_path), False, lines.append) == 0
    assert stats(DataFolder(tmp_path), False, lines.append) == 0
    assert lines == [
        "You have not played yet. Start with p2p304 play.",
        "You have not played a hand yet.",
    ]


def note(
    maker: int | None, bid: int, made: bool | None, ns: int, caller: int | None = None
) -> HandNote:
    makers = () if maker is None else (maker, (maker + 2) % 4)
    caps = None if caller is None else "correct"
    return HandNote(1, 0, maker, bid, made, (ns, -ns), caps, "why", makers, caller=caller)


def test_a_call_of_caps_is_remembered_by_its_verdict() -> None:
    pagat = preset("pagat")
    ruling = CapsRuling(1, "late", say("why"))
    result = Result(False, (2, -2), say("why"), 2, (304, 0), True, ruling)
    over = HandOver(1, result, Match.start(pagat))
    kept = with_event(GameSummary("a", "w"), over, None, 0).hands[0]
    assert (kept.caps, kept.caller) == ("late", 1)


def test_bids_partners_and_caps_are_counted_for_one_player() -> None:
    hands = (
        note(0, 160, True, 1),
        note(0, 210, False, -3),
        note(2, 160, True, 1, caller=0),
        note(1, 160, True, -1),
        note(3, PCC, False, 5),
        note(None, 0, None, 0),
    )
    sound = GameSummary("a", "w", nicks=NICKS, keys=KEYS, hands=hands, sides=(0, 1, 0, 1))
    false = replace(sound, fault="not signed")
    others = replace(sound, keys=("x", "y", "z", "v"))
    total = tally([sound, false, others], "aa")
    assert (total.tables, total.hands, total.void) == (1, 6, 1)
    assert (total.own["under 200"].won, total.own["200 to under 250"].lost) == (1, 1)
    assert (total.partner.won, total.against.won, total.against.lost) == (1, 1, 1)
    assert total.partners["Chitra"].tokens == 3 and total.caps == {"correct": 1}
    east = tally([sound], "bb")
    assert east.partners["Dilan"].tokens == -3 and east.own["under 200"].won == 1
    for key in ("bb", "cc"):  # the call of an opponent, and of the partner
        assert not tally([sound], key).caps


def test_bids_fall_into_their_bands() -> None:
    assert bands("pagat", 160, 190, 200, 245, 250, 300, PCC) == [
        "under 200",
        "under 200",
        "200 to under 250",
        "200 to under 250",
        "250 and more",
        "250 and more",
        "Partner Close Caps",
    ]
    assert bands("tamil-504", 260, 330, 410) == ["under 330", "330 to under 410", "410 and more"]
    assert bands("tamil-904", 580, 590, 740) == ["under 590", "590 to under 740", "740 and more"]
    online = ["under 200", "200 and more", "200 and more", "304"]
    assert bands("online-4", 150, 200, 300, 304) == online
    assert bands("tenths", 160, 200, 250) == ["under 2.0", "2.0 to under 2.5", "2.5 and more"]
    assert bands("maharashtra", HALF_COURT, FULL_COURT) == ["half court", "full court"]


def bands(rules: str, *bids: int) -> list[str]:
    match = Match.start(preset(rules))
    nicks = NAMES[: match.options.seats]
    seated = Seated(nicks, (b"",) * len(nicks), 0, "MDM-3ZU", match, True)
    game = with_event(GameSummary("a", "w"), seated, None, 0)
    return [str(band(game, bid)[2]) for bid in bids]


def played(options: Options, seed: int) -> Hand:
    """A hand played by any legal actions."""
    rng, choose = random.Random(seed), scenes.wild(seed)
    cards, size, seats = list(options.pack.cards), options.hand_size, options.seats
    rng.shuffle(cards)
    hands = [cards[n * size : n * size + size] for n in range(seats)]
    referee = Referee(options, seed % seats, hands, cards[seats * size :])
    while (turn := referee.hand.turn) is not None:
        referee.act(choose(referee.view(turn), referee.legal()))
    return referee.hand


def evening(rules: str, own: str) -> tuple[GameSummary, list[tuple[Hand, Match, Match]]]:
    """A match as one player's history has it; and its hands, each with the match around it."""
    options = preset(rules).override({"tokens": 5})
    match, keys = Match.start(options), tuple(bytes([n]) for n in range(options.seats))
    seated = Seated(NAMES[: options.seats], keys, 0, "MDM-3ZU", match, True)
    game = with_event(GameSummary("a", "w", rules=rules), seated, None, 0, None, own)
    hands = []
    for seed in range(1, 31):
        hand = played(options, seed)
        assert hand.result is not None
        after = match.after(hand.result)
        over = HandOver(seed, hand.result, after)
        game = with_event(game, over, hand, hand.dealer, match, own)
        hands.append((hand, match, after))
        match = after
        if match.is_over:
            break
    over_all = TableOver(match, match.winner)
    return with_event(game, over_all, None, 0, match, own), hands


@pytest.mark.parametrize("rules", PRESETS)
def test_stats_count_the_hands_of_every_game(rules: str) -> None:
    for seat in range(PRESETS[rules].seats):
        game, hands = evening(rules, f"{seat:02x}")
        options, total = PRESETS[rules], tally([game], f"{seat:02x}")
        scored = [(h, was, now) for h, was, now in hands if h.maker is not None and h.result]
        scored = [each for each in scored if each[0].result and each[0].result.made is not None]
        assert (total.hands, total.void) == (len(hands), len(hands) - len(scored))
        account = options.account(seat)
        own = [each for each in scored if each[0].maker == seat]
        assert sum(count.all for count in total.own.values()) == len(own)
        made = [h for h, _, _ in own if h.result is not None and h.result.made]
        assert sum(count.won for count in total.own.values()) == len(made)
        counts = [*total.own.values(), total.partner, total.against]
        gained = sum(now.tokens[account] - was.tokens[account] for _, was, now in scored)
        assert sum(count.tokens + count.points for count in counts) == gained
        assert sum(count.all for count in counts) == len(scored)
        points = options.score == "online"
        assert not any(count.tokens if points else count.points for count in counts)
        mates = {NAMES[n] for h, _, _ in scored for n in allies(options, h, seat)}
        assert set(total.partners) == mates


def allies(options: Options, hand: Hand, seat: int) -> list[int]:
    if options.partner == "across":
        return [n for n in range(options.seats) if n != seat and n % 2 == seat % 2]
    return [n for n in hand.makers if n != seat] if seat in hand.makers else []


@pytest.mark.parametrize("rules", PRESETS)
def test_figures_and_history_name_no_object_and_no_foreign_side(
    rules: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, lines = DataFolder(tmp_path / "home"), list[str]()
    own = store.identity().public.hex()
    game, hands = evening(rules, "01")
    game = replace(game, keys=tuple(own if key == "01" else key for key in game.keys))
    monkeypatch.setattr(history_report, "game_summaries", lambda *_: [game])
    history(store, False, lines.append)
    stats(store, False, lines.append)
    text = "\n".join(lines)
    assert not re.search(r"\b(NS|EW|N-S|E-W|135|246)\b|\w\(\w+=|<\w|None", text), text
    match = hands[-1][2]
    standing = "Points in the match: " if match.options.score == "online" else "Tokens: "
    assert standing in lines[0]
    if match.options.partner == "across":
        we, they = match.tokens[1], match.tokens[0]
        assert f"We {we}, They {they}." in lines[0]
    if match.winner is not None:
        assert " won the match with " in lines[0]
    unit = "points" if match.options.score == "online" else "tokens"
    units = set(re.findall(r"(tokens|points) [+-]\d", text))
    assert units == {unit}


def test_bars_share_a_scale_and_what_is_not_nothing_shows() -> None:
    lines = bars([ChartBar("a", 30, 10), ChartBar("bb", 1, 0), ChartBar("c", 0, 0)], ASCII)
    assert lines[0].count("#") == 30 * 30 // 40 or lines[0].count("#") >= 20
    assert lines[1].count("#") == 1 and "1 of 1" in lines[1] and "100 %" in lines[1]
    assert "#" not in lines[2] and bars([], ASCII) == []
    assert len({line.index(" of ") for line in lines}) == 1


def test_a_table_that_is_played_or_can_be_resumed_is_not_told_as_left(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    games = store.home / "games"
    for name in ("open", "left", "stopped"):
        shutil.copy(TRANSCRIPTS / "unfinished.304", games / f"{name}.304")
    for name in ("open.journal", "stopped.journal", "stopped.evidence"):
        (games / name).touch()

    def told() -> dict[str, str]:
        lines: list[str] = []
        assert history(store, False, lines.append) == 0
        whole = (line.removesuffix(".304)").split("  (") for line in lines if "  (" in line)
        return {name: told for told, name in whole}

    assert ", not over yet." in told()["open"]
    assert ", given up." in told()["left"]
    assert ", stopped: a fault is proven." in told()["stopped"]
    (games / "open.journal").unlink()  # given up: remembered, and yet told anew
    assert ", given up." in told()["open"]
    shutil.copy(TRANSCRIPTS / "good.304", games / "open.304")
    (games / "open.journal").touch()
    assert ", over." in told()["open"]


def test_a_game_that_was_ended_says_without_whom(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    shutil.copy(TRANSCRIPTS / "ended.304", store.home / "games" / "ended.304")
    (found,) = game_summaries(store)
    assert found.over and found.without == "Chitra" and found.fault is None
    lines: list[str] = []
    assert history(store, False, lines.append) == 0
    assert "ended without Chitra" in lines[0]


def test_a_hand_played_out_counts_and_the_summary_says_without_whom(tmp_path: Path) -> None:
    store = DataFolder(tmp_path / "home")
    shutil.copy(TRANSCRIPTS / "played-out.304", store.home / "games" / "out.304")
    (found,) = game_summaries(store)
    assert found.over and found.without in found.nicks and found.fault is None
    (hand,) = found.hands
    assert hand.made is not None and any(hand.tokens) and hand.maker is not None
    lines: list[str] = []
    assert history(store, False, lines.append) == 0
    assert f"ended without {found.without}" in lines[0] and "1 hand," in lines[0]
    assert tally([found], found.keys[0]).hands == 1 and tally([found], found.keys[0]).void == 0


def test_a_hand_that_is_dealt_again_is_one_hand_in_history_and_figures() -> None:
    void = HandNote(1, 0, None, 0, None, (0, 0), None, "All passed.")
    hands = (void, replace(void, number=2), note(0, 160, True, 1), replace(void, number=4))
    left = HandNote(5, 0, None, 0, None, (-2, 2), None, "Left before there was a bid.")
    game = GameSummary("a", "w", nicks=NICKS, keys=KEYS, hands=(*hands, left), sides=(0, 1, 0, 1))
    head, *lines = history_report._game_lines(game, KEYS[0], str)
    assert "2 hands" in head
    assert [line.split(".")[0].strip() for line in lines] == ["1", "1", "1", "2", "2"]
    total = tally([game], KEYS[0])
    assert (total.hands, total.void) == (5, 3)
    figures = history_report._figures(total, PhraseRenderer(Look(glyphs=False)))
    assert figures[0] == "Tables: 1. Hands: 2 (and 3 dealt again)."
