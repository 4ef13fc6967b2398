"""Lines of a player's own cards: which one tells what a player knew, and which tell nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from p2p304.crypto.signing import SigningKey
from p2p304.rules.core.cards import Card
from p2p304.rules.variants.presets import preset
from p2p304.table.player.kept_cards import KeptCards, view_kept
from p2p304.table.state.table import TableState
from tests.support.table import simnet

PLACE = 20
PACK = preset("pagat").pack
OWN, INDICATOR = PACK.cards[:3], PACK.cards[3]
FOREIGN = next(card for card in preset("tamil-904").pack.cards if card not in PACK.cards)


@cache
def dealt() -> tuple[TableState, bytes]:
    """A table in the middle of a hand, and the key of a player."""
    net = simnet.make_closed(2)
    net.come_to(PLACE)
    state = net.tables[0].state
    assert state is not None and state.hand is not None
    return state, net.keys[0]


def line(**fields: object) -> KeptCards:
    state, _ = dealt()
    made = KeptCards(state.number, PLACE, state.seat_of(0), OWN, None, ())
    return replace(made, **fields)  # type: ignore[arg-type]


def cards_of(*lines: KeptCards, key: bytes | None = None) -> frozenset[Card] | None:
    state, own = dealt()
    view = view_kept(lines, state, key or own, PLACE)
    return None if view is None else view.cards


def test_the_last_line_up_to_the_place_tells() -> None:
    earlier, later = line(cards=OWN[:1], place=PLACE - 1), line(place=PLACE + 1)
    assert cards_of(earlier, line(), later) == frozenset(OWN)
    assert cards_of(earlier, later) == frozenset(OWN[:1])
    assert cards_of(later) is None


def test_a_stranger_and_another_seat_are_told_nothing() -> None:
    state, _ = dealt()
    assert cards_of(line(), key=SigningKey.from_seed(bytes(32)).public) is None
    assert cards_of(line(seat=(state.seat_of(0) + 1) % 4)) is None


def test_all_cards_are_of_the_pack_the_indicator_too() -> None:
    state, own = dealt()
    view = view_kept([line(indicator=INDICATOR)], state, own, PLACE)
    assert view is not None and view.indicator == INDICATOR
    assert cards_of(line(cards=PACK.cards)) == frozenset(PACK.cards)
    assert cards_of(line(cards=(*OWN, FOREIGN))) is None
    assert cards_of(line(indicator=FOREIGN)) is None


def test_a_table_between_hands_tells_nothing() -> None:
    state, own = dealt()
    assert view_kept([line()], replace(state, hand=None), own, PLACE) is None
