"""Reasons of a hint: what is said of a bid is what the table of bids says."""

from __future__ import annotations

import pytest

from p2p304.bots.bidding_table import chances
from p2p304.bots.club import ClubBot
from p2p304.frontends.hints import reason
from p2p304.rules.core.cards import card
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset


@pytest.mark.parametrize(
    ("names", "game", "told"),
    [
        ("JS 9S AS KS", "pagat", True),
        ("KS QH TD AC", "pagat", True),
        ("JS 9S AS KS", "tamil-304", False),
    ],
)
def test_a_bid_is_explained_by_its_chance_where_that_is_known(
    names: str, game: str, told: bool
) -> None:
    rules = preset(game)
    mine = [card(name) for name in names.split()]
    rest = [one for one in rules.pack.cards if one not in mine]
    referee = Referee(rules, 0, [rest[:8], [*mine, *rest[8:12]], rest[12:20], rest[20:]])
    view = referee.view(1)
    said = str(reason(view, ClubBot().choose(view)))
    assert ("In practice deals" in said) is told
    if told:
        found = chances(mine)
        assert found is not None
        assert f"make 160 in {round(found.of(160) * 100)} of 100" in said
