"""What a trump maker's bid says of its cards."""

from __future__ import annotations

import pytest

from p2p304.bots.search.inference import first_cards
from p2p304.rules.core.actions import HALF_COURT, Bid, LayTrump, Pass
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset


@pytest.mark.parametrize(
    ("game", "first", "second", "cards"),
    [
        ("pagat", 160, None, 4),
        ("pagat", 160, 250, 8),
        ("tamil-304", 160, None, 8),
        ("half-court", HALF_COURT, None, 4),
        ("maharashtra", HALF_COURT, None, 4),
        ("maharashtra", 160, None, 8),
        ("doso-viso", 160, None, 8),
        ("six-36", 160, 250, 6),
    ],
)
def test_trumps_are_chosen_with_the_cards_that_were_dealt_by_then(
    game: str, first: int, second: int | None, cards: int
) -> None:
    rules = preset(game)
    pack, size = list(rules.pack.cards), rules.hand_size
    hands = [pack[at :: rules.seats][:size] for at in range(rules.seats)]
    referee, wanted = Referee(rules, 0, hands), [first, second]
    while (seat := referee.hand.turn) is not None:
        view, hand = referee.view(seat), referee.hand
        if hand.phase in (Phase.TRUMP4, Phase.TRUMP8):
            referee.act(LayTrump(seat, next(iter(sorted(view.cards, key=str)))))
        elif hand.phase not in (Phase.BID4, Phase.BID8):
            break
        else:
            amount = wanted[hand.auction.second]
            is_due = amount is not None and hand.auction.bidder is None
            if hand.auction.courts:
                is_due = is_due and amount == HALF_COURT
            referee.act(Bid(seat, amount) if is_due and amount else Pass(seat))
    assert first_cards(referee.hand) == cards
