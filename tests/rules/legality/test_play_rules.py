"""Play: following, closed trumps, the indicator, announcements, exhausted trumps, the count."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Play
from p2p304.rules.core.cards import Card, card
from p2p304.rules.core.errors import RuleBroken
from p2p304.rules.core.notation import parse
from p2p304.rules.core.phrases import Phrase
from p2p304.rules.play.engine import apply
from p2p304.rules.play.review import review, violation_result
from p2p304.rules.play.view import View, announcement, legal
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand, Phase
from p2p304.rules.state.scoring import Match, Result, void_result, won_and_lost
from p2p304.rules.variants.options import Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, options_from_data, preset
from tests.support.reference import random_hands
from tests.support.reference.random_hands import walk

PAGAT = preset("pagat")
QUIET = PAGAT.override({"caps": "off"})
HANDS = {
    "S": "7S 8S 7D 8D KH QH 7H 8H",
    "E": "JS 9S AS TS JH 9H QD 7C",
    "N": "KS QS AD TD KD AC 8C TC",
    "W": "JC 9C KC QC JD 9D AH TH",
}
"""South has no clubs, North and West no hearts to speak of: made to force what is tested."""


def dealt(hands: dict[str, str] = HANDS, dealer: int = 0, options: Options = PAGAT) -> Referee:
    order = [[card(name) for name in hands[seat].split()] for seat in "SENW"]
    return Referee(options, dealer, order)


def after(
    *lines: str, hands: dict[str, str] = HANDS, dealer: int = 0, options: Options = PAGAT
) -> Referee:
    referee = dealt(hands, dealer, options)
    for line in lines:
        referee.act(parse(line))
    return referee


def refused(referee: Referee, line: str) -> str:
    before = referee.hand
    with pytest.raises(RuleBroken) as broken:
        referee.act(parse(line))
    assert referee.hand is before
    return broken.value.rule


BID = ("E 160", "N pass", "W pass", "S pass", "E trump TS", "E pass", "N pass", "W pass", "S pass")
CLOSED = (*BID, "E closed")


def test_only_held_cards_are_laid_and_played() -> None:
    assert refused(after(*BID[:4]), "E trump JC") == "card.held"
    assert refused(after(*BID[:4]), "E trump JH") == "card.held"  # of the second batch
    assert refused(after(*CLOSED), "E JC") == "card.held"


def test_a_first_lead_of_trumps_needs_open_trump() -> None:
    assert refused(after(*CLOSED), "E JS") == "lead.trump"
    opened = after(*BID, "E open")
    assert opened.hand.trump is card("TS").suit
    opened.act(parse("E JS"))
    assert opened.hand.tricks[0].plays[0].card is card("JS")


def test_suit_is_followed_face_up() -> None:
    table = after(*CLOSED, "E QD")
    assert refused(table, "N KS") == "hidden.down"
    assert refused(table, "N ~KS") == "follow.suit"
    assert refused(table, "N ~KD") == "follow.up"
    table.act(parse("N KD"))
    assert refused(table, "W AH") == "hidden.down"


def test_a_lead_lies_face_up() -> None:
    assert refused(after(*CLOSED), "E ~QD") == "lead.up"


NO_CLUBS = (*CLOSED, "E 7C", "N TC", "W JC")


def test_without_the_suit_a_card_goes_face_down_while_trumps_are_closed() -> None:
    table = after(*NO_CLUBS)
    assert refused(table, "S 7S") == "hidden.down"
    table.act(parse("S ~7D"))
    assert table.hand.tricks[0].plays[3].card is None
    assert table.hand.tricks[0].winner == 3


def test_a_guessed_trump_cuts_and_opens() -> None:
    table = after(*NO_CLUBS, "S ~7S")
    assert table.hand.tricks[0].winner == 0
    assert table.hand.trump is card("TS").suit and table.hand.indicator is card("TS")
    assert card("TS") in table.held[1] and not table.hand.indicator_down
    assert refused(table, "S ~8S") == "lead.up"


def test_the_maker_cuts_with_the_indicator_and_never_with_a_trump_from_hand() -> None:
    hands = {**HANDS, "E": "JS 9S AS TS JH 9H QD KD", "N": "KS QS AD TD 7C AC 8C TC"}
    table = after(
        "N 160",
        "W pass",
        "S pass",
        "E 200",
        "N pass",
        "W pass",
        "S pass",
        "E trump TS",
        "E pass",
        "N pass",
        "W pass",
        "S pass",
        "E closed",
        "N 7C",
        "W JC",
        "S ~7D",
        hands=hands,
        dealer=1,
    )
    assert refused(table, "E ~JS") == "down.trump"
    assert refused(table, "E TS") == "indicator.last"
    table.act(parse("E ~TS"))
    assert table.hand.tricks[0].winner == 1
    assert table.hand.tricks[0].plays[2].card is card("7D")
    assert table.hand.has_open_trumps


@pytest.mark.parametrize(("reveal", "turned_up"), [("others", None), ("all", card("QD"))])
def test_a_cut_turns_the_makers_own_card_up_only_where_all_are(
    reveal: str, turned_up: Card | None
) -> None:
    hands = {**HANDS, "E": "JS 9S AS TS JH 9H QD KD", "N": "KS QS AD TD 7C AC 8C TC"}
    table = after(
        "N 160",
        "W pass",
        "S pass",
        "E 200",
        "N pass",
        "W pass",
        "S pass",
        "E trump TS",
        "E pass",
        "N pass",
        "W pass",
        "S pass",
        "E closed",
        "N 7C",
        "W JC",
        "S ~7S",
        "E ~QD",
        hands=hands,
        dealer=1,
        options=PAGAT.override({"reveal": reveal}),
    )
    plays = table.hand.tricks[0].plays
    assert (plays[2].card, plays[3].card) == (card("7S"), turned_up)
    assert table.hand.tricks[0].winner == 0


def test_the_indicator_is_shown_after_trick_one_at_250() -> None:
    table = after(
        *BID[:5],
        "E 250",
        "N pass",
        "W pass",
        "S pass",
        "E trump TS",
        "E closed",
        "E JH",
        "N ~AD",
        "W AH",
    )
    closed = not table.hand.has_open_trumps
    assert closed
    table.act(parse("S 7H"))
    assert table.hand.has_open_trumps and table.hand.tricks[0].plays[1].card is None
    assert card("TS") in table.held[1]


def test_exhausted_trumps_are_led_out() -> None:
    hands = {
        "S": "7D 8D KH QH 7H 8H 7C 8C",
        "E": "JS 9S AS TS KS QS 8S QD",
        "N": "7S AD TD KD AC KC TC QC",
        "W": "JC 9C JH 9H JD 9D AH TH",
    }
    table = after(
        "E 160",
        "N pass",
        "W pass",
        "S pass",
        "E trump TS",
        "E pass",
        "N pass",
        "W pass",
        "S pass",
        "E open",
        "E JS",
        "N 7S",
        "W TH",
        "S 7D",
        hands=hands,
    )
    table.act(parse("E QD"))  # somebody followed: free to lead anything
    free = after(
        "E 160",
        "N pass",
        "W pass",
        "S pass",
        "E trump TS",
        "E pass",
        "N pass",
        "W pass",
        "S pass",
        "E open",
        "E JS",
        "N 7S",
        "W TH",
        "S 7D",
        "E 9S",
        "N AD",
        "W AH",
        "S 8D",
        hands=hands,
    )
    assert refused(free, "E QD") == "exhausted.when"
    free.act(parse("E AS"))


def test_stuck_with_trumps_only_one_must_play_open() -> None:
    hands = {
        "S": "7D 8D KH QH 7H 8H 7C 8C",
        "E": "JS 9S AS TS KS QS 8S 7S",
        "N": "QD AD TD KD AC KC TC QC",
        "W": "JC 9C JH 9H JD 9D AH TH",
    }
    table = after(*BID[:4], "E trump TS", *BID[5:], hands=hands)
    assert refused(table, "E closed") == "declare.stuck"
    table.act(parse("E open"))


@pytest.mark.parametrize("seed", range(60))
def test_legal_walks_conserve_cards_and_points_and_hide_no_offence(seed: int) -> None:
    referee, _ = walk(seed, QUIET)
    hand, result = referee.hand, referee.hand.result
    assert result is not None and review(hand) == ()
    if result.void:
        assert result.tokens == (0, 0)
        return
    played = [p.card for t in hand.tricks for p in t.plays]
    assert len(played) == len(set(played)) == 8 * len(hand.playing)
    if hand.bid != PCC:
        assert result.points is not None and sum(result.points) == 304
        assert result.made == (result.points[(hand.maker or 0) % 2] >= hand.bid)
    won, lost = won_and_lost(PAGAT, hand.bid)
    assert sorted(map(abs, result.tokens)) == [won if result.made else lost] * 2


@pytest.mark.parametrize("seed", range(8))
def test_what_is_not_legal_is_refused(seed: int) -> None:
    rng = random.Random(seed)
    referee, _ = walk(seed, QUIET)
    again = Referee(PAGAT, seed % 4, referee.dealt)
    while (seat := again.hand.turn) is not None:
        legal = again.legal()
        if again.hand.phase is Phase.PLAY:
            for name in PAGAT.pack.cards:
                for down in (False, True):
                    action = again.completed(Play(seat, name, down))
                    if action not in legal:
                        with pytest.raises(RuleBroken):
                            again.act(action)
        again.act(rng.choice(legal))


def test_a_planted_false_announcement_is_found() -> None:
    """Turn an honest cut into "no trumps": the trick goes elsewhere, and the cards tell."""
    table = dealt()
    for line in NO_CLUBS:
        table.act(parse(line))
    hand = apply(table.hand, Play(0, None, down=True))
    hand = apply(hand, acts.Announce(1))  # South's card is the seven of spades, a trump
    rng = random.Random(1)
    held = {s: set(table.held[s]) for s in range(4)}
    held[0].discard(card("7S"))
    hidden: dict[int, list[Card]] = {0: [card("7S")], 1: [], 2: [], 3: []}
    hand = play_out(hand, held, hidden, rng)
    rules = [offence.rule for offence in review(hand)]
    assert "announce.false" in rules
    first = next(o for o in review(hand) if o.rule == "announce.false")
    assert first.seat == 1
    paid = violation_result(hand, first)
    assert paid.tokens[0] == -paid.tokens[1] and paid.tokens[0] == 4
    assert review(with_result(hand, None)) == ()
    assert review(with_result(hand, void_result(PAGAT, Phrase(""), 0))) == ()


def test_a_planted_question_for_trumps_is_found() -> None:
    """A player asks for trumps who could follow suit; the cards tell at the count."""
    table, rng = random_hands.dealt(preset("online-4"), random.Random(0), 0), random.Random(0)
    asked = None
    while (seat := table.hand.turn) is not None:
        led = table.hand.led
        able = any(one.suit is led for one in table.held[seat])
        if asked is None and able and seat != table.hand.maker:
            asked, table.hand = seat, apply(table.hand, acts.Reveal(seat))
            table.settle()
        else:
            table.act(rng.choice(table.legal()))
    found = [(offence.seat, offence.rule) for offence in review(table.hand)]
    assert found == [(asked, "reveal.ask")]


def with_result(hand: Hand, result: Result | None) -> Hand:
    """The same hand as if it were not finished, or were void: then nobody pays for a breach."""
    other = hand.copied()
    other.result = result
    return other


def play_out(
    hand: Hand, held: dict[int, set[Card]], hidden: dict[int, list[Card]], rng: random.Random
) -> Hand:
    """Finish a hand publicly with legal-looking plays from known cards, then count."""
    while hand.result is None:
        seat = hand.turn
        assert seat is not None
        lying = card("TS") if hand.indicator_down and seat == 1 else None
        if hand.phase is Phase.COUNT:
            hand = apply(hand, acts.Count(seat, tuple(hidden[seat])))
            continue
        if hand.phase is Phase.ANNOUNCE:
            others = {s: hidden[s][-1] for s in hand.to_inspect}
            said = announcement(hand, card("TS"), others, None)
            for who, _ in said.revealed:
                hidden[who].pop()
            if said.indicator is not None and hand.indicator_down:
                held[1].add(card("TS"))
            hand = apply(hand, said)
            continue
        options = legal(View(seat, hand, frozenset(held[seat]), lying))
        chosen = rng.choice([a for a in options if isinstance(a, Play)])
        if chosen.card is not None:
            held[seat].discard(chosen.card)
            if chosen.down and not chosen.indicator:
                hidden[seat].append(chosen.card)
        hand = apply(hand, acts.public(chosen))
    return hand


def test_tokens_are_paid_across_a_bank_and_never_below_none() -> None:
    won = Result(False, (2, -2), Phrase(""), 0)
    match = Match.start(PAGAT).after(won)
    assert match.tokens == (13, 9)
    bank = Match.start(preset("bank")).after(Result(False, (0, -2), Phrase(""), 0))
    assert bank.tokens == (11, 9)
    poor = replace(Match.start(PAGAT), tokens=(21, 1)).after(Result(False, (3, -3), Phrase(""), 0))
    assert poor.tokens == (22, 0) and poor.winner == 0
    assert Match.start(PAGAT).after(Result(True, (0, 0), Phrase(""), 0)) == Match.start(PAGAT)


@pytest.mark.parametrize(
    ("bid", "won", "lost"),
    [(160, 1, 2), (190, 1, 2), (200, 2, 3), (240, 2, 3), (250, 3, 4), (300, 3, 4), (PCC, 4, 5)],
)
def test_bands_of_payment(bid: int, won: int, lost: int) -> None:
    assert won_and_lost(PAGAT, bid) == (won, lost)


def test_options_round_trip_and_refuse_what_is_not_played() -> None:
    for options in PRESETS.values():
        assert options_from_data(options.to_data()) == options
    assert PAGAT.override({"bid.min": 150}).bid_min == 150
    for wrong in ({"caps": "yes"}, {"seats": 6}, {"bid.min": True}, {"nope": 1}):
        with pytest.raises(OptionsError):
            PAGAT.override(wrong)
    with pytest.raises(OptionsError):
        options_from_data({"preset": "pagat"})
