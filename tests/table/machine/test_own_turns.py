"""The turns of one player at a real table: when it may write, what it is asked, and the clock."""

from __future__ import annotations

import copy
import json
import math

import pytest

from p2p304.bots.club import ClubBot
from p2p304.rules.core import actions as acts
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.play.view import legal
from p2p304.rules.state.hand import Phase
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.machine.table_machine import TableMachine
from p2p304.table.machine.turn_timer import AGAIN, LEAD, TurnClock
from p2p304.table.player.kept_cards import KEPT_CARDS
from p2p304.table.state.events import YourTurn
from p2p304.wire.effects import Persist
from p2p304.wire.framing import FrameKind
from tests.support.table.paused import acted, forbid_writing, heard, paused, sent

TIMED = preset("pagat").override({"timer": 30})


def test_the_floor_is_one_players_until_it_has_written() -> None:
    net, table = paused()
    assert table.turns.due == table.replica.due
    assert [other.turns.due for other in net.tables if other is not table] == [None] * 3
    acted(table, net.now)
    assert table.turns.due is None


@pytest.mark.parametrize("why", ["written", "blocked", "recovery", "stopped", "unsettled"])
def test_a_player_writes_nothing_where_it_may_not(why: str) -> None:
    _, table = paused()
    forbid_writing(table, why)
    assert table.replica.due is not None and table.turns.due is None
    with pytest.raises(LookupError):
        table.act(legal(table.view)[0], 0.0)


def test_a_place_after_the_blocked_one_and_an_earlier_entry_block_nothing() -> None:
    _, table = paused()
    table.replica.blocked_from = table.chain.next_seq + 1
    table.turns.last_written = table.chain.next_seq - 1
    assert table.turns.due is not None


def test_only_the_player_on_turn_chooses_and_only_what_is_allowed() -> None:
    net, table = paused()
    other = next(one for one in net.tables if one is not table)
    with pytest.raises(LookupError, match="not your turn"):
        other.act(acts.Pass(other.seat), net.now)
    with pytest.raises(RuleBroken):
        table.act(acts.Open(table.seat), net.now)
    assert sent(table, FrameKind.ENTRY) == []


def test_one_entry_is_signed_for_a_place() -> None:
    _, table = paused()
    body = table.turns.chosen(legal(table.view)[0])
    unverified = table.turns.sign(body.KIND, body)
    assert unverified.entry.seq == table.chain.next_seq == table.turns.last_written
    with pytest.raises(LookupError, match="written already"):
        table.turns.sign(body.KIND, body)


def test_a_player_is_asked_once_for_a_place_and_again_after_a_parting_that_came_to_nothing() -> (
    None
):
    net, table = paused()
    table.events()
    seq = table.chain.next_seq
    table._advance(net.now)
    assert heard(table, YourTurn) == [] and table.turns.asked_for == seq
    table.resume_play(net.now)
    (asked,) = heard(table, YourTurn)
    assert isinstance(asked, YourTurn) and asked.view == table.view
    table.turns.go_back(seq - 2)
    assert table.turns.last_written == seq - 3
    table._advance(net.now)
    assert heard(table, YourTurn) != []


def test_a_program_does_by_itself_what_needs_no_choice() -> None:
    """After the indicator the cards of the second batch are unlocked, and nobody is asked."""
    net, table = paused(Phase.TRUMP4)
    seq = table.chain.next_seq
    acted(table, net.now)
    kinds = {entry.entry.kind for entry in table.chain.entries[seq:]}
    assert len(kinds) == 1 and table.chain.next_seq == seq + 1
    net.run(seconds=1, until=lambda: table.chain.next_seq > seq + 1)
    due = table.chain.entries[seq + 1].entry
    assert due.kind in ("relock", "unlock")


# The clock


def timed_out(table: TableMachine, now: float) -> acts.Action | None:
    assert table.turns.clock.until <= now
    return table.turns.timeout_action(now)


def test_when_the_time_is_up_a_player_passes_if_it_can() -> None:
    net, table = paused(rules=TIMED)
    until = table.turns.clock.until
    assert until == pytest.approx(net.now + 30)
    assert table.turns.timeout_action(until - 0.1) is None
    action = timed_out(table, until)
    assert action in legal(table.view)
    assert isinstance(action, acts.Pass) == any(isinstance(a, acts.Pass) for a in legal(table.view))
    assert table.turns.timeout_action(until) is None  # only once


