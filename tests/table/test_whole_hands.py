"""Whole hands by four machines on a virtual clock: the same transcript everywhere, whatever
the network does, and what it conserves."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import cast

import pytest

from p2p304.offline.audit import audit
from p2p304.rules.core.actions import PCC, Action, Redeal
from p2p304.rules.core.cards import Card, Pack, card
from p2p304.rules.play.view import View, legal
from p2p304.rules.variants.options import Options
from p2p304.rules.variants.presets import preset
from p2p304.table.state import events
from tests.support.cheats import games
from tests.support.table import simnet, stacked


def results(net: simnet.Net, table: int = 0) -> list[events.HandOver]:
    return [e for e in net.told[table] if isinstance(e, events.HandOver)]


@pytest.mark.parametrize("seed", range(1, 7))
def test_every_node_ends_with_the_same_sound_transcript(seed: int) -> None:
    net = simnet.make(seed)
    net.run()
    assert net.finished
    assert len(set(net.transcripts)) == 1
    report = audit(net.transcripts[0])
    assert report.sound and report.complete
    assert [e.result for e in results(net, 1)] == [e.result for e in results(net, 0)]


@pytest.mark.parametrize("seed", [1, 2])
def test_closed_hands_too(seed: int) -> None:
    net = simnet.make_closed(seed, hands=2)
    net.run()
    assert net.finished and len(set(net.transcripts)) == 1
    report = audit(net.transcripts[0])
    assert report.sound and report.complete
    kinds = {kind for hand in report.hands for _, kind in hand.proofs}
    assert {"closed", "down", "inspect", "announce", "count"} <= kinds


def test_closed_players_bid_where_the_least_bid_is_200() -> None:
    """If they passed for ever, hands without a bid would be dealt again without end."""
    net = simnet.make_closed(1, rules=preset("pagat").override({"bid.min": 200}))
    net.run(until=lambda: net.tables[0].chain.next_seq > 100)
    assert net.finished


@pytest.mark.parametrize("seed", [11, 12])
def test_loss_delay_disorder_and_duplicates_change_nothing_but_time(seed: int) -> None:
    quiet, rough = simnet.make(seed), simnet.make(seed)
    rough.faults = simnet.Faults(loss=0.25, duplicate=0.2, delay=0.05, jitter=0.5)
    quiet.run()
    rough.run()
    assert rough.finished
    assert rough.transcripts[0] == quiet.transcripts[0]
    assert rough.now > quiet.now


def test_points_are_conserved_and_tokens_are_paid_across() -> None:
    net = simnet.make(21, hands=4)
    net.run()
    played, bid = 0, 0
    for event in net.told[0]:
        if isinstance(event, events.Acted):
            bid = event.hand.bid
        if isinstance(event, events.HandOver) and not event.result.void:
            played += 1
            assert event.result.points is not None
            if bid != PCC:
                assert sum(event.result.points) == 304
            assert sum(event.match.tokens) == 22
    assert played


def test_a_match_ends_when_a_side_has_no_tokens() -> None:
    net = simnet.make(5, hands=0, rules=preset("pagat").override({"tokens": 2}))
    net.run()
    over = [e for e in net.told[2] if isinstance(e, events.TableOver)]
    assert net.finished and len(over) == 1
    assert over[0].winner is not None
    assert over[0].match.tokens[1 - over[0].winner] == 0


def test_a_hand_dealt_again_is_not_one_of_the_agreed_number() -> None:
    """``hands.played``: the first cards are rejected, so one hand is still to be played."""
    hands, first = games.dealt("7S 8S 7H 8H 7D 8D 7C 8C")
    net = stacked.make(hands)
    play = net.choosers[first]

    def rejects_once(view: View) -> Action:
        redeal = Redeal(first)
        return redeal if redeal in legal(view) and not results(net) else play(view)

    net.choosers[first] = rejects_once
    net.run()
    assert net.finished
    assert next(e.result.void for e in results(net))
    assert [e.result.void for e in results(net)].count(False) == 1


ONE_ROUND = {"deal": "all_first", "all_pass": "dealer_forced", "rebid": "first200"}


@pytest.mark.parametrize(
    ("name", "more"),
    [("wikipedia", {}), ("catsatcards", {}), ("pagat", {"bid8": "off"}), ("pagat", ONE_ROUND)],
)
def test_other_ways_of_bidding_are_dealt_and_audited_alike(name: str, more: dict[str, str]) -> None:
    net = simnet.make(41, hands=2, rules=preset(name).override(more))
    net.run()
    assert net.finished and len(set(net.transcripts)) == 1
    assert audit(net.transcripts[0]).sound
    assert any(not e.result.void for e in results(net))


def test_no_event_of_the_table_names_a_card_that_lies_face_down() -> None:
    net = simnet.make(3)
    net.run()
    for event in net.told[0]:
        if isinstance(event, events.Acted):
            action = event.action
            assert not (getattr(action, "down", False) and getattr(action, "card", None))


def cards_in(value: object) -> set[Card]:
    """Every card that a value, or anything in it, names."""
    if isinstance(value, Card):
        return {value}
    if is_dataclass(value) and not isinstance(value, Options | Pack):
        value = [getattr(value, item.name) for item in fields(value)]
    if isinstance(value, tuple | list | frozenset):
        return set().union(*map(cards_in, value))
    return set()


def test_cards_opened_for_the_count_are_shown_to_nobody() -> None:
    """They are in the state that counts; no event that a screen or a bot gets names them."""
    hidden: set[Card] = set()
    for seed in range(1, 9):
        net = simnet.make_closed(seed)
        net.run()
        counts = [
            entry.entry.body["cards"]
            for entry in net.tables[0].chain.entries
            if entry.entry.kind == "count"
        ]
        hidden = {card(str(name)) for names in counts for name in cast(list[str], names)}
        if hidden:
            break
    told = [e for e in net.told[0] if not isinstance(e, events.HandSeen | events.YourTurn)]
    assert sum(e.cards for e in told if isinstance(e, events.Counted)) == len(hidden) > 0
    assert not hidden & cards_in(told)
    state = net.tables[0].state
    assert state is not None and state.last_record is not None
    assert hidden <= cards_in(state.last_record.hand)


def test_hands_are_different_every_time_and_on_every_seat() -> None:
    one, other = simnet.make(31), simnet.make(32)
    hands = []
    for net in (one, other):
        net.run()
        for told in net.told:
            first = next(e for e in told if isinstance(e, events.HandSeen))
            hands.append(first.view.cards)
    assert len(set(hands)) == len(hands)
    assert all(len(cards) == 4 for cards in hands)


def test_the_spoken_code_is_the_same_on_every_screen() -> None:
    net = simnet.make(8)
    net.run()
    codes = {e.code for told in net.told for e in told if isinstance(e, events.Seated)}
    assert len(codes) == 1 and len(codes.pop()) == 7
