"""Leaving is compared with staying, at every moment of a hand (SPEC.md, "What leaving gains").

Hands of which every card is known are played, and before each public action every seat leaves
once. What the rules settle then is compared with how the hand really ends, and with ways in which
it could have ended.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest
from known_games import (
    Done,
    Moment,
    Style,
    caps,
    dealt,
    due_order,
    finished,
    moments,
    play_on,
    table,
)

from p2p304.log.faults import Refused
from p2p304.rules.actions import Play
from p2p304.rules.caps import judge
from p2p304.rules.endings import as_dealt, indicator_of
from p2p304.rules.hand import Hand
from p2p304.rules.options import Options
from p2p304.rules.phase import Phase
from p2p304.rules.presets import PRESETS, preset
from p2p304.rules.scoring import Match, Result
from p2p304.table.ending import ended
from p2p304.table.state import TableState

PAGAT = preset("pagat")
GAMES = {
    **{name: options for name, options in PRESETS.items() if options.seats > 2},
    "external 8": PAGAT.override({"external_caps": 8}),
    "strict": PAGAT.override({"caps": "strict"}),
    "additive": PAGAT.override({"wrong_caps": "additive"}),
    "void hands": PAGAT.override({"violation": "void"}),
    "void tenths": preset("tenths").override({"violation": "void"}),
}
HANDS = (0, 2, 1)
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
SIXTH = 6
"""Where many play, one hand, and every sixth moment of one that is played out."""
"""Ways in which a hand goes on from each moment."""
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
        for moment in moments(referee, chance, style):
            yield moment, chance


def going_on(moment: Moment, chance: random.Random) -> tuple[Hand, list[Done]]:
    """One way in which the hand goes on: its end, and what was done."""
    referee, style = moment.referee.copied(), chance.choice(STYLES)
    if style.strong is not None:
        style = replace(style, strong=chance.randrange(referee.hand.options.accounts))
    done = list(play_on(referee, chance, style))
    return referee.hand, done


def left(moment: Moment, seat: int, tokens: tuple[int, ...] = ()) -> TableState:
    """The table that the others end without this seat."""
    after, _ = ended(table(moment.hand.options, moment.hand, tokens=tokens), seat)
    return after


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
        lost = [left(moment, seat).records[-1].result for seat in range(options.seats)]
        for _ in range(SAMPLES):
            end, done = going_on(moment, chance)
            if end.result is None or is_bid_over(moment.hand, end):
                continue
            for seat in range(options.seats):
                account = options.account(seat)
                if claims_falsely(done, options, account):
                    continue
                assert gain(account, lost[seat].tokens, end.result.tokens) <= 0, (
                    f"{name}: seat {seat} leaves after {moment.at} actions: {lost[seat]}, "
                    f"and not {end.result}")  # fmt: skip
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
    if options.tenths == "on" and options.violation == "pay":
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
        lost = [left(moment, seat).records[-1].result for seat in range(options.seats)]
        for _ in range(2 * SAMPLES):
            end, done = going_on(moment, chance)
            if end.result is None or not is_bid_over(moment.hand, end):
                continue
            for seat in range(options.seats):
                account = options.account(seat)
                if claims_falsely(done, options, account):
                    continue
                gone, stayed = lost[seat].tokens, end.result.tokens
                own = (gone[account] - stayed[account]) / (options.accounts - 1)
                others = (stayed[other] - gone[other] for other in range(options.accounts)
                          if other != account)  # fmt: skip
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


def test_nothing_is_lost_before_every_seat_has_shuffled() -> None:
    """No card is known then, and the hand is dealt again by the same player."""
    options = PAGAT.override({"away": "replace"})
    moment, _ = next(hands("pagat", "replace"))
    state = table(options, moment.hand)
    for shuffled in range(options.seats):
        early = state.with_deal(replace(state.open_deal, shuffled=shuffled))
        after, _ = ended(early, 1)
        assert after.match == early.match and after.dealer == early.dealer
        assert after.hands_played == 0 and after.over


def test_a_hand_that_is_left_counts_as_one_that_was_played() -> None:
    """Else a side could put off the end of a session for as long as it is behind."""
    for name in ("pagat", "void hands", "online-4"):
        for moment, _ in hands(name, "replace", (0,)):
            options = moment.hand.options
            after, _ = ended(table(options, moment.hand, hands=1), moment.at % options.seats)
            assert after.hands_played == 1 and after.is_played_to_its_end


# wait, void: no hand is paid, and no match won


@pytest.mark.parametrize("name", GAMES)
def test_a_table_that_is_ended_pays_nobody_and_nobody_has_won_it(name: str) -> None:
    for moment, _ in hands(name, "void", (0,)):
        options = moment.hand.options
        for seat in range(options.seats):
            before = table(options, moment.hand)
            after, _ = ended(before, seat)
            assert after.over and after.match == before.match and after.match.winner is None
            assert after.hands_played == 0 and after.records[-1].result.void


def test_where_the_table_waits_nothing_is_settled_without_a_player() -> None:
    for moment, _ in hands("pagat", "wait", (0,)):
        for seat in range(4):
            with pytest.raises(Refused, match="E03"):
                left(moment, seat)


# playout: the hand goes on


PLAYED_OUT = tuple(name for name, options in GAMES.items()
                   if options.hidden == "face_down" and options.open_trump == "on")  # fmt: skip


class PlayedOut:
    """A hand that is left at a moment, and the same hand with the same cards played, in which
    nobody leaves and nobody claims."""

    def __init__(self, moment: Moment, seat: int, chance: random.Random) -> None:
        self.moment, self.seat = moment, seat
        begun = left(moment, seat).open_hand
        referee, twin = moment.referee.copied(), moment.referee.copied()
        referee.hand = referee.hand.copied()
        referee.hand.claims_end = begun.claims_end
        self.claimed = False
        self.stayed = [twin.copied()]
        strong = chance.choice((None, *range(referee.hand.options.accounts)))
        for one in play_on(referee, chance, Style(strong), empty=seat):
            twin.act(one.action)
            self.stayed.append(twin.copied())
            self.claimed |= bool(referee.hand.may_claim)
        self.left, self.twin = finished(referee), finished(twin)

    @property
    def account(self) -> int:
        return self.moment.hand.options.account(self.seat)

    def called_on_time(self, side: int, at: int) -> Result | None:
        """How the hand ends if this side, which was due after ``at`` actions, makes the first call
        that it can make on time from the parting on; None if there is none."""
        for referee in self.stayed:
            if not self.is_on_time(referee.hand, at):
                return None
            for seat in range(side, referee.hand.options.seats, 2):
                order = due_order(referee, seat)
                if order is not None:
                    called = referee.copied()
                    called.act(caps(referee, seat, order))
                    return finished(called)
        return None

    def is_on_time(self, now: Hand, at: int) -> bool:
        """``caps.due``: before the next trick, or card, whoever's."""
        if now.options.caps == "strict":
            return not any(isinstance(action, Play) for action in now.history[at:])
        then = now.again()
        for action in now.history[:at]:
            then = then.apply(action)
        return len(now.tricks) <= max(1, len(then.tricks))


