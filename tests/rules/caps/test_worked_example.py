"""The rule text's own example of Caps (B, "Caps"), at all its moments, and calls around it."""

from __future__ import annotations

import pytest

from p2p304.rules.caps import could_call, find_order, knowledge
from p2p304.rules.core.actions import Action, Bid, Closed, LayTrump, Pass, Play
from p2p304.rules.core.cards import Card, card
from p2p304.rules.play.caps_judgement import Claim, Verdict
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase
from tests.support.reference.caps_hands import PAGAT, moments
from tests.support.reference.caps_verdicts import judge, verdicts

S, E, N, W = range(4)
DEAL = (
    "8C JC 9C KC JH 9H 8H 7H",
    "7C AC TH 9S AS 9D AD TD",
    "TC KH JD KD TS KS QS 7D",
    "QC QH AH JS 8S 7S QD 8D",
)
"""South makes clubs trumps; the indicator is the eight."""
PLAY = "JS ~8C 9S TS JC 7C TC QC 9C AC 7D QH JH TH KH AH KC 9D KD 8D 9H AD JD QD"


def cards(text: str) -> tuple[Card, ...]:
    return tuple(card(name) for name in text.split())


HANDS = [frozenset(cards(text)) for text in DEAL]


def played(count: int = 32, after: str = "8H 9S TS 7S 7H TD KS 8S AH") -> Referee:
    """The example with so many cards on the table."""
    referee = Referee(PAGAT, N, [cards(text) for text in DEAL])
    said: list[Action] = [Pass(W), Bid(S, 160), Pass(E), Pass(N), Pass(W), LayTrump(S, card("8C"))]
    said += [Pass(S), Pass(E), Pass(N), Pass(W), Closed(S)]
    for action in said[:6]:
        referee.act(action)
    while referee.hand.phase is Phase.BID8:
        referee.act(Pass(referee.hand.turn or 0))
    referee.act(Closed(S))
    for name in [*PLAY.split(), *after.split()][:count]:
        seat = referee.hand.turn
        if seat is not None:
            action = Play(seat, card(name.removeprefix("~")), name.startswith("~"))
            referee.act(referee.completed(action))
    return referee


def at(count: int) -> int:
    """How many actions of the history lie before the card after ``count``."""
    return len(played(count).hand.history)


def test_nobody_can_call_before_two_players_have_played_a_heart_on_the_jack() -> None:
    for count in range(15):
        for moment in moments(played(count)):
            known = knowledge(
                moment.hand, moment.seat, moment.cards, moment.known, moment.indicator
            )
            assert find_order(known) is None, (count, moment.seat)


def test_south_can_call_when_two_players_have_played_a_heart_on_the_jack() -> None:
    found = {m.seat: m for m in moments(played(15))}
    moment = found[S]
    known = knowledge(moment.hand, S, moment.cards, moment.known)
    for order in ("KC 9H 8H 7H", "9H 8H 7H KC", "9H KC 7H 8H"):
        assert could_call(known, cards(order)), order
    assert not could_call(known, cards("8H 9H 7H KC")), "the last heart may beat the eight"
    assert not could_call(known, cards("KC 9H 8H")), "every card must be named"
    assert not could_call(known, cards("KC 9H 8H 8H"))
    partner = found[N]
    assert find_order(knowledge(partner.hand, N, partner.cards, partner.known)) is None


def finished() -> Hand:
    return played(16).hand


def test_the_judgement_finds_the_moment_and_says_it() -> None:
    judgement = judge(finished(), HANDS)
    due = judgement.due[S]
    assert due is not None and due.at == at(15)
    assert str(due.since) == "trick 4, after N KH"
    assert set(due.order) == set(cards("KC 9H 8H 7H"))
    assert judgement.due[E] is judgement.due[N] is judgement.due[W] is None
    assert judgement.side(0) is due and judgement.side(1) is None


@pytest.mark.parametrize(
    ("count", "mode", "expected"),
    [
        (14, "strict", Verdict.EARLY),
        (14, "grace", Verdict.EARLY),
        (15, "strict", Verdict.CORRECT),
        (15, "grace", Verdict.CORRECT),
        (16, "strict", Verdict.LATE),
        (16, "grace", Verdict.CORRECT),
        (16, "assist", Verdict.CORRECT),
        (17, "grace", Verdict.LATE),
        (17, "assist", Verdict.LATE),
        (15, "off", None),
    ],
)
def test_a_call_is_judged_by_its_moment(count: int, mode: str, expected: Verdict | None) -> None:
    order = "9H 8H 7H" if count > 16 else "KC 9H 8H 7H"
    claim = Claim(S, cards(order), at(count))
    assert verdicts(played(24).hand, HANDS, claim, mode) == (expected, None)


def test_without_a_call_it_is_missed_by_the_side_that_was_due() -> None:
    for mode in ("strict", "grace", "assist"):
        assert verdicts(played(24).hand, HANDS, None, mode) == (Verdict.MISSED, None)
    assert verdicts(played(24).hand, HANDS, None, "off") == (None, None)


def test_a_wrong_order_is_early_and_fails_with_a_lost_trick() -> None:
    claim = Claim(S, cards("KC 8H 9H 7H"), at(15))
    assert verdicts(played(24).hand, HANDS, claim, "grace") == (Verdict.EARLY, None)
    lost = Claim(E, cards("9D AD TD AS"), at(15))
    assert verdicts(played(24).hand, HANDS, lost, "grace") == (None, Verdict.FAILED)