def test_when_the_time_is_up_in_a_trick_any_card_is_played_by_the_players_own_chance() -> None:
    _, table = paused(Phase.PLAY, rules=TIMED)
    choices, found = legal(table.view), set()
    for seed in range(12):
        turns = copy.deepcopy(table).turns
        turns._me.secrets.seed = bytes([seed]) * 32
        action = turns.timeout_action(turns.clock.until)
        assert action is not None
        found.add(choices.index(action))
    assert found == set(range(len(choices)))


def test_when_the_time_is_up_in_a_trick_the_program_plays_what_its_hint_says() -> None:
    _, table = paused(Phase.PLAY, rules=TIMED)
    for wanted in legal(table.view):
        turns = copy.deepcopy(table).turns
        turns.hint.choose = lambda view, wanted=wanted: wanted
        assert turns.timeout_action(turns.clock.until) == wanted
    turns = copy.deepcopy(table).turns
    turns.hint.choose = ClubBot().choose
    assert turns.timeout_action(turns.clock.until) == ClubBot().choose(table.view)


def test_a_hint_that_is_found_elsewhere_is_asked_for_before_the_end_and_waited_for() -> None:
    """A hint may take a second, in which the links must be served."""
    net, table = paused(Phase.PLAY, rules=TIMED)
    turns, until = table.turns, net.now + LEAD + 0.1
    turns.clock.until = until
    wanted = legal(table.view)[-1]
    turns.hint.choose = lambda view: wanted
    assert turns.hint_at == math.inf  # it runs here, when the time is up
    assert table.turns.hint_search(until - LEAD - 0.1) is None and turns.hint_at == until - LEAD
    assert table.next_timeout() == until - LEAD
    search = table.turns.hint_search(until - LEAD)
    assert search is not None and search.view == table.view
    assert table.turns.hint_search(until - 1) is None and turns.hint_at == math.inf
    assert turns.timeout_action(until) is None and turns.clock.until == until + AGAIN
    table.turns.hint.found(search.place - 1, legal(table.view)[0])  # of another place
    assert turns.timeout_action(until + AGAIN) is None
    table.turns.hint.found(search.place, search.action())
    assert turns.timeout_action(until + 3 * AGAIN) == wanted
    assert turns.clock.until == math.inf
    # What the hint does not know is left to chance; in another's turn nothing is waited for.
    turns.clock.reset()
    turns.clock.start(search.place, until)
    table.turns.hint.found(search.place, None)
    assert turns.timeout_action(turns.clock.until) in legal(table.view)
    turns.ask_again()
    turns.clock.start(search.place, until)
    assert table.turns.hint_search(turns.clock.until) is not None  # anew: the log has gone back
    turns.clock.start(search.place - 1, until)
    assert turns.hint_at == math.inf and turns.timeout_action(turns.clock.until) is None
    assert turns.clock.until == math.inf


def test_the_players_own_file_notes_what_the_clock_has_chosen() -> None:
    """No entry tells it; the history of this player can."""
    for phase in (Phase.BID4, Phase.PLAY):
        net, table = paused(phase, rules=TIMED)
        seq = table.chain.next_seq
        table.effects()
        table.handle_timer(table.turns.clock.until)
        kept = [
            json.loads(one.data)
            for one in table.effects()
            if isinstance(one, Persist) and one.name == KEPT_CARDS
        ]
        assert [line["place"] for line in kept if line.get("clock")] == [seq]
        assert table.chain.entries[-1].entry.seq == seq and len(kept) == 1
    net, table = paused(Phase.PLAY, rules=TIMED)
    table.effects()
    table.act(legal(table.view)[0], net.now)
    chosen = [one.data for one in table.effects() if isinstance(one, Persist)]
    assert not any(b"clock" in data for data in chosen)


def test_no_repr_shows_what_a_hint_says() -> None:
    """It names a card of the player's own."""
    net, table = paused(Phase.PLAY, rules=TIMED)
    wanted = legal(table.view)[-1]
    hint, now = table.turns.hint, net.now + 30.0
    hint.choose = lambda view: wanted
    search = table.turns.hint_search(now)
    assert search is not None
    hint.found(search.place, search.action())
    assert hint.action(search.place, table.view) == wanted
    assert "Play" not in repr(hint) + repr(search) and "View" not in repr(search)


