"""`shuffle=minimal`: the pack as the tricks fell, a short overhand shuffle by every player."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import prod

import pytest

from p2p304.crypto.group import Element, G, Q, base, mul
from p2p304.crypto.rng import Rng
from p2p304.crypto.shuffle import ShuffleStatement, prove_shuffle, verify_shuffle
from p2p304.log.faults import Refused
from p2p304.offline.audit import audit
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.options import OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.player.keyring import Secrets
from p2p304.table.player.overhand import PACKETS, new_places, overhand
from p2p304.table.proofs import checks
from p2p304.table.proofs.statements import Binding
from p2p304.table.state.deal import begin, card_elements, gathered
from p2p304.table.state.table import TableState
from p2p304.wire.canonical import Value
from scripts.benchmarks.overhand import EFFORT, dealt, known_to, measured
from scripts.benchmarks.overhand_inference import (
    Effort,
    Known,
    an_order,
    chained,
    layered,
    posterior,
    weighed,
)
from tests.support.cheats.games import GAMES
from tests.support.reference.random_hands import walk
from tests.support.table import simnet

# The shuffle itself


def test_packets_change_their_order_and_keep_their_own() -> None:
    assert new_places((0, 2, 5, 6)) == (4, 5, 1, 2, 3, 0)
    assert new_places((0, 4)) == (0, 1, 2, 3)
    assert new_places((0, 1, 2, 3)) == (2, 1, 0)


@pytest.mark.parametrize("count", [24, 32, 36, 40])
def test_an_overhand_shuffle_is_a_permutation_of_few_packets(count: int) -> None:
    for number in range(50):
        order = overhand(Rng.from_seed(bytes([number]) * 32), count)
        assert sorted(order) == list(range(count))
        breaks = sum(b != a + 1 for a, b in itertools.pairwise(order))
        assert breaks == PACKETS - 1


def test_every_choice_of_cuts_is_about_equally_frequent() -> None:
    rng = Rng.from_seed(bytes(32))
    seen = Counter(overhand(rng.child(n.to_bytes(4, "big")), 6, 3) for n in range(5000))
    assert len(seen) == 10 and max(seen.values()) < 1.3 * min(seen.values())


def test_more_packets_than_cards_are_refused() -> None:
    with pytest.raises(ValueError, match="card for every packet"):
        overhand(Rng.from_seed(bytes(32)), 3, 4)
    with pytest.raises(ValueError, match="card for every packet"):
        overhand(Rng.from_seed(bytes(32)), 3, 0)
    assert overhand(Rng.from_seed(bytes(32)), 3, 3) == (2, 1, 0), "a packet for every card"
    assert overhand(Rng.from_seed(bytes(32)), 3, 1) == (0, 1, 2)


# Which packs are gathered


@pytest.mark.parametrize("name", [name for name in PRESETS if preset(name).stock != "exchange"])
def test_every_preset_has_hands_after_which_the_pack_is_gathered(name: str) -> None:
    rules = preset(name).override({"shuffle": "minimal"})
    wholes = [gathered(walk(seed, rules)[0].hand) for seed in range(60)]
    assert any(wholes)
    for whole in filter(None, wholes):
        assert sorted(c.name for c in whole) == sorted(c.name for c in rules.pack.cards)
    order = next(filter(None, wholes))
    deal = begin(bytes(32), 2, 0, rules, order)
    known = card_elements(bytes(32), 2, rules.pack)
    assert deal.gathered
    assert deal.deck == tuple(known[rules.pack.cards.index(card)] for card in order)


def test_a_pack_of_which_a_card_stayed_unknown_is_not_gathered() -> None:
    rules = preset("pagat").override({"shuffle": "minimal"})
    whole = next(hand for seed in range(60) if gathered(hand := walk(seed, rules)[0].hand))
    last = whole.completed_tricks[-1]
    hidden = last._replace(plays=(*last.plays[:-1], replace(last.plays[-1], card=None)))
    assert not gathered(replace(whole, completed_tricks=(*whole.completed_tricks[:-1], hidden)))
    assert not gathered(replace(whole, completed_tricks=whole.completed_tricks[:-1]))
    assert not gathered(Hand.start(rules, 0))


def test_a_game_in_which_cards_stay_unknown_has_no_minimal_shuffle() -> None:
    with pytest.raises(OptionsError, match="every card is played"):
        preset("online-3").override({"shuffle": "minimal"})


def test_a_hand_that_caps_ends_is_gathered_with_what_was_not_played() -> None:
    net = GAMES["caps, trumps alone"]()
    net.run()
    state = net.tables[0].state
    assert state is not None and state.last_record is not None
    hand = state.last_record.hand
    played = [play.card for trick in hand.tricks for play in trick.plays]
    whole = gathered(hand)
    assert hand.ending is not None and 0 < len(played) < 32
    assert list(whole[: len(played)]) == played and len(set(whole)) == 32


# At the table


def second_hand() -> tuple[simnet.Net, TableState]:
    """A game whose second hand is dealt from a gathered pack, just after the shuffles."""
    net = GAMES["gathering 1"]()

    def there() -> bool:
        state = net.tables[0].state
        deal = None if state is None or state.number != 2 else state.deal
        return deal is not None and deal.is_shuffled

    net.run(until=there)
    state = net.tables[0].state
    assert state is not None and state.open_deal.gathered
    return net, state


@cache
def orders_of_the_second_hand() -> tuple[list[str], list[str]]:
    """The gathered pack, and how it lies after all have shuffled, from the players' secrets."""
    net, state = second_hand()
    assert state.last_record is not None
    order = gathered(state.last_record.hand)
    orders = [table.me.secrets.overhand(2, 32) for table in net.tables]
    turn = sorted(range(4), key=lambda n: (net.tables[n].seat - state.dealer) % 4)
    lies = [""] * 32
    for card in range(32):
        place = card
        for number in turn:
            place = orders[number][place]
        lies[place] = order[card].name
    return [card.name for card in order], lies


