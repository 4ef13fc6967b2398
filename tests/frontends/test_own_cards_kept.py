"""The history shows a player's own cards of a hand that nobody saw, while their keys are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2p304.frontends.replay_screen import entries, kept_view
from p2p304.rules.state.hand import Phase
from p2p304.storage.data_folder import DataFolder
from p2p304.table.player.keyring import Secrets
from p2p304.table.state import events
from p2p304.table.transition.replay import Replay
from p2p304.ui.fullscreen.replay_page import ReplayPage
from tests.support.screen.stored import FOUR
from tests.support.table.crashes import World
from tests.support.table.folders import data_folder

ME = 1


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


def page(world: World, store: DataFolder, key: bytes | None = None) -> ReplayPage:
    own = world.identities[ME].public if key is None else key
    (game,) = store.secret_games()
    data = world.disks[ME].transcript
    shown = ReplayPage(entries(data, kept_view(game, own)), FOUR, own_key=own)
    shown.press("end", 0.0)
    return shown


def dealt(world: World) -> set[str]:
    """The own cards as the table showed them to the player, before one was played."""
    views = [event.view for event in world.told[ME] if isinstance(event, events.HandSeen)]
    return {FOUR.card(card) for card in views[-1].cards}


def test_own_cards_of_an_unfinished_hand_are_shown(stopped: World, tmp_path: Path) -> None:
    store = data_folder(stopped, ME, tmp_path)
    shown = page(stopped, store)
    view = shown.moments[-1].own_view
    assert view is not None and view.cards
    text = shown.picture(80, 24, 0.0).text
    assert all(FOUR.card(card) in text for card in view.cards)
    assert {FOUR.card(card) for card in view.cards} < dealt(stopped)
    before = {path: path.read_bytes() for path in store.home.rglob("*") if path.is_file()}
    page(stopped, store)
    assert before == {path: path.read_bytes() for path in store.home.rglob("*") if path.is_file()}
    seed = stopped.disks[ME].secrets
    assert not any(record in repr(shown.moments).encode() for record in seed.values())
    store.close()


def test_nothing_is_shown_without_the_keys_or_with_another_players(
    stopped: World, tmp_path: Path
) -> None:
    store = data_folder(stopped, ME, tmp_path)
    other = page(stopped, store, stopped.identities[2].public)
    views = [moment.own_view for moment in other.moments]
    assert not any(view.cards or view.indicator for view in views if view is not None)
    (game,) = store.secret_games()
    table, record = stopped.disks[ME].transcript, game.secrets()
    assert record is not None
    renewed = Secrets.parse(record, next(iter(Replay(table))).state.table)
    renewed.renew(renewed.number + 1)
    game.persist("secrets", renewed.record())
    later = page(stopped, store)
    assert all(moment.own_view is None for moment in later.moments)
    game.drop("secrets")
    bare = ReplayPage(
        entries(stopped.disks[ME].transcript, kept_view(game, stopped.identities[ME].public)), FOUR
    )
    bare.press("end", 0.0)
    assert all(moment.own_view is None for moment in bare.moments)
    store.close()
