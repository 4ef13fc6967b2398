"""Claims of bots: Caps on time, and spoilt trumps only where they are certain."""

from __future__ import annotations

import random

from p2p304.bots.claims import claim_due, is_spoilt
from p2p304.bots.club import ClubBot
from p2p304.bots.series import play_hand, shuffled
from p2p304.rules.core.actions import Spoilt
from p2p304.rules.core.cards import Suit
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.referee import Referee
from p2p304.rules.variants.presets import preset

PAGAT = preset("pagat")


def test_caps_is_called_on_time_wherever_it_is_due() -> None:
    chance, club = random.Random(5).randrange, ClubBot()
    verdicts: dict[str, int] = {}
    for number in range(150):
        result, _ = play_hand(PAGAT, number % 4, shuffled(PAGAT, chance), [club] * 4)
        if result.caps is not None:
            verdicts[result.caps.verdict] = verdicts.get(result.caps.verdict, 0) + 1
    assert set(verdicts) == {"correct"} and verdicts["correct"] >= 3


def without_trumps(seed: int) -> Referee:
    """The opponents of North and South hold no spade; North, to speak first, has the best."""
    chance = random.Random(seed)
    spades = [card for card in PAGAT.pack.cards if card.suit is Suit.SPADES]
    rest = [card for card in PAGAT.pack.cards if card.suit is not Suit.SPADES]
    chance.shuffle(rest)
    north, south = [*spades[:4], *rest[:4]], [*spades[4:], *rest[4:8]]
    return Referee(PAGAT, 1, [south, rest[8:16], north, rest[16:24]])


def test_spoilt_trumps_are_called_only_where_they_are_certain() -> None:
    called = 0
    for seed in range(30):
        referee = without_trumps(seed)
        while (seat := referee.hand.turn) is not None:
            claim = claim_due(referee)
            if isinstance(claim, Spoilt):
                assert claim.seat not in referee.hand.makers
                called += 1
            referee.act(ClubBot().choose(referee.view(seat)) if claim is None else claim)
        result = referee.hand.result
        assert result is not None
        if isinstance(referee.hand.ending, Spoilt):
            assert result.void and "held no trump" in str(result.reason)
    assert called >= 3


def test_nobody_is_certain_of_spoilt_trumps_where_an_opponent_holds_one() -> None:
    chance = random.Random(9)
    for number in range(40):
        referee = Referee(PAGAT, number % 4, shuffled(PAGAT, chance.randrange))
        while (seat := referee.hand.turn) is not None:
            hand = referee.hand
            if hand.phase is Phase.PLAY and referee.indicator is not None:
                trump = referee.indicator.suit
                against = [s for s in range(4) if s not in hand.makers]
                if any(card.suit is trump for s in against for card in referee.dealt[s]):
                    assert not any(is_spoilt(referee.view(s)) for s in range(4))
            referee.act(ClubBot().choose(referee.view(seat)))