def test_the_pack_is_no_longer_one_cut_of_a_known_order() -> None:
    order, lies = orders_of_the_second_hand()
    assert sorted(lies) == sorted(order)
    assert all(lies[n:] + lies[:n] != order for n in range(32))


def test_part_of_the_order_survives() -> None:
    order, lies = orders_of_the_second_hand()
    kept = sum((order.index(b) - order.index(a)) % 32 == 1 for a, b in itertools.pairwise(lies))
    assert kept > 8


def test_whoever_shuffles_thoroughly_all_the_same_is_honest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def thorough(secrets: Secrets, number: int, count: int) -> tuple[int, ...]:
        return secrets.order(number, 0, count)

    monkeypatch.setattr(Secrets, "overhand", thorough)
    net, _ = second_hand()
    net.run()
    assert net.finished and audit(net.transcripts[0]).sound


# What a card shows of its way through the shuffles


def dealt_in_hand(number: int) -> tuple[simnet.Net, TableState]:
    """The same game, in this hand, when all cards are dealt."""
    net = GAMES["gathering 1"]()

    def there() -> bool:
        state = net.tables[0].state
        deal = None if state is None or state.number != number else state.deal
        return deal is not None and deal.dealt == len(deal.batches)

    net.run(until=there)
    assert net.tables[0].state is not None
    return net, net.tables[0].state


def stripped(element: Element, locks: Sequence[int]) -> Element:
    return mul(prod(locks) % Q, element) if locks else element


def recognised(number: int, observers: frozenset[int]) -> int:
    """How many elements that show while the cards are unlocked observers (seats) find, by their
    own keys alone, in a deck that somebody else has shuffled after it; the cards that they know
    themselves not counted."""
    net, state = dealt_in_hand(number)
    deal, tables = state.open_deal, {table.seat: table for table in net.tables}
    entries = [signed.entry for signed in net.tables[0].chain.entries]
    shuffles = [entry for entry in entries if entry.kind == "shuffle"][-deal.shuffled :]
    unlocks = [e for e in entries if e.kind == "unlock"][-len(deal.batches) * deal.seats :]
    order = [state.seat_of(entry.author) for entry in shuffles]
    last = max(n for n, seat in enumerate(order) if seat not in observers)
    locks: dict[int | None, int] = {}
    seen: set[Element] = set()
    for n, (seat, entry) in enumerate(zip(order, shuffles, strict=True)):
        secrets = tables[seat].me.secrets
        first = deal.gathered and n < deal.seats
        locks[seat] = (secrets.first_lock if first else secrets.deck_key)(number)
        own = [lock for who, lock in locks.items() if who in observers]
        if n < last:
            seen |= {stripped(card, own) for card in elements(entry.body["deck"])}
    shown: set[Element] = set()
    for entry in unlocks:
        for own in subsets([locks[seat] for seat in observers]):
            shown |= {stripped(card, own) for card in elements(entry.body["cards"])}
    return len(seen & shown - set(deal.elements))


def subsets(items: Sequence[int]) -> list[list[int]]:
    return [list(some) for n in range(len(items) + 1) for some in itertools.combinations(items, n)]


def elements(value: Value) -> list[Element]:
    assert isinstance(value, list)
    return [Element(item) for item in value if isinstance(item, bytes)]


@pytest.mark.parametrize("observers", [(), (0,), (1,), (2,), (3,), (0, 2), (1, 3), (0, 1, 2)])
def test_no_card_shows_where_it_lay_in_the_midst_of_the_shuffles(
    observers: tuple[int, ...],
) -> None:
    """Otherwise the few packets of each shuffle could be told one by one. The search finds such
    cards where the pack goes round once, as in the first hand: there they tell nothing, because an
    honest player's own shuffle is uniform."""
    assert not recognised(2, frozenset(observers))
    if len(observers) < 3:
        assert recognised(1, frozenset(observers)) >= 8


