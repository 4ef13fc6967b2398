"""No violation is cheaper than losing the hand (`violation.worst`, `violation.void`)."""

from __future__ import annotations

import json

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.notation import reader
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.phrases import verbatim
from p2p304.rules.play.engine import apply
from p2p304.rules.play.settlement import Charge, broken_off_result
from p2p304.rules.records.record import Record, read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.paths import PROTOCOL
from tests.support.reference.random_hands import walk

VIOLATION = Charge(verbatim("a violation"), verbatim("a violation"))
GAMES = {
    **PRESETS,
    "external 8": preset("pagat").override({"external_caps": 8}),
    "additive": preset("pagat").override({"wrong_caps": "additive"}),
    "called partners in tenths": preset("maharashtra").override({"tenths": "on"}),
}


def moments(seed: int, options: Options) -> tuple[list[Hand], Hand]:
    """A hand before each of its actions, and at its end."""
    referee, done = walk(seed, options)
    again = Referee(options, referee.hand.dealer, referee.dealt, referee.undealt)
    before = []
    for action in done:
        before.append(again.hand)
        again.act(action)
    return before, again.hand


def highest(hand: Hand) -> tuple[int | None, int]:
    """Who has bid most so far, and how much."""
    auction = hand.auction
    bids = [(auction.high, auction.bidder), (hand.bid, hand.maker)]
    most, bidder = max(bids, key=lambda one: one[0])
    return bidder, most


def caps_records() -> list[Record]:
    """The published hands about Caps."""
    path = PROTOCOL / "vectors" / "rules" / "caps.json"
    cases = json.loads(path.read_text())
    return [
        read_record(json.dumps(case["record"]))
        for case in cases
        if case["expect"].get("status") == "complete"
    ]


@pytest.mark.parametrize("violation", ["pay", "void"])
@pytest.mark.parametrize("name", GAMES)
def test_at_no_moment_of_the_play_is_a_violation_cheaper_than_losing(
    name: str, violation: str
) -> None:
    options = GAMES[name].override({"violation": violation})
    compared = 0
    for seed in range(12):
        before, end = moments(seed, options)
        if end.result is None or end.result.void:
            continue
        for hand in (one for one in before if highest(one) == (end.maker, end.bid)):
            for seat in range(options.seats):
                account = options.account(seat)
                paid = broken_off_result(hand, seat, VIOLATION)
                assert paid.tokens[account] <= end.result.tokens[account], (seed, seat)
                assert not paid.void
                if options.tenths and violation == "pay" and end.result.points:
                    assert paid.points is not None
                    assert paid.points[account] <= end.result.points[account]
                    assert max(paid.points) >= max(end.result.points)
                compared += 1
    assert compared


def test_before_there_is_a_bid_two_tokens_or_what_the_least_bid_wins_are_paid() -> None:
    for name, options in PRESETS.items():
        paid = broken_off_result(Hand.start(options, 0), 1, VIOLATION)
        assert paid.tokens[options.account(1)] <= (-2 if options.score == "tokens" else 0), name
        least = 5 if options.score == "online" else 2
        assert not paid.void and max(paid.tokens) >= (0 if options.match == "bank" else least)


def test_who_has_bid_highest_so_far_stands_for_the_trump_maker() -> None:
    """In either round, also where the old bid is only equalled."""
    options = preset("pagat").override({"external_caps": 8})
    hand = apply(Hand.start(options, 0), acts.Bid(1, 160))
    assert broken_off_result(hand, 1, VIOLATION).tokens == (10, -10)
    assert broken_off_result(hand, 2, VIOLATION).tokens == (-3, 3)
    once = preset("pagat").override({"bid8.min": "equal_ok"})
    hand = apply(Hand.start(once, 0), acts.Bid(1, 260))
    for seat in (2, 3, 0):
        hand = apply(hand, acts.Pass(seat))
    hand = apply(apply(hand, acts.LayTrump(1)), acts.Pass(1))
    hand = apply(hand, acts.Bid(2, 260))
    assert broken_off_result(hand, 2, VIOLATION).tokens == (-6, 6)
    assert broken_off_result(hand, 1, VIOLATION).tokens == (5, -5)


