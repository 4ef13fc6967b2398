"""Who was due: the judgement of a hand against asking every seat at every moment."""

from __future__ import annotations

import random
import time
from functools import cache

import pytest

from p2p304.rules.caps import CapsError, find_order, knowledge
from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Bid
from p2p304.rules.core.cards import card
from p2p304.rules.core.seats import Seat, side
from p2p304.rules.play.caps_judgement import Claim, Verdict, missed_before
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from tests.support.reference.caps_hands import PAGAT, moments, play, strong_deal
from tests.support.reference.caps_verdicts import judge, verdicts


@cache
def asked_everywhere(seed: int) -> tuple[Referee, dict[Seat, list[int]]]:
    """A hand played out, and the moments at which each seat had an order."""
    rng = random.Random(seed)
    referee = Referee(PAGAT, rng.randrange(4), strong_deal(rng, PAGAT, 0.6))
    could: dict[Seat, list[int]] = {}
    for now in play(rng, referee):
        for m in moments(now):
            known = knowledge(m.hand, m.seat, m.cards, m.known, m.indicator)
            if find_order(known) is not None:
                could.setdefault(m.seat, []).append(len(m.hand.history))
    return referee, could


def test_the_first_moment_is_that_of_asking_every_seat_all_the_time() -> None:
    dues = 0
    for seed in range(14):
        referee, could = asked_everywhere(seed)
        expected = {seat: moments[0] for seat, moments in could.items()}
        judgement = judge(referee.hand, [frozenset(cards) for cards in referee.dealt])
        assert {d.seat: d.at for d in judgement.due if d} == expected, seed
        dues += len(expected)
    assert dues > 4


def test_only_the_side_with_the_highest_trump_is_ever_due() -> None:
    """SPEC.md, ``caps.verdict``: so both sides never miss in one hand."""
    dues = 0
    for seed in range(60):
        referee, could = asked_everywhere(seed)
        assert referee.hand.trump is not None
        jack = card(f"J{referee.hand.trump.value}")
        holder = next(seat for seat, cards in enumerate(referee.dealt) if jack in cards)
        assert {side(seat) for seat in could} <= {side(holder)}, seed
        dues += len(could)
    assert dues > 20


@pytest.mark.parametrize(
    ("seed", "since"), [(303, "trick 8, after W TS"), (573, "trick 8, after S 7C")]
)
def test_a_call_may_be_due_as_late_as_in_the_last_trick(seed: int, since: str) -> None:
    referee, could = asked_everywhere(seed)
    judgement = judge(referee.hand, [frozenset(cards) for cards in referee.dealt])
    dues = {due.seat: due for due in judgement.due if due is not None}
    assert {seat: due.at for seat, due in dues.items()} == {s: at[0] for s, at in could.items()}
    assert since in [str(due.since) for due in dues.values()]


def test_a_due_order_called_in_time_is_correct_and_later_late() -> None:
    checked = 0
    for seed in range(14):
        referee, _ = asked_everywhere(seed)
        hand, hands = referee.hand, [frozenset(cards) for cards in referee.dealt]
        judgement = judge(hand, hands)
        for which in (0, 1):
            due = judgement.side(which)
            if due is None:
                continue
            checked += 1
            claim = Claim(due.seat, due.order, due.at)
            assert verdicts(hand, hands, claim, "strict")[which] is Verdict.CORRECT
            assert verdicts(hand, hands, claim, "grace")[which] is Verdict.CORRECT
            assert verdicts(hand, hands, None, "grace")[which] is Verdict.MISSED
    assert checked > 2


@pytest.mark.parametrize("mode", ["grace", "strict"])
def test_where_claims_end_a_side_has_missed_just_when_it_can_call_no_more_on_time(
    mode: str,
) -> None:
    """At every moment at which a player could leave: the twin asks whether anybody of the side has
    an order from then on, and whether a call with it is still in time."""
    charged = spared = too_late = 0
    for seed in range(30):
        referee, could = asked_everywhere(seed)
        hand, hands = referee.hand, [frozenset(cards) for cards in referee.dealt]
        judgement = judge(hand, hands)
        for end in range(len(hand.history) + 1):
            found = missed_before(hand, hands, end, mode)
            assert found is None or judgement.side(side(found.by)) is not None
            for which in (0, 1):
                has_missed = found is not None and side(found.by) == which
                due = judgement.side(which)
                if due is None or due.at > end:
                    assert not has_missed
                    continue
                late = is_late(hand, due.at, end, mode)
                missed = not any(
                    at >= end and not is_late(hand, due.at, at, mode)
                    for seat, moments in could.items()
                    if seat % 2 == which
                    for at in moments
                )
                assert missed or not late
                assert has_missed is missed, (seed, end, which)
                charged, spared = charged + missed, spared + (not missed)
                too_late += late
    assert charged > 20 and spared > 3 and (charged > too_late or mode == "strict")


def is_late(hand: Hand, due: int, at: int, mode: str) -> bool:
    """Whether a call after ``at`` actions is too late, if it was due after ``due`` of them."""
    before = hand.history[due:at]
    cards = sum(isinstance(action, acts.Play) for action in before)
    new = sum(
        isinstance(action, acts.Play) and number in leads(hand)
        for number, action in enumerate(before, start=due)
    )
    first = not any(isinstance(a, acts.Play) for a in hand.history[:due])
    return cards > 0 if mode == "strict" else new > first


def leads(hand: Hand) -> set[int]:
    """The places in the history of the first cards of tricks."""
    places = [n for n, action in enumerate(hand.history) if isinstance(action, acts.Play)]
    return set(places[:: len(hand.playing)])


def test_partner_close_caps_knows_no_caps() -> None:
    rng = random.Random(3)
    deal = strong_deal(rng, PAGAT, 0.5)
    referee = Referee(PAGAT, 0, deal)
    while referee.hand.turn is not None:
        options = referee.legal()
        named = [a for a in options if isinstance(a, Bid) and a.amount == PCC]
        referee.act(named[0] if named else rng.choice(options))
    assert referee.hand.bid == PCC
    hands = [frozenset(cards) for cards in deal]
    assert judge(referee.hand, hands).due == (None,) * 4
    assert verdicts(referee.hand, hands, None, "strict") == (None, None)
    with pytest.raises(CapsError):
        knowledge(referee.hand, 0, hands[0], {})


def test_before_open_or_closed_is_chosen_nothing_is_known() -> None:
    with pytest.raises(CapsError):
        knowledge(Hand.start(PAGAT, 0), 1, frozenset(PAGAT.pack.cards[:8]), {})


def test_hands_that_are_not_those_played_are_refused() -> None:
    referee, _ = asked_everywhere(1)
    hands = [frozenset(cards) for cards in referee.dealt]
    with pytest.raises(CapsError):
        judge(referee.hand, [hands[1], hands[0], hands[2], hands[3]])


def test_a_hand_is_judged_within_its_time() -> None:
    spent = []
    for seed in range(8):
        rng = random.Random(seed)
        referee = Referee(PAGAT, rng.randrange(4), strong_deal(rng, PAGAT, 0.6))
        for _ in play(rng, referee):
            pass
        begun = time.process_time()
        judge(referee.hand, [frozenset(cards) for cards in referee.dealt])
        spent.append(time.process_time() - begun)
    assert sorted(spent)[len(spent) // 2] < 0.05
