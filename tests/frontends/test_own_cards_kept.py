"""The history shows a player's own cards of every hand, also of hands that nobody saw."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from p2p304.frontends.fullscreen import replay_screen
from p2p304.frontends.fullscreen.replay_screen import entries
from p2p304.offline.teacher.own_views import kept_clock, kept_view
from p2p304.rules.core.actions import Caps, Pass
from p2p304.rules.core.phrases import Phrase, say
from p2p304.rules.play.view import View, legal
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.state.scoring import Result
from p2p304.storage.data_folder import DataFolder
from p2p304.table.node.node import Node
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay
from p2p304.ui.fullscreen.model.cards_then import Views, decision
from p2p304.ui.fullscreen.model.judgement import Judgement
from p2p304.ui.fullscreen.replay_page import ReplayPage
from p2p304.ui.narration.model import Model
from tests.support.screen.stored import FOUR
from tests.support.table.crashes import World
from tests.support.table.folders import data_folder

ME = 1


class Passing(World):
    """Nobody bids: the hand is passed out."""

    def _choose(self, number: int, node: Node, event: events.YourTurn) -> None:
        passes = [action for action in legal(event.view) if isinstance(action, Pass)]
        node.act((*passes, *legal(event.view))[0], self.now)


def is_over(world: World) -> bool:
    return any(isinstance(event, events.HandOver) for event in world.told[ME])


def run(world: World) -> World:
    """Play one hand to its end."""
    for _ in range(3000):
        world.run(0.001)
        if is_over(world):
            return world
    raise LookupError("the hand has no end")


@pytest.fixture(scope="module")
def passed_out() -> World:
    world = run(Passing(seed=5))
    world.run(0.05)  # the transcript holds what is settled
    return world


@pytest.fixture(scope="module")
def stopped() -> World:
    """A table that stops in the middle of its hand."""
    world = World(seed=5)
    for _ in range(1000):
        world.run(0.001)
        seen = [event for event in world.told[ME] if isinstance(event, events.Acted)]
        if seen and seen[-1].hand.phase is Phase.PLAY and len(seen[-1].hand.tricks) > 2:
            return world
    raise LookupError("the hand was never played")


@pytest.fixture(scope="module")
def played() -> World:
    return run(World(seed=5))


def page(world: World, store: DataFolder, key: bytes | None = None) -> ReplayPage:
    own = world.identities[ME].public if key is None else key
    (path,) = (store.home / "games").glob("*.cards")
    data = world.disks[ME].transcript
    shown = ReplayPage(entries(data, kept_view(store.game(path.stem), own)), FOUR, own_key=own)
    shown.press("end", 0.0)
    return shown


def dealt(world: World) -> set[str]:
    """The own cards as the table showed them to the player, before one was played."""
    over = [n for n, event in enumerate(world.told[ME]) if isinstance(event, events.HandOver)]
    told = world.told[ME][: over[0] if over else None]
    views = [event.view for event in told if isinstance(event, events.HandSeen)]
    return {FOUR.card(card) for card in views[-1].cards}


def test_own_cards_of_a_hand_that_was_passed_out_are_shown(
    passed_out: World, tmp_path: Path
) -> None:
    store = data_folder(passed_out, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    shown = page(passed_out, store)
    shown.at = next(n for n, one in enumerate(shown.moments) if one.own_view is not None)
    at_start = shown.picture(80, 24, 0.0).text
    assert all(card in at_start for card in dealt(passed_out)), at_start
    shown.at = next(n for n, one in enumerate(shown.moments) if one.model.ended)
    shown.press("e", 0.0)
    result = shown.picture(80, 24, 0.0).text
    assert "The hand is over" in result
    assert all(card in result for card in dealt(passed_out)), result
    shown.press("escape", 0.0)
    shown.press("s", 0.0)  # another place: that player's cards nobody has seen
    shown.press("e", 0.0)
    assert not any(card in shown.picture(80, 24, 0.0).text for card in dealt(passed_out))
    store.close()


@pytest.mark.parametrize("name", ["stopped", "played"])
def test_what_is_kept_is_what_the_player_knew_at_every_own_turn(
    name: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    world: World = request.getfixturevalue(name)
    store = data_folder(world, ME, tmp_path)
    views = [moment.own_view for moment in page(world, store).moments]
    turns = [event.view for event in world.told[ME] if isinstance(event, events.YourTurn)]
    assert len(turns) > 3
    missing = [turn for turn in turns if turn not in views]
    assert not missing, missing[0]
    store.close()


def test_a_replay_of_an_own_file_shows_the_own_cards_wherever_it_lies(
    played: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the history does, which knows the name of the file."""
    store, shown = data_folder(played, ME, tmp_path), list[ReplayPage]()
    path = tmp_path / "friday.304"
    path.write_bytes(played.disks[ME].transcript)

    class Screen:
        def __init__(self, page: ReplayPage, *more: object) -> None:
            shown.append(page)

        async def run(self) -> None:
            shown[-1].press("end", 0.0)

    monkeypatch.setattr(replay_screen, "full_screen", Screen)
    assert asyncio.run(replay_screen.show(path, None, store.home)) == 0
    views = [moment.own_view for moment in shown[0].moments]
    assert views == [moment.own_view for moment in page(played, store).moments] and any(views)
    assert shown[0].seat is not None
    # Another person's folder keeps nothing of it, and no key is made there.
    other = DataFolder(tmp_path / "other")
    assert asyncio.run(replay_screen.show(path, None, other.home)) == 0
    assert not any(moment.own_view for moment in shown[1].moments) and not other.has_identity
    # Nor does a damaged key keep anybody from looking.
    (other.home / "identity").write_text("damaged")
    assert asyncio.run(replay_screen.show(path, None, other.home)) == 0 and len(shown) == 3
    for one in (store, other):
        one.close()


