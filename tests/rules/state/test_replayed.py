"""What a hand says of itself at every step, against the cards of a referee and plain counts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import Action, Play
from p2p304.rules.core.cards import card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.tricks import Trick
from p2p304.rules.play import engine
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import walk

SEEDS = range(12)


def steps(name: str) -> Iterator[tuple[Referee, Action | None]]:
    """Random hands at every step, each with the action that has just been done."""
    for seed in SEEDS:
        kept, done = walk(seed, preset(name))
        referee = Referee(kept.hand.options, kept.hand.dealer, kept.dealt, kept.undealt)
        yield referee, None
        for action in done:
            referee.act(action)
            yield referee, action


def dealt_so_far(hand: Hand) -> int:
    """Cards of each seat by the batches that are out: the second comes with its own round."""
    first, whole = hand.options.batches[0], hand.options.hand_size
    if hand.auction.full or hand.closed is not None or hand.plays or hand.completed_tricks:
        return first if hand.bid == acts.HALF_COURT else whole
    return first


@pytest.mark.parametrize("name", PRESETS)
def test_cards_left_are_those_in_the_hand(name: str) -> None:
    for referee, _ in steps(name):
        hand = referee.hand
        if hand.phase is Phase.OVER:
            continue
        for seat in range(hand.options.seats):
            assert hand.cards_left(seat) == len(referee.held[seat]), (hand, seat)


@pytest.mark.parametrize("name", PRESETS)
def test_batches_are_as_many_as_are_out(name: str) -> None:
    for referee, _ in steps(name):
        hand = referee.hand
        early = hand.phase in (Phase.BID4, Phase.TRUMP4) or hand.bid == acts.HALF_COURT
        nobody_bid = hand.phase is Phase.OVER and hand.bid == 0
        assert hand.batches == (1 if early or nobody_bid else len(hand.options.batches))
        if hand.phase is Phase.PLAY:
            assert sum(hand.options.batches[: hand.batches]) == dealt_so_far(hand)
        tricks = hand.options.batches[0] if hand.bid == acts.HALF_COURT else hand.options.tricks
        assert hand.tricks_due == tricks


@pytest.mark.parametrize("name", PRESETS)
def test_each_seat_counts_what_nobody_has_seen(name: str) -> None:
    for seed in SEEDS:
        referee, _ = walk(seed, preset(name))
        hand = referee.hand.restarted()
        for action in referee.hand.history:
            if isinstance(action, acts.Count):
                assert hand.owes_count(action.seat) == len(action.cards)
            hand = engine.apply(hand, action)
            if isinstance(action, acts.Count):
                assert hand.owes_count(action.seat) == 0


@pytest.mark.parametrize("name", PRESETS)
def test_high_bids_show_the_indicator_at_the_end_of_the_first_trick(name: str) -> None:
    for referee, _ in steps(name):
        hand = referee.hand
        high = hand.bid >= hand.options.second and hand.options.open_after_250
        assert hand.must_show_early == (high and hand.trump is None)
        number = len(hand.tricks)
        assert hand.must_show_after_first == (hand.must_show_early and number == 1)
        for seat in range(hand.options.seats):
            assert hand.has_lying_indicator(seat) == (hand.indicator_down and seat == hand.maker)


@pytest.mark.parametrize(
    ("name", "bid", "leads"),
    [
        ("pagat", 300, False),
        ("pagat", acts.PCC, True),
        ("online-4", 300, False),
        ("online-4", 303, False),
        ("online-4", 304, True),
        ("half-court", acts.HALF_COURT, True),
        ("tamil-504", 330, False),
        ("tamil-904", 740, False),
    ],
)
def test_the_maker_of_the_highest_bids_leads(name: str, bid: int, leads: bool) -> None:
    hand = Hand.start(preset(name), 3)
    assert hand.first == (3 + 1) % hand.options.seats
    assert hand.first_leader == hand.leader == hand.first
    hand.bid, hand.maker = bid, 2
    assert hand.first_leader == (2 if leads else hand.first)


def test_spoilt_trumps_are_counted_by_the_other_side_and_the_indicator_by_its_owner() -> None:
    hand = Hand.start(preset("pagat"), 3)
    hand.phase, hand.bid, hand.maker, hand.indicator_down = Phase.COUNT, 160, 1, True
    hand.ending = acts.Spoilt(0)
    assert [hand.owes_count(seat) for seat in range(4)] == [8, 1, 8, 0]
    hand.opened = {0: ()}
    assert [hand.owes_count(seat) for seat in range(4)] == [0, 1, 8, 0]
    hand.ending = None
    assert [hand.owes_count(seat) for seat in range(4)] == [0, 0, 0, 0]
    hand.ending = acts.Caps(0, ())
    assert [hand.owes_count(seat) for seat in range(4)] == [0, 8, 8, 8]


@pytest.mark.parametrize(
    ("reveal", "own", "turned_up"),
    [
        ("others", Play(1, None, True), (2,)),
        ("all", Play(1, None, True), (2, 1)),
        ("all", Play(1, None, True, indicator=True), (2,)),
        ("all", Play(1, card("8C")), (2,)),
    ],
)
def test_after_a_trick_the_trump_maker_is_shown_the_others_face_down_cards(
    reveal: str, own: Play, turned_up: tuple[int, ...]
) -> None:
    """A cut turns them up, and where all are the trump maker's own but the indicator."""
    hand = Hand.start(preset("pagat").override({"reveal": reveal}), 3)
    assert (hand.bid, hand.closed, hand.to_inspect) == (0, None, ())
    first = tuple(Play(seat, card(name)) for seat, name in enumerate(("JD", "9D", "AD", "TD")))
    hand.completed_tricks = (Trick(0, first, 0),)
    hand.plays = (Play(0, card("JC")), own, Play(2, None, True), Play(3, card("9C")))
    hand.phase, hand.maker = Phase.ANNOUNCE, 1
    assert hand.to_inspect == (2,)
    assert hand.to_turn_up == turned_up
