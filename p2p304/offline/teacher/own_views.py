"""What the player of this computer knew at each moment of a table, and what the clock chose for it,
by the cards that were kept.

Responsible for finding the lines of a table's file and for the view that they give. What a line is,
is table/player/kept_cards.py's.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Callable
from functools import cache

from p2p304.rules.play.view import View
from p2p304.storage.data_folder import DataFolder, read_file
from p2p304.storage.files import DataFolderError
from p2p304.storage.game_files import Game
from p2p304.storage.json_files import parse_json
from p2p304.table.player.kept_cards import KEPT_CARDS, KEPT_FORM, KeptCards, view_kept
from p2p304.table.state.table import TableState
from p2p304.wire.forms import Malformed

OwnView = Callable[[TableState, int], View | None]
"""What the player at this screen knew after the entry at a place."""


ByClock = Callable[[TableState, int], bool]
"""Whether the entry at a place was made for the player at this screen, whose time was up."""


def kept_view(game: Game, own: bytes) -> OwnView:
    """Return what the player with the key ``own`` knew after an entry of this table, by the cards
    that were kept of every hand."""
    hands = _kept(game)
    return lambda state, place: view_kept(hands.get(state.number, []), state, own, place)


def kept_at_table(store: DataFolder, own: bytes) -> tuple[OwnView, ByClock]:
    """Return `kept_view` and `kept_clock` for a transcript that may lie anywhere: by the table of
    which it tells."""

    @cache
    def found(table: bytes) -> tuple[OwnView, ByClock]:
        game = store.game(table.hex())
        return kept_view(game, own), kept_clock(game)

    return (
        lambda state, place: found(state.terms.table)[0](state, place),
        lambda state, place: found(state.terms.table)[1](state, place),
    )


def kept_clock(game: Game) -> ByClock:
    """Return which entries of this table the clock has made for the player, as far as was kept."""
    places = set[tuple[int, int]]()
    for number, lines in _kept(game).items():
        for kept in lines:  # entries may have been dropped, and their places have come again
            places = {(hand, at) for hand, at in places if hand != number or at < kept.place}
            places |= {(number, kept.place)} if kept.clock else set()
    return lambda state, place: (state.number, place) in places


def _kept(game: Game) -> dict[int, list[KeptCards]]:
    """Read the lines that were kept, by hand. A line that is damaged tells nothing."""
    path, hands = game.part(KEPT_CARDS), defaultdict[int, list[KeptCards]](list)
    with contextlib.suppress(DataFolderError):
        for line in read_file(path).split(b"\n") if path.exists() else ():
            with contextlib.suppress(Malformed):
                # A line that a crash cut off may stand before a whole one.
                kept = parse_json(KEPT_FORM, line[max(0, line.rfind(b'{"hand"')) :])
                hands[kept.hand].append(kept)
    return hands
