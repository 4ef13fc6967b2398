"""Worlds in play against the referee, at every position of the counted sequences of actions."""

from __future__ import annotations

from collections import Counter

from p2p304.rules.caps.bitboard import each
from p2p304.rules.core.actions import Action, Play, Reveal
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import PRESETS
from p2p304.rules.worlds.world_play import ASKED, CARDS, WorldPlay
from scripts.vectors.perft import reached
from tests.rules.play.test_perft import deepest, stored
from tests.support.reference.true_worlds import seen_by

MOST = 100
"""How many sequences are followed from each starting point."""
met = Counter[str]()


def follow(now: Referee, table: WorldPlay | None, depth: int) -> int:
    """How many sequences of so many actions go on from here. On the way the world offers what the
    referee allows, follows from the view of whoever is to act, and can be undone. There, asking for
    trumps and playing a card is one move."""
    hand, legal = now.hand, now.legal()
    if hand.phase is Phase.PLAY and hand.turn is not None:
        view = seen_by(now, hand.turn)
        table = view.copied() if table is None else table
        if hand.asker is None:
            assert view.key == table.key and (hand.bids_all_tricks or view.won == table.won)
        check_offered(now, table, legal)
    if depth == 1 or not legal:
        return len(legal)
    total, kept = 0, (table.key, tuple(table.won)) if table else None
    for action in legal:
        after = now.copied()
        after.act(action)
        if table and isinstance(action, Play) and action.card:
            place = hand.playing.index(action.seat)
            table.play(place, action.card.bit << ASKED * (hand.asker is not None))
        total += follow(after, table, depth - 1)
        if table and kept:
            table.undo(*kept)
            assert (table.key, tuple(table.won)) == kept
    return total


def check_offered(now: Referee, table: WorldPlay, legal: tuple[Action, ...]) -> None:
    hand, place = now.hand, now.hand.playing.index(now.hand.turn or 0)
    assert place == (table.leader + len(table.plays)) % table.seats
    able, asked = table.legal(place), hand.asker is not None
    asks = any(isinstance(action, Reveal) for action in legal)
    assert asked or bool(able >> ASKED) is asks
    plays = [action.card.bit for action in legal if isinstance(action, Play) and action.card]
    assert sorted(plays, reverse=True) == each(able >> ASKED if asked else able & CARDS)
    met["closed trumps"] += table.indicator > 0
    met["a cut that lies face down"] += table.indicator < 0
    met["exhausted trumps"] += table.stuck
    met["trumps asked for"] += asked
    met["cards that cut nothing"] += table.dead > 0
    met["cards to draw"] += table.pile != ()
    met["partners aside"] += len(hand.playing) < hand.options.seats


def test_worlds_in_play_are_counted_as_stored_in_all_presets() -> None:
    met.clear()
    for name in PRESETS:
        for one in stored(name):
            depth = deepest(one["counts"], MOST)
            referee = reached(one)
            if one["start"] != "beginning" and depth and referee.hand.asker is None:
                assert follow(referee, None, depth) == one["counts"][depth - 1], name
    assert len(met) == 7 and min(met.values()) > 5, met
