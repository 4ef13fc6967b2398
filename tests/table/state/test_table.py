"""What follows from a table's public state: who sits where, who has the floor by a claim, and
when the table has been played to its end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2p304.rules.core.phrases import verbatim
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from p2p304.rules.variants.absence import PLAY_OUT, REPLACE
from p2p304.rules.variants.presets import preset
from p2p304.table.state import deal as dealing
from p2p304.table.state.table import AbsentHand, TableState, first_state
from p2p304.table.transition.actions import after_hand
from tests.support.table import simnet

PAGAT = preset("pagat")


def begun(hands: int = 0, away: str = "wait", name: str = "pagat") -> TableState:
    rules = preset(name).override({"away": away})
    return first_state(simnet.make(1, hands=hands, rules=rules).tables[0].terms)


def after_one_more(state: TableState, void: bool) -> TableState:
    result = Result(void, (0, 0), verbatim("so"), 1)
    after, _ = after_hand(replace(state, hand=Hand.start(PAGAT, 0)), result)
    assert after.last_record is not None and after.last_record.result is result
    return after


def test_a_table_begins_with_nothing_dealt_drawn_or_claimed() -> None:
    state = begun()
    assert (state.dealer, state.number, state.is_over, state.claim) == (0, 0, False, None)
    assert not (state.nonces or state.seating or state.last_record or state.boxes)
    assert state.absent_seat is None and state.seats == 4 and state.table == state.terms.table
    assert state.hands_played == 0 and not state.is_played_to_its_end
    for what in ("open_deal", "open_hand"):
        with pytest.raises(LookupError):
            getattr(state, what)
    deal = dealing.begin(state.table, 1, 0, PAGAT)
    assert state.with_deal(deal).open_deal is deal


@pytest.mark.parametrize(("away", "shares"), [("wait", 0), (REPLACE, 0), (PLAY_OUT, 3)])
def test_keys_are_shared_exactly_where_hands_are_played_out(away: str, shares: int) -> None:
    state = begun(away=away)
    assert state.plays_out == (away == PLAY_OUT) and state.share_count == shares


def test_players_sit_as_they_were_drawn_and_before_that_in_the_agreements_order() -> None:
    state = begun()
    assert [state.seat_of(n) for n in range(4)] == [state.player_on(n) for n in range(4)]
    assert [state.seat_of(n) for n in range(4)] == [0, 1, 2, 3]
    assert state.partners_of(1) == ()
    drawn = replace(state, seating=(2, 0, 3, 1))
    assert [drawn.player_on(seat) for seat in range(4)] == [2, 0, 3, 1]
    assert [drawn.seat_of(player) for player in range(4)] == [1, 3, 0, 2]
    assert [drawn.partners_of(player) for player in range(4)] == [(1,), (0,), (3,), (2,)]
    assert drawn.nick_on(0) == simnet.NICKS[2] and state.nick_on(0) == simnet.NICKS[0]
    assert replace(drawn, absent_hand=AbsentHand(3)).absent_seat == 2


def test_three_partners_share_an_account_and_players_for_themselves_have_none() -> None:
    six = begun(name="six-36")
    sides = replace(six, seating=tuple(range(6)))
    assert sides.partners_of(1) == (3, 5)
    three = begun(name="online-3")
    assert replace(three, seating=(0, 1, 2)).partners_of(1) == ()


@pytest.mark.parametrize(
    ("direction", "dealer", "left"), [("ccw", 2, 1), ("ccw", 0, 3), ("cw", 2, 3), ("cw", 3, 0)]
)
def test_the_player_to_the_dealers_left_cuts(direction: str, dealer: int, left: int) -> None:
    rules = PAGAT.override({"direction": direction})
    state = first_state(simnet.make(1, rules=rules).tables[0].terms)
    assert state.with_deal(dealing.begin(state.table, 1, dealer, rules)).cutter == left


def test_the_first_claim_has_the_floor() -> None:
    state = replace(begun(), claims=((2, "caps"), (3, "spoilt")))
    assert state.claim == (2, "caps")


def test_a_table_ends_after_the_hands_agreed_of_which_void_ones_do_not_count() -> None:
    at = [begun(hands=2)]
    for void in (False, True, False, False):
        at.append(after_one_more(at[-1], void))
    assert [each.hands_played for each in at] == [0, 1, 1, 2, 3]
    assert [each.is_played_to_its_end for each in at] == [False, False, False, True, True]
    endless = replace(begun(), hands_played=1)
    assert not endless.is_played_to_its_end
    lost = replace(endless.match, tokens=(0, sum(endless.match.tokens)))
    assert replace(endless, match=lost).is_played_to_its_end
