"""Leaving is compared with staying, at every moment of a hand (SPEC.md, "What leaving gains").

Hands of which every card is known are played, and before each public action every seat leaves
once. What the rules settle then is compared with how the hand really ends, and with ways in which
it could have ended. What is played out is test_playout_pays.py's.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from p2p304.log.faults import Refused
from p2p304.rules.core.phase import Phase
from p2p304.rules.records.record import RecordError, read_record
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Match, Result
from p2p304.rules.variants.absence import WAIT
from p2p304.rules.variants.options import PLAYABLE, Options, OptionsError
from p2p304.rules.variants.presets import PRESETS, preset
from p2p304.table.agreement.terms import parse_terms
from p2p304.table.state import events
from p2p304.table.state.table import TableState
from p2p304.table.transition.ending import ended_without
from tests.support.table.known_games import Done, Moment, Style, dealt, moments, play_on, table

PAGAT = preset("pagat")
GAMES = {
    **{name: options for name, options in PRESETS.items() if options.seats > 2},
    "external 8": PAGAT.override({"external_caps": 8}),
    "strict": PAGAT.override({"caps": "strict"}),
    "additive": PAGAT.override({"wrong_caps": "additive"}),
    "void hands": PAGAT.override({"violation": "void"}),
    "void tenths": preset("tenths").override({"violation": "void"}),
}
HANDS = (0, 1)
STYLES = (
    Style(),
    Style(0, 1.0),
    Style(1, 1.0),
    Style(0, bids=6.0),
    Style(1, bids=6.0),
    Style(None, 0.5, 0.02, 4.0),
)
"""How hands go on: at random, or as well as can be for one side, Caps called or missed."""
SAMPLES = 1
"""Ways in which a hand could go on from each moment, beside its own."""
BIDDING = (Phase.BID4, Phase.TRUMP4, Phase.BID8)


def hands(
    name: str, away: str, seeds: Sequence[int] = HANDS
) -> Iterator[tuple[Moment, random.Random]]:
    """Every moment of some hands of a game, weak and strong, and a source of chance for each."""
    options = GAMES[name].override({"away": away})
    for seed in seeds if options.seats <= 4 else seeds[-1:]:
        chance = random.Random(f"{name} {seed}")
        style = Style(seed % options.accounts, 0.7, 0.01, 1 + 3 * chance.random())
        referee = dealt(options, chance, (None, 3.0, 8.0)[seed % 3])
        yield from ((moment, chance) for moment in list(moments(referee, chance, style)))


def ways_on(moment: Moment, chance: random.Random) -> Iterator[tuple[Hand, list[Done]]]:
    """How the hand really goes on, and other ways in which it could: its end, and what is done."""
    later = [done for done in moment.course.done if done.at >= moment.at]
    yield moment.course.referee.hand, later
    for _ in range(SAMPLES):
        yield going_on(moment, chance)


def going_on(moment: Moment, chance: random.Random) -> tuple[Hand, list[Done]]:
    """One way in which the hand could go on."""
    referee, style = moment.referee.copied(), chance.choice(STYLES)
    if style.strong is not None:
        style = replace(style, strong=chance.randrange(referee.hand.options.accounts))
    done = list(play_on(referee, chance, style))
    return referee.hand, done


def left(moment: Moment, seat: int, tokens: tuple[int, ...] = ()) -> TableState:
    """The table that the others end without this seat."""
    after, _ = ended_without(table(moment.hand.options, moment.hand, tokens=tokens), seat)
    return after


def lost_by(moment: Moment, seat: int) -> Result:
    """The result of the hand that the others end without this seat."""
    record = left(moment, seat).last_record
    assert record is not None
    return record.result


def highest(hand: Hand) -> tuple[int, int | None]:
    """The highest bid so far, and whose it is."""
    auction = hand.auction
    bids = [(auction.high, auction.bidder), (hand.bid, hand.maker)]
    return max(bids, key=lambda one: one[0])


def is_bid_over(before: Hand, end: Hand) -> bool:
    """Whether a bid was made between the two that is the hand's, or a bidder failed to be found."""
    return end.maker is not None and highest(before) != (end.bid, end.maker)


def gain(account: int, gone: tuple[int, ...], stayed: tuple[int, ...]) -> int:
    """What an account that left is better off than if it had stayed: in what it has, or compared
    with the account for which that is most."""
    changes = [left - had for left, had in zip(gone, stayed, strict=True)]
    own = changes.pop(account)
    return max(own, *(own - change for change in changes))


# replace: the hand is lost


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_that_is_left_never_costs_less_than_it_could_still_cost(name: str) -> None:
    """``replace``, for every bid that stands. Which bids may still be made is the next test's."""
    compared = 0
    for moment, chance in hands(name, "replace"):
        options = moment.hand.options
        lost = [lost_by(moment, seat) for seat in range(options.seats)]
        for end, done in ways_on(moment, chance):
            if end.result is None or is_bid_over(moment.hand, end):
                continue
            for seat in range(options.seats):
                account = options.account(seat)
                if claims_falsely(done, options, account):
                    continue
                assert gain(account, lost[seat].tokens, end.result.tokens) <= 0, (
                    f"{name}: seat {seat} leaves after {moment.at} actions: {lost[seat]}, "
                    f"and not {end.result}"
                )
                never_wins_a_match(options, account, lost[seat], end.result)
                no_game_is_put_off(options, account, lost[seat], end.result)
                compared += 1
    assert compared


def claims_falsely(done: list[Done], options: Options, account: int) -> bool:
    """Whether this account makes a false claim that nobody made it make."""
    return any(one.false and options.account(one.action.seat) == account for one in done)


