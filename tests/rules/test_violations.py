"""No violation is cheaper than losing the hand (`violation.worst`, `violation.void`)."""

from __future__ import annotations

import pytest
from walks import walk

from p2p304.rules.endings import broken_off
from p2p304.rules.hand import Hand
from p2p304.rules.options import Options
from p2p304.rules.presets import PRESETS, preset
from p2p304.rules.referee import Referee

GAMES = {
    **{name: one for name, one in PRESETS.items() if one.partner != "called"},
    "external 8": preset("pagat").override({"external_caps": 8}),
    "additive": preset("pagat").override({"wrong_caps": "additive"}),
}
"""With a called partner the sides are not known before the partner has played."""


def moments(seed: int, options: Options) -> tuple[list[Hand], Hand]:
    """A hand before each of its actions, and at its end."""
    referee, done = walk(seed, options)
    again = Referee(options, referee.hand.dealer, referee.dealt, referee.undealt)
    before = []
    for action in done:
        before.append(again.hand)
        again.act(action)
    return before, again.hand


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
        for hand in (one for one in before if one.maker == end.maker and one.bid == end.bid):
            for seat in range(options.seats):
                account = options.account(seat)
                paid = broken_off(hand, seat, "a violation")
                assert paid.tokens[account] <= end.result.tokens[account], (seed, seat)
                assert not paid.void
                compared += 1
    assert compared


def test_before_there_is_a_bid_two_tokens_are_paid() -> None:
    for name, options in PRESETS.items():
        paid = broken_off(Hand.start(options, 0), 1, "a violation")
        assert paid.tokens[options.account(1)] <= (-2 if options.score == "tokens" else 0), name
        assert not paid.void and max(paid.tokens) >= (0 if options.match == "bank" else 2)
