"""The rule and the words of every line of an explained hand, read off the cards as they lie."""

from __future__ import annotations

import json
import re

import pytest

from p2p304.rules.core import actions as acts
from p2p304.rules.core.actions import PCC, Action, Bid, Pass, Play
from p2p304.rules.core.cards import Card
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.explain import explain
from p2p304.rules.records.record import read_record
from p2p304.rules.records.referee import Referee
from p2p304.rules.state.hand import Hand
from p2p304.rules.variants.presets import PRESETS, preset
from tests.support.reference.random_hands import record, walk


def same_side(hand: Hand, one: int | None, other: int) -> bool:
    return one is not None and hand.options.account(one) == hand.options.account(other)


def rule_of_words(hand: Hand, action: Bid | Pass) -> str:
    """The rule by which this could be said."""
    auction, seat = hand.auction, action.seat
    if auction.asked_by is not None and not (isinstance(action, Bid) and action.amount >= PCC):
        return "ask.turn"
    over_partner = same_side(hand, auction.bidder, seat)
    if isinstance(action, Pass):
        if auction.second:
            return "bid8.partner" if over_partner else "bid8.min"
        return "bid.skip" if auction.high else "bid.circuit"
    if action.amount >= PCC:
        return "pcc.bid" if action.amount == PCC else "bid.court"
    if auction.second:
        return "bid8.min"
    if over_partner:
        return "bid.partner"
    if seat in auction.spoken:
        return "bid.rebid"
    if auction.high:
        return "bid.higher"
    if hand.options.bid_first == "must":
        return "bid.first"
    last = auction.turns == hand.options.seats - 1
    return "bid.forced" if hand.options.all_pass == "dealer_forced" and last else "bid.min"


def has_led_out(referee: Referee, trump: object) -> bool:
    """Whether the trump maker has led a trump to which nobody else followed."""
    hand, true = referee.hand, referee.true_cards
    return any(
        trick.leader == hand.maker
        and true[number, trick.leader].suit is trump
        and sum(play.card is not None and play.card.suit is trump for play in trick.plays) == 1
        for number, trick in enumerate(hand.completed_tricks)
    )


def rule_of_play(referee: Referee, action: Play) -> str:
    """The rule by which this card may be played so."""
    hand, seat, card = referee.hand, action.seat, action.card
    assert card is not None
    is_maker, others = seat == hand.maker, referee.held[seat] - {card}
    lies = is_maker and hand.indicator_down and card is referee.indicator
    if hand.caps is not None and hand.caps.seat == seat:
        return "caps.bound"
    if lies and (not hand.plays or not others):
        return "indicator.last"
    if not hand.plays:
        if not is_maker or hand.options.hidden == "ask_reveal":
            return "lead.up"
        if hand.closed and not hand.completed_tricks:
            return "pcc.lead" if hand.bid >= PCC else "lead.trump"
        known = referee.indicator or hand.indicator
        trump = None if known is None else known.suit
        owes = hand.options.exhausted and hand.bid < PCC and card.suit is trump
        return "exhausted.when" if owes and has_led_out(referee, trump) else "lead.up"
    if lies:
        return "cut.must" if all(one.suit is card.suit for one in others) else "down.trump"
    if card.suit is hand.led:
        return "follow.suit"
    if hand.asker == seat:
        return "reveal.cut"
    if hand.options.hidden == "ask_reveal" and hand.trump is None:
        return "reveal.up"
    if hand.trump is not None:
        return "open.up"
    return "down.trump" if is_maker else "hidden.down"


def expected(referee: Referee, action: Action) -> str | None:
    hand = referee.hand
    if isinstance(action, Bid | Pass):
        return rule_of_words(hand, action)
    if isinstance(action, Play):
        return rule_of_play(referee, action)
    if isinstance(action, acts.Call):
        own: set[Card | None] = {*referee.held[action.seat], referee.indicator}
        return "call.alone" if action.card in own else "call.card"
    return None


def rule_of_end(hand: Hand) -> str | None:
    """The rule by which a hand ended as it did; None where the bid alone was counted."""
    assert hand.result is not None
    if hand.result.void:
        if hand.maker is not None:
            return "spoilt.what"
        return "redeal.once" if isinstance(hand.history[-1], acts.Redeal) else "bid.circuit"
    if hand.result.caps is not None:
        return "caps.verdict"
    if hand.doubled is not None:
        return "double.pays"
    return {PCC: "pcc.all", acts.HALF_COURT: "bid.court", acts.FULL_COURT: "bid.court"}.get(
        hand.bid
    )


@pytest.mark.parametrize("name", PRESETS)
def test_every_line_names_the_rule_by_which_it_was_done(name: str) -> None:
    for seed in range(10):
        kept, done = walk(seed, preset(name).override({"caps": "off"}))
        hand = record(kept, done) | {"rules": {"preset": name, "caps": "off"}}
        told = list(explain(read_record(json.dumps(hand))))
        referee = Referee(kept.hand.options, kept.hand.dealer, kept.dealt, kept.undealt)
        for action, line in zip(done, told, strict=True):
            rules, before = re.findall(r"\[([a-z0-9_.]+)\]", line), referee.hand
            due = expected(referee, action)
            assert due is None or rules[0] == due, line
            referee.act(action)
            now, true, at = referee.hand, referee.true_cards, before.completed_count
            assert ("The other cards are dealt." in line) == (
                now.phase is Phase.BID8 and before.phase in (Phase.BID4, Phase.TRUMP4)
            )
            if rules[0] == "indicator.last" and before.plays:
                assert isinstance(action, Play) and action.card is not None
                assert (" follows with " in line) == (action.card.suit is before.led)
            assert ("Each draws a card" in line) == (now.drawn() > before.drawn())
            assert ("plays alone." in line) == (
                len(now.playing) < len(before.playing) or rules[0] == "call.alone"
            ), line
            if now.completed_count > at:
                trick = now.tricks[at]
                assert trick.winner is not None
                points = sum(now.options.pack.points[true[at, p.seat]] for p in trick.plays)
                cut = true[at, trick.winner].suit is not true[at, trick.leader].suit
                worth = f"{points / 10:.1f}" if name == "tenths" else points
                assert f"wins trick {at + 1}{' by a cut' if cut else ''}: {worth} points." in line
        end = rule_of_end(kept.hand)
        assert (rules[-1] == end) if end else not told[-1].endswith("]"), told[-1]