def charges_alike(one: PlayedOut) -> bool:
    """Check what a hand that is played out pays; whether a missed call was paid for."""
    assert one.moment.hand.ending is not None or not one.claimed
    left, twin, charged = one.left, one.twin, False
    assert (left.void, left.points, left.made) == (twin.void, twin.points, twin.made)
    if twin.caps is None or twin.caps.verdict != "missed":
        assert (left.tokens, left.caps) == (twin.tokens, twin.caps), one.moment.at
        return False
    hand = one.stayed[-1].hand
    eight = hand.options.external_caps == 8
    judged = judge(hand, as_dealt(hand), indicator_of(hand))
    for side in range(2):
        due = judged.side(side)
        called = None if due is None else one.called_on_time(side, due.at)
        if due is not None and called is None and due.at <= one.moment.at:
            assert (left.tokens, left.caps) == (twin.tokens, twin.caps), one.moment.at
            charged = True
        elif called is not None:
            assert left.caps is None
            assert called.caps is not None and called.caps.verdict == "correct"
            gained = left.tokens[one.account] - called.tokens[one.account]
            if side == one.account:
                assert gained <= 0
            elif all(trick.winner is None or trick.winner % 2 == side for trick in hand.tricks):
                assert gained <= (7 if eight else 1)
    return charged


@pytest.mark.parametrize("name", PLAYED_OUT)
def test_a_hand_played_out_pays_what_the_same_cards_pay_whoever_has_left(name: str) -> None:
    """But for calls of Caps: one that was missed by the parting is paid for, and from then on none
    is made or missed, which spares the side that has left at most what SPEC.md says."""
    seats = GAMES[name].seats
    for number, (moment, chance) in enumerate(hands(name, "playout", (1,))):
        if seats <= 4 or number % SIXTH == 0:
            charges_alike(PlayedOut(moment, chance.randrange(seats), chance))


def test_a_call_of_caps_that_can_be_made_no_more_is_paid_for_by_a_hand_that_is_left() -> None:
    """Its time may be over, or its player may have played another card than the order's next: then
    leaving within the same trick must not spare its side the payment."""
    options, charged = PAGAT.override({"away": "playout"}), 0
    for seed in (12, 45):
        chance = random.Random(f"xpagat {seed}")
        for moment in moments(dealt(options, chance, 1.5), chance, Style(seed % 2, bids=3.0)):
            charged += charges_alike(PlayedOut(moment, chance.randrange(4), chance))
    assert charged > 5


def test_once_somebody_has_left_nobody_claims_whatever_was_called_before() -> None:
    """Also where a call of Caps binds its side: a call of spoilt trumps would undo the hand."""
    bound = 0
    options = PAGAT.override({"away": "playout"})
    for seed in range(8):
        chance = random.Random(seed)
        for moment in moments(dealt(options, chance, None), chance, Style(None, 0.0, 0.05)):
            begun = left(moment, seed % 4).open_hand
            assert begun.may_claim == ()
            bound += begun.caps is not None and begun.ending is None
    assert bound