def never_wins_a_match(options: Options, account: int, lost: Result, stayed: Result) -> None:
    """Neither with all that it had nor with little."""
    whole = Match.start(options)
    for few in (1, 3, options.tokens):
        match = replace(whole, tokens=(min(few, whole.tokens[0]),) * options.accounts)
        gone, end = match.after(lost), match.after(stayed)
        assert gone.tokens[account] <= end.tokens[account] and gone.winner != account


def no_game_is_put_off(options: Options, account: int, lost: Result, stayed: Result) -> None:
    """With ``tenths`` the others get the card points that could win them a game now."""
    others = [other for other in range(options.accounts) if other != account]
    if options.tenths and options.violation == "pay":
        assert lost.points is not None
        given = stayed.points or (0,) * options.accounts
        assert all(lost.points[other] >= given[other] for other in others)
        assert lost.points[account] == 0


@pytest.mark.parametrize("name", GAMES)
def test_while_the_bidding_is_on_leaving_avoids_no_more_than_is_said(name: str) -> None:
    """A bid that is still to come may cost more than leaving before it; the specification says by
    how much at most, for each player who is paid."""
    without, with_bid = most_avoided(GAMES[name])
    compared = 0
    for moment, chance in hands(name, "replace"):
        if moment.hand.phase not in BIDDING:
            break
        options = moment.hand.options
        most = with_bid if highest(moment.hand)[0] else without
        lost = [lost_by(moment, seat) for seat in range(options.seats)]
        for end, done in ways_on(moment, chance):
            if end.result is None or not is_bid_over(moment.hand, end):
                continue
            for seat in range(options.seats):
                account = options.account(seat)
                if claims_falsely(done, options, account):
                    continue
                gone, stayed = lost[seat].tokens, end.result.tokens
                own = (gone[account] - stayed[account]) / (options.accounts - 1)
                others = (
                    stayed[other] - gone[other]
                    for other in range(options.accounts)
                    if other != account
                )
                assert max(own, *others) <= most, (name, seat, moment.at, lost[seat], end.result)
                no_game_is_put_off(options, account, lost[seat], end.result)
                compared += 1
    assert compared


def most_avoided(options: Options) -> tuple[int, int]:
    """Before there is a bid, and once there is one."""
    if options.score == "online":
        return 5, 3
    eight = options.external_caps == 8 and options.caps != "off"
    return (6, 5) if eight else (3, 2)


@pytest.mark.parametrize("away", ["replace", "playout"])
def test_nothing_is_lost_before_a_card_is_unlocked(away: str) -> None:
    """No card is known then, though the pack may be shuffled and cut: no hand has begun, so none is
    told of, and the same player deals."""
    options = PAGAT.override({"away": away})
    moment, _ = next(hands("pagat", away))
    state = table(options, moment.hand)
    dealt = state.open_deal
    before = [replace(dealt, shuffled=n, dealt=0) for n in range(options.seats + 1)]
    for deal in (*before, replace(before[-1], cut=5)):
        after, happened = ended_without(state.with_deal(deal), 1)
        assert after.match == state.match and after.dealer == state.dealer
        assert after.hands_played == 0 and after.is_over and after.last_record is None
        assert not any(isinstance(event, events.HandOver) for event in happened)
    unlocked = replace(before[-1], cut=5, unlocked=1)
    after, happened = ended_without(state.with_deal(unlocked), 1)
    assert after.hands_played == (away == "replace") and after.is_over == (away == "replace")


def test_a_hand_that_is_left_counts_as_one_that_was_played() -> None:
    """Else a side could put off the end of a session for as long as it is behind."""
    for name in ("pagat", "void hands", "online-4"):
        for moment, _ in hands(name, "replace", (0,)):
            options = moment.hand.options
            after, _ = ended_without(
                table(options, moment.hand, hands=1), moment.at % options.seats
            )
            assert after.hands_played == 1 and after.is_played_to_its_end


# No other value: a table is never ended with a dealt hand void


@pytest.mark.parametrize("away", [way for way in PLAYABLE["away"] if way != WAIT])
def test_no_table_is_ended_with_a_dealt_hand_unpaid(away: str) -> None:
    """It is lost by the side that was left, or it is played on."""
    for moment, _ in hands("pagat", away, (0,)):
        for seat in range(4):
            after = left(moment, seat)
            lost = after.last_record
            assert after.absent_hand is not None or (lost and min(lost.result.tokens) < 0)


@pytest.mark.parametrize("away", ["void", "pay"])
def test_the_values_with_which_leaving_gained_are_unknown(away: str) -> None:
    """In options, in a hand record and in an agreement."""
    with pytest.raises(OptionsError, match=r"away cannot be"):
        PAGAT.override({"away": away})
    record = {"rules": {"away": away}, "dealer": "S", "hands": {}, "actions": []}
    with pytest.raises(RecordError, match=r"away cannot be") as unknown:
        read_record(json.dumps(record))
    assert unknown.value.rule == "record.rules"
    moment, _ = next(hands("pagat", "replace"))
    terms = table(moment.hand.options, moment.hand).terms.to_value()
    rules = terms["rules"]
    assert isinstance(rules, dict) and rules["away"] == "replace"
    with pytest.raises(Refused, match=r"A02.*away cannot be"):
        parse_terms({**terms, "rules": {**rules, "away": away}})


def test_where_the_table_waits_nothing_is_settled_without_a_player() -> None:
    for moment, _ in hands("pagat", "wait", (0,)):
        for seat in range(4):
            with pytest.raises(Refused, match="E03"):
                left(moment, seat)