def test_a_player_who_can_pass_needs_no_hint() -> None:
    _, table = paused(rules=TIMED)
    until = table.turns.clock.until
    table.turns.hint.choose = lambda view: legal(view)[0]
    assert table.turns.hint_search(until - LEAD) is None and table.turns.hint_at == math.inf
    assert isinstance(table.turns.timeout_action(until), acts.Pass)


def test_a_hint_that_is_not_legal_is_not_played() -> None:
    _, table = paused(Phase.PLAY, rules=TIMED)
    table.turns.hint.choose = lambda view: acts.Pass(view.seat)
    assert table.turns.timeout_action(table.turns.clock.until) in legal(table.view)


def test_when_the_time_is_up_in_the_bidding_no_hint_bids() -> None:
    _, table = paused(rules=TIMED)
    assert any(isinstance(action, acts.Pass) for action in legal(table.view))
    table.turns.hint.choose = lambda view: acts.Bid(view.seat, 160)
    assert isinstance(table.turns.timeout_action(table.turns.clock.until), acts.Pass)


@pytest.mark.parametrize(
    "rules", [preset("online-4"), TIMED.override({"timeout": "random"})], ids=["online", "pagat"]
)
def test_where_the_rules_say_so_chance_plays(rules: Options) -> None:
    """The text that has the clock says: a random card."""
    _, table = paused(Phase.PLAY, rules=rules)
    found = set()
    for seed in range(12):
        turns = copy.deepcopy(table).turns
        turns.hint.choose = lambda view: legal(view)[0]
        turns._me.secrets.seed = bytes([seed]) * 32
        action = turns.timeout_action(turns.clock.until)
        assert action is not None
        found.add(legal(table.view).index(action))
    assert len(found) > 1


def test_in_an_exchange_the_cards_worth_least_go_and_no_trump() -> None:
    _, table = paused(Phase.EXCHANGE, rules=preset("online-3"))
    view = table.view
    points, exchanged = view.hand.options.pack.points, set()
    for seed in range(3):
        turns = copy.deepcopy(table).turns
        turns._me.secrets.seed = bytes([seed]) * 32
        action = turns.timeout_action(turns.clock.until)
        assert isinstance(action, acts.Exchange) and action.cards is not None
        exchanged.add(action.cards)
    (cards,) = exchanged
    plain = [card for card in view.cards if card.suit is not view.trump]
    assert sum(points[card] for card in cards) == sum(sorted(points[card] for card in plain)[:2])
    assert not any(card.suit is view.trump for card in cards) and len(plain) > 2


def test_a_game_for_points_can_play_what_the_hint_says() -> None:
    _, table = paused(Phase.PLAY, rules=preset("online-4").override({"timeout": "hint"}))
    wanted = legal(table.view)[-1]
    table.turns.hint.choose = lambda view: wanted
    assert table.turns.timeout_action(table.turns.clock.until) == wanted


def test_a_clock_that_runs_out_elsewhere_chooses_nothing() -> None:
    net, table = paused(rules=TIMED)
    until = table.turns.clock.until
    table.replica.blocked_from = table.chain.next_seq
    assert table.turns.timeout_action(until) is None
    net, table = paused(rules=TIMED)
    acted(table, net.now)
    assert table.turns.timeout_action(until) is None


def test_a_machine_wakes_for_its_clock_and_plays() -> None:
    _, table = paused(rules=TIMED)
    seq, until = table.chain.next_seq, table.turns.clock.until
    while table.chain.next_seq == seq:
        wake = table.next_timeout()
        assert wake is not None and wake <= until
        table.handle_timer(wake)
        table.effects()
    assert wake == until


def test_a_turn_has_its_seconds_once_and_a_new_place_new_ones() -> None:
    clock = TurnClock(30)
    assert not clock.take_timeout(5, 1000.0)
    clock.start(5, 10.0)
    clock.start(5, 20.0)
    assert clock.until == 40.0 and not clock.take_timeout(5, 39.9)
    assert clock.take_timeout(5, 40.0) and not clock.take_timeout(5, 41.0)
    clock.start(5, 50.0)
    assert clock.until == float("inf")
    clock.start(6, 50.0)
    assert clock.until == 80.0 and not clock.take_timeout(7, 80.0)
    clock.reset()
    clock.start(6, 90.0)
    assert clock.until == 120.0


def test_without_a_limit_no_clock_starts() -> None:
    clock = TurnClock(None)
    clock.start(5, 10.0)
    assert clock.until == float("inf") and not clock.take_timeout(5, 10.0**9)