def test_own_cards_of_an_unfinished_hand_are_shown(stopped: World, tmp_path: Path) -> None:
    store = data_folder(stopped, ME, tmp_path)
    store.secret_games()[0].drop("secrets")  # given up
    shown = page(stopped, store)
    view = shown.moments[-1].own_view
    assert view is not None and view.cards
    text = shown.picture(80, 24, 0.0).text
    assert all(FOUR.card(card) in text for card in view.cards)
    assert {FOUR.card(card) for card in view.cards} < dealt(stopped)
    before = {path: path.read_bytes() for path in store.home.rglob("*") if path.is_file()}
    page(stopped, store)
    assert before == {path: path.read_bytes() for path in store.home.rglob("*") if path.is_file()}
    store.close()


def test_nothing_is_shown_of_another_player_or_of_damaged_lines(
    stopped: World, tmp_path: Path
) -> None:
    store = data_folder(stopped, ME, tmp_path)
    other = page(stopped, store, stopped.identities[2].public)
    assert all(moment.own_view is None for moment in other.moments)
    (path,) = (store.home / "games").glob("*.cards")
    kept = path.read_bytes()
    assert all(set(json.loads(line)) == FIELDS for line in kept.splitlines())
    first, *rest = kept.splitlines(keepends=True)
    for damaged in (first[:20] + b"".join(rest), b"\xff\n[]\n{}\n" + kept, first + kept[:-3]):
        path.write_bytes(damaged)
        assert any(moment.own_view is not None for moment in page(stopped, store).moments)
    path.write_bytes(kept.replace(b'"place"', b'"plaice"'))
    assert all(moment.own_view is None for moment in page(stopped, store).moments)
    store.close()


