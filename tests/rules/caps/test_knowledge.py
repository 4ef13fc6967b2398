"""What a seat concludes from the history is true, and as sharp as it has been."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from p2p304.rules.caps import Knowledge, find_order, knowledge
from p2p304.rules.caps.bitboard import SUIT_NUMBER, bits, suit_of
from p2p304.rules.core.actions import PCC, Play
from p2p304.rules.core.cards import Suit, card
from p2p304.rules.core.phase import Phase
from p2p304.rules.core.tricks import Trick
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import preset
from tests.support.reference.caps_hands import Moment, moments, play, strong_deal


def known_moments(name: str, seeds: range) -> Iterator[tuple[Referee, Moment, Knowledge]]:
    """Every moment of random hands, as one seat sees it and as it is."""
    for seed in seeds:
        rng, options = random.Random(seed), preset(name)
        hands = strong_deal(rng, options, rng.choice([1.0, 3.0, 9.0]))
        referee = Referee(options, rng.randrange(options.seats), hands)
        for now in play(rng, referee):
            if now.hand.closed is not None and now.hand.bid < PCC:
                for one in moments(now):
                    yield (
                        now,
                        one,
                        knowledge(one.hand, one.seat, one.cards, one.known, one.indicator),
                    )


def check_true(referee: Referee, moment: Moment, known: Knowledge) -> None:
    """Every conclusion holds for the cards as they lie."""
    hand, seats = referee.hand, range(referee.hand.options.seats)
    indicator = hand.indicator or referee.indicator
    assert indicator is not None
    assert known.trumps >> SUIT_NUMBER[indicator.suit] & 1
    for seat in seats:
        if seat == moment.seat:
            continue
        held = bits(referee.held[seat]) & ~known.shown
        if hand.indicator_down and seat == hand.maker and referee.indicator:
            held &= ~referee.indicator.bit
        assert known.room[seat] == held.bit_count()
        assert held & ~known.unseen == 0
        for suit in range(4):
            if known.barred[seat] >> suit & 1:
                assert all(
                    suit_of(card.bit) != suit for card in referee.held[seat] if card.bit & held
                )
    if known.spent >> SUIT_NUMBER[indicator.suit] & 1 and hand.maker != moment.seat:
        maker = hand.maker or 0
        assert all(card.suit is not indicator.suit for card in referee.held[maker])
    places = sum(known.room) + len(known.laid) + known.hidden_indicator
    assert known.unseen.bit_count() == places + sum(not put.card for put in known.trick)


@pytest.mark.parametrize("name", ["pagat", "six-36", "catsatcards"])
def test_conclusions_are_true_of_the_cards_as_they_lie(name: str) -> None:
    told = 0
    for referee, moment, known in known_moments(name, range(12)):
        check_true(referee, moment, known)
        told += 1
    assert told > 200


SHARP: dict[str, int] = {
    "moments": 2916,
    "barred": 4798,
    "trumps of 1": 1984,
    "laid": 1494,
    "laid, barred": 1665,
    "put, barred": 1851,
    "put, indicator": 15,
    "unseen": 49482,
    "mine": 15924,
    "spent": 38,
    "exhausted": 68,
    "exhausts": 2916,
    "first": 132,
    "opening": 176,
    "lost": 0,
    "hidden_indicator": 935,
    "lying": 282,
    "shown": 902,
    "trumps of 4": 650,
    "trumps of 3": 204,
    "trumps of 2": 78,
}
"""Over all moments: suits that seats are out of, suits that may be trumps, cards never seen and
which of them are no trumps, what is known to be spent or exhausted."""


def test_as_much_is_concluded_as_ever() -> None:
    """A conclusion that is lost makes no verdict wrong, but a call of Caps due later."""
    counted: Counter[str] = Counter()
    for _, _, known in known_moments("pagat", range(100, 160)):
        counted["moments"] += 1
        counted["barred"] += sum(barred.bit_count() for barred in known.barred)
        counted[f"trumps of {known.trumps.bit_count()}"] += 1
        counted["laid"] += len(known.laid)
        counted["laid, barred"] += sum(barred.bit_count() for barred in known.laid)
        counted["put, barred"] += sum(put.barred.bit_count() for put in known.trick)
        counted["put, indicator"] += sum(put.indicator for put in known.trick)
        counted["unseen"] += known.unseen.bit_count()
        counted["mine"] += known.mine.bit_count()
        counted["spent"] += known.spent.bit_count()
        counted["exhausted"] += known.exhausted.bit_count()
        for name in ("exhausts", "first", "opening", "lost", "hidden_indicator"):
            counted[name] += getattr(known, name)
        counted["lying"] += known.lying != 0
        counted["shown"] += known.shown != 0
    assert dict(counted) == SHARP


def trick(leader: int, text: str, winner: int) -> Trick:
    """Cards from the leader on; ``~`` lies face down."""
    return Trick(
        leader,
        tuple(
            Play((leader + n) % 4, None if name == "~" else card(name), name == "~")
            for n, name in enumerate(text.split())
        ),
        winner,
    )


EXHAUSTED = (
    trick(0, "AH TH KH QH", 0),  # not a trump: the first lead of a closed game
    trick(0, "9C ~ ~ ~", 0),  # nobody follows: if clubs are trumps, they are exhausted
    trick(0, "JD 8D 7D QD", 0),  # then the trump maker, who leads another suit, has none left
)


@pytest.mark.parametrize(
    ("fourth", "suits"),
    [
        (trick(0, "JC ~ ~ ~", 0), "SD"),
        (trick(1, "JC ~ ~ 8C", 1), "SD"),
        (trick(0, "9S 8S 7S QS", 0), "SDC"),
        (trick(1, "JS 8S 7S QS", 1), "SDC"),
    ],
)
def test_whoever_shows_a_suit_that_would_be_spent_has_other_trumps(
    fourth: Trick, suits: str
) -> None:
    hand = Hand.start(preset("pagat"), 3)
    hand.phase, hand.bid, hand.maker = Phase.PLAY, 160, 0
    hand.closed, hand.indicator_down = True, True
    hand.completed_tricks = (*EXHAUSTED, fourth)
    own = {(1, 2): card("8H"), (3, 2): card("7H")}
    mine = frozenset(card(name) for name in ("JH", "9H", "KD", "KS"))
    known = knowledge(hand, 2, mine, own)
    named = {letter for letter in "SHDC" if known.trumps >> SUIT_NUMBER[Suit(letter)] & 1}
    assert named == set(suits)
    assert known.spent == known.exhausted == 1 << SUIT_NUMBER[Suit.CLUBS]


@pytest.mark.parametrize("seat", range(4))
def test_a_side_that_has_lost_a_trick_can_call_no_more(seat: int) -> None:
    hand = Hand.start(preset("pagat"), 3)
    hand.phase, hand.bid, hand.maker, hand.closed = Phase.PLAY, 160, 0, False
    hand.trump, hand.completed_tricks = Suit.SPADES, (trick(0, "AH TH KH QH", 0),)
    mine = frozenset(card(name + "S") for name in "J9ATKQ8")
    known = knowledge(hand, seat, mine, {})
    assert known.lost is (seat % 2 == 1)
    assert (find_order(known) is None) is known.lost
