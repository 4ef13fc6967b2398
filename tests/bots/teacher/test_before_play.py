"""The teacher before the first lead, on marriages and on Caps: blind, the same each time, and right
about blunders."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from p2p304.bots.club import ClubBot
from p2p304.bots.search.deals import Deal, Deals, _said
from p2p304.bots.teacher.before_play import PHASES, Trial, outcomes
from p2p304.bots.teacher.evaluation import Evaluation, evaluate
from p2p304.bots.teacher.phrases import better
from p2p304.offline.teacher import mistakes
from p2p304.offline.teacher.lessons import lessons_of
from p2p304.rules.caps.bitboard import bits
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import (
    PCC,
    Action,
    Bid,
    Call,
    Closed,
    Exchange,
    Keep,
    LayTrump,
    Marriage,
    Open,
    Pass,
    Play,
)
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.play.view import View, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset
from p2p304.ui.fullscreen.model.cards_then import decision
from tests.support.paths import TRANSCRIPTS
from tests.support.reference.random_hands import dealt

STRONG = "JS 9S AS TS JH 9H AH JD"
LOOKED_AT = (*PHASES, Phase.PLAY)
WEAK = "7S 8S KH QH 7D 8D QC KC"


def cards(names: str) -> list[Card]:
    return [card(name) for name in names.split()]


def first_bidder(game: str, names: str) -> Referee:
    """A hand in which the first player to bid holds these cards."""
    rules = preset(game)
    mine = cards(names)
    rest = [one for one in rules.pack.cards if one not in mine]
    random.Random(4).shuffle(rest)
    size = rules.hand_size
    mine += rest[: size - len(mine)]
    rest = [one for one in rest if one not in mine]
    others = [rest[at * size : (at + 1) * size] for at in range(rules.seats - 1)]
    pile = rest[(rules.seats - 1) * size :]
    return Referee(rules, 0, [others[0], mine, *others[1:]], pile)


@pytest.mark.parametrize("game", ["maharashtra", "doso-viso"])
def test_a_pass_where_half_court_alone_can_be_bid_says_nothing(game: str) -> None:
    referee = dealt(preset(game), random.Random(1), 0)
    told = []
    for _ in range(6):
        turn = referee.hand.turn
        assert turn is not None
        told.append([seat for seat, *_ in _said(referee.view(turn))])
        referee.act(Pass(turn))
    assert told == [[], [], [], [], [], [1]]  # the round with all cards begins with the fifth


def found_in(view: View, taken: Action, deals: int = 60) -> Evaluation:
    found = evaluate(view, taken, deals)
    assert found is not None
    return found


@pytest.mark.parametrize("game", ["pagat", "tamil-304", "online-4", "online-3", "online-2"])
def test_a_pass_with_the_best_cards_is_a_mistake_and_so_is_a_high_bid_with_the_worst(
    game: str,
) -> None:
    view = first_bidder(game, STRONG).view(1)
    passed = found_in(view, Pass(1))
    assert isinstance(passed.best.action, Bid) and passed.is_mistake
    told = str(better(passed, view))
    assert "seat 2 passed: worth " in told and "Better: a bid of " in told
    view = first_bidder(game, WEAK).view(1)
    bid = max((one for one in legal(view) if isinstance(one, Bid)), key=_number)
    high = found_in(view, bid)
    assert high.is_mistake and high.best.action != bid
    assert f"seat 2 bid {bid.amount}: worth -" in str(better(high, view))


@pytest.mark.parametrize(("game", "forced"), [("online-4", True), ("tamil-304", False)])
def test_if_all_pass_a_dealer_who_must_bid_plays_the_hand(game: str, forced: bool) -> None:
    """Where nobody must bid, some deals end with a pass by all, and cost nothing."""
    found = found_in(first_bidder(game, WEAK).view(1), Pass(1))
    assert found.taken is not None
    assert (0 not in found.choices[found.taken].gains) is forced


def _number(bid: Bid) -> int:
    return bid.amount if bid.amount < PCC else 0


def test_it_sees_no_card_of_the_others_and_says_the_same_each_time() -> None:
    view = first_bidder("pagat", WEAK).view(1)
    referee = first_bidder("pagat", WEAK)
    assert view.cards == frozenset(cards(WEAK)[:4])  # the first cards alone
    assert outcomes(view, 8) == outcomes(referee.view(1), 8)
    held = [sorted(one, key=str) for one in referee.held]
    rest = [one for one in preset("pagat").pack.cards if not any(one in each for each in held)]
    mine = [*cards(WEAK)[:4], *rest[:4]]  # what comes later is not seen either
    hands = [[*held[2], *rest[4:8]], mine, [*held[3], *rest[8:12]], [*held[0], *rest[12:]]]
    other = Referee(preset("pagat"), 0, hands)
    assert other.view(1).cards == view.cards and other.held[2] != referee.held[2]
    assert outcomes(view, 8) == outcomes(other.view(1), 8)


def test_deals_hold_every_card_once_and_fit_what_the_others_have_said() -> None:
    referee = first_bidder("pagat", WEAK)
    referee.act(Pass(1))
    referee.act(Bid(2, 220))
    view = referee.view(3)
    source = Deals(view, random.Random(2))
    jacks = nines = 0
    for _ in range(40):
        deal = source.draw()
        assert sum(deal.hands) == bits(preset("pagat").pack.cards) and not deal.aside
        assert all(one.bit_count() == 8 for one in deal.hands)
        assert all(one.bit_count() == 4 and one & whole == one for one, whole in _both(deal))
        assert deal.first[3] == bits(view.cards)
        jacks += sum(bool(deal.first[2] & card(name).bit) for name in ("JS", "JH", "JD", "JC"))
        nines += sum(bool(deal.first[1] & card(name).bit) for name in ("JS", "JH", "JD", "JC"))
    assert jacks > 2 * nines  # the player who bid 220 has jacks, the one who passed has few


def _both(deal: Deal) -> list[tuple[int, int]]:
    return list(zip(deal.first, deal.hands, strict=True))


def test_the_suit_of_the_indicator_is_judged_and_no_other_card_of_it() -> None:
    referee = first_bidder("tamil-304", "JS 9S AS TS KS 7H 8D 7C")
    referee.act(Bid(1, 160))
    while referee.hand.phase is Phase.BID8 and referee.hand.turn is not None:
        referee.act(Pass(referee.hand.turn))
    view = referee.view(1)
    assert view.hand.phase is Phase.TRUMP8
    wrong = found_in(view, LayTrump(1, card("7H")))
    assert wrong.is_mistake and isinstance(wrong.best.action, LayTrump)
    assert str(better(wrong, view)).startswith("seat 2 made hearts trumps: worth ")
    right = found_in(view, LayTrump(1, card("JS")))  # the lowest of it is tried
    assert right.regret == 0 and "Better: spades" in str(better(wrong, view))
    referee.act(LayTrump(1, card("KS")))
    view = referee.view(1)
    assert view.hand.phase is Phase.DECLARE
    tried = {type(one.action) for one in found_in(view, Closed(1)).choices}
    assert tried == {Open, Closed}


def test_cards_that_were_rejected_are_judged_though_they_were_shown() -> None:
    view = first_bidder("pagat", "7S 8S KH QH 7D 8D QC KC").view(1)
    shown = acts.Redeal(1, tuple(sorted(view.cards, key=lambda one: one.bit)))
    assert acts.Redeal(1) in legal(view)
    assert found_in(view, shown, 8).taken == found_in(view, acts.Redeal(1), 8).taken is not None


def chosen(game: str, seed: int, phase: Phase) -> View:
    """The view of the first player who has to choose in this phase."""
    referee = dealt(preset(game), random.Random(seed), 0)
    while (seat := referee.hand.turn) is not None and referee.hand.phase is not phase:
        referee.act(ClubBot().choose(referee.view(seat)))
    assert seat is not None
    return referee.view(seat)


@pytest.mark.parametrize("seed", [0, 2])
def test_the_card_that_is_called_is_judged(seed: int) -> None:
    view = chosen("maharashtra", seed, Phase.PARTNER)
    others = [one for one in preset("maharashtra").pack.cards if one not in view.cards]
    usual = ClubBot().choose(view)
    assert isinstance(usual, Call) and usual.card.rank == "J"
    found = found_in(view, usual)
    assert found.taken is not None
    # Whoever holds a jack helps more than whoever holds a low card, and one own card stands for
    # all: with each of them the trump maker plays alone.
    poor = min((c for c in others if c.rank in "78" and c is not view.indicator), key=str)
    wrong = found_in(view, Call(view.seat, poor))
    assert wrong.taken is not None and wrong.regret > found.regret >= 0
    told = str(better(wrong, view))
    assert told.startswith(f"seat {view.seat + 1} called {poor}: worth ") and "Better: " in told
    own = min(view.cards, key=str)
    alone = found_in(view, Call(view.seat, own))
    called = [one.action.card for one in alone.choices if isinstance(one.action, Call)]
    assert [one for one in called if one in view.cards] == [own]
    assert "and played alone: worth " in str(better(alone, view))


def test_the_exchange_of_two_cards_is_judged() -> None:
    view = chosen("online-3", 3, Phase.EXCHANGE)
    trumps = [one for one in view.cards if view.trump is one.suit]
    best = tuple(sorted(trumps, key=lambda one: one.bit)[-2:])
    wrong = found_in(view, Exchange(view.seat, best[::-1]))
    assert wrong.is_mistake and wrong.taken is not None and len(wrong.choices) <= 5
    told = str(better(wrong, view))
    assert "exchanged " in told and "Better: exchanging " in told
    kept = found_in(view, Keep(view.seat))
    assert kept.best == wrong.best  # the same deals for every choice
    assert " exchanged no cards: worth " in str(better(kept, view))
    gains = [one.tokens for one in wrong.choices]
    assert wrong.choices[wrong.taken].tokens == min(gains) < max(gains)


def test_an_own_exchange_is_known_by_the_cards_before_and_after() -> None:
    for seed in range(20):
        referee = dealt(preset("online-3"), random.Random(seed), 0)
        while referee.hand.turn is not None and referee.hand.phase is not Phase.EXCHANGE:
            referee.act(ClubBot().choose(referee.view(referee.hand.turn)))
        if (seat := referee.hand.turn) is not None:
            break
    assert seat is not None
    views = {len(referee.hand.history): referee.view(seat)}
    done = Exchange(seat, tuple(sorted(referee.view(seat).cards, key=lambda one: one.bit)[:2]))
    then = referee.hand
    assert then.turn == seat
    while (turn := referee.hand.turn) is not None:
        if turn == seat:
            views[len(referee.hand.history)] = referee.view(seat)
        is_first = referee.hand.phase is Phase.EXCHANGE
        referee.act(done if is_first else ClubBot().choose(referee.view(turn)))
    final = replace(referee.hand, history=[acts.public(one) for one in referee.hand.history])
    view, action = decision(final, then, views)
    assert view is not None and view.seat == seat and action == done
    assert decision(final, then, {}) == (None, None)  # nobody else knows it


def marriages(defends: bool) -> Iterator[tuple[View, Marriage]]:
    """Moments of Maharashtra at which the trump maker, or an opponent (who ``defends``), may show
    king and queen of a suit."""
    for seed in range(200):
        referee, chance = dealt(preset("maharashtra"), random.Random(seed), 0), random.Random(seed)
        while (seat := referee.hand.turn) is not None:
            view = referee.view(seat)
            choices = legal(view)
            shows = next((one for one in choices if isinstance(one, Marriage)), None)
            is_partner = referee.hand.called in view.cards
            if shows and (seat != referee.hand.maker) is defends and not is_partner:
                yield view, shows
                break
            plain = [one for one in choices if not isinstance(one, Bid) or one.amount < 170]
            referee.act(chance.choice(plain or choices))


@pytest.mark.parametrize("defends", [False, True])
def test_a_marriage_adds_to_the_chance_and_is_asked_for_once(defends: bool) -> None:
    gains = list[float]()
    for view, shows in marriages(defends):
        plays = [one for one in legal(view) if isinstance(one, Play)]
        found = found_in(view, plays[0], 10)
        shown = next(one for one in found.choices if one.action == shows)
        best = max(one.tokens for one in found.choices if isinstance(one.action, Play))
        assert shown.tokens >= best
        told = str(better(replace(found, taken=found.choices.index(shown)), view))
        assert told.startswith(
            f"seat {view.seat + 1} showed the marriage in {shows.suit.word}: it "
        )
        later = evaluate(view, plays[0], 4, shown=[(view.seat, shows.suit)])
        assert later is None or all(one.action != shows for one in later.choices)
        gains.append(shown.tokens - best)
        if gains[-1] > 0:
            break
    assert gains and gains[-1] > 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "caps-late",
            "Bandu called Caps too late. It was due: trick 1, after Asha A♥. It costs 4 tokens.",
        ),
        ("caps-early", "Chitra called Caps and lost a trick. Better: no call. It costs 3 tokens."),
        ("caps-in-time", None),
    ],
)
def test_a_wrong_call_of_caps_is_told_with_what_it_cost(
    name: str, told: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mistakes, "evaluate", lambda view, action, **more: None)
    lessons = lessons_of((TRANSCRIPTS / f"{name}.304").read_bytes())
    assert lessons is not None
    caps = [line for _, lines in lessons.hands for line in lines if "Caps" in line]
    assert caps == ([] if told is None else [told])


@pytest.mark.parametrize("game", ["online-2", "online-3", "pagat", "maharashtra"])
def test_every_own_choice_can_be_judged_by_what_was_known_then(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards that are drawn, laid away, taken up or put down belong to the moment."""
    monkeypatch.setattr(mistakes, "evaluate", partial(evaluate, deals=1))
    referee = first_bidder(game, WEAK)
    seats, chance = range(referee.hand.options.seats), random.Random(7)
    views = [dict[int, View]() for _ in seats]
    while (seat := referee.hand.turn) is not None:
        view = referee.view(seat)
        views[seat][len(view.hand.history)] = view
        choices = legal(view)
        plain = [one for one in choices if not isinstance(one, Bid) or one.amount < 170]
        referee.act(chance.choice(plain or choices))
    result = referee.hand.result
    assert result is not None
    final = replace(referee.hand, history=[acts.public(one) for one in referee.hand.history])
    for seat in seats:
        judged = mistakes.judged_hand((), 1, final, result, views[seat], seat)
        looked_at = [one for one in views[seat].values() if one.hand.phase in LOOKED_AT]
        assert not judged.unjudged and judged.judged == len(looked_at) > 0


