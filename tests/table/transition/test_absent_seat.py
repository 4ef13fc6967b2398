"""Which of an absent seat's cards the others open, at each step of its hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from p2p304.crypto.group import base
from p2p304.rules.core.phase import Phase
from p2p304.rules.variants.presets import preset
from p2p304.table.state.deal import SeatSlots, Slot
from p2p304.table.transition import absent_seat

HELD, LYING, EARLIER, LAST = (Slot(base(1), base(number)) for number in (2, 3, 4, 5))
KNOWN = Slot(base(1), base(6), preset("pagat").pack.cards[0])
ALONE = SeatSlots((HELD, None, KNOWN), None, (EARLIER, LAST))
MAKER = SeatSlots((HELD,), LYING, (EARLIER, LAST))


@pytest.mark.parametrize(
    ("seat", "held", "phase", "to_show", "opened"),
    [
        (1, ALONE, Phase.PLAY, (), (HELD,)),
        (1, MAKER, Phase.PLAY, (), (HELD, LYING)),
        (1, ALONE, Phase.ANNOUNCE, (1, 2), (HELD, LAST)),
        (1, ALONE, Phase.ANNOUNCE, (2, 1), (HELD,)),
        (1, ALONE, Phase.COUNT, (), (HELD, EARLIER, LAST)),
        (3, ALONE, Phase.PLAY, (), ()),
        (None, ALONE, Phase.PLAY, (), ()),
    ],
)
def test_only_what_its_part_of_the_hand_needs_is_opened(
    seat: int | None,
    held: SeatSlots,
    phase: Phase,
    to_show: tuple[int, ...],
    opened: tuple[Slot, ...],
) -> None:
    """The others sit at 0 and 2; seat 3 does not play."""
    hand: Any = SimpleNamespace(playing=(0, 1, 2), phase=phase, turn=1, ending=None, maker=0)
    deal: Any = SimpleNamespace(holdings=[held] * 4, to_show=lambda _: to_show)
    state: Any = SimpleNamespace(absent_seat=seat, open_deal=deal, open_hand=hand)
    assert absent_seat._unseen(state, hand, deal) == opened
    hand.turn = 0
    if phase is Phase.COUNT:
        assert absent_seat._unseen(state, hand, deal) == (HELD,)