def test_a_trick_that_waits_for_its_announcement_has_no_winner_yet() -> None:
    """So the eight of External Caps is still at stake after a first trick that may be anybody's."""
    options, found = preset("pagat").override({"external_caps": 8}), 0
    for seed in range(40):
        ended = moments(seed, options)[1]
        hand = Hand.start(options, ended.dealer)
        for action in ended.history:
            hand = apply(hand, action)
            waits = hand.phase is Phase.ANNOUNCE and hand.tricks[-1].winner is None
            if waits and len(hand.tricks) == 1 and hand.bid < acts.PCC and hand.maker is not None:
                paid = broken_off_result(hand, hand.maker, VIOLATION)
                assert paid.tokens[options.account(hand.maker)] == -10
                found += 1
    assert found


def test_in_tenths_each_of_the_others_counts_the_pack_where_there_are_no_fixed_sides() -> None:
    for options, points in (
        (preset("tenths"), (304, 0)),
        (preset("maharashtra").override({"tenths": "on"}), (304, 0, 304, 304)),
    ):
        assert broken_off_result(Hand.start(options, 0), 1, VIOLATION).points == points


@pytest.mark.parametrize("name", PRESETS)
def test_where_a_violation_voids_the_hand_the_same_dealer_deals_again_at_any_time(
    name: str,
) -> None:
    for violation in ("pay", "void"):
        options = PRESETS[name].override({"violation": violation})
        before, _ = moments(1, options)
        for hand in before:
            paid = broken_off_result(hand, 1, VIOLATION)
            assert paid.next_dealer == (hand.dealer if violation == "void" else hand.first)
            assert violation == "pay" or paid.points is None


@pytest.mark.parametrize("name", [name for name, one in PRESETS.items() if one.partner != "across"])
def test_where_there_are_no_lasting_partners_nobody_gains_by_an_accomplice_who_offends(
    name: str,
) -> None:
    """Two who share what they win: none of them leaves so that the others pay both of them."""
    options = PRESETS[name]
    if options.seats == 2:
        return
    for seed in range(12):
        before, end = moments(seed, options)
        if end.result is None or end.result.void:
            continue
        for hand in (one for one in before if highest(one) == (end.maker, end.bid)):
            for offender in range(options.seats):
                paid = broken_off_result(hand, offender, VIOLATION).tokens
                rest = [paid[seat] for seat in range(options.seats) if seat != offender]
                assert len(set(rest)) == 1 and rest[0] > 0 > paid[offender] - rest[0]
                for friend in range(options.seats):
                    both = end.result.tokens[offender] + end.result.tokens[friend]
                    alike = options.score == "tokens" and friend != offender
                    assert not alike or paid[offender] + paid[friend] < both


def test_external_caps_of_eight_is_not_escaped_once_it_is_called() -> None:
    """At the count: the trump maker's side leaves before its cards are opened."""
    found = 0
    for record in caps_records():
        options = record.options.override({"external_caps": 8})
        referee = Referee(options, record.dealer, record.hands, record.pile, alone=True)
        read = reader(options.seats, False)
        for said in record.actions:
            referee.act(read[said])
        end = referee.hand.result
        if end is None or end.caps is None or end.caps.by in referee.hand.makers:
            continue
        hand = Hand.start(options, record.dealer)
        for action in referee.hand.history:
            hand = apply(hand, action)
            if hand.ending is not None and hand.result is None and hand.maker is not None:
                account = options.account(hand.maker)
                paid = broken_off_result(hand, hand.maker, VIOLATION)
                assert paid.tokens[account] < end.tokens[account]
                found += end.tokens[account] == -8
    assert found