def test_playing_alone_is_made_about_as_often_as_expected() -> None:
    """Its opponents do not know that none of them is the partner: quick play does not, either."""
    expected, made = 0, 0
    for seed in range(160):
        referee = dealt(preset("maharashtra"), random.Random(seed), seed % 4)
        while (seat := referee.hand.turn) is not None and referee.hand.phase is not Phase.PARTNER:
            referee.act(ClubBot().choose(referee.view(seat)))
        if seat is None or referee.hand.bids_all_tricks:
            continue
        view = referee.view(seat)
        alone = Call(seat, min(view.cards, key=str))
        source = Deals(view, random.Random(seed))
        ((_, found),) = Trial(view, [source.draw() for _ in range(20)]).calls([alone])
        expected += sum(is_made for is_made, _ in found)
        referee.act(alone)
        while (turn := referee.hand.turn) is not None:
            referee.act(ClubBot().choose(referee.view(turn)))
        made += 20 * (referee.hand.result is not None and referee.hand.result.made is True)
    assert made and abs(expected / made - 1) < 0.1


def test_half_of_the_deals_are_played_by_players_who_see_their_own_cards_alone() -> None:
    view, made = first_bidder("pagat", "JS 9S 7H KD").view(1), Counter[bool]()
    source = Deals(view, random.Random(2))
    for _ in range(300):
        deal = source.draw()
        table, _ = deal.table(view.hand.options, view.hand.first, 1, 0, card("9S").bit)
        made[deal.blind] += deal.points(table) >= 160
    assert made[True] > made[False] + 5  # who sees all hands breaks more bids
    courts = Deals(first_bidder("maharashtra", STRONG).view(1), random.Random(2))
    assert not any(courts.draw().blind for _ in range(4))
