"""A hand that is played out pays what the same cards pay at a table that nobody has left, but for
claims (SPEC.md, "What leaving gains")."""

from __future__ import annotations

import random

import pytest

from p2p304.rules.core.actions import Play
from p2p304.rules.play.claims import may_claim
from p2p304.rules.play.counting import hands_as_dealt, indicator_of
from p2p304.rules.play.engine import apply
from p2p304.rules.state.hand import Hand
from p2p304.rules.state.scoring import Result
from tests.support.reference.caps_verdicts import judge
from tests.support.table.known_games import (
    Moment,
    Style,
    caps,
    dealt,
    due_order,
    finished,
    moments,
    play_on,
)
from tests.table.transition.test_leaving_gains import GAMES, PAGAT, hands, left

SIXTH = 6
"""Where many play, a seat leaves at every sixth moment."""
PLAYED_OUT = tuple(
    name for name, options in GAMES.items() if options.hidden == "face_down" and options.open_trump
)


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
            self.claimed |= bool(may_claim(referee.hand))
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
        then = now.restarted()
        for action in now.history[:at]:
            then = apply(then, action)
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
    judged = judge(hand, hands_as_dealt(hand), indicator_of(hand))
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
            assert may_claim(begun) == ()
            bound += begun.caps is not None and begun.ending is None
    assert bound
