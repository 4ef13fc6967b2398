"""A short overhand shuffle: every way to cut the pack is as likely as any other."""

from __future__ import annotations

from itertools import combinations

import pytest

from p2p304.crypto.rng import Rng
from p2p304.table.player.overhand import PACKETS, new_places, overhand

COUNT, FEW = 6, 3


def test_every_choice_of_places_to_cut_comes_up_and_no_other() -> None:
    ways = {new_places((0, *cuts, COUNT)) for cuts in combinations(range(1, COUNT), FEW - 1)}
    found = {overhand(Rng.from_seed(bytes([n]) * 32), COUNT, FEW) for n in range(200)}
    assert found == ways and len(ways) == 10


def test_packets_change_their_order_and_cards_in_a_packet_do_not() -> None:
    assert new_places((0, 2, 3, 6)) == (4, 5, 3, 0, 1, 2)
    assert new_places((0, 4)) == (0, 1, 2, 3)


def test_a_pack_has_a_card_for_every_packet() -> None:
    rng = Rng.from_seed(bytes(32))
    assert overhand(rng, 3, 3) == (2, 1, 0) and overhand(rng, 1, 1) == (0,)
    for packets in (0, 4):
        with pytest.raises(ValueError, match="packet"):
            overhand(rng, 3, packets)
    assert len(overhand(rng, 32)) == 32 and PACKETS == 5
