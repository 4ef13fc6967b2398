"""Honest deals raise no alarm, and gross cheats do: with the seeds written here, always."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from p2p304.offline.fairness.account import Account, accounts
from p2p304.offline.fairness.counts import FEWEST, SHARE, Collection, collections
from p2p304.offline.fairness.deals import DealtHand
from p2p304.offline.fairness.honest_deals import Deal
from p2p304.offline.fairness.uniformity import holm, scipy_tails, uniformity_tests
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from tests.support.simulated_deals import (
    Hide,
    Shuffle,
    Stack,
    always_seen,
    half,
    hands,
    hides_dealers_without_jacks,
    honest,
    identity,
    nothing,
    rejects_first_hands,
    table,
    takes_all_jacks,
    takes_one_jack,
)

GAMES = ("pagat", "six-36", "tamil-904")
NOBODY: tuple[Shuffle, ...] = (identity,) * 8
HALF: tuple[Shuffle, ...] = (half,) * 8


def account(rules: Options, found: Iterable[DealtHand]) -> Account:
    return accounts(collections([table(rules, tuple(found))]))[0]


@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_honest_deals_raise_no_alarm(game: str) -> None:
    pytest.importorskip("scipy")
    one = account(preset(game), hands(preset(game), 10_000, seed=304))
    assert one.conspicuous == [] and one.tests is not None
    assert min(test.corrected for test in one.tests) > 0.05
    assert one.verdict == "Nothing is conspicuous."


@pytest.mark.parametrize(("game", "times"), [("pagat", 150), ("six-36", 60)])
def test_few_of_many_small_honest_collections_raise_one(game: str, times: int) -> None:
    """The level is one in a thousand; the p-values themselves are as often small as they say."""
    tails = scipy_tails() or pytest.skip("scipy is not there")
    rules, low, alarms, size = preset(game), 0, 0, FEWEST * preset(game).seats
    every = list(hands(rules, times * size, seed=5))
    for start in range(0, len(every), size):
        found = collections([table(rules, tuple(every[start : start + size]))])
        alarms += bool(accounts(found)[0].conspicuous)
        low += min(test.corrected for test in uniformity_tests(found, tails)[0]) < 0.05
    assert alarms == 0 and low <= 0.08 * times


@pytest.mark.parametrize("hide", [rejects_first_hands, hides_dealers_without_jacks])
def test_hands_that_stay_unseen_raise_no_alarm(hide: Hide) -> None:
    """Where hands are rejected for their cards, the seen ones alone would raise one."""
    tails = scipy_tails() or pytest.skip("scipy is not there")
    rules = preset("pagat")
    found = list(hands(rules, 4_000, seed=304, hide=hide))
    unseen = sum(hand.cards is None for hand in found)
    assert 0.1 < unseen / len(found) < 0.35
    assert account(rules, found).conspicuous == []
    seen = collections([table(rules, tuple(hand for hand in found if hand.cards))])
    assert min(test.corrected for test in uniformity_tests(seen, tails)[0]) < SHARE / 1_000


CHEATS: dict[str, tuple[tuple[Shuffle, ...], Stack]] = {
    "the dealer takes every jack": ((honest,) * 8, takes_all_jacks),
    "the dealer takes one jack more": ((honest,) * 8, takes_one_jack),
    "nobody shuffles": (NOBODY, nothing),
    "all shuffle half the pack": (HALF, nothing),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_gross_cheat_is_found_as_soon_as_anything_is_judged(cheat: str, game: str) -> None:
    rules, (shuffles, stack) = preset(game), CHEATS[cheat]
    least = FEWEST * rules.seats
    for seed in range(3):
        found = list(hands(rules, least, seed, shuffles, stack))
        assert not account(rules, found[:-1]).is_judged
        assert account(rules, found).conspicuous, seed


@pytest.mark.parametrize("cheat", CHEATS)
def test_it_is_found_too_where_first_hands_are_rejected(cheat: str) -> None:
    rules, (shuffles, stack) = preset("pagat"), CHEATS[cheat]
    for seed in range(3):
        found = hands(rules, 80, seed, shuffles, stack, rejects_first_hands)
        assert account(rules, found).conspicuous, seed


def test_bands_alone_find_them_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p304.offline.fairness.account.scipy_tails", lambda: None)
    for shuffles, stack in CHEATS.values():
        one = account(preset("pagat"), hands(preset("pagat"), 60, 1, shuffles, stack))
        assert one.tests is None and one.conspicuous


def test_one_player_who_does_not_shuffle_changes_nothing() -> None:
    """One honest shuffle is enough (SPEC.md, "Shuffle, cut, unlocking"), so nothing is found."""
    shuffles = (identity, identity, honest, identity)
    for seed in range(5):
        one = account(preset("pagat"), hands(preset("pagat"), 400, seed, shuffles))
        assert one.conspicuous == [], seed


def test_holm_corrects_as_in_the_textbook() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == [] and holm([0.6, 0.7]) == [1.0, 1.0]


def test_unseen_hands_widen_a_band_by_what_they_may_have_held() -> None:
    rules = preset("pagat")
    seen = list(hands(rules, 100, 1))
    wide = [*seen, *(DealtHand(n % 4, None) for n in range(20))]
    for found, least, most in ((seen, 0, 0), (wide, -60, 20)):
        rows = [row for s in account(rules, found).sections for row in s.rows]
        row = next(row for row in rows if (row.of, row.by, row.holder) == ("jacks", "place", "1"))
        assert row.least is not None and row.most is not None
        if found is seen:
            narrow = (row.least, row.most)
        else:  # every unseen hand may have held 0 to 4 jacks; 20 more are expected
            assert row.least - narrow[0] in range(least - 6, least + 7)
            assert row.most - narrow[1] in range(most - 6, most + 7)


def test_a_collection_counts_by_place_seat_and_player() -> None:
    one = Collection(Deal(32, 4))
    rules = preset("pagat")
    first = next(iter(hands(rules, 1, 1)))
    one.note_table(table(rules, (first, DealtHand(1, None))))
    assert first.cards is not None
    assert one.holders["place"]["dealer"].cards.keys() == first.cards[0]
    assert one.holders["seat"]["S"].cards.keys() == first.cards[0]
    assert one.holders["player"]["00"].cards.keys() == first.cards[0]
    assert (one.whole.seen, one.whole.unseen) == (1, 1)


def test_the_simulation_deals_as_a_table_does() -> None:
    found = next(hands(preset("six-36"), 1, 1, hide=always_seen))
    assert found.cards is not None and {len(cards) for cards in found.cards} == {6}
