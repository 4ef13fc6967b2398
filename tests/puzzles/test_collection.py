"""Every puzzle has one right answer: a naive solver that tries everything says so.

Nothing here is shared with the exact solver or with rules/caps: the play of the cards is written
out once more, for open trumps, and every placing of the unseen cards is enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import pytest

from p2p304.puzzles.puzzle import NO, Kind, Puzzle, collection, is_defence, judge
from p2p304.rules.core import notation
from p2p304.rules.core.actions import Caps, Play
from p2p304.rules.core.cards import POINTS, RANKS, Card, Suit, card
from p2p304.rules.records.referee import Referee
from scripts.assets.puzzles import simulated, solved
from tests.support.reference.caps_twin import _Replay

PUZZLES = collection()
CARDS = [puzzle for puzzle in PUZZLES if puzzle.kind is not Kind.CAPS]
CAPS = [puzzle for puzzle in PUZZLES if puzzle.kind is Kind.CAPS]
Hands = tuple[frozenset[Card], ...]
Plays = tuple[tuple[int, Card], ...]


@dataclass(frozen=True)
class Naive:
    """Play with open trumps: ``maker`` may have to lead ``trump`` (exhausted trumps)."""

    trump: Suit
    maker: int

    def legal(self, hands: Hands, seat: int, plays: Plays, spent: bool) -> frozenset[Card]:
        held = hands[seat]
        if plays:
            return frozenset(c for c in held if c.suit is plays[0][1].suit) or held
        trumps = frozenset(c for c in held if c.suit is self.trump)
        return trumps if seat == self.maker and spent and trumps else held

    def winner(self, plays: Plays) -> int:
        led = plays[0][1].suit

        def worth(play: tuple[int, Card]) -> tuple[bool, bool, int]:
            one = play[1]
            return one.suit is self.trump, one.suit is led, -RANKS.index(one.rank)

        return max(plays, key=worth)[0]

    def is_spent(self, plays: Plays) -> bool:
        """Whether nobody followed the trump that the trump maker led."""
        trumps = [c.suit is self.trump for _, c in plays]
        return plays[0][0] == self.maker and trumps == [True, False, False, False]

    def best(self, hands: Hands, leader: int, plays: Plays, spent: bool) -> int:
        """The points that the trump maker's side still takes, when all play as well as they can."""
        found: int = self._solver()(hands, leader, plays, spent)
        return found

    def after(self, hands: Hands, leader: int, plays: Plays, one: Card, spent: bool) -> int:
        """The same after this card of the player on turn."""
        seat = (leader + len(plays)) % 4
        left = tuple(held - {one} for held in hands)
        return self.best(left, leader, (*plays, (seat, one)), spent)

    @cache  # noqa: B019 - two of these live in a whole run
    def _solver(self):  # type: ignore[no-untyped-def]
        @cache
        def best(hands: Hands, leader: int, plays: Plays, spent: bool) -> int:
            if len(plays) == 4:
                winner = self.winner(plays)
                ours = (winner - self.maker) % 2 == 0
                points = sum(POINTS.get(c.rank, 0) for _, c in plays) if ours else 0
                if not any(hands):
                    return points
                rest: int = best(hands, winner, (), spent or self.is_spent(plays))
                return points + rest
            seat = (leader + len(plays)) % 4
            tried = []
            for one in self.legal(hands, seat, plays, spent):
                left = tuple(held - {one} for held in hands)
                tried.append(best(left, leader, (*plays, (seat, one)), spent))
            return max(tried) if (seat - self.maker) % 2 == 0 else min(tried)

        return best

    def wins(self, hands: Hands, leader: int, caller: int, order: tuple[Card, ...]) -> bool:
        """Whether this order of the caller's cards takes every trick for the side, whatever
        anybody plays; an illegal card of the order is not played."""
        return self._wins(hands, leader, (), caller, order, self._was_spent)

    _was_spent: bool = False

    def _wins(
        self,
        hands: Hands,
        leader: int,
        plays: Plays,
        caller: int,
        order: tuple[Card, ...],
        spent: bool,
    ) -> bool:
        if len(plays) == 4:
            winner = self.winner(plays)
            if (winner - caller) % 2:
                return False
            spent = spent or self.is_spent(plays)
            return not order or self._wins(hands, winner, (), caller, order, spent)
        seat = (leader + len(plays)) % 4
        able = self.legal(hands, seat, plays, spent)
        if seat == caller:
            if order[0] not in able:
                return False
            able, order = frozenset({order[0]}), order[1:]
        return all(
            self._wins(
                tuple(held - {one} for held in hands),
                leader,
                (*plays, (seat, one)),
                caller,
                order,
                spent,
            )
            for one in able
        )


def naive_of(referee: Referee) -> Naive:
    hand = referee.hand
    assert hand.trump is not None and hand.maker is not None
    tricks = [
        tuple((play.seat, referee.true_cards[number, play.seat]) for play in trick.plays)
        for number, trick in enumerate(hand.completed_tricks)
    ]
    naive = Naive(hand.trump, hand.maker)
    return Naive(hand.trump, hand.maker, any(map(naive.is_spent, tricks)))


def won_so_far(referee: Referee) -> int:
    """Points of the trump maker's side in completed tricks, every card counted."""
    hand = referee.hand
    assert hand.maker is not None
    return sum(
        POINTS.get(referee.true_cards[number, play.seat].rank, 0)
        for number, trick in enumerate(hand.completed_tricks)
        if trick.winner is not None and (trick.winner - hand.maker) % 2 == 0
        for play in trick.plays
    )