def test_the_first_lock_comes_off_in_the_second_round() -> None:
    """A deck that is only locked once more holds other elements than its keys say."""
    _, state = second_hand()
    deal, seat, u = state.open_deal, state.open_deal.dealer, 77
    deck = tuple(mul(pow(u, -1, Q), card) for card in deal.deck)
    at = Binding(state.table, deal.number, 9, bytes(32), seat)
    kept = ShuffleStatement(base=G, image=base(u), X=deck, Y=deal.deck)
    order = tuple(range(len(deck)))
    proof = prove_shuffle(kept, u, order, at.context(b"shuffle"), Rng.from_seed(bytes(32)))
    assert verify_shuffle(kept, proof, at.context(b"shuffle"))
    with pytest.raises(Refused) as refused:
        checks.check_deck_is_shuffled(deal, seat, base(u), deck, proof, at)
    assert refused.value.finding.check == "D05"


# What can be inferred


def small_case(chance: random.Random, count: int, packets: int, unknown: int, cards: int) -> Known:
    """What a player knows who does not know so many shuffles of a small pack."""
    orders = [an_order(chance, count, packets) for _ in range(2 * unknown + 1)]
    own = tuple(chance.sample(range(count), cards))
    places = chained(count, orders)
    return Known(tuple(orders[::2]), own, tuple(places[card] for card in own), count)


def by_brute_force(known: Known, packets: int) -> list[list[float]]:
    """The posterior from trying every choice of the unknown shuffles."""
    count = known.count
    cuts = itertools.combinations(range(1, count), packets - 1)
    every = [new_places((0, *places, count)) for places in cuts]
    found = [[0] * count for _ in range(count)]
    for ways in itertools.product(every, repeat=len(known.stretches) - 1):
        between = zip(ways, known.stretches[1:], strict=True)
        places = chained(count, (known.stretches[0], *itertools.chain(*between)))
        if all(places[card] == end for card, end in zip(known.cards, known.ends, strict=True)):
            for card, place in enumerate(places):
                found[card][place] += 1
    total = sum(found[0])
    return [[ways / total for ways in row] for row in found]


@pytest.mark.parametrize(
    "case",
    [
        (8, 3, 3, 3),
        (7, 4, 3, 2),
        (9, 2, 3, 3),
        (6, 3, 3, 0),
        (8, 3, 2, 3),
        (9, 4, 2, 4),
        (10, 5, 2, 5),
        (8, 3, 1, 4),
        (12, 5, 1, 6),
        (12, 4, 1, 0),
    ],
)
def test_the_inference_is_the_exact_posterior_of_a_small_pack(
    case: tuple[int, int, int, int],
) -> None:
    chance = random.Random(str(case))
    exact = Effort(lists=(1_000,), pairs=10**6)
    for _ in range(4):
        known = small_case(chance, *case)
        assert posterior(known, case[1], chance, exact) == by_brute_force(known, case[1])


def test_drawn_pairs_give_the_exact_posterior_in_the_mean() -> None:
    chance = random.Random(7)
    known = small_case(chance, 10, 4, 3, 3)
    exact = posterior(known, 4, chance, Effort(lists=(1_000,), pairs=10**6))
    few = Effort(lists=(1_000,), pairs=80)
    runs = [posterior(known, 4, chance, few) for _ in range(60)]
    for card, place in itertools.product(range(10), repeat=2):
        assert abs(sum(run[card][place] for run in runs) / 60 - exact[card][place]) < 0.03


def test_drawn_pairs_stand_for_all_pairs_of_their_layer() -> None:
    chance = random.Random(7)
    starts, ends = ([an_order(chance, 12, 4)[:3] for _ in range(60)] for _ in range(2))
    layers = layered(starts, ends, 12, 4)
    drawn = list(weighed(layers, starts, ends, 12, 4, 50, chance))
    assert len(layers) > 1 and len(drawn) < sum(map(len, layers.values()))
    for pairs in layers.values():
        told = sum(share for n, m, share in drawn if (n, m) in pairs)
        assert told == pytest.approx(len(pairs))


def test_three_of_four_find_the_only_shuffle_that_they_do_not_know() -> None:
    chance = random.Random(3)
    deal = dealt(chance, 5)
    known = known_to(deal, (0, 1, 2), 2)
    found = posterior(known, 5, chance, EFFORT)
    assert all(found[card][(p + deal.cut) % 32] > 0 for p, card in enumerate(deal.lies))
    assert all(abs(sum(row) - 1) < 1e-9 for row in found)


def test_the_inference_beats_chance_and_more_packets_hide_more() -> None:
    what = "two partners, all cards"
    few, many = (measured(k, 10, situations=[what])[what] for k in (3, 5))
    assert few["named"] > many["named"] > 3 * many["named_by_chance"]
    assert few["bits"] < many["bits"] < many["bits_by_chance"] / 2


def test_one_thorough_shuffle_leaves_the_inference_nothing() -> None:
    what = "three of four, first batch"
    told = measured(5, 20, situations=[what], thorough=True)[what]
    assert abs(told["named"] - told["named_by_chance"]) < 0.1
