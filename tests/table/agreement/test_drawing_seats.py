"""Seats as cards decide them: the highest deals, the high ones sit against the low."""

from __future__ import annotations

import pytest

from p2p304.crypto.rng import Rng
from p2p304.rules.variants.presets import preset
from p2p304.table.agreement.terms import drawn_cards, seating_and_dealer
from p2p304.table.state import events
from p2p304.table.state.deal import gathered
from tests.support.table import simnet

PACK = preset("pagat").pack


def test_the_highest_card_deals_and_the_high_sit_against_the_low() -> None:
    options = preset("pagat").override({"seating": "draw"})
    seen = set()
    for seed in range(30):
        net = simnet.make(seed, rules=options)
        terms = net.tables[0].terms
        nonces = tuple(table.me.secrets.nonce for table in net.tables)
        seating, dealer = seating_and_dealer(terms, nonces)
        assert dealer == 0 and sorted(seating) == [0, 1, 2, 3]
        seen.add(seating)
    assert len(seen) > 8


def test_a_drawn_order_follows_the_cards() -> None:
    from p2p304.table.agreement.terms import _by_cards

    for seed in range(40):
        rng = Rng.from_seed(bytes([seed]) * 32)
        drawn = [PACK.cards[n] for n in rng.child(b"cards").permutation(32)[:4]]
        strength = [PACK.strength[drawn[player]] for player in _by_cards(rng, PACK, 4)]
        first, third, second, fourth = strength
        assert first >= second >= third >= fourth


@pytest.mark.parametrize("name", ["pagat", "six-24", "online-3"])
def test_every_player_is_told_which_cards_were_drawn(name: str) -> None:
    net = simnet.make(2, rules=preset(name).override({"seating": "draw"}))
    net.run(seconds=60, until=lambda: all(told for told in net.told))
    terms = net.tables[0].terms
    nonces = tuple(table.me.secrets.nonce for table in net.tables)
    drawn = drawn_cards(terms, nonces)
    pack = terms.rules.pack
    for told in net.told:
        (seated,) = (event for event in told if isinstance(event, events.Seated))
        nicks = [player.nick for player in terms.players]
        assert seated.cards == tuple(drawn[nicks.index(nick)] for nick in seated.nicks)
        strength = [pack.strength[card] for card in seated.cards]
        assert len(set(seated.cards)) == terms.rules.seats
        assert strength[seated.dealer] == max(strength)
        high, low = strength[::2], strength[1::2]
        assert min(high) >= max(low)


@pytest.mark.parametrize("seating", ["random", "chosen"])
def test_no_cards_are_told_where_none_were_drawn(seating: str) -> None:
    net = simnet.make(2, rules=preset("pagat").override({"seating": seating}))
    net.run(seconds=60, until=lambda: all(told for told in net.told))
    (seated,) = (event for event in net.told[0] if isinstance(event, events.Seated))
    assert seated.cards == ()


@pytest.mark.parametrize("name", ["pagat", "six-36", "online-3"])
def test_where_seats_are_chosen_nothing_is_drawn(name: str) -> None:
    """`deal.first`: whatever the nonces are, players sit in the agreement's order and the first
    seat deals, so that leaving draws nothing anew."""
    options = preset(name).override({"seating": "chosen"})
    terms = simnet.make(1, rules=options).tables[0].terms
    results = {
        seating_and_dealer(terms, tuple(bytes([seed, n]) * 16 for n in range(options.seats)))
        for seed in range(12)
    }
    assert results == {(tuple(range(options.seats)), 0)}


def test_the_first_seat_deals_where_seats_are_chosen() -> None:
    net = simnet.make(2, rules=preset("pagat").override({"seating": "chosen"}))
    net.run()
    for told in net.told:
        (seated,) = (event for event in told if isinstance(event, events.Seated))
        assert (seated.dealer, seated.drawn) == (0, False)
        assert events.HandBegan(1, 0) in told


def test_a_pack_is_gathered_only_where_every_card_is_known() -> None:
    net = simnet.make(3)
    net.run()
    assert net.tables[0].state is not None
    record = net.tables[0].state.last_record
    assert record is not None
    hand = record.hand
    cards = gathered(hand)
    whole = all(play.card for trick in hand.tricks for play in trick.plays)
    assert (len(cards) == 32) is (whole and len(hand.tricks) == 8)
    assert len(set(cards)) == len(cards)