@pytest.mark.parametrize("puzzle", CARDS, ids=lambda p: f"{p.kind.value}-{p.answer}")
def test_one_card_alone_makes_or_defeats_the_bid(puzzle: Puzzle) -> None:
    referee = puzzle.position()
    hand, naive = referee.hand, naive_of(referee)
    hands = tuple(frozenset(held) for held in referee.held)
    number = hand.completed_count
    plays = tuple((play.seat, referee.true_cards[number, play.seat]) for play in hand.plays)
    found = {}
    for action in referee.legal():
        assert isinstance(action, Play) and action.card is not None and not action.down
        assert action.card in naive.legal(hands, action.seat, plays, naive._was_spent)
        more = naive.after(hands, hand.leader, plays, action.card, naive._was_spent)
        found[notation.word(action)] = won_so_far(referee) + more
    assert found == puzzle.reaches
    right = [word for word, n in found.items() if (n >= hand.bid) is not is_defence(referee)]
    assert right == [puzzle.answer] and len(found) >= 3


@pytest.mark.parametrize("puzzle", CARDS, ids=lambda p: f"{p.kind.value}-{p.answer}")
def test_nobody_could_call_caps_in_a_puzzle_about_a_card(puzzle: Puzzle) -> None:
    tricks = puzzle.position().hand.completed_tricks
    assert {(trick.winner or 0) % 2 for trick in tricks} == {0, 1}


def placings(referee: Referee) -> Iterator[Hands]:
    """Every placing of the cards that the caller has not seen, in which nobody holds a suit that
    this player did not follow. The history may exclude some of them."""
    hand, caller = referee.hand, referee.hand.turn
    assert caller is not None and hand.trump is not None and not hand.plays
    view = referee.view(caller)
    seen = {*hand.seen, *view.cards, *(one for _, _, one in view.known)}
    unseen = [one for one in hand.options.pack.cards if one not in seen]
    out: list[set[Suit | None]] = [set() for _ in range(4)]
    for trick in hand.completed_tricks:
        for play in trick.plays:
            if not trick.has_followed(play.seat):
                out[play.seat].add(trick.led)
    others = [seat for seat in range(4) if seat != caller]
    size = len(view.cards)
    assert len(unseen) == 3 * size
    for first in combinations(unseen, size):
        rest = [one for one in unseen if one not in first]
        for second in combinations(rest, size):
            third = [one for one in rest if one not in second]
            held: list[frozenset[Card]] = [view.cards] * 4
            for seat, cards in zip(others, (first, second, tuple(third)), strict=True):
                held[seat] = frozenset(cards)
            if all(one.suit not in out[seat] for seat in others for one in held[seat]):
                yield tuple(held)


@pytest.mark.parametrize("puzzle", CAPS, ids=lambda p: p.answer)
def test_caps_is_judged_in_every_placing_of_the_unseen_cards(puzzle: Puzzle) -> None:
    referee = puzzle.position()
    hand, caller, naive = referee.hand, referee.hand.turn, naive_of(referee)
    assert caller is not None
    assert all((trick.winner or 0) % 2 == caller % 2 for trick in hand.completed_tricks)
    worlds, replay = list(placings(referee)), _Replay(hand)
    assert tuple(frozenset(held) for held in referee.held) in worlds
    view = referee.view(caller)
    true = {(number, seat): one for number, seat, one in view.known}
    winning = []
    for order in permutations(sorted(view.cards, key=str)):
        lost = (held for held in worlds if not naive.wins(held, caller, caller, order))
        # An order fails only if the history allows one of the placings in which it loses.
        if not any(replay.world(dict(enumerate(map(set, held))), true, None) for held in lost):
            winning.append(" ".join(["caps", *(one.name for one in order)]))
    assert winning == ([] if puzzle.answer == NO else [puzzle.answer])


def test_every_answer_is_judged_as_the_collection_says() -> None:
    for puzzle in PUZZLES:
        referee = puzzle.position()
        seat = referee.hand.turn
        assert seat is not None
        for action in referee.legal():
            right = notation.word(action) == puzzle.answer  # a card is no answer about Caps
            assert judge(puzzle, referee, action).is_right is right
        if puzzle.kind is Kind.CAPS:
            assert judge(puzzle, referee, None).is_right is (puzzle.answer == NO)
            for order in permutations(referee.held[seat]):
                said = " ".join(["caps", *(one.name for one in order)])
                right = said == puzzle.answer
                assert judge(puzzle, referee, Caps(seat, order)).is_right is right


def test_reasons_name_cards_of_the_puzzle_and_there_are_a_dozen() -> None:
    assert len(PUZZLES) >= 12 and len({puzzle.hand for puzzle in PUZZLES}) == len(PUZZLES)
    assert {puzzle.kind for puzzle in PUZZLES} == set(Kind)
    for puzzle in PUZZLES:
        cards = [arg for _, arg in puzzle.reason().args if isinstance(arg, Card)]
        held = {one for held in puzzle.position().held for one in held}
        assert cards and set(cards) <= held, puzzle.why


def test_the_script_finds_the_first_cut_and_refuses_a_second_answer() -> None:
    found = next(simulated("cut", 8, 1))
    assert found["answer"] == "KC" and found["hand"] in {puzzle.hand for puzzle in PUZZLES}
    puzzle = next(puzzle for puzzle in PUZZLES if puzzle.hand == found["hand"])
    assert solved(found, puzzle.position())["reaches"] == puzzle.reaches
    with pytest.raises(ValueError):
        solved({**found, "answer": "7S"}, puzzle.position())
    assert card("KC").suit is Suit.CLUBS