def test_a_line_that_was_cut_off_does_not_hide_the_one_after_it(
    stopped: World, tmp_path: Path
) -> None:
    store = data_folder(stopped, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    line = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(line[:-20] + line)
    view = page(stopped, store).moments[-1].own_view
    assert view is not None
    assert {card.name for card in view.cards} == set(json.loads(line)["cards"])
    store.close()


@pytest.mark.parametrize("field", ["cards", "indicator", "known"])
def test_a_card_of_another_pack_is_passed_over(stopped: World, tmp_path: Path, field: str) -> None:
    """Somebody has changed the file: the history cannot show such a card, and goes on."""
    store = data_folder(stopped, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    known = [{"trick": 0, "seat": ME, "card": "2S"}]
    changed = {"cards": ["2S"], "indicator": "2S", "known": known}[field]
    path.write_text("".join(json.dumps(line | {field: changed}) + "\n" for line in lines))
    shown = page(stopped, store)
    assert all(moment.own_view is None for moment in shown.moments)
    store.close()


def test_the_history_marks_what_the_clock_chose_for_this_player(
    stopped: World, tmp_path: Path
) -> None:
    store = data_folder(stopped, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    last = json.loads(path.read_bytes().splitlines()[2])
    with path.open("ab") as file:
        file.write(f"{json.dumps(last | {'clock': True})}\n".encode())
    by_clock = kept_clock(store.game(path.stem))
    data = stopped.disks[ME].transcript
    for told, wanted in ((entries(data, by_clock=by_clock), 1), (entries(data), 0)):
        shown = ReplayPage(told, FOUR, own_key=stopped.identities[ME].public)
        shown.press("end", 0.0)
        marks = [line for line in shown.model.log if "Your time was over" in line.phrase.text]
        assert len(marks) == wanted
        marked = [moment for moment in shown.moments if marks and marks[0] in moment.model.log]
        assert not marks or f"Entry {last['place']}:" in str(marked[0].caption)
    store.close()


def test_no_mark_stays_at_a_place_that_came_again(stopped: World, tmp_path: Path) -> None:
    store = data_folder(stopped, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    state = [one.state for one in Replay(stopped.disks[ME].transcript) if one.state.hand][-1]
    first, second, third = map(json.loads, path.read_bytes().splitlines()[:3])
    clock, again = third | {"clock": True}, second | {"place": second["place"] + 1}
    for lines, wanted in (((clock,), True), ((clock, third), False), ((clock, again), False)):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in (first, second, *lines)))
        assert kept_clock(store.game(path.stem))(state, third["place"]) == wanted
    store.close()


FIELDS = {"hand", "place", "seat", "cards", "indicator", "known"}
"""Of a line: no key, no seed."""


def test_the_cards_are_in_no_transcript_and_in_no_message(passed_out: World) -> None:
    """Own cards that are kept are the player's alone: only the data folder gets them."""
    line = passed_out.disks[ME].cards.splitlines()[0]
    everything = b"".join(disk.transcript for disk in passed_out.disks)
    assert line not in everything
    assert all(line not in other.cards for n, other in enumerate(passed_out.disks) if n != ME)


def test_the_teacher_judges_every_own_card_by_what_was_kept(played: World, tmp_path: Path) -> None:
    played.run(0.5)  # until all have the receipts of the last entry
    store = data_folder(played, ME, tmp_path)
    (path,) = (store.home / "games").glob("*.cards")
    own, asked = played.identities[ME].public, list[View]()

    def teach(final: Hand, then: Hand, views: Views, result: Result) -> Judgement | None:
        view, action = decision(final, then, views)
        if then.turn is None or then.phase is Phase.COUNT or (view is None and action is None):
            return None
        if isinstance(action, Caps):  # a call in grace is no turn that was told
            return None
        assert view is not None and action is not None
        asked.append(view)
        return Judgement(then.turn)

    def advise(view: View, model: Model) -> Phrase:
        return say("A hint for {n} cards.", n=len(view.cards))

    entered = entries(played.disks[ME].transcript, kept_view(store.game(path.stem), own))
    shown = ReplayPage(entered, FOUR, advise=advise, own_key=own, teach=teach)
    shown.go_to_hand(1)
    shown.press("t", 0.0)
    while (at := shown.next_timeout(0.0)) is not None:
        shown.handle_timer(at)
    turns = [event.view for event in played.told[ME] if isinstance(event, events.YourTurn)]
    cards = [view for view in turns if view.hand.phase is Phase.PLAY]
    assert len(cards) > 3 and asked == turns and len(turns) > len(cards)
    # The own bid is one of the first cards, which nobody else can tell from the later ones.
    while shown.model.hand is None or shown.model.hand.turn != shown.seat:
        shown.press("right", 0.0)
    assert shown.model.hand.phase is Phase.BID4
    shown.press("i", 0.0)
    while (at := shown.next_timeout(0.0)) is not None:
        shown.handle_timer(at)
    assert "A hint for 4 cards." in shown.picture(80, 24, 0.0).text
    store.close()
